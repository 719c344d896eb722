-- purpose: The numbers in plies.nags are the annotations of the half-move, ascending.
-- cost:    heavy
-- columns:
--   game_id    VARCHAR     Game.
--   variation  SMALLINT    Line.
--   ply        SMALLINT    Half-move.
--   nags       SMALLINT[]  Numbers in plies; null = none or no such half-move.
--   annotated  SMALLINT[]  Numbers in annotations; null = none.
with move as (
    select
        game_id,
        variation,
        ply,
        nags,
    from plies
    where nags is not null
),
mark as (
    select
        game_id,
        variation,
        ply,
        list(nag order by nag) as annotated,
    from annotations
    group by game_id, variation, ply
)
select
    game_id,
    variation,
    ply,
    nags,
    annotated,
from move
full join mark using (game_id, variation, ply)
where nags is distinct from annotated
