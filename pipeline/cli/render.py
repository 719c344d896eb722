"""`notatio render`: games of a file or of the lake, printed in a form: any alphabet, descriptive, numeric, PGN."""

from __future__ import annotations

import re
import tempfile
from collections.abc import Iterator, Mapping
from itertools import groupby
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from pipeline.cli.check import line_of
from pipeline.cli.errors import say
from pipeline.cli.failure import Failure
from pipeline.cli.hints import checked_encoding, checked_language, checked_notation
from pipeline.cli.options import DEFAULT_LAKE, EncodingOption, LakeOption, NotationOption
from pipeline.cli.output import counted, is_terminal, printable, target, write
from pipeline.cli.query import rows, session
from pipeline.cli.reading import Hints, read
from pipeline.cli.show import named_game
from pipeline.exits import EXIT_FINDINGS

if TYPE_CHECKING:
    from pipeline.model import Game
    from pipeline.render import Form, Layout
    from pipeline.sources import Member

_ID = re.compile(r"[0-9a-fA-F]{1,32}")
_BATCH_ROWS = 10_000
_MOST_NAMES = 20
_EXAMPLE = ("e4", "d5", "exd5", "Qxd5", "Nc3")


def render(
    given: Annotated[
        str, typer.Argument(metavar="[PATH|GAME]", help="A file (- is stdin), or a game's id.", show_default=False)
    ] = "",
    to: Annotated[str, typer.Option("--to", metavar="FORM", help="The form: pgn, ru, de, figurine, descriptive, …")] = "pgn",
    style: Annotated[str | None, typer.Option("--style", metavar="S", help="short, long, colon, …", show_default=False)] = None,
    language: Annotated[
        str | None, typer.Option("--language", metavar="L", help="Letters of the men in pgn: ru, de, …", show_default=False)
    ] = None,
    list_: Annotated[bool, typer.Option("--list", help="List the forms and their styles.")] = False,
    tags: Annotated[bool, typer.Option("--tags", help="Print tag pairs in every form, not in pgn alone.")] = False,
    no_comments: Annotated[bool, typer.Option("--no-comments", help="Leave comments out.")] = False,
    no_variations: Annotated[bool, typer.Option("--no-variations", help="Leave variations out.")] = False,
    no_symbols: Annotated[bool, typer.Option("--no-symbols", help="Leave out !?, ± and the like.")] = False,
    width: Annotated[int, typer.Option("--width", metavar="N", min=0, help="Longest line; 0: a game is one line.")] = 79,
    out: Annotated[Path | None, typer.Option("--out", metavar="FILE", help="Write to a file.", show_default=False)] = None,
    reading: Annotated[
        str | None, typer.Option("--from", metavar="L", help="Language that the file is read in.", show_default=False)
    ] = None,
    notation: NotationOption = None,
    encoding: EncodingOption = None,
    lake: LakeOption = DEFAULT_LAKE,
) -> None:
    """Print games in another notation.

    A file is read as by `ingest`, and nothing is stored. Games that break off are printed as far as they are proven: then
    stderr says where, and the exit code is 3.

    \b
    Examples:
      notatio render games.pgn --to ru
      notatio render games.pgn --to de --style long-dash --no-comments
      notatio render match.pgn --to ru --tags --out match-ru.txt
      notatio render bulletin.txt --from uk --to pgn --out bulletin.pgn
      notatio render 3f9c2a --to descriptive --style kt
      notatio render --list
    """
    from pipeline.render import Layout

    if list_:
        _list(out)
        return
    form = _form(to, style, language)
    if not given:
        raise Failure("A file or a game is missing", "For example: `notatio render games.pgn --to ru`")
    layout = Layout(width, not no_comments, not no_variations, not no_symbols, tags)
    hints = {
        "language": checked_language(reading),
        "notation": checked_notation(notation),
        "encoding": checked_encoding(encoding),
    }
    is_whole = is_first = True
    with target(out) as file:
        for game in _games(given, hints, lake):
            is_whole = is_whole and game.status == "clean"
            if game.status == "rejected":
                continue
            text = f"{'' if is_first else chr(10)}{_rendered(game, form, layout, is_person=out is None and is_terminal())}\n"
            file.write(text.encode("utf-8", "backslashreplace"))
            is_first = False
    if not is_whole:
        raise typer.Exit(EXIT_FINDINGS)


def _form(to: str, style: str | None, language: str | None) -> Form:
    """The form that is asked for. Raises Failure with what may be meant."""
    from pipeline.render import UnknownForm, form_named

    try:
        return form_named(to, style, language)
    except UnknownForm as error:
        what = (
            f"There is no {error.kind} {error.given}"
            if error.known
            else f"The form {to} has no choice of {error.kind.split()[0]}"
        )
        near = f"Did you mean {' or '.join(error.near)}? " if error.near else ""
        known = f"There are: {', '.join(error.known)}" if len(error.known) < _MOST_NAMES and error.known else ""
        raise Failure(what, f"{near}{known or '`notatio render --list` lists forms and styles'}") from error


def _rendered(game: Game, form: Form, layout: Layout, *, is_person: bool) -> str:
    from pipeline.render import render as rendered

    text = rendered(game, form, layout)
    return "\n".join(printable(line) for line in text.splitlines()) if is_person else text


def _list(out: Path | None) -> None:
    """Every form with its styles and a line written in it."""
    import pyarrow as pa

    from pipeline.render import forms, styles_of

    listed = [
        {
            "form": row["name"],
            "also": row["aliases"].replace(";", ", "),
            "style": row["style"],
            "example": _example(row["name"]),
            "meaning": row["meaning"],
            "styles": ", ".join(styles_of(row["printer"])),
        }
        for row in forms()
    ]
    write(pa.Table.from_pylist(listed), None, out)


def _example(name: str) -> str:
    """A few moves in the form."""
    import chess

    from pipeline.model import Game, Line, Ply
    from pipeline.render import Layout, form_named, score

    board, plies = chess.Board(), []
    for san in _EXAMPLE:
        move = board.parse_san(san)
        plies.append(Ply(san, board.uci(move)))
        board.push(move)
    game = Game(0, 0, "clean", lines=(Line(0, None, 1, 0, tuple(plies)),))
    return score(game, form_named(name).write, Layout(0))


# Games: from a file, or from the lake


def _games(given: str, hints: Hints, lake: Path) -> Iterator[Game]:
    """The games of a path, else the one that an id or its beginning means. Tells on stderr what is not clean."""
    from pipeline import sources

    if _ID.fullmatch(given) and not Path(given).exists():
        yield _stored(given, lake)
        return
    with tempfile.TemporaryDirectory(prefix="notatio-render-") as folder:
        for found in sources.find([given], exclude=None):
            for member in sources.members(found):
                yield from _read(member, hints, Path(folder))


def _read(member: Member, hints: Hints, folder: Path) -> Iterator[Game]:
    """The games of one source, as `ingest` reads it."""
    if member.status != "ok":
        say(printable(f"{member.path}: not read: {member.detail or member.status}"))
        return
    for _, tables in read(member, hints, folder):
        yield from games_of_tables(member.path, tables)


def games_of_tables(path: str | None, tables: Mapping[str, Any]) -> Iterator[Game]:
    """Games of tables, one after the other: the rows of a game stand together, games in the same order everywhere.

    With a path, stderr tells what is not clean.
    """
    from pipeline.render import game_of

    parts = {name: _Groups(tables.get(name)) for name in ("plies", "variations", "annotations")}
    faults: dict[str, Mapping[str, Any]] = {}
    for issue in _rows_of(tables.get("issues")):
        if issue["severity"] == "fault" and issue["game_id"]:
            faults.setdefault(issue["game_id"], issue)
    for row in _rows_of(tables.get("games")):
        key = row["game_id"]
        tags = list(zip(row["tag_names"] or (), row["tag_values"] or (), strict=True))
        game = game_of(row, tags, *(parts[name].of(key) for name in ("plies", "variations", "annotations")))
        if path is not None and game.status != "clean":
            _tell(path, game, faults.get(key))
        yield game


class _Groups:
    """Rows of a table, game after game."""

    def __init__(self, table: Any) -> None:
        self._groups = groupby(_rows_of(table), key=lambda row: row["game_id"])
        self._next = next(self._groups, None)

    def of(self, game_id: str) -> list[dict[str, Any]]:
        """The rows of the game, which is behind those that were asked for before."""
        if self._next is None or self._next[0] != game_id:
            return []
        found = list(self._next[1])
        self._next = next(self._groups, None)
        return found


def _rows_of(table: Any) -> Iterator[dict[str, Any]]:
    """Rows of an Arrow table, some at a time: a large one never stands in memory twice."""
    for batch in table.to_batches(max_chunksize=_BATCH_ROWS) if table is not None else ():
        yield from batch.to_pylist()


def _tell(path: str, game: Game, fault: Mapping[str, Any] | None) -> None:
    moves = counted(len(game.lines[0].plies), "half-move")
    if fault is None:
        say(printable(f"{path}: a {game.status} game: {moves} printed"))
        return
    done = "not printed" if game.status == "rejected" else f"printed up to there, {moves}"
    say(f"{line_of(path, fault)}: {done}")


def _stored(given: str, lake: Path) -> Game:
    """A game of the lake."""
    from pipeline.render import game_of

    with session(lake) as connection:
        found = named_game(connection, given)
        parts = (
            rows(connection, f"select * from {view} where game_id = $id order by {order}", id=found["game_id"])
            for view, order in (
                ("plies", "variation, ply"),
                ("variations", "variation"),
                ("annotations", "variation, ply, nag"),
            )
        )
        tags = [
            (row["name"], row["value"])
            for row in rows(connection, "select * from tag_pairs where game_id = $id order by ordinal", id=found["game_id"])
        ]
        game = game_of(found, tags, *parts)
    if game.status != "clean":
        _tell(found["path"] or found["source_id"], game, None)
    return game
