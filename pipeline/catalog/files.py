"""Reads sql/: one select a file under a header that states purpose, grain and columns; puts the files in order.

Nothing here knows what a query means. The order of execution comes from what the selects refer to.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from functools import cache
from graphlib import CycleError, TopologicalSorter
from pathlib import Path
from typing import Any, Literal

import duckdb

from pipeline.catalog.registries import ABOUT, EVENT_WORDINGS, HEALTH, PERSONS, QUARANTINE_STATES, REGISTRIES
from pipeline.schema import TABLES

Kind = Literal["macros", "staging", "models", "reports", "audits"]
KINDS: tuple[Kind, ...] = ("macros", "staging", "models", "reports", "audits")


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
    """Other keys of the header: `materialized: table`, `step_of`, `rule`, `source`, `note`, `cost: heavy`, `severity`."""

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
    here = Path(__file__).resolve().parents[1]
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
        used = {f.name: references(f.sql, con) & by_name.keys() for f in files}
    try:
        return {name: by_name[name] for name in TopologicalSorter(used).static_order()}
    except CycleError as error:
        raise BadSqlFile(f"files of sql/ refer to one another in a cycle: {', '.join(error.args[1])}") from None


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
    for table in (*TABLES.values(), *REGISTRIES.values(), *PERSONS, EVENT_WORDINGS, QUARANTINE_STATES, HEALTH, ABOUT):
        for c in table.columns:
            if (table.name, c.name) == (name, wanted):
                return c.doc
    raise BadSqlFile(f"{file.kind}/{file.name}.sql: column {column.name}: no description and none at {target}")
