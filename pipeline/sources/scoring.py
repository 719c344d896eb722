"""Which code page makes the bytes read like chess: the log likelihood of each candidate, from a bounded sample.

Two kinds of evidence, added: whole words by their letter pairs in the best language of the page's script (case and script
inside a word included), and men written before squares (`Кf3`, `e8Ф`) by the piece letters of the best alphabet.
"""

from __future__ import annotations

import math
import re
from collections import Counter
from collections.abc import Collection, Iterable, Sequence
from dataclasses import dataclass
from functools import cache

import numpy as np
import numpy.typing as npt

from pipeline.sources.code_pages import APOSTROPHE, BAD, FOREIGN, MARK, QUOTE, SYMBOL, CodePage, code_pages, pair_model
from pipeline.tables import alphabets

SAFE_MARGIN = 7.0
"""A reading that is e**7 (a thousand) times likelier than the next is safe."""
SAMPLE_BYTES = 1 << 16
_N_WINDOWS = 64
_MAX_MOVES = 4096
_WORD = re.compile(rb"(?<!\S)[^\s\x80-\xff]*+[\x80-\xff]\S*")

_MAN_BEFORE_SQUARE = rb"(?<![A-Za-z0-9\x80-\xff])([\x80-\xff]{1,3})p?[a-h1-8]{0,2}[x:\-]?[a-h][1-8](?![a-z0-9])"
_MAN_AFTER_SQUARE = rb"(?<=[a-h][18])=?([\x80-\xff])(?![A-Za-z0-9\x80-\xff])"
_BETWEEN_SQUARES = rb"(?<=[0-8])([\x80-\xff])(?=[a-h0-8])"
_MOVE = re.compile(_MAN_BEFORE_SQUARE + rb"|" + _MAN_AFTER_SQUARE + rb"|" + _BETWEEN_SQUARES)
"""`Кf3`, `Кpg8` (with a Latin p), `Лхd8`; `e8=Ф`; the sign in `e4–e5`, `0–0`, `d1×d8`."""

_ALONE = re.compile(rb"(?<![A-Za-z\x80-\xff])[\x80-\xff](?![A-Za-z\x80-\xff])")
"""A byte that stands alone says nothing about letters: `P × P`, `½-½`, the Russian word «в», a list of letters."""

_LOG_MAN = -2.0
_LOG_LOWER_CASE_MAN = -4.5
_LOG_OTHER_LETTER = -6.0
_LOG_NO_LETTER = -8.0
_LOG_SIGN_IN_MOVE = {QUOTE: -1.5, MARK: -2.5}
_CAPTURE_LETTERS = frozenset("хХ")
"""Cyrillic ha, typed for the sign × (as in `Лхd8`)."""
_LOG_CAPTURE_LETTER = -3.0
_LOG_ALONE = {APOSTROPHE: -3.0, QUOTE: -3.0, MARK: -3.0, SYMBOL: -7.0, FOREIGN: -7.0, BAD: -14.0}
_LOG_ALONE_LETTER = -4.0
_FULL_WEIGHT = 4
_CASE_SCORES = np.array([[0, -0.5, 0], [0, 0, -4.0], [0, 0, -0.7]])
"""By CodePage.cases of two neighbours: a word hardly begins in lower case in names, and never turns to upper case."""


@dataclass(frozen=True, slots=True)
class Score:
    """A candidate with its log likelihood (natural log, prior included; only differences mean something)."""

    page: CodePage
    log_likelihood: float

    @property
    def encoding(self) -> str:
        """The code page's name."""
        return self.page.encoding


@cache
def men_of_alphabets() -> tuple[frozenset[str], ...]:
    """Piece letters of each alphabet that has any beyond ASCII and needs no hint."""
    sets = {frozenset(a.letters) for a in alphabets() if a.infer == "yes" and not "".join(a.letters).isascii()}
    return tuple(sorted(sets, key=sorted))


class Sampler:
    """Keeps a bounded, even sample of the words with non-ASCII bytes in all pieces that it is given. Deterministic."""

    def __init__(self) -> None:
        self._kept: list[bytes] = []
        self._n_bytes = 0
        self._n_seen = 0
        self._stride = 1

    def add(self, piece: bytes) -> None:
        """Look at one more piece of the text; pieces are thinned evenly when there are too many."""
        if self._n_seen % self._stride == 0:
            words = _windows(b" ".join(_WORD.findall(piece)))
            self._kept.append(words)
            self._n_bytes += len(words)
            while self._n_bytes > 4 * SAMPLE_BYTES and len(self._kept) > 1:
                self._kept = self._kept[::2]
                self._stride *= 2
                self._n_bytes = sum(map(len, self._kept))
        self._n_seen += 1

    def sample(self) -> bytes:
        """At most about SAMPLE_BYTES of words."""
        return _windows(b" ".join(self._kept))


def _windows(data: bytes) -> bytes:
    """At most about SAMPLE_BYTES of the data: windows spread evenly over its non-ASCII bytes."""
    if len(data) <= SAMPLE_BYTES:
        return data
    high = np.flatnonzero(np.frombuffer(data, dtype=np.int8) < 0)
    half = SAMPLE_BYTES // _N_WINDOWS // 2
    windows = []
    end = 0
    for center in high[np.linspace(0, len(high) - 1, _N_WINDOWS).astype(np.int64)]:
        start = max(end, int(center) - half)
        end = max(end, int(center) + half)
        windows.append(data[start:end])
    return b"\n".join(windows)


def best_page(text: bytes, encodings: Sequence[str]) -> str:
    """Which of the given code pages wrote the text; the first unless another is safely likelier."""
    if len(encodings) == 1:
        return encodings[0]
    likelihoods = {s.encoding: s.log_likelihood for s in scores(b" ".join(_WORD.findall(text)), encodings)}
    usual = likelihoods.get(encodings[0], -math.inf)
    best = max(encodings, key=lambda encoding: likelihoods.get(encoding, -math.inf))
    return best if likelihoods.get(best, -math.inf) - usual > SAFE_MARGIN else encodings[0]


def scores(text: bytes, encodings: Collection[str] | None = None) -> list[Score]:
    """The candidates (all, or the given ones), best first; equal ones in the order of the table. Linear in len(text)."""
    moves = list(_first(_MOVE.finditer(text), _MAX_MOVES))
    men = Counter(m[1] or m[2] for m in moves if not m[3])
    signs = Counter(m[3] for m in moves if m[3])
    words = _MOVE.sub(b" ", text) if moves else text
    alone = Counter(_ALONE.findall(words))
    letters = _ALONE.sub(b" ", words) if alone else words
    pairs, counts = _pairs(letters)
    inside = _weight(_inside_words(letters))
    results = []
    for page in code_pages():
        if encodings is not None and page.encoding not in encodings:
            continue
        likelihood = _pair_score(page, pairs, counts) + float(page.inside_word @ inside) + _men_score(page, men)
        likelihood += sum(float(_weight(n)) * _sign_score(page, sign[0]) for sign, n in signs.items())
        likelihood += sum(float(_weight(n)) * _alone_score(page, byte[0]) for byte, n in alone.items())
        results.append(Score(page, page.log_prior + likelihood))
    return sorted(results, key=lambda score: -score.log_likelihood)


def _first(matches: Iterable[re.Match[bytes]], n: int) -> Iterable[re.Match[bytes]]:
    return (match for _, match in zip(range(n), matches, strict=False))


def _pairs(text: bytes) -> tuple[npt.NDArray[np.uint16], npt.NDArray[np.float64]]:
    """The distinct pairs of neighbouring bytes with a non-ASCII byte in them, and how much each weighs."""
    codes = np.frombuffer(b" " + text + b" ", dtype=np.uint8).astype(np.uint16)
    pairs = (codes[:-1] << 8) | codes[1:]
    distinct, counts = np.unique(pairs[(pairs & 0x8080) != 0], return_counts=True)
    return distinct, _weight(counts)


def _inside_words(text: bytes) -> npt.NDArray[np.int64]:
    """How often each byte stands between two ASCII letters."""
    codes = np.frombuffer(text, dtype=np.uint8)
    is_letter = ((codes | 0x20) >= ord("a")) & ((codes | 0x20) <= ord("z"))
    inside = codes[1:-1][is_letter[:-2] & is_letter[2:]]
    return np.bincount(inside, minlength=256)


def _weight(n: npt.ArrayLike) -> npt.NDArray[np.float64]:
    """How much n times the same thing says: a name that is repeated in each game is hardly more evidence."""
    counts = np.asarray(n, dtype=np.float64)
    return np.where(counts <= _FULL_WEIGHT, counts, _FULL_WEIGHT * (1 + np.log2(np.maximum(counts, 1) / _FULL_WEIGHT)))


def _pair_score(page: CodePage, pairs: npt.NDArray[np.uint16], counts: npt.NDArray[np.float64]) -> float:
    first, second = pairs >> 8, pairs & 0xFF
    table = pair_model().tables[page.script]
    likelihoods = table[:, page.classes[first], page.classes[second]] @ counts
    case_score = _CASE_SCORES[page.cases[first], page.cases[second]] @ counts
    return float(likelihoods.max() + case_score)


def _men_score(page: CodePage, men: Counter[bytes]) -> float:
    """The men as letters of the best alphabet, each perhaps with a sign after it (`Л×d8`)."""
    if not men:
        return 0.0
    written = [("".join(page.characters[b] for b in raw), raw[-1], float(_weight(n))) for raw, n in men.items()]
    best = -math.inf
    for letters in men_of_alphabets():
        total = 0.0
        for text, last, weight in written:
            score = _man_score(text, letters)
            if len(text) > 1:
                score = max(score, _man_score(text[:-1], letters) + _sign_score(page, last))
            total += weight * score
        best = max(best, total)
    return best


def _man_score(text: str, men: frozenset[str]) -> float:
    if text in men:
        return _LOG_MAN
    if text.capitalize() in men:
        return _LOG_LOWER_CASE_MAN
    return _LOG_OTHER_LETTER if text.isalpha() else _LOG_NO_LETTER


def _sign_score(page: CodePage, byte: int) -> float:
    if page.characters[byte] in _CAPTURE_LETTERS:
        return _LOG_CAPTURE_LETTER
    return _LOG_SIGN_IN_MOVE.get(page.class_of(byte), _LOG_NO_LETTER)


def _alone_score(page: CodePage, byte: int) -> float:
    return _LOG_ALONE.get(page.class_of(byte), _LOG_ALONE_LETTER)


_UNLIKELY = {"Cyrl": -3.8, "Grek": -3.8, "Latn": -5.5}
"""Mean log likelihood of pairs below which a page of the script did not write them. Measured on games in many languages: the
right page gives -2.9 to -2.2 (Cyrillic) and -5.2 to -2 (the few accented letters of Latin names) in 98 of 100 games, koi8-r
read as cp1251 -4.9, Russian in a Latin page -7.7, Latin letters in a Cyrillic page -13."""
_BESIDE_SQUARE = np.zeros(256, dtype=bool)
_BESIDE_SQUARE[list(b"abcdefgh12345678x:-")] = True


def unlikely(block: bytes, starts: Sequence[int], encodings: Collection[str]) -> npt.NDArray[np.bool_]:
    """For each segment of the block (by its start): none of the code pages can have written its letters, in any language."""
    codes = np.frombuffer(block, dtype=np.uint8)
    first, second = codes[:-1], codes[1:]
    is_high = (first >= 0x80) & (second >= 0x80)
    is_high |= ((first >= 0x80) ^ (second >= 0x80)) & ~_BESIDE_SQUARE[first] & ~_BESIDE_SQUARE[second]
    at = np.flatnonzero(is_high)
    segment = np.searchsorted(np.asarray(starts), at, side="right") - 1
    n_pairs = np.bincount(segment, minlength=len(starts))
    result = n_pairs >= 2
    for page in code_pages():
        if page.encoding not in encodings:
            continue
        pairs = pair_model().likeliest[page.script][page.classes[first[at]], page.classes[second[at]]]
        pairs = pairs + _CASE_SCORES[page.cases[first[at]], page.cases[second[at]]]
        total = np.bincount(segment, weights=pairs, minlength=len(starts))
        result &= total < _UNLIKELY[page.script] * n_pairs
    return result
