-- purpose: The counters of a source equal its games.
-- columns:
--   source_id  VARCHAR  Source, or what games name as theirs.
--   stated     VARCHAR  Games, clean, truncated, rejected and half-moves by the source's counters; null = no such source.
--   counted    VARCHAR  The same, counted in games.
with source as (
    select
        source_id,
        concat_ws(' ', n_games, n_clean, n_truncated, n_rejected, n_plies) as stated,
    from sources
),
game as (
    select
        source_id,
        concat_ws(
            ' ',
            count(*),
            count(*) filter (status = 'clean'),
            count(*) filter (status = 'truncated'),
            count(*) filter (status = 'rejected'),
            sum(n_plies)
        ) as counted,
    from games
    group by source_id
)
select
    source_id,
    stated,
    coalesce(counted, '0 0 0 0 0') as counted,
from source
full join game using (source_id)
where stated is distinct from coalesce(counted, '0 0 0 0 0')
