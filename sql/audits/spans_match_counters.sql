-- purpose: The spans of each kind add up to the counters of their source, which exists.
-- columns:
--   source_id            VARCHAR  Source, or what spans name as theirs.
--   n_bytes_games        BIGINT   Counter of the source.
--   in_spans             BIGINT   Bytes of its spans of kind game.
--   n_bytes_quarantined  BIGINT   Counter of the source.
--   in_quarantine        BIGINT   Bytes of its spans of kind quarantine.
with span as (
    select
        source_id,
        coalesce(sum(byte_end - byte_start) filter (kind = 'game'), 0)::bigint as in_spans,
        coalesce(sum(byte_end - byte_start) filter (kind = 'quarantine'), 0)::bigint as in_quarantine,
    from spans
    group by source_id
),
source as (
    select source_id, n_bytes, n_bytes_games, n_bytes_quarantined from sources
)
select
    source_id,
    n_bytes_games,
    in_spans,
    n_bytes_quarantined,
    in_quarantine,
from source
full join span using (source_id)
where coalesce(in_spans, 0) is distinct from n_bytes_games or coalesce(in_quarantine, 0) is distinct from n_bytes_quarantined
