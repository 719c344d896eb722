"""Which games that the kernel answered may be stored as they are, and as what language.

The kernel reads with English letters. Its answer is the truth when the game is PGN with its tag roster and strict SAN
(docs/rules.md §3.3), or when every alphabet that knows the letters seen reads them alike; else the contest of `dialects` is owed.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cache
from typing import Any

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc

from pipeline.bulk import Bulk
from pipeline.dialects import hypotheses
from pipeline.model import ROSTER, Hints
from pipeline.tagpairs import known_names

Array = np.ndarray[Any, Any]

_ENGLISH = {"N": 2, "B": 3, "R": 4, "Q": 5, "K": 6}
"""Letters in the order of the bits of `bulk.GAMES.letters`."""


@dataclass(frozen=True, slots=True)
class Language:
    """What is said of the games whose letters are a given set; `is_certain` is False where alphabets differ."""

    is_certain: bool
    languages: tuple[str, ...]
    language: str | None
    alphabet: str | None
    evidence: str | None


@cache
def language_of(letters: int, hints: Hints) -> Language:
    """The alphabets that know all the letters of a bit set, and whether they agree on them."""
    seen = [letter for bit, letter in enumerate(_ENGLISH) if letters >> bit & 1]
    field = [a for a in hypotheses(hints) if all(letter in a.letters for letter in seen)]
    agree = all(a.letters[letter] == _ENGLISH[letter] for a in field for letter in seen)
    languages = tuple(dict.fromkeys(a.bcp47 for a in field))
    if not field or not agree:
        return Language(False, (), None, None, None)
    evidence = "hint" if hints.language else "unique" if len(field) == 1 else "same_moves"
    return Language(True, languages, field[0].bcp47, field[0].name, evidence)


def can_answer(hints: Hints) -> bool:
    """Whether reading with English letters may say anything under these hints."""
    return hints.notation in {None, "algebraic", "san"} and any(a.name == "en" for a in hypotheses(hints))


@dataclass(frozen=True, slots=True)
class Accepted:
    """`is_accepted` [answered games]; the other columns are for all of them, meaningful where accepted."""

    is_accepted: Array
    is_roster: Array
    languages: list[Language]
    """By letters bit set, 0–31."""


def accept(bulk: Bulk, hints: Hints) -> Accepted:
    """Decide for each answered game. Games with tag names in odd case are left to `transcribe`, which reports them."""
    games = bulk.games
    names = games["tag_names"].combine_chunks() if games["tag_names"].num_chunks != 1 else games["tag_names"].chunk(0)
    encoded = pc.dictionary_encode(pc.list_flatten(names))
    words, codes = encoded.dictionary.to_pylist(), encoded.indices.to_numpy(zero_copy_only=False)
    game = np.repeat(np.arange(len(games)), pc.list_value_length(names).to_numpy(zero_copy_only=False).astype(np.int64))
    known = known_names()
    is_odd = np.array([known.get(word.casefold(), word) != word for word in words], np.bool_)
    has_odd = np.zeros(len(games), np.bool_)
    if len(words):
        has_odd[game[is_odd[codes]]] = True
    n_roster = np.zeros(len(games), np.int8)
    for tag in ROSTER:
        if tag in words:
            has_tag = np.zeros(len(games), np.bool_)
            has_tag[game[codes == words.index(tag)]] = True
            n_roster += has_tag
    letters = games["letters"].to_numpy()
    languages = [language_of(bits, hints) for bits in range(1 << len(_ENGLISH))]
    is_certain = np.array([language.is_certain for language in languages], np.bool_)[letters]
    is_strict = games["is_strict"].to_numpy(zero_copy_only=False)
    is_roster = (n_roster == len(ROSTER)) & is_strict & (not hints.language)
    is_mostly_canonical = games["n_written"].to_numpy() * 2 <= games["n_plies"].to_numpy()
    accepted = ~has_odd & (is_roster | is_certain) & is_mostly_canonical
    return Accepted(accepted, is_roster, languages)


def language_columns(accepted: Accepted, letters: Array, n_plies: Array, rows: Array) -> dict[str, pa.Array]:
    """Columns notation, language, language_candidates, alphabet, dialect_evidence for the answered games `rows`."""
    choice = np.where(accepted.is_roster, len(accepted.languages), letters)[rows]
    choice = np.where(n_plies[rows] == 0, len(accepted.languages) + 1, choice)
    said = [*accepted.languages, Language(True, ("en",), "en", "en", "roster"), Language(True, (), None, None, None)]
    index = pa.array(choice)
    columns = {
        "language": pa.array([s.language for s in said], pa.string()),
        "language_candidates": pa.array([list(s.languages) for s in said], pa.list_(pa.field("element", pa.string()))),
        "alphabet": pa.array([s.alphabet for s in said], pa.string()),
        "dialect_evidence": pa.array([s.evidence for s in said], pa.string()),
        "notation": pa.array([None if s.language is None else "san" for s in said], pa.string()),
    }
    return {name: column.take(index) for name, column in columns.items()}
