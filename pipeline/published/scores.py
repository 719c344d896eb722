"""Points and series as numbers: what is written between two blanks, without knowing who played."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import replace
from decimal import Decimal
from functools import cache
from typing import Final

from pipeline.model import Score
from pipeline.published.words import BLANK, alternatives

_DASHES: Final = "-–—−‐‑"
_POINTS: Final = rf"(?:\d{{1,3}}(?:{BLANK}?½|[.,][05]|{BLANK}1/2)?|½)"
_BORDER: Final = r"(?<![\w½/+=.,:*$€£%@#])(?<!\d[-–—−])"
_END: Final = r"(?![\w½/%°$€£*])(?![.,:–—−-]\d)(?!\s?[-–—−:]\s?\d)"
_MOST_POINTS = 400
"""No series is longer: larger numbers count something else."""
LEAST_GAMES = 2
"""`½:½` and `1:0` are results of games, not of series."""


@cache
def _score() -> re.Pattern[str]:
    words = alternatives("to")
    joint = rf"{BLANK}?[:∶]{BLANK}?|{BLANK}?[{_DASHES}]{BLANK}?|{BLANK}(?:{words}){BLANK}"
    return re.compile(rf"{_BORDER}(?P<a>{_POINTS})(?P<joint>{joint})(?P<b>{_POINTS}){_END}")


_SERIES: Final = re.compile(
    rf"(?P<open>\(\s?)?(?<![\w=+.])\+{BLANK}?(?P<wins>\d{{1,3}}),?{BLANK}?(?P<x>[{_DASHES}=]){BLANK}?(?P<n>\d{{1,3}})"
    rf"(?:,?{BLANK}?(?P<y>[{_DASHES}=]){BLANK}?(?P<m>\d{{1,3}}))?(?![\w½]|[.,]\d|{BLANK}?[=+*/])(?P<close>\s?\))?"
)


def scores(text: str) -> Iterator[Score]:
    """Scores and series of a text, in order; a series beside a score that it agrees with is one with it."""
    found = sorted([*_points(text), *_series(text)], key=lambda score: score.start)
    at = 0
    while at < len(found):
        score, at = found[at], at + 1
        if at < len(found) and (whole := _joined(text, score, found[at])):
            score, at = whole, at + 1
        yield score


def read_score(written: str) -> Score | None:
    """A score that is all of a text: `8½:12½`, `+6−4=11`, or both; None for anything else and for numbers that disagree."""
    text = " ".join(written.split())
    found = list(scores(text))
    if len(found) != 1 or text[: found[0].start].strip(" (") or text[found[0].end :].strip(" ),;"):
        return None
    return found[0]


def _points(text: str) -> Iterator[Score]:
    for match in _score().finditer(text):
        a, b = number(match["a"]), number(match["b"])
        total = a + b
        if total % 1 or not LEAST_GAMES <= total <= _MOST_POINTS:
            continue
        written = match["a"] + match["b"]
        form = "half" if "½" in written or "1/2" in written else "decimal" if re.search("[.,]", written) else "whole"
        yield Score(match.start(), match.end(), form, ":" not in match["joint"].replace("∶", ":"), points=a, opponent_points=b)


def _series(text: str) -> Iterator[Score]:
    for match in _SERIES.finditer(text):
        numbers = {
            "=" if sign == "=" else "-": int(n) for sign, n in ((match["x"], match["n"]), (match["y"], match["m"])) if sign
        }
        if match["y"] and len(numbers) < 2:
            continue
        wins, losses, draws = int(match["wins"]), numbers.get("-", 0), numbers.get("=", 0)
        if not LEAST_GAMES <= wins + losses + draws <= _MOST_POINTS:
            continue
        has_brackets = bool(match["open"] and match["close"])
        is_sum = match["x"] != "=" and match["y"] and wins - losses == draws
        is_doubtful = not has_brackets and (is_sum or not match["y"])
        start = match.start() if has_brackets or not match["open"] else match.start("open") + len(match["open"])
        end = match.end() if has_brackets else match.end("m" if match["y"] else "n")
        yield Score(
            start, end, "series", has_brackets=has_brackets, is_doubtful=bool(is_doubtful), wins=wins, losses=losses, draws=draws
        )


def _joined(text: str, one: Score, two: Score) -> Score | None:
    """A score and the series beside it as one, the score's side first; None where they stand apart or disagree."""
    if (
        (one.form == "series") == (two.form == "series")
        or text[one.end : two.start].strip(" ,;(:–—\u00a0")
        or two.start - one.end > 4
    ):
        return None
    score, series = (two, one) if one.form == "series" else (one, two)
    assert score.points is not None
    for told in (series, series.turned()):
        if _points_of(told) == (score.points, score.opponent_points):
            return replace(
                score, start=one.start, end=two.end, wins=told.wins, losses=told.losses, draws=told.draws, has_brackets=True
            )
    return None


def _points_of(series: Score) -> tuple[Decimal, Decimal]:
    half = Decimal(series.draws or 0) / 2
    return (series.wins or 0) + half, (series.losses or 0) + half


def number(written: str) -> Decimal:
    """Points as written (`8½`, `8 1/2`, `8,5`, `½`) as a number."""
    text = written.replace("1/2", "½").replace(",", ".")
    whole = re.split(r"[½\s]", text)[0]
    return Decimal(whole or 0) + (Decimal("0.5") if "½" in text else 0)
