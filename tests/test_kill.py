"""Two ingests side by side that are killed with -9 again and again, and a reader that never looks away.

At no moment may a snapshot or the catalog be torn, at the end nothing may be lost or there twice.
"""

from __future__ import annotations

import random
import subprocess
import sys
import threading
import time
from collections import Counter
from pathlib import Path

import duckdb
import pytest

from pipeline.store import Lake, NoLake, Snapshot, gc, published_number, runs
from tests.support_store import ROOT, data_files, events, game, ingest

N_KILLS = 12
SEED = 20_261_130


class Reader(threading.Thread):
    """Looks at the newest snapshot and at the catalog all the time; `wrong` lists what was not as it must be."""

    def __init__(self, lake: Path) -> None:
        super().__init__()
        self.lake = lake
        self.wrong: list[str] = []
        self.n_looks = 0
        self.n_catalogs = 0
        self.newest = self.shown = 0
        self.is_over = False

    def run(self) -> None:
        while not self.is_over:
            try:
                self.snapshot()
                self.catalog()
            except NoLake:
                pass
            except Exception as error:  # noqa: BLE001 - any error that a reader meets is what this test looks for
                self.wrong.append(repr(error))
            time.sleep(0.02)

    def snapshot(self) -> None:
        head = Lake.open(self.lake).head()
        self.n_looks += 1
        if head.number < self.newest:
            self.wrong.append(f"snapshot {head.number} after {self.newest}")
        if head.number > self.newest:
            self.newest = head.number
            self.wrong += faults_of(self.lake, head)

    def catalog(self) -> None:
        path = self.lake / "catalog.duckdb"
        if not path.exists():
            return
        with duckdb.connect(str(path), read_only=True) as con:
            one = con.execute("select (select snapshot from about), count(*), count(distinct game_id) from games").fetchall()[0]
            n_plies = con.execute("select count(*) from plies").fetchall()[0][0]
        self.n_catalogs += 1
        if one[0] < self.shown or one[1] != one[2] or n_plies != 2 * one[1]:
            self.wrong.append(f"catalog {one} with {n_plies} plies after {self.shown}")
        self.shown = one[0]


def faults_of(lake: Path, snapshot: Snapshot) -> list[str]:
    """What is wrong with a snapshot: files missing or torn, sources in part or twice."""
    games = rows(lake, snapshot, "games", "source_id")
    plies = rows(lake, snapshot, "plies", "game_id")
    expected = {row["source_id"]: row["n_games"] for row in snapshot.sources}
    faults = []
    if Counter(games) != Counter(expected):
        faults.append(f"snapshot {snapshot.number}: sources in part or twice")
    if len(plies) != 2 * len(games) or len(set(plies)) != len(games):
        faults.append(f"snapshot {snapshot.number}: {len(games)} games, {len(plies)} plies")
    return faults


def rows(lake: Path, snapshot: Snapshot, table: str, column: str) -> list[str]:
    import pyarrow.parquet as pq

    return [v for file in snapshot.files.get(table, []) for v in pq.read_table(lake / file, columns=[column])[column].to_pylist()]


class Texts:
    """The folders that are read; `names` are the games that a lake shall hold at the end."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self.names: dict[str, list[str]] = {}

    def add(self, who: str) -> None:
        """One more file for `who`: four games, not quite 2 MiB, so that two are a shard, which takes a quarter of a second."""
        path = self.folder / who / f"{who}{len(list(self.folder.glob(f'{who}/*')))}.pgn"
        path.parent.mkdir(exist_ok=True)
        self.names[path.name] = [f"{path.stem} {n}" for n in range(4)]
        path.with_suffix(".part").write_bytes(b"".join(game(n, "SLOW", n_filler_bytes=500_000) for n in self.names[path.name]))
        path.with_suffix(".part").rename(path)

    def change(self) -> None:
        """One file becomes another one."""
        (self.folder / "shared" / "shared0.pgn").write_bytes(game("changed"))
        self.names["shared0.pgn"] = ["changed"]


def start(lake: Path, *paths: Path, workers: int) -> subprocess.Popen[bytes]:
    arguments = [str(lake), *map(str, paths), "--workers", str(workers), "--commit-seconds", "0.2", "--collection", "c"]
    return subprocess.Popen([sys.executable, "-m", "tests.support_store", *arguments], cwd=ROOT, stdout=subprocess.DEVNULL)


def n_killed(lake: Path) -> int:
    """Runs that had begun and did not come to their end."""
    manifests = runs.manifests(lake / "runs") if lake.exists() else []
    return sum(row["finished_at"] is None and not runs.is_live(lake / "runs" / row["run_id"]) for row in manifests)


@pytest.mark.slow
def test_nothing_is_torn_lost_or_twice_when_two_ingests_are_killed_again_and_again(tmp_path: Path) -> None:
    lake, texts = tmp_path / "lake", Texts(tmp_path)
    reader = Reader(lake)
    reader.start()
    try:
        kill_again_and_again(lake, texts, random.Random(SEED))
    finally:
        reader.is_over = True
        reader.join()
    assert reader.wrong == []
    assert reader.n_looks > 20
    assert reader.n_catalogs > 0

    final = ingest(lake, *(tmp_path / who for who in ("shared", "mine", "yours")), collection="c")
    assert (final.exit_code, final.n_new, final.n_replaced, final.n_skipped) == (0, 0, 0, len(texts.names))
    assert events(lake) == sorted(name for names in texts.names.values() for name in names)
    head = Lake.open(lake).head()
    assert published_number(lake) == head.number
    assert faults_of(lake, head) == []
    gc(Lake.open(lake), retention_seconds=0)
    assert {f"data/{name}" for name in data_files(lake)} == {file for files in head.files.values() for file in files}
    assert runs.folders(lake / "runs") == []


def kill_again_and_again(lake: Path, texts: Texts, dice: random.Random) -> None:
    """Until N_KILLS runs were killed; then two come to their end. Each finds something new; half way, a file is replaced."""
    for who in ("shared", "shared", "mine", "yours"):
        texts.add(who)
    jobs: dict[str, subprocess.Popen[bytes]] = {}
    n_kills, n_rounds = 0, 0
    while n_kills < N_KILLS:
        n_rounds += 1
        assert n_rounds < 5 * N_KILLS, "the runs end before they can be killed"
        for who in ("mine", "yours"):
            if who not in jobs:
                texts.add(dice.choice([who, "shared"]))
                jobs[who] = start(lake, texts.folder / "shared", texts.folder / who, workers=dice.choice([1, 2]))
        time.sleep(dice.uniform(0.3, 1.3))
        who = dice.choice(["mine", "yours"])
        jobs[who].kill()
        jobs.pop(who).wait()
        n_kills = n_killed(lake)
        if n_rounds == N_KILLS // 2:
            texts.change()
        for who in [who for who, job in jobs.items() if job.poll() is not None]:
            assert jobs.pop(who).returncode == 0
    last = [*jobs.values(), *(start(lake, texts.folder / "shared", texts.folder / who, workers=1) for who in ("mine", "yours"))]
    assert [job.wait(60) for job in last] == [0] * len(last)
