"""Is anything read wrongly? Games in many alphabets and notations, cut short or misprinted, and what comes out of them.

usage: bench_safety.py [FILE.pgn] [--games N] [--workers N] [--seed N] [--forms NAME …] [--examples N]

Each game of FILE is written without tags in every form, in a style chosen by lot, and planted three times: cut after 4 to 20
half-moves; cut and one misprint; whole and one misprint. What is read is compared with the game. A clean game is *wrong* unless
it is a beginning of the true moves, or of what the misprinted text says as it stands in the alphabet that wrote it: `Nf3`
printed as `Nh3` is a knight on h3. The same lot is drawn for the same seed. Exits with 1 if any reading is wrong.
"""

from __future__ import annotations

import argparse
import multiprocessing
import random
import sys
import time
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path

import chess
import chess.pgn

from pipeline import dialects, tables
from pipeline.dialects import Dialect, Writing, WrittenMove
from pipeline.model import Filler, Game, Hints
from pipeline.render.forms import Form, form_named
from pipeline.resolver import State, advance
from pipeline.split import split
from pipeline.transcribe import transcribe

SAMPLE = Path(__file__).parents[1] / "data" / "sample" / "match-1972.pgn"
ALPHABETS = (
    "en", "ru", "de", "es", "fr", "it", "pt", "nl", "pl", "cs", "hu", "uk", "bg", "sr-Cyrl", "fig", "ro", "sv", "fi", "tr", "el"
)  # fmt: skip
STYLES = ("san", "short", "colon", "minimal", "long", "long-dash", "long-colon", "colon-end")
FAMILIES = {
    "descriptive": ("descriptive", "en"),
    "descriptive-es": ("romance", "es"),
    "numeric": ("numeric", dialects.NO_LANGUAGE),
    "smith": ("smith", dialects.NO_LANGUAGE),
    "uci": None,
}
"""Forms of notations beside algebraic → the family and language that reads them; UCI is read as algebraic."""
SHAPES = ("cut", "cut and misprinted", "misprinted")
KINDS = ("rank", "file", "man", "man dropped", "swapped", "look-alike", "OCR")
OCR = {
    "b": "6", "6": "b", "1": "lI", "З": "3", "3": "З8", "0": "O", "O": "0", "5": "S", "S": "5", "8": "В3B", "B": "8",
    "c": "e", "e": "c", "g": "9q", "h": "b", "f": "t", "a": "o", "d": "cl", "4": "A", "7": "1", "Ф": "Ф1", "Л": "JI",
    "С": "C", "К": "K", "Q": "O", "R": "К", "K": "H", "N": "М", "D": "O", "T": "I", "L": "I",
}  # fmt: skip
"""Characters → what OCR makes of them, one of the characters; of `d` the two of `cl`."""
WRONG = "WRONG"
OUTCOMES = ("right", "as printed", "ambiguous", "truncated", "rejected", "none", WRONG)


@dataclass(frozen=True, slots=True)
class Trial:
    """A planted text. `tokens`: the moves as printed; `kind` of misprint or empty."""

    form: str
    style: str | None
    shape: str
    kind: str
    text: str
    tokens: tuple[str, ...]
    sans: tuple[str, ...]
    at: int


@dataclass(frozen=True, slots=True)
class Outcome:
    trial: Trial
    verdict: str
    reading: str


def main() -> None:
    """Plant, read, count."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("file", nargs="?", type=Path, default=SAMPLE)
    parser.add_argument("--games", type=int, default=200)
    parser.add_argument("--workers", type=int, default=1)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--forms", nargs="*", default=[*ALPHABETS, *FAMILIES])
    parser.add_argument("--shapes", nargs="*", choices=SHAPES, default=SHAPES)
    parser.add_argument("--examples", type=int, default=20, help="most wrong readings to print")
    given = parser.parse_args()
    games = list(true_games(given.file, given.games))
    jobs = [
        (moves, i, form, shape, given.seed) for i, moves in enumerate(games) for form in given.forms for shape in given.shapes
    ]
    started = time.perf_counter()
    with multiprocessing.Pool(given.workers) as pool:
        outcomes = [outcome for outcome in pool.imap(tried, jobs, chunksize=50) if outcome]
    seconds = time.perf_counter() - started
    print(f"{len(games):,} games, {len(outcomes):,} texts, seed {given.seed}, {seconds:.0f} s with {given.workers} workers")
    report(outcomes)
    wrong = [outcome for outcome in outcomes if outcome.verdict == WRONG]
    for outcome in wrong[: given.examples]:
        show(outcome)
    sys.exit(1 if wrong else 0)


def true_games(path: Path, n: int) -> Iterator[list[chess.Move]]:
    """Main lines of the first games from the initial position, of four half-moves at least."""
    with path.open(encoding="utf-8", errors="replace") as file:
        while n and (game := chess.pgn.read_game(file)) is not None:
            moves = list(game.mainline_moves())
            if len(moves) >= 4 and not game.errors and "FEN" not in game.headers:
                n -= 1
                yield moves


def tried(job: tuple[list[chess.Move], int, str, str, int]) -> Outcome | None:
    """One text, planted and read; None where the misprint changes nothing."""
    moves, i, form, shape, seed = job
    trial = planted(moves, form, shape, random.Random(f"{seed} {i} {form} {shape}"))
    return judged(trial) if trial else None


def planted(moves: Sequence[chess.Move], name: str, shape: str, lot: random.Random) -> Trial | None:
    """The game in a form, cut and misprinted as the shape says."""
    is_algebraic = name not in FAMILIES
    style = lot.choice(STYLES) if is_algebraic else None
    form = form_named(name, style)
    cut = moves if shape == "misprinted" else moves[: lot.randint(4, 20)]
    board, tokens, sans = chess.Board(), [], []
    for move in cut:
        tokens.append(form.write(board, move))
        sans.append(board.san_and_push(move))
    kind, at = "", -1
    if shape != "cut":
        kind, at = lot.choice(KINDS), lot.randrange(min(len(tokens), 30))
        printed = misprinted(tokens[at], kind, form, lot)
        if printed in (None, tokens[at]):
            return None
        tokens[at] = str(printed)
    return Trial(name, style, shape, kind, numbered(tokens), tuple(tokens), tuple(sans), at)


def numbered(tokens: Sequence[str]) -> str:
    """Moves with their numbers, in one line."""
    return " ".join(f"{k // 2 + 1}. {token}" if k % 2 == 0 else token for k, token in enumerate(tokens))


def misprinted(token: str, kind: str, form: Form, lot: random.Random) -> str | None:
    """The token with one misprint of a kind; None where it has no place for it."""
    men = sorted(form.men or ())
    man = next((m for m in sorted(men, key=len, reverse=True) if token.startswith(m)), "")
    if kind == "man":
        others = [m for m in men if m != man]
        return lot.choice(others) + token[len(man) :] if man and others else None
    if kind == "man dropped":
        return token[len(man) :] if man else None
    if kind == "swapped":
        k = lot.randrange(len(token) - 1)
        return token[:k] + token[k + 1] + token[k] + token[k + 2 :]
    choices = {
        "rank": lambda c: "12345678".replace(c, "") if c in "12345678" else "",
        "file": lambda c: "abcdefgh".replace(c, "") if c in "abcdefgh" else "",
        "look-alike": lambda c: "".join(h.char for h in tables.homoglyphs() if c in {h.target, h.char.lower()} and h.char != c),
        "OCR": lambda c: OCR.get(c, ""),
    }[kind]
    places = [k for k in range(len(token)) if choices(token[k])]
    if not places:
        return None
    k = lot.choice(places)
    other = choices(token[k])
    return token[:k] + (other if other == "cl" else lot.choice(other)) + token[k + 1 :]


def judged(trial: Trial) -> Outcome:
    """What is read from the text, and whether it is right."""
    games = [transcribe(part, Hints()) for part in split(trial.text) if not isinstance(part, Filler)]
    played = [game for game in games if game.lines and game.lines[0].plies]
    reading = " | ".join(described(game) for game in games)
    clean = [sans(game) for game in played if game.status == "clean"]
    if any(not begins(line, trial.sans) for line in clean):
        literal = as_printed(trial)
        is_literal = all(begins(line, trial.sans) or any(begins(line, other) for other in literal) for line in clean)
        return Outcome(trial, "as printed" if is_literal else WRONG, reading)
    if clean:
        return Outcome(trial, "right", reading)
    if not games:
        return Outcome(trial, "none", reading)
    codes = {issue.code for game in games for issue in game.issues}
    if codes & {"ambiguous_dialect", "ambiguous_san"}:
        return Outcome(trial, "ambiguous", reading)
    return Outcome(trial, "truncated" if played else "rejected", reading)


def as_printed(trial: Trial) -> list[tuple[str, ...]]:
    """Every line that the printed tokens say in the alphabet that wrote them, look-alikes being what they look like."""
    writing = writer(trial.form)
    states, read = [State(chess.Board(), None)], []
    for token in trial.tokens:
        move = WrittenMove(token.removesuffix(" e.p."))
        patterns = dialects.patterns(move, writing, is_lenient=False) or tuple(
            pattern for pattern in dialects.patterns(move, writing, is_lenient=True) if pattern.leniency == ("homoglyph",)
        )
        ahead = advance(states, patterns, is_shared=True) if patterns else []
        if not ahead:
            break
        states = ahead[:64]
    for state in states:
        read.append(tuple(step.san for step in state.steps()))
    return read


def writer(form: str) -> Writing:
    """The alphabet or dialect of a form."""
    family = FAMILIES.get(form)
    if family:
        return Dialect(*family, 0)
    return next(a for a in tables.alphabets() if a.name == ("en" if form in FAMILIES else form))


def begins(line: Sequence[str], whole: Sequence[str]) -> bool:
    return tuple(line) == tuple(whole[: len(line)])


def sans(game: Game) -> list[str]:
    return [ply.san for ply in game.lines[0].plies]


def described(game: Game) -> str:
    codes = sorted({issue.code for issue in game.issues})
    return f"{game.status} {game.notation} {game.language} {game.dialect_evidence} {codes} {' '.join(sans(game))}"


def report(outcomes: Sequence[Outcome]) -> None:
    """Outcomes by shape, form and kind of misprint."""
    for title, key in (
        ("shape", lambda o: o.trial.shape),
        ("form", lambda o: o.trial.form),
        ("misprint", lambda o: o.trial.kind),
        ("style", lambda o: o.trial.style or ""),
    ):
        counts: dict[str, Counter[str]] = {}
        for outcome in outcomes:
            counts.setdefault(key(outcome) or "-", Counter())[outcome.verdict] += 1
        print(f"\n{title:20}" + "".join(f"{name:>12}" for name in OUTCOMES))
        for name, found in counts.items():
            print(f"{name:20}" + "".join(f"{found[outcome]:12,}" for outcome in OUTCOMES))


def show(outcome: Outcome) -> None:
    """One wrong reading, with all that is needed to try it again."""
    trial = outcome.trial
    print(f"\n{trial.form} {trial.style or ''}: {trial.shape}, {trial.kind or 'no misprint'}", end="")
    print(f" at half-move {trial.at + 1}" if trial.at >= 0 else "")
    print(f"  text:  {trial.text[:400]}\n  true:  {' '.join(trial.sans)[:300]}\n  read:  {outcome.reading[:500]}")


if __name__ == "__main__":
    main()
