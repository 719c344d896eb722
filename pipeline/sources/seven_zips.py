"""A 7z → its files, unpacked in memory and each checked against its CRC."""

from __future__ import annotations

import io
import zlib
from collections.abc import Iterator
from typing import BinaryIO

import py7zr
from py7zr.exceptions import PasswordRequired
from py7zr.io import Py7zIO, WriterFactory

from pipeline.sources.archives import Damaged, Encrypted, Wanted, everything, printable_name
from pipeline.sources.limits import Budget, LimitExceeded


class _Buffer(Py7zIO):
    """One file of a 7z, kept in memory and counted while it grows."""

    def __init__(self, budget: Budget) -> None:
        self._budget = budget
        self._buffer = io.BytesIO()

    def write(self, s: bytes | bytearray) -> int:
        self._budget.spend(len(s))
        self._budget.check_member(self._buffer.tell() + len(s))
        return self._buffer.write(s)

    def read(self, size: int | None = None) -> bytes:
        return self._buffer.read(size)

    def seek(self, offset: int, whence: int = 0) -> int:
        return self._buffer.seek(offset, whence)

    def flush(self) -> None:
        """Nothing is buffered elsewhere."""

    def size(self) -> int:
        return self._buffer.getbuffer().nbytes

    def value(self) -> bytes:
        return self._buffer.getvalue()


class _Buffers(WriterFactory):
    """Collects the files that py7zr unpacks, by name."""

    def __init__(self, budget: Budget) -> None:
        self._budget = budget
        self.buffers: dict[str, _Buffer] = {}

    def create(self, filename: str, mode: str | None = None) -> Py7zIO:
        buffer = self.buffers[filename] = _Buffer(self._budget)
        return buffer


def seven_zip_files(file: BinaryIO, budget: Budget, wanted: Wanted = everything) -> Iterator[tuple[str, bytes]]:
    """The files of a 7z. Its files share compressed blocks, so all are unpacked before the first is given."""
    try:
        with py7zr.SevenZipFile(file, "r") as archive:
            if archive.needs_password():
                raise Encrypted("needs a password")
            listed = [entry for entry in archive.list() if not entry.is_directory]
            for entry in listed:
                budget.member()
                budget.check_member(entry.uncompressed or 0)
            targets = [entry.filename for entry in listed if wanted(printable_name(entry.filename))]
            factory = _Buffers(budget)
            fault: Exception | None = None
            try:
                archive.extract(targets=targets, factory=factory)
            except LimitExceeded:
                raise
            except Exception as error:  # noqa: BLE001 (py7zr lets the errors of every codec through)
                fault = error
            checksums = {entry.filename: entry.crc32 for entry in listed}
    except PasswordRequired as error:
        raise Encrypted("needs a password") from error
    except (Encrypted, LimitExceeded):
        raise
    except Exception as error:
        raise Damaged(f"unreadable 7z: {type(error).__name__}: {error}") from error
    for name in targets:
        buffer = factory.buffers.get(name)
        data = buffer.value() if buffer is not None else b""
        if fault is None or (buffer is not None and checksums[name] == zlib.crc32(data)):
            yield printable_name(name), data
    if fault is not None:
        raise Damaged(f"unreadable 7z: {type(fault).__name__}: {fault}")
