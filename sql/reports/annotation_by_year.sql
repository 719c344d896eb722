-- purpose: How often each symbol stands after a move, by the year of the game.
-- grain:   year, nag
-- columns:
--   year                 SMALLINT  Year of the game; null when unknown.
--   nag                  SMALLINT  Numeric annotation glyph.
--   symbol               VARCHAR   nags.symbol
--   n                    BIGINT    Symbols.
--   n_games              BIGINT    Distinct games of the year that have it.
--   per_1000_plies       DOUBLE    Symbols per 1,000 half-moves of n_plies_annotated.
--   per_1000_plies_low   DOUBLE    Lower end of its 95 % interval (poisson_low), signs taken as independent.
--   per_1000_plies_high  DOUBLE    Upper end of it (poisson_high).
--   n_plies_annotated    BIGINT    Half-moves in games of the year that carry at least one symbol: the basis of the rate.
with basis as (
    select year, sum(n_plies)::bigint as n_plies_annotated
    from annotated_games
    group by year
),
counted as (
    select
        annotated_games.year,
        nag,
        count(*) as n,
        count(distinct cluster_id) as n_games,
    from symbols
    join annotated_games using (cluster_id)
    group by annotated_games.year, nag
)
select
    counted.year,
    nag,
    nags.symbol,
    n,
    n_games,
    round(1000 * n / nullif(n_plies_annotated, 0), 2) as per_1000_plies,
    round(1000 * poisson_low(n) / nullif(n_plies_annotated, 0), 2) as per_1000_plies_low,
    round(1000 * poisson_high(n) / nullif(n_plies_annotated, 0), 2) as per_1000_plies_high,
    n_plies_annotated,
from counted
join basis on counted.year is not distinct from basis.year
join nags using (nag)
order by counted.year nulls last, n desc, nag
