"""A written solution → a tree of moves that the board proved.

Numbers say where a move belongs: `2...Kc5` answers the last move 2 of White above it, wherever the line stands and however it is
indented. So Popeye's output, set play, tries, threats and PGN with brackets are one grammar. Where a number leaves out a move of
the other side, that side passes: `threat: 2.Qg7 #` behind `1.Qa1` is 1.Qa1 -- 2.Qg7#, set play is 1.-- Kd5 2.Qc4#.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cache

import chess

from pipeline import lexer, tables
from pipeline.dialects import WrittenMove, patterns
from pipeline.lexer import Token
from pipeline.model import Issue, MovePattern
from pipeline.resolver import candidates
from pipeline.tables import Alphabet

MAX_DEPTH = 400
"""Plies of one line of a solution, at most."""
MAX_NODES = 20_000
"""Moves of one solution, at most."""
_NESTED = 100
_STAR = re.compile(r"(?<=[a-h1-8\w])\*(?=[a-h])")
_LABEL = re.compile(r"\[(?:[A-Za-zα-ωΑ-Ω][\d'*]{0,2}(?:/[A-Za-z])?)\]")
_PROMOTED = re.compile(r"(?<!\w)P(?=[a-h](?:7[-x]?[a-h]8|2[-x]?[a-h]1))")
_RUNS_ON = re.compile(r"[-–—]\s?[a-h(]|\([a-h]")
"""Behind a move: `Kb7-a(c)8`, `Qa2(b3,d5)`, several squares in one that are not read."""
_DOTS = re.compile(r"\.|…|·")


@dataclass(slots=True, eq=False)
class Node:
    """A move of a solution, or its fault, with the position behind it. The root has neither."""

    board: chess.Board
    ply: int
    token: Token | None = None
    move: chess.Move = field(default_factory=chess.Move.null)
    san: str = ""
    uci: str = ""
    pattern: MovePattern | None = None
    fault: Issue | None = None
    children: list[Node] = field(default_factory=list)
    glyphs: list[tuple[str, int]] = field(default_factory=list)
    marks: list[str] = field(default_factory=list)
    comments: list[str] = field(default_factory=list)
    comments_before: list[str] = field(default_factory=list)

    @property
    def is_null(self) -> bool:
        """A pass, written or left out."""
        return self.token is not None and self.fault is None and not self.move


@dataclass(frozen=True, slots=True)
class _Front:
    """The moves of one ply that are being answered, and those before; alternatives (`Rf6#/Qg5#`) stand in one front."""

    ply: int
    nodes: tuple[Node, ...]
    before: _Front | None


@dataclass(slots=True)
class Solution:
    """The tree, and what belongs to no move. `n_moves` are proven, `n_faults` not."""

    root: Node
    n_moves: int = 0
    n_faults: int = 0
    result: str | None = None
    issues: list[Issue] = field(default_factory=list)


def plain(text: str) -> str:
    """The text with `*` before a square as `x`, labels (`[a]`) and the letter of a promoting pawn as blanks; offsets stay."""
    return _PROMOTED.sub(" ", _LABEL.sub(lambda match: " " * len(match[0]), _STAR.sub("x", text)))


def tokens(text: str, start: int, end: int) -> list[Token]:
    """Tokens of a solution, offsets of the text."""
    found = lexer.Lexer(plain(text[start:end])).tokens()
    return [Token(t.kind, t.start + start, t.end + start, t.text) for t in found if t.kind != lexer.BLANK]


def grow(stream: Sequence[Token], text: str, board: chess.Board, alphabets: Sequence[Alphabet], *, is_help: bool) -> Solution:
    """Read the tokens of a solution that begins at `board` in some alphabets at once (S and N both mean the English knight)."""
    return _Grower(text, board, alphabets, _root_ply(stream, board, is_help=is_help), stream).run(stream)


def _root_ply(stream: Sequence[Token], board: chess.Board, *, is_help: bool) -> int:
    """The ply before the first, where each number stands for two plies: 1 where the first move is the second of its number."""
    first = next((t for t in stream if t.kind == lexer.NUMBER and _DOTS.search(t.text)), None)
    if is_help:
        return 1 if board.turn == chess.WHITE else 0
    has_dots = first is not None and _is_second(first)
    return 1 if board.turn == chess.BLACK and has_dots else 0


def _is_second(token: Token) -> bool:
    """`1...`, `1…`: the number of a move of the side that moves second."""
    return len(_DOTS.findall(token.text)) > 1 or "…" in token.text


class _Grower:
    """The state of one pass."""

    def __init__(
        self, text: str, board: chess.Board, alphabets: Sequence[Alphabet], root_ply: int, stream: Sequence[Token]
    ) -> None:
        self.text = text
        self.alphabets = alphabets
        self.found = Solution(Node(board.copy(stack=False), root_ply))
        self.front = _Front(root_ply, (self.found.root,), None)
        self.stack: list[_Front] = []
        numbers = (int(m[0]) for t in stream if t.kind == lexer.NUMBER and (m := re.match(r"\d+", t.text)))
        self.base = max(next(numbers, 1), 1)
        self.due: int | None = None
        self.joiner = ""
        self.before: list[str] = []

    def run(self, stream: Iterable[Token]) -> Solution:
        for token in stream:
            if token.kind == lexer.MOVE or token.kind == lexer.NULL_MOVE or (token.kind == lexer.SYMBOL and token.text == "~"):
                if self.found.n_moves + self.found.n_faults >= MAX_NODES:
                    self.found.issues.append(
                        Issue("limit_exceeded", token.start, token.end, detail=f"more than {MAX_NODES} moves")
                    )
                    break
                self._move(token)
                continue
            getattr(self, f"_{token.kind}", self._other)(token)
        return self.found

    def _number(self, token: Token) -> None:
        if not _DOTS.search(token.text) and ")" not in token.text:
            return
        number = int(re.match(r"\d+", token.text)[0])  # type: ignore[index]
        self.due = 2 * (number - self.base) + (2 if _is_second(token) else 1)
        self.joiner = ""

    def _open(self, token: Token) -> None:
        if len(self.stack) < _NESTED:
            self.stack.append(self.front)
        self.due, self.joiner = None, ""

    def _close(self, token: Token) -> None:
        if self.stack:
            self.front = self.stack.pop()
        self.due, self.joiner = None, ""

    def _symbol(self, token: Token) -> None:
        for node in self.front.nodes:
            node.glyphs.append((token.text, token.start))

    _nag = _symbol

    def _mark(self, token: Token) -> None:
        for node in self.front.nodes:
            node.marks.append(token.text)

    def _punctuation(self, token: Token) -> None:
        if token.text in "/,":
            self.joiner = token.text

    def _comment(self, token: Token) -> None:
        self._say(token.text.strip("{};").strip())

    def _result(self, token: Token) -> None:
        if not self.stack:
            self.found.result = token.text

    def _word(self, token: Token) -> None:
        kind = _kinds().get(token.text.strip(".:").casefold())
        if kind == "or":
            self.joiner = "/"
        elif kind == "refutation":
            self.before.append(token.text)
        elif kind != "solution":
            self._say(token.text.strip(".:") if kind else token.text)

    _result_words = _word

    def _other(self, token: Token) -> None:
        """Quotes, colons and the like say nothing."""

    def _say(self, words: str) -> None:
        for node in self.front.nodes[:1]:
            if node.comments and words not in _kinds() and node.comments[-1] not in _kinds():
                node.comments[-1] += f" {words}"
            else:
                node.comments.append(words)

    def _move(self, token: Token) -> None:
        due, joiner, self.due, self.joiner = self.due, self.joiner, None, ""
        if due is not None:
            return self._place(token, due)
        if joiner == "/":
            return self._place(token, self.front.ply, is_alternative=True)
        if joiner == "," and not self._fits(token, self.front.nodes):
            return self._place(token, self.front.ply, is_alternative=True)
        return self._place(token, self.front.ply + 1)

    def _fits(self, token: Token, nodes: Sequence[Node]) -> bool:
        options = self._patterns(token)
        return any(candidates(pattern, node.board) for node in nodes for pattern in options)

    def _place(self, token: Token, ply: int, *, is_alternative: bool = False) -> None:
        """Hang a move on the last moves of the ply before it."""
        said = self.front
        front: _Front | None = self.front
        while front is not None and front.ply >= ply:
            front = front.before
        if front is None:
            front = _root_of(self.front)
            return self._fail(front, front.ply + 1, token, "unknown_token", "a number before the first move")
        if ply - front.ply == 2:
            front = self._passed(front, token)
        if ply - front.ply > 1:
            return self._fail(front, front.ply + 1, token, "unknown_token", "moves before it are missing")
        if ply - self.found.root.ply > MAX_DEPTH:
            return self._fail(front, ply, token, "limit_exceeded", f"a line of more than {MAX_DEPTH} plies")
        if not front.nodes:
            self.front = _Front(ply, (), front)
            return None
        return self._try(token, front, ply, also=said.nodes if is_alternative else ())

    def _passed(self, front: _Front, token: Token) -> _Front:
        """The front behind a pass of the side whose move is left out."""
        at = Token(lexer.NULL_MOVE, token.start, token.start, "")
        nodes = tuple(
            self._child(node, at, chess.Move.null(), MovePattern(is_null=True))
            for node in front.nodes
            if not node.board.is_check()
        )
        return _Front(front.ply + 1, nodes, front)

    def _try(self, token: Token, front: _Front, ply: int, *, also: tuple[Node, ...]) -> None:
        options, found, choices = self._patterns(token), [], []
        for node in front.nodes:
            moves = {move: pattern for pattern in reversed(options) for move in candidates(pattern, node.board)}
            if len(moves) == 1:
                ((move, pattern),) = moves.items()
                found.append(self._child(node, token, move, pattern))
            choices += [node.board.san(move) for move in moves if move]
        if not found:
            code = "ambiguous_san" if choices else "illegal_move" if options else "unknown_token"
            return self._fail(front, ply, token, code, "several legal moves fit" if choices else "no legal move fits", choices)
        if self.before:
            found[0].comments_before += self.before
            self.before = []
        self.front = _Front(ply, (*also, *found), front)
        return None

    def _patterns(self, token: Token) -> tuple[MovePattern, ...]:
        if token.text == "~" or token.kind == lexer.NULL_MOVE:
            return (MovePattern(is_null=True),)
        if _RUNS_ON.match(self.text, token.end):
            return ()
        return read(token.text, self.alphabets)

    def _child(self, node: Node, token: Token, move: chess.Move, pattern: MovePattern) -> Node:
        for child in node.children:
            if child.fault is None and child.move == move:
                return child
        board = node.board.copy(stack=False)
        uci = board.uci(move) if move else "0000"
        child = Node(board, node.ply + 1, token, move, board.san_and_push(move) if move else "--", uci, pattern)
        if not move:
            board.push(move)
        node.children.append(child)
        self.found.n_moves += 1
        return child

    def _fail(self, front: _Front, ply: int, token: Token, code: str, why: str, choices: Sequence[str] = ()) -> None:
        for node in front.nodes[:1]:
            issue = Issue(code, token.start, token.end, written=token.text, detail=why, candidates=tuple(dict.fromkeys(choices)))
            node.children.append(Node(node.board, ply, token, fault=issue))
            self.found.n_faults += 1
        self.front = _Front(ply, (), front)


def _root_of(front: _Front) -> _Front:
    while front.before is not None:
        front = front.before
    return front


def read(text: str, alphabets: Sequence[Alphabet]) -> tuple[MovePattern, ...]:
    """The patterns of a move in some alphabets, each once; what no alphabet reads is forgiven (`Pg7xf8`)."""
    for is_lenient in (False, True):
        found = {p: None for alphabet in alphabets for p in patterns(WrittenMove(text), alphabet, is_lenient=is_lenient)}
        if found:
            return tuple(found)
    return ()


@cache
def _kinds() -> Mapping[str, str]:
    return {row["text"]: row["kind"] for row in tables.rows("problem_words") if row["kind"] != "option"}
