-- purpose: Sides of the games of an event, with the competition that they belong to and their order in it.
-- grain:   game_id, color
-- step_of: standings
-- rule:    Each speed and mode of an event is a competition of its own, unless they are asked for together.
-- parameters:
--   event_name  VARCHAR            Name of the event (case does not matter), the beginning of its event_id, or null for all.
--   speeds      VARCHAR = 'apart'  apart, or all: one competition of all speeds.
--   modes       VARCHAR = 'apart'  apart, or all: one competition of all modes.
-- columns:
--   event_id          VARCHAR       Event.
--   speed             VARCHAR       player_games.speed_class, or `all`.
--   mode              VARCHAR       player_games.mode_class, or `all`.
--   event             VARCHAR       events.event
--   year              SMALLINT      events.year
--   system            VARCHAR       event_systems.system
--   n_cycles          INTEGER       event_systems.n_cycles
--   began             DATE          First date; 1 July of the year when no date is whole; null when the year is unknown.
--   game_id           VARCHAR       Game: the chosen copy.
--   color             VARCHAR       Side: w or b.
--   player_id         VARCHAR       Person; sides of nobody are left out.
--   opponent_id       VARCHAR       Person on the other side; null when it is nobody, as for byes.
--   elo               SMALLINT      player_games.elo
--   opponent_elo      SMALLINT      player_games.opponent_elo
--   points            DECIMAL(2,1)  player_games.points
--   opponent_points   DECIMAL(2,1)  player_games.opponent_points
--   is_scored         BOOLEAN       player_games.is_scored
--   is_played         BOOLEAN       pairings.is_played
--   is_forfeit        BOOLEAN       pairings.is_forfeit
--   is_unplayed       BOOLEAN       pairings.is_unplayed
--   is_bye            BOOLEAN       pairings.is_bye
--   is_playoff        BOOLEAN       player_games.is_playoff
--   is_armageddon     BOOLEAN       player_games.is_armageddon
--   is_ahead          BOOLEAN       player_games.is_ahead
--   excluded_because  VARCHAR       pairings.excluded_because
--   round             VARCHAR       games.round
--   round_major       INTEGER       games.round_major
--   place             BIGINT        Position of the game in the order of rounds and dates, over all events of that name.
with wanted as (
    select lower(trim(event_name)) as title_or_id
),
chosen_event as (
    select
        events.event_id,
        events.event as title,
        events.year,
        coalesce(date_first, make_date(events.year, 7, 1)) as began,
    from events
    cross join wanted
    where
        title_or_id is null
        or lower(events.event) = title_or_id
        or (len(title_or_id) >= 8 and starts_with(events.event_id, title_or_id))
),
side as (
    select
        *,
        case
            when speeds = 'all' then 'all'
            when speeds = 'apart' then speed_class
            else error('speeds: apart or all')
        end as section_speed,
        case
            when modes = 'all' then 'all'
            when modes = 'apart' then mode_class
            else error('modes: apart or all')
        end as section_mode,
    from player_games
    semi join chosen_event using (event_id)
    where player_id is not null
),
section as (
    select
        event_id,
        case when speeds = 'all' then 'all' else speed end as section_speed,
        case when modes = 'all' then 'all' else mode end as section_mode,
        arg_max(system, (n_games, speed, mode)) as system,
        arg_max(n_cycles, (n_games, speed, mode)) as n_cycles,
    from event_systems
    semi join chosen_event using (event_id)
    group by event_id, section_speed, section_mode
)
select
    event_id,
    section_speed as speed,
    section_mode as mode,
    title as event,
    chosen_event.year,
    system,
    n_cycles,
    began,
    game_id,
    color,
    player_id,
    opponent_id,
    elo,
    opponent_elo,
    points,
    opponent_points,
    is_scored,
    is_played,
    is_forfeit,
    is_unplayed,
    is_bye,
    is_playoff,
    is_armageddon,
    is_ahead,
    excluded_because,
    game_round as round,
    game_round_major as round_major,
    row_number() over (
        order by game_round_major nulls last, game_round_minor nulls first, game_date nulls last, game_id, color
    ) as place,
from side
join chosen_event using (event_id)
left join section using (event_id, section_speed, section_mode)
