"""Players and pairings → a tournament report, in the columns that `records` reads (TRF26, which TRF16 programs read too)."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction

from pipeline.trf import records

_FIXED_LENGTH = records.RANK.stop
"""Where the fixed part of a player's line ends."""
MOST_PLAYERS = 9999
"""Starting ranks have four digits."""
_RECORDS = ("012", "022", "032", "042", "052", "062", "072", "092", "122", "132", "142", "222")
"""Records of the tournament, in order."""


@dataclass(frozen=True, slots=True)
class Entrant:
    """A player of the report. Unknown = None; `key` is what pairings name."""

    key: str
    name: str
    elo: int | None = None
    title: str | None = None
    fide_id: str | None = None
    federation: str | None = None


@dataclass(frozen=True, slots=True)
class Pairing:
    """A game or bye. `black` is None for a bye; codes are result codes, empty where the result is unknown."""

    round: int
    white: str
    black: str | None
    white_code: str
    black_code: str = ""


def write(
    said: Mapping[str, str], round_dates: Mapping[int, str], players: Sequence[Entrant], pairings: Sequence[Pairing]
) -> str:
    """A report. `said`: record → text, without what can be counted here; dates as YYYY.MM.DD.

    Starting ranks go by rating, then by name; players with the same points share a rank. Raises ValueError when two pairings
    give one player the same round, or one names a player who is not in `players`, or when there are more players or rounds than
    a report has room for.
    """
    if len(players) > MOST_PLAYERS:
        raise ValueError(f"a report has room for {MOST_PLAYERS:,} players, not for {len(players):,}")
    order = sorted(players, key=lambda p: (-(p.elo or 0), p.name, p.key))
    number = {player.key: k for k, player in enumerate(order, 1)}
    cells = _cells(pairings, number)
    points = {key: sum((_points(code) for _, _, code in rounds.values()), Fraction(0)) for key, rounds in cells.items()}
    falling = sorted(points.values(), reverse=True)
    rank_of = {own: rank for rank, own in reversed(list(enumerate(falling, 1)))}
    n_rounds = max((pairing.round for pairing in pairings), default=0)
    if n_rounds > records.MOST_ROUNDS:
        raise ValueError(f"a report has room for {records.MOST_ROUNDS} rounds, not for {n_rounds:,}")
    counted = {"062": str(len(order)), "072": str(sum(1 for p in order if p.elo)), "142": str(n_rounds or "")}
    lines = []
    for record in _RECORDS:
        if record == "132":
            dates = "".join(f"{_short(round_dates.get(k + 1, '')):<10}" for k in range(n_rounds))
            lines += [f"132 {'':<{records.CELLS - 4}}{dates}".rstrip()] if dates.strip() else []
        elif text := {**said, **counted}.get(record, ""):
            lines.append(f"{record} {' '.join(text.split())}")
    for player in order:
        own = points[player.key]
        lines.append(_line(player, number[player.key], own, rank_of[own], cells[player.key], n_rounds))
    return "".join(f"{line}\n" for line in lines)


_Cell = tuple[int, str, str]
"""Number of the opponent, colour, result code."""


def _cells(pairings: Sequence[Pairing], number: Mapping[str, int]) -> dict[str, dict[int, _Cell]]:
    """Player → round → cell."""
    cells: dict[str, dict[int, _Cell]] = {key: {} for key in number}
    for pairing in pairings:
        for key, other, color, code in _sides(pairing):
            if key not in cells or (other is not None and other not in number):
                raise ValueError(f"round {pairing.round} names a player who is not in the report")
            if pairing.round in cells[key]:
                raise ValueError(f"round {pairing.round} has two games of one player")
            cells[key][pairing.round] = (number[other] if other is not None else 0, color, code)
    return cells


def _sides(pairing: Pairing) -> Iterator[tuple[str, str | None, str, str]]:
    if pairing.black is None:
        yield pairing.white, None, "-", pairing.white_code
    else:
        yield pairing.white, pairing.black, "w", pairing.white_code
        yield pairing.black, pairing.white, "b", pairing.black_code


def _points(code: str) -> Fraction:
    return records.codes()[code].points if code in records.codes() else Fraction(0)


def _line(player: Entrant, number: int, points: Fraction, rank: int, cells: Mapping[int, _Cell], n_rounds: int) -> str:
    title = player.title or ""
    sex = "w" if title.startswith("W") else " "
    name = f"{player.name[: records.NAME_LENGTH]:<{records.NAME_LENGTH}}"
    line = (
        f"001 {number:>4} {sex}{title[:3]:>3} {name} {player.elo or '':>4} {(player.federation or '')[:3]:>3} "
        f"{player.fide_id or '':>11} {'':>10} {float(points):>4.1f} {rank:>4}"
    )
    assert len(line) == _FIXED_LENGTH
    for round_ in range(1, n_rounds + 1):
        cell = cells.get(round_)
        line += f"  {cell[0]:>4} {cell[1]} {cell[2] or ' '}" if cell and cell[0] else f"  0000 - {cell[2]}" if cell else " " * 10
    return line.rstrip()


def _short(date: str) -> str:
    """YYYY.MM.DD → YY/MM/DD."""
    return date[2:].replace(".", "/")
