"""The record of a position that a text says, and how men on squares become boards."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from typing import Literal

import chess

from pipeline import positions

Kind = Literal["fen", "epd", "list", "diagram", "odds"]


@dataclass(frozen=True, slots=True)
class Setup:
    """A position that stands in a text at `start`/`end` (characters, half-open), `words` as written there.

    `boards`: all that it may mean, first choice first; several when the side to move or a man is left open.
    """

    start: int
    end: int
    kind: Kind
    boards: tuple[chess.Board, ...]
    words: str
    variant: Literal["standard", "chess960"] = "standard"
    is_side_known: bool = True
    """False: neither words nor the board say who is to move, and both are among `boards`."""
    reason: str | None = None
    """Why there is no board."""
    languages: frozenset[str] = frozenset()
    """BCP 47 tags of the languages that the side words of a list belong to."""
    operations: tuple[tuple[str, str], ...] = ()
    """Opcodes and operands of an EPD line, as written."""


def boards(placement: str, turns: Iterable[str]) -> tuple[tuple[chess.Board, ...], str | None]:
    """Men in Forsyth's form → a board for each side to move that can be, or why there is none.

    Castling is allowed wherever king and rook stand on their squares, since the men alone do not tell: it only adds moves.
    """
    found: list[chess.Board] = []
    reason = None
    for turn in turns:
        try:
            men = chess.Board(f"{placement} {turn} KQkq - 0 1")
        except ValueError as error:
            return (), str(error)
        men.castling_rights = men.clean_castling_rights()
        start = positions.start({"fen": men.fen()})
        if start.board is not None:
            found.append(start.board)
        else:
            reason = reason or (start.issues[0].detail if start.issues else None)
    return tuple(found), None if found else reason
