-- purpose: A defect or oddity of a source or game.
-- grain:   issue_id
-- columns:
--   issue_id     VARCHAR
--   source_id    VARCHAR
--   game_id      VARCHAR
--   code         VARCHAR
--   severity     VARCHAR
--   variation    SMALLINT
--   ply          SMALLINT
--   byte_offset  BIGINT
--   byte_end     BIGINT
--   line         INTEGER
--   column       INTEGER
--   written      VARCHAR
--   detail       VARCHAR
--   candidates   VARCHAR[]
select
    issue_id,
    source_id,
    game_id,
    code,
    severity,
    variation,
    ply,
    byte_offset,
    byte_end,
    line,
    "column",
    written,
    detail,
    candidates,
from stored.issues
