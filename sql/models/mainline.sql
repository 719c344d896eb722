-- purpose: A half-move of the main line of a distinct clean game: the plies to count.
-- grain:   game_id, ply
-- columns:
--   game_id          VARCHAR     plies.game_id
--   ply              SMALLINT    plies.ply
--   move_number      SMALLINT    plies.move_number
--   color            VARCHAR     plies.color
--   san              VARCHAR     plies.san
--   uci              VARCHAR     plies.uci
--   written          VARCHAR     plies.written
--   nags             SMALLINT[]  plies.nags
--   comment_before   VARCHAR     plies.comment_before
--   comment          VARCHAR     plies.comment
--   clock_seconds    DOUBLE      plies.clock_seconds
--   elapsed_seconds  DOUBLE      plies.elapsed_seconds
--   eval_cp          INTEGER     plies.eval_cp
--   eval_mate        SMALLINT    plies.eval_mate
--   decided_by       VARCHAR     plies.decided_by
with chosen as (
    select game_id
    from duplicates
    semi join (from games where status = 'clean') as clean using (game_id)
    where is_chosen
)
select
    game_id,
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
from plies
semi join chosen using (game_id)
where variation = 0
