"""Reports and audits: what there is, and running them in a session of `connect`."""

from __future__ import annotations

import difflib
import re
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

import duckdb
import pyarrow as pa

from pipeline.catalog.files import Described, SqlFile, load_sql

FINDINGS_SHOWN = 5
"""Rows of an audit that a Finding carries."""


class BadReport(ValueError):
    """There is no such report, or its parameters are wrong; the message lists what there is."""


@dataclass(frozen=True, slots=True)
class Report:
    """A report: a view, or with parameters a table macro. `sql` is the select in sql/reports/.

    `important`: the columns that are shown where there is no room for all, best first; `empty`: what it means when there are
    no rows, and what to do, with `{n}` for what `population` counts.
    """

    name: str
    purpose: str
    parameters: tuple[Described, ...]
    columns: tuple[Described, ...]
    sql: str
    important: tuple[str, ...] = ()
    empty: str = ""
    population: str = ""


@dataclass(frozen=True, slots=True)
class Audit:
    """A query that returns no row when the lake is right. Heavy ones read every ply."""

    name: str
    purpose: str
    is_heavy: bool
    sql: str


@dataclass(frozen=True, slots=True)
class Finding:
    """What an audit found: `n` rows, of which `rows` are the first few, with the names of their `columns`."""

    audit: str
    purpose: str
    n: int
    columns: tuple[str, ...]
    rows: tuple[tuple[Any, ...], ...]


def reports() -> tuple[Report, ...]:
    """All reports by name."""
    files = (f for f in load_sql().values() if f.kind == "reports")
    return tuple(map(_report, sorted(files, key=_name)))


def _report(file: SqlFile) -> Report:
    important = tuple(re.findall(r"\w+", file.keys.get("important", "")))
    told = file.keys.get("empty", ""), file.keys.get("population", "")
    return Report(file.name, file.purpose, file.parameters, file.columns, file.sql, important, *told)


def run_report(con: duckdb.DuckDBPyConnection, name: str, parameters: Mapping[str, Any] | None = None) -> pa.Table:
    """The rows of a report, in its order. Raises BadReport for an unknown name or parameter, or a missing one."""
    by_name = {r.name: r for r in reports()}
    if name not in by_name:
        near = difflib.get_close_matches(name, by_name, 3) or sorted(by_name)
        raise BadReport(f"there is no report {name!r}; did you mean {', '.join(near)}?")
    report, given = by_name[name], dict(parameters or {})
    values = [f"{p.name} := ${p.name}" for p in report.parameters if p.name in given]
    missing = [p.name for p in report.parameters if p.name not in given and p.default is None]
    unknown = sorted(given.keys() - {p.name for p in report.parameters})
    if missing or unknown:
        takes = "; ".join(f"{p.name}: {p.doc}" for p in report.parameters) or "none"
        wrong = [f"needs {', '.join(missing)}"] * bool(missing) + [f"has no parameter {', '.join(unknown)}"] * bool(unknown)
        raise BadReport(f"report {name} {' and '.join(wrong)}. Its parameters: {takes}")
    call = f"{name}({', '.join(values)})" if report.parameters else name
    return con.sql(f"from {call}", params=given or None).to_arrow_table()


def view_names() -> tuple[str, ...]:
    """Names of all views and computed tables, reports without parameters among them."""
    return tuple(sorted(f.name for f in load_sql().values() if f.kind != "audits" and f.object_type in ("table", "view")))


def audits() -> tuple[Audit, ...]:
    """All audits by name."""
    files = (f for f in load_sql().values() if f.kind == "audits")
    return tuple(Audit(f.name, f.purpose, f.keys.get("cost") == "heavy", f.sql) for f in sorted(files, key=_name))


def run_audits(con: duckdb.DuckDBPyConnection, heavy: bool = False) -> list[Finding]:
    """Runs the audits, the heavy ones only when asked; returns those that found something."""
    findings = []
    for audit in audits():
        if audit.is_heavy and not heavy:
            continue
        cursor = con.execute(audit.sql)
        columns = tuple(d[0] for d in cursor.description)
        if rows := cursor.fetchmany(FINDINGS_SHOWN):
            count = con.execute(f"select count(*) from ({audit.sql})").fetchone()
            findings.append(Finding(audit.name, audit.purpose, count[0] if count else 0, columns, tuple(map(tuple, rows))))
    return findings


def _name(file: SqlFile) -> str:
    return file.name
