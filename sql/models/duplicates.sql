-- purpose: The clusters of copies, and which copy stands for each. Every game has a row.
-- grain:   game_id
-- materialized: table
-- columns:
--   game_id             VARCHAR    Game.
--   cluster_id          VARCHAR    Cluster of copies: the smallest game_id in it.
--   is_chosen           BOOLEAN    True for the copy that stands for all: clean, longest, names, event, year known, most marks.
--   rule                VARCHAR    Why the games of the cluster are one: single, same_moves, truncated_prefix or no_moves.
--   differs             VARCHAR[]  Columns of games in which this copy differs from the chosen one.
--   is_result_conflict  BOOLEAN    True when copies of the cluster have different results.
--   result              VARCHAR    The result that the copies agree on; `*` = none, or they or the chosen one's marks disagree.
--   n_copies            BIGINT     Games in the cluster.
--   as_of_snapshot      BIGINT     Snapshot that the row was computed for.
with copy as (
    select
        game_id,
        cluster_id,
        status <> 'clean' as is_bad,
        n_plies,
        (white_key is null)::int + (black_key is null)::int + (event is null)::int + (year is null)::int as n_unknown,
        nullif(result, '*') as result,
        coalesce(is_result_conflict, false) as contradicts_itself,
        hash(white, black, event, site, round, date_written, result, n_plies) as wording,
    from games
    join copies using (game_id)
),
cluster as (
    select
        cluster_id,
        count(*) as n_copies,
        min(result) as result,
        min(result) <> max(result) as is_result_conflict,
        min(wording) <> max(wording) as is_reworded,
        min(n_plies) <> max(n_plies) as is_truncated_prefix,
    from copy
    group by cluster_id
    having count(*) > 1
),
mark as (
    select game_id, count(*) as n from annotations group by game_id
    union all
    select game_id, count(*) as n from plies where comment is not null or comment_before is not null group by game_id
),
marks as (
    select game_id, sum(n) as n from mark group by game_id
),
best as (
    select
        cluster_id,
        arg_min((game_id, contradicts_itself), (is_bad, -n_plies, n_unknown, -coalesce(n, 0), game_id)) as chosen,
    from copy
    semi join cluster using (cluster_id)
    left join marks using (game_id)
    group by cluster_id
),
choice as (
    select cluster_id, chosen[1] as chosen_id, chosen[2] as contradicts_itself from best
),
reworded as (
    select game_id, chosen_id
    from copy
    join cluster using (cluster_id)
    join choice using (cluster_id)
    where is_reworded and game_id <> chosen_id
),
difference as (
    select
        game_id,
        list_filter(
            [
                case when game.white is distinct from chosen.white then 'white' end,
                case when game.black is distinct from chosen.black then 'black' end,
                case when game.event is distinct from chosen.event then 'event' end,
                case when game.site is distinct from chosen.site then 'site' end,
                case when game.round is distinct from chosen.round then 'round' end,
                case when game.date_written is distinct from chosen.date_written then 'date_written' end,
                case when game.result is distinct from chosen.result then 'result' end,
                case when game.n_plies <> chosen.n_plies then 'movetext' end,
            ],
            lambda name: name is not null
        ) as differs,
    from reworded
    join games as game using (game_id)
    join games as chosen on chosen.game_id = chosen_id
)
select
    game_id,
    cluster_id,
    game_id = coalesce(chosen_id, game_id) as is_chosen,
    case
        when n_copies is null then 'single'
        when is_truncated_prefix then 'truncated_prefix'
        when n_plies > 0 then 'same_moves'
        else 'no_moves'
    end as rule,
    coalesce(differs, []) as differs,
    coalesce(cluster.is_result_conflict, false) as is_result_conflict,
    case
        when cluster.is_result_conflict or coalesce(choice.contradicts_itself, copy.contradicts_itself) then '*'
        else coalesce(cluster.result, copy.result, '*')
    end as result,
    coalesce(n_copies, 1) as n_copies,
    (select snapshot from about) as as_of_snapshot,
from copy
left join cluster using (cluster_id)
left join choice using (cluster_id)
left join difference using (game_id)
