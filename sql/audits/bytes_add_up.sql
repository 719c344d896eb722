-- purpose: The bytes of clean games, of quarantine and of filler add up to the bytes of the source.
-- columns:
--   source_id  VARCHAR  Source whose bytes do not add up.
--   path       VARCHAR  Its first path.
--   n_bytes    BIGINT   Bytes of the source.
--   n_counted  BIGINT   Sum of the three counters.
select
    source_id,
    path,
    n_bytes,
    n_bytes_games + n_bytes_quarantined + n_bytes_filler as n_counted,
from sources
where n_bytes_games + n_bytes_quarantined + n_bytes_filler is distinct from n_bytes
