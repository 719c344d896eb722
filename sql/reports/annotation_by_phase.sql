-- purpose: How often each symbol stands after a move of the opening, the middlegame and the endgame.
-- grain:   phase, nag
-- rule:    How a game is divided: annotated_games.
-- columns:
--   phase                VARCHAR   opening, middlegame or endgame of the position before the move.
--   nag                  SMALLINT  Numeric annotation glyph.
--   symbol               VARCHAR   nags.symbol
--   n                    BIGINT    Symbols after moves of the phase.
--   n_games              BIGINT    Distinct games that have it in the phase.
--   per_1000_plies       DOUBLE    Symbols per 1,000 half-moves of n_plies_annotated.
--   per_1000_plies_low   DOUBLE    Lower end of its 95 % interval (poisson_low), signs taken as independent.
--   per_1000_plies_high  DOUBLE    Upper end of it (poisson_high).
--   n_plies_annotated    BIGINT    Half-moves of the phase in games that carry at least one symbol: the basis of the rate.
with basis as (
    select
        sum(n_plies_opening)::bigint as n_opening,
        sum(n_plies_middlegame)::bigint as n_middlegame,
        sum(n_plies_endgame)::bigint as n_endgame,
    from annotated_games
),
placed as (
    select
        nag,
        cluster_id,
        case
            when ply <= n_plies_opening then 'opening'
            when ply <= n_plies_opening + n_plies_middlegame then 'middlegame'
            else 'endgame'
        end as phase,
    from symbols
    join annotated_games using (cluster_id)
),
counted as (
    select
        phase,
        nag,
        count(*) as n,
        count(distinct cluster_id) as n_games,
    from placed
    group by phase, nag
),
rated as (
    select
        counted.*,
        case phase when 'opening' then n_opening when 'middlegame' then n_middlegame else n_endgame end as n_plies_annotated,
    from counted
    cross join basis
)
select
    phase,
    nag,
    nags.symbol,
    n,
    n_games,
    round(1000 * n / nullif(n_plies_annotated, 0), 2) as per_1000_plies,
    round(1000 * poisson_low(n) / nullif(n_plies_annotated, 0), 2) as per_1000_plies_low,
    round(1000 * poisson_high(n) / nullif(n_plies_annotated, 0), 2) as per_1000_plies_high,
    n_plies_annotated,
from rated
join nags using (nag)
order by array_position(['opening', 'middlegame', 'endgame'], phase), n desc, nag
