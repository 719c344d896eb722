"""Pages of games: board, moves with symbols and comments, source text, other readings, issues."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from pipeline import catalog
from pipeline.site.boards import board, men
from pipeline.site.contests import game_link
from pipeline.site.corpus import Corpus, Progress, Row
from pipeline.site.grid import Column, Grid, Link, count, grid, linked, of
from pipeline.site.originals import Original, Originals
from pipeline.site.pages import Pages
from pipeline.site.score import score
from pipeline.site.texts import counted, language_of, name, plain

_BATCH = 200
_READINGS_BATCH = 10 * _BATCH
"""Games whose other readings are looked for in one pass over the lake."""
_ON_A_LIST = 500
"""Games on one page of the list."""
_HEAD = ("Event", "Site", "Date", "Round", "White", "Black", "Result")
_GAMES = """
    select
        games.*, chosen.ordinal, duplicates.cluster_id, duplicates.is_chosen, duplicates.rule, duplicates.differs,
        duplicates.n_copies, sources.path, sources.n_games as n_games_in_source
    from site_game as chosen join games using (game_id) join duplicates using (game_id) left join sources using (source_id)
    where chosen.ordinal between $first and $last order by chosen.ordinal
"""
_KEPT = {
    "plies": "game_id, variation, ply",
    "variations": "game_id, variation",
    "issues": "game_id, severity, byte_offset nulls first, code, issue_id",
}
"""Tables of which the rows of chosen games are read at once, and their order."""
_PERSONS = """
    select game_id, color, player_id from game_players semi join site_game using (game_id)
"""


def write_games(corpus: Corpus, pages: Pages, progress: Progress) -> None:
    """games/index.html with further pages, and a page for each chosen game."""
    for table, order in _KEPT.items():
        corpus.keep(table, f"select * from {table} semi join site_game using (game_id) order by {order}")
    persons = {(row["game_id"], row["color"]): row["player_id"] for row in corpus.rows(_PERSONS)}
    originals = Originals(corpus)
    listed: list[dict[str, Any]] = []
    readings: dict[str, list[dict[str, Any]]] = {}
    all_ids = list(corpus.games)
    n = len(all_ids)
    for first in range(1, n + 1, _BATCH):
        games = corpus.rows(_GAMES, first=first, last=first + _BATCH - 1)
        ids = [game["game_id"] for game in games]
        found = {table: corpus.batch(table, "game_id", ids) for table in _KEPT}
        if (first - 1) % _READINGS_BATCH == 0:
            readings = catalog.other_readings(corpus.connection, all_ids[first - 1 : first - 1 + _READINGS_BATCH])
        texts = originals.of(games)
        for i, game in enumerate(games):
            progress("games", first + i, n)
            key = game["game_id"]
            rows = {table: groups.get(key, []) for table, groups in found.items()}
            _write_game(corpus, pages, game, rows, readings.get(key, []), texts[key], persons)
            listed.append({key: game[key] for key in _LISTED})
    _write_lists(corpus, pages, listed)


_LISTED = ("game_id", "date_written", "white", "black", "result", "event", "event_id", "round", "status", "n_plies", "path")


def _write_game(
    corpus: Corpus,
    pages: Pages,
    game: Row,
    rows: Mapping[str, Sequence[Row]],
    readings: Sequence[Row],
    original: Original,
    persons: Mapping[tuple[str, str], str],
) -> None:
    place = corpus.game(game["game_id"])
    if place is None:
        return
    told = score(game, rows["plies"], rows["variations"])
    says = f"The position after {told.last.says}" if told.last else "The position at the start"
    drawn = board(told.last.place if told.last else told.start, told.last.squares if told.last else "", says)
    hint = game["language"]
    pages.write(
        place,
        "game",
        f"{name(game['white'], 60)} – {name(game['black'], 60)} {game['result'] or '*'}",
        game=game,
        white=Link(name(game["white"]), corpus.player(persons.get((game["game_id"], "w")))),
        black=Link(name(game["black"]), corpus.player(persons.get((game["game_id"], "b")))),
        event=Link(name(game["event"]), corpus.event(game["event_id"])) if game["event"] else None,
        score=told,
        start=told.start,
        board=drawn,
        men=men(),
        says=says,
        language=hint,
        original=original,
        original_language=language_of(original.text or "", hint),
        facts=list(_facts(game)),
        readings=_readings(corpus, game, readings) if readings else None,
        issues=_issues(rows["issues"]) if rows["issues"] else None,
    )


def _facts(game: Row) -> list[tuple[str, str]]:
    """What is known about the game and how it was read, as pairs."""
    reading = [game["notation"], game["language"] and f"letters {game['language']}", game["encoding"]]
    n_games = game["n_games_in_source"]
    copies = ""
    if game["n_copies"] > 1:
        copies = f"{game['n_copies']} ({game['rule']}); this is {'the chosen one' if game['is_chosen'] else 'another one'}"
        copies += f"; differs in {plain(game['differs'])}" if game["differs"] else ""
    facts = [
        ("Status", f"{game['status']}, {counted(game['n_plies'] or 0, 'half-move')}"),
        ("Read as", ", ".join(text for text in reading if text)),
        ("Source", f"{game['path'] or game['source_id']}, bytes {game['byte_start']:,}–{game['byte_end']:,}"),
        ("Place", f"game {game['game_index']}" + (f" of {n_games:,}" if n_games else "")),
        ("Copies", copies),
        ("Ending", game["termination"]),
        ("Opening", " ".join(text for text in (game["eco"] or game["eco_written"], game["opening"]) if text)),
        ("Annotator", game["annotator"]),
        ("Start", game["start_fen"]),
        ("Id", game["game_id"]),
    ]
    said = {heading.casefold(): text for heading, text in facts if text}
    for tag, value in (game["tags"] or {}).items():
        known = said.get(tag.casefold())
        if tag not in _HEAD and value != known:
            facts.append((tag if known is None else f"{tag} as written", value))
    return [(heading, text) for heading, text in facts if text]


def _readings(corpus: Corpus, game: Row, readings: Sequence[Row]) -> Grid:
    """Other sources of the game, and the first half-move that differs."""
    rows = []
    for other in readings:
        ply = catalog.first_difference(game["movetext"], other["movetext"])
        number, is_black = divmod((ply or 1) - 1 + (0 if game["is_white_first"] else 1), 2)
        where = f"{game['first_move_number'] + number}{'…' if is_black else '.'}" if ply else "none"
        there, here = (_san(one["movetext"], ply) for one in (other, game))
        rows.append({**other, "where": where, "there": there, "here": here})
    columns = [
        linked("path", lambda row: corpus.game(row["game_id"]), "source"),
        count("game_index", "game"),
        of("status"),
        count("n_plies", "half-moves"),
        of("where", "first difference"),
        of("there"),
        of("here"),
    ]
    return grid("Variant readings: other sources of this game", columns, rows, is_sortable=False)


def _san(movetext: str | None, ply: int | None) -> str:
    moves = (movetext or "").split()
    return "" if ply is None else moves[ply - 1] if ply <= len(moves) else "–"


def _issues(rows: Sequence[Row]) -> Grid:
    columns = [
        of("severity"),
        of("code"),
        Column("line:column", lambda row: f"{row['line']}:{row['column']}" if row["line"] is not None else ""),
        of("written"),
        of("detail"),
        Column("possible", lambda row: plain(row["candidates"])),
    ]
    shown = rows[:200]
    note = f"The first {len(shown)} of {len(rows):,}." if len(shown) < len(rows) else ""
    return grid("Issues: what was odd or could not be read", columns, shown, note=note, is_sortable=False)


def _write_lists(corpus: Corpus, pages: Pages, games: Sequence[dict[str, Any]]) -> None:
    """The list of games, some hundred a page."""
    n_all = corpus.number("select count(*) from games")
    note = (
        "" if len(games) == n_all else f"{len(games):,} of {n_all:,} games have a page: annotated, unclean or of a match first."
    )
    note += " More: notatio site --games N. One that has none: notatio show ID" if note else ""
    columns = [
        game_link(corpus),
        Column("White", lambda row: name(row["white"])),
        Column("Black", lambda row: name(row["black"])),
        of("result"),
        Column("event", lambda row: Link(name(row["event"]), corpus.event(row["event_id"]))),
        of("round"),
        of("status"),
        count("n_plies", "half-moves"),
        of("path", "source"),
    ]
    starts = range(0, max(1, len(games)), _ON_A_LIST)
    places = ["games/index.html" if i == 0 else f"games/index-{i + 1}.html" for i in range(len(starts))]
    links = [Link(str(i + 1), place) for i, place in enumerate(places)]
    for start, place in zip(starts, places, strict=True):
        shown = games[start : start + _ON_A_LIST]
        pages.write(
            place,
            "listing",
            "Games" if start == 0 else f"Games from {start + 1:,}",
            grids=[grid("Games, good and bad, copies too", columns, shown, note=note)],
            links=links if len(links) > 1 else [],
        )
