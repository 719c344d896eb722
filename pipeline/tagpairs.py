"""Tag sections: `[Name "value"]` lines as people wrote them → tag pairs and issues.

Source: PGN standard 8.1. Beyond it: several tags on a line, moves behind the last of them, typographic quotes, quotes and
brackets inside values, a lone backslash at the end, names with blanks, a missing closing quote, a value that runs on into the
next line; between tags blank lines, comments, or one line of text. Linear: a line is searched once for each thing that is
looked for on it, however many tags it holds.
"""

from __future__ import annotations

import re
from bisect import bisect_left
from collections.abc import Iterator, Mapping
from functools import cache
from typing import Final, NamedTuple

from pipeline import signs, tables
from pipeline.model import Issue, TagPair
from pipeline.signs import char_class

QUOTES: Final = '"“”„‟«»″'
_NAME = r"[^\W\d_][\w#+=:./-]*(?:[ \t]+[\w#+=:./-]+){0,3}?"
_PAIR = rf"\[[ \t]*({_NAME})[ \t]*[{QUOTES}]"
START: Final = re.compile(rf"(?:\A|(?<=[\r\n]))[ \t\ufeff]*{_PAIR}")
"""A tag pair at the start of a line."""
_OPENING = re.compile(_PAIR)
_QUOTE_BRACKET = rf"[{QUOTES}][ \t]*\]"
_LOOSE_CLOSING = re.compile(_QUOTE_BRACKET)
_CLOSING = re.compile(rf"{_QUOTE_BRACKET}(?=[ \t]*(?:$|[\r\n\[;%]|\{{))", re.MULTILINE)
"""Quote and bracket that end their line, but for a comment or another tag."""
_LINE = re.compile(r"[^\r\n]*")
_TEXT = re.compile(r"[^\r\n{]*")
_BLANKS = re.compile(r"[\s\ufeff]*")
_NEXT_LINE = re.compile(r"(?:\r\n|\r|\n)[ \t]*(?=[^\s\[])")
_NEWLINE = re.compile(r"\r\n|\r|\n")
_BRACE_OR_TAG = re.compile(rf"\}}|{START.pattern}")
_ESCAPE = re.compile(r'\\(["\\])')
_UNESCAPED_QUOTE = re.compile(r'(?<!\\)(?:\\\\)*"')
_NEW_GAME_TAGS: Final = 3


class _Gap(NamedTuple):
    """What stands before a tag pair: nothing but blanks, or also an `aside`: comments and text, as issues."""

    opening: re.Match[str]
    has_blank_line: bool
    aside: list[Issue]


class Section:
    """The tag section that begins at `start`: its pairs, their issues, and where it ends (after the last tag)."""

    def __init__(self, text: str, start: int) -> None:
        self.pairs: list[TagPair] = []
        self.issues: list[Issue] = []
        self.end = start
        self._text = text
        self._seen: set[str] = set()
        self._line = _Line(text, start)
        while self._read_pair():
            pass

    def _read_pair(self) -> bool:
        """Read the next pair of this section; False if there is none."""
        gap = self._gap()
        if gap is None:
            return False
        opening = gap.opening
        if self.pairs and self._is_next_game(opening[1].casefold(), gap):
            return False
        self._enter_line(opening.end())
        value, end, issues = self._value(opening.end())
        if re.search(r"[^A-Za-z0-9_]", opening[1]):
            issues.insert(0, "bad_tag_name")
        self.issues += gap.aside
        self._add(opening[1], value, opening.start(), end, issues)
        self.end = end
        return True

    def _gap(self) -> _Gap | None:
        """The way from the end of the last pair to the next one; None when it leads out of the section.

        Blanks are read over, and `%` lines, which PGN lets stand anywhere (PGN standard 6); between two tags with no blank
        line also comments, and text on one line that does not look like moves or a result.
        """
        text, at = self._text, self.end
        has_blank_line = has_text = False
        aside: list[Issue] = []
        while True:
            blank, at = at, _end(_BLANKS, text, at)
            has_blank_line |= bool(self.pairs) and len(_NEWLINE.findall(text, blank, at)) > 1
            if text.startswith("%", at) and (at == 0 or text[at - 1] in "\r\n"):
                at = _end(_LINE, text, at)
                continue
            if has_blank_line and aside:
                return None
            opening = _OPENING.match(text, at)
            if opening:
                return _Gap(opening, has_blank_line, aside)
            if at == len(text) or has_blank_line or not self.pairs:
                return None
            start, detail = at, "a comment between tags"
            if text[at] == ";":
                at = _end(_LINE, text, at)
            elif text[at] == "{":
                brace = _BRACE_OR_TAG.search(text, at)
                if not brace or brace[0] != "}":
                    return None
                at = brace.end()
            else:
                self._enter_line(at)
                at = min(_end(_TEXT, text, at), self._line.opening(at))
                if has_text or _looks_like_movetext(text[start:at]):
                    return None
                has_text, detail = True, "text between tags"
            written = text[start:at].rstrip()
            aside.append(Issue("unknown_token", start, start + len(written), written=written[:200], detail=detail))

    def _is_next_game(self, key: str, gap: _Gap) -> bool:
        """A second Event (or, after a blank line, any second name) opens the next game's section.

        Behind comments or text any second name does, and a first Event too: nothing says that it is of this game.
        """
        if gap.aside and key == "event":
            return True
        is_sure = bool(gap.aside) or gap.has_blank_line or (key == "event" and len(self.pairs) >= _NEW_GAME_TAGS)
        return key in self._seen and is_sure

    def _enter_line(self, at: int) -> None:
        if at > self._line.end:
            self._line = _Line(self._text, at)

    def _value(self, begin: int) -> tuple[str, int, list[str]]:
        """The value that begins at `begin`, unescaped if it is closed; where its tag ends; and issue codes."""
        text, stop = self._text, self._line.end
        closing = self._line.closing(begin)
        if closing:
            raw, issues = text[begin : closing.start()], []
        else:
            raw, issues = text[begin:stop].rstrip(), ["unterminated_tag"]
            rest = self._rest(raw)
            if rest is None:
                return raw.removesuffix("]").rstrip(QUOTES + " \t"), stop, issues
            closing, raw = rest[1], f"{raw} {rest[0]}"
        if _UNESCAPED_QUOTE.search(raw):
            issues.append("unescaped_quote")
        return _ESCAPE.sub(r"\1", raw), closing.end(), issues

    def _rest(self, raw: str) -> tuple[str, re.Match[str]] | None:
        """What the next line adds to a value that this line leaves open without quote and bracket, and its closing."""
        match = _NEXT_LINE.match(self._text, self._line.end)
        if not match or raw.endswith(("]", *QUOTES)):
            return None
        line = _Line(self._text, match.end())
        closing = line.closing(match.end())
        rest = self._text[match.end() : closing.start()] if closing else ""
        if not closing or _looks_like_movetext(rest):
            return None
        self._line = line
        return rest, closing

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


class _Line:
    """The line at `start`: where it ends, where tags close and open on it. Asked from left to right."""

    def __init__(self, text: str, start: int) -> None:
        self.text = text
        self.start = start
        self.end = _end(_LINE, text, start)
        self._is_searched = False
        self._closing: re.Match[str] | None = None
        self._openings: list[int] | None = None

    def closing(self, begin: int) -> re.Match[str] | None:
        """Quote and bracket that end the value at `begin`: the first that nothing but a tag or a comment follows, since
        values hold quotes and brackets; the first of all if there is no such, or if a known tag stands before it.
        """
        first = _LOOSE_CLOSING.search(self.text, begin, self.end)
        if not first:
            return None
        if not self._is_searched or (self._closing and self._closing.start() < first.start()):
            self._is_searched = True
            self._closing = _CLOSING.search(self.text, first.start(), self.end)
        if not self._closing or self.opening(first.end(), self._closing.start()) < self._closing.start():
            return first
        return self._closing

    def opening(self, at: int, limit: int | None = None) -> int:
        """Where, at `at` or behind it, a tag with a known name opens; else the end of the line. Not asked beyond `limit`."""
        if limit is not None and at >= limit:
            return self.end
        if self._openings is None:
            found = _OPENING.finditer(self.text, self.start, self.end)
            self._openings = [match.start() for match in found if match[1].casefold() in known_names()]
        k = bisect_left(self._openings, at)
        return self._openings[k] if k < len(self._openings) else self.end


def _end(pattern: re.Pattern[str], text: str, at: int) -> int:
    """Where a pattern that may be empty ends."""
    match = pattern.match(text, at)
    return match.end() if match else at


@cache
def _movetext() -> re.Pattern[str]:
    """A move number with something behind it, a letter with a rank, castling, a capture between files, a result."""
    texts = sorted({r.text.casefold() for r in tables.results() if r.place in {"any", "no_moves"}}, key=lambda t: (-len(t), t))
    castles = char_class(signs.CASTLES)
    border = r"[\w½/*+=-]"
    return re.compile(
        rf"(?<![\w.,/:-])\d{{1,3}}\s*[.)…]+\s*\S|[^\W\d_][1-8](?!\d)|(?<!\w){castles}-{castles}(?![a-z])"
        rf"|(?<!\w)[a-h]{char_class(signs.CAPTURES)}[a-h](?!\w)|(?<!{border})(?:{'|'.join(map(re.escape, texts))})(?!{border})"
    )


@cache
def _dashes() -> dict[int, str]:
    return dict.fromkeys(map(ord, signs.DASHES), "-")


def _looks_like_movetext(line: str) -> bool:
    return bool(_movetext().search(" ".join(line.casefold().translate(_dashes()).split())))


def starts(text: str) -> Iterator[int]:
    """Offsets of tag pairs that begin a line."""
    for match in START.finditer(text):
        yield match.start() + len(match[0]) - len(match[0].lstrip(" \t\ufeff"))


@cache
def known_names() -> Mapping[str, str]:
    """Case-folded → standard spelling of tag names that are in use."""
    return {row["name"].casefold(): row["name"] for row in tables.rows("known_tags")}
