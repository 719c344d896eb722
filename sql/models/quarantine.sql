-- purpose: A byte range that did not become a clean game, with its raw bytes.
-- grain:   quarantine_id
-- columns:
--   quarantine_id  VARCHAR
--   source_id      VARCHAR
--   game_id        VARCHAR
--   text_id        VARCHAR
--   byte_start     BIGINT
--   byte_end       BIGINT
--   reason_code    VARCHAR
--   detail         VARCHAR
--   raw            BLOB
--   state          VARCHAR  open; resolved = clean with an accepted repair; tombstone = a person decided that it is no game.
select
    quarantine_id,
    source_id,
    game_id,
    text_id,
    byte_start,
    byte_end,
    reason_code,
    detail,
    raw,
    coalesce(state, 'open') as state,
from stored.quarantine
left join stored.quarantine_states using (quarantine_id)
