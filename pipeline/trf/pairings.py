"""Cells of a tournament report → games without moves. A pairing is believed when both players' lines tell it.

The span of a game is White's cell. What only one line tells is a rejected game of that cell: nothing is chosen.
"""

from __future__ import annotations

import re
from collections import deque
from collections.abc import Iterator, Mapping
from dataclasses import replace
from fractions import Fraction

from pipeline import headers
from pipeline.model import Filler, Game, Issue, Line, TagPair
from pipeline.trf import records
from pipeline.trf.records import Cell, Player, Report

_RESULTS: Mapping[tuple[Fraction, Fraction], str] = {
    (Fraction(1), Fraction(0)): "1-0",
    (Fraction(0), Fraction(1)): "0-1",
    (Fraction(1, 2), Fraction(1, 2)): "1/2-1/2",
    (Fraction(0), Fraction(0)): "0-0",
}
_OWN_RESULT: Mapping[Fraction, str] = {Fraction(1): "1-0", Fraction(1, 2): "1/2-1/2", Fraction(0): "0-1"}
"""What the points of White alone say."""
_NO_MOVES = (Line(0, None, 1, 0, ()),)
_DATE = re.compile(r"(\d{4}|\d{2})[/.-](\d{1,2})[/.-](\d{1,2})", re.ASCII)


def read(text: str) -> Iterator[Game | Filler]:
    """Games and filler of a report, in order, without gap. Never raises on any text."""
    report = records.parse(text)
    reading = _Reading(report)
    games = sorted(reading.games(), key=lambda game: game.start)
    issues = deque(sorted([*report.issues, *reading.issues], key=lambda issue: (issue.start, issue.code)))
    at = 0
    for game in games:
        yield from _filler(text, at, game.start, issues)
        yield game
        at = game.end
    yield from _filler(text, at, len(text), issues)


def _filler(text: str, start: int, end: int, issues: deque[Issue]) -> Iterator[Filler]:
    """What stands between cells, with the issues that begin there; `issues` loses them."""
    if start == end:
        return
    here = []
    while issues and issues[0].start < end:
        here.append(issues.popleft())
    yield Filler(start, end, "markup" if text[start:end].strip() else "blank", tuple(here))


class _Reading:
    """The pairings of a report."""

    def __init__(self, report: Report) -> None:
        self.report = report
        self.issues: list[Issue] = []
        self.numbered: dict[int, list[Player]] = {}
        for player in report.players:
            self.numbered.setdefault(player.number, []).append(player)
        self.event_tags = tuple(_event_tags(report))
        self.start = _date(report.said.get("date_start", ""), None)
        self.end = _date(report.said.get("date_end", ""), None)

    def games(self) -> Iterator[Game]:
        """One for each pairing and bye, in no order."""
        for player in self.report.players:
            for cell in player.cells.values():
                if cell.opponent == 0:
                    yield self._bye(player, cell)
                elif game := self._pairing(player, cell):
                    yield game
            self._check_points(player)

    def _pairing(self, player: Player, cell: Cell) -> Game | None:
        """The game of a cell; None where it is the opponent's cell that has it."""
        opponents = self.numbered.get(cell.opponent, [])
        if len(opponents) != 1 or len(self.numbered[player.number]) > 1:
            many = "several players have" if opponents else "no player has"
            number = cell.opponent if len(opponents) != 1 else player.number
            return self._rejected(player, None, cell, f"{many} the number {number}")
        other = opponents[0]
        answer = other.cells.get(cell.round)
        if other is player or answer is None or answer.opponent != player.number:
            return self._rejected(player, other, cell, f"the line of number {other.number} does not tell this pairing")
        if {cell.color, answer.color} == {"w", "b"}:
            return self._game(player, other, cell, answer) if cell.color == "w" else None
        if cell.color == answer.color == "-":
            if player.start > other.start:
                return None
            issue = Issue(
                "no_colour", cell.start, cell.end, written=_written(player, cell), detail="neither line says who had White"
            )
            game = self._game(player, other, cell, answer)
            return replace(game, issues=(*game.issues, issue))
        return self._rejected(player, other, cell, f"colours do not fit: {cell.color} here, {answer.color} there")

    def _game(self, white: Player, black: Player, cell: Cell, answer: Cell) -> Game:
        """A pairing that both lines tell. Where their results differ, one is the tag's and one stands for the movetext's."""
        own, others = records.codes().get(cell.code), records.codes().get(answer.code)
        issues = [_unknown_code(p, c) for p, c in ((white, cell), (black, answer)) if c.code and c.code not in records.codes()]
        tag, movetext = "*", None
        if own and others:
            both = _RESULTS.get((own.points, others.points))
            tag = both or _OWN_RESULT[own.points]
            movetext = None if both else _OWN_RESULT[1 - others.points]
        if (own is None) != (others is None) or (own and others and own.kind != others.kind):
            detail = f"{white.number} has {cell.code or 'nothing'}, {black.number} has {answer.code or 'nothing'}"
            issues.append(Issue("report_conflict", answer.start, answer.end, written=_written(black, answer), detail=detail))
        termination = "forfeit" if own and others and own.kind == others.kind == "forfeit" else ""
        if own and others and tag == "0-0" and {own.kind, others.kind} <= {"played", "short"}:
            termination = "normal"  # both lost a game that they played: without the tag, 0-0 is a forfeit
        tags = self._tags(white, black, cell, tag, termination)
        return Game(cell.start, cell.end, "clean", tags, lines=_NO_MOVES, result_movetext=movetext, issues=tuple(issues))

    def _bye(self, player: Player, cell: Cell) -> Game:
        """A round without an opponent: the player is put as White, nobody as Black."""
        code = records.bye(cell.code)
        if code is None:
            return self._rejected(player, None, cell, "a result without an opponent")
        return Game(
            cell.start,
            cell.end,
            "clean",
            self._tags(player, None, cell, _OWN_RESULT[code.points], records.named(code)),
            lines=_NO_MOVES,
        )

    def _rejected(self, player: Player, other: Player | None, cell: Cell, detail: str) -> Game:
        """A cell that its report contradicts, as it stands there."""
        white, black = (other, player) if cell.color == "b" else (player, other)
        code = records.codes().get(cell.code)
        result = "*" if code is None else _OWN_RESULT[code.points if cell.color != "b" else 1 - code.points]
        issue = Issue("report_conflict", cell.start, cell.end, written=_written(player, cell), detail=detail, is_fault=True)
        tags = self._tags(white, black, cell, result, "forfeit" if code and code.kind == "forfeit" else "")
        return Game(cell.start, cell.end, "rejected", tags, lines=_NO_MOVES, issues=(issue,))

    def _tags(self, white: Player | None, black: Player | None, cell: Cell, result: str, termination: str) -> tuple[TagPair, ...]:
        is_bye = white is not None and black is None and cell.opponent == 0
        pairs = [
            ("Date", self._date_of(cell.round)),
            ("Round", str(cell.round)),
            ("White", white.field(records.NAME) if white else "?"),
            ("Black", black.field(records.NAME) if black else "BYE" if is_bye else "?"),
            ("Result", result),
        ]
        for side, player in (("White", white), ("Black", black)):
            if player is not None:
                pairs += [
                    (f"{side}Elo", player.field(records.ELO).strip("0") and player.field(records.ELO)),
                    (f"{side}Title", player.field(records.TITLE)),
                    (f"{side}FideId", player.field(records.FIDE_ID)),
                    (f"{side}Federation", player.field(records.FEDERATION)),
                    (f"{side}Team", player.team),
                ]
        pairs += [("Termination", termination), ("ResultCode", cell.code)]
        return (*self.event_tags, *(TagPair(name, value) for name, value in pairs if value))

    def _date_of(self, round_: int) -> str:
        """A round's date; else what start and end share: the game was played between them."""
        if date := _date(self.report.round_dates.get(round_, ""), self.start or self.end):
            return ".".join(date)
        shared = ["????", "??", "??"]
        for k, (first, last) in enumerate(zip(self.start or (), self.end or (), strict=False)):
            if first != last:
                break
            shared[k] = first
        return ".".join(shared)

    def _check_points(self, player: Player) -> None:
        """The points column against the sum of the results (TRF: points are those of the tournament's own scoring)."""
        written = records.points_of(player.field(records.POINTS))
        found = [self._points(cell) for cell in player.cells.values()]
        if written is None or self.report.has_other_points or None in found:
            return
        total = sum((points for points in found if points is not None), Fraction(0))
        if total != written:
            start = player.start + records.POINTS.start
            detail = f"{player.field(records.NAME)} has {float(written):g} points, but the results give {float(total):g}"
            text = player.line[records.POINTS]
            end = start + len(text)
            self.issues.append(Issue("report_conflict", start, end, written=text.strip(), detail=detail))

    def _points(self, cell: Cell) -> Fraction | None:
        """Points of a cell by the report's scoring; None where its code says nothing."""
        code = records.codes().get(cell.code)
        code = (records.bye(cell.code) or code) if cell.opponent == 0 else code
        if code is None:
            return None
        given = self.report.points
        win = given.get("W", code.points)
        return given.get(code.scored_as, win if code.scored_as == "P" else code.points)


def _event_tags(report: Report) -> Iterator[TagPair]:
    said = report.said
    site = " ".join(filter(None, (said.get("city"), said.get("federation"))))
    values = {
        "Event": said.get("event", "?"),
        "Site": site or "?",
        "EventDate": ".".join(_date(said.get("date_start", ""), None) or ()),
        "EventType": said.get("type", ""),
        "EventRounds": said.get("rounds", ""),
        "TimeControl": said.get("time_control_code") or said.get("time_control", ""),
    }
    return (TagPair(name, value) for name, value in values.items() if value)


def _date(written: str, near: tuple[str, str, str] | None) -> tuple[str, str, str] | None:
    """Year, month, day as PGN writes them. The century of two digits is that of `near`, else the year is unknown.

    Some write dates of start and end in other ways: `28. 07. 2005`, `May 29, 2020`.
    """
    found = _DATE.match(written.strip())
    if not found:
        other = headers.parse_date(written).whole
        return (f"{other.year:04}", f"{other.month:02}", f"{other.day:02}") if other else None
    year = found[1]
    if len(year) == 2:
        year = near[0][:2] + year if near and near[0].isdecimal() else "????"
    return year, found[2].zfill(2), found[3].zfill(2)


def _unknown_code(player: Player, cell: Cell) -> Issue:
    return Issue(
        "unknown_token", cell.end - 1, cell.end, written=cell.code, detail=f"not a result code: {_written(player, cell)}"
    )


def _written(player: Player, cell: Cell) -> str:
    return player.line[cell.start - player.start : cell.end - player.start]
