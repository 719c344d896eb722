"""Tournament report files (FIDE TRF16 and TRF26) → a game without moves for each pairing and bye, and back.

`recognise` knows one by its content, `read` makes games and filler of it, `write.write` prints one. Rules: docs/rules.md §12.
"""

from pipeline.trf.pairings import read
from pipeline.trf.records import recognise

__all__ = ["read", "recognise"]
