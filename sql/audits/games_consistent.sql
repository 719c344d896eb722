-- purpose: The columns of a game agree with one another: moves with their number, dates with their parts.
-- columns:
--   game_id  VARCHAR  Game.
--   problem  VARCHAR  What is wrong.
with game as (
    select
        game_id,
        status,
        n_plies,
        movetext,
        content_id,
        year,
        month,
        day,
        date,
        white_key,
        black_key,
        white,
        black,
    from games
),
checked as (
    select
        game_id,
        case
            when (n_plies > 0) <> (content_id is not null) then 'content_id is for games with moves'
            when n_plies <> coalesce(len(string_split(movetext, ' ')), 0) then 'n_plies is not the length of movetext'
            when status = 'truncated' and n_plies = 0 then 'truncated without a proven move'
            when status = 'rejected' and n_plies > 0 then 'rejected with proven moves'
            when concat_ws('-', year(date), month(date), day(date)) not in ('', concat_ws('-', year, month, day)) then 'bad date'
            when coalesce(month, 1) not between 1 and 12 or coalesce(day, 1) not between 1 and 31 then 'bad date'
            when white is null and white_key is not null or black is null and black_key is not null then 'a key without a name'
        end as problem,
    from game
)
select
    game_id,
    problem,
from checked
where problem is not null
