"""Which names are to be compared at all: those with a surname in common and given names that do not contradict it."""

from __future__ import annotations

import re
from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator, Mapping

from pipeline.identity.claims import Pair
from pipeline.identity.likeness import is_near, likeness, sounds
from pipeline.names import text_key

_MAX_BUCKET = 400
"""Keys of one surname and initial that are compared with each other; in a larger crowd no abbreviation is anybody's."""
_SAME_LETTERS = 3
"""Letters that surnames begin with when they are compared as spellings of one name."""
_WORD = re.compile(r"\w+")


def surnames(names: Iterable[tuple[str, str, int]]) -> dict[str, frozenset[str]]:
    """Rows (name as written, its key, games) → key → words of the key that are the surname.

    The part before a comma; else the whole words beside initials; else the words that are more often surname than given name
    in names with a comma; else all.
    """
    told: dict[str, tuple[int, frozenset[str]]] = {}
    keys: dict[str, None] = {}
    votes: Counter[str] = Counter()
    for name, key, n in sorted(names, key=lambda row: (row[1], -row[2], row[0])):
        keys[key] = None
        if "," in name and key not in told:
            words = _before_comma(name, key)
            if words:
                told[key] = (n, words)
                for word in key.split():
                    votes[word] += 1 if word in words else -1
    return {key: told[key][1] if key in told else _by_votes(key, votes) for key in keys}


def _before_comma(name: str, key: str) -> frozenset[str]:
    before, _, after = name.partition(",")
    words = key.split()
    given = _WORD.findall(after.lower())
    if given and len(given) < len(words) and all(word in words for word in given):
        return frozenset(words) - frozenset(given)
    direct = frozenset(_WORD.findall(before.lower()))
    if direct and direct <= frozenset(words):
        return direct
    return frozenset((text_key(before) or "").split()) & frozenset(words)


def _by_votes(key: str, votes: Mapping[str, int]) -> frozenset[str]:
    words = key.split()
    whole = [word for word in words if len(word) > 1]
    if len(whole) == 1 or len(whole) < len(words):
        return frozenset(whole)
    best = max((votes.get(word, 0) for word in whole), default=0)
    return frozenset(word for word in whole if best <= 0 or votes.get(word, 0) == best)


def candidates(surname: Mapping[str, frozenset[str]]) -> list[Pair]:
    """Pairs that names alone allow: the one abbreviates the other, or surnames and given names are nearly the same."""
    found = {Pair(min(pair), max(pair), "spelling") for pair in _nearly(surname)}
    for key, other in _compared(surname):
        alike = likeness(key, other)
        if not surname[key] & surname[other] and not (alike.n_equal > 1):
            continue
        back = likeness(other, key)
        if alike.is_shorter or alike.has_initials_for:
            found.add(Pair(key, other, "abbreviation"))
        elif back.is_shorter or back.has_initials_for:
            found.add(Pair(other, key, "abbreviation"))
        elif alike.is_compatible and alike.n_equal and alike.n_equal + alike.n_near > 1 and not _differ_in_gender(key, other):
            found.add(Pair(min(key, other), max(key, other), "spelling"))
    return sorted(found)


def _nearly(surname: Mapping[str, frozenset[str]]) -> Iterator[tuple[str, str]]:
    """Pairs of whole names with surnames that begin with the same three letters and are nearly the same."""
    buckets: dict[tuple[str, str], list[tuple[str, str]]] = defaultdict(list)
    for key in sorted(surname):
        for word in surname[key]:
            for given in key.split() if len(word) > _SAME_LETTERS else ():
                if given != word and len(given) > 1:
                    buckets[word[:_SAME_LETTERS], given[0]].append((key, word))
    for keys in buckets.values():
        for i, (key, word) in enumerate(keys if len(keys) <= _MAX_BUCKET else ()):
            for other, other_word in keys[i + 1 :]:
                if word != other_word and is_near(word, other_word) and not _differ_in_gender(key, other):
                    alike = likeness(key, other)
                    if alike.is_compatible and alike.is_close:
                        yield key, other


def _differ_in_gender(key: str, other: str) -> bool:
    """Whether words differ by ending in a or not: Ivanov and Ivanova, Alexander and Alexandra are two."""
    words, others = set(key.split()), set(other.split())
    ends = ({word[-1] == "a" for word in some if len(word) > 1} for some in (words - others, others - words))
    return next(ends) != next(ends)


def _compared(surname: Mapping[str, frozenset[str]]) -> Iterator[tuple[str, str]]:
    """Pairs with a surname word in common and, where both say more, a beginning of another word in common."""
    buckets: dict[tuple[str, str], list[str]] = defaultdict(list)
    bare: dict[str, list[str]] = defaultdict(list)
    holders: dict[str, list[str]] = defaultdict(list)
    for key in sorted(surname):
        for word in surname[key]:
            if len(word) < 2:
                continue
            holders[word].append(key)
            rest = frozenset[str]().union(*(sounds(w) for w in key.split() if w != word))
            if not rest:
                bare[word].append(key)
            for initial in rest:
                buckets[word, initial].append(key)
    for word, shorts in bare.items():
        if len(holders[word]) <= _MAX_BUCKET:
            yield from ((short, key) for short in shorts for key in holders[word] if key != short)
    for keys in buckets.values():
        if 1 < len(keys) <= _MAX_BUCKET:
            yield from ((one, other) for i, one in enumerate(keys) for other in keys[i + 1 :])
