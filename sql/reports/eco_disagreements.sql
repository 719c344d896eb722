-- purpose: Where the ECO code in the tags is not the one of the position, by pair of codes.
-- grain:   eco_written, eco
-- note:    Both may be defensible: tags follow other tables, or the moves as they were made. Copies are counted once.
-- columns:
--   eco_written     VARCHAR  games.eco_written
--   eco             VARCHAR  games.eco
--   opening         VARCHAR  The most frequent name of an opening among these games.
--   is_same_family  BOOLEAN  True when both codes have the same letter.
--   n               BIGINT   Games with this pair of codes.
--   n_written       BIGINT   Games with this written code and a code by position.
--   n_pct           DOUBLE   Share of this pair among those, per cent.
--   game_id         VARCHAR  One of the games.
with game as (
    select
        game_id,
        eco_written,
        eco,
        opening,
    from games
    join duplicates using (game_id)
    where is_chosen and eco_written is not null and eco is not null
),
pair as (
    select
        eco_written,
        eco,
        count(*) as n,
        min(game_id) as game_id,
    from game
    group by eco_written, eco
),
named as (
    select
        eco_written,
        eco,
        opening,
        row_number() over (partition by eco_written, eco order by count(*) desc, opening) as place,
    from game
    where eco_written <> eco
    group by eco_written, eco, opening
),
share as (
    select
        *,
        sum(n) over (partition by eco_written) as n_written,
    from pair
)
select
    eco_written,
    eco,
    opening,
    left(eco_written, 1) = left(eco, 1) as is_same_family,
    n,
    n_written::bigint as n_written,
    round(100.0 * n / n_written, 2) as n_pct,
    game_id,
from share
join named using (eco_written, eco)
where place = 1 and eco_written <> eco
order by n desc, eco_written, eco
