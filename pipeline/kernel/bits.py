"""The three operations that compiled code does in one machine instruction; `modes` puts intrinsics in their place."""

from __future__ import annotations

from collections.abc import MutableSequence, Sequence


def lowest(board: int) -> int:
    """Index of the lowest set bit of a bitboard that is not 0."""
    return (board & -board).bit_length() - 1


def load8(data: Sequence[int], at: int) -> int:
    """Eight bytes as a little-endian integer (compiled: signed, so mask it to seven bytes before comparing)."""
    return int.from_bytes(data[at : at + 8], "little")


def store8(data: MutableSequence[int], at: int, word: int) -> None:
    """Writes eight bytes of a non-negative integer, little-endian."""
    data[at : at + 8] = word.to_bytes(8, "little")
