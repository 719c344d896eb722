"""Tag sections: `[Name "value"]` lines as people wrote them → tag pairs and issues.

Source: PGN standard 8.1. Beyond it: several tags on a line, typographic quotes, quotes and brackets inside values,
a lone backslash at the end, names with blanks, blank lines between tags, a missing closing quote.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from functools import cache
from typing import Final

from pipeline import tables
from pipeline.model import Issue, TagPair

QUOTES: Final = '"“”„‟«»″'
_NAME = r"[^\W\d_][\w#+=:./-]*(?:[ \t]+[\w#+=:./-]+){0,3}?"
START: Final = re.compile(rf"(?:\A|(?<=[\r\n]))[ \t\ufeff]*\[[ \t]*{_NAME}[ \t]*[{QUOTES}]")
"""A tag pair at the start of a line."""
_OPENING = re.compile(rf"[ \t\ufeff]*\[[ \t]*({_NAME})[ \t]*[{QUOTES}]")
_CLOSING = re.compile(rf"[{QUOTES}][ \t]*\](?=[ \t]*(?:$|[\r\n\[;%]|\{{))", re.MULTILINE)
_LINE = re.compile(r"[^\r\n]*")
_ESCAPE = re.compile(r'\\(["\\])')
_NEW_GAME_TAGS: Final = 3


class Section:
    """The tag section that begins at `start`: its pairs, their issues, and where it ends (after the last tag)."""

    def __init__(self, text: str, start: int) -> None:
        self.pairs: list[TagPair] = []
        self.issues: list[Issue] = []
        self.end = start
        self._seen: set[str] = set()
        self._line_end = -1
        self._read(text, start)

    def _read(self, text: str, at: int) -> None:
        while True:
            blank = _blank_end(text, at)
            has_blank_line = bool(self.pairs) and _has_blank_line(text, self.end, blank)
            opening = _OPENING.match(text, blank)
            if not opening:
                return
            if opening.end() > self._line_end:  # once a line: many tags may share one
                line = _LINE.match(text, opening.end())
                self._line_end = line.end() if line else opening.end()
            name, value, end, issues = _tag(text, opening, self._line_end)
            if self.pairs and name.casefold() in self._seen and self._is_next_game(name, has_blank_line):
                return
            self._add(name, value, blank, end, issues)
            at = self.end = end

    def _is_next_game(self, name: str, has_blank_line: bool) -> bool:
        """A second Event (or, after a blank line, any second name) opens the next game's section."""
        return has_blank_line or (name.casefold() == "event" and len(self.pairs) >= _NEW_GAME_TAGS)

    def _add(self, name: str, value: str, start: int, end: int, issues: list[str]) -> None:
        written = value[:200]
        key = name.casefold()
        standard = known_names().get(key)
        if key in self._seen:
            issues.append("duplicate_tag")
        elif standard and standard != name:
            issues.append("tag_case")
        self._seen.add(key)
        self.pairs.append(TagPair(name, value))
        self.issues += [
            Issue(code, start, end, written=name if code in _NAME_ISSUES else written, detail=name) for code in issues
        ]


_NAME_ISSUES: Final = {"duplicate_tag", "tag_case", "bad_tag_name"}


def _tag(text: str, opening: re.Match[str], stop: int) -> tuple[str, str, int, list[str]]:
    """The tag pair that is opened, on a line that ends at `stop` → name, value, end, issue codes."""
    name, begin = opening[1], opening.end()
    issues = ["bad_tag_name"] if re.search(r"[^A-Za-z0-9_]", name) else []
    closing = _CLOSING.search(text, begin, stop)
    if not closing:
        raw = text[begin:stop].rstrip().removesuffix("]").rstrip(QUOTES + " \t")
        return name, raw, stop, [*issues, "unterminated_tag"]
    raw = text[begin : closing.start()]
    if re.search(r'(?<!\\)(?:\\\\)*"', raw):
        issues.append("unescaped_quote")
    return name, _ESCAPE.sub(r"\1", raw), closing.end(), issues


def _blank_end(text: str, at: int) -> int:
    """End of blanks, and of `%` lines, which PGN lets stand anywhere (PGN standard 6)."""
    n = len(text)
    while at < n:
        if text[at].isspace() or text[at] == "\ufeff":
            at += 1
        elif text[at] == "%" and (at == 0 or text[at - 1] in "\r\n"):
            line = _LINE.match(text, at)
            at = line.end() if line else at + 1
        else:
            break
    return at


def _has_blank_line(text: str, start: int, end: int) -> bool:
    return len(re.findall(r"\r\n|\r|\n", text[start:end])) > 1


def starts(text: str) -> Iterator[int]:
    """Offsets of tag pairs that begin a line."""
    for match in START.finditer(text):
        yield match.start() + len(match[0]) - len(match[0].lstrip(" \t\ufeff"))


@cache
def known_names() -> Mapping[str, str]:
    """Case-folded → standard spelling of tag names that are in use."""
    return {row["name"].casefold(): row["name"] for row in tables.rows("known_tags")}
