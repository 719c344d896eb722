-- purpose: No person plays both sides of a game.
-- columns:
--   game_id    VARCHAR  Game.
--   player_id  VARCHAR  Person on both sides.
select
    game_id,
    player_id,
from game_players
group by game_id, player_id
having count(*) > 1
