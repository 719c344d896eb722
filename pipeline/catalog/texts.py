"""Values that neither Python nor Arrow can show, as DuckDB's own text.

Python knows the years 1 to 9999 and no `infinity`; Arrow has no bit strings, no huge unsigned numbers, no times with a zone.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from pipeline.catalog.literals import identifier

if TYPE_CHECKING:
    import duckdb
    from duckdb.sqltypes import DuckDBPyType

_SHOWN = frozenset(
    {
        *("boolean", "tinyint", "smallint", "integer", "bigint", "hugeint", "utinyint", "usmallint", "uinteger", "ubigint"),
        *("float", "double", "decimal", "varchar", "blob", "uuid", "enum", "null"),
    }
)
"""Kinds of types whose values a writer of texts takes as they are."""
_STORED = _SHOWN | {"date", "time", "timestamp", "timestamp_s", "timestamp_ms", "timestamp_ns", "timestamp with time zone"}
"""… and a writer of Parquet."""
_NESTED = ("list", "array", "map", "struct", "tuple")


def as_text(relation: duckdb.DuckDBPyRelation, *, is_parquet: bool) -> duckdb.DuckDBPyRelation:
    """The same rows and names; values of types that could not be written are texts, inside of lists, structs and maps too."""
    kept = _STORED if is_parquet else _SHOWN
    types = [_type(type_, kept) for type_ in relation.types]
    if types == list(map(str, relation.types)):
        return relation
    columns = zip(relation.columns, types, map(str, relation.types), strict=True)
    fields = [f"#{i}{'' if new == old else f'::{new}'} as {identifier(name)}" for i, (name, new, old) in enumerate(columns, 1)]
    return relation.project(", ".join(fields))


def _type(type_: DuckDBPyType, kept: frozenset[str]) -> str:
    """The type in SQL, VARCHAR in place of every kind that is not kept."""
    if type_.id not in _NESTED:
        return str(type_) if type_.id in kept else "VARCHAR"
    # an array's children are its element and its size
    children: list[Any] = [child for name, child in type_.children if not (type_.id == "array" and name == "size")]
    inner = [_type(child, kept) for child in children]
    if inner == list(map(str, children)):
        return str(type_)
    if type_.id == "struct":
        names = (identifier(name) for name, _ in type_.children)
        return f"STRUCT({', '.join(f'{name} {text}' for name, text in zip(names, inner, strict=True))})"
    if type_.id == "array":
        return f"{inner[0]}[{type_.children[1][1]}]"
    return {"list": f"{inner[0]}[]", "map": f"MAP({', '.join(inner)})"}.get(type_.id, "VARCHAR")
