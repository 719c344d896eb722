"""Every file of sql/ keeps the promises of its header, and every audit finds what it looks for."""

from __future__ import annotations

import re
import shutil
from pathlib import Path

import duckdb
import pytest

from pipeline.catalog import BadSqlFile, SqlFile, audits, load_sql, run_audits, sql_root
from pipeline.catalog.files import doc, read_sql, references
from tests.support_catalog import COPIES, CUP, GIVEN, ODD, RUN, SIGNED, lake

FILES = load_sql()
QUERIES = [f for f in FILES.values() if f.kind != "macros"]
PARAMETERS = {
    "crosstable": "('Cup')",
    "section_games": "('Cup')",
    "counted_games": "('Cup')",
    "counted_rounds": "('Cup')",
    "chosen_scheme": "('classical')",
    "opening_tree": "()",
    "series": "('Adler')",
    "standings": "('Cup')",
}


@pytest.fixture(scope="module")
def root(tmp_path_factory: pytest.TempPathFactory) -> Path:
    root = tmp_path_factory.mktemp("lake")
    lake(root, CUP, COPIES, ODD, SIGNED, runs=[RUN], given_results=[GIVEN]).close()
    return root


@pytest.fixture(scope="module")
def con(root: Path) -> duckdb.DuckDBPyConnection:
    return duckdb.connect(root / "catalog.duckdb", read_only=True)


def relation(file: SqlFile) -> str:
    return f"({file.sql})" if file.kind == "audits" else file.name + PARAMETERS.get(file.name, "")


@pytest.mark.parametrize("file", QUERIES, ids=lambda f: f.name)
def test_the_header_names_the_columns_and_types_that_the_query_returns(con: duckdb.DuckDBPyConnection, file: SqlFile) -> None:
    described = con.execute(f"describe from {relation(file)}").fetchall()
    assert [(c.name, c.type) for c in file.columns] == [(name, type_) for name, type_, *_ in described]


@pytest.mark.parametrize("file", [f for f in QUERIES if f.kind != "audits"], ids=lambda f: f.name)
def test_the_grain_identifies_a_row(con: duckdb.DuckDBPyConnection, file: SqlFile) -> None:
    key = ", ".join(file.grain)
    assert key
    assert con.execute(f"select {key} from {relation(file)} group by {key} having count(*) > 1").fetchall() == []


@pytest.mark.parametrize("file", [f for f in FILES.values() if f.kind == "reports"], ids=lambda f: f.name)
def test_a_report_has_rows_a_total_order_and_an_n(con: duckdb.DuckDBPyConnection, file: SqlFile) -> None:
    assert con.execute(f"select count(*) from {relation(file)}").fetchone() != (0,)
    order = file.sql.rsplit("order by", 1)[1]
    ties = set(file.grain) - set(re.findall(r"\w+", order))
    ties -= {"measure", "game_number"} if "ordinal" in order or "game_number" in order else set()
    assert ties == set()
    assert any(c.name == "n" or c.name.startswith(("n_", "running_")) for c in file.columns)


@pytest.mark.parametrize("file", FILES.values(), ids=lambda f: f.name)
def test_every_description_is_a_sentence_and_pointers_lead_somewhere(file: SqlFile) -> None:
    for text in (file.purpose, *(doc(file, c) for c in file.columns), *(p.doc for p in file.parameters)):
        assert re.fullmatch(r"\S.{3,}[.…]", text), text


def test_an_explicit_list_of_columns_ends_every_query() -> None:
    assert [f.name for f in QUERIES if re.search(r"\nselect\s+(\*|\w+\.\*)", "\n" + f.sql)] == []


@pytest.mark.parametrize(
    ("call", "expected"),
    [
        ("score_text(8.5, 12.5)", "8½:12½"),
        ("score_text(8.5, 12.5, 'comma')", "8,5:12,5"),
        ("score_text(8.5, 12.5, 'point')", "8.5:12.5"),
        ("score_text(0.5, 1, 'half')", "½:1"),
        ("score_text(0, 0, style := 'comma')", "0:0"),
        ("score_text(10, 2.0::decimal(38,1), 'point')", "10:2"),
        ("score_text((select sum(0.1::decimal(2,1) * 5) from range(3)), 0)", "1½:0"),
        ("score_text(null, 1)", None),
        ("points_text(100.5)", "100½"),
        ("series_text(3, 7, 11)", "+3\u22127=11"),
        ("series_text(0, 0, 0)", "+0\u22120=0"),
        ("result_cell(1, true, null)", "+"),
        ("result_cell(0, true, null)", "-"),
        ("result_cell(0.5, false, null)", "½"),
        ("result_cell(null, false, 'unfinished')", "*"),
        ("result_cell(null, false, 'result_conflict')", "?"),
        ("event_key(' Cup', null, 2001::smallint) = event_key('CUP ', '', 2001::smallint)", True),
        ("event_key('Cup', 'Lodz', 2001::smallint) = event_key('Cup', 'Lodz', 2002::smallint)", False),
        ("event_key(null, 'Lodz', 2001::smallint)", None),
        ("len(event_key('Cup', null, null))", 32),
        ("player_key_id(null)", None),
        ("len(player_key_id('adler nora'))", 32),
        ("start_position('8/8/8/8/8/8/8/K1k5 b - - 3 9')", "8/8/8/8/8/8/8/K1k5 b - -"),
        ("start_position(null)", None),
        ("is_telling_score(20, '1-0')", True),
        ("is_telling_score(39, '1/2-1/2')", False),
        ("is_telling_score(40, null)", True),
        ("is_telling_score(20, null)", False),
        ("is_telling_score(19, '0-1')", False),
        ("is_year_slip(1960::smallint, 1906::smallint)", True),
        ("is_year_slip(1960::smallint, 1950::smallint)", True),
        ("is_year_slip(1960::smallint, 1960::smallint)", False),
        ("is_year_slip(1960::smallint, 1951::smallint)", False),
        ("is_year_slip(1960::smallint, 960::smallint)", False),
        ("event_place(null) || event_place('https://lichess.org/x') || event_place('Lodz')", "Lodz"),
        ("name_abbreviates('adler n', 'adler nora')", True),
        ("name_abbreviates('adler', 'adler nora')", True),
        ("name_abbreviates('a nora', 'adler nora')", True),
        ("name_abbreviates('adler n', 'adler b nora')", True),
        ("name_abbreviates('adler nora', 'adler n')", False),
        ("name_abbreviates('adler n', 'adler otto')", False),
        ("name_abbreviates('a adler', 'adler nora')", False),
        ("name_abbreviates('n', 'adler nora')", False),
        ("name_abbreviates('a n', 'adler nora')", False),
        ("name_abbreviates('adle nora', 'adler nora')", False),
    ],
)
def test_macros(con: duckdb.DuckDBPyConnection, call: str, expected: object) -> None:
    assert con.execute(f"select {call}").fetchone() == (expected,)


def test_an_unknown_style_is_an_error(con: duckdb.DuckDBPyConnection) -> None:
    with pytest.raises(duckdb.InvalidInputException, match="style: half, comma or point"):
        con.execute("select score_text(1, 2, 'roman')")


def test_audits_find_nothing_in_a_right_lake(con: duckdb.DuckDBPyConnection) -> None:
    assert run_audits(con, heavy=True) == []


SPOILED = {
    "bytes_add_up": "update stored.sources set n_bytes = n_bytes + 1",
    "spans_partition_bytes": "create or replace view spans as select * replace (byte_end - 1 as byte_end) from stored.spans",
    "spans_match_counters": "update stored.sources set n_bytes_games = 0",
    "clean_games_in_game_spans": "create or replace view spans as from stored.spans where kind <> 'game'",
    "games_counted": "update stored.sources set n_clean = n_clean + 1",
    "keys_unique": "create or replace view issues as from stored.issues union all from stored.issues",
    "no_orphans": "create or replace view annotations as select * replace ('x' as game_id) from stored.annotations",
    "bad_games_quarantined": "create or replace view quarantine as select *, 'open' as state from stored.quarantine where false",
    "one_live_reading": "update stored.source_paths set path = 'the same.pgn'",
    "one_chosen_copy": "update duplicates set is_chosen = false where n_copies > 1",
    "copies_begin_alike": "update duplicates set cluster_id = 'x', n_copies = 2",
    "events_known": "delete from game_events",
    "sections_apart": "update event_stretches set section = event; update game_events set event_id = 'x'",
    "rounds_apart": "update duplicates set cluster_id = 'x', n_copies = 2",
    "points_add_up": "update pairings set white_points = 0.5 where white_points = 1",
    "series_mirrored": "delete from series_results where rowid = 0",
    "tables_add_up": "create or replace macro counted_games(x) as table (from section_games(x) select *, false as is_counted)",
    "published_add_up": "update published_results set n = 1",
    "codes_known": "create or replace view issues as select * replace ('nonsense' as code) from stored.issues",
    "games_consistent": "create or replace view games as select * replace (n_plies + 1 as n_plies) from stored.games",
    "plies_counted": "create or replace view plies as from stored.plies where ply > 1",
    "nags_are_annotations": "create or replace view annotations as from stored.annotations where nag > 1",
    "symbols_in_annotated_games": "update symbols set ply = 1000",
    "nobody_meets_himself": "update game_players set player_id = 'x'",
    "claims_name_persons": "update stored.same_names set person_key = 'x'",
    "persons_at_one_place": """
        create table pair as select player_id, min(game_id) as one, max(game_id) as two from game_players
            group by player_id having min(game_id) <> max(game_id) order by player_id limit 1;
        create or replace view games_distinct as
            select game_id, date '2001-02-02' as date, if(game_id = one, 'Oslo', 'Beijing') as site, event, 9 as n_plies,
                null::varchar as mode, null::varchar as speed
            from games join pair on game_id in (one, two)
    """,
    "opening_tree_adds_up": "update stored.opening_base set n_white = n_white + 1",
    "variations_have_plies": "create or replace view plies as select * replace (1::smallint as variation) from stored.plies",
}


@pytest.mark.parametrize("name", [a.name for a in audits()])
def test_an_audit_finds_its_fault(root: Path, tmp_path: Path, name: str) -> None:
    shutil.copy(root / "catalog.duckdb", tmp_path / "spoiled.duckdb")
    with duckdb.connect(tmp_path / "spoiled.duckdb") as con:
        con.execute(SPOILED[name])
        audit = next(a for a in audits() if a.name == name)
        assert con.execute(audit.sql).fetchall() != []


def test_a_finding_says_how_many_and_shows_the_first(root: Path, tmp_path: Path) -> None:
    shutil.copy(root / "catalog.duckdb", tmp_path / "spoiled.duckdb")
    with duckdb.connect(tmp_path / "spoiled.duckdb") as con:
        con.execute(SPOILED["plies_counted"])
        assert [f.audit for f in run_audits(con)] == []
        finding = next(f for f in run_audits(con, heavy=True) if f.audit == "plies_counted")
    assert (finding.n, len(finding.rows), finding.columns[0]) == (13, 5, "game_id")


def test_the_order_of_execution_comes_from_the_queries() -> None:
    order = list(FILES)
    with duckdb.connect() as con:
        for name, file in FILES.items():
            assert {used for used in references(file.sql, con) & FILES.keys() if order.index(used) > order.index(name)} == set()
    assert order.index("points_text") < order.index("score_text") < order.index("series_results")


def test_references_leave_out_ctes_of_other_schemas_and_see_macros() -> None:
    with duckdb.connect() as con:
        found = references("with a as (select f(x) from stored.b) from a join c using (x) where x in (select y from d)", con)
    assert {"f", "c", "d"} <= found
    assert "b" not in found


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("select 1", "states no purpose"),
        ("-- purpose: It is.\n-- what is this\nselect 1", r"one.sql:2: not a line of a header"),
        ("-- purpose: It is.\nselekt 1", "syntax error"),
        ("-- purpose: It is.\nselect x from two", "cycle"),
    ],
)
def test_a_broken_file_is_named(tmp_path: Path, text: str, message: str) -> None:
    for kind in ("macros", "staging", "models", "reports", "audits"):
        (tmp_path / kind).mkdir()
    (tmp_path / "models" / "one.sql").write_text(text)
    (tmp_path / "models" / "two.sql").write_text("-- purpose: It is.\nselect x from one")
    with pytest.raises(BadSqlFile, match=message):
        load_sql(tmp_path)


def test_two_files_of_one_name_are_refused(tmp_path: Path) -> None:
    for kind in ("macros", "staging", "models", "reports", "audits"):
        (tmp_path / kind).mkdir()
        (tmp_path / kind / "same.sql").write_text("-- purpose: It is.\nselect 1 as x")
    with pytest.raises(BadSqlFile, match="two files of sql/ are called same"):
        load_sql(tmp_path)


def test_a_header_is_read_whole(tmp_path: Path) -> None:
    (tmp_path / "reports").mkdir()
    path = tmp_path / "reports" / "x.sql"
    path.write_text(
        "-- purpose: Says what.\n-- grain:   a, b\n-- note:    One line\n--          and another.\n"
        "-- parameters:\n--   style   VARCHAR = 'half'   How it looks.\n"
        "-- columns:\n--   a   MAP(VARCHAR, VARCHAR)   First.\n--   b   INTEGER\nselect 1;\n"
    )
    file = read_sql(path)
    assert (file.purpose, file.grain, file.sql, file.object_type) == ("Says what.", ("a", "b"), "select 1", "macro table")
    assert file.keys == {"note": "One line and another."}
    assert [(p.name, p.type, p.default, p.doc) for p in file.parameters] == [("style", "VARCHAR", "'half'", "How it looks.")]
    assert [(c.name, c.type, c.doc) for c in file.columns] == [("a", "MAP(VARCHAR, VARCHAR)", "First."), ("b", "INTEGER", "")]


def test_sql_is_found_beside_the_package() -> None:
    assert (sql_root() / "models" / "games.sql").is_file()


def test_a_step_is_one_of_what_is_made_of_it() -> None:
    """`step_of` in a header: the view or report that it is a step on the way to."""
    needs: dict[str, set[str]] = {}
    with duckdb.connect() as con:
        for name, file in FILES.items():  # each after those that it uses
            direct = references(file.sql, con) & FILES.keys()
            needs[name] = direct.union(*(needs[used] for used in direct))
    assert [f.name for f in FILES.values() if "step_of" in f.keys and f.name not in needs[f.keys["step_of"]]] == []
