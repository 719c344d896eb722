"""`verify`, `status`, `catalog`, `gc`, `snapshot`: looking after a lake."""

from __future__ import annotations

import json
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

import duckdb
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


def test_verify_finds_snapshots_that_are_gone_and_nothing_makes_it_worse_until_somebody_decides() -> None:
    for name in "ab":
        Path(f"{name}.pgn").write_text(GAME.replace("Nora", name), "utf-8")
        assert ingest(f"{name}.pgn").code == 0
    newest = Path("lake/_snapshots/0000000002.json")
    snapshot = newest.read_bytes()
    newest.unlink()
    question = ("sql", "select count(*) as n from games")
    for arguments in (("verify",), ("verify", "--heavy")):
        found = notatio(*arguments)
        assert (found.code, "catalog shows snapshot 2, but the newest" in found.out) == (3, True)
    for arguments in (("ingest", "b.pgn", "--workers", "1"), ("gc", "--retention", "0")):
        refused = notatio(*arguments)
        assert (refused.code, "0000000002.json" in refused.err, "notatio catalog" in refused.err) == (78, True, True)
        assert notatio(*question).out == "n\n2\n", "readers have what they had"
    newest.write_bytes(snapshot)
    assert notatio("verify").code == 0
    newest.unlink()
    assert notatio("catalog").code == 0
    assert notatio(*question).out == "n\n1\n"
    assert (ingest("b.pgn").code, notatio(*question).out, notatio("verify").code) == (0, "n\n2\n", 0)


@pytest.mark.parametrize(("option", "code"), [("--json", 3), ("--no-build", 2)])
def test_verify_finds_that_all_snapshots_are_gone(option: str, code: int) -> None:
    Path("a.pgn").write_text(GAME, "utf-8")
    assert ingest("a.pgn", option).code == 0
    assert notatio("snapshot", "tag", "first").code == 0
    Path("lake/_snapshots/0000000001.json").unlink()
    found = notatio("verify", "--heavy")
    assert (found.code, "the newest" in found.out, "is none" in found.out) == (code, True, True)
    assert notatio("catalog").code == 0
    assert "first is the name of snapshot 1, but the newest is none" in notatio("verify").out
    assert ingest("a.pgn").code == 0
    assert notatio("verify").code == 0


def test_verify_notes_data_files_that_no_snapshot_needs() -> None:
    Path("a.pgn").write_text(GAME, "utf-8")
    assert ingest("a.pgn").code == 0
    Path(f"lake/data/games-{'0' * 64}.parquet").write_bytes(b"left by a killed run")
    done = notatio("verify")
    assert (done.code, done.out) == (0, "")
    assert "note: 1 data file that no snapshot needs; `notatio gc` removes" in done.err
    notatio("gc", "--retention", "0")
    assert "note:" not in notatio("verify").err


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


# A catalog that must not be asked


QUESTIONS = (("sql", "select white from games"), ("find", "adler"), ("report", "annotation_symbols"), ("verify",))


def foreign_log(catalog: Path) -> None:
    """Leaves a real write-ahead log beside a catalog, as a killed session of another program does."""
    program = """
import duckdb, os, sys
con = duckdb.connect(sys.argv[1])
con.execute("set checkpoint_threshold = '1TB'")
con.execute("create or replace view games as select 'nobody' as white")
os.kill(os.getpid(), 9)
"""
    catalog.chmod(0o644)
    subprocess.run([sys.executable, "-c", program, catalog], check=False)
    catalog.chmod(0o444)
    assert catalog.with_name(f"{catalog.name}.wal").stat().st_size > 0


def test_a_log_beside_the_catalog_is_not_replayed_and_publishing_removes_it() -> None:
    Path("a.pgn").write_text(GAME, "utf-8")
    assert ingest("a.pgn").code == 0
    for mend in (("catalog",), ("ingest", "a.pgn", "--workers", "1")):
        foreign_log(Path("lake/catalog.duckdb"))
        for question in QUESTIONS:
            done = notatio(*question)
            assert (done.code, done.out, "Write it anew with `notatio catalog`" in done.err) == (78, "", True)
        assert notatio(*mend).code == 0
        assert notatio("sql", "select white from games").out == 'white\n"Adler, Nora"\n'


@pytest.mark.parametrize("damage", [lambda _: b"", lambda _: b"x" * 9000, lambda b: b[:5000], lambda b: b[:-1]])
def test_a_damaged_catalog_is_told_with_the_command_that_mends_it(damage: Callable[[bytes], bytes]) -> None:
    Path("a.pgn").write_text(GAME, "utf-8")
    assert ingest("a.pgn").code == 0
    catalog = Path("lake/catalog.duckdb")
    whole = catalog.read_bytes()
    catalog.unlink()
    catalog.write_bytes(damage(whole))
    for question in QUESTIONS:
        done = notatio(*question)
        assert (done.code, done.out, "Write it anew with `notatio catalog`" in done.err) == (78, "", True)
    assert notatio("catalog").code == 0
    assert notatio("verify").code == 0


@pytest.mark.parametrize(
    "question",
    [("sql", "from shorter_scores"), ("report", "standings", "-p", "event_name=Club"), ("verify",), ("sql", "from dusk")],
)
def test_a_catalog_of_another_version_is_told_with_the_command_that_makes_it_anew(question: tuple[str, ...]) -> None:
    Path("a.pgn").write_text(GAME, "utf-8")
    assert ingest("a.pgn").code == 0
    catalog = Path("lake/catalog.duckdb")
    catalog.chmod(0o600)
    with duckdb.connect(str(catalog)) as con:
        con.execute("drop table shorter_scores; drop macro table standings; drop table stored.same_names")
    done = notatio(*question)
    assert (done.code, done.out, "written by another version" in done.err, "`notatio catalog`" in done.err) == (
        78,
        "",
        True,
        True,
    )
    assert notatio("catalog").code == 0
    assert "another version" not in notatio(*question).err


def test_a_catalog_damaged_in_the_middle_is_told_when_somebody_reads_there() -> None:
    Path("a.pgn").write_text(GAME, "utf-8")
    assert ingest("a.pgn").code == 0
    catalog = Path("lake/catalog.duckdb")
    whole = catalog.read_bytes()
    catalog.unlink()
    catalog.write_bytes(whole[:12288] + bytes(len(whole) - 12288))
    done = notatio("sql", "from players")
    assert (done.code, done.out, "is damaged" in done.err, "`notatio catalog`" in done.err) == (78, "", True, True)
