"""Turns a written time control into seconds and the speed of the game that they make (PGN standard 9.6, FIDE Laws A and B)."""

from __future__ import annotations

import re
from functools import cache
from typing import NamedTuple

from pipeline import tables
from pipeline.headers import MAX_LENGTH

DAY_SECONDS = 86_400
MOVES_PER_GAME = 60
"""FIDE Laws, appendices A.1 and B.1 judge a time control by the time for 60 moves."""

BULLET_MOVES, BULLET_SECONDS = 40, 180
"""The Laws know no bullet. Servers call a game so when it has less than 3 minutes for 40 moves (lichess)."""


class TimeControl(NamedTuple):
    """A time control: seconds at the start, seconds added per move, and the speed they make. None = unknown."""

    base_seconds: int | None = None
    increment_seconds: int | None = None
    speed: str | None = None


class _Stage(NamedTuple):
    moves: int | None
    seconds: int
    increment: int
    has_unit: bool


_AMOUNT = r"([0-9]{1,7})(?:[.,]([0-9]{1,3}))?\s*([^\W\d_]+|['’′\"”″]{1,2})?\.?"
_STAGE = re.compile(
    rf"\s*(?:(g|sd|\*|[0-9]{{1,3}})\s*/\s*|(\*)\s*)?{_AMOUNT}(?:\s*(?:\+|;|inc)\s*{_AMOUNT}(?:\s*/\s*\w+)?)?\s*", re.IGNORECASE
)


@cache
def _units() -> dict[str, int]:
    return {row["unit"]: int(row["seconds"]) for row in tables.rows("time_units")}


def parse_time_control(written: str) -> TimeControl:
    """Reads PGN standard 9.6.1 (`40/7200:3600`, `300+3`, `*180`) and times with units (`90'+30"`, `G/30`).

    Numbers without a unit are seconds, as the standard says, unless the seconds would be absurd and minutes would not
    (`90+30`, `5+3`, `40/120`): such a control means two things and gives nothing.
    """
    texts = written.strip().lower().split(":")
    stages = [stage for stage in map(_stage, texts[:10]) if stage is not None]
    if len(stages) != len(texts):
        return TimeControl()
    first = stages[0]
    if first.moves and first.seconds / first.moves >= DAY_SECONDS:
        return TimeControl(first.seconds, first.increment, "correspondence")
    if any(map(_means_two_things, stages)):
        return TimeControl()
    is_bullet = len(stages) == 1 and first.seconds + BULLET_MOVES * first.increment < BULLET_SECONDS
    return TimeControl(first.seconds, first.increment, "bullet" if is_bullet else speed_of(_seconds_for_60_moves(stages)))


def _stage(text: str) -> _Stage | None:
    """One stage of a time control, None when it cannot be read."""
    match = _STAGE.fullmatch(text) if len(text) <= MAX_LENGTH else None
    if match is None:
        return None
    prefix = match[1] or match[2] or ""
    is_minutes = prefix in ("g", "sd")
    base, has_unit = _amount(match[3], match[4], match[5], 60 if is_minutes else 1)
    increment, increment_unit = _amount(match[6] or "0", match[7], match[8], 1)
    if base is None or increment is None or base > 1 << 30 or increment > DAY_SECONDS:
        return None
    if increment_unit and not (has_unit or is_minutes):
        return None
    moves = int(prefix) if prefix.isdigit() and int(prefix) else None
    return _Stage(moves, base, increment, has_unit or is_minutes)


def _amount(whole: str, fraction: str | None, unit: str | None, seconds: int) -> tuple[int | None, bool]:
    """Seconds, and whether the unit is sure (written, or seconds with a fraction); None for an unknown unit."""
    if unit is not None:
        if unit not in _units():
            return None, True
        seconds = _units()[unit]
    return round(float(f"{whole}.{fraction or 0}") * seconds), unit is not None or fraction is not None


def _means_two_things(stage: _Stage) -> bool:
    """True for numbers without a unit that nobody plays in seconds and many play in minutes."""
    if stage.has_unit:
        return False
    if stage.moves:
        return stage.seconds / stage.moves < 15 and stage.moves >= 10
    if stage.increment:
        return 0 < stage.seconds < 180 and 10 * stage.increment >= stage.seconds
    return 0 < stage.seconds < 15


def _seconds_for_60_moves(stages: list[_Stage]) -> int:
    """Time that a player has for 60 moves; the last stage repeats when it is for a number of moves (PGN standard 9.6.1)."""
    total, moves = 0, 0
    for i, stage in enumerate(stages):
        total += stage.seconds + stage.increment * min(stage.moves or MOVES_PER_GAME, max(0, MOVES_PER_GAME - moves))
        moves += stage.moves or MOVES_PER_GAME
        if i == len(stages) - 1 and moves < MOVES_PER_GAME and stage.moves:
            times = -(-(MOVES_PER_GAME - moves) // stage.moves)
            total += times * stage.seconds + (MOVES_PER_GAME - moves) * stage.increment
    return total


def speed_of(seconds: int) -> str:
    """Speed of a game by the time for 60 moves: FIDE Laws A.1, rapid is over 10 and under 60 minutes; B.1, blitz up to 10."""
    if seconds >= 3600:
        return "classical"
    return "rapid" if seconds > 600 else "blitz"
