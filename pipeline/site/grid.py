"""Tables of a page: columns and cells with links, made from rows of the lake."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cache
from typing import Any

from markupsafe import Markup

from pipeline import tables
from pipeline.site.texts import MOST_NAME_CHARS, marked, number, plain

Row = Mapping[str, Any]


@dataclass(frozen=True, slots=True)
class Link:
    """A text that leads somewhere; `href` is relative to the site's root. Without one it is only the text."""

    text: str
    href: str | None


@dataclass(frozen=True, slots=True)
class Column:
    """A column: what stands above it, how a row becomes its cell, and what it means."""

    heading: str
    cell: Callable[[Row], Any]
    is_number: bool = False
    doc: str = ""


@dataclass(frozen=True, slots=True)
class Grid:
    """A table ready to be printed. `note`: what was left out, and how to see it."""

    caption: str
    columns: Sequence[Column]
    rows: Sequence[Sequence[Any]] = field(default=())
    note: str = ""
    is_sortable: bool = True
    is_tight: bool = False
    """Many narrow columns."""
    is_folded: bool = False
    """Shown on demand."""
    are_long: Sequence[bool] = field(default=())
    """Columns whose texts may be broken into lines."""
    is_stacked: bool = False
    """Cells stand one below the other in narrow windows: rows of several long texts would be tall and empty."""


_LONG, _VERY_LONG = 30, 40
"""Characters of a cell that may be broken into lines, shorter ones stay on one; and of one that makes rows tall."""


def grid(
    caption: str,
    columns: Sequence[Column],
    rows: Sequence[Row],
    *,
    note: str = "",
    is_sortable: bool = True,
    is_tight: bool = False,
    is_folded: bool = False,
) -> Grid:
    """A table of the rows."""
    cells = [[column.cell(row) for column in columns] for row in rows]
    longest = [max((len(text_of(row[i])) for row in cells), default=0) for i in range(len(columns))]
    return Grid(
        caption,
        columns,
        cells,
        note,
        is_sortable and len(rows) > 2,
        is_tight,
        is_folded,
        are_long=[n > _LONG for n in longest],
        is_stacked=sum(n > _VERY_LONG for n in longest) > 1,
    )


def text_of(cell: Any) -> str:
    """A cell as plain text."""
    if isinstance(cell, Number):
        return number(cell.value, cell.column)
    return cell.text if isinstance(cell, Link) else plain(cell)


def label(key: str) -> str:
    """The heading of a column of the catalog, by the table `column_headings`; else its name in words."""
    known = _headings().get(key)
    return known if known is not None else key.removeprefix("n_").replace("_", " ")


@cache
def _headings() -> Mapping[str, str]:
    return {row["column"]: row["heading"] for row in tables.rows("column_headings")}


def of(key: str, heading: str | None = None, doc: str = "") -> Column:
    """The column of a text."""
    return Column(heading or label(key), lambda row: row[key], doc=doc)


def count(key: str, heading: str | None = None, doc: str = "") -> Column:
    """The column of a number."""
    return Column(heading or label(key), lambda row: Number(row[key], key), is_number=True, doc=doc)


def linked(key: str, href: Callable[[Row], str | None], heading: str | None = None) -> Column:
    """The column of a text that leads to what it names."""
    return Column(heading or label(key), lambda row: Link(plain(row[key]), href(row)))


@dataclass(frozen=True, slots=True)
class Number:
    """A number with the name of its column, which says whether it is a year."""

    value: Any
    column: str = ""


def html(cell: Any, root: str) -> Markup:
    """A cell as HTML."""
    if isinstance(cell, Markup):
        return cell
    if isinstance(cell, Link):
        text = marked(cell.text, most=MOST_NAME_CHARS)
        return Markup('<a href="{}{}">{}</a>').format(root, cell.href, text) if cell.href and cell.text else text
    if isinstance(cell, Number):
        return Markup("{}").format(number(cell.value, cell.column))
    return marked(plain(cell), most=MOST_NAME_CHARS)


def sort_key(cell: Any) -> str:
    """What a column of numbers is sorted by; empty for null."""
    value = cell.value if isinstance(cell, Number) else None
    return "" if value is None else f"{float(value):g}"
