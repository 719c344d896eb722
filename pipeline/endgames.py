"""Moves in positions that endgame tables hold → the signs of Nunn's convention, and how far an annotator agrees.

The convention (J. Nunn, Secrets of Rook Endings, 1992): `!` is the only move that keeps the result, however plain it is, unless
it is the only legal one; `?` is a move that lowers the result. How hard a move is to find or what makes a task easier (`!!`,
`??`, `!?`, `?!`) no table says, so these are not computed.

The tables are Syzygy's (https://syzygy-tables.info/metrics). They hold no positions with castling rights.
"""

from __future__ import annotations

import struct
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Self

import chess
import chess.syzygy

from pipeline.positions import start_board

MAGIC = {".rtbw": b"\x71\xe8\x23\x5d", ".rtbz": b"\xd7\x66\x0c\xa5"}
"""First bytes of the files: who wins, and the distance to the next capture or move of a pawn."""
_REMAINDER = 16
"""Files are whole blocks of 64 bytes and a check sum of 16."""
_CLOCK_LIMIT = 100
"""Half-moves without capture or move of a pawn after which a player may claim a draw (FIDE Laws 9.3)."""
RESULTS = {1: "win", 0: "draw", -1: "loss"}
SIGNS = ("!", "?", "")
"""What moves are compared by: only move, mistake, neither."""
SIGN_OF_NAG: Mapping[int | None, str] = {1: "!", 3: "!", 2: "?", 4: "?"}
"""Annotators' signs as signs of the convention; the others (`!?`, `?!`, none) are neither."""


class NoTables(Exception):
    """There is no table in a folder."""


class BadTable(Exception):
    """A file of tables that is none, or is damaged."""

    def __init__(self, path: Path | str, why: str) -> None:
        super().__init__(f"{path} is no Syzygy table: {why}")


class MissingTable(Exception):
    """A position needs a file that is not there; `args[0]` is its name: `KQvK.rtbw`."""


@dataclass(frozen=True, slots=True)
class Verdict:
    """A move in a position that the tables hold. Results are the mover's: 1 win, 0 draw, -1 loss."""

    ply: int
    color: str
    move_number: int
    san: str
    fen: str
    """The position before the move."""
    n_men: int
    before: int
    after: int
    n_legal: int
    n_keeping: int
    """Legal moves that keep the result."""

    @property
    def sign(self) -> str:
        """`!`, `?`, or nothing."""
        if self.after < self.before:
            return "?"
        return "!" if self.n_keeping == 1 and self.n_legal > 1 else ""


@dataclass
class Tables:
    """Folders of tables, opened. `is_clock_counted`: the 50-move rule makes draws; else a win is one however long it takes."""

    folders: Sequence[Path]
    is_clock_counted: bool = False
    most_men: int = 0
    """Men of the largest table that is there."""
    missing: Counter[str] = field(default_factory=Counter)
    """Positions that were left out, by the file that they need."""
    n_castling: int = 0
    """Positions that were left out because somebody may castle."""
    _probe: chess.syzygy.Tablebase = field(default_factory=chess.syzygy.Tablebase)

    def __enter__(self) -> Self:
        """Opens them. Raises NoTables, BadTable, OSError."""
        for folder in self.folders:
            for path in sorted(folder.iterdir()):
                if path.suffix in MAGIC and chess.syzygy.is_tablename(path.stem) and path.is_file():
                    _check(path)
                    self._probe.add_file(str(path))
                    if path.suffix == ".rtbw":
                        self.most_men = max(self.most_men, len(path.stem) - 1)
        if not self.most_men:
            raise NoTables(", ".join(map(str, self.folders)))
        return self

    def __exit__(self, *exc: object) -> None:
        """Closes them."""
        self._probe.close()

    def result(self, board: chess.Board) -> int:
        """What the side to move gets with best play: 1, 0 or -1. Raises MissingTable, BadTable."""
        if not any(board.generate_legal_moves()):
            return -1 if board.is_check() else 0
        if board.is_insufficient_material():
            return 0
        try:
            wdl = self._probe.probe_wdl(board)
            if not self.is_clock_counted:
                return (wdl > 0) - (wdl < 0)
            if abs(wdl) < 2:  # a draw, or a win that the rule of 50 moves takes away
                return 0
            if board.halfmove_clock and board.halfmove_clock + abs(self._probe.probe_dtz(board)) > _CLOCK_LIMIT:
                return 0
            return wdl // 2
        except chess.syzygy.MissingTableError as error:
            raise MissingTable(_file_name(str(error.args[0]))) from None
        except (OSError, AssertionError, IndexError, RuntimeError, ValueError, struct.error) as error:
            raise BadTable(f"{_file_name(chess.syzygy.calc_key(board))} or one that it leads to", repr(error)) from None


def _check(path: Path) -> None:
    """Raises BadTable for a file that is cut off or something else."""
    n_bytes = path.stat().st_size
    with path.open("rb") as file:
        start = file.read(4)
    if start != MAGIC[path.suffix]:
        raise BadTable(path, "it does not begin as one")
    if n_bytes % 64 != _REMAINDER:
        raise BadTable(path, "its end is missing")


def _file_name(told: str) -> str:
    """`did not find wdl table KvKR` → `KRvK.rtbw`."""
    name = chess.syzygy.normalize_tablename(told.rsplit(" ", 1)[-1])
    return name + (".rtbz" if " dtz " in told else ".rtbw")


def verdicts(start_fen: str | None, variant: str, moves: Iterable[str], tables: Tables, most_men: int) -> Iterator[Verdict]:
    """The moves (SAN) of a main line in positions of at most `most_men` men. What cannot be looked up is counted in `tables`.

    Raises BadTable.
    """
    board = start_board(start_fen, variant)
    is_near = False
    for ply, san in enumerate(moves, 1):
        move = board.parse_san(san)
        is_near = is_near or chess.popcount(board.occupied) <= most_men
        if is_near and move:
            if board.castling_rights:
                tables.n_castling += 1
            else:
                try:
                    yield _verdict(board, move, ply, san, tables)
                except MissingTable as missing:
                    tables.missing[str(missing)] += 1
        board.push(move)


def _verdict(board: chess.Board, played: chess.Move, ply: int, san: str, tables: Tables) -> Verdict:
    results = {}
    for move in board.legal_moves:
        board.push(move)
        try:
            results[move] = -tables.result(board)
        finally:
            board.pop()
    before = max(results.values())
    return Verdict(
        ply=ply,
        color="w" if board.turn else "b",
        move_number=board.fullmove_number,
        san=san,
        fen=board.fen(en_passant="xfen"),
        n_men=chess.popcount(board.occupied),
        before=before,
        after=results[played],
        n_legal=len(results),
        n_keeping=sum(result == before for result in results.values()),
    )


@dataclass
class Agreement:
    """How an annotator's signs and those of the convention agree: (the convention's, the annotator's) → half-moves."""

    cells: Counter[tuple[str, str]] = field(default_factory=Counter)
    games: set[str] = field(default_factory=set)

    def n(self, computed: str | None = None, written: str | None = None) -> int:
        """Half-moves with these signs; None = any."""
        return sum(n for (c, w), n in self.cells.items() if computed in (None, c) and written in (None, w))

    @property
    def observed(self) -> float:
        """Share of half-moves with the same sign of both, no sign being one."""
        return sum(self.cells[sign, sign] for sign in SIGNS) / self.n()

    @property
    def expected(self) -> float:
        """That share at random."""
        return sum(self.n(computed=sign) * self.n(written=sign) for sign in SIGNS) / self.n() ** 2

    @property
    def kappa(self) -> float | None:
        """Cohen's (Educational and Psychological Measurement 20, 1960); None when only one sign occurs."""
        return (self.observed - self.expected) / (1 - self.expected) if self.expected < 1 else None
