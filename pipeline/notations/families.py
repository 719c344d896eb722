"""What a family of notations beside algebraic tells the rest of the house about itself."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

from pipeline.model import MovePattern


@dataclass(frozen=True, slots=True)
class Family:
    """A way to write moves that has its own words."""

    name: str
    dialects: tuple[str, ...]
    """BCP 47 tags of the languages it is written in, by priority; `zxx` (no language) where it has none."""
    move: str
    """Regular expression of one written move at its widest: blanks, dots and check words that belong to it included.

    Verbose syntax (`re.VERBOSE`), no groups with a name. It may match more than moves: `parse` and the board decide.
    """
    opening: str
    """Regular expression of what may stand behind move number 1 in the midst of prose; stricter than `move`."""
    parse: Callable[[str, str], tuple[MovePattern, ...]]
    """`parse(text, dialect)` → the patterns that a token may mean; () when it is no move of the dialect."""
    kin: str = ""
    """What `games.notation` and hints call it, where that is another family: descriptive in any language."""

    @property
    def notation(self) -> str:
        """What `games.notation` says of a game written so."""
        return self.kin or self.name
