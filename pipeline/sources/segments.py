"""Stretches of a file that one writer may have written in one encoding, and how far each is UTF-8."""

from __future__ import annotations

import codecs
import re
from collections.abc import Iterator
from typing import BinaryIO

SCAN_BYTES = 2 << 20
"""A file is looked at in blocks of about this size, so that one of any size needs no more memory."""
_LONGEST_LINE = 1 << 16
_SHORTEST = 32
"""Bytes: no game is shorter, and a file of blank lines shall not fall into millions of segments."""

_LINE_END = rb"(?>\r\n|\r|\n)"
_BLANK_LINES = re.compile(_LINE_END + rb"(?:[ \t]*+" + _LINE_END + rb")+")
_TAG_AFTER_BLANK = re.compile(_BLANK_LINES.pattern + rb"(?=\[[A-Za-z])")
_VALID = re.compile("[^\x00-\x7f\udc80-\udcff]+")
_STRAY = re.compile("[\udc80-\udcff]+")
_SEQUENCE = re.compile(rb"[\xc2-\xf4][\x80-\xbf]")
_HIGH_BYTES = bytes(range(0x80, 0x100))


def blocks(file: BinaryIO) -> Iterator[bytes]:
    """The rest of a file in blocks that end with a line, or at least never inside a UTF-8 sequence."""
    carried = b""
    while True:
        block = carried + file.read(SCAN_BYTES)
        if len(block) >= SCAN_BYTES:
            block += file.readline(_LONGEST_LINE)
        if not block:
            return
        cut = len(block)
        if cut >= SCAN_BYTES and not block.endswith(b"\n"):
            while cut > len(block) - 4 and block[cut - 1] >= 0x80:
                cut -= 1
            if block[cut - 1] >= 0x80:  # no UTF-8: no place is better than another
                cut = len(block)
        yield block[:cut]
        carried = block[cut:]


def segments(data: bytes) -> Iterator[tuple[int, int]]:
    """(start, end) of each segment, together all of the data.

    A segment begins at a tag line after a blank line; in texts without such lines after any blank line.
    """
    borders = [match.end() for match in _TAG_AFTER_BLANK.finditer(data)]
    if not borders and not data.startswith(b"["):
        borders = [match.end() for match in _BLANK_LINES.finditer(data)]
    start = 0
    for border in borders:
        if border - start >= _SHORTEST:
            yield start, border
            start = border
    if start < len(data):
        yield start, len(data)


def n_high(data: bytes) -> int:
    """How many bytes are not ASCII."""
    return len(data) - len(data.translate(None, _HIGH_BYTES))


def has_utf8(data: bytes) -> bool:
    """True when there is anything that could be UTF-8 beyond ASCII."""
    return _SEQUENCE.search(data) is not None


def is_utf8(data: bytes) -> bool:
    """True when all of the data is valid UTF-8."""
    try:
        data.decode("utf-8")
    except UnicodeDecodeError:
        return False
    return True


def is_mostly_utf8(data: bytes) -> bool:
    """True when the characters in valid UTF-8 are as many as the bytes that are none: a slip in UTF-8, no code page."""
    valid = data.decode("utf-8", "ignore")
    n_invalid = len(data) - len(valid.encode())
    n_ascii = len(data) - n_high(data)
    return 0 < len(valid) - n_ascii >= n_invalid


def without_utf8(data: bytes) -> bytes:
    """The ASCII and the stray bytes; a blank for each stretch of valid UTF-8 beyond ASCII."""
    text = data.decode("utf-8", "surrogateescape")
    return _VALID.sub(" ", text).encode("ascii", "surrogateescape")


def patched(data: bytes) -> Iterator[tuple[int, int, bool]]:
    """(start, end, is_valid): valid UTF-8 and the stray bytes in between, in order."""
    text = data.decode("utf-8", "surrogateescape")
    at = char = 0
    for match in _STRAY.finditer(text):
        stop = at + len(text[char : match.start()].encode())
        if stop > at:
            yield at, stop, True
        at, char = stop + len(match[0]), match.end()
        yield stop, at, False
    if at < len(data):
        yield at, len(data), True


def is_cut_off(tail: bytes) -> bool:
    """True when the bytes begin a UTF-8 sequence that more bytes could complete."""
    try:
        return codecs.getincrementaldecoder("utf-8")().decode(tail) == ""
    except UnicodeDecodeError:
        return False
