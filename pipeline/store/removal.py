"""Taking a source out of data files that it shares with others: copy-on-write, never in place."""

from __future__ import annotations

from collections.abc import Collection
from pathlib import Path

import pyarrow as pa
import pyarrow.compute as pc
import pyarrow.parquet as pq

from pipeline.store.errors import BadLake
from pipeline.store.files import FileRef, read_table, write_table


def without(directory: Path, files: dict[str, FileRef], gone: Collection[str]) -> dict[str, FileRef]:
    """New files like `files` (table → file of one segment) without the rows of the sources `gone`.

    Deterministic: row order is kept and names are of the content. A table that becomes empty has no file. Tables that
    name only a game are filtered by the games of those sources, read from the segment's `games`.
    """
    sources = pa.array(sorted(gone), pa.string())
    games = _games_of(directory, files, sources)
    kept: dict[str, FileRef] = {}
    for name, reference in sorted(files.items()):
        try:
            table = read_table(directory / reference.name)
        except FileNotFoundError as error:
            remedy = "Restore it from a backup, or ingest all that it was made of in one command"
            raise BadLake(f"The data file {directory / reference.name} is missing", remedy) from error
        by_source = "source_id" in table.column_names
        if not by_source and len(games) == 0:
            kept[name] = reference
            continue
        column, values = ("source_id", sources) if by_source else ("game_id", games)
        rest = table.filter(pc.invert(pc.is_in(table[column], value_set=values)))
        if rest.num_rows == table.num_rows:
            kept[name] = reference
        elif rest.num_rows:
            kept[name] = write_table(rest, name, directory)
    return kept


def _games_of(directory: Path, files: dict[str, FileRef], sources: pa.Array) -> pa.Array:
    """game_ids of the games of some sources in a segment."""
    if "games" not in files:
        return pa.array([], pa.string())
    games = pq.read_table(directory / files["games"].name, columns=["game_id", "source_id"])
    return games.filter(pc.is_in(games["source_id"], value_set=sources))["game_id"].combine_chunks()
