-- purpose: An event: games with the same event, site and year.
-- grain:   event_id
-- materialized: table
-- columns:
--   event_id        VARCHAR   Id of the event, as in games.event_id.
--   event           VARCHAR   Name: the most frequent written form; of several the first by sort.
--   site            VARCHAR   Site in that form; null when unknown.
--   year            SMALLINT  Year of its games; null when unknown.
--   date_first      DATE      First whole date of its games; null when none is whole.
--   date_last       DATE      Last whole date of its games; null when none is whole.
--   kind            VARCHAR   match (two persons), tournament (more) or null (fewer are known).
--   n_games         BIGINT    Distinct games (copies count once).
--   n_players       BIGINT    Persons who played in its distinct games.
--   as_of_snapshot  BIGINT    Snapshot that the row was computed for.
with game as (
    select
        game_id,
        event,
        site,
        year,
        date,
    from games
    where event is not null
),
chosen as (
    select game_id from duplicates where is_chosen
),
wording as (
    select
        event,
        site,
        year,
        count(*) as n_games,
        min(date) as date_first,
        max(date) as date_last,
        event_key(event, site, year) as event_id,
    from game
    join chosen using (game_id)
    group by event, site, year
),
player as (
    select
        event_key(event, site, year) as event_id,
        count(distinct player_id) as n_players,
    from (
        select distinct event, site, year, player_id
        from game
        join chosen using (game_id)
        join game_players using (game_id)
    ) as appearance
    group by event_id
),
event as (
    select
        event_id,
        arg_min((event, site), (-n_games, event, site)) as wording,
        any_value(year) as year,
        min(date_first) as date_first,
        max(date_last) as date_last,
        sum(n_games)::bigint as n_games,
    from wording
    group by event_id
)
select
    event_id,
    trim(wording[1]) as event,
    wording[2] as site,
    year,
    date_first,
    date_last,
    case when n_players = 2 then 'match' when n_players > 2 then 'tournament' end as kind,
    n_games,
    coalesce(n_players, 0) as n_players,
    (select snapshot from about) as as_of_snapshot,
from event
left join player using (event_id)
order by event_id
