"""Accepted repairs and tombstones of a snapshot → the rows that the views show instead of the stored ones.

Data files stay as they are: a decision is applied each time the catalog is built, and undone by deleting its row.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import duckdb
import pyarrow as pa

from pipeline.catalog.corrections import BadCorrection, check_made_at
from pipeline.catalog.registries import Row
from pipeline.ingest.again import Quarantined, quarantined, rows_again
from pipeline.repairs import Repair, RepairRefused
from pipeline.schema import TABLES

AGAIN = ("games", "plies", "variations", "annotations", "issues", "quarantine")
"""Tables of which a repaired game has rows of its own."""
_COUNTED = {"truncated": "n_truncated", "rejected": "n_rejected", "clean": "n_clean"}


@dataclass(slots=True)
class Decided:
    """What decisions make of a snapshot."""

    tables: dict[str, pa.Table] = field(default_factory=dict)
    """New rows of repaired games, by table of AGAIN; those that have any."""
    games: list[str] = field(default_factory=list)
    """game_ids whose stored rows are not shown: repaired, or no games."""
    gone: list[str] = field(default_factory=list)
    """game_ids that are no games."""
    requalified: list[str] = field(default_factory=list)
    """quarantine_ids whose stored rows are not shown: repaired, and broken further on."""
    clean_spans: list[tuple[str, int]] = field(default_factory=list)
    """(source_id, byte_start) of spans that are clean games now."""
    states: dict[str, str] = field(default_factory=dict)
    """quarantine_id → state, where it is not open."""
    counts: dict[str, dict[str, int]] = field(default_factory=dict)
    """source_id → counter → by how much it changes."""
    refused: list[tuple[str, str]] = field(default_factory=list)
    """(text_id, why) of repairs that do not hold in the text, or of texts that are not in the lake."""

    def count(self, source_id: str, **by: int) -> None:
        """Changes counters of a source."""
        counters = self.counts.setdefault(source_id, {})
        for name, n in by.items():
            counters[name] = counters.get(name, 0) + n

    def sources(self, rows: Iterable[Row]) -> list[Row]:
        """Rows of sources with their counters changed."""
        return [{**row, **{name: row[name] + n for name, n in self.counts.get(row["source_id"], {}).items()}} for row in rows]


def checked_repairs(rows: Iterable[Row]) -> dict[str, list[Repair]]:
    """Rows of repairs.csv by text. Raises BadCorrection for one that makes no sense."""
    found: dict[str, dict[int, Repair]] = {}
    for row in rows:
        text_id, ply, line = row["text_id"], str(row["ply"] or ""), row.get("line")
        if not text_id or not row["read_as"]:
            raise BadCorrection(f"there is no {'read_as' if text_id else 'text_id'}", line, "repairs")
        if not (ply.isascii() and ply.isdecimal() and 0 < int(ply) < 1 << 15):
            raise BadCorrection(f"ply is the number of a half-move, from 1; {ply!r} is none", line, "repairs")
        check_made_at(row, "repairs")
        repair = Repair(int(ply), row["written"] or "", row["read_as"], row["because"] or "")
        if found.setdefault(text_id, {}).setdefault(int(ply), repair) is not repair:
            raise BadCorrection(f"ply {ply} of text {text_id} is repaired twice", line, "repairs")
    return {text_id: [by_ply[ply] for ply in sorted(by_ply)] for text_id, by_ply in found.items()}


def checked_tombstones(rows: Iterable[Row]) -> set[str]:
    """Texts that are no games. Raises BadCorrection."""
    found: set[str] = set()
    for row in rows:
        if not row["text_id"] or row["text_id"] in found:
            what = f"text {row['text_id']} stands here twice" if row["text_id"] else "there is no text_id"
            raise BadCorrection(what, row.get("line"), "tombstones")
        check_made_at(row, "tombstones")
        found.add(row["text_id"])
    return found


def decide(
    lake: Path,
    files: Mapping[str, Sequence[str]],
    sources: Sequence[Row],
    repair_rows: Sequence[Row],
    tombstone_rows: Sequence[Row] = (),
) -> Decided:
    """Reads anew every quarantined game that has a repair. Raises BadCorrection for rows that make no sense.

    A text with a tombstone is not repaired. Nothing is read when nothing was decided.
    """
    repairs, tombstones = checked_repairs(repair_rows), checked_tombstones(tombstone_rows)
    decided = Decided()
    wanted = sorted(repairs.keys() | tombstones)
    if not wanted:
        return decided
    by_id = {row["source_id"]: row for row in sources}
    tables: dict[str, list[pa.Table]] = {}
    seen = set()
    for row, issues in _in_quarantine(lake, files, wanted):
        seen.add(row["text_id"])
        if row["text_id"] in tombstones:
            _bury(decided, row)
            continue
        try:
            game = quarantined(row, by_id.get(row["source_id"]))
            found = rows_again(game, repairs[row["text_id"]], issues)
        except RepairRefused as refused:
            decided.refused.append((row["text_id"], str(refused)))
            continue
        _replace(decided, row, game, found)
        for name, table in found.items():
            tables.setdefault(name, []).append(table)
    decided.refused += [(text_id, "no text of this id is in quarantine") for text_id in wanted if text_id not in seen]
    decided.tables = {name: joined for name, some in tables.items() if len(joined := pa.concat_tables(some))}
    return decided


def _bury(decided: Decided, row: Row) -> None:
    decided.states[row["quarantine_id"]] = "tombstone"
    if row["game_id"] is not None:
        decided.games.append(row["game_id"])
        decided.gone.append(row["game_id"])
        decided.count(row["source_id"], n_games=-1, n_plies=-row["n_plies"], **{_COUNTED[row["status"]]: -1})


def _replace(decided: Decided, row: Row, game: Quarantined, found: Mapping[str, pa.Table]) -> None:
    (new,) = found["games"].select(["status", "n_plies"]).to_pylist()
    source_id = row["source_id"]
    decided.games.append(row["game_id"])
    decided.count(source_id, n_plies=new["n_plies"] - row["n_plies"])
    decided.count(source_id, **{_COUNTED[row["status"]]: -1})
    decided.count(source_id, **{_COUNTED[new["status"]]: 1})
    if new["status"] == "clean":
        n_bytes = len(game.raw)
        decided.states[row["quarantine_id"]] = "resolved"
        decided.clean_spans.append((source_id, game.byte_start))
        decided.count(source_id, n_bytes_games=n_bytes, n_bytes_quarantined=-n_bytes)
    else:
        decided.requalified.append(row["quarantine_id"])


def _in_quarantine(
    lake: Path, files: Mapping[str, Sequence[str]], text_ids: Sequence[str]
) -> list[tuple[dict[str, Any], list[dict[str, Any]]]]:
    """Stored rows of quarantine with these texts, each with what its game says and the issues of the game, in order of id."""
    if not files.get("quarantine"):
        return []

    def stored(name: str) -> str:
        paths = [str(lake / file) for file in files.get(name, ())]
        con.register(f"empty_{name}", TABLES[name].empty())
        return f"read_parquet({paths!r})" if paths else f"empty_{name}"

    with duckdb.connect() as con:
        con.register("wanted", pa.table({"text_id": pa.array(text_ids, pa.string())}))
        con.execute(
            f"""
            create temp table found as
            select q.*, g.encoding, g.start_fen, g.part, g.index_in_part, g.status, g.kind, g.n_plies,
                   g.tag_names, g.tag_values
            from {stored("quarantine")} as q
            semi join wanted using (text_id)
            left join (select * from {stored("games")} semi join wanted using (text_id)) as g using (game_id)
            """
        )
        found = con.sql("from found order by quarantine_id").to_arrow_table().to_pylist()
        issues = con.sql(
            f"from {stored('issues')} semi join found using (game_id) order by byte_offset, issue_id"
        ).to_arrow_table()
    by_game: dict[str, list[dict[str, Any]]] = {}
    for issue in issues.to_pylist():
        by_game.setdefault(issue["game_id"], []).append(issue)
    return [(row, by_game.get(row["game_id"], [])) for row in found]


__all__ = ["AGAIN", "Decided", "checked_repairs", "checked_tombstones", "decide"]
