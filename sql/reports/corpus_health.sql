-- purpose: How much of the corpus is understood, against the run before: sources, bytes, games, copies, persons, symbols, issues.
-- grain:   measure
-- note:    A problem of a path is what source_problems lists; an unread path is one whose status is not ok.
-- columns:
--   measure   VARCHAR  What is counted.
--   n         BIGINT   How many.
--   pct       DOUBLE   Share of `of`, per cent; null when it is no share.
--   of        VARCHAR  The measure that pct refers to; null when it is no share.
--   n_before  BIGINT   How many there were in the catalog of the snapshot before; null when it is not known.
--   change    BIGINT   n - n_before.
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
    select
        count(*) as n,
        count(*) filter (status <> 'ok') as n_unread,
    from source_paths
    where removed_at is null
),
path_problem as (
    select count(*) as n from path_problems
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
                {ordinal: 2, measure: 'paths', n: path.n, whole: null, "of": null},
                {ordinal: 3, measure: 'paths with a problem', n: path_problem.n, whole: path.n, "of": 'paths'},
                {ordinal: 4, measure: 'unread paths', n: n_unread, whole: path.n, "of": 'paths'},
                {ordinal: 5, measure: 'bytes', n: n_bytes, whole: null, "of": null},
                {ordinal: 6, measure: 'bytes of clean games', n: n_bytes_games, whole: n_bytes, "of": 'bytes'},
                {ordinal: 7, measure: 'bytes in quarantine', n: n_bytes_quarantined, whole: n_bytes, "of": 'bytes'},
                {ordinal: 8, measure: 'bytes of filler', n: n_bytes_filler, whole: n_bytes, "of": 'bytes'},
                {ordinal: 9, measure: 'games', n: game.n, whole: null, "of": null},
                {ordinal: 10, measure: 'clean games', n: n_clean, whole: game.n, "of": 'games'},
                {ordinal: 11, measure: 'truncated games', n: n_truncated, whole: game.n, "of": 'games'},
                {ordinal: 12, measure: 'rejected games', n: n_rejected, whole: game.n, "of": 'games'},
                {ordinal: 13, measure: 'distinct games', n: n_distinct, whole: game.n, "of": 'games'},
                {ordinal: 14, measure: 'conflicting results', n: n_conflicts, whole: n_distinct, "of": 'distinct games'},
                {ordinal: 15, measure: 'half-moves', n: n_plies, whole: null, "of": null},
                {ordinal: 16, measure: 'symbols', n: symbol.n, whole: null, "of": null},
                {ordinal: 17, measure: 'persons', n: person.n, whole: null, "of": null},
                {ordinal: 18, measure: 'faults', n: n_faults, whole: null, "of": null},
                {ordinal: 19, measure: 'quirks', n: n_quirks, whole: null, "of": null},
            ]
        ) as item,
    from source
    cross join game
    cross join path
    cross join path_problem
    cross join copy
    cross join issue
    cross join person
    cross join symbol
),
former as (
    select
        measure,
        n,
    from health
    cross join about
    where health.snapshot < about.snapshot
)
select
    line.item.measure,
    line.item.n::bigint as n,
    round(100 * line.item.n / nullif(line.item.whole, 0)::double, 2) as pct,
    line.item."of",
    former.n as n_before,
    line.item.n::bigint - former.n as change,
from line
left join former on line.item.measure = former.measure
order by line.item.ordinal
