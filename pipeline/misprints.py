"""The fault of a truncated game → the one move that was surely meant, if there is one.

Nothing here changes a game: a suggestion is shown to a person, who decides (docs/rules.md §10).
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from functools import cache

import chess

from pipeline import movetext, signs, tables
from pipeline.dialects import Dialect, Writing, WrittenMove, contest
from pipeline.model import Hints
from pipeline.repairs import Fault, Repair, RepairRefused, faults, forms, near_forms, read, sole
from pipeline.signs import char_class
from pipeline.split import WrittenGame
from pipeline.tables import Alphabet

MOST_EDITS = 2
"""Misprints that one move may hold: a wrong square is two characters, more is another move."""
PROVEN_PLIES = 6
"""Half-moves that must be proven behind a repair where the rest holds another fault."""
EARLIER_PLIES = 12
"""Half-moves before a fault in which a misprint may have passed as a legal move."""
LEAST_PLIES = 2
"""Half-moves that must be proven behind a repair where the written move does not name both squares."""
_SQUARE = re.compile(r"[a-h][1-8]")
_CODES = {"illegal_move", "unknown_token", "illegal_null_move", "ambiguous_san"}
"""Faults that a misprint may cause; faults of structure are none."""


@dataclass(frozen=True, slots=True)
class Suggestion:
    """Half-move `ply`, `written`, was probably meant as `read_as` (SAN): then `n_plies_after` more are proven."""

    ply: int
    written: str
    read_as: str
    n_plies_after: int
    is_to_end: bool
    """Whether the rest of the main line is proven, to its end."""
    because: str
    language: str | None = None
    """Language in which the game breaks here, where several read on differently before."""


@dataclass(frozen=True, slots=True)
class _Option:
    move: chess.Move
    san: str
    n_after: int
    is_to_end: bool


def suggest(written: WrittenGame, hints: Hints, start_fen: str | None = None) -> Suggestion | None:
    """The unique cheapest repair of a game's fault with which the rest of the game is proven, else None."""
    written = sole(written, hints, start_fen)
    found = [s for fault in faults(written, hints, start_fen) if (s := _of_fault(written, hints, fault))]
    held = {(s.ply, s.read_as): s for s in reversed(found) if _holds(written, hints, s, start_fen)}
    return next(iter(held.values())) if len(held) == 1 else None


def _holds(written: WrittenGame, hints: Hints, suggestion: Suggestion, start_fen: str | None) -> bool:
    """Whether the whole game, read as any other, comes as far as the suggestion promises."""
    repair = Repair(suggestion.ply, suggestion.written, suggestion.read_as)
    try:
        game = read(written, hints, [repair], start_fen)
    except RepairRefused:
        return False
    return len(game.lines[0].plies) >= suggestion.ply + suggestion.n_plies_after


def _of_fault(written: WrittenGame, hints: Hints, fault: Fault) -> Suggestion | None:
    if fault.code not in _CODES or fault.writing is None:
        return None
    rest = _rest(written, fault)
    by_cost: dict[int, list[_Option]] = {}
    for move, cost in _priced(written, fault):
        by_cost.setdefault(cost, []).append(_tried(move, fault, rest, hints))
    least = 0 if len(_SQUARE.findall(core(fault.written, fault.writing))) > 1 else LEAST_PLIES
    chosen = _unique(by_cost, lambda o: o.is_to_end and o.n_after >= least)
    chosen = chosen or _unique(by_cost, lambda o: o.n_after >= PROVEN_PLIES)
    if chosen is None:
        return None
    why = why_meant(fault, chosen.move)
    earlier = _earlier(written, hints, fault)
    if earlier and not _differs_in_origin_only(fault, chosen.move):
        return None
    why += f"; or else {earlier}" if earlier else ""
    return Suggestion(fault.ply, fault.written, chosen.san, chosen.n_after, chosen.is_to_end, why, fault.writing.bcp47)


def _priced(written: WrittenGame, fault: Fault) -> list[tuple[chess.Move, int]]:
    return [(move, 1) for move in near_forms(fault, written)] if isinstance(fault.writing, Dialect) else costs(fault)


def _differs_in_origin_only(fault: Fault, move: chess.Move) -> bool:
    """Whether man and target are written as they are meant: then what is wrong stands here, whatever else may be wrong."""
    written = core(fault.written, fault.writing)
    squares = _SQUARE.findall(written)
    alphabet = fault.writing if isinstance(fault.writing, Alphabet) else None
    meant = core(forms(move, fault.board, alphabet)[1], fault.writing)
    return len(squares) == 2 and written.replace(squares[0], chess.square_name(move.from_square), 1) == meant


def _earlier(written: WrittenGame, hints: Hints, fault: Fault) -> str | None:
    """A half-move shortly before, legal as written, of which one character changed would let all be played, in words."""
    plies = movetext.assemble(written.tokens).main.plies
    board = fault.board.copy()
    for ply in range(fault.ply - 1, max(0, fault.ply - 1 - EARLIER_PLIES), -1):
        played, token = board.pop(), plies[ply - 1]
        before = replace(fault, ply=ply, start=token.start, end=token.end, written=token.text, board=board)
        for move, cost in _priced(written, before):
            if cost == 1 and move != played and _tried(move, before, _rest(written, before), hints).is_to_end:
                return f"ply {ply}, {token.text}, is {board.san(move)}"
    return None


def _unique(by_cost: dict[int, list[_Option]], is_good: Callable[[_Option], bool]) -> _Option | None:
    """The only good option of the lowest cost that has any."""
    for cost in sorted(by_cost):
        good = [option for option in by_cost[cost] if is_good(option)]
        if good:
            return good[0] if len(good) == 1 else None
    return None


def _rest(written: WrittenGame, fault: Fault) -> list[WrittenMove]:
    """The written half-moves of the main line behind the fault, up to a fault of structure."""
    score = movetext.assemble(written.tokens)
    plies = score.main.plies[: score.fault_at] if score.fault else score.main.plies
    return [WrittenMove(p.text, p.is_null) for p in plies if p.start >= fault.end]


def _tried(move: chess.Move, fault: Fault, rest: Sequence[WrittenMove], hints: Hints) -> _Option:
    """How far the rest is proven behind a move, in the letters of the moves before."""
    board = fault.board.copy(stack=False)
    san = board.san_and_push(move)
    if not rest:
        return _Option(move, san, 0, True)
    assert fault.writing is not None
    if isinstance(fault.writing, Dialect):
        reading = contest(rest, board, Hints(language=hints.language), is_roster=False, family=fault.writing.notation)
    else:
        reading = contest(rest, board, Hints(language=fault.writing.name, notation=hints.notation), is_roster=False)
    return _Option(move, san, len(reading.steps), reading.code is None)


def costs(fault: Fault, most: int = MOST_EDITS) -> list[tuple[chess.Move, int]]:
    """Legal moves whose writing is at most `most` edits away from what is written, nearest first."""
    written = core(fault.written, fault.writing)
    if not written:
        return []
    allowed = min(most, 1 if len(written) <= 3 else most)  # two edits of three characters make anything of anything
    found = []
    for move in fault.board.legal_moves:
        cost = min(edits(written, form) for form in _cores(move, fault))
        if cost <= allowed:
            found.append((move, cost))
    return sorted(found, key=lambda f: (f[1], f[0].uci()))


def _cores(move: chess.Move, fault: Fault) -> set[str]:
    """Bare forms of a move: with neither, one or both coordinates of the origin."""
    alphabet = fault.writing if isinstance(fault.writing, Alphabet) else None
    short, long = forms(move, fault.board, alphabet)
    short, long = core(short, fault.writing), core(long, fault.writing)
    found = {short, long}
    squares = list(_SQUARE.finditer(long))
    if len(squares) == 2 and fault.board.piece_type_at(move.from_square) != chess.PAWN:
        man, origin, rest = long[: squares[0].start()], squares[0][0], long[squares[1].start() :]
        found |= {man + part + rest for part in ("", origin[0], origin[1])}
    return found


def core(text: str, alphabet: Writing | None) -> str:
    """A move without what chooses nothing: signs of capture and check, dashes, annotations; files in Latin letters."""
    text = unicodedata.normalize("NFC", text)
    bare = "".join(_noise().sub("", text).split())
    native = alphabet.files if isinstance(alphabet, Alphabet) else {}
    return "".join(native.get(c) or _alike().get(c, c) for c in bare)


@cache
def _noise() -> re.Pattern[str]:
    return re.compile(f"{char_class(signs.DASHES + signs.CAPTURES + signs.CHECKS)}|[+#!?=.,()]")


@cache
def _alike() -> dict[str, str]:
    """Letters of other scripts that look like a file or a rank, as that one."""
    found = (h for context in ("file", "rank") for h in tables.homoglyphs(context) if h.kind != "ocr")
    return {h.char: h.target for h in found if len(h.char) == 1 and h.target}


def edits(a: str, b: str) -> int:
    """Characters to insert, delete, change or swap with a neighbour to make one text of the other (optimal string alignment)."""
    before: list[int] = []
    last = list(range(len(b) + 1))
    for i, x in enumerate(a, 1):
        row = [i]
        for j, y in enumerate(b, 1):
            best = min(last[j] + 1, row[j - 1] + 1, last[j - 1] + (x != y))
            if i > 1 and j > 1 and x == b[j - 2] and a[i - 2] == y:
                best = min(best, before[j - 2] + 1)
            row.append(best)
        before, last = last, row
    return last[-1]


def why_meant(fault: Fault, move: chess.Move) -> str:
    """In words, how what is written differs from the move."""
    man = chess.piece_name(fault.board.piece_type_at(move.from_square) or chess.PAWN)
    origin, target = chess.square_name(move.from_square), chess.square_name(move.to_square)
    squares = _SQUARE.findall(core(fault.written, fault.writing))
    if len(squares) == 2 and squares == [target, origin]:
        return f"squares swapped: the {man} goes from {origin} to {target}"
    if len(squares) == 2 and squares[1] == target and squares[0] != origin:
        return f"wrong origin square: the {man} stands on {origin}, not on {squares[0]}"
    if len(squares) == 2 and squares[0] == origin and squares[1] != target:
        return f"wrong target square: the {man} on {origin} goes to {target}, not to {squares[1]}"
    if squares and squares[-1] == target:
        return f"wrong or missing man or origin: it is the {man} on {origin} that goes to {target}"
    return f"misprint: the {man} on {origin} goes to {target}" + (f", not to {squares[-1]}" if squares else "")


def legal_near(fault: Fault) -> Iterator[str]:
    """SAN of all legal moves, those written most like the token first."""
    written = core(fault.written, fault.writing)
    moves: Iterable[chess.Move] = fault.board.legal_moves
    ranked = sorted(moves, key=lambda m: (min(edits(written, form) for form in _cores(m, fault)), fault.board.san(m)))
    return (fault.board.san(move) for move in ranked)


__all__ = ["Suggestion", "core", "costs", "edits", "legal_near", "suggest", "why_meant"]
