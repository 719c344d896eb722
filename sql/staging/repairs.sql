-- purpose: A misprint that people decided; the build reads the text with it.
-- grain:   text_id, ply
-- columns:
--   text_id  VARCHAR
--   ply      INTEGER
--   written  VARCHAR
--   read_as  VARCHAR
--   because  VARCHAR
--   author   VARCHAR
--   made_at  TIMESTAMP
select
    text_id,
    ply,
    written,
    read_as,
    because,
    author,
    made_at,
from stored.repairs
