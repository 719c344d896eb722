-- purpose: Points per 100 games as a difference of ratings.
-- grain:   score_pct
-- source:  FIDE Handbook B.02 8.1.1; B.01 uses it for title performances, C.07 10.2 for performance ratings.
-- columns:
--   score_pct   SMALLINT  Points per 100 games, 0 to 100.
--   difference  SMALLINT  Rating of the player less the average rating of the opponents, -800 to 800.
select
    cast(score_pct as smallint) as score_pct,
    cast(difference as smallint) as difference,
from stored.rating_differences
