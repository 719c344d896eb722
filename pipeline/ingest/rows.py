"""Transcribed games → rows of the stored tables, column by column."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Any

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc

from pipeline import eco, ids, names, published, schema, tables
from pipeline.model import Game, Issue, Line, PublishedScore
from pipeline.schema import Table
from pipeline.sources import Text

_BLANKS = b" \t\r\n\v\f\x00\x1a"
_BLANK_CHARS = "\ufeff\x00\x1a"


@dataclass(frozen=True, slots=True)
class Place:
    """The part of a source that is being read, and how to get from its text to the source's bytes."""

    source_id: str
    part: int
    data: bytes
    text: Text
    first_byte: int = 0
    first_line: int = 1

    def byte(self, char: int) -> int:
        """The source's byte of a character of the text."""
        return self.first_byte + self.text.byte_offset(char)

    def is_blank(self, start: int, end: int) -> bool:
        """Whether bytes of the source hold nothing but blanks, line ends, NULs, end-of-file marks or a byte order mark."""
        piece = self.data[start - self.first_byte : end - self.first_byte]
        if not piece.strip(_BLANKS):
            return True
        first, last = self.text.char_offsets(np.array([start, end]) - self.first_byte).tolist()
        last = len(self.text.text) if end - self.first_byte == len(self.data) else last
        return not self.text.text[first:last].strip(_BLANK_CHARS).strip()

    def line_column_of_byte(self, byte: int) -> tuple[int, int]:
        """Line and column of a byte of the source, from 1."""
        return self.line_column(int(self.text.char_offsets([byte - self.first_byte])[0]))

    def line_column(self, char: int) -> tuple[int, int]:
        """Line and column in the source, from 1."""
        line, column = self.text.line_column(char)
        return line + self.first_line - 1, column


class Columns:
    """Rows of one table, gathered column by column."""

    def __init__(self, table: Table, names: Sequence[str] | None = None) -> None:
        self.schema = table.schema
        wanted = set(names if names is not None else table.schema.names)
        self.columns: dict[str, list[Any]] = {c.name: [] for c in table.columns if c.name in wanted}

    def add(self, **row: Any) -> None:
        """Append a row; a column that is not named is null."""
        for name, column in self.columns.items():
            column.append(row.get(name))

    def table(self) -> pa.Table:
        """The rows as an Arrow table of the columns' types."""
        kept = [self.schema.field(name) for name in self.columns]
        return pa.table([pa.array(self.columns[f.name], f.type) for f in kept], schema=pa.schema(kept))


@dataclass(slots=True)
class GameRows:
    """Rows of the games that `transcribe` read, and of all issues and quarantined spans."""

    games: Columns = field(default_factory=lambda: Columns(schema.GAMES, schema.RAW_GAMES))
    plies: Columns = field(default_factory=lambda: Columns(schema.PLIES))
    variations: Columns = field(default_factory=lambda: Columns(schema.VARIATIONS))
    annotations: Columns = field(default_factory=lambda: Columns(schema.ANNOTATIONS))
    issues: Columns = field(default_factory=lambda: Columns(schema.ISSUES))
    quarantine: Columns = field(default_factory=lambda: Columns(schema.QUARANTINE))
    published: Columns = field(default_factory=lambda: Columns(schema.PUBLISHED_RESULTS))
    n_plies: list[int] = field(default_factory=list)
    """Ply rows of each game, variations included, in the order of `games`."""
    _n_issues: dict[tuple[str, str], int] = field(default_factory=dict)

    def add_game(self, place: Place, game: Game) -> str:
        """Append a game with its plies, variations, symbols, issues and, unless clean, its quarantine row → game_id."""
        start, end = place.byte(game.start), place.byte(game.end)
        span = place.data[start - place.first_byte : end - place.first_byte]
        key = ids.game_id(place.source_id, start)
        main = game.lines[0].plies
        movetext = " ".join(ply.san for ply in main) or None
        text_key = ids.text_id(span)
        opening = eco.opening_of(game)
        self.games.add(
            game_id=key, source_id=place.source_id, byte_start=start, byte_end=end, part=place.part, text_id=text_key,
            content_id=ids.line_id(game.start_fen, movetext) if movetext else None,
            status=game.status, kind=game.kind, notation=game.notation, language=game.language,
            language_candidates=list(game.language_candidates), encoding=place.text.encoding_at(game.start),
            alphabet=game.alphabet, dialect_evidence=game.dialect_evidence,
            tag_names=[pair.name for pair in game.tags], tag_values=[pair.value for pair in game.tags],
            result_movetext=game.result_movetext, result_board=game.result_board, termination_movetext=game.termination_movetext,
            variant=game.variant, start_fen=game.start_fen, first_move_number=game.first_move_number,
            is_white_first=game.is_white_first, n_plies=len(main), movetext=movetext, comment=game.comment,
            eco=opening.eco if opening else None, opening=opening.name if opening else None,
        )  # fmt: skip
        self._add_lines(key, game)
        self.n_plies.append(sum(len(line.plies) for line in game.lines))
        for issue in game.issues:
            self.add_issue(place, issue, key)
        if game.status != "clean":
            codes = tables.issue_codes()
            fault = next((i for i in game.issues if i.is_fault or codes[i.code].severity == "fault"), None)
            self.add_quarantine(
                place, start, span, fault.code if fault else game.status, fault.detail if fault else None, key, text_key
            )
        return key

    def _add_lines(self, key: str, game: Game) -> None:
        before: dict[int, str] = {}
        for line in game.lines:
            if line.number:
                self.variations.add(
                    game_id=key, variation=line.number, parent_variation=line.parent, branch_ply=line.first_ply, depth=line.depth,
                    comment=line.comment,
                )  # fmt: skip
            played = before.get(line.parent, "").split()[: line.first_ply - 1] if line.parent is not None else []
            sans = [*played, *(ply.san for ply in line.plies)]
            before[line.number] = " ".join(sans)
            self._add_plies(key, game, line, sans)

    def _add_plies(self, key: str, game: Game, line: Line, sans: Sequence[str]) -> None:
        offset = 0 if game.is_white_first else 1
        for i, ply in enumerate(line.plies):
            at = line.first_ply + i
            number, is_black = divmod(at - 1 + offset, 2)
            color = "b" if is_black else "w"
            self.plies.add(
                game_id=key, variation=line.number, ply=at, move_number=game.first_move_number + number, color=color,
                san=ply.san, uci=ply.uci, written=ply.written, nags=[a.nag for a in ply.annotations] or None,
                comment_before=ply.comment_before, comment=ply.comment, clock_seconds=ply.clock_seconds,
                elapsed_seconds=ply.elapsed_seconds, eval_cp=ply.eval_cp, eval_mate=ply.eval_mate, decided_by=ply.decided_by,
            )  # fmt: skip
            if ply.annotations:
                moves = ids.line_id(game.start_fen, " ".join(sans[:at]))
                for a in ply.annotations:
                    self.annotations.add(
                        game_id=key, variation=line.number, ply=at, mover_color=color, nag=a.nag, glyph=a.glyph, side=a.side,
                        line_id=moves,
                    )  # fmt: skip

    def add_issue(self, place: Place, issue: Issue, game_id: str | None) -> None:
        """Append an issue; one without a place of its own stands at no line."""
        start = place.byte(issue.start) if issue.start >= 0 else None
        line, column = place.line_column(issue.start) if issue.start >= 0 else (None, None)
        end = place.byte(issue.end) if issue.start >= 0 else None
        self.add_issue_at(place.source_id, issue, game_id, start, end, line, column)

    def add_issue_at(
        self, source_id: str, issue: Issue, game_id: str | None, start: int | None, end: int | None,
        line: int | None = None, column: int | None = None,
    ) -> None:  # fmt: skip
        """Append an issue at known bytes."""
        counted = (f"{source_id}:{start}", issue.code)
        ordinal = self._n_issues[counted] = self._n_issues.get(counted, -1) + 1
        code = tables.issue_codes().get(issue.code)
        self.issues.add(
            issue_id=ids.issue_id(source_id, start, issue.code, ordinal), source_id=source_id, game_id=game_id, code=issue.code,
            severity="fault" if issue.is_fault or code is None else code.severity,
            variation=issue.variation, ply=issue.ply, byte_offset=start,
            byte_end=end, line=line, column=column, written=issue.written, detail=issue.detail, candidates=list(issue.candidates),
        )  # fmt: skip

    def add_quarantine(
        self,
        place: Place,
        start: int,
        span: bytes,
        code: str,
        detail: str | None,
        game_id: str | None,
        text_id: str | None = None,
    ) -> None:
        """Append a quarantined span with its bytes."""
        self.quarantine.add(
            quarantine_id=ids.quarantine_id(place.source_id, start), source_id=place.source_id, game_id=game_id,
            text_id=text_id or ids.text_id(span), byte_start=start, byte_end=start + len(span), reason_code=code, detail=detail,
            raw=span[: schema.RAW_LIMIT_BYTES],
        )  # fmt: skip

    def add_published(self, place: Place, told: PublishedScore, game_id: str | None = None) -> None:
        """Append a score that a text publishes; its place is that of characters of the text."""
        score, start, end = told.score, place.byte(told.score.start), place.byte(told.score.end)
        self.published.add(
            published_id=ids.published_id(place.source_id, start, end), source_id=place.source_id, game_id=game_id,
            byte_start=start, byte_end=end, written=told.written, player=told.player, opponent=told.opponent,
            player_keys=told.player and published.keys(told.player),
            opponent_keys=told.opponent and published.keys(told.opponent),
            points=score.points, opponent_points=score.opponent_points,
            wins=score.wins, losses=score.losses, draws=score.draws, event=told.event, year=told.year,
            evidence=told.evidence, certainty=told.certainty,
        )  # fmt: skip

    def add_published_in_comments(self, games: pa.Table, places: Mapping[tuple[str, int], Place]) -> None:
        """Append what comments of games without moves publish. Where no names stand beside, those of the tags hold."""
        commented = games.filter(pc.and_(pc.is_valid(games["comment"]), pc.equal(games["n_plies"], 0)))
        wanted = ("game_id", "source_id", "part", "byte_start", "byte_end", "comment", "white", "black", "event", "year")
        for game in commented.select(wanted).to_pylist():
            place = places[game["source_id"], game["part"]]
            span = np.array([game["byte_start"], game["byte_end"]]) - place.first_byte
            start, end = place.text.char_offsets(span).tolist()
            for told in published.find(game["comment"]):
                at = place.text.text.find(told.written, start, end)
                where = (at, at + len(told.written)) if at >= 0 else (start, end)
                self.add_published(place, _with_tags(told, game, *where), game["game_id"])


def _with_tags(told: PublishedScore, game: Mapping[str, Any], start: int, end: int) -> PublishedScore:
    told = replace(told, score=replace(told.score, start=start, end=end), year=told.year or game["year"])
    white, black = game["white"], game["black"]
    if told.player is None and white and black and names.name_key(white) and names.name_key(black):
        told = replace(told, player=white, opponent=black, evidence="tags")
    return replace(told, event=told.event or game["event"])
