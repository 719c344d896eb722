"""How much of a container is read before it counts as a bomb, and why these numbers."""

from __future__ import annotations

from dataclasses import dataclass

CHUNK_BYTES = 1 << 20
"""Read and decompress this much at a time: large enough to be fast, small enough to stop a bomb early."""
WHOLE_FILE_BYTES = 64 << 20
"""A plain file above this is not loaded whole: its Member has no data, and callers read ranges of it."""


class LimitExceeded(Exception):
    """A container holds more than the limits allow; the message says which limit."""


@dataclass(frozen=True, slots=True)
class Limits:
    """Bounds for one container. Exceeding one stops it with status `limit_exceeded`; nothing is read further."""

    member_bytes: int = 1 << 30
    """A member is held in memory whole. 1 GiB holds 1.5 million games, the largest PGN that is sold or passed around."""
    total_bytes: int = 8 << 30
    """All members together, decompressed."""
    ratio: int = 500
    """Decompressed over compressed. PGN shrinks 4–30 ×, one game repeated for ever up to 300 × as gz; bombs 1,000 × and more."""
    ratio_free_bytes: int = 32 << 20
    """The ratio counts only beyond this: a small file of blanks is harmless."""
    n_members: int = 200_000
    """Files in one container."""
    depth: int = 2
    """Containers inside one another: an archive of compressed files is 2, what is packed deeper is not opened."""

    n_pages: int = 5_000
    """Pages of a PDF; the longest opening encyclopaedias have some 1,000."""


DEFAULT_LIMITS = Limits()
DOCUMENT_LIMITS = Limits(member_bytes=64 << 20, total_bytes=256 << 20)
"""For the parts of one document that hold text: pictures are not read, and a book of 1,000 pages has some 3 MB of text."""


class Budget:
    """Counts what a container has given so far, for those around it too; raises LimitExceeded on the byte that is too many."""

    def __init__(self, limits: Limits, n_packed_bytes: int, parent: Budget | None = None) -> None:
        self.limits = limits
        self._parent = parent
        self.n_packed_bytes = n_packed_bytes
        self._most = max(limits.ratio_free_bytes, n_packed_bytes * limits.ratio)
        self._n_bytes = 0
        self._n_members = 0

    def spend(self, n_bytes: int) -> None:
        """Count decompressed bytes, before they are kept."""
        if self._parent is not None:
            self._parent.spend(n_bytes)
        self._n_bytes += n_bytes
        if self._n_bytes > self.limits.total_bytes:
            raise LimitExceeded(f"more than {self.limits.total_bytes:,} bytes when unpacked")
        if self._n_bytes > self._most:
            raise LimitExceeded(f"unpacks to more than {self.limits.ratio} times its size")

    def member(self) -> None:
        """Count a member."""
        if self._parent is not None:
            self._parent.member()
        self._n_members += 1
        if self._n_members > self.limits.n_members:
            raise LimitExceeded(f"more than {self.limits.n_members:,} members")

    def check_member(self, n_bytes: int) -> None:
        """A member of this size, declared or reached so far."""
        if n_bytes > self.limits.member_bytes:
            raise LimitExceeded(f"a member of more than {self.limits.member_bytes:,} bytes")
