"""Options that several commands share."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from pipeline.cli.output import Format

LakeOption = Annotated[
    Path,
    typer.Option("--lake", metavar="DIR", envvar="NOTATIO_LAKE", help="The lake.", show_default="./lake", show_envvar=True),
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
    typer.Option("--out", metavar="FILE", help="Write to a file; its ending says the format.", show_default=False),
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
