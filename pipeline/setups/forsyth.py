"""FEN, X-FEN, Shredder-FEN, Forsyth's men alone, and EPD lines, anywhere in a text (PGN standard 16.1, 16.2)."""

from __future__ import annotations

import re
from collections.abc import Iterator
from functools import cache

from pipeline import positions, tables
from pipeline.setups.setup import Setup, boards
from pipeline.setups.words import turn_said

_RANK = r"[1-8pnbrqkPNBRQK]{1,8}"
_FEN = re.compile(
    rf"(?<![\w/])(?P<men>(?:{_RANK}/){{7}}{_RANK})(?![\w/])"
    r"(?:[ \t]+(?P<turn>[wbWB])(?![\w'’.])"
    r"(?:[ \t]+(?P<castling>-|[KQA-Hkqa-h]{1,4})(?!\w)(?:[ \t]+(?P<passant>-|[a-h][36])(?!\w)"
    r"(?:[ \t]+(?P<half>\d{1,4}|[?-])[ \t]+(?P<full>\d{1,5}|[?-])(?![\w.]))?)?)?)?"
)
_OPERATION = re.compile(r'[ \t]*([A-Za-z][\w]{0,14})((?:[ \t]+(?:"[^"\n]{0,1000}"|[^\s;"]{1,200}))*)[ \t]*;')
_OPERATIONS = 64
"""Most operations that are read of one line."""


def find(text: str) -> Iterator[Setup]:
    """Positions in Forsyth's form, in order. What lacks a king of each side is a date or a path and no position."""
    matches = [match for match in _FEN.finditer(text) if "k" in match["men"] and "K" in match["men"]]
    for i, match in enumerate(matches):
        floor = matches[i - 1].end() if i else 0
        ceiling = matches[i + 1].start() if i + 1 < len(matches) else len(text)
        yield _setup(text, match, floor, ceiling)


def _setup(text: str, match: re.Match[str], floor: int, ceiling: int) -> Setup:
    start, end = match.span()
    if match["turn"] is None:
        said = turn_said(text, start, end, floor, ceiling)
        found, reason = boards(match["men"], said or "wb")
        return Setup(start, end, "fen", found, match[0], is_side_known=len(found) < 2, reason=reason)
    operations, end = _operations(text, end) if match["passant"] else ((), end)
    read = dict(operations)
    half, full = match["half"] or read.get("hmvc", "0"), match["full"] or read.get("fmvn", "1")
    fen = f"{match['men']} {match['turn']} {match['castling'] or '-'} {match['passant'] or '-'} {half} {full}"
    begun = positions.start({"fen": fen})
    return Setup(
        start,
        end,
        "epd" if operations else "fen",
        () if begun.board is None else (begun.board,),
        text[start:end],
        "chess960" if begun.is_chess960 or (begun.board is not None and begun.board.chess960) else "standard",
        reason=begun.issues[0].detail if begun.issues else None,
        operations=operations,
    )


def _operations(text: str, at: int) -> tuple[tuple[tuple[str, str], ...], int]:
    """Operations of an EPD line from `at`, and where they end."""
    found: list[tuple[str, str]] = []
    while len(found) < _OPERATIONS:
        match = _OPERATION.match(text, at)
        if not match or match[1].casefold() not in _opcodes():
            break
        found.append((match[1].casefold(), match[2].strip().strip('"')))
        at = match.end()
    return tuple(found), at


@cache
def _opcodes() -> frozenset[str]:
    return frozenset(row["opcode"] for row in tables.rows("epd_opcodes"))
