-- purpose: The stretch of an event that a game belongs to: games under one name at one place without a long break.
-- grain:   game_id
-- step_of: events
-- materialized: table
-- rule:    Name and place are words free of language. Where the name gives years, these tell one stretch from another; else a
--          break of more than 62 days does (a league rests over the winter). Games of which only the year is known belong to
--          the one stretch in that year, those without a year to the only stretch there is. A name that says nothing but that
--          two people played (`Match`) is a stretch of its own for each two of them.
-- columns:
--   game_id         VARCHAR  Game with a known event.
--   stretch_id      BIGINT   Stretch, as in event_stretches.
--   as_of_snapshot  BIGINT   Snapshot that the row was computed for.
with game as (
    select
        game_id,
        (hash(event, site, case when is_match then [least(white, black), greatest(white, black)] end) >> 1)::bigint as line,
        named_first,
        named_last,
        case when named_first is null then year end as year,
        case when named_first is null then month end as month,
        case when named_first is null then day end as day,
    from copy_claims
    where event is not null
),
dating as (
    select line, year, month, day, try_cast(printf('%04d-%02d-%02d', year, month, coalesce(day, 15)) as date) as date
    from game
    where named_first is null
    group by line, year, month, day
),
gap as (
    select *, coalesce(date - lag(date) over (partition by line order by date) > 62, false)::int as is_gap
    from dating
    where date is not null
),
numbered as (
    select line, year, month, day, date, sum(is_gap) over (partition by line order by date) as number
    from gap
),
dated as (
    select line, year, month, day, (hash(line, min(date) over (partition by line, number)) >> 1)::bigint as stretch_id
    from numbered
),
of_year as (
    select line, year, min(stretch_id) as stretch_id
    from dated
    group by line, year
    having min(stretch_id) = max(stretch_id)
),
in_year as (
    select
        line,
        year,
        month,
        day,
        coalesce(stretch_id, (hash(line, year) >> 1)::bigint) as stretch_id,
    from dating
    left join of_year using (line, year)
    where date is null and year is not null
),
in_time as (
    select line, year, month, day, stretch_id from dated
    union all
    select line, year, month, day, stretch_id from in_year
),
named as (
    select distinct line, named_first, named_last, (hash(line, named_first, named_last) >> 1)::bigint as stretch_id
    from game
    where named_first is not null
),
only_one as (
    select line, min(stretch_id) as stretch_id
    from (
        select line, stretch_id from in_time
        union all
        select line, stretch_id from named
    ) as stretch
    group by line
    having min(stretch_id) = max(stretch_id)
)
select
    game_id,
    coalesce(named.stretch_id, in_time.stretch_id, only_one.stretch_id, game.line) as stretch_id,
    (select snapshot from about) as as_of_snapshot,
from game
left join named on game.line = named.line and game.named_first = named.named_first and game.named_last = named.named_last
left join in_time
    on
        game.line = in_time.line
        and game.year = in_time.year
        and game.month is not distinct from in_time.month
        and game.day is not distinct from in_time.day
        and game.named_first is null
left join only_one on game.line = only_one.line and game.year is null and game.named_first is null
