"""A source's text → its games and the filler between them, whatever it is written in: pages and programs, problems, scores."""

from __future__ import annotations

import re
from bisect import bisect_left
from collections import deque
from collections.abc import Callable, Iterator, Sequence
from dataclasses import replace
from functools import partial

from pipeline import markup, problems, published, setups, trf
from pipeline.model import Filler, Game, Hints, Issue, PublishedScore
from pipeline.split import filler, split
from pipeline.transcribe import transcribe

Range = tuple[int, int]
_TAGGED = re.compile(r"\s*\[\w+ \"")
"""A PGN tag section opens the text: it holds games."""
_PROVEN_PLIES = 6
"""Half-moves without numbers that prove that a line of words is a score."""


def parts(text: str, pieces: Sequence[Range], hints: Hints) -> Iterator[Game | Filler]:
    """Games and filler of pieces of a text, in order, without gap: of what a reader sees of them, if the text is marked up."""
    if pieces and trf.recognise(text):
        yield from _report(text, pieces)
        return
    views = markup.views(text) if pieces else []
    for start, end in pieces:
        if not views:
            yield from (_placed(part, partial(_shifted, start)) for part in _told(text[start:end], hints))
            continue
        at = start
        for view in (view.within(start, end) for view in views):
            for part in _told(view.text, hints):
                placed = _clipped(_placed(part, view.original), at, end)
                if placed.start > at:
                    yield Filler(at, placed.start, "markup")
                if placed.end > placed.start:
                    yield placed
                at = placed.end
        if at < end:
            yield Filler(at, end, "markup")


def _report(text: str, pieces: Sequence[Range]) -> Iterator[Game | Filler]:
    """Pairings of a tournament report, those that lie in the pieces."""
    found = deque(trf.read(text))
    for start, end in pieces:
        while found and found[0].end <= start:
            found.popleft()
        for part in found:
            if part.start >= end:
                break
            if isinstance(part, Filler):
                yield Filler(max(start, part.start), min(end, part.end), part.kind, _issues_within(part.issues, start, end))
            elif start <= part.start and part.end <= end:
                yield part
            else:
                issues = sorted(part.issues, key=lambda issue: issue.start)
                yield Filler(max(start, part.start), min(end, part.end), "markup", _issues_within(issues, start, end))


def _issues_within(issues: Sequence[Issue], start: int, end: int) -> tuple[Issue, ...]:
    """Of issues in order those that begin in a range: a report may be one filler with very many, asked for piece by piece."""
    first, last = (bisect_left(issues, at, key=lambda issue: issue.start) for at in (start, end))
    return tuple(issues[first:last])


def _told(text: str, hints: Hints) -> Iterator[Game | Filler]:
    """Games and filler of what a reader sees; filler with the scores that it publishes, searched between games."""
    between: list[Filler] = []
    for part in _read(text, hints):
        if isinstance(part, Filler):
            between.append(part)
            continue
        yield from _publishing(text, between)
        between = []
        yield part
    yield from _publishing(text, between)


def _publishing(text: str, between: Sequence[Filler]) -> Iterator[Filler]:
    if not between:
        return
    start = between[0].start
    found = deque(published.find(text[start : between[-1].end]))
    for part in between:
        here = []
        while found and start + found[0].score.start < part.end:
            here.append(_placed_score(found.popleft(), partial(_shifted, start)))
        yield replace(part, scores=tuple(here)) if here else part


def _read(text: str, hints: Hints) -> Iterator[Game | Filler]:
    """Games and filler of what a reader sees, in order, without gap; problems and studies first, since a score is no solution."""
    at = 0
    for block in problems.find(text) if not _TAGGED.match(text) else ():
        yield from (_placed(part, partial(_shifted, at)) for part in _scores(text[at : block.start], hints))
        game = problems.read(block, hints)
        yield game
        at = game.end
    yield from (_placed(part, partial(_shifted, at)) for part in _scores(text[at:], hints))


def _scores(text: str, hints: Hints) -> Iterator[Game | Filler]:
    positions = [] if _TAGGED.match(text) else [setup.end for setup in setups.find(text) if setup.boards]
    for part in split(text, hints.notation, positions):
        if isinstance(part, Filler):
            yield part
            continue
        game = transcribe(part, hints)
        if part.is_numbered or is_believed(game):
            yield game
        else:
            yield from filler(text, game.start, game.end)
        yield from filler(text, game.end, part.reach)


def is_believed(game: Game) -> bool:
    """Whether a line of moves without numbers is a score: all of it, or much, is proven."""
    return game.status == "clean" or len(game.lines[0].plies) >= _PROVEN_PLIES


def _shifted(by: int, start: int, end: int) -> Range:
    return start + by, end + by


def _placed(part: Game | Filler, original: Callable[[int, int], Range]) -> Game | Filler:
    """A part with its offsets in the text, by where a range of what was read came from."""
    start, end = original(part.start, part.end)
    if isinstance(part, Filler):
        return replace(part, start=start, end=end, scores=tuple(_placed_score(told, original) for told in part.scores))
    return replace(part, start=start, end=end, issues=tuple(_placed_issue(issue, original) for issue in part.issues))


def _placed_score(told: PublishedScore, original: Callable[[int, int], Range]) -> PublishedScore:
    start, end = original(told.score.start, told.score.end)
    return replace(told, score=replace(told.score, start=start, end=end))


def _placed_issue(issue: Issue, original: Callable[[int, int], Range]) -> Issue:
    if issue.start < 0:
        return issue
    start, end = original(issue.start, max(issue.start, issue.end))
    return replace(issue, start=start, end=end)


def _clipped(part: Game | Filler, start: int, end: int) -> Game | Filler:
    """Parts may share what they came from, as two characters of one entity do: the first has it."""
    at = min(max(part.start, start), end)
    return part if at == part.start else replace(part, start=at, end=max(at, part.end))
