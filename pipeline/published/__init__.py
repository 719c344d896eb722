"""Scores that a text publishes: `8½:12½`, `8,5:12,5`, `+6−4=11`, with the names and the event that stand beside.

`find` says what stands where; it knows no game of the corpus. Rules: docs/rules.md §13.
"""

from pipeline.published.cases import keys
from pipeline.published.find import find
from pipeline.published.scores import read_score

__all__ = ["find", "keys", "read_score"]
