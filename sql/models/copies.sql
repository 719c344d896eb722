-- purpose: Which games are copies of one another. `duplicates` chooses among them.
-- grain:   game_id
-- step_of: duplicates
-- rule:    same_scores joins games with the same moves, near_dates those of them whose dates differ a little, shorter_scores
--          games of which the end is missing.
-- columns:
--   game_id     VARCHAR  Game.
--   cluster_id  VARCHAR  Cluster of copies: the smallest game_id in it.
with alike as (
    select
        game_id,
        coalesce(merged_id, cluster_id) as alike_id,
    from same_scores
    left join near_dates using (cluster_id)
),
placed as (
    select
        game.game_id,
        coalesce(alike_id, game.game_id) as alike_id,
    from stored.games as game
    left join alike using (game_id)
)
select
    game_id,
    coalesce(merged_id, alike_id) as cluster_id,
from placed
left join shorter_scores on alike_id = shorter_scores.cluster_id
