-- purpose: The games of a pair within one event, in order, with the running score. Pairs that met once are left out.
-- grain:   event_id, player_id, opponent_id, speed, mode, game_number
-- materialized: table
-- columns:
--   event                    VARCHAR        events.event
--   year                     SMALLINT       events.year
--   player                   VARCHAR        players.name
--   opponent                 VARCHAR        players.name
--   game_number              BIGINT         Position of the game in the series, from 1: by round, then by date.
--   round                    VARCHAR        games.round
--   color                    VARCHAR        Side of the player: w or b.
--   cell                     VARCHAR        Result for the player: 1, ½, 0, + or - (forfeit), * (unfinished), ? (not scored).
--   running_score            VARCHAR        Score after the game.
--   running_points           DECIMAL(38,1)  Points of the player after the game.
--   running_opponent_points  DECIMAL(38,1)  Points of the opponent after the game.
--   speed                    VARCHAR        player_games.speed_class
--   mode                     VARCHAR        player_games.mode_class
--   game_id                  VARCHAR        Game: the chosen copy.
--   event_id                 VARCHAR        Event.
--   player_id                VARCHAR        Person.
--   opponent_id              VARCHAR        The other person.
--   as_of_snapshot           BIGINT         Snapshot that the row was computed for.
with pair as (
    select
        event_id,
        white_id,
        black_id,
        speed_class,
        mode_class,
        least(white_id, black_id) as one_id,
        greatest(white_id, black_id) as other_id,
    from pairings
    where event_id is not null and white_id is not null and black_id is not null
),
met_again as (
    select
        event_id,
        one_id,
        other_id,
        speed_class,
        mode_class,
    from pair
    group by event_id, one_id, other_id, speed_class, mode_class
    having count(*) > 1
),
repeated as (
    select event_id, one_id as player_id, other_id as opponent_id, speed_class, mode_class from met_again
    union all
    select event_id, other_id as player_id, one_id as opponent_id, speed_class, mode_class from met_again
),
side as (
    select
        event_id,
        player_id,
        opponent_id,
        speed_class as speed,
        mode_class as mode,
        game_id,
        color,
        points,
        opponent_points,
        result_cell(points, is_forfeit, excluded_because) as cell,
        game_round as round,
        game_round_major as round_major,
        game_round_minor as round_minor,
        game_date as date,
    from player_games
    semi join repeated using (event_id, player_id, opponent_id, speed_class, mode_class)
),
numbered as (
    select
        *,
        row_number() over series as game_number,
        coalesce(sum(points) over series, 0) as running_points,
        coalesce(sum(opponent_points) over series, 0) as running_opponent_points,
    from side
    window series as (
        partition by event_id, player_id, opponent_id, speed, mode
        order by round_major nulls last, round_minor nulls first, date nulls last, game_id
    )
)
select
    events.event,
    events.year,
    player.name as player,
    opponent.name as opponent,
    game_number,
    round,
    color,
    cell,
    score_text(running_points, running_opponent_points) as running_score,
    running_points,
    running_opponent_points,
    speed,
    mode,
    game_id,
    event_id,
    numbered.player_id,
    opponent_id,
    (select snapshot from about) as as_of_snapshot,
from numbered
join events using (event_id)
join players as player using (player_id)
join players as opponent on opponent.player_id = opponent_id
order by event, year nulls last, event_id, player, opponent, numbered.player_id, opponent_id, speed, mode, game_number
