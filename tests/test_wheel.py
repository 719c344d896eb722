"""The wheel works away from the checkout: built, installed into an empty environment, run in an empty folder."""

from __future__ import annotations

import os
import subprocess
import sys
import sysconfig
import tarfile
import zipfile
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[1]
pytestmark = pytest.mark.slow


def run(*command: str | Path, cwd: Path) -> str:
    """Output of a command that must succeed, without this checkout or its environment in the way."""
    env = {k: v for k, v in os.environ.items() if k not in ("PYTHONPATH", "VIRTUAL_ENV", "NOTATIO_LAKE")}
    done = subprocess.run([str(c) for c in command], cwd=cwd, env=env, capture_output=True, text=True, timeout=300, check=False)
    assert done.returncode == 0, done.stdout + done.stderr
    return done.stdout


@pytest.fixture(scope="module")
def wheel(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("dist")
    run(sys.executable, "-m", "hatchling", "build", "-t", "wheel", "-d", folder, cwd=ROOT)
    (found,) = folder.glob("notatio-*.whl")
    return found


def test_the_source_archive_carries_what_a_distributor_needs(tmp_path: Path) -> None:
    run(sys.executable, "-m", "hatchling", "build", "-t", "sdist", "-d", tmp_path, cwd=ROOT)
    (archive,) = tmp_path.glob("notatio-*.tar.gz")
    with tarfile.open(archive) as tar:
        names = {name.partition("/")[2] for name in tar.getnames()}
    needed = {"LICENSE", "NOTICE", "README.md", "docs/rules.md", "docs/lake.md", "Makefile", "pyproject.toml"}
    assert needed | {"pipeline/py.typed", "tests/test_wheel.py"} <= names


@pytest.fixture(scope="module")
def scripts(wheel: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The `bin` folder of an environment that holds the wheel; its dependencies are borrowed from this environment.

    A path line of a .pth file adds a folder without reading the .pth files in it, so that the checkout, which is installed in
    place here, stays out of sight.
    """
    home = tmp_path_factory.mktemp("empty") / "venv"
    run(sys.executable, "-m", "venv", "--without-pip", home, cwd=home.parent)
    python = home / "bin" / "python"
    run(sys.executable, "-m", "pip", "--python", python, "install", "--no-deps", "--no-index", "--quiet", wheel, cwd=home.parent)
    site = run(python, "-c", "import sysconfig; print(sysconfig.get_path('purelib'))", cwd=home.parent).strip()
    (Path(site) / "borrowed.pth").write_text(sysconfig.get_path("purelib") + "\n", "utf-8")
    return home / "bin"


def test_the_wheel_carries_code_knowledge_sql_and_sample(wheel: Path) -> None:
    names = set(zipfile.ZipFile(wheel).namelist())
    assert {"pipeline/tables/piece_letters.csv", "pipeline/site/templates/base.html", "pipeline/site/assets/site.css"} <= names
    for folder, suffix in (("pipeline/sql/reports/", ".sql"), ("pipeline/sql/models/", ".sql"), ("pipeline/data/sample/", "")):
        assert any(name.startswith(folder) and name.endswith(suffix) for name in names), folder
    assert {name.rpartition("/")[2] for name in names if "/licenses/" in name} == {"LICENSE", "NOTICE"}
    assert "pipeline/py.typed" in names


def test_the_wheel_carries_every_table_report_and_sample_of_the_checkout(wheel: Path) -> None:
    names = set(zipfile.ZipFile(wheel).namelist())
    here = {f"pipeline/{p.relative_to(ROOT)}" for top in ("sql", "data/sample") for p in (ROOT / top).rglob("*") if p.is_file()}
    here |= {str(p.relative_to(ROOT)) for p in (ROOT / "pipeline").rglob("*.csv")}
    assert here - names == set()


def test_the_wheel_carries_no_tests_and_no_caches(wheel: Path) -> None:
    tops = {name.split("/")[0] for name in zipfile.ZipFile(wheel).namelist()}
    assert {top for top in tops if not top.startswith("notatio-")} == {"pipeline"}
    assert not [name for name in zipfile.ZipFile(wheel).namelist() if "__pycache__" in name]


def test_the_demo_runs_in_an_empty_folder(scripts: Path, tmp_path: Path) -> None:
    package = run(scripts / "python", "-c", "import pipeline; print(pipeline.__path__[0])", cwd=tmp_path).strip()
    assert not Path(package).is_relative_to(ROOT)
    first = run(scripts / "notatio", "demo", cwd=tmp_path)
    assert "Fischer" in first
    assert [p.name for p in tmp_path.iterdir()] == ["notatio-demo"]
    assert run(scripts / "notatio", "report", "series_results", "--lake", "notatio-demo", cwd=tmp_path)
