-- purpose: A crosstable and the games that standings count give everybody the same points, from the same number of games.
-- cost:    heavy
-- columns:
--   event_id           VARCHAR        Event.
--   speed              VARCHAR        player_games.speed_class
--   mode               VARCHAR        player_games.mode_class
--   player_id          VARCHAR        Person.
--   points             DECIMAL(38,1)  Points of the games that standings count; null when there is no row.
--   crosstable_points  DECIMAL(38,1)  Sum of the points in the rows of the crosstable; null when there is no row.
with summed as (
    select
        event_id,
        speed,
        mode,
        player_id,
        coalesce(sum(points) filter (not is_playoff), 0) as crosstable_points,
        coalesce(sum(n) filter (not is_playoff), 0) as crosstable_n,
    from crosstable(null)
    group by event_id, speed, mode, player_id
),
ranked as (
    select
        event_id,
        speed,
        mode,
        player_id,
        coalesce(sum(points) filter (is_counted and not is_playoff), 0) as points,
        count(points) filter (is_counted and not is_playoff) as n,
    from counted_games(null)
    group by event_id, speed, mode, player_id
)
select
    event_id,
    speed,
    mode,
    player_id,
    points,
    crosstable_points,
from summed
full join ranked using (event_id, speed, mode, player_id)
where points is distinct from crosstable_points or n is distinct from crosstable_n
