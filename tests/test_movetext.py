"""Tokens → the main line and variations as written."""
# ruff: noqa: E501  (input and expectation stand on one line)

from __future__ import annotations

import pytest

from pipeline import movetext
from pipeline.lexer import Lexer


def score(text):
    return movetext.assemble(Lexer(text).tokens())


def texts(line):
    return [ply.text for ply in line.plies]


def test_moves_symbols_and_comments_are_kept_with_their_ply():
    main = score("{a} 1. e4! {b} $14 e5 (=) ; c\n").main
    assert texts(main) == ["e4", "e5"]
    assert [[glyph for glyph, _ in ply.symbols] for ply in main.plies] == [["!", "$14"], []]
    assert [(ply.comments_before, ply.comments) for ply in main.plies] == [(["a"], ["b"]), ([], ["(=)", " c"])]


def test_numbers_say_what_was_written():
    plies = score("1. e4 1... e5 Nf3 2… Nc6").main.plies
    assert [(ply.number, ply.is_black_number) for ply in plies] == [(1, False), (1, True), (None, False), (2, True)]


def test_variations_are_numbered_by_their_brackets_and_know_their_parents():
    lines = score("e4 (d4 d5 (Nf6) c4) (c4) e5 (c5)").lines
    assert [(line.number, line.parent, line.branch, line.depth, texts(line)) for line in lines] == [
        (0, 0, 0, 0, ["e4", "e5"]), (1, 0, 0, 1, ["d4", "d5", "c4"]), (2, 1, 1, 2, ["Nf6"]), (3, 0, 0, 1, ["c4"]), (4, 0, 1, 1, ["c5"])]  # fmt: skip


def test_a_variation_before_the_first_move_replaces_nothing():
    assert score("(d4) e4").lines[1].branch == -1


def test_marks_that_stand_apart_belong_to_the_move_before_them():
    plies = score("Qxf7 mate e5 e.p. {c} ch").main.plies
    assert [(ply.written, ply.marks) for ply in plies[:2]] == [("Qxf7 mate", ["mate"]), ("e5 e.p.", ["e.p."])]


@pytest.mark.parametrize(
    ("text", "code", "at"),
    [
        ("e4 {open", "unterminated_comment", 1),
        ("e4 e5 (c5", "unterminated_variation", 2),
        ("e4 (d4 {open", "unterminated_comment", 1),
        ("e4 (d4 (c4) e5", "unterminated_variation", 1),
    ],
)
def test_a_fault_of_structure_ends_the_main_line_where_it_began(text, code, at):
    found = score(text)
    assert found.fault is not None
    assert (found.fault.code, found.fault_at) == (code, at)


@pytest.mark.parametrize("text", ["e4 e5 )", "e4 } e5"])
def test_a_stray_closing_is_reported_and_read_over(text):
    found = score(text)
    assert (texts(found.main), [i.code for i in found.issues], found.fault) == (["e4", "e5"], ["mismatched_delimiter"], None)


def test_a_run_of_words_is_one_issue():
    assert [(i.code, i.written) for i in score("e4 some odd words e5 & c4").issues] == [
        ("unknown_token", "some odd words"),
        ("unknown_token", "&"),
    ]


def test_zeros_are_a_double_forfeit_only_where_nothing_was_played():
    assert score("0-0").result is not None
    assert score("e4 0-0").result is None
    assert score("1. 0-0").result is None
    assert texts(score("1. 0-0").main) == ["0-0"]


def test_a_result_in_a_variation_is_not_the_games():
    found = score("e4 (d4 1-0) e5 0-1")
    assert (found.result and found.result.text, texts(found.main)) == ("0-1", ["e4", "e5"])


def test_comments_of_an_empty_line_are_its_own():
    assert score("{only}").main.comments == ["only"]
    assert score("e4 ({only}) e5").lines[1].comments == ["only"]


def test_three_thousand_brackets_do_not_recurse():
    assert len(score("e4 " + "(d4 " * 3000 + ")" * 3000).lines) == 3001
