"""Canonical game → running text: numbered moves, symbols, comments, variations, result, in lines of a width.

Variations nest as deep as the input likes, so nothing here recurses.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from enum import Enum
from functools import lru_cache

import chess

from pipeline import lexer, tables
from pipeline.model import Annotation, Game, Line, Ply
from pipeline.positions import start_board
from pipeline.render.descriptive import MOST_KNOWN_MOVES

Write = Callable[[chess.Board, chess.Move], str]
_BRACES = str.maketrans("{}", "()")
"""A comment ends at the first closing brace (PGN standard 5): those within become round."""
_NEVER_FIRST = ("[", "%", ";")
"""Words that would mean something else at the beginning of a line: tag pairs, escapes, comments."""


@dataclass(frozen=True, slots=True)
class Layout:
    """What is printed beside the moves. `width`: most characters of a line (PGN standard 4.3: fewer than 80), 0 = one line."""

    width: int = 79
    has_comments: bool = True
    has_variations: bool = True
    has_symbols: bool = True
    has_tags: bool = False
    """Tag pairs before the moves, whatever the form; PGN has them in any case."""
    is_pgn: bool = False
    """Symbols as `$n`, clock times and evaluations as commands in comments, and a result always."""
    men: frozenset[str] | None = None
    """Letters of men, which are no symbols (`N`, a novelty); None = any letter may be one."""


@dataclass(frozen=True, slots=True)
class _Branch:
    """Variations that replace a ply, and the board before it."""

    lines: Sequence[Line]
    board: chess.Board


class _Bracket(Enum):
    """Where a variation begins and ends; a word of a comment may be a bracket too, and is text."""

    OPEN = "("
    CLOSE = ")"


def score(game: Game, write: Write, layout: Layout) -> str:
    """The moves as books print them; a start position stands in a line of its own before."""
    head = f"FEN: {game.start_fen}\n" if game.start_fen else ""
    return head + movetext(game, write, layout)


def movetext(game: Game, write: Write, layout: Layout) -> str:
    """Moves and result, wrapped."""
    parts = [*_parts(game, write, layout), *_result(game, layout)]
    return "\n".join(_wrapped(parts, layout.width))


def known_result(game: Game) -> str:
    """The board over the movetext over the tag; `*` when none says it."""
    tag = next((pair.value.strip() for pair in game.tags if pair.name.casefold() == "result"), "*")
    told = tag if tag in {row.canonical for row in tables.results()} else "*"
    return game.result_board or game.result_movetext or told


def _result(game: Game, layout: Layout) -> list[str]:
    """The result behind the moves. `0-0` there would be castling."""
    result = known_result(game)
    if result == "0-0" and (layout.is_pgn or game.lines[0].plies):
        result = "*"
    return [result] if layout.is_pgn or result != "*" else []


def _parts(game: Game, write: Write, layout: Layout) -> Iterator[str]:
    """Parts of the text that a line end may stand between."""
    branches: dict[tuple[int | None, int], list[Line]] = {}
    for line in game.lines[1:] if layout.has_variations else ():
        branches.setdefault((line.parent, line.first_ply), []).append(line)
    if game.comment and layout.has_comments:
        yield from comment(game.comment)
    walks = [_walk(game.lines[0], start_board(game.start_fen, game.variant), branches, write, layout)]
    opened = ""
    held: str | None = None
    while walks:
        part = next(walks[-1], None)
        if isinstance(part, _Branch):
            # A bracket belongs to the word behind it, or before it.
            walks += [
                _walk(line, part.board.copy(stack=MOST_KNOWN_MOVES + 1), branches, write, layout) for line in reversed(part.lines)
            ]
        elif part is _Bracket.OPEN:
            opened += part.value
        elif part is _Bracket.CLOSE:
            held = f"{held or ''}{opened}{part.value}"
            opened = ""
        elif part is None:
            walks.pop()
        else:
            if held is not None:
                yield held
            held, opened = opened + part, ""
    if held is not None:
        yield held


def _walk(
    line: Line, board: chess.Board, branches: Mapping[tuple[int | None, int], Sequence[Line]], write: Write, layout: Layout
) -> Iterator[str | _Branch | _Bracket]:
    """The parts of one line; moves `board` on."""
    if line.number:
        yield _Bracket.OPEN
    if line.comment and line.number and layout.has_comments:
        yield from comment(line.comment)
    needs_number = True
    for i, ply in enumerate(line.plies):
        if ply.comment_before and layout.has_comments:
            yield from comment(ply.comment_before)
        move = board.parse_uci(ply.uci) if ply.uci != "0000" else chess.Move.null()
        number = ""
        if board.turn == chess.WHITE or needs_number:
            number = f"{board.fullmove_number}{'.' if board.turn == chess.WHITE else '...'} "
        text = write(board, move)
        glued, apart = _symbols(text, ply.annotations, layout)
        yield number + text + glued
        yield from apart
        told = _told(ply, layout)
        if told:
            yield from comment(told)
        beside = branches.get((line.number, line.first_ply + i), ())
        if beside:
            yield _Branch(beside, board.copy(stack=MOST_KNOWN_MOVES + 1))
        needs_number = bool(told or beside)
        board.push(move)
    if line.number:
        yield _Bracket.CLOSE


def _told(ply: Ply, layout: Layout) -> str | None:
    """The comment after a move, in PGN with the commands that were taken out of it."""
    if not layout.has_comments:
        return None
    return " ".join([*_commands(ply), *([ply.comment] if ply.comment else [])]) if layout.is_pgn else ply.comment


def _commands(ply: Ply) -> Iterator[str]:
    """Embedded commands (PGN specification supplement): `[%eval 0.25]`, `[%clk 0:05:00]`, `[%emt 0:00:03]`."""
    if ply.eval_mate is not None:
        yield f"[%eval #{ply.eval_mate}]"
    elif ply.eval_cp is not None:
        yield f"[%eval {ply.eval_cp / 100:.2f}]"
    if ply.clock_seconds is not None:
        yield f"[%clk {_clock(ply.clock_seconds)}]"
    if ply.elapsed_seconds is not None:
        yield f"[%emt {_clock(ply.elapsed_seconds)}]"


def _clock(seconds: float) -> str:
    """`1:05:09`, with tenths and so on only where there are some."""
    thousandths = round(seconds * 1000)
    whole, rest = divmod(thousandths, 1000)
    fraction = f".{rest:03}".rstrip("0") if rest else ""
    return f"{whole // 3600}:{whole // 60 % 60:02}:{whole % 60:02}{fraction}"


def _symbols(move: str, annotations: Iterable[Annotation], layout: Layout) -> tuple[str, list[str]]:
    """Symbols that are glued to the move, and those that stand apart."""
    if not layout.has_symbols:
        return "", []
    if layout.is_pgn:
        return "", [f"${a.nag}" for a in annotations]
    signs = [_sign(move, a, layout.men) for a in annotations]
    glued = [sign for sign in signs if set(sign) <= set("!?")][:1]
    return "".join(glued), [sign for sign in signs if sign not in glued]


def _sign(move: str, annotation: Annotation, men: frozenset[str] | None) -> str:
    """The sign of a symbol, if it says what was said and is read as a symbol behind this move; else `$n`."""
    for glyph in (tables.nags()[annotation.nag].symbol, annotation.glyph):
        symbol = tables.symbols().get(glyph)
        if symbol is None or (symbol.nag, symbol.side) != (annotation.nag, annotation.side):
            continue
        is_man = symbol.placement == "suffix" and (men is None or glyph in men)
        if not is_man and _stands_apart(move, glyph):
            return glyph
    return f"${annotation.nag}"


@lru_cache(maxsize=100_000)
def _stands_apart(move: str, sign: str) -> bool:
    """Whether a sign between two moves is read as a symbol: `e4 ✕ e5` is a capture, `e4 +>` a check."""
    tokens = [t for t in lexer.Lexer(f"{move} {sign} e5").tokens() if t.kind != lexer.BLANK]
    return (lexer.SYMBOL, len(move) + 1, sign) in [(t.kind, t.start, t.text) for t in tokens]


def comment(text: str) -> list[str]:
    """A comment in braces, word by word; a word that begins a line of another kind is not parted from the one before it."""
    words: list[str] = []
    for word in text.translate(_BRACES).split():
        if words and word.startswith(_NEVER_FIRST):
            words[-1] += f" {word}"
        else:
            words.append(word)
    if not words:
        return []
    words[0] = "{" + words[0]
    words[-1] += "}"
    return words


def _wrapped(parts: Iterable[str], width: int) -> Iterator[str]:
    """Lines of at most `width` characters; a longer part has a line of its own."""
    line: list[str] = []
    length = 0
    for part in parts:
        if line and width and length + 1 + len(part) > width:
            yield " ".join(line)
            line, length = [], 0
        length += len(part) + bool(line)
        line.append(part)
    if line:
        yield " ".join(line)
