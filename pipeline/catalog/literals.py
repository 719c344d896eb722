"""Python values and Arrow types as SQL text."""

from __future__ import annotations

import pyarrow as pa

from pipeline.catalog.registries import TIME
from pipeline.schema import POINTS


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
    POINTS: "DECIMAL(5,1)",
    TIME: "TIMESTAMP",
}


def text(value: str) -> str:
    """An SQL string literal."""
    return "'" + value.replace("'", "''") + "'"


def identifier(name: str) -> str:
    """A quoted SQL name."""
    return '"' + name.replace('"', '""') + '"'
