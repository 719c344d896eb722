"""The import picture of CONTRIBUTING.md, enforced; and nothing outside is imported that is not a declared dependency."""

from __future__ import annotations

import ast
import re
import sys
import tomllib
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[1]
PACKAGE = ROOT / "pipeline"

LINE = re.compile(r"\w+(?: \| \w+)*")


def picture() -> list[set[str]]:
    """Lines of the picture, top to bottom: a module imports only from lines below its own; a package is one module."""
    chapter = (ROOT / "CONTRIBUTING.md").read_text("utf-8").partition("## The way through the house")[2]
    lines = chapter.split("```")[1].strip().splitlines()
    return [set(names[0].split(" | ")) for line in lines if (names := LINE.match(line))]


LAYERS = picture()
DEPTH = {name: depth for depth, layer in enumerate(LAYERS) for name in layer}
MODULES = sorted(PACKAGE.rglob("*.py"))
OUTSIDE_THE_PICTURE = {"__init__", "__main__"}
"""The doors of the package: `import pipeline` and `python -m pipeline` may reach anywhere."""


def unit(path: Path) -> str:
    """`pipeline/store/lake.py` to `store`, `pipeline/lexer.py` to `lexer`."""
    return path.relative_to(PACKAGE).parts[0].removesuffix(".py")


def imports(path: Path) -> set[str]:
    """Full names of all modules that a file imports, anywhere in it; relative ones are made absolute."""
    found: set[str] = set()
    package = ("pipeline", *path.relative_to(PACKAGE).parts[:-1])
    for node in ast.walk(ast.parse(path.read_text("utf-8"))):
        if isinstance(node, ast.Import):
            found |= {alias.name for alias in node.names}
        elif isinstance(node, ast.ImportFrom):
            base = ".".join(package[: len(package) - node.level + 1]) if node.level else ""
            module = ".".join(filter(None, (base, node.module)))
            found |= {f"{module}.{alias.name}" for alias in node.names} if module == "pipeline" else {module}
    return found


def inner(path: Path) -> set[str]:
    """Names of the units of the package that a file imports, its own left out."""
    names = {name.split(".")[1] for name in imports(path) if name.startswith("pipeline.")}
    return (names & set(DEPTH)) - {unit(path)}


def test_every_module_has_a_place_in_the_picture() -> None:
    """A module that is not in the picture of CONTRIBUTING.md belongs there first."""
    assert {unit(path) for path in MODULES} - OUTSIDE_THE_PICTURE <= set(DEPTH)


def test_imports_point_down() -> None:
    upward = [
        f"{path.relative_to(ROOT)} imports {target}"
        for path in MODULES
        if unit(path) in DEPTH
        for target in sorted(inner(path))
        if DEPTH[target] <= DEPTH[unit(path)]
    ]
    assert upward == []


def test_the_picture_holds_no_module_that_is_gone() -> None:
    assert set(DEPTH) - {unit(path) for path in MODULES} == set()


def test_text_knows_no_board() -> None:
    """What reads text may name the men as python-chess does, and nothing else of it."""
    text_side = {"notations", "split", "movetext", "lexer", "tagpairs", "comments", "names", "sources", "tables", "schema"}
    men = {"PAWN", "KNIGHT", "BISHOP", "ROOK", "QUEEN", "KING"}
    knowing = [
        f"{path.relative_to(ROOT)}: chess.{node.attr}"
        for path in MODULES
        if unit(path) in text_side
        for node in ast.walk(ast.parse(path.read_text("utf-8")))
        if isinstance(node, ast.Attribute)
        and isinstance(node.value, ast.Name)
        and node.value.id == "chess"
        and node.attr not in men
    ]
    assert knowing == []


BROUGHT_BY_OTHERS = {"llvmlite", "compression"}
"""llvmlite comes with numba, whose intrinsics are written in it; compression.zstd is Python 3.14's own backports.zstd."""


IMPORTED_AS = {"vl_convert_python": "vl_convert"}
"""Distributions whose package has another name."""


def top_level(name: str) -> str:
    """`pyarrow.parquet` to `pyarrow`; the namespace package `backports` to the one distribution of it that is used."""
    return "backports.zstd" if name.startswith("backports") else name.split(".")[0]


def declared_dependencies() -> set[str]:
    """Import names of the dependencies in pyproject.toml, extras that are imported too."""
    project = tomllib.loads((ROOT / "pyproject.toml").read_text("utf-8"))["project"]
    extras = project["optional-dependencies"]
    requirements = [*project["dependencies"], *(r for extra in ("documents", "ray", "site") for r in extras[extra])]
    names = {re.split(r"[^\w.-]", requirement)[0].replace("-", "_") for requirement in requirements}
    return {IMPORTED_AS.get(name, name) for name in names}


def test_nothing_is_imported_that_is_not_declared() -> None:
    known = declared_dependencies() | BROUGHT_BY_OTHERS | {"pipeline"} | set(sys.stdlib_module_names)
    assert {top_level(name) for path in MODULES for name in imports(path)} - known == set()


def test_every_declared_dependency_is_imported() -> None:
    assert declared_dependencies() - {top_level(name) for path in MODULES for name in imports(path)} == set()


@pytest.mark.parametrize(
    ("source", "expected"),
    [
        ("import os, pipeline.lexer", {"os", "pipeline.lexer"}),
        ("from pipeline import model, tables", {"pipeline.model", "pipeline.tables"}),
        ("from pipeline.store.lake import Lake", {"pipeline.store.lake"}),
        ("def f():\n    from . import files", {"pipeline.store"}),
        ("from .. import schema", {"pipeline.schema"}),
        ("from ..model import Issue", {"pipeline.model"}),
    ],
)
def test_the_reader_of_imports_sees_every_form(source: str, expected: set[str], monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(Path, "read_text", lambda *_: source)
    assert imports(PACKAGE / "store" / "x.py") == expected
