"""Reads many canonical games at once; whatever is not canonical is left to `transcribe`.

A chunk is answered when it is, from its first to its last byte:

* a tag section: lines `[Name "value"]`, at most 64, names distinct in any case, none of FEN, SetUp, Variant, values without
  quote, backslash and control characters;
* moves in short or long algebraic notation in the letters of one alphabet, each with exactly one legal reading; capture
  marks `x` `:`, castling with `O` or `0`, promotions `=Q` `Q` `(Q)` `/Q`; marks may be missing, never wrong;
* move numbers that are right (`12.` for White, `12...` or `12. ...` for Black), `!`-`?` signs, `$1`–`$255`,
  `{comments}` without an inner `{`, variations up to 64 deep that have moves;
* the result, as the last token.

Everything else is refused: illegal and ambiguous moves, null moves, a `+` without check or a `#` without mate, a wrong
capture mark, odd numbers, unknown tokens, malformed UTF-8, lone carriage returns, comments of a game without moves.
"""

from __future__ import annotations

from collections.abc import Mapping
from functools import cached_property
from typing import Any, Protocol

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc

from pipeline import schema
from pipeline.kernel import arrow, columns, layout, modes, tables
from pipeline.kernel.columns import Filled
from pipeline.kernel.layout import PADDING
from pipeline.kernel.rows import Rows, ends_of, line_ids

Array = np.ndarray[Any, Any]

MAX_BYTES = 1 << 30
"""Chunks of one call beyond so many bytes are refused, so that offsets fit 32 bits."""

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
    ]
)
"""A row per answered game, in order. `start`/`end`: first `[` to result token, bytes of the buffer. `n_written`: moves,
variations included, that were not written as their canonical SAN. `letters`: bit 0 N, 1 B, 2 R, 3 Q, 4 K was seen, also in
promotions and variations. `is_strict`: every main-line move was written as its canonical SAN, marks included.
`is_mate_as_check`: some mate was marked `+`."""

SIGNS = {1: "!", 2: "?", 3: "!!", 4: "??", 5: "!?", 6: "?!"}


class Alphabet(Protocol):
    """Letters of the men."""

    @property
    def letters(self) -> Mapping[str, int]:
        """Letter → python-chess piece type."""


def read(buffer: bytes, chunks: Array, alphabet: Alphabet, mode: modes.Mode = "auto", *, plus_may_mate: bool = False) -> Bulk:
    """Answers those chunks of a UTF-8 buffer that are canonical.

    `chunks` is int64 [n, 2]: half-open byte ranges, each believed to be one game. `mode` chooses compiled or plain code and
    never changes the answer. With `plus_may_mate` a mate that is marked `+` is answered too (`is_mate_as_check`).
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
    read_chunks, is_compiled = modes.load(mode, n_bytes)
    out = columns.allocate(n_bytes, len(tried), is_compiled)
    letters = language or ([0] * 256, [0] * 4)
    read_chunks(*columns.arguments(buffer + bytes(PADDING), starts, ends, letters, plus_may_mate, out, is_compiled))
    return Bulk(Filled(out), tried, len(chunks))


class Bulk:
    """What `read` answered. `answered` [n chunks] says which chunks; `games` has a row for each of those (`GAMES`)."""

    def __init__(self, filled: Filled, tried: Array, n_chunks: int) -> None:
        self._filled = filled
        self._chunks = tried[filled.games[:, layout.GAME_CHUNK]]
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
        return pa.array([names[k & 63] + names[k >> 6 & 63] + ("", "n", "b", "r", "q")[k >> 12] for k in numbers], pa.string())

    def plies(self, select: Array, game_ids: pa.Array, *, is_encoded: bool = False) -> pa.Table:
        """`schema.PLIES` of the selected games. `select` [answered games] bool, `game_ids` one string per selected game.

        `is_encoded` leaves game_id, color, san, uci as dictionaries, which Parquet writes three times faster.
        """
        filled, rows = self._filled, Rows.of(self._filled, np.asarray(select, np.bool_))
        n, taken = len(rows.game), rows.taken
        san, uci = (filled.san, filled.uci) if taken is None else (filled.san[taken], filled.uci[taken])
        color = pa.array(["w", "b"])
        before, after = self._comments(rows, 1), self._comments(rows, 0)
        written_row, written = rows.place(filled.written_row, filled.written)
        nag_row, nag = rows.place(filled.nag_row, pa.array(filled.nag))
        by_name = {
            "game_id": arrow.coded(rows.game, game_ids, is_encoded),
            "variation": pa.array(rows.variation),
            "ply": pa.array(rows.ply),
            "move_number": pa.array((rows.ply + 1) >> 1),
            "color": arrow.coded(((rows.ply + 1) & 1).astype(np.int8), color, is_encoded),
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

    def annotations(self, select: Array, game_ids: pa.Array, nag_sides: Mapping[int, str]) -> pa.Table:
        """`schema.ANNOTATIONS` of the selected games; `nag_sides` gives the side (w, b) that a glyph names."""
        filled, select = self._filled, np.asarray(select, np.bool_)
        rows = Rows.of(filled, select)
        row, ordinals = rows.place(filled.nag_row, pa.array(np.arange(len(filled.nag_row))))
        ordinal = ordinals.to_numpy()
        nag, signs = filled.nag[ordinal].tolist(), filled.is_sign[ordinal].tolist()
        ply = rows.ply[row]
        return pa.table(
            [
                game_ids.take(pa.array(rows.game[row])),
                pa.array(rows.variation[row]),
                pa.array(ply),
                pa.array(["w", "b"]).take(pa.array((ply + 1) & 1)),
                pa.array(nag, schema.INT16),
                pa.array([SIGNS[k] if is_sign else f"${k}" for k, is_sign in zip(nag, signs, strict=True)], schema.STRING),
                pa.array([nag_sides.get(k) for k in nag], schema.STRING),
                pa.array(line_ids(filled, rows, select, self._san, row), schema.STRING),
            ],
            schema=schema.ANNOTATIONS.schema,
        )
