"""Positions that a text says: FEN, lists of men, odds in words."""
# ruff: noqa: E501  (input and expectation stand on one line)

from __future__ import annotations

import time

import chess
import pytest

from pipeline import setups
from tests.support_text import cases


def written(board: chess.Board) -> str:
    """Men, side to move and castling rights, `-` left out."""
    return " ".join(board.fen().split()[:3]).removesuffix(" -")


@pytest.mark.parametrize("case", cases("setups"), ids=lambda case: case["text"][:40])
def test_a_position_is_read_as_meant(case):
    found = setups.find(case["text"])
    assert [(s.kind, "|".join(map(written, s.boards)), s.is_side_known, s.reason) for s in found] == [
        (case["kind"], case["fens"], case["is_side_known"] == "yes", None)
    ]
    assert found[0].words == case["text"][found[0].start : found[0].end]
    assert all(board.is_valid() for board in found[0].boards)


@pytest.mark.parametrize(
    ("text", "reason"),
    [
        ("4k3/8/8/8/8/8/8/3KK3 w - - 0 1", "too many kings"),
        ("4k3/8/8/8/8/8/7/4K3 w - - 0 1", "expected 8 columns per row in position part of fen: '4k3/8/8/8/8/8/7/4K3'"),
        ("Белые: Крe1, Лa1; Чёрные: Крe2", "opposite check"),
        ("White: Ke1, Qe1. Black: Ke8", "two men on one square"),
        ("White gives odds of a pawn", "which pawn is not said"),
    ],
)
def test_what_cannot_be_has_a_reason_and_no_board(text, reason):
    assert [(s.boards, s.reason) for s in setups.find(text)] == [((), reason)]


@pytest.mark.parametrize(
    "text",
    ["", "White: e4. Black: e5", "1/2/3/4/5/6/7/8", "without a rook he lost", "without Nf3 he lost", "he gives a pawn", "remove the queen",
     "белые остались без ферзя", "White: Kf1 is bad. Black: Qd4", "without f7 nothing holds", "without the knight e5"],
)  # fmt: skip
def test_prose_says_no_position(text):
    assert setups.find(text) == []


POPEYE = """
+---a---b---c---d---e---f---g---h---+
|                                   |
8   .   .   .   .   .   .   .  -K   8
|                                   |
7   .  -P   .   .   .   .   .   .   7
|                                   |
6   .   .   .   .   .   K   .   .   6
|                                   |
5   .   .   .   .   .   .   .   .   5
|                                   |
4   .   .   .   .   .   .   .   .   4
|                                   |
3   .   .   S   .   .   .   .   .   3
|                                   |
2   .   .   .   .   .   .   .   .   2
|                                   |
1   R   .   .   .   .   .   .   .   1
|                                   |
+---a---b---c---d---e---f---g---h---+
  #2                          3 + 2
"""

PRINTED = "r . . . k . . r\np p p . . p p p\n" + ". . . . . . . .\n" * 4 + "P P P . . P P P\nR . . . K . . R\nBlack to move\n"


@pytest.mark.parametrize(
    ("text", "fens"),
    [
        (POPEYE, ["7k/1p6/5K2/8/8/2N5/8/R7 w", "7k/1p6/5K2/8/8/2N5/8/R7 b"]),
        (PRINTED, ["r3k2r/ppp2ppp/8/8/8/8/PPP2PPP/R3K2R b KQkq"]),
        (
            "|".join(PRINTED.removesuffix("Black to move\n").split(" ")) + "Black to move",
            ["r3k2r/ppp2ppp/8/8/8/8/PPP2PPP/R3K2R b KQkq"],
        ),
        (POPEYE.replace(" S ", " N "), None),
        (POPEYE.replace("-K", " ."), None),
        (PRINTED.replace(". . . . . . . .\n", "prose\n"), None),
    ],
)
def test_a_diagram_in_letters_is_a_position(text, fens):
    assert [list(map(written, s.boards)) for s in setups.find(text)] == ([fens] if fens else [])


def test_chess960_is_told_by_the_files_of_its_rights():
    (found,) = setups.find("bnrbnkrq/pppppppp/8/8/8/8/PPPPPPPP/BNRBNKRQ w GCgc - 0 1")
    assert found.variant == "chess960"


def test_operations_of_an_epd_line_are_kept():
    (found,) = setups.find('8/8/8/1k6/8/8/K5P1/8 w - - dm 28; id "a, b"; bm Kb3 g4;')
    assert found.operations == (("dm", "28"), ("id", "a, b"), ("bm", "Kb3 g4"))


def test_positions_come_in_order_and_each_with_its_own_side():
    text = "1. White: Ke6, Pd7. Black: Kd8. White to move\n\n" + "x" * 200 + "\n2. White: Ke6, Pd7. Black: Kd8. Black to move\n"
    assert [[b.turn for b in s.boards] for s in setups.find(text)] == [[chess.WHITE], [chess.BLACK]]


def test_a_score_begins_from_the_last_position_before_it():
    lead = "4k3/8/8/8/8/8/8/4K3 w - - 0 1\nDubois - NN\n(Rimuovere dalla scacchiera la Ta1)\nLondra 1862\n"
    found = setups.start_of(lead)
    assert found is not None
    assert (found.kind, lead[found.start : found.end]) == ("odds", "Rimuovere dalla scacchiera la Ta1")


def test_a_position_far_above_is_another_s():
    assert setups.start_of("4k3/8/8/8/8/8/8/4K3 w - - 0 1\n" + "a line\n" * 5) is not None
    assert setups.start_of("4k3/8/8/8/8/8/8/4K3 w - - 0 1\n" + "a line\n" * 7) is None
    assert setups.start_of("") is None


@pytest.mark.parametrize(
    "text",
    [
        "white ",
        "White: Ke1 ",
        "8/",
        "without ",
        "rnbqkbnr/pppppppp/",
        "w: ",
        "odds of a ",
        "White: Ke1, a2 b2 c2 Black: ",
        "(((",
        "knight ",
    ],
)
def test_any_text_is_read_in_linear_time(text):
    begun = time.process_time()
    setups.find(text * (60_000 // len(text)))
    assert time.process_time() - begun < 5
