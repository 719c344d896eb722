-- purpose: How two persons scored against each other: each ordered pair, speeds and modes apart.
-- grain:   player_id, opponent_id, speed, mode
-- materialized: table
-- note:    Games of unknown speed count as classical, games of unknown mode as over the board. Forfeits and results without
--          moves are in the score; the `played` columns leave them out.
-- columns:
--   player             VARCHAR        players.name
--   opponent           VARCHAR        players.name
--   series             VARCHAR        Wins, losses and draws of the player: +3−7=11.
--   score              VARCHAR        Points of the player and of the opponent: 8½:12½.
--   n                  BIGINT         Scored games.
--   wins               BIGINT         Scored games with 1 point for the player.
--   losses             BIGINT         Scored games with 0 points for the player.
--   draws              BIGINT         Scored games with ½ point for the player.
--   points             DECIMAL(38,1)  Points of the player.
--   opponent_points    DECIMAL(38,1)  Points of the opponent (less than n - points after a double forfeit).
--   n_played           BIGINT         Scored games with moves.
--   played_series      VARCHAR        Like series, of games with moves.
--   played_score       VARCHAR        Like score, of games with moves.
--   n_unplayed         BIGINT         Scored games without moves: forfeits and bare results.
--   n_forfeits         BIGINT         Scored forfeits.
--   n_excluded         BIGINT         Games that are not scored (player_games.excluded_because says why).
--   n_white            BIGINT         Scored games in which the player was White.
--   white_series       VARCHAR        Like series, of games with White.
--   white_score        VARCHAR        Like score, of games with White.
--   n_black            BIGINT         Scored games in which the player was Black.
--   black_series       VARCHAR        Like series, of games with Black.
--   black_score        VARCHAR        Like score, of games with Black.
--   year_first         SMALLINT       Year of the first game; null when no year is known.
--   year_last          SMALLINT       Year of the last game; null when no year is known.
--   speed              VARCHAR        player_games.speed_class
--   mode               VARCHAR        player_games.mode_class
--   player_id          VARCHAR        Person.
--   opponent_id        VARCHAR        The other person.
--   n_playoffs         BIGINT         Scored games of playoffs, armageddon games too. They are in the score.
--   armageddon_wins    BIGINT         Armageddon games among the wins.
--   armageddon_losses  BIGINT         Armageddon games among the losses.
--   armageddon_draws   BIGINT         Armageddon games among the draws.
--   n_ahead            BIGINT         Armageddon games that the player came out ahead of, as Black after a draw too.
--   as_of_snapshot     BIGINT         Snapshot that the row was computed for.
with side as (
    select
        player_id,
        opponent_id,
        speed_class as speed,
        mode_class as mode,
        color,
        points,
        opponent_points,
        is_scored,
        is_scored and is_played as is_counted_played,
        is_forfeit,
        is_playoff and is_scored as is_playoff,
        is_armageddon,
        is_ahead,
        game_year,
    from player_games
    where player_id is not null and opponent_id is not null
),
tally as (
    select
        player_id,
        opponent_id,
        speed,
        mode,
        count(*) filter (is_scored) as n,
        count(*) filter (points = 1) as wins,
        count(*) filter (points = 0) as losses,
        count(*) filter (points = 0.5) as draws,
        coalesce(sum(points), 0) as points,
        coalesce(sum(opponent_points), 0) as opponent_points,
        count(*) filter (is_counted_played) as n_played,
        series_text(
            count(*) filter (is_counted_played and points = 1),
            count(*) filter (is_counted_played and points = 0),
            count(*) filter (is_counted_played and points = 0.5)
        ) as played_series,
        score_text(
            coalesce(sum(points) filter (is_counted_played), 0), coalesce(sum(opponent_points) filter (is_counted_played), 0)
        ) as played_score,
        count(*) filter (is_scored and is_forfeit) as n_forfeits,
        count(*) filter (not is_scored) as n_excluded,
        count(*) filter (is_scored and color = 'w') as n_white,
        series_text(
            count(*) filter (color = 'w' and points = 1),
            count(*) filter (color = 'w' and points = 0),
            count(*) filter (color = 'w' and points = 0.5)
        ) as white_series,
        score_text(
            coalesce(sum(points) filter (color = 'w'), 0), coalesce(sum(opponent_points) filter (color = 'w'), 0)
        ) as white_score,
        count(*) filter (is_scored and color = 'b') as n_black,
        series_text(
            count(*) filter (color = 'b' and points = 1),
            count(*) filter (color = 'b' and points = 0),
            count(*) filter (color = 'b' and points = 0.5)
        ) as black_series,
        score_text(
            coalesce(sum(points) filter (color = 'b'), 0), coalesce(sum(opponent_points) filter (color = 'b'), 0)
        ) as black_score,
        count(*) filter (is_playoff) as n_playoffs,
        count(*) filter (is_armageddon and points = 1) as armageddon_wins,
        count(*) filter (is_armageddon and points = 0) as armageddon_losses,
        count(*) filter (is_armageddon and points = 0.5) as armageddon_draws,
        count(*) filter (is_ahead) as n_ahead,
        min(game_year) as year_first,
        max(game_year) as year_last,
    from side
    group by player_id, opponent_id, speed, mode
)
select
    player.name as player,
    opponent.name as opponent,
    series_text(wins, losses, draws) as series,
    score_text(points, opponent_points) as score,
    n,
    wins,
    losses,
    draws,
    points,
    opponent_points,
    n_played,
    played_series,
    played_score,
    n - n_played as n_unplayed,
    n_forfeits,
    n_excluded,
    n_white,
    white_series,
    white_score,
    n_black,
    black_series,
    black_score,
    tally.year_first,
    tally.year_last,
    speed,
    mode,
    tally.player_id,
    opponent_id,
    n_playoffs,
    armageddon_wins,
    armageddon_losses,
    armageddon_draws,
    n_ahead,
    (select snapshot from about) as as_of_snapshot,
from tally
join players as player using (player_id)
join players as opponent on opponent.player_id = opponent_id
order by n desc, player, opponent, speed, mode, tally.player_id, opponent_id
