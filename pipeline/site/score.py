"""The moves of a game as blocks of text for a page, each move with the position after it."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Any

import chess

from pipeline import tables
from pipeline.positions import start_board

Row = Mapping[str, Any]
MOST_MOVES = 4_000
"""Moves on one page, variations among them."""
_DEEPEST = 6
"""Variations within variations that are set further in."""


@dataclass(frozen=True, slots=True)
class Move:
    """A move of a page. `place`: the position after it, as the first field of a FEN; empty when it cannot be drawn."""

    key: str
    san: str
    signs: Sequence[tuple[str, str]]
    """Symbols with their meanings."""
    written: str | None
    place: str
    squares: str
    """From and to, as `e2e4`; empty for a null move."""
    says: str
    """Who stands where, for a reader who cannot see the board: `12… Nf6`."""
    note: str = ""
    """Clock, evaluation and how the move was decided."""
    number: str = ""
    """What stands before it: `12.`, `12…`, or nothing."""


@dataclass(slots=True)
class Block:
    """A paragraph: `kind` is main, variation or comment; its tokens are `Move`s and `Comment`s."""

    kind: str
    depth: int = 0
    tokens: list[Any] = field(default_factory=list)


@dataclass(frozen=True, slots=True)
class Comment:
    """A remark of the annotator."""

    text: str
    kind: str = "comment"


@dataclass(frozen=True, slots=True)
class Score:
    """All blocks, and the last position of the main line that could be drawn."""

    blocks: Sequence[Block]
    last: Move | None
    start: str
    is_cut: bool


def score(game: Row, plies: Sequence[Row], variations: Sequence[Row]) -> Score:
    """The score of a game. `plies`: rows of all its lines, by variation and ply; `variations` by number."""
    branches: dict[tuple[int, int], list[Row]] = {}
    for row in variations:
        branches.setdefault((row["parent_variation"], row["branch_ply"]), []).append(row)
    is_cut = len(plies) > MOST_MOVES
    positions = _positions(game, plies[:MOST_MOVES], variations)
    lines: dict[int, list[tuple[Row, Move]]] = {}
    for row in plies[:MOST_MOVES]:
        lines.setdefault(row["variation"], []).append((row, _move(row, *positions[row["variation"], row["ply"]])))
    blocks = list(_blocks(lines, branches))
    main = [move for _, move in lines.get(0, []) if move.place]
    return Score(blocks, main[-1] if main else None, positions[0, 0][0], is_cut)


def _positions(game: Row, plies: Sequence[Row], variations: Sequence[Row]) -> dict[tuple[int, int], tuple[str, str]]:
    """(variation, ply) → position and squares; (0, 0) is the start. Boards are kept only where a variation begins."""
    try:
        start = start_board(game["start_fen"], game["variant"])
    except ValueError:
        start = chess.Board(None)
    branch_of = {row["variation"]: (row["parent_variation"], row["branch_ply"]) for row in variations}
    needed = set(branch_of.values())
    before: dict[tuple[int, int], chess.Board] = {}
    found = {(0, 0): (start.board_fen(), "")}
    board: chess.Board | None = None
    line = None
    for row in plies:
        variation, ply = row["variation"], row["ply"]
        if variation != line:
            line = variation
            origin = start if variation == 0 else before.get(branch_of.get(variation, (-1, -1)))
            board = origin.copy(stack=False) if origin is not None else None
        if board is not None and (variation, ply) in needed:
            before[variation, ply] = board.copy(stack=False)
        board = _pushed(board, row["uci"])
        squares = row["uci"][:4] if row["uci"] and row["uci"] != "0000" else ""
        found[variation, ply] = (board.board_fen(), squares) if board is not None else ("", "")
    return found


def _pushed(board: chess.Board | None, uci: str | None) -> chess.Board | None:
    """The board after a move, which is changed; None when it cannot be made."""
    if board is None or not uci:
        return None
    try:
        move = chess.Move.from_uci(uci)
        if move and board.piece_at(move.from_square) is None:
            return None
        board.push(move)
    except (ValueError, AssertionError):
        return None
    return board


def _move(row: Row, place: str, squares: str) -> Move:
    notes = []
    if row["clock_seconds"] is not None:
        notes.append(f"clock {_clock(row['clock_seconds'])}")
    if row["eval_mate"] is not None:
        notes.append(f"engine: mate in {row['eval_mate']}")
    elif row["eval_cp"] is not None:
        notes.append(f"engine {row['eval_cp'] / 100:+.2f}")
    if row["decided_by"]:
        notes.append(f"decided by {row['decided_by']}")
    says = f"{row['move_number']}{'.' if row['color'] == 'w' else '…'} {row['san']}"
    key = f"m{row['variation']}-{row['ply']}"
    return Move(
        key, row["san"], [_sign(nag) for nag in row["nags"] or ()], row["written"], place, squares, says, ", ".join(notes)
    )


def _sign(nag: int) -> tuple[str, str]:
    known = tables.nags()
    if 0 <= nag < len(known) and known[nag].symbol:
        return known[nag].symbol, known[nag].meaning
    return f"${nag}", f"NAG {nag}"


def _clock(seconds: float) -> str:
    minutes, rest = divmod(int(seconds), 60)
    return f"{minutes // 60}:{minutes % 60:02}:{rest:02}"


def _blocks(
    lines: Mapping[int, Sequence[tuple[Row, Move]]], branches: Mapping[tuple[int, int], Sequence[Row]]
) -> Iterator[Block]:
    """The main line, broken where a comment or a variation stands."""
    block = Block("main")
    for row, move in lines.get(0, ()):
        if row["comment_before"]:
            yield from _filled(block)
            yield Block("comment", 0, [Comment(row["comment_before"])])
            block = Block("main")
        block.tokens.append(_numbered(row, move, needs_number=not block.tokens))
        asides = [Block("comment", 0, [Comment(row["comment"])])] if row["comment"] else []
        asides += _variations(lines, branches, (0, row["ply"]))
        if asides:
            yield from _filled(block)
            yield from asides
            block = Block("main")
    yield from _filled(block)


def _numbered(row: Row, move: Move, needs_number: bool) -> Move:
    """The move with its number, which White's moves have, and Black's first of a line."""
    if row["color"] != "w" and not needs_number:
        return move
    return replace(move, number=f"{row['move_number']}{'.' if row['color'] == 'w' else '…'}")


def _filled(block: Block) -> Iterator[Block]:
    if block.tokens:
        yield block


def _variations(
    lines: Mapping[int, Sequence[tuple[Row, Move]]], branches: Mapping[tuple[int, int], Sequence[Row]], at: tuple[int, int]
) -> Iterator[Block]:
    """Variations that replace a ply of a line, each followed by its own. No recursion: input would drive it."""
    todo = list(reversed(branches.get(at, ())))
    while todo:
        variation = todo.pop()
        plies = lines.get(variation["variation"], ())
        yield Block("variation", min(variation["depth"], _DEEPEST), list(_running(plies, variation["comment"])))
        inner = [b for row, _ in plies for b in branches.get((variation["variation"], row["ply"]), ())]
        todo += reversed(inner)


def _running(plies: Sequence[tuple[Row, Move]], comment: str | None) -> Iterator[Any]:
    """The moves of a variation as running text."""
    if comment:
        yield Comment(comment)
    needs_number = True
    for row, move in plies:
        if row["comment_before"]:
            yield Comment(row["comment_before"])
        yield _numbered(row, move, needs_number)
        if row["comment"]:
            yield Comment(row["comment"])
        needs_number = bool(row["comment"])
