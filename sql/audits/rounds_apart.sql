-- purpose: No cluster holds two games of one event whose known rounds differ.
-- columns:
--   cluster_id   VARCHAR  Cluster.
--   event        VARCHAR  Event; null = unknown.
--   first_round  INTEGER  Smallest number of a round.
--   last_round   INTEGER  Largest number of a round.
with copy as (
    select game_id, cluster_id from duplicates where n_copies > 1
),
game as (
    select
        game_id,
        lower(trim(event)) as event,
        round_major,
    from games
)
select
    cluster_id,
    event,
    min(round_major) as first_round,
    max(round_major) as last_round,
from copy
join game using (game_id)
group by cluster_id, event
having min(round_major) <> max(round_major)
