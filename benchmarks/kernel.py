"""What bulk reading costs: CPU nanoseconds per half-move for each step, and for each column in Parquet.

    python benchmarks/kernel.py games.pgn [--mode compiled|plain] [--repeat 5]

The best of a few runs is shown, for one process on one core.
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
import pyarrow.parquet as pq

from pipeline import bulk, schema, split, tables

ENCODED = ("game_id", "color", "san", "uci")
"""Columns that `Bulk.plies` gives as dictionaries on request."""
NUMBERS = ("variation", "ply", "move_number")


def main() -> None:
    """Read the file as often as asked and print the figures."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("file", type=Path)
    parser.add_argument("--mode", choices=("auto", "compiled", "plain"), default="compiled")
    parser.add_argument("--repeat", type=int, default=5)
    options = parser.parse_args()
    pa.set_cpu_count(1)
    data = options.file.read_bytes()
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
        show(f"{name:32s} {best(step, options.repeat) / n * 1e9:7.1f} ns/ply")
    for level in (1, 3):
        show(f"Parquet, zstd {level}")
        for name in (None, *plies.column_names):
            table = plies if name is None else plies.select([name])
            nanoseconds = best(lambda table=table, level=level: write(table, level), options.repeat) / n * 1e9  # type: ignore[misc]
            show(f"    {name or 'all columns':28s} {nanoseconds:7.1f} ns/ply {len(write(table, level)) / n:7.3f} bytes/ply")


def write(table: pa.Table, level: int) -> bytes:
    """The table as Parquet, in the cheapest way found: dictionaries where few values repeat, statistics on numbers only."""
    sink = pa.BufferOutputStream()
    names = set(table.column_names)
    pq.write_table(
        table,
        sink,
        compression="zstd",
        compression_level=level,
        use_dictionary=[name for name in (*ENCODED, "written", "comment") if name in names],
        write_statistics=[name for name in NUMBERS if name in names],
        row_group_size=1 << 22,
        dictionary_pagesize_limit=8 << 20,
        store_schema=False,
    )
    written: bytes = sink.getvalue().to_pybytes()
    assert pq.read_schema(pa.BufferReader(written)).types == [schema.PLIES.schema.field(name).type for name in table.column_names]
    return written


def best(step: Callable[[], Any], repeat: int) -> float:
    """CPU seconds of the quickest of several runs."""
    seconds = []
    for _ in range(repeat):
        started = time.process_time()
        step()
        seconds.append(time.process_time() - started)
    return min(seconds)


def show(line: str) -> None:
    """One line of the result."""
    sys.stdout.write(line + "\n")


if __name__ == "__main__":
    main()
