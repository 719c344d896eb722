"""Variant readings: other sources of one game beside it, and where they first differ."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import TYPE_CHECKING, Any

from pipeline.cli.columns import table
from pipeline.cli.output import printable
from pipeline.cli.query import rows

if TYPE_CHECKING:
    import duckdb

Row = Mapping[str, Any]
_NAMES = ("game", "source", "place", "status", "plies", "first difference", "there", "here")
_WRITTEN = """
    select ply, coalesce(written, san) as written from plies where game_id = $id and variation = 0 and ply = $ply
    union all
    select ply, written from issues
    where game_id = $id and variation = 0 and ply = $ply and severity = 'fault' and written is not null
    limit 1
"""


def variant_readings(connection: duckdb.DuckDBPyConnection, game: Row) -> Iterator[str]:
    """A table of other readings of the game: copies, scores of the same players that begin alike, and broken-off twins.

    Nothing when there are none. `there` and `here`: what is written at the first half-move that differs.
    """
    from pipeline.catalog import first_difference, other_readings

    found = other_readings(connection, [game["game_id"]]).get(game["game_id"])
    if not found:
        return
    yield ""
    yield "variant readings"
    texts = []
    for other in found:
        ply = first_difference(game["movetext"], other["movetext"])
        place = f"game {other['game_index']}"
        row = [other["game_id"][:12], other["path"], place, other["status"], str(other["n_plies"])]
        written = [_written(connection, one["game_id"], ply) for one in (other, game)] if ply else ["", ""]
        texts.append([printable(text) for text in (*row, _number(game, ply) if ply else "none", *written)])
    yield table(_NAMES, texts, [name == "plies" for name in _NAMES])[0].rstrip("\n")


def _number(game: Row, ply: int) -> str:
    """`7.` or `7…`, as the moves of the game are numbered."""
    number, is_black = divmod(ply - 1 + (0 if game["is_white_first"] else 1), 2)
    return f"{game['first_move_number'] + number}{'…' if is_black else '.'}"


def _written(connection: duckdb.DuckDBPyConnection, game_id: str, ply: int) -> str:
    """What is written at a half-move, proven or not; `–` where the score has ended."""
    found = rows(connection, _WRITTEN, id=game_id, ply=ply)
    return str(found[0]["written"]) if found else "–"
