-- purpose: A distinct game from one side: two rows a game, one for a bye. Sum `points` where `is_scored`.
-- grain:   game_id, color
-- columns:
--   game_id           VARCHAR       Game: the chosen copy.
--   cluster_id        VARCHAR       Cluster of its copies.
--   event_id          VARCHAR       Event; null when unknown.
--   color             VARCHAR       Side: w or b.
--   player_id         VARCHAR       Person who had this side; null when it is nobody (NN, `?`, a team).
--   opponent_id       VARCHAR       Person on the other side; null when it is nobody, as for byes.
--   elo               SMALLINT      Rating of this side; null when unknown.
--   opponent_elo      SMALLINT      Rating of the other side; null when unknown.
--   points            DECIMAL(2,1)  Points of this side: 1, 0.5 or 0 (both 0 after `0-0`); null when the game is not scored.
--   opponent_points   DECIMAL(2,1)  Points of the other side; null when the game is not scored.
--   is_scored         BOOLEAN       True when the points count. Forfeits and byes are scored.
--   is_played         BOOLEAN       True when moves were made: no forfeit, bye or bare result; null for rejected games.
--   is_forfeit        BOOLEAN       True when the game was decided by forfeit.
--   speed_class       VARCHAR       games.speed, where unknown counts as classical (old games state no time control).
--   mode_class        VARCHAR       games.mode, where unknown counts as otb.
--   game_year         SMALLINT      Year of the game; null when unknown.
--   excluded_because  VARCHAR       Why it is not scored: rejected, problem, study, fragment, result_conflict, unfinished.
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
        white_elo,
        black_elo,
        chosen.result,
        coalesce(termination, '') as termination,
        coalesce(speed, 'classical') as speed_class,
        coalesce(mode, 'otb') as mode_class,
        year as game_year,
        case when status <> 'rejected' then n_plies > 0 and coalesce(termination, '') not in ('forfeit', 'bye') end as is_played,
        case
            when status = 'rejected' then 'rejected'
            when kind <> 'game' then kind
            when chosen.is_result_conflict or games.is_result_conflict then 'result_conflict'
            when chosen.result = '*' then 'unfinished'
        end as excluded_because,
    from games
    join chosen using (game_id)
),
scored as (
    select
        *,
        case result when '1-0' then 1 when '1/2-1/2' then 0.5 else 0 end::decimal(2, 1) as white_points,
        case result when '0-1' then 1 when '1/2-1/2' then 0.5 else 0 end::decimal(2, 1) as black_points,
    from game
),
white as (
    select game_id, player_id from game_players where color = 'w'
),
black as (
    select game_id, player_id from game_players where color = 'b'
),
pairing as (
    select
        scored.*,
        white.player_id as white_id,
        black.player_id as black_id,
    from scored
    left join white using (game_id)
    left join black using (game_id)
),
side as (
    select
        *,
        'w' as color,
        white_id as player_id,
        black_id as opponent_id,
        white_elo as elo,
        black_elo as opponent_elo,
        white_points as points,
        black_points as opponent_points,
    from pairing
    union all
    select
        *,
        'b' as color,
        black_id as player_id,
        white_id as opponent_id,
        black_elo as elo,
        white_elo as opponent_elo,
        black_points as points,
        white_points as opponent_points,
    from pairing
)
select
    game_id,
    cluster_id,
    event_id,
    color,
    player_id,
    opponent_id,
    elo,
    opponent_elo,
    case when excluded_because is null then points end as points,
    case when excluded_because is null then opponent_points end as opponent_points,
    excluded_because is null as is_scored,
    is_played,
    termination = 'forfeit' as is_forfeit,
    speed_class,
    mode_class,
    game_year,
    excluded_because,
from side
where player_id is not null or termination <> 'bye'
