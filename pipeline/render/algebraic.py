"""Board + move → algebraic notation in any alphabet and style (FIDE Laws, appendix C; PGN standard 8.2.3).

What is printed is read back before it leaves: where the shorter text does not mean exactly this move, a longer one is printed.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from functools import cache, lru_cache
from types import MappingProxyType

import chess

from pipeline import lexer, tables
from pipeline.notations import algebraic
from pipeline.resolver import candidates
from pipeline.tables import Alphabet

NULL_MOVE = "--"
PLAINEST = "san"
"""The style that is read where the signs of another one run into letters: Hebrew `מה:` ends like a file."""


@dataclass(frozen=True, slots=True)
class Style:
    """A row of form_styles.csv."""

    name: str
    origin: str
    quiet: str
    capture: str
    capture_place: str
    pawn_capture: str
    castle: str
    promotion: str
    check: str
    double_check: str
    mate: str
    en_passant: str
    meaning: str


@cache
def styles() -> Mapping[str, Style]:
    """Styles of algebraic notation by name."""
    fields = Style.__dataclass_fields__
    return MappingProxyType({r["name"]: Style(**{k: v for k, v in r.items() if k in fields}) for r in tables.rows("form_styles")})


def printer(alphabet: Alphabet, style: Style, *, is_colored: bool = False) -> Callable[[chess.Board, chess.Move], str]:
    """A printer of moves. `is_colored`: Black's men in the alphabet's other letters, which are black figurines."""
    white = dict(alphabet.primary)
    others = {piece: letter for letter, piece in alphabet.letters.items() if letter != white[piece]}
    black = {**white, **others} if is_colored else white

    def write(board: chess.Board, move: chess.Move) -> str:
        if not move:
            return NULL_MOVE
        san = board.san(move)
        men = white if board.turn == chess.WHITE else black
        if board.is_castling(move):
            return san.rstrip("+#").replace("O", style.castle) + _mark(style, board, move, san)
        text = ""
        for form in (style, styles()[PLAINEST]):
            mark = _mark(form, board, move, san)
            for text in _texts(board, move, san.rstrip("+#"), men, form):
                if _means(text + mark, board, move, alphabet):
                    return text + _remark(form, board, move) + mark
        return text

    return write


def _remark(style: Style, board: chess.Board, move: chess.Move) -> str:
    return f" {style.en_passant}" if style.en_passant and board.is_en_passant(move) else ""


def _mark(style: Style, board: chess.Board, move: chess.Move, san: str) -> str:
    """The sign of check or mate that the SAN has."""
    if san[-1] == "#":
        return style.mate
    if san[-1] != "+" or style.check == style.double_check:
        return style.check if san[-1] == "+" else ""
    board.push(move)
    is_double = len(board.checkers()) > 1
    board.pop()
    return style.double_check if is_double else style.check


def _texts(board: chess.Board, move: chess.Move, san: str, men: Mapping[int, str], style: Style) -> Iterator[str]:
    """The move without marks, the shortest text first."""
    piece = board.piece_type_at(move.from_square)
    is_capture = board.is_capture(move)
    origin, target = chess.square_name(move.from_square), chess.square_name(move.to_square)
    man = "" if piece == chess.PAWN or piece is None else men[piece]
    promotion = style.promotion + men[move.promotion] if move.promotion else ""
    if is_capture and style.capture_place == "end":
        between, behind = "", style.capture
    else:
        between, behind = (style.capture if is_capture else ""), ""
    if style.origin == "needed":
        if not man and is_capture and style.pawn_capture == "files" and not promotion:
            yield origin[0] + between + target[0] + behind
        needed = san[1:-2].rstrip("x") if man else origin[0] if is_capture else ""
        yield man + needed + between + target + promotion + behind
        between = between or style.quiet
    elif not is_capture:
        between = style.quiet
    yield man + origin + between + target + promotion + behind


def _means(text: str, board: chess.Board, move: chess.Move, alphabet: Alphabet) -> bool:
    if not _is_move(text):
        return False
    found = {fit for pattern in algebraic.parse(text, alphabet) for fit in candidates(pattern, board)}
    return found == {move}


@lru_cache(maxsize=100_000)
def _is_move(text: str) -> bool:
    """Whether the text is one move by its shape, and not a move and a rest (Bengali `Ghb:a8`)."""
    return [token.kind for token in lexer.Lexer(text).tokens() if token.kind != lexer.MARK] == [lexer.MOVE]
