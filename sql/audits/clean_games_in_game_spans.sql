-- purpose: A clean game lies in a span of kind game.
-- columns:
--   game_id     VARCHAR  Clean game outside of such a span.
--   source_id   VARCHAR  Its source.
--   byte_start  BIGINT   Its first byte.
--   byte_end    BIGINT   The byte after it.
with game as (
    select
        game_id,
        source_id,
        byte_start,
        byte_end,
    from games
    where status = 'clean'
),
span as (
    select
        source_id,
        byte_start as span_start,
        byte_end as span_end,
    from spans
    where kind = 'game' and byte_end > byte_start
)
select
    game_id,
    game.source_id,
    byte_start,
    byte_end,
from game
asof left join span on game.source_id = span.source_id and game.byte_start >= span.span_start
where span_end is null or byte_end > span_end
