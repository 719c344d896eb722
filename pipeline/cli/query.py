"""`notatio report`, `sql`, `find`: questions to the catalog."""

from __future__ import annotations

import sys
from collections.abc import Iterator, Sequence
from contextlib import closing, contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from pipeline.cli.errors import Failure, say
from pipeline.cli.options import DEFAULT_LAKE, FormatOption, LakeOption, OutOption
from pipeline.cli.output import put, write

if TYPE_CHECKING:
    import duckdb

    from pipeline.catalog import Report


@contextmanager
def session(lake: Path) -> Iterator[duckdb.DuckDBPyConnection]:
    """A read-only session of the lake's catalog. Raises store.NoLake, catalog.NoCatalog."""
    from pipeline import catalog

    if not (lake / "catalog.duckdb").is_file():
        from pipeline.store import Lake

        Lake.open(lake)
    with closing(catalog.connect(lake)) as connection:
        yield connection


def report(
    name: Annotated[
        str | None, typer.Argument(metavar="[NAME]", help="Which one; without it, a list of all.", show_default=False)
    ] = None,
    parameters: Annotated[
        list[str] | None, typer.Option("-p", metavar="KEY=VALUE", help="A parameter of the report.", show_default=False)
    ] = None,
    lake: LakeOption = DEFAULT_LAKE,
    format_: FormatOption = None,
    out: OutOption = None,
    show_sql: Annotated[bool, typer.Option("--show-sql", help="Print the query and do not run it.")] = False,
) -> None:
    """Print a report, or the list of all.

    \b
    Examples:
      notatio report
      notatio report annotation_symbols
      notatio report series_results --format json
      notatio report crosstable -p event_name='World Championship Match'
      notatio report match_series --out match.csv
      notatio report series_results --show-sql
    """
    from pipeline import catalog

    if name is None:
        write(_list_of_reports(), format_, out)
        say("One of them: notatio report NAME. Its query: notatio report NAME --show-sql")
        return
    known = {r.name: r for r in catalog.reports()}
    if name in known and show_sql:
        put(known[name].sql)
        return
    given = _parameters(known[name], parameters or []) if name in known else {}
    with session(lake) as connection:
        write(catalog.run_report(connection, name, given), format_, out)


def _list_of_reports() -> Any:
    import pyarrow as pa

    from pipeline import catalog

    rows = [
        {
            "report": r.name,
            "parameters": " ".join(p.name + (f"={p.default}" if p.default else "") for p in r.parameters),
            "purpose": r.purpose,
        }
        for r in catalog.reports()
    ]
    return pa.Table.from_pylist(rows, pa.schema([("report", pa.string()), ("parameters", pa.string()), ("purpose", pa.string())]))


def _parameters(wanted: Report, pairs: Sequence[str]) -> dict[str, Any]:
    """`key=value` texts → values of the types that the report's header states."""
    types = {p.name: p.type for p in wanted.parameters}
    given: dict[str, Any] = {}
    for pair in pairs:
        key, sign, value = pair.partition("=")
        if not sign:
            raise Failure(f"-p {pair}: this is no KEY=VALUE", f"For example -p {next(iter(types), 'key')}=…")
        given[key] = _typed(key, value, types.get(key, "VARCHAR"))
    return given


def _typed(key: str, value: str, type_: str) -> Any:
    try:
        if type_ in ("SMALLINT", "INTEGER", "BIGINT"):
            return int(value)
        if type_ == "DOUBLE" or type_.startswith("DECIMAL"):
            return float(value)
        if type_ == "BOOLEAN":
            return {"true": True, "false": False}[value.casefold()]
    except (ValueError, KeyError):
        raise Failure(f"-p {key}={value}: a value of type {type_} is needed") from None
    return value


def sql(
    statement: Annotated[
        str, typer.Argument(metavar="STATEMENT", help="One SELECT, FROM, PIVOT, DESCRIBE or EXPLAIN; - is stdin.")
    ],
    lake: LakeOption = DEFAULT_LAKE,
    format_: FormatOption = None,
    out: OutOption = None,
) -> None:
    """Answer a question in SQL.

    One statement over the views of the lake; it can only read.

    \b
    Examples:
      notatio sql "show tables"
      notatio sql "describe games"
      notatio sql "from series_results where player like 'Fischer%'"
      notatio sql "select written, san, count(*) as n from mainline group by all order by n desc limit 20"
      notatio sql "from plies" --out plies.parquet
    """
    from pipeline import catalog

    checked = catalog.check_statement(sys.stdin.read() if statement == "-" else statement)
    with session(lake) as connection:
        write(connection.sql(checked).to_arrow_reader(), format_, out)


_SIDES = """
    select game_id, 'w' as color, white_key as key, white as name from games where white_key is not null
    union all
    select game_id, 'b' as color, black_key as key, black as name from games where black_key is not null
"""
_PERSONS = """
    with side as ({sides}), hit as (from side where {test})
    select player_id, players.name, players.n_games, year_first, year_last, bool_or(key = $key) as is_exact
    from game_players join hit using (game_id, color) join players using (player_id)
    group by all order by players.n_games desc, players.name, player_id
"""
_TESTS = (
    "list_has_all(string_split(key, ' '), $words)",
    "len(list_filter($words, lambda w: contains(' ' || key, ' ' || w))) = len($words)",
    "contains(key, $key) or contains(lower(name), lower($given))",
)
"""How a name may match, best first: whole words of the key, beginnings of words, any part of key or name."""
_GAMES = """
    with played as (select cluster_id, player_id from game_players join duplicates using (game_id)),
    copy as (
        select games.*, cluster_id, is_chosen, duplicates.result as agreed from games join duplicates using (game_id)
        where cluster_id in (select cluster_id from played where player_id = $player)
          and ($opponent is null or cluster_id in (select cluster_id from played where player_id = $opponent))
    ),
    best as (
        select distinct on (cluster_id) * from copy
        order by cluster_id, white is null or black is null, year is null, event is null, not is_chosen, game_id
    )
    select date_written as date, white, black, agreed as result, game_id, event, round, n_plies, status, eco_written as eco, year
    from best where $year is null or year = $year
    order by year nulls last, best.date nulls last, event, round_major nulls last, round_minor nulls first, game_id
"""
"""Each game once, by the copy that says most about who and when."""


def find(
    name: Annotated[str, typer.Argument(metavar="NAME", help="A player, in any script and order; parts of a name will do.")],
    opponent: Annotated[
        str | None, typer.Option(metavar="NAME", help="Only games against this player.", show_default=False)
    ] = None,
    year: Annotated[int | None, typer.Option(help="Only games of this year.", show_default=False)] = None,
    lake: LakeOption = DEFAULT_LAKE,
    format_: FormatOption = None,
    out: OutOption = None,
) -> None:
    """List a player's games, copies counted once.

    A name that fits several persons lists them and exits with 2: say more of the name, or give the beginning of the player's id.

    \b
    Examples:
      notatio find Fischer
      notatio find "Спасский" --opponent fischer
      notatio find spassky --year 1972 --format csv
    """
    with session(lake) as connection:
        player = _person(connection, name)
        other = _person(connection, opponent) if opponent else None
        parameters = {"player": player["player_id"], "opponent": other and other["player_id"], "year": year}
        games = connection.sql(_GAMES, params=parameters).to_arrow_table()
        write(games, format_, out)
        pair = f"{player['name']} against {other['name']}" if other else player["name"]
        score = _score(connection, player, other) if other and year is None else ""
        say(f"{pair}: {_n_games(games.num_rows)}{score}")
        if games.num_rows:
            say("One of them: notatio show GAME_ID")


def _n_games(n: int) -> str:
    return f"{n:,} game" + ("s" if n != 1 else "")


def _score(connection: duckdb.DuckDBPyConnection, player: dict[str, Any], other: dict[str, Any]) -> str:
    """The score of a pair, each speed and mode apart."""
    query = "select speed, mode, series, score from series_results where player_id = $player and opponent_id = $opponent"
    rows = connection.execute(query, {"player": player["player_id"], "opponent": other["player_id"]}).fetchall()
    return "".join(f"; {speed} {mode} {series}, {score}" for speed, mode, series, score in rows)


def _person(connection: duckdb.DuckDBPyConnection, given: str) -> dict[str, Any]:
    """The one person that a name, a part of it or the beginning of an id means. Raises Failure with the candidates."""
    from pipeline.names import text_key

    found = _by_id(connection, given)
    key = text_key(given) or given.strip().casefold()
    for test in _TESTS if not found else ():
        words = key.split()
        used = {"key": key, "words": words, "given": given.strip()}
        used = {name: value for name, value in used.items() if f"${name}" in test or name == "key"}
        found = _dicts(connection.execute(_PERSONS.format(sides=_SIDES, test=test), used))
        if found:
            break
    exact = [person for person in found if person["is_exact"]]
    if len(found) > 1 and len(exact) == 1:
        say(f"note: {len(found) - 1} others have this in their names: {_told([p for p in found if p not in exact])}")
        return exact[0]
    if len(found) > 1:
        remedy = "Say more of the name, or give the beginning of the id"
        raise Failure(f"{given!r} fits {len(found)} persons: {_told(found)}", remedy)
    if not found:
        raise Failure(f"Nobody is called {given!r} here", 'All names: `notatio sql "from players"`')
    return found[0]


def _by_id(connection: duckdb.DuckDBPyConnection, given: str) -> list[dict[str, Any]]:
    if len(given) < 6 or set(given) - set("0123456789abcdef"):
        return []
    columns = "player_id, name, n_games, year_first, year_last, true as is_exact"
    query = f"select {columns} from players where starts_with(player_id, $id)"
    return _dicts(connection.execute(query, {"id": given}))


def _dicts(cursor: duckdb.DuckDBPyConnection) -> list[dict[str, Any]]:
    names = [column[0] for column in cursor.description or ()]
    return [dict(zip(names, row, strict=True)) for row in cursor.fetchall()]


def _told(persons: Sequence[dict[str, Any]]) -> str:
    """Candidates for a reader: name, games, years, id."""
    told = []
    for person in persons[:10]:
        years = "–".join(str(y) for y in dict.fromkeys((person["year_first"], person["year_last"])) if y is not None)
        facts = [_n_games(person["n_games"]), *([years] if years else []), f"id {person['player_id'][:8]}"]
        told.append(f"{person['name']} ({', '.join(facts)})")
    return "; ".join(told) + ("; …" if len(persons) > 10 else "")
