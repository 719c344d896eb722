"""Rows of games from raw rows: tags beside the columns that they become."""

from __future__ import annotations

import datetime
from typing import Any

import pyarrow as pa
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from pipeline import schema, tables
from pipeline.enrich import enrich
from pipeline.model import Issue

TYPES = {column.name: column.type for column in schema.GAMES.columns}


def raw_row(tags: list[tuple[str, str]] | dict[str, str], **known: Any) -> dict[str, Any]:
    """A clean game of 20 plies with these tags; `known` replaces raw columns."""
    pairs = list(tags.items()) if isinstance(tags, dict) else tags
    names, values = [name for name, _ in pairs], [value for _, value in pairs]
    row: dict[str, Any] = dict.fromkeys(schema.RAW_GAMES)
    return row | {"status": "clean", "n_plies": 20, "tag_names": names, "tag_values": values, "game_id": "0"} | known


def raw_table(rows: list[dict[str, Any]]) -> pa.Table:
    return pa.table({name: pa.array([row[name] for row in rows], TYPES[name]) for name in schema.RAW_GAMES})


def enriched(tags: list[tuple[str, str]] | dict[str, str], **known: Any) -> tuple[dict[str, Any], list[Issue]]:
    """The one row and the issues that one game becomes."""
    table, issues = enrich(raw_table([raw_row(tags, **known)]))
    return table.to_pylist()[0], [issue for _, issue in issues]


def test_a_whole_roster_becomes_typed_columns() -> None:
    row, issues = enriched(
        {
            "Event": "World Championship",
            "Site": "Reykjavik ISL",
            "Date": "1972.07.11",
            "Round": "1.2",
            "White": "Спасский, Борис",
            "Black": "Fischer, Robert J",
            "Result": "1–0",
            "WhiteElo": "2660",
            "BlackElo": "2785",
            "WhiteTitle": "gm",
            "BlackFideId": "2000091",
            "ECO": "E56a",
            "TimeControl": "40/9000",
            "Mode": "OTB",
            "Annotator": "Таль, М",
        }
    )
    assert issues == []
    expected = {
        "event": "World Championship",
        "site": "Reykjavik ISL",
        "date_written": "1972.07.11",
        "year": 1972,
        "month": 7,
        "day": 11,
        "date": datetime.date(1972, 7, 11),
        "round": "1.2",
        "round_major": 1,
        "round_minor": 2,
        "white": "Спасский, Борис",
        "black": "Fischer, Robert J",
        "white_key": "boris spasski",
        "black_key": "fisher j robert",
        "white_elo": 2660,
        "black_elo": 2785,
        "white_title": "GM",
        "black_title": None,
        "white_fide_id": None,
        "black_fide_id": "2000091",
        "eco_written": "E56",
        "result": "1-0",
        "result_tag": "1-0",
        "is_result_conflict": False,
        "termination": "normal",
        "time_control_written": "40/9000",
        "base_seconds": 9000,
        "increment_seconds": 0,
        "speed": "classical",
        "mode": "otb",
        "annotator": "Таль, М",
        "annotator_key": "m tal",
    }
    assert {name: row[name] for name in expected} == expected


def test_what_is_unknown_is_null_and_what_was_written_is_kept() -> None:
    row, issues = enriched({"Event": "?", "Site": "", "Date": "?", "Round": "-", "White": "?", "Black": "", "WhiteElo": "0"})
    written = {name: row[name] for name in ("event", "site", "date_written", "round", "white", "black")}
    assert written == {"event": None, "site": None, "date_written": "?", "round": "-", "white": "?", "black": None}
    derived = (
        "year",
        "month",
        "day",
        "date",
        "round_major",
        "white_key",
        "black_key",
        "white_elo",
        "speed",
        "mode",
        "eco",
        "opening",
    )
    assert [row[name] for name in derived] == [None] * len(derived)
    assert issues == []


def test_tag_names_are_matched_without_case_and_the_first_counts() -> None:
    row, _ = enriched(
        [("white", "Tal, M"), ("WHITE", "Keres, P"), ("BLACK", "Smyslov, V"), ("WhiteELO", "2600"), ("result", "1-0")]
    )
    assert (row["white"], row["black"], row["white_elo"], row["result"]) == ("Tal, M", "Smyslov, V", 2600, "1-0")


def test_a_game_without_tags_has_the_tags_of_no_other() -> None:
    table, _ = enrich(raw_table([raw_row({}), raw_row({"White": "Tal, M"}), raw_row({}), raw_row({"Black": "Tal, M"})]))
    assert table["white"].to_pylist() == [None, "Tal, M", None, None]
    assert table["black"].to_pylist() == [None, None, None, "Tal, M"]


# tag, movetext, board: result, conflict, issues
RESULTS = [
    ("1-0", "1-0", None, "1-0", False, []),
    ("1-0", None, None, "1-0", False, []),
    ("½–½", "1/2-1/2", None, "1/2-1/2", False, []),
    (None, "0-1", None, "0-1", False, ["result_from_movetext"]),
    (None, None, "1-0", "1-0", False, []),
    (None, None, None, None, False, []),
    ("*", "1-0", None, "1-0", False, []),
    ("1-0", "*", None, "1-0", False, []),
    ("*", "*", "0-1", "0-1", False, []),
    ("*", "*", None, "*", False, []),
    ("", None, None, "*", False, []),
    ("?", None, None, "*", False, []),
    ("N/A", "*", None, "*", False, ["bad_result_tag"]),
    ("N/A", "1-0", None, "1-0", False, ["bad_result_tag"]),
    ("-", None, None, "*", False, ["bad_result_tag"]),
    ("1-0", "1/2-1/2", None, "1/2-1/2", True, ["result_conflict"]),
    ("1-0", "0-1", "0-1", "0-1", True, ["result_contradicts_board"]),
    ("1-0", "1-0", "0-1", "0-1", True, ["result_contradicts_board"]),
    (None, "1-0", "0-1", "0-1", True, ["result_contradicts_board", "result_from_movetext"]),
    ("0-1", None, "1/2-1/2", "1/2-1/2", True, ["result_contradicts_board"]),
    ("+:-", "1-0", None, "1-0", False, []),
]


@pytest.mark.parametrize(("tag", "movetext", "board", "result", "is_conflict", "codes"), RESULTS)
def test_the_board_is_believed_before_the_movetext_and_the_tag(
    tag: str | None, movetext: str | None, board: str | None, result: str | None, is_conflict: bool, codes: list[str]
) -> None:
    """docs/rules.md §2; `*` conflicts with nothing."""
    row, issues = enriched({} if tag is None else {"Result": tag}, result_movetext=movetext, result_board=board)
    assert (row["result"], row["is_result_conflict"], [i.code for i in issues]) == (result, is_conflict, codes)


def test_an_issue_says_what_was_written_where() -> None:
    table, issues = enrich(raw_table([raw_row({"Result": "1-0"}), raw_row({"Result": "won", "Date": "2021.02.30", "ECO": "Z1"})]))
    assert [(row, i.code, i.written) for row, i in issues] == [
        (1, "bad_date", "2021.02.30"),
        (1, "bad_eco", "Z1"),
        (1, "bad_result_tag", "won"),
    ]
    assert table["result_tag"].to_pylist() == ["1-0", None]


# tags, raw columns: termination
TERMINATIONS: list[tuple[dict[str, str], dict[str, Any], str | None]] = [
    ({"Result": "1-0"}, {}, "normal"),
    ({"Result": "1/2-1/2"}, {}, "normal"),
    ({"Result": "*"}, {}, "unfinished"),
    ({}, {}, None),
    ({"Result": "1-0"}, {"status": "truncated"}, "normal"),
    ({"Result": "1-0"}, {"status": "rejected", "n_plies": 0}, None),
    ({"Result": "1-0"}, {"n_plies": 0}, "no_moves"),
    ({"Result": "*"}, {"n_plies": 0}, "no_moves"),
    ({}, {"n_plies": 0}, "no_moves"),
    ({"Result": "0-0"}, {"n_plies": 0}, "forfeit"),
    ({"Result": "0-0", "Termination": "Normal"}, {"n_plies": 0}, "no_moves"),
    ({"Result": "0-0"}, {}, None),
    ({"Result": "+:-"}, {"n_plies": 0}, "forfeit"),
    ({"Result": "1-0F"}, {"n_plies": 0}, "forfeit"),
    ({"Result": "0-1", "Termination": "forfeit"}, {"n_plies": 1}, "forfeit"),
    ({"Result": "0-1", "Termination": "Time forfeit"}, {}, "time"),
    ({"Result": "0-1", "Termination": "Time forfeit"}, {"n_plies": 0}, "no_moves"),
    ({"Result": "0-1"}, {"n_plies": 0, "comment": "Both players were late; White defaulted"}, "forfeit"),
    ({"Result": "0-1"}, {"n_plies": 0, "comment": "Неявка белых"}, "forfeit"),
    ({"Result": "1-0"}, {"n_plies": 0, "comment": "The score of this game is lost"}, "no_moves"),
    ({"Result": "*"}, {"n_plies": 0, "comment": "by default"}, "no_moves"),
    ({"Result": "0-1"}, {"comment": "White defaulted"}, "normal"),
    ({"Result": "0-1"}, {"n_plies": 0, "termination_movetext": "forfeit"}, "forfeit"),
    ({"Result": "0-1"}, {"termination_movetext": "forfeit"}, "rules_infraction"),
    ({"Result": "1-0", "Black": "?", "Termination": "bye"}, {"n_plies": 0}, "bye"),
    ({"Result": "1/2-1/2", "Black": "BYE"}, {"n_plies": 0}, "bye"),
    ({"Result": "1-0", "White": "Tal, M", "Black": "?"}, {"n_plies": 0}, "no_moves"),
    ({"Result": "1-0", "Black": "BYE"}, {}, "normal"),
    ({"Result": "0-1"}, {"termination_movetext": "resignation"}, "resignation"),
    ({"Result": "0-1", "Termination": "Normal"}, {"termination_movetext": "resignation"}, "resignation"),
    ({"Result": "1/2-1/2"}, {"termination_movetext": "agreement"}, "agreement"),
    ({"Result": "1-0"}, {"termination_movetext": "win"}, "normal"),
    ({"Result": "Чёрные сдались"}, {}, "resignation"),
    ({"Result": "*", "Termination": "unterminated"}, {}, "unfinished"),
    ({"Result": "*", "Termination": "adjourned"}, {}, "unfinished"),
    ({"Result": "1-0", "Termination": "adjudication"}, {}, "adjudication"),
    ({"Result": "1-0", "Termination": "rules infraction"}, {}, "rules_infraction"),
    ({"Result": "1-0", "Termination": "Anna won by resignation"}, {}, "resignation"),
    ({"Result": "*", "Termination": "mate in 4"}, {}, "unfinished"),
    ({}, {"result_board": "1-0"}, "normal"),
]


@pytest.mark.parametrize(("tags", "known", "termination"), TERMINATIONS)
def test_the_ending_comes_from_tags_words_and_moves(tags: dict[str, str], known: dict[str, Any], termination: str | None) -> None:
    """docs/rules.md §2: no moves are no forfeit; a forfeit needs a tag, words or `+:−`; a bye is no lost game."""
    assert enriched(tags, **known)[0]["termination"] == termination


# tags: speed, mode
PACE: list[tuple[dict[str, str], str | None, str | None]] = [
    ({}, None, None),
    ({"TimeControl": "300+3", "Site": "https://lichess.org/abcd1234"}, "blitz", "online"),
    ({"Site": "https://lichess.org/study/abcd1234"}, None, None),
    ({"Site": "https://lichess.org/study/abcd1234/efgh5678"}, None, None),
    ({"TimeControl": "5400+30", "Event": "Blitz club open"}, "classical", None),
    ({"TimeControl": "?", "Event": "World Blitz 2014"}, "blitz", None),
    ({"EventType": "tourn (rapid)", "Event": "Linares"}, "rapid", None),
    ({"Mode": "EM"}, "correspondence", None),
    ({"Mode": "OTB", "Site": "chess.com"}, None, "otb"),
    ({"WhiteType": "program", "BlackType": "program", "Site": "Internet"}, None, "engine"),
    ({"WhiteType": "program", "BlackType": "human"}, None, None),
]


@pytest.mark.parametrize(("tags", "speed", "mode"), PACE)
def test_speed_and_mode_come_from_the_best_evidence(tags: dict[str, str], speed: str | None, mode: str | None) -> None:
    row, _ = enriched(tags)
    assert (row["speed"], row["mode"]) == (speed, mode)


def test_the_table_has_exactly_the_stored_schema_and_the_raw_columns_unchanged() -> None:
    rows = [raw_row({"White": "Tal, M"}, language_candidates=["ru", "uk"], movetext="e4 e5", byte_start=5), raw_row({})]
    table, _ = enrich(raw_table(rows))
    assert table.schema.equals(schema.GAMES.schema)
    assert [{name: row[name] for name in schema.RAW_GAMES} for row in table.to_pylist()] == rows


def test_no_rows_and_chunked_rows_are_read_alike() -> None:
    assert enrich(raw_table([]))[0].equals(schema.GAMES.empty())
    rows = [raw_row({"White": f"Player {i % 3}", "Result": ["1-0", "*", "bad"][i % 3]}) for i in range(7)]
    whole, issues = enrich(raw_table(rows))
    pieces = pa.concat_tables([raw_table(rows[:2]), raw_table(rows[2:]).slice(0, 3), raw_table(rows[5:])])
    chunked, same_issues = enrich(pieces)
    assert chunked.equals(whole)
    assert same_issues == issues


def test_raw_columns_are_columns_of_games() -> None:
    assert set(schema.RAW_GAMES) < set(TYPES)


def test_every_code_is_in_the_table_of_issues() -> None:
    tags = {"Date": "soon", "ECO": "X", "WhiteElo": "many", "Result": "won"}
    codes = {issue.code for issue in enriched(tags)[1]}
    codes |= {code for *_, listed in RESULTS for code in listed}
    assert codes >= {"bad_date", "bad_eco", "bad_elo", "bad_result_tag"}
    assert codes <= set(tables.issue_codes())


_NAMES = st.sampled_from(
    ["Event", "Site", "Date", "Round", "White", "Black", "Result", "WhiteElo", "ECO", "TimeControl", "Termination"]
)
_VALUES = st.one_of(st.text(max_size=12), st.sampled_from(["1-0", "BYE", "?", "1972.07.11", "300+3", "forfeit", "10.3"]))
_GAMES = st.lists(st.tuples(st.lists(st.tuples(_NAMES, _VALUES), max_size=6), st.sampled_from([0, 20])), max_size=5)


@settings(max_examples=60, deadline=None)
@given(_GAMES)
def test_rows_never_raise_keep_their_order_and_do_not_touch_each_other(games: list[tuple[list[tuple[str, str]], int]]) -> None:
    rows = [raw_row(tags, n_plies=n, game_id=str(i)) for i, (tags, n) in enumerate(games)]
    table, issues = enrich(raw_table(rows))
    alone = [enrich(raw_table([row])) for row in rows]
    assert table.to_pylist() == [one.to_pylist()[0] for one, _ in alone]
    assert issues == [(i, issue) for i, (_, found) in enumerate(alone) for _, issue in found]


@pytest.mark.parametrize(
    ("date", "utc_date", "expected"),
    [
        ("2017.04.14", "2017.04.13", (2017, 4, 14)),
        ("????.??.??", "2017.04.13", (2017, 4, 13)),
        ("", "2017.04.13", (2017, 4, 13)),
        (None, "2017.04.13", (2017, 4, 13)),
        ("2017.??.??", "2018.04.13", (2017, None, None)),
        ("????.??.??", "????.??.??", (None, None, None)),
        ("long ago", "2017.04.13", (None, None, None)),
    ],
)
def test_a_game_without_a_local_date_has_the_utc_date(
    date: str | None, utc_date: str, expected: tuple[int | None, int | None, int | None]
) -> None:
    """PGN standard 9.3.2: UTCDate is the Date tag in universal time. Servers write it alone."""
    row, _ = enriched([*([] if date is None else [("Date", date)]), ("UTCDate", utc_date)])
    assert (row["year"], row["month"], row["day"]) == expected
    assert row["date_written"] == (date or None)
