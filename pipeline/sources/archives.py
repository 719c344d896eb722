"""What all archive formats share: errors, names, plain files in pieces."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import BinaryIO

from pipeline.sources.limits import CHUNK_BYTES

Wanted = Callable[[str], bool]
"""Says whether a file of this name is to be read; others are passed over as cheaply as the format allows."""


class Damaged(Exception):
    """The archive, or at least one file in it, cannot be read; the message says what."""


class Encrypted(Exception):
    """The archive, or at least one file in it, needs a password."""


class IsDocument(Exception):
    """The zip is a document of an office program, an e-book or a program: one file to its users, no archive.

    `kind` says which when its text can be read (`documents.extract`): docx, odt, epub.
    """

    def __init__(self, kind: str | None) -> None:
        super().__init__(f"{kind.upper()} document" if kind else "a document in a zip")
        self.kind = kind


def everything(name: str) -> bool:
    """Wants every file."""
    return True


class Names:
    """Gives each file of an archive a name of its own: a repeated name gets `#2`, `#3`, …"""

    def __init__(self) -> None:
        self._counts: dict[str, int] = {}

    def unique(self, name: str) -> str:
        """The name, numbered when it was seen before."""
        n = self._counts[name] = self._counts.get(name, 0) + 1
        return name if n == 1 else f"{name}#{n}"


def printable_name(name: str) -> str:
    """The name with control characters and undecodable bytes escaped, so that any report can hold it."""
    return name if name.isprintable() else "".join(c if c.isprintable() else _escaped(ord(c)) for c in name)


def _escaped(code: int) -> str:
    if 0xDC80 <= code <= 0xDCFF:  # a byte that `surrogateescape` carried here
        code -= 0xDC00
    return f"\\x{code:02x}" if code <= 0xFF else f"\\u{code:04x}"


def file_pieces(file: BinaryIO) -> Iterator[bytes]:
    """A plain file in pieces of CHUNK_BYTES."""
    while piece := file.read(CHUNK_BYTES):
        yield piece
