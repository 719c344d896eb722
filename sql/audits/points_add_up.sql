-- purpose: The two sides of a scored game have one point together, none after 0-0.
-- columns:
--   game_id  VARCHAR        Game.
--   result   VARCHAR        Result of its cluster.
--   n_sides  BIGINT         Rows in player_games.
--   points   DECIMAL(38,1)  Their points together.
with side as (
    select
        game_id,
        count(*) as n_sides,
        sum(points) as points,
        bool_or(is_scored) as is_scored,
    from player_games
    group by game_id
),
chosen as (
    select game_id, result from duplicates where is_chosen
)
select
    game_id,
    result,
    n_sides,
    points,
from chosen
join side using (game_id)
where n_sides > 2 or (n_sides = 2 and is_scored and points <> case when result = '0-0' then 0 else 1 end)
