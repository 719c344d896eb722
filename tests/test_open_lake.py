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


@pytest.fixture(scope="module")
def frames(tmp_path_factory: pytest.TempPathFactory) -> LakeFrames:
    folder = tmp_path_factory.mktemp("lake")
    assert ingest(SAMPLE, "--lake", folder / "lake").code == 0
    return open_lake(folder / "lake")


@pytest.mark.parametrize("name", catalog.view_names())
def test_every_view_is_a_frame_with_its_rows_and_columns(frames: LakeFrames, name: str) -> None:
    described = {column.name for column in catalog.load_sql()[name].columns}
    frame = frames.view(name).collect()
    assert set(frame.columns) == described
    assert frame.height == frames.query(f"select count(*) from {name}").item()


def test_views_hold_what_people_decided_and_reports_their_order(frames: LakeFrames) -> None:
    import polars as pl

    series = frames.view("series_results")
    assert series.head(1).collect()["n"].to_list() == [series.collect()["n"].max()]
    match = series.filter(pl.col("player").str.starts_with("Fischer"), pl.col("n") > 20).select("series", "score")
    assert match.collect().rows() == [("+7\u22123=11", "12½:8½")]
    assert series.filter(pl.col("n") > 1000).collect().rows() == []
    players, sides = frames.view("players"), frames.view("game_players")
    assert sides.join(players, on="player_id").collect().height == sides.collect().height > 100


def test_a_frame_of_a_view_computes_only_what_is_asked_for(frames: LakeFrames) -> None:
    import polars as pl

    assert frames.view("games").select("white").head(2).collect().shape == (2, 1)
    assert frames.view("games").select(pl.len()).collect().item() == 83
    assert "PROJECT 1/16 COLUMNS" in frames.plies().select("san").explain()
    assert "SELECTION" in frames.plies().filter(pl.col("ply") == 1).explain()


def test_a_report_takes_its_parameters(frames: LakeFrames) -> None:
    table = frames.report("crosstable", event_name="World Championship Match")
    assert table.select("total_points", "total_n").rows() == [(12.5, 21), (8.5, 21)]
    assert frames.report("corpus_health").columns[:2] == ["measure", "n"]
    with pytest.raises(catalog.BadReport, match="crosstable needs event_name"):
        frames.report("crosstable")
    with pytest.raises(KeyError, match=r"no view crosstable. Views: .*players"):
        frames.view("crosstable")


def test_a_name_that_is_no_table_tells_those_that_are(tmp_path: Path) -> None:
    frames = LakeFrames(tmp_path, {})
    there_are = r"There are spans\(\), games\(\), .* as frames, and view\("
    with pytest.raises(AttributeError, match=r'a lake has no players\(\). It has view\("players"\)'):
        frames.players()  # type: ignore[attr-defined]
    with pytest.raises(AttributeError, match=f"a lake has no boards.*{there_are}"):
        frames.boards()  # type: ignore[attr-defined]
    with pytest.raises(KeyError, match=there_are):
        frames.table("players")
    assert not hasattr(frames, "_private")


def test_each_stored_table_has_a_method() -> None:
    assert [name for name in TABLES if name not in vars(LakeFrames)] == []
