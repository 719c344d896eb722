"""Tables of a match: two rows, each a name, its results and their sum, that complement one another."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from decimal import Decimal
from functools import cache

from pipeline.model import Score
from pipeline.published.scores import LEAST_GAMES, number
from pipeline.published.words import as_name, name

_CELL = re.compile(r"1/2|[01½=+-]")
_POINTS = {"1": Decimal(1), "+": Decimal(1), "½": Decimal("0.5"), "=": Decimal("0.5"), "1/2": Decimal("0.5")}
_BETWEEN = re.compile(r"[ \t|]*\r?\n(?:[ \t]*[|+-][ \t|+:-]*\r?\n)?[ \t|]*")
_WRITTEN_CHARS = 200


@dataclass(frozen=True, slots=True)
class Table:
    """The score of two rows, the first one's side first."""

    score: Score
    written: str
    player: str
    opponent: str


@dataclass(frozen=True, slots=True)
class _Row:
    start: int
    end: int
    name: str
    cells: tuple[Decimal, ...]
    total: Decimal


@cache
def _row() -> re.Pattern[str]:
    cell = r"(?:1/2|[01½=+-])"
    return re.compile(
        rf"^[ \t|]*(?:\d{{1,2}}[.)]?[ \t|]{{1,4}})?(?P<name>{name()})[ \t|.:]{{1,40}}"
        rf"(?P<cells>{cell}(?:[ \t|]{{0,6}}{cell}){{1,79}})"
        r"[ \t|=]{1,10}(?P<total>\d{1,3}(?:½|[.,][05]| 1/2)?|½)[ \t|]*$",
        re.MULTILINE,
    )


def tables(text: str) -> Iterator[Table]:
    """Tables of two rows; a third row makes another kind of table of it."""
    rows = list(_rows(text))
    group: list[_Row] = []
    for row in [*rows, None]:
        if group and (row is None or not _BETWEEN.fullmatch(text, group[-1].end, row.start)):
            if found := _table(text, group):
                yield found
            group = []
        if row is not None:
            group.append(row)


def _rows(text: str) -> Iterator[_Row]:
    for match in _row().finditer(text):
        written = as_name(match["name"])
        cells = tuple(_POINTS.get(cell, Decimal(0)) for cell in _CELL.findall(match["cells"]))
        points = number(match["total"])
        if written and sum(cells) == points:
            yield _Row(match.start("name"), match.end("total"), written, cells, points)


def _table(text: str, group: list[_Row]) -> Table | None:
    if len(group) != 2:
        return None
    one, two = group
    games = len(one.cells)
    if games < LEAST_GAMES or any(a + b != 1 for a, b in zip(one.cells, two.cells, strict=False)) or len(two.cells) != games:
        return None
    draws = sum(1 for cell in one.cells if cell % 1)
    wins = sum(1 for cell in one.cells if cell == 1)
    score = Score(
        one.start, two.end, "half" if one.total % 1 else "whole", points=one.total, opponent_points=two.total,
        wins=wins, losses=games - wins - draws, draws=draws,
    )  # fmt: skip
    return Table(score, text[one.start : two.end][:_WRITTEN_CHARS], one.name, two.name)
