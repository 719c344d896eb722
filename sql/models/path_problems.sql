-- purpose: A live path with something to look at: unreadable, with bytes in quarantine, or with faults.
-- grain:   collection, path, source_id
-- step_of: source_problems
-- columns:
--   collection           VARCHAR  source_paths.collection
--   path                 VARCHAR  source_paths.path
--   source_id            VARCHAR  source_paths.source_id
--   status               VARCHAR  source_paths.status
--   n_bytes              BIGINT   source_paths.n_bytes
--   n_games              BIGINT   Games found; null when the source could not be read.
--   n_clean              BIGINT   Games proven to their end.
--   n_truncated          BIGINT   Games with a proven prefix.
--   n_rejected           BIGINT   Games of which nothing is proven.
--   n_faults             BIGINT   Faults in the source.
--   n_quirks             BIGINT   Quirks in the source.
--   main_fault           VARCHAR  Most frequent code of its faults; of several the first by sort; null without faults.
--   n_bytes_quarantined  BIGINT   Bytes in quarantine.
--   encoding             VARCHAR  Encoding that it was read with.
with path as (
    select
        collection,
        path,
        source_id,
        status,
        n_bytes,
    from source_paths
    where removed_at is null
),
code as (
    select
        source_id,
        code,
        severity,
        count(*) as n,
    from issues
    group by source_id, code, severity
),
problem as (
    select
        source_id,
        coalesce(sum(n) filter (severity = 'fault'), 0)::bigint as n_faults,
        coalesce(sum(n) filter (severity = 'quirk'), 0)::bigint as n_quirks,
        arg_min(code, (-n, code)) filter (severity = 'fault') as main_fault,
    from code
    group by source_id
),
source as (
    select
        source_id,
        n_games,
        n_clean,
        n_truncated,
        n_rejected,
        n_bytes_quarantined,
        encoding,
    from sources
)
select
    collection,
    path,
    source_id,
    status,
    n_bytes,
    n_games,
    n_clean,
    n_truncated,
    n_rejected,
    coalesce(n_faults, 0) as n_faults,
    coalesce(n_quirks, 0) as n_quirks,
    main_fault,
    n_bytes_quarantined,
    encoding,
from path
left join source using (source_id)
left join problem using (source_id)
where status <> 'ok' or n_bytes_quarantined > 0 or n_faults > 0
