-- purpose: Who annotated games: the key that symbols have, and the name.
-- grain:   annotator_key
-- materialized: table
-- columns:
--   annotator_key   VARCHAR  games.annotator_key
--   annotator       VARCHAR  The most frequent written form of the name; of several the first by sort.
--   n_games         BIGINT   Distinct games with at least one symbol of this annotator.
--   n_plies         BIGINT   Half-moves in the main lines of these games.
--   as_of_snapshot  BIGINT   Snapshot that the row was computed for.
with written as (
    select
        annotator_key,
        annotator,
        count(*) as n,
    from games
    where annotator_key is not null
    group by annotator_key, annotator
),
named as (
    select annotator_key, arg_min(annotator, (-n, annotator)) as annotator
    from written
    group by annotator_key
),
marked as (
    select distinct annotator_key, cluster_id
    from symbols
    where annotator_key is not null
),
tally as (
    select
        annotator_key,
        count(*) as n_games,
        sum(n_plies)::bigint as n_plies,
    from marked
    join annotated_games using (cluster_id)
    group by annotator_key
)
select
    annotator_key,
    annotator,
    coalesce(n_games, 0) as n_games,
    coalesce(n_plies, 0) as n_plies,
    (select snapshot from about) as as_of_snapshot,
from named
left join tally using (annotator_key)
order by annotator_key
