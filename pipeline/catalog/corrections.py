"""What a correction changes: the column that it names, and the columns of games that follow from it."""

from __future__ import annotations

import re
from collections.abc import Iterable
from datetime import date, datetime

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
_N_BITS = {c.name: c.type.bit_width for c in GAMES.columns if pa.types.is_integer(c.type)}


class BadCorrection(ValueError):
    """A row of curation/`table`.csv that cannot be applied; the text says why. `line`: where it was read from, None = unknown."""

    def __init__(self, what: str, line: int | None, table: str = "corrections") -> None:
        super().__init__(what)
        self.line, self.table = line, table


def corrected(corrections: Iterable[Row]) -> dict[str, dict[str, str | None]]:
    """Corrections as column of games → text_id → value, with the columns that follow from the corrected one.

    Raises BadCorrection.
    """
    fixes: dict[str, dict[str, str | None]] = {}
    seen: set[tuple[str, str]] = set()
    for row in corrections:
        text_id, field_, value = row["text_id"], row["field"], row["value"] or None
        if not text_id or (text_id, field_) in seen:
            what = f"{field_} of text {text_id} is corrected twice" if text_id else "there is no text_id"
            raise BadCorrection(what, row.get("line"))
        seen.add((text_id, field_))
        for column, corrected_value in _follows(row, field_, value).items():
            fixes.setdefault(column, {})[text_id] = corrected_value
    return fixes


def _follows(row: Row, field_: str | None, value: str | None) -> dict[str, str | None]:
    """What one correction sets: column of games → value. Raises BadCorrection."""
    if field_ not in CORRECTABLE:
        raise BadCorrection(f"field {field_!r} cannot be corrected; use one of {', '.join(sorted(CORRECTABLE))}", row.get("line"))
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
    for column, number in follows.items():
        n_bits = _N_BITS.get(column)
        if n_bits and number and not (number.isascii() and number.isdecimal() and int(number) < 1 << (n_bits - 1)):
            raise BadCorrection(f"{column} is a whole number below {1 << (n_bits - 1)}; {number!r} is none", row.get("line"))
    check_made_at(row)
    return follows


def check_made_at(row: Row, table: str = "corrections") -> None:
    """Raises BadCorrection for a moment that is none."""
    if (made_at := row.get("made_at")) and isinstance(made_at, str):
        try:
            datetime.fromisoformat(made_at)
        except ValueError:
            raise BadCorrection(f"made_at {made_at!r} is no date such as 2026-01-31", row.get("line"), table) from None


def _date_columns(value: str | None) -> dict[str, str | None]:
    numbers = [n if n.strip("?0") else None for n in (value or "").replace("-", ".").split(".")]
    year, month, day = [*numbers, None, None, None][:3]
    try:
        whole = date(int(year or 0), int(month or 0), int(day or 0)).isoformat()
    except ValueError:
        whole = None
    return {"date_written": value, "year": year, "month": month, "day": day, "date": whole}
