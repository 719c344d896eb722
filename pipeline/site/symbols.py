"""Pages about symbols: how often annotators write them, and what they come true as."""

from __future__ import annotations

from pipeline.site import charts
from pipeline.site.corpus import Corpus, Progress, Row
from pipeline.site.grid import Column, count, grid, of
from pipeline.site.pages import Pages
from pipeline.site.start import report_grid
from pipeline.site.texts import name

_MOST_BARS = 20
_LABEL_CHARS = 56
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
    columns = [
        Column("NAG", lambda row: f"${row['nag']}"),
        of("symbol"),
        of("meaning"),
        of("kind"),
        count("n"),
        count("n_games", "games"),
    ]
    columns.append(count("per_1000_plies", "per 1,000 half-moves"))
    whole = grid("Symbols after moves of main lines, copies of a game counted once", columns, rows)
    others = [
        report_grid(corpus, report)
        for key, report in sorted(corpus.reports.items())
        if key.startswith(_BY) and all(p.default is not None for p in report.parameters)
    ]
    pages.write("symbols.html", "symbols", "Symbols", chart=chart, grids=[whole, *others], n_plies=n_plies)


def _label(row: Row) -> str:
    """Number, meaning and sign of a glyph; the number tells apart those that have one sign."""
    return f"${row['nag']} {name(row['meaning'], _LABEL_CHARS)} {row['symbol']}"


_FAVOURED = {"w": "White", "b": "Black", "mover": "the mover", "opponent": "the opponent"}
_OUTCOMES = "from symbol_outcomes limit $n"
_OTHERS = ("symbol_outcomes_", "eval_at_", "annotator_agreement")
"""Beginnings of reports about what symbols are worth."""


def write_outcomes(corpus: Corpus, pages: Pages, progress: Progress) -> None:
    """outcomes.html"""
    rows = [row for row in corpus.rows(_OUTCOMES, n=_MOST_BARS) if row["score"] is not None]
    meanings = {row["nag"]: row["meaning"] for row in corpus.rows("select nag, meaning from nags")}
    marks = []
    for row in rows:
        score, low, high = (100 * row[key] for key in ("score", "score_low", "score_high"))
        meaning = meanings.get(row["nag"]) or ""
        names_side = row["favours"] in ("w", "b")
        label = _label({**row, "meaning": meaning if names_side else meaning.rpartition(": ")[2]})
        favoured = _FAVOURED.get(row["favours"], "the side favoured")
        tip = f"{label}: {favoured} scored {score:.1f} % ({low:.1f} to {high:.1f}), n = {row['n']:,} in {row['n_games']:,} games"
        marks.append({"label": label, "value": score, "low": low, "high": high, "tip": tip})
    title = "Score of the side that a sign favours, with 95 % intervals"
    chart = charts.intervals(marks, "per cent of the points", title) if marks else None
    others = [key for key in sorted(corpus.reports) if key.startswith(_OTHERS)]
    reports = [corpus.reports[key] for key in ("symbol_outcomes", *others)]
    grids = [report_grid(corpus, report) for report in reports if all(p.default is not None for p in report.parameters)]
    pages.write("outcomes.html", "outcomes", "Outcomes", chart=chart, grids=grids)
