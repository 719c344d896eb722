"""Rows → stdout or a file, as a table for people or as data for programs.

Data (csv, json, ndjson, md, parquet) holds every row and column. A table on a terminal shows the columns that fit and says
what it left out. Text from score files is never trusted: control characters do not reach a terminal.
"""

from __future__ import annotations

import csv
import io
import itertools
import json
import math
import os
import re
import shutil
import sys
from collections.abc import Iterable, Iterator, Sequence
from contextlib import contextmanager
from datetime import date, datetime, time, timedelta
from decimal import Decimal
from enum import StrEnum
from pathlib import Path
from typing import Any, BinaryIO, TextIO

from pipeline.cli.columns import table
from pipeline.cli.errors import say
from pipeline.cli.failure import Failure

TABLE_ROWS = 1000
"""Most rows of a table; data formats have no such limit."""
_CELL_WIDTH = 100
"""Longest text in a table."""
ID_DIGITS = 8
"""An id is cut to no less in a table."""
_BETWEEN = " · "
"""Between the items of a list in a table: a name has a comma of its own."""
_CONTROL = re.compile("[\x00-\x1f\x7f-\x9f\u061c\u200e\u200f\u202a-\u202e\u2066-\u2069\ufeff]")
"""C0 and C1 controls, and signs that reorder the text around them."""
_ID = re.compile("[0-9a-f]{32}")


class Format(StrEnum):
    """How rows are written."""

    TABLE = "table"
    CSV = "csv"
    JSON = "json"
    NDJSON = "ndjson"
    MD = "md"
    PARQUET = "parquet"


_ENDINGS = {
    "csv": Format.CSV,
    "json": Format.JSON,
    "ndjson": Format.NDJSON,
    "jsonl": Format.NDJSON,
    "md": Format.MD,
    "parquet": Format.PARQUET,
    "txt": Format.TABLE,
    "": Format.CSV,
}
"""Formats by the ending of a file."""


def is_terminal() -> bool:
    """Is stdout read by a person?"""
    return sys.stdout.isatty()


def put(text: str) -> None:
    """Prints a line of the result on stdout."""
    sys.stdout.write(f"{text}\n")


def counted(n: int, noun: str) -> str:
    """`1 game`, `2,000 games`."""
    return f"{n:,} {noun}" + ("s" if n != 1 else "")


def chosen(format_: Format | None, out: Path | None) -> Format:
    """The format asked for, else by the ending of the file, else a table on a terminal and CSV elsewhere. Raises Failure."""
    if format_ is not None:
        return format_
    if out is not None:
        ending = out.suffix.lower().removeprefix(".")
        if ending not in _ENDINGS:
            there_are = ", ".join(f".{known}" for known in _ENDINGS if known)
            raise Failure(f"--out {out}: no format ends in .{ending}", f"Use one of {there_are}, or say which with --format")
        return _ENDINGS[ending]
    return Format.TABLE if is_terminal() else Format.CSV


def write(
    rows: Any,
    format_: Format | None = None,
    out: Path | None = None,
    *,
    n_id_digits: int = ID_DIGITS,
    wraps: bool = False,
    important: Sequence[str] = (),
) -> None:
    """Writes rows (a pyarrow Table or RecordBatchReader) to stdout or, whole or not at all, to a file.

    Of a table, ids are cut to their first digits (`n_id_digits`, more where these do not tell them apart), with `wraps` the
    last column runs over several lines, and where it is too wide `important` columns stay longest, the first above all.
    Raises Failure when the file cannot be written, and for Parquet on a terminal.
    """
    form = chosen(format_, out)
    if form is Format.PARQUET and out is None and is_terminal():
        raise Failure("Parquet is not for a terminal", "Name a file with --out FILE.parquet, or pipe it into one")
    reader = rows.to_reader() if hasattr(rows, "to_reader") else rows
    with target(out) as file:
        if form is Format.PARQUET:
            _write_parquet(reader, file)
            return
        text = io.TextIOWrapper(file, encoding="utf-8", errors="backslashreplace", newline="")
        is_person = out is None and is_terminal()
        if form is Format.TABLE:
            _write_table(reader, text, is_person=is_person, n_id_digits=n_id_digits, wraps=wraps, important=important)
        else:
            _WRITERS[form](reader, text, is_person=is_person)
        text.flush()
        text.detach()


@contextmanager
def target(out: Path | None) -> Iterator[BinaryIO]:
    """Where bytes go. A regular file appears under its name when it is complete."""
    if out is None:
        sys.stdout.flush()
        yield sys.stdout.buffer
        return
    if not out.parent.is_dir():
        raise Failure(f"There is no folder {out.parent}", "Make it first, or name another file with --out")
    if out.is_dir():
        raise Failure(f"--out {out}: this is a folder", "Name a file")
    if out.exists() and not out.is_file():  # a device or a pipe
        with out.open("wb") as file:
            yield file
        return
    unfinished = out.with_name(f".{out.name}.{os.getpid()}.tmp")
    try:
        with unfinished.open("wb") as file:
            yield file
        unfinished.replace(out)
    finally:
        unfinished.unlink(missing_ok=True)


# Rows one by one, with values as Python has them


def _rows(reader: Any) -> Iterator[tuple[Any, ...]]:
    """Rows of all batches. Column by column, since two columns may have the same name."""
    for batch in reader:
        columns = [column.to_pylist(maps_as_pydicts="lossy") for column in batch.columns]
        yield from zip(*columns, strict=True)


def _plain(value: Any) -> Any:
    """A value in JSON's types."""
    if isinstance(value, dict):
        return {str(key): _plain(item) for key, item in value.items()}
    if isinstance(value, list | tuple):
        return [_plain(item) for item in value]
    if isinstance(value, Decimal):
        return int(value) if value == value.to_integral_value() else float(value)
    if isinstance(value, float) and not math.isfinite(value):
        return None
    if isinstance(value, bytes):
        return value.decode("utf-8", "backslashreplace")
    if isinstance(value, datetime):
        return value.isoformat(" ")
    if isinstance(value, date | time | timedelta):
        return str(value)
    return value


def cell(value: Any) -> str:
    """A value as the text of a CSV field: empty for null, JSON for lists and maps."""
    if value is None:
        return ""
    if isinstance(value, bool):
        return "true" if value else "false"
    if isinstance(value, Decimal):
        return f"{value:f}"
    if isinstance(value, float):
        return repr(value)
    plain = _plain(value)
    return plain if isinstance(plain, str) else json.dumps(plain, ensure_ascii=False)


def printable(text: str) -> str:
    """Text that cannot steer a terminal: line ends and tabs become visible signs, other controls a question mark."""
    return _CONTROL.sub(lambda match: {"\n": " ⏎ ", "\r": "", "\t": " "}.get(match[0], "?"), text)


# Writers: (reader, file, is_person)


def _write_csv(reader: Any, file: TextIO, *, is_person: bool) -> None:
    import pyarrow as pa

    # These the writer prints as they are, a column at a time; a row at a time takes three times as long.
    as_they_are = [pa.types.is_integer, pa.types.is_floating, pa.types.is_date]
    if not is_person:
        as_they_are.append(pa.types.is_string)
    writer = csv.writer(file, lineterminator="\n")
    writer.writerow(reader.schema.names)
    for batch in reader:
        columns = []
        for column in batch.columns:
            values = column.to_pylist(maps_as_pydicts="lossy")
            if not any(is_kind(column.type) for is_kind in as_they_are):
                values = [printable(cell(v)) if is_person else cell(v) for v in values]
            columns.append(values)
        writer.writerows(zip(*columns, strict=True))


def _distinct(names: Sequence[str]) -> list[str]:
    """Names that are keys of a row: a second `a` is `a_1`, as in DuckDB."""
    used, distinct = set(names), []
    for i, name in enumerate(names):
        if name in names[:i]:
            name = next(new for n in itertools.count(1) if (new := f"{name}_{n}") not in used)
            used.add(name)
        distinct.append(name)
    return distinct


def _objects(reader: Any, *, is_person: bool) -> Iterator[str]:
    names = _distinct(reader.schema.names)
    for row in _rows(reader):
        text = json.dumps(dict(zip(names, map(_plain, row), strict=True)), ensure_ascii=False)
        yield printable(text) if is_person else text


def _write_ndjson(reader: Any, file: TextIO, *, is_person: bool) -> None:
    file.writelines(f"{text}\n" for text in _objects(reader, is_person=is_person))


def _write_json(reader: Any, file: TextIO, *, is_person: bool) -> None:
    before = "["
    for text in _objects(reader, is_person=is_person):
        file.write(f"{before}\n{text}")
        before = ","
    file.write("[]\n" if before == "[" else "\n]\n")


def _write_md(reader: Any, file: TextIO, *, is_person: bool) -> None:
    def line(fields: Iterable[str]) -> str:
        return "| " + " | ".join(printable(f).replace("|", "\\|") for f in fields) + " |\n"

    file.write(line(reader.schema.names))
    file.write("|" + "|".join("--:" if is_number else "---" for is_number in _numbers(reader.schema)) + "|\n")
    file.writelines(line(map(cell, row)) for row in _rows(reader))


def _write_table(reader: Any, file: TextIO, *, is_person: bool, n_id_digits: int, wraps: bool, important: Sequence[str]) -> None:
    rows: list[list[str]] = []
    n_rows = 0
    for batch in reader:
        wanted = batch.slice(0, max(0, TABLE_ROWS - n_rows))
        rows += [[_short(value, math.inf if wraps else _CELL_WIDTH) for value in row] for row in _rows([wanted])]
        n_rows += batch.num_rows
    has_short_ids = _shorten_ids(rows, n_id_digits)
    width = shutil.get_terminal_size().columns if is_person else None
    text, hidden = table(
        reader.schema.names,
        rows,
        _numbers(reader.schema),
        width=width,
        has_style=is_person,
        wraps=wraps,
        important=important,
    )
    file.write(text)
    file.flush()
    left_out = [f"The first {len(rows):,} of {n_rows:,} rows"] * (n_rows > len(rows))
    left_out += [f"{counted(len(hidden), 'more column')}: {', '.join(hidden)}"] * bool(hidden)
    left_out += ["Ids are cut short"] * has_short_ids
    if left_out:
        say(f"{'. '.join(left_out)}. --format csv gives all.")


def _shorten_ids(rows: list[list[str]], n_digits: int) -> bool:
    """Cuts the ids of each column, in place, to as few digits as tell them apart, `n_digits` at least. Were there any?"""
    is_any = False
    for i in range(len(rows[0]) if rows else 0):
        ids = {row[i] for row in rows if row[i]}
        if not ids or not all(map(_ID.fullmatch, ids)):
            continue
        is_any = True
        n = next(n for n in range(n_digits, 33) if len({id_[:n] for id_ in ids}) == len(ids))
        for row in rows:
            row[i] = row[i][:n]
    return is_any


def _write_parquet(reader: Any, file: BinaryIO) -> None:
    import pyarrow as pa
    import pyarrow.parquet as pq

    names = _distinct(reader.schema.names)
    schema = pa.schema([field.with_name(name) for field, name in zip(reader.schema, names, strict=True)])
    with pq.ParquetWriter(file, schema, compression="zstd") as writer:
        for batch in reader:
            writer.write_batch(batch.rename_columns(names))


_WRITERS = {
    Format.CSV: _write_csv,
    Format.JSON: _write_json,
    Format.NDJSON: _write_ndjson,
    Format.MD: _write_md,
}


# Tables


def _numbers(schema: Any) -> list[bool]:
    """Which columns of an Arrow schema hold numbers."""
    import pyarrow as pa

    kinds = (pa.types.is_integer, pa.types.is_floating, pa.types.is_decimal)
    return [any(kind(field.type) for kind in kinds) for field in schema]


def _short(value: Any, longest: float) -> str:
    """A value as a table shows it: lists without brackets, texts cut to `longest`."""
    if isinstance(value, list):
        value = _BETWEEN.join(cell(item) for item in value)
    text = printable(cell(value))
    return text if len(text) <= longest else f"{text[: int(longest) - 1]}…"
