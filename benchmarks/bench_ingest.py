"""Whole command against a peer: CPU seconds of `notatio ingest FILE` and of `pgn-extract -Wsan FILE`, in turn.

usage: bench_ingest.py [FILE.pgn] [--runs N] [--bytes N]

Both read the same file, repeated to about 96 MB so that start-up does not count; ours writes the lake with all views, theirs one
PGN. CPU is user + system time of the process and all its children, from the operating system's own accounting (wait4).
Without FILE the sample's games are repeated, which flatters everybody: name a file of real games.
The peer is left out, and said to be, where it is not installed (Debian: pgn-extract).
"""

from __future__ import annotations

import argparse
import os
import shutil
import statistics
import sys
import tempfile
from collections.abc import Sequence
from pathlib import Path

ROOT = Path(__file__).parents[1]
TARGET_BYTES = 96_000_000


def cpu_seconds(command: Sequence[str]) -> float:
    """User + system seconds of a command and its children; its output is thrown away. SystemExit when it fails."""
    pid = os.fork()
    if pid == 0:
        sink = os.open(os.devnull, os.O_WRONLY)
        os.dup2(sink, 1)
        os.dup2(sink, 2)
        os.execvp(command[0], command)
    _, status, used = os.wait4(pid, 0)
    if status:
        sys.exit(f"{command[0]} failed: {os.waitstatus_to_exitcode(status)}")
    return used.ru_utime + used.ru_stime


def corpus(path: Path, target: Path, n_bytes: int) -> int:
    """Repeats a file to about n_bytes; gives the size."""
    data = path.read_bytes().strip() + b"\n\n"
    with target.open("wb") as out:
        for _ in range(max(1, round(n_bytes / len(data)))):
            out.write(data)
    return target.stat().st_size


def peer() -> str | None:
    """pgn-extract, also where Debian puts games."""
    return shutil.which("pgn-extract") or shutil.which("pgn-extract", path="/usr/games")


def main() -> None:
    """Runs both in turn and prints a row each: minimum, median, maximum."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("file", nargs="?", type=Path, default=ROOT / "data" / "sample" / "match-1972.pgn")
    parser.add_argument("--runs", type=int, default=3)
    parser.add_argument("--bytes", type=int, default=TARGET_BYTES)
    given = parser.parse_args()
    theirs = peer()
    with tempfile.TemporaryDirectory() as folder:
        source, lake = Path(folder, "games.pgn"), Path(folder, "lake")
        n_bytes = corpus(given.file, source, given.bytes)
        commands = {
            "notatio ingest": [sys.executable, "-m", "pipeline", "ingest", str(source), "--lake", str(lake), "--workers", "1"]
        }
        if theirs:
            commands["pgn-extract -Wsan"] = [theirs, "-Wsan", f"-o{folder}/out.pgn", str(source)]
        else:
            print("NOT RUN: pgn-extract is not installed")
        times: dict[str, list[float]] = {name: [] for name in commands}
        for turn in range(given.runs + 1):
            for name, command in commands.items():
                shutil.rmtree(lake, ignore_errors=True)
                seconds = cpu_seconds(command)
                if turn or name != "notatio ingest":
                    times[name].append(seconds)
                else:
                    print(f"first run, the kernel perhaps not yet compiled: {seconds:.2f} s")
    print(f"{n_bytes:,} bytes, {os.cpu_count()} cores; CPU seconds: minimum, median, maximum of {given.runs}")
    for name, seconds_ in times.items():
        print(f"{name:20} {min(seconds_):6.2f} {statistics.median(seconds_):6.2f} {max(seconds_):6.2f}")
    if theirs:
        ratios = [a / b for a, b in zip(times["notatio ingest"], times["pgn-extract -Wsan"], strict=False)]
        print(f"{'ratio, pair by pair':20} {min(ratios):6.2f} {statistics.median(ratios):6.2f} {max(ratios):6.2f}")


if __name__ == "__main__":
    main()
