-- purpose: Everybody's results against everybody in one event: a tidy row for each player and opponent.
-- grain:   event_id, player_id, opponent_id, speed, mode, is_playoff
-- parameters:
--   event_name  VARCHAR            Name of the event (case does not matter), the beginning of its event_id, or null for all.
--   speeds      VARCHAR = 'apart'  apart, or all: one table of all speeds.
--   modes       VARCHAR = 'apart'  apart, or all: one table of all modes.
-- columns:
--   event         VARCHAR        events.event
--   year          SMALLINT       events.year
--   player        VARCHAR        players.name
--   opponent      VARCHAR        Name of the opponent; null = byes and games against nobody known.
--   cells         VARCHAR        Results in order of rounds: 1, ½, 0, + and - (forfeits), * (unfinished), ? (not scored).
--   points        DECIMAL(38,1)  Points of the player against this opponent.
--   n             BIGINT         Scored games against this opponent.
--   total_points  DECIMAL(38,1)  Points of the player in the event, at this speed, without playoffs: as in `standings`.
--   total_n       BIGINT         Scored games of the player in the event, at this speed, without playoffs.
--   speed         VARCHAR        player_games.speed_class, or `all`.
--   event_id      VARCHAR        Event.
--   player_id     VARCHAR        Person.
--   opponent_id   VARCHAR        The other person; null as opponent.
--   mode          VARCHAR        player_games.mode_class, or `all`.
--   is_playoff    BOOLEAN        True for games beside the cycle: playoffs and armageddon games have rows of their own.
--   system        VARCHAR        event_systems.system
with side as (
    select
        *,
        result_cell(points, is_forfeit, excluded_because) as cell,
    from section_games(event_name, speeds, modes)
),
pairing as (
    select
        event_id,
        player_id,
        opponent_id,
        speed,
        mode,
        is_playoff,
        min(event) as event,
        min(year) as year,
        min(system) as system,
        string_agg(cell, '' order by place) as cells,
        coalesce(sum(points), 0) as points,
        count(*) filter (is_scored) as n,
    from side
    group by event_id, player_id, opponent_id, speed, mode, is_playoff
),
total as (
    select
        event_id,
        player_id,
        speed,
        mode,
        coalesce(sum(points) filter (not is_playoff), 0) as total_points,
        coalesce(sum(n) filter (not is_playoff), 0)::bigint as total_n,
    from pairing
    group by event_id, player_id, speed, mode
)
select
    event,
    year,
    player.name as player,
    opponent.name as opponent,
    cells,
    points,
    n,
    total.total_points,
    total.total_n,
    speed,
    event_id,
    player_id,
    opponent_id,
    mode,
    is_playoff,
    system,
from pairing
join total using (event_id, player_id, speed, mode)
join players as player using (player_id)
left join players as opponent on opponent.player_id = opponent_id
left join total as opposite
    on
        opposite.event_id = event_id
        and opposite.player_id = opponent_id
        and opposite.speed = speed
        and opposite.mode = mode
order by
    year nulls last,
    event_id,
    speed,
    mode,
    is_playoff,
    total.total_points desc,
    player,
    player_id,
    opposite.total_points desc nulls last,
    opponent nulls last,
    opponent_id nulls last
