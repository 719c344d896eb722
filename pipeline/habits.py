"""Could a writer have such habits? A reading that is lenient by turns, or mixes ways to write, as nobody does, proves nothing."""

from __future__ import annotations

from collections.abc import Sequence

from pipeline.resolver import Step

_HABIT = 3
"""So many men written small are a habit."""


def is_even(steps: Sequence[Step], texts: Sequence[str]) -> bool:
    """Whether one hand could have written all: a letter for the pawn always or never (`Pe4 d5 Pf3` is no English with pawn
    letters but Dutch gone wrong), and nothing that `first_odd` finds.
    """
    pawns = ["pawn_letter" in step.pattern.leniency for step in steps if step.san[0].islower()]
    return (all(pawns) or not any(pawns)) and first_odd(steps, texts) == len(steps)


def first_odd(steps: Sequence[Step], texts: Sequence[str]) -> int:
    """Index of the first step that no writer of the others wrote, else the number of steps. `texts`: what is written, by step."""
    men = [step for step in steps if step.san[0] in "KQRBN"]
    has_large = any("lower_case_man" not in step.pattern.leniency for step in men)
    n_small = sum("lower_case_man" in step.pattern.leniency for step in men)
    letters = {text[0] for step, text in zip(steps, texts, strict=False) if step.san[0] in "KQRBN"}
    pawns = [step for step in steps if step.san[0].islower()]
    names_squares = bool(pawns) and all(step.pattern.from_squares.bit_count() == 1 for step in pawns)
    for i, step in enumerate(steps):
        if _is_far_fetched(step):
            return i
        if "upper_case_file" in step.pattern.leniency and step.san[0].islower() and texts[i][0] in letters:
            return i  # a large `C` is no file where it is a man elsewhere
        if step.san[0] not in "KQRBN":
            continue
        is_small = "lower_case_man" in step.pattern.leniency
        if is_small and (has_large or n_small < _HABIT) and texts[i][0] in "abcdefgh":
            return i  # a small `b` is no bishop where men are written large elsewhere, or hardly any
        if is_small and len(men) == 1 and names_squares:
            return i  # nor is one small letter a man among moves of squares alone
        if bool(step.pattern.pieces) != bool(men[0].pattern.pieces):
            return i  # a letter is no man where squares alone are written elsewhere, and the reverse
    return len(steps)


def _is_far_fetched(step: Step) -> bool:
    """Nobody writes men small and files large (`cA3` is a misprint of `Ac3`), and no scan adds a check (`Sd65f` for `Sd6f5`)."""
    codes = set(step.pattern.leniency)
    has_false_mark = step.pattern.has_check_mark and step.san[-1] not in "+#"
    return codes >= {"lower_case_man", "upper_case_file"} or ("misread_character" in codes and has_false_mark)
