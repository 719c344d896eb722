"""Many lines of moves → each position on their way and the move made there, for the opening tree.

Moves are read by the kernel, keys are computed for all lines at once, ply by ply. Rule: docs/rules.md §14.
"""

from __future__ import annotations

from collections.abc import Sequence
from itertools import pairwise
from typing import Any

import chess
import chess.polyglot
import numpy as np
import pyarrow as pa

from pipeline import bulk, tables
from pipeline.kernel import tables as kernel_tables
from pipeline.kernel.layout import CASTLING_NUMBERS, FILE_NUMBERS, NO_KIND, RIGHTS_KEPT, START_KEY, TURN_NUMBER

Array = np.ndarray[Any, Any]

DEPTH = 30
"""Plies of a game that the tree holds."""

LONGEST = 8 * DEPTH
"""Characters in which so many moves have room: a SAN has at most seven, and a blank."""

STEPS = pa.schema([("line", pa.int32()), ("position_id", pa.int64()), ("san", pa.dictionary(pa.int32(), pa.string()))])
"""A move of a line: ordinal of the line, key of the position before the move, the move."""

_HEAD, _TAIL = b'[Event "?"]\n', b" *\n"


def position_id(board: chess.Board) -> int:
    """The key of a position: Polyglot's, which python-chess computes too, as a signed number."""
    return signed(chess.polyglot.zobrist_hash(board))


def signed(key: int) -> int:
    """A key of 64 bits as columns hold it: two's complement."""
    return key - (key >> 63 << 64)


def steps(movetexts: Sequence[str], depth: int = DEPTH) -> pa.Table:
    """The moves of lines from the initial position (`STEPS`), ordered by line and ply.

    A line that comes back to a position has no second move there.

    `movetexts`: canonical SAN with single spaces. A line ends at `depth` plies, and where it is no legal move;
    what stands behind LONGEST characters may be missing.
    """
    texts = [" ".join(text.split(" ", depth)[:depth]).encode() for text in movetexts]
    buffer = b"".join(part for text in texts for part in (_HEAD, text, _TAIL))
    ends = np.cumsum([0, *(len(_HEAD) + len(text) + len(_TAIL) for text in texts)])
    english = tables.alphabet("en")
    assert english is not None
    read = bulk.read(buffer, np.array(list(pairwise(ends.tolist())), np.int64), english, plus_may_mate=True)
    rows, moves, san = read.main_moves()
    line = np.flatnonzero(read.answered)
    counts = np.diff(rows)
    table = _steps(np.repeat(line, counts), _rectangle(rows, moves), counts, san)
    rest = [_one_by_one(at, texts[at].decode()) for at in np.flatnonzero(~read.answered).tolist()]
    return pa.concat_tables([table, *rest]).unify_dictionaries().combine_chunks().sort_by("line") if rest else table


def _steps(line: Array, moves: Array, counts: Array, san: pa.Array) -> pa.Table:
    is_move = np.arange(moves.shape[1]) < counts[:, None]
    found = keys(moves)
    is_first = _first_visits(found, is_move)[is_move]
    columns = [pa.array(line.astype(np.int32)), pa.array(found[is_move].view(np.int64)), san]
    table = pa.table(columns, schema=STEPS)
    return table if is_first.all() else table.filter(pa.array(is_first))


def _first_visits(found: Array, is_move: Array) -> Array:
    """Which keys [lines, plies] stand in their line for the first time; False behind its end."""
    kept: Array = is_move.copy()
    ordered = np.sort(np.where(is_move, found, np.arange(found.shape[1], dtype=np.uint64)), axis=1)
    for line in np.flatnonzero((ordered[:, 1:] == ordered[:, :-1]).any(axis=1)).tolist():
        n_plies = int(is_move[line].sum())
        first = np.unique(found[line, :n_plies], return_index=True)[1]
        kept[line] = False
        kept[line, first] = True
    return kept


def _rectangle(rows: Array, moves: Array) -> Array:
    """UCI numbers [lines, most plies], 0 behind the end of a line."""
    counts = np.diff(rows)
    wide = np.zeros((len(counts), int(counts.max(initial=0))), np.int32)
    wide[np.arange(wide.shape[1]) < counts[:, None]] = moves
    return wide


def _one_by_one(line: int, text: str) -> pa.Table:
    """The legal beginning of a line that the kernel refuses."""
    board, ids, played = chess.Board(), [], []
    for san in text.split():
        try:
            move = board.parse_san(san)
        except ValueError:
            break
        if (here := position_id(board)) not in ids:
            ids.append(here)
            played.append(board.san(move))
        board.push(move)
    return pa.table(
        [
            pa.array([line] * len(ids), pa.int32()),
            pa.array(ids, pa.int64()),
            pa.array(played).cast(pa.string()).dictionary_encode(),
        ],
        schema=STEPS,
    )


def keys(moves: Array) -> Array:
    """Key before each move, uint64 [lines, plies]; `moves` UCI numbers from the initial position, 0 behind the end of a line.

    What stands behind the end of a line means nothing.
    """
    numbers, start, *_ = kernel_tables.book()
    number = np.array(numbers, np.uint64)
    kept = np.array(kernel_tables.geometry()[RIGHTS_KEPT : RIGHTS_KEPT + 64], np.uint8)
    lost_number = np.array(
        [_xor(numbers[CASTLING_NUMBERS + k] for k in range(4) if bits >> k & 1) for bits in range(16)], np.uint64
    )
    n = len(moves)
    board = np.tile(np.array(start[:64], np.uint8), (n, 1))
    key, rights = np.full(n, start[START_KEY], np.uint64), np.full(n, 15, np.uint8)
    passed = np.zeros(n, np.uint64)
    found = np.empty(moves.shape, np.uint64)
    every = np.arange(n)
    for ply in range(moves.shape[1]):
        found[:, ply] = key
        origin, target, promotion = moves[:, ply] & 63, moves[:, ply] >> 6 & 63, moves[:, ply] >> 12
        man, taken = board[every, origin].astype(np.int64), board[every, target].astype(np.int64)
        key = key ^ passed ^ number[TURN_NUMBER] ^ number[np.minimum(64 * man + origin, TURN_NUMBER)]
        passed = np.zeros(n, np.uint64)
        board[every, origin] = NO_KIND
        at = np.flatnonzero(taken != NO_KIND)
        key[at] ^= number[64 * taken[at] + target[at]]
        at = np.flatnonzero((man < 2) & (taken == NO_KIND) & ((origin ^ target) & 7 != 0))
        beside = (origin[at] & 56) | (target[at] & 7)
        key[at] ^= number[64 * (man[at] ^ 1) + beside]
        board[at, beside] = NO_KIND
        at = np.flatnonzero((man > 9) & (man < NO_KIND) & (abs(target - origin) == 2))
        corner = np.where(target[at] > origin[at], target[at] + 1, target[at] - 2)
        between = (origin[at] + target[at]) >> 1
        rook = man[at] - 4
        key[at] ^= number[64 * rook + corner] ^ number[64 * rook + between]
        board[at, corner], board[at, between] = NO_KIND, rook
        man += 2 * promotion
        key ^= number[np.minimum(64 * man + target, TURN_NUMBER)]
        board[every, target] = man
        at = np.flatnonzero((man < 2) & (origin ^ target == 16))
        file = target[at] & 7
        enemy = man[at] ^ 1
        can_take = ((file > 0) & (board[at, np.maximum(target[at] - 1, 0)] == enemy)) | (
            (file < 7) & (board[at, np.minimum(target[at] + 1, 63)] == enemy)
        )
        passed[at[can_take]] = number[FILE_NUMBERS + file[can_take]]
        key ^= passed
        left = rights & kept[origin] & kept[target]
        key ^= lost_number[rights ^ left]
        rights = left
    return found


def _xor(values: Any) -> int:
    total = 0
    for value in values:
        total ^= value
    return total
