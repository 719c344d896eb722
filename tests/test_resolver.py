"""What a pattern can mean on a board."""

from __future__ import annotations

from dataclasses import replace
from time import process_time

import chess
import pytest

from pipeline.model import MovePattern
from pipeline.notations import FILES, RANKS
from pipeline.resolver import State, advance, candidates, false_marks

D1, E5 = FILES[3] & RANKS[0], FILES[4] & RANKS[4]
TWO_ROOKS = chess.Board("4k3/8/8/8/3R4/8/8/R3K3 w - - 0 1")


def ucis(pattern, board):
    return sorted(move.uci() for move in candidates(pattern, board))


def test_an_empty_pattern_fits_every_move_but_castling():
    board = chess.Board("r3k2r/8/8/8/8/8/8/R3K2R w KQkq - 0 1")
    assert ucis(MovePattern(), board) == sorted(m.uci() for m in board.legal_moves if not board.is_castling(m))


def test_men_and_squares_constrain():
    assert ucis(MovePattern((chess.ROOK,), to_squares=D1), TWO_ROOKS) == ["a1d1", "d4d1"]
    assert ucis(MovePattern((chess.ROOK,), FILES[0], D1), TWO_ROOKS) == ["a1d1"]
    assert ucis(MovePattern((chess.KNIGHT,), to_squares=D1), TWO_ROOKS) == []


def test_marks_choose_nothing():
    pattern = MovePattern(
        (chess.ROOK,), to_squares=D1, has_capture_mark=True, has_check_mark=True, has_mate_mark=True, has_final_cross=True
    )
    assert ucis(pattern, TWO_ROOKS) == ["a1d1", "d4d1"]


def test_a_pinned_man_and_a_man_in_check_have_no_moves():
    assert ucis(MovePattern((chess.BISHOP,)), chess.Board("4r1k1/8/8/8/8/8/4B3/4K3 w - - 0 1")) == []


def test_an_unsaid_promotion_has_four_candidates():
    board = chess.Board("8/4P3/8/8/8/k7/8/4K3 w - - 0 1")
    assert ucis(MovePattern((chess.PAWN,)), board) == ["e7e8b", "e7e8n", "e7e8q", "e7e8r"]
    assert ucis(MovePattern((chess.PAWN,), promotions=(chess.KNIGHT,)), board) == ["e7e8n"]
    assert ucis(MovePattern((chess.PAWN,), promotions=()), board) == []


def test_en_passant_is_a_capture_of_a_pawn():
    board = chess.Board("4k3/8/8/2pP4/8/8/8/4K3 w - c6 0 1")
    assert ucis(MovePattern((chess.PAWN,), is_capture=True), board) == ["d5c6"]
    assert ucis(MovePattern(captured=(chess.PAWN,)), board) == ["d5c6"]
    assert ucis(MovePattern(captured=(chess.QUEEN,)), board) == []
    assert ucis(MovePattern((chess.PAWN,), is_capture=False), board) == ["d5d6"]


@pytest.mark.parametrize(("castling", "expected"), [("O-O", ["e1g1"]), ("O-O-O", ["e1c1"])])
def test_castling_is_by_side(castling, expected):
    assert ucis(MovePattern(castling=castling), chess.Board("4k3/8/8/8/8/8/8/R3K2R w KQ - 0 1")) == expected


def test_castling_out_of_check_is_none():
    assert ucis(MovePattern(castling="O-O"), chess.Board("4r1k1/8/8/8/8/8/8/4K2R w K - 0 1")) == []


def test_a_bare_king_move_never_castles():
    board = chess.Board("4k3/8/8/8/8/8/8/4K2R w K - 0 1")
    assert ucis(MovePattern((chess.KING,), to_squares=FILES[6] & RANKS[0]), board) == []
    assert ucis(MovePattern((chess.KING,), FILES[4] & RANKS[0], FILES[6] & RANKS[0]), board) == ["e1g1"]


def test_a_pass_is_legal_but_in_check():
    assert candidates(MovePattern(is_null=True), chess.Board()) == [chess.Move.null()]
    assert candidates(MovePattern(is_null=True), chess.Board("4k3/8/8/8/8/8/8/4R1K1 b - - 0 1")) == []


def marks(pattern, fen, uci):
    board = chess.Board(fen)
    move = chess.Move.from_uci(uci)
    after = board.copy()
    after.push(move)
    return list(false_marks(pattern, board, move, is_check=after.is_check(), is_mate=after.is_checkmate()))


QUIET, TAKES = "4k3/8/8/8/8/8/8/R3K3 w - - 0 1", "4k3/8/8/8/p7/8/8/R3K3 w - - 0 1"


@pytest.mark.parametrize(
    ("pattern", "fen", "uci", "expected"),
    [
        (MovePattern(), QUIET, "a1a8", []),
        (MovePattern(has_check_mark=True), QUIET, "a1a8", []),
        (MovePattern(has_check_mark=True), QUIET, "a1a7", ["false_check_mark"]),
        (MovePattern(has_mate_mark=True), QUIET, "a1a8", ["false_check_mark"]),
        (MovePattern(has_capture_mark=True), QUIET, "a1a7", ["false_capture_mark"]),
        (MovePattern(has_capture_mark=True), TAKES, "a1a4", []),
        (MovePattern(has_final_cross=True), TAKES, "a1a4", []),
        (MovePattern(has_final_cross=True), QUIET, "a1a7", ["false_check_mark"]),
    ],
)
def test_marks_that_the_board_contradicts_are_named(pattern, fen, uci, expected):
    assert marks(pattern, fen, uci) == expected


def test_several_moves_are_all_kept():
    states = advance([State(TWO_ROOKS.copy(), None)], [MovePattern((chess.ROOK,), to_squares=D1)], is_shared=True)
    assert sorted(state.last.san for state in states) == ["Rad1", "Rdd1"]
    assert {state.last.n_options for state in states} == {2}
    assert [step.ply for step in states[0].steps()] == [1]


def test_shared_boards_are_copied():
    board = chess.Board()
    advance([State(board, None)], [MovePattern((chess.KNIGHT,), to_squares=FILES[5] & RANKS[2])], is_shared=True)
    assert board == chess.Board()


def after(line, pattern, fen=chess.STARTING_FEN):
    """SANs that a pattern may mean behind a line of moves in SAN, which the state remembers."""
    state = State(chess.Board(fen), None)
    for san in line.split():
        move = state.board.parse_san(san)
        said = MovePattern((), 1 << move.from_square, 1 << move.to_square)
        [state] = advance([state], [said], is_shared=True)
    return sorted(s.last.san for s in advance([state], [pattern], is_shared=True))


RANK_1, BISHOPS_FILES = RANKS[0], FILES[2] | FILES[5]
KING_ROOK_TO_B1 = MovePattern((chess.ROOK,), to_squares=RANK_1 & BISHOPS_FILES, is_relative=True, wing="K", prefers_quiet=True)
QUEEN_ROOK_TO_B1 = MovePattern((chess.ROOK,), to_squares=RANK_1 & BISHOPS_FILES, is_relative=True, wing="Q", prefers_quiet=True)
TWO_B1 = "4k3/8/8/8/8/8/8/R1b1K2R w - - 0 1"


def test_the_wing_is_asked_before_a_quiet_move_is_preferred():
    """`QR-B1` takes on c1 with the queen's rook; that `KR-B1` is quiet does not make it what was written."""
    assert after("", QUEEN_ROOK_TO_B1, TWO_B1) == ["Rxc1"]
    assert after("", KING_ROOK_TO_B1, TWO_B1) == ["Rf1"]


def test_a_man_that_began_and_stands_on_the_other_wing_is_not_meant():
    line = "e4 e5 Nf3 Nc6 Bb5 Nf6 O-O Nxe4"
    to_e1 = MovePattern((chess.ROOK,), to_squares=FILES[4] & RANKS[0], is_relative=True)
    assert [after(line, replace(to_e1, wing=wing)) for wing in ("", "K", "Q")] == [["Re1"], ["Re1"], []]


def test_a_man_is_known_by_where_it_began_not_by_where_it_stands():
    """The queen's rook went to h3 and both may go to e3's file."""
    line = "a4 a6 Ra3 b6 Rh3 c6 Rhe3 d6 h4 f6 Rhh3 g6 Rd3 h6"
    to_file = MovePattern((chess.ROOK,), to_squares=FILES[5] & RANKS[2], is_relative=True)
    assert after(line, to_file) == ["Rdf3", "Rhf3"]
    assert after(line, replace(to_file, wing="Q")) == ["Rdf3"]
    assert after(line, replace(to_file, wing="K")) == ["Rhf3"]


def test_a_castled_rook_began_in_its_corner():
    line = "d4 d5 Nc3 Nc6 Bf4 Bf5 Qd2 Qd7 O-O-O O-O-O"
    to_e1 = MovePattern((chess.ROOK,), to_squares=FILES[4] & RANKS[0], is_relative=True)
    assert after(line, to_e1) == ["Re1"]
    assert after(line, replace(to_e1, wing="Q")) == ["Re1"]
    assert after(line, replace(to_e1, wing="K")) == []


def test_a_captured_man_is_known_by_where_it_began():
    takes = MovePattern((chess.BISHOP,), captured=(chess.KNIGHT,), is_capture=True, is_relative=True)
    line = "e4 e5 Bb5 Nc6 d3 d6 Bg5 Nf6 a3 a6"
    assert after(line, takes) == ["Bxc6+", "Bxf6"]
    assert after(line, replace(takes, captured_wing="K")) == ["Bxf6"]
    assert after(line, replace(takes, captured_wing="Q")) == ["Bxc6+"]


def test_castling_does_what_it_says():
    board = chess.Board("3k4/8/8/8/8/8/8/R3K2R w KQ - 0 1")
    assert ucis(MovePattern(castling="O-O-O", effects=("check",)), board) == ["e1c1"]
    assert ucis(MovePattern(castling="O-O", effects=("check",)), board) == []


def test_ranks_are_counted_from_the_movers_side():
    fourth = MovePattern((chess.PAWN,), to_squares=FILES[4] & RANKS[3], is_relative=True)
    assert after("", fourth) == ["e4"]
    assert after("e4", fourth) == ["e5"]


def test_en_passant_is_meant_only_where_it_is_said_or_nothing_else_fits():
    takes = MovePattern((chess.PAWN,), captured=(chess.PAWN,), is_capture=True, is_relative=True)
    assert after("e4 a6 e5 d5", takes) == ["exd6"]
    assert after("e4 c5 b4 a6 e5 d5", takes) == ["bxc5"]
    assert after("e4 c5 b4 a6 e5 d5", replace(takes, effects=("en_passant",))) == ["exd6"]


def test_long_games_with_wings_take_time_in_proportion():
    """20,000 half-moves, each of a named man: were each to trace the men through all moves before it, it would take minutes."""
    knights = [
        MovePattern((chess.KNIGHT,), to_squares=FILES[f] & RANKS[r], is_relative=True, wing="K") for f, r in ((5, 2), (6, 0))
    ]
    states = [State(chess.Board(), None)]
    before = process_time()
    for i in range(20_000):
        states = advance(states, [knights[i // 2 % 2]], is_shared=False)
    assert [state.board.fullmove_number for state in states] == [10_001]
    assert process_time() - before < 10
