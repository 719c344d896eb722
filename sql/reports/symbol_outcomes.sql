-- purpose: How often a sign came true: what the side that it favours scored.
-- grain:   nag
-- rule:    Signs that speak for neither side, and games that are not scored, are left out (symbols.favoured_points). Signs of one
--          game share its result, so that only games count as trials for the interval; draws make it wider than it need be.
-- columns:
--   nag         SMALLINT  Numeric annotation glyph.
--   symbol      VARCHAR   nags.symbol
--   favours     VARCHAR   Side that the sign speaks well of: w, b, mover or opponent.
--   n           BIGINT    Symbols in scored games, each game once for each annotator and place.
--   n_games     BIGINT    Distinct games that they stand in.
--   score       DOUBLE    Mean points of the side that the sign favours: win 1, draw ½, loss 0.
--   score_low   DOUBLE    Lower end of its 95 % interval: Wilson on points, n_games as the number of trials.
--   score_high  DOUBLE    Upper end of it.
--   n_wins      BIGINT    Symbols whose side won.
--   n_draws     BIGINT    Symbols in drawn games.
--   n_losses    BIGINT    Symbols whose side lost.
with sign as (
    select
        nag,
        cluster_id,
        favoured_points,
    from symbols
    where favoured_points is not null
),
tally as (
    select
        nag,
        count(*) as n,
        count(distinct cluster_id) as n_games,
        avg(favoured_points)::double as score,
        count(*) filter (favoured_points = 1) as n_wins,
        count(*) filter (favoured_points = 0.5) as n_draws,
        count(*) filter (favoured_points = 0) as n_losses,
    from sign
    group by nag
)
select
    nag,
    symbol,
    coalesce(favours_unnamed, nags.favours) as favours,
    n,
    n_games,
    round(score, 4) as score,
    round(wilson_low(score * n_games, n_games), 4) as score_low,
    round(wilson_high(score * n_games, n_games), 4) as score_high,
    n_wins,
    n_draws,
    n_losses,
from tally
join nags using (nag)
order by n desc, nag
