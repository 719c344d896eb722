"""Moves told in words: «слон бьёт на e5», «пешка f2—f4», «кінь з g1 на f3», `knight to king's bishop three`, `Läufer schlägt e5`.

A man, then where it goes: a square in letters and digits, or one named from the mover's side («четвёртое поле королевского
слона», `king four`), or the man that is taken. Words in all their forms are rows of move_words.csv.
Source: announcements and running text in Russian, Ukrainian, English and German books and broadcasts.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import replace
from functools import cache, lru_cache

import chess

from pipeline import tables
from pipeline.model import ANYWHERE, Effect, MovePattern
from pipeline.notations import phrasing, relative
from pipeline.notations.families import Family
from pipeline.notations.phrasing import BEGINS, ENDS, any_of, castle_words, folded, tail, texts, unnamed
from pipeline.notations.squares import FILES, RANKS
from pipeline.signs import CROSSES, DASHES, char_class
from pipeline.tables import MEN, NAMES_OF_MEN

_LANGUAGES = ("ru", "uk", "en", "de")
_RANKS = tuple(f"rank_{rank}" for rank in range(1, 9))
_BLANK = r"(?:\s{1,3}|\s?\r?\n\s{0,16})"
_OF_MEN = tuple(f"of_{man}" for man in NAMES_OF_MEN)
"""Men in other cases than the nominative: whom a move takes, and whose file or pawn it is."""
_LETTERS = {kind: letter for letter, piece in MEN.items() for kind, man in NAMES_OF_MEN.items() if man == piece} | {
    "kingside": "K",
    "queenside": "Q",
}


@cache
def _files() -> Mapping[str, str]:
    """Letters of files and what looks like them, in small letters → a–h."""
    found = {
        h.char: h.target for h in tables.homoglyphs("file") if h.kind == "lookalike" and len(h.char) == 1 and h.char.islower()
    }
    return found | {c: c for c in "abcdefgh"}


@cache
def _pattern(dialects: tuple[str, ...]) -> str:
    """One move in verbose syntax, with the groups that `parse` reads."""

    def word(*kinds: str) -> str:
        return any_of(text for dialect in dialects for text in texts(dialect, *kinds)) + ENDS

    square = rf"{char_class(''.join(_files()))}[1-8]{ENDS}"
    dash = rf"(?:\s?{char_class(DASHES)}\s?)"
    man, victim = word(*NAMES_OF_MEN), word(*NAMES_OF_MEN, *_OF_MEN)
    side = rf"(?:{word('kingside', 'queenside', 'king', 'queen')}{_BLANK})"
    pawn = rf"(?:{victim}{_BLANK})?{word('pawn', 'of_pawn')}"
    field = rf"(?:{word('field')}{_BLANK})"
    goes = rf"(?:{word('to')}{_BLANK})"
    rank = rf"(?:{word(*_RANKS)}|[1-8]{ENDS})"
    file = word(*(kind for kind in (*NAMES_OF_MEN, *_OF_MEN) if "pawn" not in kind))
    named = rf"(?:(?P<file>{side}?{file}){_BLANK}(?P<rank>{rank})|(?P<first>{rank}){_BLANK}{field}?(?P<behind>{side}?{file}))"
    promotion = (
        rf"(?:,?{_BLANK}{word('promote')}{_BLANK}(?P<named>{victim})|,?{_BLANK}(?P<queens>{word('promote_queen')})"
        rf"|\s?[=/(]\s?(?P<signed>{victim})\)?)"
    )
    ending = rf"(?:{promotion})?(?P<tail>{tail(dialects)}{{1,3}})?"
    words = "|".join(castle_words(dialect, is_bare_large=False) for dialect in dialects)
    mover = rf"(?P<man>{side}?(?:{man}|{victim}{_BLANK}{word('pawn')}))(?:{_BLANK}(?:{word('from')}{_BLANK})?(?P<from>{square}))?"
    taking = rf"(?:{_BLANK}(?P<takes>{word('take')})(?:{_BLANK}|(?={dash}))|\s?(?P<cross>{char_class(CROSSES)})\s?)"
    return rf"""{BEGINS}(?i:
        (?P<castling>{words})(?:(?P<castling_tail>{tail(dialects)}{{1,3}}))?
      | (?P<bare_from>{square}){dash}(?P<bare_to>{square})
      | {mover}(?:
            {taking}{goes}?{field}?(?:(?P<on>{square})|(?P<victim>{side}?(?:{pawn}|{victim}))(?:{_BLANK}{goes}?(?P<victim_at>{square}))?)
          | (?:{dash}|{_BLANK}{goes}?){field}?(?:(?P<to>{square})|{named})
        ){ending}
    ){ENDS}"""


@cache
def _grammar(dialect: str) -> re.Pattern[str]:
    return re.compile(_pattern((dialect,)), re.VERBOSE)


def _words_of(text: str, dialect: str) -> str:
    """`королевского слона` → `KB`, `queen's pawn` → `QP`."""
    kinds = phrasing.words(dialect, *_LETTERS, *_OF_MEN)
    return "".join(_LETTERS[kinds[folded(word)].removeprefix("of_")] for word in text.split())


def _square(text: str | None) -> int:
    if not text:
        return ANYWHERE
    return FILES["abcdefgh".index(_files()[text[0].lower()])] & RANKS[int(text[1]) - 1]


def _rank(text: str, dialect: str) -> str:
    return text if text.isdigit() else phrasing.words(dialect, *_RANKS)[folded(text)].removeprefix("rank_")


@lru_cache(maxsize=50_000)
def parse(text: str, dialect: str) -> tuple[MovePattern, ...]:
    """The patterns of a phrase; () when it is no move in words of the language."""
    match = _grammar(dialect).fullmatch(text.strip()) if dialect in _LANGUAGES else None
    if not match:
        return ()
    said = match.groupdict()
    if said["castling"]:
        return phrasing.castling(said["castling"], said["castling_tail"], dialect)
    if said["bare_from"]:
        return (MovePattern(from_squares=_square(said["bare_from"]), to_squares=_square(said["bare_to"])),)
    name = _words_of(said["man"], dialect)
    if not _is_name(name):
        return ()
    mover, start, promotions = relative.man(name), _square(said["from"]), _promotions(said, dialect)
    does = phrasing.effects(said["tail"] or "", (dialect,))
    if said["victim"]:
        victim = _words_of(said["victim"], dialect)
        if not _is_name(victim):
            return ()
        found = relative.capture(mover, relative.man(victim), start=start, promotions=promotions, effects=does)
        return (replace(found, to_squares=_square(said["victim_at"]), is_relative=False),)
    if said["on"] or said["to"]:
        return (_to_square(mover, start, said, promotions, does),)
    file, rank = said["file"] or said["behind"] or "", said["rank"] or said["first"] or ""
    to = _named(_words_of(file, dialect), _rank(rank, dialect))
    return (relative.move(mover, start=start, to=to, promotions=promotions, effects=does),) if to else ()


def _to_square(
    mover: relative.Man, start: int, said: Mapping[str, str | None], promotions: tuple[int, ...] | None, does: tuple[Effect, ...]
) -> MovePattern:
    """A move to a square of algebraic notation, where marks choose nothing."""
    return MovePattern(
        pieces=(mover.piece,),
        from_squares=mover.squares & start,
        to_squares=_square(said["on"] or said["to"]),
        promotions=promotions,
        has_capture_mark=bool(said["takes"] or said["cross"]),
        has_check_mark=bool(does) and "mate" not in does and "en_passant" not in does,
        has_mate_mark="mate" in does,
        wing=mover.wing,
    )


def _is_name(name: str) -> bool:
    """Whether letters name a man: `KB`, `QP`, `KBP`; not `KK`."""
    return bool(re.fullmatch(r"[KQ]?[RBN]P?|[KQ]?P|[KQ]", name))


def _named(file: str, rank: str) -> int:
    return relative.squares(file, rank) if re.fullmatch(r"[KQ]?[RBN]|[KQ]", file) else 0


def _promotions(said: Mapping[str, str | None], dialect: str) -> tuple[int, ...] | None:
    if said["queens"]:
        return (chess.QUEEN,)
    written = said["named"] or said["signed"]
    if not written:
        return None
    return (NAMES_OF_MEN[phrasing.words(dialect, *NAMES_OF_MEN, *_OF_MEN)[folded(written)].removeprefix("of_")],)


@cache
def _opening() -> str:
    """A pawn or a knight with the square that it goes to; prose speaks of men too, but not so behind a number."""
    man = any_of(text for dialect in _LANGUAGES for text in texts(dialect, "pawn", "knight"))
    goes = any_of(text for dialect in _LANGUAGES for text in texts(dialect, "to"))
    square = rf"{char_class(''.join(_files()))}[1-4]{ENDS}"
    file = any_of(texts("en", "kingside", "queenside", "king", "queen", "bishop", "knight", "rook"))
    english = rf"(?:{file}{_BLANK}){{1,2}}{any_of(texts('en', 'rank_3', 'rank_4'))}"
    rank = any_of(text for dialect in ("ru", "uk") for text in texts(dialect, "rank_3", "rank_4"))
    slavic = rf"{rank}{_BLANK}{any_of(texts('ru', 'field'))}"
    dash = rf"\s?{char_class(DASHES)}\s?"
    start = rf"(?:{any_of(text for dialect in _LANGUAGES for text in texts(dialect, 'from'))}{_BLANK})?"
    return rf"(?i:{man}{_BLANK}(?:{start}{square}(?:{dash}|{_BLANK}))?(?:{goes}{_BLANK})?(?:{square}|{english}|{slavic})){ENDS}"


FAMILY = Family("verbal", _LANGUAGES, unnamed(_pattern(_LANGUAGES)), _opening(), parse)
