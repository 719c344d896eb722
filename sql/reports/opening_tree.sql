-- purpose: The moves that were made in a position, with what came of them.
-- grain:   san
-- note:    FEN of the initial position when none is given. A row's key leads on: position_key of the FEN after the move.
-- important: san, n, score_pct, n_pct
-- empty:   No game of the lake made a move in this position in its first 30 half-moves, or none of them has an agreed result.
-- parameters:
--   fen  VARCHAR = 'rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1'  The position in FEN.
-- columns:
--   san          VARCHAR   The move (SAN).
--   n            BIGINT    Games in which it was made in this position, whatever the way there.
--   n_pct        DOUBLE    Their share of the games from this position, per cent.
--   n_white      BIGINT    Games that White won.
--   n_draws      BIGINT    Drawn games.
--   n_black      BIGINT    Games that Black won.
--   score_pct    DOUBLE    White's points per game, per cent.
--   elo_avg      DOUBLE    opening_moves.elo_avg
--   year_first   SMALLINT  opening_moves.year_first
--   year_last    SMALLINT  opening_moves.year_last
--   position_id  BIGINT    opening_moves.position_id
--   fen          VARCHAR   The position, as it was given.
select
    san,
    n,
    round(100.0 * n / sum(n) over (), 2) as n_pct,
    n_white,
    n_draws,
    n_black,
    round(100.0 * (n_white + n_draws / 2) / n, 2) as score_pct,
    elo_avg,
    year_first,
    year_last,
    position_id,
    fen as fen,
from opening_moves
where position_id = position_key(fen)
order by n desc, san
