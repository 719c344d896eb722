"""A text → the scores of series that it publishes, with the names, the event and the year that stand beside.

Precision comes first: a score counts when two names stand beside it, or its form and the words around it say that it is one of
chess. Clocks, verses, ratios and football have whole numbers; those need two names and a word of chess.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from decimal import Decimal
from functools import cache

from pipeline.model import PublishedScore, Score
from pipeline.published import cells
from pipeline.published.scores import scores
from pipeline.published.words import BLANK, alternatives, as_name, lower_word, name, words

_BEFORE, _AFTER = 240, 120
"""Characters around a score in which its sentence is looked for."""
_HEADING_CHARS = 100
_SENTENCE_END = re.compile(r"(?<=[^\W\d_]{3}[.!?…])\s+|(?<=[)\d½][.!?…])\s+(?=[^\W\d_])|\n[^\S\n]*\n")
_YEAR = re.compile(r"(?<![\w.,:–-])(1[5-9]\d\d|20\d\d)(?!\w|[.,:]\d)")
_WRITTEN_CHARS = 200


def find(text: str) -> list[PublishedScore]:
    """All published scores of a text, in order and apart. Linear in the text; raises on none."""
    found = [PublishedScore(t.score, t.written, t.player, t.opponent, evidence="table") for t in cells.tables(text)]
    taken = [(f.score.start, f.score.end) for f in found]
    at, heading = 0, ""
    for score in scores(text):
        if any(start < score.end and score.start < end for start, end in taken):
            continue
        heading = _heading(text, at, score.start, heading)
        if published := _published(text, score, at, heading):
            found.append(published)
        at = score.end
    return sorted(found, key=lambda published: published.score.start)


def _published(text: str, score: Score, at: int, heading: str) -> PublishedScore | None:
    """A score with its surroundings; None where nothing says that it is one of chess. `at`: end of the score before."""
    first, last = _sentence(text, score, at)
    before, after = text[first : score.start], text[score.end : last]
    sentence = f"{before} {after}"
    written = text[score.start : score.end][:_WRITTEN_CHARS]
    speaks_of_chess = bool(words("chess").search(f"{heading} {sentence}"))
    told = _beside(before, after, score)
    if told:
        is_told = told.evidence == "verb" or speaks_of_chess or bool(words("score", "event").search(sentence))
        if score.form == "whole" and score.wins is None and not speaks_of_chess:
            return None
        if score.is_dashed and not is_told and re.match(rf"{BLANK}?{lower_word()}", after):
            return None
        event = _event(text, first, told.start, heading)
        year = _year(text, score, first, at, event or heading)
        return PublishedScore(told.score, written, told.player, told.opponent, event, year, told.evidence)
    if not _is_sure(score, f"{heading} {sentence}"):
        return None
    return PublishedScore(score, written, event=heading or None, year=_year(text, score, first, at, heading))


def _is_sure(score: Score, around: str) -> bool:
    """Whether a score without names is one of chess all the same."""
    says_score = bool(words("chess", "score", "event").search(around))
    if score.form == "series":
        return not score.is_doubtful and (score.has_brackets or says_score or bool(score.wins and score.losses and score.draws))
    if score.form == "half":
        return not score.is_dashed or says_score
    return score.wins is not None or (score.form == "decimal" and says_score and not score.is_dashed)


def _sentence(text: str, score: Score, at: int) -> tuple[int, int]:
    """The sentence around a score, not beyond the score before; a full stop behind an initial ends none."""
    first = max(at, score.start - _BEFORE)
    for end in _SENTENCE_END.finditer(text, first, score.start):
        first = end.end()
    stop = min(len(text), score.end + _AFTER)
    end_of = _SENTENCE_END.search(text, score.end, stop)
    return first, end_of.start() if end_of else stop


# --- names ------------------------------------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class _Told:
    """Names beside a score, the score turned so that the first side is `player`'s. `start`: where they stand in the sentence."""

    player: str
    opponent: str
    score: Score
    evidence: str
    start: int


@cache
def _pairs() -> re.Pattern[str]:
    """Two names that a dash or a word joins; the second one may be the first of the next pair."""
    joint = rf"{BLANK}?[–—−]{BLANK}?|{BLANK}-{BLANK}|\s(?:{alternatives('versus', 'and', 'with')})\s"
    return re.compile(rf"(?P<a>{name()})(?:{joint})(?=(?P<b>{name()}))")


@cache
def _hyphenated() -> re.Pattern[str]:
    """A pair that a hyphen without blanks joins: `Spassky-Fischer`."""
    return re.compile(rf"(?P<a>{name()})")


@cache
def _verbs() -> re.Pattern[str]:
    gap = rf"(?:\s{lower_word()}){{0,4}}"
    verb = f"(?P<beat>{alternatives('beat')})|(?P<lost>{alternatives('lost')})|(?P<drew>{alternatives('drew')})"
    return re.compile(rf"(?P<a>{name()})(?:\s{lower_word()}){{0,2}}?\s(?:{verb})(?!\w){gap}\s(?P<b>{name()})")


@cache
def _ends_with_name() -> re.Pattern[str]:
    return re.compile(rf"(?P<a>{name()})[ \t,:(]*\Z")


@cache
def _begins_with_name() -> re.Pattern[str]:
    return re.compile(rf"[ \t,)]{{1,3}}(?P<b>{name()})")


def _beside(before: str, after: str, score: Score) -> _Told | None:
    """The names of a sentence that a score belongs to: a verb's, else the last pair, else those on both sides of it."""
    verb = _last(_verbs(), before)
    pair = _last(_pairs(), before)
    if verb and not (pair and pair.start("a") > verb.end("b")):
        return _by_verb(verb, score)
    if pair:
        return _pair(pair["a"], pair["b"], score, "pair", pair.start())
    ends = _ends_with_name().search(before)
    if ends and (begins := _begins_with_name().match(after)) and "\n" not in begins[0]:
        return _pair(ends["a"], begins["b"], score, "around", ends.start())
    if ends and ends["a"].count("-") == 1:
        left, _, right = ends["a"].partition("-")
        return _pair(left, right, score, "pair", ends.start())
    return None


def _last(pattern: re.Pattern[str], text: str) -> re.Match[str] | None:
    found = None
    for match in pattern.finditer(text):
        if as_name(match["a"]) and as_name(match["b"]):
            found = match
    return found


def _pair(a: str, b: str, score: Score, evidence: str, start: int) -> _Told | None:
    player, opponent = as_name(a), as_name(b)
    if player is None or opponent is None or player == opponent:
        return None
    return _Told(player, opponent, score, evidence, start)


def _by_verb(match: re.Match[str], score: Score) -> _Told | None:
    """Who beat whom has more points, whichever number stands first. A score that does not fit the verb has no names."""
    own, other = _sides(score)
    if match["drew"] is not None:
        return _pair(match["a"], match["b"], score, "verb", match.start()) if own == other else None
    if own == other:
        return None
    is_more = match["beat"] is not None
    if score.form == "series":
        return _pair(match["a"], match["b"], score, "verb", match.start()) if (own > other) == is_more else None
    turned = score if (own > other) == is_more else score.turned()
    return _pair(match["a"], match["b"], turned, "verb", match.start())


def _sides(score: Score) -> tuple[Decimal, Decimal]:
    """What decides who is ahead: points, else wins."""
    if score.points is None or score.opponent_points is None:
        return Decimal(score.wins or 0), Decimal(score.losses or 0)
    return score.points, score.opponent_points


# --- event ------------------------------------------------------------------------------------------------------------


def _event(text: str, first: int, names_at: int, heading: str) -> str | None:
    """What stands before the names on their line, if it tells of an event; else the heading."""
    line = text[first : first + names_at].rpartition("\n")[2].strip()
    is_apart = line.endswith((":", ",", ".", ";", "(", "–", "—"))
    return line[-_HEADING_CHARS:].strip(" \t,:.;(–—-") if is_apart and words("event").search(line) else heading or None


def _year(text: str, score: Score, first: int, at: int, event: str) -> int | None:
    """The only year on the score's line, else in its sentence before it, else in what is said of the event.

    `at`: end of the score before, whose line is its own.
    """
    line_start = max(text.rfind("\n", max(at, score.start - _BEFORE), score.start) + 1, at)
    line_end = text.find("\n", score.end, score.end + _AFTER)
    line = text[max(line_start, score.start - _BEFORE) : line_end if line_end >= 0 else score.end + _AFTER]
    own = text.find("\n", at, score.start) if at else first
    for stretch in (line, text[max(first, own) : score.start] if own >= 0 else "", event):
        years = {*_YEAR.findall(stretch)}
        if years:
            return int(years.pop()) if len(years) == 1 else None
    return None


def _heading(text: str, start: int, end: int, before: str) -> str:
    """The last line of an event, without a score, between two scores; that of the scores before while no blank line comes."""
    stretch = text[max(start, end - 4 * _BEFORE) : end]
    lines = stretch.split("\n")
    for line in reversed(lines[1:-1] if start else lines[:-1]):
        told = line.strip(" \t*#=-:.")
        if told and len(told) <= _HEADING_CHARS and words("event").search(told) and not words("beat", "lost").search(told):
            return told
    return before if not re.search(r"\n[^\S\n]*\n", stretch) else ""
