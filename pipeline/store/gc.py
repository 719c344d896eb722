"""Removing what no reader and no run needs any more.

Kept: the newest snapshot, the one that the catalog shows, named ones, and any that was the newest less than a retention
ago; all files of these; all that a live run, or a killed one within the retention, has written.
"""

from __future__ import annotations

import os
import shutil
import time
from collections.abc import Iterator
from contextlib import suppress
from dataclasses import dataclass
from datetime import UTC, datetime
from itertools import pairwise
from pathlib import Path

from filelock import FileLock, Timeout

from pipeline.store import runs, snapshots
from pipeline.store.errors import LakeBusy, typed_errors
from pipeline.store.files import TEMPORARY, replace_json, unlink_quietly
from pipeline.store.lake import Lake

RETENTION_SECONDS = 24 * 3600
_LOCK = ".gc.lock"
_CLOCK_SECONDS = 60
"""Clocks of several machines may differ by this much."""


@dataclass(frozen=True)
class Swept:
    """What gc removed."""

    n_snapshots: int = 0
    n_files: int = 0
    n_bytes: int = 0
    n_runs: int = 0


def gc(lake: Lake, *, retention_seconds: float = RETENTION_SECONDS) -> Swept:
    """Sweeps the lake. Raises LakeBusy when another gc is at work, BadLake when snapshots are missing: their files would go.

    Files go before snapshots and again after them, since a marker needs a little space and the disk may be full.
    """
    with typed_errors(lake.root):
        try:
            with FileLock(lake.root / _LOCK, timeout=0):
                snapshots.check_head(lake.root)
                now = time.time()
                first = _sweep_files(lake, now - retention_seconds)
                n_runs = _sweep_runs(lake, now - retention_seconds)
                n_snapshots = _sweep_snapshots(lake, now - retention_seconds)
                second = _sweep_files(lake, now - retention_seconds)
        except Timeout as error:
            raise LakeBusy(f"Another gc is at work in {lake.root}", "Wait for it") from error
    return Swept(n_snapshots, first.n_files + second.n_files, first.n_bytes + second.n_bytes, n_runs)


def _sweep_runs(lake: Lake, before: float) -> int:
    """Removes what runs staged that were killed before a time; nobody will resume them."""
    n_removed = 0
    for folder in (*runs.folders(lake.runs), *runs.unborn(lake.runs)):
        if not runs.is_live(folder) and _newest(folder) < before:
            shutil.rmtree(folder, ignore_errors=True)
            n_removed += 1
    return n_removed


def _newest(folder: Path) -> float:
    """When something in a run's folder was last written (its lock file aside, which `is_live` may touch)."""
    times = [0.0]
    with suppress(FileNotFoundError):
        times.append(folder.stat().st_mtime)
        for name in os.listdir(folder):
            if name != runs.LOCK:
                with suppress(FileNotFoundError):
                    times.append((folder / name).stat().st_mtime)
    return max(times)


def _sweep_snapshots(lake: Lake, before: float) -> int:
    """Replaces by a marker each snapshot that was superseded before a time and that nobody holds on to."""
    used = snapshots.numbers(lake.snapshots)
    n_removed = 0
    for number, successor in pairwise(used):
        held = {*lake.names().values(), snapshots.published_number(lake.root)}
        path = lake.snapshots / snapshots.file_name(number)
        superseded = (lake.snapshots / snapshots.file_name(successor)).stat()
        try:
            snapshots.load(lake.root, number)
        except snapshots.SnapshotRemoved:
            continue
        # A marker in the successor's place is younger than the successor was: then this one waits a little longer.
        if number not in held and superseded.st_mtime < before:
            replace_json(path, snapshots.marker(number, runs.utc_now()))
            n_removed += 1
    return n_removed


def _sweep_files(lake: Lake, before: float) -> Swept:
    """Removes data files, registries and unfinished files that nothing refers to and that are older than a time."""
    n_files = n_bytes = 0
    for path in unneeded(lake, before):
        if _is_older(path, before):
            with suppress(FileNotFoundError):
                size = path.stat().st_size
                if unlink_quietly(path):
                    n_files, n_bytes = n_files + 1, n_bytes + size
    return Swept(n_files=n_files, n_bytes=n_bytes)


def unneeded(lake: Lake, before: float) -> list[Path]:
    """Files older than a time that no snapshot, live run or staged receipt needs."""
    before = min([before, *(started - _CLOCK_SECONDS for started in _starts_of_live_runs(lake))])
    old = [path for path in _removable(lake) if _is_older(path, before)]
    needed = _needed(lake)  # after the list: what is committed meanwhile is either young or in here
    return [path for path in old if path.name not in needed]


def _removable(lake: Lake) -> Iterator[Path]:
    for folder in (lake.data, lake.snapshots):
        yield from sorted(folder.glob("*.parquet"))
    for folder in (lake.root, lake.data, lake.snapshots, lake.runs, lake.curation):
        yield from sorted(folder.glob(f"{TEMPORARY}*"))
    for folder in runs.folders(lake.runs):
        with suppress(FileNotFoundError):  # its run ended this moment
            yield from (folder / name for name in sorted(os.listdir(folder)) if name.startswith(TEMPORARY))


def _needed(lake: Lake) -> set[str]:
    """Names of all files that a kept snapshot or a staged receipt refers to."""
    needed: set[str] = set()
    for snapshot in snapshots.kept(lake.root):
        needed.update(snapshot.registry.values())
        needed.update(r.name for files in snapshot.segments.values() for r in files.values())
    for folder in runs.folders(lake.runs):
        for waiting in runs.staged(folder):
            needed.update(row["name"] for row in waiting.receipt.get("files", {}).values())
    return needed


def _starts_of_live_runs(lake: Lake) -> Iterator[float]:
    for folder in runs.folders(lake.runs):
        if runs.is_live(folder):
            with suppress(ValueError):
                yield datetime.strptime(folder.name[:15], "%Y%m%dT%H%M%S").replace(tzinfo=UTC).timestamp()


def _is_older(path: Path, before: float) -> bool:
    try:
        return os.stat(path).st_mtime < before
    except FileNotFoundError:
        return False
