"""Options that several commands share."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from pipeline.cli.output import Format


def _remember(context: typer.Context, lake: Path) -> Path:
    """Keeps the lake that was named: an error repeats it in what it tells to type."""
    kept = context.find_root().obj
    if isinstance(kept, dict):
        kept["lake"] = lake
    return lake


LakeOption = Annotated[
    Path,
    typer.Option(
        "--lake",
        metavar="DIR",
        envvar="NOTATIO_LAKE",
        help="The lake.",
        show_default="./lake",
        show_envvar=True,
        callback=_remember,
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
