-- purpose: Sources and games exist that games, quarantine, issues, variations, annotations, duplicates and game_players name.
-- columns:
--   table_name  VARCHAR  Table with the row.
--   missing_id  VARCHAR  source_id or game_id that does not exist.
--   n           BIGINT   Rows that name it.
with needed as (
    select 'games' as table_name, source_id from games
    union all
    select 'quarantine' as table_name, source_id from quarantine
    union all
    select 'issues' as table_name, source_id from issues
),
needed_game as (
    select 'quarantine' as table_name, game_id from quarantine where game_id is not null
    union all
    select 'issues' as table_name, game_id from issues where game_id is not null
    union all
    select 'variations' as table_name, game_id from variations
    union all
    select 'annotations' as table_name, game_id from annotations
    union all
    select 'duplicates' as table_name, game_id from duplicates
    union all
    select 'game_players' as table_name, game_id from game_players
),
missing as (
    select table_name, source_id as missing_id
    from needed
    anti join sources using (source_id)
    union all
    select table_name, game_id as missing_id
    from needed_game
    anti join games using (game_id)
)
select
    table_name,
    missing_id,
    count(*) as n,
from missing
group by table_name, missing_id
