"""Runs command lines of `notatio` in this process."""

from __future__ import annotations

import io
import sys
from contextlib import redirect_stderr, redirect_stdout
from typing import NamedTuple
from unittest.mock import patch

from pipeline.cli import run


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
