-- purpose: Claims, linked names and decided sides lead to persons, games and names that there are.
-- rule:    People may have decided about names that no game has, or has any more: their source went.
-- columns:
--   problem  VARCHAR  What is wrong.
--   id       VARCHAR  Key, claim_id or game_id.
with person as (
    select person_key as key from stored.same_names
),
itself as (
    select key from stored.same_names where key = person_key
)
select
    'person_key of same_names that is no key of itself' as problem,
    key as id,
from stored.same_names
where person_key not in (select key from itself)
union all
select
    'accepted claim whose two names are two persons' as problem,
    claim_id as id,
from stored.person_claims
join stored.same_names as one using (key)
join stored.same_names as two on other_key = two.key
where is_accepted and claims = 'same' and one.person_key <> two.person_key
union all
select
    'accepted claim of two persons whose names are one' as problem,
    claim_id as id,
from stored.person_claims
join stored.same_names as one using (key)
join stored.same_names as two on other_key = two.key
where is_accepted and claims = 'different' and one.person_key = two.person_key
union all
select
    'claim about a person of no name' as problem,
    claim_id as id,
from stored.person_claims
anti join person on person_key = person.key
where evidence <> 'alias'
union all
select
    'decided side of no game' as problem,
    game_id as id,
from stored.person_sides
anti join stored.games using (game_id)
union all
select
    'side of no person of players' as problem,
    game_id as id,
from game_players
anti join players using (player_id)
