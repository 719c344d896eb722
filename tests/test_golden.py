"""What the sample becomes, row by row: the tables below tests/golden/lake. `pytest tests/test_golden.py --bless` rewrites them.

The truth of the moves stands apart in golden/sample.csv and is never blessed; here stands everything else that a change may move.
"""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import duckdb
import pytest

from pipeline import catalog
from tests.support_cli import SAMPLE, ingest

GOLDEN = Path(__file__).parent / "golden" / "lake"

QUERIES = {
    "counts": """
        select 'sources' as name, count(*) as n from sources
        union all select 'games ' || status, count(*) from games group by status
        union all select 'games by the rule ' || dialect_evidence, count(*) from games group by dialect_evidence
        union all select 'spans ' || kind, count(*) from spans group by kind
        union all select 'plies', count(*) from plies
        union all select 'variations', count(*) from variations
        union all select 'annotations', count(*) from annotations
        union all select 'issues ' || code || ', ' || severity, count(*) from issues group by code, severity
        union all select 'players', count(*) from players
        union all select 'distinct games', count(*) from games_distinct
        order by name""",
    "games": """
        select path, game_index, status, notation, language, games.encoding, white, black, event, round, date_written,
            games.n_plies, result, result_tag, result_movetext, result_board, is_result_conflict, termination,
            left(movetext, 60) as opening
        from games join sources using (source_id) order by path, game_index""",
    "openings": """
        select path, game_index, eco_written, eco, games.opening
        from games join sources using (source_id) where games.n_plies > 0 order by path, game_index""",
    "issues": """
        select path, game_index, code, severity, variation, ply, line, "column", issues.written,
            array_to_string(candidates, ' ') as candidates
        from issues join sources using (source_id) left join games using (game_id)
        order by path, byte_offset, code, variation, ply, issue_id""",
    "annotation_symbols": "select * from annotation_symbols order by n desc, nag",
    "series_results": """
        select * exclude (player_id, opponent_id, as_of_snapshot) from series_results order by player, opponent, speed""",
}


@pytest.fixture(scope="module")
def con(tmp_path_factory: pytest.TempPathFactory) -> Iterator[duckdb.DuckDBPyConnection]:
    lake = tmp_path_factory.mktemp("golden") / "lake"
    done = ingest(SAMPLE, "--lake", lake)
    assert done.code == 0, done.err
    with catalog.connect(lake) as connection:
        yield connection


@pytest.mark.parametrize("name", QUERIES)
def test_the_sample_becomes_what_it_became_before(
    name: str, con: duckdb.DuckDBPyConnection, request: pytest.FixtureRequest
) -> None:
    """A blessed difference is explained in CHANGELOG.md, under Data."""
    found = con.sql(QUERIES[name])
    text = "\n".join([",".join(found.columns), *(",".join(_cell(v) for v in row) for row in found.fetchall())]) + "\n"
    path = GOLDEN / f"{name}.csv"
    if request.config.getoption("--bless"):
        path.parent.mkdir(exist_ok=True)
        path.write_text(text, "utf-8")

    assert path.read_text("utf-8") == text


def _cell(value: object) -> str:
    if value is None:
        return ""
    text = str(value).replace("\r", "\\r").replace("\n", "\\n")
    return '"' + text.replace('"', '""') + '"' if "," in text or '"' in text else text
