-- purpose: How often each symbol stands after a person's moves, in the person's annotated games.
-- grain:   player_id, nag
-- columns:
--   player_id          VARCHAR   Person who made the moves.
--   name               VARCHAR   players.name
--   nag                SMALLINT  Numeric annotation glyph.
--   symbol             VARCHAR   nags.symbol
--   n                  BIGINT    Symbols after moves of this person.
--   n_games            BIGINT    Distinct games of this person that have it.
--   per_1000_plies     DOUBLE    Symbols per 1,000 half-moves of n_plies_annotated.
--   n_plies_annotated  BIGINT    This person's own half-moves in games that carry at least one symbol: the basis of the rate.
with symbol as (
    select
        player_id,
        nag,
        cluster_id,
    from symbols
),
game as (
    select
        game_id,
        n_plies // 2 as n_half,
        n_plies % 2 as n_odd,
        case when is_white_first then 'w' else 'b' end as first_color,
    from games_distinct
    semi join symbol using (cluster_id)
),
basis as (
    select
        player_id,
        sum(n_half + case when color = first_color then n_odd else 0 end)::bigint as n_plies_annotated,
    from game
    join game_players using (game_id)
    group by player_id
),
counted as (
    select
        player_id,
        nag,
        count(*) as n,
        count(distinct cluster_id) as n_games,
    from symbol
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
    n_plies_annotated,
from counted
join basis using (player_id)
join players using (player_id)
join nags using (nag)
order by n desc, name, player_id, nag
