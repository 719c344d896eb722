"""Board + move → notations of two squares: UCI, ICCF numeric, Smith, Gringmuth's telegraph code.

Sources: UCI protocol; ICCF rules (file digit, rank digit, promotion 1 queen 2 rook 3 bishop 4 knight); Smith: the man taken
behind the squares in a small letter, `E` en passant, `c` and `C` short and long castling, the man promoted to in a capital;
Steinitz 1889: two letters a square (telegraph_codes.csv), then the man promoted to. Uedemann's code is not printed: it does not
say what a pawn becomes.
"""

from __future__ import annotations

from collections.abc import Mapping
from functools import cache

import chess

from pipeline.notations import numeric as numeric_notation
from pipeline.notations import telegraph

_TELEGRAPH_PROMOTION = {man: letter for letter, man in telegraph.PROMOTIONS.items()}
_NUMERIC_PROMOTION = {man: digit for digit, man in numeric_notation.MEN.items()}


def uci(board: chess.Board, move: chess.Move) -> str:
    """`e2e4`, `e7e8q`; Chess960 castling is king takes rook; `0000` for a null move."""
    return board.uci(move)


def numeric(board: chess.Board, move: chess.Move) -> str:
    """`5254`, `57681`; castling is the king's move (Chess960: king takes rook), `0000` a null move."""
    if not move:
        return "0000"
    digits = _square_digits(move.from_square) + _square_digits(_target(board, move))
    return digits + (_NUMERIC_PROMOTION[move.promotion] if move.promotion else "")


def smith(board: chess.Board, move: chess.Move) -> str:
    """`e2e4`, `e4d5p`, `e5d6E`, `e1g1c`, `f7g8nQ`."""
    if not move:
        return "0000"
    squares = chess.square_name(move.from_square) + chess.square_name(_king_target(board, move))
    if board.is_castling(move):
        return squares + ("c" if board.is_kingside_castling(move) else "C")
    if board.is_en_passant(move):
        return f"{squares}E"
    taken = board.piece_type_at(move.to_square)
    return (
        squares
        + (chess.piece_symbol(taken) if taken else "")
        + (chess.piece_symbol(move.promotion).upper() if move.promotion else "")
    )


def gringmuth(board: chess.Board, move: chess.Move) -> str:
    """`gego`, `sizaq`; castling is the king's move (Chess960: king takes rook)."""
    if not move:
        return "0000"
    codes = _gringmuth()
    letters = codes[move.from_square] + codes[_target(board, move)]
    return letters + (_TELEGRAPH_PROMOTION[move.promotion] if move.promotion else "")


@cache
def _gringmuth() -> Mapping[int, str]:
    """Square → two letters."""
    return {chess.parse_square(name): code for code, name in telegraph.codes("gringmuth").items()}


def _square_digits(square: int) -> str:
    return f"{chess.square_file(square) + 1}{chess.square_rank(square) + 1}"


def _target(board: chess.Board, move: chess.Move) -> int:
    """Where the mover goes; in Chess960 the king may step to g1 too, so castling is written as UCI does."""
    return move.to_square if board.chess960 else _king_target(board, move)


def _king_target(board: chess.Board, move: chess.Move) -> int:
    """Where the mover stands after the move: in castling g or c, whatever the move itself says."""
    if not board.is_castling(move):
        return move.to_square
    return chess.square(6 if board.is_kingside_castling(move) else 2, chess.square_rank(move.from_square))
