"""Where games begin and end in a text."""

from __future__ import annotations

from itertools import pairwise

import pytest

from pipeline.split import WrittenGame, borders, split
from tests.support_text import codes, parts, read, sans


def found(text):
    return [sans(game) for game in read(text)]


@pytest.mark.parametrize(
    ("text", "games"),
    [
        ("", []),
        ("Only prose, no game at all.", []),
        ("1. e4 e5 1-0", ["e4 e5"]),
        ("1. e4 e5 1-0\n1. d4 d5 0-1", ["e4 e5", "d4 d5"]),
        ("1. e4 e5\n1. d4 d5 *", ["e4 e5", "d4 d5"]),
        ("1. e4 e5\n\n1. d4 d5\n\n1. c4 c5", ["e4 e5", "d4 d5", "c4 c5"]),
        ('[Event "x"]\n\n1. e4 e5\n\n1. d4 d5 2. c4 *', ["e4 e5", "d4 d5 c4"]),
        ("1. e4 e5 1-0 1. d4 d5 0-1", ["e4 e5", "d4 d5"]),
        ("1. e4 e5 2. d4 d5\n1. c4 c5 2. g3 g6", ["e4 e5 d4 d5", "c4 c5 g3 g6"]),
        ("1. e4 e5 2. d4 1. d4 d5 2. c4", ["e4 e5 d4", "d4 d5 c4"]),
        ('[Event "x"]\n\n1. e4 e5 1-0\n\n[Event "y"]\n\n1. d4 d5 0-1', ["e4 e5", "d4 d5"]),
        ('[Event "x"]\n1. e4 e5 1-0\n[Event "y"]\n1. d4 d5 0-1', ["e4 e5", "d4 d5"]),
        ('[Event "x"]\n\n1. e4 e5\n\n[Event "y"]\n\n1. d4 d5', ["e4 e5", "d4 d5"]),
        ('[Event "x"]\n\n[Event "y"]\n\n1. d4 d5 *', ["", "d4 d5"]),
        ('[White "A"]\n[Black "B"]\n[Result "1-0"]\n\n[White "C"]\n[Black "D"]\n[Result "0-1"]\n', ["", ""]),
        ('[Event "x"]\n\n1. e4 e5 *\n\n1. d4 d5 *', ["e4 e5", "d4 d5"]),
        ('[Event "x"]\n\n1-0\n\n1. d4 d5 *', ["", "d4 d5"]),
        ("Intro.\n\n1. e4 e5 2. Nf3 Nc6 1-0\n\nBetween.\n\n1. d4 d5 2. c4 e6 0-1\nOutro.", ["e4 e5 Nf3 Nc6", "d4 d5 c4 e6"]),
        ("1. e4 e5 1-0 He resigned.\n\n1. d4 d5 0-1", ["e4 e5", "d4 d5"]),
        ('[Event "x"]\n\n1. e4 {a tag\n[Event "y"]\nin a comment} e5 *', ["e4 e5"]),
        ('[Event "x"]\n\n1. e4 {open\n\n[Event "y"]\n\n1. d4 d5 *', ["e4", "d4 d5"]),
        ('[Event "x"]\n\n1. e4 {open\n\n[Event "y"]\n\n1. d4 {closed} d5 *', ["e4", "d4 d5"]),
        ("1. e4 e5 {see 1. d4 d5 2. c4} 2. Nf3 *", ["e4 e5 Nf3"]),
        ("Scores 1 e-mail and 3:1.", []),
        ("In 1. e4 he believed.", []),
        ("(1. d4 d5) 1. e4 e5 *", ["e4 e5"]),
    ],
)  # fmt: skip
def test_games_are_found_in_a_text(text, games):
    assert found(text) == games


@pytest.mark.parametrize(
    "header",
    [
        '[Event "C"] [White "A"] [Black "B"] [Result "1-0"] ',
        '[Event "C"]\n; a note\n[White "A"]\n[Black "B"]\n[Result "1-0"]\n\n',
        '[Event "C"] ; a note\n[White "A"] {another}\n[Black "B"]\n[Result "1-0"]\n\n',
        '[Event "C"]\n{a note\nof two lines}\n[White "A"]\n[Black "B"]\n[Result "1-0"]\n\n',
        '[Event "C"] hello\n[White "A"]\n[Black "B"]\nof London\n[Result "1-0"]\n\n',
        '[Event "C"],\n[White "A"],\n[Black "B"],\n[Result "1-0"]\n\n',
        '[Event "C"]<br />\n[White "A"]<br />\n[Black "B"]<br />\n[Result "1-0"]<br />\n\n',
    ],
)
def test_what_stands_between_tags_opens_no_game_and_loses_no_tag(header):
    text = f'{header}1. e4 e5 2. Nf3 1-0\n\n[Event "D"]\n\n1. d4 d5 *\n'
    first, second = (part for part in split(text) if isinstance(part, WrittenGame))
    assert [(tag.name, tag.value) for tag in first.tags] == [("Event", "C"), ("White", "A"), ("Black", "B"), ("Result", "1-0")]
    assert [t.text for t in first.tokens if t.kind in {"move", "result"}] == ["e4", "e5", "Nf3", "1-0"]
    assert [tag.value for tag in second.tags] == ["D"]


@pytest.mark.parametrize(
    ("text", "tags"),
    [
        ('[White "A"]\n[Black "B"]\nLost in the fire.\n[White "C"]\n[Black "D"]\n1. e4 *', ["A B", "C D"]),
        ('[White "A"]\n[Black "B"]\nLost in the fire.\n[Event "C"]\n[White "D"]\n1. e4 *', ["A B", "C D"]),
        ('[White "A"]\n[Black "B"]\n1. e4\n[Site "C"]\n1. d4 *', ["A B", "C"]),
        ('[White "A"]\n[Black "B"]\n1-0\n[Site "C"]\n1. d4 *', ["A B", "C"]),
    ],
)
def test_text_between_two_games_joins_them_not(text, tags):
    games = [part for part in split(text) if isinstance(part, WrittenGame)]
    assert [" ".join(tag.value for tag in game.tags) for game in games] == tags


def test_parts_cover_the_text_and_blanks_stand_apart():
    text = '\n\nA heading\n\n[Event "x"]\n\n1. e4 e5 *\n\n  \nSome prose.\n'
    assert parts(text) == [("blank", "\n\n"), ("heading", "A heading"), ("blank", "\n\n"), ("game", '[Event "x"]\n\n1. e4 e5 *'),
                           ("blank", "\n\n  \n"), ("heading", "Some prose."), ("blank", "\n")]  # fmt: skip


def test_a_game_runs_from_its_first_to_its_last_token():
    assert parts("  1. e4 e5 {c}  \n") == [("blank", "  "), ("game", "1. e4 e5 {c}"), ("blank", "  \n")]


def test_a_score_that_prose_breaks_off_is_truncated():
    game = read("1. e4 e5 2. Nf3 Nc6 and here some prose 3. Bb5 a6 *")[0]
    assert (game.status, sans(game), codes(game)) == ("truncated", "e4 e5 Nf3 Nc6", ["unknown_token"])


def test_a_score_that_prose_ends_is_whole():
    game = read("1. e4 e5 2. Nf3 Nc6 and White won easily.")[0]
    assert (game.status, sans(game), game.end) == ("clean", "e4 e5 Nf3 Nc6", 19)


@pytest.mark.parametrize(
    "text",
    [
        'consultant, n.:\n\t[From con "to defraud, dupe," or, possibly,\n\tcon "a person of little merit"]  A tipster -- yes.\n',
        '[Quoted in "VMS Internals", V4.4, when\n\t referring to interrupts.]\n\nAnd now -- I see -- with eye serene\n',
        '[merge "changelogs"]\n    name = merge driver\n    driver = merge -m %O %A\nThen you have to set it up.\n',
    ],
)
def test_brackets_of_prose_and_of_programs_are_no_tags(text):
    assert found(text) == []


def test_tags_of_unknown_names_are_tags_where_moves_or_a_result_follow():
    for movetext, moves in (("1. e4 e5 *", "e4 e5"), ("1-0", "")):
        game = read(f'[Weiss "A"]\n[Schwarz "B"]\n\n{movetext}\n')[0]
        assert (sans(game), [pair.name for pair in game.tags]) == (moves, ["Weiss", "Schwarz"])


def test_moves_that_follow_a_word_without_a_number_are_not_lost_in_silence():
    game = read("1. e4 e5 2. Nf3 word Nc6 *")[0]
    assert (game.status, sans(game)) in {("truncated", "e4 e5 Nf3"), ("clean", "e4 e5 Nf3 Nc6")}


def test_a_nested_comment_does_not_end_a_score_without_tags():
    assert found("1. e4 e5 2. Nf3 {a {b} c} Nc6 3. Bb5 *") == ["e4 e5 Nf3 Nc6 Bb5"]


@pytest.mark.parametrize(
    ("data", "expected"),
    [
        (b'[Event "a"]\n\n1. e4 *\n\n[Event "b"]\n', [22]),
        (b'[Event "a"]\r\n\r\n1. e4 *\r\n\r\n[Event "b"]\r\n', [26]),
        (b'\n\n[Event "b"]\n', [2]),
        (b'x\n[Event "b"]', []),
        (b'x\n \t\n[Event "b"]', [5]),
        (b'x\n\n[Site "b"]', []),
        (b"", []),
    ],
)
def test_sure_borders_are_events_after_a_blank_line(data, expected):
    assert borders(data) == expected


def test_cutting_at_sure_borders_changes_no_game():
    text = '[Event "a"]\n\n1. e4 {open\n\n[Event "b"]\n\n1. d4 } d5 *\n\n[Event "c"]\n\n1. c4 *\n'
    cuts = [0, *borders(text.encode()), len(text)]
    assert found(text) == [san for a, b in pairwise(cuts) for san in found(text[a:b])]
