"""`notatio openings`: the opening tree from a position."""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import TYPE_CHECKING, Annotated, Any

import typer

from pipeline.cli.errors import say
from pipeline.cli.failure import Failure
from pipeline.cli.options import DEFAULT_LAKE, FormatOption, LakeOption, OutOption, as_utf8
from pipeline.cli.output import counted, put, write
from pipeline.cli.program import typed
from pipeline.cli.query import session

if TYPE_CHECKING:
    import chess

_NUMBER = re.compile(r"\d+\.+")
_NAMES = "select position_id, eco, name from opening_names where position_id in (select unnest($ids::bigint[]))"


def openings(
    moves: Annotated[
        list[str] | None,
        typer.Argument(metavar="[MOVES…]", help="Moves to the position (SAN or UCI).", show_default=False, callback=as_utf8),
    ] = None,
    fen: Annotated[
        str | None, typer.Option(metavar="FEN", help="Begin from this position.", show_default=False, callback=as_utf8)
    ] = None,
    board: Annotated[bool, typer.Option("--board", help="Draw the position.")] = False,
    lake: LakeOption = DEFAULT_LAKE,
    format_: FormatOption = None,
    out: OutOption = None,
) -> None:
    """List the moves made in a position, with results and names.

    All ways to the position count, games of which a result is agreed, each once, in their first 30 half-moves. n_pct is
    the share of a move, score_pct what White scored with it; eco and name are those of the position after it.

    \b
    Examples:
      notatio openings
      notatio openings e4 c5 Nf3
      notatio openings "1. d4 Nf6 2. c4" --board
      notatio openings --fen "rnbqkbnr/pppp1ppp/4p3/8/3PP3/8/PPP2PPP/RNBQKBNR b KQkq -"
    """
    import pyarrow as pa

    from pipeline.opening_tree import position_id

    position = _position(fen, moves or [])
    with session(lake) as connection:
        found = connection.sql("from opening_tree($fen)", params={"fen": position.fen(en_passant="fen")}).to_arrow_table()
        after = [_after(position, san) for san in found["san"].to_pylist()]
        here = position_id(position)
        names = {key: name for key, *name in connection.execute(_NAMES, {"ids": [here, *after]}).fetchall()}
    found = found.drop_columns(["position_id", "fen"])
    for i, column in enumerate(("eco", "name")):
        found = found.append_column(column, pa.array([names[key][i] if key in names else None for key in after], pa.string()))
    if board:
        put(f"{position}\n")
    eco_name = " ".join(names.get(here, ("", ""))).strip()
    write(found, format_, out)
    n = sum(found["n"].to_pylist())
    say(f"{eco_name + ': ' if eco_name else ''}{counted(n, 'game')} from this position")
    if not n:
        say(f"The tree holds the first 30 half-moves of games that count. It begins with {typed('openings', lake)}")


def _position(fen: str | None, moves: Sequence[str]) -> chess.Board:
    """The position after moves. Raises Failure for what is no position and no legal move."""
    import chess

    try:
        board = chess.Board(fen.strip()) if fen is not None else chess.Board()
    except ValueError as error:
        raise Failure(f"{fen!r} is no position: {error}", "Write it in FEN, in quotes") from None
    if not board.is_valid():
        raise Failure(
            f"{fen!r} is no position that a game can have", "Both kings must stand there, and the side to move be right"
        )
    for word in _NUMBER.sub(" ", " ".join(moves)).split():
        move = _move(board, word)
        if move is None:
            legal = ", ".join(sorted(board.san(m) for m in board.legal_moves))
            raise Failure(f"{word} is no legal move in {board.fen()}", f"These are: {legal}" if legal else "There is none")
        board.push(move)
    return board


def _move(board: chess.Board, word: str) -> Any:
    for read in (board.parse_san, board.parse_uci):
        try:
            move = read(word)
        except ValueError:
            continue
        return move or None
    return None


def _after(board: chess.Board, san: str) -> int:
    """The key of the position after a move."""
    from pipeline.opening_tree import position_id

    board = board.copy(stack=False)
    board.push_san(san)
    return position_id(board)
