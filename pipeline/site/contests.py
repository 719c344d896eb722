"""Pages of series and events: scores of pairs, running scores, crosstables, standings, games."""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from decimal import Decimal
from typing import Any

from markupsafe import Markup

from pipeline import catalog
from pipeline.site import charts
from pipeline.site.corpus import Corpus, Progress, Row
from pipeline.site.grid import Column, Grid, Link, Number, count, grid, linked, of, text_of
from pipeline.site.pages import Pages
from pipeline.site.start import report_columns
from pipeline.site.texts import counted, name, years

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
_MOST_BEFORE_POINTS = 30
"""Columns of a match beside which its points would be out of sight; then they stand beside the names."""
_WIDEST = 100
"""Columns of a crosstable; of wider ones only names and points are shown."""
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
    events = corpus.rows(
        "select events.* from site_event join events using (event_id) order by year nulls last, events.event, event_id"
    )
    ids = [event["event_id"] for event in events]
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
        "" if n_all == len(ids) else f"{len(ids):,} of {n_all:,} events: matches and the largest. All: notatio sql 'from events'"
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
    tables = list(_tables(corpus, event))
    note = f"The first {len(games):,} of {event['n_games']:,} games." if len(games) < event["n_games"] else ""
    columns = [
        game_link(corpus),
        of("round"),
        Column("White", lambda row: name(row["white"])),
        Column("Black", lambda row: name(row["black"])),
        of("result"),
        count("n_plies", "half-moves"),
    ]
    dates = [str(day) for day in dict.fromkeys((event["date_first"], event["date_last"])) if day]
    pages.write(
        place,
        "event",
        name(event["event"]),
        event=event,
        facts=[text for text in (event["site"], " – ".join(dates) or event["year"], event["kind"]) if text],
        n_games=counted(event["n_games"], "game"),
        n_players=counted(event["n_players"], "person", "persons"),
        is_match=(event["n_players"] or 0) <= 2,
        matches=matches[:_MOST_CHARTS],
        n_matches_left_out=max(0, len(matches) - _MOST_CHARTS),
        tables=[one for one in tables if one.rows and not one.is_folded],
        games=grid("Games, copies counted once", columns, games, note=note),
        folded=[one for one in tables if one.rows and one.is_folded],
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


_TIE_BREAKS = {"swiss": "BH-C1 BH SB DE WIN"}
_OTHER_TIE_BREAKS = "SB DE WIN KS"
"""Which the report `standings` applies when it is told nothing, by the system of the event."""
_CODE = re.compile("([A-Z]+(?:-[A-Z0-9]+)?): ")
"""How the report's words about a tie-break begin."""
_SECTION_KEYS = ("speed", "mode")


def _tables(corpus: Corpus, event: Row) -> Iterable[Grid]:
    """Final tables and crosstables, both in the order of the report `standings`, for each speed and mode."""
    report = corpus.reports.get("standings")
    n_players = event["n_players"] or 0
    if report is None or "crosstable" not in corpus.reports or not 1 < n_players <= corpus.limits.rows:
        return
    given = {"event_name": event["event_id"]}
    rows = [row for row in catalog.run_report(corpus.connection, report.name, given).to_pylist() if row["player_id"]]
    sections: dict[tuple[Any, ...], list[dict[str, Any]]] = {}
    for row in rows:
        sections.setdefault(tuple(row[key] for key in _SECTION_KEYS), []).append(row)
    if n_players > 2:
        for section in sections.values():
            yield _final(corpus, report, section)
    for drawn in catalog.draw_crosstable(corpus.connection, **given):
        yield _crosstable(corpus, event, drawn, rows)
    if n_players > 2:
        for section in sections.values():
            yield _all_figures(corpus, report, section)


def _final(corpus: Corpus, report: catalog.Report, rows: Sequence[Row]) -> Grid:
    """The final table of a section with the tie-breaks that decided it."""
    codes = {found[1]: column for column in report.columns if (found := _CODE.match(column.doc))}
    used = _TIE_BREAKS.get(rows[0]["system"], _OTHER_TIE_BREAKS).split()
    columns = [
        count("rank"),
        Column("player", lambda row: corpus.person(row)),
        count("points"),
        count("n", doc="Games that the points are from."),
        *(count(key, sign, f"Rounds {what}") for key, sign, what in (("wins", "+", "won"), ("losses", "−", "lost"))),
        count("draws", "=", "Rounds drawn"),
        *(count(codes[code].name, code, codes[code].doc) for code in used if code in codes and code != "WIN"),
    ]
    known = [column for column in columns if any(text_of(column.cell(row)) for row in rows)]
    first = "Who met most opponents stands first, then points count. " if rows[0]["system"] == "knockout" else ""
    note = f"Results as they stand, by no regulations (rules: none). {first}Equal points are parted by {', '.join(used)}, "
    note += "in this order (WIN: wins, the column +)."
    return grid(f"Final table ({_section(rows[0])})", known, rows, note=note)


def _all_figures(corpus: Corpus, report: catalog.Report, rows: Sequence[Row]) -> Grid:
    """All that the report has about the players of a section; folded."""
    without = ("event", "year", "event_id", "speed", "mode", "system")
    told = report_columns(corpus, report, [column.name for column in report.columns if column.name not in without], rows)
    return grid(f"All figures of the final table ({_section(rows[0])})", told, rows, is_folded=True)


def _section(row: Row) -> str:
    return ", ".join(row[key] for key in _SECTION_KEYS if row[key])


def _crosstable(corpus: Corpus, event: Row, drawn: catalog.Drawn, rows: Sequence[Row]) -> Grid:
    """A drawn table, names as links where one person of the event has the name."""
    ids: dict[str, set[str]] = {}
    for row in rows:
        ids.setdefault(row["player"], set()).add(row["player_id"])
    place_of = {who: corpus.player(next(iter(its))) for who, its in ids.items() if len(its) == 1}

    def column(heading: str, i: int) -> Column:
        key = str(i)
        if heading in ("player", "opponent"):
            return Column(heading, lambda row: Link(name(row[key]) if row[key] else "", place_of.get(row[key])))
        if heading == "SB":
            return Column(heading, lambda row: Number(Decimal(row[key])), is_number=True)
        return Column(heading, lambda row: row[key], is_number=drawn.is_number[i])

    head = ", ".join(str(event[key]) for key in ("event", "year") if event[key] is not None)
    what = drawn.title.removeprefix(head).lstrip(", ") or drawn.title
    columns = [column(heading, i) for i, heading in enumerate(drawn.names)]
    note = "Players in the order of the final table." if "opponent" not in drawn.names and (event["n_players"] or 0) > 2 else ""
    if len(columns) > _WIDEST:
        note = f"Too wide for a page. All: notatio report crosstable -p event_name={event['event_id'][:12]}"
        columns = [one for one in columns if not one.heading[:1].isdigit()]
    if len(columns) > _MOST_BEFORE_POINTS and drawn.names[0] == "player":
        columns.insert(1, columns.pop())
    keyed = [{str(i): text for i, text in enumerate(row)} for row in drawn.rows]
    return grid(f"Crosstable ({what})", columns, keyed, note=note, is_sortable=False, is_tight=True)
