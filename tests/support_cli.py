"""Runs command lines of `notatio` in this process."""

from __future__ import annotations

import io
import shlex
import subprocess
import sys
from contextlib import redirect_stderr, redirect_stdout
from pathlib import Path
from typing import NamedTuple
from unittest.mock import patch

from pipeline.cli import run

ROOT = Path(__file__).parents[1]
SAMPLE = ROOT / "data" / "sample"
GAME = '[Event "Club"]\n[White "Adler, Nora"]\n[Black "Behn, Ole"]\n[Result "1-0"]\n\n1. e4 e5 2. Nf3 Nc6 3. Bb5 a6 1-0\n'


class Done(NamedTuple):
    """How a command ended and what it printed."""

    code: int
    out: str
    err: str


def notatio(*arguments: object, stdin: bytes = b"") -> Done:
    """Runs `notatio` with these arguments; stdout and stderr are no terminal."""
    out, err = (io.TextIOWrapper(io.BytesIO(), encoding="utf-8", write_through=True) for _ in range(2))
    words = [str(argument) for argument in arguments]
    typed = io.TextIOWrapper(io.BytesIO(stdin), encoding="utf-8")
    with (
        redirect_stdout(out),
        redirect_stderr(err),
        patch.object(sys, "stdin", typed),
        patch.object(sys, "argv", ["notatio", *words]),
    ):
        code = run(words)
    return Done(code, *(stream.buffer.getvalue().decode() for stream in (out, err)))  # type: ignore[attr-defined]


def ingest(*arguments: object, stdin: bytes = b"") -> Done:
    """`notatio ingest` in this process; where the catalog is not asked, `--no-build` saves most of the time."""
    return notatio("ingest", *arguments, "--workers", 1, stdin=stdin)


def process(*arguments: str, shell: str = "") -> subprocess.CompletedProcess[str]:
    """A process of its own: `python -m pipeline …`, or a line of shell in which $NOTATIO stands for that."""
    command = f"{shlex.quote(sys.executable)} -m pipeline"
    line = shell.replace("$NOTATIO", command) if shell else f"{command} {shlex.join(arguments)}"
    env = {"PYTHONPATH": str(ROOT), "PATH": "/usr/bin:/bin", "LC_ALL": "C"}
    return subprocess.run(
        ["bash", "-c", line], env=env, capture_output=True, text=True, encoding="utf-8", timeout=60, check=False
    )
