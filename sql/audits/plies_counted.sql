-- purpose: The main line of a game has n_plies half-moves, numbered from 1 without gap, and they are its movetext.
-- cost:    heavy
-- columns:
--   game_id    VARCHAR  Game, or what plies name as theirs.
--   n_plies    INTEGER  Half-moves by games; null = no such game.
--   n_rows     BIGINT   Rows of the main line in plies.
--   problem    VARCHAR  What is wrong.
with game as (
    select
        game_id,
        n_plies,
        movetext,
    from games
),
line as (
    select
        game_id,
        count(*) as n_rows,
        min(ply) as first_ply,
        max(ply) as last_ply,
        string_agg(san, ' ' order by ply) as movetext,
    from plies
    where variation = 0
    group by game_id
)
select
    game_id,
    n_plies,
    coalesce(n_rows, 0) as n_rows,
    case
        when n_plies is null then 'no such game'
        when n_plies <> coalesce(n_rows, 0) then 'wrong number of half-moves'
        when first_ply <> 1 or last_ply <> n_rows then 'half-moves are not numbered from 1'
        else 'movetext is not what plies say'
    end as problem,
from game
full join line using (game_id)
where
    n_plies is distinct from coalesce(n_rows, 0)
    or first_ply <> 1
    or last_ply <> n_rows
    or game.movetext is distinct from line.movetext
