"""What a correction changes: the column that it names, and the columns of games that follow from it."""

from __future__ import annotations

import re
from collections.abc import Iterable
from datetime import date

import pyarrow as pa

from pipeline import names
from pipeline.catalog.registries import Row
from pipeline.schema import GAMES

CORRECTABLE = frozenset(
    {
        *("event", "site", "round", "date", "white", "black", "annotator", "eco_written", "result", "termination"),
        *("white_elo", "black_elo", "white_title", "black_title", "white_fide_id", "black_fide_id"),
        *("time_control_written", "base_seconds", "increment_seconds", "speed", "mode"),
    }
)
"""Fields that a correction may name: columns of games; `date` (YYYY.MM.DD, ?? = unknown) sets all columns of the date."""
_NUMBERS = frozenset({c.name for c in GAMES.columns if pa.types.is_integer(c.type)})


def corrected(corrections: Iterable[Row]) -> dict[str, dict[str, str | None]]:
    """Corrections as column of games → text_id → value, with the columns that follow from the corrected one.

    Raises ValueError for a field that cannot be corrected.
    """
    fixes: dict[str, dict[str, str | None]] = {}
    for row in corrections:
        field_, value = row["field"], row["value"] or None
        follows: dict[str, str | None] = {field_: value}
        if field_ in ("white", "black", "annotator"):
            follows[f"{field_}_key"] = names.name_key(value) if value else None
        elif field_ == "date":
            follows = _date_columns(value)
        elif field_ == "round":
            numbers = [*re.findall(r"\d+", value or ""), None, None]
            follows |= {"round_major": numbers[0], "round_minor": numbers[1]}
        elif field_ == "result":
            follows["is_result_conflict"] = "false"
        elif field_ not in CORRECTABLE:
            raise ValueError(f"field {field_!r} cannot be corrected; use one of {', '.join(sorted(CORRECTABLE))}")
        elif value and field_ in _NUMBERS and not value.isdecimal():
            raise ValueError(f"{field_} is a whole number; {value!r} is none (correction of text {row['text_id']})")
        for column, corrected_value in follows.items():
            fixes.setdefault(column, {})[row["text_id"]] = corrected_value
    return fixes


def _date_columns(value: str | None) -> dict[str, str | None]:
    numbers = [n if n.strip("?0") else None for n in (value or "").replace("-", ".").split(".")]
    year, month, day = [*numbers, None, None, None][:3]
    try:
        whole = date(int(year or 0), int(month or 0), int(day or 0)).isoformat()
    except ValueError:
        whole = None
    return {"date_written": value, "year": year, "month": month, "day": day, "date": whole}
