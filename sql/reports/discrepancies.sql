-- purpose: Published scores that the games do not give, each with the games and rounds that would explain the difference.
-- grain:   published_id, reason, game_id, round
-- rule:    A score is compared with the scored games of the two that published_games lists. Reasons: a game that is not scored
--          (unfinished, result_conflict, rejected, other_speed, …), forfeit, truncated, flipped_result or other_result (with that
--          one result changed the score would agree), same_round (two games of one round, where too many count), missing_round
--          (a match lacks it), missing_games (fewer games than published, no round says which), event_not_found, unexplained.
-- important: player, opponent, published, computed, reason, round, event, year
-- population: select count(*) from published_results where n_met > 0
-- empty:   No published score differs from the games; {n} were compared. Scores that you know go into
--          curation/published_results.csv of the lake (docs/lake.md); then run `notatio catalog`.
-- columns:
--   player           VARCHAR        players.name
--   opponent         VARCHAR        players.name
--   event            VARCHAR        Event: that of the games, else as published.
--   year             INTEGER        Year as published.
--   published        VARCHAR        The score as published: points of the player and of the opponent.
--   computed         VARCHAR        The score that the games give.
--   published_series VARCHAR        Wins, losses and draws as published; null when not written.
--   computed_series  VARCHAR        Wins, losses and draws that the games give.
--   difference       DECIMAL(38,1)  Published less computed points of the player.
--   opponent_difference  DECIMAL(38,1)  Published less computed points of the opponent.
--   n_published      INTEGER        Games of the published score.
--   n                BIGINT         Scored games.
--   reason           VARCHAR        What would explain it.
--   round            VARCHAR        Round of the game, or the round that is missing; null when unknown.
--   color            VARCHAR        Side of the player in the game: w or b.
--   game_id          VARCHAR        Game; null for what is missing.
--   origin           VARCHAR        published_results.origin
--   written          VARCHAR        published_results.written
--   published_id     VARCHAR        published_results.published_id
with tally as (
    select
        published_id,
        count(*) filter (is_scored) as n,
        count(*) as n_games,
        count(*) filter (points = 1) as wins,
        count(*) filter (points = 0) as losses,
        count(*) filter (points = 0.5) as draws,
        coalesce(sum(points), 0) as points,
        coalesce(sum(opponent_points), 0) as opponent_points,
        max(round_major) as last_round,
    from published_games
    group by published_id
),
compared as (
    select
        published_id,
        published.player_id,
        published.opponent_id,
        published.event_id,
        events.kind = 'match' as is_match,
        coalesce(events.event, published.event) as event,
        published.year,
        origin,
        written,
        score_text(published.points, published.opponent_points) as published,
        series_text(published.wins, published.losses, published.draws) as published_series,
        score_text(coalesce(tally.points, 0), coalesce(tally.opponent_points, 0)) as computed,
        series_text(coalesce(tally.wins, 0), coalesce(tally.losses, 0), coalesce(tally.draws, 0)) as computed_series,
        published.points - coalesce(tally.points, 0) as difference,
        published.opponent_points - coalesce(tally.opponent_points, 0) as opponent_difference,
        published.wins - coalesce(tally.wins, 0) as more_wins,
        published.losses - coalesce(tally.losses, 0) as more_losses,
        published.n as n_published,
        coalesce(tally.n, 0) as n,
        coalesce(tally.n_games, 0) as n_games,
        tally.last_round,
        tally.published_id is null and published.event is not null and published.year is null as is_event_missing,
    from published_results as published
    left join tally using (published_id)
    left join events on published.event_id = events.event_id
    where n_met > 0
),
wrong as (
    select *
    from compared
    where difference <> 0 or opponent_difference <> 0 or coalesce(more_wins, 0) <> 0 or coalesce(more_losses, 0) <> 0
),
game as (
    select
        wrong.*,
        game_id,
        color,
        round,
        round_major,
        points,
        is_scored,
        is_forfeit,
        is_truncated,
        excluded_because,
        count(*) filter (is_scored) over (partition by published_id, published_games.event_id, round) as n_of_round,
        case when difference = -opponent_difference then difference end as shift,
    from wrong
    join published_games using (published_id)
),
changed as (
    select
        *,
        case
            when shift = 1 then points = 0 and coalesce(more_wins, 1) = 1
            when shift = -1 then points = 1 and coalesce(more_wins, -1) = -1
        end as is_flipped,
        case
            when shift = 0.5 and points = 0.5 then coalesce(more_wins, 1) = 1
            when shift = 0.5 and points = 0 then coalesce(more_losses, -1) = -1
            when shift = -0.5 and points = 1 then coalesce(more_wins, -1) = -1
            when shift = -0.5 and points = 0.5 then coalesce(more_losses, 1) = 1
        end as is_other,
    from game
    where is_scored
),
due as (
    select
        published_id,
        unnest(range(1, 1 + least(greatest(coalesce(last_round, 0), n_published), 500)))::integer as round_major,
    from wrong
    where is_match and last_round is not null
),
explained as (
    select published_id, 1 as ordinal, excluded_because as reason, round, round_major, color, game_id
    from game
    where not is_scored
    union all
    select published_id, 2 as ordinal, 'forfeit' as reason, round, round_major, color, game_id
    from changed
    where is_forfeit
    union all
    select published_id, 3 as ordinal, 'same_round' as reason, round, round_major, color, game_id
    from changed
    where n > n_published and round is not null and n_of_round > 1
    union all
    select published_id, 4 as ordinal, 'flipped_result' as reason, round, round_major, color, game_id
    from changed
    where is_flipped
    union all
    select published_id, 5 as ordinal, 'other_result' as reason, round, round_major, color, game_id
    from changed
    where is_other
    union all
    select published_id, 6 as ordinal, 'truncated' as reason, round, round_major, color, game_id
    from changed
    where is_truncated
    union all by name
    select published_id, 7 as ordinal, 'missing_round' as reason, round_major::varchar as round, round_major
    from due
    anti join published_games using (published_id, round_major)
),
counted as (
    select
        published_id,
        count(ordinal) as n_reasons,
        count(ordinal) filter (ordinal = 7) as n_rounds_missing,
    from wrong
    left join explained using (published_id)
    group by published_id
),
reason as (
    from explained
    union all by name
    select published_id, 8 as ordinal, 'missing_games' as reason
    from wrong
    join counted using (published_id)
    where n_games < n_published and n_rounds_missing = 0 and not is_event_missing
    union all by name
    select published_id, 9 as ordinal, case when is_event_missing then 'event_not_found' else 'unexplained' end as reason
    from wrong
    join counted using (published_id)
    where is_event_missing or (n_games >= n_published and n_reasons = 0)
)
select
    player.name as player,
    opponent.name as opponent,
    event,
    wrong.year,
    published,
    computed,
    published_series,
    computed_series,
    difference,
    opponent_difference,
    n_published,
    n,
    reason,
    reason.round,
    color,
    reason.game_id,
    origin,
    written,
    published_id,
from wrong
join reason using (published_id)
join players as player using (player_id)
join players as opponent on wrong.opponent_id = opponent.player_id
order by
    player,
    opponent,
    wrong.year nulls last,
    published_id,
    ordinal,
    round_major nulls last,
    reason.round nulls last,
    reason.game_id nulls last
