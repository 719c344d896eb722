"""A lake of title matches, each in several languages and manners, and how well persons were told in it.

`tests/cases/identity_names.csv` says how each person is written in a manner; `identity_matches.csv` who played whom. Each
manner is a source of its own. The players, events and years are those of the matches; the moves are random legal ones.
"""

from __future__ import annotations

import csv
import itertools
import random
from collections import defaultdict
from dataclasses import dataclass
from pathlib import Path

import chess
import duckdb

from pipeline.catalog import connect, publish
from pipeline.names import name_key
from tests.support_catalog import Row, build, game, game_id

CASES = Path(__file__).parent / "cases"
N_PLIES = 40


def table(name: str) -> list[dict[str, str]]:
    """Rows of tests/cases/<name>.csv."""
    return list(csv.DictReader((CASES / f"{name}.csv").read_text("utf-8").splitlines()))


def line(seed: str) -> str:
    """A random legal line of N_PLIES, the same for the same seed."""
    chance, board, moves = random.Random(seed), chess.Board(), []
    while len(moves) < N_PLIES and (legal := sorted(board.legal_moves, key=chess.Move.uci)):
        move = chance.choice(legal)
        moves.append(board.san(move))
        board.push(move)
    return " ".join(moves)


@dataclass(frozen=True)
class Side:
    """A side whose person is known."""

    source: int
    index: int
    color: str
    name: str
    person: str
    is_open: bool
    """Nothing can tell: a bare surname in a tournament of two who bear it, in a game that no other source has."""


def labelled(*, shares_games: bool = True) -> tuple[list[list[Row]], list[Side]]:
    """Sources of games, and the true person of every side.

    Each manner has one game of a match to itself and, if it `shares_games`, the first ones, as all manners have.
    """
    names = {row["person"]: row for row in table("identity_names")}
    manners = [column for column in next(iter(names.values())) if column != "person"]
    sources: list[list[Row]] = [[] for _ in manners]
    sides: list[Side] = []
    for number, match in enumerate(table("identity_matches"), 1):
        for source, manner in enumerate(manners):
            for round_ in [*range(1, int(match["n"]) if shares_games else 1), 10 + source]:
                pair = (match["one"], match["two"]) if round_ % 2 else (match["two"], match["one"])
                white, black = (names[person][manner] for person in pair)
                for color, person, name in (("w", pair[0], white), ("b", pair[1], black)):
                    is_open = manner == "bare" and round_ > 10 and bool(match["namesakes"]) and person.startswith(f"{name} ")
                    sides.append(Side(source, len(sources[source]), color, name, person, is_open))
                sources[source].append(_game(match, white, black, f"{number}.{round_}"))
    return sources, sides


def _game(match: dict[str, str], white: str, black: str, round_: str) -> Row:
    keys = {"white_key": name_key(white), "black_key": name_key(black)}
    place = {"event": match["event"], "site": match["site"], "year": int(match["year"]), "round": round_}
    return game(white, black, "1/2-1/2", line(round_), **keys, **place)


@dataclass(frozen=True)
class Score:
    """Pairs of spellings that are, and that were found to be, one person."""

    n_true: int
    n_found: int
    n_right: int
    wrong: tuple[str, ...]
    missed: tuple[str, ...]

    @property
    def precision(self) -> float:
        """Share of the pairs found that are right."""
        return self.n_right / self.n_found if self.n_found else 1.0

    @property
    def recall(self) -> float:
        """Share of the true pairs that were found."""
        return self.n_right / self.n_true if self.n_true else 1.0


def scored(con: duckdb.DuckDBPyConnection, sides: list[Side]) -> Score:
    """Compares all pairs of (name, true person, person found). Sides that are undecided are found to be nobody's."""
    query = "select game_id, color, case evidence when 'undecided' then game_id || color else player_id end from game_players"
    found = {(game, color): player for game, color, player in con.execute(query).fetchall()}
    units = sorted({(s.name, s.person, found[game_id(s.source, s.index), s.color]) for s in sides if not s.is_open})
    n: dict[tuple[bool, bool], int] = defaultdict(int)
    told: dict[tuple[bool, bool], list[str]] = defaultdict(list)
    for one, two in itertools.combinations(units, 2):
        kind = (one[1] == two[1], one[2] == two[2])
        n[kind] += 1
        if kind[0] != kind[1]:
            told[kind].append(f"{one[0]} ({one[1]}) | {two[0]} ({two[1]})")
    right = n[True, True]
    return Score(right + n[True, False], right + n[False, True], right, tuple(told[False, True]), tuple(told[True, False]))


def labelled_lake(root: Path, *, shares_games: bool = True) -> tuple[duckdb.DuckDBPyConnection, list[Side]]:
    """Publishes the labelled sources as a lake."""
    sources, sides = labelled(shares_games=shares_games)
    root.mkdir(parents=True, exist_ok=True)
    publish(root, build(root, *sources), root / "catalog.duckdb")
    return connect(root), sides
