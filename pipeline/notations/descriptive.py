"""English descriptive notation: `P-K4`, `KtxP`, `R-(B5)B7`, `P - B 8 (Q)`, `Castles K`, `B-N5 dbl ch`, `PxP, e.p.`

Files have the names of the men that begin on them, ranks are counted from the mover's side, a capture names the man that is
taken. A written check, mate or e.p. is part of the move. Blanks, dots and ends of lines may stand between all parts.
Source: practice of English books, about 1750 to 1980; Oxford Companion to Chess, "descriptive notation".
"""

from __future__ import annotations

import re
from functools import cache, lru_cache

import chess

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
from pipeline.tables import MEN, NAMES_OF_MEN

_LANGUAGES = ("en",)
_KNIGHT = r"(?:K[tTn]|N)"
_OFFICER = rf"(?:[RB]|{_KNIGHT})"
_OF = r"(?:\.?['’]s)?"
_FILE = rf"(?:(?:[KQ]{_OF}{GAP})?{_OFFICER}{_OF}|[KQ]{_OF})"
_MAN = rf"(?:(?:[KQ]{_OF}{GAP})?(?:{_OFFICER}(?:{_OF}{GAP}P)?|P)|[KQ])"


@cache
def _first_rank() -> str:
    return rf"{GAP}(?i:{any_of(texts('en', 'first_rank'))})\.?(?![a-z])"


@cache
def _rank() -> str:
    """A digit, also on the next line unless it looks like a move number there; `sq.`; what OCR makes of a 1."""
    blank, line = r"[\ \t\xa0.]{0,3}", r"\r?\n[\ \t\xa0]{0,16}"
    misread = "".join(texts("en", "misread_first_rank"))
    digit = rf"[1-8](?:{any_of(texts('en', 'rank_ending'))}(?![a-z]))?"
    return rf"(?:{blank}{digit}(?!\d)|{blank}{line}{digit}(?![\d.)])|[{misread}]{ENDS}|{_first_rank()})"


@cache
def _pattern() -> str:
    """One move in verbose syntax, with the groups that `parse` reads."""
    square = rf"(?:{_FILE}(?:{GAP}[1-8])?|[1-8])"
    takes = rf"(?:{CROSS}|(?i:{any_of(texts('en', 'take'))})(?=\W|[A-Z]))"
    goes = rf"(?:{DASH}|(?i:{any_of(texts('en', 'to'))})(?=\W|[A-Z]))"
    place = rf"(?:\({GAP}(?:{square}){GAP}\)|[/\\]{GAP}{square})"
    ends = rf"(?!{GAP}(?:{place}{GAP})?(?:{DASH}|{takes}))"
    at = any_of(texts("en", "at"))
    names = any_of(texts("en", "queen", "rook", "bishop", "knight"))
    becomes = any_of(texts("en", "promote"))
    man = rf"(?:[QRB]|{_KNIGHT}|(?i:{names})){ENDS}"
    promotion = (
        rf"(?:{GAP}(?:\({GAP}=?{GAP}(?P<bracketed>{man}){GAP}\)|[=/]{GAP}(?P<signed>{man})"
        rf"|,?{GAP}(?i:{becomes}){GAP}(?:a\s)?(?P<named>{man}))|(?<=8)(?P<glued>[QRB]|{_KNIGHT})(?![^\W_]|{GAP}(?:{DASH}|{takes}))"
        rf"|{GAP},?{GAP}(?P<queens>(?i:{any_of(texts('en', 'promote_queen'))})){ENDS})"
    )
    ending = rf"(?:{promotion})?(?:(?P<tail>{tail(_LANGUAGES)}{{1,3}})|{ENDS})"
    goal = rf"(?P<file>{_FILE})(?P<rank>{_rank()})"
    bare_goal = rf"(?P<lost>{_FILE}){ends}{ENDS}"
    behind = rf"\({GAP}{square}{GAP}\)|[/\\]{GAP}{square}{ENDS}|(?i:{at})\ {GAP}{square}{ENDS}"
    victim = rf"(?P<victim>{_MAN}){ends}(?:{GAP}(?P<victim_at>{behind}))?"
    return rf"""{BEGINS}(?:
        (?P<castling>{CASTLE}|{castle_words("en", is_bare_large=True)})(?:(?P<castling_tail>{tail(_LANGUAGES)}{{1,3}}))?
      | (?P<man>{_MAN})(?:{GAP}(?P<at>{place}))?{GAP}(?:
            {goes}{GAP}(?:(?P<at_too>{place}){GAP})?(?:{goal}{ending}|{bare_goal}(?P<lost_tail>{tail(_LANGUAGES)}{{1,3}})?)
          | {takes}{GAP}(?:(?P<on_file>{_FILE})(?P<on_rank>[1-8])(?![\d]|\.?\ ?\d){ending.replace("?P<", "?P<on_")}
                |{victim}{ending.replace("?P<", "?P<x_")})
        )
      | (?P<plain_man>{_MAN})(?:\.\s?|\ )(?P<plain_file>{_FILE}){GAP}(?P<plain_rank>[1-8])(?!\d)
            {ending.replace("?P<", "?P<plain_")}
      | (?P<only_man>{_MAN})(?=[^\s.]|{GAP}[a-z(])(?P<only_tail>{tail(_LANGUAGES)}{{1,3}})
      | (?P<queening>(?:{_FILE}{GAP})?P){GAP}(?i:{any_of(texts("en", "promote_queen"))}){ENDS}
            (?P<queening_tail>{tail(_LANGUAGES)}{{1,3}})?
    )"""


@cache
def _grammar() -> re.Pattern[str]:
    return re.compile(_pattern(), re.VERBOSE)


_KNIGHTS = re.compile(_KNIGHT)


def _name(text: str | None) -> str:
    """`Q.'s Kt.` → `QN`."""
    return _KNIGHTS.sub("N", squeezed(text or "").replace("'s", "").replace("’s", ""))


def _squares(text: str | None) -> int:
    """`(K R 1)`, `/B3`, `(1)`, `at K5` → squares."""
    name = _name(re.sub(r"[()/\\]|\b[a-z]+\b", "", text or ""))
    rank = name[-1:] if name[-1:].isdigit() else ""
    return relative.squares(name.removesuffix(rank) if rank else name, rank)


@lru_cache(maxsize=50_000)
def parse(text: str, dialect: str) -> tuple[MovePattern, ...]:
    """The patterns of a token; () when it is no descriptive move."""
    match = _grammar().fullmatch(text.strip()) if dialect in _LANGUAGES else None
    if not match:
        return ()
    said = match.groupdict()
    if said["castling"]:
        return phrasing.castling(said["castling"], said["castling_tail"], dialect)
    if said["only_man"]:
        name = _name(said["only_man"])
        return (relative.move(relative.man(name), effects=phrasing.effects(said["only_tail"], _LANGUAGES), is_quiet=False),)
    if said["queening"]:
        does = phrasing.effects(said["queening_tail"] or "", _LANGUAGES)
        return (relative.move(relative.man(_name(said["queening"])), promotions=(chess.QUEEN,), effects=does, is_quiet=False),)
    return (_goes(said) if said["plain_man"] or not (said["on_file"] or said["victim"]) else _takes(said),)


def _goes(said: dict[str, str | None]) -> MovePattern:
    prefix = "plain_" if said["plain_man"] else ""
    mover = relative.man(_name(said[prefix + "man"]))
    if said["lost"]:
        does = phrasing.effects(said["lost_tail"] or "", _LANGUAGES)
        start = _squares(said["at"]) & _squares(said["at_too"])
        to = relative.squares(_name(said["lost"]), "")
        return relative.move(mover, start=start, to=to, effects=does, leniency=("lost_rank",))
    written = squeezed(said[prefix + "rank"] or "")
    rank = written[:1] if written[:1].isdigit() else "1"
    return relative.move(
        mover,
        start=ANYWHERE if prefix else _squares(said["at"]) & _squares(said["at_too"]),
        to=relative.squares(_name(said[prefix + "file"]), rank),
        promotions=_promotions(said, prefix),
        effects=phrasing.effects(said[prefix + "tail"] or "", _LANGUAGES),
        leniency=("misread_rank",) if written in texts("en", "misread_first_rank") else (),
    )


def _takes(said: dict[str, str | None]) -> MovePattern:
    """A capture. A man alone behind a pawn's capture is what it becomes (`PxR(B)`), not where the victim stood."""
    prefix = "on_" if said["on_file"] else "x_"
    mover = relative.man(_name(said["man"]))
    letter = _name((said["victim_at"] or "").strip("()/\\ "))
    if mover.piece == chess.PAWN and letter in {"Q", "R", "B", "N"}:
        said = {**said, "victim_at": None, "x_bracketed": letter}
    on = relative.squares(_name(said["on_file"]), said["on_rank"] or "") if said["on_file"] else ANYWHERE
    return relative.capture(
        mover,
        relative.man(_name(said["victim"])) if said["victim"] else None,
        start=_squares(said["at"]),
        to=on,
        victim_at=_squares(said["victim_at"]) if said["victim_at"] else ANYWHERE,
        promotions=_promotions(said, prefix),
        effects=phrasing.effects(said[prefix + "tail"] or "", _LANGUAGES),
    )


def _promotions(said: dict[str, str | None], prefix: str) -> tuple[int, ...] | None:
    """The man promoted to; None when nothing is said."""
    if said[prefix + "queens"]:
        return (chess.QUEEN,)
    written = next((said[prefix + k] for k in ("bracketed", "signed", "named", "glued") if said[prefix + k]), None)
    if written is None:
        return None
    letter = _name(written)
    return (MEN[letter] if letter in MEN else NAMES_OF_MEN[phrasing.words("en", *NAMES_OF_MEN)[phrasing.folded(written)]],)


@cache
def _opening() -> str:
    """A man, a dash and a square whose file has a man's name, or a pawn or knight that goes where it can at the start."""
    goes = rf"{GAP}(?:{DASH}|(?i:{any_of(texts('en', 'to'))})(?=\W|[A-Z])|\.){GAP}"
    third = rf"{GAP}(?:3(?:{any_of(texts('en', 'rank_ending'))})?)"
    pawn = rf"P{goes}{_FILE}(?:{third}|{third.replace('3', '4')})"
    knight = rf"(?:[KQ]{_OF}{GAP})?{_KNIGHT}{goes}(?:[KQ]{_OF}{GAP})?[RB]{_OF}{third}"
    return rf"(?:{pawn}|{knight}|{_MAN}{DASH}{_FILE}[1-8]|{_MAN}[x×]{_MAN}){ENDS}"


FAMILY = Family("descriptive", _LANGUAGES, unnamed(_pattern()), _opening(), parse)
