"""Variant readings: other sources of the same game, and where they first differ."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import duckdb

from pipeline.catalog.session import rows

_MOST = 30
_TWIN_PLIES = 12
"""Half-moves that a game of unknown players must share to be shown: of two that broke off, the whole of one."""
_MOST_TWINS = 8
"""Where more games than these begin alike, it is an opening and no game."""
_SAME_PLAYERS_PLIES = 8
"""Half-moves that a game of the same two players in the same round must share."""
_NO_ROUND_PLIES = 20
"""The same where a round is unknown: in a match many games begin with the same opening."""

_OTHERS = f"""
    with line as (
        select
            game_id, movetext, n_plies, status, white_key, black_key, year, date, round, cluster_id, source_id, game_index,
            string_split(movetext, ' ')[:{_SAME_PLAYERS_PLIES}] as beginning,
            string_split(movetext, ' ')[:{_TWIN_PLIES}] as long_beginning
        from games join duplicates using (game_id)
    ),
    own as (from line where game_id in (select unnest($ids))),
    other as (
        select own.game_id as own_id, line.game_id, true as is_sure from own join line using (cluster_id)
        union all
        select own.game_id, line.game_id, true
        from own join line using (white_key, black_key, beginning)
        where
            coalesce(line.year = own.year, true)
            and coalesce(line.date = own.date, true)
            and coalesce(line.round = own.round, true)
            and least(line.n_plies, own.n_plies) >= {_SAME_PLAYERS_PLIES}
            and (
                line.round = own.round
                or string_split(line.movetext, ' ')[:{_NO_ROUND_PLIES}] = string_split(own.movetext, ' ')[:{_NO_ROUND_PLIES}]
            )
        union all
        select own.game_id, line.game_id, false
        from own join line using (long_beginning)
        where least(line.n_plies, own.n_plies) >= {_TWIN_PLIES}
            and coalesce(line.white_key = own.white_key, true) and coalesce(line.black_key = own.black_key, true) and (
            (line.status = 'truncated' and starts_with(own.movetext || ' ', line.movetext || ' '))
            or (own.status = 'truncated' and starts_with(line.movetext || ' ', own.movetext || ' '))
        )
    ),
    found as (
        select own_id, game_id, bool_or(is_sure) as is_sure from other where own_id <> game_id group by own_id, game_id
    )
    select
        own_id, game_id, coalesce(sources.path, source_id) as path, game_index, line.status, line.n_plies, movetext, is_sure,
        row_number() over (partition by own_id order by is_sure desc, line.n_plies desc, path, game_index, game_id) as place
    from found join line using (game_id) left join sources using (source_id)
    qualify place <= {_MOST}
    order by own_id, place
"""


def other_readings(connection: duckdb.DuckDBPyConnection, game_ids: Sequence[str]) -> dict[str, list[dict[str, Any]]]:
    """Game → its copies, scores of the same players that begin alike, and broken-off twins; nothing for a game without any.

    Rows: `game_id, path, game_index, status, n_plies, movetext, is_sure`, the surest first. One pass over the games for all.
    """
    found: dict[str, list[dict[str, Any]]] = {}
    for row in rows(connection, _OTHERS, ids=list(game_ids)):
        found.setdefault(row["own_id"], []).append(row)
    for game_id, others in found.items():
        if sum(not other["is_sure"] for other in others) > _MOST_TWINS:
            found[game_id] = [other for other in others if other["is_sure"]]
    return {game_id: others for game_id, others in found.items() if others}


def first_difference(one: str | None, other: str | None) -> int | None:
    """The first half-move, from 1, at which two main lines are not the same; None when they are."""
    a, b = (one or "").split(), (other or "").split()
    same = next((i for i, (x, y) in enumerate(zip(a, b, strict=False)) if x != y), min(len(a), len(b)))
    return None if same == len(a) == len(b) else same + 1
