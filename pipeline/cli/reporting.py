"""What is said beside the rows of a report: which columns matter most, why there are no rows, what is wrong with a parameter."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import TYPE_CHECKING, Any

from pipeline.cli.errors import say
from pipeline.cli.failure import Failure
from pipeline.cli.program import with_program

if TYPE_CHECKING:
    import duckdb

    from pipeline.catalog import Report

_MOST_EVENTS = 10
_REFUSED = re.compile(r"Invalid Input Error: (?P<name>\w+): (?P<takes>.+)")
_EVENTS = """
    with title as (
        select event, year, event_id, n_games, lower(event) as low, lower($name) as wanted from events where event is not null
    )
    select event, year, event_id, n_games, low = wanted as is_it, contains(low, wanted) as is_part,
        jaro_winkler_similarity(low, wanted) as likeness
    from title where is_part or likeness >= 0.75
    order by is_it desc, is_part desc, n_games desc, event, year nulls last, event_id
"""


def important(report: Report, given: Mapping[str, Any], rows: Any) -> tuple[str, ...]:
    """The columns that a narrow terminal shows, best first: those of the report's header, then the tie-breaks that count."""
    if report.name != "standings" or not rows.num_rows:
        return report.important
    return tuple(dict.fromkeys((*report.important, *_tie_breaks(report, given, rows), "event", "year")))


def _tie_breaks(report: Report, given: Mapping[str, Any], rows: Any) -> Iterator[str]:
    """The columns of the tie-breaks asked for, else of those that the parameter's text names for the system of the event."""
    column_of = {column.doc.partition(":")[0]: column.name for column in report.columns}
    doc = next(parameter.doc for parameter in report.parameters if parameter.name == "tie_breaks")
    codes = given.get("tie_breaks")
    if not codes:
        lists = re.findall(r"[A-Z][A-Z0-9-]*(?:,[A-Z][A-Z0-9-]*)+", doc)
        codes = lists["swiss" in rows.column("system").to_pylist()]
    yield from (column_of[code] for code in (c.strip().upper() for c in codes.split(",")) if code in column_of)


def tell_of_no_rows(connection: duckdb.DuckDBPyConnection, report: Report, lake: Path) -> None:
    """Says why a report has no rows and what to do."""
    n = connection.execute(report.population).fetchone() if report.population else None
    nothing = 'Nothing in the lake is of this kind. `notatio sql "show tables"` lists what can be asked.'
    told = (report.empty or nothing).replace("{n}", f"{n[0]:,}" if n else "")
    say(f"No rows. {with_program(told, lake)}")


def refused(connection: duckdb.DuckDBPyConnection, error: Exception, given: Mapping[str, Any]) -> Failure | None:
    """The failure that a query's `error('parameter: what it takes')` means; None when the exception is something else."""
    found = _REFUSED.search(str(error))
    if not found or found["name"] not in given:
        return None
    name, takes = found["name"], found["takes"].strip()
    if name == "scoring":
        schemes = connection.sql("select scheme from scoring_schemes order by scheme").fetchall()
        takes = f'{", ".join(scheme for (scheme,) in schemes)} (`notatio sql "from scoring_schemes"`)'
    return Failure(f"-p {name}={given[name]}: there is no such value", f"There are: {takes}")


def need_event(connection: duckdb.DuckDBPyConnection, name: str) -> None:
    """Why a report about an event has no rows. Raises Failure with the events that are meant when there is none of this name."""
    name = name.strip()
    all_ = 'All events: `notatio sql "select event, year, n_games from events"`'
    found = connection.execute(_EVENTS, {"name": name}).fetchall() if name else []
    if any(is_it for *_, is_it, _, _ in found):
        say(f"note: The event {name} has no games between persons who are known.")
        return
    parts = [row[:4] for row in found if row[5]]
    if parts:
        told = "; ".join(_told(*row) for row in parts[:_MOST_EVENTS])
        more = f"; and {len(parts) - _MOST_EVENTS:,} more" if len(parts) > _MOST_EVENTS else ""
        has = f"{len(parts):,} have" if len(parts) > 1 else "1 has"
        raise Failure(f"No event is called {name!r}, but {has} it in the name", f"{told}{more}. Give the whole name or the id")
    near = list(dict.fromkeys(row[0] for row in sorted(found, key=lambda row: -row[6])))[:3]
    meant = " or ".join(map(repr, near))
    raise Failure(f"There is no event {name!r}", f"Did you mean {meant}? {all_}" if near else all_)


def _told(event: str, year: int | None, event_id: str, n_games: int) -> str:
    facts = [*([str(year)] if year else []), f"{n_games:,} game{'s' if n_games != 1 else ''}", f"id {event_id[:8]}"]
    return f"{event} ({', '.join(facts)})"
