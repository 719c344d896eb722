-- purpose: Live paths with something to look at: unreadable, or with games that are not clean. Worst first.
-- grain:   collection, path, source_id
-- columns:
--   path                 VARCHAR  source_paths.path
--   status               VARCHAR  source_paths.status
--   n_games              BIGINT   Games found; null when the source could not be read.
--   n_clean              BIGINT   Games proven to their end.
--   n_truncated          BIGINT   Games with a proven prefix.
--   n_rejected           BIGINT   Games of which nothing is proven.
--   n_faults             BIGINT   Faults in the source.
--   n_quirks             BIGINT   Quirks in the source.
--   main_fault           VARCHAR  Most frequent code of its faults; of several the first by sort; null without faults.
--   n_bytes_quarantined  BIGINT   Bytes in quarantine.
--   quarantined_pct      DOUBLE   Their share of the source, per cent.
--   encoding             VARCHAR  Encoding that it was read with.
--   collection           VARCHAR  source_paths.collection
--   source_id            VARCHAR  source_paths.source_id
select
    path,
    status,
    n_games,
    n_clean,
    n_truncated,
    n_rejected,
    n_faults,
    n_quirks,
    main_fault,
    n_bytes_quarantined,
    round(100 * n_bytes_quarantined / nullif(n_bytes, 0), 1) as quarantined_pct,
    encoding,
    collection,
    source_id,
from path_problems
order by (status <> 'ok') desc, n_bytes_quarantined desc nulls last, n_faults desc, collection, path, source_id
