"""A written game and what people decided about its misprints → the game as it then reads.

A repair says that the half-move `ply` is the move `read_as`, whatever is written there. It is put into the tokens in the
game's own letters and the whole game is read anew, so that everything behind it has to be proven as in any other game.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace

import chess

from pipeline import lexer, movetext, tables
from pipeline.dialects import Dialect, Writing, WrittenMove, patterns
from pipeline.model import Game, Hints, Issue, Line, Ply, TagPair
from pipeline.notations import FAMILIES
from pipeline.positions import start_board
from pipeline.resolver import State, advance
from pipeline.split import WrittenGame, split
from pipeline.tables import Alphabet
from pipeline.transcribe import transcribe

_LONGEST_TOKEN = 16
"""Characters of a written move in which a misprint is looked for."""
_ASKS_FOR_RESULT = {"no_result", "missing_termination_marker"}


@dataclass(frozen=True, slots=True)
class Repair:
    """What a person decided: half-move `ply` (1 = first) of the main line, where `written` stands, is `read_as` (SAN)."""

    ply: int
    written: str
    read_as: str
    because: str = ""


@dataclass(frozen=True, slots=True)
class Fault:
    """Where a reading of a main line ends: half-move `ply` could not be read; `board` is the position before it.

    `start`/`end`: characters of the text. `writing` read the moves before it, None when there are none.
    """

    code: str
    ply: int
    start: int
    end: int
    written: str
    detail: str | None
    board: chess.Board
    writing: Writing | None


class RepairRefused(ValueError):
    """A repair does not hold in this text; the message says why."""


def only_game(text: str, notation: str | None = None) -> WrittenGame | None:
    """The one game that a quarantined text is, in all ways to read it; None when it is read otherwise. `notation`: a hint."""
    games = [part for part in split(text, notation) if isinstance(part, WrittenGame)]
    return games[0] if len(games) == 1 else None


def sole(written: WrittenGame, hints: Hints, start_fen: str | None = None) -> WrittenGame:
    """The game in that notation in which most of it is read, without the others."""
    if not written.rivals:
        return written
    ways = [replace(one, rivals=()) for one in (written, *written.rivals)]
    return max(ways, key=lambda one: len(_transcribed(one, hints, start_fen).lines[0].plies))


def read(written: WrittenGame, hints: Hints, repairs: Sequence[Repair] = (), start_fen: str | None = None) -> Game:
    """Read a game with repairs. `start_fen`: the start position, where it was found outside of the game's text.

    A repaired ply has `decided_by = 'repair'` and an issue `repaired` with what was written. Raises RepairRefused.
    """
    put = mended(written, hints, repairs, start_fen)
    return _told(_transcribed(put, hints, start_fen), put, repairs)


def mended(written: WrittenGame, hints: Hints, repairs: Sequence[Repair], start_fen: str | None = None) -> WrittenGame:
    """The game with repairs put in, one after the other. Raises RepairRefused."""
    if repairs:
        written = sole(written, hints, start_fen)
    for repair in sorted(repairs, key=lambda r: r.ply):
        written = _put(written, hints, repair, start_fen)
    return written


def faults(written: WrittenGame, hints: Hints, start_fen: str | None = None) -> Iterator[Fault]:
    """Where the main line ends; where alphabets read on differently, in each of them, deepest first."""
    written = sole(written, hints, start_fen)
    game = _transcribed(written, hints, start_fen)
    issue = _end_of(game)
    if issue is None:
        return
    if issue.code == "ambiguous_dialect":
        games = [_transcribed(written, replace(hints, language=language), start_fen) for language in issue.candidates]
        ends = [(one, end) for one in games if (end := _end_of(one)) is not None and end.code != "ambiguous_dialect"]
        for one, end in sorted(ends, key=lambda e: -len(e[0].lines[0].plies)):
            yield _fault(written, one, end)
    else:
        yield _fault(written, game, issue)


def last_board(game: Game) -> chess.Board:
    """The position behind the last half-move of the main line that was proven."""
    board = start_board(game.start_fen, game.variant)
    for ply in game.lines[0].plies:
        board.push(chess.Move.from_uci(ply.uci))
    return board


def _transcribed(written: WrittenGame, hints: Hints, start_fen: str | None) -> Game:
    """`transcribe`, told of a start position that the text itself does not say."""
    if start_fen is None or any(pair.name.casefold() == "fen" for pair in written.tags):
        return transcribe(written, hints)
    told = replace(written, tags=(*written.tags, TagPair("FEN", start_fen)))
    game = transcribe(told, hints)
    issues = game.issues if written.tags else tuple(i for i in game.issues if i.code not in _ASKS_FOR_RESULT)
    return replace(game, tags=written.tags, issues=issues)


def _end_of(game: Game) -> Issue | None:
    """The fault of a game that is not clean that stands at its first half-move without proof."""
    if game.status == "clean" or not game.lines:
        return None
    codes, at = tables.issue_codes(), len(game.lines[0].plies) + 1
    return next(
        (
            i
            for i in game.issues
            if i.start >= 0 and i.variation == 0 and i.ply == at and (i.is_fault or codes[i.code].severity == "fault")
        ),
        None,
    )


def _fault(written: WrittenGame, game: Game, issue: Issue) -> Fault:
    writing: Writing | None = tables.alphabet(game.alphabet)
    if written.notation in FAMILIES and game.alphabet:
        writing = Dialect(written.notation, game.alphabet.removeprefix(f"{written.notation}-"), 0)
    assert issue.ply is not None
    return Fault(issue.code, issue.ply, issue.start, issue.end, issue.written or "", issue.detail, last_board(game), writing)


def _put(written: WrittenGame, hints: Hints, repair: Repair, start_fen: str | None) -> WrittenGame:
    """The game with one token written as it is meant. Raises RepairRefused."""
    why = f"ply {repair.ply} is not read as far as that"
    for end in faults(written, hints, start_fen):
        if end.ply != repair.ply:
            why = f"the game ends at ply {end.ply}, not at {repair.ply}"
            continue
        if repair.written and end.written != repair.written:
            why = f"at ply {repair.ply} stands {end.written}, not {repair.written}"
            continue
        try:
            move = end.board.parse_san(repair.read_as)
        except ValueError:
            why = f"{repair.read_as} is no legal move at ply {repair.ply}"
            continue
        for text in _texts(move, end, written):
            put = _with_token(written, end, text)
            plies = _transcribed(put, hints, start_fen).lines[0].plies if put else ()
            if put and len(plies) >= repair.ply and plies[repair.ply - 1].uci == end.board.uci(move):
                return put
        why = f"{repair.read_as} at ply {repair.ply} does not stand in this text's notation"
    raise RepairRefused(why)


def _texts(move: chess.Move, end: Fault, written: WrittenGame) -> Sequence[str]:
    if isinstance(end.writing, Dialect):
        near = near_forms(end, written)
        return (near[move],) if move in near else ()
    return forms(move, end.board, end.writing)


def near_forms(end: Fault, written: WrittenGame) -> dict[chess.Move, str]:
    """Moves that one changed, missing, added or swapped character in the fault's token would mean, each with a text of it."""
    if end.writing is None:
        return {}
    chars = sorted({c for token in written.tokens if token.kind == lexer.MOVE for c in token.text})
    found: dict[chess.Move, str] = {}
    for text in _misprints(end.written, chars):
        options = patterns(WrittenMove(text), end.writing, is_lenient=False)
        states = advance([State(end.board.copy(stack=False), None)], options, is_shared=True) if options else []
        if len(states) == 1 and states[0].last is not None:
            found.setdefault(states[0].last.move, text)
    return found


def _misprints(text: str, chars: Sequence[str]) -> Iterator[str]:
    """Texts at one edit, without repeats."""
    seen = {text}
    for i in range(min(len(text), _LONGEST_TOKEN) + 1):
        head, tail = text[:i], text[i:]
        made = [head + tail[1:], head + tail[1:2] + tail[:1] + tail[2:]]
        made += [head + c + rest for c in chars for rest in (tail, tail[1:])]
        for new in made:
            if new not in seen:
                seen.add(new)
                yield new


def forms(move: chess.Move, board: chess.Board, alphabet: Alphabet | None) -> tuple[str, ...]:
    """How a move is written in an alphabet (English when it is None): SAN, then with both squares named."""
    san = board.san(move)
    if alphabet is None or alphabet.name == "en" or san.startswith(("O-O", "--")):
        return (san, san) if san.startswith(("O-O", "--")) else (san, _long(move, board, san, ""))
    kinds = {chess.piece_symbol(kind).upper(): kind for kind in range(chess.KNIGHT, chess.KING + 1)}
    man = alphabet.primary.get(kinds[san[0]], san[0]) if san[0] in kinds else ""
    native = {latin: own for own, latin in alphabet.files.items()}
    short = "".join(alphabet.primary.get(kinds[c], c) if c in kinds else native.get(c, c) for c in san)
    return short, "".join(native.get(c, c) if i >= len(man) else c for i, c in enumerate(_long(move, board, san, man, alphabet)))


def _long(move: chess.Move, board: chess.Board, san: str, man: str, alphabet: Alphabet | None = None) -> str:
    """`Bb5-a4`, `e7xd8=Q+`."""
    names = chess.square_name
    letter = man or (san[0] if san[0] in "KQRBN" else "")
    promoted = ""
    if move.promotion:
        promoted = (alphabet.primary.get(move.promotion) if alphabet else None) or chess.piece_symbol(move.promotion).upper()
        promoted = f"={promoted}"
    sign = "x" if board.is_capture(move) else "-"
    check = san[-1] if san[-1] in "+#" else ""
    return f"{letter}{names(move.from_square)}{sign}{names(move.to_square)}{promoted}{check}"


def _with_token(written: WrittenGame, end: Fault, text: str) -> WrittenGame | None:
    """The game with `text` where the fault's token stands, and without what was said against that token."""
    at = next((i for i, token in enumerate(written.tokens) if token.start == end.start), None)
    if at is None:
        return None
    first, rest = written.tokens[at], written.tokens[at + 1 :]
    rest = [token for token in rest if token.start >= end.end]
    token = first._replace(kind=lexer.MOVE, text=text, end=max(first.end, end.end))
    issues = [issue for issue in written.issues if not end.start <= issue.start < end.end]
    return replace(written, tokens=[*written.tokens[:at], token, *rest], issues=issues)


def _told(game: Game, written: WrittenGame, repairs: Sequence[Repair]) -> Game:
    """The game with each repaired half-move marked as such, and what was written there."""
    if not repairs:
        return game
    by_ply = {repair.ply: repair for repair in repairs}
    plies = [_marked(ply, by_ply.get(i)) for i, ply in enumerate(game.lines[0].plies, 1)]
    tokens = movetext.assemble(written.tokens).main.plies
    issues = []
    for ply, repair in sorted(by_ply.items()):
        token = tokens[ply - 1]
        detail = f"read as {plies[ply - 1].san}" + (f": {repair.because}" if repair.because else "")
        issues.append(Issue("repaired", token.start, token.end, 0, ply, repair.written, detail))
    main: Line = replace(game.lines[0], plies=tuple(plies))
    found = tuple(sorted((*game.issues, *issues), key=lambda i: (i.start, i.code)))
    return replace(game, lines=(main, *game.lines[1:]), issues=found)


def _marked(ply: Ply, repair: Repair | None) -> Ply:
    return replace(ply, written=repair.written or ply.written, decided_by="repair") if repair else ply


__all__ = [
    "Fault",
    "Repair",
    "RepairRefused",
    "faults",
    "forms",
    "last_board",
    "mended",
    "near_forms",
    "only_game",
    "read",
    "sole",
]
