-- purpose: How often each symbol stands after a main-line move of a clean game, copies counted once.
-- grain:   nag
-- columns:
--   nag                  SMALLINT  Numeric annotation glyph.
--   symbol               VARCHAR   nags.symbol
--   meaning              VARCHAR   What it says; without the side where the sign names none (`→` attack, not: White's attack).
--   kind                 VARCHAR   nags.kind
--   n                    BIGINT    Symbols.
--   n_games              BIGINT    Distinct games that have it.
--   per_1000_plies       DOUBLE    Symbols per 1,000 half-moves of n_plies_annotated.
--   per_1000_plies_low   DOUBLE    Lower end of its 95 % interval (poisson_low), signs taken as independent.
--   per_1000_plies_high  DOUBLE    Upper end of it (poisson_high).
--   n_plies_annotated    BIGINT    Half-moves of main lines of all games with at least one symbol: the basis of the rate.
with basis as (
    select sum(n_plies)::bigint as n_plies_annotated from annotated_games
),
counted as (
    select
        nag,
        count(*) as n,
        count(distinct cluster_id) as n_games,
        bool_or(side is not null) as names_side,
    from symbols
    group by nag
)
select
    nag,
    nags.symbol,
    case when names_side then nags.meaning else regexp_replace(nags.meaning, '^(White|Black): ', '') end as meaning,
    nags.kind,
    n,
    n_games,
    round(1000 * n / nullif(n_plies_annotated, 0), 2) as per_1000_plies,
    round(1000 * poisson_low(n) / nullif(n_plies_annotated, 0), 2) as per_1000_plies_low,
    round(1000 * poisson_high(n) / nullif(n_plies_annotated, 0), 2) as per_1000_plies_high,
    n_plies_annotated,
from counted
join nags using (nag)
cross join basis
order by n desc, nag
