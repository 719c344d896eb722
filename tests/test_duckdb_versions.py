"""Every view, table and macro opens in DuckDB 2, which wrote it, and in the 1.5 command line (PyPI `duckdb-cli`)."""

from __future__ import annotations

import csv
import io
import shutil
import subprocess
import sys
from pathlib import Path

import duckdb
import pytest

from pipeline.catalog import load_sql
from tests.support_catalog import COPIES, CUP, ODD, RUN, lake

QUERIES = {
    **{f.name: f"from {f.name}" for f in load_sql().values() if f.kind != "audits" and f.object_type in ("view", "table")},
    **{name: f"from {name}('Cup')" for name in ("crosstable", "standings", "section_games", "counted_games", "counted_rounds")},
    "series": "from series('Adler')",
    "chosen_scheme": "from chosen_scheme('classical')",
    "opening_tree": "from opening_tree()",
    "position_key": "select position_key('8/8/8/8/8/8/8/8 w - -')",
    "score_text": "select score_text(8.5, 12.5), score_text(0.5, 1, 'comma')",
    "series_text": "select series_text(7, 3, 11)",
    "result_cell": "select result_cell(1, true, null)",
    "wilson_low": "select wilson_low(8, 10), wilson_low(4.5, 10, z := 1.645)",
    "wilson_high": "select wilson_high(8, 10), wilson_high(0, 0)",
    "poisson_low": "select poisson_low(0), poisson_low(10)",
    "poisson_high": "select poisson_high(0), poisson_high(10, 1.645)",
    "name_abbreviates": "select name_abbreviates('adler n', 'adler nora')",
}


@pytest.fixture(scope="module", params=["small lake", "empty lake"])
def root(request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory) -> Path:
    root = tmp_path_factory.mktemp("lake")
    (lake(root) if request.param == "empty lake" else lake(root, CUP, COPIES, ODD, runs=[RUN])).close()
    return root


def test_every_macro_and_report_with_parameters_is_tried() -> None:
    others = {f.name for f in load_sql().values() if f.kind != "audits" and f.object_type not in ("view", "table")}
    used_by_those = {"points_text", "event_key", "event_place", "player_key_id", "start_position"}
    used_by_those |= {"is_telling_score", "is_year_slip"}
    assert others - QUERIES.keys() == used_by_those


def test_all_open_in_duckdb_2(root: Path) -> None:
    assert duckdb.__version__.startswith("2.")
    with duckdb.connect(root / "catalog.duckdb", read_only=True) as con:
        for query in QUERIES.values():
            con.execute(query).fetchall()


def test_all_open_in_the_command_line_of_duckdb_1_and_agree(root: Path) -> None:
    program = shutil.which("duckdb", path=str(Path(sys.executable).parent))
    if program is None:
        pytest.skip("PyPI duckdb-cli is not installed in this environment")
    assert subprocess.run([program, "--version"], capture_output=True, text=True, check=True).stdout.startswith("v1.")
    counts = [f"select '{name}' as name, count(*) as n from ({query})" for name, query in QUERIES.items()]
    everything = [f"select * from ({query})" for query in QUERIES.values()]
    catalog = root / "catalog.duckdb"
    for query in everything:
        run = subprocess.run([program, "-readonly", "-csv", catalog, query], capture_output=True, text=True, check=False)
        assert (run.returncode, run.stderr) == (0, ""), query
    run = subprocess.run(
        [program, "-readonly", "-csv", catalog, " union all ".join(counts)], capture_output=True, text=True, check=True
    )
    with duckdb.connect(catalog, read_only=True) as con:
        mine = {name: str(n) for name, n in con.execute(" union all ".join(counts)).fetchall()}
    assert {row["name"]: row["n"] for row in csv.DictReader(io.StringIO(run.stdout))} == mine
