"""Algebraic notation in any alphabet: short, long, minimal, and from-square to-square without a man.

`Nf3`, `Sg1-f3`, `♘f3`, `С:е5`, `Сe5:`, `ed`, `exd8/Ф`, `e2—e4`, `g1f3`, `O-O`. A token of two squares and no man says
both squares and nothing else, so it reads alike as long algebraic and as UCI.
Source: FIDE Laws appendix C; PGN standard 8.2.3; UCI protocol (coordinate moves, lower-case promotion).
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, replace
from functools import cache, lru_cache

import chess

from pipeline import tables
from pipeline.model import MovePattern
from pipeline.notations import misread
from pipeline.notations.squares import FILES, RANKS
from pipeline.signs import CAPTURES, CASTLES, CHECKS, DASHES, MATES, SELECTORS, char_class
from pipeline.tables import Alphabet

_UCI = {"q": chess.QUEEN, "r": chess.ROOK, "b": chess.BISHOP, "n": chess.KNIGHT}
_SIGNS: Mapping[int, str] = str.maketrans(dict.fromkeys(CAPTURES, "x") | dict.fromkeys(DASHES, "-"))
_O, _CHECK = char_class(CASTLES), char_class(CHECKS)
_CASTLE = re.compile(rf"{_O}-{{0,2}}{_O}(-{{0,2}}{_O})?(x)?({_CHECK}{{1,2}})?")
_MARKS = re.compile(rf"{_CHECK}{{1,2}}$")


@dataclass(frozen=True, slots=True)
class _Reading:
    """A token split into man and rest, with what had to be forgiven."""

    piece: int | None
    rest: str
    leniency: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class _Grammar:
    letters: Mapping[str, int]
    lengths: tuple[int, ...]
    files: Mapping[int, str]
    rest: re.Pattern[str]
    promotion: re.Pattern[str]
    """The man promoted to, at the end of a token."""
    skeletons: Mapping[str, int]
    folded: Mapping[str, int]
    pawns: frozenset[str]


def parse(text: str, alphabet: Alphabet, *, is_lenient: bool = False) -> tuple[MovePattern, ...]:
    """The patterns that a token may mean in an alphabet; () when it is no move of it.

    Strict reading gives at most one. The lenient one also forgives look-alike characters, upper-case files,
    lower-case men and pawn letters, each named in `MovePattern.leniency`; it is only tried where the strict one gives nothing,
    or where a small letter is a file's and a man's (`bc4`).
    """
    return _parse(text, alphabet.name, is_lenient)


@lru_cache(maxsize=200_000)
def _parse(text: str, alphabet: str, is_lenient: bool) -> tuple[MovePattern, ...]:
    compact = "".join(c for c in text if not c.isspace() and c not in SELECTORS)
    castling = _castling(compact)
    if castling:
        return (castling,)
    grammar = _grammar(alphabet)
    strict = next(
        filter(None, (tuple(_patterns(reading, grammar, is_lenient=False)) for reading in _strict(compact, grammar))), ()
    )
    if not is_lenient or (strict and not _may_be_small_man(compact, grammar)):
        return strict
    lenient = {p: None for reading in _lenient(compact, grammar) for p in _patterns(reading, grammar, is_lenient=True)}
    return tuple(dict.fromkeys(strict)) + tuple(lenient or dict.fromkeys(_restored(compact, grammar)))


def _restored(compact: str, grammar: _Grammar) -> Iterator[MovePattern]:
    """Readings of what is no move as it stands and may have been misread by a scanner."""
    if misread.is_plain(compact):
        return
    for reading in _lenient(compact, grammar):
        for rest in misread.restored(reading.rest):
            restored = replace(reading, rest=rest, leniency=tuple(sorted({*reading.leniency, "misread_character"})))
            yield from _patterns(restored, grammar, is_lenient=True)


def _may_be_small_man(compact: str, grammar: _Grammar) -> bool:
    """Whether a move without a man may have one whose small letter is that of a file: `bc4` in a game of small letters."""
    return compact[0] in "abcdefgh" and compact[0] in grammar.folded and len(compact) > 2


def _castling(compact: str) -> MovePattern | None:
    match = _CASTLE.fullmatch(compact.translate(_SIGNS)) if compact[:1] in CASTLES else None
    if match:
        is_check, is_mate = _claims(match[3] or "")
        return MovePattern(
            castling="O-O-O" if match[1] else "O-O",
            has_check_mark=is_check,
            has_mate_mark=is_mate,
            has_final_cross=bool(match[2]),
        )
    body = _MARKS.sub("", compact)
    side = _castle_words().get(" ".join(body.casefold().split()))
    return MovePattern(castling="O-O-O" if side == "castle_long" else "O-O") if side else None


def _strict(compact: str, grammar: _Grammar) -> Iterator[_Reading]:
    """With each man of the alphabet that the token begins with, longest first (`Gh6` may be `Gh` or `G`), else without one."""
    has_man = False
    for length in grammar.lengths:
        piece = grammar.letters.get(compact[:length])
        if piece is not None and len(compact) > length:
            yield _Reading(piece, _plain(compact[length:], grammar, has_man=True), ())
            has_man = True
    if not has_man:
        yield _Reading(None, _plain(compact, grammar, has_man=False), ())


def _plain(rest: str, grammar: _Grammar, *, has_man: bool) -> str:
    """Signs and native files in plain form, but for the man promoted to: `e8=X` is a Vietnamese rook and no cross."""
    promotion = None if has_man else grammar.promotion.search(rest)
    cut = promotion.start(1) if promotion else len(rest)
    return rest[:cut].translate(_SIGNS).translate(grammar.files).replace("--", "-") + rest[cut:]


def _lenient(compact: str, grammar: _Grammar) -> Iterator[_Reading]:
    """Every split into man and rest that forgiving allows."""
    for length in (*sorted({*grammar.lengths, 1}, reverse=True), 0):
        man, rest = compact[:length], compact[length:]
        if len(man) < length or not rest:
            continue
        piece, codes = _lenient_man(man, grammar)
        if length and piece is None:
            continue
        squares, more = _lenient_squares(rest, grammar, has_man=length > 0)
        yield _Reading(piece, squares, tuple(sorted({*codes, *more})))


def _lenient_man(man: str, grammar: _Grammar) -> tuple[int | None, tuple[str, ...]]:
    if man in grammar.letters:
        return grammar.letters[man], ()
    if man in grammar.pawns:
        return chess.PAWN, ("pawn_letter",)
    latin = skeleton(man)
    if latin in grammar.skeletons:
        return grammar.skeletons[latin], ("homoglyph",)
    if latin.casefold() in grammar.folded:
        return grammar.folded[latin.casefold()], ("lower_case_man",)
    return None, ()


def _lenient_squares(rest: str, grammar: _Grammar, *, has_man: bool) -> tuple[str, set[str]]:
    codes = set()
    signs = _plain(rest, grammar, has_man=has_man)
    out = []
    for i, char in enumerate(signs):
        plain = _file_lookalikes().get(char)
        is_file = i + 1 < len(signs) and (
            signs[i + 1] in "12345678x" or _file_lookalikes().get(signs[i + 1], signs[i + 1]) in "abcdefgh"
        )
        if plain and is_file and plain != char:
            codes.add("upper_case_file" if char.isascii() else "homoglyph")
            out.append(plain)
        else:
            out.append(char)
    return "".join(out), codes


def _patterns(reading: _Reading, grammar: _Grammar, *, is_lenient: bool) -> Iterator[MovePattern]:
    match = grammar.rest.fullmatch(reading.rest)
    if not match:
        return
    said = match.groupdict()
    has_man = reading.piece is not None and reading.piece != chess.PAWN
    letter = said["promotion"] or said["bracketed"]
    promotion, codes = _promotion(letter, said, grammar, is_lenient=is_lenient) if letter else (None, ())
    is_capture = _pawn_capture(said, has_man=has_man)
    if (letter and (has_man or promotion is None)) or (has_man and not said["tr"]) or is_capture is None:
        return
    is_check, is_mate = _claims(said["marks"] or "")
    from_squares = _mask(said["ff"], said["fr"])
    if not has_man and not said["ff"] and not is_capture:
        from_squares &= FILES[_file(said["tf"])]
    yield MovePattern(
        pieces=_pieces(reading.piece, said),
        from_squares=from_squares,
        to_squares=_mask(said["tf"], said["tr"]),
        promotions=None if promotion is None else (promotion,),
        is_capture=True if is_capture else None,
        has_capture_mark=said["x"] == "x",
        has_final_cross=said["cross"] is not None,
        has_check_mark=is_check,
        has_mate_mark=is_mate,
        leniency=tuple(sorted({*reading.leniency, *codes})),
    )


def _promotion(
    letter: str, said: Mapping[str, str | None], grammar: _Grammar, *, is_lenient: bool
) -> tuple[int | None, tuple[str, ...]]:
    """The man promoted to, and what had to be forgiven. UCI writes `e7e8q` with both squares and a small letter."""
    if letter in grammar.letters:
        return grammar.letters[letter], ()
    if letter in _UCI and said["fr"] and said["tr"]:
        return _UCI[letter], ()
    return _lenient_man(letter, grammar) if is_lenient else (None, ())


def _pawn_capture(said: Mapping[str, str | None], *, has_man: bool) -> bool | None:
    """Whether the form of a move without a man means a capture; None when it contradicts itself (`dxd5`, `dd`, `d`)."""
    if has_man or (said["ff"] and said["fr"] and said["tr"]):
        return False
    if said["ff"] is None:
        return said["x"] == "x" if said["tr"] and said["x"] != "-" else None
    return None if said["ff"] == said["tf"] or said["x"] == "-" else True


def _pieces(piece: int | None, said: Mapping[str, str | None]) -> tuple[int, ...]:
    if piece is not None:
        return (piece,)
    return () if said["fr"] and said["tr"] else (chess.PAWN,)


def _claims(marks: str) -> tuple[bool, bool]:
    """Check and mate as marks claim them. `++` is mate, double check or check by tradition: it claims a check only."""
    is_mate = any(c in MATES for c in marks)
    return bool(marks) and not is_mate, is_mate


def _file(letter: str | None) -> int:
    return "abcdefgh".index(letter or "a")


def _mask(file: str | None, rank: str | None) -> int:
    mask = 0xFFFFFFFFFFFFFFFF
    if file:
        mask &= FILES[_file(file)]
    if rank:
        mask &= RANKS[int(rank) - 1]
    return mask


@cache
def _grammar(name: str) -> _Grammar:
    alphabet = next(a for a in tables.alphabets() if a.name == name)
    letters = dict(alphabet.letters)
    man = "|".join(re.escape(s) for s in sorted(letters, key=len, reverse=True))
    rest = (
        rf"\.?(?P<ff>[a-h])?(?P<fr>[1-8])?(?:(?P<x>[x-])(?P<victim>{man})?)?(?P<tf>[a-h])(?P<tr>[1-8])?"
        rf"(?:[=/x-]?(?P<promotion>{man}|[qrbn]|[^\W\d_a-hx]{{1,2}}?)|\((?P<bracketed>{man}|[^\W\d_]{{1,2}})\))?"
        rf"(?P<cross>x)?(?P<marks>{_CHECK}{{1,2}})?"
    )
    skeletons: dict[str, int] = {}
    folded: dict[str, int] = {}
    for letter, piece in letters.items():
        skeletons.setdefault(skeleton(letter), piece)
        folded.setdefault(skeleton(letter).casefold(), piece)
    return _Grammar(
        letters=letters,
        lengths=tuple(sorted({len(s) for s in letters}, reverse=True)),
        files={ord(native): plain for native, plain in alphabet.files.items()},
        rest=re.compile(rest),
        promotion=re.compile(rf"(?<=[18])(?:\(|{char_class('=/' + CAPTURES + DASHES)})?({man})\)?{_CHECK}{{0,2}}$"),
        skeletons=skeletons,
        folded=folded,
        pawns=frozenset(alphabet.pawn_letters) - letters.keys(),
    )


def skeleton(text: str) -> str:
    """Text with every character replaced by the Latin one it looks like, case kept."""
    table = _piece_lookalikes()
    return "".join(table.get(c) or (table.get(c.upper(), c.upper()).lower() if c.islower() else c) for c in text)


@cache
def _piece_lookalikes() -> Mapping[str, str]:
    found = (h for h in tables.homoglyphs("piece") if h.kind in {"lookalike", "form"} and h.target.isascii())
    return {h.char: h.target for h in found}


@cache
def _file_lookalikes() -> Mapping[str, str]:
    found = {h.char: h.target for h in tables.homoglyphs("file") if h.kind in {"lookalike", "form"}}
    return found | {c.upper(): c for c in "abcdefgh"}


@cache
def _castle_words() -> Mapping[str, str]:
    return {"".join(r["text"].casefold().split()): r["kind"] for r in tables.rows("words") if r["kind"].startswith("castle")}
