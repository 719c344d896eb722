"""A 7z → its files, unpacked in memory and each checked against its CRC."""

from __future__ import annotations

import io
import zlib
from collections.abc import Iterator
from typing import BinaryIO

import py7zr
from py7zr.exceptions import PasswordRequired
from py7zr.io import Py7zIO, WriterFactory

from pipeline.sources.archives import Damaged, Encrypted, Names, Wanted, everything, printable_name
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
        self._buffers: dict[str, _Buffer] = {}

    def create(self, filename: str, mode: str | None = None) -> Py7zIO:
        buffer = self._buffers[filename] = _Buffer(self._budget)
        return buffer

    def value(self, filename: str) -> bytes:
        """What was unpacked of the file so far."""
        buffer = self._buffers.get(filename)
        return buffer.value() if buffer is not None else b""


def seven_zip_files(file: BinaryIO, budget: Budget, wanted: Wanted = everything) -> Iterator[tuple[str, bytes]]:
    """The files of a 7z. They share compressed blocks, so all are unpacked before the first is given.

    py7zr gets numbers for names: it renames repeated ones, and refuses whole archives for names such as `../x`.
    """
    buffers = _Buffers(budget)
    checksums: dict[str, tuple[str, int | None]] = {}
    fault: Exception | None = None
    try:
        with py7zr.SevenZipFile(file, "r") as archive:
            if archive.needs_password():
                raise Encrypted("needs a password")
            names = Names()
            for number, entry in enumerate(archive.files):
                written = entry.filename
                entry.file_properties()["filename"] = str(number)
                if entry.is_directory or entry.is_symlink or entry.is_junction or entry.is_socket:
                    continue
                budget.member()
                budget.check_member(entry.uncompressed or 0)
                name = names.unique(printable_name(written))
                if wanted(name):
                    checksums[str(number)] = name, entry.crc32
            try:
                archive.extract(targets=list(checksums), factory=buffers)
            except LimitExceeded:
                raise
            except Exception as error:  # noqa: BLE001 (py7zr lets the errors of every codec through)
                fault = error
    except PasswordRequired as error:
        raise Encrypted("needs a password") from error
    except (Encrypted, LimitExceeded):
        raise
    except Exception as error:
        raise Damaged(f"unreadable 7z: {type(error).__name__}: {error}") from error
    for key, (name, checksum) in checksums.items():
        data = buffers.value(key)
        if fault is None or (data and checksum == zlib.crc32(data)):
            yield name, data
    if fault is not None:
        raise Damaged(f"unreadable 7z: {type(fault).__name__}: {fault}")
