"""Characters that stand for the signs of a move, by the rows of homoglyphs.csv and piece_letters.csv.

Strings of single characters, in the order of their code points; `char_class` makes a class of a regular expression of one.
"""

from __future__ import annotations

import re
from typing import Final

from pipeline import tables

_ORDINARY = frozenset({"sign", "form", "lookalike"})
"""Kinds that a strict reading takes; what OCR made of a sign is for a lenient one."""


def char_class(chars: str) -> str:
    """A character class that matches one of `chars`."""
    return f"[{re.escape(chars)}]"


def _signs(*contexts: str, without: str = "") -> str:
    """Single characters of some contexts, but for those that annotators use as symbols anywhere (`○`)."""
    symbols = {s.symbol for s in tables.symbols().values() if s.placement == "any"}
    found = {h.char for context in contexts for h in tables.homoglyphs(context) if h.kind in _ORDINARY and len(h.char) == 1}
    return "".join(sorted(found - symbols - set(without)))


_COLONS = frozenset(":：∶")

DASHES: Final = _signs("dash", without="~")
"""`~` between two moves is the symbol for an unclear position."""
CAPTURES: Final = _signs("capture", without="*")
"""Crosses and colons. `*` captures only in problem solutions; in movetext it is the result of an unfinished game."""
COLONS: Final = "".join(c for c in CAPTURES if c in _COLONS)
CROSSES: Final = "".join(c for c in CAPTURES if c not in _COLONS)
CASTLES: Final = _signs("castle")
MATES: Final = _signs("mate", without=CAPTURES + "№")
CHECKS: Final = _signs("check", without=CAPTURES) + MATES
"""Signs of check and mate that are no capture sign."""
RESULT_ZEROS: Final = "0OО"
RESULT_ONES: Final = "1lI"
"""Digits of a result and the letters that stand for them (`1-O`, `l-0`)."""
MISREAD_DIGITS: Final = {h.char: h.target for h in tables.homoglyphs("number")}
"""What OCR makes of the digits of a move number → the digit."""
SELECTORS: Final = "".join(h.char for h in tables.homoglyphs("figurine"))
"""Variation selectors that may follow a figurine and say nothing."""


def figurines(*, with_fonts: bool) -> str:
    """Glyphs of men; `with_fonts` adds the characters that text set in figurine fonts leaves behind."""
    names = {"fig", "fig-cb"} if with_fonts else {"fig"}
    found = {c for a in tables.alphabets() if a.name in names for letter in (*a.letters, *a.pawn_letters) for c in letter}
    return "".join(sorted(found))
