-- purpose: Which notations and languages the games are written in, and how well they are read.
-- grain:   notation, language
-- columns:
--   notation     VARCHAR  games.notation
--   language     VARCHAR  games.language
--   n_games      BIGINT   Games found, copies counted each.
--   games_pct    DOUBLE   Their share of all games, per cent.
--   n_clean      BIGINT   Games proven to their end.
--   n_truncated  BIGINT   Games with a proven prefix.
--   n_rejected   BIGINT   Games of which nothing is proven.
--   n_plies      BIGINT   Proven half-moves of main lines.
with game as (
    select
        notation,
        language,
        status,
        n_plies,
    from games
)
select
    notation,
    language,
    count(*) as n_games,
    round(100.0 * count(*) / sum(count(*)) over (), 2) as games_pct,
    count(*) filter (status = 'clean') as n_clean,
    count(*) filter (status = 'truncated') as n_truncated,
    count(*) filter (status = 'rejected') as n_rejected,
    sum(n_plies)::bigint as n_plies,
from game
group by notation, language
order by n_games desc, notation nulls last, language nulls last
