"""Problems and studies: where they stand, and their solutions as main line and variations."""
# ruff: noqa: E501  (input and expectation stand on one line)

from __future__ import annotations

import time

import chess
import pytest

from pipeline import lexer, problems, tables
from pipeline.model import Game, Hints
from tests.support_text import cases, sans
from tests.test_setups import POPEYE

OLV = """---
authors:
  - First, A.
  - Second, B.
source: A Paper
date: 1936-08
algebraic:
  white: [Kf6, Ra1, Sc3]
  black: [Kh8, Pb7]
stipulation: "{stipulation}"
solution: |
  "{solution}"
keywords:
  - Nothing
"""


def only(text: str) -> Game:
    (block,) = problems.find(text)
    game = problems.read(block, Hints())
    assert (game.start, game.end) == (block.start, block.end)
    return game


def variations(game: Game) -> str:
    """Each variation as its first ply and moves."""
    return " | ".join(f"{line.first_ply} {' '.join(ply.san for ply in line.plies)}" for line in game.lines[1:])


@pytest.mark.parametrize("case", cases("problem_solutions"), ids=lambda case: case["why"])
def test_a_solution_is_a_key_line_with_variations(case):
    game = only(OLV.format(stipulation=case["stipulation"], solution=case["solution"]))
    faults = [issue.code for issue in game.issues]
    assert (game.kind, game.status, sans(game), variations(game), " ".join(faults)) == (
        case["kind"],
        case["status"],
        case["main"],
        case["variations"],
        case["codes"],
    )


@pytest.mark.parametrize("case", cases("problem_solutions"), ids=lambda case: case["why"])
def test_every_move_is_legal_from_the_ply_that_it_replaces(case):
    game = only(OLV.format(stipulation=case["stipulation"], solution=case["solution"]))
    before: dict[int, list[chess.Board]] = {}
    for line in game.lines:
        above = (
            [chess.Board(game.start_fen or chess.STARTING_FEN)] if line.parent is None else before[line.parent][: line.first_ply]
        )
        boards = list(above)
        for ply in line.plies:
            board = boards[-1].copy(stack=False)
            assert (ply.uci == "0000" and not board.is_check()) or chess.Move.from_uci(ply.uci) in board.legal_moves
            board.push_uci(ply.uci)
            boards.append(board)
        before[line.number] = boards


def test_a_document_of_a_collection_has_its_tags_position_and_place():
    text = OLV.format(stipulation="#2", solution="1.Kf6-f7 ! zugzwang.\n        1...Kh8-h7\n            2.Ra1-h1 #")
    game = only(text)
    assert text[game.start :].startswith("authors:")
    assert text[: game.end].endswith("- Nothing")
    assert [(tag.name, tag.value) for tag in game.tags] == [
        ("Author", "First, A.; Second, B."), ("Source", "A Paper"), ("Date", "1936.08.??"), ("Stipulation", "#2"),
        ("SetUp", "1"), ("FEN", "7k/1p6/5K2/8/8/2N5/8/R7 w - - 0 1"),
    ]  # fmt: skip
    assert (game.start_fen, game.notation, game.language, game.dialect_evidence) == (
        "7k/1p6/5K2/8/8/2N5/8/R7 w - - 0 1",
        "long",
        "en",
        "roster",
    )
    key, _, mate = game.lines[0].plies
    assert ([a.glyph for a in key.annotations], key.comment, key.written, mate.written) == (
        ["!"],
        "zugzwang",
        "Kf6-f7",
        "Ra1-h1 #",
    )
    assert game.result_board == "1-0"


def test_documents_follow_one_another():
    one = OLV.format(stipulation="#2", solution="1.Kf7 ! Kh7 2.Rh1 #")
    assert [problems.read(block, Hints()).status for block in problems.find(one + "\n" + one + "---\n")] == ["clean", "clean"]


@pytest.mark.parametrize(
    ("old", "new", "code"),
    [
        ('"#2"', '"s#2"', "variant_unsupported"),
        ('"#2"', '"r#2"', "variant_unsupported"),
        ('"#2"', '"ser-h#4"', "variant_unsupported"),
        ('"#2"', '"hs#3"', "variant_unsupported"),
        ("Sc3", "Gc3", "variant_unsupported"),
        ("Sc3", "Nc3", "variant_unsupported"),
        ("solution:", "options:\n  - Circe\nsolution:", "variant_unsupported"),
        ("solution:", "twins:\n  b: Move a1 a2\nsolution:", "variant_unsupported"),
        ("  black:", "  neutral: [Qd4]\n  black:", "variant_unsupported"),
        ("Sc3", "Kc3", "illegal_start_position"),
        ("Sc3", "Sa1", "illegal_start_position"),
    ],
)
def test_what_is_not_chess_as_played_is_rejected(old, new, code):
    game = only(OLV.format(stipulation="#2", solution="1.Kf7 ! Kh7 2.Rh1 #").replace(old, new))
    assert (game.status, [issue.code for issue in game.issues], game.lines[0].plies) == ("rejected", [code], ())


def test_settings_of_a_solving_program_change_no_rule():
    assert (
        only(
            OLV.format(stipulation="#2", solution="1.Kf7 ! Kh7 2.Rh1 #").replace("solution:", "options:\n  - SetPlay\nsolution:")
        ).status
        == "clean"
    )


@pytest.mark.parametrize(
    ("solution", "main", "codes", "decided"),
    [
        ("1.Ne4 ! b5 2.Nxb5", "Nge4 b5 Nxb5", [], "continuation"),
        ("1.Ne4 ! b5 2.Nc5", "", ["ambiguous_san"], None),
        ("1.Nce4 ! b5 2.Nc5", "Nce4 b5 Nc5", [], None),
    ],
)
def test_what_follows_decides_which_of_two_men_moved(solution, main, codes, decided):
    game = only(OLV.format(stipulation="#2", solution=solution).replace("Sc3", "Sc3, Sg3"))
    assert (sans(game), [issue.code for issue in game.issues]) == (main, codes)
    assert not main or game.lines[0].plies[0].decided_by == decided


@pytest.mark.parametrize("case", cases("problem_texts"), ids=lambda case: case["why"])
def test_a_problem_in_a_text_is_found_and_read(case):
    game = only(case["text"])
    assert (game.kind, game.status, game.start_fen or "", sans(game), variations(game), game.language or "") == (
        case["kind"], case["status"], case["fen"], case["main"], case["variations"], case["language"]
    )  # fmt: skip


def test_the_output_of_popeye_is_read_with_its_diagram():
    game = only(
        "Popeye Linux-64 v4.87 (512 MB)\n"
        + POPEYE
        + "\n   1...Kh8-h7\n        2.Ra1-h1 +\n\n   1.Kf6-f7 ! zugzwang.\n        1...Kh8-h7\n            2.Ra1-h1 #\n  solution finished. Time = 0.012 s\n"
    )
    assert (game.start_fen, game.status, sans(game), variations(game)) == (
        "7k/1p6/5K2/8/8/2N5/8/R7 w - - 0 1",
        "clean",
        "Kf7 Kh7 Rh1#",
        "1 -- Kh7 Rh1+",
    )


@pytest.mark.parametrize(
    "text",
    ["", "1. e4 e5 2. Nf3", '[FEN "4k3/8/8/8/8/8/8/4K2R w K - 0 1"]\n\n1. O-O Kd8', "4k3/8/8/8/8/8/8/4K2R w K - 0 1\n\n1. O-O Kd8", "White: Ke1, Ra1. Black: Ke8. Mate in 5",
     "stipulation: \"#2\"\nsolution: 1.e4", '4k3/8/8/8/8/8/8/4K2R w K - c0 "a remark";'],
)  # fmt: skip
def test_other_texts_hold_no_problem(text):
    assert list(problems.find(text)) == []


@pytest.mark.parametrize(
    ("written", "kind", "goal", "first"),
    [("#2", "problem", "#", "w"), ("+", "study", "+", "w"), ("=", "study", "=", "w"), ("h#2", "problem", "#", "b"), ("h#2.5", "problem", "#", "w"), ("h=3", "problem", "=", "b"),
     ("s#2", "problem", None, "w"), ("=4", "problem", "=", "w"), ("##3", "problem", None, "w"), ("", "problem", None, "w"), ("h##2", "problem", None, "b")],
)  # fmt: skip
def test_stipulations(written, kind, goal, first):
    asked = problems.stipulation(written)
    assert (asked.kind, asked.goal) == (kind, goal)
    assert asked.goal is None or asked.first == (first == "w")


@pytest.mark.parametrize(
    "solution",
    [
        "(" * 5000,
        "1.Kf7 ! Kh7 2.Rh1 # " * 300,
        "1...Kh7 " * 1000,
        "2.Rh1 ",
        ")))",
        "9999999.Kf7",
        "1.Kf7 / / / ~ ~ ~",
        "{",
        "1.Kf7 ! " + "~ " * 900,
        "$999 1.Kf7 $0",
        "1.Kf7 ! " + "1...Kz9 " * 20_000,
    ],
)
def test_no_solution_is_too_odd(solution):
    begun = time.process_time()
    assert only(OLV.format(stipulation="#2", solution=solution)).status in {"clean", "truncated", "rejected"}
    assert time.process_time() - begun < 5


@pytest.mark.parametrize(
    "row", [row for row in tables.rows("problem_words") if row["kind"] != "option"], ids=lambda row: row["text"]
)
def test_a_word_of_solutions_is_one_word_to_the_lexer(row):
    """Solutions are read word by word: a phrase, or what is a symbol already, would never be found."""
    assert [(token.kind, token.text) for token in lexer.Lexer(row["text"]).tokens()] == [(lexer.WORD, row["text"])]
