"""Start positions: Variant, SetUp and FEN tags → a board, or why there is none.

Reads FEN with missing fields, X-FEN and Shredder-FEN castling rights; a position is refused when no game of chess has it.
Source: PGN standard 9.7 and 16.1; FIDE Laws, guidelines for Chess960.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from functools import cache

import chess

from pipeline import tables
from pipeline.model import Issue

_TOLERATED = (
    chess.STATUS_VALID
    | chess.STATUS_BAD_CASTLING_RIGHTS
    | chess.STATUS_INVALID_EP_SQUARE
    | chess.STATUS_TOO_MANY_WHITE_PAWNS
    | chess.STATUS_TOO_MANY_BLACK_PAWNS
    | chess.STATUS_TOO_MANY_WHITE_PIECES
    | chess.STATUS_TOO_MANY_BLACK_PIECES
    | chess.STATUS_IMPOSSIBLE_CHECK
    | chess.STATUS_TOO_MANY_CHECKERS
)
"""Oddities of compositions and of careless FEN: rights or an en passant square that cannot be are dropped."""


@dataclass(frozen=True, slots=True)
class Start:
    """`board` is None when the game cannot be played out; `fen` is X-FEN, None for the initial position."""

    board: chess.Board | None
    fen: str | None
    is_chess960: bool
    issues: tuple[Issue, ...]


def start(tags: Mapping[str, str]) -> Start:
    """The start position of a game from its tags (names case-folded)."""
    variant = _variant(tags.get("variant", ""))
    if variant is None:
        return Start(None, None, False, (Issue("variant_unsupported", written=tags.get("variant")),))
    written = tags.get("fen", "").strip()
    is_chess960 = variant == "chess960"
    if not written or tags.get("setup", "").strip() == "0":
        if is_chess960 and not written:
            return Start(None, None, True, (Issue("no_start_position", detail="a Chess960 game needs its FEN"),))
        return Start(chess.Board(chess960=is_chess960), None, is_chess960, ())
    board = _board(written, is_chess960)
    if isinstance(board, str):
        return Start(None, written, is_chess960, (Issue("illegal_start_position", written=written, detail=board),))
    fen = board.fen(en_passant="xfen")
    return Start(board, None if fen == chess.STARTING_FEN else fen, board.chess960, ())


def start_board(fen: str | None, variant: str) -> chess.Board:
    """The board that a game begins from, by its columns `start_fen` and `variant`."""
    return chess.Board(fen or chess.STARTING_FEN, chess960=variant == "chess960")


def _board(written: str, is_chess960: bool) -> chess.Board | str:
    """A board, or what is wrong with the FEN."""
    fields = written.split()
    defaults = ["", "w", "-", "-", "0", "1"]
    fields = fields[:6] + defaults[len(fields) : 6]
    fields[1] = fields[1].lower()[:1]
    for i in (4, 5):
        if not fields[i].isdecimal():
            fields[i] = defaults[i]
    fields[5] = "1" if fields[5] == "0" else fields[5][:4]
    fields[4] = fields[4][:4]
    try:
        board = chess.Board(" ".join(fields), chess960=True)
    except ValueError as error:
        return str(error)
    board.chess960 = is_chess960 or board.has_chess960_castling_rights()
    status = board.status()
    if status & ~_TOLERATED:
        return ", ".join(s.name.lower().replace("_", " ") for s in chess.Status if s & status & ~_TOLERATED and s.name)
    if status & chess.STATUS_BAD_CASTLING_RIGHTS:
        board.castling_rights = board.clean_castling_rights()
    if status & chess.STATUS_INVALID_EP_SQUARE:
        board.ep_square = None
    return board


def _variant(written: str) -> str | None:
    """`standard`, `chess960`, or None for a game with other rules."""
    name = "".join(c for c in written.casefold() if c.isalnum())
    return _variants().get(name, None if name else "standard")


@cache
def _variants() -> Mapping[str, str]:
    return {row["name"]: row["variant"] for row in tables.rows("variants")}
