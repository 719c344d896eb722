"""The command as a user meets it: start, help, errors and their exit codes."""

from __future__ import annotations

import inspect
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

from pipeline import catalog, sources, store
from pipeline.cli import app, errors, failure, program
from tests.support_cli import GAME, ROOT, SAMPLE, notatio, process

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
    expected = (
        "build catalog check demo endgames export csv export pgn export trf find gc ingest openings players merge players show "
        "players split players undo quarantine accept quarantine list quarantine replay quarantine show quarantine suggest "
        "quarantine tombstone render report show site snapshot list snapshot tag sql status verify"
    )
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
    assert " -m pipeline ingest games.pgn\n" in done.stdout


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
        (("snapshot",), 2, "list, tag"),
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


@pytest.mark.parametrize(
    ("arguments", "what", "remedy"),
    [
        (
            ("report", "--format", "xml"),
            "--format xml: there is no such value.",
            "There are: table, csv, json, ndjson, md, parquet.",
        ),
        (("find", "x", "--year", "abc"), "--year abc: this is no whole number.", "For example: --year 1972."),
        (("ingest", ".", "--workers", "0"), "--workers 0: at least 1 is needed.", "For example: --workers 4."),
        (("ingest", ".", "--max-prune", "101"), "--max-prune 101: at most 100 is possible.", "For example: --max-prune 20."),
        (("ingest", ".", "--settle", "soon"), "--settle soon: this is no number.", "For example: --settle 60."),
        (("snapshot", "tag", "a", "b"), "NUMBER b: this is no whole number.", ""),
        (("report", "-p"), "-p: its value is missing.", "For example: -p event_name='World Championship Match'."),
        (("check", ".", "--quirks=3"), "--quirks takes no value.", ""),
        (("show",), "GAME is missing.", "For example: `notatio show 3f9c2a`."),
        (("reprt",), "There is no command reprt.", "Did you mean report or export or render?"),
        (("report", "--fromat", "csv"), "There is no option --fromat.", "Did you mean --format?"),
        (("snapshot",), "Say which command: list, tag.", ""),
        (("show", "1", "2"), "Too many words: 2.", ""),
        (("find", "Fischer", "Robert"), "Too many words: Robert.", 'Put the name in quotes: `notatio find "Fischer Robert"`.'),
        (
            ("sql", "select", "white", "from", "games"),
            "Too many words: white from games.",
            'Put the question in quotes: `notatio sql "select white from games"`.',
        ),
        (
            ("sql", "select", ".", "from", "games"),  # what the shell makes of a star
            "Too many words: . from games.",
            'Put a question in quotes: `notatio sql "select white from games"`.',
        ),
        (("sql", " ;"), "The question is empty.", 'For example: `notatio sql "from games limit 10"`.'),
        (("find", ""), "NAME is empty.", "For example: `notatio find Fischer --opponent Spassky`."),
        (("find", "x", "--opponent", " "), "--opponent is empty.", "For example: `notatio find Fischer --opponent Spassky`."),
        (("report", "anotation_mix"), "There is no report 'anotation_mix'.", "Did you mean notation_mix"),
        (("report", "x"), "There is no report 'x'.", "All: `notatio report`."),
        (("report", "crosstable"), "The report crosstable needs -p event_name.", "It takes event_name: Name of the event"),
        (("report", "crosstable", "-p", "event_name"), "-p event_name: its value is missing.", "For example: `notatio report"),
        (("check", ".", "--language", "german"), "--language german: no alphabet has this name.", "Did you mean de (German) or "),
        (("check", ".", "--language", " "), "--language: its value is empty.", "For example: --language ru."),
    ],
)  # fmt: skip
def test_a_wrong_command_line_is_told_in_plain_words_with_an_example(arguments: tuple[str, ...], what: str, remedy: str) -> None:
    done = notatio(*arguments)
    assert (done.code, done.out) == (2, "")
    assert done.err.splitlines()[0] == f"error: {what}"
    assert done.err.splitlines()[1].strip().startswith(remedy)


@pytest.mark.parametrize(("text", "told"), [("no such thing", "No such thing."), ("--year: x", "--year: x."), ("why?", "Why?")])
def test_every_message_is_a_sentence(text: str, told: str) -> None:
    assert failure.sentence(text) == told


# What it tells to type


@pytest.mark.parametrize(
    ("started", "on_path", "told"),
    [
        ("bin/notatio", False, "bin/notatio"),
        ("{here}/bin/notatio", False, "bin/notatio"),
        ("../bin/notatio", False, "{above}/bin/notatio"),
        ("{here}/my bin/notatio", False, "'my bin/notatio'"),
        ("./notatio", False, "./notatio"),
        ("notatio", False, "notatio"),
        ("bin/notatio", True, "notatio"),
    ],
)
def test_the_program_is_named_as_it_can_be_started(
    started: str, on_path: bool, told: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    places = {"here": Path.cwd(), "above": Path.cwd().parent}
    monkeypatch.setattr(sys, "argv", [started.format(**places)])
    monkeypatch.setattr("shutil.which", lambda _: "/usr/bin/notatio" if on_path else None)
    assert program.program() == told.format(**places)


@pytest.mark.parametrize(
    ("text", "lake", "told"),
    [
        ("Run `notatio catalog`", "my lake", "Run `bin/notatio catalog --lake 'my lake'`"),
        ("Run `notatio catalog`", "lake", "Run `bin/notatio catalog`"),
        ("`notatio ingest PATH --lake DIR` or `notatio demo`", "x", "`bin/notatio ingest PATH --lake x` or `bin/notatio demo`"),
        ("See `notatio report --help`", "x", "See `bin/notatio report --help`"),
        ("notatio is no command here", "x", "notatio is no command here"),
    ],
)
def test_commands_in_messages_are_as_a_reader_has_to_type_them(
    text: str, lake: str, told: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(program, "program", lambda: "bin/notatio")
    assert program.with_program(text, Path(lake)) == told


def test_hints_name_the_lake_that_was_named_and_the_variable_counts(lake: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    commands = (
        ("report",),
        ("find", "Fischer"),
        ("find", "Nobody"),
        ("sql", "frm"),
        ("report", "crosstable"),
        ("report", "crosstable", "-p", "event_name=x"),
    )
    for command in commands:
        assert f" --lake {lake}" in notatio(*command, "--lake", lake).err, command
    monkeypatch.setenv("NOTATIO_LAKE", str(lake))
    for command in commands:
        assert "--lake" not in notatio(*command).err, command


def test_what_a_checkout_tells_to_type_works(tmp_path: Path) -> None:
    """Started by its path, as `make demo` does; `notatio` is not on PATH."""
    (tmp_path / "bin").mkdir()
    starter = tmp_path / "bin" / "notatio"
    starter.write_text(f"#!{sys.executable}\nfrom pipeline.cli import main\nmain()\n", "utf-8")
    starter.chmod(0o755)
    (tmp_path / "bin" / "activate").touch()
    env = {"PYTHONPATH": str(ROOT), "PATH": "/usr/bin:/bin", "LC_ALL": "C.UTF-8"}

    def shell(line: str) -> subprocess.CompletedProcess[str]:
        return subprocess.run(
            ["bash", "-c", line], cwd=tmp_path, env=env, capture_output=True, text=True, timeout=60, check=False
        )

    demo = shell("bin/notatio demo")
    assert demo.returncode == 0, demo.stderr
    commands, _, activation = demo.stdout.partition("What to type next\n\n")[2].partition("\n\n")
    assert activation == "After `. bin/activate` it is just `notatio`.\n"
    assert commands.splitlines()[0] == "bin/notatio report --lake notatio-demo"
    for line in commands.splitlines()[:-1]:
        assert shell(line).returncode in (0, 3), line
    help_ = shell("bin/notatio show --help").stdout
    assert "Usage: bin/notatio show " in help_
    assert "  bin/notatio show 3f9c2a\n" in help_
    assert "\n       See `bin/notatio report --help`" in shell("bin/notatio report --x").stderr


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
        (OSError(5, "Input/output error", "x"), 75),
        (MemoryError(), 75),
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
