-- purpose: A distinct member's bytes: how they were read and what was found.
-- grain:   source_id
-- columns:
--   source_id            VARCHAR
--   collection           VARCHAR  Collection of `path`; null when no path is live.
--   path                 VARCHAR  First of the live paths with these bytes, by sort; null when none is live.
--   container_id         VARCHAR
--   n_bytes              BIGINT
--   extractor            VARCHAR
--   encoding             VARCHAR
--   encoding_runner_up   VARCHAR
--   encoding_margin      DOUBLE
--   n_games              BIGINT
--   n_clean              BIGINT
--   n_truncated          BIGINT
--   n_rejected           BIGINT
--   n_plies              BIGINT
--   n_bytes_games        BIGINT
--   n_bytes_quarantined  BIGINT
--   n_bytes_filler       BIGINT
--   results_version      VARCHAR
with first_path as (
    select
        source_id,
        min(struct_pack(path := path, collection := collection)) as first,
    from stored.source_paths
    where removed_at is null
    group by source_id
)
select
    source_id,
    first.collection as collection,
    first.path as path,
    container_id,
    n_bytes,
    extractor,
    encoding,
    encoding_runner_up,
    encoding_margin,
    n_games,
    n_clean,
    n_truncated,
    n_rejected,
    n_plies,
    n_bytes_games,
    n_bytes_quarantined,
    n_bytes_filler,
    results_version,
from stored.sources
left join first_path using (source_id)
