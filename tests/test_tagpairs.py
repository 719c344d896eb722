"""Tag sections as people wrote them."""

from __future__ import annotations

import pytest

from pipeline import tagpairs


def section(text):
    """Pairs, issue codes and the rest of the text."""
    found = tagpairs.Section(text, 0)
    return [(pair.name, pair.value) for pair in found.pairs], [issue.code for issue in found.issues], text[found.end :]


@pytest.mark.parametrize(
    ("text", "pairs", "issues"),
    [
        ('[Event "E"]\n[Site "S"]', [("Event", "E"), ("Site", "S")], []),
        ('[Event "E"]\r\n[Site "S"]', [("Event", "E"), ("Site", "S")], []),
        ('[Event "E"]\r[Site "S"]', [("Event", "E"), ("Site", "S")], []),
        ('[Event "E"] [Site "S"][Round "1"]', [("Event", "E"), ("Site", "S"), ("Round", "1")], []),
        ('[Event "E"]\n\n[Site "S"]', [("Event", "E"), ("Site", "S")], []),
        ('[Event "E"]\n% escaped\n[Site "S"]', [("Event", "E"), ("Site", "S")], []),
        (' [ Event  "E" ] ', [("Event", "E")], []),
        ('\ufeff[Event "E"]', [("Event", "E")], []),
        ('[Event "E\n[Site "S"]', [("Event", "E"), ("Site", "S")], ["unterminated_tag"]),
        ('[Event "E]\n[Site "S"]', [("Event", "E"), ("Site", "S")], ["unterminated_tag"]),
        ('[Event "E"\n[Site "S"]', [("Event", "E"), ("Site", "S")], ["unterminated_tag"]),
        ("[Event “E”]", [("Event", "E")], []),
        ("[Event „E“]", [("Event", "E")], []),
        ("[Event «E»]", [("Event", "E")], []),
        (r'[Event "a \"b\" c"]', [("Event", 'a "b" c')], []),
        (r'[Event "a \\ b"]', [("Event", r"a \ b")], []),
        (r'[Event "a\b"]', [("Event", r"a\b")], []),
        (r'[Event "a\"]', [("Event", "a\\")], []),
        ('[Event "SK"Vladimir Gortan"-2007"]', [("Event", 'SK"Vladimir Gortan"-2007')], ["unescaped_quote"]),
        ('[White ""Mephisto"]', [("White", '"Mephisto')], ["unescaped_quote"]),
        ('[Event "a [b] c"]', [("Event", "a [b] c")], []),
        ('[Event "a {b"]', [("Event", "a {b")], []),
        ('[Event ""]', [("Event", "")], []),
        ('[event "E"]', [("event", "E")], ["tag_case"]),
        ('[WHITE "A"]', [("WHITE", "A")], ["tag_case"]),
        ('[Setup "1"]', [("Setup", "1")], ["tag_case"]),
        ('[White "A"]\n[White "B"]', [("White", "A"), ("White", "B")], ["duplicate_tag"]),
        ('[My_Tag2 "x"]', [("My_Tag2", "x")], []),
        ('[My-Tag "x"]', [("My-Tag", "x")], ["bad_tag_name"]),
        ('[Event "E"] ; a comment', [("Event", "E")], []),
    ],
)
def test_a_tag_section_is_read_as_meant(text, pairs, issues):
    assert section(text)[:2] == (pairs, issues)


def test_the_section_ends_before_the_moves():
    assert section('[Event "E"]\n\n1. e4')[2] == "\n\n1. e4"
    assert section('[Event "E"]\n1. e4 [x "y"]')[2] == '\n1. e4 [x "y"]'


def test_a_second_event_opens_the_next_game():
    assert section('[Event "A"]\n[White "B"]\n[Black "C"]\n[Event "D"]')[2] == '\n[Event "D"]'
    assert section('[Event "A"]\n\n[Event "D"]')[2] == '\n\n[Event "D"]'


def test_tags_that_begin_a_line_are_found():
    text = 'x [A "1"]\n[B "2"]\r\n  [C "3"]\r[D "4"] [E "5"]\n[no tag]'
    assert [text[at : at + 2] for at in tagpairs.starts(text)] == ["[B", "[C", "[D"]


def test_issues_name_the_place():
    found = tagpairs.Section('[Event "E"]\n[white "A"]', 0)
    assert [(i.code, i.start, i.end, i.written) for i in found.issues] == [("tag_case", 12, 23, "white")]
