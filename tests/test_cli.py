"""The command as a user meets it: start, help, exit codes, the lake that is used, ingest and what looks after a lake."""

from __future__ import annotations

import inspect
import json
import re
import resource
import shlex
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
import typer.main

from pipeline import catalog, open_lake, sources, store
from pipeline.cli import app, care, errors
from tests.support_cli import Done, notatio

ROOT = Path(__file__).parents[1]
SAMPLE = ROOT / "data" / "sample"
GAME = '[Event "Club"]\n[White "Adler, Nora"]\n[Black "Behn, Ole"]\n[Result "1-0"]\n\n1. e4 e5 2. Nf3 Nc6 3. Bb5 a6 1-0\n'
HEAVY = ("polars", "duckdb", "pyarrow", "numba", "numpy", "chess", "rich", "pipeline.run", "pipeline.store", "pipeline.catalog")


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


def ingest(*arguments: object, stdin: bytes = b"") -> Done:
    """`notatio ingest` in this process; where the catalog is not asked, `--no-build` saves most of the time."""
    return notatio("ingest", *arguments, "--workers", 1, stdin=stdin)


def process(*arguments: str, shell: str = "") -> subprocess.CompletedProcess[str]:
    """A process of its own: `python -m pipeline …`, or a line of shell in which $NOTATIO stands for that."""
    command = f"{shlex.quote(sys.executable)} -m pipeline"
    line = shell.replace("$NOTATIO", command) if shell else f"{command} {shlex.join(arguments)}"
    env = {"PYTHONPATH": str(ROOT), "PATH": "/usr/bin:/bin", "LC_ALL": "C"}
    return subprocess.run(
        ["bash", "-c", line], env=env, capture_output=True, text=True, encoding="utf-8", timeout=60, check=False
    )


# Start and help


def test_the_command_starts_without_heavy_libraries() -> None:
    code = f"import sys, pipeline.cli; print([m for m in {HEAVY} if m in sys.modules])"
    done = subprocess.run([sys.executable, "-c", code], env={"PYTHONPATH": str(ROOT)}, capture_output=True, text=True, check=True)
    assert done.stdout.strip() == "[]"


def test_help_takes_less_than_three_tenths_of_a_second() -> None:
    """CPU time, since the machine may be busy."""
    before = resource.getrusage(resource.RUSAGE_CHILDREN)
    assert process("--help").returncode == 0
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    assert after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime < 0.3


def commands() -> Iterator[tuple[str, Any]]:
    """(name, command) of all commands, those of groups with the group's name before theirs."""
    todo = [("", typer.main.get_command(app))]
    while todo:
        prefix, group = todo.pop()
        for name, command in group.commands.items():  # type: ignore[attr-defined]
            if hasattr(command, "commands"):
                todo.append((f"{prefix}{name} ", command))
            else:
                yield prefix + name, command


ALL = dict(commands())


def test_the_commands_of_this_version_are_there() -> None:
    expected = "catalog check demo find gc ingest report show snapshot list snapshot tag sql status verify"
    assert " ".join(sorted(ALL)) == expected


@pytest.mark.parametrize("name", ALL)
def test_help_of_every_command_teaches_by_examples_that_parse(name: str) -> None:
    done = notatio(*name.split(), "--help")
    assert done.code == 0
    examples = re.findall(r"(?:^|\| )notatio ([^|<>\n]+)", inspect.cleandoc(ALL[name].help).replace("\n  ", "\n"), re.MULTILINE)
    assert examples
    assert any(example.startswith(name) for example in examples)
    for example in examples:
        words = shlex.split(example)
        command = next(n for n in sorted(ALL, key=len, reverse=True) if example.startswith(n))
        known = {option for parameter in ALL[command].params for option in parameter.opts}
        assert {word.split("=")[0] for word in words if word.startswith("-") and word != "-"} <= known, example


def test_help_is_plain_when_piped() -> None:
    done = process("ingest", "--help")
    assert "\x1b" not in done.stdout
    assert "─" not in done.stdout
    assert "notatio ingest games.pgn" in done.stdout


def test_without_a_command_there_is_help() -> None:
    assert notatio() == notatio("--help")
    assert notatio().code == 0


def test_the_version_is_that_of_the_package() -> None:
    from pipeline import version

    assert notatio("--version").out == f"notatio {version()}\n"


# Errors


@pytest.mark.parametrize(
    ("arguments", "code", "told"),
    [
        (("frobnicate",), 2, "frobnicate"),
        (("ingest",), 2, "PATH"),
        (("ingest", "nothere.pgn"), 2, "nothere.pgn"),
        (("ingest", "no*such"), 2, "no*such"),
        (("ingest", ".", "--workers", "many"), 2, "--workers"),
        (("ingest", ".", "--workers", "0"), 2, "--workers"),
        (("ingest", ".", "--max-quarantine", "101"), 2, "--max-quarantine"),
        (("ingest", ".", "--engine", "steam"), 2, "local, ray"),
        (("ingest", ".", "--encoding", "none-such"), 2, "cp1251"),
        (("ingest", ".", "--language", "xx"), 2, "There are: af, "),
        (("ingest", ".", "--lake", "/proc/none/lake"), 2, "/proc/none"),
        (("snapshot",), 2, "Missing command"),
        (("report", "series_results"), 2, "notatio ingest"),
        (("sql", "from games"), 2, "notatio demo"),
        (("find", "Fischer"), 2, "--lake"),
        (("show", "00"), 2, "no lake"),
        (("verify",), 2, "no lake"),
        (("status",), 2, "no lake"),
        (("catalog",), 2, "no lake"),
        (("gc",), 2, "no lake"),
        (("snapshot", "list"), 2, "no lake"),
        (("status", "--max-age", "soon"), 2, "26h"),
    ],
)
def test_errors_have_a_code_and_say_what_and_what_to_do(arguments: tuple[str, ...], code: int, told: str) -> None:
    done = notatio(*arguments)
    assert (done.code, done.out) == (code, "")
    assert "error: " in done.err
    assert told in done.err
    assert "Traceback" not in done.err
    assert list(Path.cwd().iterdir()) == []


def test_a_folder_with_other_things_becomes_no_lake() -> None:
    Path("a.pgn").write_text(GAME, "utf-8")
    done = notatio("ingest", "a.pgn", "--lake", ".")
    assert (done.code, "not a lake" in done.err) == (78, True)


@pytest.mark.parametrize(
    ("error", "code"),
    [
        (sources.NoSuchPath("x"), 2),
        (sources.UnknownEncoding("x"), 2),
        (store.NoLake("x", "Make one"), 2),
        (store.LakeBusy("x", "Wait"), 75),
        (store.DiskFull("x", "Free some space"), 75),
        (store.StorageAway("x", "Again"), 75),
        (store.BadLake("x", "Restore it"), 78),
        (store.NewerFormat("x", "Install a newer version"), 78),
        (catalog.NoCatalog("x"), 2),
        (catalog.StatementRefused("x"), 2),
        (catalog.BadReport("x"), 2),
        (OSError(28, "No space left on device", "x"), 75),
        (PermissionError(13, "Permission denied", "x"), 2),
        (KeyboardInterrupt(), 75),
        (RuntimeError("x"), 1),
    ],
    ids=lambda value: type(value).__name__,
)
def test_every_kind_of_error_has_its_exit_code(error: BaseException, code: int, capsys: pytest.CaptureFixture[str]) -> None:
    assert errors.tell(error) == code
    assert capsys.readouterr().err.startswith("error: ")


def test_the_remedy_is_told_once_and_on_its_own_line(capsys: pytest.CaptureFixture[str]) -> None:
    errors.tell(store.BadLake("The lake is damaged", "Restore it from a backup"))
    assert capsys.readouterr().err == "error: The lake is damaged.\n       Restore it from a backup.\n"


def test_a_bug_is_short_and_says_how_to_see_where(lake: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def broken(*_: object) -> None:
        raise ZeroDivisionError("seven by none")

    monkeypatch.setattr(catalog, "run_report", broken)
    done = notatio("report", "series_results", "--lake", lake)
    assert done.code == 1
    assert "ZeroDivisionError: seven by none" in done.err
    assert "NOTATIO_DEBUG=1" in done.err
    assert "Traceback" not in done.err
    monkeypatch.setenv("NOTATIO_DEBUG", "1")
    assert "Traceback" in notatio("report", "series_results", "--lake", lake).err


def test_a_reader_that_has_seen_enough_is_no_error(lake: Path) -> None:
    done = process(shell=f'set -o pipefail; $NOTATIO sql "from plies" --lake {lake} | head -n 1')
    assert (done.returncode, done.stderr) == (0, "")
    assert done.stdout.startswith("game_id,")


def test_results_are_utf8_whatever_the_locale(lake: Path) -> None:
    done = process("sql", "select '12½:8½ Сf1' as score", "--lake", str(lake))
    assert done.stdout == "score\n12½:8½ Сf1\n"


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
    assert "nothing to do" in ingest(*again).err
    refused = ingest(*again, "--prune")
    assert (refused.code, "--max-prune" in refused.err) == (3, True)
    done = ingest(*again, "--prune", "--max-prune", 50)
    assert (done.code, "took out 1 path" in done.err) == (0, True)
    assert json.loads(notatio("status", "--json").out)["n_sources"] == 2


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


# Looking after a lake


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
    assert notatio("snapshot", "tag", "first").code == 0
    for name in "bc":
        Path("a.pgn").write_text(GAME.replace("Nora", name), "utf-8")
        assert ingest("a.pgn", "--no-build").code == 0
    assert notatio("gc", "--retention", "0").err.startswith("removed 1 snapshots")
    rows = [line.split(",") for line in notatio("snapshot", "list").out.splitlines()[1:]]
    assert [(row[0], row[4]) for row in rows] == [("3", ""), ("1", "first")]
    assert notatio("snapshot", "tag", "gone", "2").code == 2
    assert notatio("snapshot", "tag", "7").code == 2


# Python


def test_a_lake_opens_as_polars_frames(lake: Path) -> None:
    import polars as pl

    frames = open_lake(lake)
    clean = frames.games().filter(pl.col("status") == "clean").select("game_id").collect()
    assert clean.height > 60
    assert frames.plies().join(clean.lazy(), on="game_id").filter(pl.col("variation") == 0).collect().height > 4000
    series = frames.query("select series from series_results where player like $name and n > 20", name="Fischer%")
    assert series["series"].to_list() == ["+7−3=11"]
    with pytest.raises(catalog.StatementRefused):
        frames.query("drop table games")


def test_frames_of_tables_without_rows_have_their_columns() -> None:
    Path("a.pgn").write_text(GAME, "utf-8")
    assert ingest("a.pgn", "--no-build").code == 0
    frames = open_lake("lake")
    assert frames.quarantine().collect().height == 0
    assert "reason_code" in frames.quarantine().collect_schema().names()
