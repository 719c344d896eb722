"""Drawn tables → stdout or a file. Where a terminal is too narrow, names are cut before columns are left out."""

from __future__ import annotations

import shutil
from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING

from pipeline.cli.errors import say
from pipeline.cli.output import counted, is_terminal, printable, table, target

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
            rows = [[printable(text) for text in row] for row in drawn.rows]
            if width is not None:
                rows = _fitted(drawn.names, rows, width)
            text, hidden = table(drawn.names, rows, drawn.is_number, width=width, has_style=is_person)
            gap = "\n" if number else ""
            file.write(f"{gap}{printable(drawn.title)}\n{text}".encode("utf-8", "backslashreplace"))
            if hidden:
                say(f"{counted(len(hidden), 'more column')}: {', '.join(hidden)}. --format csv gives all.")


def _fitted(names: Sequence[str], rows: Sequence[Sequence[str]], width: int) -> list[list[str]]:
    """The rows with all texts cut to the length with which the table fits, or to the shortest that is allowed."""
    from rich.cells import cell_len, set_cell_size

    columns = [[name, *(row[i] for row in rows)] for i, name in enumerate(names)]
    widths = [max(map(cell_len, column)) for column in columns]
    longest = max(widths, default=0)
    while longest > _LEAST_NAME and sum(min(w, longest) + 2 for w in widths) - 2 > width:
        longest -= 1
    return [[t if cell_len(t) <= longest else f"{set_cell_size(t, longest - 1)}…" for t in row] for row in rows]
