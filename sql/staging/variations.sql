-- purpose: A variation of a game.
-- grain:   game_id, variation
-- columns:
--   game_id           VARCHAR
--   variation         SMALLINT
--   parent_variation  SMALLINT
--   branch_ply        SMALLINT
--   depth             SMALLINT
--   comment           VARCHAR
select
    game_id,
    variation,
    parent_variation,
    branch_ply,
    depth,
    comment,
from stored.variations
