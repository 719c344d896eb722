-- purpose: A cluster whose score is the beginning of a longer one of the same game: broken off, or without its last moves.
-- grain:   cluster_id
-- step_of: duplicates
-- materialized: table
-- rule:    Of the longer games that likely_beginnings names, one alone must begin with all moves of the shorter one. Nothing is
--          joined where names, dates or two known rounds of one event would contradict one another.
-- columns:
--   cluster_id      VARCHAR  alike_claims.alike_id
--   merged_id       VARCHAR  Smallest cluster_id of the clusters that are one game.
--   as_of_snapshot  BIGINT   Snapshot that the row was computed for.
with likely_game as (
    select game_id from likely_beginnings
    union
    select whole_id as game_id from likely_beginnings
),
score as materialized (
    select game_id, n_plies, movetext, start_position(start_fen) as position, variant
    from stored.games
    semi join likely_game using (game_id)
),
likely_score as materialized (
    select
        alike_id as part_id,
        whole_alike_id as whole_id,
        whole_id as whole_game_id,
        case when n_plies > 0 then movetext || ' ' else '' end as beginning,
        position as part_position,
        variant as part_variant,
    from likely_beginnings
    join score using (game_id)
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
    from alike_claims
    join part on alike_id = cluster_id
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
