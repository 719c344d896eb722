-- purpose: A cluster whose score is the beginning of a longer one of the same game: broken off, or with the last moves missing.
-- grain:   cluster_id
-- materialized: table
-- rule:    A truncated game is a copy of the only longer one that begins with its moves, if both name both players and event and
--          round are the same, or 30 plies are: of 33,265 games of 40 plies or more, 10 % share the first 10 with another game
--          of the same two players, 0.5 % the first 30. A clean game of 20 plies or more is one if also event, round or whole
--          date, and result are the same (a shorter game without result agrees with any); quick games need the round. Else a
--          clean shorter game is another score. Dates and rounds must not contradict, nor may the games that would meet.
-- columns:
--   cluster_id      VARCHAR  Cluster of same_scores and near_dates, or a game that is alone with its score.
--   merged_id       VARCHAR  Smallest cluster_id of the clusters that are one game.
--   as_of_snapshot  BIGINT   Snapshot that the row was computed for.
with game as materialized (
    select
        game_id,
        status,
        n_plies,
        beginning,
        claim.white,
        claim.black,
        claim.year,
        claim.month,
        claim.day,
        claim.event,
        site,
        claim.round,
        claim.round_minor,
        claim.result,
        coalesce(speed, 'classical') not in ('rapid', 'blitz', 'bullet') as is_slow,
        coalesce(merged_id, cluster_id, game_id) as cluster_id,
    from copy_claims as claim
    left join (select game_id, cluster_id from same_scores) as same using (game_id)
    left join near_dates using (cluster_id)
    where claim.n_plies > 0
),
ended as (
    select cluster_id from game where status = 'clean'
),
cut as materialized (
    select *
    from game
    anti join ended using (cluster_id)
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
    having min(cluster_id) <> max(cluster_id) and min(n_plies) <> max(n_plies) and count(*) <= 1000
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
likely as materialized (
    select
        part.game_id as part_game_id,
        part.cluster_id as part_id,
        whole.game_id as whole_game_id,
        whole.cluster_id as whole_id,
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
        part.game_id as part_game_id,
        part.cluster_id as part_id,
        whole.game_id as whole_game_id,
        whole.cluster_id as whole_id,
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
),
likely_game as (
    select part_game_id as game_id from likely
    union
    select whole_game_id as game_id from likely
),
score as materialized (
    select game_id, movetext, start_position(start_fen) as position, variant
    from stored.games
    semi join likely_game using (game_id)
),
likely_score as materialized (
    select
        part_id,
        whole_id,
        whole_game_id,
        movetext || ' ' as beginning,
        position as part_position,
        variant as part_variant,
    from likely
    join score on part_game_id = score.game_id
),
fit as materialized (
    select distinct part_id, whole_id
    from likely_score
    join score on whole_game_id = score.game_id
    where
        starts_with(movetext, beginning)
        and position is not distinct from part_position
        and variant is not distinct from part_variant
),
only_whole as (
    select part_id, min(whole_id) as whole_id
    from fit
    anti join fit as of_longer on fit.whole_id = of_longer.part_id
    group by part_id
    having count(*) = 1
),
part as materialized (
    select part_id as cluster_id, whole_id from only_whole
    union
    select whole_id as cluster_id, whole_id from only_whole
),
member as materialized (
    select
        whole_id,
        cluster_id,
        white,
        black,
        year,
        month,
        day,
        event,
        round,
        round_minor,
    from game
    join part using (cluster_id)
),
joined as (
    select
        whole_id,
        arg_max(white, (len(white), white)) as white,
        arg_max(black, (len(black), black)) as black,
    from member
    group by whole_id
),
dated as (
    select
        whole_id,
        case when min(year) = max(year) then min(year) end as year,
        case when min(month) = max(month) then min(month) end as month,
        case when min(day) = max(day) then min(day) end as day,
    from member
    group by whole_id, cluster_id
),
contradiction as (
    select whole_id
    from dated
    group by whole_id
    having min(year) <> max(year) or min(month) <> max(month) or min(day) <> max(day)
    union
    select whole_id from member group by whole_id, event having min(round) <> max(round)
    union
    select whole_id from member group by whole_id, event, round having min(round_minor) <> max(round_minor)
    union
    select whole_id
    from member
    join joined using (whole_id)
    where
        (member.white <> joined.white and not name_abbreviates(member.white, joined.white))
        or (member.black <> joined.black and not name_abbreviates(member.black, joined.black))
),
merged as (
    select whole_id, min(cluster_id) as merged_id
    from part
    anti join contradiction using (whole_id)
    group by whole_id
)
select cluster_id, merged_id, (select snapshot from about) as as_of_snapshot
from part
join merged using (whole_id)
