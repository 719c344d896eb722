"""A found file → its members: the file itself, or what a container (gz bz2 xz zst lzma zip tar 7z) holds.

A container is known by its first bytes, whatever its name. One that is fine gives only its members; one that is damaged,
encrypted or too large gives the members that can be trusted and is then a member itself, whose bytes are quarantined.
A compressed stream that is damaged gives nothing of its content: no part of it was checked.
"""

from __future__ import annotations

import io
import os
import sys
from collections.abc import Collection, Iterator
from dataclasses import dataclass, replace
from typing import BinaryIO, Literal

from pipeline.sources.archives import Damaged, Encrypted, IsDocument, Wanted, everything, file_pieces
from pipeline.sources.binary import CHECKED_BYTES, binary_reason, container_kind, is_tar
from pipeline.sources.documents import document_detail, document_kind
from pipeline.sources.find import STDIN, Found
from pipeline.sources.limits import DEFAULT_LIMITS, WHOLE_FILE_BYTES, Budget, LimitExceeded, Limits
from pipeline.sources.paths import native
from pipeline.sources.streams import STREAM_KINDS, CorruptStream, check_stream, decompressed, read_stream
from pipeline.sources.tars import tar_files
from pipeline.sources.zips import zip_files

MemberStatus = Literal["ok", "container_corrupt", "container_encrypted", "limit_exceeded", "read_error", "binary"]
_HEAD_BYTES = 4096


@dataclass(frozen=True, slots=True)
class Member:
    """A source: the bytes of a file, or of a file in a container."""

    path: str
    """As given on the command line; `archive.zip!inner/name.pgn` inside a container, `a.zip!b.gz!b` inside two."""
    absolute_path: str
    """The file on disk, for `read_member`; `-` for standard input."""
    inner: str | None
    """The part of `path` after the file's own: `inner/name.pgn`, `b.gz!b`; None for a plain file or a container itself."""
    root: str
    relative_path: str
    """As in Found, with `!inner` inside a container."""
    n_bytes: int
    status: MemberStatus
    data: bytes | None
    """None when unreadable, and for plain files above WHOLE_FILE_BYTES: use `read_range`."""
    detail: str | None = None
    """What is wrong, or what a binary file is."""
    document: str | None = None
    """For a format without plain bytes, which: `documents.extract` gives the text that stands for `data`."""


@dataclass(frozen=True, slots=True)
class _Part:
    """A member as seen from inside its file: the names on the way to it, outermost first."""

    names: tuple[str, ...]
    status: MemberStatus
    data: bytes | None
    n_bytes: int
    detail: str | None = None
    document: str | None = None


def members(found: Found, *, limits: Limits = DEFAULT_LIMITS, wanted: Wanted = everything) -> Iterator[Member]:
    """The members of a file in the container's order; at least one for a file that is no container.

    Never raises for bad input: `status` and `detail` say what is wrong. `wanted` limits reading to names in the container.
    """
    if found.error is not None:
        yield _member(found, _Part((), "read_error", None, 0, found.error))
        return
    try:
        with _open(found, limits) as file:
            n_bytes = file.seek(0, os.SEEK_END)
            file.seek(0)
            for part in _parts(file, os.path.basename(found.path), n_bytes, limits, None, wanted):
                yield _member(found, part)
    except OSError as error:
        yield _member(found, _Part((), "read_error", None, found.n_bytes, error.strerror or str(error)))
    except LimitExceeded as error:
        yield _member(found, _Part((), "limit_exceeded", None, found.n_bytes, str(error)))


def read_members(path: str, inners: Collection[str], *, limits: Limits = DEFAULT_LIMITS) -> Iterator[tuple[str, bytes]]:
    """(inner, bytes) of several members of a container in one pass over it, in the container's order.

    `path` is a Member's `absolute_path`, `inners` its `inner`s; members that are not there any more are left out.
    """
    left = set(inners)

    def is_wanted(name: str) -> bool:
        return any(inner == name or inner.startswith(name + "!") for inner in left)

    for member in members(Found(path, path, "", "", 0), limits=limits, wanted=is_wanted):
        if member.inner in left and member.data is not None:
            left.remove(member.inner)
            yield member.inner, member.data
            if not left:
                return


def read_member(path: str, inner: str | None = None, *, limits: Limits = DEFAULT_LIMITS) -> bytes:
    """The bytes of one member again: a whole file, or one file of a container. Raises OSError, KeyError when it is gone."""
    if inner is None:
        with open(native(path), "rb") as file:
            return file.read()
    for _, data in read_members(path, (inner,), limits=limits):
        return data
    raise KeyError(f"{path}!{inner}")


def read_range(path: str, start: int, end: int) -> bytes:
    """Bytes [start, end) of a plain file. Raises OSError."""
    with open(native(path), "rb") as file:
        file.seek(start)
        return file.read(end - start)


def _open(found: Found, limits: Limits) -> BinaryIO:
    if found.path == STDIN:
        data = sys.stdin.buffer.read(limits.member_bytes + 1)
        if len(data) > limits.member_bytes:
            raise LimitExceeded(f"more than {limits.member_bytes:,} bytes on standard input: give a file instead")
        return io.BytesIO(data)
    return open(native(found.absolute_path), "rb")


def _member(found: Found, part: _Part) -> Member:
    inner = "!".join(part.names) if part.names else None
    return Member(
        path=found.path if inner is None else f"{found.path}!{inner}",
        absolute_path=found.absolute_path,
        inner=inner,
        root=found.root,
        relative_path=found.relative_path if inner is None else f"{found.relative_path}!{inner}",
        n_bytes=part.n_bytes,
        status=part.status,
        data=part.data,
        detail=part.detail,
        document=part.document,
    )


def _parts(
    file: BinaryIO, name: str, n_bytes: int, limits: Limits, parent: Budget | None, wanted: Wanted, depth: int = 0
) -> Iterator[_Part]:
    """What `file` holds: itself, or the members of the container that it is."""
    head = file.read(_HEAD_BYTES)
    file.seek(0)
    kind = container_kind(head, name)
    if kind is None:
        yield _plain(file, name, n_bytes)
        return
    if depth >= limits.depth:
        yield _whole(file, n_bytes, limits, "limit_exceeded", f"{kind} inside {depth} containers is not opened")
        return
    budget = Budget(limits, n_bytes, parent)
    status: MemberStatus
    detail: str | None
    document: str | None = None
    try:
        for inner, data in _files(file, kind, name, budget, wanted):
            for part in _parts(io.BytesIO(data), inner, len(data), limits, budget, everything, depth + 1):
                yield replace(part, names=(inner, *part.names))
        return
    except IsDocument as error:
        document = error.kind
        status, detail = "ok" if document else "binary", None if document else str(error)
    except Encrypted as error:
        status, detail = "container_encrypted", str(error)
    except LimitExceeded as error:
        status, detail = "limit_exceeded", str(error)
    except (Damaged, CorruptStream) as error:
        status, detail = "container_corrupt", str(error)
    yield _whole(file, n_bytes, limits, status, detail, document)


def _files(file: BinaryIO, kind: str, name: str, budget: Budget, wanted: Wanted) -> Iterator[tuple[str, bytes]]:
    """(name, bytes) of the files of a container. Raises Damaged, CorruptStream, Encrypted, IsDocument, LimitExceeded."""
    if kind == "zip":
        yield from zip_files(file, budget, wanted)
    elif kind == "7z":
        from pipeline.sources.seven_zips import seven_zip_files  # here, as py7zr is slow to load and seldom needed

        yield from seven_zip_files(file, budget, wanted)
    elif kind == "tar":
        yield from tar_files(file_pieces(file), budget, wanted)
    else:
        assert kind in STREAM_KINDS
        yield from _stream_files(file, kind, name, budget, wanted)


def _stream_files(file: BinaryIO, kind: str, name: str, budget: Budget, wanted: Wanted) -> Iterator[tuple[str, bytes]]:
    """The one file of a compressed stream, or the files of a compressed tar.

    A tar is read twice, first to see whether the stream is whole: its checksum comes last, and a tar has none of its own.
    """
    start = next(decompressed(kind, file, Budget(budget.limits, budget.n_packed_bytes)), b"")
    file.seek(0)
    if not is_tar(start):
        inner = _name_without_ending(name, kind)
        if wanted(inner):
            yield inner, read_stream(kind, file, budget)
        return
    try:
        check_stream(kind, file, Budget(budget.limits, budget.n_packed_bytes))
    except CorruptStream as error:
        if not error.is_truncated:
            raise
    file.seek(0)
    yield from tar_files(decompressed(kind, file, budget), budget, wanted)


_ENDINGS = {"gz": (".gz", ".gzip"), "bz2": (".bz2", ".bz"), "xz": (".xz",), "lzma": (".lzma",), "zst": (".zst", ".zstd")}


def _name_without_ending(name: str, kind: str) -> str:
    """`x.pgn.gz` → `x.pgn`; a name without the ending stays."""
    name = name.replace("\\", "/").rpartition("/")[2]
    for ending in _ENDINGS[kind]:
        if name.lower().endswith(ending) and len(name) > len(ending):
            return name[: -len(ending)]
    return name


def _plain(file: BinaryIO, name: str, n_bytes: int) -> _Part:
    """A file that is no container."""
    data = None
    if n_bytes <= WHOLE_FILE_BYTES or isinstance(file, io.BytesIO):
        data = looked_at = file.read()
        n_bytes = len(data)  # it may have grown
    else:
        looked_at = file.read(CHECKED_BYTES)
        file.seek(max(len(looked_at), n_bytes - CHECKED_BYTES))
        looked_at += file.read(CHECKED_BYTES)
    document = document_kind(looked_at, name)
    if document is not None:
        detail = document_detail(looked_at, name)
        return _Part((), "binary" if detail else "ok", data, n_bytes, detail, document)
    reason = binary_reason(looked_at, name)
    if reason is None:
        return _Part((), "ok", data, n_bytes)
    status: MemberStatus = "container_corrupt" if reason.is_broken_container else "binary"
    status = "container_encrypted" if reason.is_encrypted else status
    return _Part((), status, data, n_bytes, reason.detail)


def _whole(
    file: BinaryIO, n_bytes: int, limits: Limits, status: MemberStatus, detail: str | None, document: str | None = None
) -> _Part:
    """The container itself as a member."""
    file.seek(0)
    data = file.read() if n_bytes <= limits.member_bytes else None
    return _Part((), status, data, n_bytes, detail, document)
