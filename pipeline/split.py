"""A source's text → written games and the filler between them, in order, covering every character.

A game is a tag section with its movetext, or movetext alone that begins at move 1. Games end at their result, at the next
tag section, where a line begins with move 1 again (without tags: wherever move 1 stands), and, without tags, where prose begins.
"""

from __future__ import annotations

import re
from bisect import bisect_left
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from itertools import islice

from pipeline import lexer, openings, tagpairs
from pipeline.collect import MOVES, ODD, Collector
from pipeline.lexer import Lexer, Token
from pipeline.model import Filler, Issue, TagPair
from pipeline.narrative import Narrative
from pipeline.notations import FAMILIES
from pipeline.openings import ALGEBRAIC, Opening

_EVENT = re.compile(rb'\n[ \t]*\r?\n(?=\[Event ")')
_AFTER_RESULT = re.compile(r"(?:1-0|0-1|1/2-1/2|½-½|\*)[ \t]*(?:\r\n|\r|\n)(\s*)(?=\[|1[ \t]*\.)")
_LEAD_CHARS = 4000
"""Text before a game without tags that may speak of it."""
_LINE_CHARS = 200
"""How far before a score its line is looked at."""
_PEEKED_TOKENS = 40
"""Tokens in which a number in prose must show two moves."""
_PEEKED_CHARS = 2000
"""How far behind tags of unknown names moves are looked for."""
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
    notation: str = ALGEBRAIC
    """Notation whose moves the tokens are: `algebraic`, or a family of `notations.FAMILIES`."""
    lead: str = ""
    """Text just before a game without tags: what is said there about it."""
    is_numbered: bool = True
    """False where moves stand without any number."""
    rivals: tuple[WrittenGame, ...] = ()
    """The same text read as other notations."""

    @property
    def reach(self) -> int:
        """Where all readings have ended; between a reading's end and here is `filler`."""
        return max([self.end, *(rival.end for rival in self.rivals)])


def borders(data: bytes) -> list[int]:
    """Offsets in `data` (ASCII-compatible) where a game surely begins: `[Event "` after a blank line."""
    return [match.end() for match in _EVENT.finditer(data)]


def split(text: str, notation: str | None = None, positions: Sequence[int] = ()) -> Iterator[WrittenGame | Filler]:
    """Games and filler of a text, in order, without gap or overlap.

    `notation`: a hint, the only family to read if it is one. `positions`: where positions end that the text says, in order.
    """
    return _Splitter(text, notation, positions).parts()


class _Splitter:
    def __init__(self, text: str, notation: str | None, positions: Sequence[int]) -> None:
        self.text = text
        self.notation = notation
        self.positions = positions
        self.opened: Iterator[Opening] = iter(())
        """Places where a score may begin before the tag section at `opened_up_to`."""
        self.opened_up_to = -1
        self.tags = list(_tags(text))
        self.borders = _borders(text, self.tags)
        self.lexers: dict[tuple[str, bool, bool], Lexer] = {}

    def parts(self) -> Iterator[WrittenGame | Filler]:
        """Walk the text from game to game."""
        at, n = 0, len(self.text)
        while at < n:
            start, game = self._next_game(at)
            if start > at:
                yield from filler(self.text, at, start)
            if game is None:
                return
            yield game
            at = game.reach

    def _next_game(self, at: int) -> tuple[int, WrittenGame | None]:
        """The next game at or after `at`, and where the filler before it ends."""
        k = bisect_left(self.tags, at)
        tag = self.tags[k] if k < len(self.tags) else len(self.text)
        if tag != self.opened_up_to:
            self.opened, self.opened_up_to = openings.find(self.text, at, tag, self.notation, self.positions), tag
        for opening in self.opened:
            if opening.start < at:
                continue
            game = self._untagged(opening, tag)
            if game:
                game.lead = self.text[max(at, game.start - _LEAD_CHARS) : game.start]
                game.is_numbered = opening.is_numbered
                return game.start, game
        if tag == len(self.text):
            return tag, None
        return tag, self._tagged(tag)

    def _tagged(self, start: int) -> WrittenGame:
        section = tagpairs.Section(self.text, start)
        stop = self._stop(section.end)
        games = []
        for name in openings.of_movetext(self.text, section.end, self.notation):
            tokens, issues = self._movetext(section.end, stop, name, has_tags=True)
            end = tokens[-1].end if tokens else section.end
            games.append(WrittenGame(start, end, tuple(section.pairs), tokens, section.issues + issues, name))
        return _with_rivals(games)

    def _untagged(self, opening: Opening, stop: int) -> WrittenGame | None:
        start = opening.start
        k = bisect_left(self.borders, start + 1)
        stop = min([stop, *self.borders[k : k + 1]])
        games = [game for name in opening.notations if (game := self._scored(opening, stop, name))]
        return _with_rivals(games) if games else None

    def _scored(self, opening: Opening, stop: int, notation: str) -> WrittenGame | None:
        """The score that begins here in a notation, if enough moves say that it is one."""
        n_peeked = self._moves_before_words(opening.start, stop, notation, opening.least_moves)
        line = self.text[max(0, opening.start - _LINE_CHARS) : opening.start]
        begins_line = (not line.strip() or not line.splitlines()[-1].strip() or line[-1] in "\r\n") and not openings.is_wrapped(
            line
        )
        if n_peeked < opening.least_moves and not (n_peeked and begins_line):
            return None
        tokens, issues = self._movetext(opening.start, stop, notation, has_tags=False)
        if n_peeked < opening.least_moves and sum(token.kind in MOVES for token in tokens) < opening.least_moves:
            return None
        return WrittenGame(opening.start, tokens[-1].end, (), tokens, issues, notation) if tokens else None

    def _lexer(self, notation: str, *, has_tags: bool, is_nested: bool = False) -> Lexer:
        """The lexer of a notation; untagged text may have odd numbers."""
        key = (notation, has_tags, is_nested)
        if key not in self.lexers:
            move = FAMILIES[notation].move if notation in FAMILIES else None
            self.lexers[key] = Lexer(
                self.text, self.borders, has_nested_comments=is_nested, move=move, has_odd_numbers=not has_tags
            )
        return self.lexers[key]

    def _moves_before_words(self, start: int, stop: int, notation: str, least: int) -> int:
        """How many moves stand before any word, up to `least`; one with a result or a comment behind it is enough.

        Looks at few tokens: numbers in prose stay cheap.
        """
        n_moves = 0
        for token in islice(self._lexer(notation, has_tags=False).tokens(start, stop), _PEEKED_TOKENS):
            if token.kind in MOVES:
                n_moves += 1
            elif token.kind in ODD:
                break
            elif token.kind in {lexer.RESULT, lexer.COMMENT, lexer.UNTERMINATED} and n_moves:
                return least
            if n_moves >= least:
                break
        return n_moves

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

    def _movetext(self, start: int, stop: int, notation: str, *, has_tags: bool) -> tuple[list[Token], list[Issue]]:
        stream = self._lexer(notation, has_tags=has_tags).tokens(start, stop)
        tokens, issues = _collector(notation, has_tags=has_tags).collect(stream)
        has_stray = any(token.kind == lexer.STRAY for token in tokens)
        if has_stray or any(token.kind == lexer.COMMENT and "{" in token.text[1:] for token in tokens):
            nested = self._lexer(notation, has_tags=has_tags, is_nested=True).tokens(start, stop)
            again, more = _collector(notation, has_tags=has_tags).collect(nested)
            is_whole = not any(token.kind in {lexer.STRAY, lexer.UNTERMINATED} for token in again)
            if is_whole and (has_stray or (not has_tags and again[-1].end > tokens[-1].end)):
                first = next((t for t in again if t.kind == lexer.COMMENT and "{" in t.text[1:]), again[0])
                return again, [*more, Issue("nested_comment", first.start, first.end, written=first.text[:200])]
        return tokens, issues


def _with_rivals(games: Sequence[WrittenGame]) -> WrittenGame:
    """The first game with the other ways to read its text as rivals."""
    first = games[0]
    first.rivals = tuple(games[1:])
    return first


def _collector(notation: str, *, has_tags: bool) -> Collector:
    return Collector() if has_tags else Narrative(is_scanned=notation == ALGEBRAIC)


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


def _tags(text: str) -> Iterator[int]:
    """Offsets of tag pairs that begin a line. Where no name of a section is known, moves or a result must stand behind it:
    else it is a remark in brackets (`[From flow "to ripple down"]`) or a program's (`[branch "main"]`).
    """
    stream = Lexer(text)
    section_end, is_believed = 0, False
    for start in tagpairs.starts(text):
        if start >= section_end:
            section = tagpairs.Section(text, start)
            section_end = section.end
            is_known = any(pair.name.casefold() in tagpairs.known_names() for pair in section.pairs)
            is_believed = is_known or _begins_score(stream.tokens(section_end, min(len(text), section_end + _PEEKED_CHARS)))
        if is_believed:
            yield start


def _begins_score(tokens: Iterator[Token]) -> bool:
    """Whether two moves stand before any word, or one with a result, or a result. Looks at few tokens."""
    n_moves = 0
    for token in islice(tokens, _PEEKED_TOKENS):
        n_moves += token.kind in MOVES
        if token.kind in ODD or token.kind == lexer.RESULT or n_moves > 1:
            return token.kind not in ODD
    return False


def _follows_blank_line(text: str, at: int) -> bool:
    return at == 0 or bool(re.search(r"(?:\r\n|\r|\n)[ \t]*(?:\r\n|\r|\n)[ \t\ufeff]*\Z", text[max(0, at - 80) : at]))


def filler(text: str, start: int, end: int) -> Iterator[Filler]:
    """A stretch without a game: blanks apart from what stands between them."""
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
