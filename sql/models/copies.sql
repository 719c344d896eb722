-- purpose: Which games are copies of one another. `duplicates` chooses among them.
-- grain:   game_id
-- rule:    Copies have the same start and moves (games without moves: the same event and round), players of whom one may be
--          unknown or abbreviated, and dates that agree where both are known. Two known rounds of one event are never one
--          game. A copy that could belong to two different games stays apart; a name that over 100 persons share links nothing.
--          A truncated game is also a copy of the only longer one that begins with its moves, if both name both players and
--          round and event are the same, or 30 plies are: of 33,265 games of 40 plies or more, 10 % share the first 10 with
--          another game of the same two players, 0.5 % the first 30. A clean shorter game is another score. Results may disagree.
-- columns:
--   game_id     VARCHAR  Game.
--   cluster_id  VARCHAR  Cluster of copies: the smallest game_id in it.
with game as (
    select
        game_id,
        status,
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
),
same_line as materialized (
    select
        game_id,
        status,
        n_plies,
        white_key,
        black_key,
        year,
        month,
        day,
        event,
        round,
        round_minor,
        coalesce(settled.cluster_id, line.cluster_id, game_id) as cluster_id,
    from game
    left join line using (content)
    left join settled using (game_id)
),
ended as (
    select cluster_id from same_line where status = 'clean'
),
cut as materialized (
    select *
    from same_line
    anti join ended using (cluster_id)
    where status = 'truncated' and white_key is not null and black_key is not null
),
cut_key as (
    select white_key as key from cut
    union
    select black_key as key from cut
),
cut_word as (
    select key, word
    from (select key, unnest(string_split(key, ' ')) as word from cut_key) as word
    where len(word) > 1
),
person as (
    select white_key as key from game
    union
    select black_key as key from game
),
person_word as (
    select key, word
    from (select key, unnest(string_split(key, ' ')) as word from person) as word
    semi join cut_word using (word)
    qualify count(*) over (partition by word) <= 100
),
cut_name as (
    select key, key as other_key from cut_key
    union
    select cut_word.key, person_word.key as other_key
    from cut_word
    join person_word using (word)
    where name_abbreviates(cut_word.key, person_word.key) or name_abbreviates(person_word.key, cut_word.key)
),
cut_pair as (
    select cut.*, white.other_key as other_white, black.other_key as other_black
    from cut
    join cut_name as white on cut.white_key = white.key
    join cut_name as black on cut.black_key = black.key
),
likely as materialized (
    select
        cut_pair.game_id as cut_game_id,
        cut_pair.cluster_id as cut_id,
        whole.game_id as whole_game_id,
        whole.cluster_id as whole_id,
    from cut_pair
    join same_line as whole
        on
            other_white = whole.white_key
            and other_black = whole.black_key
            and cut_pair.n_plies < whole.n_plies
    where
        coalesce(cut_pair.year = whole.year, true)
        and coalesce(cut_pair.month = whole.month, true)
        and coalesce(cut_pair.day = whole.day, true)
        and case
            when cut_pair.event is distinct from whole.event then cut_pair.n_plies >= 30
            when cut_pair.round <> whole.round then false
            when cut_pair.round_minor <> whole.round_minor then false
            else
                cut_pair.n_plies >= 30
                or (
                    cut_pair.event is not null
                    and cut_pair.round is not null
                    and whole.round is not null
                    and cut_pair.round_minor is not distinct from whole.round_minor
                )
        end
),
likely_game as (
    select cut_game_id as game_id from likely
    union
    select whole_game_id as game_id from likely
),
score as materialized (
    select game_id, movetext, start_fen, variant
    from games
    semi join likely_game using (game_id)
),
likely_score as materialized (
    select
        cut_id,
        whole_id,
        whole_game_id,
        movetext || ' ' as beginning,
        start_fen as cut_start_fen,
        variant as cut_variant,
    from likely
    join score on cut_game_id = score.game_id
),
fit as materialized (
    select distinct cut_id, whole_id
    from likely_score
    join score on whole_game_id = score.game_id
    where
        starts_with(movetext, beginning)
        and start_fen is not distinct from cut_start_fen
        and variant is not distinct from cut_variant
),
only_whole as (
    select cut_id, min(whole_id) as whole_id
    from fit
    anti join fit as of_longer on fit.whole_id = of_longer.cut_id
    group by cut_id
    having count(*) = 1
),
part as materialized (
    select cut_id as cluster_id, whole_id from only_whole
    union
    select whole_id as cluster_id, whole_id from only_whole
),
member as (
    select
        whole_id,
        white_key,
        black_key,
        year,
        month,
        day,
        event,
        round,
        round_minor,
    from same_line
    join part using (cluster_id)
),
joined as (
    select
        whole_id,
        arg_max(white_key, len(white_key)) as white,
        arg_max(black_key, len(black_key)) as black,
        min(year) <> max(year) or min(month) <> max(month) or min(day) <> max(day) as has_two_dates,
    from member
    group by whole_id
),
contradiction as (
    select whole_id from joined where has_two_dates
    union
    select whole_id from member group by whole_id, event having min(round) <> max(round)
    union
    select whole_id from member group by whole_id, event, round having min(round_minor) <> max(round_minor)
    union
    select whole_id
    from member
    join joined using (whole_id)
    where
        (white_key <> white and not name_abbreviates(white_key, white))
        or (black_key <> black and not name_abbreviates(black_key, black))
),
merged as (
    select whole_id, min(cluster_id) as cluster_id
    from part
    anti join contradiction using (whole_id)
    group by whole_id
),
merged_part as (
    select part.cluster_id, merged.cluster_id as merged_id
    from part
    join merged using (whole_id)
)
select
    game_id,
    coalesce(merged_id, cluster_id) as cluster_id,
from same_line
left join merged_part using (cluster_id)
