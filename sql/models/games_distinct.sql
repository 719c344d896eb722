-- purpose: The chosen game of each cluster of duplicates.
-- grain:   game_id
-- columns:
--   game_id               VARCHAR                games.game_id
--   cluster_id            VARCHAR                duplicates.cluster_id
--   source_id             VARCHAR                games.source_id
--   byte_start            BIGINT                 games.byte_start
--   byte_end              BIGINT                 games.byte_end
--   game_index            BIGINT                 games.game_index
--   text_id               VARCHAR                games.text_id
--   content_id            VARCHAR                games.content_id
--   status                VARCHAR                games.status
--   kind                  VARCHAR                games.kind
--   notation              VARCHAR                games.notation
--   language              VARCHAR                games.language
--   language_candidates   VARCHAR[]              games.language_candidates
--   encoding              VARCHAR                games.encoding
--   alphabet              VARCHAR                games.alphabet
--   dialect_evidence      VARCHAR                games.dialect_evidence
--   event_id              VARCHAR                games.event_id
--   event                 VARCHAR                games.event
--   site                  VARCHAR                games.site
--   round                 VARCHAR                games.round
--   round_major           INTEGER                games.round_major
--   round_minor           INTEGER                games.round_minor
--   date_written          VARCHAR                games.date_written
--   year                  SMALLINT               games.year
--   month                 SMALLINT               games.month
--   day                   SMALLINT               games.day
--   date                  DATE                   games.date
--   white                 VARCHAR                games.white
--   black                 VARCHAR                games.black
--   white_key             VARCHAR                games.white_key
--   black_key             VARCHAR                games.black_key
--   white_elo             SMALLINT               games.white_elo
--   black_elo             SMALLINT               games.black_elo
--   white_title           VARCHAR                games.white_title
--   black_title           VARCHAR                games.black_title
--   white_fide_id         VARCHAR                games.white_fide_id
--   black_fide_id         VARCHAR                games.black_fide_id
--   eco_written           VARCHAR                games.eco_written
--   eco                   VARCHAR                games.eco
--   opening               VARCHAR                games.opening
--   result                VARCHAR                games.result
--   result_tag            VARCHAR                games.result_tag
--   result_movetext       VARCHAR                games.result_movetext
--   result_board          VARCHAR                games.result_board
--   is_result_conflict    BOOLEAN                games.is_result_conflict
--   termination           VARCHAR                games.termination
--   time_control_written  VARCHAR                games.time_control_written
--   base_seconds          INTEGER                games.base_seconds
--   increment_seconds     INTEGER                games.increment_seconds
--   speed                 VARCHAR                games.speed
--   mode                  VARCHAR                games.mode
--   annotator             VARCHAR                games.annotator
--   annotator_key         VARCHAR                games.annotator_key
--   variant               VARCHAR                games.variant
--   start_fen             VARCHAR                games.start_fen
--   first_move_number     INTEGER                games.first_move_number
--   is_white_first        BOOLEAN                games.is_white_first
--   n_plies               INTEGER                games.n_plies
--   movetext              VARCHAR                games.movetext
--   comment               VARCHAR                games.comment
--   tags                  MAP(VARCHAR, VARCHAR)  games.tags
with chosen as (
    select
        game_id,
        cluster_id,
    from duplicates
    where is_chosen
)
select
    game_id,
    cluster_id,
    source_id,
    byte_start,
    byte_end,
    game_index,
    text_id,
    content_id,
    status,
    kind,
    notation,
    language,
    language_candidates,
    encoding,
    alphabet,
    dialect_evidence,
    event_id,
    event,
    site,
    round,
    round_major,
    round_minor,
    date_written,
    year,
    month,
    day,
    date,
    white,
    black,
    white_key,
    black_key,
    white_elo,
    black_elo,
    white_title,
    black_title,
    white_fide_id,
    black_fide_id,
    eco_written,
    eco,
    opening,
    result,
    result_tag,
    result_movetext,
    result_board,
    is_result_conflict,
    termination,
    time_control_written,
    base_seconds,
    increment_seconds,
    speed,
    mode,
    annotator,
    annotator_key,
    variant,
    start_fen,
    first_move_number,
    is_white_first,
    n_plies,
    movetext,
    comment,
    tags,
from games
join chosen using (game_id)
