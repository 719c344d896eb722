-- purpose: A cluster of the same score that is one game with another of a slightly different date.
-- grain:   cluster_id
-- step_of: duplicates
-- materialized: table
-- rule:    The same players; the same round of the same event, or one of the two when the score is telling; and dates less than a
--          week apart, or with day and month swapped, or, but for short draws, of years that are a slip of the pen: neighbouring
--          years only for telling scores, since events come back every year. Nothing is joined where two known rounds of one
--          event would meet, nor along a chain of clusters that three steps do not end.
-- columns:
--   cluster_id      VARCHAR  same_scores.cluster_id
--   merged_id       VARCHAR  Smallest cluster_id of the clusters that are one game.
--   as_of_snapshot  BIGINT   Snapshot that the row was computed for.
with game as (
    select
        *,
        try_cast(printf('%04d-%02d-%02d', year, month, day) as date) as date,
        is_telling_score(n_plies, result) as is_telling,
        coalesce(result, '1/2-1/2') = '1/2-1/2' and not is_telling_score(n_plies, result) as is_short_draw,
    from same_scores
    where
        white is not null
        and black is not null
        and day is not null
    qualify min(cluster_id) over (partition by score, white, black) <> max(cluster_id) over (partition by score, white, black)
),
witness as (
    select hash(score, white, black, event, round, round_minor) as occasion, cluster_id, date, round, is_short_draw, is_telling
    from game
    where event is not null and round is not null
    union
    select hash(score, white, black, event) as occasion, cluster_id, date, round, is_short_draw, is_telling
    from game
    where event is not null and is_telling
    union
    select hash(score, white, black, round, round_minor) as occasion, cluster_id, date, round, is_short_draw, is_telling
    from game
    where round is not null and is_telling
),
gap as (
    select *, coalesce(date - lag(date) over (partition by occasion order by date) > 6, false)::int as is_gap
    from witness
    where date is not null
),
stretch as (
    select occasion, cluster_id, date, round, sum(is_gap) over (partition by occasion order by date) as stretch
    from gap
),
close as (
    select cluster_id, min(cluster_id) over one as near_id
    from stretch
    window one as (partition by occasion, stretch)
    qualify coalesce(min(round) over one = max(round) over one, true) and max(date) over one - min(date) over one <= 6
),
swapped as (
    select cluster_id, min(cluster_id) over one as near_id
    from witness
    where month(date) <> day(date) and day(date) <= 12
    window one as (partition by occasion, year(date), month(date) + day(date), abs(month(date) - day(date)))
    qualify coalesce(min(round) over one = max(round) over one, true)
),
slipped as (
    select cluster_id, min(cluster_id) over one as near_id
    from witness
    where date is not null and not is_short_draw
    window one as (partition by occasion, month(date), day(date))
    qualify
        coalesce(min(round) over one = max(round) over one, true)
        and len(list_distinct(list(year(date)) over one)) = 2
        and is_year_slip(min(year(date)) over one, max(year(date)) over one)
        and (bool_and(is_telling) over one or max(year(date)) over one - min(year(date)) over one > 1)
),
near as (
    select cluster_id, near_id from close where cluster_id <> near_id
    union
    select cluster_id, near_id from swapped where cluster_id <> near_id
    union
    select cluster_id, near_id from slipped where cluster_id <> near_id
),
link as (
    select cluster_id, near_id from near
    union
    select near_id as cluster_id, cluster_id as near_id from near
    union
    select cluster_id, cluster_id as near_id from near
    union
    select near_id as cluster_id, near_id from near
),
first_step as (
    select cluster_id, least(cluster_id, min(near_id)) as merged_id from link group by cluster_id
),
second_step as (
    select link.cluster_id, min(merged_id) as merged_id
    from link
    join first_step on link.near_id = first_step.cluster_id
    group by link.cluster_id
),
family as (
    select link.cluster_id, min(merged_id) as merged_id
    from link
    join second_step on link.near_id = second_step.cluster_id
    group by link.cluster_id
),
member as (
    select merged_id, event, round, round_minor
    from family
    join same_scores using (cluster_id)
),
contradiction as (
    select unnest([one.merged_id, other.merged_id]) as merged_id
    from link
    join family as one using (cluster_id)
    join family as other on link.near_id = other.cluster_id
    where one.merged_id <> other.merged_id
    union
    select merged_id from member group by merged_id, event having min(round) <> max(round)
    union
    select merged_id from member group by merged_id, event, round having min(round_minor) <> max(round_minor)
)
select cluster_id, merged_id, (select snapshot from about) as as_of_snapshot
from family
anti join contradiction using (merged_id)
