"""Receipts → readings: which sources are read whole, and what the registry keeps of them. Pure values, no files."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from typing import Any

from pipeline.run.plan import Reading, Shard
from pipeline.store import SOURCE_BYTES, SOURCE_COUNTS, FileRef, Files, Row, Staged, segment_key

Receipt = Mapping[str, Any]


def files_of(receipt: Receipt) -> Files:
    """Table → data file that a shard wrote."""
    return {table: FileRef.from_dict(row) for table, row in receipt["files"].items()}


@dataclass
class Progress:
    """What has been read so far. A source is `ready` when all its parts are in."""

    n_parts: dict[str, int] = field(default_factory=dict)
    parts: dict[str, dict[int, str]] = field(default_factory=dict)
    """source_id → part → shard_id."""
    receipts: dict[str, Receipt] = field(default_factory=dict)
    shard_sources: dict[str, frozenset[str]] = field(default_factory=dict)
    statuses: dict[str, tuple[str, str | None]] = field(default_factory=dict)
    """Documents that gave no text: source_id → status of their paths, and what is wrong."""
    committed: set[str] = field(default_factory=set)
    dropped: set[str] = field(default_factory=set)
    """Sources that shall not be committed: their file changed while it was read."""

    def expect(self, shards: Iterable[Shard]) -> None:
        """Says which parts there will be."""
        for shard in shards:
            for spec in shard["sources"]:
                self.n_parts[spec["source_id"]] = self.n_parts.get(spec["source_id"], 0) + 1

    def add(self, shard: Shard, receipt: Receipt) -> None:
        """Takes in what a shard came to."""
        shard_id = shard["shard_id"]
        self.receipts[shard_id] = receipt
        self.shard_sources[shard_id] = frozenset(spec["source_id"] for spec in shard["sources"])
        for source_id, entry in receipt["sources"].items():
            if entry.get("status"):
                self.statuses[source_id] = (entry["status"], entry.get("detail"))
        for spec in shard["sources"]:
            self.parts.setdefault(spec["source_id"], {})[spec["part"]] = shard_id

    def ready(self) -> list[str]:
        """Sources that are whole and neither committed nor dropped, sorted."""
        whole = (s for s, parts in self.parts.items() if len(parts) == self.n_parts[s])
        return sorted(s for s in whole if s not in self.committed and s not in self.dropped)

    def spent(self) -> set[str]:
        """Shards of whose sources none waits for a commit any more."""
        done = self.committed | self.dropped
        return {shard_id for shard_id, held in self.shard_sources.items() if held <= done}

    def staged(self, source_ids: Iterable[str]) -> dict[str, Staged]:
        """The segments that hold these sources."""
        shard_ids = {shard_id for s in source_ids for shard_id in self.parts[s].values()}
        found = {}
        for shard_id in sorted(shard_ids):
            files = files_of(self.receipts[shard_id])
            if files:
                found[segment_key(files)] = Staged(files, self.shard_sources[shard_id])
        return found

    def row(self, source_id: str, n_bytes: int, container_id: str | None, reading: Reading, run_id: str) -> Row:
        """The source as the registry keeps it; counts are the sums of its parts, the encoding is its first part's.

        `n_bytes`: of the member; what counts of a document is the length of its text, which its receipt tells.
        """
        parts = sorted(self.parts[source_id].items())
        entries = [(part, self.receipts[shard_id]["sources"][source_id]) for part, shard_id in parts]
        keys = dict.fromkeys(segment_key(files) for _, i in parts if (files := files_of(self.receipts[i])))
        first = entries[0][1]
        return {
            "source_id": source_id,
            "container_id": container_id,
            "n_bytes": first.get("n_bytes", n_bytes),
            "extractor": first.get("extractor"),
            "encoding": first.get("encoding"),
            "encoding_runner_up": first.get("encoding_runner_up"),
            "encoding_margin": first.get("encoding_margin"),
            **{name: sum(entry[name] for _, entry in entries) for name in SOURCE_COUNTS + SOURCE_BYTES},
            "results_version": reading.results_version,
            "language_option": reading.language,
            "notation_option": reading.notation,
            "encoding_option": reading.encoding,
            "run_id": run_id,
            "parts": [{"part": part, "n_games": entry["n_games"]} for part, entry in entries],
            "segments": list(keys),
        }
