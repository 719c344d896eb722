"""Who is who: names and sides of the stored games → the tables that the models take persons from.

Asks for facts, lets pipeline/identity decide, stores the result. Everything here counts names, keys and pairs of keys: no
query is quadratic in games, and Python sees no game.
"""

from __future__ import annotations

import hashlib
from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence

import duckdb
import pyarrow as pa

from pipeline import identity, tables
from pipeline.catalog.contexts import contexts
from pipeline.catalog.corrections import BadCorrection, check_made_at
from pipeline.catalog.registries import PERSON_CLAIMS, PERSON_SIDES, SAME_NAMES, Row
from pipeline.catalog.sides import decided_sides
from pipeline.identity import Claim, Decisions, Pair, Persons
from pipeline.identity.copies import MIN_PLIES, same_games
from pipeline.names import name_key
from pipeline.schema import Table

_GAMES = """
    create temp table _game as
    select
        game_id, text_id, hash(source_id) as source, white, black, white_key as w, black_key as b,
        year, month, day, n_plies, white_elo, black_elo,
        case when content_id is not null then hash(content_id) end as content,
        case when content_id is null and n_plies = 0 and status <> 'rejected' then hash(source_id) end as listing,
        case when event is not null and trim(event) not in ('', '?') then hash(lower(trim(event))) end as event,
        case when round not in ('', '?', '-') then round end as round,
        case when trim(site) not in ('', '?') then lower(trim(site)) end as site,
        (year::int * 100 + month) * 100 + day as date,
        coalesce(mode, 'otb') = 'otb' as is_otb, coalesce(speed, 'classical') = 'classical' as is_classical,
        case when regexp_full_match(white_fide_id, '[1-9][0-9]{4,8}') then white_fide_id end as white_fide,
        case when regexp_full_match(black_fide_id, '[1-9][0-9]{4,8}') then black_fide_id end as black_fide
    from stored.games
    where (white_key is not null or black_key is not null) and kind = 'game'
"""
_SIDES = """
    create temp view _side as
    select game_id, 'w' as color, w as key, b as opponent, white as name, white_elo as elo, white_fide as fide_id,
           columns(* exclude (game_id, w, b, white, black, white_elo, black_elo, white_fide, black_fide))
    from _game where w is not null
    union all
    select game_id, 'b', b, w, black, black_elo, black_fide,
           columns(* exclude (game_id, w, b, white, black, white_elo, black_elo, white_fide, black_fide))
    from _game where b is not null
"""
_NAMES = "select name, key, count(*) as n from _side where name is not null group by name, key"
_FIDE_PAIRS = """
    with held as (select fide_id, key from _side where fide_id is not null group by fide_id, key
                  qualify count(*) over (partition by fide_id) <= 8)
    select a.key, b.key as other_key, count(*) as n, 'FIDE id ' || string_agg(fide_id, ', ' order by fide_id) as detail
    from held as a join held as b using (fide_id) where a.key < b.key group by a.key, b.key
"""
"""An id that more than 8 names have is nobody's."""
_TWICE = f"""
    with long as (select content, w, b, year, month, day, event, round from _game
                  where n_plies >= {MIN_PLIES} and w is not null and b is not null and content is not null),
    twice as (select content from long group by content having count(*) > 1),
    game as (select distinct * from long semi join twice using (content)),
    several as (
        select content from game group by content
        having (min(w) <> max(w) or min(b) <> max(b)) and count(*) <= 40
    )
    select one.w, one.b, two.w, two.b, count(distinct content) as n
    from game as one join game as two using (content) semi join several using (content)
    where (one.w, one.b) < (two.w, two.b)
      and coalesce(one.year = two.year, true) and coalesce(one.month = two.month, true) and coalesce(one.day = two.day, true)
      and coalesce(one.event <> two.event or one.round = two.round, true)
    group by all
"""
"""Names of the same game in two places. Dates agree where both are known; two known rounds of one event are two games."""
_CAREERS = """
    with suspect as (
        select key from _side group by key
        having count(distinct fide_id) > 1 or max(year) - min(year) > $max_years or key in (select unnest($known))
    )
    select key, fide_id, year, count(*) as n from _side semi join suspect using (key) group by all
"""


def checked(aliases: Iterable[Row]) -> tuple[list[Row], Decisions]:
    """Rows of aliases.csv, each with an id, and what they decide. Raises BadCorrection for one that makes no sense."""
    rows: list[Row] = [{**row, "decision_id": row["decision_id"] or identity.decision_id(row)} for row in aliases]
    for row in rows:
        check_made_at(row, "aliases")
    try:
        return rows, identity.checked_aliases(rows)
    except identity.BadAlias as error:
        raise BadCorrection(str(error), error.line, "aliases") from None


def persons(con: duckdb.DuckDBPyConnection, decisions: Decisions) -> Iterator[tuple[Table, pa.Table]]:
    """The tables of PERSONS with their rows, from stored.games and what people decided."""
    con.execute(_GAMES)
    con.execute(_SIDES)
    names = con.execute(_NAMES).fetchall()
    n_games: dict[str, int] = defaultdict(int)
    for _, key, n in names:
        n_games[key] += n
    several = _namesakes(con)
    found = _linked(con, names, n_games, several, decisions)
    sides, claims = decided_sides(con, found, several, decisions)
    yield SAME_NAMES, _same_names(n_games, found)
    yield PERSON_SIDES, sides.cast(PERSON_SIDES.schema)
    yield PERSON_CLAIMS, _claim_rows([*found.claims, *several.claims, *claims], found)
    con.execute("drop view if exists _side")
    con.execute("drop table if exists _game")


def _namesakes(con: duckdb.DuckDBPyConnection) -> identity.Namesakes:
    known = sorted({key for row in tables.rows("lifetimes") if (key := name_key(row["name"])) is not None})
    careers = con.execute(_CAREERS, {"max_years": identity.MAX_YEARS, "known": known}).fetchall()
    return identity.namesakes(careers)


def _linked(
    con: duckdb.DuckDBPyConnection,
    names: Sequence[tuple[str, str, int]],
    n_games: Mapping[str, int],
    several: identity.Namesakes,
    decisions: Decisions,
) -> Persons:
    """Persons by names alone."""
    surname = identity.surnames(names)
    pairs = identity.candidates(surname)
    pairs += [Pair(key, other, "fide_id", n, detail) for key, other, n, detail in con.execute(_FIDE_PAIRS).fetchall()]
    pairs += same_games(con.execute(_TWICE).fetchall())
    fide_ids: dict[str, set[str]] = defaultdict(set)
    for key, fide_id in con.execute("select distinct key, fide_id from _side where fide_id is not null").fetchall():
        fide_ids[key].add(fide_id)
    return identity.link(
        pairs,
        decisions,
        context=contexts(con, pairs, decisions, surname),
        fide_ids={key: frozenset(ids) for key, ids in fide_ids.items()},
        n_games=n_games,
        split_keys=several.keys,
    )


def _same_names(n_games: Mapping[str, int], found: Persons) -> pa.Table:
    best: dict[str, Claim] = {}
    for claim in found.claims:
        if claim.is_accepted and claim.claims == "same" and claim.other_key is not None:
            for key in (claim.key, claim.other_key):
                if key not in best or claim.confidence > best[key].confidence:
                    best[key] = claim
    keys = sorted({*n_games, *found.person_of})
    people = [found.person_of.get(key, key) for key in keys]
    linked = [best.get(key) if key != person else None for key, person in zip(keys, people, strict=True)]
    columns = (
        keys,
        people,
        [claim.evidence if claim else "key" for claim in linked],
        [claim.confidence if claim else 1.0 for claim in linked],
    )
    return pa.table(list(columns), schema=SAME_NAMES.schema)


def _claim_rows(claims: Iterable[Claim], found: Persons) -> pa.Table:
    rows = {}
    for claim in claims:
        said = (claim.key, claim.other_key or "", claim.claims, claim.evidence)
        id_ = hashlib.sha256("\n".join(said).encode()).hexdigest()[:32]
        row = {name: getattr(claim, name) for name in PERSON_CLAIMS.schema.names if hasattr(claim, name)}
        if id_ not in rows or claim.is_accepted:
            rows[id_] = {**row, "claim_id": id_, "person_key": found.person_of.get(claim.key, claim.key)}
    return pa.Table.from_pylist([rows[id_] for id_ in sorted(rows)], PERSON_CLAIMS.schema)
