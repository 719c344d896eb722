-- purpose: The spans of a source cover its bytes from first to last, without gap or overlap.
-- columns:
--   source_id   VARCHAR  Source.
--   byte_start  BIGINT   Where a span starts, or the end of the source.
--   expected    BIGINT   Where it should start: where the span before ends.
with span as (
    select source_id, byte_start, byte_end from spans where byte_end > byte_start
    union all
    select source_id, n_bytes as byte_start, null as byte_end from sources
),
step as (
    select
        source_id,
        byte_start,
        coalesce(lag(byte_end) over (partition by source_id order by byte_start, byte_end nulls last), 0) as expected,
    from span
)
select
    source_id,
    byte_start,
    expected,
from step
where byte_start <> expected
