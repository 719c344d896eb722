"""The opening of a line of moves: that of its last position which `tables/openings.csv` names, however it came about.

Rule: docs/rules.md §14. The fast lane asks `kernel.book.named` itself; this is the way for a game that `transcribe` read.
"""

from __future__ import annotations

from collections.abc import Iterable
from functools import cache

import chess

from pipeline.kernel import tables
from pipeline.kernel.book import named
from pipeline.kernel.layout import Book
from pipeline.model import Game
from pipeline.tables.openings import Opening, openings


def opening_of(game: Game) -> Opening | None:
    """The opening of a game's main line; None without a named position, for another start and for other rules."""
    if game.variant != "standard" or game.start_fen is not None:
        return None
    return opening_of_line(ply.uci for ply in game.lines[0].plies)


def opening_of_line(moves: Iterable[str]) -> Opening | None:
    """The opening of moves (UCI) from the initial position, of which each must be legal."""
    line = [_number(move) for move in moves]
    row = named(line, len(line), *_lookup(), [0] * 64)
    return openings()[row] if row >= 0 else None


@cache
def _lookup() -> tuple[list[int], Book]:
    return list(tables.geometry()), Book(*tables.book())


def _number(uci: str) -> int:
    """The UCI number of `kernel.layout`; 0 for a null move."""
    move = chess.Move.from_uci(uci)
    return move.from_square | move.to_square << 6 | (move.promotion - 1 if move.promotion else 0) << 12
