"""Turns the written value of one tag into a typed value: dates, ratings, rounds, results, endings.

Every function is pure, takes one string, raises on none, and says None where the value is unknown or could mean two things:
`03/04/2001` gives a year and no month. The words that they know are rows of `pipeline/tables`.
"""

from __future__ import annotations

import datetime
import re
from functools import cache
from typing import NamedTuple

from pipeline import tables

UNKNOWN = frozenset(("", "?", "-", "??", "????", "—", "–", "(null)"))
"""Ways to leave a value out (PGN standard 8.1.1 writes `?`, and `-` for `does not apply`)."""

MAX_LENGTH = 80
"""A longer value is no date, number or time control."""

YEARS = range(1000, 2200)
"""Years that a date of a chess game may have; four other digits are no year."""

ELO = range(100, 4001)
"""Ratings: below no list goes, above no program does (see the issue code bad_elo)."""


# --- dates ------------------------------------------------------------------------------------------------------------


class PartialDate(NamedTuple):
    """A date as far as it is known. `is_bad`: something was written that is no date, and that part is None."""

    year: int | None = None
    month: int | None = None
    day: int | None = None
    is_bad: bool = False

    @property
    def whole(self) -> datetime.date | None:
        """The date, only when whole and real."""
        if self.year is None or self.month is None or self.day is None:
            return None
        return datetime.date(self.year, self.month, self.day)


_TIME_OF_DAY = re.compile(r"(?<=[0-9])[T\s]+[0-9]{1,2}:[0-9]{2}\S*", re.ASCII)
_DATE_PART = re.compile(r"[0-9?xX]*[0-9?][0-9?xX]*|[^\W\d_]+")
_COMPACT = re.compile(r"([0-9]{4})([0-9]{2})([0-9]{2})", re.ASCII)
_LETTERED_UNKNOWN = re.compile(r"[x?]+", re.IGNORECASE)


@cache
def _date_words() -> dict[str, int | None]:
    """Month word to its number; weekdays and words between (`of`, `года`) to None."""
    return {row["word"]: int(row["month"]) if row["kind"] == "month" else None for row in tables.rows("months")}


def parse_date(written: str) -> PartialDate:
    """Turns a written date into its known parts.

    Year first is year, month, day (PGN standard 8.1.1.3); dots with the year last are day, month, year; with slashes or
    dashes the order of two numbers up to 12 is unknown, so that only the year is kept. Two-digit years are no years.
    """
    if len(written) > MAX_LENGTH:
        return PartialDate(is_bad=True)
    text = _TIME_OF_DAY.sub("", written.strip())
    if text in UNKNOWN or not text.strip("?.-/ "):
        return PartialDate()
    compact = _COMPACT.fullmatch(text)
    parts = list(compact.groups()) if compact else _DATE_PART.findall(text.lower())
    month: int | None = None
    numbers: list[str] = []
    for part in parts:
        if part[0].isalpha() and not _LETTERED_UNKNOWN.fullmatch(part):
            if part not in _date_words():
                return _only_year(parts)
            named = _date_words()[part]
            if named is not None and month is not None:
                return _only_year(parts)
            month = month or named
        else:
            numbers.append(part)
    return _ordered(text, numbers, month)


def _only_year(parts: list[str]) -> PartialDate:
    """What an unclear text still says: its year, when it holds exactly one."""
    years = {int(part) for part in parts if re.fullmatch("[0-9]{4}", part) and int(part) in YEARS}
    return PartialDate(years.pop() if len(years) == 1 else None, is_bad=True)


def _ordered(text: str, numbers: list[str], month: int | None) -> PartialDate:
    """Gives the numbers of a date their places, by where the year stands and what separates them."""
    at = [i for i, number in enumerate(numbers) if len(number) == 4]
    if len(at) != 1 or len(numbers) > 3 or at[0] not in (0, len(numbers) - 1):
        return _only_year(numbers)
    is_year_first = at[0] == 0
    year_text, rest = numbers[at[0]], [n for i, n in enumerate(numbers) if i != at[0]]
    if month is not None:
        return _real(year_text, str(month), rest[0] if rest else "") if len(rest) < 2 else _only_year(numbers)
    if is_year_first or len(rest) < 2:
        month_text, day_text = [*rest, "", ""][:2]
        return _real(year_text, month_text, day_text)
    first, second = rest
    if "." in text or not (first.isdecimal() and second.isdecimal()) or int(first) > 12 or first == second:
        return _real(year_text, second, first)
    if int(second) > 12:
        return _real(year_text, first, second)
    return _real(year_text, "", "")


def _real(year_text: str, month_text: str, day_text: str) -> PartialDate:
    """Keeps the parts that are real; a day needs its month, and both need to exist in that year."""
    year, year_bad = _part(year_text, YEARS)
    month, month_bad = _part(month_text, range(1, 13))
    day, day_bad = (None, True) if month_bad else _part(day_text, range(1, 32))
    if year is not None and month is not None and day is not None:
        try:
            datetime.date(year, month, day)
        except ValueError:
            day, day_bad = None, True
    return PartialDate(year, month, day, year_bad or month_bad or day_bad)


def _part(text: str, allowed: range) -> tuple[int | None, bool]:
    """A number and False; None and False for unknown (`??`, `00`); None and True for a number that cannot be."""
    if not text.isdigit() or not text.isascii() or not int(text):
        return None, False
    return (int(text), False) if int(text) in allowed else (None, True)


# --- numbers and codes ------------------------------------------------------------------------------------------------

_ELO = re.compile(r"(\()?([0-9]{3,4})(?:\.0+)?\??(?(1)\))", re.ASCII)
_ROUND = re.compile(r"(?:[^\W\d]+\s*|\(\s*|#)?([0-9]{1,6}|\?)(?:\s*\.\s*([0-9]{1,6}))?(?:\.[0-9.]*)?\s*\)?")
_ORDINAL_ROUND = re.compile(
    r"([0-9]{1,6})(?:st|nd|rd|th|\.|-[^\W\d_]{1,3})(?:\s+[^\W\d_]+)?|([0-9]{1,6})\s?\(([0-9]{1,6})\)", re.IGNORECASE
)
"""`7th round`, `7. Runde`, `7-й тур`; and a board or game in brackets after the number, `3(2)`."""
_ECO = re.compile(r"([A-E][0-9]{2})(?![0-9])", re.ASCII | re.IGNORECASE)
_FIDE_ID = re.compile(r"[0-9]{3,10}", re.ASCII)


def parse_elo(written: str) -> int | None:
    """A rating from 100 to 4000: `2450`, `2450.0`, `(2450)`, `1850?` (provisional); None for anything else."""
    match = _ELO.fullmatch(written.strip())
    return int(match[2]) if match and int(match[2]) in ELO else None


def parse_round(written: str) -> tuple[int | None, int | None]:
    """Round and board or game within it: `10.3` to (10, 3), `?.1` to (None, 1); (None, None) for `-`, `?`, `1/8`, `final`."""
    if len(written) > MAX_LENGTH:
        return None, None
    match = _ROUND.fullmatch(written.strip())
    if match is not None:
        return None if match[1] == "?" else int(match[1]), int(match[2]) if match[2] else None
    match = _ORDINAL_ROUND.fullmatch(written.strip())
    if match is None:
        return None, None
    return int(match[1] or match[2]), int(match[3]) if match[3] else None


def parse_eco(written: str) -> str | None:
    """The ECO code that the text begins with, `[A-E][0-9][0-9]`: `E92a` to E92, `A00/01` to A00, `D4` to None."""
    match = _ECO.match(written.strip())
    return match[1].upper() if match else None


def parse_fide_id(written: str) -> str | None:
    """A FIDE id: digits that are not all zero."""
    text = written.strip()
    return text if _FIDE_ID.fullmatch(text) and int(text) else None


@cache
def _titles() -> dict[str, str]:
    return {row["text"]: row["title"] for row in tables.rows("titles")}


def parse_title(written: str) -> str | None:
    """A FIDE title as its usual letters (FIDE Handbook B.01): GM, IM, FM, CM, WGM, WIM, WFM or WCM."""
    return _titles().get(" ".join(written.lower().split()))


# --- results and endings ----------------------------------------------------------------------------------------------


RESULT_UNKNOWN = frozenset(("", "?", "(null)"))
"""Result tags that leave the result out; anything else unreadable is a fault of the tag."""

WORD_ENDINGS = ("rules_infraction", "resignation", "time", "agreement", "adjudication", "unfinished")
"""Endings that words after the moves, or words in a Result tag, may name."""


_SAID_BY_RESULTS = frozenset(("forfeit", "time", "resignation", "agreement"))
"""Types of written results that are endings too."""


class WrittenResult(NamedTuple):
    """A Result tag in canonical form. `termination`: what the form itself says (`+:-` is a forfeit), else None."""

    result: str | None = None
    termination: str | None = None


@cache
def _result_texts() -> dict[str, WrittenResult]:
    """Every written result that needs no board; a text that means two results in two languages is none."""
    found: dict[str, WrittenResult] = {}
    for row in tables.results():
        if row.canonical not in ("1-0", "0-1", "1/2-1/2", "0-0", "*") or row.type in ("mate", "stalemate"):
            continue
        value = WrittenResult(row.canonical, row.type if row.type in _SAID_BY_RESULTS else None)
        if found.setdefault(row.text, value).result != row.canonical:
            found[row.text] = WrittenResult()
    return found


@cache
def _dashes() -> dict[int, str]:
    return {ord(h.char): "-" for h in tables.homoglyphs("dash") if h.kind != "ocr"}


def parse_result(written: str) -> WrittenResult:
    """Turns a Result tag into `1-0`, `0-1`, `1/2-1/2`, `0-0` or `*`; a result of None when it is unreadable."""
    text = " ".join(written.lower().translate(_dashes()).split()).rstrip(".")
    return _known_result(text) or _result_and_ending(text) or WrittenResult()


def _known_result(text: str) -> WrittenResult | None:
    known = _result_texts()
    return known.get(text) or known.get(text.replace(" ", "")) or known.get(text.upper())


def _result_and_ending(text: str) -> WrittenResult | None:
    """A result and how it came about: `0-1 (forfeit)`, `draw by agreement`. None when the words after it say nothing known."""
    first, _, rest = text.partition(" ")
    result = _known_result(first.rstrip(",;:"))
    ending = parse_termination(rest.strip("()[]{}")) or parse_termination(text)
    if result is None or ending is None:
        return None
    return WrittenResult(result.result, ending if ending in _SAID_BY_RESULTS else None)


@cache
def _terminations() -> dict[str, dict[str, str]]:
    """Place (`whole`, `ending`, `comment`) to its texts and what they say."""
    found: dict[str, dict[str, str]] = {}
    for row in tables.rows("terminations"):
        found.setdefault(row["place"], {})[row["text"]] = row["termination"]
    return found


def parse_termination(written: str) -> str | None:
    """What a Termination tag says (PGN standard 9.8.1 and what servers write): `normal`, `time`, `forfeit`, …"""
    text = " ".join(written.lower().split()).rstrip(".!")
    whole = _terminations()["whole"].get(text)
    if whole is not None:
        return whole
    return next((says for ending, says in _terminations()["ending"].items() if text.endswith(" " + ending)), None)


# --- words within a text ----------------------------------------------------------------------------------------------


@cache
def _phrases(table: str) -> tuple[re.Pattern[str], dict[str, str]]:
    """Pattern of the phrases of a table, longest first, between word borders; and what each says (empty: nothing)."""
    if table == "terminations":
        says = _terminations()["comment"]
    else:
        says = {row["text"]: row[{"speed_words": "speed", "sites": "mode"}[table]] for row in tables.rows(table)}
    texts = sorted(says, key=lambda text: (-len(text), text))
    return re.compile(rf"(?<!\w)({'|'.join(map(re.escape, texts))})(?!\w)"), says


def _first_said(table: str, text: str) -> str | None:
    pattern, says = _phrases(table)
    match = pattern.search(text.lower())
    return says[match[1]] or None if match else None


def unplayed_words(comment: str) -> str | None:
    """`forfeit` or `bye` when the words of a game without moves say so (`White defaulted`, «неявка»), else None."""
    return _first_said("terminations", comment)


def site_mode(written: str) -> str | None:
    """`online` or `engine` when a Site tag names a server or a program league; studies and broadcasts say nothing."""
    return _first_said("sites", written)


def speed_words(written: str) -> str | None:
    """The speed that an event's name or type says (`World Blitz 2019`, `tourn (rapid)`); None for none or for two."""
    pattern, says = _phrases("speed_words")
    found = {says[text] for text in pattern.findall(written.lower())} - {""}
    return found.pop() if len(found) == 1 else None


@cache
def _modes() -> dict[str, tuple[str | None, str | None]]:
    return {row["text"]: (row["mode"] or None, row["speed"] or None) for row in tables.rows("modes")}


def parse_mode(written: str) -> tuple[str | None, str | None]:
    """Mode and speed that a Mode tag says (PGN standard 9.8.2): `ICS` is online, `PM` is correspondence."""
    return _modes().get(" ".join(written.lower().split()), (None, None))


def is_program(written: str) -> bool:
    """True when a WhiteType or BlackType tag says that a program played (PGN standard 9.1.3)."""
    return parse_mode(written)[0] == "engine"
