"""Scores, symbols and corpus reports of hand-made games, against figures counted by hand."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path
from typing import Any

import duckdb
import pytest

from pipeline.catalog import BadReport, connect, load_sql, publish, reports, run_report
from tests.support_catalog import (
    ADLER,
    BRANDT,
    COLE,
    COPIES,
    CUP,
    ENGLISH,
    GIVEN,
    ITALIAN,
    ODD,
    QUEENS,
    SIGNED,
    Row,
    build,
    game,
    game_id,
    lake,
    rows,
)


@pytest.fixture(scope="module")
def con(tmp_path_factory: pytest.TempPathFactory) -> duckdb.DuckDBPyConnection:
    return lake(tmp_path_factory.mktemp("lake"), CUP, COPIES, ODD, given_results=[GIVEN])


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


def test_symbols_of_two_annotators_count_each_and_zugzwang_speaks_against_the_side_to_move(tmp_path: Path) -> None:
    games = [
        game(ADLER, BRANDT, "0-1", "e4 e5 Nf3", annotator="T", annotator_key="t", nags={2: [1, 22]}),
        game(ADLER, BRANDT, "0-1", "e4 e5 Nf3", annotator="U", annotator_key="u", nags={2: [1], 3: [6]}),
        game(ADLER, BRANDT, "*", "d4", status="truncated", nags={1: [3]}),
    ]
    with lake(tmp_path, games) as con:
        sql = "select annotator_key, ply, nag, favoured, favoured_points from symbols order by 1, 2, 3"
        assert rows(con, sql) == [("t", 2, 1, "b", 1.0), ("t", 2, 22, "b", 1.0), ("u", 2, 1, "b", 1.0), ("u", 3, 6, "b", 1.0)]
        assert rows(con, "select name, n_plies_annotated from annotation_by_player where nag = 6") == [(ADLER, 2)]


def test_mainline_holds_distinct_clean_games_only(con: duckdb.DuckDBPyConnection) -> None:
    sql = "select count(*), count(distinct game_id) from mainline"
    assert rows(con, sql) == [(6 + 6 + 4 + 4 + 2 + 2 + 2 + 2, 8)]


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
    with lake(tmp_path, ODD, source_paths=[bad, gone]) as con:
        assert rows(con, "select path, status, n_games, n_faults from source_problems") == [
            ("z.zip", "container_corrupt", None, 0)
        ]
        paths = rows(con, "select measure, n, pct from corpus_health where measure like '%path%'")
        assert paths == [("paths", 1, None), ("paths with a problem", 1, 100.0), ("unread paths", 1, 100.0)]


def test_corpus_health_counts_the_paths_that_source_problems_lists(con: duckdb.DuckDBPyConnection) -> None:
    listed = rows(con, "select count(*) from source_problems")
    assert rows(con, "select n from corpus_health where measure = 'paths with a problem'") == listed == [(1,)]


def test_corpus_health_tells_what_changed_since_the_snapshot_before(tmp_path: Path) -> None:
    sql = "select n, n_before, change from corpus_health where measure = 'games'"
    for snapshot, sources, counted in (
        (3, [CUP], (len(CUP), None, None)),
        (5, [CUP, ODD], (len(CUP) + len(ODD), len(CUP), len(ODD))),
        (5, [CUP, ODD], (len(CUP) + len(ODD), len(CUP), len(ODD))),
        (6, [ODD], (len(ODD), len(CUP) + len(ODD), -len(CUP))),
    ):
        target = tmp_path / "new.duckdb"
        publish(tmp_path, replace(build(tmp_path, *sources), snapshot=snapshot), target)
        target.replace(tmp_path / "catalog.duckdb")
        with connect(tmp_path) as con:
            assert rows(con, sql) == [counted]


def test_a_catalog_that_cannot_be_read_is_nothing_to_compare_with(tmp_path: Path) -> None:
    (tmp_path / "catalog.duckdb").write_bytes(b"no catalog")
    publish(tmp_path, build(tmp_path, CUP), tmp_path / "new.duckdb")
    (tmp_path / "new.duckdb").replace(tmp_path / "catalog.duckdb")
    with connect(tmp_path) as con:
        assert rows(con, "select count(n), count(n_before) from corpus_health") == [(19, 0)]


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
    assert [p.name for p in by_name["crosstable"].parameters] == ["event_name", "speeds", "modes"]
    assert by_name["series_results"].sql == load_sql()["series_results"].sql
    assert by_name["series_results"].purpose.startswith("How two persons scored")


def test_every_report_runs_by_name(tmp_path: Path) -> None:
    with lake(tmp_path, CUP, COPIES, ODD, SIGNED, given_results=[GIVEN]) as con:
        given = {"event_name": "Cup", "player_name": "Adler"}
        for report in reports():
            table = run_report(con, report.name, {p.name: given[p.name] for p in report.parameters if p.default is None})
            assert table.column_names == [c.name for c in report.columns]
            assert table.num_rows > 0


@pytest.mark.parametrize(
    ("name", "parameters", "message"),
    [
        ("serie_result", {}, "did you mean series_results"),
        ("nonsense!", {}, "did you mean annotation_by_annotator, annotation_by_opening"),
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
