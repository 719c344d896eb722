-- purpose: A stretch of an event: games under one name at one place without a long break.
-- grain:   stretch_id
-- step_of: events
-- materialized: table
-- columns:
--   stretch_id      BIGINT    Stretch, as in game_stretches.
--   event           VARCHAR   copy_claims.event
--   site            VARCHAR   copy_claims.site
--   white           VARCHAR   One of the two players of a match without a name; null for other events.
--   black           VARCHAR   The other one; null for other events.
--   section         VARCHAR   copy_claims.section
--   named_first     SMALLINT  copy_claims.named_first
--   named_last      SMALLINT  copy_claims.named_last
--   year_first      SMALLINT  First year of its games, else of its name; null when unknown.
--   year_last       SMALLINT  Last year of its games, else of its name; null when unknown.
--   date_first      DATE      First date of its games, the 15th where only the month is known; null when no month is.
--   date_last       DATE      Last date of its games, likewise.
--   n_games         BIGINT    Distinct games: copies count once.
--   as_of_snapshot  BIGINT    Snapshot that the row was computed for.
select
    stretch_id,
    min(event) as event,
    min(site) as site,
    min(case when is_match then least(white, black) end) as white,
    min(case when is_match then greatest(white, black) end) as black,
    min(section) as section,
    min(named_first) as named_first,
    min(named_last) as named_last,
    coalesce(min(year), min(named_first)) as year_first,
    coalesce(max(year), min(named_last)) as year_last,
    min(try_cast(printf('%04d-%02d-%02d', year, month, coalesce(day, 15)) as date)) as date_first,
    max(try_cast(printf('%04d-%02d-%02d', year, month, coalesce(day, 15)) as date)) as date_last,
    count(distinct cluster_id) as n_games,
    (select snapshot from about) as as_of_snapshot,
from game_stretches
join copy_claims using (game_id)
join duplicates using (game_id)
group by stretch_id
