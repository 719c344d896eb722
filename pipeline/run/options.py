"""What a run is asked to do, what it reports on the way and what it comes to."""

from __future__ import annotations

import os
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, Literal

from pipeline.exits import EXIT_BUG, EXIT_CONFIGURATION, EXIT_DONE, EXIT_FINDINGS, EXIT_LATER
from pipeline.schema import RESULTS_VERSION

Event = Mapping[str, Any]
"""`{"event": name, …}`, JSON values only. Names: started, deferred, warning, gone, lost, planned, shard, killed, failed,
committed, pruned, prune_refused, published, stopping, finished."""
Report = Callable[[Event], None]

MIB = 1 << 20


@dataclass(frozen=True)
class IngestOptions:
    """Options of `notatio ingest`, which explains each. Paths as given on the command line."""

    paths: Sequence[str]
    collection: str | None = None
    """None = the absolute path of the root of each path."""
    name: str | None = None
    """Path under which standard input is kept; None = a name made from its content."""
    workers: int = field(default_factory=lambda: os.cpu_count() or 1)
    engine: str = "local"
    engine_address: str | None = None
    language: str | None = None
    notation: str | None = None
    encoding: str | None = None
    mode: Literal["auto", "compiled", "plain"] = "auto"
    max_quarantine_pct: float | None = None
    """Exit code 3 when more of the bytes of games (0–100) is quarantined; None = any amount is fine."""
    settle_seconds: float = 0
    """Files modified less than this ago are left for the next run."""
    prune: bool = False
    max_prune_pct: float = 20
    """`prune` removes nothing when more of the collection's paths (0–100) are gone: a mount may be missing."""
    dry_run: bool = False
    no_build: bool = False
    isolate: bool = False
    """Worker processes even for one worker."""
    results_version: str = RESULTS_VERSION
    """Readings of another version are done again."""
    version: str = ""
    """Of the program, for the manifest."""
    arguments: Sequence[str] | None = None
    """The command line, for the manifest; None = these options."""
    commit_seconds: float = 180
    commit_bytes: int = 1 << 30
    """A commit is made after this much time or input, and at the end."""


@dataclass
class RunResult:
    """What a run came to. Counts are of sources; `n_games` … and bytes are of the sources that this run read."""

    run_id: str | None = None
    exit_code: int = EXIT_DONE
    problem: str | None = None
    """Why the exit code is not 0, for a reader."""
    snapshot_before: int = 0
    snapshot_after: int | None = None
    """None = nothing was committed."""
    published: int | None = None
    """Snapshot that the catalog was published from; None = it was up to date or --no-build."""
    n_found: int = 0
    n_new: int = 0
    n_replaced: int = 0
    n_skipped: int = 0
    n_failed: int = 0
    n_deferred: int = 0
    n_pruned: int = 0
    n_resumed: int = 0
    """Shards whose receipts an earlier, killed run had left."""
    n_shards: int = 0
    n_games: int = 0
    n_clean: int = 0
    n_truncated: int = 0
    n_rejected: int = 0
    n_plies: int = 0
    n_bytes: int = 0
    n_bytes_games: int = 0
    n_bytes_quarantined: int = 0
    n_bytes_filler: int = 0
    n_games_kernel: int = 0
    seconds_cpu: float = 0.0
    plan: list[dict[str, Any]] = field(default_factory=list)
    """With --dry-run: `{shard_id, n_sources, n_bytes, paths}` of each shard that would be read."""

    @property
    def quarantined_pct(self) -> float | None:
        """Quarantined bytes per 100 bytes of games, good and bad; None when there were none."""
        n_bytes = self.n_bytes_games + self.n_bytes_quarantined
        return 100 * self.n_bytes_quarantined / n_bytes if n_bytes else None

    def fail(self, exit_code: int, problem: str) -> None:
        """Records what went wrong. Of several, the command exits with the first in this order: 75, 1, 78, 3."""
        order = (EXIT_LATER, EXIT_BUG, EXIT_CONFIGURATION, EXIT_FINDINGS, EXIT_DONE)
        if order.index(exit_code) < order.index(self.exit_code):
            self.exit_code, self.problem = exit_code, problem


def quiet(event: Event) -> None:
    """A `Report` that says nothing."""
