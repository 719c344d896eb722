-- purpose: How often each symbol stands after a person's moves, in the person's annotated games.
-- grain:   player_id, nag
-- columns:
--   player_id            VARCHAR   Person who made the moves.
--   name                 VARCHAR   players.name
--   nag                  SMALLINT  Numeric annotation glyph.
--   symbol               VARCHAR   nags.symbol
--   n                    BIGINT    Symbols after moves of this person.
--   n_games              BIGINT    Distinct games of this person that have it.
--   per_1000_plies       DOUBLE    Symbols per 1,000 half-moves of n_plies_annotated.
--   per_1000_plies_low   DOUBLE    Lower end of its 95 % interval (poisson_low), signs taken as independent.
--   per_1000_plies_high  DOUBLE    Upper end of it (poisson_high).
--   n_plies_annotated    BIGINT    This person's own half-moves in games that carry at least one symbol: the basis of the rate.
with half as (
    select white_id as player_id, n_plies_white as n_plies from annotated_games
    union all
    select black_id as player_id, n_plies_black as n_plies from annotated_games
),
basis as (
    select player_id, sum(n_plies)::bigint as n_plies_annotated
    from half
    where player_id is not null
    group by player_id
),
counted as (
    select
        player_id,
        nag,
        count(*) as n,
        count(distinct cluster_id) as n_games,
    from symbols
    where player_id is not null
    group by player_id, nag
)
select
    player_id,
    name,
    nag,
    nags.symbol,
    n,
    counted.n_games,
    round(1000 * n / nullif(n_plies_annotated, 0), 2) as per_1000_plies,
    round(1000 * poisson_low(n) / nullif(n_plies_annotated, 0), 2) as per_1000_plies_low,
    round(1000 * poisson_high(n) / nullif(n_plies_annotated, 0), 2) as per_1000_plies_high,
    n_plies_annotated,
from counted
join basis using (player_id)
join players using (player_id)
join nags using (nag)
order by n desc, name, player_id, nag
