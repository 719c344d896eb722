"""A tiny lake made by hand: games as dicts in, Parquet files and a CatalogInput out. No reader of game texts is involved."""

from __future__ import annotations

import hashlib
import re
from collections.abc import Iterable, Mapping, Sequence
from pathlib import Path
from typing import Any

import duckdb
import pyarrow as pa
import pyarrow.parquet as pq

from pipeline.catalog import CatalogInput, connect, publish
from pipeline.schema import TABLES

Row = dict[str, Any]
GAME_BYTES = 100
"""Every hand-made game is 100 bytes long; they stand one after the other, and a blank ends the source."""
SIDES = {16: "w", 17: "b"}
"""Glyph to the side that its sign names, of the glyphs that tests use."""


def digest(text: str) -> str:
    """First 32 hex digits of SHA-256, as all ids."""
    return hashlib.sha256(text.encode()).hexdigest()[:32]


def game_id(source: int, index: int) -> str:
    """Id of a game by the numbers of its source and of the game in it, both from 0."""
    return digest(f"{digest(f'source {source}')}:{index * GAME_BYTES}")


def name_key(name: str | None) -> str | None:
    """Stands in for pipeline.names: lower case, tokens sorted; `?` and BYE are nobody."""
    if name is None or name in ("?", "BYE"):
        return None
    return " ".join(sorted(re.findall(r"\w+", name.lower())))


def game(white: str | None, black: str | None, result: str, moves: str = "", **more: Any) -> Row:
    """A row of stored games, without its place; the keyword arguments override any column.

    `nags` ({ply: [nag, …]}), `comments` ({ply: text}) and `evals` ({ply: centipawns}, `#3` for a mate) become rows of other
    tables, `tags` the tag lists.
    """
    row: Row = {
        "status": "clean",
        "kind": "game",
        "notation": "san" if moves else None,
        "language": "en" if moves else None,
        "event": "Cup",
        "site": "Lodz",
        "year": 2001,
        "white": white,
        "black": black,
        "white_key": name_key(white),
        "black_key": name_key(black),
        "result": result,
        "is_result_conflict": False,
        "termination": "normal" if moves else "no_moves",
        "variant": "standard",
        "first_move_number": 1,
        "is_white_first": True,
        "n_plies": len(moves.split()),
        "movetext": moves or None,
        "content_id": digest(f"{more.get('start_fen') or ''}\n{moves}") if moves else None,
        "eco": "C50" if moves == ITALIAN else None,
        "opening": "Italian Game" if moves == ITALIAN else None,
        "eco_written": "C53" if moves == ITALIAN else None,
        "nags": {},
        "comments": {},
        "evals": {},
        "tags": [("White", white or "?"), ("Black", black or "?")],
        **more,
    }
    for part, number in zip(("round_major", "round_minor"), re.findall(r"\d+", row.get("round") or ""), strict=False):
        row.setdefault(part, int(number))
    row["tag_names"], row["tag_values"] = (list(column) for column in zip(*row["tags"], strict=True))
    return row


def build(root: Path, *sources: Sequence[Row], **more: Any) -> CatalogInput:
    """Writes the stored tables of these sources, games in order, under root/data; `more` overrides fields of the input."""
    tables: dict[str, list[Row]] = {name: [] for name in TABLES}
    rows, paths = [], []
    for number, games in enumerate(sources):
        source_id, n_bytes = digest(f"source {number}"), GAME_BYTES * len(games) + 1
        for index, row in enumerate(games):
            _add_game(tables, source_id, index, row)
        tables["spans"].append({"source_id": source_id, "byte_start": n_bytes - 1, "byte_end": n_bytes, "kind": "blank"})
        rows.append(_source(source_id, games, n_bytes))
        path = {"source_id": source_id, "collection": "games", "path": f"{number}.pgn", "absolute_path": f"/games/{number}.pgn"}
        paths.append({**path, "n_bytes": n_bytes, "status": "ok"})
    parts = [{"source_id": row["source_id"], "part": 0, "first_game_index": 0} for row in rows]
    given = {"sources": rows, "source_paths": paths, "parts": parts, **more}
    return CatalogInput(snapshot=7, files=write(root, tables), version="0.1.0", **given)


def _source(source_id: str, games: Sequence[Row], n_bytes: int) -> Row:
    count = {status: sum(row["status"] == status for row in games) for status in ("clean", "truncated", "rejected")}
    return {
        "source_id": source_id,
        "n_bytes": n_bytes,
        "encoding": "ascii",
        "n_games": len(games),
        **{f"n_{status}": n for status, n in count.items()},
        "n_plies": sum(row["n_plies"] for row in games),
        "n_bytes_games": GAME_BYTES * count["clean"],
        "n_bytes_quarantined": GAME_BYTES * (len(games) - count["clean"]),
        "n_bytes_filler": 1,
        "results_version": "1",
    }


def _add_game(tables: Mapping[str, list[Row]], source_id: str, index: int, row: Row) -> None:
    start = index * GAME_BYTES
    span = {"source_id": source_id, "byte_start": start, "byte_end": start + GAME_BYTES}
    ids = {"game_id": digest(f"{source_id}:{start}"), "text_id": digest(f"text {source_id}:{start}")}
    tables["games"].append({**span, "part": 0, "index_in_part": index, **row, **ids})
    tables["spans"].append({**span, "kind": "game" if row["status"] == "clean" else "quarantine"})
    if row["status"] != "clean":
        _add_fault(tables, span, ids, row["n_plies"] + 1)
    moves = (row["movetext"] or "").split()
    for ply, san in enumerate(moves, 1):
        place = {"game_id": ids["game_id"], "variation": 0, "ply": ply}
        color, nags = "w" if ply % 2 else "b", row["nags"].get(ply)
        move = {"move_number": (ply + 1) // 2, "color": color, "san": san, "nags": nags, "comment": row["comments"].get(ply)}
        tables["plies"].append({**place, **move, **_evaluation(row["evals"].get(ply))})
        line_id = digest("\n" + " ".join(moves[:ply]))
        for nag in nags or ():
            symbol = {"nag": nag, "glyph": f"${nag}", "side": SIDES.get(nag), "line_id": line_id}
            tables["annotations"].append({**place, "mover_color": color, **symbol})


def _evaluation(value: int | str | None) -> Row:
    return {"eval_mate": int(value.lstrip("#"))} if isinstance(value, str) else {"eval_cp": value}


def _add_fault(tables: Mapping[str, list[Row]], span: Row, ids: Row, ply: int) -> None:
    detail = "No legal move fits."
    range_ = {"quarantine_id": digest(f"quarantine {ids['game_id']}"), "reason_code": "illegal_move", "detail": detail}
    tables["quarantine"].append({**span, **ids, **range_, "raw": b"x" * GAME_BYTES})
    start = span["byte_start"]
    place = {"variation": 0, "ply": ply, "byte_offset": start, "byte_end": start + 3, "line": 1, "column": 1}
    issue = {"issue_id": digest(f"issue {ids['game_id']}"), "source_id": span["source_id"], "game_id": ids["game_id"]}
    tables["issues"].append({**issue, "code": "illegal_move", "severity": "fault", "written": "Zz9", "detail": detail, **place})


def write(root: Path, tables: Mapping[str, Sequence[Row]]) -> dict[str, list[str]]:
    """Writes each table that has rows as one Parquet file; returns the files by table."""
    (root / "data").mkdir(parents=True, exist_ok=True)
    files = {}
    for name, rows in tables.items():
        if rows:
            files[name] = [f"data/{name}-1.parquet"]
            pq.write_table(pa.Table.from_pylist(list(rows), schema=TABLES[name].schema), root / files[name][0])
    return files


def lake(root: Path, *sources: Sequence[Row], **more: Any) -> duckdb.DuckDBPyConnection:
    """A session in the catalog of a lake with these sources."""
    publish(root, build(root, *sources, **more), root / "catalog.duckdb")
    return connect(root)


def rows(con: duckdb.DuckDBPyConnection, sql: str, parameters: Iterable[Any] = ()) -> list[tuple[Any, ...]]:
    """All rows of a query; decimals as floats, which half points are exactly."""
    found = con.execute(sql, list(parameters)).fetchall()
    return [tuple(float(v) if type(v).__name__ == "Decimal" else v for v in row) for row in found]


ITALIAN, QUEENS, SICILIAN, ENGLISH = "e4 e5 Nf3 Nc6 Bc4 Bc5", "d4 d5 c4 e6 Nc3 Nf6", "e4 c5 Nf3 d6", "c4 e5 Nc3 Nf6"
ADLER, BRANDT, COLE, DUNN = "Adler, Nora", "Brandt, Otto", "Cole, Ada", "Dunn, Ivo"
CUP = [
    game(ADLER, BRANDT, "1-0", ITALIAN, round="1", month=5, day=6, nags={1: [1], 6: [2, 16]}, comments={2: "good"}),
    game(BRANDT, ADLER, "0-1", round="2", termination="forfeit"),
    game(ADLER, BRANDT, "1/2-1/2", QUEENS, round="10"),
    game(BRANDT, ADLER, "1-0", SICILIAN, round="9.1"),
    game(ADLER, BRANDT, "1-0", ENGLISH, round="11", speed="rapid"),
    game(ADLER, BRANDT, "*", "b3 b6", round="12"),
]
"""A match: Adler wins, wins by forfeit, draws game 10, loses game 9.1; a rapid game and an unfinished one beside it."""
COPIES = [
    game("Adler, N", "Brandt, O", "1-0", ITALIAN, round="1", event="Cup (Lodz)", month=5, nags={1: [1]}),
    game(BRANDT, ADLER, "0-1", round="2", termination="forfeit"),
]
"""Two of the games again, in a second source: other spelling, less of the date, fewer symbols."""
ODD = [
    game(COLE, DUNN, "1-0", "f4 e5", event="Odd", round="1"),
    game(COLE, DUNN, "0-1", "f4 e5", event="Odd", round="1"),
    game(COLE, "?", "1-0", event="Odd", round="2", termination="bye"),
    game(COLE, DUNN, "0-0", event="Odd", round="3"),
    game("Li, Wei", "Li, Wei", "1-0", "a3 a6", event="Odd", round="4"),
    game(COLE, DUNN, "1-0", "g3", event="Odd", round="5", status="truncated"),
    game(COLE, DUNN, "1-0", event="Odd", round="6", status="rejected", termination="normal"),
    game(None, None, "*", "Kb1 Kb8", event=None, year=None, kind="problem", start_fen="k7/8/8/8/8/8/8/K7 w - - 0 1"),
]
"""Everything that needs care: opposite results, bye, 0-0, namesakes, a truncated, a rejected and an unnamed game."""
SIGNED = [
    game(ADLER, DUNN, "1-0", ENGLISH, event="Signed", annotator=name, annotator_key=name.lower(), nags=nags, evals=evals, **elo)
    for elo in [{"white_elo": 2300, "black_elo": 2150}]
    for name, nags, evals in [("Eva", {1: [1], 2: [2, 16]}, {1: 20, 2: 400, 3: 390, 4: 395}), ("Fred", {1: [1], 2: [4, 16]}, {})]
]
"""One game by two annotators, rated and with evaluations."""
GIVEN = {"line": 2, "player": ADLER, "opponent": BRANDT, "event": "Cup", "year": "2001", "score": "4½:1½", "source": "book"}
"""A published score that the match does not give."""
RUN = {
    "run_id": "r1",
    "started_at": "2001-05-06T10:00:00+02:00",
    "finished_at": "2001-05-06T08:00:05Z",
    "state": "done",
    "exit_code": 0,
    "arguments": ["ingest", "games"],
    "n_new": 3,
}
