"""Tokens of one game → its main line and variations as written. Knows no board and no alphabet.

Iterative: the depth of nesting is bounded by nothing but memory. Faults of structure end the main line where they stand;
oddities become issues and are read over, unless they may be a move or the man of one: a man that is cut off from its square
(`N f3`, `?f3`) would leave a pawn move.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field, replace
from itertools import pairwise

from pipeline import lexer, signs, tables
from pipeline.lexer import Token
from pipeline.model import Issue
from pipeline.signs import char_class

_ZERO_RESULT = re.compile(rf"0{char_class(signs.DASHES)}0")
_BESIDE = {lexer.COMMENT, lexer.NAG, lexer.STRAY}
"""What may stand between a man and its square and leaves it cut off: `N{x}f3`."""
_MAN_CHARS = 3
"""Longest way to write a man that may be cut off from its square."""
_CASTLE_LIKE = re.compile(rf"(?:{char_class(signs.CASTLES)}{char_class(signs.DASHES)}?){{2}}.{{0,6}}")
_SQUARE_AT_END = re.compile(r"[a-h][^\w\s]?0?[1-8]\W{0,3}\Z")
_MOVE_LETTERS = 5
"""Most letters of a chunk that may be a misspelt move."""
_HIDES_MOVES = re.compile(r"\{[^{]*\{|;.*(?<!\d)\d{1,3}\s?\.")
"""A comment that may have swallowed moves: an opening brace in it, a number behind a semicolon."""


@dataclass(slots=True)
class WrittenPly:
    """A move as written with what stands around it. `written` includes marks that stand apart (`Qxf7 mate`)."""

    text: str
    start: int
    end: int
    written: str
    is_null: bool = False
    skipped: Token | None = None
    """First of the words that were read over just before this ply."""
    letter: Token | None = None
    """A symbol that could be a man, apart and right before a pawn's move: `Bb5 N a6`."""
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
    is_broken: bool = False
    """A fault ended it: nothing behind is read."""


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
        self.opened_at: list[tuple[Token, int, Token | None]] = []
        """Open brackets: the token, plies of the main line before it, and what was read over before it."""
        self.number: tuple[int, bool] | None = None
        self.before: list[str] = []
        self.last: WrittenPly | None = None
        self.is_adjacent = False
        self.odd: list[Token] = []
        self.aside: list[Token] = []
        """What stands since the last move, number or comment and is no movetext, with the blanks and dots in it."""
        self.skipped: Token | None = None
        self.bracket_end = -1
        """End of the last brackets that held words and no move."""

    @property
    def line(self) -> WrittenLine:
        return self.open[-1]

    def run(self, tokens: Iterable[Token]) -> Score:
        for token in tokens:
            if token.kind in {lexer.BLANK, lexer.PUNCTUATION, lexer.ESCAPE}:
                if token.kind != lexer.ESCAPE:
                    self.aside.append(token)
                self.is_adjacent = self.is_adjacent and (token.kind != lexer.PUNCTUATION or token.text in ".,")
                continue
            if token.kind in {lexer.WORD, lexer.UNKNOWN} or self._is_stray(token):
                self.odd.append(token)
                self.aside.append(token)
                self.is_adjacent = False
                continue
            if token.kind not in _BESIDE:
                self._weigh_odd(token)
            if token.kind == lexer.MOVE and self._lost_its_man(token):
                self._break_off(
                    Issue("unknown_token", token.start, token.end, self.line.number, None, token.text, "its man is lost")
                )
            getattr(self, f"_{token.kind}")(token)
            if token.kind != lexer.SYMBOL and token.kind not in _BESIDE:
                self.aside = []
        self._weigh_odd(None)
        self._finish()
        return self.score

    def _is_stray(self, token: Token) -> bool:
        """A mark apart from a move, or a single sign behind a move number, marks nothing: `2. N f3`, `2. ?f3`."""
        if token.kind == lexer.MARK:
            return not self.is_adjacent
        return token.kind == lexer.SYMBOL and len(token.text) == 1 and self.number is not None

    def _weigh_odd(self, following: Token | None) -> None:
        """Before what follows: words that are no movetext become an issue, or, where they may be of a move, a fault."""
        if not self.odd:
            return
        first, last = self.odd[0], self.odd[-1]
        written = " ".join("".join(t.text for t in self.aside).split())[:200] or first.text
        hides_move = self._hides_move(following)
        self.odd, self.aside = [], []
        if hides_move:
            self._break_off(
                Issue("unknown_token", first.start, last.end, self.line.number, None, written, "a move, or a part of one")
            )
            return
        self.skipped = self.skipped or first
        self.score.issues.append(Issue("unknown_token", first.start, last.end, self.line.number, None, written))

    def _hides_move(self, following: Token | None) -> bool:
        """Whether what was read over may be a move, or the man or the first half of one."""
        chunks = "".join(t.text for t in self.aside).split()
        if any(_is_like_move(chunk) or (self.number and _MIXED.fullmatch(chunk)) for chunk in chunks):
            return True
        if following is None or following.kind == lexer.RESULT:
            joined = "".join(chunks)  # `f 5` as well
            return len(chunks) < 3 and (bool(lexer.HALF_MOVE.fullmatch(joined)) or _is_like_move(joined))
        if following.kind == lexer.NUMBER:
            rank = following.text.strip()
            is_rank = rank in set("12345678")
            joined = chunks[-1] + rank if self._is_glued(following) or len(chunks[-1]) == 1 else ""
            is_mixed = self.number is not None and bool(_MIXED.fullmatch(joined))
            return is_rank and (bool(lexer.HALF_MOVE.fullmatch(chunks[-1])) or is_mixed or _is_like_move(joined))
        if following.kind != lexer.MOVE or not _is_bare(following):
            return self._is_glued(following) and self.odd[-1].text in signs.CASTLES  # `00--0`
        return self._is_glued(following) or (self.odd[-1].kind != lexer.MARK and _may_be_man(self.odd[-1].text))

    def _lost_its_man(self, move: Token) -> bool:
        """Whether a sign or brackets without a move are glued to a pawn's move, and to nothing before: ` ?f3`, `(N)f3`."""
        if not _is_bare(move):
            return False
        if self.bracket_end == move.start:
            return True
        signs_before = [t for t in self.aside if t.kind == lexer.SYMBOL and tables.symbols()[t.text].kind in {"move", "remark"}]
        return bool(signs_before) and self.aside[0].kind == lexer.BLANK and self._is_glued(move)

    def _is_glued(self, token: Token) -> bool:
        return bool(self.aside) and self.aside[-1].end == token.start and self.aside[-1].kind != lexer.BLANK

    def _break_off(self, issue: Issue) -> None:
        """End the line: the main line with a fault, a variation as if it were closed here."""
        if self.line.number:
            self.score.issues.append(replace(issue, code="variation_illegal"))
            self.line.is_broken = True
        elif self.score.fault is None:
            self.score.fault = replace(issue, is_fault=True)
            self.score.fault_at = len(self.line.plies)

    def _fault(self, code: str, token: Token, detail: str) -> None:
        if self.score.fault is None:
            main = self.score.main
            index = len(main.plies) if not self.opened_at else self.opened_at[0][1]
            self.score.fault = Issue(code, token.start, token.end, 0, None, token.text[:200], detail)
            self.score.fault_at = index

    def _comment(self, token: Token) -> None:
        if _HIDES_MOVES.match(token.text):
            self.skipped = self.skipped or token
        text = token.text[1:-1] if token.text.startswith("{") else token.text[1:]
        self.score.has_nested_comment |= "{" in text and token.text.startswith("{")
        self._add_comment(text)

    def _add_comment(self, text: str) -> None:
        if self.line.plies:
            self.line.plies[-1].comments.append(text)
        else:
            self.before.append(text)
        self.is_adjacent = False

    def _prose(self, token: Token) -> None:
        self.skipped = self.skipped or token
        self._add_comment(" ".join(token.text.split()))

    def _unterminated(self, token: Token) -> None:
        self._add_comment(token.text[1:])
        self._fault("unterminated_comment", token, "the comment has no closing brace")

    def _stray(self, token: Token) -> None:
        self.score.issues.append(Issue("mismatched_delimiter", token.start, token.end, self.line.number, None, token.text))

    def _open(self, token: Token) -> None:
        parent = self.line
        branch = len(parent.plies) - (0 if parent.is_broken else 1)
        line = WrittenLine(len(self.score.lines), parent.number, branch, parent.depth + 1, token.start)
        if parent.plies:
            self.before = []
        self.opened_at.append((token, len(self.score.main.plies), self.skipped))
        self.skipped = None
        self.score.lines.append(line)
        self.open.append(line)
        self.number = None
        self.is_adjacent = False

    def _close(self, token: Token) -> None:
        if len(self.open) == 1:
            self.score.issues.append(Issue("mismatched_delimiter", token.start, token.end, 0, None, token.text))
            return
        line = self.open.pop()
        opening, _, skipped = self.opened_at.pop()
        if self.skipped and not line.plies and _may_be_man(self.score.issues[-1].written or ""):
            self.bracket_end = token.end
        self.skipped = skipped
        if opening.text + token.text not in {"()", "[]"}:
            self.score.issues.append(Issue("mismatched_delimiter", token.start, token.end, line.number, None, token.text))
        if not line.plies:
            line.comments, self.before = self.before, []
        self.number = None
        self.is_adjacent = False

    def _number(self, token: Token) -> None:
        number = lexer.move_number(token)
        if self.number and self.number[0] != number[0]:
            self.skipped = self.skipped or token
        self.number = number
        self.is_adjacent = False

    def _move(self, token: Token, *, is_null: bool = False) -> None:
        if self._is_double_forfeit(token):
            self.score.result = token
            return
        number, is_black = self.number or (None, False)
        ply = WrittenPly(
            token.text, token.start, token.end, token.text, is_null, self.skipped, self._letter_before(token), number, is_black,
            comments_before=self.before,
        )  # fmt: skip
        self.before, self.number, self.skipped = [], None, None
        if not self.line.is_broken:
            self.line.plies.append(ply)
        self.last, self.is_adjacent = ply, True

    def _letter_before(self, move: Token) -> Token | None:
        symbols = [t for t in self.aside if t.kind == lexer.SYMBOL]
        return symbols[-1] if symbols and symbols[-1].text.isalpha() and _is_bare(move) else None

    def _is_double_forfeit(self, token: Token) -> bool:
        """`0-0` where nothing was played is a result; after a move or a number it is castling (docs/rules.md §2)."""
        nothing_yet = not self.score.main.plies and self.number is None and len(self.open) == 1
        return nothing_yet and bool(_ZERO_RESULT.fullmatch("".join(token.text.split())))

    def _null(self, token: Token) -> None:
        self._move(token, is_null=True)

    def _mark(self, token: Token) -> None:
        assert self.last is not None
        self.last.marks.append(token.text)
        self.last.end = token.end
        self.last.written += " " + token.text

    def _symbol(self, token: Token) -> None:
        self.aside.append(token)
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
            token = self.opened_at[0][0]
            self._fault("unterminated_variation", token, "the variation has no closing bracket")
        line = self.line if not self.opened_at else self.score.main
        if self.before:
            line.comments += self.before


def by_number(plies: Sequence[WrittenPly]) -> list[WrittenPly] | None:
    """The plies in the order of their numbers, where columns that stand side by side were run together; else None.

    That is so when the numbered groups follow one another exactly once they are sorted, and do not as they stand.
    """
    groups: list[tuple[int, list[WrittenPly]]] = []
    for ply in plies:
        if ply.number is not None:
            groups.append((2 * ply.number + ply.is_black_number, []))
        if not groups:
            return None
        groups[-1][1].append(ply)
    ordered = sorted(groups, key=lambda group: group[0])
    if ordered == groups or any(at + len(group) != after for (at, group), (after, _) in pairwise(ordered)):
        return None
    return [ply for _, group in ordered for ply in group]


def missing_ply(plies: Sequence[WrittenPly], first_number: int, is_white_first: bool, *, has_own_count: bool) -> int | None:
    """Index of the ply before which words were read over, where the move numbers say that a move stood there; else None.

    `first_number`: number of the first move by the start position; `has_own_count`: a position's text may count from elsewhere.
    """
    first, shift, gap = 0 if is_white_first else 1, 0, None
    for i, ply in enumerate(plies):
        gap = i if ply.skipped and gap is None else gap
        if ply.number is None:
            continue
        found = ply.number - first_number - (first + i) // 2
        if i == 0 and has_own_count:
            shift = found
        if gap is not None and (found != shift or ply.is_black_number != bool((first + i) % 2)):
            return gap
        shift, gap = found, None
    return None


_MIXED = re.compile(r"(?=.*[^\W\d_])(?=.*[1-8])\S{2,5}")
"""Letters and digits behind a move number: what a misprint has left of a move, `4D` of `P4D`."""


def _is_bare(move: Token) -> bool:
    """Whether a move token begins with a square or a capture sign: without a man before it, it is a pawn's move."""
    return move.text[0].islower()


def _may_be_man(chunk: str) -> bool:
    """Whether a chunk may stand for a man: a few letters, or a sign that a figurine is or became (`♘`, `\ufffd`, `?`)."""
    word = chunk.strip(".,")
    return 0 < len(word) <= _MAN_CHARS and (word.isalpha() or word == "?" or (len(word) == 1 and not word.isascii()))


def _is_like_move(chunk: str) -> bool:
    """Whether a chunk that is no move looks like one: a square at its end (`_Nc3`, `Nc/3`, `S'f3`), castling gone wrong."""
    if _CASTLE_LIKE.fullmatch(chunk):
        return True
    return bool(_SQUARE_AT_END.search(chunk)) and sum(map(str.isalpha, chunk)) <= _MOVE_LETTERS
