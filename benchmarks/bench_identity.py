"""How well and how fast persons are told.

usage: python benchmarks/bench_identity.py [--games 1000000] [--names 80000]
Prints precision and recall over all pairs of spellings of the labelled set (tests/cases/identity_*.csv), built as a lake;
then the seconds that identity takes for a table of so many games with so many names, made up by chance: 20 % of the names are
written in two ways, some games are found twice.
"""

from __future__ import annotations

import argparse
import itertools
import random
import resource
import sys
import tempfile
import time
from pathlib import Path

import duckdb
import pyarrow as pa

ROOT = Path(__file__).parents[1]
sys.path.insert(0, str(ROOT))

from pipeline.catalog.persons import persons  # noqa: E402
from pipeline.identity import Decisions  # noqa: E402
from pipeline.names import name_key  # noqa: E402
from tests.support_identity import labelled_lake, scored  # noqa: E402

_SYLLABLES = tuple(map("".join, itertools.product("bdfgklmnprstvz", "aeiou")))
_GIVEN = ("Anna", "Boris", "Carl", "Dmitri", "Elena", "Felix", "Georg", "Hanna", "Ivan", "Jan", "Karin", "Leo", "Maria", "Nikola")


def main() -> None:
    """Prints the figures."""
    options = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    options.add_argument("--games", type=int, default=1_000_000)
    options.add_argument("--names", type=int, default=80_000)
    given = options.parse_args()
    for shares in (True, False):
        with tempfile.TemporaryDirectory() as folder:
            con, sides = labelled_lake(Path(folder), shares_games=shares)
            found = scored(con, sides)
            con.close()
        print(f"labelled set, {'some' if shares else 'no'} games in several manners: {len(sides)} sides", end=", ")
        print(f"precision {found.n_right}/{found.n_found} = {found.precision:.1%}", end=", ")
        print(f"recall {found.n_right}/{found.n_true} = {found.recall:.1%}")
    con = duckdb.connect()
    made_up(con, given.games, given.names)
    start, cpu = time.perf_counter(), time.process_time()
    rows = {table.name: found.num_rows for table, found in persons(con, Decisions())}
    seconds, cpu = time.perf_counter() - start, time.process_time() - cpu
    memory = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss >> 10
    print(f"{given.games} games, {given.names} names: {seconds:.1f} s ({cpu:.1f} s of CPU), {memory} MiB at most; rows {rows}")


def made_up(con: duckdb.DuckDBPyConnection, n_games: int, n_names: int) -> None:
    """Makes stored.games with the columns that identity reads."""
    chance = random.Random(7)
    names: list[str] = []
    while len(names) < n_names:
        surname = "".join(chance.choices(_SYLLABLES, k=chance.choice((2, 3, 3, 3)))).title()
        for given in chance.sample(_GIVEN, chance.choice((1, 1, 2, 3, 6))):
            names.append(f"{surname}, {given}")
            if chance.random() < 0.2:
                names.append(f"{surname}, {given[0]}")
    names = names[:n_names]
    con.register("_names", pa.table({"id": range(n_names), "name": names, "key": list(map(name_key, names))}))
    con.execute("create table names as from _names")
    con.execute("create schema stored")
    con.execute(f"""
        create table stored.games as
        with drawn as (
            select i, hash(i) as h, hash(i // 10) as e,
                (pow((hash(i, 'w') % 1000003) / 1000003, 2.5) * {n_names})::int % {n_names} as w,
                (pow((hash(i, 'b') % 1000003) / 1000003, 2.5) * {n_names})::int % {n_names} as b
            from range({n_games}) as t(i)
        )
        select md5(i::varchar) as game_id, md5(i::varchar) as text_id, md5((i // 1000)::varchar) as source_id,
            'clean' as status, 'game' as kind, w.name as white, b.name as black,
            w.key as white_key, b.key as black_key, (1950 + e % 75)::smallint as year, (1 + h % 12)::smallint as month,
            (1 + h % 28)::smallint as day, md5((i - (i % 50 = 1)::int)::varchar) as content_id, 30 + (h % 60)::int as n_plies,
            'Site ' || (e % 5000) as site, 'Event ' || (e % 30000) as event, (1 + i % 10)::varchar as round,
            null::smallint as white_elo, (2000 + h % 700)::smallint as black_elo, null as mode, null as speed,
            case when w % 3 = 0 then (100000 + w)::varchar end as white_fide_id,
            case when b % 3 = 0 then (100000 + b)::varchar end as black_fide_id
        from drawn join names as w on w.id = drawn.w join names as b on b.id = drawn.b
    """)


if __name__ == "__main__":
    main()
