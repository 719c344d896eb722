"""The site as a whole: which chapters there are, in which order they are written, and what a reader is told of it."""

from __future__ import annotations

import contextlib
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

import duckdb

from pipeline.site.contests import write_events, write_series
from pipeline.site.corpus import Corpus, Limits, Progress
from pipeline.site.folder import check, site_folder
from pipeline.site.games import write_games
from pipeline.site.pages import Chapter, Pages
from pipeline.site.players import write_players
from pipeline.site.quarantined import write_quarantine
from pipeline.site.start import write_reports, write_start
from pipeline.site.symbols import write_outcomes, write_symbols

Writer = Callable[[Corpus, Pages, Progress], None]
_CHAPTERS: tuple[tuple[str, str, str, Writer, str | None], ...] = (
    ("index.html", "Start", "How much of the corpus is understood.", write_start, None),
    ("symbols.html", "Symbols", "What annotators write, how often, after whose moves.", write_symbols, "annotation_symbols"),
    ("outcomes.html", "Outcomes", "What the side scored that a sign favours.", write_outcomes, "symbol_outcomes"),
    ("series.html", "Series", "Who scored how against whom, speeds and modes apart.", write_series, "series_results"),
    ("events/index.html", "Events", "Running scores of matches, crosstables, standings, games.", write_events, "match_series"),
    ("players/index.html", "Players", "Results by opponent and year, spellings of the name, games.", write_players, None),
    ("games/index.html", "Games", "Board, moves with symbols and comments, source text, other readings.", write_games, None),
    ("quarantine.html", "Quarantine", "What could not be read: where, why, and what stands there.", write_quarantine, None),
    ("reports/index.html", "Reports", "Every report of the lake as a table.", write_reports, None),
)
"""Place, title, what is there, what writes it, and the report without which there is nothing to write."""


@dataclass(frozen=True, slots=True)
class Written:
    """What was written. `n_games_left_out`: games without a page of their own."""

    n_pages: int
    n_bytes: int
    n_games: int
    n_games_left_out: int


def _silent(what: str, done: int, total: int) -> None:
    """Tells nobody."""


def write_site(
    connection: duckdb.DuckDBPyConnection, out: Path, limits: Limits | None = None, progress: Progress = _silent
) -> Written:
    """Writes the site of a lake's catalog, whole or not at all. The same catalog gives the same bytes.

    `connection` is a session of `catalog.connect`. Raises SiteRefused when `out` must not be replaced; OSError.
    """
    check(out)
    corpus = Corpus(connection, limits or Limits())
    about = corpus.rows("select snapshot, version from about")[0]
    chapters = [
        (Chapter(href, title, says), writer)
        for href, title, says, writer, needs in _CHAPTERS
        if needs is None or needs in corpus.reports
    ]
    with contextlib.ExitStack() as stack:
        folder = stack.enter_context(site_folder(out, snapshot=about["snapshot"], version=about["version"]))
        pages = Pages(folder, [chapter for chapter, _ in chapters], about=about)
        pages.write_assets()
        for i, (chapter, writer) in enumerate(chapters):
            progress(chapter.title.lower(), i, len(chapters))
            writer(corpus, pages, progress)
        n_pages, n_bytes = sum(path.endswith(".html") for path in folder.files), folder.n_bytes
    n_all = corpus.number("select count(*) from games")
    return Written(n_pages, n_bytes, len(corpus.games), n_all - len(corpus.games))
