-- purpose: A score of a series as somebody published it: found in a text, or given in curation/published_results.csv.
-- grain:   published_id
-- materialized: table
-- rule:    A published name is that of a person whose name has all its words, or all of whose words it has, initials too; as it
--          is written, else in the first case that its endings tell. Of several readings of a pair the only one that met counts,
--          or the only one that met in that year; else nobody is named. The event is the only one in which the two met whose
--          name holds the published one, or is held by it; else the only one, or the only match, of that year.
-- columns:
--   published_id     VARCHAR       Id: of its place in the text, or `given:` and the line of the file.
--   origin           VARCHAR       text or given.
--   source_id        VARCHAR       Source of the text; null when given.
--   game_id          VARCHAR       Game in whose comment it stands; null elsewhere.
--   byte_start       BIGINT        First byte of the score in its source; null when given.
--   byte_end         BIGINT        Byte after it; null when given.
--   line             INTEGER       Line of the CSV file; null in texts.
--   written          VARCHAR       The score as written.
--   player           VARCHAR       Name as written; null when none stands beside.
--   opponent         VARCHAR       Name as written; null when none stands beside.
--   event            VARCHAR       Event as written; null when nothing is said.
--   year             INTEGER       Year; null when unknown.
--   points           DECIMAL(7,1)  Points of the player, from wins and draws where no points are written.
--   opponent_points  DECIMAL(7,1)  Points of the opponent.
--   wins             INTEGER       Games that the player won; null when not written.
--   losses           INTEGER       Games that the player lost; null when not written.
--   draws            INTEGER       Games drawn; null when not written.
--   n                INTEGER       Games of the series: the points of both together.
--   evidence         VARCHAR       What gives the names: given, pair, verb, around, table, tags, none.
--   certainty        VARCHAR       high, medium (whole points in a text), low (no names).
--   printed_in       VARCHAR       Where a given score is printed; null in texts.
--   note             VARCHAR       What is said of a given score.
--   player_id        VARCHAR       Person; null when nobody or several fit.
--   opponent_id      VARCHAR       The other person; null when nobody or several fit.
--   n_met            BIGINT        Distinct games of the two, scored or not.
--   event_id         VARCHAR       Event in which the two met; null when none or several fit.
--   as_of_snapshot   BIGINT        Snapshot that the row was computed for.
with published as (
    select
        published_id,
        'text' as origin,
        source_id,
        game_id,
        byte_start,
        byte_end,
        null::integer as line,
        written,
        player,
        opponent,
        player_keys,
        opponent_keys,
        event,
        year::integer as year,
        points,
        opponent_points,
        wins,
        losses,
        draws,
        evidence,
        certainty,
        null::varchar as printed_in,
        null::varchar as note,
    from stored.published_results
    union all
    select
        'given:' || line as published_id,
        'given' as origin,
        null as source_id,
        null as game_id,
        null as byte_start,
        null as byte_end,
        line,
        written,
        player,
        opponent,
        player_keys,
        opponent_keys,
        event,
        year,
        points,
        opponent_points,
        wins,
        losses,
        draws,
        'given' as evidence,
        'high' as certainty,
        source as printed_in,
        note,
    from stored.given_results
),
name as (
    select
        published_id,
        'player' as side,
        unnest(player_keys) as key,
        unnest(range(len(player_keys))) > 0 as is_declined,
    from published
    union all
    select
        published_id,
        'opponent' as side,
        unnest(opponent_keys) as key,
        unnest(range(len(opponent_keys))) > 0 as is_declined,
    from published
),
wanted as (
    select distinct key from name
),
known as (
    select white_key as key from games where white_key is not null and exists (select 1 from wanted)
    union
    select black_key as key from games where black_key is not null and exists (select 1 from wanted)
),
wanted_word as (
    select key, unnest(string_split(key, ' ')) as word from wanted
),
known_word as (
    select known.key, word.word
    from known
    cross join lateral (select unnest(string_split(known.key, ' ')) as word) as word
    where len(word.word) > 1
),
spelling as (
    select distinct wanted_word.key as wanted_key, known_word.key
    from wanted_word
    join known_word using (word)
    where
        wanted_word.key = known_word.key
        or name_abbreviates(wanted_word.key, known_word.key)
        or name_abbreviates(known_word.key, wanted_word.key)
),
appearance as (
    select game_id, 'w' as color, white_key as key from games semi join spelling on white_key = spelling.key
    union all
    select game_id, 'b' as color, black_key as key from games semi join spelling on black_key = spelling.key
),
reading as (
    select distinct wanted_key, player_id
    from appearance
    join game_players using (game_id, color)
    join spelling using (key)
),
meant as (
    select
        published_id,
        side,
        player_id,
        min(is_declined::integer) as n_declined,
    from name
    join reading on key = wanted_key
    group by published_id, side, player_id
),
met as (
    select
        game_id,
        player_id,
        opponent_id,
        game_year,
        event_id,
    from player_games
    semi join reading using (player_id)
    where opponent_id is not null
),
candidate as (
    select
        published_id,
        met.player_id,
        met.opponent_id,
        one.n_declined + other.n_declined as n_declined_both,
        coalesce(bool_or(game_year = year), false) as has_year,
        count(*) as n_met,
    from published
    join meant as one using (published_id)
    join meant as other using (published_id)
    join met on one.player_id = met.player_id and other.player_id = met.opponent_id
    where one.side = 'player' and other.side = 'opponent'
    group by published_id, met.player_id, met.opponent_id, one.n_declined, other.n_declined
    qualify n_declined_both = min(n_declined_both) over (partition by published_id)
),
pair as (
    select
        published_id,
        player_id,
        opponent_id,
        n_met,
    from candidate
    qualify
        count(*) over (partition by published_id) = 1
        or (has_year and count(*) filter (has_year) over (partition by published_id) = 1)
),
nearest as (
    select
        published_id,
        side,
        player_id,
    from meant
    qualify n_declined = min(n_declined) over (partition by published_id, side)
),
person as (
    select
        published_id,
        side,
        min(player_id) as player_id,
    from nearest
    group by published_id, side
    having count(*) = 1
),
pair_event as (
    select
        published_id,
        events.event_id,
        coalesce(
            contains(lower(events.event), lower(trim(published.event)))
            or contains(lower(trim(published.event)), lower(events.event)), false
        ) as has_name,
        coalesce(bool_or(game_year = published.year), false) as has_year,
        events.kind = 'match' as is_match,
    from pair
    join published using (published_id)
    join met using (player_id, opponent_id)
    join events using (event_id)
    group by published_id, events.event_id, events.event, published.event, events.kind
),
scale as (
    select
        published_id,
        event_id,
        case
            when has_name and has_year then 1
            when has_name then 2
            when has_year and is_match then 3
            else 4
        end as rank,
    from pair_event
    where has_name or has_year
),
ranked as (
    select published_id, event_id, rank = min(rank) over (partition by published_id) as is_best from scale
),
event as (
    select published_id, min(event_id) as event_id
    from ranked
    where is_best
    group by published_id
    having count(*) = 1
)
select
    published_id,
    origin,
    source_id,
    game_id,
    byte_start,
    byte_end,
    line,
    written,
    player,
    opponent,
    published.event,
    year,
    coalesce(points, wins + draws / 2)::decimal(7, 1) as points,
    coalesce(opponent_points, losses + draws / 2)::decimal(7, 1) as opponent_points,
    wins,
    losses,
    draws,
    coalesce(points + opponent_points, wins + losses + draws)::integer as n,
    evidence,
    certainty,
    printed_in,
    note,
    coalesce(pair.player_id, one.player_id) as player_id,
    coalesce(pair.opponent_id, other.player_id) as opponent_id,
    coalesce(pair.n_met, 0) as n_met,
    event.event_id,
    (select snapshot from about) as as_of_snapshot,
from published
left join pair using (published_id)
left join person as one on published.published_id = one.published_id and one.side = 'player' and pair.player_id is null
left join person as other on published.published_id = other.published_id and other.side = 'opponent' and pair.player_id is null
left join event using (published_id)
order by published_id
