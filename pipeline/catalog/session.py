"""The read-only session, and the check of statements that users write.

The session reads the lake's own Parquet files and no others. That alone does not stop a `COPY … TO` into the lake, so
statements of users pass `check_statement` first: one query, known functions, nothing that writes.
"""

from __future__ import annotations

import itertools
import json
import os
import re
import tempfile
from pathlib import Path
from typing import Any

import duckdb

from pipeline.catalog.files import load_sql, nodes
from pipeline.catalog.literals import text


class NoCatalog(Exception):
    """The folder holds no catalog.duckdb: no lake, or one that was never published."""


class BadCatalog(Exception):
    """The folder holds a catalog.duckdb that must not be asked: it is damaged, or something foreign lies beside it."""

    remedy = "Write it anew with `notatio catalog`"

    def __init__(self, what: str) -> None:
        super().__init__(f"{what}. {self.remedy}")
        self.what = what


class StatementRefused(ValueError):
    """A statement that a read-only session does not run; the message says why and what is allowed."""


_sessions = itertools.count()
_HEADERS_BYTES = 3 * 4096
"""Before the blocks of a DuckDB file: its main header and two headers of the database (DuckDB, storage_info.hpp)."""
_DAMAGE = re.compile(
    "Corrupt database file|Serialization Error: |"
    "IO Error: (.* is not a valid DuckDB database file|Could not read enough bytes|.* database file with version number)"
)
"""Beginnings, since errors of a query repeat texts of the query."""


def is_damage(error: duckdb.Error) -> bool:
    """Does an error of DuckDB mean that the catalog itself is damaged, or of another version? (Not: a Parquet file.)"""
    return ".parquet" not in str(error) and _DAMAGE.match(str(error)) is not None


def connect(lake: Path) -> duckdb.DuckDBPyConnection:
    """Opens a lake's catalog read-only, for one thread: a cursor of it knows nothing of the lake. Raises NoCatalog, BadCatalog.

    Attached to a database in memory, so that a session opened later in the same process sees a newer catalog. The lake may
    have moved since it was written. Large queries spill to the temporary folder, never to the lake.
    """
    path = lake / "catalog.duckdb"
    if not path.is_file():
        raise NoCatalog(f"{lake} holds no catalog.duckdb: ingest something into it first, or name another lake")
    if (log := path.with_name(f"{path.name}.wal")).exists():  # DuckDB would show what it says, even to a reader
        raise BadCatalog(f"Beside {path} lies {log.name}, which some other program has written: it would change the answers")
    root = str(lake.resolve())
    spill = Path(tempfile.gettempdir()) / f"notatio-{os.getpid()}-{next(_sessions)}"
    con = duckdb.connect()
    try:
        for statement in (
            f"attach {text(str(path))} as lake (read_only)",
            "use lake",
            f"set variable notatio_lake = {text(root)}",
            f"set temp_directory = {text(str(spill))}",
            "set python_enable_replacements = false",
            "set autoinstall_known_extensions = false",
            "set autoload_known_extensions = false",
            f"set allowed_directories = [{text(root + '/data/')}, {text(str(spill) + '/')}]",
            "set enable_external_access = false",
            "set lock_configuration = true",
        ):
            con.execute(statement)
            if statement.startswith("attach"):
                _check_length(path, con)
    except duckdb.Error as error:
        con.close()
        if is_damage(error):
            raise BadCatalog(f"The catalog {path} is damaged: {str(error).splitlines()[0].rstrip('.')}") from error
        raise
    except BaseException:
        con.close()
        raise
    return con


def missing(con: duckdb.DuckDBPyConnection) -> list[str]:
    """Macros, tables and views of sql/ that an opened catalog does not have: another version of the program wrote it."""
    there = con.execute("""
        select table_name from duckdb_columns() where database_name = 'lake'
        union
        select function_name from duckdb_functions() where database_name = 'lake'
    """).fetchall()
    return sorted({file.name for file in load_sql().values() if file.kind != "audits"} - {name for (name,) in there})


def _check_length(path: Path, con: duckdb.DuckDBPyConnection) -> None:
    """Raises BadCatalog for a file that is cut off: DuckDB would notice only when somebody reads what is missing."""
    row = con.execute("select block_size * total_blocks from pragma_database_size() where database_name = 'lake'").fetchone()
    if row is not None and path.stat().st_size < _HEADERS_BYTES + row[0]:
        raise BadCatalog(f"The catalog {path} is damaged: its end is missing")


def rows(connection: duckdb.DuckDBPyConnection, query: str, **parameters: Any) -> list[dict[str, Any]]:
    """Rows of a query as Python values; maps as dicts."""
    table = connection.sql(query, params=parameters).to_arrow_table()
    return list(table.to_pylist(maps_as_pydicts="lossy"))


ALLOWED = "one SELECT, FROM, PIVOT, DESCRIBE, SUMMARIZE, SHOW or EXPLAIN statement"
TABLE_FUNCTIONS = frozenset(
    {
        *("unnest", "range", "generate_series", "repeat", "json_each", "json_tree", "histogram", "histogram_values", "summary"),
        *("duckdb_columns", "duckdb_constraints", "duckdb_functions", "duckdb_keywords", "duckdb_schemas", "duckdb_settings"),
        *("duckdb_tables", "duckdb_types", "duckdb_views", "pragma_table_info", "pragma_version"),
    }
)
"""Table functions that only compute or describe. Others read files, run SQL given as text, or change the session."""
REFUSED_FUNCTIONS = frozenset({"nextval", "sleep_ms", "write_log", "getenv"})
"""Scalar functions with an effect, or that look outside of the database."""
_QUERY_NODES = frozenset({"SELECT_NODE", "SET_OPERATION_NODE", "RECURSIVE_CTE_NODE", "CTE_NODE"})
_WRITING = frozenset({"copy", "create", "delete", "export", "insert", "merge", "update"})
_BLANK = r"(?:\s|--[^\n]*(?:\n|$)|/\*.*?\*/)*"
_EXPLAIN = re.compile(rf"{_BLANK}explain\b{_BLANK}(?:analyze\b|\([^)]*\))?", re.IGNORECASE | re.DOTALL)
_FILE = re.compile(r"[/\\*]|\.(parquet|csv|tsv|json|jsonl|ndjson|txt|duckdb|db)(\.\w+)?$", re.IGNORECASE)


def check_statement(sql: str) -> str:
    """Returns the statement without its semicolon if it only reads the catalog. Raises StatementRefused."""
    with duckdb.connect() as con:
        try:
            statements = con.extract_statements(sql)
        except duckdb.Error as error:
            raise StatementRefused(str(error)) from None
        if len(statements) != 1:
            raise StatementRefused(f"{len(statements)} statements; give {ALLOWED}")
        statement = sql.strip().rstrip(";").rstrip()
        kind = statements[0].type
        if kind == duckdb.StatementType.EXPLAIN:
            check_statement(_EXPLAIN.sub("", statement, count=1))
        elif kind == duckdb.StatementType.MULTI:
            _check_tokens(statement, con)
        elif kind == duckdb.StatementType.SELECT:
            _check_tree(statement, con)
        else:
            raise StatementRefused(f"{kind.name} is refused, the lake is only read here; give {ALLOWED}")
    return statement


def _check_tree(statement: str, con: duckdb.DuckDBPyConnection) -> None:
    """Looks at every node of a SELECT. Query nodes that are not known to only read are refused (`WITH x AS (INSERT …)`)."""
    row = con.execute("select json_serialize_sql(?::varchar)", [statement]).fetchone()
    try:
        tree = json.loads(row[0]) if row else {"error": True}
    except RecursionError:
        raise StatementRefused("the query is nested too deeply") from None
    if tree["error"]:
        raise StatementRefused(f"{tree.get('error_message', 'not a query')}; give {ALLOWED}")
    for node in nodes(tree):
        if "cte_map" in node and node.get("type") not in _QUERY_NODES:
            raise StatementRefused(f"a query may not change anything, this one contains {node.get('type')}; give {ALLOWED}")
        if node.get("type") == "BASE_TABLE":
            _check_table(node["table_name"])
        elif node.get("type") == "TABLE_FUNCTION":
            _check_table_function(node["function"].get("function_name", ""))
        elif node.get("function_name") in REFUSED_FUNCTIONS:
            raise StatementRefused(f"function {node['function_name']} is refused")


def _check_tokens(statement: str, con: duckdb.DuckDBPyConnection) -> None:
    """Checks what DuckDB splits into several statements and cannot show as a tree: a PIVOT without its list of values."""
    listed = con.execute("select function_name from duckdb_functions() where function_type = 'table'").fetchall()
    known = {name for (name,) in listed}
    marks = duckdb.tokenize(statement)
    ends = [start for start, _ in marks[1:]] + [len(statement)]
    words = [statement[start:end].strip().strip('"').lower() for (start, _), end in zip(marks, ends, strict=True)]
    for word, after in zip(words, [*words[1:], ""], strict=True):
        if word in _WRITING and after != ".":
            raise StatementRefused(f"{word.upper()} is refused, the lake is only read here; give {ALLOWED}")
        if word in ("from", "pivot", "join") and after.startswith("'"):
            _check_table(after.strip("'"))
        if after == "(" and word in known:
            _check_table_function(word)
        if after == "(" and word in REFUSED_FUNCTIONS:
            raise StatementRefused(f"function {word} is refused")


def _check_table(name: str) -> None:
    if _FILE.search(name):
        raise StatementRefused(f"{name}: files are not read here; ingest them, or open them with another program")


def _check_table_function(name: str) -> None:
    if name not in TABLE_FUNCTIONS and not (name in load_sql() and load_sql()[name].object_type == "macro table"):
        raise StatementRefused(f"function {name} is refused: only the lake's views, macros and plain computations are read here")
