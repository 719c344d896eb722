"""Bytes → the decision which encoding they are in → text, with every byte accounted for.

Order of proof: a byte order mark, the caller's word, the places of NULs (UTF-16 and UTF-32), pure ASCII, valid UTF-8, then
the likelihood of each code page (`scoring`). One file may hold games of several encodings, so what is no valid UTF-8 as a
whole is looked at segment by segment (`segments`).
"""

from __future__ import annotations

import codecs
import io
import os
import re
from collections.abc import Iterator
from dataclasses import replace
from itertools import repeat
from typing import BinaryIO

import numpy as np

from pipeline.sources.binary import CHECKED_BYTES, binary_reason, byte_order_mark, wide_encoding
from pipeline.sources.decision import FALLBACK, Decision, Kind
from pipeline.sources.paths import native
from pipeline.sources.scoring import SAFE_MARGIN, Sampler, Score, best_page, scores, unlikely
from pipeline.sources.segments import (
    blocks,
    has_utf8,
    is_cut_off,
    is_mostly_utf8,
    is_utf8,
    n_high,
    patched,
    segments,
    without_utf8,
)  # fmt: skip
from pipeline.sources.text import Piece, Text

_MAX_ALTERNATIVES = 3
_MAX_LEGACIES = 4
_FALLBACK_BONUS = 7.0
"""Log prior of the fallback for the few stray bytes of a file in UTF-8."""
_BINARY = "latin-1"


_OWN_NAMES = {
    "utf-8-sig": "utf-8", "utf-16": "utf-16-le", "utf-32": "utf-32-le", "iso8859-1": "cp1252", "iso8859-9": "cp1254"
}  # fmt: skip
_PLAIN = "e4+AC-\\x41"
_ALL_BYTES = bytes(range(256))
_EAST_ASIAN = frozenset(
    ("gb18030", "gbk", "gb2312", "big5", "big5hkscs", "cp950", "shift_jis", "cp932", "euc_jp", "euc_kr", "cp949")
)


class UnknownEncoding(ValueError):
    """An encoding was named that does not exist or does not map bytes to text one way."""


def check_encoding(name: str) -> str:
    """The canonical name of an encoding that the caller may ask for. Raises UnknownEncoding with what can be done."""
    try:
        canonical = codecs.lookup(name).name
        canonical = _OWN_NAMES.get(canonical, canonical)
        is_unicode = canonical.startswith(("utf-16-", "utf-32-")) or canonical in ("utf-8", "ascii")
        if is_unicode or canonical in _EAST_ASIAN:
            return canonical
        is_code_page = _PLAIN.encode().decode(canonical) == _PLAIN and len(_ALL_BYTES.decode(canonical, "replace")) == 256
    except (LookupError, ValueError, TypeError, AttributeError):
        is_code_page = False
    if not is_code_page:
        raise UnknownEncoding(f"unknown encoding {name!r}: use for example utf-8, cp1251, koi8-r, cp866 or cp1252")
    return canonical


def decide(data: bytes, hint: str | None = None) -> Decision:
    """The encoding of a whole source. `hint` decides unless a byte order mark speaks.

    Never fails for any bytes; deterministic; linear in their number. Raises UnknownEncoding for a bad hint.
    """
    return _decide(io.BytesIO(data), hint)


def decide_file(path: str, hint: str | None = None) -> Decision:
    """The same for a plain file of any size, named by a Member's `absolute_path`, in bounded memory. Raises OSError."""
    with open(native(path), "rb") as file:
        return _decide(file, hint)


def _decide(file: BinaryIO, hint: str | None) -> Decision:
    named = check_encoding(hint) if hint is not None else None
    head = file.read(CHECKED_BYTES)
    file.seek(max(len(head), file.seek(0, os.SEEK_END) - CHECKED_BYTES))
    tail = file.read(CHECKED_BYTES)
    file.seek(0)
    mark = byte_order_mark(head)
    if mark is not None:
        named, kind = mark[0], "bom"
    elif named is not None:
        kind = "hint"
    else:
        named, kind = wide_encoding(head), "utf16"
    if named is not None and named != "utf-8":
        return Decision(named, kind=kind)  # type: ignore[arg-type]
    if named is None and binary_reason(head + tail) is not None:
        return Decision("binary", kind="binary")
    weighed = _Evidence().of(file)
    if named == "utf-8":
        legacies = weighed.legacies or (FALLBACK,)
        return Decision("utf-8", kind=kind, legacies=legacies)  # type: ignore[arg-type]
    return weighed


class _Evidence:
    """What the blocks of a file say together, when no mark and nobody says how they are encoded."""

    def __init__(self) -> None:
        self._n_utf8 = 0
        self._n_others = 0
        self._seen = np.zeros(256, dtype=bool)
        self._sampler = Sampler()

    def of(self, file: BinaryIO) -> Decision:
        """The decision about all blocks of the file; looks again for segments that the best code page reads badly."""
        for block in blocks(file):
            self._add(block)
        if not self._n_utf8 and not self._n_others:
            return Decision.of_valid_utf8(is_ascii=True)
        if not self._seen.any():
            return Decision.of_valid_utf8(is_ascii=False)
        ranked = scores(self._sampler.sample())
        others: tuple[str, ...] = ()
        while (found := _another_code_page(file, (ranked[0].encoding, *others))) is not None:
            other, own_words = found
            others = (*others, other)
            ranked = scores(own_words)
        is_unicode = self._n_utf8 >= self._n_others
        if is_unicode:
            ranked.sort(key=lambda s: -s.log_likelihood - (_FALLBACK_BONUS if s.encoding == FALLBACK else 0))
        best, *rest = ranked
        rivals = [s for s in rest if self._differs(s, best)]
        legacies = (best.encoding, *(other for other in others if other != best.encoding))
        near = tuple(s.encoding for s in rivals if best.log_likelihood - s.log_likelihood < SAFE_MARGIN)[:_MAX_ALTERNATIVES]
        runner_up = rivals[0].encoding if rivals else None
        margin = best.log_likelihood - rivals[0].log_likelihood if rivals else None
        kind: Kind = "mixed" if self._n_utf8 or len(legacies) > 1 else "scored"
        return Decision("utf-8" if is_unicode else best.encoding, runner_up, margin, kind, legacies, near)

    def _add(self, block: bytes) -> None:
        if block.isascii():
            return
        if is_utf8(block):
            self._n_utf8 += n_high(block) // 2
        elif not has_utf8(block):
            self._add_other(block)
        else:
            for start, end in segments(block):
                segment = block[start:end]
                if segment.isascii():
                    continue
                if not is_mostly_utf8(segment):
                    self._add_other(segment)
                    continue
                self._n_utf8 += n_high(segment) // 2
                stray = without_utf8(segment)
                self._sampler.add(stray)
                self._see(stray)

    def _add_other(self, part: bytes) -> None:
        self._n_others += n_high(part)
        self._sampler.add(part)
        self._see(part)

    def _see(self, part: bytes) -> None:
        self._seen |= np.bincount(np.frombuffer(part, dtype=np.uint8), minlength=256) > 0

    def _differs(self, rival: Score, best: Score) -> bool:
        return any(rival.page.characters[b] != best.page.characters[b] for b in np.flatnonzero(self._seen))


def _another_code_page(file: BinaryIO, known: tuple[str, ...]) -> tuple[str, bytes] | None:
    """A code page of segments that the known ones cannot have written, and a sample of the words that they can have.

    None when there is no such segment or no other, when nothing new explains them, or when the file is such a mixture
    already that more would be guesses.
    """
    if len(known) == _MAX_LEGACIES:
        return None
    words = _words(file, known, is_odd=True)
    own_words = _words(file, known, is_odd=False) if words else b""
    if not own_words:
        return None
    other = scores(words)[0].encoding
    return None if other in known else (other, own_words)


def _words(file: BinaryIO, known: tuple[str, ...], *, is_odd: bool) -> bytes:
    """A sample of the words of those segments in code pages that the known ones can (not: `is_odd`) have written."""
    sampler = Sampler()
    file.seek(0)
    for block in blocks(file):
        if is_utf8(block):
            continue
        ranges = list(segments(block))
        for number in np.flatnonzero(unlikely(block, [start for start, _ in ranges], known) == is_odd):
            segment = block[slice(*ranges[number])]
            if not segment.isascii() and not is_mostly_utf8(segment):
                sampler.add(segment)
    return sampler.sample()


def decode(data: bytes, decision: Decision) -> Text:
    """The text of a source, or of a part of it that begins and ends at a segment's border. Never fails, drops no byte.

    A byte order mark is no text; every other byte belongs to a character, U+FFFD where the encoding has none.
    """
    encoding = decision.encoding
    mark = byte_order_mark(data)
    start = mark[1] if mark is not None and mark[0] == encoding else 0
    if encoding == "binary":
        stretches = iter([(0, len(data), _BINARY)])
    elif encoding.startswith(("utf-16", "utf-32")) or (decision.kind == "hint" and encoding != "utf-8"):
        stretches = iter([(start, len(data), encoding)])
    else:
        stretches = _stretches(data, start, decision)
    return _text(data, decision, stretches)


def _stretches(data: bytes, start: int, decision: Decision) -> Iterator[tuple[int, int, str]]:
    """(start, end, encoding) of the parts of a file that is UTF-8, a code page, or a mixture of both."""
    legacies = decision.legacies or (FALLBACK,)
    is_unicode = decision.encoding in ("utf-8", "ascii")
    body = data[start:] if start else data
    if body.isascii() or (not is_unicode and len(legacies) == 1 and not has_utf8(body)):
        yield start, len(data), decision.encoding
        return
    if is_unicode and is_utf8(body):
        yield start, len(data), "utf-8"
        return
    ranges = list(segments(body))
    is_odd = unlikely(body, [begin for begin, _ in ranges], legacies[:1]) if len(legacies) > 1 else repeat(False)
    for (begin, end), odd in zip(ranges, is_odd, strict=False):
        segment = body[begin:end]
        begin += start
        end += start
        if segment.isascii():
            yield begin, end, decision.encoding
        elif is_utf8(segment):
            yield begin, end, "utf-8"
        elif is_mostly_utf8(segment):
            for at, stop, is_valid in patched(segment):
                is_cut = not is_valid and begin + stop == len(data) and is_cut_off(segment[at:])
                yield begin + at, begin + stop, "utf-8" if is_valid else _CUT_OFF if is_cut else legacies[0]
        else:
            yield begin, end, best_page(segment, legacies) if odd else legacies[0]


_CUT_OFF = "utf-8 cut off"
"""The beginning of a UTF-8 sequence at the very end of the data: one U+FFFD, whatever its length."""


def _text(data: bytes, decision: Decision, stretches: Iterator[tuple[int, int, str]]) -> Text:
    """Decode each stretch and note where it starts; neighbours in one encoding become one."""
    merged: list[tuple[int, int, str]] = []
    for start, end, encoding in stretches:
        if merged and merged[-1][2] == encoding:
            start = merged.pop()[0]
        if end > start:
            merged.append((start, end, encoding))
    parts: list[str] = []
    pieces: list[Piece] = []
    n_chars = 0
    for start, end, encoding in merged:
        for at, text, width in _decoded(data, start, end, encoding):
            pieces.append(Piece(n_chars, at, "utf-8" if encoding == _CUT_OFF else encoding, width))
            parts.append(text)
            n_chars += len(text)
    return Text("".join(parts), data, decision, tuple(pieces), tuple(_alternatives(decision)))


def _alternatives(decision: Decision) -> Iterator[Decision]:
    for name in decision.alternatives:
        encoding = decision.encoding if decision.encoding == "utf-8" else name
        legacies = (name, *(other for other in decision.legacies[1:] if other != name))
        yield replace(decision, encoding=encoding, legacies=legacies, runner_up=None, margin=None, alternatives=())


def _decoded(data: bytes, start: int, end: int, encoding: str) -> Iterator[tuple[int, str, int]]:
    """(first byte, text, bytes per character or 0) of a stretch; a tail that is no whole unit is one U+FFFD."""
    part = data[start:end] if start or end < len(data) else data
    if encoding.startswith(("utf-16", "utf-32")):
        width = 2 if encoding.startswith("utf-16") else 4
        whole = len(part) - len(part) % width
        if whole:
            text = _unicode_units(part[:whole], encoding)
            yield start, text, width if len(text) * width == whole else 0
        if whole < len(part):
            yield start + whole, "\ufffd", len(part) - whole
    elif encoding == _CUT_OFF:
        yield start, "\ufffd", end - start
    else:
        is_wide = encoding == "utf-8" or encoding in _EAST_ASIAN
        yield start, part.decode(encoding, "replace"), 0 if is_wide and not part.isascii() else 1


def _unicode_units(part: bytes, encoding: str) -> str:
    """Whole UTF-16 or UTF-32 units as text; a lone surrogate or a number beyond Unicode is U+FFFD."""
    if encoding.startswith("utf-16"):
        text = part.decode(encoding, "surrogatepass")
    else:
        units = np.frombuffer(part, dtype="<u4" if encoding.endswith("le") else ">u4")
        text = np.where(units > 0x10FFFF, 0xFFFD, units).astype("<u4").tobytes().decode("utf-32-le", "surrogatepass")
    return re.sub("[\ud800-\udfff]", "\ufffd", text)
