-- purpose: How often each symbol stands after a move, by the opening of the game.
-- grain:   eco, nag
-- columns:
--   eco_letter           VARCHAR   Volume of the code, A to E; null when the code is unknown.
--   eco                  VARCHAR   ECO code: games.eco, else the code that the source states; null when neither is known.
--   nag                  SMALLINT  Numeric annotation glyph.
--   symbol               VARCHAR   nags.symbol
--   n                    BIGINT    Symbols.
--   n_games              BIGINT    Distinct games of the opening that have it.
--   per_1000_plies       DOUBLE    Symbols per 1,000 half-moves of n_plies_annotated.
--   per_1000_plies_low   DOUBLE    Lower end of its 95 % interval (poisson_low), signs taken as independent.
--   per_1000_plies_high  DOUBLE    Upper end of it (poisson_high).
--   n_plies_annotated    BIGINT    Half-moves in games of the opening that carry at least one symbol: the basis of the rate.
with basis as (
    select eco, sum(n_plies)::bigint as n_plies_annotated
    from annotated_games
    group by eco
),
counted as (
    select
        annotated_games.eco,
        nag,
        count(*) as n,
        count(distinct cluster_id) as n_games,
    from symbols
    join annotated_games using (cluster_id)
    group by annotated_games.eco, nag
)
select
    left(counted.eco, 1) as eco_letter,
    counted.eco,
    nag,
    nags.symbol,
    n,
    n_games,
    round(1000 * n / nullif(n_plies_annotated, 0), 2) as per_1000_plies,
    round(1000 * poisson_low(n) / nullif(n_plies_annotated, 0), 2) as per_1000_plies_low,
    round(1000 * poisson_high(n) / nullif(n_plies_annotated, 0), 2) as per_1000_plies_high,
    n_plies_annotated,
from counted
join basis on counted.eco is not distinct from basis.eco
join nags using (nag)
order by counted.eco nulls last, n desc, nag
