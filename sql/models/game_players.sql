-- purpose: A game's side and the person who played it. A side that is no person (BYE, NN, ?, a team) has no row.
-- grain:   game_id, color
-- materialized: table
-- rule:    Name keys that claims link are one person (docs/rules.md §6, views person_claims and aliases); a side that a claim
--          gives to another person is theirs. Copies of one game have the same persons: a decided side counts before a
--          name, of names the longest, also for a copy that abbreviates the name or leaves it out. A person who would have
--          met himself is two namesakes, in that game only.
-- columns:
--   game_id         VARCHAR  Game.
--   color           VARCHAR  Side: w or b.
--   player_id       VARCHAR  Person.
--   name            VARCHAR  Name as written in this game; null when only a copy of it names the person.
--   evidence        VARCHAR  Why: key, copy (a copy's name), namesake (met one of his name), undecided, or as in person_claims.
--   confidence      DOUBLE   How sure that is, from 0 to 1.
--   as_of_snapshot  BIGINT   Snapshot that the row was computed for.
with written as (
    select game_id, 'w' as color, white as name, white_key as key from games
    union all
    select game_id, 'b' as color, black as name, black_key as key from games
),
claimed as (
    select
        game_id,
        color,
        cluster_id,
        n_copies,
        key,
        case when key is not null then name end as name,
        coalesce(person_sides.person_key, same_names.person_key, key) as person_key,
        coalesce(person_sides.evidence, same_names.evidence, 'key') as evidence,
        coalesce(person_sides.confidence, same_names.confidence, 1) as confidence,
        case
            when person_sides.evidence = 'alias' then 3
            when person_sides.evidence = 'undecided' then 0
            when person_sides.evidence is not null then 2
            else 1
        end as rank,
    from written
    join duplicates using (game_id)
    left join stored.same_names using (key)
    left join stored.person_sides using (game_id, color)
),
differently_named as (
    select cluster_id, color
    from claimed
    where n_copies > 1
    group by cluster_id, color
    having min(person_key) <> max(person_key) or count(person_key) not in (0, count(*))
),
agreed as (
    select
        cluster_id,
        color,
        arg_max(person_key, (rank, len(person_key), person_key)) as person_key,
    from claimed
    semi join differently_named using (cluster_id, color)
    where person_key is not null
    group by cluster_id, color
),
side as (
    select
        game_id,
        color,
        cluster_id,
        name,
        evidence,
        confidence,
        coalesce(agreed.person_key, claimed.person_key) as person_key,
        agreed.person_key is not null and coalesce(agreed.person_key <> claimed.person_key, true) as is_from_copy,
    from claimed
    left join agreed using (cluster_id, color)
),
checked as (
    select
        *,
        count(*) over (partition by game_id, person_key) > 1 as is_namesake,
    from side
    where person_key is not null
)
select
    game_id,
    color,
    player_key_id(case when is_namesake then person_key || '/' || cluster_id || '/' || color else person_key end) as player_id,
    name,
    case when is_namesake then 'namesake' when is_from_copy then 'copy' else evidence end as evidence,
    case when is_namesake then 0.7 when is_from_copy then 0.9 else confidence end::double as confidence,
    (select snapshot from about) as as_of_snapshot,
from checked
