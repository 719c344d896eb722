"""Markup and program code as their reader sees them; every character traced back to the text that was given."""
# ruff: noqa: E501  (input and expectation stand on one line)

from __future__ import annotations

import html
import json
from collections.abc import Callable
from itertools import pairwise

import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st

from pipeline.markup import views
from tests.support_text import LINEAR, ROSTER, growth, ingest, seconds

QUICK = settings(deadline=None, derandomize=True, max_examples=150)


def seen(text: str) -> list[str]:
    return [view.text for view in views(text)]


PLAIN = [
    "",
    "1. e4 e5 2. Nf3 *",
    '[Event "x"]\n\n1. e4 {a <b>bold</b> &amp; <i>good</i> move} e5 1-0\n',
    "1. e4 e5 <b> 2. Nf3 {a pawn at a<b and c>d} *",
    "In prose a<b, and x<y>z; R&D; a && b.",
    "+---+---+\n| r |<n>|\n+---+---+\n",
    'He said: "1. e4 is best", and played it.\nThen (as always) he won; nobody = "surprised".',
    "1. e4 *\n\n1. d4 * and **stars** of a result **",
    '{"quoted words" in a comment} 1. e4 e5 *',
    "[1] A note, \"quoted\".\n[2] Another.",
    "% a PGN escape line\n1. e4 e5 *\n",
    "a_b_c 1. e4 __init__ *",
    'She wrote "1. e4 e5 2. Nf3" on a card.\nThen he left (for good).\nA = B.',
    '> 1. e4 e5\nif you like it, "play" it;\nfor me it is good (too)',
    'id,moves\n1,"1. e4 e5"\n2,"1. d4 d5"\n',
    "Les coups \\mainline de la partie",
    "authors:\n  - Lasker\nsolution: |\n  \"1...Nf5 2.Ne2#\n  1.Qh2+??\n  but 1...Ke4!\"",
]  # fmt: skip


@pytest.mark.parametrize("text", PLAIN)
def test_plain_text_and_pgn_have_no_view(text):
    assert seen(text) == []


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ('<span id="x">e2-e4</span>', "e2-e4"),
        ("<b>N</b>f3 <i>Nc6</i>", "Nf3 Nc6"),
        ("<p>1.&nbsp;e4 e5<br>2. Nf3 &frac12;-&frac12;</p>", "1.\xa0e4 e5\n2. Nf3 ½-½\n\n"),
        ("<tr><td>1.</td><td>e4</td><td>e5</td></tr><tr><td>2.<td>d4</tr>", " 1.  e4  e5 \n 2. d4\n"),
        ("<p>1. e4 e5 <del>2. f4</del><s>2. d4</s> 2. Nf3</p>", "1. e4 e5 2. Nf3\n\n"),
        ("<p>1. e4 <del> e5</p>", "1. e4 e5\n\n"),
        ("<p>1. &#9816;f3 &#x265E;f6 e4&ndash;e5 &notaword; & &amp;</p>", "1. ♘f3 ♞f6 e4–e5 ¬aword; & &\n\n"),
        ('<p>1. <img src="n.gif" alt="N">f3 <img alt="Go to the end" src=x> d5</p>', "1. Nf3  d5\n\n"),
        ("<html><head><style>b{c:d}</style><!-- 1. d4 --></head><body>1. e4<script>f(1<2)</script> e5", "1. e4\n\ne5"),
        ("<p>1. <img src=wn.gif>f3 <span class=n></span>f6 <span class=m>2.</span>g3</p>", "1. imgf3 imgf6 2.g3\n\n"),
        ("<p>1. e4 <!-- open e5<br>", "1. e4 <!-- open e5\n"),
        ("<p>1. e4 <b title='x>e5</b> c5", "1. e4 e5 c5"),
        ('<p title="a > b <c>">1. e4</p>', "1. e4\n\n"),
        ("<p>a<b and 3<4 <Nf3</p>", "a<b and 3<4 <Nf3\n\n"),
        ("<?xml version='1.0'?><g><m>e4</m><m>e5</m></g>", "  e4  e5  "),
        ("<?xml version='1.0'?><p><![CDATA[1. e4 <b> &amp;]]></p>", "1. e4 <b> &amp;\n\n"),
        ('<html><pre>\n[Event "A &amp; B"]\n\n1. e4 e5 *\n</pre>', '\n[Event "A & B"]\n\n1. e4 e5 *\n\n'),
        ('<div><pgn>[Event "x"]\n\n[White "A"]\n\n1. e4 e5 *</pgn></div>', ' [Event "x"]\n\n[White "A"]\n\n1. e4 e5 * \n'),
        ("<p> 1. e4   e5 <b>  c5</b>  </p><pre>  1.  e4\n</pre>", "1. e4 e5 c5 \n\n  1.  e4\n\n"),
        ("1. e4 e5 &frac12;-&frac12;", "1. e4 e5 ½-½"),
    ],
)
def test_a_page_is_read_as_a_browser_shows_it(text, expected):
    assert seen(text) == [expected]


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("var g = '1. e4 e5,' +\n        '2. Nf3';", ["1. e4 e5,2. Nf3"]),
        ("$g = '1. e4 e5 '.\n  \"2. Nf3\";", ["1. e4 e5 2. Nf3"]),
        ("// A - B, odds of a rook\nvar g = '1. e4 e5';\n/* C - D */\nvar h = '1. d4 d5';", ["A - B, odds of a rook\n\n1. e4 e5", "C - D\n\n1. d4 d5"]),
        ("if ($('#b1').length) {\n  b.x['B'][1] = '';\n  b.game = '1. e4 e5';\n  b.go('#b1-begin', '#b1-end');\n}", ["1. e4 e5"]),
        ('String s = "[Event \\"x\\"]\\n\\n1. e4 \\u00fc e5\\r\\n";', ['[Event "x"]\n\n1. e4 ü e5\r\n']),
        ("let g = `\n[Event \"x\"]\n\n1. e4 e5 *\n`;", ['\n[Event "x"]\n\n1. e4 e5 *\n']),
        ("import chess\n\nPGN = '''\n1. e4 e5  # no comment\n'''\nprint(PGN)  # a comment\n", ["\n1. e4 e5  # no comment\n"]),
        ("<?php\n$b = '<p>1. <b id=\"'.$i.'\">e4</b> e5';\nf('x1');\n$b .= '<br>2. d4\\'s';\n$c = 'Other words';\n", ["1. e4 e5 \n2. d4's", "Other words"]),
        ("<p>Intro</p><?php echo $x; ?><p>1. e4 e5</p>", ["Intro\n\n1. e4 e5\n\n"]),
        ("<?php $s = \"1. e4 e5\\n\" . f($x, 'key') . \"2. d4\"; ?>", ["1. e4 e5\n 2. d4"]),
        ("INSERT INTO games VALUES (1, 'A B', '1. e4 e5');\nINSERT INTO games VALUES (2, 'X', '1. d4');", ["A B", "1. e4 e5", "1. d4"]),
        ('#include <stdio.h>\nconst char *g = "1. e4 e5 "\n   "2. Nf3";\nint main() { return 0; }', ["1. e4 e5 2. Nf3"]),
        ("export const G: string = `1. e4 e5\n2. Nf3`;", ["1. e4 e5\n2. Nf3"]),
        ('my $g = "1. e4 e5 " .\n  "2. Nf3";\nprint $g;\n', ["1. e4 e5 2. Nf3"]),
        ('var games = [\n["Morphy","1. e4 e5"],\n["X","1. d4 d5"]];', ["1. e4 e5", "1. d4 d5"]),
        ("const a = [\n  '1. e4 e5',\n  '1. d4 d5',\n];", ["1. e4 e5", "1. d4 d5"]),
        ("<html><body>1. c4 <script>var s = '#id'; load(\"1. e4 e5\");</script> e5", ["1. c4 \n\n1. e4 e5\n\ne5"]),
        ("var g = '1. e4 isn\\'t won';\nvar broken = 'no end;\nvar h = '1. d4 d5';", ["1. e4 isn't won", "1. d4 d5"]),
    ],
)  # fmt: skip
def test_scores_in_strings_of_programs(text, expected):
    assert seen(text) == expected


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ('{"id": "b1", "pgn": "[Event \\"x\\"]\\n\\n1. e4 e5 *"}', ['[Event "x"]\n\n1. e4 e5 *']),
        (
            '[{"text": "<p>1. <b>e4</b> e5</p>"}, {"text": "1. \\u2658f3 \\ud83d\\ude00 \\ud83d."}]',
            ["1. e4 e5\n\n", "1. ♘f3 😀 \ufffd."],
        ),
        ('<html><script type="application/json">{"pgn": "1. e4 e5\\n2. d4"}</script>', ["1. e4 e5\n2. d4\n\n"]),
        ('f = JSON.parse(\'{"pgn": "1. e4 e5\\\\n2. d4"}\');', ["1. e4 e5\n2. d4"]),
    ],
)
def test_scores_in_json(text, expected):
    assert [view.lstrip("\n") for view in seen(text)] == expected


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        (r"\newgame \mainline{1. e4 e5} ", "1. e4 e5 { }"),
        (
            r"\mainline{1. e4} A \emph{good} move \variation{1. d4 d5} \wbetter{}, so: \mainline{1... e5}",
            "1. e4 { A good move }  (1. d4 d5)  { ⩲, so: } 1... e5 {}",
        ),
        (
            "\\documentclass[11pt]{article}\\usepackage{skak}\\begin{document}\n\\section{J\\\"{o}rg--\\'Alvarez}% no\n  1. \\knight f3~d5 $\\pm$\\end{document} x",
            "\nJörg–Álvarez1. ♘f3 d5 ±",
        ),
        (r"\newgame 1. \myknight f3 \bf e5", "1. myknightf3 e5"),
        (r"\newgame 1. \myknight{}f3 d5", "1. myknightf3 d5"),
        (r"\newgame 1. e4 \iffalse 1. d4 \filbreak \fi e5 \iffalse 2. d4", "1. e4  e5 2. d4"),
        (r"\newchessgame[white=A B,result=1-0,id=x]\hidemoves{1. e4}", '[White "A B"]\n[Result "1-0"]\n\n 1. e4 {}'),
        ("\\fenboard{8/8/8/8/%\n8/8/K7/2k5 w - - 0 1}\\mainline{1. Ka1}", '[FEN "8/8/8/8/8/8/K7/2k5 w - - 0 1"]\n\n 1. Ka1 {}'),
        ("\\newgame\\fenboard{8/8/8/8/8/8/K7/2k5 w - - 0 1}\\showboard\n", "\n"),
        ("\\begin{document}\n\\begin{verbatim}\n1. e4 {50\\%} $1\n\\end{verbatim}", "\n\n1. e4 {50\\%} $1\n"),
    ],
)
def test_a_document_in_tex(text, expected):
    found = seen(text)
    assert [view.strip(" ") for view in found] == [expected.strip(" ")] or (found == [] and expected.isspace())


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        (
            r"{\rtf1\ansi\ansicpg1252{\fonttbl{\f0\fcharset204 Arial;}{\f1 Times;}}{\*\x hidden}\f1 1. \b e4\b0  e5\par\f0 2. \'caf3 {\f1\'e9}\'ea}",
            "1. e4 e5\n2. Кf3 éк",
        ),
        (r"{\rtf1\uc1 1. \u9816?f3 \u-10179?\u-8704?\emdash\~\{\}\uc0\u1050 c6}", "1. ♘f3 😀— {}Кc6"),
        (r"{\rtf1 1. e4 {\deleted 1. d4} \v 1. c4\v0  e5 {\v a\plain  2. f4}}", "1. e4   e5  2. f4"),
        (
            r"{\rtf1 1. e4 e5 2. {\pict 01}f3 {\*\shppict{\pict 01}}{\nonshppict{\pict 01}}\b d6 {\pict 01}\par d4}",
            "1. e4 e5 2. pictf3 pictd6 \nd4",
        ),
    ],
)
def test_a_document_in_rtf(text, expected):
    assert seen(text) == [expected]


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("**1.e4** e5 **2.Nf3** *\n", "1.e4 e5 2.Nf3 *\n"),
        ("# A - B\n\n1\\. e4 [e5](http://x.y) *\n", "A - B\n\n1. e4 e5 *\n"),
        ('```pgn\n[Event "x"]\n\n1. e4 *\n```\n', '\n[Event "x"]\n\n1. e4 *\n\n'),
    ],
)
def test_a_text_in_markdown(text, expected):
    assert seen(text) == [expected]


# --- laws ------------------------------------------------------------------------------------------------------------

SNIPPETS = [
    "1. e4 e5 ", "<b>", "</b>", "<p>", "<br/>", "<a href='x'>", "<!--", "-->", "<script>", "</script>", "<style>", "<![CDATA[", "]]>", "<",
    ">", "&nbsp;", "&frac12", "&#9816;", "&#xd800;", "'", '"', "`", "\\", "\\n", "\\u00e9", "\\ud83d", "'''", "//", "/*", "*/", "#", "+", ".",
    "$b .= ", "var x = ", ";\n", "\r\n", "{", "}", "[", "]", '{"a": ', ",", "<?php ", "?>", "<<<EOT\n", "EOT", "\\mainline{", "\\variation{",
    "\\newgame", "\\fenboard{", "\\newchessgame[white=x]", "\\begin{document}", "\\end{document}", "%", "$", "~", "--", '\\"', "{\\rtf1 ",
    "\\'e9", "\\u1050?", "\\par ", "{\\*", "\\bin3 ", "**1.e4**", "```\n", "|", "(", ")", "é", "😀", "\x00", " ", "\n", "\\",
]  # fmt: skip
STARTS = [
    "",
    "<html>",
    "<?xml?>",
    "<?php ",
    "var x = '1. e4';\n",
    '{"a": "1. e4 e5',
    "\\newgame ",
    "{\\rtf1 ",
    "**1.e4** **2.d4** ",
]
TEXTS = st.builds(
    lambda start, parts: start + "".join(parts), st.sampled_from(STARTS), st.lists(st.sampled_from(SNIPPETS), max_size=30)
)


@QUICK
@example("<p><script>'1. e4 e5'; x('1. d4 d5')</script>")
@given(TEXTS)
def test_every_character_comes_from_a_stretch_of_the_text_in_order(text):
    end = 0
    for view in views(text):
        starts, ends = view.starts.tolist(), view.ends.tolist()
        assert len(view.text) == len(starts) == len(ends) > 0
        assert all(a < b for a, b in zip(starts, ends, strict=True))
        assert end <= starts[0]
        assert ends[-1] <= len(text)
        assert all(x == y or x[1] <= y[0] for x, y in pairwise(zip(starts, ends, strict=True)))
        end = ends[-1]
        view.text.encode()


WORDS = st.text("abcdefgh12345678NBRQKO-x+#=.!? \nКСЛФ♘é½<>&'\"\\{}%$", min_size=1)


@QUICK
@given(WORDS)
def test_an_escaped_text_reads_back_from_a_page(text):
    (view,) = views(f"<html><body>.<pre>{html.escape(text)}</pre>")
    assert view.text.strip() == f".\n\n{text}".strip()


@QUICK
@given(WORDS)
def test_an_escaped_text_reads_back_from_json(text):
    written = "a 1. " + text.replace("<", "").replace("&", "")
    assert seen(json.dumps({"x1": written}))[0] == written


@QUICK
@given(WORDS)
def test_letters_of_a_page_are_the_letters_of_the_text(text):
    page = f"<p><b>{text}</b></p>"
    for view in views(page):
        for char, start, end in zip(view.text, view.starts.tolist(), view.ends.tolist(), strict=True):
            assert char.isspace() or char == page[start:end] or char in html.unescape(page[start:end])


@QUICK
@given(TEXTS)
def test_every_byte_of_marked_up_text_is_in_one_span(tmp_path_factory, text):
    data = text.encode()
    receipt, tables = ingest(data, tmp_path_factory.getbasetemp())
    assert receipt["n_bytes_games"] + receipt["n_bytes_quarantined"] + receipt["n_bytes_filler"] == len(data)
    spans = tables.rows("spans")
    assert [s["byte_start"] for s in spans] == [0, *(s["byte_end"] for s in spans[:-1])][: len(spans)]
    assert len(tables.rows("games")) == receipt["n_games"]


# --- in ingest -------------------------------------------------------------------------------------------------------


def test_games_and_issues_in_markup_stand_at_their_bytes(tmp_path):
    data = b"<p>Prose.</p>\n<p>1. <b>e4</b> e&#53; 2. Nf3 Nc6 <i>1-0</i></p>\n<p>1. d4 <b>d&#53;</b> 2. Qh8 c5</p>"
    _, tables = ingest(data, tmp_path)
    games = tables.rows("games")
    assert [(g["status"], g["movetext"], data[g["byte_start"] : g["byte_end"]]) for g in games] == [
        ("clean", "e4 e5 Nf3 Nc6", b"1. <b>e4</b> e&#53; 2. Nf3 Nc6 <i>1-0"),
        ("truncated", "d4 d5", b"1. d4 <b>d&#53;</b> 2. Qh8 c5"),
    ]
    (issue,) = [i for i in tables.rows("issues") if i["code"] == "illegal_move"]
    assert (data[issue["byte_offset"] : issue["byte_end"]], issue["line"], issue["column"]) == (b"Qh8", 3, 27)
    assert {s["kind"] for s in tables.rows("spans")} >= {"game", "quarantine", "markup"}


def test_a_string_of_a_program_is_a_game(tmp_path):
    data = "// Морфи - А.Морфи\nvar g = '1. e2-e4 e7-e5,'+\n        '2. Кg1-f3 Кb8-c6';\nshow('#b1-begin');\n".encode("cp1251")
    receipt, tables = ingest(data, tmp_path)
    (game,) = tables.rows("games")
    assert (game["status"], game["movetext"], receipt["encoding"]) == ("clean", "e4 e5 Nf3 Nc6", "cp1251")
    assert data[game["byte_start"] : game["byte_end"]].decode("cp1251") == "1. e2-e4 e7-e5,'+\n        '2. Кg1-f3 Кb8-c6"


def test_pgn_in_a_page_is_pgn(tmp_path):
    data = f"<html><body><pre>\n\n{html.escape(ROSTER, quote=False)}1. e4 e5 2. &#9816;f3 *\n\n{ROSTER}1. d4 d5 *\n</pre></body></html>".encode()
    _, tables = ingest(data, tmp_path)
    assert [(g["status"], g["movetext"], g["white"]) for g in tables.rows("games")] == [
        ("clean", "e4 e5 Nf3", "A"),
        ("clean", "d4 d5", "A"),
    ]


# --- linear time -----------------------------------------------------------------------------------------------------

ADVERSARIES: dict[str, Callable[[int], str]] = {
    "blank lines": lambda n: "\n" * n,
    "tags": lambda n: "<html>" + "<b>e4</b> " * n,
    "open tags": lambda n: "<html>" + "<a " * n,
    "open quotes in tags": lambda n: "<html>" + "<a b=' " * n,
    "quotes in tags": lambda n: "<html>" + "<a b='\" " * n,
    "open comments": lambda n: "<html>" + "<!-- " * n,
    "open instructions": lambda n: "<html>" + "<?x " * n,
    "open scripts": lambda n: "<html>" + "<script> " * n,
    "scripts": lambda n: "<html>" + "<script>a='1. e4 e5'</script>" * n,
    "ampersands": lambda n: "<html>" + "&a" * n,
    "open declarations": lambda n: "<html>" + "<!a " * n,
    "literals": lambda n: "var x = '1. e4';\n" + "a('1. e4', 'b');\n" * n,
    "literals joined": lambda n: "var x = '1. e4'" + " +\n'e5'" * n,
    "literals with values between": lambda n: "var x = '1. e4 '" + " + y + ' e5 '" * n,
    "names": lambda n: "var x = '1. e4';\n" + "a('b');\n" * n,
    "open literals": lambda n: "<?php $a = '1. e4 e5'; " + "\\' " * n,
    "open block comments": lambda n: "var x = '1. e4';\n" + "/* " * n,
    "open heredocs": lambda n: "<?php $a = '1. e4 e5'; " + "<<<A\n" * n,
    "heredocs of many names": lambda n: "<?php $a = '1. e4 e5'; " + "".join(f"<<<A{i}\n" for i in range(n)),
    "one word in code": lambda n: "var x = '1. e4';\n" + "y" * n + ";\nvar z = '1. d4 d5';",
    "backslashes": lambda n: "var x = '1. e4 " + "\\" * n,
    "brackets in code": lambda n: "var x = '1. e4';\n" + "f(" * n + "'1. e4 e5'",
    "json": lambda n: '[{"a": "1. e4 e5"' + ', "b": "1. d4 d5"' * n,
    "open json": lambda n: '{"a": "1. e4 e5' + "\\n" * n,
    "tex groups": lambda n: "\\newgame" + "{" * n,
    "open tex arguments": lambda n: "\\newgame" + "\\label{" * n,
    "open tex options": lambda n: "\\newgame" + "\\newchessgame[" * n,
    "tex variations": lambda n: "\\mainline{1. e4}" + "\\variation{" * n + "}" * n,
    "tex verbs": lambda n: "\\newgame" + "\\verb|" * n,
    "tex conditions": lambda n: "\\newgame" + "\\iffalse " * n,
    "tex environments": lambda n: "\\newgame" + "\\begin{verbatim}" * n,
    "rtf groups": lambda n: "{\\rtf1 " + "{\\*" * n,
    "rtf fonts": lambda n: "{\\rtf1 " + "\\f1" * n,
    "rtf characters": lambda n: "{\\rtf1 " + "\\u1050?" * n,
    "stars": lambda n: "**1.e4** **2.d4** " + "**" * n,
    "links": lambda n: "**1.e4** **2.d4** " + "[a](" * n,
    "pipes": lambda n: "**1.e4** **2.d4**\n" + "|---" * n,
}  # fmt: skip


@pytest.mark.parametrize("name", ADVERSARIES)
def test_looking_takes_time_in_proportion_to_the_text(name):
    assert growth(views, ADVERSARIES[name], least=0.03) < LINEAR


def test_a_pgn_file_costs_nothing_to_look_at():
    text = (ROSTER + "1. e4 {<b>bold</b>} e5 *\n\n") * 20_000
    assert seconds(views, text) < 0.01
