"""What went wrong, for a reader: what, where, what to do, and the exit code (docs/rules.md §5).

No tracebacks for what is expected.
"""

from __future__ import annotations

import errno
import os
import re
import sys
from pathlib import Path

import typer

from pipeline.cli.failure import Failure, sentence
from pipeline.cli.program import with_program
from pipeline.cli.usage import usage_failure
from pipeline.exits import EXIT_BUG, EXIT_LATER

_REFUSED = re.compile(r"Invalid Input Error: (?P<name>\w+): (?P<takes>.+)\s*")
"""What `error('parameter: what it takes')` of a query in sql/ comes out as."""
DEBUG = "NOTATIO_DEBUG"
"""Environment variable: when set, expected errors show their traceback too."""


def explain(error: BaseException, command: str = "notatio") -> Failure | None:
    """The failure that an exception means to the user; None = it is unexpected: a bug. `command`: the one that was run."""
    if isinstance(error, Failure):
        return error
    if isinstance(error, typer.TyperException):
        return usage_failure(error, command)
    if isinstance(error, typer.Abort | KeyboardInterrupt):
        return Failure("Interrupted", "Run the same command again; what was committed stays", EXIT_LATER)
    if isinstance(error, MemoryError) or getattr(error, "errno", None) in (errno.ENOSPC, errno.EDQUOT):
        what = "Not enough memory" if isinstance(error, MemoryError) else "No space left"
        place = getattr(error, "filename", None)
        return Failure(f"{what}{f': {place}' if place else ''}", "Free some and run the same command again", EXIT_LATER)
    if isinstance(error, FileNotFoundError | NotADirectoryError | IsADirectoryError | PermissionError) and error.filename:
        return Failure(f"Cannot open {error.filename}: {error.strerror}", "Check the path and your rights")
    return _of_the_lake(error) or _of_a_query(error)


def _of_the_lake(error: BaseException) -> Failure | None:
    from pipeline.catalog import NoCatalog
    from pipeline.engines import EngineUnavailable
    from pipeline.sources import NoSuchPath, UnknownEncoding
    from pipeline.store import LakeError, classify

    if isinstance(error, NoSuchPath):
        return Failure(f"There is no file or folder {error.path}", "Check the spelling; quote patterns such as 'games/*.pgn'")
    if isinstance(error, UnknownEncoding | EngineUnavailable):
        return Failure(str(error))
    if isinstance(error, NoCatalog):
        return Failure(f"The folder {error}", "Write it with `notatio catalog`")
    known = error if isinstance(error, LakeError) else classify(error, "") if isinstance(error, OSError) else None
    if known is None:
        return None
    what = str(known).removesuffix(known.remedy).rstrip(" .") if known.remedy else str(known)
    return Failure(what, known.remedy, known.exit_code)


def _of_a_query(error: BaseException) -> Failure | None:
    import duckdb

    from pipeline.catalog import BadReport, StatementRefused

    if isinstance(error, StatementRefused):
        what = str(error).removeprefix("Parser Error: ")
        kind = "is no SQL" if what != str(error) else "is refused"
        return Failure(f"The question {kind}: {what}", 'For example: `notatio sql "select white, black from games limit 10"`')
    if isinstance(error, BadReport):
        return Failure(str(error), "List all with `notatio report`")
    if isinstance(error, duckdb.IOException) or (isinstance(error, duckdb.Error) and ".parquet'" in str(error)):
        remedy = "Run it again; if it stays so, `notatio verify`"
        return Failure(f"A file of the lake cannot be read: {error}", remedy, EXIT_LATER)
    if isinstance(error, duckdb.OutOfMemoryException):
        return Failure(f"Not enough memory: {error}", "Ask for fewer rows or columns", EXIT_LATER)
    if isinstance(error, duckdb.InternalException | duckdb.FatalException):
        return None
    if isinstance(error, duckdb.InvalidInputException) and (refused := _REFUSED.fullmatch(str(error))):
        return Failure(f"The parameter {refused['name']} takes {refused['takes']}")
    if isinstance(error, duckdb.Error):
        return Failure(str(error), 'Views and columns: `notatio sql "show tables"`, `notatio sql "describe games"`')
    return None


def tell(error: BaseException, command: str = "notatio", lake: Path | None = None) -> int:
    """Prints an exception on stderr and gives the exit code. `command` and `lake`: as the user named them."""
    failure = explain(error, command)
    if os.environ.get(DEBUG):
        import traceback

        traceback.print_exception(error)
    if failure is None:
        failure = Failure(f"Unexpected {type(error).__name__}: {error}", _bug_remedy(), EXIT_BUG)
    say(f"error: {with_program(sentence(failure.what), lake)}")
    if failure.remedy:
        say(f"       {with_program(sentence(failure.remedy), lake)}")
    return failure.exit_code


def _bug_remedy() -> str:
    return f"This is a bug. {DEBUG}=1 before the same command shows where: please report that"


def say(text: str) -> None:
    """Prints a line of the log on stderr. A log that nobody reads any more must not stop the work."""
    try:
        sys.stderr.write(f"{text}\n")
        sys.stderr.flush()
    except (BrokenPipeError, ValueError):
        sys.stderr = open(os.devnull, "w", encoding="utf-8")  # noqa: SIM115
