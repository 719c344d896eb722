"""The games that benchmarks/bench_reports.py measures with: all readable, distinct but for the copies, always the same."""

from __future__ import annotations

from pathlib import Path

from benchmarks import made_games
from pipeline import open_lake
from tests.support_cli import ingest

N, N_COPIES = 400, 2


def test_made_games_are_clean_and_distinct_but_for_copies(tmp_path: Path) -> None:
    made_games.write(tmp_path / "games", N, made_games.SAMPLE)
    assert ingest(tmp_path / "games", "--lake", tmp_path / "lake").code == 0
    lake = open_lake(tmp_path / "lake")
    counted = lake.query("select count(*), count(*) filter (status = 'clean') from games")
    assert counted.row(0) == (N + N_COPIES, N + N_COPIES)
    assert lake.query("select count(*) from games_distinct").item() == N
    assert lake.query("select count(*) from symbols").item() > 50


def test_made_games_are_the_same_every_time() -> None:
    moves = made_games.read_moves(made_games.SAMPLE)
    assert list(made_games.games(100, moves)) == list(made_games.games(100, moves))
