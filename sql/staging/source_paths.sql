-- purpose: A path that a source was found at.
-- grain:   collection, path, source_id
-- columns:
--   source_id      VARCHAR
--   collection     VARCHAR
--   path           VARCHAR
--   absolute_path  VARCHAR
--   n_bytes        BIGINT
--   status         VARCHAR
--   removed_at     TIMESTAMP
select
    source_id,
    collection,
    path,
    absolute_path,
    n_bytes,
    status,
    removed_at,
from stored.source_paths
