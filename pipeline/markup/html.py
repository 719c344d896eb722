"""HTML, XHTML and XML → what a browser shows. Tags are found by a scanner of its own: parsers give no place of a character.

What only looks like a tag stays text, as does everything behind a tag, comment or quote that never ends.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from functools import cache
from html import unescape

from pipeline import tables
from pipeline.markup.view import View, Writer

_MARK = re.compile(r"[<&]")
_ATTRIBUTES = r"(?:\s|/(?!>))[^<>\"']*(?:(?:\"[^\"<]*\"|'[^'<]*')[^<>\"']*)*"
_TAG = re.compile(rf"<(?P<close>/?)(?P<name>[A-Za-z][\w:.-]*)(?P<rest>(?:{_ATTRIBUTES})?)(?P<empty>/?)>")
_LOOSE_TAG = re.compile(
    r"<(?P<close>/?)(?P<name>[A-Za-z][\w:.-]*)(?P<rest>\s(?:[^<>\"']{1,300}+|\"[^\"]{0,300}\"|'[^']{0,300}'){0,40}+)(?P<empty>)>"
)
"""As `_TAG`, with `<` in quotes."""
_BROKEN_TAG = re.compile(r"<(?P<close>/?)(?P<name>[A-Za-z][\w:.-]*)(?P<rest>(?:\s[^<>]*)?)(?P<empty>)>")
"""As `_TAG`, with a quote that does not end."""
_DECLARATION = re.compile(r"<![A-Za-z][^<>]*>")
_CLOSED = re.compile(r"</([A-Za-z][\w:.-]*)\s*>")
_ENTITY = re.compile(r"&(?:#[0-9]{1,7};?|#[xX][0-9a-fA-F]{1,6};?|[A-Za-z][A-Za-z0-9]{1,31};?)")
_ALT = re.compile(r"(?<![\w-])alt\s*=\s*(?:\"([^\"]*)\"|'([^']*)'|([^\s\"'>]+))", re.IGNORECASE)
_MAN_CHARS = 3
"""An alternative text this short stands for a man in a score (`N`, `♘`, `Кр`); a longer one describes a picture."""
_SQUARE = re.compile(r"x?[a-h]?x?[a-h][1-8]")
_UNKNOWN_MAN = "img"
"""Stands for a picture just before a square: a man that nobody names. The move must not be read as a pawn's."""
_BLANKS = re.compile(r"[ \t]{2,}")
_PREFORMATTED = {"pre", "textarea", "listing", "xmp"}
_DELIMITERS = {"<!--": "-->", "<![CDATA[": "]]>", "<?": "?>", "<%": "%>"}
Script = Callable[[str], list[View]]
"""What is to be read of the text of a `<script>`."""


@cache
def effects() -> Mapping[str, str]:
    """Name of a tag → `inline`, `image`, `blank`, `line`, `paragraph` or `hidden`."""
    return {row["name"]: row["effect"] for row in tables.rows("html_tags")}


def view(text: str, script: Script) -> View:
    """What a browser shows of a text, scripts read by `script`."""
    return _Page(text, script).read()


class _Page:
    def __init__(self, text: str, script: Script) -> None:
        self.text = text
        self.script = script
        self.out = Writer(text)
        self.is_xml = text.lstrip("\ufeff \t\r\n").startswith("<?xml")
        self.closed = {name.lower() for name in _CLOSED.findall(text)}
        self.n_preformatted = 0
        self.opened = -1
        """End of the last tag that opens and has attributes."""
        self.endless: set[str] = set()
        """Delimiters that are looked for in vain from here on."""

    def read(self) -> View:
        text, at = self.text, 0
        while mark := _MARK.search(text, at):
            start = mark.start()
            self._text(at, start)
            at = self._entity(start) if mark[0] == "&" else self._angle(start)
        self._text(at, len(text))
        return self.out.view()

    def _text(self, start: int, end: int) -> None:
        """Text between tags: blanks are one blank unless they are preformatted. Line ends stay: they may be those of PGN."""
        if not self.n_preformatted:
            if self.out.ends_blank:
                start = end - len(self.text[start:end].lstrip(" \t"))
            for blanks in _BLANKS.finditer(self.text, start, end):
                self.out.copy(start, blanks.start())
                self.out.put(" ", *blanks.span())
                start = blanks.end()
        self.out.copy(start, end)

    def _entity(self, start: int) -> int:
        entity = _ENTITY.match(self.text, start)
        if not entity:
            self.out.copy(start, start + 1)
            return start + 1
        decoded = unescape(entity[0])
        if decoded == entity[0]:
            self.out.copy(start, entity.end())
        else:
            self.out.put(decoded, start, entity.end())
        return entity.end()

    def _angle(self, start: int) -> int:
        """Read what begins with `<` → its end."""
        text = self.text
        for opening, closing in _DELIMITERS.items():
            if text.startswith(opening, start):
                return self._delimited(start, opening, closing)
        tag = _TAG.match(text, start) or _LOOSE_TAG.match(text, start) or _BROKEN_TAG.match(text, start)
        if tag:
            return self._tag(tag)
        declaration = _DECLARATION.match(text, start)
        if declaration:
            return declaration.end()
        self.out.copy(start, start + 1)
        return start + 1

    def _delimited(self, start: int, opening: str, closing: str) -> int:
        """Comments and instructions are not shown, CDATA is shown as it stands."""
        inside = start + len(opening)
        end = -1 if closing in self.endless else self.text.find(closing, inside)
        if end < 0:
            self.endless.add(closing)
            self.out.copy(start, inside)
            return inside
        if opening == "<![CDATA[":
            self.out.copy(inside, end)
        return end + len(closing)

    def _tag(self, tag: re.Match[str]) -> int:
        name, start, end = tag["name"].lower(), tag.start(), tag.end()
        effect = effects().get(name)
        if effect is None:
            is_empty = bool(tag["empty"]) or tag["rest"].endswith("/")
            if not (self.is_xml or is_empty or name in self.closed or tag["close"]):
                self.out.copy(start, start + 1)
                return start + 1
            effect = "blank"
        if effect == "hidden" and not tag["close"]:
            return self._hidden(name, start, end)
        if name in _PREFORMATTED:
            self.n_preformatted = max(self.n_preformatted + (-1 if tag["close"] else 1), 0)
        if effect == "line":
            self.out.line_break(1, start, end)
        elif effect == "paragraph":
            self.out.line_break(2, start, end)
        elif effect == "blank":
            self.out.put(" ", start, end)
        elif effect == "image" or (tag["close"] and self.opened == start):
            self._picture(tag, start, end)
        if not tag["close"]:
            self.opened = end if tag["rest"] else -1
        return end

    def _picture(self, tag: re.Match[str], start: int, end: int) -> None:
        """A man in a score has a short text, or is one where a square follows; an empty element may show one by its style."""
        text = _alternative(tag["rest"])
        if text is None and _SQUARE.match(self.text, end):
            text = _UNKNOWN_MAN
        self.out.put(text or (" " if tag["name"].lower() == "img" else ""), start, end)

    def _hidden(self, name: str, start: int, end: int) -> int:
        """Scripts may hold games in their strings, styles hold nothing."""
        closing = f"</{name}"
        found = None if closing in self.endless else re.compile(closing, re.IGNORECASE).search(self.text, end)
        if not found:
            self.endless.add(closing)
            return end
        if name == "script":
            before = start
            for part in self.script(self.text[end : found.start()]):
                self.out.line_break(2, before, int(part.starts[0]) + end)
                self._insert(part, end)
                before = int(part.ends[-1]) + end
            self.out.line_break(2, found.start(), found.start() + 1)
        return found.start()

    def _insert(self, part: View, by: int) -> None:
        """Text of a view of a stretch that begins at `by`, in runs that came as they stand."""
        starts, ends = (part.starts + by).tolist(), (part.ends + by).tolist()
        at, n = 0, len(part.text)
        while at < n:
            stop = at + 1
            if self.text[starts[at] : ends[at]] == part.text[at]:
                while stop < n and starts[stop] == ends[stop - 1] and self.text[starts[stop] : ends[stop]] == part.text[stop]:
                    stop += 1
                self.out.copy(starts[at], ends[stop - 1])
            else:
                self.out.put(part.text[at], starts[at], ends[at])
            at = stop


def _alternative(attributes: str) -> str | None:
    found = _ALT.search(attributes)
    text = unescape(next((group for group in found.groups() if group is not None), "")) if found else ""
    return text if 0 < len(text.strip()) <= _MAN_CHARS else None
