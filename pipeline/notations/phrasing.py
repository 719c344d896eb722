"""Words of moves → regular expressions. What people write beside the letters stands in move_words.csv and words.csv."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping
from functools import cache
from typing import Final

from pipeline import tables
from pipeline.model import Effect, MovePattern
from pipeline.signs import CASTLES, CHECKS, CROSSES, DASHES, MATES, char_class

GAP: Final = r"(?:[\ \t\xa0.]{0,3}(?:\r?\n[\ \t\xa0]{0,16})?)"
"""What may stand between the parts of a move: a few blanks and dots, one end of a line. Bounded: wide blanks part columns."""
BEGINS: Final = r"(?<![^\W_])"
ENDS: Final = r"(?![^\W_])"
"""Where a word begins and ends; underscores are italics (`_P - K 4_`)."""
DASH: Final = rf"(?:{char_class(DASHES)}{{1,2}})"
CROSS: Final = char_class(CROSSES)
"""A sign of capture; a colon is none in these families (`P: P`)."""
CASTLE: Final = rf"(?:{char_class(CASTLES)}(?:{GAP}{DASH}{GAP}{char_class(CASTLES)}){{1,2}}(?![^\W_]|{GAP}{DASH}))"
PARTS: Final = re.compile(r"[\s.\xa0]+")

_NAMED = re.compile(r"\?P<\w+>")
_EFFECTS: Mapping[str, Effect] = {
    "check": "check",
    "double_check": "double_check",
    "discovered_check": "discovered_check",
    "mate": "mate",
    "en_passant": "en_passant",
}


def unnamed(pattern: str) -> str:
    """The pattern with its named groups made plain, so that it may stand in another one."""
    return _NAMED.sub("?:", pattern)


def squeezed(text: str) -> str:
    """Text without blanks and dots."""
    return PARTS.sub("", text)


def folded(text: str) -> str:
    """What texts of the tables are found by: small letters, no blanks, dots, brackets and hyphens, plain apostrophes."""
    return re.sub(r"[\s.\xa0()-]+", "", text.casefold().replace("’", "'"))


def any_of(texts: Iterable[str]) -> str:
    """A group that matches one of several phrases, longest first, whatever stands between their words."""
    return "(?:" + "|".join(_phrase(text) for text in sorted(set(texts), key=lambda t: (-len(t), t))) + ")"


def _phrase(text: str) -> str:
    words = [re.escape(word).replace("'", "['’]") for word in re.split(r"[\s.]+", text) if word]
    return GAP.join(words)


@cache
def words(language: str, *kinds: str) -> Mapping[str, str]:
    """Folded text → kind, of the words of some kinds in move_words.csv. Over all kinds a word may mean two things."""
    return {
        folded(row["text"]): row["kind"] for row in tables.rows("move_words") if row["lang"] == language and row["kind"] in kinds
    }


@cache
def texts(language: str, *kinds: str) -> tuple[str, ...]:
    """Texts of move_words.csv as they stand there."""
    return tuple(row["text"] for row in tables.rows("move_words") if row["lang"] == language and row["kind"] in kinds)


@cache
def _effect_words(languages: tuple[str, ...]) -> Mapping[str, Effect]:
    return {
        folded(word.text): _EFFECTS[word.kind]
        for word in tables.words()
        if word.lang in (*languages, "*") and word.kind in _EFFECTS
    }


@cache
def tail(languages: tuple[str, ...]) -> str:
    """What follows a move and says what it does: check, mate, en passant. A sign of evaluation (`+-`) is none."""
    said = {word.text for word in tables.words() if word.lang in (*languages, "*") and word.kind in _EFFECTS}
    found = said | {text.capitalize() for text in said}
    mark = rf"{char_class(CHECKS)}{{1,2}}(?!{GAP}[/=]|{char_class(DASHES)})"
    word = rf"{any_of(found)}\.?(?![^\W\d_])"
    return rf"(?:,?{GAP}(?:\({GAP}(?:{word}|{mark}){GAP}\)|{word}|{mark}))"


@cache
def _one_effect(languages: tuple[str, ...]) -> re.Pattern[str]:
    found = sorted(_effect_words(languages), key=lambda t: (-len(t), t))
    return re.compile("|".join([*map(re.escape, found), rf"{char_class(CHECKS)}{{1,2}}"]))


def effects(text: str, languages: tuple[str, ...]) -> tuple[Effect, ...]:
    """`dbl ch`, `+`, `, e.p.` → what the move must do. `++` is mate or double check, by the age of the book."""
    found: dict[Effect, None] = {}
    for match in _one_effect(languages).finditer(folded(text)):
        word = match[0]
        if word in _effect_words(languages):
            found[_effect_words(languages)[word]] = None
        elif word[0] in MATES:
            found["mate"] = None
        else:
            found["double_check_or_mate" if len(word) > 1 else "check"] = None
    return tuple(found)


_CASTLINGS: Mapping[str, tuple[str, ...]] = {"castle": ("O-O", "O-O-O"), "castle_short": ("O-O",), "castle_long": ("O-O-O",)}
"""Kind of word → the castlings that it may mean; bare `castles` means the one that is legal."""


@cache
def _castle_texts(language: str) -> tuple[tuple[str, str], ...]:
    """Words and phrases for castling with their kinds: those that all notations share, and those of moves in words."""
    rows = (row for name in ("words", "move_words") for row in tables.rows(name))
    return tuple((row["text"], row["kind"]) for row in rows if row["lang"] == language and row["kind"] in _CASTLINGS)


@cache
def castles(language: str) -> Mapping[str, tuple[str, ...]]:
    """Folded phrase → the castlings that it may mean."""
    return {folded(text): _CASTLINGS[kind] for text, kind in _castle_texts(language)}


@cache
def castle_words(language: str, *, is_bare_large: bool) -> str:
    """A group that matches castling in words; a side is none when it goes on as a move (`castles K - R 1`).

    `is_bare_large`: a word that names no side begins with a capital, as a move in a column does; in prose people castle, too.
    """
    found: dict[bool, list[str]] = {False: [], True: []}
    for text, kind in _castle_texts(language):
        found[is_bare_large and kind == "castle"].append(text)
    large = "".join(f"|{text.capitalize()}|{text.upper()}" for text in found[True])
    return rf"(?:(?i:{any_of(found[False])}\)?){large})(?![^\W_]|{GAP}(?:{DASH}|{CROSS}))"


def castling(text: str, behind: str | None, language: str) -> tuple[MovePattern, ...]:
    """Castling in signs or words, and what is said `behind` it, → its patterns."""
    does, text = effects(behind or "", (language,)), text.strip()
    if text[:1] in CASTLES:
        return (MovePattern(castling="O-O-O" if sum(c in CASTLES for c in text) > 2 else "O-O", effects=does),)
    sides = castles(language).get(folded(text), ())
    return tuple(MovePattern(castling=side, effects=does) for side in sides)  # type: ignore[arg-type]
