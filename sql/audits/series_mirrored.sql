-- purpose: A series read from the other side is the same series.
-- columns:
--   player_id    VARCHAR  Person.
--   opponent_id  VARCHAR  The other person.
--   score        VARCHAR  Score of the player.
--   mirrored     VARCHAR  Score in the row of the opponent; null when there is no row.
with series as (
    select
        player_id,
        opponent_id,
        speed,
        mode,
        n,
        points,
        opponent_points,
        score,
    from series_results
),
other_side as (
    select
        opponent_id as player_id,
        player_id as opponent_id,
        speed,
        mode,
        n,
        points,
        opponent_points,
        score,
    from series
)
select
    series.player_id,
    series.opponent_id,
    series.score,
    other_side.score as mirrored,
from series
left join other_side using (player_id, opponent_id, speed, mode)
where
    other_side.n is distinct from series.n
    or other_side.points is distinct from series.opponent_points
    or other_side.opponent_points is distinct from series.points
