"""The read-only session: what it opens, what it refuses, and that nothing gets past the check of statements."""

from __future__ import annotations

import contextlib
import os
import shutil
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import duckdb
import pytest
from hypothesis import given
from hypothesis import strategies as st

from pipeline.catalog import NoCatalog, StatementRefused, check_statement, connect
from tests.support_catalog import COPIES, CUP, lake

GOOD = [
    "select 1",
    "from games",
    "-- a comment\n/* and another */ select white from games; -- the end",
    "with a as (from games) select * from a",
    "values (1)",
    "table games",
    "describe games",
    "summarize games",
    "show tables",
    "explain select 1",
    "explain analyze from games",
    "/* why */ EXPLAIN (format json) from games",
    "from crosstable('Cup')",
    "select score_text(8.5, 12.5)",
    "pivot games on result using count(*)",
    "explain pivot games on result using count(*)",
    "with a as (from games) pivot a on result using count(*) group by year",
    "from games pivot (count(*) for result in ('1-0', '0-1'))",
    "pivot (select replace(white, 'a', 'b') as white, result from games) on result using count(*)",
    "unpivot (select white, black from games) on white, black into name side value person",
    "select unnest(range(3))",
    "select 'copy games to x', \"column\" from issues",
    "(select 1) union all (select 2)",
    "select column_name, comment from duckdb_columns()",
]
BAD = [
    ("", "0 statements"),
    ("-- nothing", "0 statements"),
    ("select 1; select 2", "2 statements"),
    ("selec 1", "syntax error"),
    ("copy games to '{file}'", "COPY is refused"),
    ("copy (pivot games on result using count(*)) to '{file}'", "COPY is refused"),
    ("explain analyze copy games to '{file}'", "COPY is refused"),
    ("copy games to '{data}/x.parquet' (use_tmp_file false)", "COPY is refused"),
    ("create table t as select 1", "CREATE is refused"),
    ("create temp table t as pivot games on result using count(*)", "CREATE is refused"),
    ("insert into players values ('x')", "INSERT is refused"),
    ("explain analyze delete from players", "DELETE is refused"),
    ("with x as (insert into players (name) values ('x') returning *) from x", "INSERT_QUERY_NODE"),
    ("with x as (delete from players returning *) pivot x on name using count(*)", "DELETE is refused"),
    ("update players set name = 'x'", "UPDATE is refused"),
    ("attach '{file}' as other", "ATTACH is refused"),
    ("set memory_limit = '1GB'", "SET is refused"),
    ("pragma version", "PRAGMA is refused"),
    ("call pragma_version()", "CALL is refused"),
    ("load json", "LOAD is refused"),
    ("export database '{file}'", "EXPORT is refused"),
    ("checkpoint", "CALL is refused"),
    ("from '{file}.csv'", "files are not read here"),
    ('from "/etc/passwd"', "files are not read here"),
    ("pivot '{file}.parquet' on a using count(*)", "files are not read here"),
    ("from read_text('/etc/passwd')", "read_text is refused"),
    ("select (select max(content) from read_text('/etc/passwd'))", "read_text is refused"),
    ("pivot (from read_csv('{file}')) on a using count(*)", "read_csv is refused"),
    ("pivot main.\"read_text\" ('/etc/passwd') on size using count(*)", "read_text is refused"),
    ("from glob('*')", "glob is refused"),
    ("from query('select 1')", "query is refused"),
    ("from json_execute_serialized_sql('x')", "json_execute_serialized_sql is refused"),
    ("from duckdb_secrets()", "duckdb_secrets is refused"),
    ("select nextval('s')", "nextval is refused"),
    ("select " + "(" * 5000 + "1" + ")" * 5000, "depth|deep|stack"),
]


@pytest.fixture(scope="module")
def root(tmp_path_factory: pytest.TempPathFactory) -> Path:
    root = tmp_path_factory.mktemp("lake")
    lake(root, CUP, COPIES).close()
    return root


@pytest.mark.parametrize("sql", GOOD)
def test_one_query_is_accepted_and_runs(root: Path, sql: str) -> None:
    with connect(root) as con:
        con.execute(check_statement(sql)).fetchall()


@pytest.mark.parametrize(("sql", "message"), BAD, ids=lambda v: v[:40])
def test_everything_else_is_refused_and_says_why(root: Path, tmp_path: Path, sql: str, message: str) -> None:
    with pytest.raises(StatementRefused, match=message):
        check_statement(sql.format(file=tmp_path / "out", data=root / "data") if "{" in sql else sql)


@given(st.text())
def test_any_text_is_accepted_or_refused(text: str) -> None:
    with contextlib.suppress(StatementRefused):
        assert check_statement(text) in text


def test_a_session_that_skips_the_check_still_reads_no_other_file_and_writes_no_table(root: Path, tmp_path: Path) -> None:
    (tmp_path / "x.csv").write_text("a\n1\n")
    with connect(root) as con:
        for sql in (
            f"from read_csv('{tmp_path}/x.csv')",
            f"copy players to '{tmp_path}/y.csv'",
            f"attach '{tmp_path}/z.duckdb'",
            "set enable_external_access = true",
            "set allowed_directories = ['/']",
            "delete from players",
            "create table lake.t as select 1",
        ):
            with pytest.raises(duckdb.Error):
                con.execute(sql)
    assert [p.name for p in tmp_path.iterdir()] == ["x.csv"]


def test_names_in_the_calling_program_are_no_tables(root: Path) -> None:
    players_of_python = lake  # noqa: F841 - what the session must not see
    with connect(root) as con, pytest.raises(duckdb.CatalogException):
        con.execute("from players_of_python")


def test_a_session_sees_a_catalog_that_was_published_after_another_was_opened(tmp_path: Path) -> None:
    lake(tmp_path / "a", CUP).close()
    lake(tmp_path / "b", CUP, COPIES).close()
    with connect(tmp_path / "a") as before:
        shutil.copytree(tmp_path / "b" / "data", tmp_path / "a" / "data", dirs_exist_ok=True)
        os.replace(tmp_path / "b" / "catalog.duckdb", tmp_path / "a" / "catalog.duckdb")
        with connect(tmp_path / "a") as after:
            assert after.execute("select count(*) from duplicates").fetchone() == (8,)
        assert before.execute("select count(*) from duplicates").fetchone() == (6,)


def test_readers_need_no_permission_to_write(root: Path, tmp_path: Path) -> None:
    shutil.copytree(root, tmp_path / "lake")
    (tmp_path / "lake" / "catalog.duckdb").chmod(0o444)
    with connect(tmp_path / "lake") as con:
        assert con.execute("select count(*) from games").fetchone() == (8,)
    assert sorted(p.name for p in (tmp_path / "lake").iterdir()) == ["catalog.duckdb", "data"]


def test_threads_take_sessions_of_their_own(root: Path) -> None:
    def count(_: int) -> object:
        with connect(root) as con:
            return con.execute("select count(*) from games").fetchone()

    with ThreadPoolExecutor(4) as pool:
        assert list(pool.map(count, range(8))) == [(8,)] * 8


def test_a_folder_without_catalog_says_what_to_do(tmp_path: Path) -> None:
    with pytest.raises(NoCatalog, match=r"holds no catalog\.duckdb: ingest something"):
        connect(tmp_path)
