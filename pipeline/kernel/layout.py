"""Where the kernel keeps things: offsets into its flat arrays, and the named bundles of output columns.

A kernel function sees only ints and flat arrays, so that one source runs both compiled and as plain Python.
Every constant here is frozen into the compiled code.
"""

from __future__ import annotations

from collections.abc import MutableSequence
from typing import NamedTuple

Ints = MutableSequence[int]
Floats = MutableSequence[float]

PAWN, KNIGHT, BISHOP, ROOK, QUEEN, KING, EMPTY = range(7)
"""Men as the kernel numbers them: python-chess piece type minus 1."""

# Geometry table (int64, `tables.geometry`): bitboards, bit 0 = a1 … bit 63 = h8.
BETWEEN = 0
"""[64 × 64] squares strictly between two aligned squares, else 0."""
REACH = BETWEEN + 4096
"""[6 × 64] squares that a man reaches on an empty board (slot of the pawn unused)."""
PAWN_ATTACK = REACH + 384
"""[2 × 64] squares that a pawn of a colour attacks."""
FILE = PAWN_ATTACK + 128
RANK = FILE + 8
RIGHTS_KEPT = RANK + 8
"""[64] castling rights that survive a move from or to a square."""
GEOMETRY_SIZE = RIGHTS_KEPT + 64

# Position (int64[80]): six bitboards of men, two of colours, then the state of play and a mailbox of men.
COLOR, CASTLING, EN_PASSANT, TURN, CHECKERS, MAILBOX = 6, 8, 9, 10, 11, 16
"""CASTLING: bits 1 K, 2 Q, 4 k, 8 q. EN_PASSANT: square passed by the last double step, or -1. TURN: 0 White, 1 Black."""
UNDO = MAILBOX + 64
(UNDO_MAN, UNDO_ORIGIN, UNDO_TARGET, UNDO_CAPTURED, UNDO_CAPTURED_MAN, UNDO_CASTLING, UNDO_EN_PASSANT, UNDO_CHECKERS) = range(
    UNDO, UNDO + 8
)
"""What takes the last move back. UNDO_MAN: the man that moved (before promotion), EMPTY for a null move; UNDO_CAPTURED: a
bitboard."""
POSITION_SIZE = UNDO + 8
START_BASE = POSITION_SIZE
START_SIZE = POSITION_SIZE + 1
"""A start position: its position, then the plies before it by its move number and side (0 = White's first move)."""
FRAME_LAST_ROW, FRAME_PLY, FRAME_VARIATION = range(POSITION_SIZE, POSITION_SIZE + 3)
FRAME_SIZE = POSITION_SIZE + 3
"""A line that waits for its variation to end: its position and where it stands."""
MAX_DEPTH = 64

# Numbers of a SAN (`moves.san_number`): every SAN there can be has its own number below SAN_NUMBERS.
MARKS, CAPTURES, SQUARES, KINDS, HINTS = 3, 2, 64, 10, 81
CASTLING_NUMBER = HINTS * KINDS * SQUARES * CAPTURES * MARKS
PASS_NUMBER = CASTLING_NUMBER + 2 * MARKS
SAN_NUMBERS = PASS_NUMBER + 1
UCI_NUMBERS = 5 * 4096
"""from + 64 · to + 4096 · promotion (1 knight … 4 queen, 0 none); 0 = null move."""
MAX_WORDS = 65_535
"""Distinct SAN or moves of one reading, so that codes fit uint16 (fewer than 50,000 SAN exist)."""

# Cursors (int64, argument `at`): how far each output is filled. A refused chunk restores all of them.
(
    N_GAMES,
    N_PLIES,
    MOVETEXT_END,
    N_SAN_WORDS,
    N_UCI_WORDS,
    N_TAGS,
    TAG_NAMES_END,
    TAG_VALUES_END,
    N_WRITTEN,
    WRITTEN_END,
    N_NAGS,
    N_COMMENTS,
    COMMENTS_END,
    N_COMMANDS,
    N_SEGMENTS,
    N_VARIATIONS,
    N_PASSES,
) = range(17)
N_CURSORS = 17
SAVED = 20
"""[N_CURSORS] the cursors as they stood before the current chunk."""
LAST_ROW = 40
"""[3] ply row that last got a clock, an elapsed time, an evaluation; -1 = none in this game."""
RESULT, LETTERS, IS_STRICT, GAME_END, IS_MATE_AS_CHECK, MAIN_PLIES = range(43, 49)
"""What is known of the current game: result code, letters seen, is every main-line move strict SAN, end of the result
token, is some mate marked `+`, plies of the main line."""
LINE_LAST_ROW, LINE_PLY, LINE_VARIATION, DEPTH = range(49, 53)
"""The current line: row of its last ply (-1 before its first), plies before its next one, its number, brackets around it."""
BASE, IS_SET_UP, HAS_FEN = range(53, 56)
"""Of the current game: plies before its first (START_BASE), has it a start position of its own, was its FEN tag read."""
PLUS_MAY_MATE, MAY_PASS = 56, 57
"""What the caller allows: mates marked `+`, null moves in variations."""
HASHES = 64
"""[MAX_TAGS] hashes of the current game's tag names."""
MAX_TAGS = 64
CURSORS_SIZE = HASHES + MAX_TAGS

CLOCK, ELAPSED, CENTIPAWNS, MATE = range(4)
"""Kinds of command in a comment: `[%clk]`, `[%emt]`, `[%eval x]`, `[%eval #n]`."""

UNFINISHED, WHITE_WINS, BLACK_WINS, DRAW = range(4)
RESULTS = ("*", "1-0", "0-1", "1/2-1/2")

# A row of the games array (int64): one per answered chunk.
(
    GAME_CHUNK,
    GAME_START,
    GAME_STOP,
    GAME_PLIES,
    GAME_LETTERS,
    GAME_STRICT,
    GAME_RESULT,
    GAME_BOARD_RESULT,
    GAME_MATE_AS_CHECK,
    GAME_TAGS_END,
    GAME_MOVETEXT_END,
    GAME_ROWS_END,
    GAME_SEGMENTS_END,
    GAME_VARIATIONS_END,
    GAME_OPENING,
) = range(15)
GAME_SIZE = 15

CASTLING_NUMBERS, FILE_NUMBERS, TURN_NUMBER, N_NUMBERS = 768, 772, 780, 781
"""Places in the random numbers of Polyglot. Kinds of men there: 0 a black pawn, 1 a white one, 2 a black knight … 11 White's
king."""
NO_KIND = 12
START_KEY, FEWEST_MEN, BOOK_START_SIZE = 64, 65, 66
BOOK_SLOTS = 1 << 13
FILTER_MASK = (1 << 16) - 1
BOOK_PLIES = 40
"""Plies in which a game is asked for its opening: the longest named line has 36, and games may lose moves on their way."""

PADDING = 16
"""Bytes after the last chunk that the kernel may look at (never use)."""


class Language(NamedTuple):
    """Letters of the men as byte patterns (`tables.language`)."""

    first: Ints
    """[256] of a byte: 0 = starts no letter, man + 1 = is a whole letter, 255 = see patterns."""
    patterns: Ints
    """[4 × k] value (little endian), mask, bytes, man of each longer letter, longest first."""


class Book(NamedTuple):
    """Named positions by their key (`tables.book`), and what keys are made of."""

    numbers: Ints
    """[781] the random numbers of Polyglot: 64 × kind of man + square, castling, file of en passant, White to move."""
    start: Ints
    """[BOOK_START_SIZE] the initial position: kinds of men on 64 squares, its key, the fewest men of a named position."""
    filter: Ints
    """[1024] a bit for the low 16 bits of every key, so that most positions are dismissed by one look."""
    keys: Ints
    rows: Ints
    """[BOOK_SLOTS] of each slot a key, 0 = empty, and the row of its opening. A key lies where its low bits say or in the next
    free slot."""


class Tags(NamedTuple):
    """Tag pairs in order: offsets (one more than pairs) and UTF-8."""

    name_ends: Ints
    names: Ints
    value_ends: Ints
    values: Ints


class Plies(NamedTuple):
    """Moves in order. Codes are ordinals of first appearance; `*_numbers` and `san_words` tell what they stand for."""

    san: Ints
    uci: Ints
    movetext: Ints
    """UTF-8 of all games, SAN joined by single spaces, without a separator between games."""
    san_codes: Ints
    """[SAN_NUMBERS] code of a SAN number, -1 = not seen yet."""
    san_numbers: Ints
    san_words: Ints
    """The SAN of a code as little-endian bytes, at most seven."""
    san_lengths: Ints
    uci_codes: Ints
    uci_numbers: Ints
    main: Ints
    """[MAX_PLIES] UCI numbers of the current game's main line."""


class Written(NamedTuple):
    """Moves as written where that is not their SAN. A `row` counts the plies before it in all answered games."""

    row: Ints
    ends: Ints
    text: Ints


class Glyphs(NamedTuple):
    """Annotation glyphs, by row and number."""

    row: Ints
    nag: Ints
    is_sign: Ints
    """1 = written as a sign (`!?`), 0 = written as `$n`."""


class Comments(NamedTuple):
    """Comments without recognised commands, in text order."""

    row: Ints
    """Twice the ply row, plus 1 for a comment before the move."""
    ends: Ints
    text: Ints


class Commands(NamedTuple):
    """Recognised commands of comments."""

    row: Ints
    kind: Ints
    value: Floats


class Lines(NamedTuple):
    """Where variations stand. A segment is a run of ply rows of one line; each game's first one (its main line) is implied."""

    segment_row: Ints
    segment_variation: Ints
    segment_ply: Ints
    """Plies before the first one of the segment, on its line."""
    parent: Ints
    branch_ply: Ints
    depth: Ints
    """[3 arrays] of each variation, in the order of opening brackets."""


class Passes(NamedTuple):
    """Null moves and where they are written, half-open bytes of the buffer."""

    row: Ints
    start: Ints
    end: Ints


class Notes(NamedTuple):
    """What stands beside moves, sparse."""

    written: Written
    glyphs: Glyphs
    comments: Comments
    commands: Commands
    passes: Passes
