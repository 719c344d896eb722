"""Which alphabet wrote this main line? A contest of hypotheses that the board decides (docs/rules.md §3).

All alphabets walk the line together and part where they read a token differently, so a pawn move costs one resolution
however many alphabets are in the race, and ordinary English costs little more than English alone.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cache
from typing import Literal

import chess

from pipeline import habits, tables
from pipeline.model import Hints, MovePattern
from pipeline.notations import FAMILIES, algebraic
from pipeline.resolver import STATES_LIMIT, State, Step, advance, agreed_plies, misprinted
from pipeline.tables import Alphabet

NO_LANGUAGE = "zxx"
"""BCP 47 of what belongs to no language: numeric notation, telegraph codes."""
LEAD_PLIES = 6
"""By how much a broken reading must lead every rival for its prefix to be kept (docs/rules.md §3.4)."""
AS_COMMON = 20
"""An alphabet whose priority is this much behind another's is as common: their order is a guess."""

_ANY_PRIORITY = 1 << 16

NULL_PATTERNS = (MovePattern(is_null=True),)


@dataclass(frozen=True, slots=True)
class WrittenMove:
    """A token that stands where a move is expected. `is_null` for `--`, `Z0` and the like."""

    text: str
    is_null: bool = False


@dataclass(frozen=True, slots=True)
class Dialect:
    """A family of notations beside algebraic, in one of its languages: it stands in the contest where an alphabet stands."""

    notation: str
    bcp47: str
    priority: int

    @property
    def name(self) -> str:
        """Distinct among alphabets and dialects."""
        return f"{self.notation}-{self.bcp47}"

    @property
    def language(self) -> str:
        """For messages."""
        return self.notation


Writing = Alphabet | Dialect
"""How the moves of a game are written: letters of men, or another notation."""


@dataclass(frozen=True, slots=True)
class Reading:
    """What the contest says about a main line.

    `steps`: the plies that are proven; `code`: None when that is the whole line, else the fault at token `at`.
    `alphabet` is the first by priority of `alphabets`, which all read the steps alike.
    """

    steps: tuple[Step, ...]
    alphabets: tuple[Writing, ...]
    evidence: Literal["roster", "unique", "same_moves", "hint", "lenient"] | None
    code: str | None = None
    at: int = 0
    candidates: tuple[str, ...] = ()
    detail: str | None = None
    """What the best of several broken readings says, when only what all share was kept."""
    is_bounded: bool = False
    """Whether reading ended because too many readings were open (`resolver.STATES_LIMIT`)."""

    @property
    def alphabet(self) -> Writing | None:
        """First alphabet by priority, None when nothing was read."""
        return self.alphabets[0] if self.alphabets else None

    @property
    def languages(self) -> tuple[str, ...]:
        """BCP 47 tags of the alphabets, by priority, each once."""
        return _languages(self.alphabets)


@dataclass(frozen=True, slots=True)
class _Racer:
    """Alphabets that have read every token alike so far, with the readings still alive."""

    alphabets: tuple[Writing, ...]
    states: tuple[State, ...]
    died_at: int = -1
    died_of: str = ""


def contest(
    line: Sequence[WrittenMove], board: chess.Board, hints: Hints, *, is_roster: bool, family: str | None = None
) -> Reading:
    """Find the alphabet and the moves of a main line that starts from `board` (not changed).

    `family`: the notation beside algebraic that the tokens are in (`notations.FAMILIES`); its languages are in the race then.
    `is_roster`: the game is PGN with its tag roster, which makes English the rule unless the board objects (§3.3).
    """
    field: Sequence[Writing] = _dialects(family, hints) if family else hypotheses(hints)
    evidence: Literal["hint"] | None = "hint" if hints.language else None
    if not line:
        return Reading((), (), None)
    if not field:
        return Reading((), (), None, "unknown_token", 0, detail="no moves of the notation that was asked for")
    survivors, dead = _race(line, board, field, hints.notation, is_lenient=False)
    survivors = [even for racer in survivors for even in _even(racer, line)]
    if survivors:
        return _unless_misprinted(line, _verdict(line, survivors, evidence, is_roster=is_roster), dead)
    survivors, broken = _race(line, board, field, hints.notation, is_lenient=True)
    believed = [even for racer in survivors for even in _even(racer, line)]
    if believed:
        return _unless_misprinted(line, _verdict(line, believed, evidence or "lenient", is_roster=False), dead)
    broken += [replace(racer, died_at=len(line), died_of="ambiguous_dialect") for racer in survivors]
    return _prefix(line, broken, evidence, is_roster=is_roster)


def _even(racer: _Racer, line: Sequence[WrittenMove]) -> Iterator[_Racer]:
    """The racer with those of its readings that one hand could have written, if there are any."""
    states = tuple(state for state in racer.states if habits.is_even(state.steps(), [move.text for move in line]))
    if states:
        yield replace(racer, states=states)


@cache
def hypotheses(hints: Hints) -> tuple[Alphabet, ...]:
    """Alphabets in the race, by priority: those of the hinted language, else all that may be inferred."""
    if hints.notation not in NOTATIONS:
        return ()
    if hints.language:
        wanted = hints.language.casefold()
        return tuple(
            a for a in tables.alphabets()
            if a.infer != "never" and wanted in {a.name.casefold(), a.bcp47.casefold(), a.bcp47.casefold().split("-")[0]}
        )  # fmt: skip
    return tuple(a for a in tables.alphabets() if a.infer == "yes")


def _dialects(family: str, hints: Hints) -> tuple[Dialect, ...]:
    """Languages of a family, those of the hinted language only if it has it."""
    found = [Dialect(family, tag, i) for i, tag in enumerate(FAMILIES[family].dialects)]
    wanted = (hints.language or "").casefold()
    return tuple(d for d in found if d.bcp47.casefold() == wanted) or tuple(found)


def _languages(writings: Iterable[Writing]) -> tuple[str, ...]:
    return tuple(dict.fromkeys(w.bcp47 for w in writings if w.bcp47 != NO_LANGUAGE))


NOTATIONS: Mapping[str | None, str] = {
    None: "any", "algebraic": "any", "san": "any", "long": "two squares", "coordinate": "squares", "uci": "squares"
}  # fmt: skip
"""Notations that are read (a hint restricts to one) → what a move must say in it."""


def patterns(move: WrittenMove, alphabet: Writing, *, is_lenient: bool, notation: str | None = None) -> tuple[MovePattern, ...]:
    """What a token may mean in an alphabet, within a hinted notation; () when it is no move of it."""
    if move.is_null:
        return NULL_PATTERNS
    if isinstance(alphabet, Dialect):
        found = FAMILIES[alphabet.notation].parse(move.text, alphabet.bcp47)
        return found if is_lenient else tuple(p for p in found if not p.leniency)
    found = algebraic.parse(move.text, alphabet, is_lenient=is_lenient)
    form = NOTATIONS.get(notation, "any")
    return found if form == "any" else tuple(p for p in found if _has_form(p, form))


def _has_form(pattern: MovePattern, form: str) -> bool:
    """Whether a pattern says both squares, and, where squares alone are written, no man; castling has one form in all."""
    if pattern.castling:
        return True
    says_both = pattern.from_squares.bit_count() == 1 and pattern.to_squares.bit_count() == 1
    return says_both and (form == "two squares" or pattern.pieces == ())


def _race(
    line: Sequence[WrittenMove], board: chess.Board, field: Sequence[Writing], notation: str | None, *, is_lenient: bool
) -> tuple[list[_Racer], list[_Racer]]:
    """Walk the line with every alphabet at once. Returns who reached the end, and who died where."""
    racers, dead = [_Racer(tuple(field), (State(board.copy(stack=False), None),))], []
    for at, move in enumerate(line):
        ahead: list[_Racer] = []
        for racer in racers:
            lanes: dict[tuple[MovePattern, ...], list[Writing]] = {}
            for alphabet in racer.alphabets:
                lanes.setdefault(patterns(move, alphabet, is_lenient=is_lenient, notation=notation), []).append(alphabet)
            for options, alphabets in lanes.items():
                states = advance(racer.states, options, is_shared=len(lanes) > 1) if options else []
                if not states:
                    died_of = "illegal_move" if options else "unknown_token"
                    dead.append(_Racer(tuple(alphabets), racer.states, at, died_of))
                elif len(states) > STATES_LIMIT:
                    dead.append(_Racer(tuple(alphabets), racer.states, at, "states_limit"))
                else:
                    ahead.append(_Racer(tuple(alphabets), tuple(states)))
        racers = ahead
        if not racers:
            break
    return racers, dead


def _verdict(
    line: Sequence[WrittenMove], survivors: Sequence[_Racer], evidence: Literal["hint", "lenient"] | None, *, is_roster: bool
) -> Reading:
    lines = [(racer, state.steps()) for racer in survivors for state in racer.states]
    first = lines[0][1]
    alphabets = _by_priority(a for racer in survivors for a in racer.alphabets)
    english = _strict_english(line, survivors) if is_roster else None
    if english:
        return Reading(tuple(english[1]), (english[0],), "roster")
    if all(_same(first, steps) for _, steps in lines[1:]):
        return Reading(tuple(first), alphabets, evidence or ("unique" if len(alphabets) == 1 else "same_moves"))
    agreed = min(agreed_plies(first, steps) for _, steps in lines[1:])
    if len(survivors) == 1:
        options = tuple(dict.fromkeys(steps[agreed].san for _, steps in lines))
        return Reading(tuple(first[:agreed]), alphabets, evidence, "ambiguous_san", agreed, options)
    languages = _languages(alphabets)
    return Reading(tuple(first[:agreed]), alphabets, evidence, "ambiguous_dialect", agreed, languages)


def _unless_misprinted(line: Sequence[WrittenMove], reading: Reading, dead: Sequence[_Racer]) -> Reading:
    """The whole reading, if no alphabet that is as common reads other moves but for one misprint (docs/rules.md §3.2)."""
    if reading.code or not reading.alphabet or reading.evidence in {"roster", "hint"}:
        return reading
    limit = reading.alphabet.priority + AS_COMMON if _is_well_known(reading) else _ANY_PRIORITY
    for racer in sorted(dead, key=lambda racer: racer.alphabets[0].priority):
        alphabets = tuple(a for a in racer.alphabets if a.priority <= limit and _knows(line, a))
        lines = [steps for steps in _mended(line, racer, alphabets[0]) if not _same(steps, reading.steps)] if alphabets else []
        if lines:
            agreed = min(agreed_plies(steps, reading.steps) for steps in lines)
            both = _by_priority((*reading.alphabets, *alphabets))
            detail = f"read as {alphabets[0].language}, {line[racer.died_at].text} would be the only misprint"
            kept = reading.steps[:agreed]
            return Reading(kept, both if kept else (), None, "ambiguous_dialect", agreed, _languages(both), detail)
    return reading


def _is_well_known(reading: Reading) -> bool:
    """Whether two men are named at least, or the letters are English: else the rarest alphabet may have been meant."""
    men = {step.san[0] for step in reading.steps if step.san[0] in "KQRBN"}
    return len(men) > 1 or any(a.name == "en" for a in reading.alphabets)


def _knows(line: Sequence[WrittenMove], alphabet: Writing) -> bool:
    return all(patterns(move, alphabet, is_lenient=False) for move in line)


def _mended(line: Sequence[WrittenMove], racer: _Racer, alphabet: Writing) -> Iterator[list[Step]]:
    """The whole line as a broken alphabet reads it, if a man, a file or a rank is misprinted where it broke."""
    broken = patterns(line[racer.died_at], alphabet, is_lenient=False)
    states = advance(racer.states, [meant for pattern in broken for meant in misprinted(pattern)], is_shared=True)
    for move in line[racer.died_at + 1 :]:
        states = advance(states[:STATES_LIMIT], patterns(move, alphabet, is_lenient=False), is_shared=True)
    yield from (state.steps() for state in states)


def _strict_english(line: Sequence[WrittenMove], racers: Iterable[_Racer]) -> tuple[Writing, list[Step]] | None:
    """The English reading when every token is the SAN that PGN prescribes, marks included (PGN standard 8.2.3)."""
    for racer in racers:
        for alphabet in racer.alphabets:
            if alphabet.name == "en" and len(racer.states) == 1:
                steps = racer.states[0].steps()
                if all(step.san == move.text for step, move in zip(steps, line, strict=False)):
                    return alphabet, steps
    return None


def _prefix(line: Sequence[WrittenMove], dead: Sequence[_Racer], evidence: Literal["hint"] | None, *, is_roster: bool) -> Reading:
    """What may be kept when no alphabet reads the whole line (docs/rules.md §3.4)."""
    prefixes = sorted(
        ((racer, _common(racer)) for racer in (_without_odd(racer, line) for racer in _knowing(line, dead))),
        key=lambda p: (-len(p[1]), p[0].alphabets[0].priority),
    )
    leader, steps = prefixes[0]
    rivals = [
        (rival, other) for racer, other in prefixes[1:] if not _same(steps, other) for rival in _rivals(line, racer, leader)
    ]
    is_ahead = all(len(steps) - rival.died_at >= LEAD_PLIES for rival, _ in rivals)
    is_english = is_roster and any(a.name == "en" for a in leader.alphabets) and _has_right_marks(line, steps)
    if is_ahead or is_english:
        return _leading(leader, steps, evidence)
    agreed = min(agreed_plies(steps, other) for _, other in rivals)
    alphabets = _by_priority(a for racer, _ in (prefixes[0], *rivals) for a in racer.alphabets)
    languages = _languages(alphabets)
    at = min(leader.died_at, len(line) - 1)
    best = f"read as {leader.alphabets[0].language}, {line[at].text} at ply {at + 1} fits no legal move"
    kept = tuple(steps[:agreed])
    return Reading(kept, alphabets if agreed else (), evidence, "ambiguous_dialect", agreed, languages, best)


def _leading(leader: _Racer, steps: Sequence[Step], evidence: Literal["hint"] | None) -> Reading:
    """The prefix of the best broken reading, and what broke it."""
    code, options = leader.died_of, tuple[str, ...]()
    if len(steps) < leader.died_at:
        code = "ambiguous_san"
        options = tuple(dict.fromkeys(state.steps()[len(steps)].san for state in leader.states))
    alphabets = _by_priority(leader.alphabets) if steps else ()
    is_bounded = leader.died_of == "states_limit"
    return Reading(tuple(steps), alphabets, evidence if steps else None, code, len(steps), options, is_bounded=is_bounded)


def _without_odd(racer: _Racer, line: Sequence[WrittenMove]) -> _Racer:
    """A racer whose leniency is uneven has proven only what stands before the first sign of it, and with pawn letters nothing."""
    even = next(_even(racer, line), None)
    if even:
        return even
    state = racer.states[0]
    steps = state.steps()
    texts = [move.text for move in line]
    at = habits.first_odd(steps, texts)
    if at == len(steps) or not habits.is_even(steps[:at], texts):
        at = 0
    kept = replace(state, last=steps[at].before if at else None)  # from here on only its steps are read
    return replace(racer, states=(kept,), died_at=at, died_of="illegal_move")


def _knowing(line: Sequence[WrittenMove], dead: Sequence[_Racer]) -> Sequence[_Racer]:
    """Racers with those of their alphabets that have every letter seen, which makes them hypotheses (docs/rules.md §3.1).

    All of them where none has every letter: then some token is no move.
    """
    field = [alphabet for racer in dead for alphabet in racer.alphabets]
    known = [move for move in line if any(patterns(move, alphabet, is_lenient=False) for alphabet in field)]
    full = {a.name for a in field if all(patterns(move, a, is_lenient=False) for move in known)}
    kept = [replace(r, alphabets=tuple(a for a in r.alphabets if a.name in full)) for r in dead]
    return [racer for racer in kept if racer.alphabets] or dead


def _rivals(line: Sequence[WrittenMove], racer: _Racer, leader: _Racer) -> Iterator[_Racer]:
    """The racer with those of its alphabets that know every letter of the line that the leader knows, if there are any.

    An alphabet that lacks a letter that was seen needed no test (docs/rules.md §3).
    """
    known = [move for move in line if patterns(move, leader.alphabets[0], is_lenient=False)]
    alphabets = tuple(a for a in racer.alphabets if all(patterns(move, a, is_lenient=False) for move in known))
    if alphabets:
        yield replace(racer, alphabets=alphabets)


def _has_right_marks(line: Sequence[WrittenMove], steps: Sequence[Step]) -> bool:
    return all(
        not step.pattern.leniency and _marks(step.san) == _marks(move.text) for step, move in zip(steps, line, strict=False)
    )


def _marks(san: str) -> tuple[bool, str]:
    return "x" in san, san[-1:] if san[-1:] in "+#" else ""


def _common(racer: _Racer) -> list[Step]:
    lines = [state.steps() for state in racer.states]
    return lines[0][: min((agreed_plies(lines[0], other) for other in lines[1:]), default=len(lines[0]))]


def _same(a: Sequence[Step], b: Sequence[Step]) -> bool:
    return len(a) == len(b) == agreed_plies(a, b)


def _by_priority(alphabets: Iterable[Writing]) -> tuple[Writing, ...]:
    return tuple(sorted({a.name: a for a in alphabets}.values(), key=lambda a: (a.priority, a.name)))
