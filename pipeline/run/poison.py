"""A shard that kills its worker: found down to the game that does it, which is left out; everything else is kept.

First by source, then within a source by halving at game borders. Probes write to a folder of their own that is thrown away.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from typing import Any

from pipeline.run.plan import Reading, Shard, Spec, make_shard, size_of

MOST_PROBES = 300
"""Bounds the time for one shard; what is then still suspect is left out whole."""
_BLANK_LINE = re.compile(rb"(?:\r?\n|\r){2,}")
_ONE_GAME = b"[Event "

Span = tuple[int, int]
Survives = Callable[[Shard], bool]
Borders = Callable[[bytes], list[int]]


def halves(shard: Shard, reading: Reading) -> list[Shard]:
    """Two shards of half the sources each; none when the shard has one source."""
    specs: list[Spec] = shard["sources"]
    if len(specs) < 2:
        return []
    middle = len(specs) // 2
    return [make_shard(part, reading, shard["out"], shard["mode"]) for part in (specs[:middle], specs[middle:])]


def without_killers(shard: Shard, reading: Reading, data: bytes, borders: Borders, survives: Survives) -> Shard:
    """The shard of one source with `poison`: the byte ranges that are not read because reading them kills. Maybe none.

    `data` are the bytes of the spec's range. `survives` runs a probe and says whether its worker lived.
    """
    if survives(_probe(shard)):
        return shard  # it was something else that killed
    spec = shard["sources"][0]
    start, end = spec["range"] or (0, size_of(spec))
    search = _Search(shard, reading, start, data, borders, survives)
    killers = list(search.killers((start, end))) if end > start else []
    final = _with_poison(shard, reading, killers)
    if killers and survives(_probe(final)):
        return final
    return _with_poison(shard, reading, [(start, end)])


def without_document(shard: Shard, reading: Reading, survives: Survives) -> Shard:
    """The shard of one document that is left out whole: what kills may be the extraction of its text, which has no parts."""
    if survives(_probe(shard)):
        return shard
    spec = {**shard["sources"][0], "status": "worker_killed", "detail": "reading this document killed its worker each time"}
    return make_shard([spec], reading, shard["out"], shard["mode"])


class _Search:
    """Halves what kills until it is one game."""

    def __init__(self, shard: Shard, reading: Reading, start: int, data: bytes, borders: Borders, survives: Survives) -> None:
        self.shard, self.reading, self.data = shard, reading, data
        self.start, self.end = start, start + len(data)
        self.borders, self.survives = borders, survives
        self.n_probes = 0

    def killers(self, suspect: Span) -> Iterator[Span]:
        """The smallest ranges in `suspect`, which kills, that kill on their own; `suspect` when its halves do not."""
        middle = self._middle(suspect)
        if middle is None or self.n_probes >= MOST_PROBES:
            yield suspect
            return
        parts = [part for part in ((suspect[0], middle), (middle, suspect[1])) if self._kills(part)]
        if not parts:
            yield suspect
        for part in parts:
            yield from self.killers(part)

    def _kills(self, part: Span) -> bool:
        self.n_probes += 1
        rest = [span for span in ((self.start, part[0]), (part[1], self.end)) if span[1] > span[0]]
        return not self.survives(_probe(_with_poison(self.shard, self.reading, rest)))

    def _middle(self, span: Span) -> int | None:
        """The border nearest the middle of a range; None when it is one game or cannot be cut."""
        text = self.data[span[0] - self.start : span[1] - self.start]
        cuts = [cut for cut in self.borders(text) if 0 < cut < len(text)]
        if not cuts and not text.lstrip().startswith(_ONE_GAME):
            cuts = [match.end() for match in _BLANK_LINE.finditer(text) if 0 < match.end() < len(text)]
        return span[0] + min(cuts, key=lambda cut: (abs(cut - len(text) // 2), cut)) if cuts else None


def _with_poison(shard: Shard, reading: Reading, spans: list[Span]) -> Shard:
    spec: dict[str, Any] = {**shard["sources"][0], "poison": [list(span) for span in _merged(spans)]}
    return make_shard([spec], reading, shard["out"], shard["mode"])


def _merged(spans: list[Span]) -> list[Span]:
    merged: list[Span] = []
    for span in sorted(spans):
        if merged and merged[-1][1] >= span[0]:
            merged[-1] = (merged[-1][0], max(merged[-1][1], span[1]))
        else:
            merged.append(span)
    return merged


def _probe(shard: Shard) -> Shard:
    return {**shard, "is_probe": True}
