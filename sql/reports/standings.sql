-- purpose: Final table of an event with tie-breaks: as results stand, or by the FIDE rules in force when the event began.
-- grain:   event_id, speed, mode, player_id
-- rule:    none: everything as it stands. fide: unplayed rounds by the edition of the regulations in force when the event began,
--          and in round robins a player who left with less than half of the games completed has no rank, points by and against
--          him not counted. How: counted_games and counted_rounds.
-- source:  FIDE Handbook C.07 (2024): direct encounter 6, without forfeits in Swiss tournaments (6.1.1); WIN and WON 7.1, 7.2;
--          Buchholz 8.1; Sonneborn-Berger 9.1; Koya 9.2; performance 10.2; cuts and median 14, 16.5; unplayed rounds 15.2, 16.
--          Expected score: B.02 8.1.2, with its limit of 400 points.
-- note:    Which tie-breaks count, and in which order, is a rule of the event: parameter tie_breaks. Tie-breaks count 1, ½ and 0
--          under every scoring. The direct encounter is among those with equal points and is applied again once to those who
--          remain equal (6.2), or places who cannot be caught when not all met (6.3). Knock-outs rank by persons met first.
-- important: rank, player, points, n
-- parameters:
--   event_name  VARCHAR                Name of the event (case does not matter) or the beginning of its event_id.
--   rules       VARCHAR = 'none'       none or fide.
--   scoring     VARCHAR = 'classical'  Points for results: a scheme of scoring_schemes.
--   tie_breaks  VARCHAR = null         In order, with commas; null = SB,DE,WIN,KS; in Swiss BH-C1,BH,SB,DE,WIN.
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
--   direct_encounter       DECIMAL(9,2)   DE: points among those with equal points, a pair's games averaged; null when alone.
--   sonneborn_berger       DECIMAL(38,2)  SB: each opponent's score times the points made against them.
--   buchholz               DECIMAL(38,1)  BH: scores of the opponents.
--   buchholz_cut_1         DECIMAL(38,1)  BH-C1: without the least.
--   buchholz_cut_2         DECIMAL(38,1)  BH-C2: without the two least.
--   buchholz_median        DECIMAL(38,1)  BH-M1: without the least and the most.
--   koya                   DECIMAL(38,1)  KS: points against those who made half of the points that are possible.
--   performance            INTEGER        TPR: average rating of opponents and what the score adds; null without rated ones.
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
with side as (
    select
        side.*,
        case points when 1 then win when 0.5 then draw else loss end as value,
        case when is_ahead then armageddon_win else armageddon_loss end as armageddon_value,
    from counted_rounds(event_name, rules, speeds, modes) as side
    cross join chosen_scheme(scoring)
),
score as (
    select
        event_id,
        speed,
        mode,
        player_id,
        min(system) as system,
        min(edition) as edition,
        bool_or(is_removed) as is_removed,
        coalesce(sum(points) filter (is_counted), 0)::decimal(9, 1) as score,
        coalesce(sum(value) filter (is_counted), 0)
        + coalesce(sum(armageddon_value) filter (is_armageddon and is_ahead is not null), 0) as total,
        count(*) filter (is_counted and value is not null and place is not null) as n,
        count(*) filter (is_counted and opponent_id is not null) as n_games,
        count(*) filter (is_counted and points = 1) as wins,
        count(*) filter (is_counted and points = 0.5) as draws,
        count(*) filter (is_counted and points = 0 and place is not null) as losses,
        count(*) filter (is_counted and points = 1 and kind = 'played') as won,
        count(*) filter (is_counted and kind <> 'played' and place is not null) as n_unplayed,
        count(*) filter (place is null) as n_absent,
        count(*) filter (kind = 'playoff' and points is not null) as n_playoffs,
        coalesce(
            sum(case when is_armageddon then is_ahead::int else points end) filter (kind = 'playoff' and points is not null), 0
        ) as playoff_points,
        count(*) filter (place is not null and points is null) as n_excluded,
        count(distinct opponent_id) filter (is_counted) as n_opponents,
    from side
    group by event_id, speed, mode, player_id
),
cut as (
    select
        *,
        row_number() over (career order by is_cut_first desc, opponent_score, points, round_major, place) as cut_place,
    from side
    where opponent_score is not null
    window career as (partition by event_id, speed, mode, player_id)
),
topped as (
    select
        *,
        row_number() over (career order by cut_place = 1, opponent_score desc, points, round_major, place) as top_place,
    from cut
    window career as (partition by event_id, speed, mode, player_id)
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
        player_id,
        sum(points) as koya,
    from side
    join most using (event_id, speed, mode)
    join (
        select event_id, speed, mode, player_id as opponent_id, score as opponent_total from score
    ) as opponent using (event_id, speed, mode, opponent_id)
    where is_counted and opponent_total * 2 >= most_games
    group by event_id, speed, mode, player_id
),
rated as (
    select
        event_id,
        speed,
        mode,
        player_id,
        count(opponent_elo) as n_rated,
        floor(avg(opponent_elo) + 0.5)::integer as average_elo,
        (100 * (2 * sum(points) filter (opponent_elo is not null))::bigint + count(opponent_elo))
        // nullif(2 * count(opponent_elo), 0) as score_pct,
        sum(
            case when elo >= opponent_elo then probability.expected_points else 1 - probability.expected_points end
        ) as expected_points,
        sum(points) filter (probability.expected_points is not null) as points_of_rated,
    from side
    left join scoring_probabilities as probability
        on
            elo is not null
            and opponent_elo is not null
            and least(400, abs(elo - opponent_elo)) between difference_from and difference_to
    where is_counted and kind = 'played'
    group by event_id, speed, mode, player_id
),
ranked as (
    select event_id, speed, mode, player_id, total from score where not is_removed
),
opposite as (
    select event_id, speed, mode, player_id as opponent_id, total from ranked
),
met as materialized (
    select
        event_id,
        speed,
        mode,
        player_id,
        opponent_id,
        points,
        total,
    from side
    join ranked using (event_id, speed, mode, player_id)
    where is_counted and opponent_id is not null and (kind = 'played' or unplayed_rule = 'as_it_stands')
),
encounter as materialized (
    select
        event_id,
        speed,
        mode,
        player_id,
        opponent_id,
        avg(points) as points,
    from met
    join opposite using (event_id, speed, mode, opponent_id, total)
    group by event_id, speed, mode, player_id, opponent_id
),
mini_table as (
    select
        event_id,
        speed,
        mode,
        player_id,
        min(total) as total,
        coalesce(sum(points), 0)::decimal(9, 2) as mini_score,
        count(points) as n_met,
    from ranked
    left join encounter using (event_id, speed, mode, player_id)
    group by event_id, speed, mode, player_id
),
equal as (
    select
        *,
        count(*) over (partition by event_id, speed, mode, total) as n_equals,
    from mini_table
),
first_order as (
    select
        *,
        case
            when n_equals = 1 then 0
            when min(n_met) over equals = n_equals - 1 then mini_score
            when row_number() over ahead = 1 and mini_score > lead(mini_score + n_equals - 1 - n_met) over ahead then 1
            else 0
        end as first_key,
    from equal
    window
        equals as (partition by event_id, speed, mode, total),
        ahead as (
            partition by event_id, speed, mode, total order by mini_score + n_equals - 1 - n_met desc, player_id
        )
),
peer as (
    select
        event_id,
        speed,
        mode,
        player_id as opponent_id,
        first_key as opponent_key,
    from first_order
),
keyed as materialized (
    select
        event_id,
        speed,
        mode,
        player_id,
        opponent_id,
        points,
        first_key as opponent_key,
        n_peers,
    from encounter
    join (
        select *, count(*) over (partition by event_id, speed, mode, total, first_key) as n_peers from first_order
    ) as one using (event_id, speed, mode, player_id)
),
second_order as (
    select
        event_id,
        speed,
        mode,
        player_id,
        case when count(*) = min(n_peers) - 1 then sum(points) else 0 end as second_key,
    from keyed
    join peer using (event_id, speed, mode, opponent_id, opponent_key)
    group by event_id, speed, mode, player_id
),
placed as (
    select
        score.*,
        case when n_equals > 1 then mini_score end as direct_encounter,
        buchholz.* exclude (event_id, speed, mode, player_id),
        koya,
        n_rated,
        average_elo + difference as performance,
        expected_points,
        points_of_rated,
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
    from score
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
                order by
                    is_removed,
                    case when system = 'knockout' then n_opponents end desc,
                    total desc,
                    playoff_points desc,
                    keys desc
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
    n_absent,
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
