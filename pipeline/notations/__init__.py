"""Written move → MovePattern, one module per family. No module here knows a board."""

from typing import Final

FILES: Final = tuple(0x0101010101010101 << file for file in range(8))
"""Bitboards of the files a–h."""
RANKS: Final = tuple(0xFF << 8 * rank for rank in range(8))
"""Bitboards of the ranks 1–8."""
