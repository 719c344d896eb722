"""Tables that the kernel looks things up in: board geometry, the initial position, letters of the men."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from functools import cache

import chess
import chess.polyglot

from pipeline.kernel.layout import (
    BETWEEN,
    BOOK_SLOTS,
    CASTLING,
    CHECKERS,
    COLOR,
    EMPTY,
    EN_PASSANT,
    FILE,
    FILTER_MASK,
    GEOMETRY_SIZE,
    MAILBOX,
    NO_KIND,
    PAWN_ATTACK,
    RANK,
    REACH,
    RIGHTS_KEPT,
    START_BASE,
    START_SIZE,
    TURN,
)
from pipeline.tables.openings import openings

KNIGHT_STEPS = ((1, 2), (2, 1), (-1, 2), (-2, 1), (1, -2), (2, -1), (-1, -2), (-2, -1))
ROOK_STEPS = ((1, 0), (-1, 0), (0, 1), (0, -1))
BISHOP_STEPS = ((1, 1), (1, -1), (-1, 1), (-1, -1))

GRAMMAR = frozenset(b'abcdefgh12345678x:-=()/+#!?${}[]<;%.*0 \t\r\n"\\')
"""Bytes that mean something else in a move or around it: no letter of a man may contain one."""

MAX_LETTER_BYTES = 7


@cache
def geometry() -> tuple[int, ...]:
    """The geometry table of `layout`, as unsigned bitboards."""
    table = [0] * GEOMETRY_SIZE
    for square in range(64):
        steps = (((), KNIGHT_STEPS), (BISHOP_STEPS, ()), (ROOK_STEPS, ()), (BISHOP_STEPS + ROOK_STEPS, ()))
        for man, (slides, hops) in enumerate((*steps, ((), BISHOP_STEPS + ROOK_STEPS)), start=1):
            table[REACH + 64 * man + square] = _slides(table, square, slides) | _hops(square, hops)
        table[PAWN_ATTACK + square] = _hops(square, ((1, 1), (-1, 1)))
        table[PAWN_ATTACK + 64 + square] = _hops(square, ((1, -1), (-1, -1)))
        table[RIGHTS_KEPT + square] = 15
    for line in range(8):
        table[FILE + line] = 0x0101010101010101 << line
        table[RANK + line] = 0xFF << (8 * line)
    for square, lost in ((0, 2), (7, 1), (4, 3), (56, 8), (63, 4), (60, 12)):
        table[RIGHTS_KEPT + square] &= ~lost
    return tuple(table)


def _hops(square: int, steps: Iterable[tuple[int, int]]) -> int:
    reached = 0
    for file_step, rank_step in steps:
        file, rank = square % 8 + file_step, square // 8 + rank_step
        if 0 <= file < 8 and 0 <= rank < 8:
            reached |= 1 << (8 * rank + file)
    return reached


def _slides(table: list[int], square: int, steps: Iterable[tuple[int, int]]) -> int:
    """Squares seen from `square` on an empty board; fills BETWEEN on the way."""
    reached = 0
    for file_step, rank_step in steps:
        file, rank, path = square % 8 + file_step, square // 8 + rank_step, 0
        while 0 <= file < 8 and 0 <= rank < 8:
            target = 8 * rank + file
            table[BETWEEN + 64 * square + target] = path
            path |= 1 << target
            file, rank = file + file_step, rank + rank_step
        reached |= path
    return reached


def start(board: chess.Board) -> tuple[int, ...]:
    """A start position of standard chess in the layout of `layout` (START_SIZE), as unsigned bitboards."""
    position = [0] * START_SIZE
    for man in range(6):
        position[man] = board.pieces_mask(man + 1, chess.WHITE) | board.pieces_mask(man + 1, chess.BLACK)
    position[COLOR], position[COLOR + 1] = board.occupied_co[chess.WHITE], board.occupied_co[chess.BLACK]
    corners = enumerate((chess.H1, chess.A1, chess.H8, chess.A8))
    position[CASTLING] = sum(1 << k for k, corner in corners if board.clean_castling_rights() >> corner & 1)
    position[EN_PASSANT] = -1 if board.ep_square is None else board.ep_square
    position[TURN] = 0 if board.turn else 1
    position[CHECKERS] = int(board.checkers())
    for square in range(64):
        position[MAILBOX + square] = (board.piece_type_at(square) or EMPTY + 1) - 1
    position[START_BASE] = 2 * board.fullmove_number - 2 + position[TURN]
    return tuple(position)


@cache
def initial_position() -> tuple[int, ...]:
    """The initial position (FIDE Laws 2.3)."""
    return start(chess.Board())


@cache
def book() -> tuple[list[int], ...]:
    """The fields of `layout.Book`, keys as unsigned numbers; a row is a place in `tables.openings.openings()`."""
    board = chess.Board()
    kinds = [NO_KIND if man is None else 2 * man.piece_type - 2 + man.color for man in map(board.piece_at, range(64))]
    keys, rows = [0] * BOOK_SLOTS, [0] * BOOK_SLOTS
    bits = [0] * 1024
    for row, opening in enumerate(openings()):
        bits[(opening.key & FILTER_MASK) >> 6] |= 1 << (opening.key & 63)
        slot = opening.key % BOOK_SLOTS
        while keys[slot]:
            slot = (slot + 1) % BOOK_SLOTS
        keys[slot], rows[slot] = opening.key, row
    fewest = 32 - max(opening.moves.count("x") for opening in openings())
    start = [*kinds, chess.polyglot.zobrist_hash(board), fewest]
    return list(chess.polyglot.POLYGLOT_RANDOM_ARRAY), start, bits, keys, rows


def language(letters: Mapping[str, int]) -> tuple[list[int], list[int]] | None:
    """Byte patterns of an alphabet: (first[256], patterns) as in `layout.Language`.

    `letters` maps each letter to a python-chess piece type 2–6; pawn letters (type 1) are left out: the kernel reads none.
    None when a letter could be taken for a square or a mark, so that the kernel must answer nothing.
    """
    patterns: list[tuple[bytes, int]] = []
    for letter, piece_type in letters.items():
        raw = letter.encode()
        if piece_type == 1:
            continue
        if not 1 <= len(raw) <= MAX_LETTER_BYTES or not 2 <= piece_type <= 6 or GRAMMAR & frozenset(raw):
            return None
        patterns.append((raw, piece_type - 1))
    first = [0] * 256
    longer: list[int] = []
    for raw, man in sorted(patterns, key=lambda pattern: (-len(pattern[0]), pattern[0])):
        alone = sum(other[0] == raw[0] for other, _ in patterns) == 1
        if alone and len(raw) == 1:
            first[raw[0]] = man + 1
        else:
            first[raw[0]] = 255
            longer += [int.from_bytes(raw, "little"), (1 << (8 * len(raw))) - 1, len(raw), man]
    return first, longer or [0, 0, 0, 0]


def tag_hash(name: bytes) -> int:
    """Hash of a tag name in any case; the kernel computes the same byte by byte (`reader.read_tags`)."""
    value = 0
    for byte in name:
        value = (value * 31 + (byte | 32)) & HASH_MASK
    return value


HASH_MASK = (1 << 55) - 1
FEN_HASH, SETUP_HASH, VARIANT_HASH = (tag_hash(name) for name in (b"fen", b"setup", b"variant"))
"""Tags that change the start position or the rules: a game that has one is refused."""
