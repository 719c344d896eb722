-- purpose: A text that people decided is no game; views leave it out.
-- grain:   text_id
-- columns:
--   text_id  VARCHAR
--   because  VARCHAR
--   author   VARCHAR
--   made_at  TIMESTAMP
select
    text_id,
    because,
    author,
    made_at,
from stored.tombstones
