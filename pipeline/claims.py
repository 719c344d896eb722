"""Lines told in a remark that claim the place of moves which were read as the score. Knows no board. Rules: docs/rules.md §2.1.

`2... b6 3. c4 e5 is threatened. 2... d5 3. Bf4 c6 4. e3`: if the first line was read as the score, the second one says that it
may have been a remark.
"""

from __future__ import annotations

from dataclasses import dataclass

from pipeline import lexer
from pipeline.lexer import Token

_REST_PLIES = 2
"""So long a line that begins exactly where the score ended may be the rest of it."""
_LONG_PLIES = 8
"""So long a line that begins about where the score ended may be the rest of it."""
GAP_PLIES = 3
"""A score that goes on this far beyond the move that is due has lost some."""
_CLAIMS = 4
"""Most lines of one remark that are remembered."""


@dataclass(slots=True)
class Claim:
    """A line, from half-move `index` to before `reach`. `is_subject`: words of its sentence go on behind it."""

    token: Token
    index: int
    reach: int
    is_open: bool = True
    is_subject: bool = False


class Claims:
    """The claims of one remark. `side`, everywhere: the half-move that is due in the line being told, if one is."""

    def __init__(self) -> None:
        self.lines: list[Claim] = []
        self.near: Token | None = None
        """Number of the line being told, if it began about where the score ended."""
        self.furthest: tuple[int, Token] | None = None
        """How far such a line went, and its number."""
        self.at_end: Token | None = None
        """Number of the line being told, if it began where the score ended."""
        self.rest: Token | None = None
        """Number of such a line of two half-moves or more."""

    def number(self, token: Token, side: int | None, due: int, *, is_told: bool) -> None:
        """A number: goes on with a line, or begins one; if it is told and goes back, that is a claim."""
        at, goes_on = index(token), side == index(token)
        for claim in self.lines:
            is_next = at == claim.reach and (is_told or (goes_on and claim.is_open))
            claim.is_subject &= not is_next or claim.is_open
            claim.is_open = is_next
        if not goes_on:
            self.at_end = token if at == due else None
        if not goes_on and at <= due + GAP_PLIES:
            self.near = token
        elif not goes_on:
            self.near = None
        if at < due and is_told and not goes_on and len(self.lines) < _CLAIMS:
            self.lines.append(Claim(token, at, at))

    def move(self, side: int) -> None:
        """A move of the line being told, and the half-move that is due behind it."""
        if self.at_end and side >= index(self.at_end) + _REST_PLIES:
            self.rest = self.at_end
        if self.near and (self.furthest is None or side > self.furthest[0]):
            self.furthest = side, self.near
        for claim in self.lines:
            claim.reach += claim.is_open

    def word(self, token: Token, side: int | None) -> None:
        """A word ends the line; one in small letters says something about it."""
        for claim in self.lines:
            claim.is_subject |= claim.is_open and side is not None and token.text[0].islower()
            claim.is_open = False

    def rival(self, due: int, *, is_number: bool, is_subject: bool) -> Claim | None:
        """The first line that may be the score as well: it goes on with the number that is due, or, at the end, beyond.

        `is_subject`: the moves that were read as the score are the subject of a sentence; then each line that is none may be.
        """
        found = [claim for claim in self.lines if is_subject or not claim.is_subject]
        found = [claim for claim in found if claim.index < due]
        if is_number:
            found = [claim for claim in found if claim.reach == due or (is_subject and claim.reach > due)]
        else:
            found = [claim for claim in found if claim.reach >= due or (not claim.is_subject and is_subject)]
        return min(found, key=lambda claim: claim.index, default=None)

    def long(self, due: int) -> Token | None:
        """The number of a line that may be the rest of the score: it begins where that ended, or is long."""
        if self.rest:
            return self.rest
        return self.furthest[1] if self.furthest and self.furthest[0] >= due + _LONG_PLIES else None


def index(token: Token) -> int:
    """Half-move index that a number announces: 0 = White's first move."""
    number, is_black = lexer.move_number(token)
    return 2 * (number - 1) + is_black
