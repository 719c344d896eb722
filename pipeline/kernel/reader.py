"""Reading whole games, for the kernel: chunk of bytes → moves proved on the board and written into columns, or refused.

Plain Python that numba compiles (`modes`). A chunk is answered only when every byte of it is canonical and every move has
exactly one legal reading; in any doubt it is refused, and `transcribe` explains it. What is canonical: `pipeline.bulk`.
"""

from __future__ import annotations

from collections.abc import Sequence

from pipeline.kernel.bits import load8, store8
from pipeline.kernel.book import named
from pipeline.kernel.layout import (
    BASE,
    BLACK_WINS,
    CASTLING_NUMBER,
    CHECKERS,
    DEPTH,
    DRAW,
    FRAME_LAST_ROW,
    FRAME_PLY,
    FRAME_SIZE,
    FRAME_VARIATION,
    GAME_BOARD_RESULT,
    GAME_CHUNK,
    GAME_END,
    GAME_LETTERS,
    GAME_MATE_AS_CHECK,
    GAME_MOVETEXT_END,
    GAME_OPENING,
    GAME_PLIES,
    GAME_RESULT,
    GAME_ROWS_END,
    GAME_SEGMENTS_END,
    GAME_SIZE,
    GAME_START,
    GAME_STOP,
    GAME_STRICT,
    GAME_TAGS_END,
    GAME_VARIATIONS_END,
    HAS_FEN,
    IS_MATE_AS_CHECK,
    IS_SET_UP,
    IS_STRICT,
    KING,
    LAST_ROW,
    LETTERS,
    LINE_LAST_ROW,
    LINE_PLY,
    LINE_VARIATION,
    MAIN_PLIES,
    MAX_DEPTH,
    MAY_PASS,
    MOVETEXT_END,
    N_CURSORS,
    N_GAMES,
    N_PLIES,
    N_SAN_WORDS,
    N_SEGMENTS,
    N_TAGS,
    N_UCI_WORDS,
    N_VARIATIONS,
    PASS_NUMBER,
    PLUS_MAY_MATE,
    POSITION_SIZE,
    RESULT,
    SAVED,
    START_BASE,
    START_SIZE,
    TURN,
    WHITE_WINS,
    Book,
    Ints,
    Language,
    Lines,
    Notes,
    Plies,
    Tags,
)
from pipeline.kernel.moves import can_castle, find_move, has_move, make_move, make_pass, san_number, san_word, take_back
from pipeline.kernel.notes import add_pass, add_written, read_comment, read_glyph, read_sign, read_tags
from pipeline.kernel.tokens import (
    castling_at,
    read_letter,
    read_number,
    read_promotion,
    read_result,
    read_squares,
    skip_blanks,
)
from pipeline.schema import MAX_PLIES, MAX_VARIATIONS


def read_chunks(
    buf: Sequence[int], starts: Sequence[int], ends: Sequence[int], which: Sequence[int], positions: Ints, geo: Ints,
    language: Language, tags: Tags, plies: Plies, notes: Notes, lines: Lines, games: Ints, pos: Ints, stack: Ints, at: Ints,
    book: Book, board: Ints,
) -> int:  # fmt: skip
    """Reads chunk after chunk into the columns; returns the number of answered games (rows of `games`).

    `which` gives each chunk's row of `positions`; `pos`, `stack`, `at` and `board` are scratch, all 0 at first but for what the
    caller allows (`layout.PLUS_MAY_MATE`, `layout.MAY_PASS`).
    """
    for chunk in range(len(starts)):
        start_game(which[chunk], positions, pos, at)
        start = skip_blanks(buf, starts[chunk], ends[chunk])
        i = start
        if i >= 0:
            i = read_tags(buf, i, ends[chunk], tags, at)
        if i > start and at[HAS_FEN] == at[IS_SET_UP]:
            i = read_moves(buf, i, ends[chunk], geo, language, plies, notes, lines, pos, stack, at)
        else:
            i = -1
        if i < 0 or at[IS_MATE_AS_CHECK] > at[PLUS_MAY_MATE] or (at[IS_SET_UP] != 0 and at[MAIN_PLIES] == 0):
            forget_chunk(plies, at)
            continue
        row = GAME_SIZE * at[N_GAMES]
        games[row + GAME_CHUNK] = chunk
        games[row + GAME_START] = start
        games[row + GAME_STOP] = at[GAME_END]
        games[row + GAME_PLIES] = at[MAIN_PLIES]
        games[row + GAME_LETTERS] = at[LETTERS]
        games[row + GAME_STRICT] = at[IS_STRICT]
        games[row + GAME_RESULT] = at[RESULT]
        games[row + GAME_BOARD_RESULT] = board_result(pos, geo)
        games[row + GAME_MATE_AS_CHECK] = at[IS_MATE_AS_CHECK]
        games[row + GAME_TAGS_END] = at[N_TAGS]
        games[row + GAME_MOVETEXT_END] = at[MOVETEXT_END]
        games[row + GAME_ROWS_END] = at[N_PLIES]
        games[row + GAME_SEGMENTS_END] = at[N_SEGMENTS]
        games[row + GAME_VARIATIONS_END] = at[N_VARIATIONS]
        games[row + GAME_OPENING] = -1 if at[IS_SET_UP] != 0 else named(plies.main, at[MAIN_PLIES], geo, book, board)
        at[N_GAMES] += 1
    return at[N_GAMES]


def start_game(number: int, positions: Ints, pos: Ints, at: Ints) -> None:
    """Sets up start position `number` (0 = the initial one), saves the cursors, forgets what was known of the game before."""
    for k in range(POSITION_SIZE):
        pos[k] = positions[START_SIZE * number + k]
    for k in range(N_CURSORS):
        at[SAVED + k] = at[k]
    for k in range(3):
        at[LAST_ROW + k] = -1
    at[BASE] = positions[START_SIZE * number + START_BASE]
    at[IS_SET_UP] = 1 if number > 0 else 0
    at[HAS_FEN] = at[LETTERS] = at[IS_MATE_AS_CHECK] = at[LINE_VARIATION] = at[DEPTH] = 0
    at[IS_STRICT] = 1


def forget_chunk(plies: Plies, at: Ints) -> None:
    """Restores the cursors and takes back the words that the refused chunk was the first to use."""
    for k in range(at[SAVED + N_SAN_WORDS], at[N_SAN_WORDS]):
        plies.san_codes[plies.san_numbers[k]] = -1
    for k in range(at[SAVED + N_UCI_WORDS], at[N_UCI_WORDS]):
        plies.uci_codes[plies.uci_numbers[k]] = -1
    for k in range(N_CURSORS):
        at[k] = at[SAVED + k]


def board_result(pos: Ints, geo: Ints) -> int:
    """Result that mate or stalemate forces (FIDE Laws 5.1.1, 5.2.1), else -1."""
    if has_move(pos, geo):
        return -1
    if pos[CHECKERS] == 0:
        return DRAW
    return BLACK_WINS if pos[TURN] == 0 else WHITE_WINS


def play(buf: Sequence[int], i: int, geo: Ints, language: Language, pos: Ints, at: Ints) -> tuple[int, int, int]:
    """Reads the move at i and plays it → (next, SAN number, UCI number); next is -1 when refused."""
    captured = promotion = others = 0
    wing = castling_at(buf, i)
    if (buf[i] == 45 and buf[i + 1] == 45) or (buf[i] == 90 and buf[i + 1] == 48):
        # `--` or `Z0`: a null move, only in variations.
        if at[MAY_PASS] == 0 or at[DEPTH] == 0 or pos[CHECKERS] != 0:
            return -1, 0, 0
        make_pass(pos)
        return i + 2, PASS_NUMBER, 0
    if wing != 0:
        if not can_castle(pos, geo, wing):
            return -1, 0, 0
        man = KING
        origin = 4 + 56 * pos[TURN]
        target = origin + 2 if wing == 1 else origin - 2
        i += 1 + 2 * wing
    else:
        man, n = read_letter(buf, i, language)
        i, from_file, from_rank, target, capture_mark = read_squares(buf, i + n)
        if i < 0:
            return -1, 0, 0
        if n > 0:
            at[LETTERS] |= 1 << (man - 1)
        elif target < 8 or target > 55:
            i, promotion = read_promotion(buf, i, language)
            if promotion == 0:
                return -1, 0, 0
            at[LETTERS] |= 1 << (promotion - 1)
        origin, captured, others = find_move(pos, geo, man, from_file, from_rank, target, promotion)
        if origin < 0 or (capture_mark == 1 and captured == 0) or (capture_mark == 2 and captured != 0):
            return -1, 0, 0
    make_move(pos, geo, man, origin, target, captured, promotion)
    check = 0
    if pos[CHECKERS] != 0:
        check = 1 if has_move(pos, geo) else 2
    written_check = 1 if buf[i] == 43 else 2 if buf[i] == 35 else 0
    if written_check != 0:
        if written_check > check:
            return -1, 0, 0
        if written_check < check:
            at[IS_MATE_AS_CHECK] = 1
        i += 1
    if wing != 0:
        number = CASTLING_NUMBER + 3 * (wing - 1) + check
    else:
        number = san_number(geo, man, origin, target, 1 if captured != 0 else 0, promotion, others, check)
    return i, number, origin | (target << 6) | (promotion << 12)


def new_san(number: int, plies: Plies, at: Ints) -> int:
    """Gives a SAN number its code (fewer than MAX_WORDS numbers belong to a move that can be made)."""
    code = at[N_SAN_WORDS]
    word, length = san_word(number)
    plies.san_codes[number] = code
    plies.san_numbers[code] = number
    plies.san_words[code] = word
    plies.san_lengths[code] = length
    at[N_SAN_WORDS] = code + 1
    return code


def new_uci(number: int, plies: Plies, at: Ints) -> int:
    """Gives a UCI number its code (there are fewer than MAX_WORDS)."""
    code = at[N_UCI_WORDS]
    plies.uci_codes[number] = code
    plies.uci_numbers[code] = number
    at[N_UCI_WORDS] = code + 1
    return code


def open_variation(lines: Lines, pos: Ints, stack: Ints, at: Ints) -> int:
    """`(`: keeps the current line and takes its last move back; -1 when it has none yet or there are too many brackets."""
    depth = at[DEPTH]
    number = at[N_VARIATIONS] - at[SAVED + N_VARIATIONS] + 1
    if at[LINE_LAST_ROW] < 0 or depth == MAX_DEPTH or number > MAX_VARIATIONS:
        return -1
    frame = FRAME_SIZE * depth
    for k in range(POSITION_SIZE):
        stack[frame + k] = pos[k]
    stack[frame + FRAME_LAST_ROW] = at[LINE_LAST_ROW]
    stack[frame + FRAME_PLY] = at[LINE_PLY]
    stack[frame + FRAME_VARIATION] = at[LINE_VARIATION]
    take_back(pos)
    k = at[N_VARIATIONS]
    lines.parent[k] = at[LINE_VARIATION]
    lines.branch_ply[k] = at[LINE_PLY]
    lines.depth[k] = depth + 1
    at[N_VARIATIONS] = k + 1
    at[LINE_LAST_ROW] = -1
    at[LINE_PLY] -= 1
    at[LINE_VARIATION] = number
    at[DEPTH] = depth + 1
    return 0


def close_variation(pos: Ints, stack: Ints, at: Ints) -> int:
    """`)`: goes back to the line around; -1 when the variation has no move or no bracket is open."""
    depth = at[DEPTH] - 1
    if at[LINE_LAST_ROW] < 0 or depth < 0:
        return -1
    frame = FRAME_SIZE * depth
    for k in range(POSITION_SIZE):
        pos[k] = stack[frame + k]
    at[LINE_LAST_ROW] = stack[frame + FRAME_LAST_ROW]
    at[LINE_PLY] = stack[frame + FRAME_PLY]
    at[LINE_VARIATION] = stack[frame + FRAME_VARIATION]
    at[DEPTH] = depth
    return 0


def read_bracket(c: int, row: int, lines: Lines, pos: Ints, stack: Ints, at: Ints) -> int:
    """A bracket: the rows from `row` on belong to another line; -1 when it cannot stand here."""
    done = open_variation(lines, pos, stack, at) if c == 40 else close_variation(pos, stack, at)
    k = at[N_SEGMENTS]
    lines.segment_row[k] = row
    lines.segment_variation[k] = at[LINE_VARIATION]
    lines.segment_ply[k] = at[LINE_PLY]
    at[N_SEGMENTS] = k + 1
    return done


def read_moves(
    buf: Sequence[int], i: int, end: int, geo: Ints, language: Language, plies: Plies, notes: Notes, lines: Lines,
    pos: Ints, stack: Ints, at: Ints,
) -> int:  # fmt: skip
    """Movetext from i to the end of the chunk → a position > 0, or -1 when refused.

    `row` is the row of the next ply, `ply` the number of plies before it on its line, `last` the row of the one before it
    on its line or -1; `is_settled` = the last ply takes no more glyphs and commands, because a variation followed it.
    """
    row = first_row = at[N_PLIES]
    p = at[MOVETEXT_END]
    ply = depth = is_numbered = is_settled = is_commented = 0
    last = -1
    base = at[BASE]
    while True:
        i = skip_blanks(buf, i, end)
        if i < 0 or i >= end:
            return -1
        c = buf[i]
        if c == 123:
            is_commented = 1
            if last < 0:
                i = read_comment(buf, i + 1, end, row, 1, 1, notes.comments, notes.commands, at)
            else:
                i = read_comment(buf, i + 1, end, last, 0, is_settled, notes.comments, notes.commands, at)
            if i < 0:
                return -1
            continue
        if 48 <= c <= 57 and buf[i + 1] != 45 and buf[i + 1] != 47:
            i = read_number(buf, i, ((base + ply) >> 1) + 1, (base + ply) & 1)
            if i < 0 or is_numbered != 0:
                return -1
            is_numbered = 1
            continue
        if c == 40 or c == 41:
            at[LINE_LAST_ROW] = last
            at[LINE_PLY] = ply
            if is_numbered != 0 or read_bracket(c, row, lines, pos, stack, at) < 0:
                return -1
            last = at[LINE_LAST_ROW]
            ply = at[LINE_PLY]
            depth = at[DEPTH]
            is_settled = 1
            i += 1
            continue
        if c == 36 or c == 33 or c == 63:
            if is_settled != 0 or is_numbered != 0 or last < 0:
                return -1
            i = read_glyph(buf, i + 1, last, notes.glyphs, at) if c == 36 else read_sign(buf, i, last, notes.glyphs, at)
        elif c == 42 or (48 <= c <= 57 and (c != 48 or buf[i + 2] != 48)):
            break
        else:
            start = i
            i, number, uci = play(buf, i, geo, language, pos, at)
            if i < 0 or ply >= MAX_PLIES:
                return -1
            code = plies.san_codes[number]
            if code < 0:
                code = new_san(number, plies, at)
            move = plies.uci_codes[uci]
            if move < 0:
                move = new_uci(uci, plies, at)
            word = plies.san_words[code]
            length = plies.san_lengths[code]
            plies.san[row] = code
            plies.uci[row] = move
            if depth == 0:
                plies.main[ply] = uci
                store8(plies.movetext, p, word | (32 << (8 * length)))
                p += length + 1
            if i - start != length or load8(buf, start) & ((1 << (8 * length)) - 1) != word:
                add_written(buf, start, i, row, depth, notes.written, at)
            if number == PASS_NUMBER:
                add_pass(start, i, row, notes.passes, at)
            last = row
            row += 1
            ply += 1
            is_numbered = is_settled = 0
            if buf[i] == 33 or buf[i] == 63:
                i = read_sign(buf, i, last, notes.glyphs, at)
        # A token ends at a blank, a comment, a bracket or a numeric glyph.
        c = buf[i]
        if i < 0 or (c > 32 and c != 123 and c != 40 and c != 41 and c != 36):
            return -1
    code, length = read_result(buf, i)
    if length == 0 or is_numbered + depth != 0 or (is_commented != 0 and row == first_row):
        return -1
    i += length
    if i > end or skip_blanks(buf, i, end) != end:
        return -1
    at[RESULT] = code
    at[GAME_END] = i
    at[MAIN_PLIES] = ply
    at[N_PLIES] = row
    at[MOVETEXT_END] = p - 1 if ply > 0 else p
    return i
