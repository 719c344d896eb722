"""`notatio show`: one game with all that is known about it."""

from __future__ import annotations

import textwrap
from collections.abc import Iterator, Mapping, Sequence
from typing import TYPE_CHECKING, Annotated, Any

import typer

from pipeline.cli.boards import diagram
from pipeline.cli.explain import Explained, broken_at, indented
from pipeline.cli.failure import Failure
from pipeline.cli.options import DEFAULT_LAKE, LakeOption
from pipeline.cli.output import counted, printable, put
from pipeline.cli.query import rows, session
from pipeline.cli.variants import variant_readings
from pipeline.ids import may_begin_id
from pipeline.model import Hints

if TYPE_CHECKING:
    import duckdb

Row = Mapping[str, Any]
_WIDTH = 100
_MOST_INDENT = 40
_HEAD = ("Event", "Site", "Date", "Round", "White", "Black", "Result")


def show(
    game: Annotated[str, typer.Argument(metavar="GAME", help="The game's id, or the beginning of it.")],
    board: Annotated[bool, typer.Option("--board", help="Draw the last position that was proven.")] = False,
    explain: Annotated[bool, typer.Option("--explain", help="Say how it was read; draw the board at each issue.")] = False,
    lake: LakeOption = DEFAULT_LAKE,
) -> None:
    """Print one game and all about it.

    Tags, moves with symbols, comments and variations, issues, and where it stands; other sources of the same game, and where
    they first differ. A move that was written otherwise than in canonical SAN is followed by ‹what was written›. With
    --explain: the letters that were found, the runner-up and the half-moves that are evidence; at each issue the board.

    \b
    Examples:
      notatio show 3f9c2a
      notatio show 3f9c2a --board
      notatio show 3f9c2a --explain
      notatio sql "select game_id, white, black from games where status = 'truncated'"
    """
    with session(lake) as connection:
        found = named_game(connection, game)
        lines = [*_head(found), "", *_moves(connection, found), *_issues(connection, found, explain=explain)]
        lines += variant_readings(connection, found)
        if board:
            lines += ["", *_board(connection, found)]
    put("\n".join(lines))


def named_game(connection: duckdb.DuckDBPyConnection, given: str) -> dict[str, Any]:
    """The game that an id or its beginning means. Raises Failure with the candidates."""
    wanted = given.strip().lower()
    if not may_begin_id(wanted):
        raise Failure(f"{given!r} is no game id", "Ids are hexadecimal: `notatio find NAME` lists them")
    query = "select game_id, white, black, result, year from games where starts_with(game_id, $id) order by game_id limit 11"
    found = rows(connection, query, id=wanted)
    if not found:
        raise Failure(f"No game has an id that begins with {wanted}", "`notatio find NAME` lists games with their ids")
    if len(found) > 1:
        told = "; ".join(printable(f"{g['game_id'][:12]} {_pair(g)} {_result(g)}") for g in found[:10])
        raise Failure(f"Several ids begin with {wanted}: {told}{'; …' if len(found) > 10 else ''}", "Give more digits")
    query = """
        select games.*, sources.path, sources.n_games as n_games_in_source from games
        left join sources using (source_id) where game_id = $id
    """
    return rows(connection, query, id=found[0]["game_id"])[0]


def _pair(game: Row) -> str:
    return f"{game['white'] or '?'} – {game['black'] or '?'}"


def _result(game: Row) -> str:
    """PGN's `*` when it is unknown."""
    return game["result"] or "*"


def _head(game: Row) -> Iterator[str]:
    yield printable(f"{_pair(game)}   {_result(game)}")
    place = [game["event"], game["site"], f"round {game['round']}" if game["round"] else None, game["date_written"]]
    if any(place):
        yield printable(", ".join(text for text in place if text))
    yield ""
    n_games = game["n_games_in_source"]
    reading = [game["notation"], game["language"] and f"letters {game['language']}", game["encoding"]]
    for heading, text in (
        ("game", game["game_id"]),
        ("status", f"{game['status']}, {counted(game['n_plies'], 'half-move')}" + "".join(f", {r}" for r in reading if r)),
        ("source", f"{game['path'] or game['source_id']}, bytes {game['byte_start']}–{game['byte_end']}"),
        ("", f"game {game['game_index']}" + (f" of {n_games}" if n_games else "")),
        ("start", game["start_fen"]),
        ("ending", game["termination"]),
    ):
        if text:
            yield printable(f"{heading:<8}{text}")
    others = {name: value for name, value in (game["tags"] or {}).items() if value and name not in _HEAD}
    for i, (name, value) in enumerate(others.items()):
        yield printable(f"{'tags' if i == 0 else '':<8}{name}: {value}")
    if game["comment"]:
        yield ""
        yield from _wrapped(f"{{{game['comment']}}}", 0)


# Moves


def _moves(connection: duckdb.DuckDBPyConnection, game: Row) -> Iterator[str]:
    """The main line, two half-moves a line; comments and variations stand between, where they belong."""
    query = "select * from plies where game_id = $id order by variation, ply"
    lines: dict[int, list[Row]] = {}
    for row in rows(connection, query, id=game["game_id"]):
        lines.setdefault(row["variation"], []).append(row)
    query = "select * from variations where game_id = $id order by variation"
    branches: dict[tuple[int, int], list[Row]] = {}
    for branch in rows(connection, query, id=game["game_id"]):
        branches.setdefault((branch["parent_variation"], branch["branch_ply"]), []).append(branch)
    main = lines.get(0, [])
    width = max([len(_text(ply)) for ply in main], default=0) + 2
    digits = len(str(main[-1]["move_number"])) if main else 1
    waiting = ""
    for ply in main:
        yield from _wrapped(f"{{{ply['comment_before']}}}", digits + 2) if ply["comment_before"] else ()
        is_white = ply["color"] == "w"
        waiting = waiting or f"{ply['move_number']:>{digits}}. {'' if is_white else '…'.ljust(width)}"
        waiting += printable(_text(ply)).ljust(width) if is_white else printable(_text(ply))
        aside = [*_comment(ply, digits + 2), *_variations(branches, lines, (0, ply["ply"]), digits + 2)]
        if aside or not is_white:
            yield waiting.rstrip()
            yield from aside
            waiting = ""
    if waiting:
        yield waiting.rstrip()
    yield f"{' ' * digits}  {_result(game)}" + ("" if game["status"] == "clean" else f"   (the score is {game['status']})")


def _text(ply: Row) -> str:
    """`Nxe6+ !? ‹К:е6+!?›`."""
    signs = "".join(f" {_sign(nag)}" for nag in ply["nags"] or ())
    return f"{ply['san']}{signs}" + (f" ‹{ply['written']}›" if ply["written"] else "")


def _sign(nag: int) -> str:
    from pipeline import tables

    known = tables.nags()
    return (known[nag].symbol if 0 <= nag < len(known) else "") or f"${nag}"


def _comment(ply: Row, indent: int) -> Iterator[str]:
    if ply["comment"]:
        yield from _wrapped(f"{{{ply['comment']}}}", indent)


def _variations(
    branches: Mapping[tuple[int, int], Sequence[Row]], lines: Mapping[int, Sequence[Row]], at: tuple[int, int], indent: int
) -> Iterator[str]:
    """Variations that replace a ply of a line, each followed by its own, further in. No recursion: input would drive it."""
    todo = list(reversed(branches.get(at, ())))
    while todo:
        variation = todo.pop()
        plies = lines.get(variation["variation"], ())
        yield from _wrapped(f"({_running(plies, variation)})", min(indent + 2 * (variation["depth"] - 1), _MOST_INDENT))
        inner = [b for ply in plies for b in branches.get((variation["variation"], ply["ply"]), ())]
        todo += reversed(inner)


def _running(plies: Sequence[Row], variation: Row) -> str:
    """The moves of a variation as running text."""
    parts = [f"{{{variation['comment']}}}"] if variation["comment"] else []
    needs_number = True
    for ply in plies:
        parts += [f"{{{ply['comment_before']}}}"] if ply["comment_before"] else []
        if ply["color"] == "w" or needs_number:
            parts.append(f"{ply['move_number']}{'.' if ply['color'] == 'w' else '…'}")
        parts.append(_text(ply))
        parts += [f"{{{ply['comment']}}}"] if ply["comment"] else []
        needs_number = bool(ply["comment"])
    return " ".join(parts)


def _wrapped(text: str, indent: int) -> list[str]:
    """Running text in lines of at most _WIDTH characters."""
    blank = " " * indent
    text = printable(" ".join(text.split()))
    return textwrap.wrap(text, _WIDTH, initial_indent=blank, subsequent_indent=blank, break_on_hyphens=False) or [blank]


def _issues(connection: duckdb.DuckDBPyConnection, game: Row, *, explain: bool) -> Iterator[str]:
    query = "select * from issues where game_id = $id order by severity, byte_offset nulls first, code, issue_id"
    found = rows(connection, query, id=game["game_id"])
    explained = _explained(connection, game) if explain else None
    if explained is not None:
        yield ""
        yield from map(printable, explained.letters(Hints(), broken_at(game, found)))
    for i, issue in enumerate(found):
        if i == 0:
            yield ""
        place = f"{issue['line']}:{issue['column']}: " if issue["line"] is not None else ""
        written = f" {issue['written'][:80]}" if issue["written"] else ""
        candidates = f" (possible: {', '.join(issue['candidates'])})" if issue["candidates"] else ""
        detail = f": {issue['detail']}" if issue["detail"] else ""
        yield printable(f"{issue['severity']:<7}{place}{issue['code']}{written}{detail}{candidates}")
        if explained is not None:
            yield from indented(explained.place(issue))


def _explained(connection: duckdb.DuckDBPyConnection, game: Row) -> Explained:
    plies = rows(connection, "select * from plies where game_id = $id", id=game["game_id"])
    return Explained(game, plies, rows(connection, "select * from variations where game_id = $id", id=game["game_id"]))


def _board(connection: duckdb.DuckDBPyConnection, game: Row) -> list[str]:
    """The position after the last proven half-move of the main line."""
    import chess

    from pipeline.positions import start_board

    board = start_board(game["start_fen"], game["variant"])
    for ply in rows(connection, "select uci from plies where game_id = $id and variation = 0 order by ply", id=game["game_id"]):
        board.push(chess.Move.from_uci(ply["uci"]))
    return [*diagram(board), board.fen()]
