"""docs/recipes.md and docs/notebook.ipynb: what can run here runs, on the data of docs/sql.md."""

from __future__ import annotations

import json
import re
import runpy
import shutil
import subprocess
import sys
import sysconfig
from pathlib import Path

import pytest

from tests import sql_page

ROOT = Path(__file__).parents[1]
TEXT = (ROOT / "docs" / "recipes.md").read_text("utf-8")
NOTEBOOK = json.loads((ROOT / "docs" / "notebook.ipynb").read_text("utf-8"))
COMMANDS = re.findall(r"^\$ (.*)$", TEXT, re.MULTILINE)
PYTHON = re.findall(r"^```python( pandas)?\n(.*?)^```", TEXT, re.MULTILINE | re.DOTALL)

pytestmark = pytest.mark.slow


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder with a lake in it."""
    made = tmp_path_factory.mktemp("recipes")
    sql_page.make_lake(made)
    (made / "bin").mkdir()
    starter = made / "bin" / "notatio"
    starter.write_text(f'#!/bin/sh\nexec {sys.executable} -m pipeline "$@"\n', "utf-8")
    starter.chmod(0o755)
    return made


@pytest.mark.parametrize("command", COMMANDS)
def test_a_command_runs(folder: Path, command: str) -> None:
    path = f"{folder / 'bin'}:{sysconfig.get_path('scripts')}:/usr/bin:/bin"
    env = {"PATH": path, "PYTHONPATH": str(ROOT), "HOME": str(folder), "LC_ALL": "C.UTF-8"}
    if command.startswith("duckdb") and shutil.which("duckdb", path=path) is None:
        pytest.skip("duckdb-cli is not installed")
    done = subprocess.run(["bash", "-c", command], cwd=folder, env=env, capture_output=True, text=True, timeout=60, check=False)
    assert done.returncode == 0, done.stderr
    written = re.search(r"(?:>|--out) (\S+)$", command)
    assert (folder / written[1]).stat().st_size if written else done.stdout


@pytest.mark.parametrize(("needs", "source"), PYTHON)
def test_a_block_of_python_runs(folder: Path, monkeypatch: pytest.MonkeyPatch, needs: str, source: str) -> None:
    if needs:
        pytest.importorskip(needs.strip())
    monkeypatch.chdir(folder)
    (folder / "block.py").write_text(source, "utf-8")
    runpy.run_path(str(folder / "block.py"))


def test_the_cells_of_the_notebook_run(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    pytest.importorskip("altair")
    monkeypatch.chdir(folder)
    (folder / "notebook.py").write_text("\n".join(cells("code")), "utf-8")
    names = runpy.run_path(str(folder / "notebook.py"))
    assert names["first_moves"].row(0)[0] == "e4"
    drawn = {name: names[name].to_dict()["datasets"] for name in ("outcomes", "running")}
    assert all(len(rows) > 5 for chart in drawn.values() for rows in chart.values()), drawn


def test_the_notebook_is_stripped() -> None:
    assert [cell["id"] for cell in NOTEBOOK["cells"] if cell.get("outputs") or cell.get("execution_count")] == []
    assert len(cells("code")) > 5


def cells(kind: str) -> list[str]:
    """Sources of the cells of a kind."""
    return ["".join(cell["source"]) for cell in NOTEBOOK["cells"] if cell["cell_type"] == kind]
