-- purpose: What people decided about who is who; the next build applies it.
-- grain:   decision_id
-- columns:
--   decision_id  VARCHAR
--   decision     VARCHAR
--   name         VARCHAR
--   other        VARCHAR
--   text_id      VARCHAR
--   color        VARCHAR
--   undoes       VARCHAR
--   because      VARCHAR
--   author       VARCHAR
--   made_at      TIMESTAMP
select
    decision_id,
    decision,
    name,
    other,
    text_id,
    color,
    undoes,
    because,
    author,
    made_at,
from stored.aliases
order by decision_id
