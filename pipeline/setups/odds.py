"""Games at odds that are told in words: «белые без коня b1», `Remove White's Queen's Rook`, `odds of pawn and move`.

A square that is named must hold that man in the initial position. Without a square the phrase must say which man it is as far as
it matters: what it leaves open (either rook, either side) gives several boards.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from functools import cache
from itertools import product

import chess

from pipeline import tables
from pipeline.setups.setup import Setup
from pipeline.setups.words import alternatives, files, side_word, side_words, texts
from pipeline.signs import char_class

_SIDE_CHARS = 48
"""How far before the phrase its side may be named: `White (Morphy) gives odds of`."""
_PREPOSITION = re.compile(r"\s\w{2,3}$")
"""`rook on a1`."""
_MOST = 16
"""Most boards of one phrase."""


@dataclass(frozen=True, slots=True)
class _Man:
    """A man that is taken off: squares where it may stand, and the side that the phrase names."""

    start: int
    end: int
    squares: tuple[int, ...]
    """Empty for a pawn that is not told from the others."""
    side: str
    is_exact: bool
    """Its square or its wing is named."""
    is_bare: bool
    """Only a square is named."""


def find(text: str) -> Iterator[Setup]:
    """Odds that are told in words, in order."""
    done = 0
    for match in _prefix().finditer(text):
        if match.start() < done:
            continue
        setup = _behind(text, match) if match["behind"] else _ahead(text, match)
        if setup and setup.start >= done:
            done = setup.end
            yield setup


@cache
def _prefix() -> re.Pattern[str]:
    """Words before which (`behind`: behind which) the man is named; `weak` ones are also ordinary prose."""
    strong, weak, behind = (alternatives(texts(kind)) for kind in ("odds", "without", "odds_behind"))
    return re.compile(rf"(?<!\w)(?:(?P<strong>{strong})|(?P<weak>{weak}))(?!\w)|(?P<behind>{behind})(?!\w)", re.IGNORECASE)


def _ahead(text: str, match: re.Match[str]) -> Setup | None:
    """The men that are named behind `without`, `odds of`."""
    men: list[_Man] = []
    at, stop = match.end(), match.end() + 100
    gap = _filler(is_weak=match["weak"] is not None).match(text, at, stop)
    side = _side_before(text, match.start())
    if gap:
        side = _side_in(gap[0]) or side
        at = gap.end()
    while len(men) < 4 and (man := _man(text, at, stop)):
        men.append(man)
        joined = _join().match(text, man.end, stop)
        if not joined:
            break
        at = joined.end()
    if not men or (match["weak"] and not all(man.is_exact for man in men)) or (not side and any(man.is_bare for man in men)):
        return None
    end = men[-1].end
    tail = side_word().match(text, end + 1, end + 20) if text[end : end + 1].isspace() else None
    return _setup(text, min(match.start(), men[0].start), end, men, side or (_name(tail) if tail else ""))


def _behind(text: str, match: re.Match[str]) -> Setup | None:
    """The man that is named before the word: `Queen's Rook odds`, `huszár nélkül`."""
    start = max(0, match.start() - 40)
    before = text[start : match.start()]
    found = [m for m in _phrase().finditer(before) if not before[m.end() :].strip(" .-—–")]
    if not found:
        return None
    man = _of(found[0], start)
    return _setup(text, man.start, match.end(), [man], _side_before(text, man.start)) if man else None


def _side_before(text: str, at: int) -> str:
    """The side named last before `at` in the same clause."""
    clause = re.split(r"[\n;!?]|\.\s", text[max(0, at - _SIDE_CHARS) : at])[-1]
    return _side_in(clause)


def _side_in(clause: str) -> str:
    found = list(side_word().finditer(clause))
    return _name(found[-1]) if found else ""


def _name(match: re.Match[str]) -> str:
    return "w" if match["white"] else "b"


@cache
def _filler(*, is_weak: bool) -> re.Pattern[str]:
    """Words between `odds of` and the man, a few: `dalla scacchiera la`, `White's`; after weak words only articles and sides."""
    word = rf"(?:{side_words('white')}|{side_words('black')}|\w{{1,3}})" if is_weak else r"[\w'’]{1,12}"
    return re.compile(rf"(?:\s+(?!{_phrase().pattern}){word}){{0,4}}?\s+(?={_phrase().pattern})", re.IGNORECASE)


@cache
def _join() -> re.Pattern[str]:
    return re.compile(rf"\s*(?:,|&|\+|{alternatives(texts('and'))}(?!\w))\s*(?:the\s)?(?={_phrase().pattern})", re.IGNORECASE)


@cache
def _phrase() -> re.Pattern[str]:
    """A man: a phrase of men.csv and perhaps its square, or a letter glued to its square."""
    letters = {letter for a in tables.alphabets() for letter in a.letters if a.infer == "yes"}
    known = alternatives(row["text"] for row in tables.rows("men"))
    file = char_class("".join(files()))
    letter = "(?:" + "|".join(sorted(map(re.escape, letters), key=len, reverse=True)) + ")"
    return re.compile(
        rf"(?<!\w)(?:{known}(?!\w)(?:\.?\s?(?:\w{{2,3}}\s)?{file}[1-8](?![\w-]))?|{letter}?{file}[1278](?![\w\-x:]))",
        re.IGNORECASE,
    )


def _man(text: str, at: int, stop: int) -> _Man | None:
    match = _phrase().match(text, at, stop)
    return _of(match, 0) if match else None


def _of(match: re.Match[str], shift: int) -> _Man | None:
    """What a phrase says; None when the square that it names does not hold that man."""
    written = match[0]
    is_named = written[-1] in "1278" and len(written) > 1 and written[-2] in files()
    word = _PREPOSITION.sub("", written[:-2].strip()) if is_named else written
    readings = _readings(word)
    squares = {square: None for man, file, side in readings for square in _home(man, file, side)}
    if is_named:
        square = chess.parse_square(files()[written[-2]] + written[-1])
        holds = chess.Board().piece_type_at(square)
        is_fit = square in squares or (not word and holds != chess.KING) or (holds == chess.PAWN and chess.PAWN in _men(readings))
        squares = {square: None} if is_fit else {}
    if not squares and (is_named or chess.PAWN not in _men(readings)):
        return None
    sides = {side for _, _, side in readings}
    is_exact = is_named or all(file for _, file, _ in readings)
    side = sides.pop() if len(sides) == 1 else ""
    return _Man(match.start() + shift, match.end() + shift, tuple(squares), side, is_exact, not word)


def _men(readings: tuple[tuple[int, str, str], ...]) -> set[int]:
    return {man for man, _, _ in readings}


def _home(man: int, file: str, side: str) -> Iterator[int]:
    """Squares of a man in the initial position. A pawn without its file is none of them."""
    board = chess.Board()
    if man == chess.KING or (man == chess.PAWN and not file):
        return
    for color in (chess.WHITE, chess.BLACK):
        if side in ("", "w" if color else "b"):
            yield from (s for s in board.pieces(man, color) if not file or chess.FILE_NAMES[chess.square_file(s)] in file)


def _readings(word: str) -> tuple[tuple[int, str, str], ...]:
    """(man, file, side) that a phrase or letter may mean; empty for no word at all."""
    key = _squeezed(word)
    found = _known().get(key, ())
    if found or not word:
        return tuple(found)
    return tuple({(a.letters[word], "", ""): None for a in tables.alphabets() if word in a.letters})


@cache
def _known() -> Mapping[str, tuple[tuple[int, str, str], ...]]:
    found: dict[str, dict[tuple[int, str, str], None]] = {}
    for row in tables.rows("men"):
        found.setdefault(_squeezed(row["text"]), {})[tables.MEN[row["man"]], row["file"], row["side"]] = None
    return {key: tuple(readings) for key, readings in found.items()}


def _squeezed(phrase: str) -> str:
    return re.sub(r"[\s.\-]+", "", phrase).casefold().replace("’", "'")


def _setup(text: str, start: int, end: int, men: list[_Man], side: str) -> Setup | None:
    """Boards without the men. All are of one side; the side of the phrase wins over that of the clause."""
    if not all(man.squares for man in men):
        return Setup(start, end, "odds", (), text[start:end], reason="which pawn is not said")
    said = next((man.side for man in men if man.side), "") or side
    found: dict[str, chess.Board] = {}
    for squares in product(*(man.squares for man in men)):
        board = chess.Board()
        colors = {board.color_at(square) for square in squares}
        if len(colors) != 1 or len(set(squares)) != len(squares) or (said and colors != {said == "w"}):
            continue
        for square in squares:
            board.remove_piece_at(square)
        board.castling_rights = board.clean_castling_rights()
        found[board.fen()] = board
        if len(found) > _MOST:
            return None
    if not found:
        return None
    return Setup(start, end, "odds", tuple(found.values()), text[start:end])


__all__ = ["find"]
