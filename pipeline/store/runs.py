"""Runs: their manifests, and what they have staged but not committed.

`runs/<run_id>.json` is the manifest (kept for ever). `runs/<run_id>/` exists while a run has something staged: its lock, its
receipts `<shard_id>.json`, `plan.json`, spooled input. A run lives as long as its lock is held; the system drops the
lock of a killed process, whose receipts the next run adopts.
"""

from __future__ import annotations

import os
import re
import secrets
import shutil
from collections.abc import Iterator
from contextlib import suppress
from dataclasses import dataclass
from datetime import UTC, datetime
from pathlib import Path
from typing import Any, Self

from filelock import BaseFileLock, FileLock, Timeout

from pipeline.store.errors import BadLake
from pipeline.store.files import read_json, replace_json

LOCK, PLAN, PROBE = ".lock", "plan.json", "probe"
_RECEIPT = re.compile(r"[0-9a-f]{32}\.json")
MANIFEST_COLUMNS = (
    "run_id",
    "started_at",
    "finished_at",
    "state",
    "exit_code",
    "version",
    "arguments",
    "snapshot_before",
    "snapshot_after",
    "n_new",
    "n_replaced",
    "n_skipped",
    "n_failed",
)
"""Columns of the view `runs`. `state`: running, finished, interrupted, failed, killed. A manifest may have more."""


def utc_now() -> str:
    """The time as ISO 8601, UTC, with microseconds (sorts as text)."""
    return datetime.now(UTC).isoformat(timespec="microseconds").replace("+00:00", "Z")


def new_run_id() -> str:
    """A name that sorts by time and is not given twice."""
    return f"{datetime.now(UTC):%Y%m%dT%H%M%S%f}-{secrets.token_hex(3)}"


@dataclass(frozen=True)
class StagedReceipt:
    """A receipt that waits for its commit."""

    path: Path
    shard_id: str
    receipt: dict[str, Any]


class Run:
    """A run that is going on: holds its lock, its folder and its manifest. Use as a context manager."""

    def __init__(self, directory: Path, run_id: str | None = None) -> None:
        self.run_id = run_id or new_run_id()
        self.directory = directory
        self.folder = directory / self.run_id
        self._lock: BaseFileLock | None = None

    def __enter__(self) -> Self:
        """Makes the folder, locked before it can be seen: nobody ever takes it for that of a killed run."""
        unseen = self.directory / f".{self.run_id}"
        unseen.mkdir()
        self._lock = FileLock(unseen / LOCK)
        self._lock.acquire()
        unseen.rename(self.folder)
        return self

    def __exit__(self, *exc: object) -> None:
        """Lets go. The folder goes too, unless receipts in it still wait for a commit."""
        if self._lock is not None:
            self._lock.release()
        remove_if_done(self.folder)

    def write_manifest(self, manifest: dict[str, Any]) -> None:
        """Replaces the manifest."""
        replace_json(self.directory / f"{self.run_id}.json", {"run_id": self.run_id, **manifest})

    def stage_plan(self, groups: list[list[str]]) -> None:
        """Keeps which sources were planned together, so that a later run of what is left plans them alike."""
        replace_json(self.folder / PLAN, groups)


def is_live(folder: Path) -> bool:
    """Does the process of this run's folder still hold its lock?"""
    if not (folder / LOCK).exists():
        return False
    lock = FileLock(folder / LOCK)
    try:
        lock.acquire(timeout=0)
    except Timeout:
        return True
    except OSError:
        return folder.exists()  # cannot be told: be careful
    lock.release()
    return False


def folders(directory: Path) -> list[Path]:
    """Folders of runs that staged something, oldest first."""
    return sorted(path for path in directory.iterdir() if path.is_dir() and not path.name.startswith("."))


def unborn(directory: Path) -> list[Path]:
    """Folders that were being made for a run when it was killed, or that are being made now."""
    return sorted(path for path in directory.iterdir() if path.is_dir() and path.name.startswith("."))


def staged(folder: Path) -> Iterator[StagedReceipt]:
    """Receipts of one run. A file that cannot be read is skipped: the shard is simply read again."""
    for path in _receipts(folder):
        with suppress(BadLake, FileNotFoundError):
            yield StagedReceipt(path, path.stem, read_json(path))


def _receipts(folder: Path) -> list[Path]:
    """Receipts in a folder, which another run may remove at any moment."""
    try:
        return [folder / name for name in sorted(os.listdir(folder)) if _RECEIPT.fullmatch(name)]
    except FileNotFoundError:
        return []


def planned_groups(folder: Path) -> list[list[str]]:
    """What `stage_plan` kept; nothing when there is none."""
    with suppress(BadLake, FileNotFoundError):
        return [list(map(str, group)) for group in read_json(folder / PLAN)]
    return []


def remove_if_done(folder: Path) -> bool:
    """Removes a run's folder when no receipt waits in it."""
    if _receipts(folder):
        return False
    shutil.rmtree(folder, ignore_errors=True)
    return True


def manifests(directory: Path) -> list[dict[str, Any]]:
    """All manifests, oldest first, with every column of MANIFEST_COLUMNS (missing ones None)."""
    found = []
    for path in sorted(directory.glob("*.json")):
        with suppress(BadLake, FileNotFoundError):
            found.append({**dict.fromkeys(MANIFEST_COLUMNS), **read_json(path)})
    return found


def mark_killed(directory: Path) -> list[str]:
    """Says `killed` in the manifest of each run that is `running` but whose process is gone; gives their ids."""
    killed = []
    for manifest in manifests(directory):
        if manifest["state"] == "running" and not is_live(directory / manifest["run_id"]):
            replace_json(directory / f"{manifest['run_id']}.json", {**manifest, "state": "killed"})
            killed.append(manifest["run_id"])
    return killed
