"""Tokens that are still to come, looked at before they are read."""

from __future__ import annotations

from collections import deque
from collections.abc import Iterator, Sequence
from functools import cache
from itertools import islice

from pipeline import lexer, tables
from pipeline.collect import BEHIND_TOKENS, BETWEEN, BLANK_LINE, MOVES, is_first
from pipeline.lexer import Token
from pipeline.notations import misread
from pipeline.sentences import ends_sentence, has_end

SIGNS = frozenset({lexer.SYMBOL, lexer.NAG, lexer.MARK})
"""Kinds of tokens that stand behind a move and belong to it."""
CHUNK_TOKENS = 8
"""Most tokens that a move consists of where scanning spoilt it."""
MOVETEXT = MOVES | {lexer.NUMBER, lexer.RESULT, lexer.COMMENT, lexer.OPEN, lexer.NAG, lexer.SYMBOL}
_GROUP_TOKENS = 1500
"""Longest remark in brackets."""
_MOVES_TOKENS = 8
"""Tokens that two moves with their signs fit in."""


class Ahead:
    """A stream of tokens whose next ones can be looked at."""

    def __init__(self, stream: Iterator[Token], *, is_scanned: bool) -> None:
        """`is_scanned`: words may be what scanning made of moves."""
        self.stream = stream
        self.is_scanned = is_scanned
        self.waiting: deque[Token] = deque()
        self.unclosed_until = -1
        """Up to here no bracket is closed: looking again for each that opens would make such prose slow."""
        self.unclosed_words = 0

    def next(self) -> Token | None:
        """Read a token; None at the end."""
        return self.waiting.popleft() if self.waiting else next(self.stream, None)

    def peek(self, n: int) -> Iterator[Token]:
        """Up to `n` tokens that come next; they stay to be read."""
        if len(self.waiting) < n:
            self.waiting.extend(islice(self.stream, n - len(self.waiting)))
        return islice(list(islice(self.waiting, n)), n)

    def ends_line(self) -> bool:
        """Whether the line ends here."""
        following = next(self.peek(1), None)
        return following is None or "\n" in following.text or "\r" in following.text

    def moves(self) -> list[Token]:
        """The move right behind a number that was read, and the one behind that; [] when none follows."""
        found: list[Token] = []
        for token in self.peek(_MOVES_TOKENS):
            if token.kind in MOVES:
                found.append(token)
            elif token.kind not in BETWEEN | SIGNS or (not found and token.kind != lexer.BLANK):
                break
        return found

    def glued(self, token: Token, n: int) -> list[Token]:
        """A token that was read and up to `n` that follow it without a blank or a sign of a sentence."""
        found = [token]
        for following in self.peek(n):
            if found[-1].text[-1].isspace() or following.kind == lexer.BLANK or following.text in {",", ";", ".", ")"}:
                break
            found.append(following)
        return found

    def unscanned(self, token: Token) -> Token:
        """The chunk that begins with a token as a move, if scanning may have made it of one and the score goes on behind it."""
        if token.kind not in {lexer.WORD, lexer.UNKNOWN, lexer.MOVE, lexer.SYMBOL, lexer.RESULT, lexer.NUMBER}:
            return token
        glued = self.glued(token, CHUNK_TOKENS)
        text = "".join(t.text for t in glued).rstrip()
        if (len(glued) == 1 and token.kind == lexer.MOVE) or not misread.may_be_move(text):
            return token
        ahead = [t for t in islice(self.peek(CHUNK_TOKENS + 3), len(glued) - 1, None) if t.kind not in BETWEEN]
        if ahead and ahead[0].kind not in MOVETEXT and not misread.may_be_move(ahead[0].text):
            return token
        for _ in glued[1:]:
            self.next()
        return Token(lexer.MOVE, token.start, token.start + len(text), text)

    def counts_games(self) -> bool:
        """Whether move number 1 stands behind a number that was read: it counts the games of a list (`2) 1. d4 d5`)."""
        following = next((t for t in self.peek(2) if t.kind != lexer.BLANK), None)
        return following is not None and following.kind == lexer.NUMBER and is_first(following)

    def is_sentence(self) -> bool:
        """Whether words come, two at least."""
        words = [t for t in self.peek(4) if t.kind != lexer.BLANK]
        return len(words) > 1 and all(t.kind == lexer.WORD for t in words)

    def ends_game(self, told: Token) -> bool:
        """Whether words that may tell a result do: no question is asked, and who wins or draws does not win a pawn."""
        following = next((t for t in self.peek(2) if t.kind != lexer.BLANK or BLANK_LINE.search(t.text)), None)
        if following is None or following.kind == lexer.BLANK:
            return True
        if following.text.startswith("?"):
            return False
        return following.kind != lexer.WORD or " ".join(told.text.casefold().split()) in _resignations()

    def group(self) -> tuple[bool, int]:
        """Of brackets that just opened: whether they are closed within the paragraph, and how many words they hold."""
        first = next(self.peek(1), None)
        if first is not None and first.start < self.unclosed_until:
            return False, self.unclosed_words
        depth, n_words, end, has_end = 1, 0, 0, False
        for token in self.peek(_GROUP_TOKENS):
            depth += {lexer.OPEN: 1, lexer.CLOSE: -1}.get(token.kind, 0)
            has_end |= token.kind == lexer.CLOSE
            n_words += token.kind == lexer.WORD and sum(map(str.isalpha, token.text)) > 1
            end = token.end
            if depth == 0 or BLANK_LINE.search(token.text):
                break
        if depth and not has_end:
            self.unclosed_until, self.unclosed_words = end, n_words
        return depth == 0, n_words

    def bracketed(self, opening: Token) -> Token:
        """Read all of a pair of brackets as one remark."""
        texts, depth = [opening.text], 1
        end = opening.end
        while depth and (token := self.next()) is not None:
            depth += {lexer.OPEN: 1, lexer.CLOSE: -1}.get(token.kind, 0)
            texts.append(token.text)
            end = token.end
        return Token(lexer.PROSE, opening.start, end, "".join(texts))

    def words_follow(self, n_moves: int, *, is_misplaced: bool = False) -> bool:
        """Whether a word in small letters stands behind one move, on its line, or, where the number is misplaced, on the next.

        `n_moves`: those already passed.
        """
        ahead = list(self.peek(12))
        for i, token in enumerate(ahead):
            if token.kind in MOVES or self._may_be_scanned(token, ahead[i + 1 :]):
                n_moves += 1
            elif token.kind == lexer.WORD:
                return n_moves == 1 and token.text[0].islower()
            elif (
                ("\n" in token.text and not is_misplaced)
                or token.text == ";"
                or (token.kind not in BETWEEN and token.kind not in SIGNS)
            ):
                return False
        return False

    def _may_be_scanned(self, token: Token, following: Sequence[Token]) -> bool:
        """Whether a word may be what scanning made of a move: movetext follows."""
        if not self.is_scanned or token.kind != lexer.WORD or not misread.may_be_move(token.text):
            return False
        return next((t.kind in MOVETEXT for t in following if t.kind not in BETWEEN), False)

    def speaks_on(self, token: Token) -> bool:
        """Whether a sentence goes on behind the result up to a number: `0-1 in view of 24. Kg1`."""
        words = [token] if token.kind == lexer.WORD else []
        for following in self.peek(BEHIND_TOKENS):
            if following.kind == lexer.NUMBER:
                return len(words) > 1 and words[-1].text[0].islower() and not has_end(words)
            if following.kind in MOVES or ends_sentence(following):
                return False
            words += [following] if following.kind == lexer.WORD else []
        return False


@cache
def _resignations() -> frozenset[str]:
    """Words that say who gave up, or that time was over: a reason may follow them."""
    ends = {"resignation", "time", "mate"}
    return frozenset(row["text"].casefold() for row in tables.rows("results") if row["type"] in ends)
