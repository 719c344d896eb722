"""Tokens of movetext: every kind, and what its neighbours are."""
# ruff: noqa: E501  (input and expectation stand on one line)

from __future__ import annotations

import pytest

from pipeline import lexer
from pipeline.lexer import Lexer


def tokens(text, *, borders=None, is_nested=False):
    """Kind and text of each token but blanks."""
    found = Lexer(text, borders, has_nested_comments=is_nested).tokens()
    return [(token.kind, token.text) for token in found if token.kind != lexer.BLANK]


@pytest.mark.parametrize(
    ("text", "kind"),
    [
        (" \t\r\n", lexer.BLANK), ("\ufeff", lexer.BLANK), ("\x1a", lexer.BLANK),
        ("\u200b", lexer.BLANK), ("\u2009", lexer.BLANK), ("\xad", lexer.BLANK), ("\u2060\u200e\u202c", lexer.BLANK),
        ("{a comment}", lexer.COMMENT), ("{}", lexer.COMMENT), ("{a {b}", lexer.COMMENT), ("; to the end }", lexer.COMMENT),
        ("{open", lexer.UNTERMINATED), ("%escaped {", lexer.ESCAPE), ("(", lexer.OPEN), ("[", lexer.OPEN), (")", lexer.CLOSE), ("]", lexer.CLOSE), ("}", lexer.STRAY),
        ("$1", lexer.NAG), ("$255", lexer.NAG), ("$99999", lexer.NAG),
        ("1.", lexer.NUMBER), ("12...", lexer.NUMBER), ("1…", lexer.NUMBER), ("1)", lexer.NUMBER), ("12", lexer.NUMBER), ("1 .", lexer.NUMBER), ("100.", lexer.NUMBER),
        ("1000.", lexer.NUMBER), ("3. ...", lexer.NUMBER),
        ("e4", lexer.MOVE), ("Nf3", lexer.MOVE), ("Крe2", lexer.MOVE), ("♘f3", lexer.MOVE), ("♘\ufe0ef3", lexer.MOVE), ("e2-e4", lexer.MOVE), ("e2—e4", lexer.MOVE),
        ("exd5", lexer.MOVE), ("ed", lexer.MOVE), ("ed:", lexer.MOVE), ("С: e5", lexer.MOVE), ("Сe5:", lexer.MOVE), ("e8=Q", lexer.MOVE), ("e8(Q)", lexer.MOVE),
        ("e8/Ф", lexer.MOVE), ("edФ", lexer.MOVE), ("fxg8=Q#", lexer.MOVE), ("O-O", lexer.MOVE), ("0-0-0", lexer.MOVE), ("0—0", lexer.MOVE), ("О-О", lexer.MOVE),
        ("00", lexer.MOVE), ("000", lexer.MOVE), ("0 - 0", lexer.MOVE), ("O-O+", lexer.MOVE), ("e7e8q", lexer.MOVE), ("5254", lexer.MOVE), ("Nf3+", lexer.MOVE),
        ("Qxf7#", lexer.MOVE), ("Qxf7×", lexer.MOVE), ("Ng1 x f3", lexer.MOVE), ("Nf9", lexer.MOVE),
        ("--", lexer.NULL_MOVE), ("Z0", lexer.NULL_MOVE), ("0000", lexer.NULL_MOVE), ("@@@@", lexer.NULL_MOVE), ("<>", lexer.NULL_MOVE), ("null", lexer.NULL_MOVE),
        ("+", lexer.MARK), ("‡", lexer.MARK), ("ch", lexer.MARK), ("шах", lexer.MARK), ("e.p.", lexer.MARK), ("п.п.", lexer.MARK),
        ("!", lexer.SYMBOL), ("!?", lexer.SYMBOL), ("±", lexer.SYMBOL), ("+-", lexer.SYMBOL), ("−+", lexer.SYMBOL), ("=", lexer.SYMBOL), ("∞", lexer.SYMBOL), ("□", lexer.SYMBOL),
        ("N", lexer.SYMBOL), ("(!)", lexer.SYMBOL), ("[#]", lexer.SYMBOL), ("⩲", lexer.SYMBOL),
        ("(=)", lexer.DRAW_OFFER),
        ("1-0", lexer.RESULT), ("0-1", lexer.RESULT), ("1/2-1/2", lexer.RESULT), ("½", lexer.RESULT), ("1/2", lexer.RESULT), ("1:0", lexer.RESULT), ("0–1", lexer.RESULT),
        ("*", lexer.RESULT), ("+:-", lexer.RESULT), ("-:+", lexer.RESULT), ("1-0F", lexer.RESULT), ("0,5:0,5", lexer.RESULT), ("1 : 0", lexer.RESULT),
        ("Белые сдались", lexer.RESULT_WORDS), ("white  resigns", lexer.RESULT_WORDS), ("Weiß gab auf", lexer.RESULT_WORDS), ("WEISS GIBT AUF", lexer.RESULT_WORDS), ("weiß gibt\nauf", lexer.RESULT_WORDS), ("tablas", lexer.RESULT_WORDS),
        ("...", lexer.PUNCTUATION), (",", lexer.PUNCTUATION), ("-", lexer.PUNCTUATION), ("»", lexer.SYMBOL),
        ("word", lexer.WORD), ("He", lexer.WORD), ("d'accord", lexer.WORD), ("&", lexer.UNKNOWN), ("\U0001f600", lexer.UNKNOWN), ("$", lexer.UNKNOWN),
    ],
)  # fmt: skip
def test_a_token_alone_is_of_its_kind(text, kind):
    assert [(t.kind, t.text) for t in Lexer(text).tokens()] == [(kind, text)]


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("1.e4 e5", ["number", "move", "move"]),
        ("1.e4!e5?", ["number", "move", "symbol", "move", "symbol"]),
        ("Nf3!!+-", ["move", "symbol", "symbol"]),
        ("d4N", ["move", "symbol"]),
        ("e4$1$2", ["move", "nag", "nag"]),
        ("exd6e.p.", ["move", "mark"]),
        ("Qh5ch", ["move", "mark"]),
        ("a4(1.b4)", ["move", "open", "number", "move", "close"]),
        ("e4{c}e5", ["move", "comment", "move"]),
        ("e4;c\ne5", ["move", "comment", "move"]),
        ("e4 % no escape", ["move", "unknown", "word", "word"]),
        ("e4\n%escape\ne5", ["move", "escape", "move"]),
        ("de5: Кc6", ["move", "move"]),
        ("cd: ed:", ["move", "move"]),
        ("ed: f6", ["move", "move"]),
        ("Nf3 xd4", ["move", "move"]),
        ("Nf3 1-0", ["move", "result"]),
        ("Nf3+-", ["move", "symbol"]),
        ("Nf3+ -", ["move", "punctuation"]),
        ("Nf3=", ["move", "symbol"]),
        ("8.", ["number"]),
    ],
)
def test_neighbours_are_told_apart(text, expected):
    assert [kind for kind, _ in tokens(text)] == expected


def test_an_open_comment_never_reaches_beyond_a_sure_border():
    text = "{open [Event } later"
    assert tokens(text, borders=[6])[0] == (lexer.UNTERMINATED, "{open ")
    assert tokens(text)[0] == (lexer.COMMENT, "{open [Event }")


def test_braces_nest_only_when_asked():
    assert tokens("{a {b} c}") == [(lexer.COMMENT, "{a {b}"), (lexer.WORD, "c"), (lexer.STRAY, "}")]
    assert tokens("{a {b} c}", is_nested=True) == [(lexer.COMMENT, "{a {b} c}")]
    assert tokens("{a {b c}", is_nested=True) == [(lexer.UNTERMINATED, "{a {b c}")]


def test_a_part_of_a_text_is_read_without_looking_beyond_it():
    assert [t.text for t in Lexer("1. e4 e5 {x} e6").tokens(3, 10)] == ["e4", " ", "e5", " ", "{"]


@pytest.mark.parametrize("text", ["", "e", "\n", "𝕏", "e4" * 1000, "{" * 1000, "1-0" * 50])
def test_tokens_joined_are_the_text(text):
    assert "".join(t.text for t in Lexer(text).tokens()) == text


@pytest.mark.parametrize("text", ["♘f3Ra7", "♘f3R", "1. e4 ♔e2x♘f3R", "0-0R", "¢f3a", "e4é", "O-Oh"])
def test_no_token_is_empty(text):
    for token in Lexer(text).tokens():
        assert token.end > token.start


def test_native_files_are_files():
    assert {"α", "θ", "ד", "a", "h"} <= set(lexer.file_letters())
