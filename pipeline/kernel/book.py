"""Which named opening a line of moves reaches, for the kernel, by the key of each position on its way.

The key is Polyglot's: pieces, castling rights, side to move, and the file of en passant where a pawn of the side to move stands
beside the one that stepped. Plain Python that numba compiles (`modes`).
"""

from __future__ import annotations

from pipeline.kernel.layout import (
    BOOK_PLIES,
    BOOK_SLOTS,
    CASTLING_NUMBERS,
    FEWEST_MEN,
    FILE_NUMBERS,
    FILTER_MASK,
    NO_KIND,
    RIGHTS_KEPT,
    START_KEY,
    TURN_NUMBER,
    Book,
    Ints,
)


def named(line: Ints, n: int, geo: Ints, book: Book, board: Ints) -> int:
    """Row of the last named position within BOOK_PLIES of a line of `n` UCI numbers from the initial position, else -1.

    `board` [64] is scratch. Ends early where fewer men are left than any named position has: men never come back.
    """
    numbers = book.numbers
    for square in range(64):
        board[square] = book.start[square]
    key = book.start[START_KEY]
    rights = 15
    passed = -1
    men = 32
    found = -1
    for ply in range(min(n, BOOK_PLIES)):
        move = line[ply]
        if move == 0:
            return found
        origin = move & 63
        target = (move >> 6) & 63
        promotion = move >> 12
        man = board[origin]
        taken = board[target]
        key ^= numbers[64 * man + origin] ^ numbers[TURN_NUMBER]
        if passed >= 0:
            key ^= numbers[FILE_NUMBERS + passed]
            passed = -1
        board[origin] = NO_KIND
        if taken != NO_KIND:
            key ^= numbers[64 * taken + target]
            men -= 1
        if man < 2:
            if promotion != 0:
                man += 2 * promotion
            elif origin ^ target == 16:
                # En passant counts only where a pawn stands ready to take.
                file = target & 7
                if (file > 0 and board[target - 1] == man ^ 1) or (file < 7 and board[target + 1] == man ^ 1):
                    passed = file
                    key ^= numbers[FILE_NUMBERS + file]
            elif taken == NO_KIND and (origin ^ target) & 7 != 0:
                beside = (origin & 56) | (target & 7)
                key ^= numbers[64 * (man ^ 1) + beside]
                board[beside] = NO_KIND
                men -= 1
        elif man > 9 and (target - origin == 2 or origin - target == 2):
            corner = target + 1 if target > origin else target - 2
            between = (origin + target) >> 1
            key ^= numbers[64 * (man - 4) + corner] ^ numbers[64 * (man - 4) + between]
            board[corner] = NO_KIND
            board[between] = man - 4
        key ^= numbers[64 * man + target]
        board[target] = man
        lost = rights & ~(geo[RIGHTS_KEPT + origin] & geo[RIGHTS_KEPT + target])
        if lost != 0:
            rights ^= lost
            for wing in range(4):
                if lost & (1 << wing) != 0:
                    key ^= numbers[CASTLING_NUMBERS + wing]
        if men < book.start[FEWEST_MEN]:
            return found
        if book.filter[(key & FILTER_MASK) >> 6] & (1 << (key & 63)) == 0:
            continue
        slot = key & (BOOK_SLOTS - 1)
        known = book.keys[slot]
        while known != key and known != 0:
            slot = (slot + 1) & (BOOK_SLOTS - 1)
            known = book.keys[slot]
        if known != 0:
            found = book.rows[slot]
    return found
