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
--   is_played         BOOLEAN       pairings.is_played
--   is_forfeit        BOOLEAN       pairings.is_forfeit
--   speed_class       VARCHAR       pairings.speed_class
--   mode_class        VARCHAR       pairings.mode_class
--   game_year         SMALLINT      pairings.game_year
--   excluded_because  VARCHAR       pairings.excluded_because
--   is_unplayed       BOOLEAN       pairings.is_unplayed
--   is_bye            BOOLEAN       pairings.is_bye
--   is_playoff        BOOLEAN       True for games beside the cycle of their event: playoffs and armageddon games.
--   is_armageddon     BOOLEAN       True for armageddon games.
--   is_ahead          BOOLEAN       Did this side come out ahead of an armageddon game, Black after a draw? Else null.
--   game_round        VARCHAR       games.round
--   game_round_major  INTEGER       games.round_major
--   game_round_minor  INTEGER       games.round_minor
--   game_date         DATE          pairings.game_date
with side as (
    select
        *,
        'w' as color,
        white_id as player_id,
        black_id as opponent_id,
        white_elo as elo,
        black_elo as opponent_elo,
        white_points as points,
        black_points as opponent_points,
        white_points > black_points as is_ahead,
    from pairings
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
        black_points >= white_points and black_points > 0 as is_ahead,
    from pairings
),
beside as (
    select game_id, stage as playoff_stage from playoff_games
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
    is_forfeit,
    speed_class,
    mode_class,
    game_year,
    excluded_because,
    is_unplayed,
    is_bye,
    playoff_stage is not null as is_playoff,
    coalesce(playoff_stage = 'armageddon', false) as is_armageddon,
    case when playoff_stage = 'armageddon' and excluded_because is null then is_ahead end as is_ahead,
    game_round,
    game_round_major,
    game_round_minor,
    game_date,
from side
left join beside using (game_id)
where player_id is not null or not is_bye
