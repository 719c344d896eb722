"""Reading what stands beside moves, for the kernel: tag pairs, comments with their commands, annotation glyphs.

Plain Python that numba compiles (`modes`). Every reader takes the position after the token's first byte and returns the
position after its last, or -1 for anything that is not canonical: then the whole chunk is refused. A reader may look up
to `layout.PADDING` bytes past the chunk; `reader.read_moves` refuses a game that used one of them.
"""

from __future__ import annotations

from collections.abc import Sequence

from pipeline.kernel.layout import (
    CENTIPAWNS,
    CLOCK,
    COMMENTS_END,
    ELAPSED,
    HAS_FEN,
    HASHES,
    IS_SET_UP,
    IS_STRICT,
    LAST_ROW,
    MATE,
    MAX_TAGS,
    N_COMMANDS,
    N_COMMENTS,
    N_NAGS,
    N_PASSES,
    N_TAGS,
    N_WRITTEN,
    SAVED,
    TAG_NAMES_END,
    TAG_VALUES_END,
    WRITTEN_END,
    Commands,
    Comments,
    Glyphs,
    Ints,
    Passes,
    Tags,
    Written,
)
from pipeline.kernel.tables import FEN_HASH, HASH_MASK, SETUP_HASH, VARIANT_HASH


def utf8_length(buf: Sequence[int], i: int) -> int:
    """Bytes of the multi-byte character at i (RFC 3629), or 0 when it is malformed or a C1 control."""
    c = buf[i]
    n = 2 if c < 0xE0 else 3 if c < 0xF0 else 4
    if c < 0xC2 or c > 0xF4:
        return 0
    low, high = 0x80, 0xBF
    if c == 0xC2 or c == 0xE0:
        low = 0xA0
    elif c == 0xED:
        high = 0x9F
    elif c == 0xF0:
        low = 0x90
    elif c == 0xF4:
        high = 0x8F
    if buf[i + 1] < low or buf[i + 1] > high:
        return 0
    for k in range(2, n):
        if buf[i + k] & 0xC0 != 0x80:
            return 0
    return n


def read_tags(buf: Sequence[int], i: int, end: int, tags: Tags, at: Ints) -> int:
    """Tag section whose first `[` stands at i: lines `[Name "value"]` (PGN standard 8.1), names distinct in any case.

    FEN and SetUp are read only in a game whose start position the caller gives.
    """
    while i < end and buf[i] == 91:
        ordinal = at[N_TAGS] - at[SAVED + N_TAGS]
        if ordinal == MAX_TAGS:
            return -1
        i += 1
        p = at[TAG_NAMES_END]
        value = 0
        while i < end:
            c = buf[i]
            is_letter = 97 <= c <= 122 or 65 <= c <= 90
            if not (is_letter or (value != 0 and (48 <= c <= 57 or c == 95))):
                break
            value = (value * 31 + (c | 32)) & HASH_MASK
            tags.names[p] = c
            p += 1
            i += 1
        if p == at[TAG_NAMES_END] or buf[i] != 32 or buf[i + 1] != 34:
            return -1
        if value in (FEN_HASH, SETUP_HASH, VARIANT_HASH):
            if at[IS_SET_UP] == 0 or value == VARIANT_HASH:
                return -1
            if value == FEN_HASH:
                at[HAS_FEN] = 1
        for k in range(ordinal):
            if at[HASHES + k] == value:
                return -1
        at[HASHES + ordinal] = value
        at[TAG_NAMES_END] = p
        i = read_tag_value(buf, i + 2, end, tags, at)
        if i < 0:
            return -1
        at[N_TAGS] += 1
        tags.name_ends[at[N_TAGS]] = p
        tags.value_ends[at[N_TAGS]] = at[TAG_VALUES_END]
    return i


def read_tag_value(buf: Sequence[int], i: int, end: int, tags: Tags, at: Ints) -> int:
    """Value after its opening quote, closing `"]` and the end of the line."""
    p = at[TAG_VALUES_END]
    while i < end:
        c = buf[i]
        n = 1
        if c == 34:
            break
        if c < 32 or c == 92 or c == 127:
            return -1
        if c >= 128:
            n = utf8_length(buf, i)
            if n == 0:
                return -1
        for k in range(n):
            tags.values[p + k] = buf[i + k]
        p += n
        i += n
    if buf[i] != 34 or buf[i + 1] != 93:
        return -1
    i += 2
    while i < end and (buf[i] == 32 or buf[i] == 9):
        i += 1
    if buf[i] == 13:
        i += 1
    if buf[i] != 10:
        return -1
    at[TAG_VALUES_END] = p
    return i + 1


def add_written(buf: Sequence[int], i: int, end: int, row: int, depth: int, written: Written, at: Ints) -> None:
    """Keeps the token buf[i:end] of ply `row` because it is not the move's canonical SAN."""
    if depth == 0:
        at[IS_STRICT] = 0
    p = at[WRITTEN_END]
    while i < end:
        written.text[p] = buf[i]
        p += 1
        i += 1
    at[WRITTEN_END] = p
    written.row[at[N_WRITTEN]] = row
    at[N_WRITTEN] += 1
    written.ends[at[N_WRITTEN]] = p


def add_pass(i: int, end: int, row: int, passes: Passes, at: Ints) -> None:
    """Notes that ply `row` is a null move, written at i."""
    n = at[N_PASSES]
    passes.row[n] = row
    passes.start[n] = i
    passes.end[n] = end
    at[N_PASSES] = n + 1


def add_nag(nag: int, is_sign: int, row: int, glyphs: Glyphs, at: Ints) -> None:
    """Adds a glyph to ply `row`, ascending; of two with one number the first stays."""
    n = at[N_NAGS]
    k = n
    while k > 0 and glyphs.row[k - 1] == row and glyphs.nag[k - 1] >= nag:
        if glyphs.nag[k - 1] == nag:
            return
        k -= 1
    first = k
    k = n
    while k > first:
        glyphs.nag[k] = glyphs.nag[k - 1]
        glyphs.is_sign[k] = glyphs.is_sign[k - 1]
        k -= 1
    glyphs.nag[first] = nag
    glyphs.is_sign[first] = is_sign
    glyphs.row[n] = row
    at[N_NAGS] = n + 1


def read_sign(buf: Sequence[int], i: int, row: int, glyphs: Glyphs, at: Ints) -> int:
    """`!` `?` `!!` `??` `!?` `?!` at i (PGN standard 8.2.3.8)."""
    c = buf[i]
    nag = 1 if c == 33 else 2
    i += 1
    if buf[i] == 33 or buf[i] == 63:
        nag += 2 if buf[i] == c else 4
        i += 1
    add_nag(nag, 1, row, glyphs, at)
    return i


def read_glyph(buf: Sequence[int], i: int, row: int, glyphs: Glyphs, at: Ints) -> int:
    """Number after `$`, 1–255, no leading zero (PGN standard 8.2.4)."""
    nag = 0
    first = i
    while i < first + 4 and 48 <= buf[i] <= 57:
        nag = nag * 10 + buf[i] - 48
        i += 1
    if nag < 1 or nag > 255 or buf[first] == 48:
        return -1
    add_nag(nag, 0, row, glyphs, at)
    return i


def read_comment(
    buf: Sequence[int],
    i: int,
    end: int,
    row: int,
    is_before: int,
    is_settled: int,
    comments: Comments,
    commands: Commands,
    at: Ints,
) -> int:
    """Comment after its `{`: text without recognised commands, stripped, CRLF → LF; joined to the ply's former text by LF.

    `is_settled` = the ply takes no more commands (a variation followed it, or it is still to come).
    """
    n = at[N_COMMENTS]
    key = 2 * row + is_before
    is_joined = n > at[SAVED + N_COMMENTS] and comments.row[n - 1] == key
    start = at[COMMENTS_END]
    if is_joined:
        start += 1
    p = start
    while True:
        if i >= end:
            return -1
        c = buf[i]
        step = 1
        if c == 125:
            break
        if c < 32:
            if c == 13 and buf[i + 1] == 10:
                i += 1
                c = 10
            if (c != 10 and c != 9) or (c == 10 and buf[i + 1] == 37):
                return -1
        elif c == 123 or c == 127:
            return -1
        elif c >= 128:
            step = utf8_length(buf, i)
            if step == 0:
                return -1
        elif c == 91 and buf[i + 1] == 37:
            after = read_command(buf, i + 2, end, row, is_settled, commands, at)
            if after < 0:
                return -1
            if after > 0:
                i = after
                continue
        if p > start or c > 32:
            comments.text[p] = c
            for k in range(1, step):
                comments.text[p + k] = buf[i + k]
            p += step
        i += step
    while p > start and comments.text[p - 1] <= 32:
        p -= 1
    if p > start:
        if is_joined:
            comments.text[start - 1] = 10
        else:
            comments.row[n] = key
            n += 1
            at[N_COMMENTS] = n
        comments.ends[n] = p
        at[COMMENTS_END] = p
    return i + 1


def read_command(buf: Sequence[int], i: int, end: int, row: int, is_settled: int, commands: Commands, at: Ints) -> int:
    """Command after `[%` → position after its `]`; 0 = not one of ours, text; -1 = ours in another form, or a second one."""
    name = n = 0
    while i < end and n < 5:
        c = buf[i]
        if not (97 <= c <= 122 or 65 <= c <= 90 or 48 <= c <= 57 or c == 95):
            break
        name = name * 256 + (c | 32)
        n += 1
        i += 1
    if n == 0:
        return -1
    is_clock = name == 0x636C6B  # clk
    is_elapsed = name == 0x656D74  # emt
    if not (is_clock or is_elapsed or name == 0x6576616C):  # eval
        return 0
    # Written in lower case and followed by one blank.
    is_lower = buf[i - 1] & buf[i - 2] & buf[i - 3] & 32 != 0 and buf[i - n] & 32 != 0
    if is_settled != 0 or not is_lower or buf[i] != 32:
        return -1
    if is_clock or is_elapsed:
        slot = 0 if is_clock else 1
        i = read_clock(buf, i + 1, CLOCK if is_clock else ELAPSED, commands, at)
    else:
        slot = 2
        i = read_eval(buf, i + 1, commands, at)
    if i < 0 or i >= end or buf[i] != 93 or at[LAST_ROW + slot] == row:
        return -1
    at[LAST_ROW + slot] = row
    commands.row[at[N_COMMANDS]] = row
    at[N_COMMANDS] += 1
    return i + 1


def read_clock(buf: Sequence[int], i: int, kind: int, commands: Commands, at: Ints) -> int:
    """`H:MM:SS` or `H:MM:SS.f` → seconds of command N_COMMANDS; at most 4 digits of hours, 6 of a fraction."""
    seconds = 0
    first = i
    while i < first + 5 and 48 <= buf[i] <= 57:
        seconds = seconds * 10 + buf[i] - 48
        i += 1
    if i == first or i == first + 5:
        return -1
    for _ in range(2):
        tens, ones = buf[i + 1], buf[i + 2]
        if buf[i] != 58 or not (48 <= tens <= 53 and 48 <= ones <= 57):
            return -1
        seconds = seconds * 60 + (tens - 48) * 10 + ones - 48
        i += 3
    scale = 1
    if buf[i] == 46:
        i += 1
        first = i
        while i < first + 7 and 48 <= buf[i] <= 57:
            seconds = seconds * 10 + buf[i] - 48
            scale *= 10
            i += 1
        if i == first or i == first + 7:
            return -1
    commands.kind[at[N_COMMANDS]] = kind
    commands.value[at[N_COMMANDS]] = seconds / scale
    return i


def read_eval(buf: Sequence[int], i: int, commands: Commands, at: Ints) -> int:
    """`±x.yy`, `#±n`, then perhaps `,depth` → value of command N_COMMANDS: centipawns (half away from zero) or moves to mate."""
    is_mate = buf[i] == 35
    if is_mate:
        i += 1
    is_negative = buf[i] == 45
    if is_negative or buf[i] == 43:
        i += 1
    value = 0
    first = i
    while i < first + 5 and 48 <= buf[i] <= 57:
        value = value * 10 + buf[i] - 48
        i += 1
    if i == first or i == first + 5 or (is_mate and value == 0):
        return -1
    if not is_mate:
        value *= 1000
        if buf[i] == 46:
            i += 1
            first = i
            weight = 100
            while i < first + 7 and 48 <= buf[i] <= 57:
                value += weight * (buf[i] - 48)
                weight //= 10
                i += 1
            if i == first or i == first + 7:
                return -1
        value = (value + 5) // 10
    if buf[i] == 44:
        first = i + 1
        i = first
        while i < first + 4 and 48 <= buf[i] <= 57:
            i += 1
        if i == first:
            return -1
    commands.kind[at[N_COMMANDS]] = MATE if is_mate else CENTIPAWNS
    commands.value[at[N_COMMANDS]] = -value if is_negative else value
    return i
