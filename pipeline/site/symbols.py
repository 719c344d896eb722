"""Pages about symbols: how often annotators write them, and what they come true as."""

from __future__ import annotations

from pipeline.site import charts
from pipeline.site.corpus import Corpus, Progress, Row
from pipeline.site.grid import count, grid, of
from pipeline.site.pages import Pages
from pipeline.site.start import report_grid
from pipeline.site.texts import name

_MOST_BARS = 20
_LABEL_CHARS = 26
_BY = "annotation_by_"


def write_symbols(corpus: Corpus, pages: Pages, progress: Progress) -> None:
    """symbols.html"""
    rows = corpus.rows("from annotation_symbols")
    bars = [
        {
            "label": _label(row),
            "value": row["per_1000_plies"],
            "tip": f"{row['symbol']} {row['meaning']}: {row['per_1000_plies']} per 1,000 half-moves, n = {row['n']:,}",
        }
        for row in rows[:_MOST_BARS]
    ]
    n_plies = rows[0]["n_plies_annotated"] if rows else 0
    title = "Symbols per 1,000 half-moves of annotated games"
    chart = charts.bars(bars, f"per 1,000 half-moves (of {n_plies:,})", title) if bars else None
    columns = [of("symbol"), of("meaning"), of("kind"), count("n"), count("n_games", "games")]
    columns.append(count("per_1000_plies", "per 1,000 half-moves"))
    whole = grid("Symbols after moves of main lines, copies of a game counted once", columns, rows)
    others = [
        report_grid(corpus, report)
        for key, report in sorted(corpus.reports.items())
        if key.startswith(_BY) and all(p.default is not None for p in report.parameters)
    ]
    pages.write("symbols.html", "symbols", "Symbols", chart=chart, grids=[whole, *others], n_plies=n_plies)


def _label(row: Row) -> str:
    """Sign and meaning; the number tells glyphs apart that have one sign."""
    return f"{row['symbol']} {name(row['meaning'], _LABEL_CHARS)} (${row['nag']})"


def write_outcomes(corpus: Corpus, pages: Pages, progress: Progress) -> None:
    """outcomes.html"""
    report = corpus.reports["symbol_outcomes"]
    whole = report_grid(corpus, report)
    pages.write("outcomes.html", "outcomes", "Outcomes", chart=None, grids=[whole])
