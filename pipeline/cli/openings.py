"""`notatio openings`: the opening tree from a position."""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import TYPE_CHECKING, Annotated

import typer

from pipeline.cli.boards import diagram
from pipeline.cli.errors import say
from pipeline.cli.failure import Failure
from pipeline.cli.options import DEFAULT_LAKE, FormatOption, LakeOption, OutOption, as_utf8
from pipeline.cli.output import counted, put, write
from pipeline.cli.program import typed
from pipeline.cli.query import session

if TYPE_CHECKING:
    import chess

_NUMBER = re.compile(r"\d+\.+")
_FEN = re.compile(
    r"\s*(?P<fen>(?:[pnbrqkPNBRQK1-8]+/){7}[pnbrqkPNBRQK1-8]+(?:\s+[wb](?:\s+(?:-|[KQkqA-Ha-h]+)(?:\s+(?:-|[a-h][36])(?:\s+\d+){0,2})?)?)?)(?:\s|\Z)"
)
_IMPORTANT = ("san", "n", "score_pct", "eco", "name", "n_pct")
_NAMES = "select position_id, eco, name from opening_names where position_id in (select unnest($ids::bigint[]))"


def openings(
    moves: Annotated[
        list[str] | None,
        typer.Argument(metavar="[MOVES…]", help="Moves to the position, or a FEN.", show_default=False, callback=as_utf8),
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

    Moves are read in any letters that leave one legal move. All ways to the position count, games of which a result is
    agreed, each once, in their first 30 half-moves. n_pct is the share of a move, score_pct what White scored with it; eco
    and name are those of the position after it.

    \b
    Examples:
      notatio openings
      notatio openings e4 c5 Nf3
      notatio openings "1. d4 Nf6 2. c4" --board
      notatio openings "1. e4 e5 2. Кf3"
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
        put("\n".join([*diagram(position), ""]))
    eco_name = " ".join(names.get(here, ("", ""))).strip()
    write(found, format_, out, important=_IMPORTANT)
    n = sum(found["n"].to_pylist())
    say(f"{eco_name + ': ' if eco_name else ''}{counted(n, 'game')} from this position")
    if not n:
        say("No game of the lake made a move here in its first 30 half-moves, or none of them has an agreed result.")
        say(f"The tree begins with {typed('openings', lake)}")


def _position(fen: str | None, moves: Sequence[str]) -> chess.Board:
    """The position after moves, which may begin with a FEN. Raises Failure for what is no position and no legal move."""
    import chess

    written = " ".join(moves)
    if fen is None and (begins := _FEN.match(written)):
        fen, written = begins["fen"], written[begins.end() :]
    try:
        board = chess.Board(fen.strip()) if fen is not None else chess.Board()
    except ValueError as error:
        raise Failure(f"{fen!r} is no position: {error}", "Write it in FEN, in quotes") from None
    if not board.is_valid():
        raise Failure(
            f"{fen!r} is no position that a game can have", "Both kings must stand there, and the side to move be right"
        )
    for word in _NUMBER.sub(" ", written).split():
        board.push(_move(board, word))
    return board


def _move(board: chess.Board, word: str) -> chess.Move:
    """The legal move that a word is: in SAN or UCI, else in the alphabets that read it alike. Raises Failure."""
    for read in (board.parse_san, board.parse_uci):
        try:
            if move := read(word):
                return move
        except ValueError:
            continue
    found = _in_any_letters(board, word)
    if len(found) == 1:
        say(f"note: {word!r} is read as {board.san(found[0])}")
        return found[0]
    legal = [board.san(move) for move in found] or sorted(board.san(move) for move in board.legal_moves)
    what = "may be several moves" if found else "is no legal move"
    raise Failure(f"{word!r} {what} in {board.fen()}", f"These are: {', '.join(legal)}" if legal else "There is none")


def _in_any_letters(board: chess.Board, word: str) -> list[chess.Move]:
    """The legal moves that a word may be in the alphabets that are found by themselves."""
    from pipeline.dialects import WrittenMove, hypotheses, patterns
    from pipeline.model import Hints
    from pipeline.resolver import candidates

    ways = {way for alphabet in hypotheses(Hints()) for way in patterns(WrittenMove(word), alphabet, is_lenient=False)}
    return sorted({move for way in ways for move in candidates(way, board)}, key=board.san)


def _after(board: chess.Board, san: str) -> int:
    """The key of the position after a move."""
    from pipeline.opening_tree import position_id

    board = board.copy(stack=False)
    board.push_san(san)
    return position_id(board)
