-- purpose: Which snapshot this catalog shows.
-- grain:   snapshot
-- columns:
--   snapshot      BIGINT
--   published_at  TIMESTAMP
--   version       VARCHAR
select
    snapshot,
    published_at,
    version,
from stored.about
