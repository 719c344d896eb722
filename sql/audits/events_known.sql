-- purpose: Every game that names its event belongs to one event of events, and these count each distinct game once.
-- columns:
--   problem  VARCHAR  What is wrong.
--   id       VARCHAR  game_id or event_id.
with game as (
    select
        game_id,
        event,
        event_id,
        is_chosen,
    from games
    join duplicates using (game_id)
),
counted as (
    select event_id, count(*) filter (is_chosen) as n_chosen
    from game
    where event_id is not null
    group by event_id
)
select
    'game of no event' as problem,
    game_id as id,
from game
left join events using (event_id)
where game.event is not null and events.event_id is null
union all
select
    'event that counts other games' as problem,
    event_id as id,
from counted
join events using (event_id)
where n_chosen <> n_games
