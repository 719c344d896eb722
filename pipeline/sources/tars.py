"""A tar → its regular files. Damage after the first file is damage here, where the standard library takes it for the end."""

from __future__ import annotations

import tarfile
from collections.abc import Iterator

from pipeline.sources.archives import Damaged, Names, Wanted, everything, printable_name
from pipeline.sources.limits import CHUNK_BYTES, Budget


class _Blocks:
    """Reads exactly n bytes of a sequence of pieces; fewer only at its end."""

    def __init__(self, pieces: Iterator[bytes]) -> None:
        self._pieces = pieces
        self._rest = memoryview(b"")

    def read(self, n_bytes: int) -> bytes:
        parts = []
        while n_bytes:
            if not self._rest:
                piece = next(self._pieces, b"")
                if not piece:
                    break
                self._rest = memoryview(piece)
            parts.append(bytes(self._rest[:n_bytes]))
            n_bytes -= len(parts[-1])
            self._rest = self._rest[len(parts[-1]) :]
        return b"".join(parts)


_TAR_BLOCK = 512


def tar_files(pieces: Iterator[bytes], budget: Budget, wanted: Wanted = everything) -> Iterator[tuple[str, bytes]]:
    """The regular files of a tar (ustar, GNU or pax). Unlike tarfile, damage after the first file is not taken for the end."""
    blocks = _Blocks(pieces)
    names = Names()
    long_name: str | None = None
    pax_size: int | None = None
    while True:
        header = blocks.read(_TAR_BLOCK)
        if len(header) < _TAR_BLOCK:
            raise Damaged("tar ends without an end mark")
        if not any(header):
            return
        try:
            info = tarfile.TarInfo.frombuf(header, "utf-8", "surrogateescape")
        except (tarfile.TarError, ValueError) as error:
            raise Damaged(f"bad tar header: {error}") from error
        n_bytes = info.size if pax_size is None else pax_size
        if n_bytes < 0:
            raise Damaged("bad tar header: negative size")
        is_file = info.type in (tarfile.REGTYPE, tarfile.AREGTYPE, tarfile.CONTTYPE)
        is_header = info.type in (tarfile.GNUTYPE_LONGNAME, tarfile.XHDTYPE)
        if not is_file and info.type in (tarfile.LNKTYPE, tarfile.SYMTYPE, tarfile.DIRTYPE, tarfile.CHRTYPE,
                                         tarfile.BLKTYPE, tarfile.FIFOTYPE):  # fmt: skip
            n_bytes = 0
        name = ""
        is_wanted = False
        if is_file:
            budget.member()
            name = names.unique(printable_name(long_name or info.name))
            is_wanted = wanted(name)
        if is_wanted or is_header:
            budget.check_member(n_bytes)
        data = _take(blocks, n_bytes, is_kept=is_wanted or is_header)
        blocks.read(-n_bytes % _TAR_BLOCK)
        if info.type == tarfile.GNUTYPE_LONGNAME:
            long_name = data.split(b"\0")[0].decode("utf-8", "surrogateescape")
            continue
        if info.type == tarfile.XHDTYPE:
            records = _pax_records(data)
            long_name = records.get("path", long_name)
            size = records.get("size", "")
            pax_size = int(size) if size.isdecimal() and len(size) < 19 else pax_size
            continue
        if info.type not in (tarfile.XGLTYPE, tarfile.GNUTYPE_LONGLINK):
            long_name = pax_size = None
        if is_wanted:
            yield name, data


def _take(blocks: _Blocks, n_bytes: int, *, is_kept: bool) -> bytes:
    """Read n bytes, in pieces so that a header that lies about a size costs no memory. Raises Damaged when cut off."""
    parts = []
    while n_bytes:
        part = blocks.read(min(n_bytes, CHUNK_BYTES))
        if not part:
            raise Damaged("tar is cut off inside a file")
        n_bytes -= len(part)
        if is_kept:
            parts.append(part)
    return b"".join(parts)


def _pax_records(data: bytes) -> dict[str, str]:
    """`length key=value\\n` records of a pax header (POSIX.1-2001); what is malformed is passed over."""
    records = {}
    while data:
        n_digits = data.find(b" ")
        length = data[:n_digits]
        if n_digits < 1 or not length.isdigit() or len(length) > 9 or int(length) <= n_digits:
            break
        key, found, value = data[n_digits + 1 : int(length) - 1].partition(b"=")
        if found:
            records[key.decode("utf-8", "surrogateescape")] = value.decode("utf-8", "surrogateescape")
        data = data[int(length) :]
    return records
