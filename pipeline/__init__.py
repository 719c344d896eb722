"""notatio: chess score files as people really wrote them → proven moves in Parquet → answers in SQL.

>>> lake = pipeline.open_lake("lake")
>>> lake.games().filter(pl.col("status") == "clean").select("white", "black", "result").collect()
>>> lake.query("from series_results")
"""

from __future__ import annotations

from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    import polars as pl

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
    """The stored tables of one snapshot as polars LazyFrames, and queries over the catalog's views.

    A frame reads the files as they are: columns as in `pipeline/schema.py`, no corrections. What the views add
    (players, copies, corrections) comes through `query`.
    """

    def __init__(self, root: Path, files: dict[str, list[str]]) -> None:
        self.root = root
        self.files = files

    if not TYPE_CHECKING:

        def __getattr__(self, name: str) -> Any:
            """Says what there is: players, events and the other views are no stored tables."""
            if name.startswith("_"):
                raise AttributeError(name)
            raise AttributeError(f"a lake has no {name}. {_there_are()}")

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


def _there_are() -> str:
    from pipeline.schema import TABLES

    frames = ", ".join(f"{name}()" for name in TABLES)
    return f'There are {frames} as frames, and query("from players") for any view'
