"""Code pages that chess texts come in, and how likely each pair of letters is in the languages written with them.

Knowledge is in two tables: `code_pages.csv` (candidates, most common first, with a log prior) and `letter_pairs.csv`
(language, letter, and how often of 10,000 times each letter follows it; `_` is the border of a word; only pairs with a
letter beyond a–z, as only they depend on the code page).

The pairs were counted in the 40,000 commonest words of each language in wordfreq 3.1.1 (words of the alphabet only, each
weighing its frequency to the power of 0.4, so that names count nearly as much as articles). wordfreq folds ß into ss: it was
put back after long vowels and, for half of the words, where the old spelling has it. Serbian Cyrillic was transliterated
from Latin; Turkish words with i count to 0.3 as İ.
"""

from __future__ import annotations

import csv
import unicodedata
from collections.abc import Mapping
from dataclasses import dataclass
from functools import cache
from importlib import resources

import numpy as np
import numpy.typing as npt

Floats = npt.NDArray[np.float32]

BORDER, DIGIT, APOSTROPHE, QUOTE, MARK, SYMBOL, FOREIGN, BAD = "_", "0", "’", "«", "½", "□", "?", "\x00"
"""Classes of characters that are no letters of a language we know: blanks and ASCII signs; digits; the apostrophe; other
signs that touch words (dashes, quotation marks); signs that do not (½, ×, №); other signs (box drawing); letters of no
table; C1 controls and undefined bytes."""
_QUOTES = frozenset("«»“”„‟‘‚–—…\u00a0¿¡")
_MARKS = frozenset("№½§°±×÷•†‡©®™€¹²³µ")
_ASCII_LETTERS = "abcdefghijklmnopqrstuvwxyz"
_FLOOR: Mapping[str, float] = {
    BORDER: 0.05, DIGIT: 0.002, APOSTROPHE: 0.02, QUOTE: 0.01, MARK: 0.005, SYMBOL: 2e-4, FOREIGN: 5e-5, BAD: 1e-6
}  # fmt: skip
"""Probability that a character of a class comes next, where no table says otherwise."""
_RARE_PAIR = 1e-4
"""Probability of a pair of letters that a language does not have: names from elsewhere, slips."""
_MARK_AFTER_LETTER = 2e-4
_INSIDE_WORD = {QUOTE: -6.0, MARK: -4.0, SYMBOL: -4.0}
"""Log penalty of a sign between two letters, where only an apostrophe belongs."""
_SOFTER_INSIDE_WORD = frozenset("–—\u00a0")
_LETTER_AFTER: Mapping[str, float] = {APOSTROPHE: 0.06, QUOTE: 0.03}
"""Probability of any one ASCII letter after the sign: `l’alfiere`, `White’s`, `“Good”`."""
_MIXED_SCRIPTS = 1e-7
"""Probability of a Latin letter beside one of another script inside a word: homoglyphs, which every page sees alike."""
_SHARED_WEIGHT = 0.25
"""Share of the languages of the same script in each language's own model: lists of players mix languages."""


@dataclass(frozen=True, slots=True)
class CodePage:
    """A candidate. `classes[byte]` indexes the pair tables; `cases[byte]`: 1 lower-case letter, 2 upper-case, 0 else."""

    encoding: str
    script: str
    log_prior: float
    characters: str
    """What each of the 256 bytes stands for; U+FFFD = undefined."""
    classes: npt.NDArray[np.uint8]
    cases: npt.NDArray[np.uint8]
    inside_word: npt.NDArray[np.float64]
    """For each byte, the log penalty of standing between two letters; 0 for letters."""

    def class_of(self, byte: int) -> str:
        """The letter (lower case) or one of the classes above that the byte stands for."""
        return pair_model().classes[int(self.classes[byte])]


@dataclass(frozen=True, slots=True)
class PairModel:
    """`tables[script][language, class, class]`: natural log of the probability that the second follows the first."""

    classes: tuple[str, ...]
    index: Mapping[str, int]
    tables: Mapping[str, Floats]
    likeliest: Mapping[str, Floats]
    """`likeliest[script][class, class]`: the same in whichever language it is likeliest."""


@cache
def code_pages() -> tuple[CodePage, ...]:
    """The candidates in the order of the table: of two that read the same text, the first is meant."""
    index = pair_model().index
    pages = []
    for row in _rows("code_pages.csv"):
        characters = bytes(range(256)).decode(row["encoding"], "replace")
        assert len(characters) == 256, row["encoding"]
        classes = np.array([index[_class_of(c, index)] for c in characters], dtype=np.uint8)
        cases = np.array([1 if c.islower() else 2 if c.isupper() else 0 for c in characters], dtype=np.uint8)
        inside = np.array([_inside_word(c, index) for c in characters])
        pages.append(CodePage(row["encoding"], row["script"], float(row["log_prior"]), characters, classes, cases, inside))
    return tuple(pages)


def _inside_word(character: str, index: Mapping[str, int]) -> float:
    penalty = _INSIDE_WORD.get(_class_of(character, index), 0.0)
    return penalty * 0.75 if character in _SOFTER_INSIDE_WORD else penalty


def _class_of(character: str, index: Mapping[str, int]) -> str:
    for letter in (character, character.lower()):
        if letter in index and letter not in _FLOOR:
            return letter
    if character.isascii():
        return DIGIT if character.isdigit() else BORDER
    if character == APOSTROPHE:
        return APOSTROPHE
    if character in _QUOTES:
        return QUOTE
    if character in _MARKS:
        return MARK
    if character == "\ufffd" or "\x80" <= character < "\xa0":
        return BAD
    return FOREIGN if unicodedata.category(character).startswith("L") else SYMBOL


@cache
def pair_model() -> PairModel:
    """The pair tables of all languages, by script, from `letter_pairs.csv`."""
    rows = _rows("letter_pairs.csv")
    seen = sorted({row["letter"] for row in rows} | {pair[0] for row in rows for pair in _followers(row)})
    classes = [*_FLOOR, *_ASCII_LETTERS]
    classes += [letter for letter in seen if letter not in classes]
    index = {c: i for i, c in enumerate(classes)}
    floor = np.full(len(classes), _RARE_PAIR)
    for c, probability in _FLOOR.items():
        floor[index[c]] = probability
    languages = sorted({(row["script"], row["language"]) for row in rows})
    tables: dict[str, Floats] = {}
    for script in sorted({script for script, _ in languages}):
        own = [language for s, language in languages if s == script]
        probabilities = np.zeros((len(own), len(classes), len(classes)))
        for row in rows:
            if row["script"] == script:
                first = probabilities[own.index(row["language"]), index[row["letter"]]]
                for letter, per_10k in _followers(row):
                    first[index[letter]] = per_10k / 10_000
        shared = probabilities.mean(axis=0, keepdims=True)
        mixed = (1 - _SHARED_WEIGHT) * probabilities + _SHARED_WEIGHT * shared + floor
        letters = [i for c, i in index.items() if c not in _FLOOR]
        mixed[:, letters, index[MARK]] = _MARK_AFTER_LETTER
        for sign, probability in _LETTER_AFTER.items():
            mixed[:, index[sign], :] = mixed[:, index[BORDER], :]
            mixed[:, index[sign], [index[c] for c in _ASCII_LETTERS]] = probability
        if script != "Latn":
            latin = [index[c] for c in _ASCII_LETTERS]
            native = [i for c, i in index.items() if c not in _FLOOR and not c.isascii()]
            mixed[:, np.ix_(latin, native)[0], np.ix_(latin, native)[1]] = _MIXED_SCRIPTS
            mixed[:, np.ix_(native, latin)[0], np.ix_(native, latin)[1]] = _MIXED_SCRIPTS
        tables[script] = np.log(mixed).astype(np.float32)
    return PairModel(tuple(classes), index, tables, {script: table.max(axis=0) for script, table in tables.items()})


def _followers(row: Mapping[str, str]) -> list[tuple[str, int]]:
    return [(pair[0], int(pair[1:])) for pair in row["followers_per_10000"].split()]


def _rows(name: str) -> list[dict[str, str]]:
    text = resources.files(__package__).joinpath(name).read_text(encoding="utf-8")
    return list(csv.DictReader(text.splitlines()))
