"""Which sources are read together: a pure function of the sources, blind to workers, engines and the order of files.

Small sources are grouped, large plain ones are cut at game borders, so that a shard is a few MiB of input.
"""

from __future__ import annotations

import hashlib
import json
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from typing import Any

from pipeline.run.options import MIB

GROUP_BYTES = 4 * MIB
"""Small sources are read together up to this."""
PIECE_BYTES = 16 * MIB
"""A source above this is cut near each multiple of it."""
_WINDOW_BYTES = 1 * MIB
_OVERLAP_BYTES = 4096
"""A border is seen by the blank line before it, so windows overlap."""
_SECONDS, _SECONDS_PER_MIB = 900, 60
"""A worker that takes longer for a shard is taken for hung; the slowest text measured takes some 10 seconds a MiB."""

Spec = dict[str, Any]
"""A source, or a part of one, as `ingest_shard` takes it."""
Shard = dict[str, Any]


@dataclass(frozen=True)
class Reading:
    """What results depend on besides bytes."""

    language: str | None
    notation: str | None
    encoding: str | None
    results_version: str


@dataclass(frozen=True)
class Cut:
    """Bytes [start, end) of a source; `first_line` is the number of the line that starts there, from 1."""

    start: int
    end: int
    first_line: int


@dataclass(frozen=True)
class Wanted:
    """A source to read: `inner` of the file `path`, whole or in `cuts`."""

    source_id: str
    path: str
    inner: str | None
    n_bytes: int
    status: str = "ok"
    cuts: tuple[Cut, ...] = ()
    decision: dict[str, Any] | None = None
    document: str | None = None
    """As in sources.Member."""


def plan(wanted: Iterable[Wanted], reading: Reading, *, out: str, mode: str, groups: Sequence[Sequence[str]] = ()) -> list[Shard]:
    """The shards of the wanted sources, in order of source_id; each source is in exactly one group or cut in parts.

    `groups` (source ids) are what a killed run planned together: a group that is wanted whole is kept, so that its receipts
    serve and the data files come out as if it had not been killed.
    """
    small: dict[str, Wanted] = {}
    shards: list[Shard] = []
    for source in sorted(wanted, key=lambda w: w.source_id):
        if source.cuts:
            shards += [make_shard([spec(source, reading, part)], reading, out, mode) for part in range(len(source.cuts))]
        elif source.n_bytes > GROUP_BYTES:
            shards.append(make_shard([spec(source, reading)], reading, out, mode))
        else:
            small[source.source_id] = source
    kept = []
    for group in groups:
        if group and all(source_id in small for source_id in group):
            kept.append([small.pop(source_id) for source_id in group])
    for together in [*kept, *_grouped(list(small.values()))]:
        shards.append(make_shard([spec(source, reading) for source in together], reading, out, mode))
    return sorted(shards, key=lambda shard: (shard["sources"][0]["source_id"], shard["sources"][0]["part"]))


def _grouped(sources: list[Wanted]) -> Iterable[list[Wanted]]:
    group: list[Wanted] = []
    n_bytes = 0
    for source in sources:
        if group and n_bytes + source.n_bytes > GROUP_BYTES:
            yield group
            group, n_bytes = [], 0
        group.append(source)
        n_bytes += source.n_bytes
    if group:
        yield group


def spec(source: Wanted, reading: Reading, part: int = 0) -> Spec:
    """One source, or one part of it, as `ingest_shard` takes it."""
    cut = source.cuts[part] if source.cuts else None
    return {
        "source_id": source.source_id,
        "path": source.path,
        "inner": source.inner,
        "part": part,
        "range": [cut.start, cut.end] if cut else None,
        "first_line": cut.first_line if cut else 1,
        "n_bytes": source.n_bytes,
        "status": source.status,
        "language": reading.language,
        "notation": reading.notation,
        "encoding": reading.encoding,
        "decision": source.decision,
        "document": source.document,
    }


def make_shard(specs: list[Spec], reading: Reading, out: str, mode: str) -> Shard:
    """A shard with its id: 32 hex digits of the hash of all that its receipt depends on (not: where files lie, mode)."""
    known = [{key: value for key, value in s.items() if key not in ("path", "inner")} for s in specs]
    text = json.dumps([reading.results_version, known], sort_keys=True, ensure_ascii=False)
    n_bytes = sum(size_of(s) for s in specs)
    return {
        "shard_id": hashlib.sha256(text.encode()).hexdigest()[:32],
        "sources": specs,
        "out": out,
        "mode": mode,
        "timeout_seconds": _SECONDS + _SECONDS_PER_MIB * n_bytes // MIB,
    }


def size_of(s: Spec) -> int:
    """Bytes that a spec stands for."""
    return int(s["range"][1] - s["range"][0]) if s["range"] else int(s["n_bytes"])


def cut(read: Callable[[int, int], bytes], n_bytes: int, borders: Callable[[bytes], list[int]]) -> tuple[Cut, ...]:
    """Cuts `n_bytes` at the first game border at or after each PIECE_BYTES beyond the cut before; () when there is none.

    `read(start, end)` gives bytes; one piece is in memory at a time.
    """
    cuts: list[Cut] = []
    start, line = 0, 1
    while start < n_bytes:
        end = _next_border(read, start + PIECE_BYTES, n_bytes, borders)
        cuts.append(Cut(start, end, line))
        line += _n_line_ends(read, start, end)
        start = end
    return tuple(cuts) if len(cuts) > 1 else ()


def _next_border(read: Callable[[int, int], bytes], at: int, n_bytes: int, borders: Callable[[bytes], list[int]]) -> int:
    """First border at or after `at`; n_bytes when there is none."""
    while at < n_bytes:
        base = max(0, at - _OVERLAP_BYTES)
        end = min(n_bytes, at + _WINDOW_BYTES)
        found = [base + border for border in borders(read(base, end)) if base + border >= at]
        if found:
            return found[0]
        # A border is only seen with the start of its tag: look again at what the window may have cut off.
        at = end if end == n_bytes else max(at + 1, end - 64)
    return n_bytes


def _n_line_ends(read: Callable[[int, int], bytes], start: int, end: int) -> int:
    """Line ends (LF, CR LF, CR) in a range that ends after a line end."""
    n = 0
    for base in range(start, end, _WINDOW_BYTES):
        data = read(base, min(end, base + _WINDOW_BYTES))
        n += data.count(b"\n") + data.count(b"\r") - data.count(b"\r\n")
        if data.endswith(b"\r") and base + len(data) < end and read(base + len(data), base + len(data) + 1) == b"\n":
            n -= 1
    return n
