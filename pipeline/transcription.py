"""A written game from one position, in one notation → a canonical game and its issues.

Lines as written → contest of alphabets over the main line → plies with their symbols and comments → variations in the
alphabet that was found → result.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cache
from typing import Literal, TypeVar

import chess

from pipeline import comments, endings, headers, lexer, movetext, positions, signs, tables
from pipeline.dialects import NOTATIONS, Reading, WrittenMove, contest, patterns
from pipeline.model import ROSTER, Annotation, Game, Hints, Issue, Line, MovePattern, Ply, Status
from pipeline.movetext import Score, WrittenLine, WrittenPly
from pipeline.notations import FAMILIES
from pipeline.resolver import STATES_LIMIT, Step, candidates, false_marks
from pipeline.schema import MAX_PLIES, MAX_VARIATIONS
from pipeline.sidelines import ReadLine, boards_before, walk
from pipeline.split import WrittenGame

_MAX_NAG = 255
_BOTH_SQUARES = re.compile(r"[1-8]\D*[1-8]")
_HANGS_ON_NOTHING = ("variation_illegal", "no move before it that it could replace")
_Number = TypeVar("_Number", int, float)
Decider = Literal["legality", "continuation", "repair"] | None
"""What chose among the readings of a written move (schema: plies.decided_by)."""


@dataclass(slots=True)
class Transcription:
    """One game on its way: what is known, and the issues found so far."""

    written: WrittenGame
    hints: Hints
    tags: Mapping[str, str]
    start: positions.Start
    score: Score
    issues: list[Issue]

    def game(self) -> Game:
        """Read the lines and put the game together."""
        board = self.start.board
        assert board is not None
        plies, fault = self._readable()
        has_draw_sign = self._takes_draw_sign(plies, fault)
        is_roster = all(name.casefold() in self.tags for name in ROSTER)
        reading = contest(
            [WrittenMove(p.text, p.is_null) for p in plies], board, self.hints, is_roster=is_roster, family=self._family()
        )
        reading = _without_doubtful_letters(reading, plies, board)
        fault = self._fault(reading, plies, fault)
        main, last = self._line(self.score.main, reading.steps, board, 0)
        variations = list(self._variations(board, reading))
        status: Status = "clean" if fault is None else "truncated" if reading.steps else "rejected"
        result, termination = endings.written(self.score, last)
        self._report_missing_result(has_draw_sign=has_draw_sign)
        if has_draw_sign:
            result, termination = "1/2-1/2", termination or "agreement"
        if status == "clean" and not plies and not self.written.tags and result is None:
            status = "rejected"
        alphabet = reading.alphabet if reading.steps else None
        return Game(
            self.written.start,
            self.written.end,
            status,
            self.written.tags,
            notation=self._notation(plies[: len(reading.steps)], reading.steps),
            language=next(iter(reading.languages), None) if alphabet else None,
            language_candidates=reading.languages if alphabet else (),
            alphabet=alphabet.name if alphabet else None,
            dialect_evidence=reading.evidence if alphabet else None,
            start_fen=self.start.fen,
            variant="chess960" if self.start.is_chess960 else "standard",
            is_white_first=board.turn == chess.WHITE,
            first_move_number=board.fullmove_number,
            lines=(main, *variations),
            result_movetext=result,
            result_board=endings.on_board(last) if reading.steps and fault is None else None,
            termination_movetext=termination,
            comment=_joined(self.score.main.comments) if not plies else None,
            issues=tuple(sorted(self.issues, key=lambda i: (i.start, i.code))),
        )

    def _family(self) -> str | None:
        return self.written.notation if self.written.notation in FAMILIES else None

    def _notation(self, plies: Sequence[WrittenPly], steps: Sequence[Step]) -> str | None:
        """`coordinate` when squares alone are written and a man moved so, or a hint says so; `long` when most moves name both
        squares; else `san`. A family has its own name.
        """
        if not steps:
            return None
        if family := self._family():
            return FAMILIES[family].notation
        bare = all(step.pattern.pieces == () or step.pattern.castling for step in steps)
        if bare and (NOTATIONS.get(self.hints.notation) == "squares" or any(step.san[0].isupper() for step in steps)):
            return "coordinate"
        return san_or_long(ply.text for ply in plies)

    def _readable(self) -> tuple[list[WrittenPly], Issue | None]:
        """The main line up to a fault of structure."""
        fault = self.score.fault
        plies = self.score.main.plies
        if fault:
            plies = plies[: self.score.fault_at]
            self.issues.append(replace(fault, ply=len(plies) + 1))
        broken_off = next((i for i in self.written.issues if i.code == "moves_after_result" or i.is_fault), None)
        if broken_off and fault is None:
            plies = [p for p in plies if p.start < broken_off.start]
            fault = broken_off
        board = self.start.board
        assert board is not None
        gap = movetext.missing_ply(plies, board.fullmove_number, board.turn == chess.WHITE, has_own_count=bool(self.start.fen))
        if gap is not None:
            skipped = plies[gap].skipped
            assert skipped is not None
            code = "unterminated_comment" if skipped.kind == lexer.COMMENT else "unknown_token"
            written = skipped.text[:200]
            fault = Issue(code, skipped.start, skipped.end, 0, gap + 1, written, "moves are missing here", is_fault=True)
            self.issues = [i for i in self.issues if (i.code, i.start) != (fault.code, fault.start)] + [fault]
            plies = plies[:gap]
        if len(plies) > MAX_PLIES:
            over = plies[MAX_PLIES]
            fault = Issue("limit_exceeded", over.start, over.end, 0, MAX_PLIES + 1, over.text, f"more than {MAX_PLIES} plies")
            self.issues.append(fault)
            plies = plies[:MAX_PLIES]
        return plies, fault

    def _takes_draw_sign(self, plies: Sequence[WrittenPly], fault: Issue | None) -> bool:
        """A final `=` is a draw when nothing else says the result (docs/rules.md §2); it then is no symbol."""
        tag = self.tags.get("result", "").strip()
        silent = self.score.result is None and self.score.result_words is None and tag in {*headers.RESULT_UNKNOWN, "*"}
        if not plies or fault or not silent or not plies[-1].symbols or plies[-1].symbols[-1][0] != "=" or plies[-1].comments:
            return False
        plies[-1].symbols.pop()
        return True

    def _report_missing_result(self, *, has_draw_sign: bool) -> None:
        """PGN prescribes a termination marker (PGN standard 8.2.6); its absence is understood."""
        if self.written.tags and self.score.result is None and self.score.result_words is None and not has_draw_sign:
            code = "missing_termination_marker" if self.tags.get("result", "").strip() else "no_result"
            self.issues.append(Issue(code, self.written.end, self.written.end, 0))

    def _fault(self, reading: Reading, plies: Sequence[WrittenPly], structural: Issue | None) -> Issue | None:
        """The fault that ends the main line, reported; None when the line is proven to its end."""
        if reading.code is None:
            return structural
        at = min(reading.at, len(plies) - 1)
        token = plies[at]
        code = "illegal_null_move" if token.is_null and reading.code == "illegal_move" else reading.code
        issue = Issue(
            code,
            token.start,
            token.end,
            0,
            at + 1,
            token.text,
            reading.detail if code == "unknown_token" and reading.detail else _explain(code, reading),
            reading.candidates,
            is_fault=True,
        )
        self.issues.append(issue)
        if reading.is_bounded and code != "states_limit":
            detail = _explain("states_limit", reading)
            self.issues.append(Issue("states_limit", token.start, token.end, 0, at + 1, token.text, detail))
        if self.score.has_nested_comment:
            detail = "a comment before it holds an opening brace"
            self.issues.append(Issue("mismatched_delimiter", token.start, token.end, 0, at + 1, token.text, detail))
        return issue

    def _line(self, line: WrittenLine, steps: Sequence[Step], board: chess.Board, offset: int) -> tuple[Line, chess.Board]:
        """Plies with what stands around them, and the last board; `offset`: plies before the line's first."""
        board = board.copy(stack=False)
        found, expected = [], None
        for i, (ply, step) in enumerate(zip(line.plies, steps, strict=False)):
            expected = self._check_number(ply, board, line.number, offset + i + 1, expected)
            found.append(self._ply(ply, step, board, line.number, offset + i + 1))
        depth_parent = line.parent if line.number else None
        comment = _joined(line.comments) if not found else None
        return Line(line.number, depth_parent, offset + 1, line.depth, tuple(found), comment), board

    def _check_number(self, ply: WrittenPly, board: chess.Board, variation: int, at: int, shift: int | None) -> int | None:
        """Report a move number that differs from the one due; what matters is the difference to the first number."""
        if ply.number is None:
            return shift
        found = ply.number - board.fullmove_number
        if shift is None:
            shift = found if self.start.fen or variation else 0
        if found != shift:
            due = f"expected {board.fullmove_number + shift}"
            self.issues.append(Issue("move_number_mismatch", ply.start, ply.end, variation, at, str(ply.number), due))
        return found

    def _ply(self, ply: WrittenPly, step: Step, board: chess.Board, variation: int, at: int) -> Ply:
        """One proven ply; moves `board` on."""
        uci = board.uci(step.move) if step.move else "0000"
        self._check_marks(ply, step, board, variation, at)
        board.push(step.move)
        read = [comments.read(text) for text in ply.comments]
        texts = [c.text for c in read if c.text]
        is_forgiven = bool(step.pattern.leniency)
        decided: Decider = "continuation" if step.n_options > 1 else "legality" if is_forgiven else None
        return Ply(
            step.san,
            uci,
            None if ply.written == step.san else ply.written,
            annotated(ply.symbols, self.issues, variation, at),
            _joined(ply.comments_before),
            "\n".join(texts) or None,
            _last(c.clock_seconds for c in read),
            _last(c.elapsed_seconds for c in read),
            _last(c.eval_cp for c in read),
            _last(c.eval_mate for c in read),
            decided,
        )

    def _check_marks(self, ply: WrittenPly, step: Step, board: chess.Board, variation: int, at: int) -> None:
        pattern = _with_marks(step.pattern, ply.marks)
        is_mate, is_check = step.san.endswith("#"), step.san[-1:] in "+#"
        codes = list(false_marks(pattern, board, step.move, is_check=is_check, is_mate=is_mate)) if step.move else ["null_move"]
        for code in (*codes, *step.pattern.leniency):
            self.issues.append(Issue(code, ply.start, ply.end, variation, at, ply.written, f"read as {step.san}"))

    def _variations(self, start: chess.Board, reading: Reading) -> Iterator[Line]:
        """Variations whose parent was read far enough, in the order of their brackets."""
        alphabet = reading.alphabet or tables.alphabets()[0]
        branches: dict[int, set[int]] = {}
        for line in self.score.lines[1:]:
            branches.setdefault(line.parent, set()).add(line.branch)
        read = {0: ReadLine(reading.steps, 0, boards_before(start, reading.steps, branches.get(0, ())))}
        for line in self.score.lines[1:]:
            parent = read.get(line.parent)
            board = parent.boards.get(line.branch) if parent else None
            if parent is None or board is None or line.number > MAX_VARIATIONS:
                self._drop(line, is_within=parent is not None and 0 <= line.branch < len(parent.steps))
                continue
            found, fault = walk(line, board, alphabet)
            offset = parent.offset + line.branch
            if fault:
                token, at = line.plies[len(found)], offset + len(found) + 1
                self.issues.append(Issue("variation_illegal", token.start, token.end, line.number, at, token.text, fault))
            read[line.number] = ReadLine(found, offset, boards_before(board, found, branches.get(line.number, ())))
            if found or line.comments:
                yield self._line(line, found, board, offset)[0]

    def _drop(self, line: WrittenLine, *, is_within: bool) -> None:
        """Report a variation that hangs on no ply, or is one too many; behind a fault of its parent none is read."""
        if not line.plies or (line.branch >= 0 and not is_within):
            return
        token = line.plies[0]
        code, detail = ("limit_exceeded", f"more than {MAX_VARIATIONS} variations") if is_within else _HANGS_ON_NOTHING
        self.issues.append(Issue(code, token.start, token.end, line.number, None, token.text, detail))


def san_or_long(written: Iterable[str]) -> Literal["san", "long"]:
    """Which algebraic notation moves are in: `long` where most of them name both squares."""
    both = [bool(_BOTH_SQUARES.search(text)) for text in written]
    return "long" if 2 * sum(both) > len(both) else "san"


def annotated(glyphs: Iterable[tuple[str, int]], issues: list[Issue], variation: int, ply: int) -> tuple[Annotation, ...]:
    """Symbols as written, each with its place → their NAGs in order, each once; a NAG that is none is added to `issues`."""
    found: dict[int, Annotation] = {}
    for glyph, start in glyphs:
        if glyph.startswith("$"):
            nag = int(glyph[1:7])
            if not 1 <= nag <= _MAX_NAG:
                issues.append(Issue("nag_out_of_range", start, start + len(glyph), variation, ply, glyph))
                continue
            side = tables.nags()[nag].side
        else:
            symbol = tables.symbols()[glyph]
            nag, side = symbol.nag, symbol.side
        found.setdefault(nag, Annotation(nag, glyph, side if side in {"w", "b"} else None))  # type: ignore[arg-type]
    return tuple(found[nag] for nag in sorted(found))


def _without_doubtful_letters(reading: Reading, plies: Sequence[WrittenPly], start: chess.Board) -> Reading:
    """The reading up to a pawn's move behind a lone letter that may be its man as well: `Bb5 N a6` is a6 or Na6."""
    lettered = {i for i, ply in enumerate(plies[: len(reading.steps)]) if ply.letter}
    for i, board in boards_before(start, reading.steps, lettered).items():
        letter = plies[i].letter
        assert letter is not None
        joined = WrittenMove(letter.text + plies[i].text)
        options = {p: None for alphabet in reading.alphabets for p in patterns(joined, alphabet, is_lenient=False)}
        found = [board.san(move) for pattern in options for move in candidates(pattern, board)]
        if found:
            sans = tuple(dict.fromkeys([reading.steps[i].san, *found]))
            return replace(reading, steps=reading.steps[:i], code="ambiguous_san", at=i, candidates=sans)
    return reading


def _with_marks(pattern: MovePattern, marks: Sequence[str]) -> MovePattern:
    """The pattern with what marks standing apart claim."""
    for mark in marks:
        known = _mark_kinds().get(" ".join(mark.strip("() ").casefold().split()))
        kind = known or ("mate" if any(c in signs.MATES for c in mark) else "check")
        if kind == "mate":
            pattern = replace(pattern, has_mate_mark=True)
        elif kind != "en_passant":
            pattern = replace(pattern, has_check_mark=True)
    return pattern


@cache
def _mark_kinds() -> Mapping[str, str]:
    return {word.text.casefold(): word.kind for word in tables.words() if word.kind in {"check", "mate", "en_passant"}}


def _explain(code: str, reading: Reading) -> str:
    plies = "1 proven ply" if len(reading.steps) == 1 else f"{len(reading.steps)} proven plies"
    proven = f"after {plies}" if reading.steps else "at the first move"
    if code == "unknown_token" and reading.detail:
        return reading.detail
    return {
        "illegal_move": f"no legal move fits, {proven}",
        "illegal_null_move": f"a pass while in check, {proven}",
        "unknown_token": f"not a move in any alphabet that reads the moves before it, {proven}",
        "states_limit": f"more than {STATES_LIMIT} readings remain open, {proven}",
        "ambiguous_san": f"several legal moves fit and no later move decides, {proven}",
        "ambiguous_dialect": f"alphabets read on to different moves, {proven}"
        + (f"; {reading.detail}" if reading.detail else ""),
    }.get(code, proven)


def _joined(texts: Sequence[str]) -> str | None:
    read = [comments.read(text).text for text in texts]
    return "\n".join(text for text in read if text) or None


def _last(values: Iterator[_Number | None]) -> _Number | None:
    """The last value that is known."""
    found: _Number | None = None
    for value in values:
        found = found if value is None else value
    return found
