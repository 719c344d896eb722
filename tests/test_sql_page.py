"""docs/sql.md is true: its questions run, their answers are those of the data, and its diagram is that of the views."""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path

import duckdb
import pytest

from pipeline.catalog import connect, load_sql
from pipeline.cli import output
from tests import sql_page
from tests.support_text import cases

FIRST = {row["question"]: row for row in cases("questions")}


@pytest.fixture(scope="module")
def lake(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return sql_page.make_lake(tmp_path_factory.mktemp("lake"))


@pytest.fixture(scope="module")
def con(lake: Path) -> Iterator[duckdb.DuckDBPyConnection]:
    with connect(lake) as connection:
        yield connection


def test_every_question_has_its_first_row_told_beside_it() -> None:
    assert [question.title for question in sql_page.questions()] == list(FIRST)
    assert len(FIRST) >= 20


@pytest.mark.slow
def test_answers_begin_with_the_row_that_was_counted_by_hand(lake: Path) -> None:
    answers = sql_page.ask(lake)
    begun = {title: " | ".join(answer.rows[0]) if answer.rows else None for title, answer in answers.items()}
    assert begun == {title: row["first"] for title, row in FIRST.items()}


@pytest.mark.slow
def test_answers_of_the_page_are_current(lake: Path) -> None:
    """Out of date? `python tests/sql_page.py --write`."""
    assert sql_page.PAGE.read_text("utf-8") == sql_page.page(sql_page.ask(lake))


@pytest.mark.slow
def test_other_queries_of_the_page_run(con: duckdb.DuckDBPyConnection) -> None:
    asked = {question.sql for question in sql_page.questions()}
    blocks = re.findall(r"^```sql\n(.*?)```", sql_page.PAGE.read_text("utf-8"), re.MULTILINE | re.DOTALL)
    others = [sql.strip() for sql in blocks if sql.strip() not in asked]
    assert others
    assert [sql for sql in others if not con.sql(sql).fetchall()] == []


def test_the_diagram_of_the_page_is_current() -> None:
    """Out of date? `python tests/sql_page.py --write`."""
    text = sql_page.PAGE.read_text("utf-8")
    assert sql_page.diagram() in text
    assert sql_page.with_diagram(text) == text


@pytest.mark.slow
@pytest.mark.parametrize(("child", "columns", "parent", "sign"), sql_page.REFERENCES)
def test_a_reference_of_the_diagram_leads_to_a_row(
    con: duckdb.DuckDBPyConnection, child: str, columns: str, parent: str, sign: str
) -> None:
    """By all columns of the key; never null where the diagram says exactly one."""
    key = load_sql()[parent].grain
    assert len(columns.split(", ")) == len(key)
    unknown = " or ".join(f"{column} is null" for column in columns.split(", "))
    rows = f"select {columns} from {child} where not ({unknown}) except select {', '.join(key)} from {parent}"
    assert con.sql(f"select count(*) from ({rows})").fetchall() == [(0,)]
    assert sign == "|o" or con.sql(f"select count(*) from {child} where {unknown}").fetchall() == [(0,)]


def test_the_page_and_the_program_show_lists_and_line_ends_alike() -> None:
    value = ["Adler, Nora", "a line\nand another"]
    assert sql_page.cell(value) == output._short(value, 100) == "Adler, Nora · a line ⏎ and another"
