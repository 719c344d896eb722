"""`notatio demo`: the sample, ingested and asked, in a few seconds."""

from __future__ import annotations

import importlib.util
import shlex
import sys
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from pipeline.cli.failure import Failure
from pipeline.cli.ingest import run, tell
from pipeline.cli.options import remember
from pipeline.cli.output import Format, put, write
from pipeline.cli.program import NAME, program, shown, typed
from pipeline.cli.query import session
from pipeline.exits import EXIT_DONE

if TYPE_CHECKING:
    import duckdb

_DRESSES = """
    with copy as (
        select game_id, cluster_id, round, event, language, sources.encoding, status
        from duplicates join games using (game_id) join sources using (source_id)
    )
    select distinct on (language, encoding) coalesce(written, san) as written, san, language, encoding, move_number, round, event
    from copy join plies using (game_id)
    where status = 'clean' and variation = 0 and ply = $ply
      and cluster_id in (select cluster_id from copy where event = $event and round = $round)
    order by language = 'en', language, encoding, written, game_id
"""
_MOVE = {"event": "World Championship Match", "round": "6", "ply": 37}
"""19. Nxe6, which the sample has in several dresses."""
_SYMBOLS = "select symbol, n, n_games, per_1000_plies, meaning from annotation_symbols limit 8"
_SERIES = """
    select player, opponent, series, score, n, played_series, played_score, n_forfeits from series_results
    where player like 'Fischer%' and opponent like 'Spassky%'
"""
_FAULTS = """
    select code, count(*) as n, min(meaning) as meaning
    from issues join issue_codes using (code, severity) where severity = 'fault' group by code order by n desc, code
"""


def sample_folder() -> Path:
    """The folder data/sample: inside the package in a wheel, beside it in a checkout. Raises Failure."""
    package = Path(__file__).resolve().parents[1]
    for folder in (package / "data" / "sample", package.parent / "data" / "sample"):
        if folder.is_dir():
            return folder
    raise Failure(f"There is no sample in {package} or beside it", "The installation is incomplete: install notatio again")


def demo(
    lake: Annotated[Path, typer.Option("--lake", metavar="DIR", help="Where to put the demo's lake.", callback=remember)] = Path(
        "notatio-demo"
    ),
) -> None:
    """Read the sample and print what is in it.

    The sample is the match of 1972 as ten hands would have written it. A second time there is nothing to do.

    \b
    Examples:
      notatio demo
      notatio demo --lake /tmp/demo
    """
    from pipeline import version
    from pipeline.run import IngestOptions
    from pipeline.sources.paths import reported

    arguments = [reported(argument) for argument in sys.argv[1:]]
    options = IngestOptions(
        paths=[str(sample_folder())], collection="sample", workers=1, version=version(), arguments=arguments, mode="plain"
    )
    result, log = run(options, lake)
    tell(result, log, lake)
    if result.exit_code != EXIT_DONE:
        raise typer.Exit(result.exit_code)
    with session(lake) as connection:
        _print(connection, lake)


def _print(connection: duckdb.DuckDBPyConnection, lake: Path) -> None:
    rows = connection.execute(_DRESSES, _MOVE).fetchall()
    if rows:
        _, san, *_, number, round_, event = rows[0]
        _heading(f"{event}, game {round_}, move {number}: as written → as stored")
        put(", ".join(f"{written} ({language}, {encoding})" for written, _, language, encoding, *_ in rows) + f" → {san}")
    for heading, query in (
        ("Symbols of the annotators, copies of a game counted once", _SYMBOLS),
        ("The series; `played` leaves out the game that was forfeited", _SERIES),
        ("Faults in the files; quirks, which were understood, not counted", _FAULTS),
    ):
        _heading(heading)
        write(connection.sql(query).to_arrow_table(), Format.TABLE)
    _heading("What to type next")
    for command in ("report", "find фишер --opponent спасский", 'sql "from symbols limit 10"'):
        put(typed(command, lake))
    if importlib.util.find_spec("vl_convert") is not None:
        put(typed("site notatio-site", lake))
    put(typed(f"check {shlex.quote(str(shown(sample_folder() / 'faults.pgn')))}"))
    put(typed("ingest YOUR_FILES"))
    activate = Path(sys.argv[0]).with_name("activate")
    if program() != NAME and activate.is_file():
        put(f"\nAfter `. {shlex.quote(str(shown(activate)))}` it is just `{NAME}`.")


def _heading(text: str) -> None:
    put(f"\n{text}\n")
