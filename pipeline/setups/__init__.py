"""Positions that a text says: FEN and EPD, lists of men in any alphabet, diagrams in letters, men taken off before the game.

`find` gives all of a text, `start_of` the one that a score begins from. Pure functions of text; what a text leaves open (who is
to move, which pawn) comes as several boards, and a score may be tried from each. What cannot be comes with a reason and no board.
Source of the forms: PGN standard 16.1 and 16.2, X-FEN and Shredder-FEN for castling rights; docs/rules.md §8.
"""

from __future__ import annotations

from pipeline.setups import diagrams, forsyth, lists, odds
from pipeline.setups.setup import Setup, boards

_LINES = 6
"""Lines with text between a position and its score, at most: a date, a heading, a remark of the annotator."""


def find(text: str) -> list[Setup]:
    """All positions that a text says, in order and apart from one another. Linear in the text; never raises."""
    found = [*forsyth.find(text), *diagrams.find(text), *lists.find(text), *odds.find(text)]
    found.sort(key=lambda setup: (setup.start, -setup.end))
    apart: list[Setup] = []
    for setup in found:
        if not apart or setup.start >= apart[-1].end:
            apart.append(setup)
    return apart


def start_of(lead: str) -> Setup | None:
    """The position that the text just before a score says, None when it says none: the last of it, if it is close enough.

    Try the score from each of `boards`; where `kind` is `odds`, from the initial position too, since prose says as much of games
    in which a man was lost. No `boards`: a position was meant and cannot be, `reason` says why. Offsets are those of `lead`.
    """
    found = find(lead)
    if not found:
        return None
    between = [line for line in lead[found[-1].end :].splitlines() if line.strip()]
    return found[-1] if len(between) <= _LINES else None


__all__ = ["Setup", "boards", "find", "start_of"]
