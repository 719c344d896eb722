"""People, duplicates, scores and symbols of hand-made games, against figures counted by hand."""

from __future__ import annotations

import random
from pathlib import Path
from typing import Any

import duckdb
import pytest

from pipeline.catalog import BadReport, load_sql, reports, run_report
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


def test_a_series_counts_copies_once_and_keeps_speeds_and_forfeits_apart(con: duckdb.DuckDBPyConnection) -> None:
    """Adler: 1 (game 1), + (game 2, Black, forfeit), 0 (game 9.1, Black), ½ (game 10); `*` in game 12; 1 in a rapid game."""
    sql = """
        select speed, series, score, n, n_played, played_series, played_score, n_unplayed, n_forfeits, n_excluded,
            white_series, white_score, black_series, black_score, year_first, year_last
        from series_results where player = ? and opponent = ? order by speed
    """
    minus = "\u2212"
    adler = (f"+2{minus}1=1", "2½:1½", 4, 3, f"+1{minus}1=1", "1½:1½", 1, 1, 1, f"+1{minus}0=1", "1½:½", f"+1{minus}1=0", "1:1")
    brandt = (f"+1{minus}2=1", "1½:2½", 4, 3, f"+1{minus}1=1", "1½:1½", 1, 1, 1, f"+1{minus}1=0", "1:1", f"+0{minus}1=1", "½:1½")
    assert rows(con, sql, [ADLER, BRANDT])[0] == ("classical", *adler, 2001, 2001)
    assert rows(con, sql, [BRANDT, ADLER])[0] == ("classical", *brandt, 2001, 2001)
    assert [r[:4] for r in rows(con, sql, [ADLER, BRANDT])[1:]] == [("rapid", f"+1{minus}0=0", "1:0", 1)]


def test_a_match_runs_in_order_of_rounds_1_2_9_1_10(con: duckdb.DuckDBPyConnection) -> None:
    sql = """select game_number, round, color, cell, running_score from match_series
             where player = ? and event = 'Cup' and speed = 'classical' order by game_number"""
    assert rows(con, sql, [ADLER]) == [
        (1, "1", "w", "1", "1:0"),
        (2, "2", "b", "+", "2:0"),
        (3, "9.1", "b", "0", "2:1"),
        (4, "10", "w", "½", "2½:1½"),
        (5, "12", "w", "*", "2½:1½"),
    ]
    assert [r[3:] for r in rows(con, sql, [BRANDT])] == [("0", "0:1"), ("-", "0:2"), ("1", "1:2"), ("½", "1½:2½"), ("*", "1½:2½")]


ROUND_ROBIN = [
    game(ADLER, BRANDT, "1-0", ITALIAN, event="DRR", round="1"),
    game(BRANDT, ADLER, "1-0", QUEENS, event="DRR", round="10"),
    game(ADLER, COLE, "1/2-1/2", ITALIAN, event="DRR", round="3"),
    game(COLE, ADLER, "0-0", event="DRR", round="4", termination="forfeit"),
    game(BRANDT, COLE, "1-0", event="DRR", round="5"),
    game(COLE, BRANDT, "*", ENGLISH, event="DRR", round="6"),
    game(COLE, "BYE", "1-0", event="DRR", round="7", termination="bye"),
    game(COLE, BRANDT, "1-0", QUEENS, event="Other", round="1"),
]


@pytest.mark.parametrize("name", ["DRR", " drr", "id"])
def test_a_crosstable_is_tidy_and_takes_a_name_or_an_id(tmp_path: Path, name: str) -> None:
    with lake(tmp_path, ROUND_ROBIN) as con:
        if name == "id":
            name = rows(con, "select event_id from events where event = 'DRR'")[0][0][:8]
        sql = "select player, opponent, cells, points, n, total_points, total_n from crosstable(?)"
        assert rows(con, sql, [name]) == [
            (BRANDT, ADLER, "01", 1.0, 2, 2.0, 3),
            (BRANDT, COLE, "1*", 1.0, 1, 2.0, 3),
            (ADLER, BRANDT, "10", 1.0, 2, 1.5, 4),
            (ADLER, COLE, "½-", 0.5, 2, 1.5, 4),
            (COLE, BRANDT, "0*", 0.0, 1, 1.5, 4),
            (COLE, ADLER, "½-", 0.5, 2, 1.5, 4),
            (COLE, None, "1", 1.0, 1, 1.5, 4),
        ]


def test_points_of_a_person_count_forfeits_and_byes_but_not_as_played(tmp_path: Path) -> None:
    with lake(tmp_path, ROUND_ROBIN) as con:
        columns = "player, n, wins, losses, draws, points, n_played, n_forfeits, n_excluded"
        sql = f"select {columns} from player_results order by player"
        assert rows(con, sql) == [
            (ADLER, 4, 1, 2, 1, 1.5, 3, 1, 0),
            (BRANDT, 4, 2, 2, 0, 2.0, 3, 0, 1),
            (COLE, 5, 2, 2, 1, 2.5, 2, 1, 1),
        ]


ODDITIES: list[tuple[Row, list[tuple[Any, ...]]]] = [
    (game(ADLER, BRANDT, "1-0", "a3"), [("w", 1.0, True, True, None), ("b", 0.0, True, True, None)]),
    (game(ADLER, BRANDT, "1-0"), [("w", 1.0, True, False, None), ("b", 0.0, True, False, None)]),
    (game(ADLER, BRANDT, "0-1", "b3", termination="forfeit"), [("w", 0.0, True, False, None), ("b", 1.0, True, False, None)]),
    (game(ADLER, BRANDT, "0-0"), [("w", 0.0, True, False, None), ("b", 0.0, True, False, None)]),
    (game(ADLER, "?", "1-0", termination="bye"), [("w", 1.0, True, False, None)]),
    (game("BYE", ADLER, "1/2-1/2", termination="bye"), [("b", 0.5, True, False, None)]),
    (game(ADLER, "?", "1-0", "c3"), [("w", 1.0, True, True, None), ("b", 0.0, True, True, None)]),
    (game(ADLER, BRANDT, "*", "d3"), [(c, None, False, True, "unfinished") for c in "wb"]),
    (game(ADLER, BRANDT, "1-0", "e3", status="truncated"), [("w", 1.0, True, True, None), ("b", 0.0, True, True, None)]),
    (game(ADLER, BRANDT, "1-0", status="rejected"), [(c, None, False, None, "rejected") for c in "wb"]),
    (game(ADLER, BRANDT, "1-0", "f3", is_result_conflict=True), [(c, None, False, True, "result_conflict") for c in "wb"]),
    (game(ADLER, BRANDT, "1-0", "g3", kind="problem"), [(c, None, False, True, "problem") for c in "wb"]),
]
"""A game (of moves that no other has) and its sides in player_games: color, points, is_scored, is_played, excluded_because."""


@pytest.fixture(scope="module")
def oddities(tmp_path_factory: pytest.TempPathFactory) -> duckdb.DuckDBPyConnection:
    return lake(tmp_path_factory.mktemp("lake"), *([odd] for odd, _ in ODDITIES))


@pytest.mark.parametrize("number", range(len(ODDITIES)))
def test_what_is_scored_and_what_is_played(oddities: duckdb.DuckDBPyConnection, number: int) -> None:
    sql = "select color, points, is_scored, is_played, excluded_because from player_games where game_id = ? order by color desc"
    assert rows(oddities, sql, [game_id(number, 0)]) == ODDITIES[number][1]


def test_symbols_count_once_over_copies_and_know_whom_they_favour(con: duckdb.DuckDBPyConnection) -> None:
    """`!` after White's first move stands in both copies of game 1; `?` and `±` after Black's third in one. White won."""
    columns = "game_id, ply, nag, mover_color, favoured, favoured_points, name"
    assert rows(con, f"select {columns} from symbols left join players using (player_id) order by ply, nag") == [
        (game_id(0, 0), 1, 1, "w", "w", 1.0, ADLER),
        (game_id(0, 0), 6, 2, "b", "w", 1.0, BRANDT),
        (game_id(0, 0), 6, 16, "b", "w", 1.0, BRANDT),
    ]
    assert rows(con, "select nag, symbol, n, n_games, per_1000_plies, n_plies_annotated from annotation_symbols") == [
        (1, "!", 1, 1, 166.67, 6),
        (2, "?", 1, 1, 166.67, 6),
        (16, "±", 1, 1, 166.67, 6),
    ]
    assert rows(con, "select name, nag, n, per_1000_plies, n_plies_annotated from annotation_by_player") == [
        (ADLER, 1, 1, 333.33, 3),
        (BRANDT, 2, 1, 333.33, 3),
        (BRANDT, 16, 1, 333.33, 3),
    ]


def test_symbols_of_two_annotators_count_each_and_a_family_sign_favours_nobody(tmp_path: Path) -> None:
    games = [
        game(ADLER, BRANDT, "0-1", "e4 e5 Nf3", annotator="T", annotator_key="t", nags={2: [1, 22]}),
        game(ADLER, BRANDT, "0-1", "e4 e5 Nf3", annotator="U", annotator_key="u", nags={2: [1], 3: [6]}),
        game(ADLER, BRANDT, "*", "d4", status="truncated", nags={1: [3]}),
    ]
    with lake(tmp_path, games) as con:
        sql = "select annotator_key, ply, nag, favoured, favoured_points from symbols order by 1, 2, 3"
        assert rows(con, sql) == [("t", 2, 1, "b", 1.0), ("t", 2, 22, None, None), ("u", 2, 1, "b", 1.0), ("u", 3, 6, "b", 1.0)]
        assert rows(con, "select name, n_plies_annotated from annotation_by_player where nag = 6") == [(ADLER, 2)]


def test_mainline_holds_distinct_clean_games_only(con: duckdb.DuckDBPyConnection) -> None:
    sql = "select count(*), count(distinct game_id) from mainline"
    assert rows(con, sql) == [(6 + 6 + 4 + 4 + 2 + 2 + 2 + 2, 8)]


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


def test_a_copy_without_a_name_has_the_person_of_the_other(tmp_path: Path) -> None:
    with lake(tmp_path, [_copy({"white": "?", "nags": {1: [1]}})], [_copy({})]) as con:
        assert rows(con, "select is_chosen from duplicates where game_id = ?", [game_id(0, 0)]) == [(True,)]
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


def test_corpus_reports_add_up(con: duckdb.DuckDBPyConnection) -> None:
    health = dict(rows(con, "select measure, n from corpus_health"))
    assert (health["games"], health["clean games"], health["truncated games"], health["rejected games"]) == (16, 14, 1, 1)
    assert (health["distinct games"], health["conflicting results"], health["symbols"]) == (13, 1, 4)
    assert health["bytes"] == 1603 == health["bytes of clean games"] + health["bytes in quarantine"] + health["bytes of filler"]
    assert rows(con, "select reason_code, n, n_open, n_sources, n_bytes from quarantine_reasons") == [
        ("illegal_move", 2, 2, 1, 200)
    ]
    assert rows(con, "select path, n_truncated, n_rejected, n_faults, main_fault, quarantined_pct from source_problems") == [
        ("2.pgn", 1, 1, 2, "illegal_move", 25.0)
    ]
    assert rows(con, "select notation, language, n_games, n_clean from notation_mix") == [
        ("san", "en", 11, 10),
        (None, None, 5, 4),
    ]


def test_a_path_that_could_not_be_read_is_a_problem(tmp_path: Path) -> None:
    bad = {"collection": "games", "path": "z.zip", "status": "container_corrupt", "n_bytes": 5}
    gone = {**bad, "path": "gone.zip", "removed_at": "2001-01-01T00:00:00Z"}
    with lake(tmp_path, source_paths=[bad, gone]) as con:
        assert rows(con, "select path, status, n_games, n_faults from source_problems") == [
            ("z.zip", "container_corrupt", None, 0)
        ]


def test_reports_are_listed_with_purpose_parameters_and_sql() -> None:
    by_name = {r.name: r for r in reports()}
    assert list(by_name) == sorted(by_name)
    assert {
        "annotation_symbols",
        "annotation_by_player",
        "series_results",
        "match_series",
        "crosstable",
        "player_results",
    } <= set(by_name)
    assert {"corpus_health", "quarantine_reasons", "notation_mix", "source_problems"} <= set(by_name)
    assert [p.name for p in by_name["crosstable"].parameters] == ["event_name"]
    assert by_name["series_results"].sql == load_sql()["series_results"].sql
    assert by_name["series_results"].purpose.startswith("How two persons scored")


def test_every_report_runs_by_name(con: duckdb.DuckDBPyConnection) -> None:
    for report in reports():
        table = run_report(con, report.name, dict.fromkeys((p.name for p in report.parameters), "Cup"))
        assert table.column_names == [c.name for c in report.columns]
        assert table.num_rows > 0


@pytest.mark.parametrize(
    ("name", "parameters", "message"),
    [
        ("serie_result", {}, "did you mean series_results"),
        ("nonsense!", {}, "did you mean annotation_by_player, annotation_symbols"),
        ("crosstable", {}, "crosstable needs event_name. Its parameters: event_name: Name of the event"),
        ("crosstable", {"event": "Cup"}, "needs event_name and has no parameter event"),
        ("corpus_health", {"x": 1}, "corpus_health has no parameter x. Its parameters: none"),
    ],
)
def test_a_wrong_report_or_parameter_is_explained(
    con: duckdb.DuckDBPyConnection, name: str, parameters: dict[str, Any], message: str
) -> None:
    with pytest.raises(BadReport, match=message):
        run_report(con, name, parameters)
