"""The stored tables: Arrow types and a description of each column, written once.

The catalog turns the descriptions into `COMMENT ON`, `ingest` builds tables of exactly these schemas, the docs list them.
A column that only a view adds is described in the header of that view's SQL file instead.
"""

from __future__ import annotations

from dataclasses import dataclass

import pyarrow as pa

STRING = pa.string()
STRINGS = pa.list_(pa.field("element", pa.string()))
NAGS = pa.list_(pa.field("element", pa.int16()))
INT16, INT32, INT64 = pa.int16(), pa.int32(), pa.int64()
BOOL, FLOAT, DATE = pa.bool_(), pa.float64(), pa.date32()
POINTS = pa.decimal128(5, 1)
"""Points of a series, a multiple of ½."""


@dataclass(frozen=True, slots=True)
class Column:
    """A stored column: `doc` is one sentence with unit and meaning of null."""

    name: str
    type: pa.DataType
    doc: str


@dataclass(frozen=True, slots=True)
class Table:
    """A stored table. `grain` names the columns that identify a row; rows are sorted by `order`.

    `game_id` in an order stands for the order of the games.
    """

    name: str
    purpose: str
    grain: tuple[str, ...]
    order: tuple[str, ...]
    columns: tuple[Column, ...]

    @property
    def schema(self) -> pa.Schema:
        """The Arrow schema, every field nullable, in column order."""
        return pa.schema([pa.field(c.name, c.type) for c in self.columns])

    def empty(self) -> pa.Table:
        """A table of this schema without rows."""
        return self.schema.empty_table()


_SPAN = (
    Column("byte_start", INT64, "First byte of the range in the source's original bytes."),
    Column("byte_end", INT64, "Byte after the range (half-open)."),
)

SPANS = Table(
    "spans",
    "A byte range of a source; the ranges of a source partition its bytes in order, without gap or overlap.",
    ("source_id", "byte_start"),
    ("source_id", "byte_start"),
    (
        Column("source_id", STRING, "Source that the bytes belong to."),
        *_SPAN,
        Column("kind", STRING, "game = a clean game; quarantine; else filler: prose, blank, heading, markup, binary, …"),
    ),
)

GAMES = Table(
    "games",
    "A game found in a source, good or bad.",
    ("game_id",),
    ("source_id", "byte_start"),
    (
        Column("game_id", STRING, "First 32 hex digits of SHA-256 of `source_id:byte_start`."),
        Column("source_id", STRING, "Source that the game was found in."),
        *_SPAN,
        Column("part", INT32, "Ordinal of the shard of the source that the game was read in, from 0."),
        Column("index_in_part", INT32, "Position of the game within its part, from 0."),
        Column("text_id", STRING, "First 32 hex digits of SHA-256 of the bytes of the game's span; survives appends."),
        Column("content_id", STRING, "First 32 hex digits of SHA-256 of start position, line feed, movetext; null at 0 plies."),
        Column("status", STRING, "clean, truncated (a proven prefix, then a fault) or rejected (nothing proven)."),
        Column("kind", STRING, "game; problem or study; fragment: its beginning is not in the text."),
        Column("notation", STRING, "Notation family: san, long, coordinate, …; null when there are no moves."),
        Column("language", STRING, "BCP 47 tag of the alphabet of the men, or figurine; null when nothing was read."),
        Column("language_candidates", STRINGS, "All alphabets that read the main line to the same moves."),
        Column("encoding", STRING, "Character encoding that the game's bytes were read with."),
        Column("alphabet", STRING, "Row of piece_letters.csv that the men were read with."),
        Column("dialect_evidence", STRING, "Rule that decided alphabet and notation: roster, unique, same_moves, hint, lenient."),
        Column("tag_names", STRINGS, "Names of the tag pairs as written, in order."),
        Column("tag_values", STRINGS, "Values of the tag pairs, unescaped, in the order of tag_names."),
        Column("event", STRING, "Event tag; null when absent, empty or `?`."),
        Column("site", STRING, "Site tag; null when absent, empty or `?`."),
        Column("round", STRING, "Round tag as written; null when absent."),
        Column("round_major", INT32, "First number of the round; null when there is none."),
        Column("round_minor", INT32, "Second number of the round (board or game); null when there is none."),
        Column("date_written", STRING, "Date as written; null when absent."),
        Column("year", INT16, "Year of the date; null when unknown."),
        Column("month", INT16, "Month 1–12; null when unknown."),
        Column("day", INT16, "Day of the month; null when unknown."),
        Column("date", DATE, "The date, only when whole and real."),
        Column("white", STRING, "White's name as written; null when absent."),
        Column("black", STRING, "Black's name as written; null when absent."),
        Column("white_key", STRING, "Script-free, order-free, accent-free form of White's name; null for placeholders."),
        Column("black_key", STRING, "Script-free, order-free, accent-free form of Black's name; null for placeholders."),
        Column("white_elo", INT16, "White's rating; null when unknown."),
        Column("black_elo", INT16, "Black's rating; null when unknown."),
        Column("white_title", STRING, "White's FIDE title (GM, IM, …); null when none is written."),
        Column("black_title", STRING, "Black's FIDE title (GM, IM, …); null when none is written."),
        Column("white_fide_id", STRING, "White's FIDE id, digits; null when unknown."),
        Column("black_fide_id", STRING, "Black's FIDE id, digits; null when unknown."),
        Column("eco_written", STRING, "ECO code written in the tags, [A-E][0-9][0-9]; else null."),
        Column(
            "eco", STRING, "ECO code of the last position of the main line that has a name (openings.csv); null when none has."
        ),
        Column("opening", STRING, "Name of that position; null when none."),
        Column("result", STRING, "1-0, 0-1, 1/2-1/2, 0-0 or *: the board over the movetext over the tag."),
        Column("result_tag", STRING, "Result tag in canonical form; null when absent or unreadable."),
        Column("result_movetext", STRING, "Result at the end of the movetext in canonical form; null when absent."),
        Column("result_board", STRING, "Result that mate or stalemate on the last board forces; null when neither."),
        Column("is_result_conflict", BOOL, "True when two of board, movetext and tag disagree (`*` conflicts with nothing)."),
        Column(
            "termination", STRING, "normal, resignation, time, agreement, forfeit, bye, no_moves, unfinished, rules_infraction, …"
        ),
        Column("termination_movetext", STRING, "What words at the end of the movetext say about the ending; null when nothing."),
        Column("time_control_written", STRING, "TimeControl tag as written; null when absent."),
        Column("base_seconds", INT32, "Thinking time at the start, seconds; null when unknown."),
        Column("increment_seconds", INT32, "Time added per move, seconds; null when unknown."),
        Column(
            "speed",
            STRING,
            "classical, rapid, blitz, bullet or correspondence (FIDE Laws, appendices A and B); null when unknown.",
        ),
        Column("mode", STRING, "otb, online or engine; null when unknown."),
        Column("annotator", STRING, "Annotator tag; null when absent."),
        Column("annotator_key", STRING, "Script-free form of the annotator's name."),
        Column("variant", STRING, "standard or chess960."),
        Column("start_fen", STRING, "Start position as X-FEN; null = the initial position."),
        Column("first_move_number", INT32, "Number of the first move."),
        Column("is_white_first", BOOL, "True when White makes the first move."),
        Column("n_plies", INT32, "Half-moves of the main line that the board proved."),
        Column("movetext", STRING, "Canonical SAN of the main line, single spaces, no numbers; null at 0 plies."),
        Column("comment", STRING, "Comment of a game without moves."),
    ),
)

RAW_GAMES = (
    "game_id",
    "source_id",
    "byte_start",
    "byte_end",
    "part",
    "index_in_part",
    "text_id",
    "content_id",
    "status",
    "kind",
    "notation",
    "language",
    "language_candidates",
    "encoding",
    "alphabet",
    "dialect_evidence",
    "tag_names",
    "tag_values",
    "result_movetext",
    "result_board",
    "termination_movetext",
    "variant",
    "start_fen",
    "first_move_number",
    "is_white_first",
    "n_plies",
    "movetext",
    "eco",
    "opening",
    "comment",
)
"""Columns of GAMES that the lanes know; `enrich` derives the others from them."""

PLIES = Table(
    "plies",
    "A half-move that the board proved, of the main line or a variation.",
    ("game_id", "variation", "ply"),
    ("game_id", "variation", "ply"),
    (
        Column("game_id", STRING, "Game that the move belongs to."),
        Column("variation", INT16, "0 = main line; variations are numbered by their opening bracket."),
        Column("ply", INT16, "1 = first move of the game; a variation's first ply has the number of the move it replaces."),
        Column("move_number", INT16, "Number of the move, counted from the start position's."),
        Column("color", STRING, "Mover: w or b."),
        Column("san", STRING, "Canonical SAN (PGN standard 8.2.3); `--` for a null move."),
        Column("uci", STRING, "Move in UCI; Chess960 castling is king takes rook; `0000` for a null move."),
        Column("written", STRING, "The move as written; null when it equals san."),
        Column("nags", NAGS, "Numeric annotation glyphs 1–255 of the move, ascending; null when none."),
        Column("comment_before", STRING, "Comment before the first move of its line; null when none."),
        Column("comment", STRING, "Comments after the move, joined by line feeds, without recognised commands; null when none."),
        Column("clock_seconds", FLOAT, "Mover's clock after the move, seconds; null when unknown."),
        Column("elapsed_seconds", FLOAT, "Time spent on the move ([%emt]), seconds; null when unknown."),
        Column("eval_cp", INT32, "Evaluation after the move, centipawns from White's view; null when unknown or mate."),
        Column("eval_mate", INT16, "Moves to mate after the move, positive when White mates; null when unknown."),
        Column(
            "decided_by", STRING, "What chose among several readings: legality, continuation or repair; null = nothing had to."
        ),
    ),
)

VARIATIONS = Table(
    "variations",
    "A variation of a game.",
    ("game_id", "variation"),
    ("game_id", "variation"),
    (
        Column("game_id", STRING, "Game that the variation belongs to."),
        Column("variation", INT16, "Number of the variation, by its opening bracket, from 1."),
        Column("parent_variation", INT16, "Line that it branches from; 0 = main line."),
        Column("branch_ply", INT16, "Ply that its first move replaces."),
        Column("depth", INT16, "1 = variation of the main line, 2 = of such a variation, …"),
        Column("comment", STRING, "Comment of a variation without moves; null when none."),
    ),
)

ANNOTATIONS = Table(
    "annotations",
    "A symbol after a move.",
    ("game_id", "variation", "ply", "nag"),
    ("game_id", "variation", "ply", "nag"),
    (
        Column("game_id", STRING, "Game that the symbol stands in."),
        Column("variation", INT16, "Line that the symbol stands in; 0 = main line."),
        Column("ply", INT16, "Ply that the symbol follows."),
        Column("mover_color", STRING, "Who made the move: w or b."),
        Column("nag", INT16, "Numeric annotation glyph, 1–255 (PGN standard 10)."),
        Column("glyph", STRING, "The symbol as written: `!?`, `$5`, `±`."),
        Column("side", STRING, "Side that the sign names, w or b; null when it names none."),
        Column("line_id", STRING, "First 32 hex digits of SHA-256 of start position, line feed, moves up to here."),
    ),
)

ISSUES = Table(
    "issues",
    "A defect or oddity of a source or game.",
    ("issue_id",),
    ("source_id", "byte_offset", "code", "issue_id"),
    (
        Column("issue_id", STRING, "First 32 hex digits of SHA-256 of source, place, code and ordinal."),
        Column("source_id", STRING, "Source that it was found in."),
        Column("game_id", STRING, "Game that it was found in; null when outside of games."),
        Column("code", STRING, "Issue code (dimension issue_codes)."),
        Column("severity", STRING, "quirk (understood) or fault (something could not be read)."),
        Column("variation", INT16, "Line that it concerns; null when none."),
        Column("ply", INT16, "Ply that it concerns (the one that could not be read for faults); null when none."),
        Column("byte_offset", INT64, "First byte of what is wrong; null when it has no place."),
        Column("byte_end", INT64, "Byte after it."),
        Column("line", INT32, "Line in the source, from 1; null when it has no place."),
        Column("column", INT32, "Character in the line, from 1; null when it has no place."),
        Column("written", STRING, "What was written there."),
        Column("detail", STRING, "What is wrong, for a reader."),
        Column("candidates", STRINGS, "Moves (SAN) or alphabets that remain possible."),
    ),
)

QUARANTINE = Table(
    "quarantine",
    "A byte range that did not become a clean game, with its raw bytes.",
    ("quarantine_id",),
    ("source_id", "byte_start"),
    (
        Column("quarantine_id", STRING, "First 32 hex digits of SHA-256 of `quarantine:source_id:byte_start`."),
        Column("source_id", STRING, "Source of the bytes."),
        Column("game_id", STRING, "Game that was attempted; null for a container or a shard."),
        Column("text_id", STRING, "First 32 hex digits of SHA-256 of the bytes."),
        *_SPAN,
        Column("reason_code", STRING, "Issue code of the first fault."),
        Column("detail", STRING, "What is wrong, for a reader."),
        Column("raw", pa.binary(), "The bytes, at most 1 MiB of them."),
    ),
)

SCORE = (
    Column("points", POINTS, "Points of the player; null when only wins, losses and draws are written."),
    Column("opponent_points", POINTS, "Points of the opponent; null when only wins, losses and draws are written."),
    Column("wins", INT32, "Games that the player won; null when not written."),
    Column("losses", INT32, "Games that the player lost; null when not written."),
    Column("draws", INT32, "Games drawn; null when not written."),
)
"""A score of a series as it is written, from the side of the player."""

PUBLISHED_RESULTS = Table(
    "published_results",
    "A score of a series that stands in a text, between games or in the comment of a game without moves.",
    ("published_id",),
    ("source_id", "byte_start", "byte_end"),
    (
        Column("published_id", STRING, "First 32 hex digits of SHA-256 of `published:source_id:byte_start:byte_end`."),
        Column("source_id", STRING, "Source that it stands in."),
        Column("game_id", STRING, "Game in whose comment it stands; null between games."),
        *_SPAN,
        Column("written", STRING, "The score as written, at most 200 characters."),
        Column("player", STRING, "Name of the one as written, as the order of the points has it; null when none stands beside."),
        Column("opponent", STRING, "Name of the other as written; null when none stands beside."),
        Column("player_keys", STRINGS, "Script-free forms of player, as games.white_key: as written, then in the first case."),
        Column("opponent_keys", STRINGS, "Script-free forms of opponent likewise."),
        *SCORE,
        Column("event", STRING, "What is said of the event, as written; null when nothing is."),
        Column("year", INT16, "The only year that is named beside it; null when none is, or several are."),
        Column("evidence", STRING, "What gives the names: pair, verb, around, table, tags; none when there are none."),
        Column("certainty", STRING, "high; medium = whole points; low = without names."),
    ),
)

TABLES = {t.name: t for t in (SPANS, GAMES, PLIES, VARIATIONS, ANNOTATIONS, ISSUES, QUARANTINE, PUBLISHED_RESULTS)}
"""The tables that a shard writes. `sources`, `source_paths` and `runs` are registries kept by the store."""

RESULTS_VERSION = "3"
"""Version of what the readers make of the same bytes: raised when rows would differ, so that known sources are read anew."""

MAX_PLIES = MAX_VARIATIONS = (1 << 15) - 1
"""Most plies of a line and variations of a game: what the int16 columns `ply` and `variation` hold. No game comes near."""

RAW_LIMIT_BYTES = 1 << 20
"""Most bytes of one quarantine row (docs/rules.md §4)."""
