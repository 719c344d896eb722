-- purpose: How often each annotator writes each symbol, and after whose moves.
-- grain:   annotator_key, nag
-- columns:
--   annotator_key        VARCHAR   Annotator; null = unknown.
--   annotator            VARCHAR   annotators.annotator
--   nag                  SMALLINT  Numeric annotation glyph.
--   symbol               VARCHAR   nags.symbol
--   n                    BIGINT    Symbols of this annotator.
--   n_games              BIGINT    Distinct games in which the annotator wrote it.
--   per_1000_plies       DOUBLE    Symbols per 1,000 half-moves of n_plies_annotated.
--   per_1000_plies_low   DOUBLE    Lower end of its 95 % interval (poisson_low), signs taken as independent.
--   per_1000_plies_high  DOUBLE    Upper end of it (poisson_high).
--   n_plies_annotated    BIGINT    Half-moves in games with at least one symbol of this annotator: the basis of the rate.
--   n_white              BIGINT    Symbols after moves of White.
--   n_black              BIGINT    Symbols after moves of Black.
--   per_1000_white       DOUBLE    n_white per 1,000 half-moves of White in these games.
--   per_1000_black       DOUBLE    n_black per 1,000 half-moves of Black in these games.
with marked as (
    select distinct annotator_key, cluster_id from symbols
),
basis as (
    select
        annotator_key,
        sum(n_plies)::bigint as n_plies_annotated,
        sum(n_plies_white) as n_plies_white,
        sum(n_plies_black) as n_plies_black,
    from marked
    join annotated_games using (cluster_id)
    group by annotator_key
),
counted as (
    select
        annotator_key,
        nag,
        count(*) as n,
        count(distinct cluster_id) as n_games,
        count(*) filter (mover_color = 'w') as n_white,
        count(*) filter (mover_color = 'b') as n_black,
    from symbols
    group by annotator_key, nag
)
select
    counted.annotator_key,
    annotator,
    nag,
    nags.symbol,
    n,
    counted.n_games,
    round(1000 * n / nullif(n_plies_annotated, 0), 2) as per_1000_plies,
    round(1000 * poisson_low(n) / nullif(n_plies_annotated, 0), 2) as per_1000_plies_low,
    round(1000 * poisson_high(n) / nullif(n_plies_annotated, 0), 2) as per_1000_plies_high,
    n_plies_annotated,
    n_white,
    n_black,
    round(1000 * n_white / nullif(n_plies_white, 0), 2) as per_1000_white,
    round(1000 * n_black / nullif(n_plies_black, 0), 2) as per_1000_black,
from counted
join basis on counted.annotator_key is not distinct from basis.annotator_key
join nags using (nag)
left join annotators on counted.annotator_key = annotators.annotator_key
order by n desc, counted.annotator_key nulls last, nag
