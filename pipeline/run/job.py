"""One pass of a run: plan → adopt what a killed run left → engine → commits. Decides what becomes of shards that fail."""

from __future__ import annotations

import os
import shutil
import time
from collections.abc import Iterable
from dataclasses import dataclass, field

from pipeline import sources, split
from pipeline.engines import Outcome
from pipeline.exits import EXIT_BUG, EXIT_CONFIGURATION
from pipeline.run import poison
from pipeline.run.commits import Commits
from pipeline.run.discover import Discovery, reading
from pipeline.run.plan import Shard, make_shard, plan, size_of
from pipeline.run.progress import Progress, files_of
from pipeline.run.setting import Setting
from pipeline.store import Row, State, classify_text, is_in_place, lost_segments, runs


@dataclass
class Job:
    """One pass over what a look at the input found."""

    setting: Setting
    look: Discovery
    state: State
    progress: Progress = field(default_factory=Progress)
    killed: list[Shard] = field(default_factory=list)
    broken: list[Shard] = field(default_factory=list)
    n_pending_bytes: int = 0
    """Bytes read since the last commit."""

    def __post_init__(self) -> None:
        self.reading = reading(self.setting.options)
        self.commits = Commits(self.setting, self.look, self.state, self.progress)

    @property
    def again(self) -> bool:
        """Was something lost on the way, so that another pass has to look and read once more?"""
        return self.commits.again

    def shards(self) -> list[Shard]:
        """The plan of this pass."""
        out = str(self.setting.lake.data)
        groups = [group for folder in runs.folders(self.setting.lake.runs) for group in runs.planned_groups(folder)]
        # What was lost together is read together, so that the same files come out.
        groups += [[s for s in held if s in self.look.wanted] for held in self.look.lost.values()]
        return plan(self.look.wanted.values(), self.reading, out=out, mode=self.setting.options.mode, groups=groups)

    def read(self) -> None:
        """Reads everything, committing now and then and at the end. Problems end up in the result."""
        setting = self.setting
        shards = self.shards()
        whole = [shard for shard in shards if shard["sources"][0]["range"] is None]
        setting.run.stage_plan([[spec["source_id"] for spec in shard["sources"]] for shard in whole])
        self.progress.expect(shards)
        left = self._adopt(shards)
        setting.result.n_shards += len(shards)
        setting.report(
            {"event": "planned", "n_shards": len(shards), "n_resumed": len(shards) - len(left), "n_bytes": _n_bytes(left)}
        )
        try:
            self._run(left)
            self._run_apart()
            for shard in self.killed:
                self._dissect(shard)
        finally:
            self.commits.commit(is_final=True)
        self._tell_what_stays_lost()

    def _tell_what_stays_lost(self) -> None:
        """Fails when data files are still missing: what they were made of was not among the input."""
        lake, result = self.setting.lake, self.setting.result
        if not self.look.lost:
            return
        head = lake.head()
        lost = lost_segments(lake.data, head.segments)
        if not lost:
            return
        names = [r.name for key in sorted(lost) for r in head.segments[key].values() if not is_in_place(lake.data, r)]
        held = [s for s in head.sources if lost.intersection(s["segments"])]
        others = [s for s in held if s["source_id"] not in self.look.wanted] or held
        first = f"{others[0]['path']} of {others[0]['collection']}"
        what = f"data/{names[0]} is missing" if len(names) == 1 else f"{len(names)} data files are missing"
        among = first if len(others) == 1 else f"{len(others)} sources, such as {first}"
        remedy = "Restore it from a backup, or name all these sources in one ingest; --prune takes out what is gone"
        result.fail(EXIT_CONFIGURATION, f"{what}. What was not read again: {among}. {remedy}")

    # Shards

    def _adopt(self, shards: list[Shard]) -> list[Shard]:
        """Takes receipts that were staged for the same shards and whose files are still there; gives the other shards."""
        lake = self.setting.lake
        staged = {r.shard_id: r for folder in runs.folders(lake.runs) for r in runs.staged(folder)}
        left = []
        for shard in shards:
            waiting = staged.get(shard["shard_id"])
            try:
                if waiting is None or not self._still_there(waiting.receipt, shard):
                    left.append(shard)
                    continue
            except (KeyError, TypeError, FileNotFoundError):
                left.append(shard)
                continue
            self.progress.add(shard, waiting.receipt)
            self.commits.adopted[shard["shard_id"]] = waiting.path
            self.setting.result.n_resumed += 1
        return left

    def _still_there(self, receipt: Row, shard: Shard) -> bool:
        data = self.setting.lake.data
        if set(receipt["sources"]) != {s["source_id"] for s in shard["sources"]}:
            return False
        for reference in files_of(receipt).values():
            if not is_in_place(data, reference):
                return False
            os.utime(data / reference.name)  # young again: gc leaves it to us
        return True

    def _run(self, shards: list[Shard]) -> None:
        setting = self.setting
        tasks = [self._real(shard) for shard in shards]
        for outcome in setting.engine.run(setting.task, tasks, workers=setting.options.workers, stop=setting.stop):
            self._take(outcome)
            is_due = time.monotonic() - self.commits.last > setting.options.commit_seconds
            is_due = is_due or self.n_pending_bytes > setting.options.commit_bytes
            if is_due and not self.look.lost:  # segments that are lost are replaced whole, in the one commit at the end
                self.commits.commit(is_final=False)
                self.n_pending_bytes = 0

    def _real(self, shard: Shard) -> Shard:
        return {**shard, "receipt": str(self.setting.run.folder / f"{shard['shard_id']}.json")}

    def _take(self, outcome: Outcome) -> None:
        """Sorts an outcome: read, killed, broken, or a sign that the storage is in trouble."""
        shard, setting = outcome.shard, self.setting
        event = {"event": "shard", "shard_id": shard["shard_id"], "kind": outcome.kind, "n_bytes": _n_bytes([shard])}
        if outcome.kind == "ok" and outcome.receipt is not None:
            self.progress.add(shard, outcome.receipt)
            self.n_pending_bytes += _n_bytes([shard])
            setting.result.seconds_cpu += outcome.receipt.get("seconds_cpu", 0.0)
            setting.result.n_games_kernel += outcome.receipt.get("n_games_kernel", 0)
            setting.report(event | {"sources": outcome.receipt["sources"], "seconds_cpu": outcome.receipt.get("seconds_cpu")})
            return
        setting.report(event | {"error": outcome.error})
        trouble = classify_text(outcome.error or "", setting.lake.root)
        if trouble is not None:
            setting.give_up(trouble)
        elif outcome.kind == "worker_killed":
            self.killed.append(shard)
        elif changed := [s["source_id"] for s in shard["sources"] if self.commits.has_changed(s["source_id"])]:
            self.commits.drop(changed)
            self.commits.again = self.commits.again or len(changed) < len(shard["sources"])
        else:
            self.broken.append(shard)

    def _run_apart(self) -> None:
        """Reads the sources of broken shards each alone, so that one that meets a bug does not hold up its neighbours."""
        first, self.broken = self.broken, []
        alone = [
            make_shard([spec], self.reading, shard["out"], shard["mode"])
            for shard in first
            if len(shard["sources"]) > 1
            for spec in shard["sources"]
        ]
        lost = [shard for shard in first if len(shard["sources"]) == 1]
        if alone:
            self._run(alone)
            lost += self.broken
        for shard in lost:
            self._lose(shard, "the reader failed on it")

    def _lose(self, shard: Shard, why: str) -> None:
        for spec in shard["sources"]:
            self.setting.result.n_failed += 1
            self.setting.report({"event": "failed", "source_id": spec["source_id"], "path": spec["path"], "detail": why})
            self.setting.result.fail(EXIT_BUG, f"{spec['path']}: {why}. This is a bug; the source was left out")

    def _dissect(self, shard: Shard) -> None:
        """Finds what kills in a shard, source by source, then game by game, and reads the rest."""
        setting = self.setting
        if setting.stop():
            return
        setting.report({"event": "killed", "shard_id": shard["shard_id"], "n_sources": len(shard["sources"])})
        parts = poison.halves(shard, self.reading)
        if not parts and shard["sources"][0].get("document"):
            parts = [poison.without_document(shard, self.reading, self._survives)]
        if not parts:
            data = self._bytes_of(shard)
            parts = [poison.without_killers(shard, self.reading, data, split.borders, self._survives)]
        for part in parts:
            if setting.stop():
                return
            [outcome] = setting.lone_engine.run(setting.task, [self._real(part)], workers=1)
            if outcome.kind != "worker_killed":
                self._take(outcome)
            elif len(shard["sources"]) > 1:
                self._dissect(part)
            else:
                self._lose(part, "reading it kills the worker even where nothing is read")
        for broken in self.broken:
            self._lose(broken, "the reader failed on it")
        self.broken = []

    def _survives(self, probe: Shard) -> bool:
        """Runs a shard for nothing but to see whether its worker lives."""
        folder = self.setting.run.folder / runs.PROBE
        folder.mkdir(exist_ok=True)
        try:
            outcomes = self.setting.lone_engine.run(self.setting.task, [{**probe, "out": str(folder)}], workers=1)
            return all(outcome.kind != "worker_killed" for outcome in outcomes)
        finally:
            shutil.rmtree(folder, ignore_errors=True)

    def _bytes_of(self, shard: Shard) -> bytes:
        spec = shard["sources"][0]
        try:
            if spec["range"]:
                return sources.read_range(spec["path"], *spec["range"])
            return sources.read_member(spec["path"], spec["inner"])
        except (OSError, KeyError):
            return b""


def _n_bytes(shards: Iterable[Shard]) -> int:
    return sum(size_of(spec) for shard in shards for spec in shard["sources"])
