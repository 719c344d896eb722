"""Reading the tokens of movetext, for the kernel: numbers, letters, squares, promotions, castling, results.

Plain Python that numba compiles (`modes`). Nothing here knows a board. A reader may look up to `layout.PADDING` bytes past
the chunk; `reader.read_moves` refuses a game that used one of them.
"""

from __future__ import annotations

from collections.abc import Sequence

from pipeline.kernel.bits import load8
from pipeline.kernel.layout import (
    BLACK_WINS,
    DRAW,
    KING,
    UNFINISHED,
    WHITE_WINS,
    Language,
)


def skip_blanks(buf: Sequence[int], i: int, end: int) -> int:
    """Position of the next byte that is no space, tab or line end, at most `end`; -1 at another control character."""
    while i < end:
        c = buf[i]
        if c > 32:
            break
        if c != 32 and c != 10 and c != 9 and (c != 13 or buf[i + 1] != 10):
            return -1
        i += 1
    return i


def read_result(buf: Sequence[int], i: int) -> tuple[int, int]:
    """Result token at i → (code, bytes), bytes 0 when none stands there (PGN standard 8.2.6)."""
    word = load8(buf, i) & 0xFFFFFFFFFFFFFF
    if word & 0xFFFFFF == 0x302D31:
        return WHITE_WINS, 3
    if word & 0xFFFFFF == 0x312D30:
        return BLACK_WINS, 3
    if word == 0x322F312D322F31:
        return DRAW, 7
    return UNFINISHED, 1 if word & 0xFF == 42 else 0


def read_number(buf: Sequence[int], i: int, expected: int, is_black: int) -> int:
    """Move number: `12.` before White's move, `12...` or `12. ...` before Black's (PGN standard 8.2.2); else -1."""
    value = 0
    first = i
    while i < first + 6 and 48 <= buf[i] <= 57:
        value = value * 10 + buf[i] - 48
        i += 1
    if value != expected or buf[first] == 48 or buf[i] != 46:
        return -1
    i += 1
    if is_black != 0:
        if buf[i] == 32:
            i += 1
            if buf[i] != 46:
                return -1
            i += 1
        if buf[i] != 46 or buf[i + 1] != 46:
            return -1
        i += 2
    return -1 if buf[i] == 46 else i


def read_letter(buf: Sequence[int], i: int, language: Language) -> tuple[int, int]:
    """Letter of a man at i → (man, bytes); no letter: (0, 0)."""
    c = language.first[buf[i]]
    if c == 0:
        return 0, 0
    if c != 255:
        return c - 1, 1
    word = load8(buf, i)
    for k in range(0, len(language.patterns), 4):
        if word & language.patterns[k + 1] == language.patterns[k]:
            return language.patterns[k + 3], language.patterns[k + 2]
    return 0, 0


def read_squares(buf: Sequence[int], i: int) -> tuple[int, int, int, int, int]:
    """Squares of a move at i → (next, file or -1, rank or -1 of the origin, target, capture mark); next is -1 when malformed.

    The mark is 0 none, 1 `x` or `:`, 2 `-` (only between two whole squares).
    """
    from_file = from_rank = -1
    mark = 0
    c = buf[i]
    if 97 <= c <= 104:
        from_file = c - 97
        i += 1
        c = buf[i]
    if 49 <= c <= 56:
        from_rank = c - 49
        i += 1
        c = buf[i]
    if c == 120 or c == 58:
        mark = 1
        i += 1
        c = buf[i]
    elif c == 45:
        mark = 2
        if from_file < 0 or from_rank < 0:
            return -1, -1, -1, 0, 0
        i += 1
        c = buf[i]
    if 97 <= c <= 104:
        rank = buf[i + 1] - 49
        if rank < 0 or rank > 7:
            return -1, -1, -1, 0, 0
        return i + 2, from_file, from_rank, 8 * rank + c - 97, mark
    if mark != 0 or from_file < 0 or from_rank < 0:
        return -1, -1, -1, 0, 0
    return i, -1, -1, 8 * from_rank + from_file, 0


def read_promotion(buf: Sequence[int], i: int, language: Language) -> tuple[int, int]:
    """Promotion at i (`=Q` `Q` `(Q)` `/Q`) → (next, man); nothing there: (i, 0); malformed: (-1, 0)."""
    c = buf[i]
    j = i
    if c == 61 or c == 40 or c == 47:
        j += 1
    man, n = read_letter(buf, j, language)
    if n == 0:
        return (i if j == i else -1), 0
    if man == KING:
        return -1, 0
    j += n
    if c == 40:
        if buf[j] != 41:
            return -1, 0
        j += 1
    return j, man


def castling_at(buf: Sequence[int], i: int) -> int:
    """Wing of the castling written at i with letters O or zeros: 1 king's, 2 queen's, 0 none."""
    c = buf[i]
    if (c != 79 and c != 48) or buf[i + 1] != 45 or buf[i + 2] != c:
        return 0
    return 2 if buf[i + 3] == 45 and buf[i + 4] == c else 1
