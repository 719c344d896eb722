-- purpose: Every symbol stands at a half-move of an annotated game, and the phases of a game are its half-moves.
-- columns:
--   cluster_id   VARCHAR   Cluster of copies.
--   n_plies      INTEGER   Half-moves of the game; null when it is no annotated game.
--   n_in_phases  INTEGER   Half-moves of its phases.
--   last_ply     SMALLINT  Ply of its last symbol.
with marked as (
    select cluster_id, max(ply) as last_ply
    from symbols
    group by cluster_id
),
game as (
    select
        cluster_id,
        n_plies,
        n_plies_opening + n_plies_middlegame + n_plies_endgame as n_in_phases,
        least(n_plies_opening, n_plies_middlegame, n_plies_endgame, n_plies_white, n_plies_black) as least_part,
    from annotated_games
)
select
    cluster_id,
    n_plies,
    n_in_phases,
    last_ply,
from marked
full join game using (cluster_id)
where n_plies is distinct from n_in_phases or last_ply is null or last_ply > n_plies or least_part < 0
