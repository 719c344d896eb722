"""Claims: that two name keys, or a key and some games, are one person or two; with evidence and how sure it is."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

Says = Literal["same", "different"]
CONFIDENCE = {
    "alias": 1.0,
    "fide_id": 0.98,
    "same_game": 0.95,
    "abbreviation": 0.85,
    "spelling": 0.8,
    "met": 0.99,
    "same_round": 0.95,
    "two_places": 0.9,
    "years": 0.8,
    "event": 0.9,
    "opponent": 0.8,
    "namesake": 0.7,
    "undecided": 0.3,
}
"""How sure a kind of evidence is, from 0 to 1: an order that we set, not a measured share."""
MAX_YEARS = 75
"""Longest career that one name is believed, from first to last game; a choice of ours."""
NEAR_YEARS = 3
"""Two names were active at one time when their games lie no further apart."""
MAX_ELO_GAP = 300
"""Ratings of one person within one year lie closer together; more speaks against an abbreviation."""


@dataclass(frozen=True, slots=True)
class Claim:
    """One row of stored.person_claims, without the person."""

    key: str
    other_key: str | None
    claims: Says
    evidence: str
    confidence: float
    is_accepted: bool = True
    reason: str | None = None
    detail: str | None = None


@dataclass(frozen=True, slots=True, order=True)
class Pair:
    """Two keys that may be one person; `key` is the shorter form. `evidence`: fide_id, same_game, abbreviation or spelling."""

    key: str
    other_key: str
    evidence: str
    n: int = 1
    """Games, or FIDE ids, that say so."""
    detail: str = ""


@dataclass(frozen=True, slots=True)
class Context:
    """What the games of two keys say about them being one person. Counts are of events, opponents, games, days, rounds."""

    n_events: int = 0
    """Events of one year that both took part in."""
    n_opponents: int = 0
    """Opponents of both, by surname, at most NEAR_YEARS apart."""
    years_apart: int | None = None
    """Between the years of the one and of the other, 0 when they overlap; null when a year is unknown."""
    n_met: int = 0
    n_rounds: int = 0
    """Rounds of one event in which both played, in different games."""
    n_days: int = 0
    """Days on which both played, at two places."""
    elo_gap: int | None = None
    """Least difference of their ratings within one year."""

    @property
    def against(self) -> str | None:
        """Why the two are two persons; None when nothing says so."""
        if self.n_met:
            return f"met: {self.n_met} times"
        if self.n_rounds:
            return f"same_round: both played in {self.n_rounds} rounds of one event, in different games"
        if self.n_days:
            return f"two_places: both played on {self.n_days} days, at two places"
        return None

    @property
    def is_shared(self) -> bool:
        """Whether the two moved in one circle at one time."""
        return (self.n_events > 0 or self.n_opponents > 0) and (self.years_apart or 0) <= NEAR_YEARS
