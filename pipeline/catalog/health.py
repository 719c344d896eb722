"""The figures of corpus_health, kept from one catalog to the next, so that a report can say what a run has changed."""

from __future__ import annotations

from pathlib import Path

import duckdb

from pipeline.catalog.literals import text
from pipeline.catalog.registries import HEALTH, Row


def before(lake_root: Path, snapshot: int) -> list[Row]:
    """Figures of the newest snapshot below `snapshot` that the catalog now in place knows; none without such a catalog.

    A catalog that is made again for its snapshot keeps what it was compared with. What cannot be read is left out: the
    figures are told, nothing depends on them.
    """
    path = lake_root / "catalog.duckdb"
    if not path.is_file() or path.with_name(f"{path.name}.wal").exists():
        return []
    try:
        with duckdb.connect() as con:
            con.execute(f"attach {text(str(path))} as old (read_only)")
            found = con.sql(f"from old.stored.{HEALTH.name} where snapshot < {snapshot}").to_arrow_table().to_pylist()
    except duckdb.Error:  # damaged, or written by a version that kept no figures
        return []
    newest = max((row["snapshot"] for row in found), default=None)
    return [row for row in found if row["snapshot"] == newest]


def keep(con: duckdb.DuckDBPyConnection) -> None:
    """Adds the figures of the catalog that is being made."""
    con.execute(f"insert into stored.{HEALTH.name} select snapshot, measure, n from corpus_health cross join about")
