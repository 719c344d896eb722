"""Rich Text Format → its text. Control words, hidden groups, and what is hidden or deleted, are dropped.

Characters are decoded by the code page of their font.
"""

from __future__ import annotations

import codecs
import re
from collections.abc import Mapping
from dataclasses import dataclass, replace
from functools import cache

from pipeline import tables
from pipeline.markup.view import View, Writer

_TOKEN = re.compile(
    r"\\'(?P<hex>[0-9a-fA-F]{2})|\\(?P<word>[A-Za-z]{1,32})(?P<number>-?\d{1,10})?[ ]?|\\(?P<sign>.)|[{}]|[\r\n]+", re.DOTALL
)
_FONT = re.compile(r"\\f(\d{1,5})\b(?:[^{}\\]{0,80}\\(?!fcharset|f\d)){0,8}[^{}\\]{0,80}\\fcharset(\d{1,3})")
_CODE_PAGE = re.compile(r"\\ansicpg(\d{3,5})")
_FALLBACK = re.compile(r"\\'[0-9a-fA-F]{2}|\\[A-Za-z]{1,32}(?:-?\d{1,10})?[ ]?|[^{}\\\r\n]")
_SQUARE = re.compile(r"x?[a-h]?x?[a-h][1-8]")
_UNKNOWN_MAN = "pict"
"""Stands for a picture just before a square: a man that nobody names. The move must not be read as a pawn's."""
_HEAD = 1 << 16
"""Characters in which the table of fonts stands."""


@cache
def _words() -> Mapping[str, tuple[str, str]]:
    """Control word → effect and text."""
    return {row["word"]: (row["effect"], row["text"]) for row in tables.rows("rtf_words")}


@dataclass(frozen=True, slots=True)
class _Group:
    """What holds until the group ends."""

    is_hidden: bool
    encoding: str
    is_unseen: bool = False
    """Text is formatted as hidden, or deleted while changes were tracked."""
    n_fallback: int = 1
    """Characters after `\\u…` for readers without Unicode."""


def view(text: str) -> list[View]:
    """What a reader sees of a document."""
    return [_Document(text).read()]


class _Document:
    def __init__(self, text: str) -> None:
        self.text = text
        self.out = Writer(text)
        page = _CODE_PAGE.search(text, 0, _HEAD)
        self.page = _encoding(f"cp{page[1]}" if page else "cp1252")
        self.fonts = {m[1]: _encoding(_words().get(f"={m[2]}", ("", ""))[1]) for m in _FONT.finditer(text, 0, _HEAD)}
        self.group = _Group(is_hidden=False, encoding=self.page)
        self.outer: list[_Group] = []
        self.high = ""
        """First half of a surrogate pair that was just read."""
        self.picture: tuple[int, int] | None = None
        """Where a picture stands behind which nothing was seen yet."""

    def read(self) -> View:
        at = 0
        while token := _TOKEN.search(self.text, at):
            self._copy(at, token.start())
            at = self._token(token)
        self._copy(at, len(self.text))
        return self.out.view()

    def _copy(self, start: int, end: int) -> None:
        if end > start and self._is_seen():
            if self.picture and _SQUARE.match(self.text, start):
                self.out.put(_UNKNOWN_MAN, *self.picture)
            self.picture = None
            self.out.copy(start, end)

    def _put(self, seen: str, start: int, end: int) -> None:
        if self._is_seen():
            self.picture = None
            self.out.put(seen, start, end)

    def _is_seen(self) -> bool:
        return not (self.group.is_hidden or self.group.is_unseen)

    def _token(self, token: re.Match[str]) -> int:
        start, end = token.span()
        if token["hex"]:
            self._put(bytes([int(token["hex"], 16)]).decode(self.group.encoding, "replace"), start, end)
        elif token["word"]:
            return self._word(token["word"], token["number"], start, end)
        elif token[0] == "{":
            self.outer.append(self.group)
        elif token[0] == "}":
            self.group = self.outer.pop() if self.outer else self.group
        elif token["sign"] == "*":
            self.group = replace(self.group, is_hidden=True)
        elif token["sign"]:
            self._effect(token["sign"], start, end)
        return end

    def _word(self, word: str, number: str | None, start: int, end: int) -> int:
        if word == "u" and number:
            return self._unicode(int(number), start, end)
        if word == "uc" and number:
            self.group = replace(self.group, n_fallback=min(max(int(number), 0), 8))
        elif word == "f" and number:
            self.group = replace(self.group, encoding=self.fonts.get(number) or self.page)
        elif word == "plain":
            self.group = replace(self.group, encoding=self.page, is_unseen=False)
        elif word == "bin" and number:
            return min(end + max(int(number), 0), len(self.text))
        elif _words().get(word, ("", ""))[0] == "unseen":
            self.group = replace(self.group, is_unseen=number is None or int(number) != 0)
        else:
            self._effect(word, start, end)
        return end

    def _effect(self, word: str, start: int, end: int) -> None:
        effect, seen = _words().get(word, ("", ""))
        if effect == "hidden":
            if word == "pict":
                self.picture = (start, end)
            self.group = replace(self.group, is_hidden=True)
        elif effect == "line":
            self._put("\n", start, end)
        elif effect == "blank":
            self._put(" ", start, end)
        elif effect == "symbol":
            self._put(seen, start, end)

    def _unicode(self, number: int, start: int, end: int) -> int:
        """A character by its number, with what stands there for readers that do not know it."""
        for _ in range(self.group.n_fallback):
            fallback = _FALLBACK.match(self.text, end)
            if not fallback:
                break
            end = fallback.end()
        code = number & 0xFFFF
        if 0xD800 <= code < 0xDC00:
            self.high = chr(code)
            return end
        pair, self.high = self.high, ""
        is_second = 0xDC00 <= code < 0xE000
        if is_second and pair:
            code = 0x10000 + ((ord(pair) & 0x3FF) << 10) + (code & 0x3FF)
        self._put("\ufffd" if is_second and not pair else chr(code), start, end)
        return end


def _encoding(name: str) -> str:
    """A single-byte code page that Python knows, else Western."""
    try:
        return codecs.lookup(name).name if name else ""
    except LookupError:
        return "cp1252"
