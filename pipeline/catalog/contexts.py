"""What the games of two names say about them being one person, for all pairs of names that are asked about at once."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Mapping
from dataclasses import replace
from functools import cache

import duckdb
import pyarrow as pa
from rapidfuzz import fuzz

from pipeline.identity import Context, Decisions, Pair
from pipeline.identity.claims import NEAR_YEARS
from pipeline.identity.linking import ContextOf
from pipeline.names import text_key

_NONE = Context()
_INVOLVED = """
    create temp table _involved as
    select distinct key, circle, opponent, year, month, day, date, event, round, site, content, listing, elo, is_otb, is_classical
    from _side join _circle using (key)
"""
_EVENTS = """
    with seen as (select distinct key, event, year from _involved where event is not null and is_otb)
    select p.key, p.other_key, count(*) as n
    from _pair as p join seen as a on a.key = p.key
    join seen as b on b.key = p.other_key and a.event = b.event and a.year is not distinct from b.year
    group by all
"""
_OPPONENTS = f"""
    with seen as (
        select distinct i.key, word, i.year from _involved as i join _surname as s on s.key = i.opponent
    )
    select p.key, p.other_key, count(distinct a.word) as n
    from _pair as p join seen as a on a.key = p.key
    join seen as b on b.key = p.other_key and a.word = b.word and coalesce(abs(a.year - b.year) <= {NEAR_YEARS}, true)
    group by all
"""
_YEARS = """
    with span as (select key, min(year) as first, max(year) as last from _involved group by key)
    select p.key, p.other_key, greatest(0, a.first - b.last, b.first - a.last) as n
    from _pair as p join span as a on a.key = p.key join span as b on b.key = p.other_key
    where a.first is not null and b.first is not null
"""
_ELOS = """
    with rated as (select key, year, avg(elo) as elo from _involved where elo > 0 and year is not null group by key, year)
    select p.key, p.other_key, min(abs(a.elo - b.elo))::int as n
    from _pair as p join rated as a on a.key = p.key join rated as b on b.key = p.other_key and a.year = b.year
    group by all
"""
_MET = """
    select least(w, b), greatest(w, b), count(*) as n
    from _game join _circle as one on one.key = w join _circle as two on two.key = b and one.circle = two.circle
    where w <> b group by all
"""
_ROUNDS = """
    with played as (
        select distinct key, circle, event, year, round, coalesce(opponent, '') as opponent, content, listing from _involved
        where event is not null and round is not null and coalesce(content, listing) is not null
    ),
    seen as (from played qualify count(*) over (partition by key, event, year, round) = 1)
    select a.key, b.key as other_key, count(*) as n
    from seen as a join seen as b
        on a.circle = b.circle and a.event = b.event and a.round = b.round and a.year is not distinct from b.year
    where a.key < b.key and (a.content <> b.content or a.listing = b.listing)
      and a.opponent <> b.opponent and a.opponent <> b.key and b.opponent <> a.key
    group by all
"""
"""A round in which one name has two games is a stage, not a round. Games without moves are two in one listing (a source)."""
_DAYS = """
    with seen as (
        select distinct key, circle, date, site, opponent, content from _involved
        where date is not null and (month, day) <> (1, 1) and site is not null and content is not null and is_otb and is_classical
    )
    select a.key, b.key as other_key, a.site, b.site as other_site, count(*) as n
    from seen as a join seen as b
        on a.circle = b.circle and a.date = b.date and a.key < b.key and a.site <> b.site
    where a.content <> b.content and a.opponent <> b.opponent
    group by all
"""
"""The first of January is how programs write an unknown day. Rapid and online games have several places a day."""


def contexts(
    con: duckdb.DuckDBPyConnection, pairs: Iterable[Pair], decisions: Decisions, surname: Mapping[str, frozenset[str]]
) -> ContextOf:
    """Gives the context of any two keys that pairs connect; what is in common only for the pairs themselves."""
    asked = sorted({(p.key, p.other_key) for p in pairs} | {(a, b) for a, b, _ in decisions.merges})
    circles = _circles(asked)
    found: dict[tuple[str, str], Context] = defaultdict(Context)
    con.register("_circle", _table("key circle", circles.items()))
    con.register("_pair", _table("key other_key", asked))
    con.register("_surname", _table("key word", ((key, word) for key, words in surname.items() for word in sorted(words))))
    con.execute(_INVOLVED)
    for name, sql in (("n_events", _EVENTS), ("n_opponents", _OPPONENTS), ("years_apart", _YEARS), ("elo_gap", _ELOS)):
        for key, other, n in con.execute(sql).fetchall():
            found[_sorted(key, other)] = replace(found[_sorted(key, other)], **{name: n})
    for name, sql in (("n_met", _MET), ("n_rounds", _ROUNDS)):
        for key, other, n in con.execute(sql).fetchall():
            found[_sorted(key, other)] = replace(found[_sorted(key, other)], **{name: n})
    for key, other, site, other_site, n in con.execute(_DAYS).fetchall():
        if are_two_places(site, other_site):
            before = found[_sorted(key, other)]
            found[_sorted(key, other)] = replace(before, n_days=before.n_days + n)
    con.execute("drop table _involved")
    for name in ("_circle", "_pair", "_surname"):
        con.unregister(name)
    return lambda key, other: found.get(_sorted(key, other), _NONE)


def are_two_places(site: str, other: str) -> bool:
    """Whether two sites are surely two places: no word in common and nothing alike in Latin letters. Names of countries count
    as words, so that `Moscow RUS` and `Riga RUS` are not two."""
    one, two = _words(site), _words(other)
    if not one or not two or not one.isdisjoint(two):
        return False
    return max(fuzz.partial_ratio(a, b) for a in one for b in two) < 70


@cache
def _words(site: str) -> frozenset[str]:
    return frozenset((text_key(site) or "").split())


def _circles(pairs: Iterable[tuple[str, str]]) -> dict[str, str]:
    """Key → the first key that pairs connect it with."""
    parent: dict[str, str] = {}

    def find(key: str) -> str:
        while parent.setdefault(key, key) != key:
            parent[key] = parent[parent[key]]
            key = parent[key]
        return key

    for key, other in pairs:
        one, two = sorted((find(key), find(other)))
        parent[two] = one
    return {key: find(key) for key in sorted(parent)}


def _sorted(key: str, other: str) -> tuple[str, str]:
    return (key, other) if key <= other else (other, key)


def _table(names: str, rows: Iterable[tuple[str, str]]) -> pa.Table:
    pairs = list(rows)
    columns = [pa.array([pair[i] for pair in pairs], pa.string()) for i in (0, 1)]
    return pa.table(columns, names=names.split())
