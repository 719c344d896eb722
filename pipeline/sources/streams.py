"""One compressed stream (gz, bz2, xz, lzma, zst) → its bytes, in bounded pieces, or a typed error.

The decompressors of the standard library's *files* end quietly at damage between two streams of one file (bz2, xz), and
the `zstandard` package ends quietly at a cut-off file. So the loop over streams is our own, and says what it met.
"""

from __future__ import annotations

import bz2
import lzma
import sys
import zlib
from collections.abc import Callable, Iterator
from typing import Any, BinaryIO, Protocol

if sys.version_info >= (3, 14):
    from compression import zstd
else:
    from backports import zstd

from pipeline.sources.limits import CHUNK_BYTES, Budget

MAX_WINDOW_LOG = 27
"""zstd asks for a window of up to 2**n bytes of memory; 128 MiB is the tool's own default limit (`--long` needs more)."""


class CorruptStream(Exception):
    """A compressed stream is damaged or cut off. `is_truncated`: it is whole as far as it goes."""

    def __init__(self, message: str, *, is_truncated: bool = False) -> None:
        super().__init__(message)
        self.is_truncated = is_truncated


class _Decompressor(Protocol):
    """What bz2, lzma and zstd decompressors have in common."""

    @property
    def eof(self) -> bool: ...
    @property
    def needs_input(self) -> bool: ...
    @property
    def unused_data(self) -> bytes: ...
    def decompress(self, data: bytes, max_length: int = -1) -> bytes: ...


class _Gzip:
    """zlib's gzip reader with the interface of the others."""

    def __init__(self) -> None:
        self._inner = zlib.decompressobj(wbits=31)

    @property
    def eof(self) -> bool:
        return self._inner.eof

    @property
    def needs_input(self) -> bool:
        return not self._inner.unconsumed_tail

    @property
    def unused_data(self) -> bytes:
        return self._inner.unused_data

    def decompress(self, data: bytes, max_length: int = -1) -> bytes:
        return self._inner.decompress(self._inner.unconsumed_tail + data, max(max_length, 0))


_ZSTD_OPTIONS: dict[Any, int] = {zstd.DecompressionParameter.window_log_max: MAX_WINDOW_LOG}
_MAKERS: dict[str, Callable[[], _Decompressor]] = {
    "gz": _Gzip,
    "bz2": bz2.BZ2Decompressor,
    "xz": lambda: lzma.LZMADecompressor(lzma.FORMAT_XZ, memlimit=512 << 20),
    "lzma": lambda: lzma.LZMADecompressor(lzma.FORMAT_ALONE, memlimit=512 << 20),
    "zst": lambda: zstd.ZstdDecompressor(options=_ZSTD_OPTIONS),
}
STREAM_KINDS = tuple(_MAKERS)
_ERRORS = (zlib.error, lzma.LZMAError, zstd.ZstdError, OSError, EOFError, ValueError)


def decompressed(kind: str, file: BinaryIO, budget: Budget) -> Iterator[bytes]:
    """The stream's bytes in pieces of at most CHUNK_BYTES; several streams in a row are one.

    Zero bytes after a stream are padding. Raises CorruptStream at damage, a cut or anything else after a stream, and
    LimitExceeded; what was yielded before is then not to be trusted, unless `is_truncated`.
    """
    rest = b""
    while True:
        rest = (rest or file.read(CHUNK_BYTES)).lstrip(b"\0")
        while not rest:
            rest = file.read(CHUNK_BYTES)
            if not rest:
                return
            rest = rest.lstrip(b"\0")
        decompressor = _MAKERS[kind]()
        while not decompressor.eof:
            if not rest and decompressor.needs_input:
                rest = file.read(CHUNK_BYTES)
                if not rest:
                    raise CorruptStream(f"{kind} stream is cut off", is_truncated=True)
            try:
                piece = decompressor.decompress(rest, CHUNK_BYTES)
            except MemoryError as error:
                raise CorruptStream(f"{kind} stream needs too much memory") from error
            except _ERRORS as error:
                raise CorruptStream(f"{kind} stream is damaged: {error}") from error
            rest = b""
            if piece:
                budget.spend(len(piece))
                yield piece
        rest = decompressor.unused_data


def read_stream(kind: str, file: BinaryIO, budget: Budget) -> bytes:
    """The whole stream, at most `budget.limits.member_bytes`. Raises CorruptStream, LimitExceeded."""
    pieces = []
    n_bytes = 0
    for piece in decompressed(kind, file, budget):
        n_bytes += len(piece)
        budget.check_member(n_bytes)
        pieces.append(piece)
    return b"".join(pieces)


def check_stream(kind: str, file: BinaryIO, budget: Budget) -> None:
    """Read the whole stream without keeping it. Raises CorruptStream, LimitExceeded."""
    for _ in decompressed(kind, file, budget):
        pass
