-- purpose: The moves in the initial position are as many as the games that begin so and count in statistics of openings.
-- columns:
--   n_tree   HUGEINT  Games by the tree.
--   n_games  BIGINT   Games by opening_results.
with tree as (
    select
        san,
        n,
    from opening_moves
    where position_id = position_key('rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq -')
),
game as (
    select count(*) as n_games
    from opening_results
    join games using (game_id)
    where split_part(movetext, ' ', 1) in (select san from tree)
),
total as (
    select coalesce(sum(n), 0) as n_tree from tree
)
select
    n_tree,
    n_games,
from total
cross join game
where n_tree <> n_games
