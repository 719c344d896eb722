-- purpose: A run of ingest.
-- grain:   run_id
-- columns:
--   run_id           VARCHAR
--   started_at       TIMESTAMP
--   finished_at      TIMESTAMP
--   state            VARCHAR
--   exit_code        INTEGER
--   version          VARCHAR
--   arguments        VARCHAR
--   snapshot_before  BIGINT
--   snapshot_after   BIGINT
--   n_new            BIGINT
--   n_replaced       BIGINT
--   n_skipped        BIGINT
--   n_failed         BIGINT
select
    run_id,
    started_at,
    finished_at,
    state,
    exit_code,
    version,
    arguments,
    snapshot_before,
    snapshot_after,
    n_new,
    n_replaced,
    n_skipped,
    n_failed,
from stored.runs
