"""A source's text → written games and the filler between them, in order, covering every character.

A game is a tag section with its movetext, or movetext alone that begins at move 1. Games end at their result, at the next
tag section, where a line begins with move 1 again (without tags: wherever move 1 stands), and, without tags, where prose begins.
"""

from __future__ import annotations

import re
from bisect import bisect_left
from collections.abc import Iterator
from dataclasses import dataclass, field
from functools import cache
from itertools import islice

from pipeline import lexer, signs, tagpairs
from pipeline.collect import MOVES, ODD, Collector
from pipeline.lexer import Lexer, Token
from pipeline.model import Filler, Issue, TagPair
from pipeline.narrative import Narrative
from pipeline.signs import char_class

_EVENT = re.compile(rb'\n[ \t]*\r?\n(?=\[Event ")')
_AFTER_RESULT = re.compile(r"(?:1-0|0-1|1/2-1/2|½-½|\*)[ \t]*(?:\r\n|\r|\n)(\s*)(?=\[|1[ \t]*\.)")
_LEAD_CHARS = 400
"""Text before a game without tags that may speak of it."""
_PEEKED_TOKENS = 40
"""Tokens in which a number in prose must show two moves."""
_HELD_TAGS = 64
"""Most tags that the comments of one game may hold: looking for more would make a text of such comments slow."""


@dataclass(slots=True)
class WrittenGame:
    """Where a game stands and what it is made of. `end` is the end of its last token."""

    start: int
    end: int
    tags: tuple[TagPair, ...]
    tokens: list[Token]
    issues: list[Issue] = field(default_factory=list)
    lead: str = ""
    """Text just before a game without tags: what is said there about it."""


def borders(data: bytes) -> list[int]:
    """Offsets in `data` (ASCII-compatible) where a game surely begins: `[Event "` after a blank line."""
    return [match.end() for match in _EVENT.finditer(data)]


def split(text: str) -> Iterator[WrittenGame | Filler]:
    """Games and filler of a text, in order, without gap or overlap."""
    return _Splitter(text).parts()


class _Splitter:
    def __init__(self, text: str) -> None:
        self.text = text
        self.tags = list(tagpairs.starts(text))
        self.borders = _borders(text, self.tags)
        self.lexer = Lexer(text, self.borders)
        self.nested = Lexer(text, self.borders, has_nested_comments=True)

    def parts(self) -> Iterator[WrittenGame | Filler]:
        """Walk the text from game to game."""
        at, n = 0, len(self.text)
        while at < n:
            start, game = self._next_game(at)
            if start > at:
                yield from _filler(self.text, at, start)
            if game is None:
                return
            yield game
            at = game.end

    def _next_game(self, at: int) -> tuple[int, WrittenGame | None]:
        """The next game at or after `at`, and where the filler before it ends."""
        k = bisect_left(self.tags, at)
        tag = self.tags[k] if k < len(self.tags) else len(self.text)
        for match in _opening().finditer(self.text, at, tag):
            game = self._untagged(match.start("number"), tag)
            if game:
                game.lead = self.text[max(at, game.start - _LEAD_CHARS) : game.start]
                return game.start, game
        if tag == len(self.text):
            return tag, None
        return tag, self._tagged(tag)

    def _tagged(self, start: int) -> WrittenGame:
        section = tagpairs.Section(self.text, start)
        stop = self._stop(section.end)
        tokens, issues = self._movetext(section.end, stop, has_tags=True)
        end = tokens[-1].end if tokens else section.end
        return WrittenGame(start, end, tuple(section.pairs), tokens, section.issues + issues)

    def _untagged(self, start: int, stop: int) -> WrittenGame | None:
        k = bisect_left(self.borders, start + 1)
        stop = min([stop, *self.borders[k : k + 1]])
        if not self._looks_like_movetext(start, stop):
            return None
        tokens, issues = self._movetext(start, stop, has_tags=False)
        return WrittenGame(start, tokens[-1].end, (), tokens, issues)

    def _looks_like_movetext(self, start: int, stop: int) -> bool:
        """Two moves, or one with a result or a comment, before any word. Looks at few tokens: numbers in prose stay cheap."""
        n_moves = 0
        for token in islice(self.lexer.tokens(start, stop), _PEEKED_TOKENS):
            if token.kind in MOVES:
                n_moves += 1
            elif token.kind in ODD or (token.kind in {lexer.RESULT, lexer.COMMENT, lexer.UNTERMINATED} and n_moves):
                return token.kind not in ODD
            if n_moves > 1:
                return True
        return False

    def _stop(self, at: int) -> int:
        """Start of the next tag section: nothing of this game stands beyond it, unless a comment holds it."""
        k = first = bisect_left(self.tags, at)
        while k < min(len(self.tags), first + _HELD_TAGS):
            comment_end = self._comment_end(at, self.tags[k])
            if comment_end < 0:
                return self.tags[k]
            k = bisect_left(self.tags, comment_end)
        return self.tags[k] if k < len(self.tags) else len(self.text)

    def _comment_end(self, start: int, tag: int) -> int:
        """Where the comment ends that holds a tag line, or -1. Its closing brace stands before the next border."""
        brace = self.text.rfind("{", start, tag)
        k = bisect_left(self.borders, tag)
        border = self.borders[k] if k < len(self.borders) else len(self.text)
        if brace < 0 or border == tag or self.text.find("}", brace, tag) >= 0:
            return -1
        return self.text.find("}", tag, border)

    def _movetext(self, start: int, stop: int, *, has_tags: bool) -> tuple[list[Token], list[Issue]]:
        tokens, issues = _collector(has_tags=has_tags).collect(self.lexer.tokens(start, stop))
        has_stray = any(token.kind == lexer.STRAY for token in tokens)
        if has_stray or any(token.kind == lexer.COMMENT and "{" in token.text[1:] for token in tokens):
            again, more = _collector(has_tags=has_tags).collect(self.nested.tokens(start, stop))
            is_whole = not any(token.kind in {lexer.STRAY, lexer.UNTERMINATED} for token in again)
            if is_whole and (has_stray or (not has_tags and again[-1].end > tokens[-1].end)):
                first = next((t for t in again if t.kind == lexer.COMMENT and "{" in t.text[1:]), again[0])
                return again, [*more, Issue("nested_comment", first.start, first.end, written=first.text[:200])]
        return tokens, issues


def _collector(*, has_tags: bool) -> Collector:
    return Collector() if has_tags else Narrative()


def _borders(text: str, tags: list[int]) -> list[int]:
    """Where a game surely begins, whatever is open: tags after a blank line or a result, move 1 after both.

    A result within a comment that is closed before another opens ends nothing.
    """
    found = {at for at in tags if _follows_blank_line(text, at)}
    known = set(tags)
    braces = [match.start() for match in re.finditer("[{}]", text)]
    for match in _AFTER_RESULT.finditer(text):
        at = match.end()
        k = bisect_left(braces, at)
        is_quoted = 0 < k < len(braces) and text[braces[k - 1]] == "{" and text[braces[k]] == "}"
        begins = at in known if text[at] == "[" else "\n" in match[1] or "\r" in match[1]
        if begins and not is_quoted:
            found.add(at)
    return sorted(found)


@cache
def _opening() -> re.Pattern[str]:
    """Move number 1 with a move-like word behind it, outside of words and numbers."""
    file = f"[{re.escape(lexer.file_letters())}]"
    square = rf"(?:{file}?[1-8]?\s?{char_class(signs.CAPTURES + signs.DASHES)}?\s?){{0,2}}{file}[1-8]"
    castle = rf"{char_class(signs.CASTLES)}{char_class(signs.DASHES)}"
    descriptive = r"[A-Z][A-Za-z]{0,2}\s?-\s?[A-Z][A-Za-z]{0,2}[1-8]"
    move = rf"{lexer.MAN}?{square}|{castle}|[1-8]{{4}}\b|{descriptive}"
    return re.compile(rf"(?<![\w.,/:½(\[-])(?P<number>1)(?:\s*[.)…]+\s*|\s+)(?:{move})")


def _follows_blank_line(text: str, at: int) -> bool:
    return at == 0 or bool(re.search(r"(?:\r\n|\r|\n)[ \t]*(?:\r\n|\r|\n)[ \t\ufeff]*\Z", text[max(0, at - 80) : at]))


def _filler(text: str, start: int, end: int) -> Iterator[Filler]:
    """Blanks apart from what stands between them."""
    inner_start, inner_end = start, end
    while inner_start < end and _is_blank(text[inner_start]):
        inner_start += 1
    while inner_end > inner_start and _is_blank(text[inner_end - 1]):
        inner_end -= 1
    if inner_start > start:
        yield Filler(start, inner_start, "blank")
    if inner_end > inner_start:
        is_heading = "\n" not in text[inner_start:inner_end] and inner_end - inner_start < 120
        yield Filler(inner_start, inner_end, "heading" if is_heading else "prose")
    if end > inner_end:
        yield Filler(inner_end, end, "blank")


def _is_blank(char: str) -> bool:
    return char.isspace() or char in "\ufeff\x00\x1a"
