"""Drawn crosstables, as a person reads them."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

import duckdb
import pytest

from pipeline.catalog import Drawn, draw_crosstable
from pipeline.cli.columns import table
from pipeline.cli.drawing import write_drawn
from tests.support_catalog import ADLER, BRANDT, COLE, DUNN, Row, game, lake


def results(event: str, *lines: str) -> list[Row]:
    """Games of an event: `round white black result`, players by their initials."""
    names = {
        "A": ADLER,
        "B": BRANDT,
        "C": COLE,
        "D": DUNN,
        "E": "Ende, Eva",
        "F": "Fink, Ole",
        "G": "Gold, Ina",
        "H": "Horn, Max",
    }
    written = {"1": "1-0", "0": "0-1", "=": "1/2-1/2", "*": "*", "+": "1-0"}
    found = []
    for line in lines:
        number, white, black, result = line.split()
        forfeit = {"termination": "forfeit"} if result == "+" else {"termination": "bye"} if black == "bye" else {}
        other = names.get(black, "BYE")
        found.append(game(names[white], other, written[result], event=event, round=number, site=None, year=None, **forfeit))
    return found


EVENTS = [
    results("Double", "1 A B 1", "2 B C =", "3 C A +", "4 B A 0", "5 C B 1", "6 A C *"),
    results("Playoff", "1 A B 1", "1 C D 1", "2 A C 0", "2 B D 1", "3 A D 1", "3 B C 1", "3.1 C A 0", "3.2 A C ="),
    results("Match", "10 A B 1", "2 B A 1", "9.1 A B ="),
    results("Cup", "1.1 A B 1", "1.2 B A =", "1.1 C D 1", "1.1 E F 1", "1.1 G H 0", "2.1 A C 1", "2.1 E H 1", "3.1 E A 1"),
    results(
        "Open",
        *("1 A E 1", "1 B F =", "1 G C 0", "1 D H 1"),
        *("2 C A =", "2 D B 1", "2 E bye 1", "2 F G 1"),
        *("3 A D =", "3 B C 1", "3 E F 1", "3 G H +"),
    ),
    [
        *(game(f"Player {k:02}, W", f"Player {k:02}, B", "1-0", event="Far", site=None, year=None, round="1") for k in range(16)),
        game("Player 00, W", "Player 01, W", "1-0", event="Far", site=None, year=None, round="999999"),
    ],
    [*results("Speeds", "1 A B 1"), game(ADLER, BRANDT, "0-1", event="Speeds", site=None, year=None, round="2", speed="blitz")],
]
"""Events without a year, so that titles are short."""


@pytest.fixture(scope="module")
def con(tmp_path_factory: pytest.TempPathFactory) -> duckdb.DuckDBPyConnection:
    return lake(tmp_path_factory.mktemp("lake"), *EVENTS)


def test_only_rounds_that_were_played_are_columns(con: duckdb.DuckDBPyConnection):
    [drawn] = draw_crosstable(con, "Far")
    assert drawn.names == ("#", "player", "1", "999999", "points", "BH")
    assert all(len(row) == len(drawn.names) for row in drawn.rows)


def text(drawn: Sequence[Drawn]) -> str:
    return "\n".join(f"{d.title}\n{table(d.names, d.rows, d.is_number)[0]}" for d in drawn).strip()


@pytest.mark.parametrize(
    ("event", "expected"),
    [
        (
            "Double",
            """
Double, double round robin, classical, otb
#  player        1   2   3   points    SB
─  ────────────  ──  ──  ──  ──────  ────
1  Cole, Ada     ■   +*  ½1      2½  2.75
2  Adler, Nora   -*  ■   11       2     1
3  Brandt, Otto  ½0  00  ■        ½  1.25
""",
        ),
        (
            "Playoff",
            """
Playoff, round robin, classical, otb
#  player        1  2  3  4  points  SB
─  ────────────  ─  ─  ─  ─  ──────  ──
1  Adler, Nora   ■  0  1  1       2   2
2  Cole, Ada     1  ■  0  1       2   2
3  Brandt, Otto  0  1  ■  1       2   2
4  Dunn, Ivo     0  0  0  ■       0   0

Playoff, round robin, classical, otb: playoff
round  player       opponent   score  games
─────  ───────────  ─────────  ─────  ─────
    3  Adler, Nora  Cole, Ada  1½:½   1½
""",
        ),
        (
            "Match",
            """
Match, match, classical, otb
player        2  9.1  10  points
────────────  ─  ───  ──  ──────
Adler, Nora   0  ½    1       1½
Brandt, Otto  1  ½    0       1½
""",
        ),
        (
            "Cup",
            """
Cup, knockout, classical, otb
round  player       opponent      score  games
─────  ───────────  ────────────  ─────  ─────
    1  Ende, Eva    Fink, Ole     1:0    1
    1  Adler, Nora  Brandt, Otto  1½:½   1½
    1  Cole, Ada    Dunn, Ivo     1:0    1
    1  Horn, Max    Gold, Ina     1:0    1
    2  Ende, Eva    Horn, Max     1:0    1
    2  Adler, Nora  Cole, Ada     1:0    1
    3  Ende, Eva    Adler, Nora   1:0    1
""",
        ),
        (
            "Open",
            """
Open, swiss, classical, otb
#  player        1    2     3    points  BH
─  ────────────  ───  ────  ───  ──────  ──
1  Dunn, Ivo     8w1  4w1   2b½      2½  3½
2  Adler, Nora   3w1  5b½   1w½       2   6
3  Ende, Eva     2b0  bye1  6w1       2  3½
4  Brandt, Otto  6w½  1b0   5w1      1½  5½
5  Cole, Ada     7b1  2w½   4b0      1½  4½
6  Fink, Ole     4b½  7w1   3b0      1½  4½
7  Gold, Ina     5w0  6b0   8w+       1   3
8  Horn, Max     1b0  --    7b-       0  3½
""",
        ),
    ],
)
def test_an_event_is_drawn_by_its_kind(con: duckdb.DuckDBPyConnection, event: str, expected: str) -> None:
    assert text(draw_crosstable(con, event)) == expected.strip()


def test_speeds_are_drawn_apart_or_together(con: duckdb.DuckDBPyConnection) -> None:
    assert [d.title for d in draw_crosstable(con, "speeds")] == ["Speeds, match, blitz, otb", "Speeds, match, classical, otb"]
    (together,) = draw_crosstable(con, "speeds", speeds="all")
    assert [row[-1] for row in together.rows] == ["1", "1"]
    assert draw_crosstable(con, "nothing") == []


def test_names_are_cut_before_columns_are_left_out(
    con: duckdb.DuckDBPyConnection, monkeypatch: pytest.MonkeyPatch, capfd: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr("pipeline.cli.drawing.is_terminal", lambda: True)
    monkeypatch.setenv("COLUMNS", "39")
    write_drawn(draw_crosstable(con, "Double"))
    assert "Brandt, O…  ½0  00  ■" in capfd.readouterr().out.replace("\x1b[1m", "").replace("\x1b[0m", "")


@pytest.mark.parametrize(("event", "width"), [("Double", 32), ("Match", 26), ("Open", 32)])
def test_rounds_go_into_blocks_where_a_terminal_is_too_narrow(
    con: duckdb.DuckDBPyConnection, monkeypatch: pytest.MonkeyPatch, capfd: pytest.CaptureFixture[str], event: str, width: int
) -> None:
    monkeypatch.setattr("pipeline.cli.drawing.is_terminal", lambda: True)
    monkeypatch.setenv("COLUMNS", str(width))
    (drawn,) = draw_crosstable(con, event)
    write_drawn([drawn])
    done = capfd.readouterr()
    lines = done.out.replace("\x1b[1m", "").replace("\x1b[0m", "").splitlines()[1:]
    heads = [line.split() for line in lines if "player" in line]
    assert len(heads) > 1
    assert {head[-1] for head in heads} == {drawn.names[-1]}
    assert [name for head in heads for name in head[drawn.n_before : -drawn.n_behind]] == list(
        drawn.names[drawn.n_before : -drawn.n_behind]
    )
    assert max(map(len, lines)) <= width
    assert done.err == ""


def test_drawn_tables_go_to_a_file(con: duckdb.DuckDBPyConnection, tmp_path: Path) -> None:
    write_drawn(draw_crosstable(con, "Playoff"), tmp_path / "table.txt")
    assert (tmp_path / "table.txt").read_text("utf-8").count("Playoff, round robin") == 2
