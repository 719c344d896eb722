-- purpose: The series of a person against everybody, or against one, under any scoring, speeds and modes apart or together.
-- grain:   player_id, opponent_id, speed, mode
-- rule:    As `series_results`, which has all pairs under the classical scoring. Schemes with points for armageddon games count
--          these in place of the result of the game. draws_replayed counts decided games only.
-- parameters:
--   player_name    VARCHAR                Beginning of the name (case does not matter) or of the player_id (8 digits or more).
--   opponent_name  VARCHAR = null         The same of the opponent; null = everybody.
--   scoring        VARCHAR = 'classical'  Points for results: a scheme of scoring_schemes.
--   speeds         VARCHAR = 'apart'      apart, or all: added up.
--   modes          VARCHAR = 'apart'      apart, or all: added up.
-- columns:
--   player           VARCHAR        players.name
--   opponent         VARCHAR        players.name
--   series           VARCHAR        Wins, losses and draws of the player, scored games: +3−7=11.
--   score            VARCHAR        Points of the player and of the opponent: 8½:12½.
--   n                BIGINT         Scored games that count under the scoring.
--   wins             BIGINT         Games won.
--   losses           BIGINT         Games lost.
--   draws            BIGINT         Games drawn.
--   points           DECIMAL(38,1)  Points of the player.
--   opponent_points  DECIMAL(38,1)  Points of the opponent.
--   n_unplayed       BIGINT         Scored games without moves: forfeits and bare results.
--   n_forfeits       BIGINT         Scored forfeits.
--   n_playoffs       BIGINT         Scored games of playoffs, armageddon games too.
--   n_excluded       BIGINT         Games that are not scored (player_games.excluded_because says why).
--   year_first       SMALLINT       Year of the first game; null when no year is known.
--   year_last        SMALLINT       Year of the last game; null when no year is known.
--   speed            VARCHAR        player_games.speed_class, or `all`.
--   mode             VARCHAR        player_games.mode_class, or `all`.
--   player_id        VARCHAR        Person.
--   opponent_id      VARCHAR        The other person.
with wanted as (
    select
        lower(trim(player_name)) as player_start,
        lower(trim(opponent_name)) as opponent_start,
),
pair as (
    select
        player,
        opponent,
        player_id,
        opponent_id,
        case
            when speeds = 'all' then 'all'
            when speeds = 'apart' then speed
            else error('speeds: apart or all')
        end as section_speed,
        case
            when modes = 'all' then 'all'
            when modes = 'apart' then mode
            else error('modes: apart or all')
        end as section_mode,
        series_results.wins,
        series_results.losses,
        series_results.draws,
        series_results.n,
        series_results.n_unplayed,
        series_results.n_forfeits,
        series_results.n_playoffs,
        series_results.n_excluded,
        series_results.year_first,
        series_results.year_last,
        armageddon_wins,
        armageddon_losses,
        armageddon_draws,
        n_ahead,
        series_results.opponent_points - losses - 0.5 * draws as opponent_missing,
    from series_results
    cross join wanted
    where
        (starts_with(lower(player), player_start) or (len(player_start) >= 8 and starts_with(player_id, player_start)))
        and (
            opponent_start is null
            or starts_with(lower(opponent), opponent_start)
            or (len(opponent_start) >= 8 and starts_with(opponent_id, opponent_start))
        )
),
tally as (
    select
        player,
        opponent,
        player_id,
        opponent_id,
        section_speed as speed,
        section_mode as mode,
        sum(wins)::bigint as wins,
        sum(losses)::bigint as losses,
        sum(draws)::bigint as draws,
        sum(n)::bigint as n,
        sum(n_unplayed)::bigint as n_unplayed,
        sum(n_forfeits)::bigint as n_forfeits,
        sum(n_playoffs)::bigint as n_playoffs,
        sum(n_excluded)::bigint as n_excluded,
        min(year_first) as year_first,
        max(year_last) as year_last,
        sum(armageddon_wins)::bigint as armageddon_wins,
        sum(armageddon_losses)::bigint as armageddon_losses,
        sum(armageddon_draws)::bigint as armageddon_draws,
        sum(n_ahead)::bigint as n_ahead,
        -sum(opponent_missing)::bigint as n_without_winner,
    from pair
    group by player, opponent, player_id, opponent_id, section_speed, section_mode
),
counted as (
    select
        tally.*,
        armageddon_wins + armageddon_losses + armageddon_draws as n_armageddon,
        armageddon_win is not null as counts_armageddon,
        tally.wins - case when armageddon_win is not null then armageddon_wins else 0 end as cycle_wins,
        tally.losses - case when armageddon_win is not null then armageddon_losses else 0 end as cycle_losses,
        tally.draws - case when armageddon_win is not null then armageddon_draws else 0 end as cycle_draws,
        scheme.*,
    from tally
    cross join chosen_scheme(scoring) as scheme
),
summed as (
    select
        *,
        (
            cycle_wins * coalesce(win, 0)
            + cycle_draws * coalesce(draw, 0)
            + cycle_losses * coalesce(loss, 0)
            + case when counts_armageddon then n_ahead * armageddon_win + (n_armageddon - n_ahead) * armageddon_loss else 0 end
        )::decimal(38, 1) as total,
        (
            (cycle_losses - n_without_winner) * coalesce(win, 0)
            + cycle_draws * coalesce(draw, 0)
            + (cycle_wins + n_without_winner) * coalesce(loss, 0)
            + case when counts_armageddon then (n_armageddon - n_ahead) * armageddon_win + n_ahead * armageddon_loss else 0 end
        )::decimal(38, 1) as opponent_total,
        n - case when draw is null then cycle_draws else 0 end as n_counted,
    from counted
)
select
    player,
    opponent,
    series_text(wins, losses, draws) as series,
    score_text(total, opponent_total) as score,
    n_counted as n,
    wins,
    losses,
    draws,
    total as points,
    opponent_total as opponent_points,
    n_unplayed,
    n_forfeits,
    n_playoffs,
    n_excluded,
    year_first,
    year_last,
    speed,
    mode,
    player_id,
    opponent_id,
from summed
order by n_counted desc, player, opponent, speed, mode, player_id, opponent_id
