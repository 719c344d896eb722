-- purpose: An event under all its names: a match, a tournament, a section of one that is named by its speed.
-- grain:   event_id
-- materialized: table
-- columns:
--   event_id        VARCHAR    Id of the event, as in games.event_id.
--   event           VARCHAR    Name: the most frequent written form; of several the first by sort.
--   site            VARCHAR    Site in that form; null when unknown.
--   year            SMALLINT   First year of its games; null when unknown.
--   date_first      DATE       First whole date of its games; null when less than half of them have one.
--   date_last       DATE       Last whole date of its games, likewise.
--   kind            VARCHAR    match (two persons), tournament (more) or null (fewer are known).
--   n_games         BIGINT     Distinct games (copies count once).
--   n_players       BIGINT     Persons who played in its distinct games.
--   names           VARCHAR[]  All written forms of its name, copies too, most frequent first.
--   as_of_snapshot  BIGINT     Snapshot that the row was computed for.
with wording as (
    select
        event_id,
        trim(event) as event,
        site,
        count(*) as n,
        count(*) filter (is_chosen) as n_games,
        min(year) filter (is_chosen) as year,
        min(date) filter (is_chosen) as date_first,
        max(date) filter (is_chosen) as date_last,
        count(date) filter (is_chosen) as n_dated,
    from game_events
    join stored.games using (game_id)
    join duplicates using (game_id)
    group by event_id, trim(event), site
),
player as (
    select
        event_id,
        count(distinct player_id) as n_players,
    from game_events
    join duplicates using (game_id)
    join game_players using (game_id)
    where is_chosen
    group by event_id
),
event_name as (
    select event_id, list(event order by n desc, event) as names
    from (select event_id, event, sum(n) as n from wording where event is not null group by event_id, event) as form
    group by event_id
),
event as (
    select
        event_id,
        arg_min((event, site), (-n_games, -n, event, site)) filter (event is not null) as wording,
        min(year) as year,
        case when sum(n_dated) * 2 >= sum(n_games) then min(date_first) end as date_first,
        case when sum(n_dated) * 2 >= sum(n_games) then max(date_last) end as date_last,
        sum(n_games)::bigint as n_games,
    from wording
    group by event_id
)
select
    event_id,
    wording[1] as event,
    wording[2] as site,
    year,
    date_first,
    date_last,
    case when n_players = 2 then 'match' when n_players > 2 then 'tournament' end as kind,
    n_games,
    coalesce(n_players, 0) as n_players,
    names,
    (select snapshot from about) as as_of_snapshot,
from event
join event_name using (event_id)
left join player using (event_id)
order by event_id
