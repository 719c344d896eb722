"""Variant readings: other sources of one game beside it, and where they first differ."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import TYPE_CHECKING, Any

from pipeline.cli.output import printable, table
from pipeline.cli.query import rows

if TYPE_CHECKING:
    import duckdb

Row = Mapping[str, Any]
_MOST = 30
_TWIN_PLIES = 12
"""Half-moves that a game of unknown or other players must share to be shown: of two that broke off, the whole of one."""
_MOST_TWINS = 8
"""Where more games than these begin alike, it is an opening and no game."""
_SAME_PLAYERS_PLIES = 8
"""Half-moves that a game of the same two players in the same year must share."""
_NAMES = ("game", "source", "place", "status", "plies", "first difference", "there", "here")

_OTHERS = f"""
    with own as (
        select game_id, movetext, n_plies, status, white_key, black_key, year, cluster_id
        from games join duplicates using (game_id) where game_id = $id
    )
    select
        g.game_id, coalesce(s.path, g.source_id) as path, g.game_index, g.status, g.n_plies, g.movetext,
        d.cluster_id = own.cluster_id or coalesce(
            g.white_key = own.white_key and g.black_key = own.black_key and coalesce(g.year = own.year, true)
            and least(g.n_plies, own.n_plies) >= {_SAME_PLAYERS_PLIES}
            and string_split(g.movetext, ' ')[:{_SAME_PLAYERS_PLIES}] = string_split(own.movetext, ' ')[:{_SAME_PLAYERS_PLIES}],
            false
        ) as is_sure
    from games as g
    join duplicates as d using (game_id)
    left join sources as s using (source_id)
    cross join own
    where g.game_id <> own.game_id and (
        is_sure
        or (g.status = 'truncated' and g.n_plies >= {_TWIN_PLIES} and starts_with(own.movetext || ' ', g.movetext || ' '))
        or (own.status = 'truncated' and own.n_plies >= {_TWIN_PLIES} and starts_with(g.movetext || ' ', own.movetext || ' '))
    )
    order by is_sure desc, g.n_plies desc, path, g.game_index, g.game_id
    limit {_MOST}
"""
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
    found = rows(connection, _OTHERS, id=game["game_id"])
    if sum(not other["is_sure"] for other in found) > _MOST_TWINS:
        found = [other for other in found if other["is_sure"]]
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


def first_difference(one: str | None, other: str | None) -> int | None:
    """The first half-move, from 1, at which two main lines are not the same; None when they are."""
    a, b = (one or "").split(), (other or "").split()
    same = next((i for i, (x, y) in enumerate(zip(a, b, strict=False)) if x != y), min(len(a), len(b)))
    return None if same == len(a) == len(b) else same + 1


def _number(game: Row, ply: int) -> str:
    """`7.` or `7…`, as the moves of the game are numbered."""
    number, is_black = divmod(ply - 1 + (0 if game["is_white_first"] else 1), 2)
    return f"{game['first_move_number'] + number}{'…' if is_black else '.'}"


def _written(connection: duckdb.DuckDBPyConnection, game_id: str, ply: int) -> str:
    """What is written at a half-move, proven or not; `–` where the score has ended."""
    found = rows(connection, _WRITTEN, id=game_id, ply=ply)
    return str(found[0]["written"]) if found else "–"
