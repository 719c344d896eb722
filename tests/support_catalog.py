"""A tiny lake made by hand: games as dicts in, Parquet files and a CatalogInput out. No reader of game texts is involved."""

from __future__ import annotations

import hashlib
import re
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

import duckdb
import pyarrow as pa
import pyarrow.parquet as pq

from pipeline.catalog import CatalogInput, publish
from pipeline.schema import TABLES

Row = dict[str, Any]
GAME_BYTES = 100
"""Every hand-made game is 100 bytes long and stands on its own, one after the other."""


def digest(text: str) -> str:
    """First 32 hex digits of SHA-256, as all ids."""
    return hashlib.sha256(text.encode()).hexdigest()[:32]


def name_key(name: str | None) -> str | None:
    """Stands in for pipeline.names: lower case, tokens sorted; `?` and BYE are nobody."""
    if name is None or name in ("?", "BYE"):
        return None
    return " ".join(sorted(re.findall(r"\w+", name.lower())))


def game(white: str | None, black: str | None, result: str, moves: str = "", **more: Any) -> Row:
    """A row of stored games, without its place: the keyword arguments override any column.

    `nags` ({ply: [nag, …]}) and `comments` ({ply: text}) become rows of other tables; `tags` sets the tag lists.
    """
    n_plies = len(moves.split())
    row: Row = {
        "status": "clean",
        "kind": "game",
        "notation": "san" if moves else None,
        "language": "en",
        "language_candidates": ["en"],
        "encoding": "ascii",
        "alphabet": "en",
        "dialect_evidence": "roster",
        "event": "Match",
        "site": "Reykjavik",
        "white": white,
        "black": black,
        "white_key": name_key(white),
        "black_key": name_key(black),
        "result": result,
        "result_tag": result,
        "is_result_conflict": False,
        "termination": "normal" if moves else "no_moves",
        "variant": "standard",
        "first_move_number": 1,
        "is_white_first": True,
        "n_plies": n_plies,
        "movetext": moves or None,
        "content_id": digest(f"{more.get('start_fen') or ''}\n{moves}") if moves else None,
        "nags": {},
        "comments": {},
        "tags": [("White", white), ("Black", black)],
    }
    row |= more
    for part, value in zip(("round_major", "round_minor"), re.findall(r"\d+", row.get("round") or ""), strict=False):
        row.setdefault(part, int(value))
    row["tag_names"] = [name for name, _ in row["tags"]]
    row["tag_values"] = [value or "?" for _, value in row["tags"]]
    return row


def build(root: Path, *sources: Sequence[Row], **registries: Any) -> CatalogInput:
    """Writes the stored tables of these sources, games in order, under root/data. Bad games are quarantined."""
    tables: dict[str, list[Row]] = {name: [] for name in TABLES}
    rows, paths, parts = [], [], []
    for number, games in enumerate(sources):
        source_id = digest(f"source {number}")
        n_bytes = GAME_BYTES * len(games) + 1
        for index, g in enumerate(games):
            _add_game(tables, source_id, index, g)
        tables["spans"].append({"source_id": source_id, "byte_start": n_bytes - 1, "byte_end": n_bytes, "kind": "blank"})
        count = {s: sum(g["status"] == s for g in games) for s in ("clean", "truncated", "rejected")}
        rows.append(
            {
                "source_id": source_id,
                "n_bytes": n_bytes,
                "encoding": "ascii",
                "n_games": len(games),
                **{f"n_{status}": n for status, n in count.items()},
                "n_plies": sum(g["n_plies"] for g in games),
                "n_bytes_games": GAME_BYTES * count["clean"],
                "n_bytes_quarantined": GAME_BYTES * (len(games) - count["clean"]),
                "n_bytes_filler": 1,
                "results_version": "1",
            }
        )
        path = {"source_id": source_id, "collection": "games", "path": f"{number}.pgn", "absolute_path": f"/games/{number}.pgn"}
        paths.append({**path, "n_bytes": n_bytes, "status": "ok"})
        parts.append({"source_id": source_id, "part": 0, "first_game_index": 0})
    return CatalogInput(
        snapshot=7,
        files=write(root, tables),
        version="0.1.0",
        **{"sources": rows, "source_paths": paths, "parts": parts, **registries},
    )


def _add_game(tables: Mapping[str, list[Row]], source_id: str, index: int, g: Row) -> None:
    start = index * GAME_BYTES
    span = {"source_id": source_id, "byte_start": start, "byte_end": start + GAME_BYTES}
    game_id = digest(f"{source_id}:{start}")
    text_id = g.get("text_id") or digest(f"text {source_id}:{start}")
    tables["games"].append({**span, "part": 0, "index_in_part": index, **g, "game_id": game_id, "text_id": text_id})
    is_clean = g["status"] == "clean"
    tables["spans"].append({**span, "kind": "game" if is_clean else "quarantine"})
    if not is_clean:
        reason = {"reason_code": "illegal_move", "detail": "no such move", "raw": b"x" * GAME_BYTES}
        tables["quarantine"].append({"quarantine_id": digest(f"q{game_id}"), **span, "game_id": game_id, "text_id": text_id, **reason})
        where = {"variation": 0, "ply": g["n_plies"] + 1, "byte_offset": start, "byte_end": start + 1, "line": 1, "column": 1}
        issue = {"issue_id": digest(f"i{game_id}"), "source_id": source_id, "game_id": game_id, "code": "illegal_move"}
        tables["issues"].append({**issue, "severity": "fault", "written": "Zz9", "detail": "no such move", **where})
    for ply, san in enumerate((g["movetext"] or "").split(), 1):
        nags = g["nags"].get(ply)
        color = "w" if ply % 2 else "b"
        move = {"game_id": game_id, "variation": 0, "ply": ply, "move_number": (ply + 1) // 2, "color": color}
        tables["plies"].append({**move, "san": san, "uci": "a1a2", "nags": nags, "comment": g["comments"].get(ply)})
        line = digest("\n" + " ".join(g["movetext"].split()[:ply]))
        for nag in nags or ():
            symbol = {"glyph": f"${nag}", "side": {16: "w", 17: "b"}.get(nag), "line_id": line}
            place = {"game_id": game_id, "variation": 0, "ply": ply, "mover_color": color}
            tables["annotations"].append({**place, "nag": nag, **symbol})


def write(root: Path, tables: Mapping[str, Sequence[Row]]) -> dict[str, list[str]]:
    """Writes each table that has rows as one Parquet file; returns the files by table."""
    (root / "data").mkdir(parents=True, exist_ok=True)
    files = {}
    for name, rows in tables.items():
        if rows:
            table = pa.Table.from_pylist(rows, schema=TABLES[name].schema)
            pq.write_table(table, root / "data" / f"{name}-1.parquet")
            files[name] = [f"data/{name}-1.parquet"]
    return files


def lake(root: Path, *sources: Sequence[Row], **registries: Any) -> duckdb.DuckDBPyConnection:
    """A read-only connection to the catalog of a lake with these sources."""
    publish(root, build(root, *sources, **registries), root / "catalog.duckdb")
    return duckdb.connect(root / "catalog.duckdb", read_only=True)
