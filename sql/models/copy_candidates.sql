-- purpose: A game whose score another game has too.
-- grain:   game_id
-- step_of: duplicates
-- materialized: table
-- columns:
--   game_id         VARCHAR   Game.
--   score           VARCHAR   copy_claims.score
--   first_id        VARCHAR   Smallest game_id with this score.
--   is_contested    BOOLEAN   True when the games with this score say different things of themselves.
--   n_plies         INTEGER   games.n_plies
--   white           VARCHAR   copy_claims.white
--   black           VARCHAR   copy_claims.black
--   year            SMALLINT  games.year
--   month           SMALLINT  games.month
--   day             SMALLINT  games.day
--   event           VARCHAR   copy_claims.event
--   round           VARCHAR   copy_claims.round
--   round_minor     INTEGER   games.round_minor
--   result          VARCHAR   copy_claims.result
--   as_of_snapshot  BIGINT    Snapshot that the row was computed for.
with claim as (
    select
        game_id,
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
    from copy_claims
    where score is not null
),
shared as (
    select
        score,
        min(game_id) as first_id,
        min(hash(white, black, year, month, day, event, round, round_minor))
        <> max(hash(white, black, year, month, day, event, round, round_minor)) as is_contested,
    from claim
    group by score
    having count(*) > 1
)
select
    game_id,
    score,
    first_id,
    is_contested,
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
from claim
join shared using (score)
