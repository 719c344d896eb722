-- purpose: How often each symbol stands after a main-line move of a clean game, copies counted once.
-- grain:   nag
-- columns:
--   nag                SMALLINT  Numeric annotation glyph.
--   symbol             VARCHAR  nags.symbol
--   meaning            VARCHAR  What it says; without the side where the sign names none (`→` attack, not: White's attack).
--   kind               VARCHAR  nags.kind
--   n                  BIGINT   Symbols.
--   n_games            BIGINT   Distinct games that have it.
--   per_1000_plies     DOUBLE   Symbols per 1,000 half-moves of n_plies_annotated.
--   n_plies_annotated  BIGINT   Half-moves in the main lines of all games that carry at least one symbol: the basis of the rate.
with symbol as (
    select nag, cluster_id, side from symbols
),
basis as (
    select sum(n_plies)::bigint as n_plies_annotated
    from games_distinct
    semi join symbol using (cluster_id)
),
counted as (
    select
        nag,
        count(*) as n,
        count(distinct cluster_id) as n_games,
        bool_or(side is not null) as names_side,
    from symbol
    group by nag
)
select
    nag,
    nags.symbol,
    case when names_side then nags.meaning else regexp_replace(nags.meaning, '^(White|Black): ', '') end as meaning,
    nags.kind,
    n,
    n_games,
    round(1000 * n / n_plies_annotated, 2) as per_1000_plies,
    n_plies_annotated,
from counted
join nags using (nag)
cross join basis
order by n desc, nag
