"""Problems and studies in a text → games with a start position, the key line and its variations (docs/rules.md §9).

`find` says where they stand, `read` proves one on the board. Selfmates, fairy men and other conditions are rejected.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

import chess

from pipeline import endings, lexer, tables
from pipeline.dialects import hypotheses
from pipeline.lexer import Token
from pipeline.model import Game, Hints, Issue, Line, TagPair
from pipeline.problems import lines, olv, prose, solution
from pipeline.problems.block import ProblemText, Stipulation, stipulation
from pipeline.tables import Alphabet
from pipeline.transcription import san_or_long

_TRIED = 6
"""Most groups of alphabets that read a solution alike and are tried on the board."""
_SAMPLE = 400
"""Different written moves by which alphabets are weighed."""


def find(text: str) -> Iterator[ProblemText]:
    """Where problems and studies stand in a text, in order and apart from one another. Linear in the text."""
    blocks = list(olv.find(text))
    blocks = blocks or list(prose.find(text))
    at = 0
    for block in sorted(blocks, key=lambda block: block.start):
        if block.start >= at:
            at = block.end
            yield block


def read(block: ProblemText, hints: Hints) -> Game:
    """One problem, transcribed. Offsets are those of the text that the block was found in. Never raises on any text."""
    if not block.boards:
        return _rejected(block, block.issue)
    if block.form == "epd":
        return _best_of(_readings(block, _epd_tokens(block), hints), block)
    return _best_of(_readings(block, solution.tokens(block.text, *block.moves), hints), block)


@dataclass(frozen=True, slots=True)
class _Reading:
    board: chess.Board
    alphabets: tuple[Alphabet, ...]
    found: solution.Solution
    written: lines.Written

    @property
    def rank(self) -> tuple[bool, int, int]:
        """The better a reading the smaller."""
        return self.written.fault is not None or not self.written.lines[0].plies, self.found.n_faults, -self.found.n_moves


def _readings(block: ProblemText, stream: Sequence[Token], hints: Hints) -> list[_Reading]:
    found = []
    for alphabets in _groups(stream, hints, block.languages):
        for board in block.boards:
            tree = solution.grow(stream, block.text, board, alphabets, is_help=block.stipulation.is_help)
            found.append(_Reading(board, alphabets, tree, lines.write(tree.root)))
    return found


def _groups(stream: Sequence[Token], hints: Hints, languages: frozenset[str]) -> list[tuple[Alphabet, ...]]:
    """Alphabets that read most of the written moves, those that read them alike in one group; all English ones are one alphabet,
    since solutions mix S and N for the knight. Those of `languages` go before others that read no more."""
    texts = list(dict.fromkeys(token.text for token in stream if token.kind == lexer.MOVE))[:_SAMPLE]
    field = hypotheses(hints)
    english = tuple(a for a in field if a.bcp47 == "en")
    teams = ([english] if english else []) + [(a,) for a in field if a.bcp47 != "en"]
    groups: dict[tuple[object, ...], list[Alphabet]] = {}
    counts: dict[tuple[object, ...], int] = {}
    for team in teams:
        signature = tuple(solution.read(text, team) for text in texts)
        groups.setdefault(signature, []).extend(team)
        counts[signature] = sum(1 for patterns in signature if patterns)
    most = max(counts.values(), default=0)
    best = [tuple(groups[signature]) for signature in groups if counts[signature] == most]
    native = [tuple(a for a in group if a.bcp47.split("-")[0] in languages) for group in best]
    return ([group for group in native if group] or best)[:_TRIED]


def _best_of(readings: Sequence[_Reading], block: ProblemText) -> Game:
    """The best reading as a game. EPD and the collections are written in English letters by their standards."""
    if not readings:
        return _rejected(block, Issue("unknown_token", block.start, block.end, detail="no notation that is read"))
    best = min(readings, key=lambda reading: reading.rank)
    by_standard = [r for r in readings if block.form != "prose" and r.alphabets[0].bcp47 == "en" and r.rank[:2] == (False, 0)]
    if by_standard:
        return _game(block, by_standard[0], evidence="roster")
    rivals = [r for r in readings if r.rank == best.rank and _main(r) != _main(best)]
    if rivals and best.found.n_moves:
        code = "no_start_position" if rivals[0].alphabets == best.alphabets else "ambiguous_dialect"
        detail = "several positions fit" if code == "no_start_position" else "alphabets read different moves"
        return _rejected(block, Issue(code, *block.moves, detail=detail, candidates=(_main(best)[1], _main(rivals[0])[1])))
    return _game(block, best, evidence="unique" if len(best.alphabets) == 1 else "same_moves")


def _main(reading: _Reading) -> tuple[str, str]:
    return reading.board.fen(), " ".join(ply.san for ply in reading.written.lines[0].plies)


def _game(block: ProblemText, reading: _Reading, *, evidence: str) -> Game:
    main = reading.written.lines[0]
    issues = [*([block.issue] if block.issue else []), *reading.found.issues, *reading.written.issues]
    has_moves = reading.found.n_moves + reading.found.n_faults > 0
    if has_moves and not main.plies and reading.written.fault is None and block.form != "epd":
        issues.append(
            Issue("unknown_token", *block.moves, 0, 1, detail="no key: every first move is a try or set play", is_fault=True)
        )
    is_faulty = any(issue.is_fault for issue in issues)
    alphabet = reading.alphabets[0] if main.plies else None
    fen = reading.board.fen(en_passant="xfen")
    return Game(
        block.start,
        block.end,
        "clean" if not is_faulty else "truncated" if main.plies else "rejected",
        (*block.tags, TagPair("SetUp", "1"), TagPair("FEN", fen)),
        kind=block.stipulation.kind,
        notation=san_or_long(ply.written or ply.san for ply in main.plies) if main.plies else None,
        language=alphabet.bcp47 if alphabet else None,
        language_candidates=tuple(dict.fromkeys(a.bcp47 for a in reading.alphabets)) if alphabet else (),
        alphabet=alphabet.name if alphabet else None,
        dialect_evidence=evidence if alphabet else None,
        start_fen=None if fen == chess.STARTING_FEN else fen,
        variant="chess960" if reading.board.chess960 else "standard",
        is_white_first=reading.board.turn == chess.WHITE,
        first_move_number=reading.board.fullmove_number,
        lines=tuple(reading.written.lines),
        result_movetext=_result(reading.found.result),
        result_board=endings.on_board(reading.written.last.board) if main.plies and not is_faulty else None,
        comment="\n".join(reading.found.root.comments) or None if not main.plies else None,
        issues=tuple(sorted(issues, key=lambda issue: (issue.start, issue.code))),
    )


def _result(written: str | None) -> str | None:
    return written if written in {"1-0", "0-1", "1/2-1/2", "*"} else None


def _rejected(block: ProblemText, issue: Issue | None) -> Game:
    kept = issue or Issue("no_start_position", block.start, block.end)
    start_fen = block.boards[0].fen(en_passant="xfen") if len(block.boards) == 1 else None
    return Game(
        block.start, block.end, "rejected", block.tags, kind=block.stipulation.kind, start_fen=start_fen,
        lines=(Line(0, None, 1, 0, ()),), issues=(kept,),
    )  # fmt: skip


def _epd_tokens(block: ProblemText) -> list[Token]:
    """The moves of an EPD line as a solution: its line (`pv`), or the first of the best moves (`bm`); the others replace that."""
    roles = {row["opcode"]: row["role"] for row in tables.rows("epd_opcodes")}
    found: list[Token] = []
    for role in ("line", "best"):
        value = next((value for name, value in block.operations if roles[name] == role), "")
        start = block.text.find(value, block.start, block.end) if value else -1
        if start < 0:
            continue
        moves = [token for token in solution.tokens(block.text, start, start + len(value)) if token.kind in _EPD_KINDS]
        for token in moves:
            if token.kind == lexer.MOVE and (role == "best" or not found):
                found.append(Token(lexer.NUMBER, token.start, token.start, "1."))
            found.append(token)
    return found


_EPD_KINDS = {lexer.MOVE, lexer.MARK, lexer.SYMBOL}

__all__ = ["ProblemText", "Stipulation", "find", "read", "stipulation"]
