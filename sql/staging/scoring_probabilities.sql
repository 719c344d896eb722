-- purpose: A difference of two ratings as the score that is to be expected.
-- grain:   difference_from
-- source:  FIDE Handbook B.02 8.1.2. B.02 counts a difference above 400 as 400 (since July 2009).
-- columns:
--   difference_from  SMALLINT      Smallest difference of the row.
--   difference_to    SMALLINT      Largest difference of the row.
--   expected_points  DECIMAL(3,2)  Points per game that the higher rated may expect; the lower rated: what is missing to 1.
select
    cast(difference_from as smallint) as difference_from,
    cast(difference_to as smallint) as difference_to,
    cast(cast(higher_pct as smallint) / 100 as decimal(3, 2)) as expected_points,
from stored.scoring_probabilities
