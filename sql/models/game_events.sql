-- purpose: The event that a game belongs to, whatever its name is in this copy of the game.
-- grain:   game_id
-- step_of: events
-- materialized: table
-- rule:    Linked stretches are one event. A game whose event is unknown has that of its copies, if they agree. The id is the MD5
--          of the event's words, its place's words and its first year, those of the first of its stretches by year and words;
--          the two players stand behind the event's words where the name says no more than that they played; where two events
--          would have one id, the later one's is the MD5 of it and the first date.
-- columns:
--   game_id         VARCHAR  Game.
--   event_id        VARCHAR  Event.
--   as_of_snapshot  BIGINT   Snapshot that the row was computed for.
with recursive reach as (
    select stretch_id, stretch_id as other_id from event_stretches
    union
    select reach.stretch_id, event_links.other_id
    from reach
    join event_links on reach.other_id = event_links.stretch_id
),
family as (
    select stretch_id, min(other_id) as family from reach group by stretch_id
),
named as (
    select
        family,
        min((year_first, event, coalesce(site, ''), coalesce(white || ' ' || black, ''))) as first_wording,
        min(date_first) as date_first,
    from family
    join event_stretches using (stretch_id)
    group by family
),
numbered as (
    select
        family,
        event_key(
            first_wording[2] || rtrim(' ' || first_wording[4]),
            first_wording[3],
            first_wording[1]
        ) as event_id,
        row_number() over (partition by first_wording order by date_first nulls first, family) as number,
        date_first,
    from named
),
of_stretch as (
    select
        stretch_id,
        case when number > 1 then md5(event_id || coalesce(date_first::varchar, number::varchar)) else event_id end as event_id,
    from family
    join numbered using (family)
),
of_game as (
    select game_id, event_id
    from game_stretches
    join of_stretch using (stretch_id)
),
of_cluster as (
    select cluster_id, min(event_id) as event_id
    from duplicates
    join of_game using (game_id)
    where n_copies > 1
    group by cluster_id
    having min(event_id) = max(event_id)
),
lent as (
    select game_id, of_cluster.event_id
    from duplicates
    join of_cluster using (cluster_id)
    anti join of_game using (game_id)
)
select game_id, event_id, (select snapshot from about) as as_of_snapshot from of_game
union all
select game_id, event_id, (select snapshot from about) as as_of_snapshot from lent
