"""The lake: a folder of immutable data files and of snapshots that say which are live (docs/lake.md).

Readers need read permission only. Workers write data files; only a driver commits, with `Lake.commit`.
"""

from __future__ import annotations

import os
import random
import re
import time
from collections.abc import Iterable
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from pipeline.store import registry, removal, runs, snapshots
from pipeline.store.errors import BadLake, FilesGone, LakeUsage, NewerFormat, NoLake, typed_errors
from pipeline.store.files import FileRef, is_in_place, json_bytes, link_new, lost_segments, unlink_quietly, write_table
from pipeline.store.snapshots import CORRECTION_COLUMNS, CORRECTIONS, CURATION, DATA, RUNS, SNAPSHOTS, Snapshot
from pipeline.store.state import Applied, Change, Files, apply

_NAME = re.compile(r"[A-Za-z0-9][A-Za-z0-9._-]{0,99}")
_LINK_PROBE = ".link-probe"


@dataclass(frozen=True)
class Committed:
    """What a commit did. `snapshot` is None when the change was true already. See `state.Applied` for the sets."""

    snapshot: Snapshot | None
    added: frozenset[str]
    taken: frozenset[str]
    missing: frozenset[str]
    outgoing: frozenset[str]


class Lake:
    """A lake at a place. Make one with `open` (must exist) or `create`."""

    def __init__(self, root: Path) -> None:
        self.root = root
        self.data, self.snapshots = root / DATA, root / SNAPSHOTS
        self.runs, self.curation = root / RUNS, root / CURATION

    @classmethod
    def open(cls, root: Path | str) -> Lake:
        """An existing lake, for reading or writing. Raises NoLake."""
        lake = cls(Path(os.path.abspath(root)))
        if not lake.snapshots.is_dir():
            raise NoLake(
                f"There is no lake at {lake.root}",
                "Make one with `notatio ingest PATH --lake DIR` or `notatio demo`, or name one with --lake or NOTATIO_LAKE",
            )
        return lake

    @classmethod
    def create(cls, root: Path | str) -> Lake:
        """The lake at `root`, made when there is none. Raises BadLake when the place cannot hold one."""
        lake = cls(Path(os.path.abspath(root)))
        with typed_errors(lake.root):
            lake._refuse_foreign_folder()
            for folder in (lake.snapshots, lake.data, lake.runs, lake.curation):
                folder.mkdir(parents=True, exist_ok=True)
            if not (corrections := lake.root / CORRECTIONS).exists():
                link_new(corrections, f"{','.join(CORRECTION_COLUMNS)}\n".encode())
        return lake

    def _refuse_foreign_folder(self) -> None:
        if self.root.exists() and not self.root.is_dir():
            raise BadLake(f"{self.root} is a file", "Name a folder for the lake")
        if self.root.is_dir() and not self.snapshots.is_dir():
            other = [name for name in os.listdir(self.root) if not name.startswith(".") and name != "lost+found"]
            if other:
                raise BadLake(f"{self.root} is a folder with other things in it, not a lake", "Name an empty or a new folder")

    def head(self) -> Snapshot:
        """The newest snapshot. Raises BadLake, NewerFormat."""
        return snapshots.head(self.root)

    def snapshot(self, which: int | str) -> Snapshot:
        """A snapshot by number or name. Raises SnapshotRemoved, and LakeUsage when there is none."""
        names = self.names()
        number = names.get(which) if isinstance(which, str) else which
        if number is None and str(which).isdigit():
            number = int(which)
        try:
            if number is not None:
                return snapshots.load(self.root, number)
        except FileNotFoundError:
            pass
        known = ", ".join(sorted(names)) or "none"
        raise LakeUsage(f"There is no snapshot {which} in {self.root}", f"Newest: {self.head().number}; names: {known}")

    def names(self) -> dict[str, int]:
        """Names of snapshots that gc keeps for ever."""
        found = {}
        for path in sorted(self.snapshots.glob("*.name")):
            found[path.stem] = int(path.read_text("utf-8"))
        return found

    def name_snapshot(self, name: str, number: int | None = None) -> Snapshot:
        """Names a snapshot (default: the newest), which then stays for ever. A name is given once."""
        if not _NAME.fullmatch(name) or name.isdigit():
            raise LakeUsage(f"{name!r} is no name for a snapshot", "Use letters, digits, . _ - and no number")
        snapshot = self.head() if number is None else self.snapshot(number)
        if snapshot.number == 0:
            raise LakeUsage(f"Nothing was committed to {self.root} yet", "Ingest something first")
        path = self.snapshots / f"{name}.name"
        with typed_errors(self.root):
            if not link_new(path, f"{snapshot.number}\n".encode()) and self.names()[name] != snapshot.number:
                raise LakeUsage(f"Snapshot {self.names()[name]} has the name {name} already", "Choose another name")
            try:
                return snapshots.load(self.root, snapshot.number)
            except snapshots.SnapshotRemoved:  # gc came in between
                unlink_quietly(path)
                raise

    def check_writable(self, results_version: str) -> None:
        """Raises BadLake, NewerFormat or DiskFull now rather than after an hour's work."""
        with typed_errors(self.root):
            probe = self.snapshots / f"{_LINK_PROBE}-{os.getpid()}-{random.getrandbits(32):08x}"
            try:
                link_new(probe, b"")
            finally:
                unlink_quietly(probe)
            newer = snapshots.check_head(self.root).results_version
            if _version_key(newer) > _version_key(results_version):
                raise NewerFormat(
                    f"The lake {self.root} holds results of version {newer}, this program makes {results_version}",
                    "Install a newer version",
                )

    def commit(
        self, change: Change, *, results_version: str, run_id: str | None = None, because: str = "ingest", version: str = ""
    ) -> Committed:
        """Makes `change` true in one snapshot. Retries when another writer was faster, each time from its result.

        Raises FilesGone when staged files have vanished, DiskFull, StorageAway, BadLake; then nothing has changed.
        """
        rewritten: dict[tuple[tuple[str, ...], frozenset[str]], Files] = {}

        def without(files: Files, gone: frozenset[str]) -> Files:
            key = (tuple(sorted(r.name for r in files.values())), gone)
            if key not in rewritten:
                rewritten[key] = removal.without(self.data, files, gone)
            return rewritten[key]

        with typed_errors(self.root):
            while True:
                head = self.head()
                self._check_files(r for staged in change.segments.values() for r in staged.files.values())
                applied = apply(head.state, change, runs.utc_now(), without, self._lost(head, change.sources))
                if not applied.changed:
                    return _committed(None, applied)
                new = self._next(head, applied, results_version, run_id=run_id, because=because, version=version)
                live_before = {r.name for references in head.file_refs.values() for r in references}
                self._check_files(r for rs in new.file_refs.values() for r in rs if r.name not in live_before)
                path = self.snapshots / snapshots.file_name(new.number)
                if link_new(path, json_bytes(snapshots.to_json(new))):
                    return _committed(new, applied)
                time.sleep(random.random() * 0.05)  # lost the race: look again

    def _lost(self, head: Snapshot, sources: Iterable[str]) -> frozenset[str]:
        """Segments of these sources, as far as they are live, of which a file is missing."""
        keys = {key for s in sources if (row := head.state.sources.get(s)) for key in row["segments"]}
        return lost_segments(self.data, {key: head.segments[key] for key in keys})

    def _check_files(self, references: Iterable[FileRef]) -> None:
        gone = tuple(sorted(r.name for r in references if not is_in_place(self.data, r)))
        if gone:
            raise FilesGone(gone)

    def _next(self, head: Snapshot, applied: Applied, results_version: str, **about: Any) -> Snapshot:
        """The next snapshot: its registries are written, itself is not."""
        state = applied.state
        sources = write_table(registry.sources_table(state.sources.values()), "sources", self.snapshots)
        paths = write_table(registry.source_paths_table(state.paths.values()), "source_paths", self.snapshots)
        return Snapshot(
            self.root,
            head.number + 1,
            max(results_version, head.results_version, key=_version_key),
            runs.utc_now(),
            segments=state.segments,
            registry={"sources": sources.name, "source_paths": paths.name},
            **about,
        )

    def forget(self, sources: Iterable[str], *, because: str, results_version: str, version: str = "") -> Committed:
        """Takes sources out of the lake, in one snapshot; their bytes stay in old snapshots until gc. A run of its own."""
        with runs.Run(self.runs) as run:
            change = Change(forget=frozenset(sources))
            return self.commit(
                change, results_version=results_version, run_id=run.run_id, because=f"forget: {because}", version=version
            )


def _version_key(version: str) -> tuple[int, ...]:
    return tuple(int(digits) for digits in re.findall(r"\d+", version))


def _committed(snapshot: Snapshot | None, applied: Applied) -> Committed:
    return Committed(snapshot, applied.added, applied.taken, applied.missing, applied.outgoing)
