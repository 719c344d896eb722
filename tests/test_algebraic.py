"""Algebraic notation: what a written move says, and what it then is on a board."""
# ruff: noqa: E501  (input and expectation stand on one line)

from __future__ import annotations

import chess
import pytest

from pipeline import tables
from pipeline.model import ANYWHERE, Hints
from pipeline.notations import FILES, RANKS, algebraic
from tests.support_text import cases, codes, one, sans

ALPHABETS = {alphabet.name: alphabet for alphabet in tables.alphabets()}
ENGLISH = ALPHABETS["en"]


def said(text, alphabet=ENGLISH, *, is_lenient=False):
    found = algebraic.parse(text, alphabet, is_lenient=is_lenient)
    assert len(found) <= 1 or is_lenient
    return found[0] if found else None


def game(fen, language, written):
    """A game of one move in a position, read with its language as a hint."""
    board = chess.Board(fen) if fen else chess.Board()
    number = "1." if board.turn else "1..."
    tag = f'[FEN "{fen}"]\n' if fen else ""
    return one(f'[Event "x"]\n{tag}\n{number} {written} *', Hints(language=language))


@pytest.mark.parametrize("case", cases("algebraic_valid"), ids=lambda c: f"{c['language']} {c['written']} {c['san']}")
def test_a_written_move_is_read_as_its_canonical_san(case):
    found = game(case["fen"], case["language"], case["written"])
    assert (sans(found), found.status) == (case["san"], "clean"), codes(found)


@pytest.mark.parametrize("case", cases("algebraic_invalid"), ids=lambda c: f"{c['language']} {c['written']} {c['code']}")
def test_a_move_that_cannot_be_or_is_not_the_only_one_is_refused_with_its_reason(case):
    found = game(case["fen"], case["language"], case["written"])
    fault = next(i for i in found.issues if tables.issue_codes()[i.code].severity == "fault" or i.code == "unknown_token")
    assert (found.status, sans(found)) == ("rejected", "")
    assert (fault.code, set(fault.candidates), fault.ply) == (case["code"], set(filter(None, case["candidates"].split(";"))), 1)


MEN = {"king": "Kf2", "queen": "Qg4", "rook": "Ra5", "bishop": "Bf4", "knight": "Nc3"}


@pytest.mark.parametrize("case", cases("letters"), ids=lambda c: c["alphabet"])
@pytest.mark.parametrize("man", MEN)
def test_each_letter_moves_the_man_whose_name_it_begins(case, man):
    """Each target can be reached by one man only, so that a swapped letter fails."""
    found = game("7k/8/8/8/8/8/8/RNBQK3 w - - 0 1", case["alphabet"], case[man])
    assert (sans(found), found.status) == (MEN[man], "clean"), codes(found)


def test_the_letters_of_more_than_thirty_alphabets_are_known_from_outside():
    assert len({case["alphabet"] for case in cases("letters")} & ALPHABETS.keys()) > 30


def test_a_short_move_says_its_man_and_its_target():
    pattern = said("Nf3")
    assert (pattern.pieces, pattern.from_squares, pattern.to_squares) == ((chess.KNIGHT,), ANYWHERE, FILES[5] & RANKS[2])
    assert (pattern.has_capture_mark, pattern.has_check_mark, pattern.leniency) == (False, False, ())


def test_a_pawn_move_stays_on_its_file_and_a_file_pair_is_a_capture():
    assert (said("e4").pieces, said("e4").from_squares, said("e4").is_capture) == ((chess.PAWN,), FILES[4], None)
    assert (said("ed").from_squares, said("ed").to_squares, said("ed").is_capture) == (FILES[4], FILES[3], True)


def test_two_squares_without_a_man_name_no_man():
    pattern = said("g1f3")
    assert (pattern.pieces, pattern.from_squares.bit_count(), pattern.to_squares.bit_count()) == ((), 1, 1)


@pytest.mark.parametrize(
    ("text", "check", "mate", "cross"),
    [("Nf3+", True, False, False), ("Nf3#", False, True, False), ("Nf3++", True, False, False), ("Nf3‡", False, True, False),
     ("Nf3†", True, False, False), ("Nf3×", False, False, True), ("Nf3:", False, False, True), ("Nf3", False, False, False)],
)  # fmt: skip
def test_marks_are_claims(text, check, mate, cross):
    pattern = said(text)
    assert (pattern.has_check_mark, pattern.has_mate_mark, pattern.has_final_cross) == (check, mate, cross)


def test_a_capture_mark_before_the_square_is_a_claim():
    assert [said(t).has_capture_mark for t in ("Nxf3", "N:f3", "N×f3", "Nf3", "Ng1-f3")] == [True, True, True, False, False]


@pytest.mark.parametrize(
    "text",
    [
        "",
        "e",
        "9",
        "e9",
        "i4",
        "N",
        "Nf",
        "Nf9",
        "Ni3",
        "e8=",
        "--",
        "1-0",
        "Nf3f4f5",
        "dxd5",
        "dd",
        "d-e5",
        "word",
        "Kd",
        "Q=e8",
    ],
)
def test_what_is_no_move_has_no_pattern(text):
    assert algebraic.parse(text, ENGLISH) == () or said(text).to_squares == ANYWHERE


@pytest.mark.parametrize(
    ("alphabet", "text", "codes_"),
    [("en", "Pe4", ("pawn_letter",)), ("en", "nf3", ("lower_case_man",)), ("en", "NF3", ("upper_case_file",)), ("ru", "Kf3", ("homoglyph",)),
     ("ru", "Кf3", ()), ("en", "Nf3", ()), ("en", "Nа3", ("homoglyph",)), ("ru", "Пe4", ("pawn_letter",))],
)  # fmt: skip
def test_each_leniency_is_named(alphabet, text, codes_):
    assert said(text, ALPHABETS[alphabet], is_lenient=True).leniency == codes_
    assert bool(algebraic.parse(text, ALPHABETS[alphabet])) is (not codes_)


def test_the_dutch_p_is_a_knight_and_never_a_pawn():
    assert {p.pieces for p in algebraic.parse("Pe4", ALPHABETS["nl"], is_lenient=True)} == {(chess.KNIGHT,)}


def test_the_longest_man_wins():
    assert said("Крe2", ALPHABETS["ru"]).pieces == (chess.KING,)
    assert said("Кe2", ALPHABETS["ru"]).pieces == (chess.KNIGHT,)
    assert said("Mshe2", ALPHABETS["sq"]).pieces == (chess.QUEEN,)
    assert said("Kte2", ALPHABETS["en-old"]).pieces == (chess.KNIGHT,)


def test_a_shorter_man_is_read_where_the_longer_one_leaves_no_move():
    assert said("Gh6", ALPHABETS["bn"]).pieces == (chess.BISHOP,)


def test_native_files_are_read():
    assert said("Ιγ3", ALPHABETS["el"]).to_squares == FILES[2] & RANKS[2]
    assert said("γδ", ALPHABETS["el"]).to_squares == FILES[3]


def test_a_variation_selector_behind_a_figurine_says_nothing():
    assert said("♘\ufe0ef3", ALPHABETS["fig"]) == said("♘f3", ALPHABETS["fig"])
