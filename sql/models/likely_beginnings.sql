-- purpose: Two games of which the shorter may be the beginning of the longer, by all that they say but the moves.
-- grain:   game_id, whole_id
-- step_of: duplicates
-- materialized: table
-- rule:    A truncated game may be a copy of any longer one if both name both players, dates and rounds do not contradict, and
--          event and round are the same, or 30 plies are there: of 33,265 games of 40 plies or more, 10 % share the first 10
--          with another game of the same two players, 0.5 % the first 30. A clean game of 20 plies or more may be one if also
--          event, round or whole date, and result are the same (a shorter game without result agrees with any); quick games
--          need the round. A clean game of any length may be one if both players, the event and the round are the same and the
--          event is named; one without moves needs the result too, and no forfeit is one. A truncated game that has a clean
--          copy is as long as that.
-- columns:
--   game_id         VARCHAR  The shorter game.
--   whole_id        VARCHAR  The longer game.
--   alike_id        VARCHAR  alike_claims.alike_id
--   whole_alike_id  VARCHAR  The same of the longer game.
--   as_of_snapshot  BIGINT   Snapshot that the row was computed for.
with game as materialized (
    select * from alike_claims
),
ended as (
    select alike_id from game where status = 'clean'
),
cut as materialized (
    select *
    from game
    anti join ended using (alike_id)
    where status = 'truncated' and white is not null and black is not null
),
cut_key as (
    select white as key from cut
    union
    select black as key from cut
),
cut_word as (
    select key, word
    from (select key, unnest(string_split(key, ' ')) as word from cut_key) as word
    where len(word) > 1
),
person as (
    select white as key from game
    union
    select black as key from game
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
    select cut.*, w.other_key as other_white, b.other_key as other_black
    from cut
    join cut_name as w on cut.white = w.key
    join cut_name as b on cut.black = b.key
),
crowd as (
    select beginning, event
    from game
    where beginning is not null and event is not null and status <> 'rejected'
    group by beginning, event
    having min(alike_id) <> max(alike_id) and min(n_plies) <> max(n_plies) and count(*) <= 1000
),
begun as materialized (
    select *
    from game
    semi join crowd using (beginning, event)
    where white is not null and black is not null
),
occasion as (
    select *
    from (
        select *, hash(beginning, event, round, round_minor) as occasion from begun where round is not null
        union all
        select *, hash(beginning, event, year, month, day) as occasion from begun where day is not null and is_slow
    ) as begun
    qualify count(*) over (partition by occasion) between 2 and 100
),
pairing as (
    select *, hash(white, black, event, round, round_minor, is_slow) as pairing
    from game
    where
        white is not null and black is not null and event is not null and round is not null
        and status = 'clean' and not coalesce(is_match, false)
    qualify
        count(*) over (partition by pairing) between 2 and 100
        and min(n_plies) over (partition by pairing) < max(n_plies) over (partition by pairing)
)
select
    part.game_id,
    whole.game_id as whole_id,
    part.alike_id,
    whole.alike_id as whole_alike_id,
    (select snapshot from about) as as_of_snapshot,
from cut_pair as part
join game as whole
    on
        part.other_white = whole.white
        and part.other_black = whole.black
        and part.n_plies < whole.n_plies
where
    coalesce(part.year = whole.year, true)
    and coalesce(part.month = whole.month, true)
    and coalesce(part.day = whole.day, true)
    and case
        when part.event is distinct from whole.event then part.n_plies >= 30
        when part.round <> whole.round then false
        when part.round_minor <> whole.round_minor then false
        else
            part.n_plies >= 30
            or (
                part.event is not null
                and part.round is not null
                and whole.round is not null
                and part.round_minor is not distinct from whole.round_minor
            )
    end
union
select
    part.game_id,
    whole.game_id as whole_id,
    part.alike_id,
    whole.alike_id as whole_alike_id,
    (select snapshot from about) as as_of_snapshot,
from occasion as part
join occasion as whole on part.occasion = whole.occasion and part.n_plies < whole.n_plies
where
    part.status = 'clean'
    and coalesce(part.result = whole.result, part.result is null)
    and coalesce(part.site = whole.site, true)
    and coalesce(part.year = whole.year, true)
    and coalesce(part.month = whole.month, true)
    and coalesce(part.day = whole.day, true)
    and coalesce(part.round = whole.round, true)
    and coalesce(part.round_minor = whole.round_minor, true)
    and (part.white = whole.white or name_abbreviates(part.white, whole.white) or name_abbreviates(whole.white, part.white))
    and (part.black = whole.black or name_abbreviates(part.black, whole.black) or name_abbreviates(whole.black, part.black))
union
select
    part.game_id,
    whole.game_id as whole_id,
    part.alike_id,
    whole.alike_id as whole_alike_id,
    (select snapshot from about) as as_of_snapshot,
from pairing as part
join pairing as whole on part.pairing = whole.pairing and part.n_plies < whole.n_plies
where
    coalesce(part.site = whole.site, true)
    and coalesce(part.year = whole.year, true)
    and coalesce(part.month = whole.month, true)
    and coalesce(part.day = whole.day, true)
    and (part.n_plies > 0 or (not part.is_forfeit and coalesce(part.result = whole.result, true)))
