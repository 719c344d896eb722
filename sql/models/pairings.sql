-- purpose: A distinct game as a pairing of two sides, with what counts of it. `player_games` shows it from each side.
-- grain:   game_id
-- step_of: player_games
-- materialized: table
-- rule:    Byes and forfeits are unplayed (FIDE C.07 16.1); 0-0 without moves is a forfeit unless its Termination is normal.
--          A bare result is no proof that nothing was played. In an armageddon game a draw stays a draw in `points`; Black comes
--          out ahead of it.
-- columns:
--   game_id           VARCHAR       Game: the chosen copy.
--   cluster_id        VARCHAR       Cluster of its copies.
--   event_id          VARCHAR       Event; null when unknown.
--   white_id          VARCHAR       Person with White; null when it is nobody.
--   black_id          VARCHAR       Person with Black; null when it is nobody.
--   white_elo         SMALLINT      Rating of White; null when unknown.
--   black_elo         SMALLINT      Rating of Black; null when unknown.
--   white_points      DECIMAL(2,1)  Points of White as the result says, scored or not; null when it says nothing.
--   black_points      DECIMAL(2,1)  Points of Black as the result says, scored or not; null when it says nothing.
--   excluded_because  VARCHAR       Why it is not scored: rejected, problem, study, fragment, result_conflict, unfinished.
--   is_played         BOOLEAN       True when moves were made: no forfeit, bye or bare result; null for rejected games.
--   is_unplayed       BOOLEAN       True when nothing was played: a bye or a forfeit.
--   is_forfeit        BOOLEAN       True when the game was decided by forfeit.
--   is_bye            BOOLEAN       True for a bye.
--   stage             VARCHAR       playoff or armageddon when its round or event says so (stage_words); else null.
--   speed_class       VARCHAR       games.speed, where unknown counts as classical (old games state no time control).
--   mode_class        VARCHAR       games.mode, where unknown counts as otb.
--   game_year         SMALLINT      Year of the game; null when unknown.
--   game_date         DATE          Date of the game; null when not whole.
--   game_round        VARCHAR       games.round
--   game_round_major  INTEGER       games.round_major
--   game_round_minor  INTEGER       games.round_minor
--   as_of_snapshot    BIGINT        Snapshot that the row was computed for.
with chosen as (
    select
        game_id,
        cluster_id,
        result,
        is_result_conflict,
    from duplicates
    where is_chosen
),
game as (
    select
        game_id,
        cluster_id,
        event_id,
        event,
        white_elo,
        black_elo,
        chosen.result,
        coalesce(termination, '') as termination,
        n_plies,
        status,
        coalesce(speed, 'classical') as speed_class,
        coalesce(mode, 'otb') as mode_class,
        year,
        date,
        round,
        round_major,
        round_minor,
        case
            when status = 'rejected' then 'rejected'
            when kind <> 'game' then kind
            when chosen.is_result_conflict or games.is_result_conflict then 'result_conflict'
            when chosen.result = '*' then 'unfinished'
        end as excluded_because,
    from games
    join chosen using (game_id)
),
staged_round as (
    select round, min(stage) as stage
    from (select distinct round from game where round is not null) as wording
    join stage_words on contains(lower(round), text)
    group by round
),
staged_event as (
    select event, min(stage) as stage
    from (select distinct event from game where event is not null) as wording
    join stage_words on contains(lower(event), text)
    where stage = 'armageddon'
    group by event
),
white as (
    select game_id, player_id from game_players where color = 'w'
),
black as (
    select game_id, player_id from game_players where color = 'b'
)
select
    game_id,
    cluster_id,
    event_id,
    white.player_id as white_id,
    black.player_id as black_id,
    white_elo,
    black_elo,
    case result when '1-0' then 1 when '1/2-1/2' then 0.5 when '0-1' then 0 when '0-0' then 0 end::decimal(2, 1) as white_points,
    case result when '0-1' then 1 when '1/2-1/2' then 0.5 when '1-0' then 0 when '0-0' then 0 end::decimal(2, 1) as black_points,
    excluded_because,
    case when status <> 'rejected' then n_plies > 0 and termination not in ('forfeit', 'bye') end as is_played,
    termination in ('forfeit', 'bye') as is_unplayed,
    termination = 'forfeit' as is_forfeit,
    termination = 'bye' as is_bye,
    coalesce(staged_event.stage, staged_round.stage) as stage,
    speed_class,
    mode_class,
    year as game_year,
    date as game_date,
    round as game_round,
    round_major as game_round_major,
    round_minor as game_round_minor,
    (select snapshot from about) as as_of_snapshot,
from game
left join white using (game_id)
left join black using (game_id)
left join staged_round using (round)
left join staged_event using (event)
order by event_id
