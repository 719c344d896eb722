"""One game found under two spellings of its players: which names it makes one person."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable

from pipeline.identity.claims import Pair
from pipeline.identity.likeness import likeness

MIN_PLIES = 20
"""Shorter games of different people are often equal."""
SURE_GAMES = 3
"""Different games under two spellings from which on the names need not be alike: a transcription by ear (Euwe, Эйве)."""
_ROUNDS = 3

Twice = tuple[str, str, str, str, int]
"""White's key and Black's key in one source, White's and Black's in the other, number of different games that have both."""


def same_games(found: Iterable[Twice]) -> list[Pair]:
    """Pairs of keys that stand for one side of the same games. The other side must be one person too: equal, alike, or
    paired before."""
    rows = sorted(found)
    known: set[tuple[str, str]] = set()
    counted: Counter[tuple[str, str]] = Counter()
    for _ in range(_ROUNDS):
        counted.clear()
        for white, black, other_white, other_black, n in rows:
            for one, two, opponent, other_opponent in (
                (white, other_white, black, other_black),
                (black, other_black, white, other_white),
            ):
                if one != two and _is_one(opponent, other_opponent, known):
                    counted[min(one, two), max(one, two)] += n
        before = len(known)
        known |= {pair for pair, n in counted.items() if n >= SURE_GAMES or _alike(*pair)}
        if len(known) == before:
            break
    return sorted(Pair(one, two, "same_game", n, f"{n} games under both names") for (one, two), n in counted.items())


def _is_one(key: str, other: str, known: set[tuple[str, str]]) -> bool:
    return key == other or (min(key, other), max(key, other)) in known or _alike(key, other)


def _alike(key: str, other: str) -> bool:
    found = likeness(key, other)
    return found.is_compatible or found.is_close
