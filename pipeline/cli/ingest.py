"""`notatio ingest`: options in, a run, its summary out."""

from __future__ import annotations

import json
import os
import sys
from collections.abc import Mapping
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from pipeline.cli.errors import say
from pipeline.cli.failure import Failure, sentence
from pipeline.cli.hints import checked_encoding, checked_language, checked_notation
from pipeline.cli.options import DEFAULT_LAKE, EncodingOption, LakeOption, LanguageOption, NotationOption, as_utf8
from pipeline.cli.output import counted, put
from pipeline.cli.program import typed, with_program
from pipeline.exits import EXIT_DONE

if TYPE_CHECKING:
    from pipeline.cli.log import RunLog
    from pipeline.run import IngestOptions, RunResult


def ingest(
    paths: Annotated[list[str], typer.Argument(metavar="PATH", help="Files, folders, 'patterns', archives; - is stdin.")],
    lake: LakeOption = DEFAULT_LAKE,
    collection: Annotated[
        str | None,
        typer.Option(
            metavar="NAME",
            help="What the files belong to: there, a file of the same path is a new version.",
            show_default=False,
            callback=as_utf8,
        ),
    ] = None,
    name: Annotated[
        str | None, typer.Option(metavar="NAME", help="Path to file stdin under.", show_default=False, callback=as_utf8)
    ] = None,
    workers: Annotated[int | None, typer.Option(min=1, metavar="N", help="Processes.", show_default="one a core")] = None,
    engine: Annotated[str, typer.Option(metavar="local|ray", help="Where the work runs.")] = "local",
    language: LanguageOption = None,
    notation: NotationOption = None,
    encoding: EncodingOption = None,
    max_quarantine: Annotated[
        float | None,
        typer.Option(
            min=0, max=100, metavar="PCT", help="Exit 3 when more of the games is quarantined, in bytes.", show_default=False
        ),
    ] = None,
    settle: Annotated[float, typer.Option(min=0, metavar="SECONDS", help="Leave files that changed more recently.")] = 0,
    prune: Annotated[bool, typer.Option("--prune", help="Take out what is gone from the folders.")] = False,
    max_prune: Annotated[
        float, typer.Option(min=0, max=100, metavar="PCT", help="Take out nothing when more than this is gone.")
    ] = 20,
    dry_run: Annotated[bool, typer.Option("--dry-run", help="Only list what would be read.")] = False,
    no_build: Annotated[bool, typer.Option("--no-build", help="Leave catalog.duckdb as it is.")] = False,
    as_json: Annotated[bool, typer.Option("--json", help="Summary as JSON on stdout.")] = False,
) -> None:
    """Read score files into the lake.

    The lake is made when there is none. What is known already (same bytes, same options) is skipped, so the same command
    may run every night. What cannot be read goes to quarantine with its reason and never stops a run.

    \b
    Examples:
      notatio ingest games.pgn
      notatio ingest ~/chess 'scans/*.txt' archive.zip --lake lake
      notatio ingest bulletin.txt --language uk --encoding cp1251
      curl -s https://example.org/games.pgn | notatio ingest - --name example.pgn
      notatio ingest /data/scores --collection club --prune --max-quarantine 5
    """
    if name is not None and "-" not in paths:
        example = "For example: `cat games.pgn | notatio ingest - --name games.pgn`"
        raise Failure("--name is a name for standard input, which is not among the paths", f"{example}. Or leave --name out")
    from pipeline import version
    from pipeline.run import IngestOptions
    from pipeline.sources.paths import reported

    options = IngestOptions(
        paths=paths,
        collection=collection,
        name=name,
        workers=workers or os.cpu_count() or 1,
        engine=engine,
        language=checked_language(language),
        notation=checked_notation(notation),
        encoding=checked_encoding(encoding),
        max_quarantine_pct=max_quarantine,
        settle_seconds=settle,
        prune=prune,
        max_prune_pct=max_prune,
        dry_run=dry_run,
        no_build=no_build,
        version=version(),
        arguments=[reported(argument) for argument in sys.argv[1:]],
    )
    result, log = run(options, lake)
    if as_json:
        put(json.dumps(as_dict(result, log), ensure_ascii=False, default=str))
    elif dry_run:
        for path in sorted({path for shard in result.plan for path in shard["paths"]}):
            put(path)
    tell(result, log, lake)
    if result.exit_code != EXIT_DONE:
        raise typer.Exit(result.exit_code)


def run(options: IngestOptions, lake: Path) -> tuple[RunResult, RunLog]:
    """One run, told on stderr while it goes on. Raises what `ingest_run` raises."""
    from pipeline.cli.log import RunLog
    from pipeline.run import ingest_run

    with RunLog() as log:
        result = ingest_run(options, lake=lake, report=log)
    return result, log


def as_dict(result: RunResult, log: RunLog) -> dict[str, Any]:
    """The summary as `--json` prints it."""
    from dataclasses import asdict

    return {**asdict(result), "quarantined_pct": result.quarantined_pct, "encodings": dict(_ordered(log.encodings))}


def tell(result: RunResult, log: RunLog, lake: Path) -> None:
    """The summary of a run on stderr."""
    if result.plan or (result.n_found and result.run_id is None):
        would_be_read = counted(sum(shard["n_sources"] for shard in result.plan), "source")
        say(f"would read {would_be_read} ({size(result.n_bytes)}), {result.n_skipped} known")
    elif result.n_new + result.n_replaced == 0:
        _tell_nothing_new(result)
    else:
        for heading, text in _summary(result, log, lake):
            say(f"{heading:<11}{text}")
    if result.problem:
        say(with_program(f"{'warning' if result.exit_code == 3 else 'error'}: {sentence(result.problem)}", lake))
    elif result.n_truncated + result.n_rejected and not result.plan:
        say(f"What could not be read, and why: {typed('report quarantine_reasons', lake)}")


def _tell_nothing_new(result: RunResult) -> None:
    left = f"; {result.n_deferred} deferred" if result.n_deferred else ""
    if result.n_pruned:
        gone = "1 path that is" if result.n_pruned == 1 else f"{result.n_pruned:,} paths that are"
        say(f"took out {gone} gone; nothing new{left}")
    elif result.n_skipped and not result.problem:
        known = "the source is" if result.n_skipped == 1 else f"all {counted(result.n_skipped, 'source')} are"
        say(f"nothing to do: {known} known{left}")
    elif not result.n_found:
        say("nothing to do: no files there")
    elif not result.problem:
        say(f"nothing to do: {counted(result.n_found, 'source')} found{left}")


def _summary(result: RunResult, log: RunLog, lake: Path) -> list[tuple[str, str]]:
    counts = {
        "new": result.n_new,
        "replaced": result.n_replaced,
        "known": result.n_skipped,
        "deferred": result.n_deferred,
        "failed": result.n_failed,
        "pruned": result.n_pruned,
    }
    told = ", ".join(f"{n:,} {what}" for what, n in counts.items() if n)
    snapshot = f"; snapshot {result.snapshot_after}" if result.snapshot_after is not None else ""
    games = {"clean": result.n_clean, "truncated": result.n_truncated, "rejected": result.n_rejected}
    statuses = ", ".join(f"{n:,} {status}" for status, n in games.items())
    rows = [
        ("sources", told + snapshot),
        ("games", f"{result.n_games:,}: {statuses}; {counted(result.n_plies, 'half-move')}"),
        ("bytes", _bytes(result)),
        ("encodings", _counted(log.encodings)),
        ("languages", _counted(log.languages(lake)) if result.published else ""),
        ("time", f"{log.seconds:.1f} s, {result.seconds_cpu:.1f} s of them CPU time of the readers"),
    ]
    return [(heading, text) for heading, text in rows if text]


def _bytes(result: RunResult) -> str:
    parts = {
        "games": result.n_bytes_games,
        "quarantine": result.n_bytes_quarantined,
        "filler": result.n_bytes_filler,
    }
    whole = max(1, result.n_bytes)
    return f"{result.n_bytes:,}: " + ", ".join(f"{100 * n / whole:.1f} % {what}" for what, n in parts.items())


def _ordered(counts: Mapping[str, int]) -> list[tuple[str, int]]:
    """Most first, equal ones by name: workers finish in any order."""
    return sorted(counts.items(), key=lambda item: (-item[1], item[0]))


def _counted(counts: Mapping[str, int]) -> str:
    return ", ".join(f"{name} {n:,}" for name, n in _ordered(counts)[:8]) + (", …" if len(counts) > 8 else "")


def size(n_bytes: float) -> str:
    """Bytes for a reader: 51 kB, 1.2 GB."""
    for unit in ("bytes", "kB", "MB", "GB"):
        if n_bytes < 1000:
            return f"{n_bytes:.0f} {unit}" if unit in ("bytes", "kB") or n_bytes >= 10 else f"{n_bytes:.1f} {unit}"
        n_bytes /= 1000
    return f"{n_bytes:.1f} TB"
