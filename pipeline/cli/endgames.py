"""`notatio endgames`: the moves that endgame tables judge, beside what annotators wrote."""

from __future__ import annotations

import time
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from pipeline.cli.errors import say
from pipeline.cli.failure import Failure
from pipeline.cli.options import DEFAULT_LAKE, FormatOption, LakeOption, OutOption
from pipeline.cli.output import counted, write
from pipeline.cli.query import session
from pipeline.exits import EXIT_CONFIGURATION, EXIT_FINDINGS

if TYPE_CHECKING:
    import duckdb
    import pyarrow as pa

    from pipeline.endgames import Agreement, Tables, Verdict

_FOLDER = "Give the folder of the *.rtbw files with --tablebase DIR or in NOTATIO_TABLEBASE"
_LINE_SECONDS = 10.0
"""Lines about progress come no more often."""
_BATCH_GAMES = 1000
_GAMES = """
    with game as (
        select
            game_id, cluster_id, white, black, start_fen, variant, movetext,
            case when start_fen is null then 32
                else len(regexp_replace(split_part(start_fen, ' ', 1), '[^A-Za-z]', '', 'g')) end
            - (len(movetext) - len(replace(movetext, 'x', ''))) as n_men_last
        from games_distinct
        where status = 'clean' and kind = 'game' and n_plies > 0
    ),
    mark as (
        select cluster_id, annotator_key, ply, min(nag) filter (nag between 1 and 6) as nag
        from symbols group by cluster_id, annotator_key, ply
    ),
    annotated as (
        select cluster_id, annotator_key, coalesce(annotator, '') as annotator,
            map_from_entries(list((ply, nag)) filter (nag is not null)) as nags
        from mark left join annotators using (annotator_key)
        group by cluster_id, annotator_key, annotator
    ),
    by_game as (
        select cluster_id,
            list({'key': annotator_key, 'name': annotator, 'nags': nags} order by annotator_key nulls last) as annotators
        from annotated group by cluster_id
    )
    select game_id, white, black, start_fen, variant, movetext, annotators
    from game left join by_game using (cluster_id)
    where n_men_last <= $men
    order by game_id
"""
"""Main lines of distinct clean games that end with few enough men, and what each annotator wrote there."""
_COUNT = f"select count(*) from ({_GAMES})"
_MOVES = (
    *("game_id", "ply", "move_number", "color", "san", "fen", "n_men", "result", "result_after", "n_legal", "n_keeping"),
    *("nunn", "annotator", "sign", "agrees", "white", "black", "annotator_key"),
)
_SUMMARY = (
    *("annotator", "n_games", "n_plies", "n_only", "n_only_signs", "n_only_both"),
    *("n_mistakes", "n_mistake_signs", "n_mistakes_both", "observed", "expected", "kappa", "annotator_key"),
)
_FLOATS = {"observed", "expected", "kappa"}
_TEXTS = {"game_id", "color", "san", "fen", "result", "result_after", "nunn", "annotator", "sign", "white", "black"}


def endgames(
    tablebase: Annotated[
        list[Path] | None,
        typer.Option(
            "--tablebase",
            metavar="DIR",
            envvar="NOTATIO_TABLEBASE",
            help="A folder of Syzygy tables (*.rtbw, for --clock *.rtbz too); may be given again.",
            show_default=False,
            show_envvar=True,
        ),
    ] = None,
    men: Annotated[
        int | None,
        typer.Option("--men", metavar="N", min=3, max=7, help="Most men on the board.", show_default="as the largest table"),
    ] = None,
    clock: Annotated[
        bool,
        typer.Option("--clock", help="Count the 50-move rule: a win that takes too long is a draw. Without it, a win is a win."),
    ] = False,
    every: Annotated[bool, typer.Option("--all", help="Moves without any sign, too.")] = False,
    summary: Annotated[bool, typer.Option("--summary", help="One row for each annotator: counts and Cohen's kappa.")] = False,
    lake: LakeOption = DEFAULT_LAKE,
    format_: FormatOption = None,
    out: OutOption = None,
) -> None:
    """Judge the moves of endgames by tablebases, in the signs of John Nunn's convention, and compare annotators with it.

    ! is the only move that keeps the result, however plain, unless it is the only legal move; ? is a move that lowers the
    result. !! and ?? count as these. !!, ??, !? and ?! are not computed: no table says what is hard to find. Main lines of
    distinct clean games count. Exit code 3 when positions could not be looked up because tables are missing.

    \b
    Examples:
      notatio endgames --tablebase syzygy
      notatio endgames --tablebase syzygy --summary
      notatio endgames --tablebase syzygy --men 4 --all --out endgames.csv
    """
    from pipeline.endgames import BadTable, NoTables, Tables

    if not tablebase:
        raise Failure("There are no tables", _FOLDER)
    for folder in tablebase:
        if not folder.is_dir():
            raise Failure(f"There is no folder {folder}", _FOLDER)
    try:
        with session(lake) as connection, Tables(tablebase, is_clock_counted=clock) as tables:
            judged = _Judged(connection, tables, men or tables.most_men)
            write(judged.summary() if summary else judged.moves(every=every), format_, out)
    except NoTables as error:
        raise Failure(f"There is no table (*.rtbw) in {error}", _FOLDER) from None
    except BadTable as error:
        raise Failure(str(error), "Fetch that file again", EXIT_CONFIGURATION) from None
    if judged.tell():
        raise typer.Exit(EXIT_FINDINGS)


class _Judged:
    """What the tables say of the games of a lake."""

    def __init__(self, connection: duckdb.DuckDBPyConnection, tables: Tables, most_men: int) -> None:
        self._connection, self._tables, self._most_men = connection, tables, most_men
        self._n_plies = self._n_games = 0

    def _games(self) -> Iterator[tuple[Mapping[str, Any], list[Verdict]]]:
        """Games with their verdicts, by game_id; tells on stderr how far it is."""
        from pipeline.endgames import verdicts

        ((n_all,),) = self._connection.execute(_COUNT, {"men": self._most_men}).fetchall()
        n_done, last = 0, time.monotonic()
        reader = self._connection.sql(_GAMES, params={"men": self._most_men}).to_arrow_reader(_BATCH_GAMES)
        for batch in reader:
            for row in batch.to_pylist(maps_as_pydicts="lossy"):
                moves = row["movetext"].split()
                judged = list(verdicts(row["start_fen"], row["variant"], moves, self._tables, self._most_men))
                self._n_plies += len(judged)
                self._n_games += bool(judged)
                yield row, judged
                n_done += 1
                if time.monotonic() - last > _LINE_SECONDS:
                    last = time.monotonic()
                    say(f"{100 * n_done / max(n_all, 1):.0f} %, {counted(n_done, 'game')} of {n_all:,}")

    def moves(self, *, every: bool) -> pa.RecordBatchReader:
        """A row for each move and annotator; `every`: those without any sign too."""
        import pyarrow as pa

        types = {"ply": pa.int16(), "move_number": pa.int16(), "n_men": pa.int16(), "agrees": pa.bool_()}
        schema = pa.schema([(c, pa.string() if c in {*_TEXTS, "annotator_key"} else types.get(c, pa.int32())) for c in _MOVES])

        def batches() -> Iterator[pa.RecordBatch]:
            for row, judged in self._games():
                rows = [r for verdict in judged for r in _rows(row, verdict) if every or r["nunn"] or r["sign"]]
                yield pa.RecordBatch.from_pylist(rows, schema)

        return pa.RecordBatchReader.from_batches(schema, batches())

    def summary(self) -> pa.Table:
        """A row for each annotator."""
        import pyarrow as pa

        from pipeline.endgames import Agreement

        found: dict[tuple[str | None, str | None], Agreement] = {}
        for row, judged in self._games():
            for verdict in judged:
                for r in _rows(row, verdict):
                    if r["agrees"] is not None:
                        agreement = found.setdefault((r["annotator"], r["annotator_key"]), Agreement())
                        agreement.cells[verdict.sign, _sign(r["nag"])] += 1
                        agreement.games.add(r["game_id"])
        rows = [_summary(*who, agreement) for who, agreement in found.items()]
        rows.sort(key=lambda row: (-row["n_plies"], row["annotator_key"] is None, row["annotator_key"]))
        texts = {"annotator", "annotator_key"}
        types = [(c, pa.string() if c in texts else pa.float64() if c in _FLOATS else pa.int64()) for c in _SUMMARY]
        return pa.Table.from_pylist(rows, pa.schema(types))

    def tell(self) -> bool:
        """Says on stderr what was looked up and what was not, and why; True when tables are missing."""
        say(f"{counted(self._n_plies, 'half-move')} of {counted(self._n_games, 'game')} with at most {self._most_men} men")
        if self._tables.n_castling:
            say(f"note: left out, since somebody may castle: {counted(self._tables.n_castling, 'position')}")
        for name, n in self._tables.missing.most_common():
            say(f"warning: {name} is missing: {counted(n, 'position')} could not be looked up")
        return bool(self._tables.missing)


def _rows(game: Mapping[str, Any], verdict: Verdict) -> Iterator[dict[str, Any]]:
    """Rows of a move: one for each annotator of the game, one without an annotator when there is none."""
    from pipeline import tables
    from pipeline.endgames import RESULTS

    about = {
        "game_id": game["game_id"],
        **{name: getattr(verdict, name) for name in _MOVES[1:7]},
        "result": RESULTS[verdict.before],
        "result_after": RESULTS[verdict.after],
        "n_legal": verdict.n_legal,
        "n_keeping": verdict.n_keeping,
        "nunn": verdict.sign,
        "white": game["white"],
        "black": game["black"],
    }
    if not game["annotators"]:
        yield {**about, "sign": None, "agrees": None}
    for annotator in game["annotators"] or ():
        nag = (annotator["nags"] or {}).get(verdict.ply)
        yield {
            **about,
            "annotator": annotator["name"] or None,
            "annotator_key": annotator["key"],
            "nag": nag,
            "sign": tables.nags()[nag].symbol if nag else "",
            "agrees": _sign(nag) == verdict.sign,
        }


def _sign(nag: int | None) -> str:
    from pipeline.endgames import SIGN_OF_NAG

    return SIGN_OF_NAG.get(nag, "")


def _summary(annotator: str | None, key: str | None, agreement: Agreement) -> dict[str, Any]:
    return {
        "annotator": annotator,
        "annotator_key": key,
        "n_games": len(agreement.games),
        "n_plies": agreement.n(),
        "n_only": agreement.n(computed="!"),
        "n_only_signs": agreement.n(written="!"),
        "n_only_both": agreement.cells["!", "!"],
        "n_mistakes": agreement.n(computed="?"),
        "n_mistake_signs": agreement.n(written="?"),
        "n_mistakes_both": agreement.cells["?", "?"],
        "observed": round(agreement.observed, 4),
        "expected": round(agreement.expected, 4),
        "kappa": None if agreement.kappa is None else round(agreement.kappa, 4),
    }
