"""Published scores: what of a text is one, whose it is, what people add, and which games explain a difference."""
# ruff: noqa: E501  (input and expectation stand on one line)

from __future__ import annotations

import json
from decimal import Decimal
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from pipeline.catalog import BadCorrection
from pipeline.published import find, keys, read_score
from tests.support_catalog import ADLER, BRANDT, Row, game, lake, rows
from tests.support_text import LINEAR, cases, growth, ingest


@pytest.mark.parametrize("case", cases("published"), ids=lambda case: case["text"][:40])
def test_a_score_is_found_with_what_stands_beside_it(case):
    [told] = find(case["text"])
    score = told.score
    assert (told.player or "", told.opponent or "") == (case["player"], case["opponent"])
    assert (score.points, score.opponent_points) == (number(case["points"]), number(case["opponent_points"]))
    series = "" if score.wins is None else f"{score.wins} {score.losses} {score.draws}"
    assert (series, told.evidence, told.certainty) == (case["series"], case["evidence"], case["certainty"])
    assert (told.event or "", str(told.year or "")) == (case["event"], case["year"])
    assert case["text"][score.start : score.end][:200] == told.written


def number(text: str) -> Decimal | None:
    return Decimal(text) if text else None


@pytest.mark.parametrize(
    "text",
    [
        "The train leaves at 12:30 and comes at 8:45.",
        "John 3:16 and Romans 8:28-30.",
        "Mix it 2:1, or 3½:1, or 1.5:2.5.",
        "Pages 12-15, and 8½-11½ inches, and 5.5-7.5 percent.",
        "Arsenal – Chelsea 3:1",
        "Manchester United beat Liverpool 3-1.",
        "Federer beat Nadal 6-4, 7-5.",
        "On 12-10 they met; Mon–Fri 8.5-12.5 hours.",
        "London – Paris 2.5-3.5 hours by train.",
        "1-0 ½-½ 0-1 ½:½ 1½-½",
        "x = +6-4=2 and 3+6-4=5 and +7 495 123-45-67",
        "The score was 10:5 for Germany.",
        "1. e4 e5 2. Nf3 Nc6 +0.5-0.5",
        "2001:0db8:8:2 and 10:8:5 and 8½:12½:3",
        "from 53 1/2 to 52 1/2 pounds",
        "Spassky – Fischer 8½:12",
    ],
)
def test_what_is_no_score_of_a_series_is_left_alone(text):
    assert find(text) == []


def test_each_score_of_a_list_has_the_names_of_its_line_and_the_heading_above():
    text = "Candidates matches 1971\nFischer – Taimanov 6½:½\nGeller – Korchnoi 2½:5½\n\nIn other news 1972\nTal – Keres 5½:4½\n"
    assert [(t.player, t.opponent, t.written, t.event, t.year) for t in find(text)] == [
        ("Fischer", "Taimanov", "6½:½", "Candidates matches 1971", 1971),
        ("Geller", "Korchnoi", "2½:5½", "Candidates matches 1971", 1971),
        ("Tal", "Keres", "5½:4½", None, 1972),
    ]


def test_the_year_of_a_line_is_that_of_its_score():
    text = "Матчи на первенство мира\nАлехин — Капабланка 18½:15½, 1927\nВ 1966 году Петросян победил Спасского 12½:11½.\nТаль — Ботвинник 12½:8½\nКарпов – Каспаров 25:23 (чемпионат мира, 1984)\n"
    assert [(t.player, t.year, t.event) for t in find(text)] == [
        ("Алехин", 1927, "Матчи на первенство мира"),
        ("Петросян", 1966, "Матчи на первенство мира"),
        ("Таль", None, "Матчи на первенство мира"),
        ("Карпов", 1984, "Матчи на первенство мира"),
    ]


@pytest.mark.parametrize(
    ("written", "expected"),
    [
        ("8½:12½", (8.5, 12.5, None, None, None)),
        ("8,5:12,5", (8.5, 12.5, None, None, None)),
        ("8.5-12.5", (8.5, 12.5, None, None, None)),
        ("10:5", (10, 5, None, None, None)),
        ("+6−4=11", (None, None, 6, 4, 11)),
        ("(+6 -4 =11)", (None, None, 6, 4, 11)),
        ("+6=11-4", (None, None, 6, 4, 11)),
        ("+8-3=5", (None, None, 8, 3, 5)),
        ("+5=5", (None, None, 5, 0, 5)),
        ("12½:8½ (+7-3=11)", (12.5, 8.5, 7, 3, 11)),
        ("8½:12½ (+7-3=11)", (8.5, 12.5, 3, 7, 11)),
        ("12½:8½ (+7-4=11)", None),
        ("8½:12", None),
        ("1:0", None),
        ("won", None),
        ("", None),
    ],
)
def test_a_score_alone_is_read_or_refused(written, expected):
    score = read_score(written)
    found = score and (score.points, score.opponent_points, score.wins, score.losses, score.draws)
    assert found == expected


@settings(deadline=None, derandomize=True, max_examples=200)
@given(st.text(alphabet="Fischer Spak–:-½+=(),.0123456789\nмтч", max_size=120))
def test_any_text_gives_scores_in_order_that_stand_where_they_say(text):
    at = 0
    for told in find(text):
        assert at <= told.score.start < told.score.end <= len(text)
        at = told.score.end


@pytest.mark.parametrize(
    "unit", ["Fischer – Spassky 8½:12½\n", "Fischer beat ", "A–", "12:8 ", "Fischer 1 0 1 ", "Match 8½-12½ x\n"]
)
def test_time_is_linear(unit):
    assert growth(find, lambda n: unit * n, least=0.05) < LINEAR


def test_scores_between_games_and_in_comments_are_stored_with_their_bytes(tmp_path: Path):
    text = (
        "World Championship 1972: Spassky – Fischer 8½:12½.\n\n1. e4 e5 2. Nf3 {A – B 8½:12½} Nc6 3. Bb5 a6 1-0\n\nМатч Таль — Ботвинник 12½:8½.\n\n"
        '[Event "Match"]\n[Site "?"]\n[Date "1960.??.??"]\n[Round "?"]\n[White "Adler"]\n[Black "Brandt"]\n[Result "*"]\n\n{Final score 6½:3½.} *\n'
    )
    data = text.encode()
    found = ingest(data, tmp_path)[1].tables["published_results"].to_pylist()
    assert [(r["player"], r["opponent"], r["written"], r["evidence"], r["game_id"] is None) for r in found] == [
        ("Spassky", "Fischer", "8½:12½", "pair", True),
        ("Таль", "Ботвинник", "12½:8½", "pair", True),
        ("Adler", "Brandt", "6½:3½", "tags", False),
    ]
    assert [data[r["byte_start"] : r["byte_end"]].decode() for r in found] == ["8½:12½", "12½:8½", "6½:3½"]
    assert (found[0]["player_keys"], float(found[0]["points"]), found[0]["year"]) == (["spasski"], 8.5, 1972)


def test_a_score_in_a_page_stands_where_its_markup_stands(tmp_path: Path):
    page = "<html><body><p>Spassky &ndash; Fischer <b>8&frac12;</b>:12&frac12;</p></body></html>"
    [row] = ingest(page.encode(), tmp_path)[1].tables["published_results"].to_pylist()
    assert (row["player"], row["opponent"], row["written"]) == ("Spassky", "Fischer", "8½:12½")
    assert page[row["byte_start"] : row["byte_end"]] == "8&frac12;</b>:12&frac12;"


MATCH = [
    game(ADLER, BRANDT, "1-0", "e4 e5 Nf3", round="1"),
    game(BRANDT, ADLER, "1/2-1/2", "d4 d5 c4", round="2"),
    game(ADLER, BRANDT, "0-1", "c4 e5 Nc3", round="3"),
    game(BRANDT, ADLER, "*", "f4 d5", round="4"),
    game(ADLER, BRANDT, "1-0", round="5", termination="forfeit"),
    game(ADLER, BRANDT, "1-0", "b3 e5 Bb2", event="Open", site="Kyiv", year=2003, speed="rapid"),
]
"""A match of 5 games, 2½:1½ with one unfinished, and a rapid game of another year."""


def score(written: str, **more: str | None) -> Row:
    return {"line": 2, "player": "Adler", "opponent": "Brandt O", "event": "Cup", "year": "2001", "score": written, **more}


@pytest.mark.parametrize(
    ("published", "expected"),
    [
        (score("2½:1½"), []),
        (score("+2−1=1"), []),
        (score("1½:2½", player="Brandt, Otto", opponent="Nora Adler"), []),
        (score("3½:1½"), [("unfinished", "4"), ("forfeit", "5")]),
        (score("1½:1½"), [("unfinished", "4"), ("forfeit", "5")]),
        (score("3½:½"), [("unfinished", "4"), ("forfeit", "5"), ("flipped_result", "3")]),
        (score("3:1"), [("unfinished", "4"), ("forfeit", "5"), ("other_result", "2"), ("other_result", "3")]),
        (score("+3−1=0"), [("unfinished", "4"), ("forfeit", "5"), ("other_result", "2")]),
        (score("4½:2½"), [("unfinished", "4"), ("forfeit", "5"), ("missing_round", "6"), ("missing_round", "7")]),
        (score("5:3", event=None, year=None), [("unfinished", "4"), ("other_speed", None), ("forfeit", "5"), ("missing_games", None)]),
        (score("5:3", event="Quite another match", year=None), [("event_not_found", None)]),
        (score("5:3", opponent="Nobody Known"), []),
        (score("1:1", event=None, year="2003"), [("missing_games", None)]),
        (score("½:1½", event="Open", year=None), [("missing_games", None)]),
    ],
)  # fmt: skip
def test_games_and_rounds_that_would_explain_a_difference(tmp_path: Path, published: Row, expected: list[tuple[str, str | None]]):
    with lake(tmp_path, MATCH, given_results=[published]) as con:
        found = rows(con, "select reason, round from discrepancies")
    assert found == expected


def test_rounds_of_two_events_are_not_one_round(tmp_path: Path):
    played = [("Cup", "1", "e4"), ("Cup", "2", "d4"), ("Open", "1", "c4"), ("Open", "2", "f4"), ("Open", "2", "b3")]
    games = [game(ADLER, BRANDT, "1-0", f"{move} e5 a3", round=n, event=event) for event, n, move in played]
    with lake(tmp_path, games, given_results=[score("3:0", event=None, year=None)]) as con:
        assert rows(con, "select reason, round from discrepancies") == [("same_round", "2"), ("same_round", "2")]


def test_a_difference_is_told_with_both_scores(tmp_path: Path):
    with lake(tmp_path, MATCH, given_results=[score("+3−1=1 3½:1½")]) as con:
        [row] = rows(
            con,
            "select player, opponent, event, published, computed, published_series, computed_series, difference, opponent_difference, n_published, n from discrepancies where reason = 'unfinished'",
        )
    assert row == (ADLER, BRANDT, "Cup", "3½:1½", "2½:1½", "+3−1=1", "+2−1=1", 1.0, 0.0, 5, 4)


def test_a_name_of_two_persons_who_both_played_the_opponent_names_nobody(tmp_path: Path):
    games = [
        game("Adler, Nora", BRANDT, "1-0", "e4 e5", round="1"),
        game("Adler, Ivo", BRANDT, "1-0", "d4 d5", round="2", year=2005),
    ]
    with lake(
        tmp_path, games, given_results=[score("2:0", event=None, year=None), score("1½:½", event=None, year="2005", line=3)]
    ) as con:  # type: ignore[arg-type]
        found = rows(
            con,
            "select line, player_id is null, (select name from players p where p.player_id = r.player_id) from published_results r order by line",
        )
    assert found == [(2, True, None), (3, False, "Adler, Ivo")]


@pytest.mark.parametrize(
    ("name", "expected"),
    [
        ("Спасский", ["spasski"]),
        ("Спасского", ["spasskogo", "spasski"]),
        ("Фишером", ["fisherom", "fisher", "fishero"]),
        ("Каспарова", ["kasparova", "kasparov", "kasparovo"]),
        ("Таля", ["talia", "tali", "tal"]),
        ("Fischer", ["fisher"]),
        ("Spasskiego", ["spasskiego", "spasski", "spasskiego"]),
    ],
)
def test_a_declined_name_keeps_the_key_as_written_and_those_of_the_first_case(name: str, expected: list[str]):
    assert keys(name)[:1] == expected[:1]
    assert set(expected) <= set(keys(name))


def test_a_declined_name_finds_its_person_among_those_who_met(tmp_path: Path):
    with lake(tmp_path, MATCH, given_results=[score("2½:1½", player="Адлером", opponent="Брандта")]) as con:
        found = rows(
            con,
            "select p.name, o.name from published_results join players p using (player_id) join players o on o.player_id = opponent_id",
        )
    assert found == [(ADLER, BRANDT)]


@pytest.mark.parametrize(
    ("wrong", "message"),
    [
        (score("won"), "score 'won' is none such as"),
        (score("12½:8"), "score '12½:8' is none such as"),
        (score("2:1", player="NN"), "player 'NN' names nobody"),
        (score("2:1", opponent=None), "opponent '' names nobody"),
        (score("2:1", opponent="ADLER"), "player and opponent are both 'Adler'"),
        (score("2:1", year="72"), "year '72' is no year"),
    ],
)
def test_a_row_that_makes_no_sense_is_named_with_its_line(tmp_path: Path, wrong: Row, message: str):
    with pytest.raises(BadCorrection, match=message) as raised:
        lake(tmp_path, MATCH, given_results=[wrong])
    assert (raised.value.line, raised.value.table) == (2, "published_results")


def test_the_command_applies_the_file_of_people(tmp_path: Path, capsys: pytest.CaptureFixture[str]):
    from pipeline.cli.application import run

    source, root = tmp_path / "x.pgn", tmp_path / "lake"
    source.write_text(
        '[Event "Cup"]\n[Site "?"]\n[Date "2001.??.??"]\n[Round "1"]\n[White "Adler, Nora"]\n[Black "Brandt, Otto"]\n[Result "1-0"]\n\n1. e4 e5 1-0\n'
    )
    assert run(["ingest", str(source), "--lake", str(root)]) == 0
    file = root / "curation" / "published_results.csv"
    file.write_text("player,opponent,event,year,score,source,note\nAdler,Brandt,Cup,2001,2:0,book,\n")
    assert run(["catalog", "--lake", str(root)]) == 0
    capsys.readouterr()
    assert run(["report", "discrepancies", "--lake", str(root), "--format", "json"]) == 0
    [row] = json.loads(capsys.readouterr().out)
    assert (row["reason"], row["published"], row["computed"]) == ("missing_round", "2:0", "1:0")
    file.write_text(
        "player,opponent,event,year,score,source,note\nAdler,Brandt,Cup,2001,2:0,book,\nAdler,Brandt,Cup,2001,two,book,\n"
    )
    assert run(["catalog", "--lake", str(root)]) == 78
    assert "published_results.csv:3: score 'two'" in capsys.readouterr().err
