-- purpose: The clusters of copies, and which copy stands for each. Every game has a row.
-- grain:   game_id
-- materialized: table
-- rule:    Of the copies that one is chosen which is clean, has most half-moves, most of both names, event and year known, most
--          symbols and comments, and the smallest game_id: the first of these that decides.
-- columns:
--   game_id             VARCHAR    Game.
--   cluster_id          VARCHAR    Cluster of copies: the smallest game_id in it.
--   is_chosen           BOOLEAN    True for the copy that stands for all.
--   rule                VARCHAR    Why these are one game: single, same_moves, prefix, truncated_prefix or no_moves.
--   differs             VARCHAR[]  Columns of games in which it differs from the chosen copy (duplicate_differences).
--   is_result_conflict  BOOLEAN    True when copies of the cluster have different results.
--   result              VARCHAR    The result that the copies agree on; `*` = none, or they or the chosen one's marks disagree.
--   n_copies            BIGINT     Games in the cluster.
--   as_of_snapshot      BIGINT     Snapshot that the row was computed for.
with copy as (
    select
        game_id,
        cluster_id,
        status <> 'clean' as is_bad,
        status = 'truncated' as is_truncated,
        n_plies,
        (white_key is null)::int + (black_key is null)::int + (event is null)::int + (year is null)::int as n_unknown,
        nullif(result, '*') as result,
        coalesce(is_result_conflict, false) as contradicts_itself,
        hash(
            white,
            black,
            event,
            site,
            round,
            date_written,
            result,
            white_elo,
            black_elo,
            white_title,
            black_title,
            white_fide_id,
            black_fide_id,
            eco_written,
            termination,
            time_control_written,
            annotator,
            n_plies
        ) as wording,
    from stored.games
    join copies using (game_id)
),
cluster as (
    select
        cluster_id,
        count(*) as n_copies,
        min(result) as result,
        min(result) <> max(result) as is_result_conflict,
        min(wording) <> max(wording) as is_reworded,
        min(n_plies) <> max(n_plies) as is_prefix,
        bool_or(is_truncated) as has_truncated,
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
                case when game.white_elo is distinct from chosen.white_elo then 'white_elo' end,
                case when game.black_elo is distinct from chosen.black_elo then 'black_elo' end,
                case when game.white_title is distinct from chosen.white_title then 'white_title' end,
                case when game.black_title is distinct from chosen.black_title then 'black_title' end,
                case when game.white_fide_id is distinct from chosen.white_fide_id then 'white_fide_id' end,
                case when game.black_fide_id is distinct from chosen.black_fide_id then 'black_fide_id' end,
                case when game.eco_written is distinct from chosen.eco_written then 'eco_written' end,
                case when game.termination is distinct from chosen.termination then 'termination' end,
                case when game.time_control_written is distinct from chosen.time_control_written then 'time_control_written' end,
                case when game.annotator is distinct from chosen.annotator then 'annotator' end,
                case when game.n_plies <> chosen.n_plies then 'movetext' end,
            ],
            lambda name: name is not null
        ) as differs,
    from reworded
    join stored.games as game using (game_id)
    join stored.games as chosen on chosen.game_id = chosen_id
)
select
    game_id,
    cluster_id,
    game_id = coalesce(chosen_id, game_id) as is_chosen,
    case
        when n_copies is null then 'single'
        when is_prefix then case when has_truncated then 'truncated_prefix' else 'prefix' end
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
