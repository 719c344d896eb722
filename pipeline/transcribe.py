"""One written game → one canonical game and its issues: every position and notation that its text leaves open is tried.

A position comes from tags, or from what the text just before a score says; odds told in words are a hypothesis beside the initial
position. The board decides among them as it decides among alphabets: a sole clean reading, else what all share.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from functools import cache

import chess

from pipeline import endings, lexer, movetext, positions, setups, tables
from pipeline.dialects import LEAD_PLIES
from pipeline.model import Game, Hints, Issue, Line
from pipeline.movetext import Score
from pipeline.notations import WITHOUT_GRAMMAR
from pipeline.positions import Start
from pipeline.split import WrittenGame
from pipeline.transcription import Transcription

_DIAGRAM_CHARS = 200
"""How far before a score a diagram is its own."""
_PROVEN_PLIES = 10
"""So many moves are no coincidence: the score begins from the initial position."""


def transcribe(written: WrittenGame, hints: Hints) -> Game:
    """Read one game. Never raises on any text; offsets in the result are those of the source's text."""
    if hints.notation in WITHOUT_GRAMMAR:
        return _told_freely(transcribe(written, replace(hints, notation=None)), str(hints.notation))
    candidates = sorted((written, *written.rivals), key=lambda c: -sum(token.kind == lexer.MOVE for token in c.tokens))
    games = [game for candidate in candidates for game in _readings(candidate, hints)]
    game = games[0] if len(games) == 1 else _chosen(games)
    return _from_diagram(game) if _is_of_diagram(written, game) else game


def _told_freely(game: Game, notation: str) -> Game:
    """A game in a notation without grammar is read where its words are those of another; elsewhere the reason is said."""
    if game.status == "clean" and game.lines[0].plies:
        return game
    at = next((issue for issue in game.issues if issue.is_fault), None)
    issue = Issue("no_grammar", at.start if at else game.start, at.end if at else game.end, 0, detail=notation, is_fault=True)
    return replace(game, status="truncated" if game.lines[0].plies else "rejected", issues=(*game.issues, issue))


def _is_of_diagram(written: WrittenGame, game: Game) -> bool:
    """Whether a score seems to begin from a diagram that the text does not hold: one is spoken of, and little is proven."""
    if written.tags or game.start_fen or len(game.lines[0].plies) >= _PROVEN_PLIES:
        return False
    return bool(_diagrams().search(written.lead[-_DIAGRAM_CHARS:]))


def _from_diagram(game: Game) -> Game:
    detail = "a diagram stands before it, and few moves are legal from the initial position"
    written = next((ply.written or ply.san for ply in game.lines[0].plies), None)
    issue = Issue("no_start_position", game.start, game.end, 0, 1, written, detail)
    return replace(
        game, status="rejected", lines=(Line(0, None, 1, 0, ()),), notation=None, language=None, language_candidates=(),
        alphabet=None, dialect_evidence=None, result_board=None, issues=(issue,),
    )  # fmt: skip


@cache
def _diagrams() -> re.Pattern[str]:
    words = "|".join(re.escape(word.text) for word in tables.words("diagram"))
    return re.compile(rf"\b(?:{words})\b", re.IGNORECASE)


def _readings(written: WrittenGame, hints: Hints) -> Iterator[Game]:
    """The game from each position that its text leaves open, and, where columns may have run together, in the numbers' order."""
    tags = {pair.name.casefold(): pair.value for pair in reversed(written.tags)}
    for start in _starts(written, positions.start(tags)):
        score = movetext.assemble(written.tokens)
        has_columns = len(score.lines) == 1 and movetext.by_number(score.main.plies) is not None
        yield _reading(written, hints, tags, start, score)
        if has_columns and start.board is not None:
            yield _reading(written, hints, tags, start, _in_order(movetext.assemble(written.tokens)))


def _in_order(score: Score) -> Score:
    """The score with its moves in the order of their numbers."""
    plies = movetext.by_number(score.main.plies)
    assert plies is not None
    moved = next(ply for ply, due in zip(score.main.plies, plies, strict=True) if ply is not due)
    score.issues.append(Issue("columns_joined", moved.start, moved.end, 0, None, str(moved.number)))
    score.main.plies = plies
    return score


def _reading(written: WrittenGame, hints: Hints, tags: Mapping[str, str], start: Start, score: Score) -> Game:
    issues = [*written.issues, *(_placed(issue, written) for issue in start.issues), *score.issues]
    first = score.main.plies[0] if score.main.plies else None
    if start.board is not None and start.fen is None and first and (first.number or 1) > 1:
        detail = f"the text begins at move {first.number}"
        issues.append(Issue("no_start_position", first.start, first.end, 0, 1, first.text, detail))
        return replace(_unplayable(written, score, replace(start, board=None), issues), kind="fragment")
    if start.board is None:
        return _unplayable(written, score, start, issues)
    return Transcription(written, hints, tags, start, score, issues).game()


def _starts(written: WrittenGame, start: Start) -> Sequence[Start]:
    """Positions that the game may begin from: that of its tags, else those that the text before it says."""
    if start.board is None or start.fen or start.is_chess960 or not written.lead:
        return (start,)
    setup = setups.start_of(written.lead)
    if setup is None:
        return (start,)
    if not setup.boards:
        issue = Issue("illegal_start_position", written=setup.words[:200], detail=setup.reason)
        return (Start(None, None, False, (issue,)),)
    found = [Start(board, _fen(board), board.chess960, ()) for board in setup.boards]
    return (*found, start) if setup.kind == "odds" else tuple(found)


def _fen(board: chess.Board) -> str | None:
    fen = board.fen(en_passant="xfen")
    return None if fen == chess.STARTING_FEN else fen


def _chosen(games: Sequence[Game]) -> Game:
    """The reading that stands: the sole clean one, or one that leads by far; else the plies that all share (docs/rules.md §3)."""
    ranked = sorted(games, key=lambda game: -len(game.lines[0].plies))
    clean = [game for game in ranked if game.status == "clean" and game.lines[0].plies]
    ranked = clean or ranked
    best = ranked[0]
    moves = _moves(best)
    rivals = [game for game in ranked[1:] if game.lines[0].plies and _moves(game)[: len(moves)] != moves[: len(_moves(game))]]
    if not rivals or (not clean and all(len(moves) - len(_moves(rival)) >= LEAD_PLIES for rival in rivals)):
        return best
    agreed = min(next(i for i, (a, b) in enumerate(zip(moves, _moves(rival), strict=False)) if a != b) for rival in rivals)
    return _cut(best, agreed)


def _moves(game: Game) -> list[str]:
    return [ply.san for ply in game.lines[0].plies]


def _cut(game: Game, agreed: int) -> Game:
    """The game up to the ply where its readings part."""
    main = game.lines[0]
    detail = "the text may be read in several ways (notation, position, columns) that part here"
    issue = Issue("ambiguous_dialect", game.start, game.end, 0, agreed + 1, detail=detail, is_fault=True)
    return replace(
        game,
        status="truncated" if agreed else "rejected",
        lines=(Line(0, None, main.first_ply, 0, main.plies[:agreed]),),
        result_board=None,
        issues=(*game.issues, issue),
    )


def _placed(issue: Issue, written: WrittenGame) -> Issue:
    return replace(issue, start=written.start, end=written.end) if issue.start < 0 else issue


def _unplayable(written: WrittenGame, score: Score, start: Start, issues: Sequence[Issue]) -> Game:
    result, termination = endings.written(score, None)
    return Game(
        written.start,
        written.end,
        "rejected",
        written.tags,
        start_fen=start.fen,
        variant="chess960" if start.is_chess960 else "standard",
        lines=(Line(0, None, 1, 0, ()),),
        result_movetext=result,
        termination_movetext=termination,
        issues=tuple(issues),
    )
