"""Comment text → text for readers and the values of embedded commands (`[%clk 0:05:00]`, `[%emt …]`, `[%eval …]`).

Commands of other names, and these in a form that says nothing, stay in the text.
Source: PGN specification supplement (embedded commands); lichess writes `[%eval 0.25]` and `[%eval #-3]`.
"""

from __future__ import annotations

import re
from dataclasses import dataclass

_COMMAND = re.compile(r"\[%(clk|emt|eval)\s+([^\[\]]*)\]")
_DURATION = re.compile(r"(?:(\d{1,3}):)?(?:(\d{1,3}):)?(\d{1,6}(?:[.,]\d+)?)")
_SCORE = re.compile(r"([+-]?\d{1,4}(?:[.,]\d+)?)(?:\s*,\s*\d+)?")
_DECIMAL_COMMA = re.compile(r"[+-]?\d{1,4},\d+")
_MATE = re.compile(r"([+-]?)#([+-]?\d{1,3})(?:\s*,\s*\d+)?")


@dataclass(frozen=True, slots=True)
class Comment:
    """`text` is None when nothing but commands was written. Times in seconds; evaluation from White's view."""

    text: str | None
    clock_seconds: float | None = None
    elapsed_seconds: float | None = None
    eval_cp: int | None = None
    eval_mate: int | None = None


def read(written: str) -> Comment:
    """Take the commands out of a comment (without its braces)."""
    if "[%" not in written:
        return Comment(_text(written))
    clock = elapsed = None
    cp = mate = None
    pieces, at = [], 0
    for match in _COMMAND.finditer(written):
        kind, value = match[1], match[2].strip()
        if kind == "eval":
            read_cp, read_mate = _score(value)
            if read_cp is None and read_mate is None:
                continue
            cp, mate = read_cp, read_mate
        else:
            seconds = _seconds(value)
            if seconds is None:
                continue
            if kind == "clk":
                clock = seconds
            else:
                elapsed = seconds
        pieces.append(written[at : match.start()])
        at = match.end()
    pieces.append(written[at:])
    return Comment(_text("".join(pieces)), clock, elapsed, cp, mate)


def _text(written: str) -> str | None:
    return written.replace("\r\n", "\n").strip(" \t\n\r\f\v") or None


def _seconds(value: str) -> float | None:
    match = _DURATION.fullmatch(value)
    if not match:
        return None
    hours, minutes = (match[1], match[2]) if match[2] is not None else (None, match[1])
    return int(hours or 0) * 3600 + int(minutes or 0) * 60 + float(match[3].replace(",", "."))


def _score(value: str) -> tuple[int | None, int | None]:
    """Centipawns and moves to mate. `0,15` is a decimal comma; `0.15,20` is a score and a depth."""
    match = _MATE.fullmatch(value)
    if match:
        moves = int(match[2])
        return None, -moves if match[1] == "-" else moves
    if _DECIMAL_COMMA.fullmatch(value):
        value = value.replace(",", ".")
    match = _SCORE.fullmatch(value)
    if not match:
        return None, None
    pawns = float(match[1].replace(",", "."))
    return int(abs(pawns) * 100 + 0.5) * (1 if pawns >= 0 else -1), None
