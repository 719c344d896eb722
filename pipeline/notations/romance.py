"""Descriptive notation of Spanish, French, Portuguese and Italian books: `P4R`, `C3AR`, `P.4FD`, `CxPR`, `P pr P`, `P8C=D+`.

Rank before file, files named by the men that begin on them, the side behind the man (`TR` is the king's rook, `PAR` the pawn on
the king's bishop's file). Letters of the men are those of the language in piece_letters.csv, words are rows of move_words.csv.
Source: Spanish and French books up to about 1980 (`1. P.4D P.4D 2. P.4FD P.3FD` in an account of Paris 1925).
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from functools import cache, lru_cache

import chess

from pipeline import tables
from pipeline.model import ANYWHERE, MovePattern
from pipeline.notations import phrasing, relative
from pipeline.notations.families import Family
from pipeline.notations.phrasing import (
    BEGINS,
    CASTLE,
    CROSS,
    DASH,
    ENDS,
    GAP,
    any_of,
    castle_words,
    squeezed,
    tail,
    texts,
    unnamed,
)

_LANGUAGES = ("es", "fr", "pt", "it")
_ENGLISH = {piece: letter for letter, piece in tables.MEN.items()}


@cache
def _letters(dialects: tuple[str, ...]) -> Mapping[str, str]:
    """Letter of a man → the English one; over several dialects what their letters name in any."""
    found = {"P": "P"}
    for alphabet in tables.alphabets():
        if alphabet.name in dialects:
            found |= {letter: _ENGLISH[piece] for piece, letter in alphabet.primary.items()}
    return found


@cache
def _pattern(dialects: tuple[str, ...]) -> str:
    """One move in verbose syntax, with the groups that `parse` reads."""
    letters = _letters(dialects)
    officers, sides = _of("RNB", letters), _of("KQ", letters)
    file = rf"(?:[{officers}](?:\.?[{sides}])?|[{sides}])"
    man = rf"(?:P(?:\.?{file})?|{file})"
    square = rf"(?:[1-8]{GAP}{file}|{file}|[1-8])"
    place = rf"(?:\({GAP}{square}{GAP}\)|[/\\]{GAP}{square}{GAP}-?)"
    takes = rf"(?:{CROSS}|(?i:{any_of(text for d in dialects for text in texts(d, 'take'))})(?=\W|[A-Z]))"
    to_man = rf"[{officers}{_of('Q', letters)}]{ENDS}"
    promotion = rf"(?:{GAP}(?:\({GAP}=?{GAP}(?P<bracketed>{to_man}){GAP}\)|[=/]{GAP}(?P<signed>{to_man})))"
    ending = rf"(?:{promotion})?(?:(?P<tail>{tail(dialects)}{{1,3}})|{ENDS})"
    words = "|".join(castle_words(dialect, is_bare_large=True) for dialect in dialects)
    return rf"""{BEGINS}(?:
        (?P<castling>{CASTLE}|{words})(?:(?P<castling_tail>{tail(dialects)}{{1,3}}))?
      | (?P<man>{man})(?:{GAP}(?P<at>{place}))?{GAP}(?:
            {takes}{GAP}(?:(?P<on_rank>[1-8]){GAP}(?P<on_file>{file})|(?P<victim>{man})(?:{GAP}(?P<victim_at>\({GAP}{square}{GAP}\)))?)
            {ending.replace("?P<", "?P<x_")}
          | (?:{DASH}{GAP})?(?P<rank>[1-8]){GAP}(?P<file>{file}){ending}
        )
    )"""


def _of(men: str, letters: Mapping[str, str]) -> str:
    """The letters that name one of some men, for a character class."""
    return "".join(sorted(letter for letter, man in letters.items() if man in men))


@cache
def _grammar(dialect: str) -> re.Pattern[str]:
    return re.compile(_pattern((dialect,)), re.VERBOSE)


def _name(text: str | None, dialect: str) -> str:
    """`TR` → `KR`, `PAR` → `KBP`, `CD` → `QN`: the side first, as in English."""
    letters = [_letters((dialect,))[c] for c in squeezed(text or "")]
    is_pawn = letters[:1] == ["P"]
    return "".join(reversed(letters[1:] if is_pawn else letters)) + ("P" if is_pawn else "")


def _squares(text: str | None, dialect: str) -> int:
    """`(1TR)`, `/7` → squares."""
    inner = squeezed(text or "").strip("()/\\-")
    rank = inner[:1] if inner[:1].isdigit() else ""
    return relative.squares(_name(inner[len(rank) :], dialect), rank)


@lru_cache(maxsize=50_000)
def parse(text: str, dialect: str) -> tuple[MovePattern, ...]:
    """The patterns of a token; () when it is no descriptive move of the language."""
    match = _grammar(dialect).fullmatch(text.strip()) if dialect in _LANGUAGES else None
    if not match:
        return ()
    said = match.groupdict()
    if said["castling"]:
        return phrasing.castling(said["castling"], said["castling_tail"], dialect)
    mover, start = relative.man(_name(said["man"], dialect)), _squares(said["at"], dialect)
    behind = squeezed(said["victim_at"] or "").strip("()")
    if mover.piece == chess.PAWN and behind.isalpha() and len(behind) == 1:
        said = {**said, "victim_at": None, "x_bracketed": behind}
    if said["rank"]:
        to = relative.squares(_name(said["file"], dialect), said["rank"])
        does = phrasing.effects(said["tail"] or "", (dialect,))
        return (relative.move(mover, start=start, to=to, promotions=_promotions(said, "", dialect), effects=does),)
    return (
        relative.capture(
            mover,
            relative.man(_name(said["victim"], dialect)) if said["victim"] else None,
            start=start,
            to=relative.squares(_name(said["on_file"], dialect), said["on_rank"]) if said["on_rank"] else ANYWHERE,
            victim_at=_squares(said["victim_at"], dialect),
            promotions=_promotions(said, "x_", dialect),
            effects=phrasing.effects(said["x_tail"] or "", (dialect,)),
        ),
    )


def _promotions(said: Mapping[str, str | None], prefix: str, dialect: str) -> tuple[int, ...] | None:
    written = said[prefix + "bracketed"] or said[prefix + "signed"]
    return (tables.MEN[_letters((dialect,))[written]],) if written else None


@cache
def _opening() -> str:
    """What opens a game: a pawn that goes two squares or one, or a knight: `P4R`, `P.3CD`, `C3AR`."""
    letters = _letters(_LANGUAGES)
    officers, sides = _of("RNB", letters), _of("KQ", letters)
    files = rf"(?:[{officers}][{sides}]|[{officers}{sides}])"
    knight = rf"[{_of('N', letters)}]{GAP}-?3{GAP}[{_of('RB', letters)}][{sides}]?"
    return rf"(?:P{GAP}-?[34]{GAP}{files}|{knight}){ENDS}"


FAMILY = Family("romance", _LANGUAGES, unnamed(_pattern(_LANGUAGES)), _opening(), parse, kin="descriptive")
