-- purpose: A written form of a person's name.
-- grain:   name, player_id
-- materialized: table
-- columns:
--   name            VARCHAR  Name as written.
--   player_id       VARCHAR  Person; one name may stand for several persons.
--   n_games         BIGINT   Games found with this name for this person, copies counted each.
--   as_of_snapshot  BIGINT   Snapshot that the row was computed for.
select
    name,
    player_id,
    count(*) as n_games,
    (select snapshot from about) as as_of_snapshot,
from game_players
where name is not null
group by name, player_id
order by name, player_id
