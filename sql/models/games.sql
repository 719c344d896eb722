-- purpose: A game found in a source, good or bad, with corrections applied.
-- grain:   game_id
-- columns:
--   game_id               VARCHAR
--   source_id             VARCHAR
--   byte_start            BIGINT
--   byte_end              BIGINT
--   game_index            BIGINT                 Position of the game within its source, from 1.
--   text_id               VARCHAR
--   content_id            VARCHAR
--   status                VARCHAR
--   kind                  VARCHAR
--   notation              VARCHAR
--   language              VARCHAR
--   language_candidates   VARCHAR[]
--   encoding              VARCHAR
--   alphabet              VARCHAR
--   dialect_evidence      VARCHAR
--   event_id              VARCHAR                game_events.event_id
--   event                 VARCHAR
--   site                  VARCHAR
--   round                 VARCHAR
--   round_major           INTEGER
--   round_minor           INTEGER
--   date_written          VARCHAR
--   year                  SMALLINT
--   month                 SMALLINT
--   day                   SMALLINT
--   date                  DATE
--   white                 VARCHAR
--   black                 VARCHAR
--   white_key             VARCHAR
--   black_key             VARCHAR
--   white_elo             SMALLINT
--   black_elo             SMALLINT
--   white_title           VARCHAR
--   black_title           VARCHAR
--   white_fide_id         VARCHAR
--   black_fide_id         VARCHAR
--   eco_written           VARCHAR
--   eco                   VARCHAR
--   opening               VARCHAR
--   result                VARCHAR
--   result_tag            VARCHAR
--   result_movetext       VARCHAR
--   result_board          VARCHAR
--   is_result_conflict    BOOLEAN
--   termination           VARCHAR
--   time_control_written  VARCHAR
--   base_seconds          INTEGER
--   increment_seconds     INTEGER
--   speed                 VARCHAR
--   mode                  VARCHAR
--   annotator             VARCHAR
--   annotator_key         VARCHAR
--   variant               VARCHAR
--   start_fen             VARCHAR
--   first_move_number     INTEGER
--   is_white_first        BOOLEAN
--   n_plies               INTEGER
--   movetext              VARCHAR
--   comment               VARCHAR
--   tags                  MAP(VARCHAR, VARCHAR)  Tag pairs by name; of a repeated name the first (tag_pairs has all).
select
    game_id,
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
    map_from_entries(
        list_transform(
            list_filter(range(1, len(tag_names) + 1), lambda i: list_position(tag_names, tag_names[i]) = i),
            lambda i: struct_pack(name := tag_names[i], value := tag_values[i])
        )
    ) as tags,
from stored.games
left join game_events using (game_id)
