"""A score without tags, told among prose: which of its moves are the game? Knows no board. Rules: docs/rules.md §2.1.

Books and pages put remarks between the moves, and lines that were not played into the remarks, mostly without brackets. The
numbering tells them apart: behind prose the score goes on where a number is due that opens a sentence or a line. A number
in the midst of a sentence (`better was 9. Nf3`) speaks of a move. What is read over becomes a remark on the ply before it.
Where moves seem to go on that cannot be told from remarks, the score is broken off: a fault, no guess.
"""

from __future__ import annotations

from collections.abc import Iterator

from pipeline import lexer
from pipeline.ahead import CHUNK_TOKENS, MOVETEXT, Ahead
from pipeline.claims import GAP_PLIES, Claims, index
from pipeline.collect import BEHIND_TOKENS, BETWEEN, BLANK_LINE, MOVES, ODD, Collector, is_first
from pipeline.lexer import Token
from pipeline.model import Issue
from pipeline.openings import is_wrapped
from pipeline.sentences import (
    SENTENCE_ENDS,
    begins_line,
    begins_paragraph,
    has_end,
    is_announced,
    is_behind_move,
    is_wide,
    opens,
)

_PROSE_TOKENS = 1500
"""Longest remark between two moves: some pages of a book, no chapter."""
_SIGNS_TOKENS = 400
_QUOTED_OPENINGS = 3
"""How often the remarks of one game may speak of a first move: looking past more would make a text of such words slow."""
_LINE_TOKENS = 60
"""More tokens than a line has."""
_THIN_WORDS = 2
"""So few words between two moves are no sentence: they may be what is left of a move."""


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
        self.numbers: set[int] = set()
        """Numbers of moves that were told, less one."""
        self.is_doubled = False
        """Whether Black's moves have White's numbers, too: `1. e4 1. e5`."""
        self.places: list[int] = []
        """For each move of the score, how many tokens were kept before it and its number."""
        self.claims = Claims()
        self.is_subject = False
        """Whether the moves before the prose being read are the subject of its sentence: `3. c4 e5 is threatened`."""
        self.side: int | None = None
        """Half-move index that is due in a line told in the prose."""
        self.is_thin = True
        """Whether the prose being read is a word or two and tells no line: it may be what is left of a move."""
        self.may_be_over = False
        """Whether a sentence of the prose tells how the game ended."""
        self.has_mention = False
        """Whether the prose being read speaks of a move without a number."""
        self.n_quoted = 0
        self.played: list[str] = []
        """Moves of the score as written."""
        self.repeats = False
        """Whether the line told in the prose begins with the move that was just played."""
        self.weak: int | None = None
        """Where the score last went on in the midst of a paragraph: moves before."""
        self.is_hidden = False  # whether the number that is due stood right behind a line that was told
        self.is_announced = False  # whether it went on there behind a colon
        self.doubts: list[Token] = []
        """Numbers in the prose since the last move with which the score may go on."""

    def collect(self, stream: Iterator[Token]) -> tuple[list[Token], list[Issue]]:
        """Tokens up to the last one that belongs to the game; remarks among them are one `PROSE` token each."""
        self.ahead = Ahead(stream, is_scanned=self.is_scanned)
        while (token := self.ahead.next()) is not None:
            if self.is_scanned and not self.is_aside and not self.depth and self._expects_move():
                is_due = token.kind == lexer.NUMBER and self.kept[-1].kind in MOVES and index(token) == self._due()
                token = token if is_due else self.ahead.unscanned(token)
            if token.kind == lexer.RESULT_WORDS and not self.ahead.ends_game(token):
                token = token._replace(kind=lexer.WORD)
            if token.kind in BETWEEN:
                self._pass_between(token)
            elif self.is_aside:
                if not self._tell(token):
                    break
            elif token.kind == lexer.NUMBER and not self.depth and self.n_moves > 1 and self.ahead.counts_games():
                break
            elif not self._is_listed(token) and self.ends_before(token):
                if not self.is_over and is_wide(self.tail):
                    self._fault(token, "two scores stand side by side")
                if self.is_over and self.kept[-1].kind != lexer.RESULT_WORDS and not self.ahead.speaks_on(token):
                    self.look_behind_result([token, *self.ahead.peek(BEHIND_TOKENS)])
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
                is_subject = token.kind == lexer.WORD and token.text[0].islower() and not has_end(self.tail)
                self._begin_prose(is_subject=is_subject)
                self.n_words = 1
                self.tail.append(token)
        self._report_doubt()
        return self.kept, self.issues

    def keep(self, token: Token) -> None:
        """Add a token, and what stands before it, to the game; the first number says which move is due."""
        is_numbered = bool(self.kept) and self.kept[-1].kind == lexer.NUMBER
        n_kept = len(self.kept) - 1 if is_numbered else len(self.kept) + len(self.tail)
        super().keep(token)
        if self.depth:
            return
        if token.kind == lexer.NUMBER:
            if self.first_number is None:
                self.first_number = index(token) - self.n_moves
            self.is_doubled |= self.n_moves == 1 and index(token) == 0
            self.numbers.add(index(token) // 2)
        elif token.kind in MOVES:
            self.played.append(token.text)
            self.places.append(n_kept)
        elif token.kind == lexer.RESULT_WORDS and self.n_moves:
            self.is_over = True

    def _pass_between(self, token: Token) -> None:
        """Blanks and punctuation; the end of a sentence or a paragraph ends a line told in it."""
        is_paragraph = bool(BLANK_LINE.search(token.text))
        if token.text[-1] in SENTENCE_ENDS or is_paragraph:
            self.side = None
        self.is_thin &= not is_paragraph
        self.tail.append(token)

    def _begin_prose(self, *, is_subject: bool = False) -> None:
        self.is_aside, self.is_thin, self.n_words = True, not self.has_blank_line(), 0
        self.has_mention, self.is_subject, self.claims = False, is_subject, Claims()
        self.side, self.doubts, self.is_hidden, self.may_be_over = None, [], False, False

    def _begins_remark(self, token: Token) -> bool:
        """Whether a sentence begins with a move on a new line, or, behind a blank line, with a number that is not due."""
        if self.depth or not self.n_moves:
            return False
        if token.kind == lexer.NUMBER and (self._is_listed(token) or self._goes_back(token)):
            return True
        if not begins_line(self.tail):
            is_behind_sign = any(t.text == ";" for t in self.tail)
            is_misplaced = token.kind == lexer.NUMBER and index(token) != self._due()
            return (is_misplaced or (is_behind_sign and token.kind == lexer.NUMBER)) and self.ahead.words_follow(
                0, is_misplaced=is_misplaced
            )
        if token.kind in MOVES:
            return self.kept[-1].kind != lexer.NUMBER and self.ahead.words_follow(1)
        if token.kind != lexer.NUMBER or not (moves := self.ahead.moves()):
            return False
        return (len(moves) == 1 and self.ahead.words_follow(0)) or (self.has_blank_line() and index(token) != self._due())

    def _is_listed(self, token: Token) -> bool:
        """Whether a first number has words behind it: it counts remarks."""
        return is_first(token) and self.n_moves > 0 and not self.is_over and self.ahead.is_sentence()

    def _goes_back(self, token: Token) -> bool:
        """Whether a number was told before and its move too, or, behind a full stop, is not the one that is due: a line is told.

        Columns that stand side by side repeat no number; who writes `1. e4 1. e5` repeats each.
        """
        at, due = index(token), self._due()
        if at > due:
            is_far = (at - due) % 2 == 1 or at > due + GAP_PLIES
            return is_far and has_end(self.tail)
        is_doubled = self.is_doubled and at == due - 1 and at % 2 == 0
        return at < due and at // 2 in self.numbers and not is_doubled

    def _expects_move(self) -> bool:
        """Whether a move may stand here: behind a number, or behind a move with nothing but blanks between."""
        if not self.kept or any(t.kind != lexer.BLANK and t.text not in ",;" for t in self.tail):
            return False
        return self.kept[-1].kind in {lexer.NUMBER, lexer.SYMBOL, *MOVES}

    def _due(self) -> int:
        return (self.first_number or 0) + self.n_moves

    def _is_broken_off(self, token: Token) -> bool:
        """Whether half a move, or a scrap that is no word, stands behind a number; reported."""
        if not self.kept or self.kept[-1].kind != lexer.NUMBER:
            return False
        chunk = "".join(t.text for t in self.ahead.glued(token, CHUNK_TOKENS)).rstrip(" \r\n\t!?:")
        is_scrap = any(c.isdigit() for c in chunk) and len(chunk) <= CHUNK_TOKENS
        if not (is_scrap or lexer.HALF_MOVE.fullmatch(token.text)):
            return False
        self._fault(token, "the move is broken off")
        return True

    def _is_read_over(self, token: Token) -> bool:
        """Signs alone are read over: movetext follows before any word."""
        if token.kind == lexer.WORD:
            return False
        for following in self.ahead.peek(_SIGNS_TOKENS):
            if following.kind == lexer.WORD:
                return False
            if following.kind in MOVETEXT:
                return True
        return False

    def _keep_group(self, opening: Token) -> bool:
        """A variation, or, where brackets hold words, a remark; False where a remark is not closed."""
        is_closed, n_words = self.ahead.group()
        if n_words and not is_closed:
            self._fault(opening, "the remark has no closing bracket", "unterminated_variation")
            return False
        self.keep(self.ahead.bracketed(opening) if n_words > 1 else opening)
        return True

    def _tell(self, token: Token) -> bool:
        """Read one token of prose; False where the game has ended before it."""
        if len(self.tail) > _PROSE_TOKENS:
            return False
        if token.kind == lexer.NUMBER:
            moves = self.ahead.moves()
            if moves and not self._number(token, moves):
                return False
        elif token.kind == lexer.OPEN and self.ahead.group()[0]:
            self.tail.append(self.ahead.bracketed(token))
            return True
        elif token.kind in MOVES:
            self._mention(token)
        elif token.kind in {lexer.RESULT, lexer.RESULT_WORDS} and self.side is None and not self.doubts and opens(self.tail):
            if token.kind == lexer.RESULT_WORDS or self.ahead.ends_line():
                if self._is_contested(is_number=False):
                    return False
                self._go_on(token)
                self.is_over = True
                return True
        elif token.kind == lexer.RESULT_WORDS and self.side is None:
            self.may_be_over, self.is_thin = True, False
        elif token.kind == lexer.RESULT and self.side is not None and self.side > self._due():
            self.doubts.append(token)
        elif token.kind in ODD:
            self.n_words += 1
            self.is_thin &= self.n_words <= _THIN_WORDS
            self.claims.word(token, self.side)
            self.side = None
        if self.is_aside:
            self.tail.append(token)
        return True

    def _number(self, token: Token, moves: list[Token]) -> bool:
        """A number with a move in the prose: the score goes on, or a line that is told; False where another game begins."""
        at, due = index(token), self._due()
        is_told = opens(self.tail) and (self.side is not None or not is_behind_move(self.tail))
        if is_first(token) and self.n_moves:
            self.n_quoted += 1
            is_next = begins_line(self.tail) and not is_wrapped(self._before())
            is_alone = any(t.kind != lexer.BLANK for t in self.tail)
            is_next &= self.n_moves > 1 or not self.ahead.words_follow(0)
            if (is_told and is_alone) or is_next or self.n_quoted > _QUOTED_OPENINGS:
                return False
        if self.weak is not None and at == due - self.n_moves + self.weak and is_told and not self._opens_sentence():
            return self._contest(token)
        if at == due and self.side is not None and is_behind_move(self.tail):
            is_told = False
            self.is_hidden |= self.side != at
        is_claim = (is_told or self.is_subject) and not is_first(token) and not self._is_spoken_of(at, moves)
        self.claims.number(token, self.side, due, is_told=is_claim)
        if self.side == at and not (self.repeats and at == due and begins_line(self.tail)):
            return True
        is_told |= self.side == at
        self.side = at
        self.repeats = at == due - 1 and bool(self.played) and moves[0].text == self.played[-1]
        if at == due and is_told and not self._opens_sentence():
            if (self.may_be_over or self.is_hidden) and not begins_paragraph(self.tail):
                self.doubts.append(token)
                return self.may_be_over
            if self._is_contested(is_number=True):
                return False
            self._go_on(token)
            return True
        is_beyond = due < at <= due + GAP_PLIES and (is_told or self.is_thin)
        if is_beyond or (at == due and (self.is_thin or len(moves) > 1)):
            self.doubts.append(token)
        self.is_thin = False
        return True

    def _is_spoken_of(self, at: int, moves: list[Token]) -> bool:
        """Whether a number in the prose has the move again that was played, or one that words speak of."""
        k = at - (self.first_number or 0)
        return (0 <= k < len(self.played) and self.played[k] == moves[0].text) or self.ahead.words_follow(0, is_misplaced=True)

    def _contest(self, token: Token) -> bool:
        """A second move claims the place of one read in the midst of a paragraph.

        The beginning of a paragraph outweighs what is the subject of a sentence, or stands behind a colon.
        """
        assert self.weak is not None
        self._take_back(self.weak)
        self.weak, self.is_thin = None, False
        if begins_paragraph(self.tail) and (self.is_subject or self.is_announced):
            self._go_on(token)
            return True
        self.doubts = [token]
        return False

    def _take_back(self, n_moves: int) -> None:
        """The score is so many moves only: those behind are of the remark."""
        n_kept = self.places[n_moves]
        self.kept, self.tail, self.n_moves = self.kept[:n_kept], [*self.kept[n_kept:], *self.tail], n_moves
        del self.played[n_moves:], self.places[n_moves:]
        self.claims = Claims()

    def _is_contested(self, *, is_number: bool) -> bool:
        """Whether another line claims the place of moves that were read, and nothing tells which was played: they are taken back.

        `is_number`: the score would go on with a number, not with its end.
        """
        first = self.first_number or 0
        claim = self.claims.rival(self._due(), is_number=is_number, is_subject=self.is_subject)
        if claim is None or claim.index < first:
            return False
        self._take_back(claim.index - first)
        self.doubts = [claim.token]
        return True

    def _mention(self, move: Token) -> None:
        if self.side is not None:
            self.side += 1
            self.claims.move(self.side)
            return
        self.has_mention = True
        if self.is_thin and not has_end(self.tail):
            self.doubts.append(move)

    def _go_on(self, token: Token) -> None:
        """The score goes on with `token`: what stands before it is a remark, or, a word or two, of no known use."""
        if not self.is_thin or self.has_mention or has_end(self.tail):
            texts = [t for t in self.tail if t.kind != lexer.BLANK]
            first, last = texts[0], texts[-1]
            i, j = self.tail.index(first), len(self.tail) - self.tail[::-1].index(last)
            remark = Token(lexer.PROSE, first.start, last.end, "".join(t.text for t in self.tail[i:j]))
            self.tail = [*self.tail[:i], remark, *self.tail[j:]]
        is_weak = token.kind == lexer.NUMBER and not begins_paragraph(self.tail)
        self.is_announced = is_announced(self.tail)
        self.weak = self.n_moves if is_weak or self.is_announced else None
        self.is_aside, self.side, self.doubts, self.n_quoted = False, None, [], 0
        self.keep(token)

    def _opens_sentence(self) -> bool:
        """Whether a sentence begins with the number: `25. Qxb7 wins a piece`; with two moves on a line that does not begin so."""
        return self.ahead.words_follow(0) or (not begins_line(self.tail) and self.ahead.words_follow(-1))

    def _before(self) -> str:
        """Text before the token at hand: its line, at least."""
        return "".join(t.text for t in [*self.kept[-_LINE_TOKENS:], *self.tail[-_LINE_TOKENS:]])

    def _report_doubt(self) -> None:
        """Behind the last move the score seems to go on, or it ends in a line that a colon announces: it is broken off there."""
        if self.is_announced and self.weak is not None and not self.is_over and not self.issues:
            announced = self.kept[self.places[self.weak]]
            self._take_back(self.weak)
            self._fault(announced, "a line behind a colon: whether it was played is not said")
        if not self.is_aside or self.is_over or self.issues or not self.kept:
            return
        rest = None if self.may_be_over else self.claims.long(self._due())
        if not self._is_contested(is_number=False) and not self.doubts and rest is None:
            return
        token = self.doubts[0] if self.doubts else rest
        assert token is not None
        first = next((t for t in self.tail if t.kind != lexer.BLANK), token)
        detail = f"the score seems to go on with {token.text.strip()}, but prose stands between"
        self.issues.append(Issue("unknown_token", first.start, first.end, 0, None, first.text, detail, is_fault=True))

    def _fault(self, token: Token, detail: str, code: str = "unknown_token") -> None:
        self.issues.append(Issue(code, token.start, token.end, 0, None, token.text, detail, is_fault=True))
