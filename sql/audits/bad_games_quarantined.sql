-- purpose: A game is in quarantine exactly when it is not clean, whole.
-- columns:
--   game_id  VARCHAR  Game.
--   status   VARCHAR  Its status.
--   problem  VARCHAR  What is wrong.
with game as (
    select
        game_id,
        status,
        byte_start,
        byte_end,
    from games
),
range as (
    select
        game_id,
        byte_start as range_start,
        byte_end as range_end,
    from quarantine
    where game_id is not null and state <> 'resolved'
)
select
    game_id,
    status,
    case
        when status = 'clean' then 'clean, but in quarantine'
        when range_start is null then 'not clean, but not in quarantine'
        else 'only a part is in quarantine'
    end as problem,
from game
left join range using (game_id)
where (status = 'clean') = (range_start is not null) or range_start > byte_start or range_end < byte_end
