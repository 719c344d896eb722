"""docs/sql.md: its questions are asked, and their answers and the diagram of the views are written into it.

usage: python tests/sql_page.py [--write]
Without --write, says whether docs/sql.md is up to date (exit code 1 when it is not).
"""

from __future__ import annotations

import re
import sys
import tempfile
from collections.abc import Mapping
from contextlib import closing
from pathlib import Path
from typing import Any, NamedTuple

ROOT = Path(__file__).resolve().parents[1]
PAGE = ROOT / "docs" / "sql.md"
DATA = (ROOT / "data" / "sample", ROOT / "data" / "questions")
ROWS = 5
"""Rows of an answer that the page shows."""
REFERENCES = (
    ("games", "source_id", "sources", "||"),
    ("games", "event_id", "events", "|o"),
    ("duplicates", "game_id", "games", "||"),
    ("games_distinct", "game_id", "games", "||"),
    ("mainline", "game_id", "games_distinct", "||"),
    ("plies", "game_id", "games", "||"),
    ("variations", "game_id", "games", "||"),
    ("annotations", "game_id, variation, ply", "plies", "||"),
    ("annotations", "nag", "nags", "||"),
    ("symbols", "game_id", "games", "||"),
    ("symbols", "nag", "nags", "||"),
    ("symbols", "player_id", "players", "|o"),
    ("player_games", "game_id", "games_distinct", "||"),
    ("player_games", "event_id", "events", "|o"),
    ("player_games", "player_id", "players", "|o"),
    ("player_games", "opponent_id", "players", "|o"),
    ("game_players", "game_id", "games", "||"),
    ("game_players", "player_id", "players", "||"),
    ("player_names", "player_id", "players", "||"),
    ("source_paths", "source_id", "sources", "|o"),
    ("spans", "source_id", "sources", "||"),
    ("tag_pairs", "game_id", "games", "||"),
    ("issues", "source_id", "sources", "||"),
    ("issues", "game_id", "games", "|o"),
    ("issues", "code", "issue_codes", "||"),
    ("quarantine", "source_id", "sources", "||"),
    ("quarantine", "game_id", "games", "|o"),
    ("quarantine", "reason_code", "issue_codes", "||"),
)
"""Columns of a view that lead to the key of another: Mermaid's sign for exactly one row there, or for one or none.

`tests/test_sql_page.py` looks whether it is so. Reports and steps of computations are not in the diagram.
"""
ENTITIES = tuple(dict.fromkeys(name for child, _, parent, _ in REFERENCES for name in (child, parent)))
_QUESTION = re.compile(
    r"^### (?P<title>[^\n]+)\n(?P<text>.*?)```sql\n(?P<sql>.*?)```\n(?P<answer>.*?)(?=^##|\Z)", re.MULTILINE | re.DOTALL
)


class Question(NamedTuple):
    """A heading with its query."""

    title: str
    sql: str


class Answer(NamedTuple):
    """Column names, and all rows as text cells."""

    columns: tuple[str, ...]
    rows: list[tuple[str, ...]]


def questions() -> list[Question]:
    """The worked questions of the page, in order."""
    return [Question(m["title"], m["sql"].strip()) for m in _QUESTION.finditer(PAGE.read_text("utf-8"))]


def ask(lake: Path) -> dict[str, Answer]:
    """The answers of a lake by title, as the program gives them: statements are checked."""
    from pipeline import catalog

    answers = {}
    with closing(catalog.connect(lake)) as con:
        for title, sql in questions():
            table = con.sql(catalog.check_statement(sql)).to_arrow_table()
            rows = [tuple(cell(value) for value in row.values()) for row in table.to_pylist()]
            answers[title] = Answer(tuple(table.column_names), rows)
    return answers


def cell(value: Any) -> str:
    """A value in one line of a table; null is empty."""
    if isinstance(value, list):
        return " · ".join(map(cell, value))
    return "" if value is None else re.sub(r"\s*\n\s*", " ⏎ ", str(value)).strip()


def page(answers: Mapping[str, Answer]) -> str:
    """The text of docs/sql.md with these answers and the diagram as it should be."""

    def answered(match: re.Match[str]) -> str:
        shown = answers[match["title"]]
        return f"### {match['title']}\n{match['text']}```sql\n{match['sql']}```\n\n{table(shown)}\n"

    return with_diagram(_QUESTION.sub(answered, PAGE.read_text("utf-8")))


def table(answer: Answer) -> str:
    lines = [answer.columns, ("---",) * len(answer.columns), *answer.rows[:ROWS]]
    text = "".join("| " + " | ".join(value.replace("|", "\\|") for value in line) + " |\n" for line in lines)
    more = len(answer.rows) - ROWS
    return text + (f"\n… and {more} more {'row' if more == 1 else 'rows'}.\n" if more > 0 else "")


def with_diagram(text: str) -> str:
    """A text with the diagram between its marks."""
    made = f"<!-- made: diagram -->\n{diagram()}<!-- end -->"
    return re.sub(r"<!-- made: diagram -->\n.*?<!-- end -->", lambda _: made, text, flags=re.DOTALL)


def diagram() -> str:
    """Mermaid's erDiagram of REFERENCES: keys from the grains of the SQL files, and the columns that questions use."""
    from pipeline.catalog import load_sql

    files = load_sql()
    lines = ["```mermaid", "erDiagram"]
    for child, columns, parent, sign in REFERENCES:
        many = "o|" if columns.split(", ") == list(files[child].grain) else "o{"
        lines.append(f'    {parent} {sign}--{many} {child} : "{columns}"')
    for name in ENTITIES:
        foreign = {column for child, columns, _, _ in REFERENCES if child == name for column in columns.split(", ")}
        used = {word for q in questions() if name in (words := re.findall(r"\w+", q.sql)) for word in words}
        lines.append(f"    {name} {{")
        for column in files[name].columns:
            marks = ", ".join(["PK"] * (column.name in files[name].grain) + ["FK"] * (column.name in foreign))
            if marks or column.name in used:
                lines.append(f"        {re.sub(r'[(].*', '', column.type)} {column.name} {marks}".rstrip())
        lines.append("    }")
    return "\n".join([*lines, "```\n"])


def make_lake(folder: Path) -> Path:
    """Ingests DATA into a new lake."""
    from tests.support_cli import ingest

    done = ingest(*DATA, "--lake", folder / "lake")
    assert done.code == 0, done.err
    return folder / "lake"


def main() -> int:
    with tempfile.TemporaryDirectory() as folder:
        text = page(ask(make_lake(Path(folder))))
    if "--write" in sys.argv[1:]:
        PAGE.write_text(text, "utf-8")
    elif PAGE.read_text("utf-8") != text:
        print("docs/sql.md is out of date: python tests/sql_page.py --write")
        return 1
    return 0


if __name__ == "__main__":
    sys.path.insert(0, str(ROOT))
    sys.exit(main())
