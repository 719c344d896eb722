"""Prose without any game: is it read in linear time, and is no game found in it?

usage: bench_prose.py FILE… [--sizes MB …] [--examples N]

Each FILE is prose of one language (UTF-8), for example manual pages or books in plain text; no prose is part of this project.
Its first 1, 2, 5 and 10 MB are read as an ingest reads them (or what there is; a shorter file is not repeated), and timed: CPU
seconds per MB should not grow. Then every game found is shown, clean or not, for in prose there is none. Exits with 1 if any is.
"""

from __future__ import annotations

import argparse
import sys
import time
from collections.abc import Sequence
from pathlib import Path

from pipeline.ingest.parts import parts
from pipeline.model import Filler, Game, Hints

MEGABYTE = 1_000_000


def main() -> None:
    """Read the files and print times, then games."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("files", nargs="*", type=Path)
    parser.add_argument("--sizes", nargs="*", type=float, default=[1, 2, 5, 10])
    parser.add_argument("--examples", type=int, default=20, help="most games to print for each file")
    given = parser.parse_args()
    if not given.files:
        print("NOT RUN: name files of prose")
    n_games = sum(report(path, given.sizes, given.examples) for path in given.files)
    sys.exit(1 if n_games else 0)


def report(path: Path, sizes: Sequence[float], n_examples: int) -> int:
    """Times and games of a file; gives the number of games in its longest stretch."""
    data = path.read_bytes()
    games: list[Game] = []
    text = ""
    print(f"{path.name}: {len(data) / MEGABYTE:.1f} MB")
    for n_bytes in sorted({min(round(size * MEGABYTE), len(data)) for size in sizes}):
        text = data[:n_bytes].decode("utf-8", "replace")
        started = time.process_time()
        games = [part for part in parts(text, [(0, len(text))], Hints()) if not isinstance(part, Filler)]
        seconds = time.process_time() - started
        per_mb = seconds / (n_bytes / MEGABYTE)
        print(f"  {n_bytes / MEGABYTE:6.1f} MB {seconds:8.2f} CPU s {per_mb:8.3f} s/MB {len(games):6} games")
    for game in games[:n_examples]:
        show(text, game)
    return len(games)


def show(text: str, game: Game) -> None:
    """One game found, with the text around it."""
    moves = " ".join(ply.san for ply in game.lines[0].plies)
    codes = sorted({issue.code for issue in game.issues})
    before, within = text[max(0, game.start - 60) : game.start], text[game.start : game.end][:200]
    print(f"    {game.status} {game.kind} {game.notation} {codes} {moves[:80]}\n      {before!r} >> {within!r}")


if __name__ == "__main__":
    main()
