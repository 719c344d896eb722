"""Helpers of the tests of the text core: read a text as games, print legal moves in any alphabet and form, read bytes as a shard."""
# ruff: noqa: E501  (input and expectation stand on one line)

from __future__ import annotations

import csv
import gc
import time
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from hashlib import sha256
from pathlib import Path
from typing import Any

import chess
import pyarrow as pa

from pipeline.ingest import ingest_shard
from pipeline.ingest import parts as reading
from pipeline.model import Filler, Game, Hints
from pipeline.split import split

CASES = Path(__file__).parent / "cases"
LINEAR = 2.6
"""What twice the text may cost; squares would be 4."""
ROSTER = '[Event "E"]\n[Site "?"]\n[Date "1999.??.??"]\n[Round "1"]\n[White "A"]\n[Black "B"]\n[Result "*"]\n\n'


def cases(name: str) -> list[dict[str, str]]:
    """Rows of a table of cases; `\\n` in a cell is a line feed."""
    with (CASES / f"{name}.csv").open(encoding="utf-8", newline="") as file:
        return [{key: value.replace("\\n", "\n") for key, value in row.items()} for row in csv.DictReader(file)]


def seconds(look: Callable[[str], object], text: str) -> float:
    """CPU time of looking at a text, without that of collecting what other tests left in memory."""
    gc.disable()
    try:
        started = time.process_time()
        look(text)
        return time.process_time() - started
    finally:
        gc.enable()


def growth(look: Callable[[str], object], make: Callable[[int], str], *, least: float) -> float:
    """How many times as long a text of twice the size takes: about 2 where time is linear. `least`: seconds worth measuring."""
    n = 500
    look(make(3))
    while seconds(look, make(n)) < least and n < 200_000:
        n *= 2
    once = twice = 1e9
    for _ in range(4):
        once, twice = min(once, seconds(look, make(n))), min(twice, seconds(look, make(2 * n)))
        if twice < LINEAR * max(once, 0.005):
            break
    return twice / max(once, 0.005)


def read(text: str, hints: Hints | None = None) -> list[Game]:
    """All games of a text, in order."""
    return [part for part in reading.parts(text, [(0, len(text))], hints or Hints()) if isinstance(part, Game)]


def one(text: str, hints: Hints | None = None) -> Game:
    """The only game of a text."""
    games = read(text, hints)
    assert len(games) == 1, [(g.start, g.end, sans(g)) for g in games]
    return games[0]


def parts(text: str) -> list[tuple[str, str]]:
    """Kind (`game` or the filler's) and text of each part."""
    return [(part.kind if isinstance(part, Filler) else "game", text[part.start : part.end]) for part in split(text)]


def sans(game: Game, line: int = 0) -> str:
    """Moves of a line (by its place in `lines`)."""
    return " ".join(ply.san for ply in game.lines[line].plies)


SILENT_END = {"missing_termination_marker", "no_result"}
"""Codes that only say that no result was written: most small texts of the tests have none."""


def codes(game: Game) -> list[str]:
    """Issue codes, in order, each once, without those of a missing result."""
    return list(dict.fromkeys(issue.code for issue in game.issues if issue.code not in SILENT_END))


def nags(game: Game, line: int = 0) -> dict[int, list[int]]:
    """Ply index from 1 → its NAGs."""
    return {
        i: [a.nag for a in p.annotations]
        for i, p in enumerate(game.lines[line].plies, game.lines[line].first_ply)
        if p.annotations
    }


# --- an independent printer: only python-chess and what FIDE, PGN and the books say about form --------------------------


@dataclass(frozen=True)
class Form:
    """How moves are written. `capture`: sign before the square, `end` = colon after it, `` = none.

    `short`, `long` (both squares), `minimal` (`ed`, `cd4`), `coordinate` (squares alone).
    """

    kind: str = "short"
    dash: str = ""
    capture: str = "x"
    promotion: str = "={}"
    castle: str = "O-O"
    check: str = "+"
    mate: str = "#"
    numbers: str = "{}. "


def letters_of(primary: dict[int, str] | Any) -> dict[int, str]:
    """Piece type → letter."""
    return {piece: primary[piece] for piece in (2, 3, 4, 5, 6)}


def _origin(board: chess.Board, move: chess.Move) -> str:
    """Origin as FIDE C.10 wants it: file, else rank, else both, when a like man could also go there."""
    piece = board.piece_type_at(move.from_square)
    rivals = [
        m.from_square
        for m in board.legal_moves
        if m.to_square == move.to_square and m.from_square != move.from_square and board.piece_type_at(m.from_square) == piece
    ]
    if not rivals:
        return ""
    name = chess.square_name(move.from_square)
    if all(chess.square_file(s) != chess.square_file(move.from_square) for s in rivals):
        return name[0]
    if all(chess.square_rank(s) != chess.square_rank(move.from_square) for s in rivals):
        return name[1]
    return name


def write_move(board: chess.Board, move: chess.Move, men: dict[int, str], form: Form) -> str:
    """A legal move in an alphabet and a form."""
    after = board.copy(stack=False)
    after.push(move)
    mark = form.mate if after.is_checkmate() else form.check if after.is_check() else ""
    if board.is_castling(move):
        zero, dash = form.castle[0], form.castle[1:-1]
        return dash.join([zero] * (2 if board.is_kingside_castling(move) else 3)) + mark
    piece = board.piece_type_at(move.from_square) or 0
    start, end = chess.square_name(move.from_square), chess.square_name(move.to_square)
    is_capture = board.is_capture(move)
    man = "" if piece == chess.PAWN else men[piece]
    promotion = form.promotion.format(men[move.promotion]) if move.promotion else ""
    if form.kind == "coordinate":
        return start + end + (chess.piece_symbol(move.promotion) if move.promotion else "")
    sign = form.capture if is_capture and form.capture != "end" else ""
    tail = ":" if is_capture and form.capture == "end" else ""
    if form.kind == "long":
        return man + start + (sign if is_capture else form.dash) + end + promotion + tail + mark
    if piece != chess.PAWN:
        return man + _origin(board, move) + sign + end + tail + mark
    if not is_capture:
        return end + promotion + mark
    if form.kind == "files" and not promotion:
        same = [m for m in board.legal_moves if board.piece_type_at(m.from_square) == chess.PAWN and board.is_capture(m)
                and chess.square_file(m.from_square) == chess.square_file(move.from_square)
                and chess.square_file(m.to_square) == chess.square_file(move.to_square)]  # fmt: skip
        if len(same) == 1:
            return start[0] + end[0] + tail + mark
    return start[0] + sign + end + promotion + tail + mark


def write_game(moves: Sequence[chess.Move], men: dict[int, str], form: Form, board: chess.Board | None = None) -> str:
    """Movetext with numbers, without result."""
    board = (board or chess.Board()).copy(stack=False)
    out = []
    for i, move in enumerate(moves):
        number = form.numbers.format(board.fullmove_number) if i % 2 == 0 else ""
        out.append(number + write_move(board, move, men, form))
        board.push(move)
    return " ".join(out)


def san_line(moves: Iterable[chess.Move], board: chess.Board | None = None) -> list[str]:
    """Canonical SAN by python-chess."""
    board = (board or chess.Board()).copy(stack=False)
    return [board.san_and_push(move) for move in moves]


# --- bytes → tables -------------------------------------------------------------------------------------------------


class Tables:
    """A writer for `ingest_shard` that keeps the tables."""

    def __init__(self) -> None:
        self.tables: dict[str, pa.Table] = {}

    def __call__(self, table: pa.Table, name: str, out: str) -> Tables:
        self.tables[name] = table
        return self

    def as_dict(self) -> dict[str, Any]:
        """A reference as the store gives one."""
        return {"name": "x", "rows": 0, "bytes": 0}

    def rows(self, name: str) -> list[dict[str, Any]]:
        """Rows of a table, [] where none was written."""
        return list(self.tables[name].to_pylist()) if name in self.tables else []

    def sorted_rows(self, name: str) -> list[dict[str, Any]]:
        """Rows of a table in an order that does not depend on which lane read which game."""
        return sorted(self.rows(name), key=repr)


def ingest(data: bytes, folder: Path, *, mode: str = "plain", **options: Any) -> tuple[dict[str, Any], Tables]:
    """One source's bytes through the shard function → its receipt's counts, and the tables."""
    key = sha256(data).hexdigest()[:32]
    path = folder / f"{key}.pgn"
    path.write_bytes(data)
    spec = {
        "source_id": key,
        "path": str(path),
        "inner": None,
        "part": 0,
        "range": None,
        "first_line": 1,
        "n_bytes": len(data),
        "status": "ok",
    }
    written = Tables()
    receipt = ingest_shard({"shard_id": "s", "sources": [{**spec, **options}], "out": str(folder), "mode": mode}, written)
    return {**receipt["sources"][key], "n_games_kernel": receipt["n_games_kernel"]}, written
