"""Tokens of one game → its main line and variations as written. Knows no board and no alphabet.

Iterative: the depth of nesting is bounded by nothing but memory. Faults of structure end the main line where they stand;
oddities become issues and are read over.
"""

from __future__ import annotations

import re
from collections.abc import Iterable
from dataclasses import dataclass, field

from pipeline import lexer, signs
from pipeline.lexer import Token
from pipeline.model import Issue
from pipeline.signs import char_class

_ZERO_RESULT = re.compile(rf"0{char_class(signs.DASHES)}0")


@dataclass(slots=True)
class WrittenPly:
    """A move as written with what stands around it. `written` includes marks that stand apart (`Qxf7 mate`)."""

    text: str
    start: int
    end: int
    written: str
    is_null: bool = False
    number: int | None = None
    is_black_number: bool = False
    marks: list[str] = field(default_factory=list)
    symbols: list[tuple[str, int]] = field(default_factory=list)
    comments_before: list[str] = field(default_factory=list)
    comments: list[str] = field(default_factory=list)


@dataclass(slots=True)
class WrittenLine:
    """A line: number 0 is the main line. `branch` is the index in the parent's plies of the ply that it replaces."""

    number: int
    parent: int
    branch: int
    depth: int
    start: int
    plies: list[WrittenPly] = field(default_factory=list)
    comments: list[str] = field(default_factory=list)


@dataclass(slots=True)
class Score:
    """A written game. `fault` ends the main line before its ply number `fault_at` (an index)."""

    lines: list[WrittenLine]
    result: Token | None = None
    result_words: Token | None = None
    issues: list[Issue] = field(default_factory=list)
    fault: Issue | None = None
    fault_at: int = 0
    has_nested_comment: bool = False

    @property
    def main(self) -> WrittenLine:
        """The main line."""
        return self.lines[0]


def assemble(tokens: Iterable[Token]) -> Score:
    """Build the lines of a game from its tokens, in order."""
    return _Assembler().run(tokens)


class _Assembler:
    """The state of one pass: open lines, and what waits for the next move."""

    def __init__(self) -> None:
        self.score = Score([WrittenLine(0, 0, 0, 0, 0)])
        self.open = [self.score.lines[0]]
        self.opened_at: list[tuple[Token, int]] = []
        self.number: tuple[int, bool] | None = None
        self.before: list[str] = []
        self.last: WrittenPly | None = None
        self.is_adjacent = False
        self.odd: list[Token] = []

    @property
    def line(self) -> WrittenLine:
        return self.open[-1]

    def run(self, tokens: Iterable[Token]) -> Score:
        for token in tokens:
            if token.kind in {lexer.BLANK, lexer.ESCAPE}:
                continue
            if token.kind in {lexer.WORD, lexer.UNKNOWN}:
                self.odd.append(token)
                self.is_adjacent = False
                continue
            if token.kind != lexer.PUNCTUATION:
                self._report_odd()
            getattr(self, f"_{token.kind}")(token)
        self._report_odd()
        self._finish()
        return self.score

    def _report_odd(self) -> None:
        """A run of words that are no movetext is one issue."""
        if self.odd:
            first, last = self.odd[0], self.odd[-1]
            written = " ".join(t.text for t in self.odd)[:200]
            self.score.issues.append(Issue("unknown_token", first.start, last.end, self.line.number, None, written))
            self.odd = []

    def _fault(self, code: str, token: Token, detail: str) -> None:
        if self.score.fault is None:
            main = self.score.main
            index = len(main.plies) if not self.opened_at else self.opened_at[0][1]
            self.score.fault = Issue(code, token.start, token.end, 0, None, token.text[:200], detail)
            self.score.fault_at = index

    def _punctuation(self, token: Token) -> None:
        self.is_adjacent = self.is_adjacent and token.text in ".,"

    def _comment(self, token: Token) -> None:
        text = token.text[1:-1] if token.text.startswith("{") else token.text[1:]
        self.score.has_nested_comment |= "{" in text and token.text.startswith("{")
        self._add_comment(text)

    def _add_comment(self, text: str) -> None:
        if self.line.plies:
            self.line.plies[-1].comments.append(text)
        else:
            self.before.append(text)
        self.is_adjacent = False

    def _unterminated(self, token: Token) -> None:
        self._add_comment(token.text[1:])
        self._fault("unterminated_comment", token, "the comment has no closing brace")

    def _stray(self, token: Token) -> None:
        self.score.issues.append(Issue("mismatched_delimiter", token.start, token.end, self.line.number, None, token.text))

    def _open(self, token: Token) -> None:
        parent = self.line
        line = WrittenLine(len(self.score.lines), parent.number, len(parent.plies) - 1, parent.depth + 1, token.start)
        if parent.plies:
            self.before = []
        self.opened_at.append((token, len(self.score.main.plies)))
        self.score.lines.append(line)
        self.open.append(line)
        self.number = None
        self.is_adjacent = False

    def _close(self, token: Token) -> None:
        if len(self.open) == 1:
            self.score.issues.append(Issue("mismatched_delimiter", token.start, token.end, 0, None, token.text))
            return
        line = self.open.pop()
        opening, _ = self.opened_at.pop()
        if opening.text + token.text not in {"()", "[]"}:
            self.score.issues.append(Issue("mismatched_delimiter", token.start, token.end, line.number, None, token.text))
        if not line.plies:
            line.comments, self.before = self.before, []
        self.number = None
        self.is_adjacent = False

    def _number(self, token: Token) -> None:
        digits = re.match(r"\d+", token.text)
        dots = token.text.count(".") + 3 * token.text.count("…")
        self.number = (int(digits[0]) if digits else 0, dots > 1)
        self.is_adjacent = False

    def _move(self, token: Token, *, is_null: bool = False) -> None:
        if self._is_double_forfeit(token):
            self.score.result = token
            return
        number, is_black = self.number or (None, False)
        ply = WrittenPly(token.text, token.start, token.end, token.text, is_null, number, is_black, comments_before=self.before)
        self.before, self.number = [], None
        self.line.plies.append(ply)
        self.last, self.is_adjacent = ply, True

    def _is_double_forfeit(self, token: Token) -> bool:
        """`0-0` where nothing was played is a result; after a move or a number it is castling (docs/rules.md §2)."""
        nothing_yet = not self.score.main.plies and self.number is None and len(self.open) == 1
        return nothing_yet and bool(_ZERO_RESULT.fullmatch("".join(token.text.split())))

    def _null(self, token: Token) -> None:
        self._move(token, is_null=True)

    def _mark(self, token: Token) -> None:
        if self.is_adjacent and self.last:
            self.last.marks.append(token.text)
            self.last.end = token.end
            self.last.written += " " + token.text
        else:
            self.odd.append(token)

    def _symbol(self, token: Token) -> None:
        if self.line.plies:
            self.line.plies[-1].symbols.append((token.text, token.start))
        else:
            self.odd.append(token)

    _nag = _symbol

    def _offer(self, token: Token) -> None:
        self._add_comment(token.text)

    def _result(self, token: Token) -> None:
        if len(self.open) == 1 and (self.score.result is None or self.score.result.text == "*"):
            self.score.result = token
        elif len(self.open) == 1 and self.score.result and token.text not in {"*", self.score.result.text}:
            self.score.issues.append(Issue("result_conflict", token.start, token.end, 0, None, token.text))
        self.is_adjacent = False

    def _result_words(self, token: Token) -> None:
        if len(self.open) == 1 and self.score.result_words is None:
            self.score.result_words = token
        self.is_adjacent = False

    def _finish(self) -> None:
        if self.opened_at and self.score.fault is None:
            token, _ = self.opened_at[0]
            self._fault("unterminated_variation", token, "the variation has no closing bracket")
        line = self.line if not self.opened_at else self.score.main
        if self.before:
            line.comments += self.before
