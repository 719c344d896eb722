"""Builds `catalog.duckdb`: comments, macros, views and materialised tables over the Parquet files of one snapshot.

Two schemas: `stored` is what the lake holds (typed views over Parquet, registries, CSV knowledge), `main` is what
analysts use. Written with STORAGE_VERSION v1.0.0, so that DuckDB 1.x opens the file too.
"""

from __future__ import annotations

import json
import logging
import re
import time
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import duckdb
import pyarrow as pa

from pipeline import tables
from pipeline.catalog import events, persons, tree
from pipeline.catalog.corrections import corrected
from pipeline.catalog.decisions import AGAIN, Decided, decide
from pipeline.catalog.files import SqlFile, doc, load_sql
from pipeline.catalog.given import given
from pipeline.catalog.health import before, keep
from pipeline.catalog.literals import identifier, sql_type, text
from pipeline.catalog.registries import ABOUT, DIMENSIONS, EVENT_WORDINGS, HEALTH, QUARANTINE_STATES, REGISTRIES, TIME, Row
from pipeline.identity import Decisions
from pipeline.schema import INT64, STRING, TABLES, Column, Table

log = logging.getLogger(__name__)

GAME_INDEX = Column("game_index", INT64, "index_in_part counted over all parts of the source, from 1.")
"""What the view stored.games adds: data files know a game's position within its part only."""


@dataclass(frozen=True, slots=True)
class CatalogInput:
    """What one snapshot consists of. `files`: stored table → Parquet files, relative to the lake, maybe none.

    The other sequences hold a dict a row with the columns of REGISTRIES (missing = null; times as datetime or ISO 8601).
    """

    snapshot: int
    files: Mapping[str, Sequence[str]]
    version: str
    sources: Sequence[Row] = ()
    source_paths: Sequence[Row] = ()
    runs: Sequence[Row] = ()
    parts: Sequence[Row] = ()
    corrections: Sequence[Row] = ()
    repairs: Sequence[Row] = ()
    tombstones: Sequence[Row] = ()
    given_results: Sequence[Row] = ()
    aliases: Sequence[Row] = ()


def publish(lake_root: Path, data: CatalogInput, target: Path) -> None:
    """Writes the catalog of one snapshot to `target`, which must not exist; the caller renames it into place.

    `lake_root` becomes the default place of the Parquet files; the variable `notatio_lake` overrides it when reading.
    """
    is_new = not target.exists()
    try:
        _publish(lake_root, data, target, carries_over=is_new)
    except duckdb.Error:
        if not is_new:
            raise
        target.unlink(missing_ok=True)  # the catalog before may be damaged; any other fault shows again
        _publish(lake_root, data, target, carries_over=False)


def _publish(lake_root: Path, data: CatalogInput, target: Path, *, carries_over: bool) -> None:
    decided = decide(lake_root, data.files, data.sources, data.repairs, data.tombstones)
    aliases, decisions = persons.checked(data.aliases)
    sources, given_results = decided.sources(data.sources), given(data.given_results)
    data = replace(data, sources=sources, given_results=given_results, aliases=aliases)
    con = duckdb.connect()
    try:
        has_before = tree.attach_before(con, lake_root / "catalog.duckdb") if carries_over else False
        con.execute(f"attach {text(str(target))} as catalog (storage_version 'v1.0.0')")
        con.execute("use catalog")
        con.execute("begin transaction")
        con.execute("create schema stored")
        for table in TABLES.values():
            if table.name in decided.tables:
                _store(con, again(table), decided.tables[table.name].to_pylist())
            select = stored_select(table, lake_root.resolve(), data, decided)
            shown = replace(table, columns=(*table.columns, GAME_INDEX)) if table.name == "games" else table
            _create(con, f"create view stored.{table.name} as {select}", "view", f"stored.{table.name}", shown)
        for table in REGISTRIES.values():
            _store(con, table, getattr(data, table.name))
        for name, csv in DIMENSIONS.items():
            rows = tables.rows(csv)
            columns = (Column(c, STRING, f"Column {c} of pipeline/tables/{csv}.csv.") for c in rows[0])
            _store(con, Table(name, f"The rows of pipeline/tables/{csv}.csv.", (), (), tuple(columns)), rows)
        states = [{"quarantine_id": key, "state": state} for key, state in decided.states.items()]
        _store(con, QUARANTINE_STATES, states)
        _store(con, HEALTH, before(lake_root, data.snapshot))
        _store(con, ABOUT, [{"snapshot": data.snapshot, "published_at": datetime.now(UTC), "version": data.version}])
        _store_persons(con, decisions)
        _store_rows(con, EVENT_WORDINGS, events.event_wordings(con))
        for table in tree.TABLES:
            _store(con, table, [])
        for file in load_sql().values():
            if file.kind != "audits":
                _create_file(con, file)
        tree.fill(con, has_before)
        keep(con)
        con.execute("commit transaction")
        con.execute("use memory")
        con.execute("detach catalog")
    finally:
        con.close()


def again(table: Table) -> Table:
    """The table of schema `stored` that holds the rows of repaired games."""
    return replace(table, name=f"repaired_{table.name}", purpose=f"Of repaired games: {table.purpose}")


def stored_select(table: Table, lake: Path, data: CatalogInput, decided: Decided) -> str:
    """The select behind a view of schema `stored`: explicit columns, typed even without files, decisions applied."""
    values = corrected(data.corrections) if table.name == "games" else {}
    columns = []
    for c in table.columns:
        sql = identifier(c.name)
        if fix := values.get(c.name):
            ids = ", ".join(text(i) for i in fix)
            sql = f"case when text_id in ({ids}) then map {{{_pairs(fix)}}}[text_id]::{sql_type(c.type)} else {sql} end as {sql}"
        columns.append(sql)
    if table.name == "games":
        columns.append(f"{_game_index(data.parts)} as game_index")
    files = data.files.get(table.name, ())
    if not files:
        nulls = ", ".join(f"null::{sql_type(c.type)} as {identifier(c.name)}" for c in table.columns)
        return f"select {', '.join(columns)} from {_decided(table, f'(select {nulls} where false)', decided)}"
    root = f"coalesce(getvariable('notatio_lake'), {text(str(lake))})"
    paths = f"list_transform([{', '.join(text(f) for f in files)}], lambda f: {root} || '/' || f)"
    return f"select {', '.join(columns)} from {_decided(table, f'read_parquet({paths})', decided)}"


def _decided(table: Table, files: str, decided: Decided) -> str:
    """What a view of schema `stored` selects from: the files, with rows of repaired games in place of the stored ones.

    The files alone where nothing was decided: then no query pays for it.
    """
    names = ", ".join(identifier(c.name) for c in table.columns)
    if table.name == "spans" and decided.clean_spans:
        spans = ", ".join(f"({text(source)}, {at})" for source, at in decided.clean_spans)
        kind = f"case when (source_id, byte_start) in ({spans}) then 'game' else kind end as kind"
        return f"(select * replace ({kind}) from {files})"
    column, hidden = "game_id", decided.games if table.name in AGAIN else []
    if table.name == "quarantine":
        column, hidden = "quarantine_id", decided.requalified
        if decided.gone:
            ids = ", ".join(map(text, decided.gone))
            files = f"(select * replace (case when game_id not in ({ids}) then game_id end as game_id) from {files})"
    if hidden:
        listed = ", ".join(map(text, hidden))
        files = f"(select {names} from {files} where {column} is null or {column} not in ({listed}))"
    if table.name in decided.tables:
        files = f"(select {names} from {files} union all select {names} from stored.{again(table).name})"
    return files


def _game_index(parts: Iterable[Row]) -> str:
    """SQL for a game's position in its source, from 1. A literal and no join: who does not select it pays nothing."""
    offsets: dict[str, dict[int, int]] = {}
    for row in parts:
        if row["part"]:
            offsets.setdefault(row["source_id"], {})[row["part"]] = row["first_game_index"]
    if not offsets:
        return "(index_in_part + 1)::bigint"
    lists = {source: [first.get(part, 0) for part in range(max(first) + 1)] for source, first in sorted(offsets.items())}
    pairs = ", ".join(f"{text(source)}: {numbers}::bigint[]" for source, numbers in lists.items())
    return f"coalesce(map {{{pairs}}}[source_id][part + 1], 0) + index_in_part + 1"


def _store(con: duckdb.DuckDBPyConnection, table: Table, rows: Sequence[Row]) -> None:
    """Makes a real table of schema `stored` from dicts."""
    arrays = [pa.array([_plain(row.get(c.name), c.type) for row in rows], c.type) for c in table.columns]
    con.register("_rows", pa.table(arrays, schema=table.schema))
    order = f" order by {', '.join(table.order)}" if table.order else ""
    _create(con, f"create table stored.{table.name} as select * from _rows{order}", "table", f"stored.{table.name}", table)
    con.unregister("_rows")


def _store_persons(con: duckdb.DuckDBPyConnection, decisions: Decisions) -> None:
    """Makes the tables that say which names and sides of games are one person."""
    for table, rows in persons.persons(con, decisions):
        _store_rows(con, table, rows)


def _store_rows(con: duckdb.DuckDBPyConnection, table: Table, rows: pa.Table) -> None:
    """Makes a real table of schema `stored` from Arrow rows in the order of the table."""
    con.register("_rows", rows)
    _create(con, f"create table stored.{table.name} as select * from _rows", "table", f"stored.{table.name}", table)
    con.unregister("_rows")


def _plain(value: Any, type_: pa.DataType) -> Any:
    """A registry's value as its column's type: ISO 8601 → naive UTC, structures → JSON."""
    if value is not None and type_ == TIME:
        moment = datetime.fromisoformat(value) if isinstance(value, str) else value
        return moment.astimezone(UTC).replace(tzinfo=None) if moment.tzinfo else moment
    if isinstance(value, str) and pa.types.is_integer(type_):  # of a CSV file
        return int(value)
    if value is not None and type_ == STRING and not isinstance(value, str):
        return json.dumps(value, ensure_ascii=False, default=str)
    return value


def _create(con: duckdb.DuckDBPyConnection, sql: str, object_type: str, name: str, table: Table) -> None:
    con.execute(sql)
    comments = [f"comment on {object_type} {name} is {text(table.purpose)}"]
    comments += [f"comment on column {name}.{identifier(c.name)} is {text(c.doc)}" for c in table.columns]
    con.execute("; ".join(comments))


def _create_file(con: duckdb.DuckDBPyConnection, file: SqlFile) -> None:
    """Makes the macro, table or view of one file, with its comments. Logs the seconds (level DEBUG)."""
    begin = time.perf_counter()
    parameters = ", ".join(p.name + (f" := {p.default}" if p.default else "") for p in file.parameters)
    statement = {
        "macro": f"create macro {file.name}({parameters}) as {re.sub(r'(?i)^select', '', file.sql)}",
        "macro table": f"create macro {file.name}({parameters}) as table {file.sql}",
        "table": f"create table {file.name} as {file.sql}",
        "view": f"create view {file.name} as {file.sql}",
    }[file.object_type]
    try:
        con.execute(statement)
    except duckdb.Error as error:
        error.add_note(f"in sql/{file.kind}/{file.name}.sql")
        raise
    log.debug("%s %.3f s", file.name, time.perf_counter() - begin)
    comments = [f"comment on {file.object_type} {file.name} is {text(file.purpose)}"]
    if file.object_type in ("table", "view"):
        comments += [f"comment on column {file.name}.{identifier(c.name)} is {text(doc(file, c))}" for c in file.columns]
    con.execute("; ".join(comments))


def _pairs(values: Mapping[str, str | None]) -> str:
    return ", ".join(f"{text(k)}: {'null' if v is None else text(v)}" for k, v in values.items())
