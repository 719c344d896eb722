"""The rules of chess on bitboards, for the kernel: which man can make a written move, and what that does.

Plain Python that numba compiles (`modes`). Three rules keep both readings equal: a bitboard is never shifted right
(compiled boards are signed), a bitboard is compared with 0 only, and nothing is allocated. `geo` is `tables.geometry`,
`pos` a position, `us` the side to move; men are numbered as in `layout`.
"""

from __future__ import annotations

from pipeline.kernel.bits import lowest
from pipeline.kernel.layout import (
    BETWEEN,
    BISHOP,
    CASTLING,
    CASTLING_NUMBER,
    CHECKERS,
    COLOR,
    EMPTY,
    EN_PASSANT,
    FILE,
    KING,
    KNIGHT,
    MAILBOX,
    PASS_NUMBER,
    PAWN,
    PAWN_ATTACK,
    QUEEN,
    RANK,
    REACH,
    RIGHTS_KEPT,
    ROOK,
    TURN,
    UNDO_CAPTURED,
    UNDO_CAPTURED_MAN,
    UNDO_CASTLING,
    UNDO_CHECKERS,
    UNDO_EN_PASSANT,
    UNDO_MAN,
    UNDO_ORIGIN,
    UNDO_TARGET,
    Ints,
)


def attackers(pos: Ints, geo: Ints, square: int, by: int, mask: int, occupied: int) -> int:
    """Men of colour `by` within `mask` that attack `square` when `occupied` squares block."""
    queens = pos[QUEEN]
    found = (
        (geo[REACH + 64 * KNIGHT + square] & pos[KNIGHT])
        | (geo[REACH + 64 * KING + square] & pos[KING])
        | (geo[PAWN_ATTACK + ((by ^ 1) << 6) + square] & pos[PAWN])
    ) & mask
    sliders = (
        (geo[REACH + 64 * BISHOP + square] & (pos[BISHOP] | queens)) | (geo[REACH + 64 * ROOK + square] & (pos[ROOK] | queens))
    ) & mask
    row = BETWEEN + (square << 6)
    while sliders != 0:
        origin = lowest(sliders)
        sliders &= sliders - 1
        if geo[row + origin] & occupied == 0:
            found |= 1 << origin
    return found


def is_safe(pos: Ints, geo: Ints, origin: int, target: int, captured: int, us: int, king: int) -> bool:
    """True when our king on `king` is not attacked after origin → target that removes `captured` (a bitboard)."""
    bit = 1 << target
    occupied = ((pos[COLOR] | pos[COLOR + 1]) & ~(1 << origin) & ~captured) | bit
    them = us ^ 1
    return attackers(pos, geo, king, them, pos[COLOR + them] & ~captured & ~bit, occupied) == 0


def movers(pos: Ints, geo: Ints, man: int, target: int, us: int, captured: int) -> int:
    """Our men of that kind with a legal move to `target`, castling left aside (a bitboard).

    `captured` is the bitboard of the man taken, 0 for none; it decides whether pawns capture or step.
    """
    occupied = pos[COLOR] | pos[COLOR + 1]
    left = pos[man] & pos[COLOR + us]
    if man == PAWN:
        if captured != 0:
            left &= geo[PAWN_ATTACK + ((us ^ 1) << 6) + target]
        else:
            behind = target - 8 + (us << 4)
            if behind < 0 or behind > 63:
                return 0
            if left & (1 << behind) != 0:
                left = 1 << behind
            elif occupied & (1 << behind) == 0 and (target >> 3) == 3 + us:
                left &= 1 << (behind - 8 + (us << 4))
            else:
                return 0
    else:
        left &= geo[REACH + (man << 6) + target]
    king = lowest(pos[KING] & pos[COLOR + us])
    # Only these can leave the king attacked: the king, any man while in check, one on a queen's line from the king, en passant.
    rays = geo[REACH + 64 * QUEEN + king]
    always = man == KING or pos[CHECKERS] != 0 or (captured != 0 and captured != (1 << target))
    is_slider = BISHOP <= man <= QUEEN
    row = BETWEEN + (target << 6)
    found = 0
    while left != 0:
        origin = lowest(left)
        bit = left & -left
        left &= left - 1
        if is_slider and geo[row + origin] & occupied != 0:
            continue
        if (always or rays & bit != 0) and not is_safe(pos, geo, origin, target, captured, us, target if man == KING else king):
            continue
        found |= bit
    return found


def has_move(pos: Ints, geo: Ints) -> bool:
    """True when the side to move has a legal move."""
    us = pos[TURN]
    own = pos[COLOR + us]
    occupied = own | pos[COLOR + (us ^ 1)]
    king = lowest(pos[KING] & own)
    targets = geo[REACH + 64 * KING + king] & ~own
    while targets != 0:
        target = lowest(targets)
        bit = targets & -targets
        targets &= targets - 1
        if is_safe(pos, geo, king, target, bit & occupied, us, target):
            return True
    checkers = pos[CHECKERS]
    if checkers & (checkers - 1) != 0:
        return False
    targets = ~own
    if checkers != 0:
        targets = checkers | geo[BETWEEN + (king << 6) + lowest(checkers)]
    for target in range(64):
        bit = targets & (1 << target)
        if bit != 0:
            for man in range(KING):
                if movers(pos, geo, man, target, us, bit & occupied) != 0:
                    return True
    passed = pos[EN_PASSANT]
    return passed >= 0 and movers(pos, geo, PAWN, passed, us, 1 << (passed - 8 + (us << 4))) != 0


def find_move(
    pos: Ints, geo: Ints, man: int, from_file: int, from_rank: int, target: int, promotion: int
) -> tuple[int, int, int]:
    """The one legal move that fits → (origin, captured, other men of that kind that could go there).

    Origin is -1 when none or several fit. Parts not written are -1. A pawn's capture needs its file (PGN standard 8.2.3.4).
    """
    us = pos[TURN]
    bit = 1 << target
    if pos[COLOR + us] & bit != 0:
        return -1, 0, 0
    captured = bit & pos[COLOR + (us ^ 1)]
    if man == PAWN:
        if (promotion != 0) != (target < 8 or target > 55):
            return -1, 0, 0
        if from_file < 0:
            if from_rank >= 0 or captured != 0:
                return -1, 0, 0
        elif from_file == target & 7:
            if from_rank < 0:
                return -1, 0, 0
        elif captured == 0 and target == pos[EN_PASSANT]:
            captured = 1 << (target - 8 + (us << 4))
    legal = movers(pos, geo, man, target, us, captured)
    fitting = legal
    if from_file >= 0:
        fitting &= geo[FILE + from_file]
    if from_rank >= 0:
        fitting &= geo[RANK + from_rank]
    if fitting == 0 or fitting & (fitting - 1) != 0:
        return -1, 0, 0
    return lowest(fitting), captured, legal ^ fitting


def can_castle(pos: Ints, geo: Ints, wing: int) -> bool:
    """True when the side to move may castle, wing 1 king's or 2 queen's (FIDE Laws 3.8.2)."""
    us = pos[TURN]
    them = us ^ 1
    king = 4 + 56 * us
    target = king + 2 if wing == 1 else king - 2
    occupied = pos[COLOR] | pos[COLOR + 1]
    path = (0x60 if wing == 1 else 0x0E) << (56 * us)
    if pos[CHECKERS] != 0 or pos[CASTLING] & (wing << (2 * us)) == 0 or occupied & path != 0:
        return False
    enemies = pos[COLOR + them]
    without_king = occupied ^ (1 << king)
    passed = attackers(pos, geo, (king + target) >> 1, them, enemies, without_king)
    return passed == 0 and attackers(pos, geo, target, them, enemies, without_king) == 0


def make_move(pos: Ints, geo: Ints, man: int, origin: int, target: int, captured: int, promotion: int) -> None:
    """Play a legal move; castling is the king's move by two files. Updates every part of `pos`."""
    us = pos[TURN]
    them = us ^ 1
    both = (1 << origin) | (1 << target)
    pos[UNDO_MAN] = man
    pos[UNDO_ORIGIN] = origin
    pos[UNDO_TARGET] = target
    pos[UNDO_CAPTURED] = captured
    pos[UNDO_CASTLING] = pos[CASTLING]
    pos[UNDO_EN_PASSANT] = pos[EN_PASSANT]
    pos[UNDO_CHECKERS] = pos[CHECKERS]
    if captured != 0:
        square = lowest(captured)
        pos[UNDO_CAPTURED_MAN] = pos[MAILBOX + square]
        pos[pos[MAILBOX + square]] ^= captured
        pos[COLOR + them] ^= captured
        pos[MAILBOX + square] = EMPTY
    pos[man] ^= both
    pos[COLOR + us] ^= both
    pos[MAILBOX + origin] = EMPTY
    pos[MAILBOX + target] = man
    pos[EN_PASSANT] = -1
    if man == PAWN:
        if promotion != 0:
            pos[PAWN] ^= 1 << target
            pos[promotion] ^= 1 << target
            pos[MAILBOX + target] = promotion
        elif origin ^ target == 16:
            pos[EN_PASSANT] = (origin + target) >> 1
    elif man == KING and (target - origin == 2 or origin - target == 2):
        corner = target + 1 if target > origin else target - 2
        beside = (origin + target) >> 1
        rook = (1 << corner) | (1 << beside)
        pos[ROOK] ^= rook
        pos[COLOR + us] ^= rook
        pos[MAILBOX + corner] = EMPTY
        pos[MAILBOX + beside] = ROOK
    pos[CASTLING] &= geo[RIGHTS_KEPT + origin] & geo[RIGHTS_KEPT + target]
    pos[TURN] = them
    king = lowest(pos[KING] & pos[COLOR + them])
    pos[CHECKERS] = attackers(pos, geo, king, us, pos[COLOR + us], pos[COLOR] | pos[COLOR + 1])


def make_pass(pos: Ints) -> None:
    """A null move of a side that is not in check: the other side is to move."""
    pos[UNDO_MAN] = EMPTY
    pos[UNDO_CASTLING] = pos[CASTLING]
    pos[UNDO_EN_PASSANT] = pos[EN_PASSANT]
    pos[UNDO_CHECKERS] = 0
    pos[EN_PASSANT] = -1
    pos[TURN] ^= 1


def take_back(pos: Ints) -> None:
    """Undoes the last `make_move` or `make_pass`, once."""
    them = pos[TURN]
    us = them ^ 1
    pos[CASTLING] = pos[UNDO_CASTLING]
    pos[EN_PASSANT] = pos[UNDO_EN_PASSANT]
    pos[CHECKERS] = pos[UNDO_CHECKERS]
    pos[TURN] = us
    man, origin, target = pos[UNDO_MAN], pos[UNDO_ORIGIN], pos[UNDO_TARGET]
    if man == EMPTY:
        return
    pos[pos[MAILBOX + target]] ^= 1 << target
    pos[man] ^= 1 << origin
    pos[COLOR + us] ^= (1 << origin) | (1 << target)
    pos[MAILBOX + target] = EMPTY
    pos[MAILBOX + origin] = man
    captured = pos[UNDO_CAPTURED]
    if captured != 0:
        pos[pos[UNDO_CAPTURED_MAN]] ^= captured
        pos[COLOR + them] ^= captured
        pos[MAILBOX + lowest(captured)] = pos[UNDO_CAPTURED_MAN]
    elif man == KING and (target - origin == 2 or origin - target == 2):
        corner = target + 1 if target > origin else target - 2
        beside = (origin + target) >> 1
        rook = (1 << corner) | (1 << beside)
        pos[ROOK] ^= rook
        pos[COLOR + us] ^= rook
        pos[MAILBOX + beside] = EMPTY
        pos[MAILBOX + corner] = ROOK


def san_number(geo: Ints, man: int, origin: int, target: int, is_capture: int, promotion: int, others: int, mark: int) -> int:
    """Number of the canonical SAN of a move (PGN standard 8.2.3); `mark` is 0, 1 check, 2 mate.

    hint 0 none, 1–8 file, 9–16 rank, 17–80 square; kind = man, or 5 + promotion.
    """
    hint = 0
    if man == PAWN:
        if is_capture != 0:
            hint = 1 + (origin & 7)
        if promotion != 0:
            man = 5 + promotion
    elif others != 0:
        on_file = others & geo[FILE + (origin & 7)]
        if on_file == 0:
            hint = 1 + (origin & 7)
        elif others & geo[RANK + (origin >> 3)] == 0:
            hint = 9 + (origin >> 3)
        else:
            hint = 17 + origin
    return (((hint * 10 + man) * 64 + target) * 2 + is_capture) * 3 + mark


def san_word(number: int) -> tuple[int, int]:
    """The SAN with that number → (its bytes as a little-endian integer, their count, at most 7)."""
    mark = number % 3
    if number == PASS_NUMBER:
        return 0x2D2D, 2
    if number >= CASTLING_NUMBER:
        is_long = number >= CASTLING_NUMBER + 3
        word = 0x4F2D4F2D4F if is_long else 0x4F2D4F  # O-O-O, O-O
        n = 5 if is_long else 3
    else:
        rest = number // 3
        is_capture = rest % 2
        target = rest // 2 % 64
        kind = rest // 128 % 10
        hint = rest // 1280
        word = n = 0
        if 0 < kind < 6:
            word = (0x4B5152424E00 >> (8 * kind)) & 0xFF  # . N B R Q K
            n = 1
        if 0 < hint < 9 or hint > 16:
            word |= (97 + (hint - 1) % 8) << (8 * n)
            n += 1
        if hint > 8:
            word |= (49 + (hint - 9 if hint < 17 else (hint - 17) // 8)) << (8 * n)
            n += 1
        if is_capture != 0:
            word |= 120 << (8 * n)
            n += 1
        word |= ((97 + target % 8) | ((49 + target // 8) << 8)) << (8 * n)
        n += 2
        if kind > 5:
            word |= (61 | (((0x4B5152424E00 >> (8 * (kind - 5))) & 0xFF) << 8)) << (8 * n)
            n += 2
    if mark != 0:
        word |= (43 if mark == 1 else 35) << (8 * n)
        n += 1
    return word, n
