"""ICCF numeric notation: `5254`, `52-54`, `57681` (exf8=Q), `5761` (the same, its last rank dropped), `5171` (castling).

A square is the digit of its file and the digit of its rank, both from White's side. 1 queen, 2 rook, 3 bishop, 4 knight.
Source: ICCF Rules of Play, "ICCF numeric notation". Digits may also be a year: geometry is asked here, legality by the board.
"""

from __future__ import annotations

import re
from functools import cache, lru_cache
from typing import Final

import chess

from pipeline.model import MovePattern
from pipeline.notations.families import Family
from pipeline.notations.squares import square
from pipeline.signs import DASHES, char_class

MEN: Final = {"1": chess.QUEEN, "2": chess.ROOK, "3": chess.BISHOP, "4": chess.KNIGHT}
_DASH = char_class(DASHES)
_BEFORE_BLANK = r"(?:(?<=\.)|(?<=\.\s)|(?<=[1-8]{2}\s[1-8]{2}\s))"
"""Where two pairs of digits with a blank between are a move and no move number: behind a dot, or behind such a move."""
_MOVE = re.compile(rf"([1-8])([1-8])(?:\s?{_DASH}\s?|\s)?([1-8])([1-8])([1-4])?\.?")


def _is_way(file: int, rank: int, to_file: int, to_rank: int) -> bool:
    """Whether some man goes from square to square, digits as written."""
    x, y = abs(file - to_file), abs(rank - to_rank)
    return (x, y) != (0, 0) and (x == 0 or y == 0 or x == y or {x, y} == {1, 2})


def _drops_rank(file: int, rank: int, to_file: int, digit: int) -> bool:
    """Whether digits may be a pawn before its last rank, a file, and the man that it becomes."""
    return rank in {2, 7} and abs(file - to_file) <= 1 and digit <= 4


@cache
def _targets() -> str:
    """Pairs of squares of four digits, grouped by the first square."""
    pairs = [f"{a}{b}" for a in range(1, 9) for b in range(1, 9)]
    groups = []
    for start in pairs:
        file, rank = int(start[0]), int(start[1])
        found = [
            to for to in pairs if _is_way(file, rank, int(to[0]), int(to[1])) or _drops_rank(file, rank, int(to[0]), int(to[1]))
        ]
        groups.append((start, "|".join(found)))
    glued = "|".join(rf"{start}(?:\s?{_DASH}\s?)?(?:{found})" for start, found in groups)
    apart = "|".join(rf"{start}\ (?:{found})" for start, found in groups)
    no_date = rf"(?!\w|\s?{_DASH}\s?\d|[.,/:]\d)"
    return rf"(?:(?<![\w½/])(?<!\d,)(?<!{_DASH})(?:{glued})[1-4]?{no_date}|(?<!\w){_BEFORE_BLANK}(?:{apart})[1-4]?{no_date})"


@lru_cache(maxsize=50_000)
def parse(text: str, dialect: str) -> tuple[MovePattern, ...]:
    """The patterns of a token. A pawn that reaches the last rank without a digit has four candidates."""
    match = _MOVE.fullmatch(text.strip()) if dialect == "zxx" else None
    if not match:
        return ()
    file, rank, to_file, last = (int(match[k]) for k in range(1, 5))
    promotion = MEN.get(match[5] or "")
    start = square(file - 1, rank - 1)
    if promotion:
        if last not in {1, 8}:
            return ()
        return (MovePattern((chess.PAWN,), start, square(to_file - 1, last - 1), promotions=(promotion,)),)
    found = []
    drops = _drops_rank(file, rank, to_file, last)
    if _is_way(file, rank, to_file, last):
        unsaid = () if drops and last == 1 else None
        found.append(MovePattern((), start, square(to_file - 1, last - 1), promotions=unsaid))
    if drops:
        to = square(to_file - 1, 7 if rank == 7 else 0)
        found.append(MovePattern((chess.PAWN,), start, to, promotions=(MEN[str(last)],)))
    return tuple(found)


def _opening() -> str:
    """One of White's twenty first moves, and what Black answers or the next number: four digits alone are a year."""
    first = "|".join([*(f"{f}2{f}{r}" for f in range(1, 9) for r in (3, 4)), "2113", "2133", "7163", "7183"])
    reply = "|".join([*(f"{f}7{f}{r}" for f in range(1, 9) for r in (6, 5)), "2816", "2836", "7866", "7886"])
    dash = rf"(?:\s?{_DASH}\s?)?"
    first, reply = (re.sub(r"(\d\d)(\d\d)", lambda m: m[1] + dash + m[2], moves) for moves in (first, reply))
    return rf"(?:{first})(?=[,;.]?\s+(?:1\s?\.+\s?)?(?:{reply})(?!\w))"


FAMILY = Family("numeric", ("zxx",), _targets(), _opening(), parse)
