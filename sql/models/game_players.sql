-- purpose: A game's side and the person who played it. A side that is no person (BYE, NN, ?, a team) has no row.
-- grain:   game_id, color
-- materialized: table
-- columns:
--   game_id         VARCHAR  Game.
--   color           VARCHAR  Side: w or b.
--   player_id       VARCHAR  Person.
--   name            VARCHAR  Name as written in this game.
--   evidence        VARCHAR  Why it is this person: key (equal name keys) or namesake (met a player of the same key, so not linked).
--   confidence      DOUBLE   How sure that is, from 0 to 1.
--   as_of_snapshot  BIGINT   Snapshot that the row was computed for.
with game as (
    select
        game_id,
        white,
        black,
        white_key,
        black_key,
        coalesce(white_key = black_key, false) as is_between_namesakes,
    from games
),
side as (
    select game_id, 'w' as color, white as name, white_key as key, is_between_namesakes from game where white_key is not null
    union all
    select game_id, 'b' as color, black as name, black_key as key, is_between_namesakes from game where black_key is not null
),
between_namesakes as (
    select game_id, cluster_id
    from duplicates
    semi join (from game where is_between_namesakes) as game using (game_id)
)
select
    game_id,
    color,
    case when is_between_namesakes then player_key_id(key || '/' || cluster_id || '/' || color) else player_key_id(key) end as player_id,
    name,
    case when is_between_namesakes then 'namesake' else 'key' end as evidence,
    cast(1 as double) as confidence,
    (select snapshot from about) as as_of_snapshot,
from side
left join between_namesakes using (game_id)
