-- purpose: Final table of an event with tie-breaks: as results stand, or by the FIDE rules in force when the event began.
-- grain:   event_id, speed, mode, player_id
-- rule:    none: everything as it stands; forfeits are games, byes are points without an opponent, and tie-breaks add up scores of
--          those who were met. fide: in round robins forfeits are games (C.07 15.2), and a player who left with less than half of
--          the games completed stays in the table without a rank, points by and against him not counted (C.06 5.4, later C.05).
--          In Swiss tournaments unplayed rounds count by the edition of C.07 in force (art. 16; `tiebreak_editions`), forfeits
--          are left out of the direct encounter (6.1.1), and cuts take voluntarily unplayed rounds first (16.5). A round of a
--          Swiss tournament without any entry is a zero-point bye.
--          Left early: games won, drawn or played are completed; a loss without moves is not when nothing completed follows
--          it and others have moves. Who has entries for his first rounds only and for less than half, left too.
-- source:  FIDE Handbook C.07 (2024): WIN and WON 7.1, 7.2; direct encounter 6; Buchholz 8.1; Sonneborn-Berger 9.1; Koya 9.2;
--          performance 10.2; cuts and median 14; unplayed rounds 16. Expected score: B.02 8.1.2, with its limit of 400 points.
-- note:    Which tie-breaks count, and in which order, is a rule of the event: parameter tie_breaks. Tie-breaks count 1, ½ and 0
--          under every scoring. The direct encounter is among those with equal points and is applied again once to those who
--          remain equal (6.2), or places who cannot be caught when not all met (6.3). Knock-outs rank by persons met first.
-- parameters:
--   event_name  VARCHAR                Name of the event (case does not matter), the beginning of its event_id, or null for all.
--   rules       VARCHAR = 'none'       none or fide.
--   scoring     VARCHAR = 'classical'  Points for results: a scheme of scoring_schemes.
--   tie_breaks  VARCHAR = null         In order, of DE WIN WON SB BH BH-C1 BH-C2 BH-M1 KS TPR; null = SB,DE,WIN,KS, in Swiss BH-C1,BH,SB,DE,WIN.
--   speeds      VARCHAR = 'apart'      apart, or all: one table of all speeds.
--   modes       VARCHAR = 'apart'      apart, or all: one table of all modes.
-- columns:
--   event                  VARCHAR        events.event
--   year                   SMALLINT       events.year
--   rank                   BIGINT         Place, shared by those whom the tie-breaks leave equal; null when not ranked.
--   player                 VARCHAR        players.name
--   points                 DECIMAL(38,1)  Points by the scoring, without playoffs.
--   n                      BIGINT         Games that the points are from.
--   wins                   BIGINT         WIN: rounds with as many points as a win, unplayed ones too.
--   draws                  BIGINT         Rounds with ½ point, byes too.
--   losses                 BIGINT         Rounds with no point, unplayed ones too.
--   won                    BIGINT         WON: games won over the board.
--   direct_encounter       DECIMAL(9,2)   DE: points against those with equal points, averaged over a pair's games; null when alone.
--   sonneborn_berger       DECIMAL(38,2)  SB: each opponent's score times the points made against them.
--   buchholz               DECIMAL(38,1)  BH: scores of the opponents.
--   buchholz_cut_1         DECIMAL(38,1)  BH-C1: without the least.
--   buchholz_cut_2         DECIMAL(38,1)  BH-C2: without the two least.
--   buchholz_median        DECIMAL(38,1)  BH-M1: without the least and the most.
--   koya                   DECIMAL(38,1)  KS: points against those who made half of the points that are possible.
--   performance            INTEGER        TPR: average rating of opponents, plus what the score says; null without rated opponents.
--   n_rated                BIGINT         Games over the board against rated opponents.
--   expected_points        DECIMAL(38,2)  Points to expect by the ratings, where both are known; null when in no game.
--   points_above_expected  DECIMAL(38,2)  Points less expected points, in the same games.
--   n_unplayed             BIGINT         Byes and forfeits among the games.
--   n_absent               BIGINT         Rounds without an entry that count as zero-point byes.
--   n_playoffs             BIGINT         Games of playoffs, beside the points.
--   playoff_points         DECIMAL(38,1)  Points in them; of an armageddon game 1 for who came out ahead.
--   n_excluded             BIGINT         Games that are not scored (player_games.excluded_because says why).
--   is_removed             BOOLEAN        True for who left with less than half of the games completed.
--   system                 VARCHAR        event_systems.system
--   edition                VARCHAR        Edition of the tie-break regulations that was applied; null when none.
--   speed                  VARCHAR        player_games.speed_class, or `all`.
--   mode                   VARCHAR        player_games.mode_class, or `all`.
--   event_id               VARCHAR        Event.
--   player_id              VARCHAR        Person.
with scheme as (
    select
        win,
        draw,
        loss,
        armageddon_win,
        armageddon_loss,
    from scoring_schemes
    where scheme = scoring
    union all
    select
        error('scoring: a scheme of scoring_schemes')::decimal(3, 1) as win,
        null as draw,
        null as loss,
        null as armageddon_win,
        null as armageddon_loss,
    where scoring not in (select scheme from scoring_schemes)
),
side as (
    select * from section_games(event_name, speeds, modes)
),
field as (
    select
        event_id,
        speed,
        mode,
        any_value(system) as system,
        any_value(n_cycles) as n_cycles,
        any_value(began) as began,
        count(distinct player_id) as n_players,
        max(round_major) filter (not is_playoff) as n_rounds,
        count(*) filter (round_major is null and not is_playoff) = 0 as has_rounds,
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
            when system = 'swiss' and has_rounds then coalesce(unplayed, 'as_it_stands')
            else 'as_it_stands'
        end as unplayed_rule,
        case when rules = 'fide' and system = 'swiss' and has_rounds then tiebreak_editions.edition end as edition,
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
        unplayed_rule,
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
        any_value(n_cycles) * (any_value(n_players) - 1) as n_possible,
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
        (n_completed < n_entries and n_completed + n_forfeits > 0 and n_completed * 2 < greatest(n_entries, least(n_possible, most_entries)))
        or (n_completed * 2 < most_entries and most_entries = n_possible and last_round <= n_entries + 1)
),
counted as (
    select
        side.*,
        removed.player_id is not null as is_removed,
        side.is_scored and (removed.player_id is not null or gone.player_id is null) as is_counted,
        case side.points when 1 then scheme.win when 0.5 then scheme.draw else scheme.loss end as value,
    from cycle_side as side
    cross join scheme
    left join removed using (event_id, speed, mode, player_id)
    left join removed as gone
        on gone.event_id = side.event_id
        and gone.speed = side.speed
        and gone.mode = side.mode
        and gone.player_id = side.opponent_id
),
playoff as (
    select
        event_id,
        speed,
        mode,
        player_id,
        count(*) filter (is_scored) as n_playoffs,
        sum(case when is_armageddon then is_ahead::int else points end) filter (is_scored) as playoff_points,
        sum(case when is_ahead then armageddon_win else armageddon_loss end) filter (is_armageddon and is_scored)
            as armageddon_points,
    from side
    cross join scheme
    where is_playoff
    group by event_id, speed, mode, player_id
),
score as (
    select
        event_id,
        speed,
        mode,
        player_id,
        bool_or(is_removed) as is_removed,
        coalesce(sum(points) filter (is_counted), 0)::decimal(9, 1) as score,
        coalesce(sum(value) filter (is_counted), 0) as value,
        count(*) filter (is_counted and value is not null) as n,
        count(*) filter (is_counted and opponent_id is not null) as n_games,
        count(*) filter (is_counted and points = 1) as wins,
        count(*) filter (is_counted and points = 0.5) as draws,
        count(*) filter (is_counted and points = 0) as losses,
        count(*) filter (is_counted and points = 1 and not is_unplayed) as won,
        count(*) filter (is_counted and is_unplayed) as n_unplayed,
        count(*) filter (not is_scored) as n_excluded,
        count(distinct opponent_id) filter (is_counted) as n_opponents,
    from counted
    group by event_id, speed, mode, player_id
),
entry as (
    select
        event_id,
        speed,
        mode,
        player_id,
        opponent_id,
        place,
        round_major as r,
        points,
        case
            when not is_scored then 'open'
            when not is_unplayed then 'played'
            when opponent_id is null and points < 1 then 'requested'
            when opponent_id is null then 'bye'
            when points > 0 then 'forfeit_win'
            else 'forfeit_loss'
        end as kind,
    from counted
    where is_counted or not is_scored
),
absence as (
    select
        event_id,
        speed,
        mode,
        player_id,
        null as opponent_id,
        null as place,
        r,
        0::decimal(2, 1) as points,
        'requested' as kind,
    from score
    join section using (event_id, speed, mode)
    cross join unnest(range(1, n_rounds + 1)) as rounds (r)
    anti join entry using (event_id, speed, mode, player_id, r)
    where unplayed_rule <> 'as_it_stands'
),
record as (
    select
        entries.*,
        unplayed_rule,
        n_rounds,
        cuts_vur_first and unplayed_rule in ('dummy', 'capped') and kind in ('requested', 'forfeit_loss') as is_cut_first,
        kind in ('requested', 'bye', 'forfeit_win', 'forfeit_loss') as is_unplayed,
        max(case when kind not in ('requested', 'forfeit_loss') then r end) over career as last_available,
        sum(points) over (career order by r, place rows between unbounded preceding and 1 preceding) as points_before,
    from (select * from entry union all select * from absence) as entries
    join section using (event_id, speed, mode)
    window career as (partition by event_id, speed, mode, player_id)
),
adjusted as (
    select
        event_id,
        speed,
        mode,
        player_id,
        sum(
            case
                when unplayed_rule = 'virtual' and is_unplayed then 0.5
                when unplayed_rule in ('dummy', 'capped') and kind = 'requested' and r > coalesce(last_available, 0) then 0.5
                else points
            end
        )::decimal(9, 1) as adjusted_score,
        count(*) filter (place is null) as n_absent,
    from record
    group by event_id, speed, mode, player_id
),
contribution as (
    select
        record.event_id,
        record.speed,
        record.mode,
        record.player_id,
        record.opponent_id,
        record.place,
        r,
        points,
        is_cut_first,
        case
            when kind = 'open' then null
            when not is_unplayed or unplayed_rule = 'as_it_stands' then opposite.adjusted_score
            when unplayed_rule = 'virtual' then coalesce(points_before, 0) + 1 - points + 0.5 * (n_rounds - r)
            when unplayed_rule = 'dummy' then score
            when opposite.adjusted_score is not null then least(score, opposite.adjusted_score)
            else least(score, 0.5 * n_rounds)
        end::decimal(9, 1) as opponent_score,
    from record
    join score using (event_id, speed, mode, player_id)
    left join adjusted as opposite
        on opposite.event_id = record.event_id
        and opposite.speed = record.speed
        and opposite.mode = record.mode
        and opposite.player_id = record.opponent_id
),
cut as (
    select
        *,
        row_number() over (
            partition by event_id, speed, mode, player_id order by is_cut_first desc, opponent_score, points, r, place
        ) as cut_place,
    from contribution
    where opponent_score is not null
),
topped as (
    select
        *,
        row_number() over (
            partition by event_id, speed, mode, player_id order by cut_place = 1, opponent_score desc, points, r, place
        ) as top_place,
    from cut
),
buchholz as (
    select
        event_id,
        speed,
        mode,
        player_id,
        sum(opponent_score * points) as sonneborn_berger,
        sum(opponent_score) as buchholz,
        sum(opponent_score) filter (cut_place > 1) as buchholz_cut_1,
        sum(opponent_score) filter (cut_place > 2) as buchholz_cut_2,
        sum(opponent_score) filter (cut_place > 1 and top_place > 1) as buchholz_median,
    from topped
    group by event_id, speed, mode, player_id
),
most as (
    select event_id, speed, mode, max(n_games) as most_games
    from score
    where not is_removed
    group by event_id, speed, mode
),
koya as (
    select
        event_id,
        speed,
        mode,
        counted.player_id,
        sum(points) as koya,
    from counted
    join most using (event_id, speed, mode)
    join score as opposite using (event_id, speed, mode)
    where is_counted and opposite.player_id = counted.opponent_id and opposite.score * 2 >= most_games
    group by event_id, speed, mode, counted.player_id
),
rated as (
    select
        event_id,
        speed,
        mode,
        player_id,
        count(opponent_elo) as n_rated,
        floor(avg(opponent_elo) + 0.5)::integer as average_elo,
        (100 * (2 * sum(points) filter (opponent_elo is not null))::bigint + count(opponent_elo)) // nullif(2 * count(opponent_elo), 0)
            as score_pct,
        sum(case when elo >= opponent_elo then probability.expected_points else 1 - probability.expected_points end) as expected_points,
        sum(points) filter (probability.expected_points is not null) as points_of_rated,
    from counted
    left join scoring_probabilities as probability
        on elo is not null and opponent_elo is not null and least(400, abs(elo - opponent_elo)) between difference_from and difference_to
    where is_counted and not is_unplayed
    group by event_id, speed, mode, player_id
),
table_of_points as (
    select
        score.*,
        score.value + coalesce(armageddon_points, 0) as total,
        coalesce(n_playoffs, 0) as n_playoffs,
        coalesce(playoff_points, 0) as playoff_points,
    from score
    left join playoff using (event_id, speed, mode, player_id)
),
encounter as (
    select
        one.event_id,
        one.speed,
        one.mode,
        one.player_id,
        other.player_id as opponent_id,
        avg(points) as points,
        count(points) > 0 as have_met,
        any_value(one.total) as total,
    from table_of_points as one
    join table_of_points as other
        on other.event_id = one.event_id
        and other.speed = one.speed
        and other.mode = one.mode
        and other.total = one.total
        and other.player_id <> one.player_id
    left join (
        select event_id, speed, mode, player_id, opponent_id, points
        from counted
        where is_counted and not (is_unplayed and unplayed_rule <> 'as_it_stands')
    ) as met
        on met.event_id = one.event_id
        and met.speed = one.speed
        and met.mode = one.mode
        and met.player_id = one.player_id
        and met.opponent_id = other.player_id
    where not one.is_removed and not other.is_removed
    group by one.event_id, one.speed, one.mode, one.player_id, other.player_id
),
mini_table as (
    select
        event_id,
        speed,
        mode,
        player_id,
        any_value(total) as total,
        coalesce(sum(points), 0)::decimal(9, 2) as mini_score,
        count(*) filter (not have_met) as n_missing,
    from encounter
    group by event_id, speed, mode, player_id
),
first_order as (
    select
        *,
        case
            when max(n_missing) over equals = 0 then mini_score
            when mini_score > max(mini_score + n_missing) over (equals order by player_id rows between unbounded preceding and unbounded following exclude current row)
                then 1
            else 0
        end as first_key,
    from mini_table
    window equals as (partition by event_id, speed, mode, total)
),
second_order as (
    select
        encounter.event_id,
        encounter.speed,
        encounter.mode,
        encounter.player_id,
        case when bool_and(have_met) then sum(points) else 0 end as second_key,
    from encounter
    join first_order as one using (event_id, speed, mode, player_id)
    join first_order as other
        on other.event_id = encounter.event_id
        and other.speed = encounter.speed
        and other.mode = encounter.mode
        and other.player_id = encounter.opponent_id
    where one.first_key = other.first_key
    group by encounter.event_id, encounter.speed, encounter.mode, encounter.player_id
),
placed as (
    select
        table_of_points.*,
        mini_score as direct_encounter,
        buchholz.* exclude (event_id, speed, mode, player_id),
        koya,
        n_rated,
        average_elo + difference as performance,
        expected_points,
        points_of_rated,
        n_absent,
        system,
        edition,
        list_transform(
            string_split(
                coalesce(tie_breaks, case when system = 'swiss' then 'BH-C1,BH,SB,DE,WIN' else 'SB,DE,WIN,KS' end), ','
            ),
            lambda name: case upper(trim(name))
                when 'DE' then [coalesce(first_key, 0)::double, coalesce(second_key, 0)::double]
                when 'WIN' then [wins::double]
                when 'WON' then [won::double]
                when 'SB' then [coalesce(buchholz.sonneborn_berger, 0)::double]
                when 'BH' then [coalesce(buchholz.buchholz, 0)::double]
                when 'BH-C1' then [coalesce(buchholz_cut_1, 0)::double]
                when 'BH-C2' then [coalesce(buchholz_cut_2, 0)::double]
                when 'BH-M1' then [coalesce(buchholz_median, 0)::double]
                when 'KS' then [coalesce(koya, 0)::double]
                when 'TPR' then [coalesce(average_elo + difference, 0)::double]
                else error('tie_breaks: DE WIN WON SB BH BH-C1 BH-C2 BH-M1 KS TPR, with commas')::double[]
            end
        ) as keys,
    from table_of_points
    join section using (event_id, speed, mode)
    left join adjusted using (event_id, speed, mode, player_id)
    left join buchholz using (event_id, speed, mode, player_id)
    left join koya using (event_id, speed, mode, player_id)
    left join rated using (event_id, speed, mode, player_id)
    left join rating_differences using (score_pct)
    left join first_order using (event_id, speed, mode, player_id)
    left join second_order using (event_id, speed, mode, player_id)
)
select
    events.event,
    events.year,
    case
        when not is_removed
            then rank() over (
                partition by event_id, speed, mode
                order by is_removed, case when system = 'knockout' then n_opponents end desc, total desc, playoff_points desc, keys desc
            )
    end as rank,
    name as player,
    total as points,
    n,
    wins,
    draws,
    losses,
    won,
    direct_encounter,
    coalesce(sonneborn_berger, 0) as sonneborn_berger,
    coalesce(buchholz, 0) as buchholz,
    coalesce(buchholz_cut_1, 0) as buchholz_cut_1,
    coalesce(buchholz_cut_2, 0) as buchholz_cut_2,
    coalesce(buchholz_median, 0) as buchholz_median,
    coalesce(koya, 0) as koya,
    performance,
    coalesce(n_rated, 0) as n_rated,
    expected_points,
    points_of_rated - expected_points as points_above_expected,
    n_unplayed,
    coalesce(n_absent, 0) as n_absent,
    n_playoffs,
    playoff_points,
    n_excluded,
    is_removed,
    system,
    edition,
    speed,
    mode,
    event_id,
    player_id,
from placed
join events using (event_id)
join players using (player_id)
order by events.year nulls last, event_id, speed, mode, rank nulls last, player, player_id
