"""Problems and studies in running text: a position, what is asked, and the solution behind; and lines of EPD."""

from __future__ import annotations

import re
from collections.abc import Iterator
from functools import cache

from pipeline import setups, tables
from pipeline.model import Issue, TagPair
from pipeline.problems.block import ProblemText, Stipulation, stipulation
from pipeline.setups import Setup
from pipeline.setups.words import alternatives, texts

_NEAR = 240
"""Characters around a position in which what is asked may stand."""
_SIGN = re.compile(r"(?<![\w#+=])(?:ser-)?(?:[hsr]|hs|hr)?(?:##?|=)\s?\d{1,3}(?:\.5)?(?![\w/])")
_FIRST = re.compile(r"(?<![\w.])1\s{0,2}(?:\.|…|\))\s?(?:\.\.|…)?\s{0,2}(?:\S{0,3}[a-h]\S{0,3}[1-8]|[0O]-[0O])")
_SQUARE = re.compile(r"[a-h][1-8]|[0O]-[0O]")
_GLUED = re.compile(r"\s*(?:\d{1,3}\s?(?:\.|…)|\()")


def find(text: str) -> Iterator[ProblemText]:
    """Problems in prose and EPD lines, in order."""
    found = setups.find(text)
    for i, setup in enumerate(found):
        if setup.kind == "epd":
            if any(opcode in _asking() for opcode, _ in setup.operations):
                yield _epd(text, setup)
        elif setup.kind != "odds" and not _is_in_tag(text, setup.start):
            floor = found[i - 1].end if i else 0
            ceiling = found[i + 1].start if i + 1 < len(found) else len(text)
            block = _block(text, setup, floor, ceiling)
            if block:
                yield block


@cache
def _asking() -> frozenset[str]:
    """Opcodes that make a problem of a position; a comment alone may stand in the record of a game."""
    return frozenset(row["opcode"] for row in tables.rows("epd_opcodes") if row["role"])


def _is_in_tag(text: str, at: int) -> bool:
    return text[text.rfind("\n", 0, at) + 1 : at].lstrip().startswith("[")


def _epd(text: str, setup: Setup) -> ProblemText:
    tags = tuple(TagPair(key, value) for key, value in setup.operations if key in {"id", "eco"} and value)
    issue = None if setup.boards else _illegal(setup)
    asked = Stipulation("", "#")
    return ProblemText(
        text, setup.start, setup.end, "epd", asked, setup.boards, (setup.end, setup.end), tags, issue, operations=setup.operations
    )


def _illegal(setup: Setup) -> Issue:
    return Issue("illegal_start_position", setup.start, setup.end, written=setup.words, detail=setup.reason)


def _block(text: str, setup: Setup, floor: int, ceiling: int) -> ProblemText | None:
    """A position with what is asked near by and move 1 of a solution behind; None for another position, of a game say."""
    limit = min(ceiling, setup.end + 2 * _NEAR)
    first = _FIRST.search(text, setup.end, limit)
    if not first:
        return None
    above = max(floor, setup.start - _NEAR)
    asked = _asked(text, setup.end, first.start()) or _asked(text, above, setup.start)
    if not asked:
        return None
    end = _solution_end(text, first.start(), ceiling)
    tags = (TagPair("Stipulation", asked.written),)
    if asked.goal is None:
        issue = Issue("variant_unsupported", setup.start, end, written=asked.written, detail="not chess as played")
        return ProblemText(text, setup.start, end, "prose", asked, (), (first.start(), end), tags, issue)
    boards = setup.boards
    if not setup.is_side_known or asked.is_help:
        boards = tuple(board for board in boards if board.turn == asked.first) or boards
    return ProblemText(
        text, setup.start, end, "prose", asked, boards, (first.start(), end), tags, None if boards else _illegal(setup),
        setup.languages,
    )  # fmt: skip


_COUNT = re.compile(r"\s{1,3}(\d{1,3})")
"""How many moves the mate takes, behind the words that ask for it."""


def _asked(text: str, start: int, end: int) -> Stipulation | None:
    """What a stretch of text asks for: in signs, or in words."""
    sign = _SIGN.search(text, start, end)
    if sign:
        return stipulation("".join(sign[0].split()))
    word = _words().search(text, start, end)
    if not word:
        return None
    if not word["mate"]:
        return Stipulation(word[0], "+" if word["win"] else "=")
    count = _COUNT.match(text, word.end(), end)
    return Stipulation(text[word.start() : count.end() if count else word.end()], "#", moves=count[1] if count else "?")


@cache
def _words() -> re.Pattern[str]:
    kinds = {kind: alternatives(texts(kind)) for kind in ("mate", "win", "draw")}
    return re.compile("|".join(rf"(?P<{kind}>(?<!\w){words}(?!\w))" for kind, words in kinds.items()), re.IGNORECASE)


def _solution_end(text: str, start: int, ceiling: int) -> int:
    """Where the lines that hold moves end."""
    at = end = start
    has_gap = False
    while at < ceiling:
        line_end = text.find("\n", at, ceiling)
        line_end = ceiling if line_end < 0 else line_end
        line = text[at:line_end]
        if not line.strip():
            has_gap = True
        elif _SQUARE.search(line) and (not has_gap or _GLUED.match(line)):
            end, has_gap = at + len(line.rstrip()), False
        elif at > start and (has_gap or len(line.split()) > 4):
            break
        at = line_end + 1
    return end
