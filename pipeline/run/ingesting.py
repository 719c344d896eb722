"""`ingest_run`: the whole of `notatio ingest` but for printing."""

from __future__ import annotations

import shutil
from collections.abc import Collection, Mapping
from contextlib import closing, suppress
from dataclasses import asdict
from pathlib import Path
from typing import Any

from pipeline.engines import get_engine
from pipeline.exits import EXIT_BUG, EXIT_CONFIGURATION, EXIT_FINDINGS, EXIT_LATER
from pipeline.run.discover import Discovery, discover, reading
from pipeline.run.job import Job
from pipeline.run.options import IngestOptions, Report, RunResult, quiet
from pipeline.run.plan import plan, size_of
from pipeline.run.setting import Setting
from pipeline.run.stopping import Stop, stop_on_signals
from pipeline.run.task import IngestShard, ShardTask, read_shard
from pipeline.sources import check_encoding, find
from pipeline.store import (
    CURATION,
    BadLake,
    Build,
    Lake,
    LakeError,
    NoLake,
    Snapshot,
    State,
    can_be_published,
    classify,
    is_behind,
    publish_head,
    runs,
)
from pipeline.store.runs import Run

_PASSES = 3
_SPOOL = "input"


def ingest_run(
    options: IngestOptions,
    *,
    lake: Lake | Path | str,
    report: Report = quiet,
    ingest_shard: IngestShard | None = None,
    publish: Build | None = None,
) -> RunResult:
    """Reads what is new below `options.paths` into the lake, which is made when there is none.

    What goes wrong during the run is in the result (exit code and problem; what was committed stays). Raises what is wrong
    before it: `sources.NoSuchPath`, `sources.UnknownEncoding`, `engines.EngineUnavailable`, `store.LakeError`.
    `ingest_shard` and `publish` default to the real ones.
    """
    if options.encoding is not None:
        check_encoding(options.encoding)
    if options.dry_run:
        return _dry_run(options, lake, report)
    lone_engine = get_engine(options.engine, isolate=True, address=options.engine_address, n_deaths=1)
    next(find(options.paths), None)  # raises NoSuchPath before a lake is made for nothing
    lake = lake if isinstance(lake, Lake) else Lake.create(lake)
    lake.check_writable(options.results_version)
    # What killed an earlier run may kill this one too: let it kill a worker.
    isolate = options.isolate or _was_killed(lake)
    engine = get_engine(options.engine, isolate=isolate, address=options.engine_address)
    result = RunResult(snapshot_before=lake.head().number)
    with closing(engine), closing(lone_engine), stop_on_signals(report) as stop, Run(lake.runs) as run:
        result.run_id = run.run_id
        task = ShardTask(ingest_shard or read_shard)
        setting = Setting(lake, run, options, report, stop, task, engine, lone_engine, result)
        _Manifest(setting).around(publish or publish_catalog)
    return result


def _was_killed(lake: Lake) -> bool:
    """Was a run killed since the last one? Its manifest says so from now on."""
    return bool(runs.mark_killed(lake.runs)) or any(not runs.is_live(folder) for folder in runs.folders(lake.runs))


class _Manifest:
    """A run from its first manifest to its last."""

    def __init__(self, setting: Setting) -> None:
        self.setting = setting
        self.started_at = runs.utc_now()

    def around(self, publish: Build) -> None:
        """Runs; whatever happens, the manifest says how it ended."""
        setting = self.setting
        self.write("running", None)
        setting.report({"event": "started", "run_id": setting.run.run_id})
        try:
            self._go(publish)
        except LakeError as error:
            setting.result.fail(error.exit_code, str(error))
        except BaseException as error:
            known = classify(error, setting.lake.root) if isinstance(error, Exception) else None
            if known is None:
                self.write("failed", EXIT_BUG)
                raise
            setting.result.fail(known.exit_code, str(known))
        finally:
            shutil.rmtree(setting.run.folder / _SPOOL, ignore_errors=True)
        self._finish(publish)

    def _go(self, publish: Build) -> None:
        setting = self.setting
        if not setting.options.no_build and is_behind(setting.lake) and can_be_published(setting.lake):
            _publish(setting, publish)  # a run was killed between its commit and this, or a foreign log lies there
        read(setting)
        if setting.stop.because is not None:
            setting.result.fail(EXIT_LATER, setting.stop.because)
        limit, pct = setting.options.max_quarantine_pct, setting.result.quarantined_pct
        if limit is not None and pct is not None and pct > limit:
            setting.result.fail(EXIT_FINDINGS, f"{pct:.2f} % of the games' bytes are quarantined, more than {limit:g} %")

    def _finish(self, publish: Build) -> None:
        """The last manifest, the catalog that shows it, and the manifest again when publishing failed."""
        setting = self.setting
        _tidy(setting)
        self._write_last()
        if not setting.options.no_build:
            before = setting.result.exit_code
            try:
                _publish(setting, publish)
            except LakeError as error:
                setting.result.fail(error.exit_code, str(error))
            if setting.result.exit_code != before:
                self._write_last()
        setting.report({"event": "finished", **_counts(setting.result)})

    def _write_last(self) -> None:
        code = self.setting.result.exit_code
        state = "interrupted" if code == EXIT_LATER else "failed" if code in (EXIT_BUG, EXIT_CONFIGURATION) else "finished"
        with suppress(OSError):  # a full disk: the next run says `killed`
            self.write(state, code)

    def write(self, state: str, exit_code: int | None) -> None:
        """Writes the manifest as things stand."""
        setting = self.setting
        arguments = setting.options.arguments
        setting.run.write_manifest(
            {
                **_counts(setting.result),
                "started_at": self.started_at,
                "finished_at": None if state == "running" else runs.utc_now(),
                "state": state,
                "exit_code": exit_code,
                "version": setting.options.version,
                "results_version": setting.options.results_version,
                "arguments": list(arguments) if arguments is not None else asdict(setting.options),
            }
        )


def _tidy(setting: Setting) -> None:
    """Removes what killed runs left and nobody needs: spooled input, receipts whose sources are live by now."""
    left = [f for f in runs.folders(setting.lake.runs) if f != setting.run.folder and not runs.is_live(f)]
    live = setting.lake.head().state.sources.keys() if left else ()
    for folder in left:
        shutil.rmtree(folder / _SPOOL, ignore_errors=True)
        for waiting in runs.staged(folder):
            if waiting.receipt.get("sources", {}).keys() <= set(live):
                waiting.path.unlink(missing_ok=True)
        runs.remove_if_done(folder)


def read(setting: Setting) -> None:
    """Looks and reads until nothing was lost on the way, three times at most."""
    result = setting.result
    added: set[str] = set()
    for nth in range(_PASSES):
        state = setting.lake.head().state
        look = discover(setting.options, state, setting.lake.root, setting.run.folder / _SPOOL, setting.report, setting.stop)
        if nth == 0 and look.gone and not setting.options.prune:
            setting.report({"event": "gone", "n_gone": len(look.gone)})
        job = Job(setting, look, state)
        _note(result, look, added)
        job.read()
        added |= job.commits.added
        if not job.again or setting.stop():
            return
    result.fail(EXIT_LATER, "Other runs kept changing the same sources. Run the same command again")


def _note(result: RunResult, look: Discovery, added: Collection[str] = ()) -> None:
    """Counts what the look alone decides. `added`: sources that an earlier pass of this run read."""
    result.n_found = len(look.rows)
    result.n_skipped = len(look.known.difference(added))
    result.n_deferred = look.n_deferred
    result.n_failed = look.n_read_errors
    if look.n_read_errors:
        files = "1 file" if look.n_read_errors == 1 else f"{look.n_read_errors} files"
        result.fail(EXIT_FINDINGS, f"{files} cannot be read")


def _publish(setting: Setting, publish: Build) -> None:
    number = publish_head(setting.lake, publish)
    if number is not None:
        setting.result.published = number
        setting.report({"event": "published", "snapshot": number})


def _counts(result: RunResult) -> Mapping[str, Any]:
    counts = asdict(result) | {"quarantined_pct": result.quarantined_pct}
    return {key: value for key, value in counts.items() if key not in ("run_id", "plan")}


def _dry_run(options: IngestOptions, lake: Lake | Path | str, report: Report) -> RunResult:
    """What a run would read. Writes nothing, needs no lake."""
    try:
        lake = lake if isinstance(lake, Lake) else Lake.open(lake)
        head = lake.head()
        root, state = lake.root, head.state
        result = RunResult(snapshot_before=head.number)
    except NoLake:
        root, state, result = Path(str(lake)), State(), RunResult()
    look = discover(options, state, root, None, report, Stop())
    _note(result, look)
    shards = plan(look.wanted.values(), reading(options), out=str(root / "data"), mode=options.mode)
    result.n_shards = len(shards)
    result.n_bytes = sum(source.n_bytes for source in look.wanted.values())
    for shard in shards:
        row = {
            "shard_id": shard["shard_id"],
            "n_sources": len(shard["sources"]),
            "n_bytes": sum(size_of(spec) for spec in shard["sources"]),
            "paths": [spec["path"] + (f"!{spec['inner']}" if spec["inner"] else "") for spec in shard["sources"]],
        }
        result.plan.append(row)
        report({"event": "planned", **row})
    return result


def publish_catalog(lake: Path, snapshot: Snapshot, target: Path) -> None:
    """Builds the catalog of a snapshot at `target` (a `store.Build`). Raises BadLake for a correction that makes no sense."""
    from pipeline import catalog

    data = catalog.CatalogInput(
        snapshot=snapshot.number,
        files=snapshot.files,
        version=snapshot.version,
        sources=snapshot.sources,
        source_paths=snapshot.source_paths,
        runs=snapshot.runs,
        parts=snapshot.parts,
        corrections=snapshot.corrections,
        repairs=snapshot.repairs,
        tombstones=snapshot.tombstones,
        given_results=snapshot.given_results,
        aliases=snapshot.aliases,
    )
    try:
        catalog.publish(lake, data, target)
    except catalog.BadCorrection as error:
        remedy = "Mend or delete that line, then run `notatio catalog`"
        raise BadLake(f"{lake / CURATION / error.table}.csv:{error.line}: {error}", remedy) from error
