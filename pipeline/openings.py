"""Where a score may begin in a text, and in which notations: move number 1 and a move behind it, or moves alone (§2.1)."""

from __future__ import annotations

import heapq
import re
from bisect import bisect_left
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from typing import Final

from pipeline import lexer, signs
from pipeline.notations import FAMILIES
from pipeline.signs import char_class

ALGEBRAIC: Final = "algebraic"
_BARE_MOVES = 6
"""So many moves on end, and no number, are a score."""
_NEAR_CHARS = 400
"""How far behind a position its score is looked for: who is to move, what is asked, may stand between."""
_SAN = re.compile(r"(?:[KQRBN][a-h]?[1-8]?x?[a-h][1-8]|[a-h](?:x[a-h])?[1-8])(?=[\s+#!?=])")
"""A move as PGN prescribes it, and no castling, which families have too: with it their grammars stay unbuilt."""
_FOLLOWING_NUMBERS = 5
"""So many numbers that follow on a first one are a score, whatever stands before."""
_BARE_FAMILIES = ("descriptive", "numeric", "smith")
"""Families in which a line of moves without numbers is told from words."""
_MOVE_NUMBER = re.compile(r"\s*(?:\d{1,3}(?:\s*[.)…]+\s*|\s+))?")

_LONG_LINE = 45
"""Characters of a line that may be one of a paragraph; headings are shorter."""
_WORD_AT_END = re.compile(r"[^\W\d_],?\s*\Z")
_IN_SENTENCE = re.compile(r"\w[^\S\r\n]+\Z")
"""A word before a bare 1 on its line: the number is a rank (`Kt 1`) or counts something."""


def is_wrapped(before: str) -> bool:
    """Whether a text ends with a line that was broken within a sentence: a long one, without a stop at its end."""
    lines = before.rstrip(" \t").splitlines()
    return before.rstrip(" \t")[-1:] in {"\n", "\r"} and len(lines[-1]) >= _LONG_LINE and bool(_WORD_AT_END.search(lines[-1]))


@dataclass(frozen=True, slots=True)
class Opening:
    """A place where a score may begin. `notations`: `algebraic` and families whose moves the first one may be."""

    start: int
    notations: Sequence[str]
    is_numbered: bool
    least_moves: int = 2
    """So many moves before any word make a score; behind a position one is enough."""


def find(text: str, start: int, stop: int, notation: str | None, positions: Sequence[int] = ()) -> Iterator[Opening]:
    """Openings in a stretch of a text, in order. `notation`: the only family to read, or any other hint.

    `positions`: where positions end that the text says, in order: a score behind one may begin with any number.
    """
    if not text[start:stop].strip():
        return iter(())
    near = positions[bisect_left(positions, start) : bisect_left(positions, stop)]
    behind = filter(None, (_behind(text, at, stop, notation) for at in near))
    streams = (behind, _from_the_first(text, start, stop, notation), _without_head(text, start, stop, notation))
    return heapq.merge(*streams, key=lambda opening: opening.start)


def _without_head(text: str, start: int, stop: int, notation: str | None) -> Iterator[Opening]:
    """Scores whose beginning is not in the text: numbers above 1 that follow one another, each with a move."""
    begun: re.Match[str] | None = None
    last, n, end = 0, 0, 0
    for match in _any_number().finditer(text, start, stop):
        number = int(match["number"])
        if begun is None or number not in {last, last + 1} or match.start() - end > _NEAR_CHARS:
            begun, n = match, 0
        n += number == last + 1
        last, end = number, match.end()
        if n == _FOLLOWING_NUMBERS and int(begun["number"]) > 1:
            yield Opening(begun.start("number"), _notations(text, begun.end("dots"), notation), True)


def _behind(text: str, at: int, stop: int, notation: str | None) -> Opening | None:
    """The score behind a position: its first number with a move, if that is near."""
    match = _numbered().search(text, at, min(stop, at + _NEAR_CHARS))
    return Opening(match.start("number"), _notations(text, match.end("dots"), notation), True, 1) if match else None


def _from_the_first(text: str, start: int, stop: int, notation: str | None) -> Iterator[Opening]:
    for match in _opening().finditer(text, start, stop):
        is_numbered = match["number"] is not None
        before = max(0, match.start() - 3)
        is_counted = is_numbered and match["dots"].isspace() and _IN_SENTENCE.search(text, before, match.start())
        if is_counted and not _counted().match(text, match.start()):
            continue
        if is_numbered and (match["dots"].count(".") > 1 or "…" in match["dots"]):
            continue  # Black's first move
        at = match.end("dots") if is_numbered else match.start("bare")
        yield Opening(match.start("number" if is_numbered else "bare"), _notations(text, at, notation), is_numbered)


def of_movetext(text: str, at: int, notation: str | None) -> Sequence[str]:
    """Notations in which the movetext that begins at `at`, behind a tag section, may be written; algebraic among them."""
    if hinted := _hinted(notation):
        return hinted
    number = _MOVE_NUMBER.match(text, at)
    at = number.end() if number else at
    if _SAN.match(text, at):
        return (ALGEBRAIC,)
    return (ALGEBRAIC, *(name for name, pattern in _moves().items() if pattern.match(text, at)))


def _notations(text: str, at: int, notation: str | None) -> Sequence[str]:
    if hinted := _hinted(notation):
        return hinted
    found = [name for name, pattern in _families().items() if pattern.match(text, at)]
    return (ALGEBRAIC, *found) if _algebraic().match(text, at) else tuple(found)


@cache
def _hinted(notation: str | None) -> tuple[str, ...]:
    """The families that a hint names; () where it names none."""
    return tuple(name for name, family in FAMILIES.items() if notation in {name, family.notation})


@cache
def _moves() -> Mapping[str, re.Pattern[str]]:
    return {name: re.compile(family.move, re.VERBOSE) for name, family in FAMILIES.items()}


@cache
def _families() -> Mapping[str, re.Pattern[str]]:
    return {name: re.compile(family.opening, re.VERBOSE) for name, family in FAMILIES.items()}


@cache
def _algebraic() -> re.Pattern[str]:
    return re.compile(_first())


def _move() -> str:
    file = f"[{re.escape(lexer.file_letters())}]"
    sign = char_class(signs.CAPTURES + signs.DASHES)
    return rf"{lexer.MAN}?(?:{file}?[1-8]?\s?{sign}?\s?){{0,2}}{file}[1-8]"


@cache
def _counted() -> re.Pattern[str]:
    """Two bare numbers with two moves between them: no rank, and nothing that is counted."""
    move = rf"{_move()}[+#!?]{{0,3}},?\s+"
    return re.compile(rf"1\s+{move}{move}2\s+{_move()}")


@cache
def _numbered() -> re.Pattern[str]:
    """Any move number, at the beginning of a line or of a sentence, with a move behind it."""
    return re.compile(rf"(?:(?<=[\n.:!?])|(?<=[\n.:!?]\s))(?P<number>\d{{1,3}})(?P<dots>\s*[.)…]+\s*|\s+)(?:{_first_of_any()})")


@cache
def _any_number() -> re.Pattern[str]:
    """A move number with its dot and a move behind it, or a dash for White's."""
    dash = rf"{char_class(signs.DASHES)}{{1,2}}\s?,\s*"
    return re.compile(rf"(?<![\w.,/:½(\[-])(?P<number>\d{{1,3}})(?P<dots>\s*[.)…]+\s*(?:{dash})?)(?:{_first_of_any()})")


def _first_of_any() -> str:
    return "|".join([_first(), *(f"(?x:{family.opening})" for family in FAMILIES.values())])


def _first() -> str:
    """What may be an algebraic move right behind number 1; four digits too, and what is like descriptive."""
    castle = rf"{char_class(signs.CASTLES)}{char_class(signs.DASHES)}"
    return rf"{_move()}|{castle}|[1-8]{{4}}\b|[A-Z][A-Za-z]{{0,2}}\s?-\s?[A-Z][A-Za-z]{{0,2}}[1-8]"


@cache
def _opening() -> re.Pattern[str]:
    """Outside of words and numbers: 1, or what OCR makes of it, and a move; at the beginning of a line: moves alone."""
    ones = "1" + "".join(char for char, digit in signs.MISREAD_DIGITS.items() if digit == "1")
    first = _first_of_any()
    castle = rf"{char_class(signs.CASTLES)}(?:{char_class(signs.DASHES)}{char_class(signs.CASTLES)}){{1,2}}"
    moves = "|".join([rf"(?:{_move()}|{castle})[+#!?]{{0,3}}", *(f"(?x:{FAMILIES[name].move})" for name in _BARE_FAMILIES)])
    between = r"(?:[,;][^\S\r\n]*|[^\S\r\n]+)"
    bare = rf"(?:(?:{moves}){between}){{{_BARE_MOVES - 1}}}(?:{moves})"
    return re.compile(
        rf"(?<![\w,/:½(\[-])(?<!\d\.)(?P<number>\(1\)|{char_class(ones)})(?P<dots>\s*[.,)…]+\s*|\s+)(?:{first})"
        rf"|(?:(?<=\n)|\A)(?P<bare>{bare})"
    )
