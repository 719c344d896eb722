"""A disk that is really full: a small file system in memory. Nothing that was committed is lost, and the run goes on later."""

from __future__ import annotations

import os
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

from pipeline.schema import RESULTS_VERSION
from pipeline.store import DiskFull, Lake, gc
from tests.support_store import data_files, events, game, ingest, live_rows

SIZE_MIB = 6


@pytest.fixture
def small_disk(tmp_path: Path) -> Iterator[Path]:
    """A file system of a few MiB."""
    if sys.platform != "linux" or os.geteuid() != 0:
        pytest.skip("only root may mount a small file system, on Linux")
    disk = tmp_path / "disk"
    disk.mkdir()
    mount = subprocess.run(
        ["mount", "-t", "tmpfs", "-o", f"size={SIZE_MIB}m", "none", str(disk)], capture_output=True, text=True, check=False
    )
    if mount.returncode:
        pytest.skip(f"mounting a small file system is not allowed here: {mount.stderr.strip()}")
    try:
        yield disk
    finally:
        subprocess.run(["umount", str(disk)], check=True)


def fill(disk: Path, n_free_bytes: int) -> Path:
    """Leaves this much room; gives the file to remove for more."""
    usage = os.statvfs(disk)
    ballast = disk / "ballast"
    ballast.write_bytes(b"\0" * max(0, usage.f_bavail * usage.f_frsize - n_free_bytes))
    return ballast


def noise(n_bytes: int) -> str:
    """Letters that do not compress."""
    return os.urandom(n_bytes // 2).hex()


@pytest.fixture
def texts(tmp_path: Path) -> Path:
    """Six files of a shard each; their bad games go to quarantine whole, 1.5 MiB of data a file."""
    folder = tmp_path / "texts"
    folder.mkdir()
    for i in range(6):
        text = game(f"{i} good") + game(f"{i} bad", f"BAD{noise(3 << 20)}")
        (folder / f"f{i}.pgn").write_bytes(text)
    return folder


@pytest.mark.parametrize("workers", [1, 2])
def test_a_full_disk_is_exit_75_and_the_run_goes_on_when_there_is_space(workers: int, small_disk: Path, texts: Path) -> None:
    lake = small_disk / "lake"
    (texts.parent / "first").mkdir()
    (texts.parent / "first" / "first.pgn").write_bytes(game("first"))
    assert ingest(lake, texts.parent / "first").exit_code == 0

    result = ingest(lake, texts, workers=workers)
    assert (result.exit_code, "No space left" in str(result.problem)) == (75, True)
    assert "first" in events(lake), "what was committed stays"
    assert not [name for name in data_files(lake) if name.startswith(".tmp-")]
    before = Lake.open(lake).head()
    assert all((lake / file).exists() for files in before.files.values() for file in files)

    subprocess.run(["mount", "-o", "remount,size=64m", str(small_disk)], check=True)
    again = ingest(lake, texts, workers=workers)
    assert again.exit_code == 0
    assert events(lake) == sorted(["first", *(f"{i} {kind}" for i in range(6) for kind in ("good", "bad"))])
    assert len(live_rows(lake, "quarantine")) == 6
    assert len(before.sources) + again.n_new == 7
    states = [row["state"] for row in Lake.open(lake).head().runs]
    assert states[0] == states[-1] == "finished"
    assert states[1] in ("interrupted", "killed"), "killed when even the manifest found no room"


def test_a_commit_without_room_changes_nothing_and_gc_can_make_room(small_disk: Path, texts: Path) -> None:
    lake = small_disk / "lake"
    ingest(lake, texts / "f0.pgn")
    ballast = fill(small_disk, 0)
    with pytest.raises(DiskFull) as full:
        Lake.open(lake).forget(
            [row["source_id"] for row in Lake.open(lake).head().sources], because="x", results_version=RESULTS_VERSION
        )
    assert full.value.exit_code == 75
    assert events(lake) == ["0 bad", "0 good"]
    ballast.unlink()
    Lake.open(lake).forget(
        [row["source_id"] for row in Lake.open(lake).head().sources], because="x", results_version=RESULTS_VERSION
    )
    fill(small_disk, 64 << 10)
    (lake / "catalog.duckdb").unlink()
    assert gc(Lake.open(lake), retention_seconds=0).n_bytes > 1 << 20


def test_a_disk_without_room_for_a_lake_is_refused(small_disk: Path, texts: Path) -> None:
    fill(small_disk, 0)
    with pytest.raises(DiskFull, match="No space left for the lake"):
        ingest(small_disk / "lake", texts)
