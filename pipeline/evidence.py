"""Why this alphabet and no other: how far its rivals read a main line, and at which half-moves they stopped.

The contest itself keeps no losers (`pipeline.dialects`); here each rival runs alone, for a reader who wants to know.
"""

from __future__ import annotations

from collections.abc import Collection, Sequence
from dataclasses import dataclass

import chess

from pipeline.dialects import WrittenMove, contest, hypotheses
from pipeline.model import Hints
from pipeline.tables import Alphabet


@dataclass(frozen=True, slots=True)
class Rival:
    """Another alphabet: it reads `n_plies`, and parts from the reading that was found at half-move `ply`, written so.

    `reads_as`: the move (SAN) that it reads there; None when it reads none.
    """

    alphabet: Alphabet
    n_plies: int
    ply: int
    written: str
    reads_as: str | None


@dataclass(frozen=True, slots=True)
class Evidence:
    """The rival that came furthest, None when there is none; and half-moves at which rivals parted, with how many did."""

    runner_up: Rival | None
    plies: tuple[tuple[int, str, int], ...]


def evidence(
    line: Sequence[WrittenMove], board: chess.Board, sans: Sequence[str], alike: Collection[str], hints: Hints
) -> Evidence:
    """What speaks for a reading. `line`: the half-moves as written, also the one that broke it; `sans`: those that are proven;
    `alike`: languages that read them all alike.
    """
    rivals = []
    for alphabet in hypotheses(hints):
        if alphabet.bcp47 in alike:
            continue
        reading = contest(line, board, Hints(language=alphabet.name, notation=hints.notation), is_roster=False)
        read = [step.san for step in reading.steps]
        at = next((i for i, (a, b) in enumerate(zip(read, sans, strict=False)) if a != b), min(len(read), len(sans)))
        if at < min(len(line), max(len(sans), 1)):
            rivals.append(Rival(alphabet, len(read), at + 1, line[at].text, read[at] if at < len(read) else None))
    best = min(rivals, key=lambda r: (-r.n_plies, r.alphabet.priority, r.alphabet.name), default=None)
    parted: dict[int, int] = {}
    for rival in rivals:
        parted[rival.ply] = parted.get(rival.ply, 0) + 1
    return Evidence(best, tuple((ply, line[ply - 1].text, n) for ply, n in sorted(parted.items())))


__all__ = ["Evidence", "Rival", "evidence"]
