"""`notatio find`: the games of a person, each once, and who is meant by a name."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Annotated, Any

import typer

from pipeline.cli.errors import say
from pipeline.cli.failure import Failure
from pipeline.cli.options import DEFAULT_LAKE, FormatOption, LakeOption, OutOption, as_utf8
from pipeline.cli.output import ID_DIGITS, Format, chosen, counted, write
from pipeline.cli.program import typed
from pipeline.cli.query import rows, session
from pipeline.ids import may_begin_id

if TYPE_CHECKING:
    import duckdb

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
_NEAR = """
    with side as ({sides}),
    near as (
        select key, list_avg(list_transform($words, lambda given: list_max(list_transform(
            string_split(key, ' '), lambda word: jaro_winkler_similarity(word, given))))) as likeness
        from (select distinct key from side)
    )
    select players.name, players.n_games, max(likeness) as likeness
    from side join near using (key) join game_players using (game_id, color) join players using (player_id)
    where likeness >= 0.85
    group by player_id, players.name, players.n_games order by likeness desc, n_games desc, name, player_id limit 3
"""
"""Persons whose names are nearest, word by word."""
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
    select date_written as date, white, black, agreed as result, game_id, event, round, n_plies, status,
           coalesce(eco, eco_written) as eco, year
    from best where $year is null or year = $year
    order by year nulls last, best.date nulls last, event, round_major nulls last, round_minor nulls first, game_id
"""
"""Each game once, by the copy that says most about who and when."""
_IMPORTANT = ("game_id", "date", "result", "round", "white", "black", "event")
"""Columns of a narrow table; the last are cut first, ids not before all others."""
_SCORES = """
    select speed_class as speed, mode_class as mode,
        series_text(
            count(*) filter (points = 1), count(*) filter (points = 0), count(*) filter (points = 0.5)
        ) as series,
        score_text(coalesce(sum(points), 0), coalesce(sum(opponent_points), 0)) as score
    from player_games
    where player_id = $player and opponent_id = $opponent and ($year is null or game_year = $year)
    group by all order by count(*) filter (is_scored) desc, speed, mode
"""
"""The score of a pair, as series_results has it, of all years or of one."""
_SHORTER = """
    with side as ({sides})
    select distinct players.name, players.n_games, player_id
    from side join game_players using (game_id, color) join players using (player_id)
    where name_abbreviates(key, $key)
    order by n_games desc, name, player_id limit 3
"""
"""Persons with a name of which the given one says more."""


def find(
    name: Annotated[
        str,
        typer.Argument(metavar="NAME", help="A player, words in any order; the beginning of a word will do.", callback=as_utf8),
    ],
    opponent: Annotated[
        str | None,
        typer.Option(metavar="NAME", help="Only games against this player.", show_default=False, callback=as_utf8),
    ] = None,
    year: Annotated[int | None, typer.Option(help="Only games of this year.", show_default=False)] = None,
    lake: LakeOption = DEFAULT_LAKE,
    format_: FormatOption = None,
    out: OutOption = None,
) -> None:
    """List a player's games, copies counted once.

    Names are compared in transliterated form: Фишер finds Fischer and the other way round. Where two spellings remain apart
    (Мюллер, Müller) the nearest names are suggested. A name that fits several persons lists them and exits with 2: say more
    of the name, or give the beginning of the player's id.

    \b
    Examples:
      notatio find Fischer
      notatio find "Спасский" --opponent fischer
      notatio find spassky --year 1972 --format csv
    """
    for option, given in (("NAME", name), ("--opponent", opponent)):
        if given is not None and not given.strip():
            raise Failure(f"{option} is empty", "For example: `notatio find Fischer --opponent Spassky`")
    with session(lake) as connection:
        player = named_person(connection, name)
        other = named_person(connection, opponent) if opponent else None
        pair = f"{player['name']} against {other['name']}" if other else player["name"]
        parameters = {"player": player["player_id"], "opponent": other and other["player_id"], "year": year}
        games = connection.sql(_GAMES, params=parameters).to_arrow_table()
        n_digits = _n_digits(connection, games) if chosen(format_, out) is Format.TABLE else ID_DIGITS
        write(games, format_, out, n_id_digits=n_digits, important=_IMPORTANT)
        if not games.num_rows:
            others = connection.execute(f"select count(*) from ({_GAMES})", {**parameters, "year": None}).fetchone()
            instead = f" Without --year: {counted(others[0], 'game')}." if others and year is not None else ""
            say(f"{pair}{'' if year is None else f' in {year}'}: no games.{instead}")
            return
        score = _score(connection, parameters) if other else ""
        say(f"{pair}{'' if year is None else f' in {year}'}: {counted(games.num_rows, 'game')}{score}")
        say(f"One of them: {typed('show GAME_ID', lake)}")


def _n_digits(connection: duckdb.DuckDBPyConnection, games: Any) -> int:
    """How many digits tell the ids shown from all others of the lake."""
    ids = games.column("game_id").to_pylist()
    query = "select count(*) from games where left(game_id, $n) in (select left(id, $n) from (select unnest($ids) as id))"
    for n in range(ID_DIGITS, 32, 4):
        found = connection.execute(query, {"n": n, "ids": ids}).fetchone()
        if found and found[0] == len(ids):
            return n
    return 32


def _score(connection: duckdb.DuckDBPyConnection, parameters: dict[str, Any]) -> str:
    """The score of a pair, each speed and mode apart."""
    kinds = connection.execute(_SCORES, parameters).fetchall()
    return "".join(f"; {speed} {mode} {series}, {score}" for speed, mode, series, score in kinds)


def named_person(connection: duckdb.DuckDBPyConnection, given: str) -> dict[str, Any]:
    """The one person that a name, a part of it or the beginning of an id means. Raises Failure with the candidates."""
    from pipeline.names import text_key

    found = _by_id(connection, given)
    key = text_key(given) or given.strip().casefold()
    for test in _TESTS if not found else ():
        words = key.split()
        used = {"key": key, "words": words, "given": given.strip()}
        used = {name: value for name, value in used.items() if f"${name}" in test or name == "key"}
        found = rows(connection, _PERSONS.format(sides=_SIDES, test=test), **used)
        if found:
            break
    exact = [person for person in found if person["is_exact"]]
    if len(found) > 1 and len(exact) == 1:
        others = [person for person in found if person not in exact]
        have = f"{len(others)} others have" if len(others) > 1 else "1 other person has"
        say(f"note: {have} this in the name: {_told(others)}")
        return exact[0]
    if len(found) > 1:
        remedy = "Say more of the name, or give the beginning of the id"
        raise Failure(f"{given!r} fits {len(found)} persons: {_told(found)}", remedy)
    if not found:
        near = rows(connection, _SHORTER.format(sides=_SIDES), key=key)
        near = near or rows(connection, _NEAR.format(sides=_SIDES), words=key.split())
        names = " or ".join(f"{person['name']} ({counted(person['n_games'], 'game')})" for person in near)
        all_ = 'All names: `notatio sql "from players"`'
        raise Failure(f"Nobody is called {given!r} here", f"Did you mean {names}? {all_}" if near else all_)
    return found[0]


def _by_id(connection: duckdb.DuckDBPyConnection, given: str) -> list[dict[str, Any]]:
    if len(given) < 6 or not may_begin_id(given):
        return []
    columns = "player_id, name, n_games, year_first, year_last, true as is_exact"
    query = f"select {columns} from players where starts_with(player_id, $id)"
    return rows(connection, query, id=given)


def _told(persons: Sequence[dict[str, Any]]) -> str:
    """Candidates for a reader: name, games, years, id."""
    told = []
    for person in persons[:10]:
        years = "–".join(str(y) for y in dict.fromkeys((person["year_first"], person["year_last"])) if y is not None)
        facts = [counted(person["n_games"], "game"), *([years] if years else []), f"id {person['player_id'][:8]}"]
        told.append(f"{person['name']} ({', '.join(facts)})")
    return "; ".join(told) + ("; …" if len(persons) > 10 else "")
