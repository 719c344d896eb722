"""Tag sections as people wrote them."""

from __future__ import annotations

import time
from collections.abc import Callable

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
        ('[Event "a \\\\\\\\', [("Event", "a \\\\\\\\")], ["unterminated_tag"]),
        ('[Event "a "] b"]', [("Event", 'a "] b')], ["unescaped_quote"]),
        ('[Event "a "b" [c]"]', [("Event", 'a "b" [c]')], ["unescaped_quote"]),
        ('[Event "a "b" [c]"] 1. e4', [("Event", 'a "b" [c]')], ["unescaped_quote"]),
        ('[Event "a" ] 1. e4 e5 {"x"} *', [("Event", "a")], []),
        ("[Event “a”] 1. e4", [("Event", "a")], []),
    ],
)
def test_a_tag_section_is_read_as_meant(text, pairs, issues):
    assert section(text)[:2] == (pairs, issues)


def test_the_section_ends_before_the_moves():
    assert section('[Event "E"]\n\n1. e4')[2] == "\n\n1. e4"
    assert section('[Event "E"]\n1. e4 [x "y"]')[2] == '\n1. e4 [x "y"]'


@pytest.mark.parametrize(
    ("text", "rest"),
    [
        ('[Event "C"] [White "A"] [Black "B"] [Result "1-0"] 1. e4 e5 2. Nf3 1-0', " 1. e4 e5 2. Nf3 1-0"),
        ('[Event "C"]\n[White "A"]\n[Black "B"]\n[Result "1-0"] 1. e4 e5 2. Nf3 1-0', " 1. e4 e5 2. Nf3 1-0"),
        ('[Event "C"][White "A"][Black "B"][Result "1-0"]1. e4 e5 2. Nf3 1-0', "1. e4 e5 2. Nf3 1-0"),
        ('[Event "C"]\n[White "A"]\n[Black "B"]\n[Result "1-0"] e4 e5', " e4 e5"),
        ('[Event "C"]\n[White "A"]\n[Black "B"]\n[Result "1-0"],\n\n1. e4', ",\n\n1. e4"),
        ('[Event "C"]\n[White "A"]\n[Black "B"]\n[Result "1-0"]<br />\n1. e4', "<br />\n1. e4"),
        ('[Event "C"]\n[White "A"]\n[Black "B"]\n[Result "1-0"] {a} 1. e4', " {a} 1. e4"),
        ('[Event "C"]\n[White "A"]\n[Black "B"]\n[Result "1-0"] ; a\n1. e4', " ; a\n1. e4"),
        ('[Event "C"][White "A"][Black "B"][Result "1-0"] 1. e4 1-0 [Event "D"] 1. d4', ' 1. e4 1-0 [Event "D"] 1. d4'),
    ],
)
def test_what_follows_the_last_tag_on_its_line_is_no_part_of_its_value(text, rest):
    pairs = [("Event", "C"), ("White", "A"), ("Black", "B"), ("Result", "1-0")]
    assert section(text) == (pairs, [], rest)


COMMENT, TEXT = "a comment between tags", "text between tags"


@pytest.mark.parametrize(
    ("text", "asides"),
    [
        ('[Event "C"]\n; a note\n[White "A"]', [(COMMENT, "; a note")]),
        ('[Event "C"] ; a note\n[White "A"]', [(COMMENT, "; a note")]),
        ('[Event "C"] ; a note\r\n; another \r\n[White "A"]', [(COMMENT, "; a note"), (COMMENT, "; another")]),
        ('[Event "C"]\n{a note}\n[White "A"]', [(COMMENT, "{a note}")]),
        ('[Event "C"] {a note} [White "A"]', [(COMMENT, "{a note}")]),
        ('[Event "C"]\n{1. e4 e5 1-0\n\nof two parts}\n[White "A"]', [(COMMENT, "{1. e4 e5 1-0\n\nof two parts}")]),
        ('[Event "C"]\nA line of text, round 3\n[White "A"]', [(TEXT, "A line of text, round 3")]),
        ('[Event "C"] hello\n[White "A"]', [(TEXT, "hello")]),
        ('[Event "C"] hello {a\nnote}\n[White "A"]', [(TEXT, "hello"), (COMMENT, "{a\nnote}")]),
        ('[Event "C"],\n[White "A"]', [(TEXT, ",")]),
        ('[Event "C"], [White "A"]', [(TEXT, ",")]),
        ('[Event "C"]<br />\n[White "A"]', [(TEXT, "<br />")]),
        ('[Event "C"]\n-----\n[White "A"]', [(TEXT, "-----")]),
        ('[Event "C"]\n[Site Lodz]\n[White "A"]', [(TEXT, "[Site Lodz]")]),
        ('[Event "C"]\n% escaped\n; a note\n% escaped\n[White "A"]', [(COMMENT, "; a note")]),
    ],
)
def test_a_section_goes_on_behind_comments_and_a_line_of_text_and_says_so(text, asides):
    found = tagpairs.Section(text, 0)
    assert [(pair.name, pair.value) for pair in found.pairs] == [("Event", "C"), ("White", "A")]
    assert [(issue.detail, issue.written) for issue in found.issues] == asides
    assert all(issue.code == "unknown_token" and text[issue.start : issue.end] == issue.written for issue in found.issues)
    assert found.end == len(text)


@pytest.mark.parametrize(
    "gap",
    [
        "\n1. e4 e5\n",
        "\n1 e4 e5\n",
        " e4 e5\n",
        "\nKf3\n",
        "\nO-O\n",
        "\n0–0\n",
        "\ncxd\n",
        "\n1. P - K4\n",
        "\n1-0\n",
        "\n1–0\n",
        "\n½-½\n",
        "\n*\n",
        "\nWhite resigns\n",
        "\none line\nand another\n",
        " one line\nand another\n",
        "\n{an open comment\n",
        "\n\nhello\n",
        "\nhello\n\n",
        "\n; a note\n\n",
        "\n\n{a note}\n",
    ],
)
def test_a_section_ends_before_moves_results_more_text_and_a_blank_line_with_text(gap):
    assert section(f'[Event "C"]{gap}[White "A"]') == ([("Event", "C")], [], f'{gap}[White "A"]')


@pytest.mark.parametrize(
    "text",
    [
        '[White "A"]\nhello\n[White "B"]',
        '[White "A"]\n; a note\n[White "B"]',
        '[White "A"]\nhello\n[Event "B"]',
        '[White "A"]\n{a note}\n[Event "B"]',
    ],
)
def test_behind_text_a_second_name_or_an_event_opens_the_next_game(text):
    assert section(text)[0] == [("White", "A")]


@pytest.mark.parametrize(
    ("text", "pairs", "issues"),
    [
        ('[Event "A long\nname"]\n[Site "S"]', [("Event", "A long name"), ("Site", "S")], ["unterminated_tag"]),
        ('[Event "A long \r\n   name"] [Site "S"]', [("Event", "A long name"), ("Site", "S")], ["unterminated_tag"]),
        ('[Event "A long\nname"] 1. e4', [("Event", "A long name")], ["unterminated_tag"]),
        ('[Event "A long\n\nname"]', [("Event", "A long")], ["unterminated_tag"]),
        ('[Event "A long\nvery\nlong name"]', [("Event", "A long")], ["unterminated_tag"]),
        ('[Event "A long]\nname"]', [("Event", "A long")], ["unterminated_tag"]),
        ('[Event "A long"\nname"]', [("Event", "A long")], ["unterminated_tag"]),
        ('[Event "A long\n1. e4 {"x"]}', [("Event", "A long")], ["unterminated_tag"]),
        ('[Event "A long\n["name"]', [("Event", "A long")], ["unterminated_tag"]),
    ],
)
def test_a_value_goes_on_in_the_next_line_that_closes_it(text, pairs, issues):
    assert section(text)[:2] == (pairs, issues)


HEAVY: dict[str, Callable[[int], str]] = {
    "brackets": lambda n: '[a "x"]\n' + "[\n" * n,
    "brackets on one line": lambda n: '[a "x"] ' + "[" * n,
    "closed, with text": lambda n: '[Event "x"] y ' * n,
    "closed and opened, then text": lambda n: '[Event "x"] y [Site "' + '"] y [' * n,
    "known names and text": lambda n: "".join(f'[{name} "x"] y ' for name in tagpairs.known_names().values()) + '"] y ' * n,
    "quotes and brackets": lambda n: '[a "' + '"] y ' * n,
    "values over two lines": lambda n: '[a "\nfoo\n' * n,
    "values over two lines, closed": lambda n: '[a "\nfoo"]\n' * n,
    "comments": lambda n: '[a "x"]\n' + ";c\n" * n,
    "braces": lambda n: '[a "x"]' + "{}" * n,
    "open braces behind tags": lambda n: '[Event "x"]\n{ \n' * n,
    "text behind tags": lambda n: '[Event "x"]\ntext\n' * n,
    "text behind many tags": lambda n: "".join(f'[a{i} "x"]\ntext\n' for i in range(n)),
    "numbers and blanks": lambda n: '[a "x"]\n' + "1   " * n + '\n[b "x"]',
    "dots": lambda n: '[a "x"]\n1' + "." * n + '\n[b "x"]',
}


@pytest.mark.parametrize("name", HEAVY)
def test_sections_take_time_in_proportion_to_the_text(name):
    def seconds(n):
        text, at = HEAVY[name](n), 0
        started = time.process_time()
        for start in tagpairs.starts(text):
            if start >= at:
                at = tagpairs.Section(text, start).end
        return time.process_time() - started

    n = 1000
    while (once := seconds(n)) < 0.03 and n < 200_000:
        n *= 2
    twice = min(seconds(2 * n) for _ in range(3))
    assert twice < 3 * max(once, 0.005), f"twice the text of {n} takes {twice / once:.1f} times as long"


def test_a_second_event_opens_the_next_game():
    assert section('[Event "A"]\n[White "B"]\n[Black "C"]\n[Event "D"]')[2] == '\n[Event "D"]'
    assert section('[Event "A"]\n\n[Event "D"]')[2] == '\n\n[Event "D"]'


def test_tags_that_begin_a_line_are_found():
    text = 'x [A "1"]\n[B "2"]\r\n  [C "3"]\r[D "4"] [E "5"]\n[no tag]'
    assert [text[at : at + 2] for at in tagpairs.starts(text)] == ["[B", "[C", "[D"]


def test_issues_name_the_place():
    found = tagpairs.Section('[Event "E"]\n[white "A"]', 0)
    assert [(i.code, i.start, i.end, i.written) for i in found.issues] == [("tag_case", 12, 23, "white")]
