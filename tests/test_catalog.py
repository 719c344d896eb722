"""The catalog of a snapshot: every view of the contract, comments, corrections, moved lakes, and what queries do not pay for."""

from __future__ import annotations

import re
import shutil
from datetime import date, datetime
from pathlib import Path

import duckdb
import pytest

from pipeline.catalog import CatalogInput, connect, publish
from tests.support_catalog import ADLER, BRANDT, COPIES, CUP, ITALIAN, ODD, RUN, build, digest, game, game_id, lake, rows

CONTRACT = {
    "sources": "source_id, collection, path, container_id, n_bytes, extractor, encoding, encoding_runner_up, encoding_margin,"
    " n_games, n_clean, n_truncated, n_rejected, n_plies, n_bytes_games, n_bytes_quarantined, n_bytes_filler, results_version",
    "source_paths": "source_id, collection, path, absolute_path, n_bytes, status, removed_at",
    "spans": "source_id, byte_start, byte_end, kind",
    "games": "game_id, source_id, byte_start, byte_end, game_index, text_id, content_id, status, kind, notation, language,"
    " language_candidates, encoding, alphabet, dialect_evidence, event_id, event, site, round, round_major, round_minor,"
    " date_written, year, month, day, date, white, black, white_key, black_key, white_elo, black_elo, white_title, black_title,"
    " white_fide_id, black_fide_id, eco_written, eco, opening, result, result_tag, result_movetext, result_board,"
    " is_result_conflict, termination, time_control_written, base_seconds, increment_seconds, speed, mode, annotator,"
    " annotator_key, variant, start_fen, first_move_number, n_plies, movetext, comment, tags",
    "tag_pairs": "game_id, ordinal, name, value",
    "plies": "game_id, variation, ply, move_number, color, san, uci, written, nags, comment_before, comment, clock_seconds,"
    " eval_cp, eval_mate, decided_by",
    "variations": "game_id, variation, parent_variation, branch_ply, depth, comment",
    "annotations": "game_id, variation, ply, mover_color, nag, glyph, side, line_id",
    "nags": "nag, symbol, kind, favours, meaning",
    "issues": "issue_id, source_id, game_id, code, severity, variation, ply, byte_offset, byte_end, line, column, written,"
    " detail, candidates",
    "quarantine": "quarantine_id, source_id, game_id, text_id, byte_start, byte_end, reason_code, detail, raw, state",
    "players": "player_id, name",
    "game_players": "game_id, color, player_id, evidence, confidence",
    "player_names": "name, player_id, n_games",
    "events": "event_id, event, site, date_first, date_last, kind, n_games, n_players",
    "duplicates": "cluster_id, game_id, is_chosen, rule, differs, is_result_conflict",
    "games_distinct": "game_id, white, black, result",
    "corrections": "text_id, field, value, because, author, made_at",
    "runs": "run_id, started_at, finished_at, state, exit_code, version, arguments, snapshot_before, snapshot_after, n_new,"
    " n_replaced, n_skipped, n_failed",
    "about": "snapshot, published_at, version",
    "mainline": "game_id, ply, san, nags",
    "symbols": "game_id, cluster_id, ply, nag, symbol, kind, favoured, favoured_points, player_id, annotator_key, eco, year",
    "player_games": "game_id, cluster_id, event_id, color, player_id, opponent_id, elo, opponent_elo, points, is_scored,"
    " is_played, excluded_because",
}
"""Views and columns of docs/rules.md §4."""
DERIVED = {
    "annotated_games",
    "annotators",
    "copy_candidates",
    "copy_names",
    "duplicates",
    "evaluated_moves",
    "event_links",
    "event_stretches",
    "event_systems",
    "events",
    "game_events",
    "game_players",
    "game_stretches",
    "likely_beginnings",
    "match_series",
    "near_dates",
    "pairings",
    "player_names",
    "player_results",
    "players",
    "playoff_games",
    "published_games",
    "published_results",
    "same_scores",
    "series_results",
    "shorter_scores",
    "symbols",
}


@pytest.fixture(scope="module", params=["empty lake", "small lake"])
def con(request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory) -> duckdb.DuckDBPyConnection:
    root = tmp_path_factory.mktemp("lake")
    return lake(root) if request.param == "empty lake" else lake(root, CUP, COPIES, ODD, runs=[RUN])


@pytest.mark.parametrize("view", CONTRACT)
def test_a_view_has_the_columns_of_the_contract_with_or_without_rows(con: duckdb.DuckDBPyConnection, view: str) -> None:
    found = [name for name, *_ in con.execute(f"describe {view}").fetchall()]
    wanted = CONTRACT[view].split(", ")
    assert [name for name in found if name in wanted] == sorted(wanted, key=found.index)
    assert set(wanted) <= set(found)
    con.execute(f"select * from {view}").fetchall()


def test_numbers_are_signed_and_wide_enough_to_subtract(con: duckdb.DuckDBPyConnection) -> None:
    types = con.execute("select distinct data_type from duckdb_columns() where database_name = 'lake'").fetchall()
    assert [t for (t,) in types if t.startswith("U") or "TINYINT" in t] == []


def test_every_object_and_column_has_a_comment(con: duckdb.DuckDBPyConnection) -> None:
    missing = con.execute("""
        select table_name || '.' || column_name from duckdb_columns() where database_name = 'lake' and comment is null
        union all select view_name from duckdb_views() where database_name = 'lake' and not internal and comment is null
        union all select table_name from duckdb_tables() where database_name = 'lake' and comment is null
        union all select function_name from duckdb_functions() where database_name = 'lake' and not internal and comment is null
    """).fetchall()
    assert missing == []


def test_derived_tables_are_stored_and_say_their_snapshot(con: duckdb.DuckDBPyConnection) -> None:
    stored = con.execute("select table_name from duckdb_tables() where schema_name = 'main'").fetchall()
    assert {name for (name,) in stored} == DERIVED
    for name in DERIVED:
        assert {s for (s,) in con.execute(f"select as_of_snapshot from {name}").fetchall()} <= {7}


def test_about_names_the_snapshot(con: duckdb.DuckDBPyConnection) -> None:
    [(snapshot, published_at, version)] = con.execute("select snapshot, published_at, version from about").fetchall()
    assert (snapshot, version) == (7, "0.1.0")
    assert isinstance(published_at, datetime)


def test_a_moved_lake_is_read_through_the_variable_or_a_session(tmp_path: Path) -> None:
    lake(tmp_path / "before", CUP).close()
    shutil.move(tmp_path / "before", tmp_path / "it's after")
    with duckdb.connect(tmp_path / "it's after" / "catalog.duckdb", read_only=True) as con:
        with pytest.raises(duckdb.IOException):
            con.execute("from games").fetchall()
        con.execute("set variable notatio_lake = ?", [str(tmp_path / "it's after")])
        assert con.execute("select count(*) from games").fetchone() == (6,)
    with connect(tmp_path / "it's after") as session:
        assert session.execute("select count(*) from games").fetchone() == (6,)


def test_the_catalog_is_one_file_and_the_target_must_be_new(tmp_path: Path) -> None:
    data = build(tmp_path, CUP)
    publish(tmp_path, data, tmp_path / "new.duckdb")
    assert sorted(p.name for p in tmp_path.iterdir()) == ["data", "new.duckdb"]
    with pytest.raises(duckdb.Error):
        publish(tmp_path, data, tmp_path / "new.duckdb")


def test_several_files_of_a_table_are_one_view(tmp_path: Path) -> None:
    data = build(tmp_path, CUP)
    shutil.copy(tmp_path / "data" / "spans-1.parquet", tmp_path / "data" / "spans-2.parquet")
    files = {**data.files, "spans": ["data/spans-1.parquet", "data/spans-2.parquet"]}
    publish(tmp_path, CatalogInput(snapshot=1, files=files, version="0"), tmp_path / "catalog.duckdb")
    with connect(tmp_path) as con:
        assert con.execute("select count(*) from spans").fetchone() == (14,)


def test_a_registry_takes_iso_times_and_lists_and_missing_values(tmp_path: Path) -> None:
    with lake(tmp_path, CUP, runs=[RUN, {"run_id": "r2"}]) as con:
        assert rows(con, "select run_id, started_at, finished_at, arguments, n_new, state from runs order by run_id") == [
            ("r1", datetime(2001, 5, 6, 8), datetime(2001, 5, 6, 8, 0, 5), '["ingest", "games"]', 3, "done"),
            ("r2", None, None, None, None, None),
        ]


def test_a_source_shows_its_first_live_path(tmp_path: Path) -> None:
    path = {"source_id": digest("source 0"), "status": "ok"}
    paths = [
        {**path, "collection": "b", "path": "b.pgn"},
        {**path, "collection": "z", "path": "a.pgn", "removed_at": "2001-05-06T00:00:00Z"},
        {**path, "collection": "c", "path": "b.pgn"},
        {**path, "source_id": None, "collection": "c", "path": "a.pgn", "status": "read_error"},
    ]
    with lake(tmp_path, CUP, source_paths=paths) as con:
        assert rows(con, "select collection, path from sources") == [("b", "b.pgn")]


@pytest.mark.parametrize(
    ("parts", "expected"),
    [
        ([(0, 0)], [1, 2, 1]),
        ([(0, 0), (1, 2)], [1, 2, 3]),
        ([(1, 40), (0, 0)], [1, 2, 41]),
    ],
)
def test_a_game_is_numbered_over_the_parts_of_its_source(
    tmp_path: Path, parts: list[tuple[int, int]], expected: list[int]
) -> None:
    games = [
        game(ADLER, BRANDT, "*", "e4"),
        game(ADLER, BRANDT, "*", "d4"),
        game(ADLER, BRANDT, "*", "c4", part=1, index_in_part=0),
    ]
    registry = [{"source_id": digest("source 0"), "part": part, "first_game_index": first} for part, first in parts]
    with lake(tmp_path, games, [game(ADLER, BRANDT, "*")], parts=registry) as con:
        found = rows(con, "select game_index from games order by source_id = ? desc, byte_start", [digest("source 0")])
    assert [n for (n,) in found] == [*expected, 1]


def test_a_repeated_tag_keeps_its_first_value_in_tags_and_all_in_tag_pairs(tmp_path: Path) -> None:
    tags = [("White", "Adler"), ("ECO", "C50"), ("White", "Brandt"), ("white", "Cole")]
    with lake(tmp_path, [game(ADLER, BRANDT, "*", tags=tags), game(ADLER, BRANDT, "*", tags=[("A", "")])]) as con:
        assert rows(con, "select tags from games order by game_index") == [
            ({"White": "Adler", "ECO": "C50", "white": "Cole"},),
            ({"A": ""},),
        ]
        assert rows(con, "select ordinal, name, value from tag_pairs where game_id = ? order by 1", [game_id(0, 0)]) == [
            (number, *pair) for number, pair in enumerate(tags, 1)
        ]


@pytest.mark.parametrize(
    ("field", "value", "expected"),
    [
        ("white", "Brandt, Otto", {"white": "Brandt, Otto", "white_key": "brandt otto", "black": BRANDT}),
        ("white", "?", {"white": "?", "white_key": None}),
        ("result", "0-1", {"result": "0-1", "is_result_conflict": False}),
        ("date", "2002.03.??", {"date_written": "2002.03.??", "year": 2002, "month": 3, "day": None, "date": None}),
        ("date", "2002.03.04", {"year": 2002, "month": 3, "day": 4, "date": date(2002, 3, 4)}),
        ("date", "2002.02.30", {"year": 2002, "month": 2, "day": 30, "date": None}),
        ("round", "9.2", {"round": "9.2", "round_major": 9, "round_minor": 2}),
        ("round", "", {"round": None, "round_major": None, "round_minor": None}),
        ("white_elo", "2600", {"white_elo": 2600, "black_elo": None}),
        ("event", "It's the Cup", {"event": "It's the Cup", "site": "Lodz"}),
    ],
)
def test_a_correction_changes_its_field_and_what_follows_from_it(
    tmp_path: Path, field: str, value: str, expected: dict[str, object]
) -> None:
    games = [game(ADLER, BRANDT, "1-0", ITALIAN, round="1", is_result_conflict=True), game(ADLER, BRANDT, "1-0", round="2")]
    fix = {"text_id": digest(f"text {digest('source 0')}:0"), "field": field, "value": value, "because": "seen", "author": "me"}
    with lake(tmp_path, games, corrections=[fix]) as con:
        columns = ", ".join(expected)
        assert rows(con, f"select {columns} from games where game_index = 1") == [tuple(expected.values())]
        assert rows(con, "select white, result, round, event from games where game_index = 2") == [(ADLER, "1-0", "2", "Cup")]
        assert rows(con, "select field, value, because, author from corrections") == [(field, value, "seen", "me")]


def test_players_and_results_of_all_games_cost_no_join_window_or_map(tmp_path: Path) -> None:
    with lake(tmp_path, CUP) as con:
        plan = "\n".join(text for _, text in con.execute("explain select white, result from games").fetchall())
        assert "PARQUET" in plan.upper()
        for operator in ("JOIN", "WINDOW", "UNNEST", "AGGREGATE", "map", "md5", "tag_names", "source_id"):
            assert operator not in plan


def test_publishing_tells_the_seconds_of_each_object(tmp_path: Path, caplog: pytest.LogCaptureFixture) -> None:
    with caplog.at_level("DEBUG", "pipeline.catalog.publish"):
        publish(tmp_path, build(tmp_path, CUP), tmp_path / "catalog.duckdb")
    told = [record.getMessage() for record in caplog.records if record.name == "pipeline.catalog.publish"]
    assert [line for line in told if not re.fullmatch(r"\w+ \d+\.\d{3} s", line)] == []
    assert {line.split()[0] for line in told} >= {"duplicates", "players", "series_results"}
