"""Lists of men on squares: `White: Ke6, Pd7. Black: Kd8`, «Белые: Крe6, п.d7. Чёрные: Крd8».

Both sides must be listed, each with its king. Letters are read in the alphabets of the language of the side words, then in all;
each alphabet with a legal reading gives boards of its own. A square without a man belongs to the man before it where pawns are
marked (`Ra1 f1 Pa2 b2`) and is a pawn where they are not (`Kg1, Ra1, a2, b2`); there, as long as the man before it has
brothers left and the square is not a pawn's for sure, both are kept.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from itertools import product

import chess

from pipeline import tables
from pipeline.notations.algebraic import skeleton
from pipeline.setups.setup import Setup, boards
from pipeline.setups.words import alternatives, files, languages, nouns, pawn_words, side_word, texts, turn_said
from pipeline.signs import SELECTORS, char_class, figurines
from pipeline.tables import Alphabet

_MEN = 40
"""Most men that are read of one side; legality limits them later."""
_READINGS = 16
"""Most ways in which the bare squares of a list are shared out."""
_NUMBERS = {chess.KING: 1, chess.QUEEN: 1, chess.ROOK: 2, chess.BISHOP: 2, chess.KNIGHT: 2, chess.PAWN: 8}
"""Men of a side at the beginning: a bare square repeats the man before it only up to his number."""
_GAP = re.compile(r"[\s.,;:/|()\[\]\u2010-\u2015、。，；：\-]{0,24}")
_OPENING = re.compile(r"\s?(?:\([^()\n]{1,40}\))?\s?[.:：=\u2010-\u2015\-]{0,2}\s*\[?")
"""Behind a side word: a name or the number of its men in brackets, a colon."""

_COUNT = re.compile(r"\s?\((?:=\s?)?\d{1,2}(?:\s[^\W\d_]{1,12})?\)")
"""Behind a list: how many men it has, `(3)`, `(3 Steine)`."""


@dataclass(frozen=True, slots=True)
class _Item:
    """A man as written, empty for a bare square, on a square."""

    man: str
    square: int


@dataclass(frozen=True, slots=True)
class _Found:
    """Two lists in a text: men of White and of Black."""

    start: int
    end: int
    white: tuple[_Item, ...]
    black: tuple[_Item, ...]
    languages: frozenset[str]


def find(text: str) -> Iterator[Setup]:
    """Positions that are said by lists, in order."""
    every = list(_pairs(text))
    for i, found in enumerate(every):
        floor = every[i - 1].end if i else 0
        ceiling = every[i + 1].start if i + 1 < len(every) else len(text)
        setup = _setup(text, found, turn_said(text, found.start, found.end, floor, ceiling))
        if setup:
            yield setup


def _pairs(text: str) -> Iterator[_Found]:
    at = 0
    while match := side_word().search(text, at):
        at = match.end()
        first, end = _items(text, at)
        if not first:
            continue
        gap = _GAP.match(text, end)
        other = side_word().match(text, gap.end() if gap else end)
        if other is None or (other["white"] is None) == (match["white"] is None):
            continue
        second, end = _items(text, other.end())
        if not second:
            continue
        at = end
        white, black = (first, second) if match["white"] else (second, first)
        mine, theirs = languages(match[0]), languages(other[0])
        yield _Found(match.start(), end, white, black, mine & theirs or mine | theirs)


def _items(text: str, at: int) -> tuple[tuple[_Item, ...], int]:
    """Men on squares from `at`, and the end of the last."""
    opening = _OPENING.match(text, at)
    end = at
    found: list[_Item] = []
    at = opening.end() if opening else at
    while len(found) < _MEN:
        gap = _separator().match(text, at) if found else None
        match = _item().match(text, gap.end() if gap else at)
        if not match:
            break
        square = chess.parse_square(files()[match["file"]] + match["rank"])
        found.append(_Item("".join(c for c in match["man"] or "" if c not in SELECTORS), square))
        at = end = match.end()
    count = _COUNT.match(text, end) if found else None
    return tuple(found), count.end() if count else end


@cache
def _separator() -> re.Pattern[str]:
    return re.compile(rf"[\s,;.+&、，；]{{0,8}}(?:{alternatives(texts('and'))}\s{{1,3}})?", re.IGNORECASE)


@cache
def _item() -> re.Pattern[str]:
    figurine = rf"{char_class(figurines(with_fonts=True))}{char_class(SELECTORS)}?"
    file = char_class("".join(files()))
    on = alternatives(texts("on"))
    return re.compile(
        rf"(?:(?P<man>{figurine}|[^\W\d_]{{1,12}}?)(?:['’]s)?\.?(?:\s{on}\s|[\s:]{{0,2}}))?(?P<file>{file})(?P<rank>[1-8])(?!\d)"
    )


def _setup(text: str, found: _Found, said: str | None) -> Setup | None:
    """The boards of two lists, None when they are no position: a side without its king is prose about moves."""
    reason = None
    for tier in _tiers(found.languages):
        legal: dict[str, chess.Board] = {}
        for placement in _placements(found, tier):
            boards_here, why = boards(placement, said or "wb") if placement else ((), "two men on one square")
            legal |= {board.fen(): board for board in boards_here}
            reason = reason or why
        if legal:
            is_known = len({board.turn for board in legal.values()}) == 1
            words = text[found.start : found.end]
            return Setup(
                found.start, found.end, "list", tuple(legal.values()), words, is_side_known=is_known, languages=found.languages
            )
    if reason is None:
        return None
    return Setup(found.start, found.end, "list", (), text[found.start : found.end], reason=reason)


_Tier = tuple[tuple[Alphabet, ...], bool]
"""Alphabets that are tried at the same time, and whether they forgive."""


@cache
def _tiers(named: frozenset[str]) -> tuple[_Tier, ...]:
    """Alphabets of the side words' languages, then all that may be inferred; each strictly, then with look-alikes."""
    own = tuple(a for a in tables.alphabets() if a.infer != "never" and a.bcp47.split("-")[0] in {*named, "figurine"})
    every = tuple(a for a in tables.alphabets() if a.infer == "yes")
    return (*(((own, False), (own, True)) if named else ()), (every, False), (every, True))


def _placements(found: _Found, tier: _Tier) -> list[str | None]:
    """Placements in Forsyth's form that the alphabets of a tier read, each once, by priority; None: two men on one square."""
    alphabets, is_lenient = tier
    placements: dict[str | None, None] = {}
    done = set()
    for alphabet in alphabets:
        white = _men(found.white, alphabet, is_lenient=is_lenient)
        black = _men(found.black, alphabet, is_lenient=is_lenient)
        if white is None or black is None or chess.KING not in white or chess.KING not in black or (white, black) in done:
            continue
        done.add((white, black))
        both = product(_shared(found.white, white), _shared(found.black, black))
        placements |= dict.fromkeys(_placement(found, *men) for men in both)
    return list(placements)


def _placement(found: _Found, white: Sequence[int], black: Sequence[int]) -> str | None:
    """Men on their squares; None when a square is named twice."""
    board = chess.BaseBoard.empty()
    for items, men, color in ((found.white, white, chess.WHITE), (found.black, black, chess.BLACK)):
        for item, man in zip(items, men, strict=True):
            if board.piece_at(item.square):
                return None
            board.set_piece_at(item.square, chess.Piece(man, color))
    return board.board_fen()


def _men(items: Sequence[_Item], alphabet: Alphabet, *, is_lenient: bool) -> tuple[int, ...] | None:
    """Piece types of the items, 0 for bare squares; None when the alphabet does not have one of them."""
    found = []
    for item in items:
        man = _man(item.man, alphabet, is_lenient=is_lenient) if item.man else 0
        if man is None:
            return None
        found.append(man)
    return tuple(found)


def _man(written: str, alphabet: Alphabet, *, is_lenient: bool) -> int | None:
    if written in alphabet.letters:
        return alphabet.letters[written]
    if written in alphabet.pawn_letters or written in pawn_words():
        return chess.PAWN
    noun = nouns().get(written.casefold())
    if noun is not None:
        return noun
    return _forgiven(alphabet).get(skeleton(written).casefold()) if is_lenient else None


@cache
def _forgiven(alphabet: Alphabet) -> Mapping[str, int]:
    """Letters of an alphabet as they look in Latin, small: for `Kp` in place of `Кр`."""
    found: dict[str, int] = {}
    for letter, piece in alphabet.letters.items():
        found.setdefault(skeleton(letter).casefold(), piece)
    for letter in alphabet.pawn_letters:
        found.setdefault(skeleton(letter).casefold(), chess.PAWN)
    return found


def _shared(items: Sequence[_Item], men: Sequence[int]) -> list[tuple[int, ...]]:
    """The ways in which bare squares go to the man before them or to pawns."""
    if 0 not in men:
        return [tuple(men)]
    runs: list[tuple[int, int]] = []
    for i, man in enumerate(men):
        if man == 0 and (i == 0 or men[i - 1] != 0):
            runs.append((i, next((j for j in range(i, len(men)) if men[j] != 0), len(men))))
    choices = []
    for start, end in runs:
        before = men[start - 1] if start else chess.PAWN
        choices.append([(start, end, before, n) for n in _repeats(items[start:end], before, men)])
    found = []
    for choice in product(*choices):
        filled = list(men)
        for start, end, before, n in choice:
            filled[start:end] = [before] * n + [chess.PAWN] * (end - start - n)
        found.append(tuple(filled))
        if len(found) >= _READINGS:
            break
    return found


def _repeats(run: Sequence[_Item], before: int, men: Sequence[int]) -> list[int]:
    """How many squares at the beginning of a bare run may belong to the man before it, by how the list writes its pawns."""
    if before == chess.PAWN or (chess.PAWN in men and before != chess.KING):
        return [len(run)]
    at_edge = [i + 1 for i, item in enumerate(run) if chess.square_rank(item.square) in (0, 7)]
    least = max(at_edge, default=0)
    most = max(least, min(len(run), _NUMBERS[before] - men.count(before)))
    return list(range(least, most + 1))
