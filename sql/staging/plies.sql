-- purpose: A half-move that the board proved, of the main line or a variation.
-- grain:   game_id, variation, ply
-- columns:
--   game_id          VARCHAR
--   variation        SMALLINT
--   ply              SMALLINT
--   move_number      SMALLINT
--   color            VARCHAR
--   san              VARCHAR
--   uci              VARCHAR
--   written          VARCHAR
--   nags             SMALLINT[]
--   comment_before   VARCHAR
--   comment          VARCHAR
--   clock_seconds    DOUBLE
--   elapsed_seconds  DOUBLE
--   eval_cp          INTEGER
--   eval_mate        SMALLINT
--   decided_by       VARCHAR
select
    game_id,
    variation,
    ply,
    move_number,
    color,
    san,
    uci,
    written,
    nags,
    comment_before,
    comment,
    clock_seconds,
    elapsed_seconds,
    eval_cp,
    eval_mate,
    decided_by,
from stored.plies
