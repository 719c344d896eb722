-- purpose: Rounds of the players of an event as tie-breaks count them: the games, byes and rounds without an entry.
-- grain:   event_id, speed, mode, player_id, round_major, game_id
-- rule:    Score of an opponent (FIDE C.07 16.3): as it stands; with a draw for each unplayed round (2009); with draws for
--          rounds left out by request that only voluntarily unplayed rounds follow (2023). Own unplayed round (16.4): an
--          opponent with the score before the round, then what is missing to a point, then draws (2009); with the own score
--          (2023); with that, but no more than the scheduled opponent, or half a point a round (2026). As it stands: forfeits
--          are games, byes give nothing. Rounds of which nothing is in the lake are no rounds.
-- parameters:
--   event_name  VARCHAR            Name of the event (case does not matter), the beginning of its event_id, or null for all.
--   rules       VARCHAR = 'none'   none or fide: see counted_games.
--   speeds      VARCHAR = 'apart'  apart, or all: one competition of all speeds.
--   modes       VARCHAR = 'apart'  apart, or all: one competition of all modes.
-- columns:
--   event_id        VARCHAR       Event.
--   speed           VARCHAR       section_games.speed
--   mode            VARCHAR       section_games.mode
--   player_id       VARCHAR       Person.
--   round_major     INTEGER       games.round_major
--   game_id         VARCHAR       Game: the chosen copy; null for a round of a Swiss tournament without an entry.
--   opponent_id     VARCHAR       Person on the other side; null when it is nobody.
--   points          DECIMAL(2,1)  player_games.points
--   kind            VARCHAR       played, bye, forfeit_win, forfeit_loss, requested (bye of ½ or 0), playoff, open (not scored).
--   is_counted      BOOLEAN       counted_games.is_counted
--   is_cut_first    BOOLEAN       True for voluntarily unplayed rounds that a cut takes first (C.07 16.5).
--   opponent_score  DECIMAL(9,1)  Score of the opponent for Buchholz and Sonneborn-Berger; null when the round gives nothing.
--   place           BIGINT        section_games.place; null for a round without an entry.
--   elo             SMALLINT      player_games.elo
--   opponent_elo    SMALLINT      player_games.opponent_elo
--   is_armageddon   BOOLEAN       player_games.is_armageddon
--   is_ahead        BOOLEAN       player_games.is_ahead
--   is_removed      BOOLEAN       counted_games.is_removed
--   system          VARCHAR       event_systems.system
--   unplayed_rule   VARCHAR       counted_games.unplayed_rule
--   edition         VARCHAR       tiebreak_editions.edition
with entry as (
    select
        *,
        case
            when is_playoff then 'playoff'
            when not is_scored then 'open'
            when not is_unplayed then 'played'
            when opponent_id is null and points < 1 then 'requested'
            when opponent_id is null then 'bye'
            when points > 0 then 'forfeit_win'
            else 'forfeit_loss'
        end as kind,
    from counted_games(event_name, rules, speeds, modes)
),
round as (
    select
        event_id,
        speed,
        mode,
        round_major,
        row_number() over (partition by event_id, speed, mode order by round_major desc) - 1 as n_later_rounds,
        count(*) over (partition by event_id, speed, mode) as n_rounds,
    from (
        select distinct event_id, speed, mode, round_major from entry where not is_playoff and round_major is not null
    ) as numbers
),
player as (
    select
        event_id,
        speed,
        mode,
        player_id,
        min(system) as system,
        min(unplayed_rule) as unplayed_rule,
        min(edition) as edition,
        bool_or(cuts_vur_first) as cuts_vur_first,
        bool_or(is_removed) as is_removed,
    from entry
    group by event_id, speed, mode, player_id
),
absence as (
    select
        player.*,
        round_major,
        0::decimal(2, 1) as points,
        'requested' as kind,
        true as is_counted,
    from player
    join round using (event_id, speed, mode)
    anti join (select * from entry where not is_playoff) as entered using (event_id, speed, mode, player_id, round_major)
    where unplayed_rule <> 'as_it_stands'
),
record as (
    select
        event_id,
        speed,
        mode,
        player_id,
        round_major,
        game_id,
        opponent_id,
        points,
        kind,
        is_counted,
        cuts_vur_first and kind in ('requested', 'forfeit_loss') as is_cut_first,
        kind in ('requested', 'bye', 'forfeit_win', 'forfeit_loss') as is_unplayed,
        max(case when kind not in ('requested', 'forfeit_loss', 'playoff') then round_major end) over career as last_available,
        sum(case when is_counted then points end) over (
            career order by round_major, place rows between unbounded preceding and 1 preceding
        ) as points_before,
        coalesce(sum(case when is_counted then points end) over career, 0)::decimal(9, 1) as score,
        place,
        elo,
        opponent_elo,
        is_armageddon,
        is_ahead,
        is_removed,
        n_later_rounds,
        n_rounds,
        system,
        unplayed_rule,
        edition,
    from (
        select * exclude (n_rounds) from entry
        union all by name
        select * from absence
    ) as entries
    left join round using (event_id, speed, mode, round_major)
    window career as (partition by event_id, speed, mode, player_id)
),
adjusted as (
    select
        event_id,
        speed,
        mode,
        player_id,
        coalesce(
            sum(
                case
                    when unplayed_rule = 'virtual' and is_unplayed then 0.5
                    when unplayed_rule in ('dummy', 'capped') and kind = 'requested' and round_major > coalesce(last_available, 0)
                        then 0.5
                    else points
                end
            ) filter (is_counted),
            0
        )::decimal(9, 1) as adjusted_score,
    from record
    group by event_id, speed, mode, player_id
)
select
    event_id,
    speed,
    mode,
    record.player_id,
    round_major,
    game_id,
    record.opponent_id,
    points,
    kind,
    is_counted,
    coalesce(is_cut_first, false) as is_cut_first,
    case
        when not is_counted then null
        when not is_unplayed or unplayed_rule = 'as_it_stands' then adjusted_score
        when unplayed_rule = 'virtual' then coalesce(points_before, 0) + 1 - points + 0.5 * n_later_rounds
        when unplayed_rule = 'dummy' then score
        when adjusted_score is not null then least(score, adjusted_score)
        else least(score, 0.5 * n_rounds)
    end::decimal(9, 1) as opponent_score,
    place,
    elo,
    opponent_elo,
    is_armageddon,
    is_ahead,
    is_removed,
    system,
    unplayed_rule,
    edition,
from record
left join (
    select event_id, speed, mode, player_id as opponent_id, adjusted_score from adjusted
) as opposite using (event_id, speed, mode, opponent_id)
