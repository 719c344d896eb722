-- purpose: A person's results against everybody, speeds and modes apart.
-- grain:   player_id, speed, mode
-- materialized: table
-- columns:
--   player          VARCHAR        players.name
--   series          VARCHAR        Wins, losses and draws: +3−7=11.
--   n               BIGINT         Scored games, forfeits and byes among them.
--   wins            BIGINT         Scored games with 1 point.
--   losses          BIGINT         Scored games with 0 points.
--   draws           BIGINT         Scored games with ½ point.
--   points          DECIMAL(38,1)  Points.
--   score_pct       DOUBLE         Points per 100 scored games; null without scored games.
--   n_played        BIGINT         Scored games with moves.
--   n_forfeits      BIGINT         Scored forfeits.
--   n_excluded      BIGINT         Games that are not scored (player_games.excluded_because says why).
--   year_first      SMALLINT       Year of the first game; null when no year is known.
--   year_last       SMALLINT       Year of the last game; null when no year is known.
--   speed           VARCHAR        player_games.speed_class
--   mode            VARCHAR        player_games.mode_class
--   player_id       VARCHAR        Person.
--   as_of_snapshot  BIGINT         Snapshot that the row was computed for.
with side as (
    select
        player_id,
        speed_class as speed,
        mode_class as mode,
        points,
        is_scored,
        is_played,
        is_forfeit,
        game_year,
    from player_games
    where player_id is not null
),
tally as (
    select
        player_id,
        speed,
        mode,
        count(*) filter (is_scored) as n,
        count(*) filter (points = 1) as wins,
        count(*) filter (points = 0) as losses,
        count(*) filter (points = 0.5) as draws,
        coalesce(sum(points), 0) as points,
        count(*) filter (is_scored and is_played) as n_played,
        count(*) filter (is_scored and is_forfeit) as n_forfeits,
        count(*) filter (not is_scored) as n_excluded,
        min(game_year) as year_first,
        max(game_year) as year_last,
    from side
    group by player_id, speed, mode
)
select
    name as player,
    series_text(wins, losses, draws) as series,
    n,
    wins,
    losses,
    draws,
    points,
    round(100 * points::double / nullif(n, 0), 1) as score_pct,
    n_played,
    n_forfeits,
    n_excluded,
    tally.year_first,
    tally.year_last,
    speed,
    mode,
    player_id,
    (select snapshot from about) as as_of_snapshot,
from tally
join players using (player_id)
order by n desc, player, speed, mode, player_id
