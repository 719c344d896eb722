"""`notatio site`: a lake as static pages."""

from __future__ import annotations

import time
from pathlib import Path
from typing import Annotated

import typer

from pipeline.cli.errors import say
from pipeline.cli.failure import Failure
from pipeline.cli.ingest import size
from pipeline.cli.options import DEFAULT_LAKE, LakeOption
from pipeline.cli.output import counted, put
from pipeline.cli.query import session

_SECONDS_BETWEEN_LINES = 2.0


def site(
    out: Annotated[Path, typer.Argument(metavar="OUT", help="The folder to write: new, empty, or an older site.")],
    games: Annotated[int, typer.Option("--games", min=0, metavar="N", help="Most games that get a page of their own.")] = 2000,
    lake: LakeOption = DEFAULT_LAKE,
) -> None:
    """Write the lake as static pages.

    Corpus health, symbols, series, events with running scores and crosstables, players, games with a board and their source
    text, quarantine, every report. Needs no server: open OUT/index.html in a browser. Pages ask for nothing outside of the
    folder. Annotated games, games that are not clean and games of matches get their pages first; each list says what it leaves
    out. OUT appears when it is complete; an older site there is replaced, anything else is refused.

    \b
    Examples:
      notatio site pages
      notatio site pages --games 10000 --lake /data/lake
    """
    try:
        from pipeline.site import Limits, SiteRefused, write_site
    except ModuleNotFoundError as error:
        raise Failure(f"{error.name} is not installed", "Install notatio with its extra: pip install 'notatio[site]'") from error
    if _is_within(out, lake) or _is_within(lake, out):
        raise Failure(f"The folder {out} and the lake {lake} lie in one another", "Name a folder beside the lake")
    began = time.monotonic()
    with session(lake) as connection:
        try:
            written = write_site(connection, out, Limits(games=games), _Progress())
        except SiteRefused as refused:
            raise Failure(str(refused), refused.remedy) from refused
    seconds = time.monotonic() - began
    say(f"{counted(written.n_pages, 'page')}, {size(written.n_bytes)}, {counted(written.n_games, 'game')}, {seconds:.1f} s")
    if written.n_games_left_out:
        say(f"{counted(written.n_games_left_out, 'game')} without a page of their own: --games {games} is the limit")
    put(str(out / "index.html"))


def _is_within(path: Path, folder: Path) -> bool:
    return path.resolve().is_relative_to(folder.resolve())


class _Progress:
    """A line now and then, for work that takes longer than a moment."""

    def __init__(self) -> None:
        self._last = time.monotonic()

    def __call__(self, what: str, done: int, total: int) -> None:
        if time.monotonic() - self._last > _SECONDS_BETWEEN_LINES:
            self._last = time.monotonic()
            say(f"{what}: {done:,} of {total:,}")
