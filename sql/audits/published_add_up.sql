-- purpose: Points of published scores are wins and half the draws, where both are written; names and persons go together.
-- columns:
--   published_id  VARCHAR  Published score.
--   written       VARCHAR  The score as written.
--   points        VARCHAR  Points of the player.
--   series        VARCHAR  Wins, losses and draws.
select
    published_id,
    written,
    points::varchar as points,
    series_text(wins, losses, draws) as series,
from published_results
where
    points <> wins + draws / 2
    or opponent_points <> losses + draws / 2
    or n < 2
    or (player is null) <> (opponent is null)
    or (player is null and player_id is not null)
