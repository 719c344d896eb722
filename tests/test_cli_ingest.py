"""`notatio ingest` and `demo`: what they tell, which lake they use, how they end."""

from __future__ import annotations

import json
import re
import shlex
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

from pipeline.cli.log import RunLog
from tests.support_cli import GAME, ROOT, SAMPLE, Done, ingest, notatio, process


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


# Ingest


def summary(done: Done) -> dict[str, str]:
    """The summary's lines by their headings."""
    return dict(line.split(maxsplit=1) for line in done.err.splitlines() if " " in line)


def test_ingest_tells_games_bytes_encodings_and_languages() -> None:
    done = ingest(SAMPLE, "--lake", "lake")
    told = summary(done)
    assert (done.code, done.out) == (0, "")
    assert told["sources"] == "17 new; snapshot 1"
    numbers = [int(n.replace(",", "")) for n in re.findall(r"\d[\d,]*", told["games"])]
    assert numbers[0] == sum(numbers[1:4]) > 60
    assert sum(map(float, re.findall(r"([\d.]+) %", told["bytes"]))) == pytest.approx(100, abs=0.2)
    assert "cp1251 1" in told["encodings"]
    assert {"ru", "uk", "de", "fr", "figurine"} <= set(re.findall(r"[a-z]+", told["languages"]))
    assert "quarantine_reasons" in done.err


def test_a_second_ingest_has_nothing_to_do(lake: Path) -> None:
    done = ingest(SAMPLE, "--collection", "sample", "--lake", lake)
    assert (done.code, done.err) == (0, "nothing to do: all 17 sources are known\n")


def test_json_puts_one_object_on_stdout_that_adds_up() -> None:
    done = ingest(SAMPLE, "--lake", "lake", "--json", "--no-build")
    told = json.loads(done.out)
    assert told["n_games"] == told["n_clean"] + told["n_truncated"] + told["n_rejected"]
    assert told["n_bytes"] == told["n_bytes_games"] + told["n_bytes_quarantined"] + told["n_bytes_filler"]
    assert (told["n_new"], told["exit_code"], told["snapshot_after"]) == (17, 0, 1)
    assert sum(told["encodings"].values()) == 17
    assert list(told["encodings"])[:4] == ["utf-8", "ascii", "cp1251", "cp1252"], "most first, equal ones by name"


def test_a_dry_run_lists_what_would_be_read_and_writes_nothing() -> None:
    done = ingest(SAMPLE, "--lake", "lake", "--dry-run")
    assert done.code == 0
    assert str(SAMPLE / "faults.pgn") in done.out.splitlines()
    assert f"{SAMPLE / 'match-1972-club.zip'}!white.pgn" in done.out.splitlines()
    assert "would read 17 sources" in done.err
    assert not Path("lake").exists()


def test_more_quarantine_than_allowed_exits_with_3_and_keeps_the_games() -> None:
    done = ingest(SAMPLE / "faults.pgn", "--lake", "lake", "--max-quarantine", 1)
    assert done.code == 3
    assert "more than 1 %" in done.err
    assert notatio("sql", "select count(*) > 10 as ok from games", "--lake", "lake").out == "ok\ntrue\n"


def test_stdin_is_filed_under_its_name() -> None:
    assert ingest("-", "--name", "today.pgn", "--lake", "lake", stdin=GAME.encode()).code == 0
    assert notatio("sql", "select path from sources", "--lake", "lake").out == "path\ntoday.pgn\n"


def test_other_options_replace_a_reading_with_a_warning() -> None:
    Path("a.pgn").write_text(GAME, "utf-8")
    assert ingest("a.pgn", "--no-build").code == 0
    done = ingest("a.pgn", "--language", "EN", "--encoding", "Latin-1", "--no-build")
    assert "warning: a.pgn" in done.err
    assert "language en, encoding cp1252" in done.err
    assert "1 replaced" in done.err


def test_what_is_gone_is_taken_out_only_with_prune() -> None:
    Path("club").mkdir()
    for name in "abc":
        Path("club", f"{name}.pgn").write_text(GAME.replace("Nora", name.upper()), "utf-8")
    again = ("club", "--collection", "club", "--no-build")
    assert ingest(*again).code == 0
    Path("club/b.pgn").unlink()
    kept = ingest(*again)
    assert kept.code == 0
    assert kept.err.count("1 path is gone; --prune takes it out\n") == 1
    assert "nothing to do" in kept.err
    refused = ingest(*again, "--prune")
    assert (refused.code, "--max-prune" in refused.err) == (3, True)
    done = ingest(*again, "--prune", "--max-prune", 50)
    assert (done.code, "took out 1 path that is gone" in done.err) == (0, True)
    assert "--prune takes" not in refused.err + done.err
    assert json.loads(notatio("status", "--json").out)["n_sources"] == 2


def test_one_is_one_and_not_several() -> None:
    Path("a.pgn").write_text("1. e4 1-0\n", "utf-8")
    done = ingest("a.pgn")
    assert "; 1 half-move\n" in done.err
    assert ingest("a.pgn").err == "nothing to do: the source is known\n"
    assert "; 1 half-move\n" in notatio("status").out


def test_a_folder_without_files_is_nothing_to_do() -> None:
    Path("empty").mkdir()
    done = ingest("empty")
    assert (done.code, done.err) == (0, "nothing to do: no files there\n")


def test_the_lake_is_named_by_option_variable_or_default(lake: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    query = ("sql", "select count(*) as n from sources")
    monkeypatch.setenv("NOTATIO_LAKE", str(lake))
    assert notatio(*query).out == "n\n17\n"
    Path("a.pgn").write_text(GAME, "utf-8")
    assert ingest("a.pgn", "--lake", "lake").code == 0
    assert notatio(*query, "--lake", "lake").out == "n\n1\n"
    monkeypatch.delenv("NOTATIO_LAKE")
    assert notatio(*query).out == "n\n1\n"


@pytest.mark.parametrize(
    ("event", "line"),
    [
        (
            {"event": "warning", "path": "a.zip", "status": "container_corrupt", "detail": "it ends early"},
            "warning: a.zip: container_corrupt: it ends early",
        ),
        ({"event": "warning", "path": "a.png", "status": "binary", "detail": "PNG"}, "note: a.png: binary: PNG"),
        (
            {"event": "deferred", "path": "a.pgn", "detail": "modified just now"},
            "left for the next run: a.pgn: modified just now",
        ),
        (
            {"event": "killed", "shard_id": "0", "n_sources": 1},
            "warning: A shard kills its worker; looking for the game that does it",
        ),
        ({"event": "failed", "source_id": "0", "path": "a\x1b[2J.pgn", "detail": "why"}, "error: a?[2J.pgn: why"),
        (
            {"event": "shard", "kind": "error", "n_bytes": 1, "error": "Traceback\n  line\nValueError: x"},
            "warning: A shard failed: ValueError: x",
        ),
        ({"event": "prune_refused", "n_gone": 3, "detail": "3 of 4 paths are gone"}, "warning: 3 of 4 paths are gone"),
        ({"event": "gone", "n_gone": 1}, "1 path is gone; --prune takes it out"),
        ({"event": "gone", "n_gone": 1200}, "1,200 paths are gone; --prune takes them out"),
        ({"event": "pruned", "paths": ["b.pgn"]}, "taken out: b.pgn"),
        (
            {"event": "stopping", "because": "stopped by SIGTERM"},
            "stopped by SIGTERM: finishing what has begun; once more Ctrl-C ends at once",
        ),
        ({"event": "of a later version"}, ""),
    ],
)
def test_events_of_a_run_are_lines_of_the_log(event: dict[str, Any], line: str, capsys: pytest.CaptureFixture[str]) -> None:
    with RunLog() as log:
        log(event)
    assert capsys.readouterr() == ("", f"{line}\n" if line else "")


def test_a_log_that_nobody_reads_does_not_stop_the_work() -> None:
    Path("a.pgn").write_text(GAME, "utf-8")
    done = process(shell="set -o pipefail; for i in 1 2 3; do $NOTATIO check a.pgn a.pgn; done 2>&1 >/dev/null | true")
    assert (done.returncode, done.stderr) == (0, "")


_SIGNALLED = """
import builtins, os, signal, sys
real = builtins.__import__
def signalled(name, *arguments, **named):
    if name == "pipeline.run":
        os.kill(os.getpid(), signal.SIGTERM)
    return real(name, *arguments, **named)
from pipeline.cli import main
builtins.__import__ = signalled
main()
"""
"""The command, to which SIGTERM comes while it loads its libraries."""


def test_a_signal_that_comes_before_the_run_ends_the_command_with_75() -> None:
    Path("a.pgn").write_text(GAME, "utf-8")
    command = [sys.executable, "-c", _SIGNALLED, "ingest", "a.pgn"]
    env = {"PYTHONPATH": str(ROOT), "PATH": "/usr/bin:/bin"}
    done = subprocess.run(command, env=env, capture_output=True, text=True, timeout=60, check=False)
    assert (done.returncode, done.stderr.splitlines()[0]) == (75, "error: Interrupted.")
    assert not Path("lake").exists()


def test_a_name_for_standard_input_is_refused_where_it_is_not_read() -> None:
    Path("a.pgn").write_text(GAME, "utf-8")
    refused = ingest("a.pgn", "--name", "b.pgn")
    assert (refused.code, "notatio ingest - --name" in refused.err, Path("lake").exists()) == (2, True, False)
    assert ingest("-", "--name", "b.pgn", "--no-build", stdin=GAME.encode()).code == 0


def test_missing_data_files_are_told_and_made_again() -> None:
    Path("a.pgn").write_text(GAME, "utf-8")
    assert ingest("a.pgn").code == 0
    for path in Path("lake/data").glob("games-*"):
        path.unlink()
    done = ingest("a.pgn")
    assert (done.code, summary(done)["sources"]) == (0, "1 replaced")
    assert "warning: Data files are missing. They held 1 source: those that are found are read again\n" in done.err
    assert notatio("verify", "--heavy").code == 0
    assert ingest("a.pgn").err == "nothing to do: the source is known\n"


# Demo


@pytest.fixture(scope="module")
def demo(tmp_path_factory: pytest.TempPathFactory) -> tuple[Path, Done, Done]:
    """A folder in which the demo ran twice, and how."""
    folder = tmp_path_factory.mktemp("demo")
    with pytest.MonkeyPatch.context() as patch:
        patch.chdir(folder)
        return folder, notatio("demo"), notatio("demo")


def test_the_demo_shows_the_point(demo: tuple[Path, Done, Done]) -> None:
    folder, first, _ = demo
    assert first.code == 0
    assert re.search(r"Sxe6 \(de, cp1252\), .*К.*:e6 \(ru, cp1251\), .*Nxe6 \(en, .*\) → Nxe6\n", first.out)
    assert re.search(r"Fischer, Robert +Spassky, Boris +\+7−3=11 +12½:8½ +21 +\+7−2=11 ", first.out)
    assert re.search(r"^!! +\d+ ", first.out, re.MULTILINE)
    assert re.search(r"^illegal_move +\d+ ", first.out, re.MULTILINE)
    assert "notatio ingest YOUR_FILES" in first.out
    assert [p.name for p in folder.iterdir()] == ["notatio-demo"]


def test_a_second_demo_has_nothing_to_do_and_prints_the_same(demo: tuple[Path, Done, Done]) -> None:
    _, first, second = demo
    assert second == Done(0, first.out, "nothing to do: all 17 sources are known\n")


def test_what_the_demo_says_to_type_next_works(demo: tuple[Path, Done, Done], monkeypatch: pytest.MonkeyPatch) -> None:
    folder, first, _ = demo
    monkeypatch.chdir(folder)
    lines = first.out.split("What to type next\n\n")[1].splitlines()
    assert len(lines) > 3
    for line in lines[:-1]:
        assert notatio(*shlex.split(line)[1:]).code in (0, 3), line
