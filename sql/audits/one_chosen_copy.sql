-- purpose: Every game is in one cluster, and every cluster has one chosen copy.
-- columns:
--   problem  VARCHAR  What is wrong.
--   id       VARCHAR  game_id or cluster_id.
--   n        BIGINT   How many rows or chosen copies it has.
with copy as (
    select game_id, cluster_id, is_chosen from duplicates
),
game as (
    select game_id from games
)
select
    'game without exactly one row in duplicates' as problem,
    game_id as id,
    count(cluster_id) as n,
from game
left join copy using (game_id)
group by game_id
having count(cluster_id) <> 1
union all
select
    'cluster without exactly one chosen copy' as problem,
    cluster_id as id,
    count(*) filter (is_chosen) as n,
from copy
group by cluster_id
having count(*) filter (is_chosen) <> 1
