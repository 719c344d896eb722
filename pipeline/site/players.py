"""Pages of persons: results by opponent and year, spellings of the name, games."""

from __future__ import annotations

from typing import Any

from pipeline.site import charts
from pipeline.site.contests import GAME_COLUMNS, NUMBER_OF_GAMES, game_link
from pipeline.site.corpus import Corpus, Progress, Row
from pipeline.site.grid import Column, Link, Number, count, grid, linked, of
from pipeline.site.pages import Pages
from pipeline.site.texts import counted, name, points, years

_BATCH = 50
_SIDES = "from player_games semi join site_player using (player_id)"
_YEARS = """
    select
        player_id, game_year as year, count(*) as n, count(*) filter (is_scored) as n_scored,
        count(*) filter (points = 1) as wins, count(*) filter (points = 0) as losses, count(*) filter (points = 0.5) as draws,
        sum(points) as points
    from site_sides
    group by player_id, game_year order by player_id, game_year nulls last
"""
_SERIES = """
    select *, count(*) over (partition by player_id) as n_all from series_results semi join site_player using (player_id)
    qualify row_number() over (partition by player_id order by n desc, opponent, speed, mode, opponent_id) <= $n
    order by player_id, n desc, opponent, speed, mode, opponent_id
"""
_NAMES = "from player_names semi join site_player using (player_id) order by player_id, n_games desc, name"
_GAMES = f"""
    select side.player_id, side.color, side.points, side.opponent_id, opponent.name as opponent, {GAME_COLUMNS}
    from site_sides as side
    join games_distinct as game using (game_id)
    left join players as opponent on opponent.player_id = side.opponent_id
    qualify row_number() over (partition by side.player_id order by {NUMBER_OF_GAMES}) <= $n
    order by side.player_id, {NUMBER_OF_GAMES}
"""


def write_players(corpus: Corpus, pages: Pages, progress: Progress) -> None:
    """players/index.html, and a page for each chosen person."""
    ids = list(corpus.players)
    n = corpus.limits.rows
    corpus.keep("sides", _SIDES)
    corpus.keep("years", _YEARS)
    corpus.keep("spellings", _NAMES)
    corpus.keep("player_games", _GAMES, n=n)
    if "series_results" in corpus.reports:
        corpus.keep("series", _SERIES, n=n)
    listed = corpus.rows("select players.* from site_player join players using (player_id) order by ordinal")
    for start in range(0, len(ids), _BATCH):
        progress("players", start, len(ids))
        _write_batch(corpus, pages, listed[start : start + _BATCH], ids[start : start + _BATCH])
    n_all = corpus.number("select count(*) from players")
    note = "" if n_all == len(ids) else f"The {len(ids):,} persons with most games, of {n_all:,}. All: notatio sql 'from players'"
    columns = [
        linked("name", lambda row: corpus.player(row["player_id"]), "player"),
        count("n_games", "games"),
        count("n_names", "spellings"),
        Column("years", lambda row: years(row["year_first"], row["year_last"])),
    ]
    pages.write(
        "players/index.html", "listing", "Players", grids=[grid("Persons by games", columns, listed, note=note)], links=[]
    )


def _write_batch(corpus: Corpus, pages: Pages, persons: list[dict[str, Any]], ids: list[str]) -> None:
    series = corpus.batch("series", "player_id", ids) if "series_results" in corpus.reports else {}
    by_year, spellings, games = (corpus.batch(kept, "player_id", ids) for kept in ("years", "spellings", "player_games"))
    for person in persons:
        key = person["player_id"]
        grids = [
            _opponents(corpus, series.get(key, [])),
            _by_year(by_year.get(key, [])),
            grid("Spellings", [of("name", "as written"), count("n_games", "games, with copies")], spellings.get(key, [])),
            _games(corpus, games.get(key, []), person["n_games"]),
        ]
        place = corpus.player(key)
        if place is None:
            continue
        pages.write(
            place,
            "player",
            name(person["name"]),
            person=person,
            n_games=counted(person["n_games"], "game"),
            n_names=counted(person["n_names"], "spelling"),
            years=years(person["year_first"], person["year_last"]),
            chart=_chart(by_year.get(key, []), person["name"]),
            grids=[one for one in grids if one.rows],
        )


def _opponents(corpus: Corpus, rows: list[dict[str, Any]]) -> Any:
    n_all = rows[0]["n_all"] if rows else 0
    note = f"The first {len(rows):,} of {n_all:,}." if len(rows) < n_all else ""
    columns = [
        Column("opponent", lambda row: corpus.person(row, "opponent")),
        of("score"),
        of("series", "+won −lost =drawn"),
        count("n"),
        of("white_series", "with White"),
        of("black_series", "with Black"),
        count("n_forfeits", "forfeits"),
        count("n_excluded", "not scored"),
        Column("years", lambda row: years(row["year_first"], row["year_last"])),
        of("speed"),
        of("mode"),
    ]
    return grid("Results by opponent, speeds and modes apart", columns, rows, note=note)


def _by_year(rows: list[dict[str, Any]]) -> Any:
    columns = [
        Column("year", lambda row: Number(row["year"], "year") if row["year"] else "unknown", is_number=True),
        count("n", "games"),
        count("n_scored", "scored"),
        count("wins"),
        count("draws"),
        count("losses"),
        Column("points", lambda row: Number(row["points"]), is_number=True),
    ]
    return grid("Results by year", columns, rows)


def _chart(rows: list[dict[str, Any]], player: str) -> Any:
    known = [row for row in rows if row["year"] is not None]
    if len(known) < 2:
        return None
    data = [
        {
            "year": row["year"],
            "value": row["n"],
            "tip": f"{row['year']}: {counted(row['n'], 'game')}, {points(row['points']) or '0'} of {row['n_scored']} points",
        }
        for row in known
    ]
    return charts.columns(data, "Year", "Games", f"Games of {name(player, 60)} by year")


def _games(corpus: Corpus, rows: list[dict[str, Any]], n_all: int) -> Any:
    note = f"The first {len(rows):,} of {n_all:,} games." if len(rows) < n_all else ""
    columns = [
        game_link(corpus),
        Column("side", lambda row: {"w": "White", "b": "Black"}.get(row["color"], "")),
        Column("opponent", lambda row: Link(name(row["opponent"] or _other(row)), corpus.player(row["opponent_id"]))),
        Column("points", lambda row: Number(row["points"]), is_number=True),
        Column("event", lambda row: Link(name(row["event"]), corpus.event(row["event_id"]))),
        of("round"),
        count("n_plies", "half-moves"),
        of("result"),
    ]
    return grid("Games, copies counted once", columns, rows, note=note)


def _other(row: Row) -> str | None:
    """The name that stands on the other side, which is nobody's."""
    other: str | None = row["black"] if row["color"] == "w" else row["white"]
    return other
