-- purpose: How much of the corpus is understood: sources, bytes, games, copies, persons, symbols, issues.
-- grain:   measure
-- columns:
--   measure  VARCHAR  What is counted.
--   n        BIGINT   How many.
--   pct      DOUBLE   Share of `of`, per cent; null when it is no share.
--   of       VARCHAR  The measure that pct refers to; null when it is no share.
with source as (
    select
        count(*) as n,
        coalesce(sum(n_bytes), 0) as n_bytes,
        coalesce(sum(n_bytes_games), 0) as n_bytes_games,
        coalesce(sum(n_bytes_quarantined), 0) as n_bytes_quarantined,
        coalesce(sum(n_bytes_filler), 0) as n_bytes_filler,
    from sources
),
game as (
    select
        count(*) as n,
        count(*) filter (status = 'clean') as n_clean,
        count(*) filter (status = 'truncated') as n_truncated,
        count(*) filter (status = 'rejected') as n_rejected,
        coalesce(sum(n_plies), 0) as n_plies,
    from games
),
path as (
    select count(*) filter (status <> 'ok') as n_bad from source_paths where removed_at is null
),
copy as (
    select
        count(*) filter (is_chosen) as n_distinct,
        count(distinct cluster_id) filter (is_result_conflict) as n_conflicts,
    from duplicates
),
issue as (
    select
        count(*) filter (severity = 'fault') as n_faults,
        count(*) filter (severity = 'quirk') as n_quirks,
    from issues
),
person as (
    select count(*) as n from players
),
symbol as (
    select count(*) as n from annotations
),
line as (
    select
        unnest(
            [
                {ordinal: 1, measure: 'sources', n: source.n, whole: null::hugeint, "of": null::varchar},
                {ordinal: 2, measure: 'paths with a problem', n: path.n_bad, whole: null, "of": null},
                {ordinal: 3, measure: 'bytes', n: n_bytes, whole: null, "of": null},
                {ordinal: 4, measure: 'bytes of clean games', n: n_bytes_games, whole: n_bytes, "of": 'bytes'},
                {ordinal: 5, measure: 'bytes in quarantine', n: n_bytes_quarantined, whole: n_bytes, "of": 'bytes'},
                {ordinal: 6, measure: 'bytes of filler', n: n_bytes_filler, whole: n_bytes, "of": 'bytes'},
                {ordinal: 7, measure: 'games', n: game.n, whole: null, "of": null},
                {ordinal: 8, measure: 'clean games', n: n_clean, whole: game.n, "of": 'games'},
                {ordinal: 9, measure: 'truncated games', n: n_truncated, whole: game.n, "of": 'games'},
                {ordinal: 10, measure: 'rejected games', n: n_rejected, whole: game.n, "of": 'games'},
                {ordinal: 11, measure: 'distinct games', n: n_distinct, whole: game.n, "of": 'games'},
                {ordinal: 12, measure: 'conflicting results', n: n_conflicts, whole: n_distinct, "of": 'distinct games'},
                {ordinal: 13, measure: 'half-moves', n: n_plies, whole: null, "of": null},
                {ordinal: 14, measure: 'symbols', n: symbol.n, whole: null, "of": null},
                {ordinal: 15, measure: 'persons', n: person.n, whole: null, "of": null},
                {ordinal: 16, measure: 'faults', n: n_faults, whole: null, "of": null},
                {ordinal: 17, measure: 'quirks', n: n_quirks, whole: null, "of": null},
            ]
        ) as item,
    from source
    cross join game
    cross join path
    cross join copy
    cross join issue
    cross join person
    cross join symbol
)
select
    item.measure,
    item.n::bigint as n,
    round(100 * item.n / nullif(item.whole, 0)::double, 2) as pct,
    item."of",
from line
order by item.ordinal
