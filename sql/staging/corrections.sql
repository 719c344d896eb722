-- purpose: A correction that people decided; views apply it.
-- grain:   text_id, field
-- columns:
--   text_id  VARCHAR
--   field    VARCHAR
--   value    VARCHAR
--   because  VARCHAR
--   author   VARCHAR
--   made_at  TIMESTAMP
select
    text_id,
    field,
    value,
    because,
    author,
    made_at,
from stored.corrections
