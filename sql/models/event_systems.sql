-- purpose: What kind of competition an event was, at each speed, as its pairings show it.
-- grain:   event_id, speed, mode
-- materialized: table
-- rule:    P persons met in M different pairs; armageddon games and playoffs by name are left out. match: P = 2. knockout: P > 3,
--          M is P - 1 or P (third place), at least half met one opponent only, nobody more than log2(P) + 1, and a third of the
--          pairs met in one round (where rounds are known). round_robin: 4 of 5 possible pairs met, or half of them in at least P
--          - 1 rounds; double_round_robin: and most pairs met twice; n_cycles tells more. swiss: at least 3 rounds, fewer than
--          4/7 of P, most pairs met once, and nobody met two persons in one round. Else null, as for events of which little is
--          there. An event may be several competitions, such as a tournament and its playoff at a faster speed.
-- columns:
--   event_id        VARCHAR   Event.
--   speed           VARCHAR   player_games.speed_class
--   mode            VARCHAR   player_games.mode_class
--   system          VARCHAR   match, knockout, round_robin, double_round_robin or swiss; null when none fits.
--   n_players       BIGINT    Persons.
--   n_pairs         BIGINT    Different pairs that met.
--   n_games         BIGINT    Games between two persons.
--   n_cycles        INTEGER   Games that most pairs have: 1, 2 in a double round robin, …
--   n_rounds        INTEGER   Largest number of a round; null when a game has none.
--   is_minor_usual  BOOLEAN   True when rounds are usually written with two numbers (`3.1`).
--   is_main         BOOLEAN   True for the speed and mode with most games.
--   as_of_snapshot  BIGINT    Snapshot that the row was computed for.
with game as (
    select
        event_id,
        speed_class as speed,
        mode_class as mode,
        least(white_id, black_id) as one_id,
        greatest(white_id, black_id) as other_id,
        game_round_major as round_major,
        game_round_minor as round_minor,
    from pairings
    where
        event_id is not null
        and white_id is not null
        and black_id is not null
        and stage is null
        and coalesce(excluded_because, '') not in ('problem', 'study', 'fragment')
),
pair as (
    select
        event_id,
        speed,
        mode,
        one_id,
        other_id,
        count(*) as n_games,
        max(round_major) as n_rounds,
        count(*) - count(round_major) as n_without_round,
        count(round_minor) as n_with_minor,
    from game
    group by event_id, speed, mode, one_id, other_id
),
opponent as (
    select event_id, speed, mode, one_id as player_id from pair
    union all
    select event_id, speed, mode, other_id as player_id from pair
),
player as (
    select event_id, speed, mode, player_id, count(*) as n_opponents
    from opponent
    group by event_id, speed, mode, player_id
),
field as (
    select
        event_id,
        speed,
        mode,
        count(*) as n_players,
        count(*) filter (n_opponents = 1) as n_with_one_opponent,
        max(n_opponents) as max_opponents,
    from player
    group by event_id, speed, mode
),
meeting as (
    select
        event_id,
        speed,
        mode,
        count(*) as n_pairs,
        sum(n_games)::bigint as n_games,
        quantile_disc(n_games, 0.5)::integer as n_cycles,
        case when sum(n_without_round) = 0 then max(n_rounds) end as n_rounds,
        sum(n_with_minor) * 2 > sum(n_games) as is_minor_usual,
    from pair
    group by event_id, speed, mode
),
round_size as (
    select event_id, speed, mode, max(n_pairs_of_round) as most_pairs_in_a_round
    from (
        select event_id, speed, mode, round_major, count(distinct one_id || other_id) as n_pairs_of_round
        from game
        semi join (select event_id, speed, mode from meeting where n_pairs > 2 and n_rounds is not null) as numbered
            using (event_id, speed, mode)
        group by event_id, speed, mode, round_major
    ) as sizes
    group by event_id, speed, mode
),
crowded as (
    select event_id, speed, mode, bool_or(n_opponents > n_rounds_played) as has_two_in_a_round
    from (
        select event_id, speed, mode, player_id, count(*) as n_opponents, count(distinct round_major) as n_rounds_played
        from (
            select distinct event_id, speed, mode, round_major, one_id as player_id, other_id as opponent_id from game
            union all
            select distinct event_id, speed, mode, round_major, other_id as player_id, one_id as opponent_id from game
        ) as appearance
        semi join (select event_id, speed, mode from field where n_players > 3) as large using (event_id, speed, mode)
        group by event_id, speed, mode, player_id
    ) as played
    group by event_id, speed, mode
)
select
    event_id,
    speed,
    mode,
    case
        when n_players = 2 then 'match'
        when
            n_players > 3
            and n_pairs between n_players - 1 and n_players
            and n_with_one_opponent * 2 >= n_players
            and max_opponents <= ceil(log2(n_players)) + 1
            and max_opponents < n_players - 1
            and coalesce(most_pairs_in_a_round * 3 >= n_pairs, true)
            then 'knockout'
        when
            n_pairs * 10 >= n_players * (n_players - 1) * 4
            or (n_rounds >= n_players - 1 and n_pairs * 4 >= n_players * (n_players - 1))
            then case when n_cycles = 2 then 'double_round_robin' else 'round_robin' end
        when
            n_rounds >= 3
            and n_rounds * 7 < n_players * 4
            and n_cycles = 1
            and n_pairs > n_players
            and not coalesce(has_two_in_a_round, false)
            then 'swiss'
    end as system,
    n_players,
    n_pairs,
    n_games,
    n_cycles,
    n_rounds,
    is_minor_usual,
    row_number() over (partition by event_id order by n_games desc, speed, mode) = 1 as is_main,
    (select snapshot from about) as as_of_snapshot,
from field
join meeting using (event_id, speed, mode)
left join crowded using (event_id, speed, mode)
left join round_size using (event_id, speed, mode)
order by event_id, speed, mode
