-- purpose: No two rows of sources, games, issues, quarantine, variations or annotations have the same key.
-- columns:
--   table_name  VARCHAR  Table.
--   key         VARCHAR  Key that occurs more than once.
--   n           BIGINT   How often.
with key as (
    select 'sources' as table_name, source_id as key from sources
    union all
    select 'games' as table_name, game_id as key from games
    union all
    select 'issues' as table_name, issue_id as key from issues
    union all
    select 'quarantine' as table_name, quarantine_id as key from quarantine
    union all
    select 'variations' as table_name, game_id || ' ' || variation as key from variations
    union all
    select 'annotations' as table_name, game_id || ' ' || variation || ' ' || ply || ' ' || nag as key from annotations
)
select
    table_name,
    key,
    count(*) as n,
from key
group by table_name, key
having count(*) > 1
