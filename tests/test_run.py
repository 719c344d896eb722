"""A corpus run: what is read, what is known, what is replaced, what happens to shards that fail, how a run is resumed."""

from __future__ import annotations

import gzip
import io
import json
import os
import random
import shutil
import signal
import subprocess
import sys
import tarfile
import time
import zipfile
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from pipeline import sources, split
from pipeline.engines import EngineUnavailable
from pipeline.run import IngestOptions, RunResult, ingest_run
from pipeline.run.plan import GROUP_BYTES, Cut, Reading, Wanted, cut, plan
from pipeline.store import BadLake, Lake, is_behind, publish_head, published_number, runs
from tests.support_store import (
    ROOT,
    data_files,
    digest,
    events,
    fake_ingest,
    fake_publish,
    game,
    ingest,
    live_rows,
)

READING = Reading(None, None, None, "1")
MIB = 1 << 20


@pytest.fixture
def lake(tmp_path: Path) -> Path:
    return tmp_path / "lake"


@pytest.fixture
def texts(tmp_path: Path) -> Path:
    folder = tmp_path / "texts"
    folder.mkdir()
    return folder


def write(folder: Path, **files: bytes) -> None:
    """`write(folder, one=b"…")` makes `one.pgn`."""
    for name, data in files.items():
        (folder / f"{name}.pgn").write_bytes(data)


def counts(result: RunResult) -> tuple[int, int, int, int]:
    return result.n_new, result.n_replaced, result.n_skipped, result.n_failed


# Planning


def wanted(*sizes: int) -> list[Wanted]:
    return [Wanted(digest(str(i)), f"/{i}", None, size) for i, size in enumerate(sizes)]


def groups_of(shards: list[dict[str, Any]]) -> list[list[str]]:
    return [[spec["source_id"] for spec in shard["sources"]] for shard in shards]


def test_a_plan_does_not_depend_on_the_order_of_files_nor_on_where_they_lie() -> None:
    sizes = random.Random(1)
    some = wanted(*(sizes.randrange(MIB) for _ in range(40)))
    mixed = random.Random(2).sample(some, len(some))
    moved = [Wanted(w.source_id, f"/elsewhere{w.path}", None, w.n_bytes) for w in some]
    ids = [shard["shard_id"] for shard in plan(some, READING, out="/a", mode="auto")]
    assert len(set(ids)) == len(ids) > 3
    for other in (mixed, moved):
        assert [shard["shard_id"] for shard in plan(other, READING, out="/b", mode="plain")] == ids


def test_a_shard_is_another_one_when_its_results_may_differ() -> None:
    readings = [READING, Reading("ru", None, None, "1"), Reading(None, "san", None, "1"), Reading(None, None, "cp1251", "1")]
    readings.append(Reading(None, None, None, "2"))
    ids = {plan(wanted(5), reading, out="", mode="auto")[0]["shard_id"] for reading in readings}
    assert len(ids) == len(readings)


def test_small_sources_are_grouped_and_large_ones_stand_alone() -> None:
    shards = plan(wanted(*[MIB] * 10, GROUP_BYTES + 1, 0), READING, out="", mode="auto")
    sizes = sorted([spec["n_bytes"] for spec in shard["sources"]] for shard in shards)
    assert [GROUP_BYTES + 1] in sizes
    assert all(sum(group) <= GROUP_BYTES for group in sizes if len(group) > 1)
    assert sorted(size for group in sizes for size in group) == sorted([*[MIB] * 10, GROUP_BYTES + 1, 0])
    assert len(shards) == 4


def test_what_a_killed_run_planned_together_stays_together() -> None:
    some = wanted(*[MIB] * 12)
    whole = groups_of(plan(some, READING, out="", mode="auto"))
    committed = set(whole[0])
    left = [w for w in some if w.source_id not in committed]
    assert groups_of(plan(left, READING, out="", mode="auto", groups=whole)) == whole[1:]
    without_one = left[1:]
    assert len(groups_of(plan(without_one, READING, out="", mode="auto", groups=whole))) == len(whole) - 1


def cuts_of(data: bytes, monkeypatch: pytest.MonkeyPatch, piece: int = 1000) -> tuple[Cut, ...]:
    monkeypatch.setattr("pipeline.run.plan.PIECE_BYTES", piece)
    monkeypatch.setattr("pipeline.run.plan._WINDOW_BYTES", 300)
    return cut(lambda a, b: data[a:b], len(data), split.borders)


@pytest.mark.parametrize("end", ["\n", "\r\n"])
def test_a_large_file_is_cut_at_game_borders_and_each_part_knows_its_first_line(
    end: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    data = b"".join(game(i, n_filler_bytes=i % 7 * 90) for i in range(60)).replace(b"\n", end.encode())
    cuts = cuts_of(data, monkeypatch)
    assert [one.end for one in cuts[:-1]] == [one.start for one in cuts[1:]]
    assert (cuts[0].start, cuts[-1].end, len(cuts) > 5) == (0, len(data), True)
    borders = set(split.borders(data))
    for one in cuts[1:]:
        assert one.start in borders
        assert one.first_line == data[: one.start].decode().count("\n") + 1
    assert all(1000 <= one.end - one.start < 2200 for one in cuts[:-1])


def test_a_file_without_borders_is_not_cut(monkeypatch: pytest.MonkeyPatch) -> None:
    assert cuts_of(b"prose " * 2000, monkeypatch) == ()
    assert cuts_of(game(1, n_filler_bytes=5000), monkeypatch) == ()


# What is read


def test_a_folder_is_read_once_and_then_known(lake: Path, texts: Path) -> None:
    write(texts, one=game("a") + game("b"), two=game("c"))
    first = ingest(lake, texts)
    assert (counts(first), first.exit_code, first.snapshot_after, first.published) == ((2, 0, 0, 0), 0, 1, 1)
    assert (first.n_games, first.n_bytes_games) == (3, sum(len(game(x)) for x in "abc"))
    second = ingest(lake, texts)
    assert (counts(second), second.exit_code, second.snapshot_after, second.published) == ((0, 0, 2, 0), 0, None, None)
    assert events(lake) == ["a", "b", "c"]


def test_paths_are_kept_relative_to_their_root_and_the_root_is_the_collection(lake: Path, texts: Path) -> None:
    (texts / "sub").mkdir()
    write(texts / "sub", one=game("a"))
    ingest(lake, texts)
    ingest(lake, texts / "sub" / "one.pgn", collection="mine")
    rows = [(row["collection"], row["path"], row["absolute_path"]) for row in Lake.open(lake).head().source_paths]
    absolute = str(texts / "sub" / "one.pgn")
    assert sorted(rows) == sorted([(str(texts), "sub/one.pgn", absolute), ("mine", "one.pgn", absolute)])
    assert events(lake) == ["a"]


def test_a_changed_file_is_replaced_and_an_unchanged_one_beside_it_is_not_touched(lake: Path, texts: Path) -> None:
    write(texts, one=game("a"), two=game("b"))
    ingest(lake, texts)
    write(texts, one=game("a") + game("c"))
    result = ingest(lake, texts)
    assert (counts(result), result.snapshot_after) == ((0, 1, 1, 0), 2)
    assert events(lake) == ["a", "b", "c"]


def test_a_named_collection_may_move(lake: Path, texts: Path, tmp_path: Path) -> None:
    write(texts, one=game("a"))
    ingest(lake, texts, collection="mine")
    moved = texts.rename(tmp_path / "moved")
    write(moved, one=game("b"))
    assert counts(ingest(lake, moved, collection="mine")) == (0, 1, 0, 0)
    assert events(lake) == ["b"]


def test_a_file_that_moved_while_another_took_its_place_is_not_read_again(lake: Path, texts: Path) -> None:
    write(texts, one=game("a"))
    ingest(lake, texts)
    (texts / "one.pgn").rename(texts / "two.pgn")
    write(texts, one=game("b"))
    result = ingest(lake, texts)
    assert (result.n_new + result.n_replaced, result.n_skipped, result.snapshot_after) == (1, 1, 2)
    assert events(lake) == ["a", "b"]


def test_other_options_read_again_with_a_warning_and_another_results_version_without(lake: Path, texts: Path) -> None:
    write(texts, one=game("a"))
    ingest(lake, texts)
    told: list[Any] = []
    options = IngestOptions([str(texts)], workers=1, language="ru")
    result = ingest_run(options, lake=lake, report=told.append, ingest_shard=fake_ingest, publish=fake_publish)
    assert counts(result) == (0, 1, 0, 0)
    assert [e["detail"] for e in told if e["event"] == "warning"] == [
        "was read with other options (none); this reading (language ru) replaces it"
    ]
    assert counts(ingest(lake, texts, language="ru")) == (0, 0, 1, 0)
    assert counts(ingest(lake, texts, language="ru", results_version="4")) == (0, 1, 0, 0)
    assert events(lake) == ["a"]
    with pytest.raises(BadLake, match="version 4, this program makes 3"):
        ingest(lake, texts)


def test_the_lake_inside_the_folder_is_not_read(texts: Path) -> None:
    write(texts, one=game("a"))
    ingest(texts / "lake", texts)
    assert counts(ingest(texts / "lake", texts)) == (0, 0, 1, 0)


def test_data_files_are_the_same_for_any_number_of_workers_and_any_order(tmp_path: Path, texts: Path) -> None:
    for i in range(30):
        write(texts, **{f"f{i}": b"".join(game(f"{i} {n}", n_filler_bytes=9000) for n in range(30))})
    files = sorted(str(path) for path in texts.iterdir())
    kinds = [(1, files), (2, files[::-1]), (3, [str(texts)])]
    found = []
    for i, (workers, paths) in enumerate(kinds):
        result = ingest(tmp_path / f"lake{i}", *paths, workers=workers)
        assert (result.n_new, result.n_shards > 1) == (30, True)
        found.append(data_files(tmp_path / f"lake{i}"))
    assert found[0] == found[1] == found[2]


def test_a_large_file_is_read_in_parts_and_is_one_source(lake: Path, texts: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    data = b"".join(game(f"{i:04}", n_filler_bytes=2000) for i in range(300))
    write(texts, big=data, small=game("x"))
    monkeypatch.setattr("pipeline.run.plan.PIECE_BYTES", 100_000)
    monkeypatch.setattr("pipeline.run.discover.PIECE_BYTES", 100_000)
    result = ingest(lake, texts)
    assert (result.n_new, result.n_games, result.n_shards) == (2, 301, 8)
    source = next(row for row in Lake.open(lake).head().sources if row["path"] == "big.pgn")
    assert source["n_bytes"] == source["n_bytes_games"] == len(data)
    assert [part["part"] for part in source["parts"]] == list(range(7))
    offsets = {r["part"]: r["first_game_index"] for r in Lake.open(lake).head().parts if r["source_id"] == source["source_id"]}
    rows = [row for row in live_rows(lake, "games") if row["source_id"] == source["source_id"]]
    index = {offsets[row["part"]] + row["index_in_part"]: row["event"] for row in rows}
    assert [index[i] for i in range(300)] == [f"{i:04}" for i in range(300)]


@pytest.mark.parametrize("encoding", ["cp1251", "utf-16"])
def test_a_large_file_that_is_not_plain_utf8_is_not_cut(
    encoding: str, lake: Path, texts: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    text = "".join(game(i, n_filler_bytes=2000).decode() for i in range(100)) + "Шахматы"
    write(texts, big=text.encode(encoding))
    monkeypatch.setattr("pipeline.run.discover.PIECE_BYTES", 100_000)
    result = ingest(lake, texts, dry_run=True)
    assert [row["n_sources"] for row in result.plan] == [1]


# Data files that are missing


def lose(lake: Path, table: str) -> set[str]:
    """Removes the live data files of a table; gives the names of all that were there."""
    before = data_files(lake)
    for file in Lake.open(lake).head().files[table]:
        (lake / file).unlink()
    return before


@pytest.mark.parametrize("table", ["games", "plies", "spans"])
def test_a_data_file_that_is_missing_is_made_again(table: str, lake: Path, texts: Path) -> None:
    write(texts, one=game("a") + game("b"), two=game("c"))
    ingest(lake, texts)
    before = lose(lake, table)
    assert [row["n_sources"] for row in ingest(lake, texts, dry_run=True).plan] == [2]
    result = ingest(lake, texts)
    assert (counts(result), result.exit_code, result.n_games) == ((0, 2, 0, 0), 0, 3)
    assert (events(lake), data_files(lake)) == (["a", "b", "c"], before)
    assert counts(ingest(lake, texts)) == (0, 0, 2, 0)


def test_a_data_file_that_is_short_is_made_again(lake: Path, texts: Path) -> None:
    write(texts, one=game("a"))
    ingest(lake, texts)
    path = lake / Lake.open(lake).head().files["plies"][0]
    whole = path.read_bytes()
    path.write_bytes(whole[:-1])
    assert (ingest(lake, texts).exit_code, path.read_bytes()) == (0, whole)


def test_what_was_read_together_and_changed_since_is_replaced_when_its_data_file_is_missing(lake: Path, texts: Path) -> None:
    write(texts, one=game("a"), two=game("b"), three=game("c"))
    ingest(lake, texts)
    lose(lake, "games")
    write(texts, two=game("new"))
    (texts / "three.pgn").unlink()
    result = ingest(lake, texts, prune=True, max_prune_pct=100, commit_seconds=0)
    assert (counts(result), result.exit_code) == ((0, 2, 0, 0), 0)
    assert (events(lake), len(live_rows(lake, "plies"))) == (["a", "new"], 4)


def test_a_file_cut_in_parts_is_read_again_when_the_data_file_of_a_part_is_missing(
    lake: Path, texts: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    write(texts, big=b"".join(game(f"{i:04}", n_filler_bytes=2000) for i in range(300)), small=game("x"))
    monkeypatch.setattr("pipeline.run.plan.PIECE_BYTES", 100_000)
    monkeypatch.setattr("pipeline.run.discover.PIECE_BYTES", 100_000)
    ingest(lake, texts)
    (lake / Lake.open(lake).head().files["games"][2]).unlink()
    result = ingest(lake, texts)
    assert (result.exit_code, result.n_replaced, len(events(lake))) == (0, 1, 301)


def test_a_data_file_whose_sources_are_not_all_given_is_told_and_nothing_else_is_held_up(lake: Path, texts: Path) -> None:
    write(texts, one=game("a"), two=game("b"))
    ingest(lake, texts)
    before = lose(lake, "games")
    write(texts, three=game("c"))
    result = ingest(lake, texts / "one.pgn", texts / "three.pgn")
    assert (result.exit_code, result.n_new, result.n_replaced) == (78, 1, 0)
    assert "missing" in str(result.problem)
    assert str(texts) in str(result.problem)
    assert "name all these sources in one ingest" in str(result.problem)
    assert (ingest(lake, texts).exit_code, events(lake)) == (0, ["a", "b", "c"])
    assert before <= data_files(lake)


def test_what_cannot_be_read_again_is_taken_out_with_prune(lake: Path, texts: Path) -> None:
    write(texts, one=game("a"), two=game("b"))
    ingest(lake, texts)
    lose(lake, "games")
    (texts / "two.pgn").unlink()
    assert ingest(lake, texts).exit_code == 78
    assert ingest(lake, texts, prune=True, max_prune_pct=100).exit_code == 0
    assert (events(lake), len(live_rows(lake, "plies"))) == (["a"], 2)


def test_a_catalog_that_is_behind_is_published_after_what_is_missing_was_made_again(lake: Path, texts: Path) -> None:
    write(texts, one=game("a"))
    ingest(lake, texts, no_build=True)
    lose(lake, "games")
    with pytest.raises(BadLake, match="is missing"):
        publish_head(Lake.open(lake), fake_publish)
    result = ingest(lake, texts)
    assert (result.exit_code, result.published) == (0, 1)


# Containers and standard input


def test_members_of_containers_are_sources_and_know_their_container(lake: Path, texts: Path) -> None:
    with zipfile.ZipFile(texts / "z.zip", "w") as archive:
        for name in "ab":
            archive.writestr(f"{name}.pgn", game(name))
    with tarfile.open(texts / "t.tar.gz", "w:gz") as tar:
        for name in "cde":
            info = tarfile.TarInfo(f"{name}.pgn")
            info.size = len(game(name))
            tar.addfile(info, io.BytesIO(game(name)))
    (texts / "g.pgn.gz").write_bytes(gzip.compress(game("g")))
    result = ingest(lake, texts)
    assert (result.n_new, events(lake)) == (6, ["a", "b", "c", "d", "e", "g"])
    paths = {row["path"] for row in Lake.open(lake).head().sources}
    assert paths == {"z.zip!a.pgn", "z.zip!b.pgn", "t.tar.gz!c.pgn", "t.tar.gz!d.pgn", "t.tar.gz!e.pgn", "g.pgn.gz!g.pgn"}
    containers = {row["path"]: row["container_id"] for row in Lake.open(lake).head().sources}
    assert containers["z.zip!a.pgn"] == digest((texts / "z.zip").read_bytes())
    assert counts(ingest(lake, texts)) == (0, 0, 6, 0)
    assert not any((lake / "runs").glob("*/")), "what was spooled is gone"


def test_a_member_that_a_changed_container_does_not_hold_any_more_is_gone(lake: Path, texts: Path) -> None:
    for names in ("ab", "a"):
        with zipfile.ZipFile(texts / "z.zip", "w") as archive:
            for name in names:
                archive.writestr(f"{name}.pgn", game(name))
        ingest(lake, texts)
        assert events(lake) == list(names)


def test_a_broken_container_is_one_quarantined_source_and_takes_nothing_away(lake: Path, texts: Path) -> None:
    with zipfile.ZipFile(texts / "z.zip", "w", zipfile.ZIP_DEFLATED) as archive:
        for name in "ab":
            archive.writestr(f"{name}.pgn", game(name, n_filler_bytes=300))
    ingest(lake, texts)
    whole = (texts / "z.zip").read_bytes()
    (texts / "z.zip").write_bytes(whole[:-60])
    result = ingest(lake, texts)
    assert (result.exit_code, result.n_new + result.n_replaced) == (0, 1)
    broken = next(row for row in Lake.open(lake).head().source_paths if row["path"] == "z.zip")
    assert broken["status"] == "container_corrupt"
    assert broken["source_id"] == digest(whole[:-60])
    assert events(lake) == ["a", "b"]


def test_standard_input_is_kept_by_its_content_and_replaced_only_by_name(
    lake: Path, texts: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def pipe(data: bytes, **options: Any) -> RunResult:
        monkeypatch.setattr(sys, "stdin", io.TextIOWrapper(io.BytesIO(data)))
        return ingest(lake, "-", **options)

    assert counts(pipe(game("a"))) == (1, 0, 0, 0)
    assert counts(pipe(game("b"))) == (1, 0, 0, 0)
    assert events(lake) == ["a", "b"]
    pipe(game("c"), name="daily")
    pipe(game("d"), name="daily")
    assert events(lake) == ["a", "b", "d"]
    assert not any((lake / "runs").glob("*/"))


# What cannot be read now


@pytest.mark.skipif(os.geteuid() == 0, reason="root may read everything")
def test_an_unreadable_file_is_a_finding(lake: Path, texts: Path) -> None:
    write(texts, one=game("a"), two=game("b"))
    (texts / "one.pgn").chmod(0)
    result = ingest(lake, texts)
    assert (counts(result), result.exit_code) == ((1, 0, 0, 1), 3)


def test_a_file_that_fails_while_it_is_read_is_a_finding_and_a_row(
    lake: Path, texts: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    write(texts, one=game("a"), two=game("b"))
    real = sources.members

    def members(found: sources.Found) -> Any:
        if found.relative_path == "one.pgn":
            found = sources.Found(found.path, found.absolute_path, found.root, found.relative_path, 0, "no right to read it")
        return real(found)

    monkeypatch.setattr(sources, "members", members)
    result = ingest(lake, texts)
    assert (counts(result), result.exit_code, result.problem) == ((1, 0, 0, 1), 3, "1 file cannot be read")
    rows = {row["path"]: (row["status"], row["source_id"] is None) for row in Lake.open(lake).head().source_paths}
    assert rows == {"one.pgn": ("read_error", True), "two.pgn": ("ok", False)}


def test_a_file_that_was_modified_just_now_waits_for_the_next_run(lake: Path, texts: Path) -> None:
    write(texts, old=game("a"), new=game("b"))
    os.utime(texts / "old.pgn", (time.time() - 600,) * 2)
    result = ingest(lake, texts, settle_seconds=60)
    assert (result.n_new, result.n_deferred, result.exit_code) == (1, 1, 0)
    rows = {row["path"]: row["status"] for row in Lake.open(lake).head().source_paths}
    assert rows == {"old.pgn": "ok", "new.pgn": "deferred"}
    assert ingest(lake, texts).n_new == 1
    assert {row["status"] for row in Lake.open(lake).head().source_paths} == {"ok"}


def test_a_file_that_changes_while_it_is_read_is_left_for_the_next_run(lake: Path, texts: Path) -> None:
    write(texts, one=game("a"), two=game("b"))
    told: list[Any] = []

    def report(event: Any) -> None:
        told.append(event)
        if event["event"] == "planned":
            write(texts, one=game("changed"))

    options = IngestOptions([str(texts)], workers=1)
    result = ingest_run(options, lake=lake, report=report, ingest_shard=fake_ingest, publish=fake_publish)
    assert (result.n_new, result.n_deferred, events(lake)) == (1, 1, ["b"])
    assert len(live_rows(lake, "games")) == 1, "nothing of it is in the shared files"
    assert not any((lake / "runs").glob("*/")), "its receipt is of no use any more"
    assert ingest(lake, texts).n_new == 1
    assert events(lake) == ["b", "changed"]


# Pruning


def test_files_that_are_gone_stay_unless_pruning_is_asked_for(lake: Path, texts: Path) -> None:
    write(texts, **{name: game(name) for name in "abcdefgh"})
    ingest(lake, texts)
    (texts / "a.pgn").unlink()
    assert ingest(lake, texts).n_pruned == 0
    assert len(events(lake)) == 8
    assert ingest(lake, texts, prune=True).n_pruned == 1
    assert events(lake) == list("bcdefgh")


def test_pruning_is_refused_when_suspiciously_much_is_gone(lake: Path, texts: Path) -> None:
    write(texts, **{name: game(name) for name in "abcdefgh"})
    ingest(lake, texts)
    for name in "abc":
        (texts / f"{name}.pgn").unlink()
    write(texts, new=game("new"))
    result = ingest(lake, texts, prune=True)
    assert (result.exit_code, result.n_pruned, result.n_new) == (3, 0, 1)
    assert "3 of 8 paths (38 %) are gone, more than --max-prune 20" in str(result.problem)
    assert ingest(lake, texts, prune=True, max_prune_pct=50).n_pruned == 3
    assert events(lake) == [*"defgh", "new"]


def test_pruning_leaves_files_that_were_not_asked_for(lake: Path, texts: Path) -> None:
    write(texts, a=game("a"), b=game("b"))
    ingest(lake, texts)
    assert ingest(lake, texts / "a.pgn", prune=True, max_prune_pct=100).n_pruned == 0
    assert events(lake) == ["a", "b"]


# Options


def test_a_dry_run_writes_nothing_and_needs_no_lake(lake: Path, texts: Path) -> None:
    write(texts, one=game("a"), two=game("b"))
    result = ingest(lake, texts, dry_run=True)
    assert not lake.exists()
    assert [(row["n_sources"], sorted(row["paths"])) for row in result.plan] == [
        (2, [str(texts / f"{n}.pgn") for n in ("one", "two")])
    ]
    ingest(lake, texts)
    assert ingest(lake, texts, dry_run=True).plan == []


@pytest.mark.parametrize(("limit", "exit_code"), [(None, 0), (60, 0), (40, 3), (0, 3)])
def test_more_quarantine_than_allowed_is_exit_3_and_committed_all_the_same(
    limit: float | None, exit_code: int, lake: Path, texts: Path
) -> None:
    write(texts, one=game("a") + game("b", "BAD"))
    result = ingest(lake, texts, max_quarantine_pct=limit)
    assert (result.exit_code, events(lake)) == (exit_code, ["a", "b"])


def test_no_build_leaves_the_catalog_to_the_next_run(lake: Path, texts: Path) -> None:
    write(texts, one=game("a"))
    assert ingest(lake, texts, no_build=True).published is None
    assert is_behind(Lake.open(lake))
    assert ingest(lake, texts).published == 1


def test_a_missing_path_is_an_error_before_anything_else(lake: Path) -> None:
    with pytest.raises(sources.NoSuchPath):
        ingest(lake, "nowhere.pgn")
    with pytest.raises(EngineUnavailable):
        ingest(lake, ".", engine="spark")
    assert not lake.exists()


def test_the_manifest_tells_what_the_run_did(lake: Path, texts: Path) -> None:
    write(texts, one=game("a"))
    ingest(lake, texts, arguments=["ingest", "texts"], version="1.2.3")
    ingest(lake, texts)
    first, second = Lake.open(lake).head().runs
    shown = ("state", "exit_code", "version", "arguments", "snapshot_before", "snapshot_after", "n_new", "n_skipped")
    assert [first[key] for key in shown] == ["finished", 0, "1.2.3", ["ingest", "texts"], 0, 1, 1, 0]
    assert [second[key] for key in ("snapshot_before", "snapshot_after", "n_new", "n_skipped")] == [1, None, 0, 1]
    assert first["started_at"] < first["finished_at"] < second["started_at"]


# Shards that fail


def test_a_game_that_kills_its_worker_is_the_only_one_that_is_left_out(lake: Path, texts: Path) -> None:
    killer = game("killer", "KILL")
    write(texts, one=game("a"), two=b"".join(map(game, "bcdef")) + killer + b"".join(map(game, "gh")), three=game("i"))
    result = ingest(lake, texts, workers=2)
    assert (result.exit_code, result.n_new, events(lake)) == (0, 3, list("abcdefghi"))
    [row] = live_rows(lake, "quarantine")
    assert (row["reason_code"], row["raw"], row["byte_start"]) == ("worker_killed", killer, 5 * len(game("a")))
    source = next(row for row in Lake.open(lake).head().sources if row["path"] == "two.pgn")
    assert source["n_bytes_games"] + source["n_bytes_quarantined"] == source["n_bytes"] == 7 * len(game("a")) + len(killer)
    assert counts(ingest(lake, texts)) == (0, 0, 3, 0)
    assert not any((lake / "runs").glob("*/"))


def test_several_killers_in_one_file_are_all_found(lake: Path, texts: Path) -> None:
    write(texts, one=b"".join(game(i, "KILL" if i in (0, 3, 4, 9) else "") for i in range(10)))
    ingest(lake, texts, isolate=True)
    assert events(lake) == [str(i) for i in (1, 2, 5, 6, 7, 8)]
    assert [row["byte_start"] // len(game(1)) for row in live_rows(lake, "quarantine")] == [0, 3, 9]
    assert sum(len(row["raw"]) for row in live_rows(lake, "quarantine")) == 4 * len(game(0, "KILL"))


def test_a_bug_in_the_reader_costs_one_source_and_the_exit_code_says_so(lake: Path, texts: Path) -> None:
    write(texts, one=game("a"), two=game("b", "BUG") + game("c"), three=game("d"))
    told: list[Any] = []
    options = IngestOptions([str(texts)], workers=1)
    result = ingest_run(options, lake=lake, report=told.append, ingest_shard=fake_ingest, publish=fake_publish)
    assert (result.exit_code, counts(result), events(lake)) == (1, (2, 0, 0, 1), ["a", "d"])
    assert any("a bug on purpose" in str(e.get("error")) for e in told)
    assert [Path(e["path"]).name for e in told if e["event"] == "failed"] == ["two.pgn"]


# Kill and resume


def start(lake: Path, *arguments: Any) -> subprocess.Popen[bytes]:
    command = [sys.executable, "-m", "tests.support_store", str(lake), *map(str, arguments)]
    return subprocess.Popen(command, cwd=ROOT, stdout=subprocess.PIPE)


def wait_for(is_true: Callable[[], Any], seconds: float = 30) -> None:
    end = time.monotonic() + seconds
    while not is_true():
        assert time.monotonic() < end, "it did not happen in time"
        time.sleep(0.01)


def slow_texts(texts: Path, n_files: int = 8) -> None:
    """Files of a shard each, a fifth of a second each."""
    for i in range(n_files):
        write(texts, **{f"f{i}": b"".join(game(f"{i} {n}", "SLOW", n_filler_bytes=GROUP_BYTES // 4) for n in range(5))})


def receipts(lake: Path) -> list[Path]:
    return [path for path in (lake / "runs").glob("*/*.json") if len(path.stem) == 32]


@pytest.mark.parametrize("workers", [1, 2])
def test_a_killed_run_is_resumed_from_its_receipts_with_the_same_files(workers: int, tmp_path: Path, texts: Path) -> None:
    slow_texts(texts)
    lake, other = tmp_path / "lake", tmp_path / "other"
    with start(lake, texts, "--workers", workers) as run:
        wait_for(lambda: len(receipts(lake)) >= 3)
        run.kill()
    assert Lake.open(lake).head().number == 0
    n_staged = len(receipts(lake))
    result = ingest(lake, texts, workers=workers)
    assert (result.n_new, result.exit_code) == (8, 0)
    assert result.n_resumed >= n_staged >= 3
    ingest(other, texts)
    assert Lake.open(lake).head().files == Lake.open(other).head().files
    assert [(row["state"], row["exit_code"]) for row in Lake.open(lake).head().runs] == [("killed", None), ("finished", 0)]
    assert not any((lake / "runs").glob("*/"))


def test_sigterm_finishes_what_is_in_flight_commits_it_and_exits_75(lake: Path, texts: Path) -> None:
    slow_texts(texts)
    with start(lake, texts, "--workers", 2) as run:
        wait_for(lambda: len(receipts(lake)) >= 2)
        run.send_signal(signal.SIGTERM)
        out, _ = run.communicate(timeout=30)
    assert run.returncode == 75
    assert json.loads(out)["problem"] == "stopped by SIGTERM"
    n_live = len(Lake.open(lake).head().sources)
    assert 2 <= n_live < 8
    assert published_number(lake) == 1
    assert [row["state"] for row in Lake.open(lake).head().runs] == ["interrupted"]
    assert ingest(lake, texts).n_new == 8 - n_live


def test_a_run_commits_now_and_then(lake: Path, texts: Path) -> None:
    slow_texts(texts, 5)
    result = ingest(lake, texts, commit_seconds=0.3)
    assert result.n_new == 5
    assert Lake.open(lake).head().number > 1


def test_receipts_whose_files_are_gone_are_read_again(lake: Path, texts: Path) -> None:
    slow_texts(texts, 4)
    with start(lake, texts) as run:
        wait_for(lambda: len(receipts(lake)) >= 2)
        run.kill()
    for path in (lake / "data").iterdir():
        path.unlink()
    result = ingest(lake, texts)
    assert (result.n_resumed, result.n_new, len(events(lake))) == (0, 4, 20)


def test_files_that_vanish_before_the_commit_are_written_again(lake: Path, texts: Path) -> None:
    write(texts, one=game("a"))
    lost: list[Path] = []

    def report(event: Any) -> None:
        if event["event"] == "shard" and not lost:
            lost.extend((lake / "data").iterdir())
            for path in lost:
                path.unlink()

    options = IngestOptions([str(texts)], workers=1)
    result = ingest_run(options, lake=lake, report=report, ingest_shard=fake_ingest, publish=fake_publish)
    assert (len(lost), result.exit_code, events(lake)) == (3, 0, ["a"])


def test_a_run_after_a_killed_one_does_not_risk_its_own_life(lake: Path, texts: Path) -> None:
    """With one worker the shard runs in the process itself: what kills it there is found by the next run."""
    write(texts, one=game("a") + game("k", "KILL") + game("b"))
    with start(lake, texts) as run:
        assert run.wait(30) == -signal.SIGKILL
    result = ingest(lake, texts)
    assert (result.exit_code, events(lake)) == (0, ["a", "b"])


def test_a_catalog_that_lags_is_published_first(lake: Path, texts: Path) -> None:
    write(texts, one=game("a"))
    ingest(lake, texts, no_build=True)
    told: list[str] = []
    options = IngestOptions([str(texts)], workers=1)
    ingest_run(options, lake=lake, report=lambda e: told.append(e["event"]), ingest_shard=fake_ingest, publish=fake_publish)
    assert told.index("published") < told.index("planned")


def test_leftovers_of_a_killed_run_on_other_input_stay_for_it(lake: Path, texts: Path, tmp_path: Path) -> None:
    slow_texts(texts, 4)
    with start(lake, texts) as run:
        wait_for(lambda: len(receipts(lake)) >= 1)
        run.kill()
    n_staged = len(receipts(lake))
    (tmp_path / "x").mkdir()
    write(tmp_path / "x", other=game("other"))
    ingest(lake, tmp_path / "x")
    assert len(receipts(lake)) == n_staged
    assert ingest(lake, texts).n_resumed == n_staged
    assert runs.folders(lake / "runs") == []


@pytest.mark.slow
@pytest.mark.filterwarnings("ignore")  # Ray's own
def test_ray_makes_the_same_files_as_the_local_engine(tmp_path: Path, texts: Path) -> None:
    pytest.importorskip("ray", reason="the extra ray is not installed")
    write(texts, one=game("a"), two=b"".join(map(game, "bcd")))
    ingest(tmp_path / "local", texts)
    result = ingest(tmp_path / "ray", texts, engine="ray", workers=2)
    assert result.n_new == 2
    assert data_files(tmp_path / "ray") == data_files(tmp_path / "local")
    shutil.rmtree(tmp_path / "ray")
