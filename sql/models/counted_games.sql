-- purpose: Sides of the games of an event with what the rules make of them: which count, and by which edition of the regulations.
-- grain:   game_id, color
-- step_of: standings
-- rule:    none: everything counts as it stands. fide: in round robins a player who left with less than half of the games
--          completed stays in the table, and points by and against him do not count (FIDE tournament rules C.06 5.4). Games
--          won, drawn or played are completed; a loss without moves is not when nothing completed follows it and others have
--          moves. Who has entries for the first rounds only, and for less than half, left too. Unplayed rounds of Swiss
--          tournaments count by the edition of C.07 in force when the event began; in round robins forfeits are games (15.2).
-- parameters:
--   event_name  VARCHAR            Name of the event (case does not matter), the beginning of its event_id, or null for all.
--   rules       VARCHAR = 'none'   none or fide.
--   speeds      VARCHAR = 'apart'  apart, or all: one competition of all speeds.
--   modes       VARCHAR = 'apart'  apart, or all: one competition of all modes.
-- columns:
--   event_id        VARCHAR       Event.
--   speed           VARCHAR       section_games.speed
--   mode            VARCHAR       section_games.mode
--   game_id         VARCHAR       Game: the chosen copy.
--   color           VARCHAR       Side: w or b.
--   player_id       VARCHAR       Person.
--   opponent_id     VARCHAR       Person on the other side; null when it is nobody, as for byes.
--   elo             SMALLINT      player_games.elo
--   opponent_elo    SMALLINT      player_games.opponent_elo
--   points          DECIMAL(2,1)  player_games.points
--   is_scored       BOOLEAN       player_games.is_scored
--   is_unplayed     BOOLEAN       pairings.is_unplayed
--   is_playoff      BOOLEAN       player_games.is_playoff
--   is_armageddon   BOOLEAN       player_games.is_armageddon
--   is_ahead        BOOLEAN       player_games.is_ahead
--   is_counted      BOOLEAN       True when the points count: scored, in the cycle, and not against who was removed.
--   is_removed      BOOLEAN       True for sides of a player who left with less than half of the games completed.
--   round_major     INTEGER       games.round_major
--   place           BIGINT        section_games.place
--   n_rounds        INTEGER       Largest number of a round of the competition; null when a round is not known.
--   system          VARCHAR       event_systems.system
--   unplayed_rule   VARCHAR       How its unplayed rounds count: as_it_stands, or tiebreak_editions.unplayed.
--   cuts_vur_first  BOOLEAN       tiebreak_editions.cuts_vur_first
--   edition         VARCHAR       tiebreak_editions.edition; null when none is applied.
with side as (
    select * from section_games(event_name, speeds, modes)
),
field as (
    select
        event_id,
        speed,
        mode,
        min(system) as system,
        min(n_cycles) as n_cycles,
        min(began) as began,
        count(distinct player_id) as n_players,
        case
            when bool_and(is_playoff or round_major is not null) then max(round_major) filter (not is_playoff)
        end as n_rounds,
        bool_or(is_played) as has_moves,
    from side
    group by event_id, speed, mode
),
section as (
    select
        field.*,
        rules = 'fide' and coalesce(system in ('round_robin', 'double_round_robin'), false) as can_remove,
        case
            when rules = 'none' then 'as_it_stands'
            when rules <> 'fide' then error('rules: none or fide')
            when system = 'swiss' and n_rounds is not null then coalesce(unplayed, 'as_it_stands')
            else 'as_it_stands'
        end as unplayed_rule,
        case when rules = 'fide' and system = 'swiss' and n_rounds is not null then tiebreak_editions.edition end as edition,
        coalesce(cuts_vur_first, false) as cuts_vur_first,
    from field
    asof left join tiebreak_editions on field.began >= from_date
),
cycle_side as (
    select
        side.*,
        can_remove,
        has_moves,
        n_players,
        max(case when not is_unplayed and (is_played or points > 0) then place end) over (
            partition by event_id, speed, mode, player_id
        ) as last_completed,
    from side
    join section using (event_id, speed, mode)
    where not is_playoff
),
career as (
    select
        event_id,
        speed,
        mode,
        player_id,
        min(n_cycles) * (min(n_players) - 1) as n_possible,
        count(*) filter (opponent_id is not null) as n_entries,
        count(*) filter (
            not is_unplayed and (is_played or points > 0 or not has_moves or coalesce(place < last_completed, false))
        ) as n_completed,
        count(*) filter (is_unplayed and opponent_id is not null) as n_forfeits,
        case when count(round_major) = count(*) then max(round_major) end as last_round,
    from cycle_side
    where can_remove
    group by event_id, speed, mode, player_id
),
schedule as (
    select event_id, speed, mode, max(n_entries) as most_entries
    from career
    group by event_id, speed, mode
),
removed as (
    select event_id, speed, mode, player_id
    from career
    join schedule using (event_id, speed, mode)
    where
        (
            n_completed < n_entries
            and n_completed + n_forfeits > 0
            and n_completed * 2 < greatest(n_entries, least(n_possible, most_entries))
        )
        or (n_completed * 2 < most_entries and most_entries = n_possible and last_round <= n_entries + 1)
)
select
    event_id,
    speed,
    mode,
    game_id,
    color,
    side.player_id,
    side.opponent_id,
    elo,
    opponent_elo,
    points,
    is_scored,
    is_unplayed,
    is_playoff,
    is_armageddon,
    is_ahead,
    is_scored and not is_playoff and (removed.player_id is not null or gone.player_id is null) as is_counted,
    removed.player_id is not null as is_removed,
    round_major,
    place,
    section.n_rounds,
    section.system,
    unplayed_rule,
    cuts_vur_first,
    edition,
from side
join section using (event_id, speed, mode)
left join removed using (event_id, speed, mode, player_id)
left join removed as gone
    on
        side.event_id = gone.event_id
        and side.speed = gone.speed
        and side.mode = gone.mode
        and side.opponent_id = gone.player_id
