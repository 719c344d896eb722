"""A reader of game texts for tests of store, engines and run: small, but it writes real Parquet as the real one does.

A game is whatever stands between two borders (`[Event "` after a blank line). Words in it make trouble on purpose:
KILL kills the worker, BUG raises, SLOW takes a while, BAD goes to quarantine. Run as a program it is an ingest that a test
can kill: `python -m tests.support_store LAKE PATH… [--workers N]`.
"""

from __future__ import annotations

import argparse
import hashlib
import json
import os
import signal
import sys
import time
from collections.abc import Callable
from itertools import pairwise
from pathlib import Path
from typing import Any

import duckdb
import pyarrow as pa

from pipeline import schema, sources, split
from pipeline.run import IngestOptions, RunResult, ingest_run
from pipeline.store import FileRef, Lake, Snapshot, write_table

Row = dict[str, Any]
ROOT = Path(__file__).parents[1]


def digest(text: str | bytes) -> str:
    """First 32 hex digits of SHA-256, as all ids."""
    return hashlib.sha256(text.encode() if isinstance(text, str) else text).hexdigest()[:32]


def game(n: int | str, word: str = "", n_filler_bytes: int = 0) -> bytes:
    """The text of a game that no other has; `word` is one of those that make trouble."""
    return f'[Event "{n}"]\n[Result "*"]\n\n1. e4 {{{word}{"x" * n_filler_bytes}}} e5 *\n\n'.encode()


def spans_of(data: bytes, poison: list[list[int]]) -> list[tuple[int, int, str]]:
    """Cuts bytes into games and poison, in order, without gap."""
    cuts = {0, len(data), *split.borders(data), *(cut for span in poison for cut in span)}
    edges = sorted(cut for cut in cuts if 0 <= cut <= len(data))
    found: list[tuple[int, int, str]] = []
    for start, end in pairwise(edges):
        dead = next((span for span in poison if span[0] <= start < span[1]), None)
        if dead is None:
            found.append((start, end, "game"))
        elif not found or found[-1][1] != dead[1]:
            found.append((dead[0], dead[1], "poison"))
    return found


def fake_ingest(shard: Row, write: Callable[..., FileRef] = write_table) -> Row:
    """Stands in for pipeline.ingest.ingest_shard."""
    tables: dict[str, list[Row]] = {name: [] for name in schema.TABLES}
    entries = {spec["source_id"]: read_source(spec, tables) for spec in shard["sources"]}
    files = {}
    for name, rows in tables.items():
        if rows:
            table = pa.Table.from_pylist(rows, schema=schema.TABLES[name].schema)
            files[name] = write(table, name, shard["out"]).as_dict()
    return {"shard_id": shard["shard_id"], "files": files, "sources": entries, "seconds_cpu": 0.0, "n_games_kernel": 0}


def read_source(spec: Row, tables: dict[str, list[Row]]) -> Row:
    """Rows of one source, or part of one; gives its entry in the receipt."""
    source_id = spec["source_id"]
    start, end = spec["range"] or (0, spec["n_bytes"])
    data = sources.read_range(spec["path"], start, end) if spec["range"] else sources.read_member(spec["path"], spec["inner"])
    if spec["status"] != "ok":
        spans = [(0, len(data), "poison")] if data else []
    else:
        spans = spans_of(data, [[a - start, b - start] for a, b in spec.get("poison", [])])
    entry = dict.fromkeys(("n_games", "n_clean", "n_truncated", "n_rejected", "n_plies"), 0)
    entry |= dict.fromkeys(("n_bytes_games", "n_bytes_quarantined", "n_bytes_filler"), 0)
    for a, b, kind in spans:
        text = data[a:b]
        is_clean = kind == "game" and b"BAD" not in text
        place = {"source_id": source_id, "byte_start": start + a, "byte_end": start + b}
        tables["spans"].append({**place, "kind": "game" if is_clean else "quarantine"})
        entry["n_bytes_games" if is_clean else "n_bytes_quarantined"] += b - a
        if kind == "game":
            add_game(text, place, spec["part"], is_clean, entry, tables)
        if not is_clean:
            reason = {"reason_code": "worker_killed" if spec.get("poison") else spec["status"], "raw": text}
            tables["quarantine"].append({**place, **reason, "quarantine_id": digest(f"quarantine:{source_id}:{start + a}")})
    return {"encoding": "ascii", "encoding_runner_up": None, "encoding_margin": None, **entry}


def add_game(text: bytes, place: Row, part: int, is_clean: bool, entry: Row, tables: dict[str, list[Row]]) -> None:
    """One game, two plies, and whatever trouble its words make."""
    if b"KILL" in text:
        os.kill(os.getpid(), signal.SIGKILL)
    if b"BUG" in text:
        raise ValueError("a bug on purpose")
    if b"SLOW" in text:
        time.sleep(0.03)
    game_id = digest(f"{place['source_id']}:{place['byte_start']}")
    event = text.split(b'"')[1].decode() if text.startswith(b"[Event") else None
    index = {"part": part, "index_in_part": entry["n_games"]}
    status = "clean" if is_clean else "rejected"
    tables["games"].append({**place, **index, "game_id": game_id, "event": event, "status": status, "n_plies": 2})
    for ply, san in ((1, "e4"), (2, "e5")):
        tables["plies"].append({"game_id": game_id, "variation": 0, "ply": ply, "san": san})
    entry["n_games"] += 1
    entry["n_clean" if is_clean else "n_rejected"] += 1
    entry["n_plies"] += 2


def fake_publish(lake: Path, snapshot: Snapshot, target: Path) -> None:
    """Stands in for the catalog: views over the files, and the number of the snapshot."""
    with duckdb.connect() as con:
        con.execute(f"attach '{target}' as c (storage_version 'v1.0.0')")
        for name, table in schema.TABLES.items():
            files = [str(lake / file) for file in snapshot.files.get(name, [])]
            nulls = ", ".join(f'null as "{column.name}"' for column in table.columns)
            con.execute(f"create view c.{name} as " + (f"from read_parquet({files})" if files else f"select {nulls} where false"))
        con.execute(f"create table c.about as select {snapshot.number} as snapshot")
        con.execute("detach c")


def ingest(lake: Path, *paths: Path | str, **options: Any) -> RunResult:
    """`ingest_run` with the stand-ins, one worker unless told otherwise."""
    chosen = IngestOptions(**{"paths": [str(path) for path in paths], "workers": 1, **options})
    return ingest_run(chosen, lake=lake, ingest_shard=fake_ingest, publish=fake_publish)


def events(lake: Path) -> list[str]:
    """Event names of all live games, sorted: which games are there, and how often."""
    return sorted(str(row["event"]) for row in live_rows(lake, "games"))


def live_rows(lake: Path, table: str) -> list[Row]:
    """All rows of a stored table in the newest snapshot."""
    files = Lake.open(lake).head().files.get(table, [])
    return [row for file in files for row in pa.parquet.read_table(lake / file).to_pylist()]


def data_files(lake: Path) -> set[str]:
    """Names of all data files, live or not."""
    return {path.name for path in (lake / "data").iterdir()}


def main() -> int:
    """An ingest as a process: prints the result as JSON."""
    parser = argparse.ArgumentParser()
    parser.add_argument("lake")
    parser.add_argument("paths", nargs="+")
    parser.add_argument("--workers", type=int, default=1)
    parser.add_argument("--collection")
    parser.add_argument("--commit-seconds", type=float, default=180)
    given = parser.parse_args()
    options = {"workers": given.workers, "collection": given.collection, "commit_seconds": given.commit_seconds}
    result = ingest(Path(given.lake), *given.paths, **options)
    print(json.dumps({"exit_code": result.exit_code, "problem": result.problem, "snapshot_after": result.snapshot_after}))
    return result.exit_code


if __name__ == "__main__":
    sys.exit(main())
