"""Namesakes: several persons of one key. They are told by FIDE ids and by years that no one life has.

Which person played a game is decided game by game: by its FIDE id, its event, its opponent, its year. What nothing decides
stays with the name itself, as `undecided`.
"""

from __future__ import annotations

import itertools
from collections import defaultdict
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from functools import cache

from pipeline import tables
from pipeline.identity.claims import CONFIDENCE, MAX_YEARS, Claim
from pipeline.names import name_key

GAP_YEARS = 15
"""Years without a game at which a career that is too long is cut in two."""
YOUNGEST = 5
"""Nobody is known to have played a recorded game before this age."""


@dataclass(frozen=True, slots=True)
class Part:
    """One of several persons of a key. Games with this FIDE id are theirs; else those of these years."""

    key: str
    person_key: str
    fide_id: str | None
    year_from: int | None
    year_to: int | None


@dataclass(frozen=True, slots=True)
class Ambiguous:
    """A key that does not say which of these persons is meant."""

    key: str
    persons: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Namesakes:
    """Keys of several persons, the persons, and why."""

    parts: tuple[Part, ...]
    claims: tuple[Claim, ...]

    @property
    def keys(self) -> frozenset[str]:
        """Keys that several persons have."""
        return frozenset(part.key for part in self.parts)


def namesakes(careers: Iterable[tuple[str, str | None, int | None, int]]) -> Namesakes:
    """Rows (key, FIDE id, year, games) → the keys that several persons have."""
    by_key: dict[str, list[tuple[str | None, int | None, int]]] = defaultdict(list)
    for key, fide_id, year, n in careers:
        by_key[key].append((fide_id, year, n))
    parts: list[Part] = []
    claims: list[Claim] = []
    for key in sorted(by_key):
        found, why = _parts(key, by_key[key])
        if len(found) > 1:
            parts += found
            kind = "fide_id" if sum(part.fide_id is not None for part in found) > 1 else "years"
            claims.append(Claim(key, None, "different", kind, CONFIDENCE[kind], detail=why))
    return Namesakes(tuple(parts), tuple(claims))


def _parts(key: str, career: list[tuple[str | None, int | None, int]]) -> tuple[list[Part], str]:
    years_of: dict[str, set[int]] = defaultdict(set)
    free: set[int] = set()
    for fide_id, year, _ in career:
        if fide_id is not None:
            years_of[fide_id] |= {year} - {None}  # type: ignore[arg-type]
        elif year is not None:
            free.add(year)
    every = sorted(free.union(*years_of.values()))
    segments, why = _lives(key, every)
    if len(years_of) > 1:
        why = f"FIDE ids {', '.join(sorted(years_of))}"
    elif len(segments) < 2:
        return [], ""
    parts = [
        Part(key, f"{key}/{id_}", id_, min(years, default=None), max(years, default=None))
        for id_, years in sorted(years_of.items())
    ]
    for number, segment in enumerate(segments, 1):
        covered = [part for part in parts if _overlap(part, segment)]
        if not covered and not (len(segments) == 1 and len(parts) > 1):
            parts.append(Part(key, f"{key}/{number}", None, segment[0], segment[-1]))
        elif len(covered) == 1 and len(segments) > 1:
            part = covered[0]
            wider = Part(key, part.person_key, part.fide_id, segment[0], segment[-1])
            parts[parts.index(part)] = wider
    return parts, why


def _overlap(part: Part, segment: list[int]) -> bool:
    return (
        part.year_from is not None and part.year_to is not None and part.year_from <= segment[-1] and segment[0] <= part.year_to
    )


def _lives(key: str, years: list[int]) -> tuple[list[list[int]], str]:
    """The years of a key, cut where no one life reaches; one piece when one life may hold them all."""
    for born, died in _lifetimes().get(key, ()):
        first, last = born + YOUNGEST, died or 9999
        parts = ([y for y in years if y < first], [y for y in years if first <= y <= last], [y for y in years if y > last])
        pieces = list(filter(None, parts))
        if len(pieces) > 1:
            return pieces, f"years {years[0]}–{years[-1]}; one of that name lived {born}–{died or ''}"
    if not years or years[-1] - years[0] <= MAX_YEARS:
        return [years] if years else [], ""
    pieces = [[years[0]]]
    for before, year in itertools.pairwise(years):
        if year - before >= GAP_YEARS:
            pieces.append([])
        pieces[-1].append(year)
    return pieces, f"years {years[0]}–{years[-1]}"


@cache
def _lifetimes() -> Mapping[str, tuple[tuple[int, int | None], ...]]:
    """Key of a name → the lives of those who bear it: year of birth, year of death."""
    found: dict[str, list[tuple[int, int | None]]] = defaultdict(list)
    for row in tables.rows("lifetimes"):
        key = name_key(row["name"])
        if key is not None:
            found[key].append((int(row["born"]), int(row["died"]) if row["died"] else None))
    return {key: tuple(lives) for key, lives in found.items()}
