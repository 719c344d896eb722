"""Names in other cases than the first: `Спасского` may be Спасский. Which one is meant, the persons of the corpus tell."""

from __future__ import annotations

from collections.abc import Iterator
from functools import cache
from itertools import islice, product

from pipeline import names, tables

LEAST_STEM = 2
"""Letters that stand before an ending."""
_MOST_FORMS = 24


def keys(name: str) -> list[str]:
    """Keys that a written name may have: the one as written, then those with its words in the first case; each once."""
    forms = product(*(_nominatives(word) for word in name.split()[:4]))
    found = (names.name_key(" ".join(form)) for form in islice(forms, _MOST_FORMS))
    return list(dict.fromkeys(key for key in [names.name_key(name), *found] if key))


def _nominatives(word: str) -> list[str]:
    return list(dict.fromkeys([word, *_declined(word)]))


def _declined(word: str) -> Iterator[str]:
    """Longer endings first."""
    for ending, firsts in _endings():
        if word.endswith(ending) and len(word) >= len(ending) + LEAST_STEM:
            yield from (word.removesuffix(ending) + first for first in firsts)


@cache
def _endings() -> list[tuple[str, list[str]]]:
    """Endings with those of the first case, longest first."""
    found: dict[str, list[str]] = {}
    for row in tables.rows("name_cases"):
        firsts = found.setdefault(row["ending"], [])
        if row["nominative"] not in firsts:
            firsts.append(row["nominative"])
    return sorted(found.items(), key=lambda item: (-len(item[0]), item[0]))
