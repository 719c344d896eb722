-- purpose: A game of the two of a published score, and whether it is one of those that the score counts.
-- grain:   published_id, game_id
-- materialized: table
-- rule:    A score counts the games of its event; without an event those of its year, else all; without an event classical games
--          over the board only (docs/rules.md §13). Scores whose event is named and not found, without a year, count none.
-- columns:
--   published_id      VARCHAR       published_results.published_id
--   game_id           VARCHAR       Game: the chosen copy.
--   event_id          VARCHAR       games.event_id
--   color             VARCHAR       Side of the player: w or b.
--   round             VARCHAR       games.round
--   round_major       INTEGER       games.round_major
--   points            DECIMAL(2,1)  Points of the player; null when the game is not scored.
--   opponent_points   DECIMAL(2,1)  Points of the opponent; null when the game is not scored.
--   is_scored         BOOLEAN       player_games.is_scored
--   is_forfeit        BOOLEAN       player_games.is_forfeit
--   is_truncated      BOOLEAN       True when the game's moves break off.
--   excluded_because  VARCHAR       player_games.excluded_because, and other_speed for a game of another speed or mode.
--   as_of_snapshot    BIGINT        Snapshot that the row was computed for.
with published as (
    select
        published_id,
        player_id,
        opponent_id,
        event_id,
        event,
        year,
    from published_results
    where player_id is not null and opponent_id is not null
),
side as (
    select
        game_id,
        color,
        player_id,
        opponent_id,
        event_id,
        game_year,
        points,
        opponent_points,
        is_scored,
        is_forfeit,
        excluded_because,
        speed_class = 'classical' and mode_class = 'otb' as is_classical,
    from player_games
    semi join published using (player_id, opponent_id)
),
counted as (
    select
        published_id,
        side.* exclude (player_id, opponent_id),
        published.event_id is null and not is_classical as is_of_other_speed,
    from published
    join side using (player_id, opponent_id)
    where
        case
            when published.event_id is not null then side.event_id = published.event_id
            when year is not null then game_year = year
            else published.event is null
        end
),
place as (
    select game_id, round, round_major, status
    from games
    semi join counted using (game_id)
)
select
    published_id,
    game_id,
    event_id,
    color,
    round,
    round_major,
    case when not is_of_other_speed then points end as points,
    case when not is_of_other_speed then opponent_points end as opponent_points,
    is_scored and not is_of_other_speed as is_scored,
    is_forfeit,
    status = 'truncated' as is_truncated,
    case when is_scored and is_of_other_speed then 'other_speed' else excluded_because end as excluded_because,
    (select snapshot from about) as as_of_snapshot,
from counted
join place using (game_id)
order by published_id, round_major, round, game_id
