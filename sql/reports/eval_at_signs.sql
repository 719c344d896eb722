-- purpose: What the engine said where an annotator wrote a sign: by how much the move made things worse for the mover.
-- grain:   nag
-- rule:    evaluated_moves: annotated games with `[%eval]`, cut to 1,000 centipawns, a mate counts as much. A big drop is 300
--          centipawns or more. The row without a sign has the moves that nobody marked.
-- columns:
--   nag             SMALLINT  Numeric annotation glyph, 1 to 6; null = no such sign.
--   symbol          VARCHAR   nags.symbol
--   n               BIGINT    Evaluated half-moves with it.
--   n_games         BIGINT    Distinct games that they are from.
--   median_drop_cp  DOUBLE    Median of the drop, centipawns, the mover's view; negative = the move made things better.
--   lower_drop_cp   DOUBLE    Lower quartile.
--   upper_drop_cp   DOUBLE    Upper quartile.
--   mean_drop_cp    DOUBLE    Mean.
--   n_big           BIGINT    Big drops among them.
--   big_pct         DOUBLE    Share of big drops among these moves, per cent.
--   big_pct_low     DOUBLE    Lower end of its 95 % interval, by Wilson.
--   big_pct_high    DOUBLE    Upper end of it.
--   of_big_pct      DOUBLE    Their share of all big drops, per cent: in the row without a sign, what nobody marked.
--   n_big_all       BIGINT    All big drops, a move once: the basis of of_big_pct.
with drop as (
    select
        cluster_id,
        ply,
        nag,
        drop_cp,
    from evaluated_moves
),
tally as (
    select
        nag,
        count(*) as n,
        count(distinct cluster_id) as n_games,
        quantile_cont(drop_cp, [0.25, 0.5, 0.75]) as quartiles,
        avg(drop_cp) as mean_drop_cp,
        count(*) filter (drop_cp >= 300) as n_big,
    from drop
    group by nag
),
big as (
    select count(*) as n_big_all
    from (select distinct cluster_id, ply from drop where drop_cp >= 300) as big_drop
)
select
    nag,
    symbol,
    n,
    n_games,
    quartiles[2]::double as median_drop_cp,
    quartiles[1]::double as lower_drop_cp,
    quartiles[3]::double as upper_drop_cp,
    round(mean_drop_cp, 1) as mean_drop_cp,
    n_big,
    round(100 * n_big / n, 2) as big_pct,
    round(100 * wilson_low(n_big, n), 2) as big_pct_low,
    round(100 * wilson_high(n_big, n), 2) as big_pct_high,
    round(100 * n_big / nullif(n_big_all, 0), 2) as of_big_pct,
    n_big_all,
from tally
cross join big
left join nags using (nag)
order by nag nulls last
