"""The lake (docs/lake.md): immutable Parquet files, numbered snapshots made with link(2), a catalog derived from them.

Readers: `Lake.open(root).head()` → `Snapshot` (files, sources, source_paths, runs, corrections). Writers: `write_table`,
then `Lake.commit` of a `Change`; `publish_head` afterwards. `gc` sweeps.
"""

from pipeline.store.errors import (
    BadLake,
    DiskFull,
    FilesGone,
    LakeBusy,
    LakeError,
    LakeUsage,
    NewerFormat,
    NoLake,
    StorageAway,
    classify,
    classify_text,
    typed_errors,
)
from pipeline.store.files import FileRef, is_in_place, lost_segments, replace_file, replace_json, write_table
from pipeline.store.gc import RETENTION_SECONDS, Swept, gc, unneeded
from pipeline.store.lake import Committed, Lake
from pipeline.store.publishing import Build, can_be_published, has_foreign_log, is_behind, publish_head
from pipeline.store.registry import (
    READING_OPTIONS,
    SOURCE_BYTES,
    SOURCE_COUNTS,
    SOURCE_PATHS,
    SOURCES,
    Row,
    path_key,
    reading_of,
)
from pipeline.store.snapshots import CATALOG, CORRECTIONS, DATA, FORMAT, Snapshot, SnapshotRemoved, check_head, published_number
from pipeline.store.state import Change, Files, Staged, State, segment_key

__all__ = [
    "CATALOG",
    "CORRECTIONS",
    "DATA",
    "FORMAT",
    "READING_OPTIONS",
    "RETENTION_SECONDS",
    "SOURCES",
    "SOURCE_BYTES",
    "SOURCE_COUNTS",
    "SOURCE_PATHS",
    "BadLake",
    "Build",
    "Change",
    "Committed",
    "DiskFull",
    "FileRef",
    "Files",
    "FilesGone",
    "Lake",
    "LakeBusy",
    "LakeError",
    "LakeUsage",
    "NewerFormat",
    "NoLake",
    "Row",
    "Snapshot",
    "SnapshotRemoved",
    "Staged",
    "State",
    "StorageAway",
    "Swept",
    "can_be_published",
    "check_head",
    "classify",
    "classify_text",
    "gc",
    "has_foreign_log",
    "is_behind",
    "is_in_place",
    "lost_segments",
    "path_key",
    "publish_head",
    "published_number",
    "reading_of",
    "replace_file",
    "replace_json",
    "segment_key",
    "typed_errors",
    "unneeded",
    "write_table",
]
