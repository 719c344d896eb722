"""`notatio export`: games of the lake in formats of other programs."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from enum import StrEnum
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from pipeline.cli.errors import say
from pipeline.cli.failure import Failure
from pipeline.cli.options import DEFAULT_LAKE, LakeOption, as_utf8
from pipeline.cli.output import Format, counted, target, write
from pipeline.cli.query import rows, session
from pipeline.ids import may_begin_id

if TYPE_CHECKING:
    import duckdb

    from pipeline.trf.write import Entrant, Pairing

Row = Mapping[str, Any]

export = typer.Typer(help="Write games of the lake in formats of other programs.")

EventArgument = Annotated[
    str, typer.Argument(metavar="EVENT", help="Name of the event, a part of it, or the beginning of its id.", callback=as_utf8)
]
EventOption = Annotated[
    str | None, typer.Option("--event", metavar="EVENT", help="Only games of this event.", show_default=False, callback=as_utf8)
]


class Names(StrEnum):
    """Which names of players are written."""

    PLAYERS = "players"
    AS_WRITTEN = "as-written"


NamesOption = Annotated[
    Names, typer.Option("--names", help="One name for each person (view players), or names as the sources have them.")
]
FileOption = Annotated[Path | None, typer.Option("--out", metavar="FILE", help="Write to a file.", show_default=False)]

_EVENTS = """
    select event_id, event, site, year, date_first, date_last, kind, n_games from events
    where starts_with(event_id, $id) or contains(lower(event), $name)
    order by lower(event) <> $name, n_games desc, event, event_id
"""
_GAMES = """
    with game as (
        select games.*, w.player_id as white_id, b.player_id as black_id,
            white_player.name as white_name, black_player.name as black_name, coalesce(excluded.because, '') as excluded_because
        from games_distinct as games
        left join game_players as w on w.game_id = games.game_id and w.color = 'w'
        left join game_players as b on b.game_id = games.game_id and b.color = 'b'
        left join players as white_player on white_player.player_id = w.player_id
        left join players as black_player on black_player.player_id = b.player_id
        left join (select game_id, min(excluded_because) as because from player_games group by game_id) as excluded
            on excluded.game_id = games.game_id
        where event_id = $event
    )
    from game order by round_major nulls last, round_minor nulls last, date nulls last, game_id
"""
_ORDER = """
    select game_id, row_number() over (
        order by year nulls last, date nulls last, event, round_major nulls last, round_minor nulls first, game_id
    ) as ordinal
    from games_distinct where status <> 'rejected' and ($event is null or event_id = $event)
"""
_TAGS = """
    list_filter(list_transform(list_zip(tag_names, tag_values), lambda pair: {
        'name': pair[1],
        'value': case lower(pair[1]) when 'white' then coalesce(white_name, pair[2])
            when 'black' then coalesce(black_name, pair[2]) else pair[2] end
    }), lambda pair: trim(pair.value) <> '')
"""
"""Tag pairs with the names of persons, without empty values."""
_NAMED = f"""
    select * exclude (white_name, black_name, pairs) replace (
        list_transform(pairs, lambda pair: pair.name) as tag_names,
        list_transform(pairs, lambda pair: pair.value) as tag_values
    )
    from (select *, {_TAGS} as pairs from (
        select games.*,
            case when $is_named then white_player.name end as white_name,
            case when $is_named then black_player.name end as black_name
        from stored.games as games
        left join game_players as w on w.game_id = games.game_id and w.color = 'w'
        left join game_players as b on b.game_id = games.game_id and b.color = 'b'
        left join players as white_player on white_player.player_id = w.player_id
        left join players as black_player on black_player.player_id = b.player_id
    ))
"""
_FEDERATION = re.compile(r"(.*\S)\s+([A-Z]{3})")


@export.command("trf")
def export_trf(
    event: EventArgument, out: FileOption = None, names: NamesOption = Names.PLAYERS, lake: LakeOption = DEFAULT_LAKE
) -> None:
    """Write an event as a FIDE tournament report (TRF26).

    The report holds each distinct game once: pairings, results, forfeits and byes, no moves. What it cannot hold is told on
    stderr.

    \b
    Examples:
      notatio export trf "Hastings 1895" --out hastings.trf
      notatio export trf 3f9c2a41
    """
    from pipeline.trf.records import NAME_LENGTH
    from pipeline.trf.write import write as report

    with session(lake) as connection:
        found = _event(connection, event)
        games = rows(connection, _GAMES, event=found["event_id"])
    kept = [game for game in games if _is_told(game)]
    if left := len(games) - len(kept):
        say(f"{counted(left, 'game')} left out: rejected, not over a board of two known players, or no game")
    rounds = _rounds(kept)
    players = _entrants(kept, names)
    long = sorted(player.name for player in players if len(player.name) > NAME_LENGTH)
    if long:
        say(f"Names are cut to {NAME_LENGTH} characters: {', '.join(long[:5])}")
    pairings = [_pairing(game, rounds[game["game_id"]]) for game in kept]
    try:
        text = report(_said(found, games), _round_dates(kept, rounds), players, pairings)
    except ValueError as error:
        remedy = "A report holds up to 9,999 players and 400 rounds, in each one game of a player; `notatio export pgn` holds all"
        raise Failure(f"{found['event']}: {error}", remedy) from error
    with target(out) as file:
        file.write(text.encode())


@export.command("pgn")
def export_pgn(
    event: EventOption = None,
    out: FileOption = None,
    names: NamesOption = Names.PLAYERS,
    lake: LakeOption = DEFAULT_LAKE,
) -> None:
    """Write each distinct game once, in PGN's export format; games that break off as far as they are proven.

    Tags without a value are left out.

    \b
    Examples:
      notatio export pgn --out all.pgn
      notatio export pgn --event "Hastings 1895" --out hastings.pgn
    """
    from pipeline.cli.render import games_of_tables
    from pipeline.render import Layout, form_named, render

    with session(lake) as connection:
        chosen = _event(connection, event)["event_id"] if event else None
        tables = {
            name: connection.sql(
                f"with chosen as ({_ORDER}) select t.* from {rows_} as t join chosen using (game_id) order by {order}",
                params={"event": chosen} | ({"is_named": names is Names.PLAYERS} if name == "games" else {}),
            ).to_arrow_table()
            for name, rows_, order in (
                ("games", f"({_NAMED})", "ordinal"),
                ("plies", "stored.plies", "ordinal, variation, ply"),
                ("variations", "stored.variations", "ordinal, variation"),
                ("annotations", "stored.annotations", "ordinal, variation, ply, nag"),
            )
        }
        form, is_first = form_named("pgn"), True
        with target(out) as file:
            for game in games_of_tables(None, tables):
                file.write(f"{'' if is_first else chr(10)}{render(game, form, Layout())}\n".encode("utf-8", "backslashreplace"))
                is_first = False


@export.command("csv")
def export_csv(
    view: Annotated[str, typer.Argument(metavar="[VIEW]", help="A view of the catalog.")] = "games_distinct",
    out: FileOption = None,
    lake: LakeOption = DEFAULT_LAKE,
) -> None:
    """Write a view as CSV, with all its columns.

    \b
    Examples:
      notatio export csv --out games.csv
      notatio export csv series_results --out series.csv
    """
    with session(lake) as connection:
        known = [
            row["name"] for row in rows(connection, "select table_name as name from duckdb_columns() where schema_name = 'main'")
        ]
        if view not in known:
            raise Failure(f"There is no view {view!r}", '`notatio sql "show tables"` lists them')
        write(connection.sql(f'from "{view}"').to_arrow_reader(), Format.CSV, out)


def _event(connection: duckdb.DuckDBPyConnection, given: str) -> dict[str, Any]:
    """The one event that a name, a part of it or the beginning of an id means. Raises Failure with the candidates."""
    name = given.strip().lower()
    id_ = name if len(name) >= 6 and may_begin_id(name) else "no id"
    found = rows(connection, _EVENTS, id=id_, name=name)
    exact = [event for event in found if event["event"].lower() == name or event["event_id"].startswith(id_)]
    if len(exact or found) == 1:
        return (exact or found)[0]
    if not found:
        raise Failure(f"No event is called {given!r} here", 'All events: `notatio sql "from events"`')
    told = "; ".join(
        f"{event['event']} ({', '.join(str(fact) for fact in (event['site'], event['year']) if fact)},"
        f" {counted(event['n_games'], 'game')}, id {event['event_id'][:8]})"
        for event in (exact or found)[:10]
    )
    raise Failure(f"{given!r} fits {len(exact or found)} events: {told}", "Give the beginning of the id")


# What a report says


def _is_told(game: Row) -> bool:
    """Whether a report can hold the game: two known players, or one and a bye."""
    if game["status"] == "rejected" or game["kind"] != "game" or game["white_id"] is None:
        return False
    return game["black_id"] is not None or game["termination"] == "bye"


def _said(event: Row, games: Sequence[Row]) -> dict[str, str]:
    """Records of the tournament."""
    site = event["site"] or ""
    city = _FEDERATION.fullmatch(site)
    control = _most(game["time_control_written"] for game in games)
    types = _most(game["tags"].get("EventType") for game in games)
    is_code = bool(re.fullmatch(r"[\d/+:]+", control))
    return {
        "012": event["event"],
        "022": city[1] if city else site,
        "032": city[2] if city else "",
        "042": _slashed(event["date_first"]),
        "052": _slashed(event["date_last"]),
        "092": types or ("Individual: Match" if event["kind"] == "match" else ""),
        "122": "" if is_code else control,
        "222": control if is_code else "",
    }


def _most(values: Iterator[str | None]) -> str:
    """The most frequent value; of several the first by sort."""
    found = Counter(value for value in values if value)
    return min(found, key=lambda value: (-found[value], value)) if found else ""


def _slashed(date: Any) -> str:
    return date.strftime("%Y/%m/%d") if date is not None else ""


def _rounds(games: Sequence[Row]) -> dict[str, int]:
    """Game → round of the report: its number; where one has two games of a player, or there is no room for it, their order;
    without numbers that of dates.

    Raises Failure when neither tells a player's games apart.
    """
    from pipeline.trf.records import MOST_ROUNDS

    for by in (
        lambda game: (game["round_major"],),
        lambda game: (game["round_major"], game["round_minor"] or 0),
        lambda game: (game["date"],),
    ):
        keys = {game["game_id"]: by(game) for game in games}
        if any(key[0] is None for key in keys.values()) or _is_twice(games, keys):
            continue
        if all(len(key) == 1 and isinstance(key[0], int) and 0 < key[0] <= MOST_ROUNDS for key in keys.values()):
            return {game_id: key[0] for game_id, key in keys.items()}
        number = {key: k for k, key in enumerate(sorted(set(keys.values())), 1)}
        return {game_id: number[key] for game_id, key in keys.items()}
    remedy = "A report has one game of a player in a round: give rounds by corrections (docs/lake.md)"
    raise Failure("Neither rounds nor dates tell the games of a player apart", remedy)


def _is_twice(games: Sequence[Row], keys: Mapping[str, Any]) -> bool:
    """Whether somebody has two games under one key."""
    seen = Counter((keys[game["game_id"]], game[side]) for game in games for side in ("white_id", "black_id") if game[side])
    return any(n > 1 for n in seen.values())


def _round_dates(games: Sequence[Row], rounds: Mapping[str, int]) -> dict[int, str]:
    """Round → its most frequent whole date."""
    dates: dict[int, list[str | None]] = {}
    for game in games:
        date = game["date"]
        dates.setdefault(rounds[game["game_id"]], []).append(date.strftime("%Y.%m.%d") if date else None)
    return {round_: _most(iter(found)) for round_, found in dates.items()}


def _entrants(games: Sequence[Row], names: Names) -> list[Entrant]:
    """Players with what their games say: the highest rating, and as written the most frequent form of the name."""
    from pipeline.trf.write import Entrant

    told: dict[str, list[tuple[Row, str]]] = {}
    for game in games:
        for side in ("white", "black"):
            if game[f"{side}_id"]:
                told.setdefault(game[f"{side}_id"], []).append((game, side))
    return [
        Entrant(
            key,
            _most(game[side if names is Names.AS_WRITTEN else f"{side}_name"] for game, side in found),
            max((game[f"{side}_elo"] for game, side in found if game[f"{side}_elo"]), default=None),
            _most(game[f"{side}_title"] for game, side in found),
            _most(game[f"{side}_fide_id"] for game, side in found),
            _most(game["tags"].get(f"{side.title()}Federation") for game, side in found),
        )
        for key, found in told.items()
    ]


def _pairing(game: Row, round_: int) -> Pairing:
    from pipeline.trf.records import bye_called
    from pipeline.trf.write import Pairing

    points = {"1-0": ("1", "0"), "0-1": ("0", "1"), "1/2-1/2": ("=", "="), "0-0": ("0", "0")}
    white, black = ("", "") if game["excluded_because"] else points.get(game["result"], ("", ""))
    if game["black_id"] is None:
        told = game["tags"].get("ResultCode") or bye_called(game["tags"].get("Termination") or "")
        return Pairing(round_, game["white_id"], None, told or {"1": "F", "=": "H"}.get(white, "Z"))
    if game["termination"] == "forfeit":
        white, black = ({"1": "+", "0": "-"}.get(code, code) for code in (white, black))
    elif (game["tags"].get("ResultCode") or "") in ("W", "D", "L"):
        white, black = ({"1": "W", "=": "D", "0": "L"}.get(code, code) for code in (white, black))
    return Pairing(round_, game["white_id"], game["black_id"], white, black)
