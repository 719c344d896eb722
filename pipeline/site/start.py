"""The start page, and every report of the catalog as a table."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from pipeline import catalog
from pipeline.site.corpus import Corpus, Progress
from pipeline.site.grid import Column, Grid, Link, Number, count, grid, label, of
from pipeline.site.pages import Pages
from pipeline.site.texts import counted

_NUMBERS = ("SMALLINT", "INTEGER", "BIGINT", "HUGEINT", "DOUBLE", "FLOAT", "DECIMAL")
_NAMED_BY = {
    "player_id": ("player", "name"),
    "opponent_id": ("opponent",),
    "event_id": ("event",),
    "game_id": (),
}
"""Columns of ids → the column of the same row that names the thing."""
_ID_DIGITS = 12
_SIDES = {"w": "White", "b": "Black"}


def write_start(corpus: Corpus, pages: Pages, progress: Progress) -> None:
    """index.html"""
    tables = []
    if "corpus_health" in corpus.reports:
        health = corpus.rows("from corpus_health")
        columns = [of("measure"), count("n"), Column("share", _share, is_number=True), of("of", "of what")]
        tables.append(grid("Corpus health", columns, health, is_sortable=False))
    if "notation_mix" in corpus.reports:
        mix = corpus.rows("from notation_mix limit 20")
        columns = [_read("notation"), _read("language")]
        columns += [count(key, heading) for key, heading in _MIX]
        tables.append(grid("How the games are written", columns, mix))
    query = "select collection, count(*) as n, sum(n_bytes) as n_bytes, sum(n_games) as n_games from sources group by all"
    kept = corpus.rows(f"{query} order by n_games desc, collection limit 50")
    columns = [of("collection"), count("n", "sources"), count("n_bytes", "bytes"), count("n_games", "games")]
    tables.append(grid("Collections", columns, kept))
    pages.write("index.html", "start", "Start", tables=tables, counts=_counts(corpus))


_MIX = (
    ("n_games", "games"),
    ("n_clean", "clean"),
    ("n_truncated", "truncated"),
    ("n_rejected", "rejected"),
    ("n_plies", "half-moves"),
)


def _read(key: str) -> Column:
    """What was found out about how games are written."""
    return Column(label(key), lambda row: row[key] or "none read")


def _share(row: Mapping[str, Any]) -> str:
    return "" if row["pct"] is None else f"{row['pct']:.1f} %"


def _counts(corpus: Corpus) -> dict[str, str]:
    """What stands beside the chapters of the start page."""

    def of_all(shown: Mapping[str, int], table: str, noun: str) -> str:
        n = corpus.number(f"select count(*) from {table}")
        pages = counted(len(shown), "page")
        return f"{counted(n, noun)}" if len(shown) == n else f"{counted(n, noun)}, {pages}"

    return {
        "games/index.html": of_all(corpus.games, "games", "game"),
        "players/index.html": of_all(corpus.players, "players", "person"),
        "events/index.html": of_all(corpus.events, "events where event is not null", "event"),
        "symbols.html": counted(corpus.number("select count(*) from annotations"), "symbol"),
        "quarantine.html": counted(corpus.number("select count(*) from quarantine"), "place"),
        "reports/index.html": counted(len(corpus.reports), "report"),
    }


def write_reports(corpus: Corpus, pages: Pages, progress: Progress) -> None:
    """reports/index.html, and a page for each report that needs no parameter."""
    listed = []
    for name, report in sorted(corpus.reports.items()):
        needs = [p.name for p in report.parameters if p.default is None]
        listed.append({"name": name, "purpose": report.purpose, "needs": needs, "href": f"reports/{name}.html"})
        if needs:
            continue
        pages.write(f"reports/{name}.html", "report", name, report=report, grid=report_grid(corpus, report))
    pages.write("reports/index.html", "reports", "Reports", reports=listed)


def report_grid(corpus: Corpus, report: catalog.Report) -> Grid:
    """A report as a table: its first rows, ids as links from what they name."""
    found = corpus.report(report.name)
    columns = report_columns(corpus, report, found.columns, found.rows)
    note = ""
    if found.n_all > len(found.rows):
        note = f"The first {len(found.rows):,} of {found.n_all:,} rows. All: notatio report {report.name}"
    return grid(report.purpose.rstrip("."), columns, found.rows, note=note)


def report_columns(
    corpus: Corpus, report: catalog.Report, names: Sequence[str], rows: Sequence[Mapping[str, Any]]
) -> list[Column]:
    """Columns of a report's table. Where there are rows, columns in which nothing is known are left out."""
    types = {column.name: column for column in report.columns}
    shown = [name for name in _shown(names) if name in types]
    if rows:
        shown = [name for name in shown if any(row[name] is not None for row in rows)]
    return [_column(corpus, name, types[name], names) for name in shown]


def _shown(names: Sequence[str]) -> list[str]:
    """Columns without the ids that another column stands for."""
    return [name for name in names if not any(by in names for by in _NAMED_BY.get(name, ()))]


def _column(corpus: Corpus, name: str, described: Any, names: Sequence[str]) -> Column:
    heading = label(name)
    if described.type.startswith(_NUMBERS) and not described.type.endswith("]"):
        return Column(heading, lambda row: Number(row[name], name), is_number=True, doc=described.doc)
    places = {"player_id": corpus.player, "opponent_id": corpus.player, "event_id": corpus.event, "game_id": corpus.game}
    key = next((key for key in places if name == key or (name in _NAMED_BY[key] and key in names)), None)
    if key is None:
        return Column(heading, lambda row: _short(name, row[name]), doc=described.doc)
    return Column(heading, lambda row: Link(_short(name, row[name]) or "", places[key](row[key])), doc=described.doc)


def _short(name: str, value: Any) -> Any:
    """The value; of an id its first digits, of a side its name."""
    if name in ("color", "favours"):
        return _SIDES.get(value, value)
    return value[:_ID_DIGITS] if name.endswith("_id") and isinstance(value, str) else value
