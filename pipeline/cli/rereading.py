"""A quarantined text as the commands meet it: found by its id, read again with what was decided about it."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

from pipeline.cli.failure import Failure
from pipeline.cli.output import printable
from pipeline.cli.program import typed
from pipeline.cli.query import rows, session
from pipeline.ids import may_begin_id

if TYPE_CHECKING:
    from pipeline.ingest.again import Quarantined
    from pipeline.misprints import Suggestion
    from pipeline.repairs import Repair
    from pipeline.split import WrittenGame

Row = dict[str, Any]
QUERY = """
    select
        q.quarantine_id, q.game_id, q.text_id, q.source_id, q.byte_start, q.byte_end, q.reason_code, q.detail, q.raw, q.state,
        coalesce(s.path, q.source_id) as path, g.encoding, g.start_fen, g.kind, coalesce(g.n_plies, 0) as n_plies,
        g.white, g.black, fault.line, fault."column", fault.written
    from quarantine as q
    left join sources as s using (source_id)
    left join games as g using (game_id)
    left join (
        select game_id, code, min(struct_pack(byte_offset, line, "column", written)) as fault from issues group by all
    ) as i on i.game_id = q.game_id and i.code = if(q.state = 'resolved', 'repaired', q.reason_code)
"""
ORDER = "order by path, source_id, byte_start"


def ranges(lake: Path, where: str, **parameters: Any) -> list[Row]:
    """Rows of QUERY, with a condition."""
    with session(lake) as connection:
        return rows(connection, f"select * from ({QUERY}) {where}", **parameters)


def named_range(lake: Path, given: str) -> Row:
    """The range that an id, or its beginning, means; of equal texts the first. Raises Failure with the candidates."""
    wanted = given.strip().lower()
    if not may_begin_id(wanted):
        raise Failure(f"{given!r} is no id", f"Ids are hexadecimal: `{typed('quarantine list', lake)}` lists them")
    where = "starts_with(quarantine_id, $id) or starts_with(coalesce(game_id, ''), $id) or starts_with(text_id, $id)"
    found = ranges(lake, f"where {where} {ORDER} limit 50", id=wanted)
    if not found:
        raise Failure(f"Nothing in quarantine has an id that begins with {wanted}", f"See `{typed('quarantine list', lake)}`")
    if len({row["text_id"] for row in found}) > 1:
        told = "; ".join(printable(f"{row['quarantine_id'][:12]} {row['path']}") for row in found[:10])
        raise Failure(f"Several ids begin with {wanted}: {told}", "Give more digits")
    return found[0]


class Case:
    """A quarantined game, read from its bytes, with what was decided about it."""

    def __init__(self, lake: Path, row: Row) -> None:
        """Raises RepairRefused when the bytes cannot be read as one game."""
        from pipeline.catalog import checked_repairs
        from pipeline.ingest.again import quarantined
        from pipeline.store import Lake

        head = Lake.open(lake).head()
        source = next((s for s in head.sources if s["source_id"] == row["source_id"]), None)
        self.repairs: list[Repair] = checked_repairs(head.repairs).get(row["text_id"], [])
        # what the views show of a repaired game is not what its source was read as
        self.game: Quarantined = quarantined({**row, "kind": None if self.repairs else row["kind"]}, source)
        self.text = self.game.text()
        self.written: WrittenGame = self.game.written(self.text)

    @classmethod
    def of(cls, lake: Path, row: Row) -> Case:
        """The same; Failure when it cannot be read."""
        from pipeline.repairs import RepairRefused

        try:
            return cls(lake, row)
        except RepairRefused as refused:
            raise Failure(f"{row['quarantine_id'][:12]} cannot be repaired: {refused}", "Mend the source and ingest it") from None

    def mended(self) -> WrittenGame:
        """As written, with the repairs that were accepted. Raises RepairRefused."""
        from pipeline import repairs

        return repairs.mended(self.written, self.game.hints, self.repairs, self.game.start_fen)

    def suggestion(self) -> Suggestion | None:
        """What was probably meant where the game breaks now. Raises RepairRefused."""
        from pipeline import misprints

        return misprints.suggest(self.mended(), self.game.hints, self.game.start_fen)


def outcome(case: Case, repairs: Sequence[Repair]) -> tuple[str, int]:
    """Status and half-moves with repairs. Raises RepairRefused."""
    _, game = case.game.read(repairs)
    return game.status, len(game.lines[0].plies)


def replayed(lake: Path, wanted: Sequence[Row] | None = None) -> Iterator[Row]:
    """What each text comes to with its accepted repairs; without `wanted`, all texts that have some."""
    from pipeline.catalog import checked_repairs
    from pipeline.repairs import RepairRefused
    from pipeline.store import Lake

    repairs = checked_repairs(Lake.open(lake).head().repairs)
    if wanted is None:
        condition = f"where list_contains($ids, text_id) and state <> 'tombstone' {ORDER}"
        wanted = ranges(lake, condition, ids=sorted(repairs)) if repairs else ()
    by_text = {row["text_id"]: row for row in reversed(wanted)}
    for text_id in sorted(by_text):
        said = ", ".join(f"{r.ply}: {r.read_as}" for r in repairs.get(text_id, ()))
        try:
            status, n_plies = outcome(Case(lake, by_text[text_id]), repairs.get(text_id, []))
            yield {"text_id": text_id, "repairs": said, "status": status, "n_plies": n_plies, "outcome": "holds" if said else ""}
        except RepairRefused as refused:
            yield {"text_id": text_id, "repairs": said, "status": None, "n_plies": None, "outcome": str(refused)}
