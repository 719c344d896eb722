"""Writing down what people decided: rows are added to lake/curation/*.csv, whose other bytes stay as people left them."""

from __future__ import annotations

import csv
import io
from collections.abc import Mapping, Sequence
from pathlib import Path

from filelock import FileLock, Timeout

from pipeline.store.errors import LakeBusy, typed_errors
from pipeline.store.files import read_csv, replace_file
from pipeline.store.snapshots import (
    ALIAS_COLUMNS,
    ALIASES,
    CURATION,
    REPAIR_COLUMNS,
    REPAIRS,
    TOMBSTONE_COLUMNS,
    TOMBSTONES,
)

_LOCK = ".curation.lock"
_WAIT_SECONDS = 30.0
_COLUMNS: Mapping[str, Sequence[str]] = {REPAIRS: REPAIR_COLUMNS, TOMBSTONES: TOMBSTONE_COLUMNS, ALIASES: ALIAS_COLUMNS}
_KEYS: Mapping[str, Sequence[str]] = {REPAIRS: ("text_id", "ply"), TOMBSTONES: ("text_id",), ALIASES: ("decision_id",)}


def add_decision(root: Path, file: str, row: Mapping[str, str]) -> Mapping[str, str | None] | None:
    """Adds a row to REPAIRS, TOMBSTONES or ALIASES of the lake at `root`, durably.

    When there is a row of the same key already nothing is written and that row is given. Raises BadLake, LakeBusy, DiskFull.
    """
    path, columns, key = root / file, _COLUMNS[file], _KEYS[file]
    with typed_errors(root):
        (root / CURATION).mkdir(exist_ok=True)
        try:
            with FileLock(root / _LOCK, timeout=_WAIT_SECONDS):
                for there in read_csv(path, columns):
                    if all(there[name] == row[name] for name in key):
                        return there
                replace_file(path, _with_row(path, columns, row))
        except Timeout as error:
            raise LakeBusy(f"Another process is deciding about {root}", "Try again later") from error
    return None


def _with_row(path: Path, columns: Sequence[str], row: Mapping[str, str]) -> bytes:
    before = path.read_bytes() if path.exists() else b""
    before = before or f"{','.join(columns)}\n".encode()
    if not before.endswith(b"\n"):
        before += b"\n"
    first = next(csv.reader(io.StringIO(before.decode("utf-8-sig"), newline="")))
    line = io.StringIO(newline="")
    csv.writer(line, lineterminator="\n").writerow([row.get(name, "") for name in first])
    return before + line.getvalue().encode()
