"""The rules of the kernel against python-chess, its tables, and how it is loaded."""

from __future__ import annotations

import os
import random
import stat
import sys
from pathlib import Path

import chess
import pytest

from pipeline.kernel import book, columns, layout, modes, moves, notes, reader, tables, tokens
from pipeline.kernel.layout import CHECKERS, COLOR, EN_PASSANT, MAILBOX, POSITION_SIZE, TURN, UNDO

GEO = list(tables.geometry())
ENGLISH = {"N": 2, "B": 3, "R": 4, "Q": 5, "K": 6}
POSIX = pytest.mark.skipif(sys.platform == "win32", reason="folder modes are a POSIX matter")


def position(board: chess.Board) -> list[int]:
    """A python-chess board in the kernel's layout."""
    return list(tables.start(board)[:POSITION_SIZE])


def play_out(seed: int, max_plies: int = 160) -> list[chess.Board]:
    """Positions of a random game that likes checks, promotions and captures."""
    choose, board, boards = random.Random(seed), chess.Board(), []
    while not board.is_game_over() and len(boards) < max_plies:
        boards.append(board.copy(stack=False))
        legal = list(board.legal_moves)
        sharp = [m for m in legal if m.promotion or board.is_castling(m) or board.is_en_passant(m) or board.gives_check(m)]
        board.push(choose.choice(sharp if sharp and choose.random() < 0.5 else legal))
    return [*boards, board]


BOARDS = [board for seed in range(12) for board in play_out(seed)]


def test_the_initial_position_is_the_one_of_the_laws() -> None:
    pos = tables.initial_position()
    squares = ["PNBRQK."[pos[MAILBOX + square]] for square in range(64)]
    ranks = ["".join(squares[first : first + 8]) for first in range(0, 64, 8)]
    assert ranks == ["RNBQKBNR", "PPPPPPPP", *4 * ["........"], "PPPPPPPP", "RNBQKBNR"]
    assert (pos[COLOR], pos[COLOR + 1]) == (0xFFFF, 0xFFFF << 48)
    assert (pos[TURN], pos[CHECKERS], pos[EN_PASSANT], pos[layout.CASTLING], pos[layout.START_BASE]) == (0, 0, -1, 15, 0)


def test_each_move_leads_to_the_position_that_python_chess_reaches_and_can_be_taken_back() -> None:
    for before in BOARDS[::3]:
        for move in before.legal_moves:
            pos, after = position(before), before.copy(stack=False)
            captured = before.occupied_co[not before.turn] & chess.BB_SQUARES[move.to_square]
            if before.is_en_passant(move):
                captured = chess.BB_SQUARES[move.to_square + (-8 if before.turn else 8)]
            after.push(move)
            man = before.piece_type_at(move.from_square) or 0
            moves.make_move(pos, GEO, man - 1, move.from_square, move.to_square, captured, (move.promotion or 1) - 1)
            expected = position(after)
            assert pos[:UNDO] == expected[:UNDO], (before.fen(), move)
            taken_back = list(pos)
            moves.take_back(taken_back)
            assert taken_back[:UNDO] == position(before)[:UNDO], (before.fen(), move)
            if not pos[CHECKERS]:
                moves.make_pass(pos)
                assert (pos[TURN], pos[EN_PASSANT]) == (1 - expected[TURN], -1)
                moves.take_back(pos)
                assert pos[:UNDO] == expected[:UNDO]


def test_a_position_has_a_move_when_python_chess_finds_one() -> None:
    ends = [play_out(seed, 400)[-1] for seed in range(20, 60)]
    stalemate, mate = chess.Board("7k/5Q2/6K1/8/8/8/8/8 b - - 0 1"), chess.Board("R5k1/5ppp/8/8/8/8/8/6K1 b - - 0 1")
    boards = [*BOARDS, *ends, stalemate, mate]
    found = [moves.has_move(position(board), GEO) for board in boards]
    assert found == [any(board.legal_moves) for board in boards]
    assert found.count(False) > 5


def test_every_man_square_and_hint_finds_the_one_legal_move_or_none() -> None:
    n_found = 0
    for board in BOARDS[::25]:
        pos = position(board)
        legal = [move for move in board.legal_moves if not board.is_castling(move)]
        for man in range(1, 6):
            for target in range(64):
                for hint in range(-1, 16):
                    from_file, from_rank = (hint, -1) if hint < 8 else (-1, hint - 8)
                    fitting = [
                        move
                        for move in legal
                        if move.to_square == target
                        and board.piece_type_at(move.from_square) == man + 1
                        and from_file in (-1, chess.square_file(move.from_square))
                        and from_rank in (-1, chess.square_rank(move.from_square))
                    ]
                    expected = fitting[0].from_square if len(fitting) == 1 else -1
                    n_found += expected >= 0
                    assert moves.find_move(pos, GEO, man, from_file, from_rank, target, 0)[0] == expected
    assert n_found > 1000


def test_every_legal_move_has_a_san_number_that_spells_its_san() -> None:
    for board in BOARDS[::2]:
        for move in board.legal_moves:
            raw = board.san(move).encode()
            buffer, at, pos = raw + bytes(layout.PADDING), [0] * layout.CURSORS_SIZE, position(board)
            first, patterns = tables.language(ENGLISH) or ([], [])
            end, number, uci = reader.play(buffer, 0, GEO, layout.Language(first, patterns), pos, at)
            word, length = moves.san_word(number)
            assert (end, word.to_bytes(8, "little")[:length], length) == (len(raw), raw, len(raw)), (board.fen(), raw)
            assert uci == move.from_square + 64 * move.to_square + 4096 * ((move.promotion or 1) - 1)


def test_fewer_sans_exist_than_codes() -> None:
    def pairs(man: int) -> list[tuple[int, int]]:
        return [(a, b) for a in range(64) for b in range(64) if GEO[layout.REACH + 64 * man + a] >> b & 1]

    n = 6 * 2 * 64 + 2 * 64 + 8 * 64 * 2 * 5 * 3  # kings and castling, generously; pawns with file and promotion
    for man in range(1, 5):
        whole = pairs(man)
        n += 6 * (len(whole) + len({(a % 8, b) for a, b in whole}) + len({(a // 8, b) for a, b in whole}) + 64)
    assert n < layout.MAX_WORDS


@pytest.mark.parametrize(
    ("letters", "why"),
    [
        ({"B": 3, "b": 4}, "b is a file"),
        ({"N": 2, "0": 5}, "0 is castling"),
        ({"K": 6, "Kx": 2}, "x is a capture"),
        ({"": 2}, "nothing is no letter"),
        ({"N": 7}, "there is no seventh man"),
    ],
)
def test_letters_that_could_be_squares_or_marks_are_not_read(letters: dict[str, int], why: str) -> None:
    assert tables.language(letters) is None, why


def test_the_longer_of_two_letters_is_read_first() -> None:
    first, patterns = tables.language({"К": 2, "Кр": 6, "п": 1}) or ([], [])
    language = layout.Language(first, patterns)
    for text, expected in (("Крe2", (5, 4)), ("Кe2", (1, 2)), ("e4", (0, 0)), ("пe4", (0, 0))):
        assert tokens.read_letter(text.encode() + bytes(16), 0, language) == expected


@POSIX
def test_a_folder_that_others_may_write_is_not_trusted(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    for name in ("cache", "temp"):
        (tmp_path / name).mkdir()
    monkeypatch.delenv("NUMBA_CACHE_DIR", raising=False)
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "cache"))
    monkeypatch.setattr(modes.tempfile, "gettempdir", lambda: str(tmp_path / "temp"))
    found = modes.cache_folder.__wrapped__()
    assert found is not None
    assert found.parent == tmp_path / "cache" / "notatio"
    assert stat.S_IMODE(found.stat().st_mode) == 0o700
    found.parent.chmod(0o777)
    found = modes.cache_folder.__wrapped__()
    assert found is not None
    assert found.parent == tmp_path / "temp" / f"notatio-{os.geteuid()}"
    found.parent.chmod(0o770)
    assert modes.cache_folder.__wrapped__() is None


@POSIX
def test_a_link_is_not_trusted_as_cache_folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "elsewhere").mkdir(mode=0o700)
    (tmp_path / "notatio").symlink_to(tmp_path / "elsewhere")
    monkeypatch.setattr(modes, "_bases", lambda: iter([tmp_path / "notatio"]))
    assert modes.cache_folder.__wrapped__() is None


def test_without_numba_the_plain_kernel_serves_every_mode(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(modes, "find_spec", lambda name: None)
    monkeypatch.setattr(modes, "compiled", modes.cache(modes.compiled.__wrapped__))
    assert modes.load("compiled", 10**9) == (reader.read_chunks, False)
    assert modes.load("auto", 10**9) == (reader.read_chunks, False)


def test_a_kernel_that_does_not_compile_is_reported_once_and_served_plain(
    monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    def fail(folder: Path | None) -> modes.ReadChunks:
        raise RuntimeError("no such processor")

    monkeypatch.setattr(modes, "find_spec", lambda name: object())
    monkeypatch.setattr(modes, "has_cache", lambda: True)
    monkeypatch.setattr(modes, "_compile", fail)
    monkeypatch.setattr(modes, "compiled", modes.cache(modes.compiled.__wrapped__))
    for _ in range(3):
        assert modes.load("compiled", 10**9) == (reader.read_chunks, False)
    assert [record.getMessage().split(",")[0] for record in caplog.records] == ["the move kernel cannot be compiled"]


@pytest.mark.parametrize(
    ("n_bytes", "is_cached", "is_compiled"),
    [(1_000, True, False), (400_000, True, True), (400_000, False, False), (3_000_000, False, True)],
)
def test_small_jobs_run_plain_and_large_ones_compiled(
    n_bytes: int, is_cached: bool, is_compiled: bool, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(modes, "has_cache", lambda: is_cached)
    monkeypatch.setattr(modes, "compiled", modes.cache(lambda: max))
    assert modes.load("auto", n_bytes)[1] is is_compiled


def test_every_kernel_function_is_declared_to_the_compiler() -> None:
    defined = {
        name
        for module in (book, moves, notes, tokens, reader)
        for name, value in vars(module).items()
        if callable(value) and getattr(value, "__module__", "") == module.__name__
    }
    assert defined == {*modes.IN_CALL_ORDER, "read_chunks"}


def test_columns_of_both_modes_have_the_same_types() -> None:
    plain, compiled = columns.allocate(100, 1, False), columns.allocate(100, 1, True)
    bundles = [(plain.tags, compiled.tags), (plain.plies, compiled.plies), (plain.lines, compiled.lines)]
    for one, other in [*bundles, *zip(plain.notes, compiled.notes, strict=True)]:
        for a, b in zip(one, other, strict=True):
            assert columns.as_array(a).dtype == columns.as_array(b).dtype
            assert len(a) == len(b)
