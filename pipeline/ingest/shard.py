"""One shard: decode its sources, let the kernel answer what is canonical, transcribe the rest, put the rows together."""

from __future__ import annotations

import time
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from itertools import pairwise
from typing import Any

import numpy as np
import pyarrow as pa

from pipeline import bulk, ids, schema, sources, tables
from pipeline.enrich import enrich
from pipeline.ingest import canonical
from pipeline.ingest.merging import indexed, merged
from pipeline.ingest.opening import Opened, Spec, opened
from pipeline.ingest.rows import GameRows, Place
from pipeline.ingest.slow import SHORT_PAWN_LINE_PLIES, decode, has_lost_symbols, read_slowly
from pipeline.ingest.spans import Spans
from pipeline.model import Hints, Issue
from pipeline.sources import Decision
from pipeline.split import borders

Array = np.ndarray[Any, Any]
WriteTable = Callable[[pa.Table, str, str], Any]
"""`write(table, table name, directory)` → a reference with `as_dict()`."""

_Places = Mapping[tuple[str, int], Place]
_COUNTERS = ("n_games", "n_clean", "n_truncated", "n_rejected", "n_plies")


def ingest_shard(shard: Mapping[str, Any], write: WriteTable) -> dict[str, Any]:
    """Read the sources of a shard, write their tables to `shard["out"]`, return the receipt (plain values only).

    Raises OSError when a source cannot be read any more. Same shard, same bytes, whatever the mode.
    """
    started = time.process_time()
    reading = _ShardReading(shard)
    found = reading.read()
    files = {name: write(table, name, shard["out"]).as_dict() for name, table in found.items() if table.num_rows}
    return {
        "shard_id": shard["shard_id"],
        "files": files,
        "sources": reading.receipts,
        "seconds_cpu": round(time.process_time() - started, 3),
        "n_games_kernel": reading.n_games_kernel,
    }


@dataclass(slots=True)
class _Part:
    """A source's part on its way: where it stands, and what came of it."""

    spec: Spec
    place: Place
    chunks: Array
    """[n, 2], bytes of `Text.utf8()`, one believed game each."""
    offset: int
    """Where the part's UTF-8 begins in the buffer that the kernel reads."""
    first_chunk: int
    spans: Spans = field(default_factory=Spans)
    counts: dict[str, int] = field(default_factory=lambda: dict.fromkeys(_COUNTERS, 0))
    fast: Array = field(default_factory=lambda: np.zeros(0, np.int64))
    """Games of the answer that are stored as the kernel read them."""


class _ShardReading:
    """The state of reading one shard."""

    def __init__(self, shard: Mapping[str, Any]) -> None:
        self.shard = shard
        first = shard["sources"][0]
        self.hints = Hints(first.get("language"), first.get("notation"), first.get("encoding"))
        self.rows = GameRows()
        self.parts: list[_Part] = []
        self.buffers: list[bytes] = []
        self.span_tables: list[pa.Table] = []
        self.receipts: dict[str, dict[str, Any]] = {}
        self.n_games_kernel = 0
        self.has_unreadable = False

    def read(self) -> dict[str, pa.Table]:
        """All tables of the shard, by name."""
        told = {}
        for source in opened(self.shard["sources"]):
            told[source.spec["source_id"]] = source.told
            (self._decode if source.status == "ok" else self._unreadable)(source)
        answer = self._ask_kernel()
        for part in self.parts:
            self._read_part(part, answer)
        for source_id, receipt in self.receipts.items():
            receipt.update(told[source_id])
        return self._tables(answer)

    def _decode(self, source: Opened) -> None:
        spec, data = source.spec, source.data
        decision = source.decision or sources.decide(data, spec.get("encoding"))
        text = decode(data, decision, self.hints)
        first_byte = spec["range"][0] if spec["range"] else 0
        place = Place(spec["source_id"], spec["part"], data, text, first_byte, spec["first_line"])
        for issue in source.issues:
            self.rows.add_issue(place, issue, None)
        utf8 = text.utf8()
        cuts = [0, *(border for border in borders(utf8) if border), len(utf8)]
        chunks = np.array(list(pairwise(cuts)), np.int64).reshape(-1, 2)
        offset = sum(map(len, self.buffers))
        self.parts.append(_Part(spec, place, chunks, offset, sum(len(p.chunks) for p in self.parts)))
        self.buffers.append(utf8)

    def _unreadable(self, source: Opened) -> None:
        """A source that is no text, or a broken container: one span."""
        spec, data = source.spec, source.data
        self.has_unreadable = True
        place = Place(spec["source_id"], spec["part"], data, sources.decode(b"", Decision("binary")))
        spans = Spans()
        for issue in source.issues:
            self.rows.add_issue_at(spec["source_id"], issue, None, 0, len(data))
        if source.status == "binary":
            spans.add(0, len(data), "binary")
        else:
            spans.add(0, len(data), "quarantine")
            issue = Issue(source.status, detail=source.detail)
            self.rows.add_issue_at(spec["source_id"], issue, None, 0, len(data))
            self.rows.add_quarantine(place, 0, data, issue.code, issue.detail, None)
        self._account(spec["source_id"], spans, 0, len(data), dict.fromkeys(_COUNTERS, 0), None)

    def _ask_kernel(self) -> _Answer:
        """One call for all chunks of the shard."""
        if not canonical.can_answer(self.hints) or not self.parts:
            return _Answer(None, None)
        english = next(a for a in tables.alphabets() if a.name == "en")
        buffer = self.buffers[0] if len(self.buffers) == 1 else b"".join(self.buffers)
        chunks = np.concatenate([_askable(part) + part.offset for part in self.parts])
        mode = self.shard.get("mode", "auto")
        answer = bulk.read(buffer, chunks, english, mode, plus_may_mate=True, may_pass=True, may_set_up=True)
        return _Answer(answer, canonical.accept(answer, self.hints))

    def _read_part(self, part: _Part, answer: _Answer) -> None:
        """Read slowly what the kernel did not answer, and account for every byte."""
        place = part.place
        fast = answer.accepted_rows(part.first_chunk, part.first_chunk + len(part.chunks))
        is_fast = np.zeros(len(part.chunks), np.bool_)
        is_fast[answer.chunks[fast] - part.first_chunk] = True
        weak = fast[answer.is_short_pawn_line[fast]]
        if len(weak) and has_lost_symbols(place, _chars(part, ~is_fast), ()):
            fast = np.setdiff1d(fast, weak)
            is_fast[answer.chunks[weak] - part.first_chunk] = False
        chars = _chars(part, ~is_fast)
        read_slowly(place, chars, self.hints, self.rows, part.spans, part.counts, poison=part.spec.get("poison") or ())
        part.fast = fast
        starts, ends = answer.byte_ranges(part)
        part.spans.add_many(starts, ends, "game")
        for counter, n in (("n_games", len(fast)), ("n_clean", len(fast)), ("n_plies", int(answer.n_plies[fast].sum()))):
            part.counts[counter] += n
        self.n_games_kernel += len(fast)
        self._account(place.source_id, part.spans, place.first_byte, place.first_byte + len(place.data), part.counts, place)
        self._report_encodings(place)

    def _account(
        self, source_id: str, spans: Spans, start: int, end: int, counts: Mapping[str, int], place: Place | None
    ) -> None:
        table, sizes = spans.finish(source_id, start, end, place.is_blank if place else _nothing)
        self.span_tables.append(table)
        decision = place.text.decision if place else None
        self.receipts[source_id] = {
            "encoding": decision.encoding if decision else None,
            "encoding_runner_up": decision.runner_up if decision else None,
            "encoding_margin": decision.margin if decision else None,
            **counts,
            **sizes,
        }

    def _report_encodings(self, place: Place) -> None:
        decision = place.text.decision
        if place.text.alternatives:
            others = ", ".join(decision.alternatives)
            detail = f"{decision.encoding} leads {decision.runner_up} by little; {others} are not ruled out"
            self.rows.add_issue(place, Issue("encoding_low_margin", 0, 0, detail=detail), None)
        encodings = [(start, encoding) for start, encoding in place.text.segments if encoding != "ascii"]
        if len({encoding for _, encoding in encodings}) > 1:
            at = next(start for start, encoding in encodings if encoding != encodings[0][1])
            names = ", ".join(dict.fromkeys(encoding for _, encoding in encodings))
            self.rows.add_issue(place, Issue("encoding_mixed", at, at, detail=names), None)

    def _tables(self, answer: _Answer) -> dict[str, pa.Table]:
        """Fast and slow rows together: games in order of source and byte, the rows of a game together."""
        fast = [answer.raw_games(part) for part in self.parts if len(part.fast)]
        slow_games = self.rows.games.table().select(_RAW_WITHOUT_INDEX)
        raw = pa.concat_tables([*fast, slow_games])
        if len(slow_games):
            raw = raw.sort_by([("source_id", "ascending"), ("byte_start", "ascending")])
        raw = indexed(raw)
        games, found_issues = enrich(raw)
        places = {(part.place.source_id, part.place.part): part.place for part in self.parts}
        self._add_game_issues(raw, found_issues, places)
        self.rows.add_published_in_comments(games, places)
        select = np.zeros(len(answer.chunks), np.bool_)
        for part in self.parts:
            select[part.fast] = True
        keys = pa.concat_arrays([t["game_id"].chunk(0) for t in fast]) if fast else pa.array([], pa.string())
        sides = {nag.nag: nag.side for nag in tables.nags() if nag.side}
        plies, variations, annotations = (c.table() for c in (self.rows.plies, self.rows.variations, self.rows.annotations))
        if answer.bulk is not None and len(keys):
            self._add_null_moves(answer, select, keys)
            order = games["game_id"]
            plies = merged(answer.bulk.plies(select, keys, is_encoded=True), plies, order)
            variations = merged(answer.bulk.variations(select, keys), variations, order)
            annotations = merged(answer.bulk.annotations(select, keys, sides), annotations, order)
        issues, spans = self.rows.issues.table(), pa.concat_tables(self.span_tables)
        if self.has_unreadable:
            spans = _sorted(spans, schema.SPANS)
        found = {
            "spans": spans,
            "games": games,
            "plies": plies,
            "variations": variations,
            "annotations": annotations,
            "issues": _sorted(issues, schema.ISSUES),
            "quarantine": _sorted(self.rows.quarantine.table(), schema.QUARANTINE),
            "published_results": _sorted(self.rows.published.table(), schema.PUBLISHED_RESULTS),
        }
        return {name: found[name] for name in schema.TABLES}

    def _add_null_moves(self, answer: _Answer, select: Array, keys: pa.Array) -> None:
        """The kernel passes in variations; each pass is an issue, as `transcribe` reports it."""
        assert answer.bulk is not None
        rows = np.flatnonzero(select)
        for row in answer.bulk.null_moves(select).to_pylist():
            part = next(
                p for p in self.parts if p.first_chunk <= answer.chunks[rows[row["game"]]] < p.first_chunk + len(p.chunks)
            )
            place, text = part.place, part.place.text
            start, end = text.char_offsets(text.utf8_to_byte(np.array([row["start"], row["end"]]) - part.offset)).tolist()
            issue = Issue("null_move", start, end, row["variation"], row["ply"], text.text[start:end], "read as --")
            self.rows.add_issue(place, issue, keys[row["game"]].as_py())

    def _add_game_issues(self, raw: pa.Table, issues: Sequence[tuple[int, Issue]], places: _Places) -> None:
        if not issues:
            return
        columns = ["source_id", "part", "game_id", "byte_start", "byte_end"]
        at = raw.select(columns).take(pa.array([row for row, _ in issues])).to_pylist()
        for game, (_, issue) in zip(at, issues, strict=True):
            start = game["byte_start"]
            line, column = places[game["source_id"], game["part"]].line_column_of_byte(start)
            self.rows.add_issue_at(game["source_id"], issue, game["game_id"], start, game["byte_end"], line, column)


class _Answer:
    """The kernel's answer for a shard; arrays have one element per answered game."""

    def __init__(self, answer: bulk.Bulk | None, accepted: canonical.Accepted | None) -> None:
        self.bulk, self.accepted = answer, accepted
        games = answer.games if answer is not None else bulk.GAMES.empty_table()
        self.games = games
        self.is_accepted = accepted.is_accepted if accepted is not None else np.zeros(0, np.bool_)
        self.chunks: Array = games["chunk"].to_numpy()
        self.letters: Array = games["letters"].to_numpy()
        self.n_plies: Array = games["n_plies"].to_numpy()
        self.is_short_pawn_line = (self.letters == 0) & (self.n_plies > 0) & (self.n_plies <= SHORT_PAWN_LINE_PLIES)

    def accepted_rows(self, first: int, stop: int) -> Array:
        """Accepted games of a range of chunks, in order."""
        a, b = np.searchsorted(self.chunks, [first, stop])
        rows: Array = a + np.flatnonzero(self.is_accepted[a:b])
        return rows

    def byte_ranges(self, part: _Part) -> tuple[Array, Array]:
        """Original bytes of the part's fast games: first `[` to result token."""
        text, base = part.place.text, part.place.first_byte
        start = text.utf8_to_byte(self.games["start"].to_numpy()[part.fast] - part.offset)
        end = text.utf8_to_byte(self.games["end"].to_numpy()[part.fast] - part.offset)
        return start + base, end + base

    def raw_games(self, part: _Part) -> pa.Table:
        """`schema.RAW_GAMES`, without index_in_part, of the part's fast games."""
        assert self.accepted is not None
        place, rows = part.place, part.fast
        n, games = len(rows), self.games.take(pa.array(rows))
        starts, ends = self.byte_ranges(part)
        view = memoryview(place.data)
        spans = zip((starts - place.first_byte).tolist(), (ends - place.first_byte).tolist(), strict=True)
        lines = zip(games["start_fen"].to_pylist(), games["movetext"].to_pylist(), strict=True)
        columns = {
            "game_id": pa.array([ids.game_id(place.source_id, at) for at in starts.tolist()], pa.string()),
            "source_id": _repeated(place.source_id, n),
            "byte_start": pa.array(starts, pa.int64()),
            "byte_end": pa.array(ends, pa.int64()),
            "part": pa.array(np.full(n, place.part, np.int32)),
            "text_id": pa.array([ids.text_id(view[a:b]) for a, b in spans], pa.string()),
            "content_id": pa.array([ids.line_id(fen, moves) if moves else None for fen, moves in lines], pa.string()),
            "status": _repeated("clean", n),
            "kind": _repeated("game", n),
            "encoding": self._encodings(place, starts),
            "variant": _repeated("standard", n),
            **canonical.language_columns(self.accepted, self.letters, self.n_plies, rows),
        }
        for name in _KERNEL_COLUMNS:
            columns[name] = games[name].combine_chunks() if games[name].num_chunks != 1 else games[name].chunk(0)
        fields = [schema.GAMES.schema.field(name) for name in _RAW_WITHOUT_INDEX]
        arrays = [columns.get(f.name, pa.nulls(n, f.type)) for f in fields]
        return pa.table([a.cast(f.type) for a, f in zip(arrays, fields, strict=True)], schema=pa.schema(fields))

    @staticmethod
    def _encodings(place: Place, starts: Array) -> pa.Array:
        text = place.text
        if len(text.segments) <= 1:
            return _repeated(text.segments[0][1] if text.segments else text.encoding, len(starts))
        chars = text.char_offsets(starts - place.first_byte).tolist()
        return pa.array([text.encoding_at(char) for char in chars], pa.string())


_KERNEL_COLUMNS = (
    "tag_names", "tag_values", "result_movetext", "result_board", "n_plies", "movetext",
    "start_fen", "first_move_number", "is_white_first", "eco", "opening",
)  # fmt: skip
"""Columns of a game that the kernel gives as they are stored."""
_RAW_WITHOUT_INDEX = [name for name in schema.RAW_GAMES if name != "index_in_part"]


def _sorted(table: pa.Table, declared: schema.Table) -> pa.Table:
    """Rows in the declared order."""
    return table.sort_by([(name, "ascending") for name in declared.order]) if len(table) else table


def _nothing(_start: int, _end: int) -> bool:
    """A source that is no text has no blanks between its spans."""
    return False


def _repeated(value: str, n: int) -> pa.Array:
    return pa.DictionaryArray.from_arrays(pa.array(np.zeros(n, np.int32)), pa.array([value])).cast(pa.string())


def _askable(part: _Part) -> Array:
    """The part's chunks, emptied where they touch bytes that killed a worker."""
    poison = part.spec.get("poison")
    if not poison:
        return part.chunks
    at = part.place.text.utf8_to_byte(part.chunks) + part.place.first_byte
    touched = np.zeros(len(at), np.bool_)
    for a, b in poison:
        touched |= (at[:, 0] < b) & (at[:, 1] > a)
    return np.where(touched[:, None], part.chunks[:, :1], part.chunks)


def _chars(part: _Part, chosen: Array) -> Array:
    """Chosen chunks of a part, in characters of its text."""
    chunks, text = part.chunks[chosen], part.place.text
    if not len(chunks):
        return chunks
    chars: Array = text.char_offsets(text.utf8_to_byte(chunks))
    if chosen[-1]:
        chars[-1, 1] = len(text.text)
    return chars
