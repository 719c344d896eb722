"""Diagrams in plain characters: eight rows of eight cells, a letter for a man and a point for an empty square.

White's men large and Black's small, as programs print boards; or Black's behind a minus sign, as Popeye does.
Source: Popeye's output; output of board-printing programs.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence

from pipeline.setups.setup import Setup, boards
from pipeline.setups.words import turn_said

_ROW = re.compile(r"[ \t|]*(?:(?P<rank>[1-8])[ \t|]+)?(?P<cells>-?[A-Za-z.](?:[ \t|]+-?[A-Za-z.]){7})(?:[ \t|]+[1-8])?[ \t|]*\r?")
_FRAME = re.compile(r"[\s|+\-a-hA-H]*")
_LINE = re.compile(r"[^\n]*\n?")
_LONGEST = 100
"""Characters of a row, at most."""
_SIGNED = {"K": "k", "Q": "q", "R": "r", "B": "b", "S": "n", "P": "p"}
"""Popeye's English letters; its N is no man of chess."""


def find(text: str) -> Iterator[Setup]:
    """Positions that are drawn, in order."""
    found = list(_drawn(text))
    for i, (start, end, rows) in enumerate(found):
        placement = _placement(rows)
        if placement is None:
            continue
        ceiling = found[i + 1][0] if i + 1 < len(found) else len(text)
        said = turn_said(text, start, end, found[i - 1][1] if i else 0, ceiling)
        here, reason = boards(placement, said or "wb")
        yield Setup(start, end, "diagram", here, text[start:end], is_side_known=len(here) < 2, reason=reason)


def _drawn(text: str) -> Iterator[tuple[int, int, list[list[str]]]]:
    """Eight rows with nothing but frames between them."""
    rows: list[list[str]] = []
    start = 0
    for line in _LINE.finditer(text):
        written = line[0].rstrip("\n")
        match = _ROW.fullmatch(written) if len(written) <= _LONGEST else None
        if match:
            if not rows or (match["rank"] == "8" and len(rows) < 8):
                rows, start = [], line.start()
            rows.append(re.split(r"[ \t|]+", match["cells"]))
            if len(rows) == 8:
                yield start, line.start() + len(written.rstrip()), rows
                rows = []
        elif not _FRAME.fullmatch(written):
            rows = []


def _placement(rows: Sequence[Sequence[str]]) -> str | None:
    """Rows from the eighth down in Forsyth's form, None when a letter is no man."""
    is_signed = any(cell.startswith("-") for row in rows for cell in row)
    ranks = []
    for row in rows:
        men = [_man(cell, is_signed=is_signed) for cell in row]
        if "" in men:
            return None
        ranks.append(re.sub(r"1+", lambda run: str(len(run[0])), "".join(men)))
    return "/".join(ranks) if "k" in "".join(ranks) and "K" in "".join(ranks) else None


def _man(cell: str, *, is_signed: bool) -> str:
    if cell == ".":
        return "1"
    if not is_signed:
        return cell if cell in "KQRBNPkqrbnp" else ""
    letter = _SIGNED.get(cell.lstrip("-").upper(), "")
    return letter if cell.startswith("-") else letter.upper()
