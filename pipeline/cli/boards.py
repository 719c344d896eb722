"""Positions and places in a text, for people."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING

from pipeline.cli.output import printable

if TYPE_CHECKING:
    import chess

_LINES_AROUND = 3
_MOST_CHARS = 300
"""Of one line of a text around a place, on either side."""


def diagram(board: chess.Board) -> list[str]:
    """A position as eight lines with figurines, White below, ranks and files named; and who is to move."""
    lines = str(board.unicode(empty_square="·")).splitlines()
    named = [f"{8 - i}  {line}" for i, line in enumerate(lines)]
    return [*named, f"   a b c d e f g h   {'White' if board.turn else 'Black'} to move"]


def marked(text: str, start: int, end: int) -> Iterator[str]:
    """The lines around a place of a text, with ▸what stands there◂ marked."""
    before = text[:start].splitlines(keepends=True)[-_LINES_AROUND - 1 :]
    after = text[end:].splitlines(keepends=True)[: _LINES_AROUND + 1]
    cut = [line[-_MOST_CHARS:] for line in before], [line[:_MOST_CHARS] for line in after]
    whole = "".join(cut[0]) + f"▸{text[start:end]}◂" + "".join(cut[1])
    for line in whole.splitlines():
        yield printable(line.rstrip())


def listed(moves: Sequence[str], most: int = 12) -> str:
    """`Bb3, Bc2, … (31 in all)`."""
    told = ", ".join(moves[:most])
    return told if len(moves) <= most else f"{told}, … ({len(moves)} in all)"
