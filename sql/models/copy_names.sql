-- purpose: The full name behind an abbreviated or missing one, among games with the same score.
-- grain:   score, color, key
-- step_of: duplicates
-- materialized: table
-- rule:    Only where one full name alone fits. A word of a name that over 100 names of one score share links nothing.
-- columns:
--   score           VARCHAR  copy_claims.score
--   color           VARCHAR  Side: w or b.
--   key             VARCHAR  Key that is abbreviated; null = the name is missing.
--   full_key        VARCHAR  Key of the only full name that it may stand for.
--   as_of_snapshot  BIGINT   Snapshot that the row was computed for.
with side as (
    select score, 'w' as color, white as key from copy_candidates where is_contested
    union
    select score, 'b' as color, black as key from copy_candidates where is_contested
),
word as (
    select score, color, key, word
    from (select score, color, key, unnest(string_split(key, ' ')) as word from side) as written
    where len(word) > 1
    qualify count(*) over (partition by score, color, word) between 2 and 100
),
abbreviation as (
    select distinct score, color, short.key as key, whole.key as full_key
    from word as short
    join word as whole using (score, color, word)
    where len(short.key) < len(whole.key) and name_abbreviates(short.key, whole.key)
),
full_side as (
    select score, color, key as full_key
    from side
    anti join abbreviation using (score, color, key)
    where key is not null
)
select score, color, key, min(full_key) as full_key, (select snapshot from about) as as_of_snapshot
from abbreviation
semi join full_side using (score, color, full_key)
group by score, color, key
having count(*) = 1
union all
select score, color, null as key, min(full_key) as full_key, (select snapshot from about) as as_of_snapshot
from full_side
group by score, color
having count(*) = 1
