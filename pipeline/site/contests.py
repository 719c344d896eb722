"""Pages of series and events: scores of pairs, running scores, crosstables, standings, games."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from decimal import Decimal
from typing import Any

from markupsafe import Markup

from pipeline import catalog
from pipeline.site import charts
from pipeline.site.corpus import Corpus, Progress, Row
from pipeline.site.grid import Column, Grid, Link, Number, count, grid, linked, of
from pipeline.site.pages import Pages
from pipeline.site.start import report_grid
from pipeline.site.texts import counted, name, points, years

GAME_COLUMNS = """
    game.game_id, game.white, game.black, game.result, game.event, game.event_id, game.round, game.date_written, game.n_plies
"""
NUMBER_OF_GAMES = """
    game.year nulls last, game.date nulls last, game.event nulls last, game.round_major nulls last, game.round_minor nulls first,
    game.game_id
"""
"""The order of games in a list."""
_LEAST_OF_A_MATCH = 3
"""Games of a pair whose running score is drawn."""
_MOST_CHARTS = 12
_MOST_IN_CROSSTABLE = 40
_BATCH = 50
_SERIES = """
    from match_series semi join site_event using (event_id)
    order by event_id, player, opponent, player_id, opponent_id, speed, mode, game_number
"""
_GAMES = f"""
    select {GAME_COLUMNS} from games_distinct as game semi join site_event as chosen on chosen.event_id = game.event_id
    qualify row_number() over (partition by game.event_id order by {{order}}) <= $n
    order by game.event_id, {{order}}
""".replace("{order}", "game.round_major nulls last, game.round_minor nulls first, game.date nulls last, game.game_id")


def game_link(corpus: Corpus) -> Column:
    """The column of dates, which lead to the games."""
    return Column("date", lambda row: Link(name(row["date_written"]), corpus.game(row["game_id"])))


def write_series(corpus: Corpus, pages: Pages, progress: Progress) -> None:
    """series.html: each pair once, from the side of who scored more."""
    query = """
        select *, count(*) over () as n_all from series_results
        where points > opponent_points or (points = opponent_points and player < opponent)
            or (points = opponent_points and player = opponent and player_id < opponent_id)
        order by n desc, player, opponent, speed, mode, player_id, opponent_id limit $n
    """
    rows = corpus.rows(query, n=corpus.limits.rows)
    n_all = rows[0]["n_all"] if rows else 0
    note = "" if len(rows) == n_all else f"The first {len(rows):,} of {n_all:,} pairs. All: notatio report series_results"
    columns = [
        Column("player", lambda row: corpus.person(row)),
        Column("opponent", lambda row: corpus.person(row, "opponent")),
        of("score"),
        of("series", "+won −lost =drawn"),
        count("n"),
        of("played_score", "score without forfeits"),
        of("white_series", "with White"),
        of("black_series", "with Black"),
        count("n_excluded", "not scored"),
        Column("years", lambda row: years(row["year_first"], row["year_last"])),
        of("speed"),
        of("mode"),
    ]
    caption = "Scores of pairs, each once, speeds and modes apart"
    pages.write("series.html", "listing", "Series", grids=[grid(caption, columns, rows, note=note)], links=[])


def write_events(corpus: Corpus, pages: Pages, progress: Progress) -> None:
    """events/index.html, and a page for each chosen event."""
    ids = list(corpus.events)
    events = corpus.rows("select events.* from site_event join events using (event_id) order by ordinal")
    corpus.keep("match_series", _SERIES)
    corpus.keep("event_games", _GAMES, n=corpus.limits.rows)
    for start in range(0, len(ids), _BATCH):
        batch = ids[start : start + _BATCH]
        series = corpus.batch("match_series", "event_id", batch)
        games = corpus.batch("event_games", "event_id", batch)
        for i, event in enumerate(events[start : start + _BATCH]):
            progress("events", start + i, len(ids))
            key = event["event_id"]
            _write_event(corpus, pages, event, series.get(key, []), games.get(key, []))
    n_all = corpus.number("select count(*) from events where event is not null")
    note = (
        ""
        if n_all == len(ids)
        else f"{len(ids):,} of {n_all:,} events, matches and the largest first. All: notatio sql 'from events'"
    )
    columns = [
        linked("event", lambda row: corpus.event(row["event_id"])),
        count("year"),
        of("site"),
        of("kind"),
        count("n_games", "games"),
        count("n_players", "players"),
    ]
    pages.write("events/index.html", "listing", "Events", grids=[grid("Events", columns, events, note=note)], links=[])


def _write_event(corpus: Corpus, pages: Pages, event: Row, series: list[dict[str, Any]], games: list[dict[str, Any]]) -> None:
    place = corpus.event(event["event_id"])
    if place is None:
        return
    matches = list(_matches(corpus, series))
    grids = [*_standings(corpus, event), *_crosstables(corpus, event)]
    note = f"The first {len(games):,} of {event['n_games']:,} games." if len(games) < event["n_games"] else ""
    columns = [
        game_link(corpus),
        of("round"),
        Column("White", lambda row: name(row["white"])),
        Column("Black", lambda row: name(row["black"])),
        of("result"),
        count("n_plies", "half-moves"),
    ]
    grids.append(grid("Games, copies counted once", columns, games, note=note))
    dates = [str(day) for day in dict.fromkeys((event["date_first"], event["date_last"])) if day]
    pages.write(
        place,
        "event",
        name(event["event"]),
        event=event,
        facts=[text for text in (event["site"], " – ".join(dates) or event["year"], event["kind"]) if text],
        n_games=counted(event["n_games"], "game"),
        n_players=counted(event["n_players"], "person", "persons"),
        matches=matches[:_MOST_CHARTS],
        n_matches_left_out=max(0, len(matches) - _MOST_CHARTS),
        grids=[one for one in grids if one.rows],
    )


# Matches


def _matches(corpus: Corpus, series: list[dict[str, Any]]) -> Iterable[dict[str, Any]]:
    """Pairs that met several times, from the side of who scored more: title, chart, table."""
    pairs: dict[tuple[Any, ...], list[dict[str, Any]]] = {}
    for row in series:
        pairs.setdefault((row["player_id"], row["opponent_id"], row["speed"], row["mode"]), []).append(row)
    for (player, opponent, _, _), games in pairs.items():
        last = games[-1]
        lead = last["running_points"] - last["running_opponent_points"]
        is_other_side = lead < 0 or (lead == 0 and (last["player"], player) > (last["opponent"], opponent))
        if len(games) < _LEAST_OF_A_MATCH or is_other_side:
            continue
        title = f"{name(last['player'], 60)} – {name(last['opponent'], 60)} {last['running_score']}"
        yield {"title": title, "speed": last["speed"], "chart": _chart(corpus, games, title), "grid": _match_grid(corpus, games)}


def _chart(corpus: Corpus, games: Sequence[Row], title: str) -> Markup:
    data = []
    for row in games:
        lead: Decimal = row["running_points"] - row["running_opponent_points"]
        place = corpus.game(row["game_id"])
        tip = f"Game {row['round'] or row['game_number']}: {row['cell']}, {row['running_score']}"
        data.append({"number": row["game_number"], "lead": float(lead), "tip": tip, "href": f"../{place}" if place else None})
    return charts.running_score(data, games[0]["player"], f"Running score: {title}")


def _match_grid(corpus: Corpus, games: Sequence[Row]) -> Grid:
    columns = [
        count("game_number", "game"),
        of("round"),
        Column("side", lambda row: {"w": "White", "b": "Black"}.get(row["color"], "")),
        Column("result", lambda row: Link(row["cell"], corpus.game(row["game_id"]))),
        of("running_score", "score"),
    ]
    caption = f"Games from the side of {name(games[0]['player'], 60)}: 1, ½, 0, + and - (forfeit), * (unfinished), ? (not scored)"
    return grid(caption, columns, games, is_sortable=False)


# Tables of an event


def _standings(corpus: Corpus, event: Row) -> Iterable[Grid]:
    """The report `standings`, where the catalog has one that needs no more than the event."""
    report = corpus.reports.get("standings")
    needs = [p.name for p in report.parameters if p.default is None] if report else []
    if report is not None and needs == ["event_name"] and (event["n_players"] or 0) > 2:
        yield report_grid(corpus, report, {"event_name": event["event_id"]}, without=("event", "year", "event_id"))


def _crosstables(corpus: Corpus, event: Row) -> Iterable[Grid]:
    """A drawn crosstable for each speed and mode: players by points, a column for each of them."""
    report = corpus.reports.get("crosstable")
    if report is None or not 1 < (event["n_players"] or 0) <= _MOST_IN_CROSSTABLE:
        return
    rows = catalog.run_report(corpus.connection, report.name, {"event_name": event["event_id"]}).to_pylist()
    groups: dict[str, list[dict[str, Any]]] = {}
    for row in rows:
        kinds = [row["speed"], row.get("mode"), "playoff" if row.get("is_playoff") else None]
        groups.setdefault(", ".join(kind for kind in kinds if kind), []).append(row)
    for what, cells in groups.items():
        yield _drawn(corpus, cells, what)


def _drawn(corpus: Corpus, cells: Sequence[Row], what: str) -> Grid:
    players = {row["player_id"]: row for row in reversed(cells)}
    order = {player: i for i, player in enumerate(dict.fromkeys(row["player_id"] for row in cells), 1)}
    between = {(row["player_id"], row["opponent_id"]): row["cells"] for row in cells}
    columns = [
        Column("#", lambda row: Number(order[row["player_id"]]), is_number=True),
        Column("player", lambda row: corpus.person(row)),
        *(_against(opponent, i, between) for opponent, i in order.items()),
        Column("points", lambda row: points(row["total_points"]), is_number=True),
        Column("n", lambda row: Number(row["total_n"]), is_number=True),
    ]
    return grid(f"Crosstable ({what})", columns, [players[player] for player in order], is_sortable=False)


def _against(opponent: str, i: int, between: dict[tuple[str, str | None], str]) -> Column:
    """The column of one opponent; a cross on the diagonal."""
    return Column(str(i), lambda row: "×" if row["player_id"] == opponent else between.get((row["player_id"], opponent), ""))
