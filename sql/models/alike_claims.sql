-- purpose: A game, what it says of itself, and its cluster as far as same scores and near dates tell.
-- grain:   game_id
-- step_of: duplicates
-- columns:
--   game_id      VARCHAR   Game.
--   alike_id     VARCHAR   Smallest game_id of the games with this score that are one; a game that is alone has its own.
--   status       VARCHAR   games.status
--   n_plies      INTEGER   games.n_plies
--   beginning    BIGINT    copy_claims.beginning
--   white        VARCHAR   copy_claims.white
--   black        VARCHAR   copy_claims.black
--   year         SMALLINT  games.year
--   month        SMALLINT  games.month
--   day          SMALLINT  games.day
--   event        VARCHAR   copy_claims.event
--   site         VARCHAR   copy_claims.site
--   round        VARCHAR   copy_claims.round
--   round_minor  INTEGER   games.round_minor
--   result       VARCHAR   copy_claims.result
--   is_slow      BOOLEAN   False for rapid, blitz and bullet games; games of unknown speed are slow.
--   is_match     BOOLEAN   copy_claims.is_match
--   is_forfeit   BOOLEAN   copy_claims.is_forfeit
with alike as (
    select
        game_id,
        coalesce(merged_id, cluster_id) as alike_id,
    from same_scores
    left join near_dates using (cluster_id)
)
select
    game_id,
    coalesce(alike_id, game_id) as alike_id,
    status,
    n_plies,
    beginning,
    white,
    black,
    year,
    month,
    day,
    event,
    site,
    round,
    round_minor,
    result,
    coalesce(speed, 'classical') not in ('rapid', 'blitz', 'bullet') as is_slow,
    is_match,
    is_forfeit,
from copy_claims
left join alike using (game_id)
