"""Quarantined games, read once more from the bytes that were kept: for suggestions, and with what people decided."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Any

import pyarrow as pa

from pipeline import repairs, schema, sources
from pipeline.enrich import enrich
from pipeline.ingest.rows import GameRows, Place
from pipeline.model import Game, Hints, TagPair
from pipeline.repairs import Repair, RepairRefused
from pipeline.split import WrittenGame

Row = Mapping[str, Any]


@dataclass(frozen=True, slots=True)
class Quarantined:
    """A game in quarantine: its bytes, and what its source says about reading them."""

    source_id: str
    text_id: str
    byte_start: int
    raw: bytes
    encoding: str | None = None
    start_fen: str | None = None
    hints: Hints = field(default_factory=Hints)
    part: int = 0
    index_in_part: int = 0
    tags: tuple[TagPair, ...] = ()
    """Tag pairs that the source gave it, should its own text hold none."""
    found: tuple[str, int] | None = None
    """Kind and half-moves of the game as its source was read, where that is known."""

    def text(self) -> sources.Text:
        """The game's text, in the encoding that its source was read with. Raises RepairRefused."""
        encoding = None if self.encoding in {None, "ascii"} else self.encoding
        try:
            return sources.decode(self.raw, sources.decide(self.raw, encoding))
        except sources.UnknownEncoding as error:
            raise RepairRefused(str(error)) from error

    def written(self, text: sources.Text) -> WrittenGame:
        """The game as written. Raises RepairRefused where the bytes alone are not read as this one game."""
        game = repairs.only_game(text.text, self.hints.notation)
        if game is None or (game.start, game.end) != (0, len(text.text)):
            raise RepairRefused("the text alone is not read as one game")
        if self.found is not None:
            alone = repairs.read(game, self.hints, (), self.start_fen)
            if (alone.kind, len(alone.lines[0].plies)) != self.found:
                raise RepairRefused("the text alone is read otherwise than in its source")
        return game

    def read(self, decided: Sequence[Repair] = ()) -> tuple[sources.Text, Game]:
        """The text and the game with repairs. Raises RepairRefused."""
        text = self.text()
        return text, repairs.read(self.written(text), self.hints, decided, self.start_fen)


def quarantined(row: Row, source: Row | None) -> Quarantined:
    """A row of quarantine with columns of its game, at least `encoding` and `start_fen`, and the registry's row of its source.

    Raises RepairRefused for a range that holds no game, or of which not all bytes were kept.
    """
    if row["game_id"] is None:
        raise RepairRefused("the range holds no game")
    if len(row["raw"]) < row["byte_end"] - row["byte_start"]:
        raise RepairRefused(f"only its first {schema.RAW_LIMIT_BYTES:,} bytes were kept")
    hints = Hints(*(source.get(f"{name}_option") if source else None for name in ("language", "notation", "encoding")))
    return Quarantined(
        row["source_id"], row["text_id"], row["byte_start"], row["raw"], row["encoding"], row["start_fen"], hints,
        row.get("part") or 0, row.get("index_in_part") or 0,
        tuple(TagPair(*pair) for pair in zip(row.get("tag_names") or (), row.get("tag_values") or (), strict=True)),
        (row["kind"], row["n_plies"]) if row.get("kind") else None,
    )  # fmt: skip


def rows_again(game: Quarantined, decided: Sequence[Repair], issues: Sequence[Row]) -> dict[str, pa.Table]:
    """Rows of all tables of the game, read with repairs. `issues`: its stored ones, which know its lines and columns.

    Raises RepairRefused.
    """
    text, read = game.read(decided)
    read = replace(read, tags=read.tags or game.tags)
    line, column = _origin(game, text, issues)
    place = Place(game.source_id, game.part, game.raw, text, game.byte_start, line)
    rows = GameRows()
    key = rows.add_game(place, read)
    rows.games.columns["index_in_part"] = [game.index_in_part]
    games, found = enrich(rows.games.table().select(schema.RAW_GAMES))
    for _, issue in found:
        end = game.byte_start + len(game.raw)
        rows.add_issue_at(game.source_id, issue, key, game.byte_start, end, *place.line_column(0))
    lines, columns = rows.issues.columns["line"], rows.issues.columns["column"]
    for i, at in enumerate(lines):
        columns[i] += column if at == line and columns[i] is not None else 0
    return {
        "games": games,
        **{
            name: getattr(rows, name).table().sort_by([(c, "ascending") for c in schema.TABLES[name].order])
            for name in ("plies", "variations", "annotations", "issues", "quarantine")
        },
    }


def _origin(game: Quarantined, text: sources.Text, issues: Sequence[Row]) -> tuple[int, int]:
    """Line of the source in which the game begins, and how many characters stand before it there."""
    line, column = 1, 0
    for issue in issues:
        if issue["byte_offset"] is None or issue["line"] is None:
            continue
        at_line, at_column = text.line_column(int(text.char_offsets([issue["byte_offset"] - game.byte_start])[0]))
        line = issue["line"] - at_line + 1
        if at_line == 1:
            return line, issue["column"] - at_column
    return line, column


__all__ = ["Quarantined", "quarantined", "rows_again"]
