"""Reads many canonical games at once; whatever is not canonical is left to `transcribe`.

A chunk is answered when it is, from its first to its last byte:

* a tag section: lines `[Name "value"]`, at most 64, names distinct in any case, no FEN, SetUp, Variant, values without
  quote, backslash and control characters;
* moves in short or long algebraic notation in the letters of one alphabet, each with exactly one legal reading; capture
  marks `x` `:`, castling with `O` or `0`, promotions `=Q` `Q` `(Q)` `/Q`; marks may be missing, never wrong;
* move numbers that are right (`12.` for White, `12...` or `12. ...` for Black), `!`-`?` signs, `$1`–`$255`,
  `{comments}` without an inner `{`, variations up to 64 deep that have moves;
* the result, as the last token.

Everything else is refused: illegal and ambiguous moves, a `+` without check or a `#` without mate, a wrong
capture mark, odd numbers, unknown tokens, malformed UTF-8, lone carriage returns, comments of a game without moves.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass
from functools import cache, cached_property
from typing import Any, Protocol

import chess
import numpy as np
import pyarrow as pa
import pyarrow.compute as pc

from pipeline import positions, schema
from pipeline.kernel import arrow, columns, layout, modes, tables
from pipeline.kernel.columns import Filled, Job
from pipeline.kernel.layout import PADDING
from pipeline.kernel.rows import Rows, ends_of, line_ids
from pipeline.tables.openings import openings

Array = np.ndarray[Any, Any]

MAX_BYTES = 1 << 30
"""Chunks of one call beyond so many bytes are refused, so that offsets fit 32 bits."""

MAX_MOVE_NUMBER = 9_999
"""Highest move number of a start position, so that move numbers fit int16."""

GAMES = pa.schema(
    [
        ("chunk", pa.int64()),
        ("start", pa.int64()),
        ("end", pa.int64()),
        ("tag_names", schema.STRINGS),
        ("tag_values", schema.STRINGS),
        ("n_plies", pa.int32()),
        ("n_variations", pa.int32()),
        ("n_written", pa.int32()),
        ("letters", pa.int8()),
        ("is_strict", pa.bool_()),
        ("is_mate_as_check", pa.bool_()),
        ("result_movetext", pa.string()),
        ("result_board", pa.string()),
        ("movetext", pa.string()),
        ("start_fen", pa.string()),
        ("first_move_number", pa.int32()),
        ("is_white_first", pa.bool_()),
        ("eco", pa.string()),
        ("opening", pa.string()),
    ]
)
"""A row per answered game, in order. `start`/`end`: first `[` to result token, bytes of the buffer. `n_written`: moves,
variations included, that were not written as their canonical SAN. `letters`: bit 0 N, 1 B, 2 R, 3 Q, 4 K was seen, also in
promotions and variations. `is_strict`: every main-line move was written as its canonical SAN, marks included.
`is_mate_as_check`: some mate was marked `+`."""

NULL_MOVES = pa.schema(
    [("game", pa.int64()), ("variation", pa.int16()), ("ply", pa.int16()), ("start", pa.int64()), ("end", pa.int64())]
)
"""A row per null move: ordinal of its game among the selected ones, its place there and in the buffer (bytes, half-open)."""

SIGNS = {1: "!", 2: "?", 3: "!!", 4: "??", 5: "!?", 6: "?!"}


class Alphabet(Protocol):
    """Letters of the men."""

    @property
    def letters(self) -> Mapping[str, int]:
        """Letter → python-chess piece type."""


def read(
    buffer: bytes,
    chunks: Array,
    alphabet: Alphabet,
    mode: modes.Mode = "auto",
    *,
    plus_may_mate: bool = False,
    may_pass: bool = False,
    may_set_up: bool = False,
) -> Bulk:
    """Answers those chunks of a UTF-8 buffer that are canonical.

    `chunks` is int64 [n, 2]: half-open byte ranges, each believed to be one game. `mode` chooses compiled or plain code and
    never changes the answer. On request more is answered: mates that are marked `+` (`is_mate_as_check`), null moves in
    variations (`Bulk.null_moves`), games of standard chess with a valid FEN tag (`start_fen` and the two columns after it).
    ValueError: a range that is not within the buffer.
    """
    chunks = np.asarray(chunks, np.int64).reshape(-1, 2)
    if ((chunks[:, 0] < 0) | (chunks[:, 0] > chunks[:, 1]) | (chunks[:, 1] > len(buffer))).any():
        raise ValueError(f"chunks reach outside of a buffer of {len(buffer)} bytes")
    is_tried = np.cumsum(chunks[:, 1] - chunks[:, 0]) <= MAX_BYTES
    language = tables.language(alphabet.letters)
    if language is None:
        is_tried[:] = False
    tried = np.flatnonzero(is_tried)
    starts, ends = np.ascontiguousarray(chunks[tried, 0]), np.ascontiguousarray(chunks[tried, 1])
    n_bytes = int((ends - starts).sum())
    setups = _Setups.of(buffer, starts, ends) if may_set_up else _Setups(np.zeros(len(tried), np.int64), [])
    boards = [tables.initial_position(), *(tables.start(board) for _, board in setups.found)]
    letters = language or ([0] * 256, [0] * 4)
    job = Job(buffer + bytes(PADDING), starts, ends, letters, boards, setups.which, plus_may_mate, may_pass)
    read_chunks, is_compiled = modes.load(mode, n_bytes)
    out = columns.allocate(n_bytes, len(tried), is_compiled)
    read_chunks(*columns.arguments(job, out, is_compiled))
    return Bulk(Filled(out), tried, len(chunks), setups)


_SETUP_TAG = re.compile(rb'^\[(FEN|SetUp) "([^"\\\r\n]*)"\]', re.MULTILINE)


@dataclass(frozen=True, slots=True)
class _Setups:
    """Start positions that games bring along."""

    which: Array
    """[chunks] 0 = the initial position, else 1 + index into `found`."""
    found: list[tuple[str | None, chess.Board]]
    """X-FEN (None = the initial position after all) and board."""

    @classmethod
    def of(cls, buffer: bytes, starts: Array, ends: Array) -> _Setups:
        """Those of standard chess without any fault. The kernel refuses a game whose tags differ from what is found here."""
        tags: dict[int, dict[str, str]] = {}
        for match in _SETUP_TAG.finditer(buffer) if b"[FEN " in buffer and (np.diff(starts) >= 0).all() else ():
            chunk = int(np.searchsorted(starts, match.start(), "right")) - 1
            if chunk >= 0 and match.end() <= ends[chunk]:
                # The first of a name is the tag: the tag section comes first.
                tags.setdefault(chunk, {}).setdefault(match[1].decode().lower(), match[2].decode("utf-8", "replace"))
        which, found = np.zeros(len(starts), np.int64), []
        for chunk, pairs in tags.items():
            start = positions.start(pairs)
            if "fen" not in pairs or pairs.get("setup", "1") != "1" or start.board is None:
                continue
            if start.issues or start.is_chess960 or not start.board.is_valid() or start.board.fullmove_number > MAX_MOVE_NUMBER:
                continue
            found.append((start.fen, start.board))
            which[chunk] = len(found)
        return cls(which, found)


@cache
def _openings() -> tuple[pa.Array, pa.Array]:
    """Code and name of every named opening."""
    return pa.array([o.eco for o in openings()], pa.string()), pa.array([o.name for o in openings()], pa.string())


class Bulk:
    """What `read` answered. `answered` [n chunks] says which chunks; `games` has a row for each of those (`GAMES`)."""

    def __init__(self, filled: Filled, tried: Array, n_chunks: int, setups: _Setups) -> None:
        self._filled = filled
        asked = filled.games[:, layout.GAME_CHUNK]
        self._chunks = tried[asked]
        self._setup = setups.which[asked]
        """[answered games] index into the three lists below."""
        boards = [chess.Board(), *(board for _, board in setups.found)]
        self._fens = [None, *(fen for fen, _ in setups.found)]
        self._first_numbers = np.array([board.fullmove_number for board in boards], np.int32)
        self._is_black_first = np.array([not board.turn for board in boards], np.bool_)
        self.answered = np.zeros(n_chunks, np.bool_)
        self.answered[self._chunks] = True
        self.games = self._games()

    def _games(self) -> pa.Table:
        filled, rows = self._filled, self._filled.games
        tag_ends = ends_of(rows[:, layout.GAME_TAGS_END])
        results = pa.array(layout.RESULTS)
        board = rows[:, layout.GAME_BOARD_RESULT]
        movetext = arrow.strings(ends_of(rows[:, layout.GAME_MOVETEXT_END]), filled.movetext)
        n_plies = rows[:, layout.GAME_PLIES]
        if (n_plies == 0).any():
            movetext = pc.if_else(pa.array(n_plies > 0), movetext, None)
        named = rows[:, layout.GAME_OPENING]
        opening = pa.array(np.ascontiguousarray(named), mask=named < 0)
        return pa.table(
            [
                pa.array(self._chunks),
                pa.array(np.ascontiguousarray(rows[:, layout.GAME_START])),
                pa.array(np.ascontiguousarray(rows[:, layout.GAME_STOP])),
                pa.ListArray.from_arrays(pa.array(tag_ends), filled.tag_names, type=schema.STRINGS),
                pa.ListArray.from_arrays(pa.array(tag_ends), filled.tag_values, type=schema.STRINGS),
                pa.array(n_plies.astype(np.int32)),
                pa.array(np.diff(rows[:, layout.GAME_VARIATIONS_END], prepend=0).astype(np.int32)),
                pa.array(np.diff(np.searchsorted(filled.written_row, ends_of(rows[:, layout.GAME_ROWS_END]))).astype(np.int32)),
                pa.array(rows[:, layout.GAME_LETTERS].astype(np.int8)),
                pa.array(rows[:, layout.GAME_STRICT] != 0),
                pa.array(rows[:, layout.GAME_MATE_AS_CHECK] != 0),
                results.take(pa.array(np.ascontiguousarray(rows[:, layout.GAME_RESULT]))),
                results.take(pa.array(np.ascontiguousarray(board), mask=board < 0)),
                movetext,
                pa.array(self._fens, pa.string()).take(pa.array(self._setup)),
                pa.array(self._first_numbers[self._setup]),
                pa.array(~self._is_black_first[self._setup]),
                *(words.take(opening) for words in _openings()),
            ],
            schema=GAMES,
        )

    @cached_property
    def _san(self) -> pa.StringArray:
        words = self._filled.san_words.astype("<i8").view("S8")
        return pa.array([word.decode() for word in words.tolist()], pa.string())

    @cached_property
    def _uci(self) -> pa.StringArray:
        names = [file + rank for rank in "12345678" for file in "abcdefgh"]
        numbers = self._filled.uci_numbers.tolist()
        promotions = ("", "n", "b", "r", "q")
        spelled = (names[k & 63] + names[k >> 6 & 63] + promotions[k >> 12] if k else "0000" for k in numbers)
        return pa.array(spelled, pa.string())

    def _halves(self, rows: Rows, select: Array, at: Array | slice) -> Array:
        """Half-moves from White's first move to each of the rows `at`, by the numbers of the start position; odd = White's."""
        ply = rows.ply[at].astype(np.int32)
        if not self._setup.any():
            return ply
        before = 2 * self._first_numbers - 2 + self._is_black_first
        return ply + before[self._setup][select][rows.game[at]]

    def plies(self, select: Array, game_ids: pa.Array, *, is_encoded: bool = False) -> pa.Table:
        """`schema.PLIES` of the selected games. `select` [answered games] bool, `game_ids` one string per selected game.

        `is_encoded` leaves game_id, color, san, uci as dictionaries, which Parquet writes three times faster.
        """
        filled, select = self._filled, np.asarray(select, np.bool_)
        rows = Rows.of(filled, select)
        n, taken = len(rows.game), rows.taken
        half = self._halves(rows, select, slice(None))
        san, uci = (filled.san, filled.uci) if taken is None else (filled.san[taken], filled.uci[taken])
        color = pa.array(["w", "b"])
        before, after = self._comments(rows, 1), self._comments(rows, 0)
        written_row, written = rows.place(filled.written_row, filled.written)
        nag_row, nag = rows.place(filled.nag_row, pa.array(filled.nag))
        by_name = {
            "game_id": arrow.coded(rows.game, game_ids, is_encoded),
            "variation": pa.array(rows.variation),
            "ply": pa.array(rows.ply),
            "move_number": pa.array(((half + 1) >> 1).astype(np.int16)),
            "color": arrow.coded(((half + 1) & 1).astype(np.int8), color, is_encoded),
            "san": arrow.coded(san, self._san, is_encoded),
            "uci": arrow.coded(uci, self._uci, is_encoded),
            "written": arrow.spread_strings(n, written_row, written),
            "nags": arrow.spread_lists(n, nag_row, nag, schema.NAGS),
            "comment_before": arrow.spread_strings(n, *before),
            "comment": arrow.spread_strings(n, *after),
            "clock_seconds": self._commands(rows, n, layout.CLOCK, schema.FLOAT),
            "elapsed_seconds": self._commands(rows, n, layout.ELAPSED, schema.FLOAT),
            "eval_cp": self._commands(rows, n, layout.CENTIPAWNS, schema.INT32),
            "eval_mate": self._commands(rows, n, layout.MATE, schema.INT16),
            "decided_by": pa.nulls(n, schema.STRING),
        }
        if is_encoded:
            return pa.table([by_name[column.name] for column in schema.PLIES.columns], names=list(schema.PLIES.schema.names))
        return pa.table([by_name[column.name] for column in schema.PLIES.columns], schema=schema.PLIES.schema)

    def _comments(self, rows: Rows, is_before: int) -> tuple[Array, pa.StringArray]:
        key = self._filled.comment_row
        chosen = np.flatnonzero((key & 1) == is_before)
        values = self._filled.comments
        if len(chosen) < len(key):
            values = values.take(pa.array(chosen))
        return arrow.join_repeated(*rows.place(key[chosen] >> 1, values), "\n")

    def _commands(self, rows: Rows, n: int, kind: int, type_: pa.DataType) -> pa.Array:
        chosen = np.flatnonzero(self._filled.command_kind == kind)
        row, values = rows.place(self._filled.command_row[chosen], pa.array(self._filled.command_value[chosen]))
        return arrow.spread_numbers(n, row, values.to_numpy(), type_)

    def main_moves(self) -> tuple[Array, Array, pa.Array]:
        """Moves of games without variations: first row of each game and one more, UCI numbers and SAN of all rows."""
        filled = self._filled
        san = pa.DictionaryArray.from_arrays(pa.array(filled.san.astype(np.int32)), self._san)
        return ends_of(filled.games[:, layout.GAME_ROWS_END]), filled.uci_numbers[filled.uci], san

    def variations(self, select: Array, game_ids: pa.Array) -> pa.Table:
        """`schema.VARIATIONS` of the selected games."""
        filled, select = self._filled, np.asarray(select, np.bool_)
        ends = ends_of(filled.games[:, layout.GAME_VARIATIONS_END])
        game = np.repeat(np.arange(len(select)), np.diff(ends))
        number = np.arange(len(game)) - ends[game] + 1
        kept = select[game]
        ordinal = np.cumsum(select) - 1
        return pa.table(
            [
                game_ids.take(pa.array(ordinal[game[kept]])),
                pa.array(number[kept].astype(np.int16)),
                *(pa.array(column[kept]) for column in (filled.parent, filled.branch_ply, filled.depth)),
                pa.nulls(int(kept.sum()), schema.STRING),
            ],
            schema=schema.VARIATIONS.schema,
        )

    def null_moves(self, select: Array) -> pa.Table:
        """Null moves of the selected games (`NULL_MOVES`), in the order of `plies`."""
        filled = self._filled
        rows = Rows.of(filled, np.asarray(select, np.bool_))
        row, ordinals = rows.place(filled.pass_row, pa.array(np.arange(len(filled.pass_row))))
        ordinal = ordinals.to_numpy()
        place = (rows.game[row].astype(np.int64), rows.variation[row], rows.ply[row])
        return pa.table([pa.array(c) for c in (*place, filled.pass_start[ordinal], filled.pass_end[ordinal])], schema=NULL_MOVES)

    def annotations(self, select: Array, game_ids: pa.Array, nag_sides: Mapping[int, str]) -> pa.Table:
        """`schema.ANNOTATIONS` of the selected games; `nag_sides` gives the side (w, b) that a glyph names."""
        filled, select = self._filled, np.asarray(select, np.bool_)
        rows = Rows.of(filled, select)
        row, ordinals = rows.place(filled.nag_row, pa.array(np.arange(len(filled.nag_row))))
        if len(row) == 0:
            return schema.ANNOTATIONS.empty()
        ordinal = ordinals.to_numpy()
        nag, signs = filled.nag[ordinal].tolist(), filled.is_sign[ordinal].tolist()
        fens = [self._fens[k] for k in self._setup[select].tolist()]
        return pa.table(
            [
                game_ids.take(pa.array(rows.game[row])),
                pa.array(rows.variation[row]),
                pa.array(rows.ply[row]),
                pa.array(["w", "b"]).take(pa.array((self._halves(rows, select, row) + 1) & 1)),
                pa.array(nag, schema.INT16),
                pa.array([SIGNS[k] if is_sign else f"${k}" for k, is_sign in zip(nag, signs, strict=True)], schema.STRING),
                pa.array([nag_sides.get(k) for k in nag], schema.STRING),
                pa.array(line_ids(filled, rows, select, self._san, row, fens), schema.STRING),
            ],
            schema=schema.ANNOTATIONS.schema,
        )
