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
from pipeline.store.files import FileRef, is_in_place, replace_file, replace_json, write_table
from pipeline.store.gc import RETENTION_SECONDS, Swept, gc
from pipeline.store.lake import Committed, Lake
from pipeline.store.publishing import CATALOG, Build, is_behind, publish_head, published_number
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
from pipeline.store.snapshots import CORRECTIONS, FORMAT, Snapshot, SnapshotRemoved
from pipeline.store.state import Change, Files, Staged, State, segment_key

__all__ = [
    "CATALOG",
    "CORRECTIONS",
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
    "classify",
    "classify_text",
    "gc",
    "is_behind",
    "is_in_place",
    "path_key",
    "publish_head",
    "published_number",
    "reading_of",
    "replace_file",
    "replace_json",
    "segment_key",
    "typed_errors",
    "write_table",
]
