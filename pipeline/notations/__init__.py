"""Written move → MovePattern, one module per family. No module here knows a board."""

from __future__ import annotations

from collections.abc import Mapping
from types import MappingProxyType
from typing import Final

from pipeline.notations import descriptive, numeric, romance, smith, telegraph, verbal
from pipeline.notations.families import Family
from pipeline.notations.squares import FILES, RANKS

_MEMBERS = (
    descriptive.FAMILY,
    romance.FAMILY,
    numeric.FAMILY,
    smith.FAMILY,
    telegraph.UEDEMANN,
    telegraph.GRINGMUTH,
    verbal.FAMILY,
)
FAMILIES: Final[Mapping[str, Family]] = MappingProxyType({family.name: family for family in _MEMBERS})
"""Name of a family → the family: all that are read beside algebraic, which has an alphabet and no dialect."""

WITHOUT_GRAMMAR: Final = frozenset({"stenography", "rutherford"})
"""Ways to write games that have no grammar: shorthand of one hand, and Rutherford's code, whose order of moves is lost."""

__all__ = ["FAMILIES", "FILES", "RANKS", "WITHOUT_GRAMMAR", "Family"]
