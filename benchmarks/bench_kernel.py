"""What bulk reading costs: CPU nanoseconds per half-move for each step, and for each column in Parquet.

usage: bench_kernel.py [FILE.pgn] [--mode auto|compiled|plain] [--runs N] [--bytes N]

The best of a few runs is shown, for one process on one core. FILE is repeated to about 8 MB; without it the sample's games
are, which compress better than real ones: name a file of real games for bytes per half-move.
"""

from __future__ import annotations

import argparse
import sys
import time
from collections.abc import Callable
from hashlib import sha256
from itertools import pairwise
from pathlib import Path
from typing import Any

import numpy as np
import pyarrow as pa

from pipeline import bulk, split, tables
from pipeline.store.files import parquet_bytes

SAMPLE = Path(__file__).parents[1] / "data" / "sample" / "match-1972.pgn"
TARGET_BYTES = 8_000_000


def main() -> None:
    """Read the file as often as asked and print the figures."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("file", nargs="?", type=Path, default=SAMPLE)
    parser.add_argument("--mode", choices=("auto", "compiled", "plain"), default="compiled")
    parser.add_argument("--runs", type=int, default=3)
    parser.add_argument("--bytes", type=int, default=TARGET_BYTES)
    options = parser.parse_args()
    pa.set_cpu_count(1)
    data = options.file.read_bytes().strip() + b"\n\n"
    data *= max(1, round(options.bytes / len(data)))
    borders = [0, *split.borders(data), len(data)]
    chunks = np.array([pair for pair in pairwise(borders) if pair[0] < pair[1]], np.int64)
    english = next(alphabet for alphabet in tables.alphabets() if alphabet.name == "en")

    def read() -> bulk.Bulk:
        return bulk.read(data, chunks, english, options.mode, plus_may_mate=True, may_pass=True, may_set_up=True)

    answer = read()
    n_games = answer.games.num_rows
    ids = pa.array([sha256(str(k).encode()).hexdigest()[:32] for k in range(n_games)], pa.string())
    every = np.ones(n_games, np.bool_)
    plies = answer.plies(every, ids, is_encoded=True)
    n = max(plies.num_rows, 1)
    show(f"{len(data) / 1e6:.1f} MB, {len(chunks)} chunks, {n_games / len(chunks):.2%} answered, {plies.num_rows} plies")
    steps: dict[str, Callable[[], Any]] = {
        "read": read,
        "plies, dictionaries": lambda: answer.plies(every, ids, is_encoded=True),
        "plies, plain strings": lambda: answer.plies(every, ids),
        "annotations": lambda: answer.annotations(every, ids, {}),
        "variations": lambda: answer.variations(every, ids),
    }
    for name, step in steps.items():
        show(f"{name:32s} {best(step, options.runs) / n * 1e9:7.1f} ns/ply")
    show("Parquet, as the lake writes it")
    for name in (None, *plies.column_names):
        table = plies if name is None else plies.select([name])
        nanoseconds = best(lambda table=table: parquet_bytes(table, "plies"), options.runs) / n * 1e9  # type: ignore[misc]
        n_bytes = parquet_bytes(table, "plies").size
        show(f"    {name or 'all columns':28s} {nanoseconds:7.1f} ns/ply {n_bytes / n:7.3f} bytes/ply")


def best(step: Callable[[], Any], n_runs: int) -> float:
    """CPU seconds of the quickest of so many runs."""
    seconds = []
    for _ in range(n_runs):
        started = time.process_time()
        step()
        seconds.append(time.process_time() - started)
    return min(seconds)


def show(line: str) -> None:
    """One line of the result."""
    sys.stdout.write(line + "\n")


if __name__ == "__main__":
    main()
