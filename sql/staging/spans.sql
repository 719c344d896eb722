-- purpose: A byte range of a source; the ranges of a source partition its bytes in order, without gap or overlap.
-- grain:   source_id, byte_start
-- columns:
--   source_id   VARCHAR
--   byte_start  BIGINT
--   byte_end    BIGINT
--   kind        VARCHAR
select
    source_id,
    byte_start,
    byte_end,
    kind,
from stored.spans
