"""The whole command, real parts only: processes that are killed, workers in any number, Ray, and one lake that must be right."""

from __future__ import annotations

import os
import random
import signal
import subprocess
import sys
import threading
import time
from pathlib import Path

import chess
import duckdb
import pytest

from pipeline.run import IngestOptions, ingest_run, plan
from pipeline.store import Lake
from tests.support_cli import ROOT, SAMPLE

N_KILLS = 10
N_FILES, N_GAMES = 24, 30


def random_game(rng: random.Random, number: int) -> str:
    """A game of some thirty legal plies, as PGN."""
    board, words = chess.Board(), []
    for ply in range(rng.randint(20, 40)):
        moves = sorted(board.legal_moves, key=str)
        if not moves:
            break
        words += [f"{ply // 2 + 1}."] if board.turn else []
        words.append(board.san_and_push(rng.choice(moves)))
    result = board.result() if board.is_checkmate() or board.is_stalemate() else rng.choice(["1-0", "0-1", "1/2-1/2"])
    white, black = f"Player{rng.randrange(40)}, A", f"Opponent{rng.randrange(40)}, B"
    tags = [("Event", "Random"), ("Round", number), ("White", white), ("Black", black), ("Result", result)]
    return "".join(f'[{name} "{value}"]\n' for name, value in tags) + f"\n{' '.join(words)} {result}\n\n"


@pytest.fixture(scope="module")
def corpus(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Files of canonical games, each with one broken game, so that both lanes have work."""
    rng = random.Random(1972)
    folder = tmp_path_factory.mktemp("corpus")
    for i in range(N_FILES):
        games = [random_game(rng, i * N_GAMES + k) for k in range(N_GAMES)]
        games.insert(rng.randrange(N_GAMES), '[Event "Broken"]\n[White "A"]\n[Black "B"]\n[Result "*"]\n\n1. e4 e5 2. Ke4 *\n\n')
        (folder / f"{i:02}.pgn").write_text("".join(games))
    return folder


def data_files(lake: Path) -> dict[str, bytes]:
    return {path.name: path.read_bytes() for path in sorted((lake / "data").glob("*.parquet"))}


def made_by(engine: str, workers: int, paths: list[Path], lake: Path) -> dict[str, bytes]:
    """The data files of a lake that so many workers made of several shards."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(plan, "GROUP_BYTES", 32_768)  # many shards out of little text
        result = ingest_run(IngestOptions([str(path) for path in paths], workers=workers, engine=engine), lake=lake)
    assert (result.exit_code, result.problem) == (0, None)
    assert result.n_shards > 4
    return data_files(lake)


@pytest.fixture(scope="module")
def of_one_worker(corpus: Path, tmp_path_factory: pytest.TempPathFactory) -> dict[str, bytes]:
    return made_by("local", 1, [corpus, SAMPLE], tmp_path_factory.mktemp("one") / "lake")


@pytest.mark.slow
@pytest.mark.parametrize("workers", [2, 4])
def test_data_files_are_the_same_bytes_for_any_number_of_workers_and_order_of_paths(
    workers: int, corpus: Path, of_one_worker: dict[str, bytes], tmp_path: Path
) -> None:
    assert made_by("local", workers, [SAMPLE, corpus], tmp_path / "lake") == of_one_worker


@pytest.mark.slow
def test_data_files_are_the_same_bytes_on_ray(corpus: Path, of_one_worker: dict[str, bytes], tmp_path: Path) -> None:
    pytest.importorskip("ray", reason="the extra ray is not installed")
    assert made_by("ray", 2, [corpus, SAMPLE], tmp_path / "lake") == of_one_worker


class _Reader(threading.Thread):
    """Opens the catalog again and again in processes' sight; `wrong` lists what did not fit together."""

    def __init__(self, lake: Path) -> None:
        super().__init__()
        self.lake, self.wrong, self.n_reads, self.is_over = lake, [], 0, False

    def run(self) -> None:
        query = """
            select (select count(*) from games), (select count(distinct game_id) from games), (select sum(n_games) from sources),
                (select sum(n_plies) from games), (select count(*) from plies where variation = 0),
                (select count(*) from sources where n_bytes <> n_bytes_games + n_bytes_quarantined + n_bytes_filler)"""
        while not self.is_over:
            if (self.lake / "catalog.duckdb").exists():
                try:
                    with duckdb.connect(str(self.lake / "catalog.duckdb"), read_only=True) as con:
                        games, distinct, counted, n_plies, plies, bad_bytes = con.execute(query).fetchall()[0]
                    if not games == distinct == counted or n_plies != plies or bad_bytes:
                        self.wrong.append((games, distinct, counted, n_plies, plies, bad_bytes))
                    self.n_reads += 1
                except duckdb.Error as error:
                    self.wrong.append(repr(error))
            time.sleep(0.05)


def start(lake: Path, corpus: Path) -> subprocess.Popen[bytes]:
    command = [sys.executable, "-m", "pipeline", "ingest", str(corpus), "--lake", str(lake), "--workers", "2"]
    env = os.environ | {"PYTHONPATH": str(ROOT)}
    return subprocess.Popen(command, env=env, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)


@pytest.mark.slow
def test_two_ingests_killed_again_and_again_tear_lose_and_double_nothing(corpus: Path, tmp_path: Path) -> None:
    lake, rng = tmp_path / "lake", random.Random(11)
    reader = _Reader(lake)
    reader.start()
    n_at_work = 0
    try:
        for kill in range(N_KILLS):
            for path in sorted(corpus.iterdir())[kill::N_KILLS]:  # there is always something to do
                path.write_text(path.read_text().replace('[Event "Random', f'[Event "Random {kill}', 1))
            both = [start(lake, corpus) for _ in range(2)]
            time.sleep(rng.uniform(0.3, 1.6))
            for process in both:
                n_at_work += process.poll() is None
                process.send_signal(signal.SIGKILL)
                process.wait()
        last = [start(lake, corpus) for _ in range(2)]
        assert [process.wait(120) for process in last] == [0, 0]
    finally:
        reader.is_over = True
        reader.join()

    assert n_at_work >= N_KILLS, "most were killed before they ended"
    assert reader.wrong == []
    assert reader.n_reads > 0
    verified = subprocess.run(
        [sys.executable, "-m", "pipeline", "verify", "--heavy", "--lake", str(lake)],
        env=os.environ | {"PYTHONPATH": str(ROOT)}, capture_output=True, text=True, check=False,
    )  # fmt: skip
    assert verified.returncode == 0, verified.stdout + verified.stderr
    with duckdb.connect(str(lake / "catalog.duckdb"), read_only=True) as con:
        statuses = con.execute("select status, count(*) from games group by status order by status").fetchall()
    assert statuses == [("clean", N_FILES * N_GAMES), ("truncated", N_FILES)]
    assert len(Lake.open(lake).head().sources) == N_FILES
