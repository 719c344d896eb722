"""A zip → its files, each checked against its CRC.

A damaged zip gives what can still be read and then raises Damaged; Encrypted and LimitExceeded likewise. Nothing touches
the disk, so the names inside are labels only and cannot point anywhere.
"""

from __future__ import annotations

import io
import stat
import struct
import zipfile
import zlib
from collections.abc import Iterator
from typing import BinaryIO

from pipeline.sources.archives import Damaged, Encrypted, IsDocument, Names, Wanted, everything, printable_name
from pipeline.sources.limits import CHUNK_BYTES, Budget, Limits

_DOCUMENT_MARKS = ("[Content_Types].xml", "mimetype", "META-INF/container.xml", "META-INF/MANIFEST.MF")
"""Files that make a zip one document: OOXML (ECMA-376 part 2), OpenDocument and EPUB (OCF), Java archives."""
_MEDIA_TYPES = ((b"application/epub+zip", "epub"), (b"application/vnd.oasis.opendocument.text", "odt"))
"""What the file `mimetype` begins with; templates and master documents have longer names."""
_HEAD_BYTES = 1 << 16
_ZIP_ERRORS = (
    zipfile.BadZipFile, zlib.error, struct.error, ValueError, NotImplementedError, OverflowError, RuntimeError, OSError, EOFError,
)  # fmt: skip
"""What `zipfile` raises for bad input."""


def zip_files(file: BinaryIO, budget: Budget, wanted: Wanted = everything) -> Iterator[tuple[str, bytes]]:
    """The files of a zip. Without a readable directory at its end (a cut-off download) its local headers are followed."""
    try:
        archive = zipfile.ZipFile(file)
    except _ZIP_ERRORS as error:
        if kind := _cut_off_document(file):
            raise IsDocument(kind) from error
        yield from _zip_files_without_directory(file, budget, wanted)
        raise Damaged(f"no readable zip directory: {error}") from error
    if any(info.filename in _DOCUMENT_MARKS for info in archive.infolist()):
        raise IsDocument(_document_kind(archive))
    faults: list[str] = []
    encrypted: list[str] = []
    names = Names()
    for info in archive.infolist():
        if info.filename.endswith("/") or stat.S_ISLNK(info.external_attr >> 16):
            continue
        budget.member()
        name = names.unique(printable_name(_zip_name(info)))
        if info.flag_bits & 0x1:
            encrypted.append(name)
            continue
        if not wanted(name):
            continue
        try:
            data = _read_zip_file(archive, info, budget)
        except _ZIP_ERRORS as error:
            faults.append(f"{name}: {error}")
            continue
        yield name, data
    if faults:
        raise Damaged("; ".join(faults[:5]))
    if encrypted:
        raise Encrypted("needs a password: " + ", ".join(encrypted[:5]))


def _document_kind(archive: zipfile.ZipFile) -> str | None:
    """docx, odt or epub; None for another document. The file `mimetype` decides, then what only one kind has."""
    names = set(archive.namelist())
    if "mimetype" in names:
        try:
            with archive.open("mimetype") as stream:
                media_type = stream.read(100)
        except _ZIP_ERRORS:
            media_type = b""
        for start, kind in _MEDIA_TYPES:
            if media_type.startswith(start):
                return kind
    if "[Content_Types].xml" in names:
        return "docx" if any(name.startswith("word/") for name in names) else None
    return "epub" if "META-INF/container.xml" in names else None


def _cut_off_document(file: BinaryIO) -> str | None:
    """The kind of a document without a readable directory, by the names in its first local headers; None = an archive.

    `mimetype` comes first and is stored (OCF 4.3, OpenDocument 1.3 part 2, 3.3).
    """
    file.seek(0)
    head = file.read(_HEAD_BYTES)
    for start, kind in _MEDIA_TYPES:
        if head.startswith(b"mimetype" + start, _LOCAL_HEADER.size):
            return kind
    names = []
    at = head.find(b"PK\x03\x04")
    while at >= 0 and at + _LOCAL_HEADER.size <= len(head):
        start_of_name = at + _LOCAL_HEADER.size
        names.append(head[start_of_name : start_of_name + _LOCAL_HEADER.unpack_from(head, at)[9]])
        at = head.find(b"PK\x03\x04", at + 4)
    is_package = bool(names) and names[0] in (b"[Content_Types].xml", b"_rels/.rels")
    return "docx" if is_package and any(name.startswith(b"word/") for name in names) else None


class ZipParts:
    """The parts of a document in a zip by their names, each checked against its CRC when it is read."""

    def __init__(self, data: bytes, limits: Limits) -> None:
        """Raises Damaged."""
        try:
            self._archive = zipfile.ZipFile(io.BytesIO(data))
        except _ZIP_ERRORS as error:
            raise Damaged(f"no readable zip directory: {error}") from error
        self._budget = Budget(limits, len(data))
        self._infos = {info.filename: info for info in self._archive.infolist()}

    def __contains__(self, name: str) -> bool:
        return name in self._infos

    def read(self, name: str) -> bytes:
        """A part. Raises Damaged, Encrypted, LimitExceeded."""
        info = self._infos.get(name)
        if info is None:
            raise Damaged(f"{name[:100]} is missing")
        if info.flag_bits & 0x1:
            raise Encrypted("needs a password")
        try:
            return _read_zip_file(self._archive, info, self._budget)
        except _ZIP_ERRORS as error:
            raise Damaged(f"{name[:100]}: {error}") from error


def _zip_name(info: zipfile.ZipInfo) -> str:
    """The name of a file in a zip. Without the UTF-8 flag it is bytes of some DOS or Unix system, which nobody wrote down:
    UTF-8 when it is valid, cp866 when it can be Russian, else cp437 (APPNOTE.TXT, appendix D)."""
    name = info.orig_filename.split("\0")[0].replace("\\", "/")
    if info.flag_bits & 0x800 or name.isascii():
        return name
    raw = name.encode("cp437", "replace")
    try:
        return raw.decode("utf-8")
    except UnicodeDecodeError:
        is_russian = all(b < 0x80 or 0x80 <= b <= 0xAF or 0xE0 <= b <= 0xF1 for b in raw)
        n_russian = sum(b >= 0x80 for b in raw)
        return raw.decode("cp866") if is_russian and n_russian >= 3 else name


def _read_zip_file(archive: zipfile.ZipFile, info: zipfile.ZipInfo, budget: Budget) -> bytes:
    budget.check_member(info.file_size)
    pieces = []
    n_bytes = 0
    with archive.open(info) as stream:
        while piece := stream.read(CHUNK_BYTES):
            n_bytes += len(piece)
            budget.spend(len(piece))
            budget.check_member(n_bytes)
            pieces.append(piece)
    if n_bytes != info.file_size:
        raise EOFError("shorter than its directory says")
    return b"".join(pieces)


_LOCAL_HEADER = struct.Struct("<4sHHHHHLLLHH")


def _zip_files_without_directory(file: BinaryIO, budget: Budget, wanted: Wanted) -> Iterator[tuple[str, bytes]]:
    """Files found by their local headers, as far as each is whole and agrees with its CRC."""
    names = Names()
    file.seek(0)
    position = 0
    while True:
        file.seek(position)
        header = file.read(_LOCAL_HEADER.size)
        if len(header) < _LOCAL_HEADER.size or not header.startswith(b"PK\x03\x04"):
            return
        _, _, flags, method, _, _, crc, n_packed, _, n_name, n_extra = _LOCAL_HEADER.unpack(header)
        info = zipfile.ZipInfo()
        info.orig_filename = file.read(n_name).decode("utf-8" if flags & 0x800 else "cp437", "replace")
        info.flag_bits = flags
        position += _LOCAL_HEADER.size + n_name + n_extra
        has_sizes = not flags & 0x8
        if flags & 0x1 or method not in (0, 8) or (method == 0 and not has_sizes):
            if not has_sizes:
                return  # nobody can say where it ends
            position += n_packed
            continue
        budget.member()
        file.seek(position)
        try:
            data, n_used = _inflate(file, n_packed if has_sizes else None, method, budget)
        except (zlib.error, EOFError):
            if not has_sizes:
                return
            position += n_packed
            continue
        position += n_used
        if not has_sizes:
            file.seek(position)
            descriptor = file.read(16)
            has_mark = descriptor.startswith(b"PK\x07\x08")
            if len(descriptor) < 12 + 4 * has_mark:
                return
            crc = struct.unpack_from("<L", descriptor, 4 * has_mark)[0]
            position += 12 + 4 * has_mark
        name = names.unique(printable_name(_zip_name(info)))
        if zlib.crc32(data) == crc and not name.endswith("/") and wanted(name):
            yield name, data


def _inflate(file: BinaryIO, n_packed: int | None, method: int, budget: Budget) -> tuple[bytes, int]:
    """A stored or deflated file and the packed bytes it took. Raises zlib.error, EOFError, LimitExceeded."""
    decompressor = zlib.decompressobj(-15)
    pieces: list[bytes] = []
    n_bytes = n_used = 0
    while True:
        n_wanted = CHUNK_BYTES if n_packed is None else min(CHUNK_BYTES, n_packed - n_used)
        packed = file.read(n_wanted) if n_wanted else b""
        if n_wanted and not packed:
            raise EOFError("cut off")
        n_used += len(packed)
        piece = packed if method == 0 else decompressor.decompress(packed, CHUNK_BYTES)
        while piece:
            n_bytes += len(piece)
            budget.spend(len(piece))
            budget.check_member(n_bytes)
            pieces.append(piece)
            tail = decompressor.unconsumed_tail
            piece = decompressor.decompress(tail, CHUNK_BYTES) if method and tail else b""
        if method and decompressor.eof:
            return b"".join(pieces), n_used - len(decompressor.unused_data)
        if n_packed is not None and n_used >= n_packed:
            if method:
                raise EOFError("cut off")
            return b"".join(pieces), n_used
