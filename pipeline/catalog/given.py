"""Scores that people took from print: rows of curation/published_results.csv → rows with numbers and name keys."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from pipeline import headers, names, published
from pipeline.catalog.corrections import BadCorrection
from pipeline.catalog.registries import Row

TABLE = "published_results"


def given(rows: Iterable[Row]) -> list[dict[str, Any]]:
    """Rows of the registry `given_results`. Raises BadCorrection with the line of one that cannot be read."""
    return [_given(row, number) for number, row in enumerate(rows, 2)]


def _given(row: Row, number: int) -> dict[str, Any]:
    line = row.get("line") or number
    keys = {}
    for side in ("player", "opponent"):
        name = row.get(side) or ""
        keys[f"{side}_keys"] = published.keys(name)
        if names.name_key(name) is None:
            raise BadCorrection(f"{side} {name!r} names nobody", line, TABLE)
    if keys["player_keys"][0] == keys["opponent_keys"][0]:
        raise BadCorrection(f"player and opponent are both {row['player']!r}", line, TABLE)
    year = row.get("year")
    if year is not None and not (str(year).isdecimal() and int(year) in headers.YEARS):
        raise BadCorrection(f"year {year!r} is no year", line, TABLE)
    written = row.get("score") or ""
    score = published.read_score(written)
    if score is None:
        raise BadCorrection(f"score {written!r} is none such as 12½:8½, 12,5:8,5, +7-3=11 or +7-3=11 12½:8½", line, TABLE)
    return {
        **{name: row.get(name) for name in ("player", "opponent", "event", "source", "note")},
        **keys,
        "line": line,
        "year": None if year is None else int(year),
        "written": written,
        "points": score.points,
        "opponent_points": score.opponent_points,
        "wins": score.wins,
        "losses": score.losses,
        "draws": score.draws,
    }
