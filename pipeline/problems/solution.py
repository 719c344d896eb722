"""A written solution → a tree of moves that the board proved.

Numbers say where a move belongs: `2...Kc5` answers the last move 2 of White above it, wherever the line stands and however it is
indented. So Popeye's output, set play, tries, threats and PGN with brackets are one grammar. Where a number leaves out a move of
the other side, that side passes: `threat: 2.Qg7 #` behind `1.Qa1` is 1.Qa1 -- 2.Qg7#, set play is 1.-- Kd5 2.Qc4#.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
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
_ALTERNATIVES = 64
"""Positions in which one written move is tried, and moves whose meaning is left to those behind them, at most."""
_STAR = re.compile(r"(?<=[a-h1-8\w])\*(?=[a-h])")
_LABEL = re.compile(r"\[(?:[A-Za-zα-ωΑ-Ω][\d'*]{0,2}(?:/[A-Za-z])?)\]")
_PROMOTED = re.compile(r"(?<!\w)P(?=[a-h](?:7[-x]?[a-h]8|2[-x]?[a-h]1))")
_SEVERAL = re.compile(
    r"(?<![^\W_])(?P<head>[^\W\d_a-h]{0,3}(?:[a-h][1-8][-x:])?)"
    r"(?:(?P<file>[a-h])\((?P<files>[a-h](?:,\s?[a-h]){0,7})\)(?P<rank>[1-8])(?P<tail>[-x:][a-h][1-8])?"
    r"|(?P<square>[a-h][1-8])\((?P<squares>[a-h][1-8](?:,\s?[a-h][1-8]){0,20})\))"
)
_RUNS_ON = re.compile(r"[-–—]\s?[a-h(]|\([a-h]")
"""Behind a move: there is more of it, which is not read."""
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
    is_decided_later: bool = False
    """Several legal moves fitted, and only this one fits what follows."""

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
    part = plain(text[start:end])
    found: list[Token] = []
    at = 0
    for match in [*_SEVERAL.finditer(part), None]:
        stop = match.start() if match else len(part)
        found += (Token(t.kind, t.start + at, t.end + at, t.text) for t in lexer.Lexer(part[at:stop]).tokens())
        if match:
            found += _several(match)
            at = match.end()
    return [Token(t.kind, t.start + start, t.end + start, t.text) for t in found if t.kind != lexer.BLANK]


def _several(match: re.Match[str]) -> Iterator[Token]:
    """`Kb7-a(c)8`, `Qc4-a2(b3,d5)`: moves to one square or another, as alternatives."""
    more = match["files"] or match["squares"]
    for i, place in enumerate([match["file"] or match["square"], *re.split(r",\s?", more)]):
        if i:
            yield Token(lexer.PUNCTUATION, match.end(), match.end(), "/")
        yield Token(lexer.MOVE, match.start(), match.end(), match["head"] + place + (match["rank"] or "") + (match["tail"] or ""))


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
        self.open: list[tuple[Node, tuple[Node, ...], Token]] = []
        """Moves that a token may mean, below the position in which they stand."""

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
        for parent, rivals, token in reversed(self.open):
            self._decide(parent, [node for node in rivals if node in parent.children], token)
        return self.found

    def _decide(self, parent: Node, rivals: Sequence[Node], token: Token) -> None:
        """Of the moves that a token may mean, keep the one that what follows fits; none or several is a fault."""
        fitting = [_tokens_below(node) for node in rivals]
        lived = [
            node for node, fits in zip(rivals, fitting, strict=True) if all(fits > rest for rest in fitting if rest is not fits)
        ]
        if len(lived) == 1:
            lived[0].is_decided_later = True
            keep = lived[0]
        elif rivals:
            keep = self._fault(parent, rivals[0].ply, token, "ambiguous_san", "several legal moves fit", [n.san for n in rivals])
        else:
            return
        at = parent.children.index(rivals[0])
        others = [child for child in parent.children if child not in rivals]
        parent.children[:] = [*others[:at], keep, *others[at:]]
        self.found.n_moves -= len(rivals) - len(lived)

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
        options = self._patterns(token)
        found: list[Node] = []
        code = "illegal_move" if options else "unknown_token"
        for node in front.nodes[:_ALTERNATIVES]:
            moves = {move: pattern for pattern in reversed(options) for move in candidates(pattern, node.board)}
            if len(moves) > 1 and len(self.open) >= _ALTERNATIVES:
                code = "states_limit"
                continue
            here = tuple(self._child(node, token, move, pattern) for move, pattern in moves.items())
            if len(here) > 1:
                self.open.append((node, here, token))
            found += here
        if not found:
            self._fail(
                front, ply, token, code, "no legal move fits" if code != "states_limit" else "too many moves are left open"
            )
            self.front = _Front(ply, also, front)
            return
        if self.before:
            found[0].comments_before += self.before
            self.before = []
        self.front = _Front(ply, (*also, *found), front)
        return

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

    def _fail(self, front: _Front, ply: int, token: Token, code: str, why: str) -> None:
        for node in front.nodes[:1]:
            node.children.append(self._fault(node, ply, token, code, why))
        self.front = _Front(ply, (), front)

    def _fault(self, node: Node, ply: int, token: Token, code: str, why: str, choices: Sequence[str] = ()) -> Node:
        self.found.n_faults += 1
        issue = Issue(code, token.start, token.end, written=token.text, detail=why, candidates=tuple(choices))
        return Node(node.board, ply, token, fault=issue)


def _tokens_below(node: Node) -> set[int]:
    """Where the moves stand that fit behind a move."""
    found: set[int] = set()
    waiting = list(node.children)
    while waiting:
        child = waiting.pop()
        if child.fault is None and child.token is not None:
            found.add(child.token.start)
            waiting += child.children
    return found


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
