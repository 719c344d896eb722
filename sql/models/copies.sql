-- purpose: Which games are copies of one another. `duplicates` chooses among them.
-- grain:   game_id
-- rule:    Copies have the same start and moves (games without moves: the same event and round), players of whom one may be
--          unknown or abbreviated, and dates that agree where both are known. Two known rounds of one event are never one
--          game. A copy that could belong to two different games stays apart; a name that over 100 persons share links nothing.
--          Results may disagree.
-- columns:
--   game_id     VARCHAR  Game.
--   cluster_id  VARCHAR  Cluster of copies: the smallest game_id in it.
with game as (
    select
        game_id,
        n_plies,
        white_key,
        black_key,
        year,
        month,
        day,
        lower(trim(event)) as event,
        case when round_major is null then nullif(nullif(round, '?'), '-') else round_major::varchar end as round,
        round_minor,
        case
            when n_plies > 0 then content_id
            when status = 'clean' and white_key is not null and black_key is not null
                then 'no moves, round ' || round || ' of ' || event
        end as content,
        hash(white_key, black_key, year, month, day, event, round, round_minor) as claim,
    from games
),
line as (
    select
        content,
        min(game_id) as cluster_id,
        min(claim) <> max(claim) as is_contested,
    from game
    where content is not null
    group by content
),
contested as (
    select
        game_id,
        content,
        white_key,
        black_key,
        year,
        month,
        day,
        event,
        round,
        round_minor,
    from game
    join line using (content)
    where is_contested
),
side as (
    select content, 'w' as color, white_key as key from contested
    union
    select content, 'b' as color, black_key as key from contested
),
token as (
    select content, color, key, token
    from (select content, color, key, unnest(string_split(key, ' ')) as token from side) as word
    where len(token) > 1
    qualify count(*) over (partition by content, color, token) <= 100
),
abbreviation as (
    select distinct content, color, short.key as key, full_name.key as full_key
    from token as short
    join token as full_name using (content, color, token)
    where short.key <> full_name.key and name_abbreviates(short.key, full_name.key)
),
full_side as (
    select content, color, key as full_key
    from side
    anti join abbreviation using (content, color, key)
    where key is not null
),
only_reading as (
    select content, color, key, min(full_key) as full_key
    from abbreviation
    semi join full_side using (content, color, full_key)
    group by content, color, key
    having count(*) = 1
    union all
    select content, color, null as key, min(full_key) as full_key
    from full_side
    group by content, color
    having count(*) = 1
),
named as (
    select
        contested.* exclude (white_key, black_key),
        coalesce(w.full_key, white_key) as white,
        coalesce(b.full_key, black_key) as black,
    from contested
    left join only_reading as w on contested.content = w.content and w.color = 'w' and white_key is not distinct from w.key
    left join only_reading as b on contested.content = b.content and b.color = 'b' and black_key is not distinct from b.key
),
in_year as (
    select
        * replace (coalesce(year, case when min(year) over pair = max(year) over pair then min(year) over pair end) as year),
    from named
    window pair as (partition by content, white, black)
),
in_month as (
    select
        * replace (coalesce(month, case when min(month) over pair = max(month) over pair then min(month) over pair end) as month),
    from in_year
    window pair as (partition by content, white, black, year)
),
dated as (
    select
        * replace (coalesce(day, case when min(day) over pair = max(day) over pair then min(day) over pair end) as day),
    from in_month
    window pair as (partition by content, white, black, year, month)
),
in_event as (
    select
        *,
        min(round) over (partition by content, white, black, year, month, day, event)
        <> max(round) over (partition by content, white, black, year, month, day, event)
        or min(round_minor) over (partition by content, white, black, year, month, day, event, round)
        <> max(round_minor) over (partition by content, white, black, year, month, day, event, round) as is_split,
    from dated
),
in_rounds as (
    select
        *,
        bool_or(is_split) over (partition by content, white, black, year, month, day) as has_rounds,
    from in_event
),
settled as (
    select
        game_id,
        min(game_id) over (
            partition by
                content,
                white,
                black,
                year,
                month,
                day,
                case when has_rounds then round end,
                case when has_rounds then round_minor end
        ) as cluster_id,
    from in_rounds
)
select
    game_id,
    coalesce(settled.cluster_id, line.cluster_id, game_id) as cluster_id,
from game
left join line using (content)
left join settled using (game_id)
