"""Rows of texts → aligned columns, and which of them are shown where a terminal is too narrow."""

from __future__ import annotations

import textwrap
from collections.abc import Iterator, Sequence

_LEAST_WIDTH = 12
"""A text column is not cut to less,"""
_LEAST_IMPORTANT = 8
"""unless it is an important one: part of a name is better than none."""
_GAP = 2
_HEADING_STYLE, _PLAIN_STYLE = "\x1b[1m", "\x1b[0m"


def table(
    names: Sequence[str],
    rows: Sequence[Sequence[str]],
    is_number: Sequence[bool],
    *,
    width: int | None = None,
    has_style: bool = False,
    wraps: bool = False,
    important: Sequence[str] = (),
) -> tuple[str, list[str]]:
    """Rows of texts as aligned columns → the text, and the names of columns that do not fit into `width` cells.

    None = no limit. Of a table that is too wide the `important` columns are shown, as many as fit, the first of them above
    all, and their texts are cut, the last ones first; then other columns from the left, one at least; the last of them may be
    cut, or with `wraps` goes on in further lines. Columns keep their order.
    """
    from rich.cells import cell_len, set_cell_size

    widths = [max(cell_len(text) for text in (name, *(row[i] for row in rows))) for i, name in enumerate(names)]
    shown = list(range(len(names)))
    if width is not None and _total(widths) > width:
        order = [names.index(name) for name in important if name in names]
        shown = _important(order, widths, is_number, width)
        others = [i for i in range(len(names)) if i not in order]
        if len(shown) == len(order):
            shown = _with_others(shown, others, widths, is_number, width)
    shown.sort()

    def line(texts: Sequence[str], fill: str = " ") -> str:
        fields = []
        for i in shown:
            text = texts[i] if cell_len(texts[i]) <= widths[i] else f"{set_cell_size(texts[i], widths[i] - 1)}…"
            gap = fill * (widths[i] - cell_len(text))
            fields.append(gap + text if is_number[i] else text + gap)
        return (" " * _GAP).join(fields).rstrip()

    if wraps and width is not None and len(shown) == len(names):
        rows = [further for row in rows for further in _wrapped(row, widths[-1])]
    head = line(names)
    lines = [f"{_HEADING_STYLE}{head}{_PLAIN_STYLE}" if has_style else head, line([""] * len(names), "─"), *map(line, rows)]
    return "\n".join(lines) + "\n", [name for i, name in enumerate(names) if i not in shown]


def _total(widths: Sequence[int]) -> int:
    return sum(widths) + _GAP * (len(widths) - 1)


def _important(order: Sequence[int], widths: list[int], is_number: Sequence[bool], width: int) -> list[int]:
    """The first of these columns that fit when texts are cut; cuts them in `widths`, the last ones first."""
    least = {i: widths[i] if is_number[i] else min(widths[i], _LEAST_IMPORTANT) for i in order}
    n = sum(_total([least[i] for i in order[:n]]) <= width for n in range(1, len(order) + 1))
    shown = list(order[:n])
    for i in reversed(shown):
        over = _total([widths[j] for j in shown]) - width
        widths[i] = max(least[i], widths[i] - max(0, over))
    return shown


def _with_others(shown: list[int], others: Sequence[int], widths: list[int], is_number: Sequence[bool], width: int) -> list[int]:
    """The columns and those from the left that fit beside them, one at least; the last one may be cut, in `widths`."""
    for i in others:
        left = width - _total([widths[j] for j in shown]) - _GAP * bool(shown)
        if widths[i] > left and left >= _LEAST_WIDTH and not is_number[i]:
            widths[i] = left
            return [*shown, i]
        if widths[i] > left and shown:
            return shown
        shown = [*shown, i]
    return shown


def _wrapped(row: Sequence[str], width: int) -> Iterator[Sequence[str]]:
    """A row whose last text is broken into lines of `width` characters."""
    first, *further = textwrap.wrap(row[-1], width, break_on_hyphens=False) or [""]
    yield [*row[:-1], first]
    for text in further:
        yield [*([""] * (len(row) - 1)), text]
