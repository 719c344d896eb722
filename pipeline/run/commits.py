"""Commits of a run: what is ready goes live, what is gone goes out, receipts that are done with are removed."""

from __future__ import annotations

import time
from collections.abc import Iterable
from contextlib import suppress
from dataclasses import dataclass, field
from pathlib import Path

from pipeline.exits import EXIT_FINDINGS
from pipeline.run.discover import Discovery, Place, reading, stamp_of
from pipeline.run.progress import Progress, files_of
from pipeline.run.setting import Setting
from pipeline.store import SOURCE_BYTES, SOURCE_COUNTS, Change, FilesGone, LakeError, Row, State, classify, lost_segments, runs


@dataclass
class Commits:
    """Commits what `progress` holds, for one pass over what a look at the input found."""

    setting: Setting
    look: Discovery
    state: State
    """Of the lake when the pass began: decides what counts as new or replaced."""
    progress: Progress
    adopted: dict[str, Path] = field(default_factory=dict)
    """shard_id → receipt that another run had staged."""
    rows_done: set[int] = field(default_factory=set)
    added: set[str] = field(default_factory=set)
    cleared: set[str] = field(default_factory=set)
    """Shards whose receipts are removed."""
    again: bool = False
    """True when something was lost on the way (another run was faster, files vanished): look and read once more."""
    last: float = field(default_factory=time.monotonic)

    def __post_init__(self) -> None:
        self.reading = reading(self.setting.options)

    def has_changed(self, source_id: str) -> bool:
        """Was the file that a source is read from written to since it was hashed?"""
        path, stamp = self.look.stamps.get(source_id, (None, None))
        return path is not None and stamp_of(path) != stamp

    def drop(self, source_ids: Iterable[str]) -> None:
        """Leaves sources for the next run: their bytes are not what was hashed any more."""
        for source_id in source_ids:
            if source_id not in self.progress.dropped:
                self.progress.dropped.add(source_id)
                self.setting.result.n_deferred += 1
                path = self.look.stamps[source_id][0]
                self.setting.report({"event": "deferred", "path": path, "detail": "it changed while it was read"})

    def commit(self, *, is_final: bool) -> None:
        """Commits what is ready, with all path rows that can be. Disk trouble ends the run; the receipts stay staged."""
        setting = self.setting
        ready = self.progress.ready()
        self.drop(s for s in ready if self.has_changed(s))
        ready = [s for s in ready if s not in self.progress.dropped]
        try:
            self._commit(ready, is_final=is_final)
            self._clear_staging()
        except FilesGone as gone:
            self._reread(set(gone.names))
        except LakeError as error:
            self.setting.give_up(error)
        except Exception as error:
            known = classify(error, setting.lake.root)
            if known is None:
                raise
            self.setting.give_up(known)
        self.last = time.monotonic()

    def _commit(self, ready: list[str], *, is_final: bool) -> None:
        setting, look = self.setting, self.look
        usable = {None, *ready, *look.known}
        numbered = [(i, row) for i, row in enumerate(look.rows) if row["source_id"] in usable and i not in self.rows_done]
        is_last = is_final and look.is_complete and not setting.stop()
        gone = [*look.replaced, *self._pruned()] if is_last else []
        if not (numbered or gone):
            return
        run_id = setting.run.run_id
        rows = {s: self.progress.row(s, look.wanted[s].n_bytes, look.containers.get(s), self.reading, run_id) for s in ready}
        change = Change(self.progress.staged(ready), rows, [self._as_read(row) for _, row in numbered], gone)
        done = setting.lake.commit(
            change, results_version=self.reading.results_version, run_id=run_id, version=setting.options.version
        )
        self.rows_done.update(i for i, _ in numbered)
        self.progress.committed.update(ready)
        self.again = self.again or bool(done.missing)
        self.added |= done.added
        back = done.taken & self._brought_back()
        self.added |= back
        self._count(done.added | back, done.taken - back, rows)
        if done.snapshot is not None:
            setting.result.snapshot_after = done.snapshot.number
            setting.report({"event": "committed", "snapshot": done.snapshot.number, "n_sources": len(done.added)})

    def _as_read(self, row: Row) -> Row:
        """A path row with the status that only reading could tell: a document that gave no text."""
        status, detail = self.progress.statuses.get(row["source_id"], (row["status"], None))
        if status != row["status"]:
            self.setting.report({"event": "warning", "path": row["path"], "status": status, "detail": detail})
        return {**row, "status": status}

    def _brought_back(self) -> set[str]:
        """Sources whose data files were missing and are there again, under their names: read, but no change to the lake."""
        lost = {key: self.state.segments[key] for key in self.look.lost}
        still = lost_segments(self.setting.lake.data, lost)
        return {s for key in lost.keys() - still for s in self.look.lost[key]}

    def _pruned(self) -> list[Place]:
        """Places to take out because their file is gone; none when they are suspiciously many."""
        options, look, result = self.setting.options, self.look, self.setting.result
        if not options.prune or not look.gone:
            return []
        pct = 100 * len(look.gone) / max(1, look.n_places)
        if pct > options.max_prune_pct:
            problem = (
                f"{len(look.gone)} of {look.n_places} paths ({pct:.0f} %) are gone, more than"
                f" --max-prune {options.max_prune_pct:g}: nothing was pruned. Is a disk missing? Else raise --max-prune"
            )
            self.setting.report({"event": "prune_refused", "n_gone": len(look.gone), "detail": problem})
            result.fail(EXIT_FINDINGS, problem)
            return []
        result.n_pruned = len(look.gone)
        self.setting.report({"event": "pruned", "paths": [path for _, path in look.gone]})
        return look.gone

    def _count(self, added: Iterable[str], taken: Iterable[str], rows: dict[str, Row]) -> None:
        result = self.setting.result
        live = {key[:2]: key[2] for key, row in self.state.paths.items() if row["removed_at"] is None and key[2]}
        replacing = {
            row["source_id"]
            for row in self.look.rows
            if live.get((row["collection"], row["path"]), row["source_id"]) != row["source_id"]
        }
        result.n_skipped += len(set(taken))
        for s in added:
            is_replacing = s in replacing or s in self.state.sources
            result.n_replaced += is_replacing
            result.n_new += not is_replacing
            result.n_bytes += rows[s]["n_bytes"]
            for name in SOURCE_COUNTS + SOURCE_BYTES:
                setattr(result, name, getattr(result, name) + rows[s][name])

    def _reread(self, names: set[str]) -> None:
        """Forgets receipts whose files are gone; another pass reads those shards."""
        self.again = True
        for shard_id, receipt in list(self.progress.receipts.items()):
            if names & {reference.name for reference in files_of(receipt).values()}:
                del self.progress.receipts[shard_id]
                for parts in self.progress.parts.values():
                    for part in [part for part, held_by in parts.items() if held_by == shard_id]:
                        del parts[part]
                self.progress.shard_sources.pop(shard_id)
                (self.setting.run.folder / f"{shard_id}.json").unlink(missing_ok=True)

    def _clear_staging(self) -> None:
        """Removes receipts that are committed, our own and those that killed runs left to us."""
        for shard_id in self.progress.spent() - self.cleared:
            self.cleared.add(shard_id)
            own = self.setting.run.folder / f"{shard_id}.json"
            with suppress(OSError):
                own.unlink(missing_ok=True)
            path = self.adopted.get(shard_id)
            if path is not None and path != own and not runs.is_live(path.parent):
                with suppress(OSError):
                    path.unlink(missing_ok=True)
