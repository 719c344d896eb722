"""README.md is true: what it shows is what the commands print on a terminal, and its tables are made from the knowledge."""

from __future__ import annotations

import fcntl
import os
import re
import shutil
import struct
import subprocess
import sys
import sysconfig
import termios
from collections.abc import Iterator
from pathlib import Path
from typing import NamedTuple

import pytest

from tests.readme_blocks import BLOCKS, README, rewritten

ROOT = Path(__file__).parents[1]
NOT_RUN = {"git", "cd", "pip", "make"}
_ESCAPES = re.compile(r"\x1b\[[0-9;?]*[A-Za-z]")


class Shown(NamedTuple):
    """A command of a ```console block, the exit code it should have, and the output shown below it."""

    command: str
    code: int
    lines: list[str]


def shown() -> Iterator[Shown]:
    for block in re.findall(r"^```console\n(.*?)^```", README.read_text("utf-8"), re.MULTILINE | re.DOTALL):
        for part in re.split(r"^\$ ", block.replace("\\\n", " "), flags=re.MULTILINE)[1:]:
            command, *lines = part.splitlines()
            code = re.search(r"# exit (\d+)$", command)
            yield Shown(command, int(code[1]) if code else 0, [line for line in lines if line.strip()])


def on_a_terminal(command: str, folder: Path) -> tuple[int, str]:
    """Exit code and what a reader at a terminal of 120 columns sees, without colours."""
    ours, theirs = os.openpty()
    fcntl.ioctl(theirs, termios.TIOCSWINSZ, struct.pack("HHHH", 50, 120, 0, 0))
    (folder / "bin").mkdir(exist_ok=True)
    starter = folder / "bin" / "notatio"
    starter.write_text(f'#!/bin/sh\nexec {sys.executable} -m pipeline "$@"\n', "utf-8")
    starter.chmod(0o755)
    path = f"{folder / 'bin'}:{sysconfig.get_path('scripts')}:/usr/bin:/bin"
    env = {"PATH": path, "PYTHONPATH": str(ROOT), "HOME": str(folder), "LC_ALL": "C.UTF-8", "TERM": "xterm"}
    process = subprocess.Popen(["bash", "-c", command], cwd=folder, env=env, stdin=theirs, stdout=theirs, stderr=theirs)
    os.close(theirs)
    seen = b""
    while True:
        try:
            piece = os.read(ours, 65536)
        except OSError:  # the other end is closed
            break
        if not piece:
            break
        seen += piece
    os.close(ours)
    return process.wait(60), _ESCAPES.sub("", seen.decode())


def squeezed(text: str) -> str:
    return " ".join(text.split())


def is_seen(line: str, seen: list[str]) -> bool:
    """Is a shown line among those seen? `…` stands for anything, blanks for any blanks."""
    pattern = re.compile(".*".join(re.escape(squeezed(part)) for part in squeezed(line).split("…")))
    return any(pattern.search(other) for other in seen)


@pytest.mark.slow
def test_commands_print_what_the_readme_shows(tmp_path: Path) -> None:
    """In one folder, one after the other, as a reader would; `…` in the README stands for what differs or is left out."""
    shutil.copytree(ROOT / "data", tmp_path / "data")
    n_lines = 0
    for command, code, lines in shown():
        if command.split()[0] in NOT_RUN:
            continue
        ended, output = on_a_terminal(command, tmp_path)
        seen = [squeezed(line) for line in re.split(r"[\r\n]+", output)]
        assert ended == code, f"$ {command}\n{output}"
        assert [line for line in lines if not is_seen(line, seen)] == [], f"$ {command}\n{output}"
        n_lines += len(lines)
    assert n_lines > 30


@pytest.mark.parametrize("name", BLOCKS)
def test_tables_are_made_from_the_knowledge(name: str) -> None:
    """Out of date? `python tests/readme_blocks.py --write`."""
    text = README.read_text("utf-8")
    assert text.count(f"<!-- made: {name} -->") == 1
    assert BLOCKS[name]() in rewritten(text)
    assert BLOCKS[name]() in text


@pytest.mark.parametrize(
    ("line", "is_there"),
    [("games  83: 73 clean", True), ("games 84", False), ("games … clean", True), ("time …", True), ("clean … games", False)],
)
def test_the_comparison_can_fail(line: str, is_there: bool) -> None:
    assert is_seen(line, ["games 83: 73 clean, 7 truncated", "time 1.8 s"]) is is_there
