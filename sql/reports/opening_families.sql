-- purpose: How White scored in each of the five volumes of ECO, A to E.
-- grain:   family
-- rule:    Games that count: opening_results. The interval is that of 95 % by Wilson, on points (wilson_low).
-- columns:
--   family         VARCHAR   First letter of games.eco.
--   n_openings     BIGINT    Names of openings that occurred.
--   n              BIGINT    Games.
--   n_white        BIGINT    Games that White won.
--   n_draws        BIGINT    Drawn games.
--   n_black        BIGINT    Games that Black won.
--   score_pct      DOUBLE    White's points per game, per cent.
--   score_pct_low  DOUBLE    Lower end of its interval.
--   score_pct_high DOUBLE    Upper end of its interval.
--   n_rated        BIGINT    Games of which both ratings are known.
--   elo_avg        DOUBLE    Mean rating of both players in those; null when there are none.
--   year_first     SMALLINT  Year of the first game; null when no year is known.
--   year_last      SMALLINT  Year of the last game; null when no year is known.
with tally as (
    select
        left(eco, 1) as family,
        count(distinct opening) as n_openings,
        count(*) as n,
        count(*) filter (result = '1-0') as n_white,
        count(*) filter (result = '1/2-1/2') as n_draws,
        count(*) filter (result = '0-1') as n_black,
        sum(white_points) as points,
        count(elo_mean) as n_rated,
        round(avg(elo_mean), 1) as elo_avg,
        min(year) as year_first,
        max(year) as year_last,
    from opening_results
    where eco is not null
    group by all
)
select
    family,
    n_openings,
    n,
    n_white,
    n_draws,
    n_black,
    round(100 * points / n, 2)::double as score_pct,
    round(100 * wilson_low(points, n), 2) as score_pct_low,
    round(100 * wilson_high(points, n), 2) as score_pct_high,
    n_rated,
    elo_avg,
    year_first,
    year_last,
from tally
order by family
