"""The record of a problem or study as it stands in a text, and what its stipulation asks for."""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import Literal

import chess

from pipeline.model import Issue, TagPair

_STIPULATION = re.compile(
    r"(?P<genre>(?:ser-|pser-|semi-|reci-)?[a-z]{0,4}?)\s?(?P<goal>##?|=|\+|[a-zA-Z!]{1,8})\s?(?P<moves>\d{1,3}(?:\.5)?)?(?!\S)"
)


@dataclass(frozen=True, slots=True)
class Stipulation:
    """What is asked. `goal`: `#` mate, `=` draw or stalemate, `+` win; None is anything that is not chess as played."""

    written: str
    goal: Literal["#", "=", "+"] | None
    is_help: bool = False
    moves: str | None = None

    @property
    def kind(self) -> Literal["problem", "study"]:
        """A study asks for a win or a draw, without a number of moves."""
        return "study" if self.goal in {"+", "="} and not self.moves and not self.is_help else "problem"

    @property
    def first(self) -> chess.Color:
        """Who moves first: White, but Black where both help, unless there is half a move more (`h#2.5`)."""
        return chess.WHITE if not self.is_help or (self.moves or "").endswith(".5") else chess.BLACK


def stipulation(written: str) -> Stipulation:
    """Read `#2`, `h#2.5`, `+`, `=`; selfmates, reflex mates, series movers and other goals are not chess as played."""
    match = _STIPULATION.fullmatch(written.strip())
    if not match or match["genre"] not in {"", "h"} or match["goal"] not in {"#", "=", "+"}:
        return Stipulation(written.strip(), None)
    goal: Literal["#", "=", "+"] = match["goal"]  # type: ignore[assignment]
    return Stipulation(written.strip(), goal, match["genre"] == "h", match["moves"])


@dataclass(frozen=True, slots=True)
class ProblemText:
    """A problem or study in a text: `start`/`end` are its span, `moves` the spans of its solution, in characters of `text`.

    `boards`: what its position may be; none: `issue` says why.
    """

    text: str
    start: int
    end: int
    form: Literal["olv", "epd", "prose"]
    stipulation: Stipulation
    boards: tuple[chess.Board, ...]
    moves: tuple[int, int]
    tags: tuple[TagPair, ...] = ()
    issue: Issue | None = None
    languages: frozenset[str] = frozenset()
    """Languages of the words of its position: their letters are tried before others."""
    operations: tuple[tuple[str, str], ...] = ()
    """Operations of an EPD line."""
