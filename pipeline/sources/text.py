"""Decoded text that knows, for every character, the original bytes that it came from.

The map from characters to bytes is kept as runs of characters that take equally many bytes: a handful of runs for a file
in one code page or ASCII, two for each word of Cyrillic in UTF-8, never more than one for a character (8 bytes each).
"""

from __future__ import annotations

import codecs
import re
from bisect import bisect_right
from dataclasses import dataclass, field
from functools import cached_property

import numpy as np
import numpy.typing as npt

from pipeline.sources.decision import Decision

Offsets = npt.NDArray[np.int64]
_Runs = tuple[npt.NDArray[np.signedinteger], npt.NDArray[np.signedinteger]]
_SCAN_BYTES = 1 << 20
_LINE_END = re.compile(r"\r\n?|\n")


@dataclass(frozen=True, slots=True)
class Piece:
    """A stretch that was decoded in one go. `width`: bytes for each character; 0 = look at the bytes (`encoding` says how)."""

    start_char: int
    start_byte: int
    encoding: str
    width: int


@dataclass(frozen=True)
class Text:
    """The text of a source. Offsets are in characters (code points) unless a name says byte; all ranges are half-open."""

    text: str
    data: bytes
    decision: Decision
    pieces: tuple[Piece, ...] = field(repr=False)
    """In order, without gap; the first starts after a byte order mark."""
    alternatives: tuple[Decision, ...] = ()
    """Other readings that the bytes do not rule out, most likely first: `decode(text.data, alternative)` and let the
    board decide. Empty when the decision is safe."""

    @property
    def encoding(self) -> str:
        """The source's main encoding."""
        return self.decision.encoding

    @cached_property
    def segments(self) -> tuple[tuple[int, str], ...]:
        """(start, encoding) of each stretch, in order; more than one when the source mixes encodings."""
        merged: list[tuple[int, str]] = []
        for piece in self.pieces:
            if not merged or merged[-1][1] != piece.encoding:
                merged.append((piece.start_char, piece.encoding))
        return tuple(merged)

    def encoding_at(self, char: int) -> str:
        """The encoding that the character at this offset was decoded with."""
        at = bisect_right(self._segment_starts, char) - 1
        return self.segments[max(at, 0)][1] if self.segments else self.encoding

    def byte_offset(self, char: int) -> int:
        """The original byte where the character starts; `len(text)` → `len(data)`. Raises IndexError outside of the text."""
        if not 0 <= char <= len(self.text):
            raise IndexError(f"character {char} of {len(self.text)}")
        if not self.text:
            return len(self.data)
        chars, bytes_ = self._runs
        k = 0
        if len(chars) > 2:  # a number of the array's own type: any other would convert the whole array
            k = min(max(int(chars.searchsorted(chars.dtype.type(char), side="right")) - 1, 0), len(chars) - 2)
        start, end = chars.item(k), chars.item(k + 1)
        first = bytes_.item(k)
        return int(first + (char - start) * (bytes_.item(k + 1) - first) // (end - start))

    def byte_offsets(self, chars: npt.ArrayLike) -> Offsets:
        """The original byte where each character starts. Offsets must lie in [0, len(text)], in any order."""
        return _interpolated(np.asarray(chars, dtype=np.int64), *self._runs)

    def char_offsets(self, byte_offsets: npt.ArrayLike) -> Offsets:
        """The character that each original byte belongs to; a byte order mark belongs to the first character."""
        chars, bytes_ = self._runs
        return _interpolated(np.asarray(byte_offsets, dtype=np.int64), bytes_, chars)

    def utf8(self) -> bytes:
        """The text as UTF-8: the original bytes themselves (after a byte order mark) wherever they are UTF-8."""
        skip = self._utf8_skip
        if skip is None:
            return self.text.encode()
        return self.data[skip:] if skip else self.data

    def utf8_to_byte(self, utf8_offsets: npt.ArrayLike) -> Offsets:
        """Offsets into `utf8()` → offsets into the original bytes; inside a character, the start of that character."""
        at = np.asarray(utf8_offsets, dtype=np.int64)
        if self._utf8_skip is not None:
            return at + self._utf8_skip
        chars, utf8 = self._utf8_runs
        return self.byte_offsets(_interpolated(at, utf8, chars))

    def line_column(self, char: int) -> tuple[int, int]:
        """Line and column, both from 1, in characters. CR, LF and CRLF each end a line."""
        starts = self._line_starts
        line = bisect_right(starts, char)
        return line, char - starts[line - 1] + 1

    @cached_property
    def _segment_starts(self) -> tuple[int, ...]:
        return tuple(start for start, _ in self.segments)

    @cached_property
    def _line_starts(self) -> list[int]:
        return [0, *(match.end() for match in _LINE_END.finditer(self.text))]

    @cached_property
    def _utf8_skip(self) -> int | None:
        """Length of the byte order mark when the bytes after it are UTF-8 as they stand, else None."""
        if not self.pieces:
            return len(self.data)
        is_utf8 = all(p.encoding == "utf-8" and p.width == 0 for p in self.pieces) or self._is_ascii
        return self.pieces[0].start_byte if is_utf8 else None

    @property
    def _is_ascii(self) -> bool:
        return len(self.text) == len(self.data) - self.pieces[0].start_byte and self.text.isascii()

    @cached_property
    def _runs(self) -> _Runs:
        """First character and first byte of each run of equally wide characters, and the ends of both."""
        dtype = np.int64 if len(self.data) >= 1 << 31 else np.int32
        chars: list[npt.NDArray[np.signedinteger]] = []
        bytes_: list[npt.NDArray[np.signedinteger]] = []
        for i, piece in enumerate(self.pieces):
            end = self.pieces[i + 1].start_byte if i + 1 < len(self.pieces) else len(self.data)
            if piece.width:
                starts: tuple[npt.NDArray[np.int64], npt.NDArray[np.int64]] = _ZERO, _ZERO
            elif piece.encoding == "utf-8":
                starts = utf8_runs(self.data, piece.start_byte, end)
            elif piece.encoding.startswith("utf-16"):
                starts = utf16_runs(self.data[piece.start_byte : end], piece.encoding)
            else:
                starts = multibyte_runs(self.data[piece.start_byte : end], piece.encoding)
            chars.append((starts[0] + piece.start_char).astype(dtype))
            bytes_.append((starts[1] + piece.start_byte).astype(dtype))
        chars.append(np.array([len(self.text)], dtype=dtype))
        bytes_.append(np.array([len(self.data)], dtype=dtype))
        return np.concatenate(chars), np.concatenate(bytes_)

    @cached_property
    def _utf8_runs(self) -> _Runs:
        encoded = self.text.encode()
        chars, bytes_ = utf8_runs(encoded, 0, len(encoded))
        return np.append(chars, len(self.text)), np.append(bytes_, len(encoded))


_ZERO = np.zeros(1, dtype=np.int64)


def _interpolated(at: Offsets, xs: npt.NDArray[np.signedinteger], ys: npt.NDArray[np.signedinteger]) -> Offsets:
    """The piecewise linear map through the points (xs, ys), rounded down inside an interval; exact at its ends."""
    if len(xs) < 2 or xs[-1] == xs[0]:
        return np.full(at.shape, ys[-1], dtype=np.int64)
    k = np.clip(xs.searchsorted(at.astype(xs.dtype, copy=False), side="right") - 1, 0, len(xs) - 2)
    x0 = xs[k].astype(np.int64)
    y0 = ys[k].astype(np.int64)
    n_x = xs[k + 1] - x0
    n_y = ys[k + 1] - y0
    result: Offsets = y0 + np.maximum(at - x0, 0) * n_y // n_x
    return result


_UTF8_WIDTH = np.zeros(256, dtype=np.uint8)
"""Bytes of the character that a lead byte starts; 0 for a continuation byte."""
_UTF8_WIDTH[:0x80] = 1
_UTF8_WIDTH[0xC0:0xE0] = 2
_UTF8_WIDTH[0xE0:0xF0] = 3
_UTF8_WIDTH[0xF0:] = 4


def utf8_runs(data: bytes, start: int, end: int) -> tuple[Offsets, Offsets]:
    """(first character, first byte) of each run of equally wide characters of valid UTF-8, relative to `start`."""
    chars = []
    bytes_ = []
    n_chars = 0
    last_width = 0
    for at in range(start, end, _SCAN_BYTES):
        widths = _UTF8_WIDTH[np.frombuffer(data, np.uint8, min(_SCAN_BYTES, end - at), at)]
        leads = np.flatnonzero(widths)
        widths = widths[leads]
        changes = np.flatnonzero(np.diff(widths, prepend=np.uint8(last_width)))
        chars.append(changes + n_chars)
        bytes_.append(leads[changes] + (at - start))
        n_chars += len(leads)
        if len(widths):
            last_width = int(widths[-1])
    if not chars:
        return _ZERO[:0], _ZERO[:0]
    return np.concatenate(chars), np.concatenate(bytes_)


def utf16_runs(data: bytes, encoding: str) -> tuple[Offsets, Offsets]:
    """As `utf8_runs`, of whole UTF-16 units: four bytes for a character that takes a pair of surrogates, else two."""
    units = np.frombuffer(data, dtype="<u2" if encoding.endswith("le") else ">u2")
    is_high = (units & 0xFC00) == 0xD800
    is_low = (units & 0xFC00) == 0xDC00
    is_pair = np.zeros(len(units), dtype=bool)
    is_pair[:-1] = is_high[:-1] & is_low[1:]
    is_second = np.zeros(len(units), dtype=bool)
    is_second[1:] = is_pair[:-1]
    starts = np.flatnonzero(~is_second)
    widths = np.where(is_pair[starts], 4, 2)
    changes = np.flatnonzero(np.diff(widths, prepend=0))
    return changes.astype(np.int64), starts[changes].astype(np.int64) * 2


def multibyte_runs(data: bytes, encoding: str) -> tuple[Offsets, Offsets]:
    """As `utf8_runs`, for East Asian code pages (only on a hint): each byte is fed to the decoder on its own, which is slow."""
    decoder = codecs.getincrementaldecoder(encoding)("replace")
    bytes_: list[int] = []
    start = 0
    for end in range(1, len(data) + 2):
        n_new = len(decoder.decode(data[end - 1 : end], final=end > len(data)))
        bytes_.extend(range(start, start + n_new))  # several at once: stray bytes, one each, and what follows them
        start = min(end, len(data)) - len(decoder.getstate()[0])
    return np.arange(len(bytes_)), np.array(bytes_, dtype=np.int64)
