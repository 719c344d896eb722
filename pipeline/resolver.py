"""MovePattern + position → the legal moves it can mean. Knows the board and no text.

Many states at once: a written move that several legal moves fit keeps them all, and later moves decide (docs/rules.md §3.7).
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace

import chess

from pipeline.model import ANYWHERE, Effect, MovePattern

STATES_LIMIT = 64
"""Most states that are kept alive: beyond it a text is ambiguous in so many places that no later move settles it."""


def candidates(pattern: MovePattern, board: chess.Board) -> list[chess.Move]:
    """Legal moves that the pattern allows, in python-chess's order; wings are left to `advance`, which knows the moves before."""
    return _preferred(_fitting(pattern, board), pattern, board)


def _fitting(pattern: MovePattern, board: chess.Board) -> list[chess.Move]:
    """Legal moves that agree with all that is said, but for wings."""
    if pattern.is_null:
        return [] if board.is_check() else [chess.Move.null()]
    if pattern.castling:
        wants_short = pattern.castling == "O-O"
        found = [move for move in board.generate_castling_moves() if board.is_kingside_castling(move) == wants_short]
        return [move for move in found if all(_has_effect(board, move, effect) for effect in pattern.effects)]
    if pattern.is_relative and board.turn == chess.BLACK:
        pattern = _mirrored(pattern)
    from_squares, to_squares = pattern.from_squares, pattern.to_squares
    if pattern.pieces:
        from_squares &= _pieces_mask(pattern.pieces, board)
    found = [
        move
        for move in board.generate_legal_moves(from_squares, to_squares)
        if _promotes_as_said(pattern, move) and not board.is_castling(move)
    ]
    found += _castling_as_king_move(pattern, board)
    if pattern.is_capture is not None:
        found = [move for move in found if board.is_capture(move) == pattern.is_capture]
    if pattern.captured is not None:
        found = [move for move in found if _captured(board, move) in pattern.captured]
    if pattern.captured_squares != ANYWHERE:
        found = [move for move in found if pattern.captured_squares >> _captured_square(board, move) & 1]
    for effect in pattern.effects:
        found = [move for move in found if _has_effect(board, move, effect)]
    return found


def _preferred(moves: list[chess.Move], pattern: MovePattern, board: chess.Board) -> list[chess.Move]:
    """Moves that are meant where others fit too: quiet ones for a dash, ordinary captures unless e.p. is said."""
    if pattern.prefers_quiet:
        moves = [move for move in moves if not board.is_capture(move)] or moves
    if pattern.is_relative and "en_passant" not in pattern.effects:
        moves = [move for move in moves if not board.is_en_passant(move)] or moves
    return moves


def _mirrored(pattern: MovePattern) -> MovePattern:
    """The pattern with its ranks counted from Black's side."""
    return replace(
        pattern,
        from_squares=chess.flip_vertical(pattern.from_squares),
        to_squares=chess.flip_vertical(pattern.to_squares),
        captured_squares=chess.flip_vertical(pattern.captured_squares),
    )


def _captured_square(board: chess.Board, move: chess.Move) -> int:
    return move.to_square ^ 8 if board.is_en_passant(move) else move.to_square


def _has_effect(board: chess.Board, move: chess.Move, effect: Effect) -> bool:
    if effect == "en_passant":
        return board.is_en_passant(move)
    board.push(move)
    try:
        checkers = board.checkers_mask()
        is_double = checkers.bit_count() > 1
        return {
            "check": checkers != 0,
            "double_check": is_double,
            "discovered_check": bool(checkers & ~chess.BB_SQUARES[move.to_square]),
            "mate": checkers != 0 and board.is_checkmate(),
            "double_check_or_mate": is_double or board.is_checkmate(),
        }[effect]
    finally:
        board.pop()


def false_marks(pattern: MovePattern, board: chess.Board, move: chess.Move, *, is_check: bool, is_mate: bool) -> Iterator[str]:
    """Issue codes of marks that the board contradicts. A missing mark is no fault (FIDE Laws C.13)."""
    is_capture = board.is_capture(move)
    if pattern.has_capture_mark and not is_capture and not board.is_castling(move):
        yield "false_capture_mark"
    is_false_cross = pattern.has_final_cross and not is_mate and not is_capture
    if (pattern.has_check_mark and not is_check) or (pattern.has_mate_mark and not is_mate) or is_false_cross:
        yield "false_check_mark"


def _pieces_mask(pieces: Sequence[int], board: chess.Board) -> int:
    mask = 0
    for piece in pieces:
        mask |= board.pieces_mask(piece, board.turn)
    return mask


def _promotes_as_said(pattern: MovePattern, move: chess.Move) -> bool:
    """Unsaid promotion leaves all four men possible; a said one needs a move that promotes to it."""
    return pattern.promotions is None or (move.promotion in pattern.promotions if pattern.promotions else not move.promotion)


def _castling_as_king_move(pattern: MovePattern, board: chess.Board) -> list[chess.Move]:
    """Castling written as a king's move between two squares: `e1g1`, Chess960 `f1g1` or `Kxh1` (UCI; PGN Chess960 practice).

    A bare `Kg1` never castles.
    """
    names_king = not pattern.pieces or chess.KING in pattern.pieces
    says_from = pattern.from_squares != ANYWHERE and pattern.from_squares.bit_count() == 1
    takes_own_rook = chess.KING in pattern.pieces and pattern.has_capture_mark
    if not names_king or not (says_from or takes_own_rook):
        return []
    found = []
    for move in board.generate_castling_moves(pattern.from_squares):
        rook = move.to_square if board.chess960 else _rook_square(board, move)
        king_to = chess.square(6 if board.is_kingside_castling(move) else 2, chess.square_rank(move.from_square))
        if pattern.to_squares >> rook & 1 or (
            says_from and pattern.to_squares >> king_to & 1 and not _king_step(board, move, king_to)
        ):
            found.append(move)
    return found


def _rook_square(board: chess.Board, move: chess.Move) -> int:
    return chess.square(7 if board.is_kingside_castling(move) else 0, chess.square_rank(move.from_square))


def _king_step(board: chess.Board, castling: chess.Move, king_to: int) -> bool:
    """True when the king also reaches that square by a plain move (Chess960), which then is what was written."""
    return board.chess960 and chess.Move(castling.from_square, king_to) in board.legal_moves


def _captured(board: chess.Board, move: chess.Move) -> int | None:
    return chess.PAWN if board.is_en_passant(move) else board.piece_type_at(move.to_square)


@dataclass(frozen=True, slots=True)
class Step:
    """One ply of one reading: the move, what it was chosen from, and the step before (a tree of readings)."""

    move: chess.Move
    san: str
    pattern: MovePattern
    n_options: int
    """How many legal moves the written move fitted."""
    before: Step | None
    ply: int


@dataclass(slots=True)
class State:
    """A live reading: position after its last step."""

    board: chess.Board
    last: Step | None
    origins: dict[int, int] = field(default_factory=dict)
    """Square of each man that has moved → the square that it began on, as of ply `traced`: `_origins` goes on from there."""
    traced: int = 0

    def steps(self) -> list[Step]:
        """From the first ply to the last."""
        found, step = [], self.last
        while step is not None:
            found.append(step)
            step = step.before
        return found[::-1]


def advance(states: Sequence[State], patterns: Sequence[MovePattern], *, is_shared: bool) -> list[State]:
    """The readings that survive one more written move; its patterns are alternatives.

    `is_shared`: the boards belong to other readings too and are copied; else they are moved on in place.
    May return more than STATES_LIMIT states: the caller looks.
    """
    found: list[State] = []
    for state in states:
        options = {
            move: pattern
            for pattern in reversed(patterns)
            for move in _preferred(_begun_there(_fitting(pattern, state.board), pattern, state), pattern, state.board)
        }
        ply = state.last.ply + 1 if state.last else 1
        for move, pattern in options.items():
            is_own = not is_shared and len(options) == 1
            board = state.board if is_own else state.board.copy(stack=False)
            origins = state.origins if is_own else state.origins.copy()
            step = Step(move, board.san_and_push(move), pattern, len(options), state.last, ply)
            found.append(State(board, step, origins, state.traced))
    return found


def _begun_there(moves: list[chess.Move], pattern: MovePattern, state: State) -> list[chess.Move]:
    """Moves whose man, and victim, began the game on the wing that is said."""
    if pattern.wing and moves:
        moves = _of_wing(moves, {move: move.from_square for move in moves}, pattern.wing, state)
    if pattern.captured_wing and moves:
        moves = _of_wing(moves, {move: move.to_square for move in moves}, pattern.captured_wing, state)
    return moves


def _of_wing(moves: list[chess.Move], squares: Mapping[chess.Move, int], wing: str, state: State) -> list[chess.Move]:
    """Moves of the men (on `squares`) that began on the wing. If none is left, writers mean the nearest to it of those that stand
    there or whose beginning is lost; a man that began and stands on the other wing is never meant.
    """
    origins = _origins(state)
    told, near = [], []
    for move, square in squares.items():
        began = origins.get(square, square)
        if not _is_home(began, state.board.piece_type_at(square)):
            near.append(move)
        elif _is_on_wing(began, wing):
            told.append(move)
        elif _is_on_wing(square, wing):
            near.append(move)
    if told or not near:
        return told
    nearest = (max if wing == "K" else min)(chess.square_file(squares[move]) for move in near)
    return [move for move in near if chess.square_file(squares[move]) == nearest]


def _is_on_wing(square: int, wing: str) -> bool:
    return (chess.square_file(square) > 3) == (wing == "K")


def _is_home(square: int, piece: int | None) -> bool:
    """Whether men of that kind begin the game there: then the man that is traced to it did."""
    return chess.square_rank(square) in {0, 7} and chess.square_file(square) in _HOME_FILES.get(piece or 0, ())


_HOME_FILES: Mapping[int, tuple[int, ...]] = {chess.ROOK: (0, 7), chess.KNIGHT: (1, 6), chess.BISHOP: (2, 5)}


def _origins(state: State) -> dict[int, int]:
    """`state.origins`, brought up to its last step."""
    steps, step = [], state.last
    while step is not None and step.ply > state.traced:
        steps.append(step)
        step = step.before
    origins = state.origins
    for step in reversed(steps):
        state.traced, move = step.ply, step.move
        if not move:
            continue
        origins[move.to_square] = origins.pop(move.from_square, move.from_square)
        if step.san.startswith("O-O") and chess.square_file(move.from_square) == 4:
            rank = chess.square_rank(move.from_square)
            is_long = step.san.startswith("O-O-O")
            origins[chess.square(3 if is_long else 5, rank)] = chess.square(0 if is_long else 7, rank)
    return origins


def misprinted(pattern: MovePattern) -> Iterator[MovePattern]:
    """What may have been meant: another man, or another square on the file or the rank, to go to or to come from."""
    if pattern.castling or pattern.is_null or pattern.to_squares.bit_count() != 1:
        return
    yield replace(pattern, pieces=())
    yield replace(pattern, to_squares=_cross(pattern.to_squares))
    if pattern.from_squares.bit_count() == 1:
        yield replace(pattern, from_squares=_cross(pattern.from_squares))


def _cross(square: int) -> int:
    """File and rank of a square, as bitboards."""
    at = square.bit_length() - 1
    return chess.BB_FILES[chess.square_file(at)] | chess.BB_RANKS[chess.square_rank(at)]


def agreed_plies(a: Sequence[Step], b: Sequence[Step]) -> int:
    """How many plies two readings share from the start."""
    n = 0
    for x, y in zip(a, b, strict=False):
        if x.move != y.move:
            break
        n += 1
    return n
