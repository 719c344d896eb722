"""The explaining lane: chunks of a source's text → games by `split` and `transcribe`, with spans and counts."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import replace
from functools import partial

import numpy as np
import numpy.typing as npt

from pipeline import markup, sources
from pipeline.ingest.rows import GameRows, Place
from pipeline.ingest.spans import Spans
from pipeline.model import Filler, Game, Hints, Issue, Line
from pipeline.signs import char_class, figurines
from pipeline.sources import Text
from pipeline.split import filler, split
from pipeline.transcribe import transcribe

SHORT_PAWN_LINE_PLIES = 12
"""An all-pawn line this short is no proof where a source lost its symbols (docs/rules.md §3.5)."""
LOST_MEN_PLIES = 3
"""Pawn moves before the first that cannot be: in scores that lost their figurines that one comes at ply 4 to 10."""
_WEIGHED_BYTES = 1 << 20
"""Texts up to this are read under every encoding that the bytes do not rule out."""
_FIGURINES = re.compile(char_class(figurines(with_fonts=False)))
_LOST_MAN = re.compile(r"(?<=[\s.])x[a-h][1-8]")

Range = tuple[int, int]


def decode(data: bytes, decision: sources.Decision, hints: Hints) -> Text:
    """The text of a source; where several encodings remain possible, the one under which most plies are proven."""
    text = sources.decode(data, decision)
    if not text.alternatives or len(data) > _WEIGHED_BYTES:
        return text
    texts = [text, *(sources.decode(data, alternative) for alternative in text.alternatives)]
    proven = [sum(len(game.lines[0].plies) for game in _games(t.text, hints) if game.status == "clean") for t in texts]
    return texts[max(range(len(texts)), key=lambda i: (proven[i], -i))]


def _games(text: str, hints: Hints) -> Iterator[Game]:
    seen = [view.text for view in markup.views(text)] or [text]
    return (part for one in seen for part in _read(one, hints) if isinstance(part, Game))


def read_slowly(
    place: Place, chunks: npt.NDArray[np.int64], hints: Hints, rows: GameRows, spans: Spans, counts: dict[str, int],
    *, poison: Sequence[Sequence[int]] = (),
) -> None:  # fmt: skip
    """Read chunks (`[n, 2]`, in characters of the text) and add their games, spans and counts.

    `poison`: byte ranges of the source that killed a worker; they are quarantined unread.
    """
    text = place.text.text
    found = list(_parts(text, list(_without(chunks.tolist(), _chars(place, poison))), hints))
    if has_lost_symbols(place, chunks, [part for part in found if isinstance(part, Game)]):
        found = [
            _doubted(part) if isinstance(part, Game) and not _FIGURINES.search(text, part.start, part.end) else part
            for part in found
        ]
    for part in found:
        if isinstance(part, Filler):
            spans.add(place.byte(part.start), place.byte(part.end), part.kind)
            continue
        rows.add_game(place, part)
        counts["n_games"] += 1
        counts[f"n_{part.status}"] += 1
        counts["n_plies"] += len(part.lines[0].plies)
        spans.add(place.byte(part.start), place.byte(part.end), "game" if part.status == "clean" else "quarantine")
    for a, b in poison:
        _quarantine(place, a, b, rows, spans)


def _parts(text: str, pieces: Sequence[Range], hints: Hints) -> Iterator[Game | Filler]:
    """Games and filler of pieces of a text, in order, without gap: of what a reader sees of them, if the text is marked up."""
    views = markup.views(text) if pieces else []
    for start, end in pieces:
        if not views:
            yield from (_placed(part, partial(_shifted, start)) for part in _read(text[start:end], hints))
            continue
        at = start
        for view in (view.within(start, end) for view in views):
            for part in _read(view.text, hints):
                placed = _clipped(_placed(part, view.original), at, end)
                if placed.start > at:
                    yield Filler(at, placed.start, "markup")
                if placed.end > placed.start:
                    yield placed
                at = placed.end
        if at < end:
            yield Filler(at, end, "markup")


def _read(text: str, hints: Hints) -> Iterator[Game | Filler]:
    """Games and filler of what a reader sees, in order, without gap."""
    for part in split(text, hints.notation):
        if isinstance(part, Filler):
            yield part
            continue
        game = transcribe(part, hints)
        yield game
        yield from filler(text, game.end, part.reach)


def _shifted(by: int, start: int, end: int) -> Range:
    return start + by, end + by


def _placed(part: Game | Filler, original: Callable[[int, int], Range]) -> Game | Filler:
    """A part with its offsets in the text, by where a range of what was read came from."""
    start, end = original(part.start, part.end)
    if isinstance(part, Filler):
        return replace(part, start=start, end=end)
    return replace(part, start=start, end=end, issues=tuple(_placed_issue(issue, original) for issue in part.issues))


def _placed_issue(issue: Issue, original: Callable[[int, int], Range]) -> Issue:
    if issue.start < 0:
        return issue
    start, end = original(issue.start, max(issue.start, issue.end))
    return replace(issue, start=start, end=end)


def _clipped(part: Game | Filler, start: int, end: int) -> Game | Filler:
    """Parts may share what they came from, as two characters of one entity do: the first has it."""
    at = min(max(part.start, start), end)
    return part if at == part.start else replace(part, start=at, end=max(at, part.end))


def has_lost_symbols(place: Place, chunks: npt.NDArray[np.int64], games: Iterable[Game]) -> bool:
    """Whether men were lost from a source: figurines stand elsewhere in it, or, in what the kernel did not answer (`chunks`),
    captures without a man, or long games that die as pawn moves."""
    text = place.text.text
    if not text.isascii() and _FIGURINES.search(text):
        return True
    if any(_LOST_MAN.search(text, start, end) for start, end in chunks.tolist()):
        return True
    return any(g.status == "truncated" and _is_pawn_line(g) and _dies_as_pawn_move(g) for g in games)


def _is_pawn_line(game: Game) -> bool:
    plies = game.lines[0].plies
    return bool(plies) and all(ply.san[0].islower() for ply in plies)


def _dies_as_pawn_move(game: Game) -> bool:
    """Whether what no legal move fits is written as a pawn move: after a few of those a lost man shows."""
    faults = [issue.written for issue in game.issues if issue.code == "illegal_move" and issue.written]
    return len(game.lines[0].plies) >= LOST_MEN_PLIES and any(written[0].islower() for written in faults)


def _doubted(game: Game) -> Game:
    """A short line of pawn moves is not believed where symbols were lost: rejected, its reading kept as a candidate."""
    plies = game.lines[0].plies
    if game.status != "clean" or not _is_pawn_line(game) or len(plies) > SHORT_PAWN_LINE_PLIES:
        return game
    moves = " ".join(ply.san for ply in plies)
    issue = Issue(
        "lost_figurines",
        game.start,
        game.end,
        0,
        1,
        detail="only pawn moves, and this source lost its men",
        candidates=(moves,),
    )
    return replace(
        game, status="rejected", lines=(Line(0, None, 1, 0, ()),), issues=(*game.issues, issue), notation=None, language=None,
        language_candidates=(), alphabet=None, dialect_evidence=None, result_board=None,
    )  # fmt: skip


def _chars(place: Place, ranges: Sequence[Sequence[int]]) -> list[Range]:
    """Byte ranges of the source → character ranges of the text."""
    if not ranges:
        return []
    at = place.text.char_offsets(np.array(ranges, np.int64).reshape(-1) - place.first_byte).tolist()
    return list(zip(at[::2], at[1::2], strict=True))


def _without(chunks: Iterable[Sequence[int]], holes: Sequence[Range]) -> Iterator[Range]:
    """Chunks with holes cut out, empty ones left out."""
    for start, end in chunks:
        for a, b in sorted(holes):
            if b <= start or a >= end:
                continue
            if a > start:
                yield start, a
            start = b
        if start < end:
            yield start, end


def _quarantine(place: Place, start: int, end: int, rows: GameRows, spans: Spans) -> None:
    issue = Issue("worker_killed", detail="reading these bytes killed its worker each time")
    rows.add_issue_at(place.source_id, issue, None, start, end)
    span = place.data[start - place.first_byte : end - place.first_byte]
    rows.add_quarantine(place, start, span, issue.code, issue.detail, None)
    spans.add(start, end, "quarantine")


__all__ = ["SHORT_PAWN_LINE_PLIES", "decode", "has_lost_symbols", "read_slowly"]
