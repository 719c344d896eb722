"""Board + move → descriptive notation: English `KtxP ch`, Spanish `CxP +`.

Ranks are counted from the mover's side; files bear the names of the men that begin on them. The shortest text is printed that
no other legal move fits: side letters and the wing of a man are left out where they say nothing, and where they do not suffice
the square of a man is given in brackets. Check signs are printed, but a text never needs them.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from types import MappingProxyType

import chess

from pipeline import tables

_FILE_MEN = (chess.ROOK, chess.KNIGHT, chess.BISHOP, chess.QUEEN, chess.KING, chess.BISHOP, chess.KNIGHT, chess.ROOK)
_WINGED = (chess.ROOK, chess.KNIGHT, chess.BISHOP)
_KING_SIDE_FILE = 4
MOST_KNOWN_MOVES = 1000
"""A board that knows more moves than any game has is not asked where a man began: each question walks through all of them."""

Fits = Callable[[Sequence[chess.Move]], Sequence[chess.Move]]
"""Moves → those of them that something written allows."""


@dataclass(frozen=True, slots=True)
class Style:
    """A row of descriptive_styles.csv; `men` by piece type."""

    name: str
    men: Mapping[int, str]
    is_wing_before: bool
    is_file_first: bool
    quiet: str
    promotion: str
    castle: str
    check: str
    discovered_check: str
    double_check: str
    mate: str
    en_passant: str
    meaning: str

    def winged(self, man: str, file: int) -> str:
        """`KB`, Spanish `AR`: a man or a file with the side of the board that `file` is on."""
        wing = self.men[chess.KING if file >= _KING_SIDE_FILE else chess.QUEEN]
        return wing + man if self.is_wing_before else man + wing

    def file(self, file: int, *, is_whole: bool) -> str:
        """`KB` or `B` for the file f."""
        man = self.men[_FILE_MEN[file]]
        return self.winged(man, file) if is_whole and _FILE_MEN[file] in _WINGED else man

    def pawn(self, file: int, *, is_whole: bool) -> str:
        """`KBP` or `BP`, Spanish `PAR` or `PA`: the pawn on the file f."""
        man, name = self.men[chess.PAWN], self.file(file, is_whole=is_whole)
        return name + man if self.is_wing_before else man + name

    def square(self, file: str, rank: int) -> str:
        """`KB3`, Spanish `3AR`."""
        return f"{file}{rank}" if self.is_file_first else f"{rank}{file}"


@cache
def styles() -> Mapping[str, Style]:
    """Styles of descriptive notation by name."""
    same = ("name", "quiet", "promotion", "castle", "check", "discovered_check", "double_check", "mate", "en_passant", "meaning")
    return MappingProxyType(
        {
            row["name"]: Style(
                men=MappingProxyType({piece: row[column] for column, piece in tables.NAMES_OF_MEN.items()}),
                is_wing_before=row["wing_place"] == "before",
                is_file_first=row["square_order"] == "file rank",
                **{name: row[name] for name in same},
            )
            for row in tables.rows("descriptive_styles")
        }
    )


def printer(style: Style) -> Callable[[chess.Board, chess.Move], str]:
    """A printer of moves. A board that knows the moves before it tells which man began on which wing."""

    def write(board: chess.Board, move: chess.Move) -> str:
        if not move:
            return "--"
        tail = _tail(style, board, move)
        if board.is_castling(move):
            return _castling(style, board, move) + tail
        return _Writing(style, board, move).text() + tail

    return write


def _castling(style: Style, board: chess.Board, move: chess.Move) -> str:
    """`O-O-O`; in words the wing is named where castling on both is legal."""
    is_short = board.is_kingside_castling(move)
    if style.castle == "O-O":
        return "O-O" if is_short else "O-O-O"
    is_alone = all(m == move for m in board.generate_castling_moves())
    return style.castle if is_alone else f"{style.castle} {style.men[chess.KING if is_short else chess.QUEEN]}"


def _tail(style: Style, board: chess.Board, move: chess.Move) -> str:
    """En passant, check and mate, each behind a blank."""
    words = [style.en_passant] if board.is_en_passant(move) else []
    if board.gives_check(move):
        board.push(move)
        checkers = board.checkers()
        is_mate = board.is_checkmate()
        last = board.pop()
        if is_mate:
            words.append(style.mate)
        elif len(checkers) > 1:
            words.append(style.double_check)
        else:
            is_discovered = last.to_square not in checkers and not board.is_castling(last)
            words.append(style.discovered_check if is_discovered else style.check)
    return "".join(f" {word}" for word in words)


@dataclass(slots=True)
class _Writing:
    """One move that is no castling, on its way to text."""

    style: Style
    board: chess.Board
    move: chess.Move

    def text(self) -> str:
        """The shortest text that fits this move alone."""
        rivals = self._rivals()
        text = ""
        if self.board.is_capture(self.move):
            for _, mover, victim in sorted(self._captures(), key=lambda c: c[0]):
                text = f"{mover[0]}x{victim[0]}"
                if victim[1](mover[1](rivals)) == [self.move]:
                    break
        else:
            for _, mover, target in sorted(self._quiets(), key=lambda c: c[0]):
                text = f"{mover[0]}{self.style.quiet}{target[0]}"
                if mover[1](target[1](rivals)) == [self.move]:
                    break
        if not self.move.promotion:
            return text
        man = self.style.men[self.move.promotion]
        return text + (f"({man})" if self.style.promotion == "()" else f"={man}")

    def _rivals(self) -> list[chess.Move]:
        """Legal moves of a man of this kind that take, or do not take, a man of the same kind, and promote as this one says.

        A quiet text means a capture only where no quiet move fits; `e.p.` is written, and is part of the move.
        """
        board, move = self.board, self.move
        is_en_passant = board.is_en_passant(move)
        mask = board.pieces_mask(board.piece_type_at(move.from_square) or chess.PAWN, board.turn)
        return [
            m
            for m in board.generate_legal_moves(mask)
            if not board.is_castling(m)
            and move.promotion in (None, m.promotion)
            and _taken(board, m) == _taken(board, move)
            and (board.is_en_passant(m) or not is_en_passant)
        ]

    def _quiets(self) -> Iterator[tuple[int, tuple[str, Fits], tuple[str, Fits]]]:
        for i, mover in enumerate(self._movers()):
            for j, target in enumerate(self._targets()):
                yield i * 2 + j, mover, target

    def _captures(self) -> Iterator[tuple[int, tuple[str, Fits], tuple[str, Fits]]]:
        for i, mover in enumerate(self._movers()):
            for j, victim in enumerate(self._victims()):
                yield (i + j) * 10 + i, mover, victim

    def _movers(self) -> Iterator[tuple[str, Fits]]:
        """The man that moves, said with more and more words."""
        piece = self.board.piece_type_at(self.move.from_square) or chess.PAWN
        return self._men(piece, self.move.from_square, lambda m: m.from_square)

    def _victims(self) -> Iterator[tuple[str, Fits]]:
        """The man that is taken, said with more and more words."""
        taken = _taken(self.board, self.move)
        assert taken is not None
        return self._men(taken, self.move.to_square, lambda m: m.to_square)

    def _men(self, piece: int, square: int, where: Callable[[chess.Move], int]) -> Iterator[tuple[str, Fits]]:
        style, man = self.style, self.style.men[piece]
        file, rank = chess.square_file(square), self._rank(square)
        yield man, lambda moves: moves
        if piece == chess.PAWN:
            yield style.pawn(file, is_whole=False), lambda ms: [m for m in ms if _file_man(where(m)) == _FILE_MEN[file]]
            yield style.pawn(file, is_whole=True), lambda ms: [m for m in ms if chess.square_file(where(m)) == file]
        elif piece in _WINGED and len(self.board.move_stack) <= MOST_KNOWN_MOVES:
            began = self._path(square)[-1][1]
            is_king_side = began >= _KING_SIDE_FILE
            yield style.winged(man, began), lambda ms: self._of_wing(ms, where, is_king_side=is_king_side)
        yield f"{man}({rank})", lambda ms: [m for m in ms if self._rank(where(m)) == rank]
        for is_whole in (False, True):
            name = style.square(style.file(file, is_whole=is_whole), rank)
            yield f"{man}({name})", self._on(file, rank, where, is_whole=is_whole)

    def _targets(self) -> Iterator[tuple[str, Fits]]:
        square = self.move.to_square
        file, rank = chess.square_file(square), self._rank(square)
        for is_whole in (False, True):
            name = self.style.square(self.style.file(file, is_whole=is_whole), rank)
            yield name, self._on(file, rank, lambda m: m.to_square, is_whole=is_whole)

    def _on(self, file: int, rank: int, where: Callable[[chess.Move], int], *, is_whole: bool) -> Fits:
        def fits(moves: Sequence[chess.Move]) -> Sequence[chess.Move]:
            return [
                m
                for m in moves
                if self._rank(where(m)) == rank
                and (chess.square_file(where(m)) == file if is_whole else _file_man(where(m)) == _FILE_MEN[file])
            ]

        return fits

    def _rank(self, square: int) -> int:
        """1–8 from the mover's side."""
        return chess.square_rank(square) + 1 if self.board.turn == chess.WHITE else 8 - chess.square_rank(square)

    def _path(self, square: int) -> list[tuple[int, int]]:
        """Where the man on `square` stood, last square first: (number of moves after which it came there, file).

        The last entry is where it began the game, as far as the board knows its moves.
        """
        moves = self.board.move_stack
        found = []
        for i in range(len(moves) - 1, -1, -1):
            if moves[i] and moves[i].to_square == square:
                found.append((i + 1, chess.square_file(square)))
                square = moves[i].from_square
        return [*found, (0, chess.square_file(square))]

    def _of_wing(
        self, moves: Sequence[chess.Move], where: Callable[[chess.Move], int], *, is_king_side: bool
    ) -> Sequence[chess.Move]:
        """The moves that the wing leaves, by where the men began.

        A reader may know the moves of the game, of a variation, or none: from whatever move on he knows them, he must be
        left with the same moves; else there are none left here.
        """
        paths = {m: self._path(where(m)) for m in moves}
        known_from = {since for path in paths.values() for since, _ in path}
        told = [
            _nearer({m: next(file for since, file in path if since <= n) for m, path in paths.items()}, is_king_side=is_king_side)
            for n in known_from
        ]
        return told[0] if told and all(left == told[0] for left in told) else []


def _nearer(files: Mapping[chess.Move, int], *, is_king_side: bool) -> list[chess.Move]:
    """Moves of men of that wing; where there is none, of the man nearer to it."""
    told = [m for m, file in files.items() if (file >= _KING_SIDE_FILE) == is_king_side]
    if told or not files:
        return told
    nearest = (max if is_king_side else min)(files.values())
    return [m for m, file in files.items() if file == nearest]


def _file_man(square: int) -> int:
    return _FILE_MEN[chess.square_file(square)]


def _taken(board: chess.Board, move: chess.Move) -> int | None:
    return chess.PAWN if board.is_en_passant(move) else board.piece_type_at(move.to_square)
