-- purpose: A figure of corpus_health, of this catalog's snapshot or of the one before.
-- grain:   snapshot, measure
-- step_of: corpus_health
-- columns:
--   snapshot  BIGINT
--   measure   VARCHAR
--   n         BIGINT
select
    snapshot,
    measure,
    n,
from stored.health
