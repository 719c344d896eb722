-- purpose: A symbol after a move.
-- grain:   game_id, variation, ply, nag
-- columns:
--   game_id      VARCHAR
--   variation    SMALLINT
--   ply          SMALLINT
--   mover_color  VARCHAR
--   nag          SMALLINT
--   glyph        VARCHAR
--   side         VARCHAR
--   line_id      VARCHAR
select
    game_id,
    variation,
    ply,
    mover_color,
    nag,
    glyph,
    side,
    line_id,
from stored.annotations
