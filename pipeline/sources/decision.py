"""The decision how a source is decoded: a value that travels from the planner to the workers."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import asdict, dataclass
from typing import Any, Literal

Kind = Literal["bom", "utf16", "utf8", "ascii", "scored", "mixed", "hint", "binary"]
FALLBACK = "cp1252"
"""Code page of bytes that are no valid UTF-8 where nothing speaks for another."""


@dataclass(frozen=True, slots=True)
class Decision:
    """How a source is decoded. Plain values only; `as_dict` and `from_dict` carry it to a worker as JSON."""

    encoding: str
    """Main encoding: `utf-8`, `ascii`, `cp1251`, `utf-16-le`, …; `binary` for what is no text."""
    runner_up: str | None = None
    """The best reading that gives another text, when code pages were weighed."""
    margin: float | None = None
    """How much likelier `encoding` is than `runner_up`, natural log, from a bounded sample; None when nothing was weighed."""
    kind: Kind = "utf8"
    """What decided: a byte order mark, NULs, valid UTF-8, pure ASCII, scores, scores for a part only, the caller."""
    legacies: tuple[str, ...] = ()
    """Code pages of segments that are no valid UTF-8, the usual one first."""
    alternatives: tuple[str, ...] = ()
    """Code pages for `legacies[0]` that the margin does not rule out, likeliest first; those that give the same text are
    left out."""

    @classmethod
    def of_valid_utf8(cls, *, is_ascii: bool, has_mark: bool = False, hint: str | None = None) -> Decision:
        """The decision for text that is valid UTF-8 from end to end. `hint`: `utf-8`, `ascii` or None (`check_encoding`)."""
        if has_mark:
            return cls("utf-8", kind="bom", legacies=(FALLBACK,))
        if hint is not None:
            return cls(hint, kind="hint", legacies=(FALLBACK,) if hint == "utf-8" else ())
        return cls("ascii" if is_ascii else "utf-8", kind="ascii" if is_ascii else "utf8", legacies=(FALLBACK,))

    def as_dict(self) -> dict[str, Any]:
        """The decision as plain JSON values."""
        return asdict(self)

    @classmethod
    def from_dict(cls, values: Mapping[str, Any]) -> Decision:
        """The decision that `as_dict` gave, also after a way through JSON."""
        lists = {name: tuple(values[name]) for name in ("legacies", "alternatives") if name in values}
        return cls(**{**values, **lists})
