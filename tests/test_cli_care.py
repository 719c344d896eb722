"""`verify`, `status`, `catalog`, `gc`, `snapshot`: looking after a lake."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from pipeline.cli import care
from tests.support_cli import GAME, SAMPLE, ingest, notatio


@pytest.fixture(scope="module")
def lake(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("cli") / "lake"
    assert notatio("ingest", SAMPLE, "--collection", "sample", "--lake", folder, "--workers", 1).code == 0
    return folder


@pytest.fixture(autouse=True)
def _in_an_empty_folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv("NOTATIO_LAKE", raising=False)
    monkeypatch.delenv("NOTATIO_DEBUG", raising=False)
    (tmp_path / "here").mkdir()
    monkeypatch.chdir(tmp_path / "here")


def test_verify_finds_nothing_in_a_good_lake(lake: Path) -> None:
    for arguments in ((), ("--heavy",)):
        done = notatio("verify", "--lake", lake, *arguments)
        assert (done.code, done.out) == (0, "")
        assert done.err.startswith("ok: ")


def test_verify_finds_files_that_are_gone_short_or_changed() -> None:
    Path("a.pgn").write_text(GAME, "utf-8")
    assert ingest("a.pgn").code == 0
    path = next(Path("lake/data").glob("spans-*"))
    whole = path.read_bytes()
    path.write_bytes(whole[:30] + bytes([whole[30] ^ 1]) + whole[31:])
    heavy = notatio("verify", "--heavy")
    assert (heavy.code, "other content" in heavy.out) == (3, True)
    path.write_bytes(whole[:-1])
    short = notatio("verify")
    assert (short.code, "bytes, not" in short.out) == (3, True)
    path.unlink()
    gone = notatio("verify")
    assert (gone.code, "is missing" in gone.out) == (3, True)


def test_status_tells_counts_and_age(lake: Path) -> None:
    told = json.loads(notatio("status", "--json", "--lake", lake).out)
    assert (told["snapshot"], told["catalog_snapshot"], told["n_sources"]) == (1, 1, 17)
    assert told["n_games"] == told["n_clean"] + told["n_truncated"] + told["n_rejected"]
    assert 0 <= told["age_seconds"] < 600
    assert told["last_run"]["exit_code"] == 0
    assert "17 with 51 kB" in notatio("status", "--lake", lake).out


@pytest.mark.parametrize(("max_age", "code"), [("26h", 0), ("7d", 0), ("0s", 3)])
def test_status_exits_with_3_when_the_last_good_run_is_too_old(max_age: str, code: int, lake: Path) -> None:
    assert notatio("status", "--max-age", max_age, "--lake", lake).code == code


def test_a_run_that_goes_on_has_no_exit_code_yet(lake: Path) -> None:
    state = care.state_of(lake)
    state["last_run"] |= {"run_id": "r", "state": "running", "exit_code": None}
    assert "last run  r running" in care._told(state, lake)


@pytest.mark.parametrize(("text", "seconds"), [("30", 30), ("30s", 30), ("1.5 m", 90), ("26h", 93600), ("7D", 604800)])
def test_durations_are_read(text: str, seconds: float) -> None:
    assert care.seconds_of(text) == seconds


def test_a_moved_lake_answers_and_its_catalog_can_be_written_anew() -> None:
    Path("a.pgn").write_text(GAME, "utf-8")
    assert ingest("a.pgn").code == 0
    Path("lake").rename("moved")
    query = ("sql", "select count(*) as n from plies", "--lake", "moved")
    assert notatio(*query).out == "n\n6\n"
    done = notatio("catalog", "--lake", "moved")
    assert (done.code, done.err) == (0, "catalog.duckdb shows snapshot 1\n")
    assert notatio(*query).out == "n\n6\n"


def test_without_build_the_catalog_is_written_on_demand() -> None:
    Path("a.pgn").write_text(GAME, "utf-8")
    assert ingest("a.pgn", "--no-build").code == 0
    refused = notatio("sql", "from games")
    assert (refused.code, "notatio catalog" in refused.err) == (2, True)
    assert "notatio catalog" in notatio("status").out
    assert notatio("catalog").code == 0
    assert notatio("sql", "from games").code == 0


def test_snapshots_are_listed_named_and_swept() -> None:
    Path("a.pgn").write_text(GAME, "utf-8")
    assert ingest("a.pgn", "--no-build").code == 0
    named = notatio("snapshot", "tag", "first")
    assert (named.code, "_snapshots/0000000001.json" in named.err) == (0, True)
    assert Path("lake/_snapshots/0000000001.json").is_file()
    for name in "bc":
        Path("a.pgn").write_text(GAME.replace("Nora", name), "utf-8")
        assert ingest("a.pgn", "--no-build").code == 0
    assert notatio("gc", "--retention", "0").err.startswith("removed 1 snapshot, ")
    rows = [line.split(",") for line in notatio("snapshot", "list").out.splitlines()[1:]]
    assert [(row[0], row[4]) for row in rows] == [("3", ""), ("1", "first")]
    assert notatio("snapshot", "tag", "gone", "2").code == 2
    assert notatio("snapshot", "tag", "7").code == 2
