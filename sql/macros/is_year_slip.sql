-- purpose: True when one year may be a slip of the pen for the other: one digit differs, or two neighbours are swapped.
-- parameters:
--   one    SMALLINT  A year of four digits.
--   other  SMALLINT  Another one.
-- columns:
--   is_year_slip  BOOLEAN  False for equal years.
select len(one::varchar) = len(other::varchar) and damerau_levenshtein(one::varchar, other::varchar) = 1
