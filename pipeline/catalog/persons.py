"""Who is who: names and sides of the stored games → the tables that the models take persons from."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

import duckdb
import pyarrow as pa

from pipeline.catalog.registries import PERSON_CLAIMS, PERSON_SIDES, SAME_NAMES, Row
from pipeline.schema import Table


def persons(con: duckdb.DuckDBPyConnection, aliases: Sequence[Row]) -> Iterator[tuple[Table, pa.Table]]:
    """The tables of PERSONS with their rows, from stored.games and what people decided."""
    keys = con.sql("""
        select key, key as person_key
        from (select white_key as key from stored.games union select black_key as key from stored.games) as side
        where key is not null order by key
    """).to_arrow_table()
    yield SAME_NAMES, keys.cast(SAME_NAMES.schema)
    yield PERSON_SIDES, PERSON_SIDES.empty()
    yield PERSON_CLAIMS, PERSON_CLAIMS.empty()
