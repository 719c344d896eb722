"""Tournament report files: what becomes of pairings and byes, what is said where a report contradicts itself, the way back."""
# ruff: noqa: E501  (input and expectation stand on one line)

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from pipeline import trf
from pipeline.cli.application import run
from pipeline.ingest.parts import parts
from pipeline.model import Filler, Game, Hints
from pipeline.trf.write import Entrant, Pairing
from pipeline.trf.write import write as report
from tests.support_text import LINEAR, growth

HEAD = """\
012 Test Open
022 Havana
032 CUB
042 2024/02/29
052 2024/03/02
092 Individual: Swiss-System
122 90'+30"
"""
DATES = f"132 {'':87}24/02/29  24/03/01  24/03/02\n"


def line(number: int, name: str, points: str, *cells: str, title: str = "", elo: int | str = "", fide_id: str = "") -> str:
    """A 001 record: columns as the specification counts them, a cell of eight characters each."""
    text = f"001 {number:>4} m{title:>3} {name:<33} {elo:>4} CUB {fide_id:>11} {'1990/05/06':>10} {points:>4} {number:>4}"
    assert len(text) == 89
    return f"{text}{''.join(f'  {cell:<8}' for cell in cells)}".rstrip() + "\n"


def games(text: str) -> list[Game]:
    assert trf.recognise(text)
    return [part for part in trf.read(text) if isinstance(part, Game)]


def tags(game: Game) -> dict[str, str]:
    return {pair.name: pair.value for pair in game.tags}


def told(text: str) -> list[tuple[str, ...]]:
    """Round, White, Black, Result, Termination (or status), span of each game, by round."""
    found = [
        (t["Round"], t["White"], t["Black"], t["Result"], t.get("Termination", ""), text[game.start : game.end])
        for game in games(text)
        for t in [tags(game)]
    ]
    return sorted(found)


def issues(text: str) -> list[tuple[str, str | None, str | None]]:
    """Code, what is written at its place, and detail, of all issues in order."""
    found = [issue for part in trf.read(text) for issue in part.issues]
    assert all(issue.written == text[issue.start : issue.end].strip() for issue in found)
    return [(issue.code, issue.written, issue.detail) for issue in sorted(found, key=lambda issue: issue.start)]


SWISS = (
    HEAD
    + DATES
    + line(1, "Adler, Nora", "2.5", "   3 w 1", "   2 b =", "   4 w +", title="GM", elo=2500, fide_id="3500001")
    + line(2, "Brandt, Otto", "1.5", "   4 b 0", "   1 w =", "0000 - U", title="m", elo=2400)
    + line(3, "Cho, Min", "0.5", "   1 b 0", "0000 - H")
    + line(4, "Dahl, Ida", "1.0", "   2 w 1", "0000 - Z", "   1 b -", title="wf")
)


def test_each_pairing_is_a_game_whose_span_is_whites_cell():
    assert told(SWISS) == [
        ("1", "Adler, Nora", "Cho, Min", "1-0", "", "3 w 1"),
        ("1", "Dahl, Ida", "Brandt, Otto", "1-0", "", "2 w 1"),
        ("2", "Brandt, Otto", "Adler, Nora", "1/2-1/2", "", "1 w ="),
        ("2", "Cho, Min", "BYE", "1/2-1/2", "Half point bye", "0000 - H"),
        ("2", "Dahl, Ida", "BYE", "0-1", "Zero point bye", "0000 - Z"),
        ("3", "Adler, Nora", "Dahl, Ida", "1-0", "forfeit", "4 w +"),
        ("3", "Brandt, Otto", "BYE", "1-0", "Pairing-allocated bye", "0000 - U"),
    ]
    assert issues(SWISS) == []


def test_a_game_has_what_the_report_says_of_event_and_players():
    game = min(games(SWISS), key=lambda game: game.start)
    assert tags(game) == {
        "Event": "Test Open",
        "Site": "Havana CUB",
        "EventDate": "2024.02.29",
        "EventType": "Individual: Swiss-System",
        "TimeControl": "90'+30\"",
        "Date": "2024.02.29",
        "Round": "1",
        "White": "Adler, Nora",
        "Black": "Cho, Min",
        "Result": "1-0",
        "WhiteElo": "2500",
        "WhiteTitle": "GM",
        "WhiteFideId": "3500001",
        "WhiteFederation": "CUB",
        "BlackFederation": "CUB",
        "ResultCode": "1",
    }
    assert (game.status, game.lines[0].plies) == ("clean", ())


def pair(white: str, black: str, first: str = "1.0", second: str = "0.0") -> str:
    """A report of one round and two players."""
    return HEAD + line(1, "Adler, Nora", first, white) + line(2, "Brandt, Otto", second, black)


@pytest.mark.parametrize(
    ("white", "black", "result", "termination", "points"),
    [
        ("   2 w 1", "   1 b 0", "1-0", "", ("1.0", "0.0")),
        ("   2 w 0", "   1 b 1", "0-1", "", ("0.0", "1.0")),
        ("   2 w =", "   1 b =", "1/2-1/2", "", ("0.5", "0.5")),
        ("   2 w W", "   1 b L", "1-0", "", ("1.0", "0.0")),
        ("   2 w d", "   1 b d", "1/2-1/2", "", ("0.5", "0.5")),
        ("   2 w +", "   1 b -", "1-0", "forfeit", ("1.0", "0.0")),
        ("   2 w -", "   1 b +", "0-1", "forfeit", ("0.0", "1.0")),
        ("   2 w -", "   1 b -", "0-0", "forfeit", ("0.0", "0.0")),
        ("   2 w 0", "   1 b 0", "0-0", "normal", ("0.0", "0.0")),
        ("   2 w  ", "   1 b  ", "*", "", ("0.0", "0.0")),
        ("0002 W 1", "0001 B 0", "1-0", "", ("1.0", "0.0")),
    ],
)
def test_result_codes(white, black, result, termination, points):
    text = pair(white, black, *points)
    assert [row[3:5] for row in told(text)] == [(result, termination)]
    assert issues(text) == []


@pytest.mark.parametrize(
    ("cell", "result", "termination", "points"),
    [
        ("0000 - F", "1-0", "Full point bye", "1.0"),
        ("0000 - H", "1/2-1/2", "Half point bye", "0.5"),
        ("0000 - U", "1-0", "Pairing-allocated bye", "1.0"),
        ("0000 - Z", "0-1", "Zero point bye", "0.0"),
        ("0000 - -", "0-1", "Zero point bye", "0.0"),
        ("0000 - +", "1-0", "Full point bye", "1.0"),
        ("0000 - =", "1/2-1/2", "Half point bye", "0.5"),
        ("0000 -", "0-1", "Zero point bye", "0.0"),
        ("       u", "1-0", "Pairing-allocated bye", "1.0"),
    ],
)
def test_byes(cell, result, termination, points):
    text = HEAD + line(1, "Adler, Nora", points, cell)
    assert [row[1:5] for row in told(text)] == [("Adler, Nora", "BYE", result, termination)]
    assert issues(text) == []


def test_a_blank_cell_is_no_game():
    text = HEAD + line(1, "Adler, Nora", "1.0", "", "   2 w 1") + line(2, "Brandt, Otto", "0.0", "", "   1 b 0")
    assert [row[0] for row in told(text)] == ["2"]


@pytest.mark.parametrize(
    ("text", "spans", "detail"),
    [
        (pair("   2 w 1", ""), ["2 w 1"], "the line of number 2 does not tell this pairing"),
        (pair("   2 w 1", "0000 - Z"), ["2 w 1"], "the line of number 2 does not tell this pairing"),
        (pair("   7 w 1", ""), ["7 w 1"], "no player has the number 7"),
        (pair("   2 w 1", "   1 w 0"), ["2 w 1", "1 w 0"], "colours do not fit: w here, w there"),
        (pair("   2 w 1", "   1 - 0"), ["2 w 1", "1 - 0"], "colours do not fit: w here, - there"),
        (pair("   1 w 1", ""), ["1 w 1"], "the line of number 1 does not tell this pairing"),
        (pair("0000 - 1", ""), ["0000 - 1"], "a result without an opponent"),
        (pair("   2 w 1", "   1 b 0") + line(2, "Cho, Min", "0.0"), ["2 w 1", "1 b 0"], "several players have the number 2"),
    ],
)
def test_a_cell_that_the_report_contradicts_is_rejected_as_it_stands(text, spans, detail):
    rejected = [game for game in games(text) if game.status == "rejected"]
    assert [text[game.start : game.end] for game in rejected] == spans
    assert [(i.code, i.is_fault) for game in rejected for i in game.issues] == [("report_conflict", True)] * len(spans)
    assert rejected[0].issues[0].detail == detail


def test_results_that_differ_are_both_kept():
    [game] = games(pair("   2 w 1", "   1 b =", "1.0", "0.5"))
    assert (game.status, tags(game)["Result"], game.result_movetext) == ("clean", "1-0", "1/2-1/2")


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        (pair("   2 w 1", "   1 b 0", "2.0"), [("report_conflict", "2.0", "Adler, Nora has 2 points, but the results give 1")]),
        (pair("   2 w 1", "   1 b -"), [("report_conflict", "1 b -", "1 has 1, 2 has -")]),
        (pair("   2 w 1", "   1 b", "1.0", "0.0"), [("report_conflict", "1 b", "1 has 1, 2 has nothing")]),
        (pair("   2 - +", "   1 - -"), [("no_colour", "2 - +", "neither line says who had White")]),
        (pair("   2 w X", "   1 b X"), [("unknown_token", "X", "not a result code: 2 w X"), ("unknown_token", "X", "not a result code: 1 b X")]),
        (pair("   2?w 1", "", "0.0"), [("unknown_token", "2?w 1", "not the cell of a round: 2?w 1")]),
        (pair("   2 w 1", "   1 b 0") + "a remark\n", [("unknown_token", "a remark", "not a record of a tournament report")]),
        (pair("   2 w 1", "   1 b 0") + "001    x m    Nobody\n", [("unknown_token", "001    x m    Nobody", "a player without a starting rank")]),
    ],
)  # fmt: skip
def test_issues_have_their_places(text, expected):
    assert issues(text) == expected


def test_points_follow_the_scoring_of_the_report():
    three = "162  W 3.0    D 1.0    L 0.0\n"
    assert issues(three + pair("   2 w 1", "   1 b 0", "3.0")) == []
    assert [code for code, *_ in issues(three + pair("   2 w 1", "   1 b 0", "1.0"))] == ["report_conflict"]
    assert issues("XXS WW=3\n" + pair("   2 w 1", "   1 b 0", "3.0")) == []


@pytest.mark.parametrize(
    ("dates", "expected"),
    [
        (DATES, "2024.02.29"),
        ("", "2024.??.??"),
        (f"132 {'':87}2024/02/29\n", "2024.02.29"),
    ],
)
def test_the_date_of_a_round_or_what_start_and_end_share(dates, expected):
    text = HEAD + dates + line(1, "Adler, Nora", "1.0", "0000 - U")
    assert [tags(game)["Date"] for game in games(text)] == [expected]


@pytest.mark.parametrize(
    ("written", "expected"), [("28. 07. 2005", "2005.07.28"), ("May 29, 2020", "2020.05.29"), ("soon", "????.??.??")]
)
def test_dates_of_start_and_end_in_other_ways(written, expected):
    text = f"012 Open\n042 {written}\n052 {written}\n" + line(1, "Adler, Nora", "1.0", "0000 - U")
    assert [tags(game)["Date"] for game in games(text)] == [expected]


def test_teams_of_players():
    old = f"013 {'Club One':<32}   1    2\n013 {'Club Two':<32}   3    4\n"
    new = f"310   1 {'Club One':<32} {'ONE':<5} {'':6} {'':6} {'':6} {'':3}     1    2\n"
    assert {tags(game).get("WhiteTeam") for game in games(SWISS + old)} == {"Club One", "Club Two"}
    assert {tags(game).get("WhiteTeam") for game in games(SWISS + new)} == {"Club One", None}


@pytest.mark.parametrize(
    "text",
    [
        "",
        "001 pages of prose\nand more of it",
        "012 Name without players\n",
        '[Event "x"]\n\n1. e4 e5 *\n',
        "123 Main Street\n001    1 m    Somebody\nis where he lives\nwith many others\n",
        "1. e4 e5 2. Nf3",
    ],
)
def test_what_is_no_report_is_left_to_the_others(text):
    assert not trf.recognise(text)


@settings(deadline=None, derandomize=True, max_examples=150)
@given(st.text(alphabet="01234 wb=+-UHZ\n", max_size=200), st.integers(0, len(SWISS)))
def test_parts_cover_any_text_without_gap(noise, at):
    text = SWISS[:at] + noise + SWISS[at:]
    end = 0
    for part in trf.read(text):
        assert part.start == end
        assert isinstance(part, Filler) or part.end > part.start
        end = part.end
    assert end == len(text)


def test_time_is_linear():
    cells = ("   1 w 1", "0000 - U", "   9 b 0")

    def make(n: int) -> str:
        return HEAD + "".join(line(k % 9999 + 1, f"Player, {k}", "1.0", *cells) for k in range(n))

    assert growth(lambda text: list(trf.read(text)), make, least=0.1) < LINEAR


def test_a_report_in_many_pieces_takes_linear_time():
    """What the fast lane takes out of a text leaves pieces: a game after each line here, and each line has an issue."""
    known = HEAD + line(1, "Player, A", "0.0") + "### read over\n" * 2500

    def make(n: int) -> str:
        return known + "no record\n" * n

    def read(text: str) -> None:
        pieces = [(0, len(known)), *((at, at + 9) for at in range(len(known), len(text), 10))]
        found = [part for part in parts(text, pieces, Hints()) if part.issues]
        assert len(found) == len(pieces) - 1
        assert all(len(part.issues) == 1 and part.issues[0].start == part.start for part in found)

    assert growth(read, make, least=0.1) < LINEAR


# --- through the lake and back ----------------------------------------------------------------------------------------


def asked(capsys: pytest.CaptureFixture[str], *arguments: str) -> str:
    capsys.readouterr()
    assert run(list(arguments)) == 0
    return capsys.readouterr().out


PAIRINGS = "select round, white, black, result, termination, date, white_elo, black_elo from games order by all"
POINTS = (
    "select name, sum(points) as points, count(*) as n from player_games join players using (player_id) group by all order by all"
)


@pytest.mark.parametrize("query", [PAIRINGS, POINTS])
def test_what_is_exported_reads_back_to_the_same_pairings_and_points(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], query: str
):
    there, back, file = str(tmp_path / "there"), str(tmp_path / "back"), tmp_path / "out.txt"
    (tmp_path / "in.dat").write_text(SWISS)
    assert run(["ingest", str(tmp_path / "in.dat"), "--lake", there]) == 0
    assert run(["export", "trf", "test open", "--lake", there, "--out", str(file)]) == 0
    assert run(["ingest", str(file), "--lake", back]) == 0
    assert asked(capsys, "sql", query, "--lake", back) == asked(capsys, "sql", query, "--lake", there)
    assert run(["verify", "--heavy", "--lake", back]) == 0
    again = asked(capsys, "export", "trf", "test open", "--lake", back)
    assert again == file.read_text()


@pytest.mark.parametrize(
    ("n_players", "round_", "told_"),
    [(10_000, 1, "room for 9,999 players, not for 10,000"), (2, 999_999, "room for 400 rounds, not for 999,999")],
)
def test_what_a_report_has_no_room_for_is_refused(n_players: int, round_: int, told_: str):
    players = [Entrant(str(k), f"Player, {k}") for k in range(n_players)]
    with pytest.raises(ValueError, match=told_):
        report({}, {}, players, [Pairing(round_, "0", "1", "1", "0")])


def test_players_with_the_same_points_share_a_rank():
    players = [Entrant(key, key) for key in "abcd"]
    pairings = [Pairing(1, "a", "b", "1", "0"), Pairing(1, "c", "d", "1", "0"), Pairing(2, "a", "c", "=", "=")]
    rows = [row for row in report({}, {}, players, pairings).splitlines() if row.startswith("001")]
    assert [(row[80:84].strip(), row[85:89].strip()) for row in rows] == [("1.5", "1"), ("0.0", "3"), ("1.5", "1"), ("0.0", "3")]


def test_rounds_that_a_report_has_no_room_for_go_by_their_order(tmp_path: Path, capsys: pytest.CaptureFixture[str]):
    text = "".join(
        f'[Event "Far"]\n[Date "2001.05.01"]\n[Round "{n}"]\n[White "Adler, Nora"]\n[Black "Cho, Min"]\n[Result "1-0"]\n\n1. e4 e{k} 1-0\n\n'
        for k, n in ((5, 1), (6, 999_999))
    )
    (tmp_path / "far.pgn").write_text(text)
    assert run(["ingest", str(tmp_path / "far.pgn"), "--lake", str(tmp_path / "lake")]) == 0
    lines = asked(capsys, "export", "trf", "Far", "--lake", str(tmp_path / "lake")).splitlines()
    assert [row[91:] for row in lines if row.startswith("001")] == ["   2 w 1     2 w 1", "   1 b 0     1 b 0"]


def test_a_game_that_both_lost_is_no_forfeit(tmp_path: Path, capsys: pytest.CaptureFixture[str]):
    (tmp_path / "in.dat").write_text(pair("   2 w 0", "   1 b 0", "0.0", "0.0"))
    lake = str(tmp_path / "lake")
    assert run(["ingest", str(tmp_path / "in.dat"), "--lake", lake]) == 0
    told_ = asked(capsys, "sql", "select distinct is_forfeit, is_unplayed, points from player_games", "--lake", lake)
    assert told_.splitlines()[1:] == ["false,false,0.0"]
    players = [row for row in asked(capsys, "export", "trf", "test open", "--lake", lake).splitlines() if row.startswith("001")]
    assert [row[91:] for row in players] == ["   2 w 0", "   1 b 0"]


def test_a_match_in_pgn_becomes_a_report(tmp_path: Path, capsys: pytest.CaptureFixture[str]):
    results: Sequence[tuple[str, str, str, str]] = [
        ("1", "Adler, Nora", "Brandt, Otto", "1-0"),
        ("2", "Brandt, Otto", "Adler, Nora", "1/2-1/2"),
        ("4", "Brandt, Otto", "Adler, Nora", "*"),
    ]
    text = "".join(
        f'[Event "Match"]\n[Site "Lodz POL"]\n[Date "2001.05.0{n}"]\n[Round "{n}"]\n[White "{w}"]\n[Black "{b}"]\n[Result "{r}"]\n\n1. e4 e5 {r}\n\n'
        for n, w, b, r in results
    )
    (tmp_path / "match.pgn").write_text(text)
    assert run(["ingest", str(tmp_path / "match.pgn"), "--lake", str(tmp_path / "lake")]) == 0
    lines = asked(capsys, "export", "trf", "Match", "--lake", str(tmp_path / "lake")).splitlines()
    assert lines[:5] == ["012 Match", "022 Lodz", "032 POL", "042 2001/05/01", "052 2001/05/04"]
    assert [(row[80:84].strip(), row[91:].rstrip()) for row in lines if row.startswith("001")] == [
        ("1.5", "   2 w 1     2 b =               2 b"),
        ("0.5", "   1 b 0     1 w =               1 w"),
    ]


def test_an_event_that_is_not_there_or_not_the_only_one_is_told(tmp_path: Path, capsys: pytest.CaptureFixture[str]):
    for k in (1, 2):
        (tmp_path / f"{k}.trf").write_text(SWISS.replace("Test Open", f"Test Open {k}"))
    assert run(["ingest", str(tmp_path), "--lake", str(tmp_path / "lake")]) == 0
    assert run(["export", "trf", "Nowhere", "--lake", str(tmp_path / "lake")]) == 2
    assert run(["export", "trf", "test", "--lake", str(tmp_path / "lake")]) == 2
    assert "fits 2 events: Test Open 1 (Havana CUB, 2024, 7 games, id " in capsys.readouterr().err


def test_two_games_of_a_player_in_a_round_are_refused():
    players = [Entrant("a", "Adler, Nora"), Entrant("b", "Brandt, Otto")]
    with pytest.raises(ValueError, match="round 1 has two games of one player"):
        report({}, {}, players, [Pairing(1, "a", "b", "1", "0"), Pairing(1, "b", "a", "1", "0")])
    with pytest.raises(ValueError, match="not in the report"):
        report({}, {}, players, [Pairing(1, "a", "c", "1", "0")])


def test_pgn_and_csv_of_the_lake(tmp_path: Path, capsys: pytest.CaptureFixture[str]):
    text = '[Event "Match"]\n[Site "?"]\n[Date "2001.??.??"]\n[Round "1"]\n[White "Adler, Nora"]\n[Black "Brandt, Otto"]\n[Result "1-0"]\n\n1. e4! {best} (1. d4) e5 1-0\n'
    (tmp_path / "one.pgn").write_text(text)
    (tmp_path / "two.pgn").write_text(
        text.replace("Match", "Match ") + "\n" + text.replace('Round "1"', 'Round "2"').replace("e5", "c5")
    )
    lake = str(tmp_path / "lake")
    assert run(["ingest", str(tmp_path / "one.pgn"), str(tmp_path / "two.pgn"), "--lake", lake]) == 0
    found = asked(capsys, "export", "pgn", "--lake", lake)
    assert found.count("[Event ") == 2
    assert "1. e4 $1 { best } ( 1. d4 ) 1... e5 1-0" in " ".join(
        found.split()
    ) or "1. e4 $1 {best} (1. d4) 1... e5 1-0" in " ".join(found.split())
    assert asked(capsys, "export", "csv", "series_results", "--lake", lake).startswith("player,opponent,series,score,n,")
    assert run(["export", "csv", "nothing", "--lake", lake]) == 2


def test_names_are_those_of_persons_unless_as_written(tmp_path: Path, capsys: pytest.CaptureFixture[str]):
    heads = [("1", "Adler, Nora", "Brandt, Otto"), ("2", "Брандт, Отто", "Nora Adler"), ("3", "Adler, Nora", "Brandt, Otto")]
    text = "".join(
        f'[Event "Match"]\n[Date "2001.05.0{n}"]\n[Round "{n}"]\n[White "{w}"]\n[Black "{b}"]\n[Result "1-0"]\n'
        f'[WhiteElo ""]\n[BlackElo "2000"]\n\n1. e4 e5 1-0\n\n'
        for n, w, b in heads
    )
    (tmp_path / "match.pgn").write_text(text, "utf-8")
    lake = str(tmp_path / "lake")
    assert run(["ingest", str(tmp_path / "match.pgn"), "--lake", lake]) == 0
    found = asked(capsys, "export", "pgn", "--lake", lake)
    assert [line for line in found.splitlines() if line.startswith("[White")] == [
        '[White "Adler, Nora"]',
        '[White "Brandt, Otto"]',
        '[White "Adler, Nora"]',
    ]
    assert found.count('[Black "Adler, Nora"]') == 1
    assert found.count('[BlackElo "2000"]') == 3
    written = asked(capsys, "export", "pgn", "--names", "as-written", "--lake", lake)
    assert ('[White "Брандт, Отто"]' in written, '[Black "Nora Adler"]' in written, "WhiteElo" in written) == (True, True, False)
    report = asked(capsys, "export", "trf", "Match", "--lake", lake)
    assert [row[14:47].strip() for row in report.splitlines() if row.startswith("001")] == ["Adler, Nora", "Brandt, Otto"]
    game = asked(capsys, "sql", "select game_id from games limit 1", "--lake", lake).split()[1]
    shown = asked(capsys, "show", game, "--lake", lake)
    assert ("WhiteElo" in shown, "BlackElo: 2000" in shown) == (False, True)
