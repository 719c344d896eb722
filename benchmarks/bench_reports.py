"""Reports on a lake of a million games: seconds of ingest, of each computed table and of each report.

usage: bench_reports.py [LAKE] [--games N] [--moves FILE.pgn] [--workers N] [--catalog] [--only NAME …] [--runs N]

Where LAKE does not exist, games are made (made_games.py) and ingested; without LAKE, into a folder that is removed. --catalog
computes the catalog of a lake anew with this code. Then every report runs in one session, as `notatio report` runs it, once to
get warm and RUNS times more. A line each: shortest wall-clock seconds and the CPU seconds of that run (all threads: on a busy
machine the fairer figure). Those over 1 s of wall-clock time are marked.
"""

from __future__ import annotations

import argparse
import logging
import os
import resource
import subprocess
import sys
import tempfile
import time
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import duckdb

sys.path.insert(0, str(Path(__file__).parents[1]))

from benchmarks import made_games
from pipeline import catalog
from pipeline.run import publish_catalog
from pipeline.store import Lake, publish_head

LIMIT = 1.0
VALUES = {
    "event_name": "select event from events where kind = 'tournament' order by n_games desc, event_id limit 1",
    "player_name": "select name from players order by n_games desc, player_id limit 1",
    "opponent_name": "select name from players order by n_games desc, player_id limit 1 offset 1",
}
"""A value for each parameter that has no default, from the lake: large ones, since these are slow."""


def ingest(lake: Path, n_games: int, moves: Path, workers: int) -> None:
    with tempfile.TemporaryDirectory(dir=lake.parent) as folder:
        begin = time.perf_counter()
        n_bytes = made_games.write(Path(folder), n_games, moves)
        print(f"made        {time.perf_counter() - begin:8.2f} s  {n_games:,} games, {n_bytes:,} bytes", flush=True)
        begin = time.perf_counter()
        command = [sys.executable, "-m", "pipeline", "ingest", folder, "--lake", str(lake), "--workers", str(workers)]
        subprocess.run([*command, "--no-build"], check=True)
        print(f"ingest      {time.perf_counter() - begin:8.2f} s  {workers} workers, without the catalog", flush=True)


class Steps(logging.Handler):
    """Prints what publishing logs: a line for each computed table."""

    def emit(self, record: logging.LogRecord) -> None:
        name, seconds = record.args if isinstance(record.args, tuple) else (record.getMessage(), 0.0)
        if isinstance(seconds, float) and seconds >= 0.05:
            print(f"publish     {seconds:8.2f} s  {name}", flush=True)


def publish(lake: Path) -> None:
    log = logging.getLogger("pipeline.catalog")
    log.setLevel(logging.DEBUG)
    log.addHandler(Steps())
    begin, cpu = time.perf_counter(), time.process_time()
    publish_head(Lake.open(lake), publish_catalog, force=True)
    seconds, cpu = time.perf_counter() - begin, time.process_time() - cpu
    peak = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024
    print(f"publish     {seconds:8.2f} s  in all, {cpu:.2f} s CPU, at most {peak:,.0f} MiB of memory", flush=True)


def parameters(con: duckdb.DuckDBPyConnection, report: catalog.Report) -> Mapping[str, Any] | None:
    """Values for what has no default; None when one is not known here."""
    needed = [p.name for p in report.parameters if p.default is None]
    if not VALUES.keys() >= set(needed):
        return None
    found = {name: con.execute(VALUES[name]).fetchall() for name in needed}
    return {name: rows[0][0] for name, rows in found.items() if rows}


def time_report(con: duckdb.DuckDBPyConnection, report: catalog.Report, runs: int) -> float:
    """Runs a report and prints its line; gives its seconds."""
    given = parameters(con, report)
    if given is None:
        print(f"NOT RUN                  {report.name}: no value for its parameters", flush=True)
        return 0.0
    times = []
    for turn in range(runs + 1):
        begin, cpu = time.perf_counter(), time.process_time()
        n_rows = catalog.run_report(con, report.name, given).num_rows
        times.append((time.perf_counter() - begin, time.process_time() - cpu))
        if not turn and times[0][0] > 15:
            break
    wall, cpu = min(times[1:] or times)
    over = "  OVER 1 s" if wall > LIMIT else ""
    shown = ", ".join(f"{name} = {value}" for name, value in given.items())
    print(f"report {wall:8.2f} s {cpu:8.2f} s CPU  {report.name}({shown}): {n_rows:,} rows{over}", flush=True)
    return wall


def measure(lake: Path, given: argparse.Namespace) -> None:
    is_new = not lake.exists()
    if is_new:
        ingest(lake, given.games, given.moves, given.workers)
    if is_new or given.catalog:
        publish(lake)
    print(f"catalog     {(lake / 'catalog.duckdb').stat().st_size / 1e6:8.1f} MB", flush=True)
    with catalog.connect(lake) as con:
        wanted = [report for report in catalog.reports() if not given.only or report.name in given.only]
        slow = [report.name for report in wanted if time_report(con, report, given.runs) > LIMIT]
    print(f"{len(wanted)} reports, {len(slow)} over {LIMIT:g} s: {', '.join(slow) or 'none'}")


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("lake", nargs="?", type=Path)
    parser.add_argument("--games", type=int, default=1_000_000)
    parser.add_argument("--moves", type=Path, default=made_games.SAMPLE)
    parser.add_argument("--workers", type=int, default=os.cpu_count() or 1)
    parser.add_argument("--catalog", action="store_true")
    parser.add_argument("--only", nargs="+", default=())
    parser.add_argument("--runs", type=int, default=3)
    given = parser.parse_args()
    if given.lake:
        measure(given.lake, given)
    else:
        with tempfile.TemporaryDirectory() as folder:
            measure(Path(folder, "lake"), given)


if __name__ == "__main__":
    main()
