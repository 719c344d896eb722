"""The registries of a snapshot: which sources are live, where their bytes were found. Stored as Parquet beside the snapshot.

They hold what differs between two lakes of the same input (absolute paths, times, runs), so that data files need not.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any

import pyarrow as pa

Row = dict[str, Any]
PathKey = tuple[str, str, str]
"""(collection, path, source_id or ''): identifies a row of source_paths."""

_STRING, _INT64, _INT32 = pa.string(), pa.int64(), pa.int32()

SOURCE_COUNTS = ("n_games", "n_clean", "n_truncated", "n_rejected", "n_plies")
SOURCE_BYTES = ("n_bytes_games", "n_bytes_quarantined", "n_bytes_filler")
READING_OPTIONS = ("language", "notation", "encoding")
"""Options that change how a source is read; the registry keeps them as `<name>_option`, null when not given."""

SOURCES = pa.schema(
    [
        ("source_id", _STRING),
        ("collection", _STRING),
        ("path", _STRING),
        ("container_id", _STRING),
        ("n_bytes", _INT64),
        ("extractor", _STRING),
        ("encoding", _STRING),
        ("encoding_runner_up", _STRING),
        ("encoding_margin", pa.float64()),
        *((name, _INT64) for name in SOURCE_COUNTS + SOURCE_BYTES),
        ("results_version", _STRING),
        *((f"{name}_option", _STRING) for name in READING_OPTIONS),
        ("run_id", _STRING),
        ("parts", pa.list_(pa.struct([("part", _INT32), ("n_games", _INT64)]))),
        ("segments", pa.list_(_STRING)),
    ]
)
"""A live source. `parts` in order of part: the game_index of a game is the sum of n_games of the parts before its own
plus its index_in_part. `segments` are the keys in the snapshot's `segments` whose files hold the source."""

SOURCE_PATHS = pa.schema(
    [
        ("source_id", _STRING),
        ("collection", _STRING),
        ("path", _STRING),
        ("absolute_path", _STRING),
        ("n_bytes", _INT64),
        ("status", _STRING),
        ("removed_at", _STRING),
    ]
)
"""A path that was read. `source_id` is null when its bytes could not be read yet; `removed_at` (ISO 8601, UTC) is set when
other bytes replaced it or it was pruned or forgotten."""


def path_key(row: Mapping[str, Any]) -> PathKey:
    """Identity of a row of source_paths."""
    return str(row["collection"]), str(row["path"]), row["source_id"] or ""


def sources_table(sources: Iterable[Row]) -> pa.Table:
    """Registry rows as a table, sorted by source_id."""
    return pa.Table.from_pylist(sorted(sources, key=lambda row: str(row["source_id"])), schema=SOURCES)


def source_paths_table(paths: Iterable[Row]) -> pa.Table:
    """Path rows as a table, sorted by collection, path, source_id."""
    return pa.Table.from_pylist(sorted(paths, key=path_key), schema=SOURCE_PATHS)


def reading_of(row: Mapping[str, Any]) -> tuple[str | None, ...]:
    """What makes a reading *known* besides its bytes: language, notation, encoding, results version."""
    return (*(row[f"{name}_option"] for name in READING_OPTIONS), row["results_version"])
