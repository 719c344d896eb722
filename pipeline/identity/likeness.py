"""How alike two name keys are, word by word: equal, an initial, a known variant of a given name, nearly the same letters."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cache, lru_cache

from rapidfuzz.distance import Levenshtein

from pipeline import tables
from pipeline.names import text_key

NEARLY = 0.75
"""Share of letters that two words have in common (1 − normalised Levenshtein distance) from which on they are nearly the same."""
_VOWELS = frozenset("aeiouy")
_MAX_INITIAL = 3
"""Letters of a short form of a given name: T., Em., Дж."""
_MIN_LETTERS = 4
"""Shorter words are equal or not: one letter of three is another name (Lev, Leo)."""


@dataclass(frozen=True, slots=True)
class Likeness:
    """What two keys have in common. Words that are matched stand in neither rest."""

    n_equal: int
    """Whole words in both."""
    n_near: int
    """Whole words that are variants of one given name or nearly the same."""
    n_initials: int
    """Initials of a word of the other."""
    n_by_ear: int
    """Of these the ones that are initials only in another manner of writing (Х. for José)."""
    rest: tuple[str, ...]
    other_rest: tuple[str, ...]
    says_less: bool
    """All words of the first are in the second, one of them whole; some are only initials, or words of the second are missing."""

    @property
    def is_shorter(self) -> bool:
        """The first says less, in the same spelling: it abbreviates the second."""
        return self.says_less and not self.n_near and not self.n_by_ear

    @property
    def has_initials_for(self) -> bool:
        """The first gives initials where the second gives a name, and one more: `Спасский Б. В.` beside `Spassky, Boris`."""
        is_rest = bool(self.rest) and not self.other_rest and all(len(word) == 1 for word in self.rest)
        return is_rest and self.n_equal > 0 and self.n_initials > 0 and not self.n_near and not self.n_by_ear

    @property
    def is_compatible(self) -> bool:
        """No word speaks against one person: one whole word is common, and only one of the two says more."""
        return self.n_equal + self.n_near > 0 and not (self.rest and self.other_rest)

    @property
    def is_close(self) -> bool:
        """Two whole words are common, whatever else is said (a middle name that was spelled by ear)."""
        return self.n_equal + self.n_near > 1


@lru_cache(maxsize=1 << 16)
def likeness(key: str, other: str) -> Likeness:
    """Compares two name keys; the order of words says nothing."""
    words, others = key.split(), other.split()
    n_equal = n_near = n_initials = n_by_ear = 0
    for word in tuple(words):
        if word in others:
            words.remove(word)
            others.remove(word)
            n_equal += len(word) > 1
    words, others = _as_initials(words), _as_initials(others)
    for word in tuple(words):
        near = sorted((-Levenshtein.normalized_similarity(word, w), w) for w in others if is_near(word, w))
        if near:
            words.remove(word)
            others.remove(near[0][1])
            n_near += 1
    gives, takes = False, False
    for one, two, is_first in ((words, others, True), (others, words, False)):
        for short in [w for w in one if len(w) <= _MAX_INITIAL]:
            whole = next((w for w in two if len(w) > max(len(short), 2) and _begins(w, short)), None)
            if whole is not None:
                one.remove(short)
                two.remove(whole)
                n_initials += 1
                n_by_ear += not (whole.startswith(short) or short in _variant_initials().get(whole, ""))
                gives, takes = gives or is_first, takes or not is_first
    for short in [w for w in words if len(w) <= _MAX_INITIAL]:
        same = next((w for w in others if len(w) <= _MAX_INITIAL and are_one_initial(short, w)), None)
        if same is not None:
            words.remove(short)
            others.remove(same)
            n_initials += 1
            n_by_ear += short != same
    says_less = n_equal + n_near > 0 and not words and not takes and (gives or bool(others))
    return Likeness(n_equal, n_near, n_initials, n_by_ear, tuple(words), tuple(others), says_less)


def _as_initials(words: list[str]) -> list[str]:
    """Two consonants that no name is (`TL`, `JR`) as two initials."""
    return [part for word in words for part in (word if len(word) == 2 and not _VOWELS & {*word} else (word,))]


def is_near(word: str, other: str) -> bool:
    """Whether two whole words are variants of a given name, or nearly the same letters."""
    if min(len(word), len(other)) < 2:
        return False
    if (group := _variants().get(word)) is not None and group == _variants().get(other):
        return True
    if min(len(word), len(other)) < _MIN_LETTERS:
        return False
    return Levenshtein.normalized_similarity(word, other) >= NEARLY


def _begins(word: str, short: str) -> bool:
    """Whether a short form abbreviates the word: its beginning (Em. for Emanuel), in another manner (Х. for José, W. for
    Vasily), or that of a variant (Bobby, R.)."""
    if word.startswith(short) or word[0] in _initials().get(short, ""):
        return True
    return len(short) == 1 and short in _variant_initials().get(word, "")


def are_one_initial(word: str, other: str) -> bool:
    """Whether two words may begin with one sound in some manners: W. and V., Х. and J."""
    return any(
        one.startswith(two[0]) or two[0] in _initials().get(begin, "")
        for one, two in ((word, other), (other, word))
        for begin in (one[:3], one[:2], one[0])
    )


@cache
def _variants() -> dict[str, str]:
    """Folded given name → its group."""
    found: dict[str, str] = {}
    for row in tables.rows("given_names"):
        if (key := text_key(row["name"])) is not None:
            found.setdefault(key, row["group"])
    return found


def sounds(word: str) -> frozenset[str]:
    """First letters that a given name has in its variants: of Bobby b and r."""
    return frozenset(word[:1] + _variant_initials().get(word, ""))


@cache
def _variant_initials() -> dict[str, str]:
    """Folded given name → first letters of its variants."""
    letters: dict[str, set[str]] = {}
    for key, group in _variants().items():
        letters.setdefault(group, set()).add(key[0])
    return {key: "".join(sorted(letters[group])) for key, group in _variants().items()}


@cache
def _initials() -> dict[str, str]:
    return {row["initial"]: row["also"].replace(" ", "") for row in tables.rows("initials")}
