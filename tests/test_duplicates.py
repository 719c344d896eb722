"""Which games are copies of one another, which copy stands for all, and who played them."""

from __future__ import annotations

import random
from pathlib import Path

import duckdb
import pytest

from tests.support_catalog import (
    ADLER,
    BRANDT,
    COLE,
    COPIES,
    CUP,
    DUNN,
    ENGLISH,
    ITALIAN,
    ODD,
    Row,
    game,
    game_id,
    lake,
    rows,
)


@pytest.fixture(scope="module")
def con(tmp_path_factory: pytest.TempPathFactory) -> duckdb.DuckDBPyConnection:
    return lake(tmp_path_factory.mktemp("lake"), CUP, COPIES, ODD)


SAME: list[tuple[str, Row, Row]] = [
    ("other spelling, less of the date", {"month": 5, "day": 6}, {"white": "Adler, N", "black": "Brandt, O", "month": 5}),
    ("a name missing", {}, {"white": "?"}),
    ("no date at all", {"month": 5, "day": 6}, {"year": None}),
    ("another event, another round", {"round": "5"}, {"event": "Cup (Lodz)", "round": "1"}),
    ("the round of one is unknown", {"round": "5"}, {"round": "?"}),
    ("the board of one is unknown", {"round": "5.2"}, {"round": "5"}),
    ("opposite results", {}, {"result": "0-1"}),
    ("one is truncated", {}, {"status": "truncated"}),
]
APART: list[tuple[str, Row, Row]] = [
    ("two rounds of one event", {"round": "5"}, {"round": "6"}),
    ("two boards of one round", {"round": "5.1"}, {"round": "5.2"}),
    ("two rounds, the case of the event differs", {"round": "5"}, {"round": "6", "event": "CUP "}),
    ("two rounds in words", {"round": "final"}, {"round": "semifinal"}),
    ("other players", {}, {"white": COLE, "black": DUNN}),
    ("another White", {}, {"white": COLE}),
    ("another given name", {}, {"white": "Adler, Olga"}),
    ("two years", {}, {"year": 2002}),
    ("two days", {"month": 5, "day": 6}, {"month": 5, "day": 7}),
    ("other moves", {}, {"moves": ENGLISH}),
    ("another start", {}, {"start_fen": "8/8/8/8/8/8/8/K1k5 w - - 0 1"}),
]


def _copy(changes: Row, last_move: str = "") -> Row:
    """A game that differs from the others in what is said; `last_move` keeps the pairs of one lake apart."""
    given = {"white": ADLER, "black": BRANDT, "result": "1-0", "moves": ITALIAN, **changes}
    return game(given.pop("white"), given.pop("black"), given.pop("result"), f"{given.pop('moves')} {last_move}".strip(), **given)


PAIRS = [(*case, 1) for case in SAME] + [(*case, 2) for case in APART]


@pytest.fixture(scope="module")
def pairs(tmp_path_factory: pytest.TempPathFactory) -> duckdb.DuckDBPyConnection:
    """One lake of all pairs; the n-th pair ends with the move `Nn`, which no board has to like here."""
    copies = [[_copy(change, f"N{number}") for change in pair] for number, (_, *pair, _) in enumerate(PAIRS)]
    return lake(tmp_path_factory.mktemp("lake"), *zip(*copies, strict=True))


@pytest.mark.parametrize("number", range(len(PAIRS)), ids=[what for what, *_ in PAIRS])
def test_one_game_or_two(pairs: duckdb.DuckDBPyConnection, number: int) -> None:
    n = PAIRS[number][3]
    columns = "count(distinct cluster_id), min(rule), max(rule), count(*) filter (is_chosen), count(*)"
    sql = f"select {columns} from duplicates where game_id in (?, ?)"
    rule = "same_moves" if n == 1 else "single"
    assert rows(pairs, sql, [game_id(0, number), game_id(1, number)]) == [(n, rule, rule, n, 2)]


@pytest.mark.parametrize(
    ("copies", "expected"),
    [
        # what fits two games stays apart from both
        ([{"white": "Adler, Nora"}, {"white": "Adler, Nina"}, {"white": "Adler, N"}], [1, 1, 1]),
        ([{"year": 2001}, {"year": 2002}, {"year": None}], [1, 1, 1]),
        ([{"round": "1"}, {"round": "2"}, {"round": None}], [1, 1, 1]),
        # two rounds of one event, each found again under another name of the event
        ([{"round": "1"}, {"round": "2"}, {"round": "1", "event": "Cup B"}, {"round": "2", "event": "Cup B"}], [2, 2, 2, 2]),
        # a chain of abbreviations ends at one full name
        ([{"white": "Adler"}, {"white": "Adler, N"}, {"white": "Adler, Nora"}, {"white": "?"}], [4, 4, 4, 4]),
        ([{"month": 5, "day": 6}, {"month": 5}, {}, {"year": None}], [4, 4, 4, 4]),
    ],
)
def test_clusters_of_several(tmp_path: Path, copies: list[Row], expected: list[int]) -> None:
    with lake(tmp_path, *([_copy(c)] for c in copies)) as con:
        sql = "select n_copies from games join duplicates using (game_id) join sources using (source_id) order by path"
        assert [n for (n,) in rows(con, sql)] == expected


def test_the_order_of_games_does_not_change_the_clusters(tmp_path: Path) -> None:
    changes = [change for _, *pair in (*SAME, *APART) for change in pair]
    partitions = set()
    for seed in range(3):
        order = random.Random(seed).sample(range(len(changes)), len(changes))
        with lake(tmp_path / str(seed), [_copy(changes[i]) for i in order]) as con:
            found = rows(con, "select list(game_index) from games join duplicates using (game_id) group by cluster_id")
        partitions.add(frozenset(frozenset(order[i - 1] for i in cluster) for (cluster,) in found))
    assert len(partitions) == 1


@pytest.mark.parametrize(
    ("change", "n"),
    [({}, 1), ({"result": "1-0"}, 1), ({"round": "3"}, 2), ({"round": None}, 2), ({"event": None}, 2), ({"black": "?"}, 2)],
)
def test_games_without_moves_are_one_by_event_round_and_players(tmp_path: Path, change: Row, n: int) -> None:
    forfeit = {"moves": "", "result": "0-1", "round": "2", "termination": "forfeit"}
    with lake(tmp_path, [_copy(forfeit)], [_copy({**forfeit, **change})]) as con:
        assert rows(con, "select distinct rule, n_copies from duplicates") == [("no_moves", 2) if n == 1 else ("single", 1)]


def test_opposite_results_are_one_game_that_nobody_scores(con: duckdb.DuckDBPyConnection) -> None:
    sql = "select cluster_id, is_result_conflict, result, n_copies from duplicates where game_id = ?"
    [(cluster_id, *conflict)] = rows(con, sql, [game_id(2, 0)])
    assert conflict == [True, "*", 2]
    sql = "select is_scored, points, excluded_because from player_games where cluster_id = ?"
    assert rows(con, sql, [cluster_id]) == [(False, None, "result_conflict")] * 2


def test_a_copy_with_a_result_scores_for_a_chosen_copy_without(tmp_path: Path) -> None:
    with lake(tmp_path, [_copy({"result": "*", "nags": {1: [1]}})], [_copy({"result": "1-0"})]) as con:
        assert rows(con, "select game_id, result from duplicates where is_chosen") == [(game_id(0, 0), "1-0")]
        assert rows(con, "select points from player_games order by color desc") == [(1.0,), (0.0,)]


@pytest.mark.parametrize(
    ("copies", "chosen"),
    [
        ([{"status": "truncated", "nags": {1: [1]}}, {}], 1),
        ([{"comments": {1: "a"}}, {"comments": {1: "a"}, "nags": {2: [4]}}], 1),
        ([{"nags": {1: [1, 16]}}, {"comments": {1: "a"}}], 0),
    ],
)
def test_the_chosen_copy_is_clean_and_has_most_marks(tmp_path: Path, copies: list[Row], chosen: int) -> None:
    with lake(tmp_path, *([_copy(c)] for c in copies)) as con:
        assert rows(con, "select game_id from duplicates where is_chosen") == [(game_id(chosen, 0),)]


def test_a_copy_says_in_what_it_differs(con: duckdb.DuckDBPyConnection) -> None:
    assert rows(con, "select differs from duplicates where game_id = ?", [game_id(1, 0)]) == [(["white", "black", "event"],)]
    assert rows(con, "select distinct differs from duplicates where is_chosen") == [([],)]


def test_persons_are_equal_keys_and_a_copy_lends_its_name(con: duckdb.DuckDBPyConnection) -> None:
    assert rows(con, "select name, n_names, n_games from players where name in (?, ?) order by name", [ADLER, BRANDT]) == [
        (ADLER, 2, 6),
        (BRANDT, 2, 6),
    ]
    sql = "select name, evidence, confidence from game_players where game_id = ? and color = 'w'"
    assert rows(con, sql, [game_id(0, 0)]) == [(ADLER, "key", 1.0)]
    assert rows(con, sql, [game_id(1, 0)]) == [("Adler, N", "copy", 0.9)]
    assert rows(con, "select name, n_games from player_names where name like 'Adler%' order by name") == [
        ("Adler, N", 1),
        (ADLER, 7),
    ]


def test_the_most_frequent_form_names_a_person_and_ties_go_by_sort(tmp_path: Path) -> None:
    def named(*forms: str) -> list[Row]:
        return [game(f, None, "*", white_key="k") for f in forms]

    with lake(tmp_path / "1", named("Zed", "Abe", "Zed")) as con:
        assert rows(con, "select name from players") == [("Zed",)]
    with lake(tmp_path / "2", named("Zed", "Abe")) as con:
        assert rows(con, "select name from players") == [("Abe",)]


def test_a_copy_without_a_name_has_the_person_of_the_other_and_is_not_chosen(tmp_path: Path) -> None:
    with lake(tmp_path, [_copy({"white": "?", "nags": {1: [1]}})], [_copy({})]) as con:
        assert rows(con, "select is_chosen from duplicates where game_id = ?", [game_id(0, 0)]) == [(False,)]
        assert rows(con, "select name, points from player_games join players using (player_id) order by color desc") == [
            (ADLER, 1.0),
            (BRANDT, 0.0),
        ]
        assert rows(con, "select name from player_names order by name") == [(ADLER,), (BRANDT,)]


def test_namesakes_who_met_are_two_persons_and_linked_to_nobody(tmp_path: Path) -> None:
    li = "Li, Wei"
    games = [game(li, li, "1-0", ITALIAN, round="1"), game(li, COLE, "1-0", ITALIAN, round="2")]
    with lake(tmp_path, games, games[:1]) as con:
        assert rows(con, "select count(*), count(distinct name) from players") == [(4, 2)]
        sql = "select color, evidence, count(distinct player_id) from game_players where name = ? group by all order by all"
        assert rows(con, sql, [li]) == [("b", "namesake", 1), ("w", "key", 1), ("w", "namesake", 1)]
        assert rows(con, "select score from series_results where player = opponent order by score") == [("0:1",), ("1:0",)]


def test_nobody_is_no_player(tmp_path: Path) -> None:
    with lake(tmp_path, [game("?", "BYE", "*"), game(None, ADLER, "*", ITALIAN)]) as con:
        assert rows(con, "select name from players") == [(ADLER,)]
        assert rows(con, "select color from game_players") == [("b",)]


def test_an_event_is_its_name_site_and_year(tmp_path: Path) -> None:
    games = [
        game(ADLER, BRANDT, "1-0", ITALIAN, round="1"),
        game(ADLER, BRANDT, "1-0", ITALIAN, round="2", event=" CUP"),
        game(ADLER, BRANDT, "1-0", ITALIAN, round="4"),
        game(ADLER, BRANDT, "1-0", ITALIAN, round="3", year=2002),
        game(COLE, DUNN, "1-0", ITALIAN, round="3", year=2002),
        game(COLE, DUNN, "1-0", ITALIAN, event=None),
    ]
    with lake(tmp_path, games, games[:1]) as con:
        assert rows(con, "select event, year, kind, n_games, n_players from events order by year") == [
            ("Cup", 2001, "match", 3, 2),
            ("Cup", 2002, "tournament", 2, 4),
        ]
        assert rows(con, "select count(distinct event_id), count(event_id), count(*) from games") == [(2, 6, 7)]
