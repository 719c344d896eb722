"""Sets of squares, as bitboards (bit 0 = a1 … bit 63 = h8)."""

from typing import Final

FILES: Final = tuple(0x0101010101010101 << file for file in range(8))
"""Bitboards of the files a–h."""
RANKS: Final = tuple(0xFF << 8 * rank for rank in range(8))
"""Bitboards of the ranks 1–8."""


def square(file: int, rank: int) -> int:
    """Bitboard of one square, both counted from 0."""
    return 1 << (8 * rank + file)
