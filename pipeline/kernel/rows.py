"""Ply rows in the order of the stored table: games in order, a game's main line before its variations."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from hashlib import sha256

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc

from pipeline.kernel import layout
from pipeline.kernel.arrow import Array
from pipeline.kernel.columns import Filled


def ends_of(running: Array) -> Array:
    """n running ends → n + 1 offsets from 0 (int32)."""
    ends = np.zeros(len(running) + 1, np.int32)
    ends[1:] = running
    return ends


@dataclass(frozen=True, slots=True)
class Rows:
    """Ply rows of the selected games, sorted by game, variation, ply."""

    game: Array
    """Ordinal of the row's game among the selected ones (int32)."""
    variation: Array
    ply: Array
    taken: Array | None
    """Row of the kernel's arrays that each row is; None = all of them as they stand."""
    places: Array | None
    """Inverse of `taken`: row here of a kernel row, -1 = not selected."""

    @classmethod
    def of(cls, filled: Filled, select: Array) -> Rows:
        """Rows of the games for which `select` [answered games] is true."""
        n_rows = len(filled.san)
        first_rows = ends_of(filled.games[:, layout.GAME_ROWS_END])
        ordinal = np.cumsum(select, dtype=np.int32) - 1
        if len(filled.segment_row) == 0 and select.all():
            lengths = np.diff(first_rows)
            ply = np.arange(1, n_rows + 1, dtype=np.int32) - np.repeat(first_rows[:-1], lengths)
            return cls(np.repeat(ordinal, lengths), np.zeros(n_rows, np.int16), ply.astype(np.int16), None, None)
        game, row, variation, before, length = _segments(filled)
        order = np.argsort((game << 16) + variation, kind="stable")
        order = order[select[game[order]]]
        game, row, variation, before, length = (column[order] for column in (game, row, variation, before, length))
        steps = np.arange(int(length.sum())) - np.repeat(np.cumsum(length) - length, length)
        taken = np.repeat(row, length) + steps
        places = np.full(n_rows, -1, np.int64)
        places[taken] = np.arange(len(taken))
        # A line's later segments know how many plies stand before them.
        ply = (np.repeat(before + 1, length) + steps).astype(np.int16)
        return cls(np.repeat(ordinal[game], length), np.repeat(variation, length).astype(np.int16), ply, taken, places)

    def place(self, kernel_rows: Array, values: pa.Array) -> tuple[Array, pa.Array]:
        """Entries at rows of the kernel → entries at rows here, in order; those of other games are left out."""
        if self.places is None:
            return kernel_rows, values
        rows = self.places[kernel_rows]
        order = np.argsort(rows, kind="stable")
        order = order[np.count_nonzero(rows < 0) :]
        return rows[order], values.take(pa.array(order))


def _segments(filled: Filled) -> tuple[Array, Array, Array, Array, Array]:
    """Every run of rows of one line, in text order → (game, first row, variation, plies before it on its line, rows)."""
    games = filled.games
    ends = ends_of(games[:, layout.GAME_SEGMENTS_END])
    game = np.repeat(np.arange(len(games)), np.diff(ends) + 1)
    is_head = np.zeros(len(game), np.bool_)
    is_head[ends[:-1] + np.arange(len(games))] = True
    row, variation, before = (np.zeros(len(game), np.int64) for _ in range(3))
    row[is_head] = ends_of(games[:, layout.GAME_ROWS_END])[:-1]
    row[~is_head] = filled.segment_row
    variation[~is_head] = filled.segment_variation
    before[~is_head] = filled.segment_ply
    return game, row, variation, before, np.diff(row, append=len(filled.san))


def line_ids(
    filled: Filled, rows: Rows, select: Array, san: pa.StringArray, places: Array, fens: Sequence[str | None]
) -> list[str]:
    """Line ids (`schema.ANNOTATIONS`) of the rows at `places`: hash of the start position and the moves up to there.

    `san` spells the kernel's SAN codes; `fens` are the start positions of the selected games, None = the initial one.
    """
    codes = filled.san if rows.taken is None else filled.san[rows.taken]
    is_head = np.ones(len(codes), np.bool_)
    is_head[1:] = (rows.variation[1:] != rows.variation[:-1]) | (rows.game[1:] != rows.game[:-1])
    heads = np.append(np.flatnonzero(is_head), len(codes))
    texts = pc.binary_join(pa.ListArray.from_arrays(pa.array(heads.astype(np.int32)), san.take(pa.array(codes))), " ")
    text_of = [text.encode() for text in texts.to_pylist()]
    line_of = np.cumsum(is_head) - 1
    # Bytes from the start of the line to the end of each of its plies.
    ends = np.cumsum(filled.san_lengths[codes].astype(np.int64) + 1)
    stops = ends - np.append(0, ends)[heads[line_of]] - 1
    first_variations = ends_of(filled.games[:, layout.GAME_VARIATIONS_END])[:-1][select]
    prefixes: dict[int, bytes] = {}

    def prefix(line: int) -> bytes:
        """Start position and moves before the line's first one, each with a blank after it."""
        pending = []
        while line not in prefixes:
            head = int(heads[line])
            variation = int(rows.variation[head])
            if variation == 0:
                prefixes[line] = (fens[rows.game[head]] or "").encode() + b"\n"
                break
            pending.append(line)
            line += int(filled.parent[first_variations[rows.game[head]] + variation - 1]) - variation
        for child in reversed(pending):
            parent_head, first = int(heads[line]), int(rows.ply[heads[child]])
            n_kept = first - int(rows.ply[parent_head])
            kept = text_of[line][: int(stops[parent_head + n_kept - 1]) + 1] if n_kept else b""
            prefixes[child] = prefixes[line] + kept
            line = child
        return prefixes[line]

    found = []
    for line, stop in zip(line_of[places].tolist(), stops[places].tolist(), strict=True):
        found.append(sha256(prefix(line) + text_of[line][:stop]).hexdigest()[:32])
    return found
