"""The opening tree of a catalog: counts of moves by position and year, carried over from the catalog before.

Counts only add up, so a catalog keeps two tables of one form: `opening_base`, sorted by position, and `opening_added`, what came
and went since. The next publish copies the base and counts anew only the games that it does not hold; when they have become many,
both are summed into a new base. The sum is that of a tree built from nothing, whatever the way there (docs/lake.md).
"""

from __future__ import annotations

from pathlib import Path
from typing import Any

import chess.polyglot
import duckdb
import pyarrow as pa

from pipeline import opening_tree
from pipeline.catalog.literals import text
from pipeline.schema import INT16, INT32, INT64, STRING, Column, Table

VERSION = f"1, {opening_tree.DEPTH} plies"
"""Of what is counted: a catalog of another version is not carried over."""

LINES_AT_ONCE = 1 << 14
ADDED_SHARE = 8
"""The base is made anew when more than one in so many of its kinds of game are not in it."""
ADDED_FREE = 20_000
"""So many are never too many."""

_COUNTS = (
    Column("position_id", INT64, "Position before the move: its Polyglot key as a signed number."),
    Column("san", STRING, "The move (SAN)."),
    Column("year", INT16, "Year of the games; null when unknown."),
    Column("n_white", INT32, "Games that White won."),
    Column("n_draws", INT32, "Games that were drawn."),
    Column("n_black", INT32, "Games that Black won."),
    Column("n_rated", INT32, "Games of which both ratings are known."),
    Column("elo_sum", INT64, "Sum of the mean ratings of those games, times two."),
)
TABLES = (
    Table("opening_base", "Games by position, move and year; with opening_added the whole tree.", (), (), _COUNTS),
    Table("opening_added", "What is to be added to opening_base; less than 0 where games went.", (), (), _COUNTS),
    Table(
        "opening_games",
        "Kinds of game that opening_base holds.",
        (),
        (),
        (
            Column("content_id", STRING, "Moves of the games."),
            Column("result", STRING, "Result that the copies agree on."),
            Column("year", INT16, "Year; null when unknown."),
            Column("elo", INT16, "Sum of both ratings; null when one is unknown."),
            Column("n", INT32, "Games of that kind."),
        ),
    ),
    Table("opening_version", "What the tree counts and how deep.", (), (), (Column("version", STRING, "Version of the tree."),)),
    Table(
        "position_numbers",
        "The random numbers of Polyglot, which keys of positions are made of.",
        (),
        (),
        (Column("place", INT16, "Place, from 0."), Column("number", INT64, "The number, signed.")),
    ),
)

_COUNTED = """
    select content_id, duplicates.result, year, (white_elo + black_elo)::smallint as elo, count(*)::int as n
    from stored.games join duplicates using (game_id)
    where is_chosen and status = 'clean' and kind = 'game' and start_fen is null and variant = 'standard' and n_plies > 0
      and duplicates.result in ('1-0', '1/2-1/2', '0-1')
      and not duplicates.is_result_conflict and not coalesce(games.is_result_conflict, false)
    group by all
"""
"""The games that count (docs/rules.md §14), equal ones together."""
_CHANGED = """
    select content_id, result, year, elo, sum(n)::int as n
    from (from temp.main.counted union all select content_id, result, year, elo, -n from stored.opening_games)
    group by all having sum(n) <> 0
"""
_LINES = f"""
    select (row_number() over (order by content_id) - 1)::int as line, content_id, moves
    from (
        select content_id, min(left(movetext, {opening_tree.LONGEST})) as moves
        from stored.games where content_id in (select content_id from temp.main.changed) group by content_id
    )
    order by line
"""
_SUM = """
    insert into stored.{table}
    with part as (
        select position_id, move, year, n_white, n_draws, n_black, n_rated, elo_sum
        from {base} join temp.main.moves using (san) where position_id between $first and $last
        union all
        select
            position_id, move, year, if(result = '1-0', n, 0), if(result = '1/2-1/2', n, 0), if(result = '0-1', n, 0),
            if(elo is null, 0, n), coalesce(n * elo, 0)
        from temp.main.steps join temp.main.kinds using (line)
        where position_id between $first and $last
    ),
    summed as (
        select position_id, move, year, sum(n_white)::int as n_white, sum(n_draws)::int as n_draws, sum(n_black)::int as n_black,
            sum(n_rated)::int as n_rated, sum(elo_sum)::bigint as elo_sum
        from part group by all
    )
    select position_id, san, year, n_white, n_draws, n_black, n_rated, elo_sum
    from summed join temp.main.moves using (move)
    where n_white <> 0 or n_draws <> 0 or n_black <> 0 or n_rated <> 0 or elo_sum <> 0
    order by position_id
"""
STEPS_AT_ONCE = 1 << 21
"""Where there are more steps, positions are summed in ranges of their keys, one after the other, so that memory stays small."""
_KINDS = """
    select line, result, year, elo, n from temp.main.lines join temp.main.changed using (content_id)
"""


def fill(con: duckdb.DuckDBPyConnection, has_before: bool) -> None:
    """Fills the tables of the tree (TABLES, empty, in schema stored) from games, duplicates and an attached catalog `before`."""
    con.execute(f"create temp table counted as {_COUNTED}")
    if has_before:
        for name in ("opening_base", "opening_games"):
            con.execute(f"insert into stored.{name} from before.stored.{name}")
    con.execute(f"create temp table changed as {_CHANGED}")
    con.execute(f"create temp table lines as {_LINES}")
    if _one(con, "select count(*) from temp.main.changed anti join temp.main.lines using (content_id)"):
        # Moves of games that went are not at hand: from nothing.
        for name in ("opening_base", "opening_added", "opening_games"):
            con.execute(f"delete from stored.{name}")
        con.execute("drop table temp.main.changed; drop table temp.main.lines")
        con.execute(f"create temp table changed as {_CHANGED}")
        con.execute(f"create temp table lines as {_LINES}")
    _count(con)
    _store(con)
    signed = map(opening_tree.signed, chess.polyglot.POLYGLOT_RANDOM_ARRAY)
    numbers = pa.table({"place": pa.array(range(781), pa.int16()), "number": pa.array(signed, pa.int64())})
    con.register("_numbers", numbers)
    con.execute("insert into stored.position_numbers from _numbers")
    con.unregister("_numbers")
    con.execute(f"insert into stored.opening_version values ({text(VERSION)})")
    for name in ("counted", "changed", "lines", "steps", "moves", "kinds"):
        con.execute(f"drop table temp.main.{name}")


def attach_before(con: duckdb.DuckDBPyConnection, before: Path) -> bool:
    """Attaches the catalog before, which may be missing or damaged; False when there is no tree of this version to carry over."""
    if not before.is_file() or before.with_name(f"{before.name}.wal").exists():
        return False
    try:
        con.execute(f"attach {text(str(before))} as before (read_only)")
    except duckdb.Error:
        return False
    try:
        if _one(con, "select version from before.stored.opening_version") == VERSION:
            return True
    except duckdb.Error:
        pass
    con.execute("detach before")
    return False


def _count(con: duckdb.DuckDBPyConnection) -> None:
    """temp.main.steps: each move of the changed games with its position and line; temp.main.moves: the words of the moves."""
    con.execute("create temp table steps (position_id bigint, line integer, move usmallint)")
    words = con.execute("select distinct san from stored.opening_base order by san").fetchall()
    code = {san: move for move, (san,) in enumerate(words)}
    for first in range(0, _one(con, "select count(*) from temp.main.lines"), LINES_AT_ONCE):
        query = "select moves from temp.main.lines where line between $first and $last order by line"
        lines = con.execute(query, {"first": first, "last": first + LINES_AT_ONCE - 1}).fetchall()
        found = opening_tree.steps([moves for (moves,) in lines])
        san = found["san"].combine_chunks()
        codes = pa.array([code.setdefault(word, len(code)) for word in san.dictionary.to_pylist()], pa.uint16())
        line = pa.array(found["line"].to_numpy() + first, pa.int32())
        con.register("_steps", pa.table([found["position_id"], line, codes.take(san.indices)], ["position_id", "line", "move"]))
        con.execute("insert into temp.main.steps from _steps")
        con.unregister("_steps")
    con.register("_moves", pa.table({"move": pa.array(range(len(code)), pa.uint16()), "san": pa.array(code, pa.string())}))
    con.execute("create temp table moves as from _moves")
    con.execute(f"create temp table kinds as {_KINDS}")
    con.unregister("_moves")


def _store(con: duckdb.DuckDBPyConnection) -> None:
    """Sums the steps into opening_added, or, where they are many, with the base into a new one."""
    n_base = _one(con, "select count(*) from stored.opening_games")
    n_changed = _one(con, "select count(*) from temp.main.changed")
    if n_base and n_changed <= max(ADDED_FREE, n_base // ADDED_SHARE):
        _sum(con, "opening_added", "(from stored.opening_base limit 0)")
        return
    con.execute(
        "create temp table former as from stored.opening_base; truncate stored.opening_base; truncate stored.opening_games"
    )
    _sum(con, "opening_base", "temp.main.former")
    con.execute("insert into stored.opening_games from temp.main.counted order by all; drop table temp.main.former")


def _sum(con: duckdb.DuckDBPyConnection, table: str, base: str) -> None:
    n = _one(con, "select count(*) from temp.main.steps") + _one(con, f"select count(*) from {base}")
    n_parts = 1 + n // STEPS_AT_ONCE
    for part in range(n_parts):
        first = (part << 64) // n_parts - (1 << 63)
        last = (part + 1 << 64) // n_parts - (1 << 63) - 1
        con.execute(_SUM.format(table=table, base=base), {"first": first, "last": last})


def _one(con: duckdb.DuckDBPyConnection, query: str) -> Any:
    found = con.execute(query).fetchall()
    return found[0][0] if found else None
