"""`notatio demo`: the sample, ingested and asked, in a few seconds."""

from __future__ import annotations

import sys
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from pipeline.cli.errors import EXIT_DONE, Failure, say
from pipeline.cli.ingest import run, tell
from pipeline.cli.output import Format, write
from pipeline.cli.query import session

if TYPE_CHECKING:
    import duckdb

_ONE_MOVE = """
    with dress as (
        select round, plies.san, plies.move_number, coalesce(plies.written, plies.san) as written, language, encoding, path
        from games join plies using (game_id) join sources using (source_id)
        where white_key = name_key_of_white and status = 'clean'
    )
    from dress
"""
_DRESSES = """
    select distinct on (language, sources.encoding) language, sources.encoding, coalesce(written, san) as written, san, move_number, color
    from games join plies using (game_id) join sources using (source_id)
    where event_id in (select event_id from events where year = 1972) and round = $round and variation = 0 and ply = $ply
      and status = 'clean'
    order by language = 'en', language, sources.encoding, written
"""
_ROUND, _PLY = "6", 41
"""21. Nxe6 in the sixth game: the sample has it in four dresses."""
_SYMBOLS = "select symbol, meaning, n, n_games, per_1000_plies from annotation_symbols limit 8"
_SERIES = """
    select player, opponent, series, score, n, played_series, played_score, n_forfeits from series_results
    where player like 'Fischer%' and opponent like 'Spassky%'
"""
_FAULTS = """
    select code, severity, count(*) as n, any_value(meaning) as meaning
    from issues join issue_codes using (code, severity) group by code, severity order by severity, n desc, code
"""


def sample_folder() -> Path:
    """The folder data/sample: inside the package in a wheel, beside it in a checkout. Raises Failure."""
    package = Path(__file__).resolve().parents[1]
    for folder in (package / "data" / "sample", package.parent / "data" / "sample"):
        if folder.is_dir():
            return folder
    raise Failure(f"There is no sample in {package} or beside it", "The installation is incomplete: install notatio again")


def demo(
    lake: Annotated[Path, typer.Option("--lake", metavar="DIR", help="Where to put the demo's lake.")] = Path("notatio-demo"),
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

    options = IngestOptions(
        paths=[str(sample_folder())], collection="sample", workers=1, version=version(), arguments=sys.argv[1:], mode="plain"
    )
    result, log = run(options, lake)
    tell(result, log, lake)
    if result.exit_code != EXIT_DONE:
        raise typer.Exit(result.exit_code)
    with session(lake) as connection:
        _print(connection, lake)


def _print(connection: duckdb.DuckDBPyConnection, lake: Path) -> None:
    rows = connection.execute(_DRESSES, {"round": _ROUND, "ply": _PLY}).fetchall()
    dresses = ", ".join(f"{written} ({language}, {encoding})" for language, encoding, written, *_ in rows)
    if rows:
        _heading(f"Game {_ROUND} of the match, move {rows[0][4]}, as written → as stored")
        print(f"{dresses} → {rows[0][3]}")  # noqa: T201
    for heading, query in (
        ("Symbols of the annotators, copies of a game counted once", _SYMBOLS),
        ("Fischer against Spassky, and without the game that was not played", _SERIES),
        ("What was wrong or odd in the files", _FAULTS),
    ):
        _heading(heading)
        write(connection.execute(query).to_arrow_table(), Format.TABLE)
    _heading("What to type next")
    print(  # noqa: T201
        f"notatio report --lake {lake}\n"
        f"notatio find fischer --opponent spassky --lake {lake}\n"
        f"notatio report quarantine_reasons --lake {lake}\n"
        f'notatio sql "from symbols" --lake {lake}\n'
        "notatio ingest YOUR_FILES"
    )


def _heading(text: str) -> None:
    print(f"\n{text}\n", flush=True)  # noqa: T201
