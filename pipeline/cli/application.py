"""The command line as a whole: which commands there are, and the way from arguments to an exit code."""

from __future__ import annotations

import os
import signal
import sys
from collections.abc import Sequence
from pathlib import Path
from typing import Annotated, Any

import typer

from pipeline.cli import care, errors
from pipeline.cli.check import check
from pipeline.cli.demo import demo
from pipeline.cli.endgames import endgames
from pipeline.cli.export import export
from pipeline.cli.find import find
from pipeline.cli.ingest import ingest
from pipeline.cli.openings import openings
from pipeline.cli.output import put
from pipeline.cli.players import players
from pipeline.cli.program import NAME, program, with_examples
from pipeline.cli.quarantine import quarantine
from pipeline.cli.query import report, sql
from pipeline.cli.render import render
from pipeline.cli.show import show
from pipeline.cli.site import site
from pipeline.exits import EXIT_DONE

app = typer.Typer(
    name="notatio",
    add_completion=False,
    rich_markup_mode="rich" if sys.stdout.isatty() else None,
    pretty_exceptions_enable=False,
    context_settings={"help_option_names": ["-h", "--help"]},
)
for _panel, _commands in {
    "Read": (demo, ingest, check),
    "Ask": (report, sql, find, openings, show, endgames, render, site),
    "Look after": (care.status, care.verify, care.build, care.catalog, care.gc),
}.items():
    for _command in _commands:
        app.command(rich_help_panel=_panel)(_command)
app.add_typer(export, name="export", rich_help_panel="Ask")
app.add_typer(quarantine, name="quarantine", rich_help_panel="Look after")
app.add_typer(players, name="players", rich_help_panel="Look after")
app.add_typer(care.snapshot, name="snapshot", rich_help_panel="Look after")


def _print_version(wanted: bool) -> None:
    if wanted:
        from pipeline import version

        put(f"notatio {version()}")
        raise typer.Exit


@app.callback()
def notatio(
    version: Annotated[
        bool, typer.Option("--version", callback=_print_version, is_eager=True, help="Print the version and stop.")
    ] = False,
) -> None:
    """Chess score files as people really wrote them: every move proven, stored as Parquet, answered in SQL.

    \b
    Start here:
      notatio demo                  what it does, in a few seconds
      notatio check games.pgn       what cannot be read, and why
      notatio ingest games.pgn      read files into ./lake
      notatio report                what can be asked

    \b
    Exit codes: 0 done, 1 a bug, 2 usage, 3 done with findings, 75 try again later, 78 configuration.
    Results go to stdout, the log to stderr. NOTATIO_LAKE names the lake, NOTATIO_DEBUG=1 shows where errors come from.
    """


def main() -> None:
    """The entry point: runs the arguments of the process and ends it."""
    if sys.argv[1:2] in (["ingest"], ["demo"], ["site"]):
        # Until a run begins, which then ends in its own way: nothing was begun, so it may end at once. A site cleans up.
        signal.signal(signal.SIGTERM, signal.default_int_handler)
    try:
        code = run(sys.argv[1:])
    except KeyboardInterrupt as error:  # before the command began, or after its end
        code = errors.tell(error)
    sys.exit(code)


def run(arguments: Sequence[str]) -> int:
    """Runs one command line and gives its exit code. Whatever goes wrong is told on stderr."""
    _use_utf8()
    command = typer.main.get_command(app)
    if program() != NAME:
        _teach(command)
    asked: dict[str, Path] = {}
    invoked = program()
    code = EXIT_DONE
    try:
        try:
            # Not `app(…)`, which would end the process itself, and with 1 when a pipe breaks.
            with command.make_context(program(), list(arguments) or ["--help"], obj=asked) as context:
                try:
                    command.invoke(context)
                finally:
                    invoked = f"{program()} {context.invoked_subcommand or ''}".rstrip()
        except typer.Exit as end:
            code = end.exit_code
        sys.stdout.flush()
    except BrokenPipeError:  # the reader has seen enough
        _close_quietly()
    except (Exception, KeyboardInterrupt) as error:  # noqa: BLE001 the last one to see it tells the user
        code = errors.tell(error, invoked, asked.get("lake"))
    return code


def _teach(command: Any) -> None:
    """Lets the examples of all help texts begin as the program has to be started here."""
    command.help = with_examples(command.help or "")
    for inner in getattr(command, "commands", {}).values():
        _teach(inner)


def _use_utf8() -> None:
    """Results are UTF-8 wherever they go; what a terminal cannot show is escaped, never an error."""
    for stream in (sys.stdout, sys.stderr):
        reconfigure = getattr(stream, "reconfigure", None)
        if reconfigure is not None:
            reconfigure(encoding=None if stream.isatty() else "utf-8", errors="backslashreplace")


def _close_quietly() -> None:
    """Lets nothing more be written to a pipe that nobody reads: Python flushes stdout when it ends."""
    nowhere = os.open(os.devnull, os.O_WRONLY)
    os.dup2(nowhere, sys.stdout.fileno())
    os.close(nowhere)
