"""`notatio report` and `sql`: questions to the catalog."""

from __future__ import annotations

import difflib
import sys
from collections.abc import Iterator, Sequence
from contextlib import closing, contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from pipeline.cli.drawing import write_drawn
from pipeline.cli.errors import say
from pipeline.cli.failure import Failure
from pipeline.cli.options import DEFAULT_LAKE, FormatOption, LakeOption, OutOption, as_utf8
from pipeline.cli.output import Format, chosen, put, write
from pipeline.cli.program import typed
from pipeline.exits import EXIT_CONFIGURATION

if TYPE_CHECKING:
    import duckdb

    from pipeline.catalog import Report


@contextmanager
def session(lake: Path) -> Iterator[duckdb.DuckDBPyConnection]:
    """A read-only session of the lake's catalog. Raises store.NoLake, catalog.NoCatalog; Failure when the catalog is
    damaged, or lacks what is asked because another version wrote it.
    """
    import duckdb

    from pipeline import catalog

    if not (lake / "catalog.duckdb").is_file():
        from pipeline.store import Lake

        Lake.open(lake)
    try:
        with closing(catalog.connect(lake)) as connection:
            try:
                yield connection
            except (duckdb.CatalogException, duckdb.BinderException) as error:
                if not (missing := catalog.missing(connection)):
                    raise
                what = f"The catalog of {lake} was written by another version: it has no {', '.join(missing[:3])}"
                raise Failure(what, catalog.BadCatalog.remedy, EXIT_CONFIGURATION) from error
    except catalog.BadCatalog as error:
        raise Failure(error.what, error.remedy, EXIT_CONFIGURATION) from error
    except duckdb.Error as error:
        if not catalog.is_damage(error):
            raise
        what = f"The catalog {lake / 'catalog.duckdb'} is damaged: {str(error).splitlines()[0].rstrip('.')}"
        raise Failure(what, catalog.BadCatalog.remedy, EXIT_CONFIGURATION) from error


def rows(connection: duckdb.DuckDBPyConnection, query: str, **parameters: Any) -> list[dict[str, Any]]:
    """Rows of a query as Python values."""
    from pipeline import catalog

    return catalog.rows(connection, query, **parameters)


def report(
    name: Annotated[
        str | None,
        typer.Argument(metavar="[NAME]", help="Which one; without it, a list of all.", show_default=False, callback=as_utf8),
    ] = None,
    parameters: Annotated[
        list[str] | None,
        typer.Option("-p", metavar="KEY=VALUE", help="A parameter of the report.", show_default=False, callback=as_utf8),
    ] = None,
    lake: LakeOption = DEFAULT_LAKE,
    format_: FormatOption = None,
    out: OutOption = None,
    show_sql: Annotated[bool, typer.Option("--show-sql", help="Print the query and do not run it.")] = False,
) -> None:
    """Print a report, or the list of all.

    \b
    Examples:
      notatio report
      notatio report annotation_symbols
      notatio report series_results --format json
      notatio report crosstable -p event_name='World Championship Match'
      notatio report standings -p event_name='World Championship Match' -p rules=fide
      notatio report match_series --out match.csv
      notatio report series_results --show-sql
    """
    import duckdb

    from pipeline import catalog
    from pipeline.cli import reporting

    if name is None:
        write(_list_of_reports(), format_, out, wraps=True)
        say(f"One of them: {typed('report NAME', lake)}. Its query: {typed('report NAME --show-sql')}")
        return
    known = {r.name: r for r in catalog.reports()}
    if name not in known:
        near = difflib.get_close_matches(name, known, 3, 0.4)
        raise Failure(f"There is no report {name!r}", f"{f'Did you mean {_or(near)}? ' if near else ''}All: `notatio report`")
    if show_sql:
        put(known[name].sql)
        return
    given = _parameters(known[name], parameters or [])
    with session(lake) as connection:
        try:
            rows = catalog.run_report(connection, name, given)
        except duckdb.InvalidInputException as error:
            raise reporting.refused(connection, error, given) or error from error
        if not rows.num_rows and given.get("event_name") is not None:
            reporting.need_event(connection, given["event_name"])
        elif name == "crosstable" and rows.num_rows and chosen(format_, out) is Format.TABLE:
            write_drawn(catalog.draw_crosstable(connection, **given), out)
            return
        write(rows, format_, out, important=reporting.important(known[name], given, rows))
        if not rows.num_rows and "event_name" not in given:
            reporting.tell_of_no_rows(connection, known[name], lake)


def _or(texts: Sequence[str]) -> str:
    return " or ".join(texts)


def _list_of_reports() -> Any:
    import pyarrow as pa

    from pipeline import catalog

    rows = [
        {
            "report": r.name,
            "parameters": " ".join(p.name + (f"={p.default}" if p.default else "") for p in r.parameters),
            "purpose": r.purpose,
        }
        for r in catalog.reports()
    ]
    return pa.Table.from_pylist(rows, pa.schema([("report", pa.string()), ("parameters", pa.string()), ("purpose", pa.string())]))


def _parameters(wanted: Report, pairs: Sequence[str]) -> dict[str, Any]:
    """`key=value` texts → values of the types that the report's header states."""
    types = {p.name: p.type for p in wanted.parameters}
    options = " ".join(f"-p {key}='…'" for key in types)
    example = f"For example: `notatio report {wanted.name} {options}`"
    takes = "; ".join(f"{p.name}: {p.doc.rstrip('.')}" for p in wanted.parameters)
    given: dict[str, Any] = {}
    for pair in pairs:
        key, sign, value = pair.partition("=")
        if not types:
            raise Failure(f"-p {pair}: the report {wanted.name} takes no parameters", f"Write `notatio report {wanted.name}`")
        if not sign and key in types:
            raise Failure(f"-p {key}: its value is missing", example)
        if not sign:
            raise Failure(f"-p {pair}: this is no KEY=VALUE", example)
        if key not in types:
            raise Failure(f"-p {pair}: the report {wanted.name} has no parameter {key}", f"It takes {takes}. {example}")
        given[key] = _typed(key, value, types[key])
    missing = [p.name for p in wanted.parameters if p.default is None and p.name not in given]
    if missing:
        raise Failure(f"The report {wanted.name} needs -p {' and -p '.join(missing)}", f"It takes {takes}. {example}")
    return given


def _typed(key: str, value: str, type_: str) -> Any:
    try:
        if type_ in ("SMALLINT", "INTEGER", "BIGINT"):
            return int(value)
        if type_ == "DOUBLE" or type_.startswith("DECIMAL"):
            return float(value)
        if type_ == "BOOLEAN":
            return {"true": True, "false": False}[value.casefold()]
    except (ValueError, KeyError):
        raise Failure(f"-p {key}={value}: a value of type {type_} is needed") from None
    return value


def _typed_in() -> str:
    """Standard input, as UTF-8. Raises Failure."""
    try:
        return sys.stdin.buffer.read().decode("utf-8-sig")
    except UnicodeDecodeError:
        raise Failure("The question on standard input is no UTF-8", "Write it in UTF-8") from None


def sql(
    statement: Annotated[
        str,
        typer.Argument(metavar="STATEMENT", help="One SELECT, FROM, PIVOT, DESCRIBE or EXPLAIN; - is stdin.", callback=as_utf8),
    ],
    lake: LakeOption = DEFAULT_LAKE,
    format_: FormatOption = None,
    out: OutOption = None,
) -> None:
    """Answer a question in SQL.

    One statement over the views of the lake; it can only read.

    \b
    Examples:
      notatio sql "show tables"
      notatio sql "describe games"
      notatio sql "from series_results where player like 'Fischer%'"
      notatio sql "select written, san, count(*) as n from mainline group by all order by n desc limit 20"
      notatio sql "from plies" --out plies.parquet
    """
    from pipeline import catalog

    question = _typed_in() if statement == "-" else statement
    if not question.strip().strip(";"):
        raise Failure("The question is empty", 'For example: `notatio sql "from games limit 10"`')
    checked = catalog.check_statement(question)
    with session(lake) as connection:
        is_parquet = chosen(format_, out) is Format.PARQUET
        write(catalog.as_text(connection.sql(checked), is_parquet=is_parquet).to_arrow_reader(), format_, out)
