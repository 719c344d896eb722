"""A score without tags, told among prose: which of its moves are the game? Knows no board. Rules: docs/rules.md §2.1.

Books and pages put remarks between the moves, and lines that were not played into the remarks, mostly without brackets. The
numbering tells them apart: behind prose the score goes on where a number is due that opens a sentence or a line. A number
in the midst of a sentence (`better was 9. Nf3`) speaks of a move. What is read over becomes a remark on the ply before it.
Where moves seem to go on that cannot be told from remarks, the score is broken off: a fault, no guess.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Iterator
from functools import cache
from itertools import islice

from pipeline import lexer, tables
from pipeline.collect import BETWEEN, BLANK_LINE, MOVES, ODD, Collector, is_first
from pipeline.lexer import Token
from pipeline.model import Issue
from pipeline.notations import misread
from pipeline.openings import is_wrapped

_MOVETEXT = MOVES | {lexer.NUMBER, lexer.RESULT, lexer.COMMENT, lexer.OPEN, lexer.NAG, lexer.SYMBOL}
_SIGNS = frozenset({lexer.SYMBOL, lexer.NAG, lexer.MARK})
_PROSE_TOKENS = 1500
"""Longest remark between two moves: some pages of a book, no chapter."""
_GROUP_TOKENS = 1500
"""Longest remark in brackets."""
_SIGNS_TOKENS = 400
_QUOTED_OPENINGS = 3
"""How often the remarks of one game may speak of a first move: looking past more would make a text of such words slow."""
_LINE_TOKENS = 60
"""More tokens than a line has."""
_CHUNK_TOKENS = 8
"""Most tokens that a move consists of where scanning spoilt it."""
_THIN_WORDS = 2
"""So few words between two moves are no sentence: they may be what is left of a move."""
_GAP_PLIES = 3
"""A score that goes on this far beyond the move that is due has lost some."""
_SENTENCE_ENDS = frozenset(".!?…:")
_QUOTES = frozenset("\"'“”„«»’‘›‹")


class Narrative(Collector):
    """Collects the main line of one game from text in which moves and remarks stand side by side."""

    begins_anywhere = True

    def __init__(self, *, is_scanned: bool) -> None:
        """`is_scanned`: what scanning made of algebraic moves is looked for."""
        super().__init__()
        self.is_scanned = is_scanned
        self.is_aside = False
        self.n_words = 0
        """Words of the prose being read."""
        self.first_number: int | None = None
        """Half-move index of the first move, by its number: 0 = White's first move."""
        self.side: int | None = None
        """Half-move index that is due in a line told in the prose."""
        self.is_thin = True
        """Whether the prose being read is a word or two and tells no line: it may be what is left of a move."""
        self.has_mention = False
        """Whether the prose being read speaks of a move without a number."""
        self.n_quoted = 0
        self.played: list[str] = []
        """Moves of the score as written."""
        self.repeats = False
        """Whether the line told in the prose begins with the move that was just played."""
        self.weak: tuple[int, int, int] | None = None
        """Where the score last went on in the midst of a paragraph: half-move index, tokens kept before, moves before."""
        self.doubts: list[tuple[Token, int]] = []
        """Numbers in the prose since the last move with which the score may go on, and their plies there."""

    def collect(self, stream: Iterator[Token]) -> tuple[list[Token], list[Issue]]:
        """Tokens up to the last one that belongs to the game; remarks among them are one `PROSE` token each."""
        self.ahead: deque[Token] = deque()
        self.stream = stream
        while (token := self._next()) is not None:
            if self.is_scanned and not self.is_aside and not self.depth and self._expects_move():
                token = self._unscanned(token)
            if token.kind in BETWEEN:
                self._pass_between(token)
            elif self.is_aside:
                if not self._tell(token):
                    break
            elif self.ends_before(token):
                if self.is_over and self.kept[-1].kind != lexer.RESULT_WORDS:
                    self.look_behind_result([token, *self._peek(20)])
                break
            elif token.kind == lexer.OPEN and not self.depth:
                if not self._keep_group(token):
                    break
            elif self._begins_remark(token):
                self._begin_prose()
                if not self._tell(token):
                    break
            elif self.depth or token.kind not in ODD or self._is_read_over(token):
                self.keep(token)
            elif self._is_broken_off(token):
                break
            else:
                self._begin_prose()
                self.n_words = 1
                self.tail.append(token)
        self._report_doubt()
        return self.kept, self.issues

    def keep(self, token: Token) -> None:
        """Add a token, and what stands before it, to the game; the first number says which move is due."""
        super().keep(token)
        if self.depth:
            return
        if token.kind == lexer.NUMBER and self.first_number is None:
            self.first_number = _index(token) - self.n_moves
        elif token.kind in MOVES:
            self.played.append(token.text)
        elif token.kind == lexer.RESULT_WORDS and self.n_moves:
            self.is_over = True

    def _pass_between(self, token: Token) -> None:
        """Blanks and punctuation; the end of a sentence or a paragraph ends a line told in it."""
        is_paragraph = bool(BLANK_LINE.search(token.text))
        if token.text[-1] in _SENTENCE_ENDS or is_paragraph:
            self.side = None
        self.is_thin &= not is_paragraph
        self.tail.append(token)

    def _begin_prose(self) -> None:
        self.is_aside, self.is_thin, self.n_words = True, not self.has_blank_line(), 0
        self.has_mention = False
        self.side, self.doubts = None, []

    def _begins_remark(self, token: Token) -> bool:
        """Whether a sentence begins with a move on a new line, or, behind a blank line, with a number that is not due."""
        if self.depth or not self.n_moves:
            return False
        if not self._begins_line():
            is_behind_sign = any(t.text == ";" for t in self.tail)
            is_misplaced = token.kind == lexer.NUMBER and _index(token) != self._due()
            return (is_misplaced or (is_behind_sign and token.kind == lexer.NUMBER)) and self._words_follow(
                0, is_misplaced=is_misplaced
            )
        if token.kind in MOVES:
            return self.kept[-1].kind != lexer.NUMBER and self._words_follow(1)
        if token.kind != lexer.NUMBER or not (moves := self._moves_behind()):
            return False
        return (len(moves) == 1 and self._words_follow(0)) or (self.has_blank_line() and _index(token) != self._due())

    def _words_follow(self, n_moves: int, *, is_misplaced: bool = False) -> bool:
        """Whether a word in small letters stands behind one move, on its line, or, where the number is misplaced, on the next.

        `n_moves`: those already passed.
        """
        for token in self._peek(12):
            if token.kind in MOVES:
                n_moves += 1
            elif token.kind == lexer.WORD:
                return n_moves == 1 and token.text[0].islower()
            elif ("\n" in token.text and not is_misplaced) or (token.kind not in BETWEEN and token.kind not in _SIGNS):
                return False
        return False

    def _expects_move(self) -> bool:
        """Whether a move may stand here: behind a number, or behind a move with nothing but blanks between."""
        if not self.kept or any(t.kind != lexer.BLANK and t.text not in ",;" for t in self.tail):
            return False
        return self.kept[-1].kind in {lexer.NUMBER, lexer.SYMBOL, *MOVES}

    def _unscanned(self, token: Token) -> Token:
        """The chunk that begins here as a move, if it may be what scanning made of one and the score goes on behind it."""
        if token.kind not in {lexer.WORD, lexer.UNKNOWN, lexer.MOVE, lexer.SYMBOL, lexer.RESULT, lexer.NUMBER}:
            return token
        glued = self._glued(token)
        text = "".join(t.text for t in glued).rstrip()
        if (len(glued) == 1 and token.kind == lexer.MOVE) or not misread.may_be_move(text):
            return token
        ahead = [t for t in islice(self._peek(_CHUNK_TOKENS + 3), len(glued) - 1, None) if t.kind not in BETWEEN]
        if ahead and ahead[0].kind not in _MOVETEXT and not misread.may_be_move(ahead[0].text):
            return token
        for _ in glued[1:]:
            self._next()
        return Token(lexer.MOVE, token.start, token.start + len(text), text)

    def _glued(self, token: Token) -> list[Token]:
        """The token and what follows it without a blank or a sign of a sentence."""
        glued = [token]
        for following in self._peek(_CHUNK_TOKENS):
            if glued[-1].text[-1].isspace() or following.kind == lexer.BLANK or following.text in {",", ";", ".", ")"}:
                break
            glued.append(following)
        return glued

    def _next(self) -> Token | None:
        return self.ahead.popleft() if self.ahead else next(self.stream, None)

    def _peek(self, n: int) -> Iterator[Token]:
        """Up to `n` tokens that come next; they stay to be read."""
        if len(self.ahead) < n:
            self.ahead.extend(islice(self.stream, n - len(self.ahead)))
        return islice(list(islice(self.ahead, n)), n)

    def _due(self) -> int:
        return (self.first_number or 0) + self.n_moves

    def _is_broken_off(self, token: Token) -> bool:
        """Whether half a move, or a scrap that is no word, stands behind a number; reported."""
        if not self.kept or self.kept[-1].kind != lexer.NUMBER:
            return False
        chunk = "".join(t.text for t in self._glued(token)).rstrip(" \r\n\t!?:")
        is_scrap = any(c.isdigit() for c in chunk) and len(chunk) <= _CHUNK_TOKENS
        if not (is_scrap or lexer.HALF_MOVE.fullmatch(token.text)):
            return False
        self._fault(token, "the move is broken off")
        return True

    def _is_read_over(self, token: Token) -> bool:
        """Signs alone are read over: movetext follows before any word."""
        if token.kind == lexer.WORD:
            return False
        for following in self._peek(_SIGNS_TOKENS):
            if following.kind == lexer.WORD:
                return False
            if following.kind in _MOVETEXT:
                return True
        return False

    def _group(self) -> tuple[bool, int]:
        """Of brackets that just opened: whether they are closed within the paragraph, and how many words they hold."""
        depth, n_words = 1, 0
        for token in self._peek(_GROUP_TOKENS):
            depth += {lexer.OPEN: 1, lexer.CLOSE: -1}.get(token.kind, 0)
            n_words += token.kind == lexer.WORD and sum(map(str.isalpha, token.text)) > 1
            if depth == 0 or BLANK_LINE.search(token.text):
                return depth == 0, n_words
        return False, n_words

    def _keep_group(self, opening: Token) -> bool:
        """A variation, or, where brackets hold words, a remark; False where a remark is not closed."""
        is_closed, n_words = self._group()
        if n_words and not is_closed:
            self._fault(opening, "the remark has no closing bracket", "unterminated_variation")
            return False
        self.keep(self._bracketed(opening) if n_words > 1 else opening)
        return True

    def _bracketed(self, opening: Token) -> Token:
        """All of a pair of brackets as one remark."""
        texts, depth = [opening.text], 1
        end = opening.end
        while depth and (token := self._next()) is not None:
            depth += {lexer.OPEN: 1, lexer.CLOSE: -1}.get(token.kind, 0)
            texts.append(token.text)
            end = token.end
        return Token(lexer.PROSE, opening.start, end, "".join(texts))

    def _tell(self, token: Token) -> bool:
        """Read one token of prose; False where the game has ended before it."""
        if len(self.tail) > _PROSE_TOKENS:
            return False
        if token.kind == lexer.NUMBER:
            moves = self._moves_behind()
            if moves and not self._number(token, moves):
                return False
        elif token.kind == lexer.OPEN and self._group()[0]:
            self.tail.append(self._bracketed(token))
            return True
        elif token.kind in MOVES:
            self._mention(token)
        elif token.kind in {lexer.RESULT, lexer.RESULT_WORDS} and self.side is None and not self.doubts and self._is_told(token):
            if token.kind == lexer.RESULT_WORDS or self._ends_line():
                self._go_on(token)
                self.is_over = True
                return True
        elif token.kind in ODD:
            self.n_words += 1
            self.is_thin &= self.n_words <= _THIN_WORDS
            self.side = None
        if self.is_aside:
            self.tail.append(token)
        return True

    def _moves_behind(self) -> list[Token]:
        """The move right behind a number, and the one behind that; [] when none follows."""
        found: list[Token] = []
        for token in self._peek(8):
            if token.kind in MOVES:
                found.append(token)
            elif token.kind not in BETWEEN | _SIGNS or (not found and token.kind != lexer.BLANK):
                break
        return found

    def _number(self, token: Token, moves: list[Token]) -> bool:
        """A number with a move in the prose: the score goes on, or a line that is told; False where another game begins."""
        index, due = _index(token), self._due()
        is_told = self._is_told(token)
        if is_first(token) and self.n_moves:
            self.n_quoted += 1
            begins_line = self._begins_line() and not is_wrapped("".join(t.text for t in self.tail[-_LINE_TOKENS:]))
            is_alone = any(t.kind != lexer.BLANK for t in self.tail)
            if (is_told and is_alone) or begins_line or self.n_quoted > _QUOTED_OPENINGS:
                return False
        if self.weak and index == self.weak[0] and is_told and not self._opens_sentence():
            return self._contest(token)
        if self.side == index and not (self.repeats and index == due and self._begins_line()):
            return True
        is_told |= self.side == index
        self.side = index
        self.repeats = index == due - 1 and bool(self.played) and moves[0].text == self.played[-1]
        if index == due and is_told and not self._opens_sentence():
            self._go_on(token)
            return True
        is_beyond = due < index <= due + _GAP_PLIES and (is_told or self.is_thin)
        if is_beyond or (index == due and (self.is_thin or len(moves) > 1)):
            self.doubts.append((token, len(moves)))
        self.is_thin = False
        return True

    def _contest(self, token: Token) -> bool:
        """A second move claims the place of one read in the midst of a paragraph: the beginning of a paragraph outweighs it."""
        assert self.weak is not None
        index, n_kept, n_moves = self.weak
        again = [*self.kept[n_kept:], *self.tail]
        self.kept, self.tail, self.n_moves, self.weak = self.kept[:n_kept], again, n_moves, None
        del self.played[n_moves:]
        self.is_thin = False
        if self.has_own_paragraph():
            self._go_on(token)
            return True
        self.doubts = [(token, index)]
        return False

    def has_own_paragraph(self) -> bool:
        """Whether a blank line stands before the token at hand."""
        return bool(self.tail) and bool(BLANK_LINE.search(self.tail[-1].text))

    def _mention(self, move: Token) -> None:
        if self.side is not None:
            self.side += 1
            return
        self.has_mention = True
        if self.is_thin and not any(_ends_sentence(t) for t in self.tail):
            self.doubts.append((move, 1))

    def _go_on(self, token: Token) -> None:
        """The score goes on with `token`: what stands before it is a remark, or, a word or two, of no known use."""
        if not self.is_thin or self.has_mention:
            texts = [t for t in self.tail if t.kind != lexer.BLANK]
            first, last = texts[0], texts[-1]
            i, j = self.tail.index(first), len(self.tail) - self.tail[::-1].index(last)
            remark = Token(lexer.PROSE, first.start, last.end, "".join(t.text for t in self.tail[i:j]))
            self.tail = [*self.tail[:i], remark, *self.tail[j:]]
        is_weak = token.kind == lexer.NUMBER and not self.has_own_paragraph()
        self.weak = (_index(token), len(self.kept), self.n_moves) if is_weak else None
        self.is_aside, self.side, self.doubts = False, None, []
        self.keep(token)

    def _is_told(self, token: Token) -> bool:
        """Whether a number opens a sentence, a paragraph, or stands behind moves or brackets, and is no part of a sentence."""
        for before in reversed(self.tail):
            if before.kind == lexer.BLANK:
                if BLANK_LINE.search(before.text):
                    return True
            elif before.kind == lexer.WORD:
                return before.text.endswith(".") and before.text.casefold() not in _abbreviations()
            elif before.kind == lexer.CLOSE:
                return False  # of a list: `a) 9. Bxe4`; brackets that are closed are one remark
            elif before.kind != lexer.PUNCTUATION or before.text[-1] not in _QUOTES:
                return before.kind != lexer.PUNCTUATION or before.text[-1] in _SENTENCE_ENDS
        return True

    def _opens_sentence(self) -> bool:
        """Whether a sentence begins with the number: `25. Qxb7 wins a piece`; with two moves on a line that does not begin so."""
        return self._words_follow(0) or (not self._begins_line() and self._words_follow(-1))

    def _begins_line(self) -> bool:
        before = self.tail[-1].text if self.tail else ""
        return "\n" in before or "\r" in before

    def _ends_line(self) -> bool:
        following = next(self._peek(1), None)
        return following is None or "\n" in following.text or "\r" in following.text

    def _report_doubt(self) -> None:
        """Behind the last move the score seems to go on: it is broken off there."""
        if not self.is_aside or self.is_over or self.issues or not self.doubts or not self.kept:
            return
        token, _ = self.doubts[0]
        first = next(t for t in self.tail if t.kind != lexer.BLANK)
        detail = f"the score seems to go on with {token.text.strip()}, but prose stands between"
        self.issues.append(Issue("unknown_token", first.start, first.end, 0, None, first.text, detail, is_fault=True))

    def _fault(self, token: Token, detail: str, code: str = "unknown_token") -> None:
        self.issues.append(Issue(code, token.start, token.end, 0, None, token.text, detail, is_fault=True))


def _ends_sentence(token: Token) -> bool:
    is_end = token.text[-1] in _SENTENCE_ENDS and token.kind in {lexer.WORD, lexer.PUNCTUATION, lexer.SYMBOL}
    return is_end or bool(BLANK_LINE.search(token.text))


def _index(token: Token) -> int:
    """Half-move index that a number announces: 0 = White's first move."""
    number, is_black = lexer.move_number(token)
    return 2 * (number - 1) + is_black


@cache
def _abbreviations() -> frozenset[str]:
    """Words with a full stop that ends no sentence: `e.g.`, `z.B.`, `напр.`."""
    return frozenset(word.text.casefold() for word in tables.words("abbreviation"))
