-- purpose: What an engine said before and after a move of an annotated game, and the sign that the move got.
-- grain:   cluster_id, ply, nag
-- step_of: eval_at_signs
-- materialized: table
-- rule:    From `[%eval]` in the first copy that has any, the chosen one before others. Evaluations are cut to 1,000 centipawns,
--          and a mate counts as much (as Lichess counts the loss of a move). Moves without an evaluation before or after them are
--          left out, and games without a symbol. A move with several signs has several rows, one without any has one.
-- columns:
--   cluster_id      VARCHAR   Cluster of copies.
--   game_id         VARCHAR   The copy that has the evaluations.
--   ply             SMALLINT  Half-move.
--   mover_color     VARCHAR   Who made the move: w or b.
--   cp_before       INTEGER   Evaluation before the move, the mover's view, centipawns, cut to ±1,000.
--   cp_after        INTEGER   Evaluation after the move, the mover's view, centipawns, cut to ±1,000.
--   drop_cp         INTEGER   By how much it became worse for the mover, centipawns; negative when it became better.
--   nag             SMALLINT  Sign of the move, 1 to 6 (! ? !! ?? !? ?!); null when it has none of them.
--   as_of_snapshot  BIGINT    Snapshot that the row was computed for.
with evaluated as (
    select
        game_id,
        ply,
        color as mover_color,
        eval_cp,
        eval_mate,
    from plies
    where variation = 0 and (eval_cp is not null or eval_mate is not null)
),
copy as (
    select game_id, cluster_id, is_chosen
    from duplicates
    semi join annotated_games using (cluster_id)
    semi join (from games where status = 'clean') as clean using (game_id)
),
chosen as (
    select cluster_id, arg_min(game_id, (not is_chosen, game_id)) as game_id
    from copy
    semi join evaluated using (game_id)
    group by cluster_id
),
cut as (
    select
        cluster_id,
        game_id,
        ply,
        mover_color,
        case mover_color when 'w' then 1 else -1 end as sign,
        case
            when eval_mate = 0 then case mover_color when 'w' then 1000 else -1000 end
            when eval_mate is not null then 1000 * sign(eval_mate)
            else greatest(-1000, least(1000, eval_cp))
        end::int as cp,
    from evaluated
    join chosen using (game_id)
),
following as (
    select
        *,
        lag(cp) over game as cp_then,
        lag(ply) over game as ply_then,
    from cut
    window game as (partition by cluster_id order by ply)
),
signed as (
    select distinct cluster_id, ply, nag
    from symbols
    where nag between 1 and 6
)
select
    cluster_id,
    game_id,
    ply,
    mover_color,
    sign * cp_then as cp_before,
    sign * cp as cp_after,
    sign * (cp_then - cp) as drop_cp,
    nag,
    (select snapshot from about) as as_of_snapshot,
from following
left join signed using (cluster_id, ply)
where ply_then = ply - 1
order by cluster_id, ply, nag nulls last
