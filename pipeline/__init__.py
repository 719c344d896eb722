"""notatio: chess score files as people really wrote them → proven moves in Parquet → answers in SQL.

>>> lake = pipeline.open_lake("lake")
>>> lake.games().filter(pl.col("status") == "clean").select("white", "black", "result").collect()
>>> lake.view("series_results").filter(pl.col("n") > 10).collect()
>>> lake.report("crosstable", event_name="Hastings")
>>> lake.query("from players where name like $name", name="Tal%")
"""

from __future__ import annotations

from collections.abc import Iterator
from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    import duckdb
    import polars as pl

_BATCH_ROWS = 100_000
"""Rows of a view that are handed to polars at a time."""

__all__ = ["LakeFrames", "open_lake", "version"]


@cache
def version() -> str:
    """Version of the installed program; `unknown` when it is run from a folder without being installed."""
    from importlib.metadata import PackageNotFoundError
    from importlib.metadata import version as installed

    try:
        return installed("notatio")
    except PackageNotFoundError:
        return "unknown"


def open_lake(path: Path | str = "lake") -> LakeFrames:
    """The newest snapshot of a lake, for polars. Raises store.NoLake when there is none."""
    from pipeline.store import Lake, NoLake

    try:
        lake = Lake.open(path)
    except NoLake:
        remedy = "Give open_lake the folder of one; the command `notatio ingest PATH --lake FOLDER` makes one"
        raise NoLake(f"There is no lake at {Path(path).absolute()}", remedy) from None
    return LakeFrames(lake.root, lake.head().files)


class LakeFrames:
    """A lake for polars: stored tables, views and reports as frames, and queries.

    `games()`, `plies()` and so on read the files of the snapshot that was newest when the lake was opened, as they are: columns
    as in `pipeline/schema.py`, no corrections, no repairs, copies too. `view` has the same names with all that people decided,
    and players, copies and reports besides, as the catalog shows them when a frame is collected.
    """

    def __init__(self, root: Path, files: dict[str, list[str]]) -> None:
        self.root = root
        self.files = files

    if not TYPE_CHECKING:

        def __getattr__(self, name: str) -> Any:
            """Says what there is: players, events and the other views are no stored tables."""
            if name.startswith("_"):
                raise AttributeError(name)
            from pipeline import catalog

            instead = f'view("{name}")' if name in catalog.view_names() else None
            raise AttributeError(f"a lake has no {name}(). {f'It has {instead}' if instead else _there_are()}")

    def table(self, name: str) -> pl.LazyFrame:
        """A stored table by name. Raises KeyError when there is none."""
        import polars as pl

        from pipeline.schema import TABLES

        if name not in TABLES:
            raise KeyError(f"there is no stored table {name}. {_there_are()}")
        table = TABLES[name]
        paths = [self.root / file for file in self.files.get(name, [])]
        if not paths:
            empty = pl.from_arrow(table.empty())
            assert isinstance(empty, pl.DataFrame)
            return empty.lazy()
        return pl.scan_parquet(paths)

    def games(self) -> pl.LazyFrame:
        """A game found in a source, good or bad."""
        return self.table("games")

    def plies(self) -> pl.LazyFrame:
        """A half-move that the board proved, of the main line (variation 0) or a variation."""
        return self.table("plies")

    def variations(self) -> pl.LazyFrame:
        """A variation of a game."""
        return self.table("variations")

    def annotations(self) -> pl.LazyFrame:
        """A symbol after a move."""
        return self.table("annotations")

    def issues(self) -> pl.LazyFrame:
        """A defect or oddity of a source or game."""
        return self.table("issues")

    def quarantine(self) -> pl.LazyFrame:
        """A byte range that did not become a clean game."""
        return self.table("quarantine")

    def spans(self) -> pl.LazyFrame:
        """A byte range of a source."""
        return self.table("spans")

    def published_results(self) -> pl.LazyFrame:
        """A score of a series that stands in a text."""
        return self.table("published_results")

    def view(self, name: str) -> pl.LazyFrame:
        """A view of the catalog: `players`, `games_distinct`, `series_results`, any report without parameters.

        DuckDB runs it when the frame is collected, and computes only the columns that are needed. Rows come in the order of the
        view. Raises KeyError when there is no such view, catalog.NoCatalog, catalog.BadCatalog.
        """
        from polars.io.plugins import register_io_source

        from pipeline import catalog

        if name not in catalog.view_names():
            there_are = "Views: " + ", ".join(catalog.view_names())
            raise KeyError(f"there is no view {name}. {there_are}")
        source = f'from "{name}"'
        with catalog.connect(self.root) as con:
            schema = con.sql(f"{source} limit 0").pl().schema

        def rows(
            columns: list[str] | None, predicate: pl.Expr | None, n_rows: int | None, batch_size: int | None
        ) -> Iterator[pl.DataFrame]:
            picked = ", ".join(f'"{column}"' for column in schema if columns is None or column in columns)
            limit = f" limit {n_rows}" if n_rows is not None and predicate is None else ""
            with catalog.connect(self.root) as con:
                yield from _frames(con, f"{source} select {picked}{limit}", predicate)

        return register_io_source(rows, schema=schema, is_pure=True)

    def report(self, name: str, **parameters: Any) -> pl.DataFrame:
        """The rows of a report, in its order; `lake.report("crosstable", event_name="Hastings")`.

        Raises catalog.BadReport for an unknown name or parameter, catalog.NoCatalog, catalog.BadCatalog.
        """
        import polars as pl

        from pipeline import catalog

        with catalog.connect(self.root) as con:
            frame = pl.from_arrow(catalog.run_report(con, name, parameters))
            assert isinstance(frame, pl.DataFrame)
            return frame

    def query(self, sql: str, **parameters: Any) -> pl.DataFrame:
        """The rows of one SELECT over the catalog's views (`$name` stands for a parameter).

        Raises catalog.StatementRefused for anything that does more than read, catalog.NoCatalog when none was published,
        catalog.BadCatalog when it is damaged.
        """
        from pipeline import catalog

        statement = catalog.check_statement(sql)
        with catalog.connect(self.root) as con:
            frame: pl.DataFrame = con.sql(statement, params=parameters or None).pl()
            return frame


def _frames(con: duckdb.DuckDBPyConnection, sql: str, predicate: pl.Expr | None) -> Iterator[pl.DataFrame]:
    """The rows of a query in batches, filtered. Never less than one frame, so that its columns are known."""
    import polars as pl

    for batch in con.sql(sql).to_arrow_reader(_BATCH_ROWS):
        frame = pl.from_arrow(batch)
        assert isinstance(frame, pl.DataFrame)
        yield frame if predicate is None else frame.filter(predicate)


def _there_are() -> str:
    from pipeline.schema import TABLES

    frames = ", ".join(f"{name}()" for name in TABLES)
    return f'There are {frames} as frames, and view("players") for any view'
