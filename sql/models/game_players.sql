-- purpose: A game's side and the person who played it. A side that is no person (BYE, NN, ?, a team) has no row.
-- grain:   game_id, color
-- materialized: table
-- rule:    Equal name keys are one person. Copies of one game have the same persons: the longest key among them counts, also
--          for a copy that abbreviates the name or leaves it out. Two persons of one key who met are not linked to others.
-- columns:
--   game_id         VARCHAR  Game.
--   color           VARCHAR  Side: w or b.
--   player_id       VARCHAR  Person.
--   name            VARCHAR  Name as written in this game; null when only a copy of it names the person.
--   evidence        VARCHAR  Why it is this person: key, copy (another copy's key) or namesake (met one of the same key).
--   confidence      DOUBLE   How sure that is, from 0 to 1.
--   as_of_snapshot  BIGINT   Snapshot that the row was computed for.
with game as (
    select
        game_id,
        cluster_id,
        n_copies,
        white,
        black,
        white_key,
        black_key,
    from games
    join duplicates using (game_id)
),
differently_named as (
    select cluster_id
    from game
    where n_copies > 1
    group by cluster_id
    having
        min(white_key) <> max(white_key)
        or min(black_key) <> max(black_key)
        or count(white_key) not in (0, count(*))
        or count(black_key) not in (0, count(*))
),
longest as (
    select
        cluster_id,
        arg_max(white_key, (len(white_key), white_key)) as white_key,
        arg_max(black_key, (len(black_key), black_key)) as black_key,
    from game
    semi join differently_named using (cluster_id)
    group by cluster_id
),
named as (
    select
        game_id,
        cluster_id,
        case when game.white_key is not null then white end as white,
        case when game.black_key is not null then black end as black,
        coalesce(longest.white_key, game.white_key) as white_key,
        coalesce(longest.black_key, game.black_key) as black_key,
        longest.white_key is not null and coalesce(longest.white_key <> game.white_key, true) as is_white_from_copy,
        longest.black_key is not null and coalesce(longest.black_key <> game.black_key, true) as is_black_from_copy,
    from game
    left join longest using (cluster_id)
),
side as (
    select
        game_id,
        cluster_id,
        'w' as color,
        white as name,
        white_key as key,
        is_white_from_copy as is_from_copy,
        coalesce(white_key = black_key, false) as is_namesake,
    from named
    where white_key is not null
    union all
    select
        game_id,
        cluster_id,
        'b' as color,
        black as name,
        black_key as key,
        is_black_from_copy as is_from_copy,
        coalesce(white_key = black_key, false) as is_namesake,
    from named
    where black_key is not null
)
select
    game_id,
    color,
    player_key_id(case when is_namesake then key || '/' || cluster_id || '/' || color else key end) as player_id,
    name,
    case when is_namesake then 'namesake' when is_from_copy then 'copy' else 'key' end as evidence,
    case when is_from_copy then 0.9 else 1 end::double as confidence,
    (select snapshot from about) as as_of_snapshot,
from side
