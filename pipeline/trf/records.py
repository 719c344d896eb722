"""Lines of a tournament report → players with a cell for each round, and what is said of the tournament.

Columns are fixed (TRF16 and TRF26, sections of tournament, player and team), counted in characters; here from 0.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass, field
from fractions import Fraction
from functools import cache
from typing import Final

from pipeline import tables
from pipeline.model import Issue

NUMBER, TITLE, NAME = slice(4, 8), slice(10, 13), slice(14, 47)
ELO, FEDERATION, FIDE_ID = slice(48, 52), slice(53, 56), slice(57, 68)
POINTS, RANK = slice(80, 84), slice(85, 89)
NAME_LENGTH = NAME.stop - NAME.start
CELLS, CELL_STEP, CELL_LENGTH = 91, 10, 8
"""Where the cell of round 1 begins, how far it is to the next one, and how long a cell is: `  12 w 1`."""
MOST_ROUNDS: Final = 400
"""Cells of a line that are looked at."""

_SAMPLE = 1 << 15
_FIRST = re.compile(r"[\ufeff\s]*(?:\d{3}|[A-Z]{3}|###)(?= |\r|\n)")
_PLAYER = re.compile(r"^001 [ \d]{3}\d [ \w]", re.MULTILINE)
_LINE = re.compile(r"[^\r\n]+")
_CELL = re.compile(r"([ \d]{4})(?: ([wb -])(?: (\S)?)?)?", re.IGNORECASE)
_COMMENT = "###"
_NATIONAL = re.compile(r"[A-Z]{3}")
"""National ratings stand behind the code of a federation."""


@dataclass(frozen=True, slots=True)
class Code:
    """A result code: points where the report gives no others, and its kind: `played`, `short`, `forfeit` or `bye`."""

    code: str
    points: Fraction
    kind: str
    meaning: str
    scored_as: str
    """Letter of record 162 that gives it other points."""
    without_opponent: str
    """Code of the bye that it stands for where there is no opponent; empty for other codes."""


@dataclass(frozen=True, slots=True)
class Cell:
    """What a player's line says of one round. `start`, `end`: first to last character that is written, in the text."""

    start: int
    end: int
    round: int
    opponent: int
    """Number of the opponent; 0 = none."""
    color: str
    """`w`, `b` or `-`."""
    code: str
    """Result code, upper case; empty where none is written."""


@dataclass(slots=True)
class Player:
    """A 001 record. `start`: offset of its line."""

    start: int
    line: str
    number: int
    cells: dict[int, Cell] = field(default_factory=dict)
    team: str = ""

    def field(self, place: slice) -> str:
        """What stands in some columns."""
        return self.line[place].strip()


@dataclass(slots=True)
class Report:
    """A report as written. Issues have their places."""

    said: dict[str, str] = field(default_factory=dict)
    """Role of a record → its text; of several the first."""
    round_dates: dict[int, str] = field(default_factory=dict)
    players: list[Player] = field(default_factory=list)
    points: dict[str, Fraction] = field(default_factory=dict)
    """Points that the report gives, by the letters of record 162."""
    has_other_points: bool = False
    """True where points are given in a way that is not read: then no sum is checked."""
    issues: list[Issue] = field(default_factory=list)


@cache
def codes() -> dict[str, Code]:
    """Result codes."""
    points = {"0": Fraction(0), "½": Fraction(1, 2), "1": Fraction(1)}
    return {
        r["code"]: Code(r["code"], points[r["points"]], r["kind"], r["meaning"], r["scored_as"], r["without_opponent"])
        for r in tables.rows("trf_results")
    }


def bye(code: str) -> Code | None:
    """The bye that a code stands for where there is no opponent (TRF26: no code is the same as Z); None for what is none."""
    found = codes().get(code or "Z")
    found = codes().get(found.without_opponent or found.code) if found else None
    return found if found and found.kind == "bye" else None


def bye_called(meaning: str) -> str | None:
    """The code of a bye by the words of its row, without the full stop: what Termination tags say of it."""
    return next((c.code for c in codes().values() if c.kind == "bye" and named(c).lower() == meaning.lower()), None)


def named(code: Code) -> str:
    """A code in words, as Termination tags have it."""
    return code.meaning.rstrip(".")


@cache
def _roles() -> dict[str, str]:
    return {row["record"]: row["role"] for row in tables.rows("trf_records")}


def recognise(text: str) -> bool:
    """Whether a text is a tournament report: its lines begin with codes of records, and players are among them."""
    if not _FIRST.match(text):
        return False
    sample = text[:_SAMPLE]
    if not _PLAYER.search(sample):
        return False
    lines = [line for line in sample.splitlines() if line.strip("\ufeff \t")]
    known = sum(1 for line in lines if _record(line.lstrip("\ufeff")) is not None)
    return 10 * known >= 9 * len(lines)


def _record(line: str) -> str | None:
    """Role of a line's record, empty for one that is read over; None for no record."""
    code = line[:3]
    if line[3:4].strip() or code == _COMMENT:
        return "" if code == _COMMENT else None
    return _roles().get(code, "" if _NATIONAL.fullmatch(code) else None)


def parse(text: str) -> Report:
    """Read all lines of a report. Never raises; what does not fit is an issue with its place."""
    report = Report()
    teams: dict[int, str] = {}
    for match in _LINE.finditer(text):
        start, line = match.start(), match[0]
        if line.startswith("\ufeff"):
            start, line = start + 1, line[1:]
        role = _record(line)
        if role == "player":
            _add_player(report, start, line)
        elif role == "round_dates":
            report.round_dates |= {k: chunk.strip() for k, _, chunk in _chunks(line, CELL_STEP) if chunk.strip()}
        elif role == "team":
            teams |= dict.fromkeys(_numbers(line, 36), line[4:36].strip())
        elif role == "team_26":
            teams |= dict.fromkeys(_numbers(line, 73), line[8:40].strip())
        elif role == "points":
            report.points |= _points(line)
        elif role == "other_points":
            report.has_other_points = True
        elif role:
            report.said.setdefault(role, line[4:].strip())
        elif role is None and line.strip():
            report.issues.append(_unknown(start, line.rstrip(), "not a record of a tournament report"))
    for player in report.players:
        player.team = teams.get(player.number, "")
    return report


def _add_player(report: Report, start: int, line: str) -> None:
    written = line[NUMBER].strip()
    if not (written.isascii() and written.isdecimal() and int(written)):
        report.issues.append(_unknown(start, line.rstrip(), "a player without a starting rank"))
        return
    player = Player(start, line, int(written))
    for number, at, chunk in _chunks(line, CELL_LENGTH):
        if not chunk.strip():
            continue
        first, last = start + at + len(chunk) - len(chunk.lstrip()), start + at + len(chunk.rstrip())
        found = _CELL.fullmatch(chunk.rstrip().ljust(4))
        opponent = found[1].strip() if found else ""
        if not found or (opponent and not opponent.isdecimal()):
            report.issues.append(_unknown(first, text := chunk.strip(), f"not the cell of a round: {text}"))
            continue
        color = (found[2] or "-").strip().lower() or "-"
        player.cells[number] = Cell(first, last, number, int(opponent or 0), color, (found[3] or "").upper())
    report.players.append(player)


def _chunks(line: str, length: int) -> Iterator[tuple[int, int, str]]:
    """Round, offset in the line, and text of each cell."""
    stop = min(len(line), CELLS + MOST_ROUNDS * CELL_STEP)
    for number, at in enumerate(range(CELLS, stop, CELL_STEP), 1):
        yield number, at, line[at : at + length]


def _numbers(line: str, at: int) -> list[int]:
    """Numbers of a team's players, in columns of five from `at`."""
    found = (line[k : k + 4].strip() for k in range(at, len(line), 5))
    return [int(text) for text in found if text.isascii() and text.isdecimal()]


def _points(line: str) -> dict[str, Fraction]:
    """Record 162: a letter at column 6, its points behind it, the next letter nine columns on."""
    found = {}
    for at in range(5, len(line), 9):
        points = points_of(line[at + 1 : at + 5])
        if line[at].strip() and points is not None:
            found[line[at].upper()] = points
    return found


def points_of(written: str) -> Fraction | None:
    """`11.5` or `11,5` as a number; None for anything else."""
    text = written.strip().replace(",", ".")
    return Fraction(text) if re.fullmatch(r"\d{1,3}(?:\.\d)?", text, re.ASCII) else None


def _unknown(start: int, written: str, detail: str) -> Issue:
    return Issue("unknown_token", start, start + len(written), written=written[:200], detail=detail)
