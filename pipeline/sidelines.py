"""Variations: read in the alphabet that wrote the main line, each from the board before the ply that it replaces."""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass

import chess

from pipeline.dialects import Writing, WrittenMove, patterns
from pipeline.movetext import WrittenLine
from pipeline.resolver import STATES_LIMIT, State, Step, advance, agreed_plies
from pipeline.schema import MAX_PLIES


@dataclass(frozen=True, slots=True)
class ReadLine:
    """A line that was read: its steps, the plies before its first, and the board before each ply that a variation replaces."""

    steps: Sequence[Step]
    offset: int
    boards: Mapping[int, chess.Board]


def boards_before(start: chess.Board, steps: Sequence[Step], wanted: Collection[int]) -> dict[int, chess.Board]:
    """The board before each wanted step, in one walk."""
    found: dict[int, chess.Board] = {}
    board = start.copy(stack=False)
    last = min(max(wanted, default=-1), len(steps) - 1)
    for i, step in enumerate(steps[: last + 1]):
        if i in wanted:
            found[i] = board.copy(stack=False)
        board.push(step.move)
    return found


def walk(line: WrittenLine, board: chess.Board, alphabet: Writing) -> tuple[list[Step], str | None]:
    """Read a variation in the game's alphabet → its proven steps, and what ended it."""
    states = [State(board.copy(stack=False), None)]
    fault: str | None = None
    for ply in line.plies[:MAX_PLIES]:
        move = WrittenMove(ply.text, ply.is_null)
        options = patterns(move, alphabet, is_lenient=False) or patterns(move, alphabet, is_lenient=True)
        ahead = advance(states, options, is_shared=True) if options else []
        if not ahead or len(ahead) > STATES_LIMIT:
            fault = "no legal move" if options else "not a move"
            break
        states = ahead
    lines = [state.steps() for state in states]
    agreed = min(agreed_plies(lines[0], other) for other in lines)
    if agreed < len(lines[0]):
        return lines[0][:agreed], "several legal moves fit"
    return lines[0], fault
