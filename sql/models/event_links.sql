-- purpose: Two stretches that are one event.
-- grain:   stretch_id, other_id
-- step_of: events
-- materialized: table
-- rule:    Under one name: the dates meet and the place is the same; where a place is unknown or only shares a word, half of the
--          players of one are players of the other, and where dates say too little, no third stretch shares as many. Under two
--          names: copies of the same games, half of each stretch or, between the same two people, of one of them. Years and
--          sections by speed that the names give do not contradict.
-- columns:
--   stretch_id      BIGINT   Stretch.
--   other_id        BIGINT   The other one; each pair stands in both orders.
--   because         VARCHAR  same_name or same_games.
--   as_of_snapshot  BIGINT   Snapshot that the row was computed for.
with stretch as (
    select
        *,
        string_split(coalesce(site, ''), ' ') as places,
        least(named_first, year_first) as since,
        greatest(named_last, year_last) as until,
        coalesce(named_last > named_first, false) as is_over_new_year,
    from event_stretches
),
in_year as (
    select *, unnest(range(since, least(until, since + 3) + 1)) as year
    from stretch
    where since is not null
),
namesake as (
    select distinct
        one.stretch_id,
        other.stretch_id as other_id,
        coalesce(one.site = other.site, false) as is_same_place,
        coalesce(one.site = other.site, true) or list_has_any(one.places, other.places) as may_be_same_place,
        case
            when one.named_first is not null and other.named_first is not null
                then one.named_first = other.named_first and one.named_last = other.named_last
            when one.date_first is not null and other.date_first is not null
                then one.date_first <= other.date_last + 62 and other.date_first <= one.date_last + 62
        end as is_same_time,
        case
            when one.is_over_new_year and other.date_first is not null
                then other.date_first >= make_date(one.named_first, 7, 1) and other.date_last < make_date(one.named_last, 7, 1)
            when other.is_over_new_year and one.date_first is not null
                then one.date_first >= make_date(other.named_first, 7, 1) and one.date_last < make_date(other.named_last, 7, 1)
            else one.since <= other.until and other.since <= one.until
        end as may_be_same_time,
    from in_year as one
    join in_year as other
        on
            one.event = other.event
            and one.year = other.year
            and one.white is not distinct from other.white
            and one.black is not distinct from other.black
            and one.stretch_id <> other.stretch_id
),
undated as (
    select
        one.stretch_id,
        min(other.stretch_id) as other_id,
    from stretch as one
    join stretch as other
        on
            one.event = other.event
            and one.white is not distinct from other.white
            and one.black is not distinct from other.black
    where
        one.since is null
        and other.since is not null
        and (coalesce(one.site = other.site, true) or list_has_any(one.places, other.places))
    group by one.stretch_id
    having count(*) = 1
),
candidate as (
    select *
    from namesake
    where may_be_same_place and coalesce(is_same_time, may_be_same_time)
    union all
    select
        stretch_id,
        other_id,
        false as is_same_place,
        true as may_be_same_place,
        null as is_same_time,
        true as may_be_same_time,
    from undated
    union all
    select
        other_id as stretch_id,
        stretch_id as other_id,
        false as is_same_place,
        true as may_be_same_place,
        null as is_same_time,
        true as may_be_same_time,
    from undated
),
appearance as (
    select distinct stretch_id, key
    from (
        select stretch_id, unnest([white, black]) as key
        from game_stretches
        semi join candidate using (stretch_id)
        join copy_claims using (game_id)
    ) as side
    where key is not null
),
cast_of as (
    select stretch_id, count(*) as n_players from appearance group by stretch_id
),
in_common as (
    select
        candidate.stretch_id,
        candidate.other_id,
        count(*) as n_common,
    from candidate
    join appearance using (stretch_id)
    join appearance as other on candidate.other_id = other.stretch_id and appearance.key = other.key
    group by candidate.stretch_id, candidate.other_id
),
same_name as (
    select
        stretch_id,
        other_id,
        is_same_place,
        is_same_time,
        coalesce(2 * n_common >= least(one.n_players, other.n_players), false) as has_same_players,
        count(*) filter (is_same_time is null) over best as n_best,
        rank() over (partition by stretch_id, is_same_time order by n_common desc nulls last) as place,
    from candidate
    left join in_common using (stretch_id, other_id)
    left join cast_of as one using (stretch_id)
    left join cast_of as other on other_id = other.stretch_id
    window best as (partition by stretch_id, n_common)
),
by_name as (
    select stretch_id, other_id
    from same_name
    where
        (is_same_time and (is_same_place or has_same_players))
        or (is_same_time is null and has_same_players and place = 1 and n_best = 1)
),
copy as (
    select distinct cluster_id, stretch_id
    from (
        select cluster_id, stretch_id
        from duplicates
        join game_stretches using (game_id)
        where n_copies > 1
    ) as copy
    qualify count(*) over (partition by cluster_id) between 2 and 50
),
shared as (
    select
        copy.stretch_id,
        other.stretch_id as other_id,
        count(*) as n_shared,
    from copy
    join copy as other on copy.cluster_id = other.cluster_id and copy.stretch_id <> other.stretch_id
    group by copy.stretch_id, other.stretch_id
),
pairing as (
    select
        stretch_id,
        min(least(white, black)) as first_key,
        max(greatest(white, black)) as last_key,
        bool_and(coalesce(white <> black, false))
        and min(least(white, black)) = max(least(white, black))
        and min(greatest(white, black)) = max(greatest(white, black)) as is_of_two,
    from game_stretches
    semi join shared using (stretch_id)
    join copy_claims using (game_id)
    group by stretch_id
),
by_games as (
    select
        shared.stretch_id,
        shared.other_id,
    from shared
    join stretch as one using (stretch_id)
    join stretch as other on shared.other_id = other.stretch_id
    join pairing as one_pairing on shared.stretch_id = one_pairing.stretch_id
    join pairing as other_pairing on shared.other_id = other_pairing.stretch_id
    where
        coalesce(one.section = other.section, one.section is null or other.section is null)
        and coalesce(one.named_first <= other.named_last and other.named_first <= one.named_last, true)
        and coalesce(one.since <= other.until + 1 and other.since <= one.until + 1, true)
        and (
            2 * n_shared >= greatest(one.n_games, other.n_games)
            or (
                2 * n_shared >= least(one.n_games, other.n_games)
                and one.section is not distinct from other.section
                and one_pairing.is_of_two
                and other_pairing.is_of_two
                and one_pairing.first_key = other_pairing.first_key
                and one_pairing.last_key = other_pairing.last_key
            )
        )
),
link as (
    select stretch_id, other_id, 'same_games' as because from by_games
    union all
    select stretch_id, other_id, 'same_name' as because from by_name
    union all
    select other_id as stretch_id, stretch_id as other_id, 'same_name' as because from by_name
)
select
    stretch_id,
    other_id,
    min(because) as because,
    (select snapshot from about) as as_of_snapshot,
from link
group by stretch_id, other_id
