"""Words and names beside scores, as patterns made of `score_words.csv`."""

from __future__ import annotations

import re
from functools import cache
from typing import Final

from pipeline import names, tables

BLANK: Final = "[ \u00a0\u202f\u2009]"
_INITIALS = re.compile(r"(?:[^\W\d_](?:\.|\b)[\s-]?)*")
_POSSESSIVE = re.compile(r"['’]s?$")
MOST_LETTERS = 30
"""Letters of a word of a name."""


@cache
def alternatives(*kinds: str) -> str:
    """Texts of kinds as alternatives, longest first."""
    texts = {row["text"] for row in tables.rows("score_words") if row["kind"] in kinds}
    return "|".join(re.escape(text).replace("\\ ", r"\s") for text in sorted(texts, key=lambda text: (-len(text), text)))


@cache
def words(*kinds: str) -> re.Pattern[str]:
    """A pattern that finds words of kinds, whatever their case."""
    return re.compile(rf"(?<!\w)(?:{alternatives(*kinds)})(?!\w)", re.IGNORECASE)


@cache
def _no_names() -> frozenset[str]:
    kinds = {"not_name", "event", "score", "chess"}
    return frozenset(row["text"] for row in tables.rows("score_words") if row["kind"] in kinds) | _dates()


def _dates() -> frozenset[str]:
    return frozenset(row["word"] for row in tables.rows("months"))


@cache
def upper() -> str:
    """Capital letters of scripts that have them, as the inside of a class."""
    capitals = [c for c in range(0x41, 0x590) if chr(c).isupper()]
    ranges: list[list[int]] = []
    for c in capitals:
        if ranges and ranges[-1][1] == c - 1:
            ranges[-1][1] = c
        else:
            ranges.append([c, c])
    return "".join(chr(a) if a == b else f"{chr(a)}-{chr(b)}" for a, b in ranges)


@cache
def name() -> str:
    """Pattern of a name in running text: capitalised words and initials, particles between them."""
    word = rf"[{upper()}][^\W\d_]{{0,{MOST_LETTERS}}}(?:['’.-][^\W\d_]{{1,{MOST_LETTERS}}}){{0,2}}\.?"
    joint = rf"(?:,?{BLANK}|,?\n)(?:(?:{alternatives('particle')}){BLANK}){{0,2}}"
    return rf"(?<![\w.-]){word}(?:{joint}{word}){{0,3}}"


@cache
def lower_word() -> str:
    """Pattern of a word that is no name, or of a year."""
    return rf"(?:(?![{upper()}])[^\W\d_]+|\d{{4}})"


def as_name(written: str) -> str | None:
    """A name as written, without words before it that are none; None where nothing is left that names a person."""
    parts = written.split()
    while parts and _is_no_name(parts[0]):
        parts.pop(0)
    while parts and _is_no_name(parts[-1]):
        parts.pop()
    text = _POSSESSIVE.sub("", " ".join(parts).rstrip(" ,"))
    is_known = text and not _INITIALS.fullmatch(text) and not any(map(_is_no_name, parts))
    return text if is_known and len(text) > 2 and names.name_key(text) else None


def _is_no_name(part: str) -> bool:
    """A letter with a full stop is an initial, whatever word it is without."""
    bare = part.strip(".,’'").lower()
    return bare in _no_names() and not (len(bare) == 1 and part.endswith((".", ".,")))
