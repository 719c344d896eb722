-- purpose: A path has one live source, and every source has a live path.
-- columns:
--   collection  VARCHAR  Collection of the path; null for a source without path.
--   path        VARCHAR  Path; null for a source without path.
--   source_id   VARCHAR  Source without live path, or one of several of the path.
with live as (
    select
        collection,
        path,
        source_id,
    from source_paths
    where removed_at is null
)
select
    collection,
    path,
    min(source_id) as source_id,
from live
group by collection, path
having count(*) > 1
union all
select
    null as collection,
    null as path,
    source_id,
from sources
anti join live using (source_id)
