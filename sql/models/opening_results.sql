-- purpose: The games that count in statistics of openings, each once.
-- grain:   game_id
-- step_of: openings
-- rule:    Distinct clean games of standard chess from the initial position, with moves and with a result that their copies agree
--          on (docs/rules.md §14).
-- columns:
--   game_id       VARCHAR       The chosen copy.
--   eco           VARCHAR       games.eco
--   opening       VARCHAR       games.opening
--   eco_written   VARCHAR       games.eco_written
--   year          SMALLINT      games.year
--   result        VARCHAR       duplicates.result
--   white_points  DECIMAL(2,1)  Points of White.
--   elo_mean      DOUBLE        Mean of both ratings; null when one is unknown.
select
    game_id,
    eco,
    opening,
    eco_written,
    year,
    chosen.result,
    case chosen.result when '1-0' then 1 when '0-1' then 0 else 0.5 end::decimal(2, 1) as white_points,
    (white_elo + black_elo) / 2::double as elo_mean,
from games
join duplicates as chosen using (game_id)
where
    chosen.is_chosen
    and status = 'clean'
    and kind = 'game'
    and variant = 'standard'
    and start_fen is null
    and n_plies > 0
    and chosen.result in ('1-0', '1/2-1/2', '0-1')
    and not chosen.is_result_conflict
    and not coalesce(games.is_result_conflict, false)
