"""Options that several commands share."""

from __future__ import annotations

import os
import re
from pathlib import Path
from typing import Annotated, TypeVar

import typer

from pipeline.cli.failure import Failure
from pipeline.cli.output import Format

_SURROGATE = re.compile("[\ud800-\udfff]")
"""What Python makes of bytes that the locale does not know."""


def remember(context: typer.Context, lake: Path) -> Path:
    """Keeps the lake that was named: an error repeats it in what it tells to type. Raises Failure for one that cannot be used.

    Parquet and DuckDB take paths as UTF-8 and nothing else.
    """
    if _SURROGATE.search(os.path.abspath(lake)):
        raise Failure(f"The path of the lake, {str(lake)!a}, is no UTF-8 here", "Set PYTHONUTF8=1, or give it another name")
    kept = context.find_root().obj
    if isinstance(kept, dict):
        kept["lake"] = lake
    return lake


_Given = TypeVar("_Given", str, list[str], None)


def as_utf8(given: _Given) -> _Given:
    """Texts of the command line as UTF-8, whatever locale Python took them for. Not for paths. Raises Failure."""
    if isinstance(given, list):
        return [as_utf8(text) for text in given]
    if given is None or not _SURROGATE.search(given):
        return given
    try:
        return os.fsencode(given).decode("utf-8")
    except UnicodeError:
        raise Failure(f"{ascii(given)[:80]} is no UTF-8", "Type it in a terminal that uses UTF-8") from None


LakeOption = Annotated[
    Path,
    typer.Option(
        "--lake",
        metavar="DIR",
        envvar="NOTATIO_LAKE",
        help="The lake.",
        show_default="./lake",
        show_envvar=True,
        callback=remember,
    ),
]
FormatOption = Annotated[
    Format | None,
    typer.Option(
        "--format",
        metavar="FORMAT",
        help=f"{', '.join(Format)}. Without it: a table on a terminal, else csv.",
        show_default=False,
    ),
]
OutOption = Annotated[
    Path | None,
    typer.Option(
        "--out",
        metavar="FILE",
        help="Write to a file; its ending (csv, json, ndjson, md, parquet, txt) says the format.",
        show_default=False,
    ),
]
LanguageOption = Annotated[
    str | None,
    typer.Option("--language", metavar="L", help="Language of the letters for the men: ru, de, uk, …", show_default=False),
]
NotationOption = Annotated[
    str | None,
    typer.Option("--notation", metavar="N", help="Notation of the moves: algebraic, coordinate, …", show_default=False),
]
EncodingOption = Annotated[
    str | None,
    typer.Option("--encoding", metavar="E", help="Character encoding: utf-8, cp1251, koi8-r, …", show_default=False),
]
DEFAULT_LAKE = Path("lake")
