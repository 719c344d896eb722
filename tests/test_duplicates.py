"""Which games are copies of one another, which copy stands for all, and who played them."""

from __future__ import annotations

import random
from collections.abc import Iterable
from pathlib import Path
from typing import Any

import duckdb
import pytest

from pipeline.catalog import run_audits
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
    QUEENS,
    Row,
    game,
    game_id,
    lake,
    rows,
)


@pytest.fixture(scope="module")
def con(tmp_path_factory: pytest.TempPathFactory) -> duckdb.DuckDBPyConnection:
    return lake(tmp_path_factory.mktemp("lake"), CUP, COPIES, ODD)


DRAW = "1/2-1/2"
POSITION = "8/8/8/8/8/8/8/K1k5 w - -"
SHORT_DRAW: Row = {"result": DRAW, "month": 5, "day": 6}
TELLING: Row = {"moves": f"{ITALIAN} {' '.join(f'N{ply}' for ply in range(7, 41))}", "month": 5, "day": 6}
SAME: list[tuple[str, Row, Row]] = [
    ("other spelling, less of the date", {"month": 5, "day": 6}, {"white": "Adler, N", "black": "Brandt, O", "month": 5}),
    ("a name missing", {}, {"white": "?"}),
    ("no date at all", {"month": 5, "day": 6}, {"year": None}),
    ("another event, another round", {"round": "5"}, {"event": "Dunn Memorial", "round": "1"}),
    ("the round of one is unknown", {"round": "5"}, {"round": "?"}),
    ("the board of one is unknown", {"round": "5.2"}, {"round": "5"}),
    ("opposite results", {}, {"result": "0-1"}),
    ("one is truncated", {}, {"status": "truncated"}),
    ("the day of one round differs", {"round": "5", "month": 5, "day": 6}, {"round": "5", "month": 5, "day": 8}),
    ("six days over the New Year", {"round": "5", "month": 12, "day": 29}, {"round": "5", "year": 2002, "month": 1, "day": 4}),
    ("day and month swapped", {"round": "5", "month": 5, "day": 6}, {"round": "5", "month": 6, "day": 5}),
    ("a slip in the year", {"round": "5", "month": 5, "day": 6}, {"round": "5", "month": 5, "day": 6, "year": 2011}),
    ("a long game a year off", {**TELLING, "round": "5"}, {**TELLING, "round": "5", "year": 2002}),
    ("two digits of the year swapped", {"round": "5", "month": 5, "day": 6}, {"round": "5", "month": 5, "day": 6, "year": 2010}),
    (
        "a drawn round on two days",
        {"result": DRAW, "round": "5", "month": 5, "day": 6},
        {"result": DRAW, "round": "5", "month": 5, "day": 7, "event": "Pokal"},
    ),
    ("a short draw, more of the date", {"result": DRAW, "round": "5", "month": 5, "day": 6}, {"result": DRAW, "round": "5"}),
    ("a short draw of one day", {"result": DRAW, "month": 5, "day": 6}, {"result": DRAW, "month": 5, "day": 6, "event": "Gala"}),
    ("a short draw of one round", {"result": DRAW, "round": "5"}, {"result": DRAW, "round": "5", "event": "Gala"}),
    ("a long game, another event, dates near", {**TELLING, "round": "5"}, {**TELLING, "round": "5", "event": "Gala", "day": 9}),
    ("a long game without rounds", TELLING, {**TELLING, "day": 9}),
    ("other counters in the start position", {"start_fen": f"{POSITION} 0 1"}, {"start_fen": f"{POSITION} 5 7"}),
    ("a long game of nobody known", TELLING, {**TELLING, "white": "?", "black": "?"}),
]
APART: list[tuple[str, Row, Row]] = [
    ("two rounds of one event", {"round": "5"}, {"round": "6"}),
    ("two boards of one round", {"round": "5.1"}, {"round": "5.2"}),
    ("two rounds, the case of the event differs", {"round": "5"}, {"round": "6", "event": "CUP "}),
    ("two rounds, the event in another language", {"round": "5"}, {"round": "6", "event": "Pokal Lodz 2001"}),
    ("two rounds in words", {"round": "final"}, {"round": "semifinal"}),
    ("other players", {}, {"white": COLE, "black": DUNN}),
    ("another White", {}, {"white": COLE}),
    ("another given name", {}, {"white": "Adler, Olga"}),
    ("two years", {}, {"year": 2002}),
    ("two days", {"month": 5, "day": 6}, {"month": 5, "day": 7}),
    ("other moves", {}, {"moves": ENGLISH}),
    ("another start", {}, {"start_fen": "8/8/8/8/8/8/8/K1k5 w - - 0 1"}),
    ("White and Black swapped", {}, {"white": BRANDT, "black": ADLER}),
    ("one round a week later", {"round": "5", "month": 5, "day": 6}, {"round": "5", "month": 5, "day": 13}),
    ("one round in other months", {"round": "5", "month": 5, "day": 6}, {"round": "5", "month": 7, "day": 8}),
    (
        "one round, another event, dates near",
        {"round": "5", "month": 5, "day": 6},
        {"round": "5", "month": 5, "day": 7, "event": "Gala"},
    ),
    (
        "a short win in one round of the next year",
        {"round": "5", "month": 5, "day": 6},
        {"round": "5", "month": 5, "day": 6, "year": 2002},
    ),
    ("two rounds on near days", {"round": "5", "month": 5, "day": 6}, {"round": "6", "month": 5, "day": 7}),
    ("two rounds of a long game", {**TELLING, "round": "5"}, {**TELLING, "round": "6", "day": 9}),
    ("a long game, other events without rounds", TELLING, {**TELLING, "event": "Gala", "day": 9}),
    ("a short draw again a year later", {**SHORT_DRAW, "round": "5"}, {**SHORT_DRAW, "round": "5", "year": 2002}),
    ("a short draw again the next day", SHORT_DRAW, {**SHORT_DRAW, "day": 7}),
    ("a short draw in the rounds of two events", {"result": DRAW, "round": "5"}, {"result": DRAW, "round": "6", "event": "Gala"}),
    ("a short draw in two events", {"result": DRAW}, {"result": DRAW, "event": "Gala"}),
    ("a short game of nobody known", {}, {"white": "?", "black": "?"}),
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


LONG = TELLING["moves"]
OTHER = LONG.replace("N40", "N41")
FULL, ROUND, UNDATED = {"moves": LONG}, {"round": "3"}, {"year": None}


def _cut(n_plies: int = 30, **changes: Any) -> Row:
    """What a truncated copy of the game LONG says, broken off after `n_plies`."""
    return {"moves": " ".join(LONG.split()[:n_plies]), "status": "truncated", **changes}


def _short(n_plies: int = 30, **changes: Any) -> Row:
    """A clean game that has no more than the first `n_plies` of LONG."""
    return _cut(n_plies, **{"status": "clean", **changes})


WHOLE_AND_CUT: list[tuple[Row, Row, int]] = [
    ({}, _cut(), 1),
    ({}, _cut(white="Adler, N", black="Brandt"), 1),
    ({"white": "Adler, N"}, _cut(), 1),
    ({}, _cut(result="*"), 1),
    ({}, _cut(event="Cup (Lodz)", **ROUND), 1),
    (ROUND, _cut(), 1),
    ({"month": 5, "day": 6}, _cut(**UNDATED), 1),
    # a short beginning proves nothing, unless it is the same round of the same event
    ({}, _cut(29), 2),
    (ROUND, _cut(2, **ROUND), 1),
    ({"round": "3.1"}, _cut(2, round="3.1", event=" CUP"), 1),
    ({"round": "3.1"}, _cut(2, **ROUND), 2),
    (ROUND, _cut(2, event="Cup B", **ROUND), 2),
    ({"round": "?"}, _cut(2, round="?"), 2),
    ({"event": None, **ROUND}, _cut(2, event=None, **ROUND), 2),
    # what contradicts the whole game
    (ROUND, _cut(round="4"), 2),
    ({"round": "3.1"}, _cut(round="3.2"), 2),
    ({}, _cut(year=2002), 2),
    ({"month": 5}, _cut(month=6), 2),
    ({"month": 5, "day": 6}, _cut(month=5, day=7), 2),
    ({}, _cut(white="Adler, Olga"), 2),
    ({}, _cut(white=BRANDT, black=ADLER), 2),
    ({}, _cut(start_fen="8/8/8/8/8/8/8/K1k5 w - - 0 1"), 2),
    ({}, _cut(variant="chess960"), 2),
    ({"moves": f"{QUEENS} {LONG}"}, _cut(), 2),
    ({"moves": LONG.replace("N30", "N301")}, _cut(), 2),
    # both players are known on both sides
    ({}, _cut(white="?", **ROUND), 2),
    ({"black": "?", **ROUND}, _cut(**ROUND), 2),
    # of two that are truncated, the longer one is the whole game
    (_cut(35), _cut(), 1),
]
DAY = {"month": 5, "day": 6}
WHOLE_AND_SHORTER: list[tuple[Row, Row, int]] = [
    # the same round or day of the same event, the same result: the last moves are missing
    (ROUND, _short(**ROUND), 1),
    (ROUND, _short(20, **ROUND), 1),
    (DAY, _short(**DAY), 1),
    (ROUND, _short(event="Pokal 2001", site="Lodz POL", **ROUND), 1),
    (ROUND, _short(white="Adler, N", black="Brandt", **ROUND), 1),
    ({**ROUND, **DAY}, _short(**ROUND), 1),
    ({**ROUND, **DAY}, _short(**DAY), 1),
    (ROUND, _short(result="*", **ROUND), 1),
    ({**ROUND, "speed": "blitz"}, _short(speed="blitz", **ROUND), 1),
    (ROUND, _short(4, **ROUND), 1),
    (ROUND, _short(4, event="Pokal 2001", site="Lodz POL", **ROUND), 1),
    # one pairing with two results: a conflict
    (ROUND, _short(result="0-1", **ROUND), 1),
    ({**ROUND, "result": "*"}, _short(**ROUND), 1),
    # too little speaks for it
    ({}, _short(), 2),
    (ROUND, _short(), 2),
    (ROUND, _short(event="Gala", **ROUND), 2),
    (ROUND, _short(event=None, **ROUND), 2),
    (ROUND, _short(white="?", **ROUND), 2),
    ({**DAY, "speed": "blitz"}, _short(speed="blitz", **DAY), 2),
    (DAY, _short(19, **DAY), 2),
    (ROUND, _short(19, white="Adler", **ROUND), 2),
    ({**ROUND, "event": "Match"}, _short(19, event="Match", **ROUND), 2),
    # something speaks against it
    (ROUND, _short(round="4"), 2),
    ({"round": "3.1"}, _short(round="3.2"), 2),
    ({**ROUND, **DAY}, _short(round="4", **DAY), 2),
    ({**ROUND, **DAY}, _short(month=5, day=7, **ROUND), 2),
    (ROUND, _short(year=2002, **ROUND), 2),
    (ROUND, _short(site="Rome", **ROUND), 2),
    (ROUND, _short(white=BRANDT, black=ADLER, **ROUND), 2),
    (ROUND, _short(white="Adler, Olga", **ROUND), 2),
    (ROUND, _short(moves=LONG.replace("N29 N30", "N29 N99").rsplit(" N31", 1)[0], **ROUND), 2),
    (ROUND, _short(start_fen="8/8/8/8/8/8/8/K1k5 w - - 0 1", **ROUND), 2),
]
SEVERAL: list[tuple[list[Row], list[int]]] = [
    # a clean game that is shorter: two longer ones, several shorter ones
    ([{**FULL, **ROUND}, {"moves": OTHER, **ROUND}, _short(**ROUND)], [1, 1, 1]),
    ([{**FULL, **ROUND}, _short(35, **ROUND), _short(**ROUND), _cut(32, **ROUND)], [4, 4, 4, 4]),
    # what fits two whole games stays apart from both: two scores, two rounds, two days
    ([FULL, {"moves": OTHER}, _cut()], [1, 1, 1]),
    ([{**FULL, **ROUND}, {**FULL, "round": "4"}, _cut()], [1, 1, 1]),
    ([{**FULL, "month": 5, "day": 6}, {**FULL, "month": 5, "day": 16}, _cut()], [1, 1, 1]),
    # … and does not when one of the two contradicts it
    ([FULL, {"moves": OTHER, "year": 2002}, _cut()], [2, 1, 2]),
    ([{**FULL, **ROUND}, {"moves": OTHER, "round": "4"}, _cut(**ROUND)], [2, 1, 2]),
    # copies of the whole game, and of the truncated one, come along
    ([FULL, {**FULL, "white": "?"}, _cut(), _cut(black="?")], [4, 4, 4, 4]),
    ([FULL, _cut(35), _cut(), _cut(32, white="Adler, N")], [4, 4, 4, 4]),
    ([FULL, _cut(35), {"moves": OTHER}, _cut()], [1, 1, 1, 1]),
    # truncated games that contradict one another, each of which fits the whole one
    ([FULL, _cut(**ROUND), _cut(31, round="4")], [1, 1, 1]),
    ([FULL, _cut(round="3.1"), _cut(31, round="3.2")], [1, 1, 1]),
    ([{**FULL, **UNDATED}, _cut(), _cut(31, year=2002)], [1, 1, 1]),
    ([{**FULL, "white": "Adler, N"}, _cut(), _cut(31, white="Adler, Nina")], [1, 1, 1]),
    # a clean copy says that the score ends there
    ([FULL, _cut(), _cut(status="clean")], [1, 2, 2]),
]


def _begun_apart(games: Iterable[Row], number: int) -> list[Row]:
    """The games of one case, with a first move that no other case of the same lake has."""
    return [_copy({**g, "moves": g.get("moves", LONG).replace("e4", f"M{number}", 1)}) for g in games]


@pytest.fixture(scope="module")
def cuts(tmp_path_factory: pytest.TempPathFactory) -> duckdb.DuckDBPyConnection:
    """One lake of all pairs: the truncated games, which have more marks, and the whole ones."""
    marks = {"nags": {1: [1], 2: [4]}}
    pairs = [_begun_apart([{**cut, **marks}, whole], number) for number, (whole, cut, _) in enumerate(WHOLE_AND_CUT)]
    return lake(tmp_path_factory.mktemp("lake"), *zip(*pairs, strict=True))


@pytest.mark.parametrize("number", range(len(WHOLE_AND_CUT)))
def test_a_truncated_game_is_a_copy_of_the_whole_one(cuts: duckdb.DuckDBPyConnection, number: int) -> None:
    ids, n = [game_id(0, number), game_id(1, number)], WHOLE_AND_CUT[number][2]
    sql = "select count(distinct cluster_id), min(rule), max(rule), max(n_copies) from duplicates where game_id in (?, ?)"
    assert rows(cuts, sql, ids) == [(1, "truncated_prefix", "truncated_prefix", 2) if n == 1 else (2, "single", "single", 1)]
    sql = "select game_id from duplicates where game_id in (?, ?) and is_chosen order by 1"
    assert rows(cuts, sql, ids) == [(i,) for i in (ids[1:] if n == 1 else sorted(ids))]


@pytest.fixture(scope="module")
def shorter(tmp_path_factory: pytest.TempPathFactory) -> duckdb.DuckDBPyConnection:
    """One lake of all pairs: the shorter games, and the whole ones."""
    pairs = [_begun_apart([short, whole], number) for number, (whole, short, _) in enumerate(WHOLE_AND_SHORTER)]
    return lake(tmp_path_factory.mktemp("lake"), *zip(*pairs, strict=True))


@pytest.mark.parametrize("number", range(len(WHOLE_AND_SHORTER)))
def test_a_clean_game_may_lack_the_last_moves_of_another(shorter: duckdb.DuckDBPyConnection, number: int) -> None:
    ids, n = [game_id(0, number), game_id(1, number)], WHOLE_AND_SHORTER[number][2]
    sql = "select rule, is_chosen, n_copies from duplicates where game_id in (?, ?) order by is_chosen"
    assert rows(shorter, sql, ids) == ([("prefix", False, 2), ("prefix", True, 2)] if n == 1 else [("single", True, 1)] * 2)
    assert n == 2 or rows(shorter, "select is_chosen from duplicates where game_id = ?", ids[1:]) == [(True,)]


@pytest.mark.parametrize(
    ("bare", "whole", "n"),
    [
        # a line of a tournament report, or of a crosstable, and the score of that game
        (ROUND, ROUND, 1),
        ({**ROUND, "event": "Pokal 2001"}, {**ROUND, **DAY}, 1),
        ({**ROUND, "result": "*"}, ROUND, 1),
        # nobody played there, or somebody else, or another game
        ({**ROUND, "termination": "forfeit"}, ROUND, 2),
        ({**ROUND, "result": "0-1"}, ROUND, 2),
        ({**ROUND, "white": BRANDT, "black": ADLER}, ROUND, 2),
        ({**ROUND, "white": "Adler, Olga"}, ROUND, 2),
        ({"round": "4"}, ROUND, 2),
        ({**ROUND, "event": "Gala"}, ROUND, 2),
        ({}, {}, 2),
    ],
)
def test_a_pairing_without_moves_is_a_copy_of_its_score(tmp_path: Path, bare: Row, whole: Row, n: int) -> None:
    with lake(tmp_path, [_copy({**bare, "moves": ""})], [_copy({**whole, "moves": LONG})]) as con:
        chosen = [game_id(1, 0)] if n == 1 else sorted([game_id(0, 0), game_id(1, 0)])
        assert rows(con, "select game_id from duplicates where is_chosen order by 1") == [(i,) for i in chosen]
        assert run_audits(con) == []


def test_a_pairing_that_two_scores_fit_stays_apart(tmp_path: Path) -> None:
    copies = [_copy({**ROUND, "moves": moves}) for moves in ("", LONG, OTHER)]
    with lake(tmp_path, copies) as con:
        assert rows(con, "select count(distinct cluster_id) from duplicates") == [(3,)]


def test_audits_find_nothing_among_shorter_copies(shorter: duckdb.DuckDBPyConnection) -> None:
    assert run_audits(shorter) == []


def test_audits_find_nothing_among_truncated_copies(cuts: duckdb.DuckDBPyConnection) -> None:
    assert run_audits(cuts) == []


@pytest.mark.parametrize("step", [1, -1], ids=["in this order", "reversed"])
def test_clusters_with_truncated_games(tmp_path: Path, step: int) -> None:
    games = [g for number, (case, _) in enumerate(SEVERAL) for g in _begun_apart(case, number)][::step]
    with lake(tmp_path, games) as con:
        found = rows(con, "select n_copies from games join duplicates using (game_id) order by game_index")[::step]
        n_copies = iter(n for (n,) in found)
        assert [[next(n_copies) for _ in case] for case, _ in SEVERAL] == [expected for _, expected in SEVERAL]
        assert run_audits(con) == []


def test_a_game_and_its_truncated_copy_are_scored_once(tmp_path: Path) -> None:
    with lake(tmp_path, [_copy(FULL)], [_copy(_cut(event="Cup B"))]) as con:
        assert rows(con, "select player, opponent, n, score from series_results order by player") == [
            (ADLER, BRANDT, 1, "1:0"),
            (BRANDT, ADLER, 1, "0:1"),
        ]
        assert rows(con, "select player, n, points from player_results order by player") == [(ADLER, 1, 1.0), (BRANDT, 1, 0.0)]
        assert rows(con, "select n_plies from games_distinct") == [(40,)]
        sql = "select differs from duplicates where not is_chosen"
        assert rows(con, sql) == [(["event", "movetext"],)]


def test_a_truncated_copy_with_another_result_is_a_conflict(tmp_path: Path) -> None:
    with lake(tmp_path, [_copy(FULL)], [_copy(_cut(result="0-1"))]) as con:
        sql = "select distinct rule, is_result_conflict, result, n_copies from duplicates"
        assert rows(con, sql) == [("truncated_prefix", True, "*", 2)]
        assert rows(con, "select distinct excluded_because from player_games") == [("result_conflict",)]


def test_a_truncated_copy_lends_its_result(tmp_path: Path) -> None:
    with lake(tmp_path, [_copy({**FULL, "result": "*"})], [_copy(_cut())]) as con:
        assert rows(con, "select game_id, result from duplicates where is_chosen") == [(game_id(0, 0), "1-0")]


def test_a_copy_says_in_what_it_differs(con: duckdb.DuckDBPyConnection) -> None:
    assert rows(con, "select differs from duplicates where game_id = ?", [game_id(1, 0)]) == [(["white", "black", "event"],)]
    assert rows(con, "select distinct differs from duplicates where is_chosen") == [([],)]


def test_what_differs_stands_beside_what_the_chosen_copy_says(tmp_path: Path) -> None:
    chosen = {"white_elo": 2400, "annotator": "Cole", "eco_written": "C50", "nags": {1: [1]}, "round": "1", "month": 5, "day": 6}
    copy = {
        "white": "Adler, N",
        "white_elo": 2395,
        "black_elo": 2300,
        "date_written": "2001.05.07",
        "round": "1",
        "month": 5,
        "day": 7,
    }
    with lake(tmp_path, [_copy(chosen)], [_copy(copy)]) as con:
        assert rows(con, "select game_id, chosen_id, field, value, chosen_value from duplicate_differences order by field") == [
            (game_id(1, 0), game_id(0, 0), *difference)
            for difference in (
                ("annotator", None, "Cole"),
                ("black_elo", "2300", None),
                ("date_written", "2001.05.07", None),
                ("eco_written", "C53", "C50"),
                ("white", "Adler, N", ADLER),
                ("white_elo", "2395", "2400"),
            )
        ]


def test_one_round_on_two_days_under_two_rounds_stays_apart(tmp_path: Path) -> None:
    """The second event says that the first and the third game are two, whatever the dates say."""
    days = [
        {"month": 5, "day": day, **TELLING_EVENT}
        for day, TELLING_EVENT in (
            (6, {"round": "5"}),
            (6, {"round": "5", "event": "Gala"}),
            (7, {"round": "6", "event": "Gala"}),
            (7, {"round": "5"}),
        )
    ]
    with lake(tmp_path, [_copy({**TELLING, **changes}) for changes in days]) as con:
        sql = "select n_copies from games join duplicates using (game_id) order by game_index"
        assert rows(con, sql) == [(2,)] * 4


def test_a_round_that_is_played_every_day_is_many_games(tmp_path: Path) -> None:
    with lake(tmp_path, [_copy({"result": DRAW, "round": "1", "month": 5, "day": day}) for day in range(1, 9)]) as con:
        assert rows(con, "select distinct rule, n_copies from duplicates") == [("single", 1)]


def test_a_short_draw_of_many_people_is_as_many_games(tmp_path: Path) -> None:
    games = [_copy({"white": f"Player{i}, Ann", "black": f"Other{i}, Bob", "result": DRAW}) for i in range(50)]
    copies = [_copy({"white": f"Player{i}, A", "black": f"Other{i}, B", "result": DRAW}) for i in range(50)]
    with lake(tmp_path, games, copies) as con:
        assert rows(con, "select count(*), count(distinct cluster_id), max(n_copies) from duplicates") == [(100, 50, 2)]


def test_a_symbol_counts_once_for_each_annotator_of_a_line(tmp_path: Path) -> None:
    """The annotator is one in any spelling; another one's sign, and another sign, count."""
    copies = [
        {"nags": {1: [1], 2: [4]}, "annotator": "Cole, Ada", "annotator_key": "ada cole"},
        {"nags": {1: [1]}, "annotator": "COLE Ada", "annotator_key": "ada cole"},
        {"nags": {1: [1, 16]}, "annotator": "Dunn", "annotator_key": "dunn"},
    ]
    with lake(tmp_path, *([_copy(c)] for c in copies)) as con:
        assert rows(con, "select annotator_key, ply, nag from symbols order by 1, 2, 3") == [
            ("ada cole", 1, 1),
            ("ada cole", 2, 4),
            ("dunn", 1, 1),
            ("dunn", 1, 16),
        ]


def test_persons_are_equal_keys_and_a_copy_lends_its_name(con: duckdb.DuckDBPyConnection) -> None:
    assert rows(con, "select name, n_names, n_games from players where name in (?, ?) order by name", [ADLER, BRANDT]) == [
        (ADLER, 2, 6),
        (BRANDT, 2, 6),
    ]
    sql = "select name, evidence, confidence from game_players where game_id = ? and color = 'w'"
    assert rows(con, sql, [game_id(0, 0)]) == [(ADLER, "key", 1.0)]
    assert rows(con, sql, [game_id(1, 0)]) == [("Adler, N", "abbreviation", 0.85)]
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
