-- purpose: The half-moves of a variation belong to a row of variations, begin where it branches off and have no gap.
-- cost:    heavy
-- columns:
--   game_id     VARCHAR   Game.
--   variation   SMALLINT  Variation.
--   branch_ply  SMALLINT  Half-move that it replaces; null = no row in variations.
--   first_ply   SMALLINT  Its first half-move.
--   last_ply    SMALLINT  Its last half-move.
--   n_rows      BIGINT    Its rows in plies.
with line as (
    select
        game_id,
        variation,
        min(ply) as first_ply,
        max(ply) as last_ply,
        count(*) as n_rows,
    from plies
    where variation > 0
    group by game_id, variation
),
branch as (
    select game_id, variation, branch_ply from variations
)
select
    game_id,
    variation,
    branch_ply,
    first_ply,
    last_ply,
    n_rows,
from line
left join branch using (game_id, variation)
where branch_ply is distinct from first_ply or n_rows <> last_ply - first_ply + 1
