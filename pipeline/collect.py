"""The tokens of one game out of a stream of them: where does it end? For games with a tag section, and what all share."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from itertools import chain, islice

from pipeline import lexer
from pipeline.lexer import Token
from pipeline.model import Issue

BLANK_LINE = re.compile(r"(?:\r\n|\r(?!\n)|\n)[ \t]*(?:\r\n|\r|\n)")
MOVES = frozenset({lexer.MOVE, lexer.NULL_MOVE})
ODD = frozenset({lexer.WORD, lexer.UNKNOWN, lexer.STRAY})
"""Kinds of tokens that are no movetext."""
BETWEEN = frozenset({lexer.BLANK, lexer.PUNCTUATION, lexer.ESCAPE})
BEHIND_TOKENS = 20
"""Tokens looked at behind a result for moves that go on: a remark, no page."""


class Collector:
    """Collects the tokens of one game from a stream, and stops where the game ends."""

    begins_anywhere = False
    """Whether move 1 begins the next game wherever it stands, not on a line of its own only."""

    def __init__(self) -> None:
        self.depth = 0
        self.n_moves = 0
        self.last_number = 0
        self.has_dots = False
        self.is_over = False
        self.kept: list[Token] = []
        self.tail: list[Token] = []
        """What stands behind the last token that was kept."""
        self.issues: list[Issue] = []

    def collect(self, stream: Iterator[Token]) -> tuple[list[Token], list[Issue]]:
        """Tokens up to the last one that belongs to the game."""
        for token in stream:
            if token.kind in BETWEEN:
                self.tail.append(token)
                continue
            if self.ends_before(token):
                if self.is_over:
                    self.look_behind_result(chain([token], islice(stream, BEHIND_TOKENS)))
                break
            self.keep(token)
        return self.kept, self.issues

    def look_behind_result(self, following: Iterable[Token]) -> None:
        """Report moves that go on behind a result, after words or a blank line: the numbering says that they belong to it."""
        due: Token | None = None
        for i, token in enumerate(following):
            if i == 0 and self.has_blank_line() and self.is_due(token) is None:
                return
            if BLANK_LINE.search(token.text):
                return
            if token.kind in MOVES or (token.kind == lexer.NUMBER and is_first(token)):
                if due and not self.issues:
                    self.issues.append(Issue("moves_after_result", due.start, token.end, 0, None, due.text))
                return
            if token.kind != lexer.BLANK:
                due = token if self.n_moves and self.is_due(token) is not None else None

    def has_blank_line(self) -> bool:
        """Whether a blank line stands behind the last token that was kept."""
        return bool(BLANK_LINE.search("".join(t.text for t in self.tail)))

    def is_due(self, token: Token) -> int | None:
        """The number of a token that is the next move number of this game, else None."""
        if token.kind != lexer.NUMBER:
            return None
        number, is_black = lexer.move_number(token)
        return number if number == self.last_number + (0 if is_black else 1) and number > 1 else None

    def keep(self, token: Token) -> None:
        """Add a token, and what stands before it, to the game."""
        self.kept += self.tail
        self.tail = []
        self.kept.append(token)
        if token.kind == lexer.OPEN:
            self.depth += 1
        elif token.kind == lexer.CLOSE:
            self.depth = max(0, self.depth - 1)
        elif token.kind in MOVES and self.depth == 0:
            self.n_moves += 1
        elif token.kind == lexer.NUMBER and self.depth == 0:
            self.last_number = lexer.move_number(token)[0]
            self.has_dots |= "." in token.text
        elif token.kind == lexer.RESULT and self.depth == 0:
            self.is_over = True

    def ends_before(self, token: Token) -> bool:
        """Whether the game ends before a token that is neither blank nor punctuation."""
        if self.depth:
            return False
        if self.is_over:
            return self._ends_after_result(token)
        if token.kind != lexer.NUMBER or self.n_moves < 2 or not is_first(token):
            return False
        begins_line = any("\n" in t.text or "\r" in t.text for t in self.tail)
        has_dot = "." in token.text or not self.has_dots
        if has_dot and (begins_line or self.begins_anywhere):
            return True
        self._report_restart(token)
        return False

    def _report_restart(self, token: Token) -> None:
        """Numbering that starts again within a line of a tagged game, or loses its dot there, is a slip and no next game."""
        if not self.issues:
            detail = "the numbering starts again"
            self.issues.append(Issue("unknown_token", token.start, token.end, 0, None, token.text, detail, is_fault=True))

    def _ends_after_result(self, token: Token) -> bool:
        """What may follow a result: the same again, words about it (a comment if nothing was played), or a fault: moves."""
        if self.has_blank_line():
            return True
        if token.kind in {lexer.RESULT, lexer.RESULT_WORDS} or (token.kind == lexer.COMMENT and not self.n_moves):
            return False
        goes_on = token.kind in MOVES or (token.kind == lexer.NUMBER and not is_first(token) and self.n_moves > 0)
        if goes_on and self.n_moves and self.kept[-1].text == "*":
            self.is_over = False
            return False
        if goes_on and self.n_moves:
            if not self.issues:
                self.issues.append(Issue("moves_after_result", token.start, token.end, 0, None, token.text))
            return False
        return not self.issues


def is_first(token: Token) -> bool:
    """Whether a number is that of White's first move."""
    return lexer.move_number(token) == (1, False)
