"""Rows of the tables games, plies, variations and annotations → the canonical game that they were made from."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import Any

from pipeline.model import Annotation, Game, Line, Ply, TagPair

Row = Mapping[str, Any]


def game_of(
    game: Row, tags: Sequence[tuple[str, str]], plies: Iterable[Row], variations: Iterable[Row], annotations: Iterable[Row]
) -> Game:
    """A game from its rows (columns: pipeline/schema.py), plies in order. Issues and offsets are left out.

    A variation whose plies were not stored has no plies; the main line is there in any case.
    """
    signs: dict[tuple[int, int], list[Annotation]] = {}
    for row in annotations:
        signs.setdefault((row["variation"], row["ply"]), []).append(Annotation(row["nag"], row["glyph"], row["side"]))
    lines: dict[int, list[Ply]] = {}
    for row in plies:
        lines.setdefault(row["variation"], []).append(_ply(row, signs.get((row["variation"], row["ply"]), ())))
    found = [Line(0, None, 1, 0, tuple(lines.get(0, ())))]
    for row in variations:
        number = row["variation"]
        found.append(
            Line(number, row["parent_variation"], row["branch_ply"], row["depth"], tuple(lines.get(number, ())), row["comment"])
        )
    return Game(
        start=0,
        end=0,
        status=game["status"],
        tags=tuple(TagPair(name, value) for name, value in tags),
        notation=game["notation"],
        language=game["language"],
        start_fen=game["start_fen"],
        variant=game["variant"],
        is_white_first=game.get("is_white_first", True),
        first_move_number=game["first_move_number"],
        lines=tuple(found),
        result_movetext=game["result_movetext"],
        result_board=game["result_board"],
        comment=game["comment"],
    )


def _ply(row: Row, signs: Sequence[Annotation]) -> Ply:
    return Ply(
        row["san"],
        row["uci"],
        row["written"],
        tuple(sorted(signs, key=lambda a: a.nag)),
        row["comment_before"],
        row["comment"],
        row["clock_seconds"],
        row["elapsed_seconds"],
        row["eval_cp"],
        row["eval_mate"],
        row["decided_by"],
    )
