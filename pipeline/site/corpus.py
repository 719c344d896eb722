"""What of a lake gets a page of its own, and where that page is. A lake of a million games must not become a million files."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import duckdb

from pipeline import catalog
from pipeline.site.grid import Link
from pipeline.site.texts import file_name, name

Row = Mapping[str, Any]
Progress = Callable[[str, int, int], None]
"""Told what is being written, how much of it is done, and how much there is."""


@dataclass(frozen=True, slots=True)
class Limits:
    """How much is written. What is left out is said on the page."""

    games: int = 2_000
    """Pages of games: annotated, unclean or of a match first."""
    players: int = 500
    """Pages of persons: those with most games."""
    events: int = 200
    """Pages of events: matches and the largest first."""
    rows: int = 200
    """Rows of a table."""


@dataclass(frozen=True, slots=True)
class Answer:
    """Columns and first rows of a report, of `n_all`."""

    columns: Sequence[str]
    rows: Sequence[dict[str, Any]]
    n_all: int


_GAMES = """
    create temp table site_game as
    with annotated as (select distinct game_id from annotations)
    select
        row_number() over (order by rank, year nulls last, date nulls last, event nulls last, round_major nulls last,
            round_minor nulls first, game_id) as ordinal,
        game_id, cluster_id
    from (
        select
            g.game_id, d.cluster_id, g.year, g.date, g.event, g.round_major, g.round_minor,
            case
                when d.is_chosen and (a.game_id is not null or e.kind = 'match' or g.status <> 'clean') then 0
                when d.is_chosen then 1
                else 2
            end as rank
        from games as g
        join duplicates as d using (game_id)
        left join events as e using (event_id)
        left join annotated as a using (game_id)
    )
    order by ordinal limit $n
"""
_PLAYERS = """
    create temp table site_player as
    select row_number() over (order by n_games desc, name, player_id) as ordinal, player_id, name
    from players order by ordinal limit $n
"""
_EVENTS = """
    create temp table site_event as
    select
        row_number() over (
            order by kind = 'match' and n_games > 1 desc nulls last, n_games desc, year nulls last, event, event_id
        ) as ordinal,
        event_id, event
    from events where event is not null order by ordinal limit $n
"""


class Corpus:
    """A session of a lake's catalog, with what was chosen in the temporary tables site_game, site_player and site_event."""

    def __init__(self, connection: duckdb.DuckDBPyConnection, limits: Limits) -> None:
        self.connection = connection
        self.limits = limits
        self._answers: dict[str, Answer] = {}
        self.reports = {report.name: report for report in catalog.reports() if self._is_there(report)}
        self.games = self._chosen("game", "game_id", _GAMES, limits.games)
        self.players = self._chosen("player", "player_id", _PLAYERS, limits.players)
        self.events = self._chosen("event", "event_id", _EVENTS, limits.events)

    def rows(self, query: str, **parameters: Any) -> list[dict[str, Any]]:
        """Rows of a query as Python values."""
        return catalog.rows(self.connection, query, **parameters)

    def number(self, query: str, **parameters: Any) -> int:
        """The one number that a query gives."""
        return sum(int(n or 0) for (n,) in self.connection.execute(query, parameters or None).fetchall())

    def keep(self, name: str, query: str, **parameters: Any) -> None:
        """Answers a question about everything that was chosen, once: batches then ask the temporary table site_<name>."""
        self.connection.execute(f"create temp table site_{name} as {query}", parameters or None)

    def batch(self, name: str, key: str, ids: Sequence[str]) -> dict[str, list[dict[str, Any]]]:
        """Rows of what was kept, by `key`, in their order, for some ids."""
        groups: dict[str, list[dict[str, Any]]] = {}
        for row in self.rows(f"select * from site_{name} where {key} in (select unnest($ids)) order by rowid", ids=list(ids)):
            groups.setdefault(row[key], []).append(row)
        return groups

    def report(self, name: str, **parameters: Any) -> Answer:
        """The first rows of a report. It is computed once, in a table that may spill to disk, however long it is."""
        if not parameters and name in self._answers:
            return self._answers[name]
        call = f"{name}({', '.join(f'{key} := ${key}' for key in parameters)})" if self.reports[name].parameters else name
        self.keep("report", f"from {call}", **parameters)
        rows = self.rows("select * from site_report order by rowid limit $n", n=self.limits.rows)
        columns = [column for (column, *_) in self.connection.execute("describe site_report").fetchall()]
        answer = Answer(columns, rows, self.number("select count(*) from site_report"))
        self.connection.execute("drop table site_report")
        if not parameters:
            self._answers[name] = answer
        return answer

    def _is_there(self, report: catalog.Report) -> bool:
        """Whether the catalog, which an older version may have made, has the report."""
        query = """
            select count(*) from duckdb_views() where view_name = $name and not internal
            union all select count(*) from duckdb_tables() where table_name = $name and not internal
            union all select count(*) from duckdb_functions() where function_name = $name and not internal
        """
        return any(n for (n,) in self.connection.execute(query, {"name": report.name}).fetchall())

    def _chosen(self, what: str, key: str, query: str, n: int) -> dict[str, int]:
        """Ids that have a page, in their order → position from 1."""
        self.connection.execute(query, {"n": n})
        found = self.connection.execute(f"select {key}, ordinal from site_{what} order by ordinal").fetchall()
        return dict(found)

    # Places

    def game(self, game_id: str | None) -> str | None:
        """Where the page of a game is; None when it has none."""
        return f"games/{file_name(game_id)}.html" if game_id in self.games and game_id else None

    def player(self, player_id: str | None) -> str | None:
        """Where the page of a person is; None when there is none."""
        return f"players/{file_name(player_id)}.html" if player_id in self.players and player_id else None

    def event(self, event_id: str | None) -> str | None:
        """Where the page of an event is; None when there is none."""
        return f"events/{file_name(event_id)}.html" if event_id in self.events and event_id else None

    def person(self, row: Row, who: str = "player") -> Link:
        """The person of a row with `player` and `player_id`, or `opponent` and `opponent_id`."""
        return Link(name(row[who]), self.player(row[f"{who}_id"]))
