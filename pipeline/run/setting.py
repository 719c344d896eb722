"""What all parts of a run share."""

from __future__ import annotations

from dataclasses import dataclass

from pipeline.engines import Engine
from pipeline.run.options import IngestOptions, Report, RunResult
from pipeline.run.stopping import Stop
from pipeline.run.task import ShardTask
from pipeline.store import Lake, LakeError
from pipeline.store.runs import Run


@dataclass(frozen=True)
class Setting:
    """A run's lake, folder, options and engines; where it reports and what it comes to."""

    lake: Lake
    run: Run
    options: IngestOptions
    report: Report
    stop: Stop
    task: ShardTask
    engine: Engine
    lone_engine: Engine
    """Isolates, and gives a shard up at its first death."""
    result: RunResult

    def give_up(self, trouble: LakeError) -> None:
        """Notes that the disk is full or the storage away, and asks for the end of the run."""
        self.stop.ask(str(trouble))
        self.result.fail(trouble.exit_code, str(trouble))
