-- purpose: Everybody's results against everybody in one event: a tidy row for each player and opponent.
-- grain:   event_id, player_id, opponent_id, speed
-- parameters:
--   event_name  VARCHAR  Name of the event (case does not matter) or the beginning of its event_id (8 digits or more).
-- columns:
--   event         VARCHAR       events.event
--   year          SMALLINT      events.year
--   player        VARCHAR       players.name
--   opponent      VARCHAR       Name of the opponent; null = byes and games against nobody known.
--   cells         VARCHAR       Results in order of rounds: 1, ½, 0, + and - (forfeits), * (unfinished), ? (not scored).
--   points        DECIMAL(38,1)  Points of the player against this opponent.
--   n             BIGINT        Scored games against this opponent.
--   total_points  DECIMAL(38,1)  Points of the player in the event, at this speed.
--   total_n       BIGINT        Scored games of the player in the event, at this speed.
--   speed         VARCHAR       player_games.speed_class
--   event_id      VARCHAR       Event.
--   player_id     VARCHAR       Person.
--   opponent_id   VARCHAR       The other person; null as opponent.
with wanted as (
    select lower(trim(event_name)) as title_or_id
),
chosen_event as (
    select
        events.event_id,
        events.event as title,
        events.year,
    from events
    cross join wanted
    where lower(events.event) = title_or_id or (len(title_or_id) >= 8 and starts_with(events.event_id, title_or_id))
),
place as (
    select
        game_id,
        round_major,
        round_minor,
        date,
    from games
),
side as (
    select
        event_id,
        player_id,
        opponent_id,
        speed_class as speed,
        points,
        is_scored,
        result_cell(points, is_forfeit, excluded_because) as cell,
        row_number() over (
            order by round_major nulls last, round_minor nulls first, date nulls last, game_id
        ) as place,
    from player_games
    semi join chosen_event using (event_id)
    join place using (game_id)
    where player_id is not null
),
pairing as (
    select
        event_id,
        player_id,
        opponent_id,
        speed,
        string_agg(cell, '' order by place) as cells,
        coalesce(sum(points), 0) as points,
        count(*) filter (is_scored) as n,
    from side
    group by event_id, player_id, opponent_id, speed
),
total as (
    select
        event_id,
        player_id,
        speed,
        sum(points) as total_points,
        sum(n)::bigint as total_n,
    from pairing
    group by event_id, player_id, speed
)
select
    chosen_event.title as event,
    chosen_event.year,
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
from pairing
join total using (event_id, player_id, speed)
join chosen_event using (event_id)
join players as player using (player_id)
left join players as opponent on opponent.player_id = opponent_id
left join total as opposite on opposite.event_id = event_id and opposite.player_id = opponent_id and opposite.speed = speed
order by
    chosen_event.year nulls last,
    event_id,
    speed,
    total.total_points desc,
    player,
    player_id,
    opposite.total_points desc nulls last,
    opponent nulls last,
    opponent_id nulls last
