-- purpose: A tag pair as written.
-- grain:   game_id, ordinal
-- columns:
--   game_id  VARCHAR   Game that the tag pair belongs to.
--   ordinal  BIGINT    Position among the tag pairs of its game, from 1.
--   name     VARCHAR   Name as written; a repeated tag has a row each time.
--   value    VARCHAR   Value, unescaped.
select
    game_id,
    unnest(range(1, len(tag_names) + 1)) as ordinal,
    unnest(tag_names) as name,
    unnest(tag_values) as value,
from stored.games
