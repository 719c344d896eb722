-- purpose: A person who played.
-- grain:   player_id
-- materialized: table
-- columns:
--   player_id       VARCHAR   Id of the person.
--   name            VARCHAR   The most frequent written form with two whole words, if there is one; of several the first by sort.
--   n_names         BIGINT    Written forms of the name.
--   n_games         BIGINT    Distinct games (copies count once).
--   year_first      SMALLINT  Year of the first game with a known year; null when no year is known.
--   year_last       SMALLINT  Year of the last game with a known year; null when no year is known.
--   as_of_snapshot  BIGINT    Snapshot that the row was computed for.
with named as (
    select
        player_id,
        arg_min(name, (not regexp_matches(name, '\pL{2}.*[\s,.].*\pL{2}'), -n_games, name)) as name,
        count(*) as n_names,
    from player_names
    group by player_id
),
chosen as (
    select game_id from duplicates where is_chosen
),
played as (
    select
        player_id,
        count(*) as n_games,
        min(year) as year_first,
        max(year) as year_last,
    from game_players
    join chosen using (game_id)
    join games using (game_id)
    group by player_id
)
select
    player_id,
    name,
    n_names,
    coalesce(n_games, 0) as n_games,
    year_first,
    year_last,
    (select snapshot from about) as as_of_snapshot,
from named
left join played using (player_id)
order by player_id
