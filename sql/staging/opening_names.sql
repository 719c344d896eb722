-- purpose: A position that has a name as an opening. games.eco and games.opening are those of the last one that a game reaches.
-- grain:   position_id
-- columns:
--   position_id  BIGINT   Key of the position, as in opening_moves.
--   eco          VARCHAR  ECO code.
--   name         VARCHAR  Name of the opening.
--   moves        VARCHAR  Moves that lead there (SAN); there may be other ways.
--   source       VARCHAR  Where the name is from (tables/sources.csv).
select
    (('0x' || position_id)::ubigint::hugeint - case when position_id >= '8' then 18446744073709551616::hugeint else 0 end)::bigint
        as position_id,
    eco,
    name,
    moves,
    source,
from stored.opening_names
