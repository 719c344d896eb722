"""Drawn tables → stdout or a file. Where a terminal is too narrow, names are cut; else rounds go into blocks."""

from __future__ import annotations

import shutil
from collections.abc import Iterator, Sequence
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING

from pipeline.cli.columns import table
from pipeline.cli.errors import say
from pipeline.cli.output import counted, is_terminal, printable, target

if TYPE_CHECKING:
    from pipeline.catalog import Drawn

_LEAST_NAME = 10
"""Letters of a name that are always shown."""


def write_drawn(tables: Sequence[Drawn], out: Path | None = None) -> None:
    """Writes tables of texts, each under its title. Raises Failure when the file cannot be written."""
    is_person = out is None and is_terminal()
    width = shutil.get_terminal_size().columns if is_person else None
    with target(out) as file:
        for number, drawn in enumerate(tables):
            rows = tuple(tuple(printable(text) for text in row) for row in drawn.rows)
            drawn = replace(drawn, rows=rows)
            blocks = [drawn] if width is None else list(_blocks(drawn, width))
            texts = [f"{printable(drawn.title)}\n"]
            hidden: list[str] = []
            for block in blocks:
                text, hidden = table(block.names, block.rows, block.is_number, width=width, has_style=is_person)
                texts += ["\n"] * (len(texts) > 1) + [text]
            gap = "\n" if number else ""
            file.write(f"{gap}{''.join(texts)}".encode("utf-8", "backslashreplace"))
            if hidden:
                say(f"{counted(len(hidden), 'more column')}: {', '.join(hidden)}. --format csv gives all.")


def _blocks(drawn: Drawn, width: int) -> Iterator[Drawn]:
    """The table if it fits with its texts cut; else as many as its rounds need, each with the columns before and behind them."""
    from rich.cells import cell_len

    longest = _longest(drawn, width)
    if longest >= _LEAST_NAME or not drawn.n_before:
        yield _cut(drawn, max(longest, _LEAST_NAME))
        return
    drawn = _cut(drawn, max(width // 3, _LEAST_NAME))
    widths = [max(map(cell_len, (name, *(row[i] for row in drawn.rows)))) for i, name in enumerate(drawn.names)]
    n = len(widths)
    around = [*range(drawn.n_before), *range(n - drawn.n_behind, n)]
    room = width - sum(widths[i] + 2 for i in around) + 2
    block: list[int] = []
    for i in range(drawn.n_before, n - drawn.n_behind):
        if block and sum(widths[j] + 2 for j in (*block, i)) > room:
            yield _of_columns(drawn, block)
            block = []
        block.append(i)
    yield _of_columns(drawn, block)


def _of_columns(drawn: Drawn, block: Sequence[int]) -> Drawn:
    """Some columns, with those before and behind."""
    n = len(drawn.names)
    shown = [*range(drawn.n_before), *block, *range(n - drawn.n_behind, n)]
    rows = tuple(tuple(row[i] for i in shown) for row in drawn.rows)
    names, is_number = (tuple(values[i] for i in shown) for values in (drawn.names, drawn.is_number))
    return replace(drawn, names=names, rows=rows, is_number=is_number)


def _longest(drawn: Drawn, width: int) -> int:
    """The length of text with which the table fits, 0 when there is none from _LEAST_NAME on."""
    from rich.cells import cell_len

    widths = [max(map(cell_len, (name, *(row[i] for row in drawn.rows)))) for i, name in enumerate(drawn.names)]
    lengths = range(max(max(widths, default=0), _LEAST_NAME), _LEAST_NAME - 1, -1)
    return next((n for n in lengths if sum(min(w, n) + 2 for w in widths) - 2 <= width), 0)


def _cut(drawn: Drawn, longest: int) -> Drawn:
    """The table with its texts cut."""
    from rich.cells import cell_len, set_cell_size

    rows = (tuple(t if cell_len(t) <= longest else f"{set_cell_size(t, longest - 1)}…" for t in row) for row in drawn.rows)
    return replace(drawn, rows=tuple(rows))
