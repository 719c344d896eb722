"""`notatio quarantine`: what could not be read, the moves that were probably meant, and what people decide about it."""

from __future__ import annotations

import getpass
from collections.abc import Iterator
from datetime import UTC, datetime
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from pipeline.cli.boards import diagram, listed, marked
from pipeline.cli.errors import say
from pipeline.cli.failure import Failure
from pipeline.cli.options import DEFAULT_LAKE, FormatOption, LakeOption, OutOption, as_utf8
from pipeline.cli.output import counted, printable, put, write
from pipeline.cli.program import typed
from pipeline.cli.query import session
from pipeline.cli.rereading import ORDER, QUERY, Case, Row, named_range, outcome, ranges, replayed
from pipeline.exits import EXIT_FINDINGS

if TYPE_CHECKING:
    from pipeline.misprints import Suggestion
    from pipeline.repairs import Repair

quarantine = typer.Typer(help="List what could not be read, see what was probably meant, decide.")

IdArgument = Annotated[str, typer.Argument(metavar="ID", help="Id of the range, its game or its text, or the beginning of one.")]
IdsArgument = Annotated[list[str] | None, typer.Argument(metavar="[ID]...", help="Ids, or beginnings.", show_default=False)]
BecauseOption = Annotated[
    str | None, typer.Option("--because", metavar="TEXT", help="Why it is right.", show_default=False, callback=as_utf8)
]
AuthorOption = Annotated[
    str | None,
    typer.Option("--author", metavar="NAME", help="Who decides.", show_default="who is logged in", callback=as_utf8),
]


@quarantine.command("list")
def list_ranges(
    reason: Annotated[str | None, typer.Option("--reason", metavar="CODE", help="Only these.", show_default=False)] = None,
    every: Annotated[bool, typer.Option("--all", help="What was decided, too.")] = False,
    lake: LakeOption = DEFAULT_LAKE,
    format_: FormatOption = None,
    out: OutOption = None,
) -> None:
    """List what is in quarantine.

    \b
    Examples:
      notatio quarantine list
      notatio quarantine list --reason illegal_move
      notatio quarantine list --all --format csv
    """
    query = f"""
        select quarantine_id as id, path as source, line || ':' || "column" as place, reason_code as code, written,
               n_plies as plies_kept, state
        from ({QUERY}) where ($every or state = 'open') and ($reason is null or reason_code = $reason) {ORDER}
    """
    with session(lake) as connection:
        write(connection.sql(query, params={"every": every, "reason": reason}).to_arrow_table(), format_, out)


@quarantine.command("show")
def show_range(id_: IdArgument, lake: LakeOption = DEFAULT_LAKE) -> None:
    """Show one range: its text, where it breaks, the board there, and what was probably meant.

    \b
    Examples:
      notatio quarantine show 3f9c2a
    """
    from pipeline.repairs import RepairRefused

    row = named_range(lake, id_)
    lines = [*_head(row), ""]
    try:
        lines += _explained(Case(lake, row), lake)
    except RepairRefused as refused:
        text = row["raw"].decode("utf-8", "backslashreplace")
        lines += [*map(printable, text[:2000].splitlines()), "", f"no suggestion: {refused}"]
    put("\n".join(lines))


@quarantine.command("suggest")
def suggest_repairs(
    ids: IdsArgument = None,
    every: Annotated[bool, typer.Option("--all", help="For all that is open.")] = False,
    lake: LakeOption = DEFAULT_LAKE,
    format_: FormatOption = None,
    out: OutOption = None,
) -> None:
    """Say which moves were probably meant; writes nothing.

    A suggestion is the only move, written most like what stands there, with which the rest of the game can be played.

    \b
    Examples:
      notatio quarantine suggest 3f9c2a
      notatio quarantine suggest --all
    """
    import pyarrow as pa

    if not ids and not every:
        raise Failure("There is no ID", "Name some, or give --all")
    wanted = (
        [named_range(lake, id_) for id_ in ids] if ids else ranges(lake, f"where state = 'open' and game_id is not null {ORDER}")
    )
    found = []
    for row in {row["text_id"]: row for row in wanted}.values():
        suggestion = _suggestion(lake, row)
        if suggestion:
            found.append({"text_id": row["text_id"], **{name: getattr(suggestion, name) for name in _SUGGESTED}})
    types = {"ply": pa.int32(), "n_plies_after": pa.int32()}
    schema = pa.schema([(name, types.get(name, pa.string())) for name in ("text_id", *_SUGGESTED)])
    write(pa.Table.from_pylist(found, schema), format_, out, wraps=True)
    n = len({row["text_id"] for row in wanted})
    say(f"{counted(len(found), 'suggestion')} for {counted(n, 'text')}; accept one with `{typed('quarantine accept ID', lake)}`")


_SUGGESTED = ("ply", "written", "read_as", "n_plies_after", "because")


@quarantine.command("accept")
def accept_repair(
    id_: IdArgument,
    read_as: Annotated[
        str | None, typer.Option("--as", metavar="SAN", help="The move that is meant.", show_default="the suggestion")
    ] = None,
    because: BecauseOption = None,
    author: AuthorOption = None,
    lake: LakeOption = DEFAULT_LAKE,
) -> None:
    """Decide that the move where a game breaks is meant as the suggestion, or as --as says.

    The decision is a row of curation/repairs.csv in the lake; deleting the row undoes it. `notatio build` applies it.

    \b
    Examples:
      notatio quarantine accept 3f9c2a
      notatio quarantine accept 3f9c2a --as Bb3 --because "the bishop stands on a4" --author "A. Editor"
    """
    from pipeline.store import REPAIRS

    row = named_range(lake, id_)
    if row["state"] == "resolved":
        say(f"nothing to do: {row['quarantine_id'][:12]} is resolved already")
        return
    case = Case.of(lake, row)
    if not read_as and _is_mended(case):
        say(f"nothing to do: what was accepted mends {row['quarantine_id'][:12]}; `{typed('build', lake)}` applies it")
        return
    repair = _named(case, read_as, because) if read_as else _suggested(lake, row, case, because)
    decision = {"ply": str(repair.ply), "written": repair.written, "read_as": repair.read_as, "because": repair.because}
    _decide(lake, REPAIRS, {"text_id": row["text_id"], **decision}, author, "read_as")
    status, n_plies = outcome(case, [*case.repairs, repair])
    say(f"ply {repair.ply}, {printable(repair.written)}, is read as {repair.read_as}: then {status}, {n_plies} half-moves")
    say(f"`{typed('build', lake)}` applies it")


@quarantine.command("tombstone")
def bury(id_: IdArgument, because: BecauseOption = None, author: AuthorOption = None, lake: LakeOption = DEFAULT_LAKE) -> None:
    """Decide that a text is no game.

    The decision is a row of curation/tombstones.csv in the lake; deleting the row undoes it. `notatio build` applies it.

    \b
    Examples:
      notatio quarantine tombstone 3f9c2a --because "a table of openings"
    """
    from pipeline.store import TOMBSTONES

    row = named_range(lake, id_)
    if not because:
        raise Failure("There is no reason", "Say why it is no game with --because TEXT")
    _decide(lake, TOMBSTONES, {"text_id": row["text_id"], "because": because}, author, None)
    say(f"{row['text_id'][:12]} is no game; `{typed('build', lake)}` applies it")


@quarantine.command("replay")
def replay(ids: IdsArgument = None, lake: LakeOption = DEFAULT_LAKE, format_: FormatOption = None, out: OutOption = None) -> None:
    """Read texts again with the repairs that were accepted; writes nothing.

    Without an ID, all that have any. Exit code 3 when a repair does not hold in its text.

    \b
    Examples:
      notatio quarantine replay
      notatio quarantine replay 3f9c2a
    """
    import pyarrow as pa

    wanted = [named_range(lake, id_) for id_ in ids] if ids else None
    found = list(replayed(lake, wanted))
    names = ("text_id", "repairs", "status", "n_plies", "outcome")
    types = {"n_plies": pa.int32()}
    write(pa.Table.from_pylist(found, pa.schema([(n, types.get(n, pa.string())) for n in names])), format_, out, wraps=True)
    if any(row["status"] is None for row in found):
        raise typer.Exit(EXIT_FINDINGS)


def _suggestion(lake: Path, row: Row) -> Suggestion | None:
    from pipeline.repairs import RepairRefused

    try:
        return Case(lake, row).suggestion()
    except RepairRefused:
        return None


def _is_mended(case: Case) -> bool:
    """Whether the game is proven to its end with what was accepted."""
    from pipeline.repairs import RepairRefused

    try:
        return bool(case.repairs) and outcome(case, case.repairs)[0] == "clean"
    except RepairRefused:
        return False


def _suggested(lake: Path, row: Row, case: Case, because: str | None) -> Repair:
    from pipeline.repairs import Repair, RepairRefused

    try:
        suggestion = case.suggestion()
    except RepairRefused as refused:
        raise Failure(f"What was accepted does not hold any more: {refused}", "Delete that row of curation/repairs.csv") from None
    if suggestion is None:
        remedy = f"Look at it with `{typed('quarantine show ID', lake)}` and decide with --as SAN --because TEXT"
        raise Failure(f"There is no suggestion for {row['quarantine_id'][:12]}", remedy)
    return Repair(suggestion.ply, suggestion.written, suggestion.read_as, because or suggestion.because)


def _named(case: Case, read_as: str, because: str | None) -> Repair:
    """The repair that a person names, if it holds. Raises Failure."""
    from pipeline import repairs
    from pipeline.repairs import Repair, RepairRefused

    if not because:
        raise Failure("There is no reason", "Say why it is that move with --because TEXT")
    why = "the game does not break at a move"
    try:
        for fault in repairs.faults(case.mended(), case.game.hints, case.game.start_fen):
            try:
                san = fault.board.san(fault.board.parse_san(read_as))
                repair = Repair(fault.ply, fault.written, san, because)
                case.game.read([*case.repairs, repair])
                return repair
            except RepairRefused as refused:
                why = str(refused)
            except ValueError:
                why = f"{read_as} is no legal move at ply {fault.ply}, where {fault.written} stands"
    except RepairRefused as refused:
        why = str(refused)
    raise Failure(f"The repair does not hold: {printable(why)}", "`quarantine show ID` lists the legal moves")


def _decide(lake: Path, file: str, row: dict[str, str], author: str | None, told: str | None) -> None:
    """Adds the row of a decision. Raises Failure when something else was decided before."""
    from pipeline.store import Lake, add_decision

    root = Lake.open(lake).root
    row |= {"author": author or login(), "made_at": datetime.now(UTC).isoformat(timespec="seconds")}
    there = add_decision(root, file, row)
    if there is not None and told and there[told] != row[told]:
        raise Failure(f"Ply {row['ply']} of that text was decided to be {there[told]}", f"Delete that row of {root / file} first")
    say(f"{'decided already' if there is not None else 'written'}: {root / file}")


def login() -> str:
    """Who is logged in; empty when the system does not say."""
    try:
        return getpass.getuser()
    except (KeyError, OSError, ImportError):
        return ""


def _head(row: Row) -> Iterator[str]:
    place = f":{row['line']}:{row['column']}" if row["line"] is not None else ""
    players = f"{row['white'] or '?'} – {row['black'] or '?'}" if row["white"] or row["black"] else None
    for heading, text in (
        ("id", row["quarantine_id"]),
        ("text", row["text_id"]),
        ("game", row["game_id"]),
        ("players", players),
        ("source", f"{row['path']}{place}, bytes {row['byte_start']}–{row['byte_end']}"),
        ("state", row["state"]),
        ("reason", f"{row['reason_code']}" + (f": {row['detail']}" if row["detail"] else "")),
        ("kept", counted(row["n_plies"], "half-move")),
    ):
        if text:
            yield printable(f"{heading:<9}{text}")


def _explained(case: Case, lake: Path) -> Iterator[str]:
    """The text, the board and the moves where a game breaks, with what was accepted. Raises RepairRefused."""
    from pipeline import misprints, repairs

    for repair in case.repairs:
        yield printable(f"accepted ply {repair.ply}, {repair.written}, is {repair.read_as}: {repair.because}")
    put_in = case.mended()
    fault = next(repairs.faults(put_in, case.game.hints, case.game.start_fen), None)
    if fault is None:
        yield "no half-move is at fault"
        return
    yield from marked(case.text.text, fault.start, fault.end)
    yield ""
    yield from diagram(fault.board)
    yield fault.board.fen()
    yield f"legal    {listed(list(misprints.legal_near(fault)))}"
    suggestion = misprints.suggest(put_in, case.game.hints, case.game.start_fen)
    if suggestion is None:
        yield "no move stands out as what was meant"
        return
    end = "to the end" if suggestion.is_to_end else "and no more"
    yield printable(
        f"suggest  ply {suggestion.ply}, {suggestion.written}, is {suggestion.read_as}: {suggestion.because};"
        f" then {counted(suggestion.n_plies_after, 'half-move')} more are proven, {end}"
    )
    yield f"         `{typed('quarantine accept ID', lake)}` accepts it"
