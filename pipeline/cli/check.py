"""`notatio check`: what would not be read, and why, before anything is ingested. It reads exactly as `ingest` does."""

from __future__ import annotations

import tempfile
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from functools import cached_property
from itertools import groupby
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from pipeline.cli.errors import say
from pipeline.cli.hints import checked_encoding, checked_language, checked_notation
from pipeline.cli.options import EncodingOption, LanguageOption, NotationOption
from pipeline.cli.output import counted, printable, put
from pipeline.cli.reading import Hints, read
from pipeline.exits import EXIT_FINDINGS

if TYPE_CHECKING:
    from pipeline import model
    from pipeline.sources import Member

_TOKEN_LENGTH = 40
_FIELDS = (
    *("line", "column", "written", "detail", "code", "severity", "byte_offset", "game_id", "variation", "ply", "candidates"),
)


@dataclass
class Findings:
    """What reading one source came to."""

    path: str
    binary: str | None = None
    """What the file is when it is no text."""
    counts: dict[str, int] = field(default_factory=lambda: dict.fromkeys(("n_games", "n_clean", "n_truncated", "n_rejected"), 0))
    issues: list[dict[str, Any]] = field(default_factory=list)
    """Rows of the stored table, in order of place."""
    tables: dict[str, list[Any]] = field(default_factory=dict)
    """Stored tables that explain the issues, where they are wanted: games, plies, variations, quarantine."""

    @cached_property
    def places(self) -> dict[tuple[str, str], tuple[Any, int, int]]:
        """(name of a table, game_id) → the table, the first row of the game and how many: they stand together."""
        places = {}
        for name, parts in self.tables.items():
            for part in parts:
                at = 0
                for game_id, group in groupby(part["game_id"].to_pylist()):
                    n = sum(1 for _ in group)
                    places[name, game_id] = (part, at, n)
                    at += n
        return places

    def of_game(self, name: str, game_id: str) -> list[dict[str, Any]]:
        """The rows of a game in one of `tables`."""
        table, at, n = self.places.get((name, game_id), (None, 0, 0))
        return [] if table is None else list(table.slice(at, n).to_pylist())

    @cached_property
    def issues_by_game(self) -> dict[str | None, list[dict[str, Any]]]:
        """Issues with the same game_id, in order; to be asked when all are there."""
        by_game: dict[str | None, list[dict[str, Any]]] = {}
        for issue in self.issues:
            by_game.setdefault(issue["game_id"], []).append(issue)
        return by_game

    @property
    def faults(self) -> list[dict[str, Any]]:
        """Issues because of which something was not read."""
        return [issue for issue in self.issues if issue["severity"] == "fault"]

    @property
    def is_bad(self) -> bool:
        """Is there anything that a person should look at?"""
        return bool(self.faults) or self.counts["n_clean"] < self.counts["n_games"]


def check(
    paths: Annotated[list[str], typer.Argument(metavar="PATH", help="Files, folders, 'patterns', archives; - is stdin.")],
    quirks: Annotated[bool, typer.Option("--quirks", help="List what is odd but was understood, too.")] = False,
    explain: Annotated[bool, typer.Option("--explain", help="Say how each game was read, and show the board.")] = False,
    language: LanguageOption = None,
    notation: NotationOption = None,
    encoding: EncodingOption = None,
) -> None:
    """Say what in score files cannot be read.

    One line a problem, file:line:column: token: reason (code). Nothing is written. Exit code 3 when something cannot be
    read, 0 when all is well. With --explain: the letters that were found, the runner-up and the half-moves that are evidence;
    at each problem the board, what could be played, and the move that was probably meant.

    \b
    Examples:
      notatio check games.pgn
      notatio check games.pgn --explain
      notatio check scans/ --language de --quirks
      notatio check - < bulletin.txt
    """
    hints = {
        "language": checked_language(language),
        "notation": checked_notation(notation),
        "encoding": checked_encoding(encoding),
    }
    is_bad = False
    n_sources = 0
    for findings in found(paths, hints, wants_games=explain):
        n_sources += 1
        is_bad = is_bad or findings.is_bad
        explained = set[str]()
        for issue in findings.issues if quirks else findings.faults:
            put(line_of(findings.path, issue))
            for line in _explained(findings, issue, hints, explained) if explain else ():
                put(line)
        say(summary(findings))
    if not n_sources:
        say("no files there")
    if is_bad:
        raise typer.Exit(EXIT_FINDINGS)


def line_of(path: str, issue: Mapping[str, Any]) -> str:
    """`file:line:column: token: reason (code)`; without a place or token these are left out."""
    place = f":{issue['line']}:{issue['column']}" if issue["line"] is not None else ""
    token = f" {_token(issue['written'])}:" if issue["written"] else ""
    return printable(f"{path}{place}:{token} {_reason(issue)} ({issue['code']})")


def _token(written: str) -> str:
    """The beginning of what is written there, in one line."""
    first = written.strip().splitlines()[0] if written.strip() else ""
    return first if first == written and len(first) <= _TOKEN_LENGTH else f"{first[:_TOKEN_LENGTH].rstrip()}…"


def _reason(issue: Mapping[str, Any]) -> str:
    from pipeline import tables

    known = tables.issue_codes().get(issue["code"])
    return issue["detail"] or (known.meaning.rstrip(".") if known else "it cannot be read")


def summary(findings: Findings) -> str:
    """One line about a source: `games.pgn: ok, 5 games`; a file is not `ok` when there is no game in it."""
    counts = findings.counts
    if findings.binary and not findings.is_bad:
        unread = "" if "not opened" in findings.binary else ", not read"
        return printable(f"{findings.path}: binary: {findings.binary}{unread}")
    games = counted(counts["n_games"], "game") if counts["n_games"] else "no games found"
    if not findings.is_bad:
        odd = f", {counted(len(findings.issues), 'quirk')}" if findings.issues else ""
        return printable(f"{findings.path}: {'ok, ' if counts['n_games'] else ''}{games}{odd}")
    parts = [f"{counts[f'n_{status}']:,} {status}" for status in ("clean", "truncated", "rejected") if counts[f"n_{status}"]]
    told = f" ({', '.join(parts)})" if parts else ""
    return printable(f"{findings.path}: {games}{told}, {counted(len(findings.faults), 'fault')}")


def found(paths: list[str], hints: Hints, *, wants_games: bool = False) -> Iterator[Findings]:
    """Reads source after source. Raises sources.NoSuchPath."""
    from pipeline import sources

    with tempfile.TemporaryDirectory(prefix="notatio-check-") as folder:
        for file in sources.find(paths, exclude=None):
            for member in sources.members(file):
                yield _read(member, hints, Path(folder), wants_games=wants_games)


def _read(member: Member, hints: Hints, folder: Path, *, wants_games: bool) -> Findings:
    findings = Findings(member.path, member.detail or "no text" if member.status == "binary" else None)
    if member.status not in ("ok", "binary"):
        findings.issues.append({**dict.fromkeys(_FIELDS), "code": member.status, "detail": member.detail, "severity": "fault"})
        return findings
    names = ("issues", "quarantine", *(("games", "plies", "variations") if wants_games else ()))
    tables: dict[str, list[Any]] = {name: [] for name in names}

    for receipt, stored in read(member, hints, folder):
        for name in findings.counts:
            findings.counts[name] += receipt[name]
        for name in tables:
            tables[name] += [stored[name]] if name in stored else []
    for table in tables["issues"]:
        findings.issues += table.select(_FIELDS).to_pylist()
    findings.issues.sort(key=lambda issue: (issue["byte_offset"] or 0, issue["code"]))
    _explain_quarantine(findings, tables["quarantine"])
    findings.tables = tables if wants_games else {}
    return findings


def _explained(findings: Findings, issue: Mapping[str, Any], hints: Hints, told: set[str]) -> Iterator[str]:
    """How the game of an issue was read, unless it is in `told`; the board at the issue; and what was probably meant there."""
    from pipeline import model
    from pipeline.cli.explain import Explained, broken_at, indented

    game_id = issue["game_id"]
    game = next(iter(findings.of_game("games", game_id)), None) if game_id else None
    if game is None:
        return
    explained = Explained(game, findings.of_game("plies", game_id), findings.of_game("variations", game_id))
    if game_id not in told:
        told.add(game_id)
        yield from indented(explained.letters(model.Hints(**hints), broken_at(game, findings.issues_by_game[game_id])))
    yield from indented(explained.place(issue))
    if issue["severity"] == "fault":
        yield from indented(_meant(findings, game, issue, model.Hints(**hints)))


def _meant(findings: Findings, game: Mapping[str, Any], issue: Mapping[str, Any], hints: model.Hints) -> Iterator[str]:
    """The move that was probably meant where a game breaks."""
    from pipeline import misprints
    from pipeline.ingest.again import quarantined
    from pipeline.repairs import RepairRefused

    for row in findings.of_game("quarantine", game["game_id"]):
        if issue["variation"] != 0:
            continue
        try:
            options = {f"{name}_option": getattr(hints, name) for name in ("language", "notation", "encoding")}
            case = quarantined(
                {
                    **row,
                    "encoding": game["encoding"],
                    "start_fen": game["start_fen"],
                    "kind": game["kind"],
                    "n_plies": game["n_plies"],
                },
                options,
            )
            suggestion = misprints.suggest(case.written(case.text()), case.hints, case.start_fen)
        except RepairRefused:
            continue
        if suggestion is not None:
            place = "" if suggestion.ply == issue["ply"] else f"ply {suggestion.ply}, {suggestion.written}, is "
            yield f"meant      {place}{suggestion.read_as}? {suggestion.because}; then {suggestion.n_plies_after} more are proven"


def _explain_quarantine(findings: Findings, quarantine: list[Any]) -> None:
    """A quarantined span always has a fault: what ended its game may be a quirk elsewhere, or no issue may stand for it."""
    explained = {issue["game_id"] for issue in findings.faults} | {issue["code"] for issue in findings.faults}
    for table in quarantine:
        for row in table.select(["game_id", "reason_code", "detail", "byte_start"]).to_pylist():
            if row["game_id"] in explained or row["reason_code"] in explained:
                continue
            last = [issue for issue in findings.issues if issue["game_id"] == row["game_id"] and issue["byte_offset"] is not None]
            if last and row["game_id"]:
                last[-1]["severity"] = "fault"
            else:
                issue = {"code": row["reason_code"], "detail": row["detail"], "byte_offset": row["byte_start"]}
                findings.issues.append({**dict.fromkeys(_FIELDS), **issue, "severity": "fault"})
