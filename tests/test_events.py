"""Which games belong to one event: names in several languages, places, dates, players and shared copies."""

from __future__ import annotations

from datetime import date
from pathlib import Path

import pytest

from pipeline.catalog import run_audits
from pipeline.event_names import event_wording
from tests.support_catalog import ADLER, BRANDT, COLE, DUNN, ENGLISH, ITALIAN, QUEENS, SICILIAN, Row, game, lake, rows
from tests.support_text import cases

LINES = (ITALIAN, QUEENS, SICILIAN, ENGLISH)


@pytest.mark.parametrize("case", cases("event_names"), ids=lambda case: case["event"])
def test_a_name_says_the_same_in_every_language(case: Row) -> None:
    wording = event_wording(case["event"], case["site"] or None)
    years = "-".join(str(year) for year in sorted({wording.year_first, wording.year_last} - {None}, key=str))
    said = (wording.name_key, wording.site_key or "", years, "yes" if wording.is_match else "", wording.section or "")
    assert said == (case["name_key"], case["site_key"], case["years"], case["is_match"], case["section"])


def _games(event: str | None, site: str | None = "Lodz", *, lines: int = 2, first: int = 0, **more: object) -> list[Row]:
    """Games between Adler and Brandt, each with moves of its own; the same numbers give copies of the same games."""
    given = {"white": ADLER, "black": BRANDT, "month": 5, "day": 6, "event": event, "site": site, **more}
    players = given.pop("white"), given.pop("black")
    return [
        game(*players, "1-0", f"{LINES[n % 4]} N{n} {' '.join(f'K{n}{k}' for k in range(20))}", round=str(n + 1), **given)
        for n in range(first, first + lines)
    ]


def _played(first: str, last: str) -> list[Row]:
    """Two different games of a yearly tournament, on two days written as year-month-day."""
    days = [dict(zip(("year", "month", "day"), map(int, day.split("-")), strict=False)) for day in (first, last)]
    return [
        game(ADLER, BRANDT, "1-0", f"{ITALIAN} N{first}", event="Hastings", site="Hastings", **days[0]),
        game(COLE, DUNN, "1-0", f"{ITALIAN} N{last}", event="Hastings", site="Hastings ENG", **days[1]),
    ]


UNDATED: Row = {"year": None, "month": None, "day": None}
ONE: list[tuple[str, list[list[Row]]]] = [
    ("case and blanks", [_games("Lodz Open"), _games(" LODZ OPEN", first=2)]),
    ("an abbreviation, a country", [_games("Lodz Open"), _games("Lodz op", "Lodz POL", first=2)]),
    ("languages without a common game", [_games("Wch-match"), _games("Матч на первенство мира", "Лодзь", first=2)]),
    ("the place in the name", [_games("World Championship 23th"), _games("WM-Kampf Lodz 2001", None, first=2)]),
    ("the place is unknown", [_games("Lodz Open"), _games("Lodz Open", None, first=2)]),
    ("the year is in the name of one", [_games("Cup 2001"), _games("Cup", first=2)]),
    ("the year is only in the name", [_games("Cup", lines=1), _games("Cup 2001", first=1, **UNDATED)]),
    ("no year at all", [_games("Cup"), _games("Cup", first=2, **UNDATED)]),
    ("only the year is known", [_games("Cup"), _games("Cup", first=2, month=None, day=None)]),
    ("two towns", [_games("Title Match", "Lodz/Rome"), _games("Title Match", "Rome", first=2)]),
    ("over the New Year", [_played("2001-12-28", "2002-01-05")]),
    (
        "over the New Year, named",
        [_games("Hastings 2001/02", year=2001, month=12, day=30), _games("Hastings 2001/02", first=2, year=2002, month=1)],
    ),
    ("copies under another name", [_games("World Championship 31th-KK1"), _games("Der grosse Kampf", "Berlin")]),
    ("some copies of a match", [_games("World Championship 31th-KK1", lines=8), _games("Der grosse Kampf", None, lines=2)]),
    (
        "a winter break",
        [_games("League 2001/02", year=2001, month=12, day=15), _games("League", first=2, year=2002, month=2, day=9)],
    ),
]
APART: list[tuple[str, list[list[Row]]]] = [
    ("two years", [_games("Cup"), _games("Cup", first=2, year=2002)]),
    ("two winters", [_played("2001-12-28", "2002-01-05"), _played("2002-12-28", "2003-01-05")]),
    ("two winters of one year", [_games("Hastings", year=2002, month=1), _games("Hastings", first=2, year=2002, month=12)]),
    ("two towns, other players", [_games("Open"), _games("Open", "Rome", first=2, white=COLE, black=DUNN)]),
    ("two towns, the same players later", [_games("Open"), _games("Open", "Rome", first=2, month=6)]),
    ("rapid and blitz", [_games("Cup Rapid", speed="rapid"), _games("Cup Blitz", first=2, speed="blitz")]),
    ("a rapid section beside the event", [_games("Cup", lines=8), _games("Cup Rapid", lines=2)]),
    ("two matches without a name", [_games("Match"), _games("Match", first=2, white=COLE, black=DUNN)]),
    ("another name, no copies", [_games("Cup"), _games("Memorial", first=2)]),
    (
        "one game of a collection",
        [_games("Cup", lines=1), _games("Best games", lines=1) + _games("Best games", lines=7, first=1, white=COLE, black=DUNN)],
    ),
    ("women and men", [_games("World Championship"), _games("World Championship Women", first=2, white=COLE, black=DUNN)]),
    ("group A and group B", [_games("Cup A"), _games("Cup B", first=2, white=COLE, black=DUNN)]),
    ("years in the names", [_games("Cup 2001", **UNDATED), _games("Cup 2002", first=2, **UNDATED)]),
]


@pytest.mark.parametrize(("what", "sources"), ONE, ids=[what for what, _ in ONE])
def test_one_event(tmp_path: Path, what: str, sources: list[list[Row]]) -> None:
    with lake(tmp_path, *sources) as con:
        assert rows(con, "select count(*), sum(len(names)) >= 1 from events") == [(1, True)]
        assert rows(con, "select count(distinct event_id), count(event_id) = count(*) from games") == [(1, True)]
        assert run_audits(con) == []


@pytest.mark.parametrize(("what", "sources"), APART, ids=[what for what, _ in APART])
def test_two_events(tmp_path: Path, what: str, sources: list[list[Row]]) -> None:
    with lake(tmp_path, *sources) as con:
        assert rows(con, "select count(*), count(distinct event_id) from events") == [(2, 2)]
        assert rows(con, "select count(distinct event_id) from games") == [(2,)]
        assert run_audits(con) == []


@pytest.mark.parametrize(
    ("days", "expected"),
    [
        ([4, 6], ("2001-05-04", "2001-05-06")),
        ([4, 6, None], ("2001-05-04", "2001-05-06")),
        ([4, None], ("2001-05-04", "2001-05-04")),
        ([4, None, None], (None, None)),
        ([None], (None, None)),
    ],
)
def test_the_days_of_an_event_are_known_when_those_of_half_of_its_games_are(
    tmp_path: Path, days: list[int | None], expected: tuple[str | None, str | None]
) -> None:
    games = [
        game(ADLER, BRANDT, "1-0", f"{ITALIAN} N{n}", round=str(n), month=5, day=day, date=date(2001, 5, day) if day else None)
        for n, day in enumerate(days)
    ]
    with lake(tmp_path, games) as con:
        assert rows(con, "select date_first::varchar, date_last::varchar from events") == [expected]
