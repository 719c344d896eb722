"""`pipeline.open_lake`: a lake as polars frames."""

from __future__ import annotations

from pathlib import Path

import pytest

from pipeline import LakeFrames, catalog, open_lake, store
from pipeline.schema import TABLES
from tests.support_cli import GAME, SAMPLE, ingest


def test_a_lake_opens_as_polars_frames(tmp_path: Path) -> None:
    import polars as pl

    assert ingest(SAMPLE, "--lake", tmp_path / "lake").code == 0
    frames = open_lake(tmp_path / "lake")
    clean = frames.games().filter(pl.col("status") == "clean").select("game_id").collect()
    assert clean.height > 60
    assert frames.plies().join(clean.lazy(), on="game_id").filter(pl.col("variation") == 0).collect().height > 4000
    series = frames.query("select series from series_results where player like $name and n > 20", name="Fischer%")
    assert series["series"].to_list() == ["+7−3=11"]
    with pytest.raises(catalog.StatementRefused):
        frames.query("drop table games")


def test_frames_of_tables_without_rows_have_their_columns(tmp_path: Path) -> None:
    (tmp_path / "a.pgn").write_text(GAME, "utf-8")
    assert ingest(tmp_path / "a.pgn", "--no-build", "--lake", tmp_path / "lake").code == 0
    frames = open_lake(tmp_path / "lake")
    assert frames.quarantine().collect().height == 0
    assert "reason_code" in frames.quarantine().collect_schema().names()


def test_where_there_is_no_lake_none_is_made(tmp_path: Path) -> None:
    with pytest.raises(store.NoLake):
        open_lake(tmp_path / "lake")
    assert list(tmp_path.iterdir()) == []


def test_an_error_says_what_a_program_can_do(tmp_path: Path) -> None:
    with pytest.raises(store.NoLake, match="Give open_lake the folder of one") as error:
        open_lake(tmp_path / "nope")
    assert "NOTATIO_LAKE" not in str(error.value)


def test_a_name_that_is_no_table_tells_those_that_are(tmp_path: Path) -> None:
    frames = LakeFrames(tmp_path, {})
    there_are = r"There are spans\(\), games\(\), .* as frames, and query\("
    with pytest.raises(AttributeError, match=f"a lake has no players. {there_are}"):
        frames.players()  # type: ignore[attr-defined]
    with pytest.raises(KeyError, match=there_are):
        frames.table("players")
    assert not hasattr(frames, "_private")


def test_each_stored_table_has_a_method() -> None:
    assert [name for name in TABLES if name not in vars(LakeFrames)] == []
