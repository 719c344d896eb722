"""Men and squares as descriptive notations name them: ranks from the mover's side, files by the man that begins there.

A man is named by its letter, with the side that it began on (`KR`); a pawn by the file that it stands on (`KBP`). Names are
given in English letters here, whatever the language: K Q R B N P.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Literal

import chess

from pipeline.model import ANYWHERE, Effect, MovePattern
from pipeline.notations.squares import FILES, RANKS
from pipeline.tables import MEN

_A, _B, _C, _D, _E, _F, _G, _H = FILES
_FILES: Mapping[str, int] = {
    "K": _E, "Q": _D, "R": _A | _H, "N": _B | _G, "B": _C | _F,
    "KR": _H, "KN": _G, "KB": _F, "QR": _A, "QN": _B, "QB": _C,
}  # fmt: skip
"""Name of a file → its squares; without a side both files of the name."""


@dataclass(frozen=True, slots=True)
class Man:
    """A man as named: `KR`, `N`, `QBP`."""

    piece: int
    wing: Literal["", "K", "Q"]
    squares: int
    """The file of a pawn that is named by it, else ANYWHERE."""


def man(name: str) -> Man:
    """`KR` → a rook of the king's side; `BP` → a pawn on one of the bishops' files."""
    if name.endswith("P"):
        return Man(chess.PAWN, "", _FILES[name[:-1]] if name[:-1] else ANYWHERE)
    wing: Literal["", "K", "Q"] = "" if len(name) == 1 else "K" if name[0] == "K" else "Q"
    return Man(MEN[name[-1]], wing, ANYWHERE)


def squares(file: str, rank: str) -> int:
    """File name and rank digit, either may be empty, → the squares that they name, from the mover's side."""
    return (_FILES[file] if file else ANYWHERE) & (RANKS[int(rank) - 1] if rank else ANYWHERE)


def move(
    mover: Man,
    *,
    start: int = ANYWHERE,
    to: int = ANYWHERE,
    promotions: tuple[int, ...] | None = None,
    effects: tuple[Effect, ...] = (),
    leniency: tuple[str, ...] = (),
    is_quiet: bool = True,
) -> MovePattern:
    """A man that goes to a square; it takes there only if it cannot go there otherwise (`4. Q-KB7#`)."""
    return MovePattern(
        pieces=(mover.piece,),
        from_squares=mover.squares & start,
        to_squares=to,
        promotions=promotions,
        is_relative=True,
        wing=mover.wing,
        effects=effects,
        prefers_quiet=is_quiet,
        leniency=leniency,
    )


def capture(
    mover: Man,
    victim: Man | None,
    *,
    start: int = ANYWHERE,
    to: int = ANYWHERE,
    victim_at: int = ANYWHERE,
    promotions: tuple[int, ...] | None = None,
    effects: tuple[Effect, ...] = (),
    leniency: tuple[str, ...] = (),
) -> MovePattern:
    """A man that takes a man, or what stands on a square. The victim is part of the move (docs/rules.md §3.6)."""
    return MovePattern(
        pieces=(mover.piece,),
        from_squares=mover.squares & start,
        to_squares=to,
        promotions=promotions,
        captured=(victim.piece,) if victim else None,
        is_capture=True,
        has_capture_mark=True,
        is_relative=True,
        wing=mover.wing,
        captured_wing=victim.wing if victim else "",
        captured_squares=(victim.squares if victim else ANYWHERE) & victim_at,
        effects=effects,
        leniency=leniency,
    )
