"""Start positions from tags."""
# ruff: noqa: E501  (input and expectation stand on one line)

from __future__ import annotations

import chess
import pytest

from pipeline import positions


def start(**tags):
    return positions.start(tags)


def test_without_tags_the_game_starts_at_the_beginning():
    found = start()
    assert (found.board, found.fen, found.is_chess960, found.issues) == (chess.Board(), None, False, ())


@pytest.mark.parametrize(
    ("fen", "expected"),
    [
        ("4k3/8/8/8/8/8/8/4K3 w - - 0 1", "4k3/8/8/8/8/8/8/4K3 w - - 0 1"),
        ("4k3/8/8/8/8/8/8/4K3", "4k3/8/8/8/8/8/8/4K3 w - - 0 1"),
        ("4k3/8/8/8/8/8/8/4K3 b", "4k3/8/8/8/8/8/8/4K3 b - - 0 1"),
        ("4k3/8/8/8/8/8/8/4K3 B - - 3 17", "4k3/8/8/8/8/8/8/4K3 b - - 3 17"),
        ("4k3/8/8/8/8/8/8/4K3 w - - ? ?", "4k3/8/8/8/8/8/8/4K3 w - - 0 1"),
        ("4k3/8/8/8/8/8/8/4K3 w KQkq - 0 1", "4k3/8/8/8/8/8/8/4K3 w - - 0 1"),
        ("4k3/8/8/8/8/8/8/4K3 w - e6 0 1", "4k3/8/8/8/8/8/8/4K3 w - - 0 1"),
        ("4k3/8/8/8/8/8/8/4K2R w K - 0 0", "4k3/8/8/8/8/8/8/4K2R w K - 0 1"),
        ("4k3/8/8/8/8/8/8/4K2R w H - 0 1", "4k3/8/8/8/8/8/8/4K2R w K - 0 1"),
        (chess.STARTING_FEN, None),
    ],
)
def test_careless_fen_is_read_as_meant(fen, expected):
    found = start(fen=fen)
    assert (found.fen, found.issues) == (expected, ())
    assert found.board is not None


@pytest.mark.parametrize("fen", ["8/8/8/8/8/8/8/8 w - - 0 1", "4k3/8/8/8/8/8/8/8 w - - 0 1", "kk6/8/8/8/8/8/8/K7 w - - 0 1", "4k3/8/8/8/8/8/8/P3K3 w - - 0 1",
                                 "4k3/8/8/8/8/8/8/4R1K1 w - - 0 1", "9/8/8/8/8/8/8/8 w - - 0 1", "x", "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP w KQkq - 0 1"])  # fmt: skip
def test_a_position_that_cannot_be_is_refused(fen):
    found = start(fen=fen)
    assert (found.board, [issue.code for issue in found.issues]) == (None, ["illegal_start_position"])


@pytest.mark.parametrize("variant", ["Chess960", "chess 960", "Fischerandom", "Fischer Random Chess", "chess960"])
def test_chess960_by_any_name_needs_its_position(variant):
    assert start(variant=variant, fen="bnrbnkrq/pppppppp/8/8/8/8/PPPPPPPP/BNRBNKRQ w GCgc - 0 1").is_chess960
    assert [i.code for i in start(variant=variant).issues] == ["no_start_position"]


def test_castling_rights_of_other_files_make_it_chess960_without_a_tag():
    found = start(fen="bnrbnkrq/pppppppp/8/8/8/8/PPPPPPPP/BNRBNKRQ w GCgc - 0 1")
    assert found.is_chess960
    assert found.board is not None
    assert found.board.chess960


@pytest.mark.parametrize("variant", ["Standard", "standard chess", "", "normal"])
def test_standard_chess_by_any_name_is_standard(variant):
    assert start(variant=variant).board == chess.Board()


@pytest.mark.parametrize("variant", ["Atomic", "Crazyhouse", "Antichess", "Horde", "Xiangqi", "unheard of"])
def test_other_games_are_refused(variant):
    assert [i.code for i in start(variant=variant).issues] == ["variant_unsupported"]


def test_an_empty_fen_is_no_fen():
    assert start(fen="", setup="1").board == chess.Board()


def test_setup_zero_means_the_initial_position():
    assert start(fen="4k3/8/8/8/8/8/8/4K3 w - - 0 1", setup="0").fen is None


def test_a_fen_without_setup_counts():
    assert start(fen="4k3/8/8/8/8/8/8/4K3 w - - 0 1").fen == "4k3/8/8/8/8/8/8/4K3 w - - 0 1"
