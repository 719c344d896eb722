"""Smith notation: from, to, the man that is taken or the kind of castling, the man promoted to: `e4d5p`, `e1g1c`, `f7g8nQ`.

p n b r q k a man that is taken, E a pawn taken en passant, c short and C long castling; N B R Q promote.
Source: Warren D. Smith's notation as described by the servers that take it (chessclub.com). `e7e8q` takes a queen here; in UCI it
promotes.
"""

from __future__ import annotations

import re
from functools import lru_cache

import chess

from pipeline.model import MovePattern
from pipeline.notations.families import Family
from pipeline.notations.squares import square

_MEN = {"p": chess.PAWN, "n": chess.KNIGHT, "b": chess.BISHOP, "r": chess.ROOK, "q": chess.QUEEN, "k": chess.KING}
_MOVE = r"[a-h][1-8][a-h][1-8](?:[pnbrqk][NBRQ]?|[EcC]|[NBRQ])?(?!\w)"
_GRAMMAR = re.compile(r"([a-h])([1-8])([a-h])([1-8])(?:([pnbrqkEcC])?([NBRQ])?)")
_CASTLING_FILE = {"c": "g", "C": "c"}


@lru_cache(maxsize=50_000)
def parse(text: str, dialect: str) -> tuple[MovePattern, ...]:
    """The pattern of a token; what is taken is part of the move."""
    match = _GRAMMAR.fullmatch(text.strip()) if dialect == "zxx" else None
    if not match:
        return ()
    file, rank, to_file, to_rank, sign, promotion = match.groups()
    if sign in _CASTLING_FILE:
        is_plain = file == "e" and to_file == _CASTLING_FILE[sign] and rank == to_rank and rank in "18" and not promotion
        return (MovePattern(castling="O-O" if sign == "c" else "O-O-O"),) if is_plain else ()
    return (
        MovePattern(
            from_squares=square("abcdefgh".index(file), int(rank) - 1),
            to_squares=square("abcdefgh".index(to_file), int(to_rank) - 1),
            promotions=(_MEN[promotion.lower()],) if promotion else None,
            captured=(_MEN[sign],) if sign in _MEN else None,
            is_capture=True if sign else None,
            has_capture_mark=bool(sign),
            effects=("en_passant",) if sign == "E" else (),
        ),
    )


FAMILY = Family("smith", ("zxx",), rf"(?<!\w){_MOVE}", r"[a-h]2[a-h][34](?!\w)|[bg]1[acfh]3(?!\w)", parse)
