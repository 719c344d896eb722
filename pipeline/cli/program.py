"""How a reader starts this program from here. What the program tells to type next has to work as it is printed."""

from __future__ import annotations

import os
import re
import shlex
import shutil
import sys
from pathlib import Path

NAME = "notatio"
_QUOTED = re.compile(rf"`{NAME} ([^`]+)`")
_EXAMPLE = re.compile(rf"(^\s*|\| ){NAME} (?=[a-z])", re.MULTILINE)
_TAKES_NO_LAKE = ("demo", "check", "-", "COMMAND")
"""Beginnings of commands that need no lake, or have one of their own."""


def program() -> str:
    """The command's name where it is on PATH, else the path it was started by, relative to the folder where it can be."""
    started = Path(sys.argv[0])
    if shutil.which(NAME) or os.sep not in sys.argv[0]:
        return NAME
    if started.name == "__main__.py":
        return f"{_quoted(Path(sys.executable))} -m pipeline"
    return _quoted(started)


def shown(path: Path) -> Path:
    """A path as a reader would type it here: relative when it is below the folder."""
    try:
        here, whole = Path.cwd(), Path(os.path.abspath(path))
    except OSError:  # the folder itself is gone
        return path
    return whole.relative_to(here) if whole.is_relative_to(here) else whole


def _quoted(path: Path) -> str:
    typed_path = str(shown(path))
    return shlex.quote(typed_path if os.sep in typed_path else f".{os.sep}{typed_path}")


def lake_option(lake: Path | None) -> str:
    """` --lake DIR`, or nothing when the command finds this lake by itself."""
    if lake is None or lake == Path(os.environ.get("NOTATIO_LAKE") or "lake"):
        return ""
    return f" --lake {shlex.quote(str(lake))}"


def typed(command: str, lake: Path | None = None) -> str:
    """A command as a reader has to type it: `show GAME_ID` → `.venv/bin/notatio show GAME_ID --lake chess`."""
    return f"{program()} {command}{lake_option(lake)}"


def with_program(text: str, lake: Path | None = None) -> str:
    """A text in which each `notatio …` between backticks is as a reader has to type it, with the lake that was named."""

    def as_typed(match: re.Match[str]) -> str:
        command = match[1].replace(" --lake DIR", lake_option(lake))
        takes_lake = not command.startswith(_TAKES_NO_LAKE) and "--lake" not in command and "--help" not in command
        return f"`{typed(command, lake if takes_lake else None)}`"

    return _QUOTED.sub(as_typed, text)


def with_examples(help_text: str) -> str:
    """A help text whose examples can be typed as they stand."""
    return _EXAMPLE.sub(lambda match: f"{match[1]}{program()} ", help_text)
