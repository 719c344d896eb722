"""How a game ended: what the movetext says at its end, and what the last board forces."""

from __future__ import annotations

from collections.abc import Mapping
from functools import cache

import chess

from pipeline import signs, tables
from pipeline.lexer import Token
from pipeline.movetext import Score

_RESULTS = frozenset({"1-0", "0-1", "0-0", "*"})
_FORFEITS = {"+--": "1-0", "--+": "0-1", "---": "0-0"}
"""`+:-`, `-:+` and `-:-` with every sign as a dash: who is given the point (FIDE Handbook C.04)."""
_DIGITS = {**dict.fromkeys(signs.RESULT_ZEROS, "0"), **dict.fromkeys(signs.RESULT_ONES, "1")}


def on_board(board: chess.Board) -> str | None:
    """The result that mate or stalemate forces, else None. Draws that must be claimed change nothing (FIDE Laws 5.1, 5.2, 9)."""
    if board.is_checkmate():
        return "0-1" if board.turn == chess.WHITE else "1-0"
    return "1/2-1/2" if board.is_stalemate() else None


def written(score: Score, board: chess.Board | None) -> tuple[str | None, str | None]:
    """Result and termination that the end of the movetext states, canonical."""
    result, ending = _result(score.result) if score.result else (None, None)
    if not score.result_words:
        return result, ending
    row = _result_words().get(" ".join(score.result_words.text.casefold().split()))
    if row is None:
        return result, ending
    canonical, kind = row
    if canonical == "side_to_move_loses":
        canonical = None if board is None else "0-1" if board.turn == chess.WHITE else "1-0"
    elif canonical == "mover_wins" or kind in {"mate", "stalemate"}:
        canonical = on_board(board) if board else None
    termination = {"win": None, "draw": None, "decision": None}.get(kind, kind)
    return result or canonical, termination or ending


def _result(token: Token) -> tuple[str, str | None]:
    """A result in signs, and `forfeit` where the signs say that it was not played for (`+:-`, `1-0F`)."""
    signed = "".join(c for c in token.text if not c.isspace()).strip("()")
    bare = signed.rstrip("F")
    plain = "".join("-" if c in signs.DASHES or c == ":" else _DIGITS.get(c, c) for c in bare)
    if plain in _FORFEITS:
        return _FORFEITS[plain], "forfeit"
    return plain if plain in _RESULTS else "1/2-1/2", "forfeit" if bare != signed else None


@cache
def _result_words() -> Mapping[str, tuple[str | None, str]]:
    return {r.text.casefold(): (r.canonical, r.type) for r in tables.results()}
