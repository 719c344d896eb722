"""Immutable files: written under a temporary name, made durable, checked, then put in place by one rename or link.

A data file is named by its content, so identical tables of any worker, engine and order are one file.
"""

from __future__ import annotations

import csv
import errno
import hashlib
import json
import os
import uuid
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pyarrow as pa
import pyarrow.parquet as pq

from pipeline.store.errors import BadLake

TEMPORARY = ".tmp-"
"""Start of the names of unfinished files; gc removes old ones."""
ROWS_PER_GROUP = {"games": 40_960, "plies": 1 << 22}
_ROWS_PER_GROUP_ELSE = 122_880
"""DuckDB's row group. Games are wider, so their groups are shorter; plies are one group a shard, since each group repeats the
dictionary of game ids (131,072 rows a group: 115 ns and 8.5 bytes a ply; one group: 58 ns and 3.3 bytes)."""
_PLIES_OPTIONS: dict[str, Any] = {
    "compression_level": 1,
    "use_dictionary": ["game_id", "color", "san", "uci", "written", "comment"],
    "write_statistics": ["variation", "ply", "move_number"],
    "dictionary_pagesize_limit": 8 << 20,
    "store_schema": False,
}
"""Plies are nearly all of a lake. Statistics on a dictionary column cost 30 instead of 6 ns a ply; without the stored Arrow
schema such a column reads back as plain strings."""
_OTHER_OPTIONS: dict[str, Any] = {"compression_level": 3, "write_page_index": True}
NO_LINK = {errno.EPERM, errno.ENOSYS, errno.EOPNOTSUPP, errno.ENOTSUP, errno.EMLINK, errno.EXDEV}


@dataclass(frozen=True, slots=True)
class FileRef:
    """A data file: `<table>-<sha256>.parquet`, its rows and size."""

    name: str
    rows: int
    bytes: int

    def as_dict(self) -> dict[str, Any]:
        """As it stands in receipts and snapshots."""
        return {"name": self.name, "rows": self.rows, "bytes": self.bytes}

    @classmethod
    def from_dict(cls, row: Mapping[str, Any]) -> FileRef:
        """Inverse of `as_dict`."""
        return cls(str(row["name"]), int(row["rows"]), int(row["bytes"]))


def sync_directory(directory: Path) -> None:
    """Makes the names in a directory durable, where the system can."""
    handle = os.open(directory, os.O_RDONLY)
    try:
        os.fsync(handle)
    except OSError as error:
        if error.errno not in (errno.EINVAL, errno.ENOTSUP):  # some network file systems cannot sync a directory
            raise
    finally:
        os.close(handle)


@contextmanager
def temporary(directory: Path, data: bytes | memoryview) -> Iterator[Path]:
    """A durable file with `data` under a temporary name in `directory`; removed at the end unless it was moved."""
    path = directory / f"{TEMPORARY}{os.getpid()}-{uuid.uuid4().hex}"
    try:
        handle = os.open(path, os.O_CREAT | os.O_EXCL | os.O_WRONLY, 0o666)
        try:
            rest = memoryview(data)
            while rest:
                rest = rest[os.write(handle, rest) :]
            os.fsync(handle)
        finally:
            os.close(handle)
        yield path
    finally:
        path.unlink(missing_ok=True)


def replace_file(path: Path, data: bytes) -> None:
    """Writes a whole file durably: a reader sees the old bytes or the new ones, never a part."""
    with temporary(path.parent, data) as unfinished:
        os.replace(unfinished, path)
    sync_directory(path.parent)


def replace_json(path: Path, value: Any) -> None:
    """`replace_file` of a JSON value: sorted keys, UTF-8, one line feed at the end."""
    replace_file(path, json_bytes(value))


def json_bytes(value: Any) -> bytes:
    """Canonical JSON, UTF-8: the same value has the same bytes."""
    return (json.dumps(value, ensure_ascii=False, sort_keys=True, indent=1) + "\n").encode()


def link_new(path: Path, data: bytes) -> bool:
    """Creates `path` with `data` by link(2): False when it exists already, in which case nothing changes.

    Raises BadLake where the file system has no hard links: rename cannot tell who came first.
    """
    with temporary(path.parent, data) as unfinished:
        try:
            os.link(unfinished, path)
        except FileExistsError:
            if not _is_linked(unfinished):  # NFS may lose the answer and repeat the call
                return False
        except OSError as error:
            if error.errno not in NO_LINK:
                if _is_linked(unfinished):
                    return True
                raise
            raise BadLake(
                f"The file system of {path.parent} has no hard links (link(2): {error.strerror})",
                "Put the lake on a local disk, NFS or another file system with hard links",
            ) from error
    sync_directory(path.parent)
    return True


def _is_linked(path: Path) -> bool:
    return os.stat(path).st_nlink > 1


def parquet_bytes(table: pa.Table, name: str, metadata: Mapping[str, str] | None = None) -> pa.Buffer:
    """The table as Parquet: zstd, one layout whatever its chunks, so that equal tables have equal bytes."""
    table = table.replace_schema_metadata(metadata).unify_dictionaries().combine_chunks()
    options = _PLIES_OPTIONS if name == "plies" else _OTHER_OPTIONS
    sink = pa.BufferOutputStream()
    with pq.ParquetWriter(sink, table.schema, compression="zstd", write_page_checksum=True, **options) as writer:
        writer.write_table(table, row_group_size=ROWS_PER_GROUP.get(name, _ROWS_PER_GROUP_ELSE))
    return sink.getvalue()


def write_table(table: pa.Table, name: str, directory: Path | str) -> FileRef:
    """Writes a table into `directory` as `<name>-<sha256>.parquet` and says what it wrote. Safe to call twice.

    Durable on return: file and directory are synced, the footer was read back from the disk. Raises OSError as the
    disk does; no unfinished file stays behind.
    """
    directory = Path(directory)
    data = parquet_bytes(table, name)
    digest = hashlib.sha256(data).hexdigest()
    reference = FileRef(f"{name}-{digest}.parquet", table.num_rows, data.size)
    path = directory / reference.name
    if is_in_place(directory, reference):
        with suppress(FileNotFoundError):  # gone this moment: written below
            os.utime(path)  # young again, so that gc leaves it to the run that needs it now
            return reference
    with temporary(directory, memoryview(data)) as unfinished:
        n_rows = pq.read_metadata(unfinished).num_rows
        if n_rows != table.num_rows:
            raise BadLake(f"{path} came back from the disk with {n_rows} rows instead of {table.num_rows}", "Check the disk")
        os.replace(unfinished, path)
    sync_directory(directory)
    return reference


def is_in_place(directory: Path, reference: FileRef) -> bool:
    """Does the file exist with its full size? (Names come by rename of checked files, so the size is proof enough.)"""
    try:
        return os.stat(directory / reference.name).st_size == reference.bytes
    except FileNotFoundError:
        return False


def lost_segments(directory: Path, segments: Mapping[str, Mapping[str, FileRef]]) -> frozenset[str]:
    """Keys of the segments of which a file is missing or has another size. Looks at names and sizes only."""
    return frozenset(key for key, files in segments.items() if not all(is_in_place(directory, r) for r in files.values()))


def read_table(path: Path) -> pa.Table:
    """A whole data file."""
    return pq.ParquetFile(path).read()


def read_json(path: Path) -> Any:
    """A JSON file of the lake. Raises BadLake when it is none."""
    try:
        return json.loads(path.read_bytes())
    except ValueError as error:
        raise BadLake(f"{path} is no JSON: {error}", "Restore it from a backup") from error


def read_csv(path: Path, columns: Sequence[str]) -> list[dict[str, Any]]:
    """Rows of a file that people edit, empty fields as None; `line` is where a row ends, from 1. A missing file has no rows.

    Raises BadLake with file and line: no UTF-8, columns that are missing, a row of more or fewer fields than the first line.
    """
    rows: list[dict[str, Any]] = []
    remedy = f"The first line is {','.join(columns)}; mend the file"
    try:
        with path.open(encoding="utf-8-sig", newline="") as handle:
            reader = csv.reader(handle, strict=True)
            names = next(reader, list(columns))
            if missing := [name for name in columns if name not in names]:
                raise BadLake(f"{path}:1: there is no column {', '.join(missing)}", remedy)
            for fields in filter(None, reader):
                if len(fields) != len(names):
                    raise BadLake(f"{path}:{reader.line_num}: the row has {len(fields)} fields, not {len(names)}", remedy)
                rows.append({**dict(zip(names, (value or None for value in fields), strict=True)), "line": reader.line_num})
    except FileNotFoundError:
        return []
    except UnicodeDecodeError as error:
        raise BadLake(f"{path} is no UTF-8", "Save it as UTF-8") from error
    except csv.Error as error:
        raise BadLake(f"{path}:{reader.line_num}: {error}", remedy) from error
    return rows


def unlink_quietly(path: Path) -> bool:
    """Removes a file; False when it was gone already."""
    try:
        path.unlink()
    except FileNotFoundError:
        return False
    return True
