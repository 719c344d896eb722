"""Publishing: the catalog is rebuilt from the newest snapshot and put in place, one process at a time, never backwards."""

from __future__ import annotations

import os
import uuid
from collections.abc import Callable
from pathlib import Path

from filelock import FileLock, Timeout

from pipeline.store.errors import BadLake, LakeBusy, typed_errors
from pipeline.store.files import TEMPORARY, read_json, replace_json, unlink_quietly
from pipeline.store.lake import Lake
from pipeline.store.snapshots import Snapshot

CATALOG = "catalog.duckdb"
_LOCK, _PUBLISHED = ".publish.lock", ".published.json"
WAIT_SECONDS = 600.0

Build = Callable[[Path, Snapshot, Path], object]
"""(lake, snapshot, target) → writes the catalog of the snapshot to `target`, which does not exist yet."""


def published_number(root: Path) -> int | None:
    """Number of the snapshot that the catalog was last known to show; None when there is no catalog."""
    try:
        if (root / CATALOG).exists():
            return int(read_json(root / _PUBLISHED)["snapshot"])
    except (FileNotFoundError, BadLake, KeyError, TypeError, ValueError):
        pass
    return None


def is_behind(lake: Lake) -> bool:
    """Does the catalog show an older snapshot than the newest (a run was killed between commit and publishing)?"""
    number = published_number(lake.root)
    return number is None or number < lake.head().number


def publish_head(lake: Lake, build: Build, *, force: bool = False, wait_seconds: float = WAIT_SECONDS) -> int | None:
    """Publishes the newest snapshot; gives its number, or None when the catalog shows it already (unless `force`).

    Raises LakeBusy when another process publishes for longer than `wait_seconds`, DiskFull, and whatever `build` raises:
    then the old catalog stays.
    """
    with typed_errors(lake.root):
        try:
            with FileLock(lake.root / _LOCK, timeout=wait_seconds):
                head = lake.head()
                number = published_number(lake.root)
                if number is not None and number >= head.number and not force:
                    return None
                _build(lake, build, head)
                return head.number
        except Timeout as error:
            raise LakeBusy(f"Another process is publishing the catalog of {lake.root}", "Try again later") from error


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
    replace_json(lake.root / _PUBLISHED, {"snapshot": head.number})
