-- purpose: Games beside the cycle of their event: playoffs and armageddon games.
-- grain:   game_id
-- step_of: player_games
-- materialized: table
-- rule:    A game whose round or event says so (`words`). In round robins and Swiss tournaments also a game of a pair that has
--          its games of the cycle already, when its round has a second number and rounds usually have none (`9.1`), or when it
--          is behind the last round of the cycle (`extra`). An event of nothing but playoffs by name has none; armageddon games
--          are always such.
-- columns:
--   game_id         VARCHAR  Game.
--   stage           VARCHAR  playoff or armageddon.
--   because         VARCHAR  words or extra.
--   as_of_snapshot  BIGINT   Snapshot that the row was computed for.
with section as (
    select distinct
        event_id,
        speed as speed_class,
        mode as mode_class,
    from event_systems
),
worded as (
    select game_id, stage from pairings where stage = 'armageddon'
    union all
    select game_id, stage from pairings semi join section using (event_id, speed_class, mode_class) where stage = 'playoff'
),
cycle as (
    select
        event_id,
        speed as speed_class,
        mode as mode_class,
        n_cycles,
        is_minor_usual,
        n_players - 1 + n_players % 2 as n_rounds_of_cycle,
        n_rounds,
        system,
    from event_systems
    where system in ('round_robin', 'double_round_robin', 'swiss') and n_games > n_pairs * n_cycles
),
placed as (
    select
        game_id,
        game_round_minor is not null and not is_minor_usual as has_unusual_minor,
        system <> 'swiss' and game_round_major > n_rounds_of_cycle * n_cycles as is_behind_cycle,
        n_cycles,
        row_number() over (
            partition by event_id, speed_class, mode_class, least(white_id, black_id), greatest(white_id, black_id)
            order by game_round_major nulls last, game_round_minor nulls first, game_date nulls last, game_id
        ) as place,
    from pairings
    join cycle using (event_id, speed_class, mode_class)
    where stage is null and white_id is not null and black_id is not null
),
extra as (
    select game_id from placed where place > n_cycles and (has_unusual_minor or is_behind_cycle)
)
select
    game_id,
    stage,
    'words' as because,
    (select snapshot from about) as as_of_snapshot,
from worded
union all
select
    game_id,
    'playoff' as stage,
    'extra' as because,
    (select snapshot from about) as as_of_snapshot,
from extra
