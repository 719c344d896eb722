"""Snapshots: numbered files that say which data files are live. They are the only truth of a lake.

`_snapshots/0000000123.json` is made by link(2) of a durable file, so of two writers one wins and the other sees it. A number
is never used again: gc replaces a snapshot by a marker of the same name. The registries stand beside it as Parquet.
"""

from __future__ import annotations

import os
import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from functools import cached_property
from pathlib import Path
from typing import Any

from pipeline.store import runs
from pipeline.store.errors import BadLake, LakeUsage, NewerFormat
from pipeline.store.files import FileRef, read_csv, read_json, read_table
from pipeline.store.registry import Row, path_key
from pipeline.store.state import Files, State

FORMAT = 1
"""Version of the layout of a lake. A lake of a higher one is not written."""
CATALOG, PUBLISHED = "catalog.duckdb", ".published.json"
DATA, SNAPSHOTS, RUNS, CURATION = "data", "_snapshots", "runs", "curation"
CORRECTIONS = f"{CURATION}/corrections.csv"
"""What people decided and nothing can rebuild, below the lake; made with it, without rows."""
CORRECTION_COLUMNS = ("text_id", "field", "value", "because", "author", "made_at")
REPAIRS = f"{CURATION}/repairs.csv"
"""Misprints that people decided; made with its first row."""
REPAIR_COLUMNS = ("text_id", "ply", "written", "read_as", "because", "author", "made_at")
TOMBSTONES = f"{CURATION}/tombstones.csv"
"""Texts that people decided are no games; made with its first row."""
TOMBSTONE_COLUMNS = ("text_id", "because", "author", "made_at")
GIVEN_RESULTS = f"{CURATION}/published_results.csv"
"""Scores of series that people took from print; made by them."""
GIVEN_COLUMNS = ("player", "opponent", "event", "year", "score", "source", "note")
ALIASES = f"{CURATION}/aliases.csv"
"""Who people decided is who; made with its first row."""
ALIAS_COLUMNS = ("decision_id", "decision", "name", "other", "text_id", "color", "undoes", "because", "author", "made_at")
_NUMBERED = re.compile(r"(\d{10})\.json")


class SnapshotRemoved(LakeUsage):
    """The snapshot existed; gc removed it after its retention."""


@dataclass(frozen=True)
class Snapshot:
    """What is live at one moment. Number 0 is the empty lake. Registries are read when asked for."""

    root: Path
    number: int = 0
    results_version: str = ""
    written_at: str = ""
    run_id: str | None = None
    because: str = ""
    version: str = ""
    """Version of the program that wrote it."""
    segments: Mapping[str, Files] = field(default_factory=dict)
    registry: Mapping[str, str] = field(default_factory=dict)
    """`sources` and `source_paths` → name of their Parquet file in `_snapshots/`."""

    @cached_property
    def file_refs(self) -> dict[str, list[FileRef]]:
        """Live data files by table, sorted by name."""
        found: dict[str, set[FileRef]] = {}
        for files in self.segments.values():
            for table, reference in files.items():
                found.setdefault(table, set()).add(reference)
        return {table: sorted(references, key=lambda r: r.name) for table, references in sorted(found.items())}

    @property
    def files(self) -> dict[str, list[str]]:
        """Live data files by table, as paths below the lake, sorted; tables without rows are absent."""
        return {table: [f"{DATA}/{r.name}" for r in references] for table, references in self.file_refs.items()}

    def _rows(self, table: str) -> list[Row]:
        name = self.registry.get(table)
        return read_table(self.root / SNAPSHOTS / name).to_pylist() if name else []

    @cached_property
    def sources(self) -> list[Row]:
        """Live sources: the columns of `registry.SOURCES`, sorted by source_id."""
        return self._rows("sources")

    @cached_property
    def source_paths(self) -> list[Row]:
        """Paths, live and former: the columns of `registry.SOURCE_PATHS`."""
        return self._rows("source_paths")

    @property
    def parts(self) -> list[Row]:
        """Parts of the live sources: `source_id, part, first_game_index` (games of the source before the part)."""
        found = []
        for source in self.sources:
            n_before = 0
            for part in source["parts"]:
                found.append({"source_id": source["source_id"], "part": part["part"], "first_game_index": n_before})
                n_before += part["n_games"]
        return found

    @property
    def runs(self) -> list[dict[str, Any]]:
        """Manifests of all runs, oldest first, as they are now (they are no part of the immutable snapshot)."""
        return runs.manifests(self.root / RUNS)

    @property
    def corrections(self) -> list[dict[str, Any]]:
        """Rows of CORRECTIONS as they are now; an empty field is None, `line` says where a row stands. Raises BadLake."""
        return read_csv(self.root / CORRECTIONS, CORRECTION_COLUMNS)

    @property
    def repairs(self) -> list[dict[str, Any]]:
        """Rows of REPAIRS as they are now, like `corrections`."""
        return read_csv(self.root / REPAIRS, REPAIR_COLUMNS)

    @property
    def tombstones(self) -> list[dict[str, Any]]:
        """Rows of TOMBSTONES as they are now, like `corrections`."""
        return read_csv(self.root / TOMBSTONES, TOMBSTONE_COLUMNS)

    @property
    def given_results(self) -> list[dict[str, Any]]:
        """Rows of GIVEN_RESULTS as they are now, like `corrections`."""
        return read_csv(self.root / GIVEN_RESULTS, GIVEN_COLUMNS)

    @property
    def aliases(self) -> list[dict[str, Any]]:
        """Rows of ALIASES as they are now, like `corrections`."""
        return read_csv(self.root / ALIASES, ALIAS_COLUMNS)

    @cached_property
    def state(self) -> State:
        """The same as values that `state.apply` takes."""
        return State(
            {key: dict(files) for key, files in self.segments.items()},
            {row["source_id"]: row for row in self.sources},
            {path_key(row): row for row in self.source_paths},
        )


def file_name(number: int) -> str:
    """Name of a snapshot's file: ten digits, so that names sort by number."""
    return f"{number:010d}.json"


def numbers(directory: Path) -> list[int]:
    """Numbers ever used, ascending, markers included."""
    return sorted(int(m[1]) for name in os.listdir(directory) if (m := _NUMBERED.fullmatch(name)))


def to_json(snapshot: Snapshot) -> dict[str, Any]:
    """The content of a snapshot's file."""
    return {
        "format": FORMAT,
        "snapshot": snapshot.number,
        "results_version": snapshot.results_version,
        "written_at": snapshot.written_at,
        "version": snapshot.version,
        "run_id": snapshot.run_id,
        "because": snapshot.because,
        "registry": dict(snapshot.registry),
        "segments": {
            key: {table: reference.as_dict() for table, reference in files.items()} for key, files in snapshot.segments.items()
        },
    }


def marker(number: int, removed_at: str) -> dict[str, Any]:
    """What gc leaves in place of a snapshot."""
    return {"format": FORMAT, "snapshot": number, "removed_at": removed_at}


def load(root: Path, number: int) -> Snapshot:
    """The snapshot of a number. Raises SnapshotRemoved, NewerFormat, BadLake; FileNotFoundError when there never was one."""
    path = root / SNAPSHOTS / file_name(number)
    row = read_json(path)
    try:
        if row["format"] > FORMAT:
            raise NewerFormat(
                f"The lake {root} has format {row['format']}, this version knows up to {FORMAT}", "Install a newer version"
            )
        if "removed_at" in row:
            raise SnapshotRemoved(f"Snapshot {number} was removed by gc at {row['removed_at']}", "Name a snapshot to keep it")
        segments = {
            key: {table: FileRef.from_dict(reference) for table, reference in files.items()}
            for key, files in row["segments"].items()
        }
        return Snapshot(
            root,
            row["snapshot"],
            row["results_version"],
            row["written_at"],
            row["run_id"],
            row["because"],
            row["version"],
            segments,
            row["registry"],
        )
    except (KeyError, TypeError, AttributeError, ValueError) as error:
        raise BadLake(f"{path} is no snapshot ({error!r})", "Restore it from a backup") from error


def head(root: Path) -> Snapshot:
    """The newest snapshot; the empty one of number 0 when nothing was committed yet."""
    used = numbers(root / SNAPSHOTS)
    return load(root, used[-1]) if used else Snapshot(root)


def published_number(root: Path) -> int | None:
    """Number of the snapshot that the catalog was last known to show; None when there is no catalog."""
    try:
        if (root / CATALOG).exists():
            return int(read_json(root / PUBLISHED)["snapshot"])
    except (FileNotFoundError, BadLake, KeyError, TypeError, ValueError):
        pass
    return None


def check_head(root: Path) -> Snapshot:
    """`head`, where the catalog agrees that it is the newest. Raises BadLake when the catalog shows a newer one."""
    published = published_number(root)  # first: what is committed meanwhile must not look lost
    newest = head(root)
    if published is not None and published > newest.number:
        raise BadLake(
            f"The catalog shows snapshot {published}, but the newest in {root / SNAPSHOTS} is {newest.number or 'none'}",
            f"Restore {file_name(published)} from a backup; if there is none, `notatio catalog` goes back to what is left",
        )
    return newest


def kept(root: Path) -> Iterator[Snapshot]:
    """Snapshots that gc has not removed, newest first."""
    for number in reversed(numbers(root / SNAPSHOTS)):
        try:
            yield load(root, number)
        except (SnapshotRemoved, FileNotFoundError):
            continue
