-- purpose: What a game says of itself, in words in which copies of it can be compared: persons, date, event, round, score.
-- grain:   game_id
-- step_of: duplicates
-- rule:    Names that are one person by stored.same_names are equal here. Event and site are words free of language. The
--          counters of a start position do not count. Games without moves have their round of the event for a score, if both
--          players are known.
-- columns:
--   game_id      VARCHAR   Game.
--   status       VARCHAR   games.status
--   n_plies      INTEGER   games.n_plies
--   score        VARCHAR   Same for the same start and moves; null when copies of the game cannot be known.
--   beginning    BIGINT    Hash of the start and of 59 characters of moves, which are 20 half-moves or fewer; null if shorter.
--   white        VARCHAR   Key of White; null = nobody or unknown.
--   black        VARCHAR   Key of Black; null = nobody or unknown.
--   year         SMALLINT  games.year
--   month        SMALLINT  games.month
--   day          SMALLINT  games.day
--   event        VARCHAR   Words that tell which event it is; null = unknown.
--   site         VARCHAR   Words of the place; null = unknown.
--   named_first  SMALLINT  First year that the name of the event gives; null when it gives none.
--   named_last   SMALLINT  Last year that the name of the event gives; null when it gives none.
--   is_match     BOOLEAN   True when the name of the event says nothing but that two people played; null = unknown.
--   section      VARCHAR   Speeds that the name of the event says; null = none.
--   round        VARCHAR   Number of the round, else its name; null = unknown.
--   round_minor  INTEGER   games.round_minor
--   result       VARCHAR   Result; null = none.
--   speed        VARCHAR   games.speed
--   is_forfeit   BOOLEAN   True when nobody played: a forfeit or a bye.
with set_up as (
    select game_id, md5(start_position(start_fen) || chr(10) || movetext) as score
    from stored.games
    where start_fen is not null and n_plies > 0
),
game as (
    select
        games.* exclude (event, site, round),
        name_key as event,
        site_key as site,
        year_first as named_first,
        year_last as named_last,
        is_match,
        section,
        case when round_major is null then nullif(nullif(round, '?'), '-') else round_major::varchar end as round,
    from stored.games
    left join stored.event_wordings as wording on games.event = wording.event and event_place(games.site) = wording.place
)
select
    game_id,
    status,
    n_plies,
    case
        when n_plies > 0 then coalesce(set_up.score, content_id)
        when status = 'clean' and game.white_key is not null and game.black_key is not null
            then 'no moves, round ' || round || ' of ' || event
    end as score,
    case when n_plies >= 20 then (hash(left(movetext, 59), start_position(start_fen), variant) >> 1)::bigint end as beginning,
    coalesce(white.person_key, game.white_key) as white,
    coalesce(black.person_key, game.black_key) as black,
    year,
    month,
    day,
    event,
    site,
    named_first,
    named_last,
    is_match,
    section,
    round,
    round_minor,
    nullif(result, '*') as result,
    speed,
    coalesce(termination, '') in ('forfeit', 'bye') as is_forfeit,
from game
left join set_up using (game_id)
left join stored.same_names as white on game.white_key = white.key
left join stored.same_names as black on game.black_key = black.key
