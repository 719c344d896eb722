"""A text as its reader sees it, every character traced to the original ones that it came from."""

from __future__ import annotations

from dataclasses import dataclass, field

import numpy as np
import numpy.typing as npt

Offsets = npt.NDArray[np.int64]


@dataclass(frozen=True, slots=True)
class View:
    """What a reader sees of a text, or of a stretch of it.

    What became `text[i]` is `original[starts[i]:ends[i]]`, never empty. Both arrays never fall. Characters that one stretch
    became together (a tag that breaks the line twice, an entity of two characters) share its range.
    """

    text: str
    starts: Offsets = field(repr=False)
    ends: Offsets = field(repr=False)

    def original(self, start: int, end: int) -> tuple[int, int]:
        """Where a range of the view came from; an empty one lies before what became the next character."""
        if start < end:
            return int(self.starts[start]), int(self.ends[end - 1])
        at = int(self.starts[start] if start < len(self.text) else self.ends[-1])
        return at, at

    def within(self, start: int, end: int) -> View:
        """The part of the view that came wholly from [start, end) of the original."""
        a = int(np.searchsorted(self.starts, start, side="left"))
        b = max(a, int(np.searchsorted(self.ends, end, side="right")))
        return self if (a, b) == (0, len(self.text)) else View(self.text[a:b], self.starts[a:b], self.ends[a:b])

    def through(self, outer: View) -> View:
        """This view of `outer.text`, traced to what `outer` was seen in: HTML in a string of a program."""
        return View(self.text, outer.starts[self.starts], outer.ends[self.ends - 1])


class Writer:
    """Writes a view from left to right: stretches copied, stretches replaced."""

    def __init__(self, text: str) -> None:
        self.text = text
        self.pieces: list[str] = []
        self.starts: list[int] = []
        self.ends: list[int] = []
        self.is_copy: list[bool] = []
        self.n_breaks = 2
        """Line ends that the view ends with; a view begins as if behind a blank line."""

    def copy(self, start: int, end: int) -> None:
        """Original text as it stands."""
        if end > start:
            self._add(self.text[start:end], start, end, is_copy=True)

    def put(self, seen: str, start: int, end: int) -> None:
        """`seen` in the place of [start, end), which must not be empty."""
        if seen:
            self._add(seen, start, end, is_copy=False)

    def line_break(self, n: int, start: int, end: int) -> None:
        """As many line ends in the place of [start, end) as are missing to `n`."""
        self.put("\n" * (n - self.n_breaks), start, end)

    def _add(self, seen: str, start: int, end: int, *, is_copy: bool) -> None:
        self.pieces.append(seen)
        self.starts.append(start)
        self.ends.append(end)
        self.is_copy.append(is_copy)
        visible = seen.rstrip()
        breaks = seen[len(visible) :].count("\n")
        self.n_breaks = breaks if visible else self.n_breaks + breaks

    @property
    def ends_blank(self) -> bool:
        """Whether the last character is a blank or a line end, or nothing has been written yet."""
        return not self.pieces or self.pieces[-1][-1].isspace()

    def last(self) -> tuple[int, int]:
        """Where the last character came from; something must have been written."""
        start, end = self.starts[-1], self.ends[-1]
        return (end - 1, end) if self.is_copy[-1] else (start, end)

    def view(self) -> View:
        """What was written."""
        n = np.array([len(piece) for piece in self.pieces], np.int64)
        starts, ends = np.array(self.starts, np.int64), np.array(self.ends, np.int64)
        is_copy = np.repeat(np.array(self.is_copy, np.bool_), n)
        within = np.arange(int(n.sum()), dtype=np.int64) - np.repeat(np.cumsum(n) - n, n)
        starts, ends = np.repeat(starts, n), np.repeat(ends, n)
        starts = np.where(is_copy, starts + within, starts)
        return View("".join(self.pieces), starts, np.where(is_copy, starts + 1, ends))
