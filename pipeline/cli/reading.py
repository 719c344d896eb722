"""A source read as `ingest` reads it, with nothing stored: for commands that show what would be."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from pipeline.sources import Member

Hints = Mapping[str, str | None]


def read(member: Member, hints: Hints, folder: Path) -> Iterator[tuple[Mapping[str, Any], dict[str, Any]]]:
    """Receipt and tables (by name, those that have rows) of a source, part after part. `folder`: for members of archives."""
    from pipeline.ingest import ingest_shard

    for spec in _specs(member, hints, folder):
        tables: dict[str, Any] = {}

        def keep(table: Any, name: str, _: str, tables: dict[str, Any] = tables) -> _Unwritten:
            tables[name] = table
            return _Unwritten()

        receipt = ingest_shard({"shard_id": "", "sources": [spec], "out": "", "mode": "auto"}, keep)
        yield receipt["sources"][spec["source_id"]], tables


class _Unwritten:
    """The reference to a data file that is not written."""

    def as_dict(self) -> dict[str, Any]:
        """Nothing."""
        return {}


def _specs(member: Member, hints: Hints, folder: Path) -> Iterator[dict[str, Any]]:
    """The source as `ingest_shard` takes it, in the parts that `ingest` would cut it into."""
    from pipeline import sources, split
    from pipeline.run.plan import PIECE_BYTES, Cut, cut

    path = member.absolute_path
    if member.data is not None and (member.inner is not None or path == sources.STDIN):
        path = str(folder / "member")
        Path(path).write_bytes(member.data)
    spec: dict[str, Any] = {
        "source_id": "source", "path": path, "inner": None, "part": 0, "range": None, "first_line": 1, "n_bytes": member.n_bytes,
        "status": member.status, "decision": None, "document": member.document, **hints,
    }  # fmt: skip
    cuts: tuple[Cut, ...] = ()
    if member.status == "ok" and member.n_bytes > PIECE_BYTES and member.document is None:
        decision = sources.decide_file(path, hints["encoding"])
        if decision.kind in ("ascii", "utf8"):
            cuts = cut(lambda start, end: sources.read_range(path, start, end), member.n_bytes, split.borders)
            spec["decision"] = decision.as_dict()
    if not cuts:
        yield spec
    for part, piece in enumerate(cuts):
        yield {**spec, "part": part, "range": [piece.start, piece.end], "first_line": piece.first_line}
