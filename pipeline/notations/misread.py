"""What scanning made of algebraic moves: `Ф61` for Фd1, `Кel` for Кe1, `КЫ` for Кb1, `07-05` for d7-d5.

Knows which characters stand for which (rows of kind `ocr` in homoglyphs.csv); the board says which of the readings is meant.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from functools import cache
from itertools import combinations, product

from pipeline import tables
from pipeline.lexer import CAPITAL
from pipeline.signs import CAPTURES, CHECKS, DASHES, char_class

_MOST = 2
"""Most characters of a move that are restored: with more, almost anything would be a move."""
_LONGEST = 7
"""Longest text behind the man: two squares, a sign between them, a mark."""


def restored(rest: str) -> Iterator[str]:
    """What the text behind a man may have been, with one or two characters restored; signs are plain in `rest` (`x`, `-`)."""
    if len(rest) > _LONGEST:
        return
    table = _targets()
    places = [i for i, char in enumerate(rest) if char in table]
    for n in range(1, min(_MOST, len(places)) + 1):
        for chosen in combinations(places, n):
            for targets in product(*(table[rest[i]] for i in chosen)):
                chars = list(rest)
                for i, target in zip(chosen, targets, strict=True):
                    chars[i] = target
                yield "".join(chars)


def is_plain(text: str) -> bool:
    """Whether a token is shaped like a move as it stands, so that nothing is to be restored."""
    return bool(_plain().fullmatch(text))


def may_be_move(text: str) -> bool:
    """Whether a chunk of text that is no move as it stands may be what scanning made of one."""
    return not is_plain(text) and bool(_shape().fullmatch(text))


@cache
def _targets() -> Mapping[str, Sequence[str]]:
    found: dict[str, list[str]] = {}
    for context in ("file", "rank", "square", "check"):
        for row in tables.homoglyphs(context):
            if row.kind == "ocr" and (context != "check" or len(row.char) == 1):
                found.setdefault(row.char, []).append(row.target)
    return {char: tuple(dict.fromkeys(targets)) for char, targets in found.items()}


@cache
def _plain() -> re.Pattern[str]:
    square, sign = "[a-h][1-8]", char_class(CAPTURES + DASHES)
    return re.compile(rf"\D{{0,3}}?(?:{square}|[a-h]?[1-8]?){sign}{{0,2}}{square}\W*")


@cache
def _shape() -> re.Pattern[str]:
    """A man or none, one or two squares with at least one digit or its like."""
    file, rank = (char_class(plain + _misread(context)) for plain, context in (("abcdefgh", "file"), ("12345678", "rank")))
    square = rf"(?:{file}{rank}|{char_class(_misread('square'))})"
    man, sign = rf"(?:{CAPITAL}[^\W\d_]{{0,2}}?)", char_class(CAPTURES + DASHES)
    marks = rf"{char_class(CHECKS + CAPTURES + _misread('check'))}{{0,2}}[!?]{{0,2}}"
    return re.compile(rf"(?:{man}(?:{file}{rank}?|{file}?{rank}|)|{square})?{sign}{{0,2}}{square}{marks}")


def _misread(context: str) -> str:
    return "".join(row.char for row in tables.homoglyphs(context) if row.kind == "ocr" and len(row.char) == 1)
