"""Sides of games whose person does not follow from the name: namesakes, ambiguous abbreviations, decisions about one game."""

from __future__ import annotations

from collections import defaultdict

import duckdb
import pyarrow as pa

from pipeline.catalog.contexts import are_two_places
from pipeline.identity import CONFIDENCE, Claim, Decisions, Namesakes, Persons
from pipeline.identity.claims import NEAR_YEARS
from pipeline.identity.copies import MIN_PLIES
from pipeline.identity.namesakes import GAP_YEARS

MAX_CANDIDATES = 20
"""Of a name that fits more persons no game is looked at: `Ivanov` is nobody's."""
_ANCHORS = """
    create temp table _anchor as
    select c.key, c.person, s.key as own_key, s.fide_id, s.event, s.year, s.round, s.opponent, s.content, s.color, s.n_plies
    from _candidate as c join _side as s on s.key = c.member
    where c.fide_id is null and c.year_from is null or s.fide_id = c.fide_id
       or (s.fide_id is null and c.fide_id is null and s.year between c.year_from and c.year_to)
"""
"""What is known of each person that a name may mean: games under other names, or games that show the namesake."""
_SCORES = f"""
    with target as (select * from _side where key in (select key from _candidate)),
    person as (select key, person, min(year) as first, max(year) as last from _anchor group by key, person),
    held as (select distinct key, person, fide_id from _anchor where fide_id is not null),
    numbered as (select key, person, list(fide_id) as ids from held group by key, person),
    event as (select distinct key, person, event, year from _anchor where event is not null),
    met as (select distinct key, person, opponent, year from _anchor where opponent is not null),
    elsewhere as (
        select distinct key, person, event, year, round, content, opponent from _anchor
        where event is not null and round is not null
    ),
    same as (select distinct key, person, content, color from _anchor where content is not null and n_plies >= {MIN_PLIES}),
    itself as (select distinct key, person, own_key from _anchor),
    scored as (
        select
            t.game_id, t.color, t.key, person.person,
            case
                when t.fide_id is not null and list_contains(n.ids, t.fide_id) then 5
                when t.fide_id is not null and n.ids is not null then -1
                when exists (from itself as i where i.key = t.key and i.person = person.person and i.own_key = t.opponent) then -1
                when exists (
                    from same as g
                    where g.key = t.key and g.person = person.person and g.content = t.content and g.color = t.color
                ) then 4
                when exists (
                    from same as g
                    where g.key = t.key and g.person = person.person and g.content = t.content and g.color <> t.color
                ) then -1
                when exists (
                    from elsewhere as x where x.key = t.key and x.person = person.person and x.event = t.event
                    and x.year is not distinct from t.year and x.round = t.round
                    and x.content <> t.content and x.opponent <> t.opponent
                ) then -1
                when exists (
                    from event as e where e.key = t.key and e.person = person.person and e.event = t.event
                    and e.year is not distinct from t.year
                ) then 3
                when exists (
                    from met as m where m.key = t.key and m.person = person.person and m.opponent = t.opponent
                    and abs(m.year - t.year) <= {NEAR_YEARS}
                ) then 2
                when t.year between person.first - {NEAR_YEARS} and person.last + {NEAR_YEARS} then 1
                when t.year between person.first - {GAP_YEARS} and person.last + {GAP_YEARS} or t.year is null
                    or person.first is null then 0
                else -1
            end as score
        from target as t join person using (key) left join numbered as n on n.key = t.key and n.person = person.person
    )
    select
        game_id, color, key,
        max(score) as best,
        case when count(*) filter (score = top) = 1 and (top > 1 or (top = 1 and count(*) filter (score >= 0) = 1))
             then min(person) filter (score = top) end as person
    from (select *, max(score) over (partition by game_id, color) as top from scored)
    group by game_id, color, key, top
"""
"""By FIDE id, a copy of the game, event, opponent, year: the only person that fits best. A year decides only when no other
could have lived then."""
_CLASHES = """
    with played as (
        select key, date, coalesce(event, 0) as event, site, opponent, content from _side
        where date is not null and (month, day) <> (1, 1) and site is not null and is_otb and is_classical
          and content is not null and opponent is not null
    ),
    busy as (select key, date from played group by key, date having count(*) between 2 and 16),
    place as (
        select key, date, event, site, min(opponent) as opponent, min(content) as content
        from played semi join busy using (key, date)
        group by key, date, event, site having count(*) <= 2
    )
    select a.key, a.event, a.site, b.event, b.site, count(*) as n
    from place as a join place as b
        on a.key = b.key and a.date = b.date and (a.event, a.site) < (b.event, b.site) and a.site <> b.site
    where a.opponent <> b.opponent and a.content <> b.content
    group by all
"""
"""One name on one day at two places. Three and more games in one event and day mean that the day is not the games' own."""

_SAME_ROUNDS = """
    with round as (
        select key, event, year, round, source, min(name) as name, max(name) as other
        from _side where event is not null and round is not null and name is not null
        group by all
        having count(*) = 2 and min(name) <> max(name) and min(coalesce(opponent, '')) <> max(coalesce(opponent, ''))
    ),
    spelling as (select key, name, count(*) as n from _side semi join round using (key) group by key, name)
    select
        key,
        if((one.n, round.name) < (two.n, round.other), round.name, round.other) as less,
        if((one.n, round.name) < (two.n, round.other), round.other, round.name) as more,
        count(*) as n
    from round join spelling as one using (key, name) join spelling as two on two.key = round.key and two.name = round.other
    group by all having count(*) >= 2
"""
"""Two spellings of one key that one source has in the same rounds of an event, against different opponents. Once is a slip."""


def decided_sides(
    con: duckdb.DuckDBPyConnection,
    found: Persons,
    several: Namesakes,
    decisions: Decisions,
) -> tuple[pa.Table, list[Claim]]:
    """Rows of PERSON_SIDES, and the claims that namesakes at two places make."""
    con.execute("""
        create temp table _decided
            (game_id varchar, color varchar, person_key varchar, evidence varchar, confidence double)
    """)
    _by_decision(con, decisions, found)
    claims = [*_in_same_rounds(con), *_at_two_places(con, found)]
    _by_games(con, _others(found, several), found)
    _by_games(con, _own(several, found), found)
    _undecided(con, found, several)
    rows = con.sql("from _decided order by game_id, color").to_arrow_table()
    con.execute("drop table _decided")
    return rows, claims


Candidate = tuple[str, str, str, str | None, int | None, int | None]
"""Key, the person that it may mean, a key of that person, FIDE id, first and last year of the games that count."""


def _others(found: Persons, several: Namesakes) -> list[Candidate]:
    """Persons of other names that an ambiguous name may mean."""
    split = several.keys
    members: dict[str, list[str]] = defaultdict(list)
    for key, person in found.person_of.items():
        members[person].append(key)
    rows: list[Candidate] = []
    for key, fits in sorted(found.ambiguous.items()):
        people = sorted({found.person_of.get(fit, fit) for fit in fits})
        people = [p for p in people if p not in split]
        if len(people) > MAX_CANDIDATES or (len(people) < 2 and key not in split):
            continue
        rows += [(key, person, member, None, None, None) for person in people for member in members.get(person, [person])]
    return rows


def _own(several: Namesakes, found: Persons) -> list[Candidate]:
    """The persons who bear one name, and names that abbreviate it."""
    short_for: dict[str, list[str]] = defaultdict(list)
    for key, fits in sorted(found.ambiguous.items()):
        if len(fits) == 1 and fits[0] != key:
            short_for[fits[0]].append(key)
    rows: list[Candidate] = []
    for part in several.parts:
        row = (part.person_key, part.key, part.fide_id, part.year_from, part.year_to)
        rows += [(key, *row) for key in (part.key, *short_for.get(part.key, ()))]
    return rows


def _by_games(con: duckdb.DuckDBPyConnection, candidates: list[Candidate], found: Persons) -> None:
    """Gives each side of an ambiguous name to the person whose FIDE id, event, opponents or years fit best."""
    if not candidates:
        return
    names = ("key", "person", "member", "fide_id", "year_from", "year_to")
    types = (pa.string(), pa.string(), pa.string(), pa.string(), pa.int32(), pa.int32())
    columns = [pa.array(values, type_) for values, type_ in zip(zip(*candidates, strict=True), types, strict=True)]
    con.register("_candidate", pa.table(columns, names=list(names)))
    con.execute(_ANCHORS)
    kinds = {5: "fide_id", 4: "same_game", 3: "event", 2: "opponent", 1: "years"}
    evidence = ", ".join(f"{score}: '{kind}'" for score, kind in kinds.items())
    confidence = ", ".join(f"{score}: {CONFIDENCE[kind]}" for score, kind in kinds.items())
    con.execute(f"""
        insert into _decided
        select game_id, color, person, map {{{evidence}}}[best], map {{{confidence}}}[best]
        from ({_SCORES}) as scored anti join _decided using (game_id, color) where person is not null
    """)
    con.execute("drop table _anchor")
    con.unregister("_candidate")


def _undecided(con: duckdb.DuckDBPyConnection, found: Persons, several: Namesakes) -> None:
    """What nothing decided stays with the name: as a person that may be several."""
    open_ = {key: f"{key}/?" for key in sorted(several.keys)}
    open_ |= {key: key for key in sorted(found.ambiguous) if key not in open_ and key not in found.person_of}
    if open_:
        con.register("_open", pa.table({"key": list(open_), "person": list(open_.values())}))
        con.execute(f"""
            insert into _decided
            select game_id, color, person, 'undecided', {CONFIDENCE["undecided"]}
            from _side join _open using (key) anti join _decided using (game_id, color)
        """)
        con.unregister("_open")


def _by_decision(con: duckdb.DuckDBPyConnection, decisions: Decisions, found: Persons) -> None:
    rows = [
        {"text_id": text_id, "color": color, "name": None, "person": found.person_of.get(key, key) if key else None}
        for text_id, color, key, _ in decisions.sides
    ]
    rows += [{"text_id": None, "color": None, "name": name, "person": person} for name, person, _ in decisions.spellings]
    if rows:
        schema = pa.schema([(name, pa.string()) for name in ("text_id", "color", "name", "person")])
        con.register("_row", pa.Table.from_pylist(rows, schema))
        con.execute("""
            insert into _decided
            select game_id, color, coalesce(min(person), min(key) || '/split'), 'alias', 1
            from (
                select game_id, s.color, key, person from _side as s join _row as r on r.text_id = s.text_id and r.color = s.color
                union all
                select game_id, s.color, key, person from _side as s join _row as r on r.name = s.name
                where not exists (from _row as o where o.text_id = s.text_id and o.color = s.color)
            ) group by game_id, color
        """)
        con.unregister("_row")


def _in_same_rounds(con: duckdb.DuckDBPyConnection) -> list[Claim]:
    """Spellings of one key that play in the same rounds are two persons: the one with fewer games is a namesake's."""
    found = con.execute(_SAME_ROUNDS).fetchall()
    if not found:
        return []
    away = sorted({(key, less) for key, less, _, _ in found})
    con.register("_away", pa.table({"key": [key for key, _ in away], "name": [name for _, name in away]}))
    con.execute(f"""
        insert into _decided
        select s.game_id, s.color, s.key || '/' || s.name, 'same_round', {CONFIDENCE["namesake"]}
        from _side as s join _away as a using (key, name) anti join _decided using (game_id, color)
    """)
    con.unregister("_away")
    return [
        Claim(key, None, "different", "same_round", CONFIDENCE["same_round"], detail=f"{less} and {more} in {n} rounds")
        for key, less, more, n in sorted(found)
    ]


def _at_two_places(con: duckdb.DuckDBPyConnection, found: Persons) -> list[Claim]:
    """A name at two places on one day is two persons: the event with fewer of its games there is a namesake's."""
    claims, away = [], set[tuple[str, int, str]]()
    clashes = [row for row in con.execute(_CLASHES).fetchall() if are_two_places(row[2], row[4])]
    if not clashes:
        return []
    con.register("_clash", pa.table({"key": sorted({row[0] for row in clashes})}))
    sizes = {
        (key, event, site): n
        for key, event, site, n in con.execute("""
            select key, coalesce(event, 0), site, count(*) from _side semi join _clash using (key)
            where site is not null group by all""").fetchall()
    }
    con.unregister("_clash")
    for key, event, site, other_event, other_site, n in sorted(clashes, key=lambda row: tuple(map(str, row))):
        one, two = (key, event, site), (key, other_event, other_site)
        if one in away or two in away:
            continue
        away.add(min((one, two), key=lambda place: (sizes.get(place, 0), place)))
        detail = f"{n} days at {site} and {other_site}"
        claims.append(Claim(key, None, "different", "two_places", CONFIDENCE["two_places"], detail=detail))
    rows = [{"key": key, "event": event, "site": site} for key, event, site in sorted(away)]
    schema = pa.schema([("key", pa.string()), ("event", pa.uint64()), ("site", pa.string())])
    con.register("_away", pa.Table.from_pylist(rows, schema))
    con.execute(f"""
        insert into _decided
        select s.game_id, s.color, s.key || '/elsewhere', 'two_places', {CONFIDENCE["namesake"]}
        from _side as s join _away as a on a.key = s.key and a.event = coalesce(s.event, 0) and a.site = s.site
        anti join _decided using (game_id, color)
    """)
    con.unregister("_away")
    return claims
