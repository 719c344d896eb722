"""Draws the crosstable of an event for people to read; the reports `crosstable` and `standings` have the same as tidy rows.

Round robins are squares in the order of the standings, matches a line of games, Swiss tournaments go by rounds (`12w1`: against
number 12, White, won), knock-outs are pairings by rounds, and playoffs stand apart.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from decimal import Decimal
from typing import TYPE_CHECKING, Any, NamedTuple

if TYPE_CHECKING:
    import duckdb

WIDEST_SQUARE = 30
"""Players of the largest table that is drawn as a square; larger ones go by rounds."""
OWN_CELL = "■"


@dataclass(frozen=True, slots=True)
class Drawn:
    """A table of texts: its title, the heads of its columns, its rows, and which columns are numbers.

    `n_before` and `n_behind`: the columns that stay beside any part of the columns between them; 0 = it is not parted.
    """

    title: str
    names: tuple[str, ...]
    rows: tuple[tuple[str, ...], ...]
    is_number: tuple[bool, ...]
    n_before: int = 0
    n_behind: int = 0


class _Player(NamedTuple):
    player_id: str
    name: str
    points: Decimal
    sonneborn_berger: Decimal
    buchholz: Decimal


class _Side(NamedTuple):
    """A game from one side, as section_games has it; `cell` is its result as printed."""

    player_id: str
    opponent_id: str | None
    color: str
    cell: str
    points: Decimal | None
    opponent_points: Decimal | None
    round: str | None
    round_major: int | None
    is_playoff: bool
    place: int


_STANDINGS = """
    select event_id, speed, mode, event, year, system, player_id, player, points, sonneborn_berger, buchholz
    from standings($event_name, speeds := $speeds, modes := $modes)
    order by year nulls last, event_id, speed, mode, rank nulls last, player, player_id
"""
_SIDES = """
    select event_id, speed, mode, player_id, opponent_id, color, result_cell(points, is_forfeit, excluded_because),
        points, opponent_points, round, round_major, is_playoff, place
    from section_games($event_name, $speeds, $modes)
    order by place
"""


def draw(con: duckdb.DuckDBPyConnection, event_name: str, speeds: str = "apart", modes: str = "apart") -> list[Drawn]:
    """The tables of all events of that name (or beginning of an event_id), one for each speed and mode."""
    given = {"event_name": event_name, "speeds": speeds, "modes": modes}
    heads: dict[tuple[str, ...], tuple[Any, ...]] = {}
    players: dict[tuple[str, ...], list[_Player]] = {}
    for event_id, speed, mode, event, year, system, *player in con.execute(_STANDINGS, given).fetchall():
        heads[event_id, speed, mode] = (event, year, system)
        players.setdefault((event_id, speed, mode), []).append(_Player(*player))
    sides: dict[tuple[str, ...], list[_Side]] = {}
    for event_id, speed, mode, *side in con.execute(_SIDES, given).fetchall():
        sides.setdefault((event_id, speed, mode), []).append(_Side(*side))
    drawn = []
    for key, (event, year, system) in heads.items():
        kind = system.replace("_", " ") if system else None
        title = ", ".join(str(part) for part in (event, year, kind, *key[1:]) if part is not None)
        drawn += _section(title, system, players[key], sides.get(key, []))
    return drawn


def _section(title: str, system: str | None, players: Sequence[_Player], sides: Sequence[_Side]) -> list[Drawn]:
    cycle = [side for side in sides if not side.is_playoff]
    beside = [side for side in sides if side.is_playoff]
    has_rounds = all(side.round_major is not None for side in cycle)
    if system == "match":
        first = _match(title, players, cycle)
    elif system == "knockout":
        first = _pairings(title, players, cycle)
    elif has_rounds and (system == "swiss" or len(players) > WIDEST_SQUARE):
        first = _rounds(title, players, cycle)
    else:
        first = _square(title, players, cycle)
    return [first, *([_pairings(f"{title}: playoff", players, beside)] if beside else [])]


def _square(title: str, players: Sequence[_Player], sides: Iterable[_Side]) -> Drawn:
    cells: dict[tuple[str, str | None], str] = {}
    for side in sides:
        key = side.player_id, side.opponent_id
        cells[key] = cells.get(key, "") + side.cell
    has_byes = any(opponent is None for _, opponent in cells)
    rows = []
    for number, player in enumerate(players, 1):
        met = [OWN_CELL if other is player else cells.get((player.player_id, other.player_id), "") for other in players]
        byes = [cells.get((player.player_id, None), "")] if has_byes else []
        rows.append((str(number), player.name, *met, *byes, half(player.points), plain(player.sonneborn_berger)))
    numbers = [str(number) for number in range(1, len(players) + 1)]
    names = ("#", "player", *numbers, *(["bye"] if has_byes else []), "points", "SB")
    n_texts = len(names) - 3
    return Drawn(title, names, tuple(rows), (True, *[False] * n_texts, True, True), 2, 2)


def _rounds(title: str, players: Sequence[_Player], sides: Iterable[_Side]) -> Drawn:
    number_of = {player.player_id: number for number, player in enumerate(players, 1)}
    cells: dict[tuple[str, int | None], list[str]] = {}
    for side in sides:
        other = number_of.get(side.opponent_id or "")
        cell = f"{other}{side.color}{side.cell}" if other else f"bye{side.cell}"
        cells.setdefault((side.player_id, side.round_major), []).append(cell)
    numbers = sorted({number for _, number in cells if number is not None})
    rows = []
    for position, player in enumerate(players, 1):
        by_round = [" ".join(cells.get((player.player_id, number), ["--"])) for number in numbers]
        rows.append((str(position), player.name, *by_round, half(player.points), half(player.buchholz)))
    names = ("#", "player", *map(str, numbers), "points", "BH")
    return Drawn(title, names, tuple(rows), (True, *[False] * (len(names) - 3), True, True), 2, 2)


def _match(title: str, players: Sequence[_Player], sides: Sequence[_Side]) -> Drawn:
    games = [side for side in sides if side.player_id == players[0].player_id]
    rows = []
    for player in players:
        cells = [side.cell for side in sides if side.player_id == player.player_id]
        rows.append((player.name, *cells, half(player.points)))
    heads = [side.round or str(number) for number, side in enumerate(games, 1)]
    return Drawn(title, ("player", *heads, "points"), tuple(rows), (False, *[False] * len(heads), True), 1, 1)


def _pairings(title: str, players: Sequence[_Player], sides: Iterable[_Side]) -> Drawn:
    """Each pair of each round once, seen from who has more points in it."""
    name_of = {player.player_id: player.name for player in players}
    order_of = {player.player_id: order for order, player in enumerate(players)}
    pairs: dict[tuple[int | None, str, str | None], list[_Side]] = {}
    for side in sides:
        pairs.setdefault((side.round_major, side.player_id, side.opponent_id), []).append(side)
    rows = []
    for (number, player_id, opponent_id), games in pairs.items():
        points = sum((side.points or Decimal(0) for side in games), Decimal(0))
        against = sum((side.opponent_points or Decimal(0) for side in games), Decimal(0))
        order, other = order_of.get(player_id, 0), order_of.get(opponent_id or "", len(players))
        if (-points, order) > (-against, other) and opponent_id in name_of:
            continue
        key = (number is None, number or 0, order, other)
        score = f"{half(points)}:{half(against)}" if opponent_id else half(points)
        cells = "".join(side.cell for side in games)
        name, opponent = name_of.get(player_id, ""), name_of.get(opponent_id or "", "")
        rows.append((key, ("" if number is None else str(number), name, opponent, score, cells)))
    return Drawn(
        title, ("round", "player", "opponent", "score", "games"), tuple(row for _, row in sorted(rows)), (True, *[False] * 4)
    )


def half(points: Decimal) -> str:
    """Points as printed: 8½."""
    whole, rest = divmod(points, 1)
    return str(int(whole)) if not rest else f"{int(whole) or ''}½"


def plain(value: Decimal) -> str:
    """A number without zeros at its end: 56, 42.25."""
    return f"{value:f}".rstrip("0").rstrip(".") if value % 1 else str(int(value))
