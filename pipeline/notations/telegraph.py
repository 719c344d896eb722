"""Codes for the telegraph, four letters a move: Uedemann `DOGO` and Gringmuth `gego`, both e2-e4.

A square is two letters, of which one names the file and one the rank; telegraph_codes.csv says which. Castling is the king's
move, promotion unsaid has four candidates. Gringmuth takes a letter behind: c check, p en passant, m mate, s stalemate,
q r b k the man promoted to, l castling.

The Rutherford code (1880) is not read: it sends the ordinal of a move in a list of the legal ones, two games in one word, and
the order of that list was agreed between the players.
Source: W. Steinitz, The Modern Chess Instructor (1889), for Gringmuth; en.wikipedia, "Chess notation", for Uedemann.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from functools import cache, lru_cache
from itertools import product
from typing import Final

import chess

from pipeline import tables
from pipeline.model import MovePattern
from pipeline.notations.families import Family
from pipeline.notations.squares import square

PROMOTIONS: Final = {"q": chess.QUEEN, "r": chess.ROOK, "b": chess.BISHOP, "k": chess.KNIGHT}
_PROMOTION_RANKS = (1 << 64) - (1 << 56) | 0xFF
_SUFFIX = r"(?:[qrbk]?[cms]?|p[cm]?|l[cm]?)"


@cache
def codes(system: str) -> Mapping[str, str]:
    """Two letters → the square that they name (`e2`)."""
    found = {}
    for row in tables.rows("telegraph_codes"):
        if row["system"] == system:
            for (file, a), (rank, b) in product(
                zip(row["files"], row["file_letters"], strict=True), zip(row["ranks"], row["rank_letters"], strict=True)
            ):
                found[a + b if row["order"] == "file rank" else b + a] = file + rank
    return found


@cache
def _codes(system: str) -> Mapping[str, int]:
    """Two letters → square (bitboard)."""
    return {code: square("abcdefgh".index(name[0]), int(name[1]) - 1) for code, name in codes(system).items()}


def _parse(text: str, system: str) -> tuple[MovePattern, ...]:
    word = text.strip().casefold()
    start, to = _codes(system).get(word[:2]), _codes(system).get(word[2:4])
    suffix = word[4:]
    if start is None or to is None or start == to or not re.fullmatch(_SUFFIX if system == "gringmuth" else "", suffix):
        return ()
    promotion = PROMOTIONS.get(suffix[:1])
    if promotion and not to & _PROMOTION_RANKS:
        return ()
    if suffix[:1] == "l":
        return (
            MovePattern((chess.KING,), start, to, is_capture=False, has_check_mark="c" in suffix, has_mate_mark="m" in suffix),
        )
    return (
        MovePattern(
            (chess.PAWN,) if promotion else (),
            start,
            to,
            promotions=(promotion,) if promotion else None,
            effects=("en_passant",) if suffix[:1] == "p" else (),
            has_check_mark="c" in suffix,
            has_mate_mark="m" in suffix,
        ),
    )


@lru_cache(maxsize=50_000)
def parse_uedemann(text: str, dialect: str) -> tuple[MovePattern, ...]:
    """The pattern of four letters."""
    return _parse(text, "uedemann") if dialect == "zxx" and text.strip().isupper() else ()


@lru_cache(maxsize=50_000)
def parse_gringmuth(text: str, dialect: str) -> tuple[MovePattern, ...]:
    """The pattern of four letters and what is put behind them."""
    return _parse(text, "gringmuth") if dialect == "zxx" else ()


def _words(system: str) -> Mapping[int, str]:
    """Square → its two letters, in the case in which the code is written."""
    return {where: code.upper() if system == "uedemann" else code for code, where in _codes(system).items()}


def _square(system: str) -> str:
    return "(?:" + "|".join(sorted(_words(system).values())) + ")"


def _opening(system: str) -> str:
    """One of White's first moves with one of Black's behind it: single words may be words."""
    name = _words(system)

    def moves(pawns: int, pushed: tuple[int, int], back: int, knights: int) -> str:
        found = [(square(f, pawns), square(f, r)) for f in range(8) for r in pushed]
        found += [(square(f, back), square(t, knights)) for f, t in ((1, 0), (1, 2), (6, 5), (6, 7))]
        return "(?:" + "|".join(name[a] + name[b] for a, b in found) + ")"

    return rf"{moves(1, (2, 3), 0, 2)}(?=[,;]?\s{{0,3}}{moves(6, (5, 4), 7, 5)}(?!\w))"


_UEDEMANN, _GRINGMUTH = _square("uedemann"), _square("gringmuth")
UEDEMANN = Family("uedemann", ("zxx",), rf"(?<!\w){_UEDEMANN}{{2}}(?!\w)", _opening("uedemann"), parse_uedemann)
GRINGMUTH = Family(
    "gringmuth",
    ("zxx",),
    rf"(?:(?<!\w)|(?<={_GRINGMUTH}))(?i:{_GRINGMUTH}{{2}}(?:{_SUFFIX}(?!\w)|(?={_GRINGMUTH}{{2}})))",
    rf"(?i:{_opening('gringmuth')})",
    parse_gringmuth,
)
