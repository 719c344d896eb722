"""Tables of tournaments against published ones, and the rules behind them."""

from __future__ import annotations

import csv
import re
from datetime import date
from decimal import Decimal
from functools import cache
from pathlib import Path
from typing import Any

import duckdb
import pytest

from tests.support_catalog import Row, game, lake, rows

CASES = Path(__file__).parent / "cases"
RESULTS = {"1": ("1-0", "0-1"), "=": ("1/2-1/2", "1/2-1/2"), "0": ("0-1", "1-0"), "+": ("1-0", "0-1"), "-": ("0-1", "1-0")}
"""Sign of a result → result when its player is White, and when Black."""
BYES = {"U": "1-0", "H": "1/2-1/2", "z": "0-1"}
"""Bye of a whole, a half and no point, as TRF abbreviates them; `Z` is a round without an entry."""


@cache
def cases(name: str) -> tuple[dict[str, str], ...]:
    """Rows of tests/cases/<name>.csv."""
    return tuple(csv.DictReader((CASES / f"{name}.csv").read_text("utf-8").splitlines()))


def games(tournament: str, **more: Any) -> list[Row]:
    """Games of a wall chart of tests/cases/tournaments.csv: results like 9w1, 13b=, 11w+, U, H, Z in order of rounds."""
    chart = {row["no"]: row for row in cases("tournaments") if row["tournament"] == tournament}
    has_rounds = tournament.endswith(("swiss", "round_robin"))
    found = []
    for row in chart.values():
        for number, cell in enumerate(row["results"].split(), 1):
            place = {"round": str(number)} if has_rounds else {}
            if cell in BYES:
                found.append(game(row["name"], "BYE", BYES[cell], termination="bye", **place, **more))
            elif match := re.fullmatch(r"(\d+)(w)(.)", cell):
                other = chart[match[1]]
                elo = {"white_elo": int(row["elo"]), "black_elo": int(other["elo"])} if row["elo"] else {}
                forfeit = {"termination": "forfeit"} if match[3] in "+-" else {}
                found.append(game(row["name"], other["name"], RESULTS[match[3]][0], **place, **elo, **forfeit, **more))
    return found


@pytest.fixture(scope="module")
def con(tmp_path_factory: pytest.TempPathFactory) -> duckdb.DuckDBPyConnection:
    """A lake of all tournaments of the cases, each at each of its dates, under the name `tournament date`."""
    wanted = sorted({(case["tournament"], case["began"]) for case in cases("tiebreaks")})
    sources = []
    for tournament, began in wanted:
        year, month, day = map(int, began.split("."))
        when = {"year": year, "month": month, "day": day, "date": date(year, month, day)}
        sources.append(games(tournament, event=f"{tournament} {began}", **when))
    return lake(tmp_path_factory.mktemp("lake"), *sources)


@pytest.mark.parametrize("case", cases("tiebreaks"), ids=lambda c: f"{c['tournament']}-{c['began'][:4]}-{c['column']}")
def test_a_table_is_as_published(con: duckdb.DuckDBPyConnection, case: dict[str, str]) -> None:
    names = [row["name"] for row in cases("tournaments") if row["tournament"] == case["tournament"]]
    sql = f"select player, {case['column']} from standings('{case['tournament']} {case['began']}', '{case['rules']}')"
    found = dict(rows(con, sql))
    published = {name: float(value) for name, value in zip(names, case["values"].split(), strict=True) if value != "."}
    assert {name: found[name] for name in published} == published
    assert len(found) == len(names)


@pytest.mark.parametrize(
    ("tournament", "system", "n_cycles"),
    [
        ("tec_swiss 2024.10.24", "swiss", 1),
        ("tec_round_robin 2024.10.24", "round_robin", 1),
        ("candidates_2024 2024.04.04", "double_round_robin", 2),
        ("tata_steel_2024 2024.01.13", "round_robin", 1),
    ],
)
def test_the_kind_of_an_event_comes_from_its_pairings(
    con: duckdb.DuckDBPyConnection, tournament: str, system: str, n_cycles: int
) -> None:
    sql = "select system, n_cycles, is_main from event_systems join events using (event_id) where event = ?"
    assert rows(con, sql, [tournament]) == [(system, n_cycles, True)]


def swiss(year: int) -> list[Row]:
    """Nine rounds of sixteen, by the circle method. A00 wins 1 and 2 (against A01) and is given 3 by forfeit; A01 wins 1, 3, 4,
    8 and 9 and is absent from 7; the rest is drawn."""
    found, ring = [], list(range(1, 16))
    for number in range(1, 10):
        seats = [0, *ring]
        for one, other in zip(seats[:8], reversed(seats[8:]), strict=True):
            white, black = sorted((one, other))
            if number == 7 and white == 1:
                found.append(game(f"A{black:02}", "BYE", "1-0", event="Open", round="7", year=year, termination="bye"))
                continue
            wins = {0: (1, 2, 3), 1: (1, 3, 4, 8, 9)}.get(white, ())
            forfeit = {"termination": "forfeit"} if white == 0 and number == 3 else {}
            result = "1-0" if number in wins else "1/2-1/2"
            found.append(game(f"A{white:02}", f"A{black:02}", result, event="Open", round=str(number), year=year, **forfeit))
        ring = ring[1:] + ring[:1]
    return found


def test_the_virtual_opponent_of_2009(tmp_path: Path) -> None:
    """The two examples of the manual of Vega: 2 points after round 2, 6 in the end, round 3 given by forfeit: an opponent of
    2 + 0 + 6 × ½ = 5, and 5½ for the opponents. 4 after round 6, 6 in the end, absent from 7: 4 + 1 + 2 × ½ = 6, and 6½."""
    played = swiss(2012)
    unplayed = {(name, g["round"]) for g in played if g["termination"] != "no_moves" for name in (g["white"], g["black"])}
    adjusted = {f"A{i:02}": 0.0 for i in range(16)}
    met: dict[str, list[str]] = {name: [] for name in adjusted}
    for g in played:
        for name, other, win in ((g["white"], g["black"], "1-0"), (g["black"], g["white"], "0-1")):
            if name != "BYE" and (name, g["round"]) not in unplayed:
                adjusted[name] += {win: 1.0, "1/2-1/2": 0.5}.get(g["result"], 0.0)
                met[name].append(other)
    adjusted = {name: score + 0.5 * (9 - len(met[name])) for name, score in adjusted.items()}
    assert (adjusted["A00"], adjusted["A01"]) == (5.5, 6.5)
    with lake(tmp_path, played) as con:
        sql = "select player, points, buchholz, n_absent, edition from standings('Open', 'fide') where player in ('A00', 'A01')"
        assert sorted(rows(con, sql)) == [
            ("A00", 6.0, 5 + sum(adjusted[name] for name in met["A00"]), 0, "2009"),
            ("A01", 6.0, 6 + sum(adjusted[name] for name in met["A01"]), 1, "2009"),
        ]


@pytest.mark.parametrize(
    ("year", "edition"), [(None, None), (2008, None), (2010, "2009"), (2023, "2009"), (2025, "2023"), (2027, "2026")]
)
def test_the_edition_is_the_one_in_force(tmp_path: Path, year: int | None, edition: str | None) -> None:
    with lake(tmp_path, swiss(year)) as con:  # type: ignore[arg-type]
        assert rows(con, "select distinct edition from standings('Open', 'fide')") == [(edition,)]
        assert rows(con, "select distinct edition from standings('Open')") == [(None,)]


@pytest.mark.parametrize("year", [2012, 2025, 2027])
def test_rounds_of_which_there_is_no_game_are_no_rounds(tmp_path: Path, year: int) -> None:
    found = []
    for number in (10, 900_000):
        bye = game("A05", "BYE", "1/2-1/2", event="Open", round=str(number), year=year, termination="bye")
        with lake(tmp_path / str(number), [*swiss(year), bye]) as con:
            sql = "select player, points, buchholz, buchholz_cut_1, n_absent from standings('Open', 'fide') order by player"
            found.append(rows(con, sql))
    assert found[0] == found[1]


A, B, C, D = "Adler, Nora", "Brandt, Otto", "Cole, Ada", "Dunn, Ivo"
WITHDRAWN = [
    game(A, B, "1-0", "e4 e5", event="RR", round="1"),
    game(C, D, "1-0", "d4 d5", event="RR", round="1"),
    game(A, C, "1/2-1/2", "c4 e5", event="RR", round="2"),
    game(B, D, "1-0", event="RR", round="2"),
    game(A, D, "1-0", event="RR", round="3", termination="forfeit"),
    game(B, C, "1/2-1/2", "e4 c5", event="RR", round="3"),
]
"""D loses a game, then leaves: one result without moves, one forfeit."""


def test_who_left_with_less_than_half_of_the_games_stays_in_the_table_and_counts_for_nobody(tmp_path: Path) -> None:
    with lake(tmp_path, WITHDRAWN) as con:
        sql = "select rank, player, points, n, is_removed from standings('RR', ?)"
        assert rows(con, sql, ["none"]) == [
            (1, A, 2.5, 3, False),
            (2, C, 2.0, 3, False),
            (3, B, 1.5, 3, False),
            (4, D, 0.0, 3, False),
        ]
        assert rows(con, sql, ["fide"]) == [
            (1, A, 1.5, 2, False),
            (2, C, 1.0, 2, False),
            (3, B, 0.5, 2, False),
            (None, D, 0.0, 3, True),
        ]


def test_who_left_after_half_of_the_games_counts(tmp_path: Path) -> None:
    stayed = [game(B, D, "0-1", "g3 g6", event="RR", round="2"), *(g for g in WITHDRAWN if (g["white"], g["black"]) != (B, D))]
    with lake(tmp_path, stayed) as con:
        assert rows(con, "select player from standings('RR', 'fide') where is_removed") == []


def test_a_game_that_is_missing_is_no_withdrawal(tmp_path: Path) -> None:
    """Nobody knows why D has one entry, of the last round."""
    with lake(
        tmp_path, [g for g in WITHDRAWN if D not in (g["white"], g["black"])] + [game(A, D, "1-0", event="RR", round="3")]
    ) as con:
        assert rows(con, "select player, points from standings('RR', 'fide') where is_removed or player = ?", [A]) == [(A, 2.5)]


SCORED = [
    game(A, B, "1-0", "e4 e5", event="S", round="1"),
    game(B, C, "1/2-1/2", "d4 d5", event="S", round="2"),
    game(B, C, "1/2-1/2", "b3 b6", event="S", round="2 armageddon", speed="blitz"),
    game(C, A, "0-0", event="S", round="3"),
]


@pytest.mark.parametrize(
    ("scoring", "points"),
    [
        ("classical", {A: 1.0, B: 0.5, C: 0.5}),
        ("football", {A: 3.0, B: 1.0, C: 1.0}),
        ("norway", {A: 3.0, B: 1.0, C: 1.5}),
        ("norway_2019", {A: 2.0, B: 0.5, C: 1.5}),
        ("draws_replayed", {A: 1.0, B: 0.0, C: 0.0}),
    ],
)
def test_other_ways_to_score(tmp_path: Path, scoring: str, points: dict[str, float]) -> None:
    """A drawn armageddon game stays a draw; Black is ahead of it."""
    with lake(tmp_path, SCORED) as con:
        assert dict(rows(con, "select player, points from standings('S', scoring := ?, speeds := 'all')", [scoring])) == points
        drawn = "select color, points, is_ahead from player_games where is_armageddon order by color"
        assert rows(con, drawn) == [("b", 0.5, True), ("w", 0.5, False)]


def test_speeds_are_apart_unless_asked_for_together(tmp_path: Path) -> None:
    mixed = [game(A, B, "1-0", "e4 e5", event="M"), game(A, B, "1-0", "d4 d5", event="M", speed="rapid")]
    with lake(tmp_path, mixed) as con:
        sql = "select speed, points from standings('M', speeds := ?) where player = ? order by speed"
        assert rows(con, sql, ["apart", A]) == [("classical", 1.0), ("rapid", 1.0)]
        assert rows(con, sql, ["all", A]) == [("all", 2.0)]


PLAYOFF = [
    *(game(a, b, r, event="P", round=n) for a, b, r, n in [(A, B, "1-0", "1"), (C, D, "1-0", "1"), (A, C, "0-1", "2")]),
    *(game(a, b, r, event="P", round=n) for a, b, r, n in [(B, D, "1-0", "2"), (A, D, "1-0", "3"), (B, C, "1-0", "3")]),
    game(C, A, "0-1", event="P", round="3.1"),
]
"""A, B and C have two points each; A beats C in a second game, beside the cycle."""


def test_a_playoff_is_apart_and_goes_before_tie_breaks(tmp_path: Path) -> None:
    with lake(tmp_path, PLAYOFF) as con:
        sql = "select rank, player, points, n, playoff_points, n_playoffs from standings('P')"
        assert rows(con, sql) == [(1, A, 2.0, 3, 1.0, 1), (2, B, 2.0, 3, 0.0, 0), (2, C, 2.0, 3, 0.0, 1), (4, D, 0.0, 3, 0.0, 0)]
        assert rows(con, "select because, stage from playoff_games") == [("extra", "playoff")]


def test_the_direct_encounter_is_applied_again_to_those_it_leaves_equal(tmp_path: Path) -> None:
    """A, B, C and D have 2½ each; among them A has 2½, B and C 1½, D ½. B beat C."""
    e, f = "Ende, Eva", "Fink, Ole"
    won = [(B, C), (A, B), (C, D), (A, D), (e, A), (f, A), (B, e), (f, B), (C, e), (f, C), (D, e), (D, f), (f, e)]
    drawn = [(B, D), (A, C)]
    played = [game(a, b, "1-0", event="E") for a, b in won] + [game(a, b, "1/2-1/2", event="E") for a, b in drawn]
    with lake(tmp_path, played) as con:
        assert rows(con, "select rank, player, points, direct_encounter from standings('E', tie_breaks := 'DE')") == [
            (1, f, 4.0, None),
            (2, A, 2.5, 2.5),
            (3, B, 2.5, 1.5),
            (4, C, 2.5, 1.5),
            (5, D, 2.5, 0.5),
            (6, e, 1.0, None),
        ]


def test_a_direct_encounter_that_is_not_complete_places_only_who_cannot_be_caught(tmp_path: Path) -> None:
    """Three rounds of a Swiss tournament: A and B have 2½; they have not met, so nothing is decided between them."""
    with lake(tmp_path, [game(a, b, r, event="O", round=n) for n, a, b, r in OPEN]) as con:
        found = rows(con, "select rank, player, direct_encounter from standings('O', tie_breaks := 'DE') where points = 2.5")
        assert found == [(1, A, 0.0), (1, B, 0.0)]


OPEN = [
    *(("1", A, "E, E", "1-0"), ("1", B, "F, F", "1-0"), ("1", C, "G, G", "1/2-1/2"), ("1", D, "H, H", "1/2-1/2")),
    *(("2", A, "F, F", "1-0"), ("2", B, "E, E", "1-0"), ("2", C, "H, H", "1/2-1/2"), ("2", D, "G, G", "1/2-1/2")),
    *(("3", A, C, "1/2-1/2"), ("3", B, D, "1/2-1/2"), ("3", "E, E", "G, G", "1/2-1/2"), ("3", "F, F", "H, H", "1/2-1/2")),
]


def test_an_elimination_ranks_by_how_far_one_came(tmp_path: Path) -> None:
    pairs = [
        (A, B, "1"),
        (A, B, "1"),
        (C, D, "1"),
        ("E, E", "F, F", "1"),
        ("G, G", "H, H", "1"),
        (A, C, "2"),
        ("E, E", "G, G", "2"),
    ]
    won = [game(a, b, "1-0", event="KO", round=f"{n}.{i}") for i, (a, b, n) in enumerate([*pairs, (A, "E, E", "3")], 1)]
    with lake(tmp_path, won) as con:
        assert rows(con, "select system, n_players, n_pairs from event_systems") == [("knockout", 8, 7)]
        assert [r[0] for r in rows(con, "select player from standings('KO') where rank < 4 order by rank, player")] == [
            A,
            "E, E",
            C,
            "G, G",
        ]


def test_a_game_without_a_result_gives_no_points_and_not_0(tmp_path: Path) -> None:
    results = [game(A, B, result, "e4 e5", event="U", round=str(n)) for n, result in enumerate(("*", "0-1", "0-0"), 1)]
    with lake(tmp_path, results) as con:
        assert rows(con, "select game_round, white_points, black_points from pairings order by 1") == [
            ("1", None, None),
            ("2", Decimal(0), Decimal(1)),
            ("3", Decimal(0), Decimal(0)),
        ]


@pytest.mark.parametrize(
    ("call", "message"),
    [
        ("standings('RR', 'uscf')", "rules: none or fide"),
        ("standings('RR', scoring := '5-0')", "scoring: a scheme of scoring_schemes"),
        ("standings('RR', speeds := 'both')", "speeds: apart or all"),
        ("standings('RR', modes := 'both')", "modes: apart or all"),
        ("standings('RR', tie_breaks := 'BH,XX')", "tie_breaks: DE WIN"),
    ],
)
def test_a_wrong_parameter_is_an_error(tmp_path: Path, call: str, message: str) -> None:
    with lake(tmp_path, WITHDRAWN) as con, pytest.raises(duckdb.InvalidInputException, match=message):
        con.execute(f"from {call}").fetchall()


def test_ratings_give_a_performance_and_an_expected_score(tmp_path: Path) -> None:
    """2400 against 2300 (100: 64 %), 2900 (counted as 400: 8 %) and an unrated player: 1 + 0 = 1 of 2, 2600 on average."""
    rated = [
        game(A, B, "1-0", "e4 e5", event="R", white_elo=2400, black_elo=2300),
        game(C, A, "1-0", "d4 d5", event="R", white_elo=2900, black_elo=2400),
        game(A, D, "1-0", "c4 c5", event="R", white_elo=2400),
        game(A, "Ende, Eva", "1-0", event="R", white_elo=2400, black_elo=1000, termination="forfeit"),
    ]
    with lake(tmp_path, rated) as con:
        sql = "select performance, n_rated, expected_points, points_above_expected from standings('R') where player = ?"
        assert rows(con, sql, [A]) == [(2600, 2, 0.72, 0.28)]
        assert rows(con, sql, ["Ende, Eva"]) == [(None, 0, None, None)]


@pytest.mark.parametrize(
    ("options", "expected"),
    [
        ("", [("classical", "+1\u22121=1", "1½:1½", 3), ("rapid", "+1\u22120=0", "1:0", 1)]),
        (", speeds := 'all'", [("all", "+2\u22121=1", "2½:1½", 4)]),
        (", scoring := 'football', speeds := 'all'", [("all", "+2\u22121=1", "7:4", 4)]),
        (", scoring := 'draws_replayed'", [("classical", "+1\u22121=1", "1:1", 2), ("rapid", "+1\u22120=0", "1:0", 1)]),
        (", 'cole'", []),
    ],
)
def test_a_series_under_any_scoring(tmp_path: Path, options: str, expected: list[tuple[Any, ...]]) -> None:
    played = [
        game(A, B, "1-0", "e4 e5", event="M", round="1"),
        game(B, A, "1/2-1/2", "d4 d5", event="M", round="2"),
        game(B, A, "1-0", "c4 e5", event="M", round="3"),
        game(A, B, "1-0", "c4 c5", event="M", round="4", speed="rapid"),
        game(A, B, "*", "c4 c6", event="M", round="5"),
    ]
    with lake(tmp_path, played) as con:
        assert rows(con, f"select speed, series, score, n from series('adler'{options})") == expected


def test_a_series_with_armageddon_and_a_game_that_both_lost(tmp_path: Path) -> None:
    """B wins 3, both get nothing for 0-0, and A is ahead of a drawn armageddon game as Black."""
    played = [
        game(B, A, "1-0", "d4 d5", event="N", round="1"),
        game(B, A, "0-0", "b4 b5", event="N", round="2"),
        game(B, A, "1/2-1/2", "c4 e5", event="N Armageddon", round="3"),
    ]
    with lake(tmp_path, played) as con:
        sql = "select score from series('adler', 'brandt', scoring := ?)"
        assert rows(con, sql, ["norway"]) == [("½:3",)]
        assert rows(con, sql, ["classical"]) == [("½:1½",)]
        assert rows(con, "select score from series('brandt', scoring := 'norway')") == [("3:½",)]


def test_a_part_of_a_swiss_tournament_is_no_knockout(tmp_path: Path) -> None:
    """Two games a round of nine rounds: a tree of pairs, as in an elimination, but no round has a third of them."""
    chain = [game(f"P{i:02}", f"P{i + 1:02}", "1-0", event="Part", round=str(i // 2 + 1)) for i in range(17)]
    leaves = [game(f"P{i:02}", f"Q{i:02}", "1-0", event="Part", round=str(10 + i // 2)) for i in range(18)]
    with lake(tmp_path, chain + leaves) as con:
        assert rows(con, "select system, n_players, n_pairs from event_systems") == [(None, 36, 35)]
