-- purpose: A numeric annotation glyph: its usual sign and what it says.
-- grain:   nag
-- columns:
--   nag              SMALLINT  Number of the glyph, 0–255 (PGN standard 10).
--   symbol           VARCHAR   Sign that the number is usually printed as; `$n` when there is none.
--   kind             VARCHAR   What it speaks about: move, position, time, feature, remark, …
--   favours          VARCHAR   Side that it speaks well of: w, b, mover, opponent; null = neither.
--   favours_unnamed  VARCHAR   Side that it speaks well of when the sign as written names no side: mover; null = nobody knows.
--   side             VARCHAR   Side that the number names, w or b; null when it names none.
--   meaning          VARCHAR   Meaning in words.
--   source           VARCHAR   Where the meaning is defined (tables/sources.csv).
select
    cast(nag as smallint) as nag,
    symbol,
    kind,
    nullif(favours, '') as favours,
    nullif(favours_unnamed, '') as favours_unnamed,
    nullif(side, '') as side,
    meaning,
    source,
from stored.nags
