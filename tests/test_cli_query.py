"""`report`, `sql`, `find`, `show`: the right rows, in the format asked for, from a lake that is only read."""

from __future__ import annotations

import csv
import io
import json
import re
from pathlib import Path

import pyarrow as pa
import pyarrow.parquet as pq
import pytest

from pipeline import catalog
from pipeline.cli import columns, output, reporting
from tests.support_cli import GAME, Done, notatio, process

ROOT = Path(__file__).parents[1]
OTHERS = """\
[Event "Club"]
[White "Fischer, Anna"]
[Black "Adler, Nora"]
[Result "1-0"]
[ECO "C65"]

1. e4 e5 2. Nf3 Nc6 3. Bb5 a6 1-0

[Event "Club"]
[White "Adler, Nora"]
[Black "Behn\x1b[31m, Ole"]
[Result "1/2-1/2"]
[Source "A notebook"]

1. e4 {first} e5 (1... c5 2. Nf3 (2. Nc3 $14 Nc6) 2... d6 {so}) 2. Nf3 $1 Nc6 3. Bb5 $3 $16 {[%eval 0.3]} a6 {[%eval 0.4]} 1/2-1/2

[Event "Cafe"]
[White "Adler"]
[Black "Hahn, Uwe"]
[Result "0-1"]

1. e4 e5 2. Nf3 Nc6 3. Bb6 a6 0-1
"""


PUBLISHED = "player,opponent,event,year,score,source,note\nFischer,Spassky,,1972,13:8,a wrong book,\n"


@pytest.fixture(scope="module")
def lake(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("query")
    (folder / "others.pgn").write_text(OTHERS, "utf-8")
    inputs = (ROOT / "data" / "sample", folder / "others.pgn")
    assert notatio("ingest", *inputs, "--lake", folder / "lake", "--workers", 1).code == 0
    (folder / "lake" / "curation" / "published_results.csv").write_text(PUBLISHED, "utf-8")
    assert notatio("catalog", "--lake", folder / "lake").code == 0
    return folder / "lake"


def rows(done: Done) -> list[dict[str, str]]:
    assert done.code == 0, done.err
    return list(csv.DictReader(io.StringIO(done.out)))


# Reports


def test_without_a_name_all_reports_are_listed_with_their_purposes() -> None:
    listed = rows(notatio("report", "--lake", "nowhere"))
    assert [row["report"] for row in listed] == [r.name for r in catalog.reports()]
    assert all(row["purpose"] for row in listed)


@pytest.mark.parametrize("name", [r.name for r in catalog.reports() if not r.parameters])
def test_every_report_runs(name: str, lake: Path) -> None:
    done = notatio("report", name, "--lake", lake, "--format", "ndjson")
    columns = [c.name for r in catalog.reports() if r.name == name for c in r.columns]
    assert done.code == 0
    assert list(json.loads(done.out.splitlines()[0])) == columns


def test_a_report_takes_parameters(lake: Path) -> None:
    found = rows(notatio("report", "crosstable", "-p", "event_name=Club", "--lake", lake))
    assert {row["player"] for row in found} >= {"Adler, Nora", "Fischer, Anna"}


def test_a_crosstable_is_drawn_for_people(lake: Path) -> None:
    drawn = notatio("report", "crosstable", "-p", "event_name=Club", "--lake", lake, "--format", "table").out
    assert drawn.startswith("Club, ")
    assert "points" in drawn.splitlines()[1]


@pytest.mark.parametrize(
    ("arguments", "told"),
    [
        (("serie_results",), "series_results"),
        (("crosstable",), "event_name"),
        (("crosstable", "-p", "evnt=Club"), "event_name"),
        (("crosstable", "-p", "Club"), "KEY=VALUE"),
        (("series_results", "-p", "a=b"), "takes no parameters"),
        (("crosstable", "-p", "event_name=Clubb"), "Did you mean 'Club'?"),
        (("crosstable", "-p", "event_name=world"), "World Championship Match (1972, 21 games, id "),
        (("standings", "-p", "event_name=Club", "-p", "rules=swiss"), "error: -p rules=swiss: there is no such value."),
        (("standings", "-p", "event_name=Club", "-p", "rules=swiss"), "There are: none or fide."),
        (("standings", "-p", "event_name=Club", "-p", "tie_breaks=XX"), "There are: DE WIN WON SB"),
        (("standings", "-p", "event_name=Club", "-p", "scoring=3-1-0"), "There are: classical, draws_replayed, "),
        (("crosstable", "-p", "event_name=Club", "-p", "speeds=none"), "error: -p speeds=none: there is no such value."),
        (("crosstable", "-p", "event_name="), "select event, year, n_games from events"),
    ],
)
def test_a_wrong_report_or_parameter_exits_with_2_and_says_what_there_is(
    arguments: tuple[str, ...], told: str, lake: Path
) -> None:
    done = notatio("report", *arguments, "--lake", lake)
    assert (done.code, done.out) == (2, "")
    assert told in done.err
    assert "Invalid Input" not in done.err
    assert "show tables" not in done.err


def test_a_parameter_of_a_macro_that_is_wrong_is_told(lake: Path) -> None:
    done = notatio("sql", "select points_text(8.5, 'roman')", "--lake", lake)
    assert (done.code, done.err) == (2, "error: The parameter style takes half, comma or point.\n")


def test_no_rows_are_explained(tmp_path: Path) -> None:
    (tmp_path / "game.pgn").write_text(GAME, "utf-8")
    assert notatio("ingest", tmp_path / "game.pgn", "--lake", tmp_path / "lake", "--workers", 1).code == 0
    for report, told in (
        ("discrepancies", "No published score differs from the games; 0 were compared."),
        ("quarantine_reasons", "Nothing is in quarantine"),
        ("eval_at_signs", "Nothing in the lake is of this kind."),
    ):
        done = notatio("report", report, "--lake", tmp_path / "lake")
        assert (done.code, len(done.out.splitlines())) == (0, 1), report
        assert told in done.err


def test_standings_on_a_narrow_terminal_keep_points_and_the_tie_breaks_that_count() -> None:
    report = next(r for r in catalog.reports() if r.name == "standings")
    rows = pa.table({"system": ["swiss"]})
    assert reporting.important(report, {}, rows)[:7] == (
        "rank",
        "player",
        "points",
        "n",
        "buchholz_cut_1",
        "buchholz",
        "sonneborn_berger",
    )
    assert reporting.important(report, {"tie_breaks": "de, TPR"}, rows)[4:6] == ("direct_encounter", "performance")
    assert reporting.important(report, {}, pa.table({"system": ["match"]}))[4] == "sonneborn_berger"


def test_important_columns_are_those_of_the_report() -> None:
    for report in catalog.reports():
        assert set(report.important) <= {column.name for column in report.columns}, report.name


def test_items_of_a_list_are_told_apart_in_a_table(lake: Path) -> None:
    done = notatio("sql", "select ['Fischer, Robert', 'Фишер, Роберт'] as names", "--format", "table", "--lake", lake)
    assert "Fischer, Robert · Фишер, Роберт" in done.out


def test_show_sql_prints_a_query_that_gives_the_report(lake: Path) -> None:
    query = notatio("report", "series_results", "--show-sql", "--lake", "nowhere")
    assert query.code == 0
    assert notatio("sql", query.out, "--lake", lake).out == notatio("report", "series_results", "--lake", lake).out


# SQL


@pytest.mark.parametrize(
    ("statement", "out"),
    [
        ("select 1 as a, null as b, 2.50::decimal(4, 2) as c", "a,b,c\n1,,2.50\n"),
        ("select 'a,b' as x, [1, 2] as l, true as t", 'x,l,t\n"a,b","[1, 2]",true\n'),
        ("select 1 as a, 2 as a", "a,a\n1,2\n"),
        ("from range(3)", "range\n0\n1\n2\n"),
        ("select score_text(8.5, 12.5) as s", "s\n8½:12½\n"),
        (
            "pivot (select status from games where event in ('Club', 'Cafe')) on status in ('clean', 'truncated') using count(*)",
            "clean,truncated\n2,1\n",
        ),
        ("select 1 as a where false", "a\n"),
    ],
)
def test_sql_answers_in_csv_when_piped(statement: str, out: str, lake: Path) -> None:
    assert notatio("sql", statement, "--lake", lake) == Done(0, out, "")


@pytest.mark.parametrize("statement", ["show tables", "describe games", "explain from games", "summarize players"])
def test_sql_describes(statement: str, lake: Path) -> None:
    assert len(rows(notatio("sql", statement, "--lake", lake))) > 0


@pytest.mark.parametrize(
    ("statement", "told"),
    [
        ("drop table games", "refused"),
        ("copy games to 'x.csv'", "refused"),
        ("select 1; select 2", "2 statements"),
        ("from read_csv('/etc/passwd')", "refused"),
        ("from '/etc/passwd.csv'", "files are not read"),
        ("select from where", "syntax error"),
        ("from gamez", "games"),
        ("select whyte from games", "white"),
    ],
)
def test_sql_that_is_wrong_or_writes_exits_with_2(statement: str, told: str, lake: Path) -> None:
    done = notatio("sql", statement, "--lake", lake)
    assert (done.code, done.out) == (2, "")
    assert told in done.err
    assert "Traceback" not in done.err


def test_sql_is_read_from_stdin(lake: Path) -> None:
    assert notatio("sql", "-", "--lake", lake, stdin=b"select 7 as n;\n").out == "n\n7\n"


@pytest.mark.parametrize(
    ("line", "code", "told"),
    [
        ("$NOTATIO sql \"select 'ф' as x\" --lake {lake}", 0, "x\nф\n"),
        ("echo \"select 'ф' as x\" | $NOTATIO sql - --lake {lake}", 0, "x\nф\n"),
        ("$NOTATIO find роберт --opponent спасский --year 1972 --lake {lake}", 0, "Spassky"),
        ("$NOTATIO find Фиршофф --lake {lake}", 2, "Фиршофф"),
        ("$NOTATIO report crosstable -p event_name=Ф --lake {lake}", 2, "'Ф'"),
        ("$NOTATIO report отчёт", 2, "'отчёт'"),
        ("$NOTATIO show Ф --lake {lake}", 2, "no game id"),
        ("$NOTATIO find $'\\xff' --lake {lake}", 2, "is no UTF-8"),
        ("echo $'select \\'\\xff\\'' | $NOTATIO sql - --lake {lake}", 2, "is no UTF-8"),
        ("$NOTATIO sql 'select 1 as x' --lake {lake}/ф", 2, "lake"),
        ("cp {lake}/../others.pgn ф.pgn; $NOTATIO ingest ф.pgn --collection Ф --lake new --no-build", 0, "1 new"),
        ("cp {lake}/../others.pgn $'\\xff.pgn'; $NOTATIO ingest $'\\xff.pgn' --lake new --no-build", 0, "1 new"),
        ("$NOTATIO demo --lake $'\\xff'", 2, "Set PYTHONUTF8=1"),
        ("mkdir $'\\xff'; cd $'\\xff'; $NOTATIO status", 2, "Set PYTHONUTF8=1"),
    ],
)
@pytest.mark.parametrize("locale", ["LC_ALL=C PYTHONUTF8=0 PYTHONCOERCECLOCALE=0", "LC_ALL=C.UTF-8"])
def test_arguments_are_utf8_in_any_locale(
    line: str, code: int, told: str, locale: str, lake: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    done = process(shell=f"export {locale}; {line.format(lake=lake)}")
    assert (done.returncode, told in done.stdout + done.stderr) == (code, True), done.stderr


# Find


@pytest.mark.parametrize(
    ("name", "options", "n", "told"),
    [
        ("Fischer, Robert", (), 22, "Fischer, Robert: 22 games"),
        ("robert fischer", (), 22, "Fischer, Robert"),
        ("Роберт Фишер", (), 22, "Fischer, Robert"),
        ("robert", (), 22, "Fischer, Robert"),
        ("spas", (), 21, "Spassky, Boris"),
        ("Фишер Роберт", ("--opponent", "спасский"), 21, "+7−3=11, 12½:8½"),
        ("robert", ("--opponent", "spassky", "--year", "1972"), 21, "Boris in 1972: 21 games; classical otb +7−3=11, 12½:8½"),
        ("spassky", ("--opponent", "robert", "--year", "1956"), 0, "in 1956: no games. Without --year: 21 games."),
        ("fischer, anna", ("--opponent", "spassky"), 0, "Fischer, Anna against Spassky, Boris: no games.\n"),
        ("fischer robert", ("--year", "1956"), 1, "1 game"),
        ("adler", (), 1, "note: 1 other person has this in the name: Adler, Nora"),
    ],
)
def test_a_player_is_found_by_any_part_of_the_name_in_any_script(
    name: str, options: tuple[str, ...], n: int, told: str, lake: Path
) -> None:
    done = notatio("find", name, *options, "--lake", lake)
    assert len(rows(done)) == n
    assert told in done.err


def test_games_are_in_order_of_their_dates(lake: Path) -> None:
    found = rows(notatio("find", "robert", "--opponent", "spassky", "--lake", lake))
    assert [row["date"] for row in found] == sorted(row["date"] for row in found)
    assert [row["round"] for row in found] == [str(n) for n in range(1, 22)]


def test_a_name_of_several_persons_exits_with_2_and_lists_them_and_an_id_decides(lake: Path) -> None:
    done = notatio("find", "Fischer", "--lake", lake)
    assert (done.code, done.out) == (2, "")
    candidates = dict(re.findall(r"(Fischer, \w+) \(.*?id ([0-9a-f]{8})\)", done.err))
    assert set(candidates) == {"Fischer, Robert", "Fischer, Anna"}
    assert len(rows(notatio("find", candidates["Fischer, Anna"], "--lake", lake))) == 1


@pytest.mark.parametrize(
    ("name", "near"),
    [
        ("Nobody", None),
        ("Fischer, Robert James", "Did you mean Fischer, Robert ("),
        ("Spaskiy", "Spassky, Boris (21 games)"),
        ("Фиршор Роберт", "Fischer, Robert"),
        ("Andler", "Adler"),
    ],
)
def test_a_name_of_nobody_exits_with_2_and_the_nearest_are_told(name: str, near: str | None, lake: Path) -> None:
    done = notatio("find", name, "--lake", lake)
    assert (done.code, f"Nobody is called '{name}'" in done.err) == (2, True)
    assert ("Did you mean" in done.err) == (near is not None)
    assert (near or "All names") in done.err


# Show


def game_id(lake: Path, test: str) -> str:
    return rows(notatio("sql", f"select game_id from games where {test}", "--lake", lake))[0]["game_id"]


def test_a_game_is_shown_with_tags_moves_symbols_comments_and_variations(lake: Path) -> None:
    key = game_id(lake, "event = 'Club' and result = '1/2-1/2'")
    start = OTHERS.index("[Event", 1)
    end = OTHERS.index("1/2-1/2\n\n") + len("1/2-1/2")
    done = notatio("show", key, "--lake", lake)
    assert done.out == (
        "Adler, Nora – Behn?[31m, Ole   1/2-1/2\n"
        "Club\n"
        "\n"
        f"game    {key}\n"
        "status  clean, 6 half-moves, san, letters en, ascii\n"
        f"source  others.pgn, bytes {start}–{end}\n"
        "        game 2 of 3\n"
        "ending  normal\n"
        "tags    Source: A notebook\n"
        "\n"
        "1. e4\n"
        "   {first}\n"
        "1. …         e5\n"
        "   (1… c5 2. Nf3 d6 {so})\n"
        "     (2. Nc3 ⩲ Nc6)\n"
        "2. Nf3 !     Nc6\n"
        "3. Bb5 !! ±  a6\n"
        "   1/2-1/2\n"
    )


def test_what_is_not_known_of_a_game_is_no_word_of_python(tmp_path: Path) -> None:
    (tmp_path / "a.txt").write_text("1. Nf3 Nf6\n\n1. e4 e5 2. Bb6\n", "utf-8")
    assert notatio("ingest", tmp_path / "a.txt", "--lake", tmp_path / "lake", "--workers", 1).code == 0
    for row in rows(notatio("sql", "select game_id from games", "--lake", tmp_path / "lake")):
        shown = notatio("show", row["game_id"], "--lake", tmp_path / "lake").out
        assert shown.startswith("? – ?   *\n")
        assert "None" not in shown


def test_what_was_written_stands_beside_the_move_where_it_differs(lake: Path) -> None:
    key = game_id(lake, "source_id in (select source_id from sources where path like '%ru-long%') and game_index = 1")
    shown = notatio("show", key, "--lake", lake).out
    assert re.search(r"^ 1\. d4 ‹d2.d4› +Nf6 ‹Кg8.f6›$", shown, re.MULTILINE)


def test_a_truncated_game_shows_its_issue_with_line_and_column(lake: Path) -> None:
    shown = notatio("show", game_id(lake, "event = 'Cafe' and status = 'truncated'"), "--lake", lake).out
    assert "(the score is truncated)" in shown
    assert "fault  22:24: illegal_move Bb6: no legal move fits, after 4 proven plies" in shown


def test_the_last_position_is_drawn_when_asked(lake: Path) -> None:
    shown = notatio("show", game_id(lake, "white = 'Fischer, Anna'"), "--board", "--lake", lake).out
    assert shown.endswith("r1bqkbnr/1ppp1ppp/p1n5/1B2p3/4P3/5N2/PPPP1PPP/RNBQK2R w KQkq - 0 4\n")
    assert "♜ · ♝ ♛ ♚ ♝ ♞ ♜" in shown


def test_the_beginning_of_an_id_is_enough_if_it_is_unique(lake: Path) -> None:
    key = game_id(lake, "white = 'Fischer, Anna'")
    assert notatio("show", key[:16], "--lake", lake).out == notatio("show", key, "--lake", lake).out


@pytest.mark.parametrize(("given", "told"), [("zz", "hexadecimal"), ("", "hexadecimal"), ("ffffffffffffffff", "No game")])
def test_ids_that_are_none_exit_with_2(given: str, told: str, lake: Path) -> None:
    done = notatio("show", given, "--lake", lake)
    assert (done.code, told in done.err) == (2, True)


def test_an_id_that_fits_several_games_lists_them(lake: Path) -> None:
    keys = [row["game_id"] for row in rows(notatio("sql", "select game_id from games", "--lake", lake))]
    first = next(d for d in "0123456789abcdef" if sum(key.startswith(d) for key in keys) > 1)
    done = notatio("show", first, "--lake", lake)
    assert done.code == 2
    assert sum(f"{key[:12]} " in done.err for key in keys) == min(10, sum(key.startswith(first) for key in keys))


def test_every_game_of_the_sample_can_be_shown(lake: Path) -> None:
    for row in rows(notatio("sql", "select game_id from games where hash(game_id) % 8 = 0 or status <> 'clean'", "--lake", lake)):
        assert notatio("show", row["game_id"], "--board", "--lake", lake).code == 0


# Formats


QUERY = (
    "select 'Б½' as name, 8.5::decimal(3, 1) as points, [1, 18] as nags, null as nothing, date '1972-07-11' as day, 'a|b' as bar"
)
WRITTEN = {
    "csv": 'name,points,nags,nothing,day,bar\nБ½,8.5,"[1, 18]",,1972-07-11,a|b\n',
    "ndjson": '{"name": "Б½", "points": 8.5, "nags": [1, 18], "nothing": null, "day": "1972-07-11", "bar": "a|b"}\n',
    "json": '[\n{"name": "Б½", "points": 8.5, "nags": [1, 18], "nothing": null, "day": "1972-07-11", "bar": "a|b"}\n]\n',
    "md": (
        "| name | points | nags | nothing | day | bar |\n"
        "|---|--:|---|---|---|---|\n"
        "| Б½ | 8.5 | [1, 18] |  | 1972-07-11 | a\\|b |\n"
    ),
    "table": (
        "name  points  nags    nothing  day         bar\n"
        "────  ──────  ──────  ───────  ──────────  ───\n"
        "Б½       8.5  1 · 18           1972-07-11  a|b\n"
    ),
}


@pytest.mark.parametrize("form", WRITTEN)
def test_rows_are_written_in_every_format(form: str, lake: Path, tmp_path: Path) -> None:
    assert notatio("sql", QUERY, "--format", form, "--lake", lake).out == WRITTEN[form]
    ending = {"table": "txt"}.get(form, form)
    done = notatio("sql", QUERY, "--out", tmp_path / f"rows.{ending}", "--lake", lake)
    assert done == Done(0, "", "")
    assert (tmp_path / f"rows.{ending}").read_text("utf-8") == WRITTEN[form]
    assert [p.name for p in tmp_path.iterdir()] == [f"rows.{ending}"]


@pytest.mark.parametrize(
    ("value", "shown"),
    [
        ("timestamp 'infinity'", "infinity"),
        ("timestamp '-infinity'", "-infinity"),
        ("date 'infinity'", "infinity"),
        ("date '20000-12-31'", "20000-12-31"),
        ("date '0044-03-15 (BC)'", "0044-03-15 (BC)"),
        ("timestamptz 'infinity'", "infinity"),
        ("timestamp_s '290000-01-01'", "290000-01-01 00:00:00"),
        ("timestamp_ns '2020-01-01 00:00:00.123456789'", "2020-01-01 00:00:00.123456789"),
        ("timestamp '1972-07-11 17:00:00'", "1972-07-11 17:00:00"),
        ("time_ns '12:00:00.123456789'", "12:00:00.123456789"),
        ("time '24:00:00'", "24:00:00"),
        ("'12:00:00+05'::timetz", "12:00:00+05"),
        ("interval '1 month 2 days'", "1 month 2 days"),
        ("'1010'::bit", "1010"),
        ("123456789012345678901234567890123456789012::bignum", "123456789012345678901234567890123456789012"),
        ("340282366920938463463374607431768211455::uhugeint", "340282366920938463463374607431768211455"),
        ("union_value(day := date 'infinity')", "infinity"),
        ("[date 'infinity', null]", ["infinity", None]),
        ("[date 'infinity']::date[1]", ["infinity"]),
        ("{'a b': [timestamp 'infinity'], 'n': 1}", {"a b": ["infinity"], "n": 1}),
        ("map {time '24:00:00': date '1972-07-11'}", {"24:00:00": "1972-07-11"}),
        ("row(1, 2)", {"element1": 1, "element2": 2}),
        ("row(1, date 'infinity')", "(1, infinity)"),
    ],
)
def test_every_value_that_duckdb_can_hold_is_written_in_every_format(
    value: str, shown: object, lake: Path, tmp_path: Path
) -> None:
    question = ("sql", f"select 'x' as name, {value} as value, 'y' as name order by 1", "--lake", lake)
    for form in WRITTEN:
        done = notatio(*question, "--format", form)
        assert (done.code, done.err) == (0, "")
        flat = shown if isinstance(shown, str) else json.dumps(shown, ensure_ascii=False)
        if form == "csv":
            assert list(csv.reader(io.StringIO(done.out))) == [["name", "value", "name"], ["x", flat, "y"]]
        elif form == "ndjson":
            assert json.loads(done.out) == {"name": "x", "value": shown, "name_1": "y"}
    assert notatio(*question, "--out", tmp_path / "rows.parquet").code == 0
    assert pq.read_metadata(tmp_path / "rows.parquet").num_rows == 1


@pytest.mark.parametrize(
    ("columns", "names"),
    [
        ("1 as a, 2 as a", ["a", "a_1"]),
        ("1 as a, 2 as a, 3 as a_1, 4 as a", ["a", "a_2", "a_1", "a_3"]),
        ("1 as a, 2 as A", ["a", "A"]),
    ],
)
def test_columns_of_one_name_are_told_apart_where_names_are_keys(
    columns: str, names: list[str], lake: Path, tmp_path: Path
) -> None:
    rows_ = [dict(zip(names, range(1, len(names) + 1), strict=True))]
    assert json.loads(notatio("sql", f"select {columns}", "--format", "json", "--lake", lake).out) == rows_
    notatio("sql", f"select {columns}", "--out", tmp_path / "rows.parquet", "--lake", lake)
    assert pq.read_table(tmp_path / "rows.parquet").to_pylist() == rows_


def test_no_rows_are_no_rows_in_every_format(lake: Path) -> None:
    written = {form: notatio("sql", "select 1 as a where false", "--format", form, "--lake", lake).out for form in WRITTEN}
    assert written == {"csv": "a\n", "ndjson": "", "json": "[]\n", "md": "| a |\n|--:|\n", "table": "a\n─\n"}


def test_parquet_holds_the_rows_with_their_types(lake: Path, tmp_path: Path) -> None:
    notatio("sql", "from games", "--out", tmp_path / "games.parquet", "--lake", lake)
    table = pq.read_table(tmp_path / "games.parquet")
    assert table.num_rows == int(rows(notatio("sql", "select count(*) as n from games", "--lake", lake))[0]["n"])
    assert str(table.schema.field("year").type) == "int16"


@pytest.mark.parametrize("name", ["m.xlsx", "m.csv.gz", "m.tsv"])
def test_an_ending_that_no_format_has_is_refused_unless_the_format_is_said(name: str, lake: Path, tmp_path: Path) -> None:
    refused = notatio("sql", QUERY, "--out", tmp_path / name, "--lake", lake)
    assert (refused.code, refused.out, list(tmp_path.iterdir())) == (2, "", [])
    assert ".csv, .json, .ndjson, .jsonl, .md, .parquet, .txt" in refused.err
    assert notatio("sql", QUERY, "--out", tmp_path / name, "--format", "md", "--lake", lake).code == 0
    assert (tmp_path / name).read_text("utf-8") == WRITTEN["md"]


def test_a_file_that_cannot_be_written_exits_with_2_and_leaves_nothing(lake: Path, tmp_path: Path) -> None:
    for out in (tmp_path / "no" / "x.csv", tmp_path):
        done = notatio("sql", "from games", "--out", out, "--lake", lake)
        assert (done.code, str(out.parent if out != tmp_path else out) in done.err) == (2, True)
    assert list(tmp_path.iterdir()) == []


def test_out_may_be_a_device(lake: Path) -> None:
    assert notatio("sql", "from games", "--out", "/dev/null", "--lake", lake).code == 0
    assert Path("/dev/null").is_char_device()


def test_a_long_table_says_how_much_it_left_out(lake: Path) -> None:
    done = notatio("sql", "from range(1500)", "--format", "table", "--lake", lake)
    assert len(done.out.splitlines()) == 1002
    assert "1,000 of 1,500 rows" in done.err
    assert len(notatio("sql", "from range(1500)", "--lake", lake).out.splitlines()) == 1501


# Tables for people


def test_ids_are_cut_short_in_tables_and_whole_in_data(lake: Path) -> None:
    command = ("find", "robert", "--opponent", "spassky", "--lake", lake, "--format")
    whole = [row["game_id"] for row in rows(notatio(*command, "csv"))]
    done = notatio(*command, "table")
    assert {len(key) for key in whole} == {32}
    assert [key for key in whole if f" {key[:8]} " not in done.out] == []
    assert "Ids are cut short" in done.err
    assert notatio("show", whole[0][:8], "--lake", lake).code == 0


@pytest.mark.parametrize(
    ("ids", "n_least", "shown"),
    [
        (["0123456789abcdef" * 2, "f" * 32], 8, ["01234567", "ffffffff"]),
        (["0123456789abcdef" * 2, "01234567ffffffff" * 2], 8, ["012345678", "01234567f"]),
        (["0123456789abcdef" * 2, ""], 12, ["0123456789ab", ""]),
        (["0123456789abcdef", "f" * 32], 8, ["0123456789abcdef", "f" * 32]),
    ],
)
def test_ids_keep_as_many_digits_as_tell_them_apart(ids: list[str], n_least: int, shown: list[str]) -> None:
    cut = [["1", id_] for id_ in ids]
    output._shorten_ids(cut, n_least)
    assert cut == [["1", id_] for id_ in shown]


@pytest.mark.parametrize("width", [60, 80, 120])
def test_purposes_of_reports_are_wrapped_and_not_cut(width: int) -> None:
    purposes = [[r.name, r.purpose] for r in catalog.reports()]
    text, hidden = columns.table(["report", "purpose"], purposes, [False, False], width=width, wraps=True)
    assert hidden == []
    assert "…" not in text
    assert max(map(len, text.splitlines())) <= width
    words = " ".join(line[22:] for line in text.splitlines()).split()
    assert [word for _, purpose in purposes for word in purpose.split() if word not in words] == []


def test_a_narrow_table_keeps_id_and_event(lake: Path) -> None:
    found = rows(notatio("find", "robert", "--opponent", "spassky", "--lake", lake))
    names = ["date", "white", "black", "result", "game_id", "event", "round"]
    cells = [[row[name] for name in names] for row in found]
    output._shorten_ids(cells, 8)
    text, hidden = columns.table(names, cells, [False] * 7, width=80)
    assert hidden == ["round"]
    assert max(map(len, text.splitlines())) <= 80
    text, hidden = columns.table(names, cells, [False] * 7, width=80, important=(*names[:5], "round", "event"))
    assert hidden == []
    assert max(map(len, text.splitlines())) <= 80
