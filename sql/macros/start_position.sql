-- purpose: A start position without the counters of half-moves and moves, which differ from copy to copy.
-- parameters:
--   fen  VARCHAR  Start position as X-FEN; null = the initial position.
-- columns:
--   start_position  VARCHAR  Men, side to move, castling, en passant; null = the initial position.
select array_to_string(string_split(fen, ' ')[1:4], ' ')
