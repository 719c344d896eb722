"""Publishing: the catalog is rebuilt from the newest snapshot and put in place, one process at a time, never backwards."""

from __future__ import annotations

import os
import uuid
from collections.abc import Callable
from pathlib import Path

from filelock import FileLock, Timeout

from pipeline.store.errors import BadLake, LakeBusy, typed_errors
from pipeline.store.files import TEMPORARY, is_in_place, lost_segments, replace_json, unlink_quietly
from pipeline.store.lake import Lake
from pipeline.store.snapshots import CATALOG, PUBLISHED, Snapshot, published_number

_LOCK = ".publish.lock"
WAIT_SECONDS = 600.0

Build = Callable[[Path, Snapshot, Path], object]
"""(lake, snapshot, target) → writes the catalog of the snapshot to `target`, which does not exist yet."""


def is_behind(lake: Lake) -> bool:
    """Must the catalog be published again: it is missing, shows an older snapshot, or a foreign log lies beside it?"""
    number = published_number(lake.root)
    return number is None or number < lake.head().number or has_foreign_log(lake.root)


def can_be_published(lake: Lake) -> bool:
    """Is there a snapshot, with all its data files in place?"""
    head = lake.head()
    return head.number > 0 and not lost_segments(lake.data, head.segments)


def has_foreign_log(root: Path) -> bool:
    """Does a write-ahead log lie beside the catalog? It is never ours, and DuckDB would show what it says."""
    return (root / f"{CATALOG}.wal").exists()


def publish_head(lake: Lake, build: Build, *, force: bool = False, wait_seconds: float = WAIT_SECONDS) -> int | None:
    """Publishes the newest snapshot; gives its number, or None when the catalog shows it already (unless `force`).

    Raises LakeBusy when another process publishes for longer than `wait_seconds`, DiskFull, BadLake, and whatever `build` raises:
    then the old catalog stays.
    """
    with typed_errors(lake.root):
        try:
            with FileLock(lake.root / _LOCK, timeout=wait_seconds):
                head = lake.head()
                number = published_number(lake.root)
                if number is not None and number >= head.number and not force and not has_foreign_log(lake.root):
                    return None
                _check_files(lake, head)
                _build(lake, build, head)
                return head.number
        except Timeout as error:
            raise LakeBusy(f"Another process is publishing the catalog of {lake.root}", "Try again later") from error


def _check_files(lake: Lake, head: Snapshot) -> None:
    """Raises BadLake when a data file is missing: no query over it would run."""
    gone = [r.name for references in head.file_refs.values() for r in references if not is_in_place(lake.data, r)]
    if gone:
        what = f"{lake.data / gone[0]} is missing" + (f", and {len(gone) - 1} more" if len(gone) > 1 else "")
        raise BadLake(what, "Ingest again what it was made of, or restore it from a backup")


def _build(lake: Lake, build: Build, head: Snapshot) -> None:
    target = lake.root / f"{TEMPORARY}{os.getpid()}-{uuid.uuid4().hex}.duckdb"
    try:
        build(lake.root, head, target)
        os.chmod(target, 0o444)
        unlink_quietly(lake.root / f"{CATALOG}.wal")  # of a killed writable session: the new file would replay it
        os.replace(target, lake.root / CATALOG)
    finally:
        unlink_quietly(target)
        unlink_quietly(target.with_name(f"{target.name}.wal"))
    replace_json(lake.root / PUBLISHED, {"snapshot": head.number})
