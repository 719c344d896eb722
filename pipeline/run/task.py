"""What a worker does with a shard: read it, write its data files, stage its receipt. Imported by every worker: keep it light."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from pipeline.store.files import replace_json, write_table

IngestShard = Callable[[dict[str, Any]], dict[str, Any]]
"""Shard spec → receipt; writes data files into `shard["out"]`. Must be importable by name."""


@dataclass(frozen=True)
class ShardTask:
    """`ingest_shard`, then the receipt durable at `shard["receipt"]` (absent for probes): from there a killed run resumes."""

    ingest_shard: IngestShard

    def __call__(self, shard: dict[str, Any]) -> dict[str, Any]:
        """Reads one shard (an `engines.ShardFunction`)."""
        receipt = self.ingest_shard(shard)
        if "receipt" in shard:
            replace_json(Path(shard["receipt"]), receipt)
        return receipt


def read_shard(shard: dict[str, Any]) -> dict[str, Any]:
    """The real `IngestShard`: `pipeline.ingest` with the store's way to write a data file."""
    from pipeline.ingest import ingest_shard  # heavy: only where it runs

    return ingest_shard(shard, write_table)
