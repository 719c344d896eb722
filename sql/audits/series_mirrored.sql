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
)
select
    series.player_id,
    series.opponent_id,
    series.score,
    other.score as mirrored,
from series
left join series as other
    on other.player_id = series.opponent_id
    and other.opponent_id = series.player_id
    and other.speed = series.speed
    and other.mode = series.mode
where (other.n, other.points, other.opponent_points) is distinct from (series.n, series.opponent_points, series.points)
