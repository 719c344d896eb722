"""The named openings of `openings.csv`."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cache

from pipeline.tables import rows


@dataclass(frozen=True, slots=True)
class Opening:
    """A named position. `moves` is one line that leads to it (SAN); `key` is its position_id as an unsigned number."""

    eco: str
    name: str
    moves: str
    key: int


@cache
def openings() -> tuple[Opening, ...]:
    """All named openings, by ECO code, name and moves."""
    return tuple(Opening(r["eco"], r["name"], r["moves"], int(r["position_id"], 16)) for r in rows("openings"))
