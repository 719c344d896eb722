-- purpose: A game whose score another game has too, with names and date as its copies complete them, and their cluster.
-- grain:   game_id
-- step_of: duplicates
-- materialized: table
-- rule:    Copies have the same players, of whom one may be unknown or abbreviated (both unknown: from 20 half-moves on), and
--          dates that agree where both are known. Two known rounds of one event are never one game, and of a short draw two
--          known rounds of any events. A copy that could belong to two different games stays apart. Results may disagree.
-- columns:
--   game_id         VARCHAR   Game.
--   cluster_id      VARCHAR   Games with this score, these players, this date: the smallest game_id among them.
--   score           VARCHAR   copy_claims.score
--   n_plies         INTEGER   games.n_plies
--   white           VARCHAR   Key of White, completed.
--   black           VARCHAR   Key of Black, completed.
--   year            SMALLINT  Year, completed.
--   month           SMALLINT  Month, completed.
--   day             SMALLINT  Day, completed.
--   event           VARCHAR   copy_claims.event
--   round           VARCHAR   copy_claims.round
--   round_minor     INTEGER   games.round_minor
--   result          VARCHAR   copy_claims.result
--   as_of_snapshot  BIGINT    Snapshot that the row was computed for.
with named as (
    select
        game.* exclude (white, black, is_contested, first_id, as_of_snapshot),
        case when n_plies >= 20 or black is not null then coalesce(w.full_key, white) else white end as white,
        case when n_plies >= 20 or white is not null then coalesce(b.full_key, black) else black end as black,
        result = '1/2-1/2' and not is_telling_score(n_plies, result) as is_short_draw,
    from copy_candidates as game
    left join copy_names as w on game.score = w.score and w.color = 'w' and white is not distinct from w.key
    left join copy_names as b on game.score = b.score and b.color = 'b' and black is not distinct from b.key
    where is_contested
),
in_year as (
    select
        * replace (coalesce(year, case when min(year) over pair = max(year) over pair then min(year) over pair end) as year),
    from named
    window pair as (partition by score, white, black)
),
in_month as (
    select
        * replace (coalesce(month, case when min(month) over pair = max(month) over pair then min(month) over pair end) as month),
    from in_year
    window pair as (partition by score, white, black, year)
),
dated as (
    select
        * replace (coalesce(day, case when min(day) over pair = max(day) over pair then min(day) over pair end) as day),
    from in_month
    window pair as (partition by score, white, black, year, month)
),
in_event as (
    select
        *,
        min(round) over event <> max(round) over event or min(round_minor) over round <> max(round_minor) over round as is_split,
    from dated
    window
        event as (partition by score, white, black, year, month, day, event),
        round as (partition by score, white, black, year, month, day, event, round)
),
in_rounds as (
    select
        *,
        bool_or(is_split) over pair or (bool_and(is_short_draw) over pair and min(round) over pair <> max(round) over pair)
            as has_rounds,
        bool_and(is_short_draw) over pair
        and day is null
        and min(event) over pair <> max(event) over pair
        and not (count(round) over pair = count(*) over pair and min(round) over pair = max(round) over pair) as has_events,
    from in_event
    window pair as (partition by score, white, black, year, month, day)
)
select
    game_id,
    min(game_id) over (
        partition by
            score,
            white,
            black,
            year,
            month,
            day,
            case when has_rounds then round end,
            case when has_rounds then round_minor end,
            case when has_events then event end
    ) as cluster_id,
    score,
    n_plies,
    white,
    black,
    year,
    month,
    day,
    event,
    round,
    round_minor,
    result,
    (select snapshot from about) as as_of_snapshot,
from in_rounds
union all
select
    game_id,
    first_id as cluster_id,
    score,
    n_plies,
    white,
    black,
    year,
    month,
    day,
    event,
    round,
    round_minor,
    result,
    (select snapshot from about) as as_of_snapshot,
from copy_candidates
where not is_contested
