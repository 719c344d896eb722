"""Words that say a position (setup_words.csv, men.csv) as patterns, and who is to move by the words around a position."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping
from functools import cache

from pipeline import lexer, tables

_NEAR = 160
"""Characters before and behind a position in which words say who is to move."""
_SHORT = 2
"""Side words up to this length count only before a colon or full stop: `W: Ke6`."""


def alternatives(texts: Iterable[str]) -> str:
    """A group that matches any of the texts, longest first; a blank matches any run of blanks, full stops and hyphens or none."""
    ordered = sorted(set(texts), key=lambda text: (-len(text), text))
    return "(?:" + "|".join(r"[\s.\-]*".join(re.escape(part) for part in text.split()) for text in ordered) + ")"


def texts(kind: str) -> list[str]:
    """Words of a kind, in every language."""
    return [row["text"] for row in tables.rows("setup_words") if row["kind"] == kind]


@cache
def side_word() -> re.Pattern[str]:
    """A word for a side: `white` or `black` is the group that matched. Short ones want a colon behind them."""
    return re.compile(rf"(?<!\w)(?:(?P<white>{side_words('white')})|(?P<black>{side_words('black')}))", re.IGNORECASE)


@cache
def side_words(side: str) -> str:
    """A pattern of the words for a side."""
    every = texts(side)
    long = alternatives(text for text in every if len(text) > _SHORT or (not text.isascii() and not text[0].islower()))
    short = alternatives(text for text in every if len(text) <= _SHORT)
    return rf"(?:{long}(?!\w)|{short}(?=\s?[.:：]))"


@cache
def languages(word: str) -> frozenset[str]:
    """Languages of a side word; empty when it belongs to none or is not known."""
    folded = word.casefold()
    return frozenset(
        row["lang"]
        for row in tables.rows("setup_words")
        if row["kind"] in {"white", "black"} and row["text"].casefold() == folded and row["lang"] != "*"
    )


@cache
def _to_move() -> re.Pattern[str]:
    white, black = alternatives(texts("white_to_move")), alternatives(texts("black_to_move"))
    return re.compile(rf"(?<!\w)(?:(?P<white>{white})|(?P<black>{black}))(?!\w)", re.IGNORECASE)


@cache
def _mate() -> re.Pattern[str]:
    """`Мат в 2 хода`, `mate in three`: by custom White's."""
    return re.compile(rf"(?<!\w){alternatives(texts('mate'))}\s+(?:\d{{1,3}}|\w{{3,8}}\s+\w{{3,8}}|\w{{3,8}})", re.IGNORECASE)


def turn_said(text: str, start: int, end: int, floor: int, ceiling: int) -> str | None:
    """`w` or `b` when words near a position say who is to move, else None; what stands behind it goes before what stands above.

    `floor` and `ceiling`: where the neighbouring positions end and begin.
    """
    behind = text[end : min(ceiling, end + _NEAR)]
    before = text[max(floor, start - _NEAR) : start]
    after, ahead = _to_move().search(behind), list(_to_move().finditer(before))
    match = after or (ahead[-1] if ahead else None)
    if match:
        return "w" if match["white"] else "b"
    return "w" if _mate().search(behind) or _mate().search(before) else None


@cache
def nouns() -> Mapping[str, int]:
    """Names of men in any language that say no file, folded → piece type; those that mean two men are left out."""
    found: dict[str, set[int]] = {}
    for row in tables.rows("men"):
        if not row["file"]:
            found.setdefault(row["text"].casefold(), set()).add(tables.MEN[row["man"]])
    return {text: next(iter(men)) for text, men in found.items() if len(men) == 1}


@cache
def pawn_words() -> frozenset[str]:
    """`п`, `пп`, `pp`: what stands before the squares of pawns."""
    return frozenset(texts("pawns"))


@cache
def files() -> Mapping[str, str]:
    """Every letter that stands for a file in a list of men → a–h: a–h, native files in small letters, and look-alikes."""
    found = {c: c for c in "abcdefgh"}
    for alphabet in tables.alphabets():
        found |= {native: plain for native, plain in alphabet.files.items() if len(native) == 1}
    found |= {h.char: h.target for h in tables.homoglyphs("file") if h.kind in {"lookalike", "form"} and len(h.char) == 1}
    known = lexer.file_letters()
    return {c: plain for c, plain in found.items() if c in known and plain in "abcdefgh"}
