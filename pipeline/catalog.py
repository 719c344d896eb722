"""Builds `catalog.duckdb`: comments, macros, views and materialised tables over the Parquet files of one snapshot.

The SQL lives in `sql/`, one select a file, under a header that states purpose, grain and columns; the header becomes
`COMMENT ON`. Nothing here knows what a query means: files are read, ordered by what they refer to, and executed.

Two schemas: `stored` is what the lake holds (typed views over Parquet, registries, CSV knowledge), `main` is what
analysts use. Written with STORAGE_VERSION v1.0.0, so that DuckDB 1.x opens the file too.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import UTC, datetime
from functools import cache
from graphlib import TopologicalSorter
from pathlib import Path
from typing import Any, Literal

import duckdb
import pyarrow as pa

from pipeline import tables
from pipeline.schema import FLOAT, INT32, INT64, STRING, TABLES, Column, Table

Row = Mapping[str, Any]
Kind = Literal["macros", "staging", "models", "reports", "audits"]
KINDS: tuple[Kind, ...] = ("macros", "staging", "models", "reports", "audits")
TIME = pa.timestamp("us")

_PATH = (
    Column("source_id", STRING, "First 32 hex digits of SHA-256 of the member's bytes."),
    Column("collection", STRING, "Name that groups paths: --collection, else the root's absolute path."),
    Column("path", STRING, "Path as given; a member of a container is `archive.zip!member`."),
)
REGISTRIES = {
    t.name: t
    for t in (
        Table(
            "sources",
            "A distinct member's bytes.",
            ("source_id",),
            ("source_id",),
            (
                _PATH[0],
                Column("container_id", STRING, "source_id of the container that the member was read from; null for a plain file."),
                Column("n_bytes", INT64, "Bytes of the member."),
                Column("encoding", STRING, "Character encoding that the source was read with; null when it is not text."),
                Column("encoding_runner_up", STRING, "Second best encoding; null when there was no contest."),
                Column("encoding_margin", FLOAT, "Lead of the encoding over the runner-up, in its score; null without contest."),
                Column("n_games", INT64, "Games found, good or bad."),
                Column("n_clean", INT64, "Games proven to their end."),
                Column("n_truncated", INT64, "Games with a proven prefix, then a fault."),
                Column("n_rejected", INT64, "Games of which nothing is proven."),
                Column("n_plies", INT64, "Half-moves of main lines that the board proved."),
                Column("n_bytes_games", INT64, "Bytes of clean games."),
                Column("n_bytes_quarantined", INT64, "Bytes in quarantine and in no clean game."),
                Column("n_bytes_filler", INT64, "Bytes of prose, blanks, headings and so on."),
                Column("results_version", STRING, "Version of the reading rules that produced the rows."),
            ),
        ),
        Table(
            "source_paths",
            "A path that a source was found at.",
            ("collection", "path", "source_id"),
            ("collection", "path", "source_id"),
            (
                *_PATH,
                Column("absolute_path", STRING, "Absolute path at the last run that saw it."),
                Column("n_bytes", INT64, "Bytes of the member."),
                Column("status", STRING, "ok, container_corrupt, container_encrypted, limit_exceeded, read_error, binary or deferred."),
                Column("removed_at", TIME, "When the path went away, UTC; null while it is live."),
            ),
        ),
        Table(
            "parts",
            "A part of a source that one shard read.",
            ("source_id", "part"),
            ("source_id", "part"),
            (
                _PATH[0],
                Column("part", INT32, "Ordinal of the part, from 0."),
                Column("first_game_index", INT64, "Games of the source before this part."),
            ),
        ),
        Table(
            "runs",
            "A run of ingest.",
            ("run_id",),
            ("started_at", "run_id"),
            (
                Column("run_id", STRING, "Id of the run."),
                Column("started_at", TIME, "Start, UTC."),
                Column("finished_at", TIME, "End, UTC; null while it runs or when it was killed."),
                Column("state", STRING, "State of the run: running, done, failed, …"),
                Column("exit_code", INT32, "Exit code of the command; null while it runs or when it was killed."),
                Column("version", STRING, "Version of the program."),
                Column("arguments", STRING, "Arguments of the command, as JSON."),
                Column("snapshot_before", INT64, "Snapshot that the run started from."),
                Column("snapshot_after", INT64, "Snapshot that the run left; null when it committed nothing."),
                Column("n_new", INT64, "Sources that were new."),
                Column("n_replaced", INT64, "Sources that replaced a former reading."),
                Column("n_skipped", INT64, "Sources that were known."),
                Column("n_failed", INT64, "Sources that could not be read."),
            ),
        ),
        Table(
            "corrections",
            "A correction that people decided; views apply it.",
            ("text_id", "field"),
            ("text_id", "field"),
            (
                Column("text_id", STRING, "Text that the correction is for."),
                Column("field", STRING, "Column of games that is corrected."),
                Column("value", STRING, "The right value; null = unknown."),
                Column("because", STRING, "Why."),
                Column("author", STRING, "Who decided it."),
                Column("made_at", TIME, "When, UTC."),
            ),
        ),
    )
}
"""What the store keeps beside the Parquet tables; the catalog holds them as real tables in schema `stored`."""

DIMENSIONS = {"nags": "nags", "issue_codes": "issues", "alphabets": "piece_letters"}
"""Views of CSV knowledge, each with the file of pipeline/tables that it shows."""


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


@dataclass(frozen=True, slots=True)
class Described:
    """A column or parameter as a header states it. `default` is an SQL literal (parameters only)."""

    name: str
    type: str
    doc: str
    default: str | None = None


@dataclass(frozen=True, slots=True)
class SqlFile:
    """A file of sql/: one select and its header. `sql` is the select without the header."""

    name: str
    kind: Kind
    purpose: str
    sql: str
    grain: tuple[str, ...] = ()
    columns: tuple[Described, ...] = ()
    parameters: tuple[Described, ...] = ()
    keys: Mapping[str, str] = field(default_factory=dict)
    """Other keys of the header: `materialized: table`, `cost: heavy`, `severity`."""

    @property
    def object_type(self) -> Literal["macro", "macro table", "table", "view"]:
        """What the catalog makes of it, in the words of `COMMENT ON`."""
        if self.kind == "macros":
            return "macro"
        if self.parameters:
            return "macro table"
        return "table" if self.keys.get("materialized") == "table" else "view"


class BadSqlFile(Exception):
    """A file of sql/ breaks the rules of its header, or files refer to one another in a circle."""


def sql_root() -> Path:
    """The folder sql/: beside the package in a checkout, inside it in a wheel."""
    here = Path(__file__).resolve().parent
    for root in (here / "sql", here.parent / "sql"):
        if (root / "models").is_dir():
            return root
    raise BadSqlFile(f"no folder sql/ in {here} or beside it: the installation is incomplete")


_KEY = re.compile(r"-- (\w+):\s*(.*)")
_ITEM = re.compile(r"--   (\w+)\s+(\S+(?: \S+)*)(?:\s{2,}(\S.*))?")


def read_sql(path: Path) -> SqlFile:
    """Turns one file into its select and its header. Raises BadSqlFile with the line that it cannot read."""
    lines = path.read_text("utf-8").splitlines()
    n_head = next((i for i, line in enumerate(lines) if not line.startswith("--")), len(lines))
    keys: dict[str, str] = {}
    lists: dict[str, list[Described]] = {"columns": [], "parameters": []}
    key = ""
    for number, line in enumerate(lines[:n_head], 1):
        if match := _KEY.fullmatch(line):
            key = match[1]
            keys[key] = match[2].strip()
        elif key in lists and (match := _ITEM.fullmatch(line)):
            type_, _, default = match[2].partition(" = ")
            lists[key].append(Described(match[1], type_, match[3] or "", default or None))
        elif key and key not in lists and line.startswith("--   "):
            keys[key] += " " + line[2:].strip()
        else:
            raise BadSqlFile(f"{path}:{number}: not a line of a header: {line}")
    if "purpose" not in keys:
        raise BadSqlFile(f"{path}:1: the header states no purpose")
    return SqlFile(
        name=path.stem,
        kind=next(k for k in KINDS if k == path.parent.name),
        purpose=keys.pop("purpose"),
        sql="\n".join(lines[n_head:]).strip().removesuffix(";"),
        grain=tuple(re.findall(r"\w+", keys.pop("grain", ""))),
        columns=tuple(lists["columns"]),
        parameters=tuple(lists["parameters"]),
        keys={k: v for k, v in keys.items() if k not in lists},
    )


@cache
def load_sql(root: Path | None = None) -> Mapping[str, SqlFile]:
    """All files of sql/ by name, each after the files that it refers to. Names are unique over all folders."""
    root = root or sql_root()
    files = [read_sql(path) for kind in KINDS for path in sorted((root / kind).glob("*.sql"))]
    by_name = {f.name: f for f in files}
    if len(by_name) < len(files):
        twice = sorted({f.name for f in files if by_name[f.name] is not f})
        raise BadSqlFile(f"two files of sql/ are called {', '.join(twice)}")
    with duckdb.connect() as con:
        order = TopologicalSorter({f.name: references(f.sql, con) & by_name.keys() - {f.name} for f in files})
    return {name: by_name[name] for name in order.static_order()}


def references(sql: str, con: duckdb.DuckDBPyConnection) -> set[str]:
    """Names of relations of schema main and of functions that a select uses. Only parses: nothing need exist."""
    row = con.execute("select json_serialize_sql(?::varchar)", [sql]).fetchone()
    tree = json.loads(row[0]) if row else {}
    if tree.get("error", True):
        raise BadSqlFile(f"{tree.get('error_message')}: {sql[:80]}")
    used: set[str] = set()
    for node in nodes(tree):
        if node.get("type") == "BASE_TABLE" and not node.get("schema_name"):
            used.add(node["table_name"])
        elif "function_name" in node:
            used.add(node["function_name"])
    return used


def nodes(tree: Any) -> Iterator[dict[str, Any]]:
    """All JSON objects in a parse tree, without recursion."""
    stack = [tree]
    while stack:
        node = stack.pop()
        if isinstance(node, dict):
            yield node
            stack.extend(node.values())
        elif isinstance(node, list):
            stack.extend(node)


def publish(lake_root: Path, data: CatalogInput, target: Path) -> None:
    """Writes the catalog of one snapshot to `target`, which must not exist; the caller renames it into place.

    `lake_root` becomes the default place of the Parquet files; the variable `notatio_lake` overrides it when reading.
    """
    con = duckdb.connect()
    try:
        con.execute(f"attach {text(str(target))} as catalog (storage_version 'v1.0.0')")
        con.execute("use catalog")
        con.execute("begin transaction")
        con.execute("create schema stored")
        for table in TABLES.values():
            select = stored_select(table, lake_root.resolve(), data)
            _create(con, f"create view stored.{table.name} as {select}", "view", f"stored.{table.name}", table)
        for table in REGISTRIES.values():
            _store(con, table, getattr(data, table.name))
        for name, csv in DIMENSIONS.items():
            rows = tables.rows(csv)
            columns = (Column(c, STRING, f"Column {c} of pipeline/tables/{csv}.csv.") for c in rows[0])
            _store(con, Table(name, f"The rows of pipeline/tables/{csv}.csv.", (), (), tuple(columns)), rows)
        _store(con, ABOUT, [{"snapshot": data.snapshot, "published_at": datetime.now(UTC), "version": data.version}])
        for file in load_sql().values():
            if file.kind != "audits":
                _create_file(con, file)
        con.execute("commit transaction")
        con.execute("use memory")
        con.execute("detach catalog")
    finally:
        con.close()


ABOUT = Table(
    "about",
    "Which snapshot this catalog shows.",
    ("snapshot",),
    ("snapshot",),
    (
        Column("snapshot", INT64, "Number of the snapshot that the views show."),
        Column("published_at", TIME, "When the catalog was built, UTC."),
        Column("version", STRING, "Version of the program that built it."),
    ),
)


def stored_select(table: Table, lake: Path, data: CatalogInput) -> str:
    """The select behind a view of schema `stored`: explicit columns, typed even without files, corrections applied."""
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
        return f"select {', '.join(columns)} from (select {nulls}) where false"
    root = f"coalesce(getvariable('notatio_lake'), {text(str(lake))})"
    paths = f"list_transform([{', '.join(text(f) for f in files)}], lambda f: {root} || '/' || f)"
    return f"select {', '.join(columns)} from read_parquet({paths})"


def _game_index(parts: Iterable[Row]) -> str:
    """SQL for a game's position in its source, from 1. A literal and no join: who does not select it pays nothing."""
    offsets: dict[str, list[int]] = {}
    for row in sorted(parts, key=lambda r: (r["source_id"], r["part"])):
        offsets.setdefault(row["source_id"], []).append(row["first_game_index"])
    many = {source: firsts for source, firsts in offsets.items() if len(firsts) > 1}
    if not many:
        return "(index_in_part + 1)::bigint"
    pairs = ", ".join(f"{text(source)}: {firsts}::bigint[]" for source, firsts in many.items())
    return f"coalesce(map {{{pairs}}}[source_id][part + 1], 0) + index_in_part + 1"


def corrected(corrections: Iterable[Row]) -> dict[str, dict[str, str | None]]:
    """Corrections as column of games → text_id → value, with the columns that follow from the corrected one.

    Raises ValueError for a field that cannot be corrected.
    """
    fixes: dict[str, dict[str, str | None]] = {}
    for row in corrections:
        field_, value = row["field"], row["value"] or None
        follows: dict[str, str | None] = {field_: value}
        if field_ in ("white", "black", "annotator"):
            follows[f"{field_}_key"] = _name_key(value) if value else None
        elif field_ == "date":
            follows = _date_columns(value)
        elif field_ == "round":
            numbers = [*re.findall(r"\d+", value or ""), None, None]
            follows |= {"round_major": numbers[0], "round_minor": numbers[1]}
        elif field_ == "result":
            follows["is_result_conflict"] = "false"
        elif field_ not in CORRECTABLE:
            raise ValueError(f"field {field_!r} cannot be corrected; use one of {', '.join(sorted(CORRECTABLE))}")
        for column, corrected_value in follows.items():
            fixes.setdefault(column, {})[row["text_id"]] = corrected_value
    return fixes


CORRECTABLE = frozenset(
    "event site round date white black white_elo black_elo white_title black_title white_fide_id black_fide_id eco_written result"
    " termination time_control_written base_seconds increment_seconds speed mode annotator".split()
)
"""Fields that a correction may name: columns of games; `date` (YYYY.MM.DD, ?? = unknown) sets all columns of the date."""


def _date_columns(value: str | None) -> dict[str, str | None]:
    numbers = [n if n.strip("?0") else None for n in (value or "").replace("-", ".").split(".")]
    year, month, day = [*numbers, None, None, None][:3]
    try:
        whole = datetime(int(year or 0), int(month or 0), int(day or 0)).date().isoformat()
    except ValueError:
        whole = None
    return {"date_written": value, "year": year, "month": month, "day": day, "date": whole}


def _store(con: duckdb.DuckDBPyConnection, table: Table, rows: Sequence[Row]) -> None:
    """Makes a real table of schema `stored` from dicts."""
    arrays = [pa.array([_plain(row.get(c.name), c.type) for row in rows], c.type) for c in table.columns]
    con.register("_rows", pa.table(arrays, schema=table.schema))
    order = f" order by {', '.join(table.order)}" if table.order else ""
    _create(con, f"create table stored.{table.name} as select * from _rows{order}", "table", f"stored.{table.name}", table)
    con.unregister("_rows")


def _plain(value: Any, type_: pa.DataType) -> Any:
    """A registry's value as its column's type: ISO 8601 → naive UTC, structures → JSON."""
    if value is not None and type_ == TIME:
        moment = datetime.fromisoformat(value) if isinstance(value, str) else value
        return moment.astimezone(UTC).replace(tzinfo=None) if moment.tzinfo else moment
    if value is not None and type_ == STRING and not isinstance(value, str):
        return json.dumps(value, ensure_ascii=False, default=str)
    return value


def _create(con: duckdb.DuckDBPyConnection, sql: str, object_type: str, name: str, table: Table) -> None:
    con.execute(sql)
    comments = [f"comment on {object_type} {name} is {text(table.purpose)}"]
    comments += [f"comment on column {name}.{identifier(c.name)} is {text(c.doc)}" for c in table.columns]
    con.execute("; ".join(comments))


def _create_file(con: duckdb.DuckDBPyConnection, file: SqlFile) -> None:
    """Makes the macro, table or view of one file, with its comments."""
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
    comments = [f"comment on {file.object_type} {file.name} is {text(file.purpose)}"]
    if file.object_type in ("table", "view"):
        comments += [f"comment on column {file.name}.{identifier(c.name)} is {text(doc(file, c))}" for c in file.columns]
    con.execute("; ".join(comments))


def doc(file: SqlFile, column: Described) -> str:
    """A column's description. The header may point to the column that it repeats (`plies.san`) or, empty, to the stored one."""
    target = column.doc or f"stored.{file.name}.{column.name}"
    if not re.fullmatch(r"(stored\.)?\w+\.\w+", target):
        return target
    *_, name, wanted = target.split(".")
    files = load_sql()
    if name in files and not target.startswith("stored."):
        found = next((c for c in files[name].columns if c.name == wanted), None)
        if found and found is not column:
            return doc(files[name], found)
    for table in (*TABLES.values(), *REGISTRIES.values(), ABOUT):
        for c in table.columns:
            if (table.name, c.name) == (name, wanted):
                return c.doc
    raise BadSqlFile(f"{file.kind}/{file.name}.sql: column {column.name}: no description and none at {target}")


def sql_type(type_: pa.DataType) -> str:
    """An Arrow type of schema.py in DuckDB's words."""
    if pa.types.is_list(type_):
        return f"{sql_type(type_.value_type)}[]"
    return _SQL_TYPES[type_]


_SQL_TYPES = {
    pa.string(): "VARCHAR",
    pa.int16(): "SMALLINT",
    pa.int32(): "INTEGER",
    pa.int64(): "BIGINT",
    pa.bool_(): "BOOLEAN",
    pa.float64(): "DOUBLE",
    pa.date32(): "DATE",
    pa.binary(): "BLOB",
    TIME: "TIMESTAMP",
}


def text(value: str) -> str:
    """An SQL string literal."""
    return "'" + value.replace("'", "''") + "'"


def identifier(name: str) -> str:
    """A quoted SQL name."""
    return '"' + name.replace('"', '""') + '"'


def _pairs(values: Mapping[str, str | None]) -> str:
    return ", ".join(f"{text(k)}: {'null' if v is None else text(v)}" for k, v in values.items())


def _name_key(value: str) -> str | None:
    from pipeline import names
    return names.name_key(value)
