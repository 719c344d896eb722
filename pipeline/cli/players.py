"""`notatio players`: who is who, why, and what people decide about it."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from datetime import UTC, datetime
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from pipeline.cli.errors import say
from pipeline.cli.failure import Failure
from pipeline.cli.find import named_person
from pipeline.cli.options import DEFAULT_LAKE, FormatOption, LakeOption, OutOption, as_utf8
from pipeline.cli.output import counted, printable, put, write
from pipeline.cli.program import typed
from pipeline.cli.quarantine import AuthorOption, BecauseOption, login
from pipeline.cli.query import rows, session
from pipeline.cli.show import named_game

if TYPE_CHECKING:
    import duckdb

    from pipeline.store import Lake

players = typer.Typer(help="See who is who and why; merge persons, split them, take it back.")

PersonArgument = Annotated[
    str, typer.Argument(metavar="NAME", help="A name, a part of it, or the beginning of a player's id.", callback=as_utf8)
]
_MOST = 12
"""Rows of a list that `show` prints; the rest is counted."""
_SPELLINGS = """
    select g.name as written, if(color = 'w', white_key, black_key) as key, count(*) as n_games,
        min(year) as year_first, max(year) as year_last, string_agg(distinct evidence, ', ' order by evidence) as evidence,
        min(confidence) as confidence
    from game_players as g join games using (game_id)
    where player_id = $player and g.name is not null group by all order by n_games desc, written
"""
_KEYS = """
    select distinct if(color = 'w', white_key, black_key) as key
    from game_players as g join games using (game_id) where player_id = $player and g.name is not null
"""
_CLAIMS = f"""
    select key, other_key, claims, evidence, confidence, if(is_accepted, 'accepted', 'rejected') as outcome, reason, detail
    from person_claims where key in ({_KEYS}) or other_key in ({_KEYS})
    order by is_accepted desc, confidence desc, key, other_key, claim_id
"""
_OPPONENTS = """
    select p.name, count(*) as n from player_games join players as p on p.player_id = opponent_id
    where player_games.player_id = $player group by all order by n desc, p.name
"""


@players.command("show")
def show_person(
    name: PersonArgument,
    claims: Annotated[bool, typer.Option("--claims", help="Only the claims, as rows.")] = False,
    lake: LakeOption = DEFAULT_LAKE,
    format_: FormatOption = None,
    out: OutOption = None,
) -> None:
    """Show a person: spellings, games, years, opponents, and the claims with their evidence.

    With --format or --out: the spellings as rows, or with --claims the claims.

    \b
    Examples:
      notatio players show Spassky
      notatio players show "Спасский"
      notatio players show Spassky --claims --format csv
    """
    with session(lake) as connection:
        person = named_person(connection, name)
        used = {"player": person["player_id"]}
        if claims or format_ is not None or out is not None:
            write(connection.sql(_CLAIMS if claims else _SPELLINGS, params=used).to_arrow_table(), format_, out, wraps=True)
            return
        put("\n".join(_told(connection, person)))


@players.command("merge")
def merge_persons(
    name: PersonArgument,
    other: PersonArgument,
    because: BecauseOption = None,
    author: AuthorOption = None,
    lake: LakeOption = DEFAULT_LAKE,
) -> None:
    """Decide that two persons are one, and build the catalog anew.

    The decision is a row of curation/aliases.csv in the lake; `notatio players undo` takes it back.

    \b
    Examples:
      notatio players merge "Spaski, B" "Spassky, Boris" --because "same event, same table"
    """
    why = _reason(because)
    with session(lake) as connection:
        one, two = named_person(connection, name), named_person(connection, other)
        if one["player_id"] == two["player_id"]:
            say(f"nothing to do: {one['name']} and {two['name']} are one person")
            return
        for person in (one, two):
            _need_whole(connection, person)
    _decide(lake, {"decision": "merge", "name": one["name"], "other": two["name"]}, why, author)


@players.command("split")
def split_person(
    name: PersonArgument,
    game: Annotated[
        str | None, typer.Option(metavar="GAME", help="Only the person's side of this game: its id.", show_default=False)
    ] = None,
    other: Annotated[
        str | None,
        typer.Option(
            "--as", metavar="NAME", help="With --game: who it was.", show_default="a person of their own", callback=as_utf8
        ),
    ] = None,
    because: BecauseOption = None,
    author: AuthorOption = None,
    lake: LakeOption = DEFAULT_LAKE,
) -> None:
    """Decide that a spelling, or one side of a game, is somebody else, and build the catalog anew.

    Without --game, NAME is the spelling as written; it leaves the person that it is linked to. The decision is a row of
    curation/aliases.csv in the lake; `notatio players undo` takes it back.

    \b
    Examples:
      notatio players split "Petrosian, T" --because "another player"
      notatio players split "Petrosian, Tigran" --game 3f9c2a --as "Petrosian, Tigran L" --because "played in 2007"
    """
    why = _reason(because)
    if other is not None and game is None:
        raise Failure("--as says who played a game", "Name the game with --game ID")
    if other is not None:
        _need_name(other)
    with session(lake) as connection:
        row = _side(connection, name, game, other) if game else _spelling(connection, name)
    _decide(lake, {"decision": "split", **row}, why, author)


@players.command("undo")
def undo(
    decision: Annotated[str, typer.Argument(metavar="DECISION", help="Id of the decision, or the beginning of it.")],
    because: BecauseOption = None,
    author: AuthorOption = None,
    lake: LakeOption = DEFAULT_LAKE,
) -> None:
    """Take a decision back, and build the catalog anew.

    The decision stays in curation/aliases.csv with a row that undoes it. Decisions are listed by
    `notatio sql "from aliases"`.

    \b
    Examples:
      notatio players undo 4be1 --because "the crosstable says otherwise"
    """
    why = _reason(because)
    rows_there = _aliases(lake)
    undone = {row["undoes"] for row in rows_there if row["decision"] == "undo"}
    wanted = decision.strip().lower()
    found = [row for row in rows_there if row["decision"] != "undo" and row["decision_id"].startswith(wanted) and wanted]
    if len(found) > 1 and any(row["decision_id"] == wanted for row in found):
        found = [row for row in found if row["decision_id"] == wanted]
    if not found:
        raise Failure(f"No decision begins with {decision!r}", '`notatio sql "from aliases"` lists them')
    if len(found) > 1:
        raise Failure(f"{decision!r} fits several: {', '.join(row['decision_id'] for row in found)}", "Give more of the id")
    if found[0]["decision_id"] in undone and _shows_all(lake, rows_there):
        say(f"nothing to do: {found[0]['decision_id']} is undone already")
        return
    _decide(lake, {"decision": "undo", "undoes": found[0]["decision_id"]}, why, author)


# --- what is shown ----------------------------------------------------------------------------------------------------


def _told(connection: duckdb.DuckDBPyConnection, person: Mapping[str, Any]) -> Iterator[str]:
    used = {"player": person["player_id"]}
    years = "–".join(str(y) for y in dict.fromkeys((person["year_first"], person["year_last"])) if y is not None)
    yield printable(person["name"])
    yield f"id       {person['player_id']}"
    yield f"games    {counted(person['n_games'], 'game')}" + (f", {years}" if years else "")
    yield ""
    yield "spellings"
    spellings = rows(connection, _SPELLINGS, **used)
    for row in spellings[:_MOST]:
        sure = f"{row['evidence']} {row['confidence']:.2f}"
        yield printable(f"  {row['written']}  ({counted(row['n_games'], 'game')}; {sure}; key {row['key']})")
    yield from _more(spellings)
    opponents = rows(connection, _OPPONENTS, **used)
    if opponents:
        yield ""
        yield "opponents"
        yield from (printable(f"  {row['name']}  {row['n']}") for row in opponents[:_MOST])
        yield from _more(opponents)
    claims = rows(connection, _CLAIMS, **used)
    if claims:
        yield ""
        yield "claims"
        for row in claims[:_MOST]:
            said = "; ".join(filter(None, (row["reason"], row["detail"])))
            verdict = "" if row["outcome"] == "accepted" else ", rejected"
            verb = "is" if row["claims"] == "same" else "is not"
            whom = row["other_key"] or "one person"
            told = f"  {row['key']} {verb} {whom}: {row['evidence']} {row['confidence']:.2f}{verdict}"
            yield printable(told + (f" ({said})" if said else ""))
        yield from _more(claims)


def _more(found: list[Any]) -> Iterator[str]:
    if len(found) > _MOST:
        yield f"  and {len(found) - _MOST} more"


# --- what is decided --------------------------------------------------------------------------------------------------


def _reason(because: str | None) -> str:
    if not because or not because.strip():
        raise Failure("There is no reason", "Say why with --because TEXT")
    return because.strip()


def _need_name(name: str) -> str:
    from pipeline.names import name_key

    key = name_key(name)
    if key is None:
        raise Failure(f"{name!r} names no person", "Give the name of one person")
    return key


def _need_whole(connection: duckdb.DuckDBPyConnection, person: Mapping[str, Any]) -> None:
    """Raises Failure for one of several persons of a name: the name does not say who is meant."""
    query = "select player_key_id(person_key) = $player as is_all from stored.same_names where key = $key"
    found = rows(connection, query, player=person["player_id"], key=_need_name(person["name"]))
    if not found or not found[0]["is_all"]:
        remedy = f"Give them game by game: `{typed('players split NAME --game ID --as NAME')}`"
        raise Failure(f"{person['name']} is one of several persons of that name", remedy)


def _spelling(connection: duckdb.DuckDBPyConnection, name: str) -> dict[str, str]:
    """The row that splits a spelling off its person: from the person's name, or from the next spelling when it is that."""
    query = "select player_id, name from player_names where name = $name"
    found = rows(connection, query, name=name)
    if len(found) != 1:
        what = f"{name!r} is written nowhere" if not found else f"{name!r} stands for {len(found)} persons"
        raise Failure(what, "Give a spelling as `notatio players show NAME` lists it, or one game with --game ID")
    query = """select player_names.name from player_names join players as p using (player_id)
               where player_id = $player and player_names.name <> $name
               order by player_names.name <> p.name, player_names.n_games desc, player_names.name limit 1"""
    others = rows(connection, query, player=found[0]["player_id"], name=name)
    if not others:
        raise Failure(f"{name} is the only spelling of that person", "Split one game off with --game ID")
    return {"name": name, "other": others[0]["name"]}


def _side(connection: duckdb.DuckDBPyConnection, name: str, game: str, other: str | None) -> dict[str, str]:
    person, found = named_person(connection, name), named_game(connection, game)
    query = "select color from game_players where game_id = $game and player_id = $player"
    sides = rows(connection, query, game=found["game_id"], player=person["player_id"])
    if not sides:
        raise Failure(f"{person['name']} did not play {found['game_id'][:12]}", "`notatio find NAME` lists their games")
    return {"text_id": found["text_id"], "color": sides[0]["color"], "other": other or "", "name": person["name"]}


def _aliases(lake: Path) -> list[dict[str, Any]]:
    from pipeline.identity import decision_id
    from pipeline.store import Lake

    found = Lake.open(lake).head().aliases
    return [{**row, "decision_id": row["decision_id"] or decision_id(row)} for row in found]


def _decide(lake: Path, row: dict[str, str], because: str, author: str | None) -> None:
    """Adds the row of a decision, and builds the catalog with it."""
    from pipeline.run import publish_catalog
    from pipeline.store import ALIASES, Lake, publish_head

    opened = Lake.open(lake)
    if there := _in_force(lake, row):  # a command that was killed before the catalog was built
        say(f"{opened.root / ALIASES} says so already, decision {there}")
    else:
        there = _added(opened, row, because, author)
    number = publish_head(opened, publish_catalog, force=True)
    say(f"catalog.duckdb shows it, snapshot {number}; `{typed('players undo ' + there, lake)}` takes it back")


def _added(opened: Lake, row: dict[str, str], because: str, author: str | None) -> str:
    """Adds a row to the file; its id."""
    from pipeline.identity import decision_id
    from pipeline.store import ALIASES, add_decision

    row |= {"because": because, "author": author or login(), "made_at": datetime.now(UTC).isoformat(timespec="seconds")}
    row["decision_id"] = decision_id(row)
    add_decision(opened.root, ALIASES, row)
    say(f"written: {opened.root / ALIASES}, decision {row['decision_id']}")
    return row["decision_id"]


def _in_force(lake: Path, row: Mapping[str, str]) -> str | None:
    """Id of the decision of the file that says the same, if none undoes it."""
    fields = ("decision", "name", "other", "text_id", "color", "undoes")
    there = _aliases(lake)
    undone = {known["undoes"] for known in there if known["decision"] == "undo"}
    same = (k for k in there if all((k[f] or "") == row.get(f, "") for f in fields) and k["decision_id"] not in undone)
    return next((known["decision_id"] for known in same), None)


def _shows_all(lake: Path, there: list[dict[str, Any]]) -> bool:
    """Whether the catalog was built with all decisions of the file."""
    with session(lake) as connection:
        shown = {row["decision_id"] for row in rows(connection, "select decision_id from aliases")}
    return {row["decision_id"] for row in there} <= shown
