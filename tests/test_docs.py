"""What the documents say is true: commands, files and links exist, each dependency has its reason.

That the commands of the README run is the matter of test_readme.py.
"""

from __future__ import annotations

import re
import tomllib
from collections.abc import Iterator
from importlib.metadata import entry_points
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[1]
DOCUMENTS = sorted([*ROOT.glob("*.md"), *ROOT.glob("docs/*.md")])


def text(name: str) -> str:
    return (ROOT / name).read_text("utf-8")


def make_targets() -> set[str]:
    declared = re.search(r"^\.PHONY: (.*)$", text("Makefile"), re.MULTILINE)
    assert declared
    return set(declared[1].split())


def command_names() -> set[str]:
    """Names of the commands of `notatio`, groups joined with a blank (`quarantine list`)."""
    import typer.main

    from pipeline.cli import app

    def walk(command: object, prefix: str) -> Iterator[str]:
        for name, sub in getattr(command, "commands", {}).items():
            if getattr(sub, "commands", None):
                yield from walk(sub, f"{prefix}{name} ")
            else:
                yield prefix + name

    return set(walk(typer.main.get_command(app), ""))


@pytest.mark.parametrize("document", DOCUMENTS, ids=lambda p: p.name)
def test_make_targets_that_a_document_names_exist(document: Path) -> None:
    named = set(re.findall(r"(?:^\$ |`)make ([a-z]+)", document.read_text("utf-8"), re.MULTILINE))
    assert named <= make_targets()


def test_make_help_lists_every_target() -> None:
    assert set(re.findall(r"@echo 'make (\w+)", text("Makefile"))) == make_targets() - {"help"}


@pytest.mark.parametrize("document", DOCUMENTS, ids=lambda p: p.name)
def test_commands_that_a_document_names_exist(document: Path) -> None:
    known = command_names() | {name.split(" ")[0] for name in command_names()}
    named = set(re.findall(r"(?:^\$ |`)notatio ([a-z]+)", document.read_text("utf-8"), re.MULTILINE))
    assert named <= known


def test_every_command_stands_in_the_readme() -> None:
    assert {name for name in command_names() if f"notatio {name}" not in text("README.md")} == set()


@pytest.mark.parametrize("document", DOCUMENTS, ids=lambda p: p.name)
def test_links_lead_to_files(document: Path) -> None:
    links = re.findall(r"\]\((?!https?:|#|mailto:)([^)#]+)", document.read_text("utf-8"))
    assert [link for link in links if not (document.parent / link).exists()] == []


def test_paths_in_the_recipes_exist() -> None:
    paths = re.findall(r"`((?:pipeline|sql|tests|data|benchmarks|\.ci)/[\w./-]*)`", text("CONTRIBUTING.md"))
    assert paths
    assert [path for path in paths if not (ROOT / path).exists()] == []


def sections(name: str) -> list[str]:
    """Numbers of the sections of a document: `§3` and `§3.1`."""
    return re.findall(r"^##+ (§[\d.]+) ", text(name), re.MULTILINE)


def test_sections_of_the_rules_that_are_cited_exist() -> None:
    files = [path for folder in ("pipeline", "tests", "sql", "docs") for path in (ROOT / folder).rglob("*") if path.is_file()]
    cited = {
        (number, path.relative_to(ROOT).as_posix())
        for path in files
        if path.suffix in {".py", ".sql", ".csv", ".md"}
        for number in re.findall(r"§\d+(?:\.\d+)?", path.read_text("utf-8"))
    }
    assert len(cited) > 40
    assert {(number, path) for number, path in cited if number not in sections("docs/rules.md")} == set()


def test_sections_of_the_rules_are_numbered_in_order() -> None:
    numbers = [[int(n) for n in section[1:].split(".")] for section in sections("docs/rules.md")]
    assert numbers == sorted(numbers)
    assert [n for n, *rest in numbers if not rest] == list(range(1, 1 + len({n for n, *_ in numbers})))


def test_decisions_are_numbered_in_order_and_short() -> None:
    """Twelve lines each; lists of one line an item are not counted."""
    records = re.split(r"^## ", text("DECISIONS.md"), flags=re.MULTILINE)[1:]
    assert [int(record.split(".")[0]) for record in records] == list(range(1, len(records) + 1))
    prose = {record.splitlines()[0]: [line for line in record.splitlines() if line and line[:2] != "- "] for record in records}
    assert [title for title, lines in prose.items() if len(lines) > 12] == []


def test_every_dependency_has_its_line_in_decisions() -> None:
    project = tomllib.loads(text("pyproject.toml"))["project"]
    groups = (project["dependencies"], *project["optional-dependencies"].values())
    names = {re.split(r"[^\w.-]", requirement)[0] for group in groups for requirement in group} - {"notatio"}
    assert {name for name in names if f"- {name}:" not in text("DECISIONS.md")} == set()


def test_constraints_pin_every_dependency_and_hold_no_address() -> None:
    lines = [line for line in text("constraints.txt").splitlines() if not line.startswith("#")]
    assert [line for line in lines if not re.fullmatch(r"[\w.-]+==[\w.]+", line)] == []
    pinned = {re.split("==", line)[0].lower().replace("_", "-") for line in lines}
    project = tomllib.loads(text("pyproject.toml"))["project"]
    groups = (project["dependencies"], *project["optional-dependencies"].values())
    assert {re.split(r"[^\w.-]", r)[0].lower() for group in groups for r in group} - {"notatio"} <= pinned


def test_every_ignored_lint_rule_says_why() -> None:
    rules = re.findall(r'^    "[A-Z]+\d+",?(.*)$', text("pyproject.toml"), re.MULTILINE)
    assert rules
    assert [rule for rule in rules if not re.match(r" +# [\w`]", rule)] == []


def test_the_changelog_knows_the_version() -> None:
    version = tomllib.loads(text("pyproject.toml"))["project"]["version"]
    assert f"## [{version}]" in text("CHANGELOG.md") or "## [Unreleased]" in text("CHANGELOG.md")


def test_the_command_is_installed_under_its_name() -> None:
    assert [e.value for e in entry_points(group="console_scripts", name="notatio")] == ["pipeline.cli:main"]
