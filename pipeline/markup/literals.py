"""String literals of programs (JavaScript, PHP, Java, C, Python) and of JSON, with comments, decoded.

No grammar of a language: quotes, escapes and comments are enough, and a program that is cut anywhere still reads.
"""

from __future__ import annotations

import re
from bisect import bisect_left
from collections.abc import Generator, Iterator
from dataclasses import dataclass
from typing import Final

from pipeline.markup.view import Writer

_START = re.compile(r"\\.|//|/\*|#|<\?(?:php\b|=)?|\?>|\"\"\"|'''|[\"'`]|<<<", re.DOTALL)
_ENDS: Final = {q: re.compile(rf"[^\\{q}]*(?:\\.[^\\{q}]*)*{q}", re.DOTALL) for q in "\"'`"} | {
    q * 3: re.compile(rf"[^\\{q}]*(?:(?:\\.|{q}(?!{q * 2}))[^\\{q}]*)*{q * 3}", re.DOTALL) for q in "\"'"
}
"""Unrolled, each character in one way only: groups with alternatives that give nothing back are wrong in Python before 3.11.4."""
_LINE_ENDS: Final = {q: re.compile(rf"[^\\{q}\r\n]*(?:\\(?:\r\n|.)[^\\{q}\r\n]*)*{q}", re.DOTALL) for q in "\"'"}
"""Quotes that end on their line, but for an escaped line end; PHP's may hold line ends."""
_HEREDOC = re.compile(r"<<<[ \t]*(?P<quote>[\"']?)(?P<name>[A-Za-z_]\w*)(?P=quote)\r?\n")
_ESCAPE = re.compile(
    r"\\(?:u(?P<high>[dD][89abAB][0-9a-fA-F]{2})\\u(?P<low>[dD][c-fC-F][0-9a-fA-F]{2})"
    r"|u\{(?P<braced>[0-9a-fA-F]{1,6})\}|u(?P<four>[0-9a-fA-F]{4})|x(?P<two>[0-9a-fA-F]{2})|(?P<newline>\r\n|[\r\n])|(?P<char>.))",
    re.DOTALL,
)
_FIRST_WORD = re.compile(r"^[ \t]*([A-Za-z_]\w*)", re.MULTILINE)
_CHARS: Final = {"n": "\n", "r": "\r", "t": "\t", "b": "\b", "f": "\f", "v": "\v", "0": "\0"}
_PYTHON = re.compile(r"^[ \t]*(?:def \w+\(|from [\w.]+ import |import \w+[\w., ]*$|elif |print\()", re.MULTILINE)
_TEXT_OF_COMMENT = re.compile(r"[^\s*/#][^\r\n]*")


@dataclass(frozen=True, slots=True)
class Piece:
    """A stretch of a program, without its signs: `text` (inside of a literal), `page` (text around PHP), `comment`, `code`."""

    kind: str
    start: int
    end: int
    manner: str = ""
    """How a literal escapes: `'` PHP's single quotes, `\\` the common way, nothing = not at all."""


def pieces(text: str) -> Iterator[Piece]:
    """Literals, comments and the code between, in order; empty stretches of code are left out."""
    return _Program(text).pieces()


def write(out: Writer, piece: Piece) -> None:
    """Add the decoded inside of a literal."""
    text, at = out.text, piece.start
    if piece.manner:
        while (slash := text.find("\\", at, piece.end)) >= 0:
            escape = _ESCAPE.match(text, slash, piece.end)
            if not escape:
                break
            out.copy(at, slash)
            at = escape.end()
            if piece.manner == "'" and escape["char"] not in ("'", "\\"):
                at = slash + 1
                out.copy(slash, at)
                continue
            decoded = _decoded(escape)
            if decoded:
                out.put(decoded, slash, at)
    out.copy(at, piece.end)


def _decoded(escape: re.Match[str]) -> str:
    if escape["high"]:
        return chr(0x10000 + ((int(escape["high"], 16) & 0x3FF) << 10) + (int(escape["low"], 16) & 0x3FF))
    code = escape["braced"] or escape["four"] or escape["two"]
    if code:
        number = int(code, 16)
        return "\ufffd" if number > 0x10FFFF or 0xD800 <= number < 0xE000 else chr(number)
    return _CHARS.get(escape["char"], escape["char"]) if escape["char"] else ""


class _Program:
    def __init__(self, text: str) -> None:
        self.text = text
        self.is_php = "<?php" in text or "<?=" in text
        self.has_hash = self.is_php or bool(_PYTHON.search(text))
        self.endless: set[str] = set()
        self.first_words: dict[str, list[tuple[int, int]]] | None = None
        """Words that lines begin with → where, found when the first heredoc is met: looking for its end stays cheap."""

    def pieces(self) -> Iterator[Piece]:
        """Walk from literal to literal; PHP begins outside of its code, where all is text."""
        text, at = self.text, 0
        if self.is_php:
            at = yield from self._page(0)
        code = at
        while start := _START.search(text, at):
            here, sign = start.start(), start[0]
            piece, at = self._piece(here, sign)
            if sign == "?>" and self.is_php:
                yield from self._code(code, here)
                at = code = yield from self._page(start.end())
            elif piece:
                yield from self._code(code, here)
                yield piece
                code = at
        yield from self._code(code, len(text))

    def _code(self, start: int, end: int) -> Iterator[Piece]:
        if end > start:
            yield Piece("code", start, end)

    def _page(self, start: int) -> Generator[Piece, None, int]:
        """Text outside of `<?php … ?>`."""
        opening = re.compile(r"<\?(?!xml\b)(?:php\b|=)?").search(self.text, start)
        end = opening.start() if opening else len(self.text)
        if end > start:
            yield Piece("page", start, end)
        return opening.end() if opening else end

    def _piece(self, start: int, sign: str) -> tuple[Piece | None, int]:
        """What begins with `sign`, if it is a literal or a comment, and where reading goes on."""
        text, inside = self.text, start + len(sign)
        if sign in ("//", "#"):
            if sign == "#" and not self.has_hash:
                return None, inside
            end = _line_end(text, inside)
            close = text.find("?>", inside, end) if self.is_php else -1
            end = close if close >= 0 else end
            return Piece("comment", inside, end), end
        if sign == "/*":
            end = self._find("*/", inside)
            return (Piece("comment", inside, end), end + 2) if end >= 0 else (None, inside)
        if sign == "<<<":
            return self._heredoc(start)
        if sign[0] in "\"'`":
            return self._literal(start, sign)
        return None, inside

    def _literal(self, start: int, quote: str) -> tuple[Piece | None, int]:
        inside = start + len(quote)
        is_on_a_line = len(quote) == 1 and quote != "`" and not self.is_php
        end = None
        if is_on_a_line or quote not in self.endless:
            end = (_LINE_ENDS if is_on_a_line else _ENDS)[quote].match(self.text, inside)
            if not end and not is_on_a_line:
                self.endless.add(quote)
        if not end:
            return None, start + 1
        manner = "'" if self.is_php and quote == "'" else "\\"
        return Piece("text", inside, end.end() - len(quote), manner), end.end()

    def _heredoc(self, start: int) -> tuple[Piece | None, int]:
        opening = _HEREDOC.match(self.text, start)
        if not opening:
            return None, start + 3
        if self.first_words is None:
            self.first_words = {}
            for word in _FIRST_WORD.finditer(self.text):
                self.first_words.setdefault(word[1], []).append(word.span())
        closings = self.first_words.get(opening["name"], [])
        k = bisect_left(closings, (opening.end(), 0))
        if k == len(closings):
            return None, start + 3
        end, behind = closings[k]
        return Piece("text", opening.end(), end, "" if opening["quote"] == "'" else "\\"), behind

    def _find(self, closing: str, start: int) -> int:
        end = -1 if closing in self.endless else self.text.find(closing, start)
        if end < 0:
            self.endless.add(closing)
        return end


def _line_end(text: str, start: int) -> int:
    """End of the line without its line feed."""
    end = text.find("\n", start)
    end = len(text) if end < 0 else end
    return end - 1 if end > start and text[end - 1] == "\r" else end


def comment_lines(text: str, piece: Piece) -> Iterator[tuple[int, int]]:
    """Lines of a comment, without signs and blanks around them."""
    for line in _TEXT_OF_COMMENT.finditer(text, piece.start, piece.end):
        yield line.start(), line.start() + len(line[0].rstrip())
