-- purpose: The moves of every copy begin those of the longest copy of its cluster.
-- cost:    heavy
-- columns:
--   cluster_id  VARCHAR  Cluster.
--   game_id     VARCHAR  Copy with other moves.
--   longest_id  VARCHAR  Longest copy.
with copy as (
    select
        game_id,
        cluster_id,
        movetext || ' ' as moves,
        start_position(start_fen) as position,
    from duplicates
    join games using (game_id)
    where n_copies > 1 and movetext is not null
),
longest as (
    select cluster_id, arg_max((game_id, moves, position), len(moves)) as longest from copy group by cluster_id
)
select
    cluster_id,
    game_id,
    longest[1] as longest_id,
from copy
join longest using (cluster_id)
where not starts_with(longest[2], moves) or position is distinct from longest[3]
