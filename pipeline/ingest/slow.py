"""The explaining lane: chunks of a source's text → games by `split` and `transcribe`, with spans and counts."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import replace

import numpy as np
import numpy.typing as npt

from pipeline import sources
from pipeline.ingest.parts import Range, parts
from pipeline.ingest.rows import GameRows, Place
from pipeline.ingest.spans import Spans
from pipeline.model import Filler, Game, Hints, Issue, Line
from pipeline.signs import char_class, figurines
from pipeline.sources import Text

SHORT_PAWN_LINE_PLIES = 12
"""An all-pawn line this short is no proof where a source lost its symbols (docs/rules.md §3.5)."""
LOST_MEN_PLIES = 3
"""Pawn moves before the first that cannot be: in scores that lost their figurines that one comes at ply 4 to 10."""
_WEIGHED_BYTES = 1 << 20
"""Texts up to this are read under every encoding that the bytes do not rule out."""
_FIGURINES = re.compile(char_class(figurines(with_fonts=False)))
_LOST_MAN = re.compile(r"(?<=[\s.])x[a-h][1-8]")


def decode(data: bytes, decision: sources.Decision, hints: Hints) -> Text:
    """The text of a source; where several encodings remain possible, the one under which most plies are proven."""
    text = sources.decode(data, decision)
    if not text.alternatives or len(data) > _WEIGHED_BYTES:
        return text
    texts = [text, *(sources.decode(data, alternative) for alternative in text.alternatives)]
    proven = [sum(len(game.lines[0].plies) for game in _games(t.text, hints) if game.status == "clean") for t in texts]
    return texts[max(range(len(texts)), key=lambda i: (proven[i], -i))]


def _games(text: str, hints: Hints) -> Iterator[Game]:
    return (part for part in parts(text, [(0, len(text))], hints) if isinstance(part, Game))


def read_slowly(
    place: Place, chunks: npt.NDArray[np.int64], hints: Hints, rows: GameRows, spans: Spans, counts: dict[str, int],
    *, poison: Sequence[Sequence[int]] = (),
) -> None:  # fmt: skip
    """Read chunks (`[n, 2]`, in characters of the text) and add their games, spans and counts.

    `poison`: byte ranges of the source that killed a worker; they are quarantined unread.
    """
    text = place.text.text
    found = list(parts(text, list(_without(chunks.tolist(), _chars(place, poison))), hints))
    if has_lost_symbols(place, chunks, [part for part in found if isinstance(part, Game)]):
        found = [
            _doubted(part) if isinstance(part, Game) and not _FIGURINES.search(text, part.start, part.end) else part
            for part in found
        ]
    for part in found:
        if isinstance(part, Filler):
            spans.add(place.byte(part.start), place.byte(part.end), part.kind)
            for issue in part.issues:
                rows.add_issue(place, issue, None)
            for told in part.scores:
                rows.add_published(place, told)
            continue
        rows.add_game(place, part)
        counts["n_games"] += 1
        counts[f"n_{part.status}"] += 1
        counts["n_plies"] += len(part.lines[0].plies)
        spans.add(place.byte(part.start), place.byte(part.end), "game" if part.status == "clean" else "quarantine")
    for a, b in poison:
        _quarantine(place, a, b, rows, spans)


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
