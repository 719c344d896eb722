"""`notatio verify`, `status`, `catalog`, `gc`, `snapshot`: looking after a lake."""

from __future__ import annotations

import json
import re
import time
from collections.abc import Iterator
from datetime import UTC, datetime
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from pipeline.cli.errors import say
from pipeline.cli.failure import Failure
from pipeline.cli.ingest import size
from pipeline.cli.options import DEFAULT_LAKE, FormatOption, LakeOption, OutOption
from pipeline.cli.output import cell, counted, printable, put, write
from pipeline.cli.program import typed, with_program
from pipeline.cli.query import session
from pipeline.exits import EXIT_FINDINGS

if TYPE_CHECKING:
    from pipeline.store import Lake, Snapshot

_DURATION = re.compile(r"(\d+(?:\.\d+)?)\s*([smhd]?)")
_SECONDS = {"": 1, "s": 1, "m": 60, "h": 3600, "d": 86400}


def seconds_of(text: str) -> float:
    """`26h`, `90m`, `7d`, `30` → seconds. Raises Failure."""
    match = _DURATION.fullmatch(text.strip().lower())
    if match is None:
        raise Failure(f"{text!r} is no duration", "Write a number with s, m, h or d: 30s, 90m, 26h, 7d")
    return float(match[1]) * _SECONDS[match[2]]


def verify(
    heavy: Annotated[bool, typer.Option("--heavy", help="Read everything: all audits, and every data file's hash.")] = False,
    lake: LakeOption = DEFAULT_LAKE,
) -> None:
    """Prove that the lake is right.

    Files are in place, bytes and counts add up, keys are unique. One line a finding, with examples; exit code 3 when there
    is any.

    \b
    Examples:
      notatio verify
      notatio verify --heavy --lake /data/lake
    """
    from pipeline import catalog
    from pipeline.store import Lake

    opened = Lake.open(lake)
    findings = [*_snapshots(opened, lake), *_files(opened, opened.head(), heavy=heavy)]
    for text in findings:  # before the audits, which need a catalog that can be opened
        put(printable(text))
    if not findings:
        _tell_unneeded(opened, lake)
    n_audits = sum(heavy or not audit.is_heavy for audit in catalog.audits())
    audited = list(_audited(lake, heavy=heavy))
    for text in audited:
        put(printable(text))
    if findings or audited:
        raise typer.Exit(EXIT_FINDINGS)
    n_files = sum(map(len, opened.head().files.values()))
    say(f"ok: {counted(n_audits, 'audit')} and {counted(n_files, 'data file')}{'' if heavy else '; --heavy looks at every byte'}")


def _audited(lake: Path, *, heavy: bool) -> Iterator[str]:
    """What the audits find."""
    import duckdb

    from pipeline import catalog

    with session(lake) as connection:
        try:
            found = catalog.run_audits(connection, heavy)
        except duckdb.Error as error:  # a data file is broken: nothing can be asked of it
            if catalog.is_damage(error) or (isinstance(error, duckdb.CatalogException) and catalog.missing(connection)):
                raise  # `session` says what to do
            yield f"audits: they end early: {str(error).splitlines()[0]}"
            return
    for finding in found:
        yield f"{finding.audit}: {counted(finding.n, 'row')}. {finding.purpose}"
        for row in finding.rows:
            values = zip(finding.columns, row, strict=True)
            yield "  " + ", ".join(f"{name} {cell(value)}" for name, value in values)


def _snapshots(opened: Lake, lake: Path) -> Iterator[str]:
    """Snapshots that were there and are not: by what the catalog shows (else by what runs committed), and by names."""
    from pipeline.store import BadLake, check_head, published_number

    try:
        head = check_head(opened.root)
    except BadLake as error:
        yield f"snapshots: {with_program(str(error), lake)}"
        return
    committed = max((run["snapshot_after"] or 0 for run in head.runs), default=0)
    if published_number(opened.root) is None and committed > head.number:
        newest = head.number or "none"
        yield f"snapshots: a run made snapshot {committed}, but the newest is {newest}. Restore _snapshots from a backup"
    for name, number in opened.names().items():
        if number > head.number:
            yield f"snapshots: {name} is the name of snapshot {number}, but the newest is {head.number or 'none'}"


def _tell_unneeded(opened: Lake, lake: Path) -> None:
    """Notes data files that no snapshot names; `gc` takes them."""
    from pipeline.store import unneeded

    left = [path for path in unneeded(opened, time.time()) if path.parent == opened.data]
    if left:
        files = counted(len(left), "data file")
        say(f"note: {files} that no snapshot needs; `{typed('gc', lake)}` removes what is older than a day")


def _files(lake: Lake, head: Snapshot, *, heavy: bool) -> list[str]:
    """What is wrong with the data files of a snapshot."""
    import hashlib

    found = []
    for references in head.file_refs.values():
        for reference in references:
            path = lake.data / reference.name
            if not path.is_file():
                found.append(f"data_files: {path} is missing")
            elif path.stat().st_size != reference.bytes:
                found.append(f"data_files: {path} has {counted(path.stat().st_size, 'byte')}, not {reference.bytes:,}")
            elif heavy:
                with path.open("rb") as file:
                    digest = hashlib.file_digest(file, "sha256").hexdigest()
                if digest not in reference.name:
                    found.append(f"data_files: {path} has other content than its name says")
    return found


def status(
    max_age: Annotated[
        str | None, typer.Option(metavar="26h", help="Exit 3 when the last good run is older than this.", show_default=False)
    ] = None,
    as_json: Annotated[bool, typer.Option("--json", help="As JSON.")] = False,
    lake: LakeOption = DEFAULT_LAKE,
) -> None:
    """Say what the lake holds and how old it is.

    A run is good when it ended with exit code 0 or 3, changes or none.

    \b
    Examples:
      notatio status
      notatio status --max-age 26h || mail -s 'the lake is old' me
      notatio status --json
    """
    limit = seconds_of(max_age) if max_age is not None else None
    state = state_of(lake)
    is_old = limit is not None and (state["age_seconds"] is None or state["age_seconds"] > limit)
    state["is_too_old"] = is_old
    put(json.dumps(state, ensure_ascii=False) if as_json else "\n".join(_told(state, lake)))
    if is_old:
        say(f"warning: The last good run is older than {max_age}.")
        raise typer.Exit(EXIT_FINDINGS)


def state_of(lake: Path) -> dict[str, Any]:
    """What a lake holds, from its snapshot and manifests alone."""
    from pipeline.store import Lake, published_number

    opened = Lake.open(lake)
    head = opened.head()
    good = [run["finished_at"] for run in head.runs if run["exit_code"] in (0, EXIT_FINDINGS) and run["finished_at"]]
    last = head.runs[-1] if head.runs else None
    names = ("n_games", "n_clean", "n_truncated", "n_rejected", "n_plies", "n_bytes", "n_bytes_games", "n_bytes_quarantined")
    return {
        "lake": str(opened.root),
        "snapshot": head.number,
        "written_at": head.written_at or None,
        "last_good_run_at": max(good, default=None),
        "age_seconds": _age(max(good, default=None)),
        "catalog_snapshot": published_number(opened.root),
        "n_sources": len(head.sources),
        **{name: sum(source[name] for source in head.sources) for name in names},
        "has_decisions": any((opened.root / "curation" / f"{name}.csv").exists() for name in ("repairs", "tombstones")),
        "n_files": sum(map(len, head.files.values())),
        "n_bytes_files": sum(reference.bytes for references in head.file_refs.values() for reference in references),
        "last_run": {k: last[k] for k in ("run_id", "state", "exit_code", "started_at", "finished_at")} if last else None,
    }


def _age(moment: str | None) -> float | None:
    return round((datetime.now(UTC) - datetime.fromisoformat(moment)).total_seconds(), 1) if moment else None


def _told(state: dict[str, Any], lake: Path) -> list[str]:
    last = state["last_run"]
    age = state["age_seconds"]
    shown = "none" if state["catalog_snapshot"] is None else f"snapshot {state['catalog_snapshot']}"
    if state["catalog_snapshot"] != state["snapshot"]:
        shown += f": run `{typed('catalog', lake)}`"
    counts = ", ".join(f"{state[f'n_{status}']:,} {status}" for status in ("clean", "truncated", "rejected"))
    read = ", as read: the catalog counts decisions too" if state["has_decisions"] else ""
    rows = [
        ("lake", state["lake"]),
        ("snapshot", f"{state['snapshot']}" + (f", written {state['written_at']}" if state["written_at"] else "")),
        ("catalog", shown),
        ("sources", f"{state['n_sources']:,} with {size(state['n_bytes'])}"),
        ("games", f"{state['n_games']:,}: {counts}; {counted(state['n_plies'], 'half-move')}" + read),
        ("files", f"{state['n_files']:,} with {size(state['n_bytes_files'])}"),
        ("last run", _run(last) if last else "none"),
        ("age", f"{_duration(age)} since the last good run" if age is not None else "no good run yet"),
    ]
    return [printable(f"{heading:<10}{text}") for heading, text in rows]


def _run(run: dict[str, Any]) -> str:
    code = f", exit code {run['exit_code']}" if run["exit_code"] is not None else ""
    return f"{run['run_id']} {run['state']}{code}"


def _duration(seconds: float) -> str:
    for unit, length in (("d", 86400), ("h", 3600), ("m", 60)):
        if seconds >= 2 * length:
            return f"{seconds / length:.0f} {unit}"
    return f"{seconds:.0f} s"


def catalog(lake: LakeOption = DEFAULT_LAKE) -> None:
    """Write catalog.duckdb anew.

    After a lake was moved, or an ingest with --no-build.

    \b
    Examples:
      notatio catalog
      notatio catalog --lake /mnt/moved/lake
    """
    from pipeline.run import publish_catalog
    from pipeline.store import Lake, publish_head

    number = publish_head(Lake.open(lake), publish_catalog, force=True)
    say(f"catalog.duckdb shows snapshot {number}")


def build(lake: LakeOption = DEFAULT_LAKE) -> None:
    """Derive all that follows from what was read and from what people decided.

    Corrections, accepted repairs and tombstones of the lake's folder curation/ are applied, and the catalog is written anew.
    Each ingest that changes the lake does the same. Running it again changes nothing.

    \b
    Examples:
      notatio build
    """
    from pipeline.cli.rereading import replayed

    catalog(lake)
    lost = [row for row in replayed(lake) if row["status"] is None]
    for row in lost:
        say(printable(f"warning: a repair of text {row['text_id'][:12]} does not hold: {row['outcome']}"))


def gc(
    retention: Annotated[str, typer.Option(metavar="24h", help="Keep what was live less than this ago.")] = "24h",
    lake: LakeOption = DEFAULT_LAKE,
) -> None:
    """Remove what no snapshot needs any more.

    Old snapshots go first, with the files that only they need. Named snapshots stay.

    \b
    Examples:
      notatio gc
      notatio gc --retention 7d
    """
    from pipeline.store import Lake
    from pipeline.store import gc as sweep

    swept = sweep(Lake.open(lake), retention_seconds=seconds_of(retention))
    files = f"{counted(swept.n_files, 'file')} ({size(swept.n_bytes)})"
    say(f"removed {counted(swept.n_snapshots, 'snapshot')}, {files}, {counted(swept.n_runs, 'unfinished run')}")


snapshot = typer.Typer(help="List snapshots, name one to keep it.")


@snapshot.command("list")
def list_snapshots(lake: LakeOption = DEFAULT_LAKE, format_: FormatOption = None, out: OutOption = None) -> None:
    """List the snapshots that are still there, newest first.

    \b
    Examples:
      notatio snapshot list
    """
    import pyarrow as pa

    from pipeline.store import Lake
    from pipeline.store.snapshots import kept

    opened = Lake.open(lake)
    names: dict[int, list[str]] = {}
    for name, number in opened.names().items():
        names.setdefault(number, []).append(name)
    rows = [
        {
            "snapshot": found.number,
            "written_at": found.written_at,
            "n_sources": len(found.sources),
            "n_games": sum(source["n_games"] for source in found.sources),
            "names": ", ".join(sorted(names.get(found.number, []))),
            "because": found.because,
        }
        for found in kept(opened.root)
    ]
    fields = [("snapshot", pa.int64()), ("written_at", pa.string()), ("n_sources", pa.int64()), ("n_games", pa.int64())]
    write(pa.Table.from_pylist(rows, pa.schema([*fields, ("names", pa.string()), ("because", pa.string())])), format_, out)


@snapshot.command("tag")
def tag_snapshot(
    name: Annotated[str, typer.Argument(metavar="NAME", help="Letters, digits, . _ -")],
    number: Annotated[int | None, typer.Argument(metavar="[NUMBER]", help="Which one.", show_default="the newest")] = None,
    lake: LakeOption = DEFAULT_LAKE,
) -> None:
    """Name a snapshot; it then stays for ever.

    `gc` keeps it and all files that it needs. No command reads an older snapshot yet: which Parquet files belong to it stands
    in _snapshots/NUMBER.json of the lake, and any program can read those.

    \b
    Examples:
      notatio snapshot tag before-the-move
      notatio snapshot tag 2024-edition 12
    """
    from pipeline.store import Lake

    named = Lake.open(lake).name_snapshot(name, number)
    say(f"snapshot {named.number} is called {name}; gc keeps it, its files are listed in _snapshots/{named.number:010}.json")
