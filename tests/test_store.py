"""The lake: what a commit does, what survives races, disks and gc, and what readers see meanwhile (docs/lake.md)."""

from __future__ import annotations

import errno
import hashlib
import json
import os
import stat
import subprocess
import sys
import time
from pathlib import Path
from typing import Any

import pyarrow as pa
import pyarrow.parquet as pq
import pytest

from pipeline import schema
from pipeline.run.plan import Reading, Wanted, plan
from pipeline.run.progress import Progress
from pipeline.store import (
    BadLake,
    Change,
    DiskFull,
    FileRef,
    FilesGone,
    Lake,
    LakeBusy,
    LakeUsage,
    NewerFormat,
    NoLake,
    SnapshotRemoved,
    StorageAway,
    classify,
    gc,
    is_behind,
    publish_head,
    published_number,
    runs,
    write_table,
)
from tests.support_store import ROOT, data_files, digest, events, fake_ingest, fake_publish, game, live_rows

Row = dict[str, Any]
READING = Reading(None, None, None, "1")


@pytest.fixture
def lake(tmp_path: Path) -> Lake:
    return Lake.create(tmp_path / "lake")


def staged(lake: Lake, files: dict[str, bytes], collection: str = "c", reading: Reading = READING) -> Change:
    """Reads texts as one shard and gives the change that makes them live. Names are paths."""
    folder = lake.root.parent / "texts"
    folder.mkdir(exist_ok=True)
    wanted = []
    for data in dict.fromkeys(files.values()):
        (folder / digest(data)).write_bytes(data)
        wanted.append(Wanted(digest(data), str(folder / digest(data)), None, len(data)))
    progress = Progress()
    shards = plan(wanted, reading, out=str(lake.data), mode="auto")
    progress.expect(shards)
    for shard in shards:
        progress.add(shard, fake_ingest(shard))
    ids = progress.ready()
    rows = {w.source_id: progress.row(w.source_id, w.n_bytes, None, reading, "run") for w in wanted}
    return Change(progress.staged(ids), rows, [path_row(collection, path, digest(data)) for path, data in files.items()])


def path_row(collection: str, path: str, source_id: str | None, status: str = "ok") -> Row:
    return {
        "source_id": source_id,
        "collection": collection,
        "path": path,
        "absolute_path": f"/somewhere/{path}",
        "n_bytes": 1,
        "status": status,
    }


def commit(lake: Lake, change: Change, results_version: str = "1") -> Any:
    return lake.commit(change, results_version=results_version)


def paths_of(lake: Lake) -> list[tuple[str, str, bool]]:
    """(path, first letter of its content's event, is live) of all path rows."""
    return [(row["path"], row["source_id"], row["removed_at"] is None) for row in lake.head().source_paths]


A, B, C = game("a"), game("b"), game("c")


# Files


def test_a_data_file_is_named_by_its_content_and_equal_tables_are_one_file(lake: Lake) -> None:
    table = pa.table({"x": pa.array(["a", "b", "c"])})
    in_pieces = pa.concat_tables([table.slice(0, 1), table.slice(1)]).replace_schema_metadata({"made": "elsewhere"})
    first, second = write_table(table, "games", lake.data), write_table(in_pieces, "games", lake.data)
    assert first == second
    content = (lake.data / first.name).read_bytes()
    assert first == FileRef(f"games-{hashlib.sha256(content).hexdigest()}.parquet", 3, len(content))
    assert data_files(lake.root) == {first.name}


def test_a_file_that_does_not_come_back_from_the_disk_is_not_put_in_place(lake: Lake, monkeypatch: pytest.MonkeyPatch) -> None:
    class Footer:
        num_rows = 2

    monkeypatch.setattr(pq, "read_metadata", lambda _: Footer)
    with pytest.raises(BadLake, match="2 rows instead of 3"):
        write_table(pa.table({"x": [1, 2, 3]}), "games", lake.data)
    assert data_files(lake.root) == set()


def test_a_full_disk_leaves_no_unfinished_file(lake: Lake, monkeypatch: pytest.MonkeyPatch) -> None:
    def full(*_: object) -> int:
        raise OSError(errno.ENOSPC, "No space left on device")

    monkeypatch.setattr(os, "fsync", full)
    with pytest.raises(OSError, match="No space left"):
        write_table(pa.table({"x": [1]}), "games", lake.data)
    assert data_files(lake.root) == set()


def test_a_damaged_file_of_the_right_name_is_written_again(lake: Lake) -> None:
    table = pa.table({"x": [1, 2, 3]})
    reference = write_table(table, "games", lake.data)
    (lake.data / reference.name).write_bytes(b"torn")
    write_table(table, "games", lake.data)
    assert pq.read_table(lake.data / reference.name).num_rows == 3


@pytest.mark.parametrize(
    ("error", "expected"),
    [
        (OSError(errno.ENOSPC, "x"), DiskFull),
        (OSError(errno.EDQUOT, "x"), DiskFull),
        (RuntimeError("ComputeError: No space left on device (os error 28)"), DiskFull),
        (OSError(errno.ESTALE, "x"), StorageAway),
        (OSError(errno.EIO, "x"), StorageAway),
        (PermissionError(errno.EACCES, "x"), BadLake),
        (ValueError("x"), None),
    ],
)
def test_errors_of_the_disk_are_told_apart_by_number_or_text_anywhere_in_their_chain(
    error: Exception, expected: type[Exception] | None
) -> None:
    try:
        try:
            raise error
        except Exception as inner:
            raise RuntimeError("could not write") from inner
    except RuntimeError as outer:
        found = classify(outer, "lake")
    assert (type(found) if found else None) is expected


# Opening


def test_a_new_lake_has_its_folders_and_the_header_of_what_people_will_decide(lake: Lake) -> None:
    assert sorted(p.name for p in lake.root.iterdir()) == ["_snapshots", "curation", "data", "runs"]
    assert (lake.curation / "corrections.csv").read_text() == "text_id,field,value,because,author,made_at\n"
    assert [p.name for p in lake.curation.iterdir()] == ["corrections.csv"]
    assert (lake.head().number, lake.head().files, lake.head().sources) == (0, {}, [])


def test_creating_a_lake_again_keeps_what_people_decided(lake: Lake) -> None:
    text = "text_id,field,value,because,author,made_at\nt,white,,unknown,me,2026-01-01\n"
    (lake.curation / "corrections.csv").write_text(text)
    snapshot = Lake.create(lake.root).head()
    assert snapshot.corrections[0]["field"] == "white"
    assert snapshot.corrections[0]["value"] is None


def test_a_place_without_a_lake_is_refused_with_what_to_do(tmp_path: Path) -> None:
    with pytest.raises(NoLake, match=r"There is no lake at .*nothing. Make one with `notatio ingest") as refused:
        Lake.open(tmp_path / "nothing")
    assert refused.value.exit_code == 2


def test_a_folder_with_other_things_in_it_is_not_made_a_lake(tmp_path: Path) -> None:
    (tmp_path / "letters.txt").touch()
    with pytest.raises(BadLake, match="other things in it"):
        Lake.create(tmp_path)
    (tmp_path / "file").touch()
    with pytest.raises(BadLake, match="is a file"):
        Lake.create(tmp_path / "file")


def test_a_file_system_without_hard_links_is_refused_with_what_to_do(lake: Lake, monkeypatch: pytest.MonkeyPatch) -> None:
    def no_link(*_: object) -> None:
        raise OSError(errno.EPERM, "Operation not permitted")

    monkeypatch.setattr(os, "link", no_link)
    with pytest.raises(BadLake, match=r"no hard links.*Put the lake on a local disk") as refused:
        lake.check_writable("1")
    assert refused.value.exit_code == 78
    assert list(lake.snapshots.iterdir()) == []


def test_a_lake_of_a_newer_format_or_newer_results_is_not_written(lake: Lake) -> None:
    commit(lake, staged(lake, {"a": A}, reading=Reading(None, None, None, "10")), "10")
    lake.check_writable("10")
    with pytest.raises(NewerFormat, match="version 10, this program makes 9"):
        lake.check_writable("9")
    path = lake.snapshots / "0000000001.json"
    path.write_text(path.read_text().replace('"format": 1', '"format": 2'))
    with pytest.raises(NewerFormat) as refused:
        lake.head()
    assert refused.value.exit_code == 78


@pytest.mark.parametrize("content", ["", "{", "[]", '{"format": 1}', '{"format": "x"}'])
def test_a_damaged_snapshot_is_bad_lake_and_not_an_empty_one(lake: Lake, content: str) -> None:
    (lake.snapshots / "0000000001.json").write_text(content)
    with pytest.raises(BadLake):
        lake.head()


# Commits


def test_a_commit_makes_sources_live_and_the_snapshot_says_all_of_it(lake: Lake) -> None:
    done = commit(lake, staged(lake, {"x/a.pgn": A + B, "b.pgn": C}))
    head = lake.head()
    assert (done.snapshot.number, head.number, head.results_version) == (1, 1, "1")
    assert events(lake.root) == ["a", "b", "c"]
    raw = json.loads((lake.snapshots / "0000000001.json").read_text())
    assert (raw["format"], raw["snapshot"], raw["results_version"]) == (1, 1, "1")
    one = next(row for row in head.sources if row["source_id"] == digest(A + B))
    assert (one["path"], one["collection"], one["n_games"], one["n_bytes_games"]) == ("x/a.pgn", "c", 2, len(A + B))
    assert sorted(head.files) == ["games", "plies", "spans"]
    assert all((lake.root / file).is_file() for files in head.files.values() for file in files)


def test_what_is_live_already_changes_nothing(lake: Lake) -> None:
    commit(lake, staged(lake, {"a": A}))
    done = commit(lake, staged(lake, {"a": A}))
    assert (done.snapshot, done.taken, lake.head().number) == (None, {digest(A)}, 1)


def test_of_a_shard_with_a_source_that_another_run_made_live_only_the_rest_is_taken(lake: Lake) -> None:
    commit(lake, staged(lake, {"a": A}))
    done = commit(lake, staged(lake, {"a": A, "b": B, "c": C}))
    assert (done.added, done.taken) == ({digest(B), digest(C)}, {digest(A)})
    assert events(lake.root) == ["a", "b", "c"]
    assert len(live_rows(lake.root, "plies")) == 6


def test_a_changed_file_replaces_its_former_source_in_one_snapshot(lake: Lake) -> None:
    commit(lake, staged(lake, {"one": A, "two": B}))
    done = commit(lake, staged(lake, {"one": A + C}))
    assert (done.outgoing, events(lake.root), lake.head().number) == ({digest(A)}, ["a", "b", "c"], 2)
    assert sorted(paths_of(lake)) == sorted([("one", digest(A), False), ("one", digest(A + C), True), ("two", digest(B), True)])


def test_the_same_path_of_another_collection_is_another_file(lake: Lake) -> None:
    commit(lake, staged(lake, {"one": A}, "c"))
    commit(lake, staged(lake, {"one": B}, "d"))
    assert events(lake.root) == ["a", "b"]


def test_the_same_bytes_at_two_paths_are_one_source_that_lives_as_long_as_one_of_them(lake: Lake) -> None:
    commit(lake, staged(lake, {"z": A, "y": A}))
    assert [(row["source_id"], row["path"]) for row in lake.head().sources] == [(digest(A), "y")]
    commit(lake, staged(lake, {"y": B}))
    assert events(lake.root) == ["a", "b"]
    assert {row["path"] for row in lake.head().sources} == {"z", "y"}
    commit(lake, staged(lake, {"z": C}))
    assert events(lake.root) == ["b", "c"]


def test_a_file_that_gets_its_former_content_back_is_live_again(lake: Lake) -> None:
    for content in (A, B, A):
        commit(lake, staged(lake, {"one": content}))
    assert events(lake.root) == ["a"]
    assert sorted(paths_of(lake)) == sorted([("one", digest(A), True), ("one", digest(B), False)])


def test_a_reading_with_other_options_replaces_the_former_one(lake: Lake) -> None:
    commit(lake, staged(lake, {"one": A, "two": B}))
    done = commit(lake, staged(lake, {"one": A}, reading=Reading("ru", None, None, "1")))
    assert done.added == {digest(A)}
    assert events(lake.root) == ["a", "b"]
    assert {row["source_id"]: row["language_option"] for row in lake.head().sources} == {digest(A): "ru", digest(B): None}


def test_taking_a_source_out_of_shared_files_is_copy_on_write_and_does_not_depend_on_the_order(tmp_path: Path) -> None:
    left = []
    for order in (["a", "b"], ["b", "a"]):
        lake = Lake.create(tmp_path / "".join(order))
        commit(lake, staged(lake, {"a": A, "b": game("b", "BAD"), "c": C}))
        before = lake.head()
        content = {file: (lake.root / file).read_bytes() for files in before.files.values() for file in files}
        for path in order:
            commit(lake, Change(gone=[("c", path)]))
        assert all((lake.root / file).read_bytes() == data for file, data in content.items()), "old files are never written"
        assert events(lake.root) == ["c"]
        tables = ("spans", "games", "plies", "quarantine")
        assert [len(live_rows(lake.root, table)) for table in tables] == [1, 1, 2, 0]
        left.append(lake.head().files)
    assert left[0] == left[1]
    alone = Lake.create(tmp_path / "alone")
    commit(alone, staged(alone, {"c": C}))
    assert alone.head().files == left[0], "as if the others had never been there"


def test_a_forgotten_source_goes_whatever_paths_lead_to_it(lake: Lake) -> None:
    commit(lake, staged(lake, {"a": A, "also a": A, "b": B}))
    done = lake.forget([digest(A)], because="asked to", results_version="1")
    assert (done.outgoing, events(lake.root), lake.head().because) == ({digest(A)}, ["b"], "forget: asked to")
    assert [path for path, _, is_live in paths_of(lake) if is_live] == ["b"]


def test_an_unreadable_file_keeps_what_was_read_of_it_before(lake: Lake) -> None:
    commit(lake, staged(lake, {"one": A}))
    commit(lake, Change(paths=[path_row("c", "one", None, "read_error"), path_row("c", "two", None, "read_error")]))
    assert events(lake.root) == ["a"]
    rows = {row["path"]: (row["source_id"], row["status"]) for row in lake.head().source_paths}
    assert rows == {"one": (digest(A), "read_error"), "two": (None, "read_error")}
    commit(lake, staged(lake, {"one": A, "two": B}))
    rows = {row["path"]: (row["source_id"], row["status"]) for row in lake.head().source_paths}
    assert rows == {"one": (digest(A), "ok"), "two": (digest(B), "ok")}


def test_a_path_to_a_source_that_is_not_live_any_more_is_reported_and_not_committed(lake: Lake) -> None:
    commit(lake, staged(lake, {"one": A}))
    done = commit(lake, Change(paths=[path_row("c", "two", digest(B))]))
    assert (done.snapshot, done.missing) == (None, {digest(B)})


def test_staged_files_that_are_gone_stop_the_commit(lake: Lake) -> None:
    change = staged(lake, {"one": A})
    lost = next(iter(change.segments.values())).files["plies"].name
    (lake.data / lost).unlink()
    with pytest.raises(FilesGone) as stopped:
        commit(lake, change)
    assert (stopped.value.names, lake.head().number) == ((lost,), 0)


def test_a_commit_that_loses_the_race_looks_again(lake: Lake, monkeypatch: pytest.MonkeyPatch) -> None:
    mine, theirs = staged(lake, {"one": A, "two": B}), staged(lake, {"three": A})
    real, raced = os.link, []

    def slow(source: str, target: str) -> None:
        if str(target).endswith("0000000001.json") and not raced:
            raced.append(target)
            commit(lake, theirs)
        real(source, target)

    monkeypatch.setattr(os, "link", slow)
    done = commit(lake, mine)
    assert (done.snapshot.number, done.added, done.taken) == (2, {digest(B)}, {digest(A)})
    assert events(lake.root) == ["a", "b"]
    assert [path for path, _, _ in paths_of(lake)] == ["one", "three", "two"]


def test_a_link_that_succeeded_although_the_answer_was_lost_counts(lake: Lake, monkeypatch: pytest.MonkeyPatch) -> None:
    real = os.link

    def repeated(source: str, target: str) -> None:
        real(source, target)
        raise FileExistsError(target)

    monkeypatch.setattr(os, "link", repeated)
    assert commit(lake, staged(lake, {"one": A})).snapshot.number == 1


WRITER = """
import sys
from pathlib import Path
from tests.support_store import game
from tests.test_store import Lake, commit, staged
lake = Lake.open(sys.argv[1])
for n in range(int(sys.argv[2])):
    shared, own = game(f"shared {n}"), game(f"{sys.argv[3]} {n}")
    commit(lake, staged(lake, {f"shared {n}": shared, f"{sys.argv[3]} {n}": own}))
"""


def test_two_processes_that_commit_at_once_lose_and_double_nothing(lake: Lake) -> None:
    n = 8
    command = [sys.executable, "-c", WRITER, str(lake.root), str(n)]
    both = [subprocess.Popen([*command, who], cwd=ROOT) for who in ("x", "y")]
    assert [process.wait(60) for process in both] == [0, 0]
    assert events(lake.root) == sorted(f"{who} {i}" for who in ("shared", "x", "y") for i in range(n))
    assert lake.head().number == 2 * n


def test_a_lake_can_be_read_by_who_may_only_read(lake: Lake) -> None:
    commit(lake, staged(lake, {"one": A}))
    publish_head(lake, fake_publish)
    modes = {path: stat.S_IMODE(path.stat().st_mode) for path in lake.root.rglob("*") if not path.name.startswith(".")}
    umask = os.umask(0)
    os.umask(umask)
    assert {path.name for path, mode in modes.items() if mode & 0o444 & ~umask != 0o444 & ~umask} == set()
    assert modes[lake.root / "catalog.duckdb"] == 0o444


# gc


def test_gc_keeps_the_newest_named_and_recent_snapshots_and_leaves_markers(lake: Lake) -> None:
    for name, content in {"a": A, "b": B, "c": C}.items():
        commit(lake, staged(lake, {"one": content}))
        if name == "a":
            lake.name_snapshot("first")
    assert gc(lake).n_snapshots == 0, "all are younger than the retention"
    age(lake, 3600)
    assert gc(lake, retention_seconds=7200).n_snapshots == 0
    swept = gc(lake, retention_seconds=1800)
    assert (swept.n_snapshots, swept.n_files > 0) == (1, True)
    assert lake.snapshot("first").number == 1
    with pytest.raises(SnapshotRemoved, match="Snapshot 2 was removed"):
        lake.snapshot(2)
    marker = json.loads((lake.snapshots / "0000000002.json").read_text())
    assert "removed_at" in marker
    files = {file for number in (1, 3) for files in lake.snapshot(number).files.values() for file in files}
    assert {f"data/{name}" for name in data_files(lake.root)} == files


def test_a_snapshot_counts_as_old_from_when_it_was_superseded(lake: Lake) -> None:
    commit(lake, staged(lake, {"one": A}))
    age(lake, 30 * 24 * 3600)
    commit(lake, staged(lake, {"one": B}))
    assert gc(lake).n_snapshots == 0, "until a moment ago it was the newest"
    assert lake.snapshot(1).number == 1


def test_a_number_that_gc_removed_is_not_used_again(lake: Lake, monkeypatch: pytest.MonkeyPatch) -> None:
    """A writer that saw snapshot 0 and slept until gc had removed snapshot 1 must not make another 1."""
    mine = staged(lake, {"late": C})
    real, slept = os.link, []

    def late(source: str, target: str) -> None:
        if str(target).endswith("0000000001.json") and not slept:
            slept.append(target)
            commit(lake, staged(lake, {"one": A}))
            commit(lake, staged(lake, {"one": B}))
            age(lake, 3600)
            for written in (*(lake.data / file.name for one in mine.segments.values() for file in one.files.values()), source):
                os.utime(written)  # by a live writer
            assert gc(lake, retention_seconds=60).n_snapshots == 1
        real(source, target)

    monkeypatch.setattr(os, "link", late)
    assert commit(lake, mine).snapshot.number == 3
    assert events(lake.root) == ["b", "c"]


def test_gc_spares_the_snapshot_that_the_catalog_shows(lake: Lake) -> None:
    commit(lake, staged(lake, {"one": A}))
    publish_head(lake, fake_publish)
    commit(lake, staged(lake, {"one": B}))
    age(lake, 3600)
    assert gc(lake, retention_seconds=60).n_snapshots == 0
    publish_head(lake, fake_publish)
    assert gc(lake, retention_seconds=60).n_snapshots == 1


def test_gc_spares_what_a_live_run_wrote_and_what_a_killed_one_staged_a_moment_ago(lake: Lake) -> None:
    with runs.Run(lake.runs) as run:
        write_table(pa.table({"x": [1]}), "games", lake.data)
        assert gc(lake, retention_seconds=0).n_files == 0, "written by a live run, not staged yet"
        (run.folder / f"{'0' * 32}.json").write_text(
            json.dumps({"files": {"games": {"name": next(iter(data_files(lake.root)))}}})
        )
    age(lake, 3600)
    assert gc(lake, retention_seconds=7200).n_files == 0, "the next run may resume from it"
    swept = gc(lake, retention_seconds=60)
    assert (swept.n_files, swept.n_runs, data_files(lake.root)) == (1, 1, set())


def test_gc_removes_unfinished_files_when_they_are_old(lake: Lake) -> None:
    for folder in (lake.data, lake.snapshots, lake.root):
        (folder / ".tmp-1-abc").write_bytes(b"torn")
    (lake.runs / ".20260101T000000").mkdir()
    assert (gc(lake).n_files, gc(lake).n_runs) == (0, 0)
    age(lake, 48 * 3600)
    swept = gc(lake)
    assert (swept.n_files, swept.n_runs) == (3, 1)


def test_a_name_is_given_once_and_never_to_nothing(lake: Lake) -> None:
    with pytest.raises(LakeUsage, match="Nothing was committed"):
        lake.name_snapshot("first")
    commit(lake, staged(lake, {"one": A}))
    commit(lake, staged(lake, {"one": B}))
    assert lake.name_snapshot("first", 1).number == 1
    assert lake.name_snapshot("first", 1).number == 1
    with pytest.raises(LakeUsage, match="Snapshot 1 has the name first"):
        lake.name_snapshot("first")
    with pytest.raises(LakeUsage, match="no snapshot 7"):
        lake.snapshot(7)
    with pytest.raises(LakeUsage, match="is no name"):
        lake.name_snapshot("../x")


# Publishing


def shown(lake: Lake) -> int:
    import duckdb

    with duckdb.connect(str(lake.root / "catalog.duckdb"), read_only=True) as con:
        return int(con.execute("select snapshot from about").fetchall()[0][0])


def test_publishing_shows_the_newest_snapshot_once_and_removes_a_stale_log(lake: Lake) -> None:
    commit(lake, staged(lake, {"one": A}))
    assert is_behind(lake)
    (lake.root / "catalog.duckdb.wal").write_bytes(b"stale")
    assert publish_head(lake, fake_publish) == 1
    assert (publish_head(lake, fake_publish), is_behind(lake)) == (None, False)
    assert not (lake.root / "catalog.duckdb.wal").exists()
    commit(lake, staged(lake, {"two": B}))
    assert is_behind(lake)
    assert (publish_head(lake, fake_publish), shown(lake), published_number(lake.root)) == (2, 2, 2)


def test_publishing_never_goes_back(lake: Lake) -> None:
    commit(lake, staged(lake, {"one": A}))

    def slow(root: Path, snapshot: Any, target: Path) -> None:
        fake_publish(root, snapshot, target)
        if snapshot.number == 1:
            commit(lake, staged(lake, {"two": B}))
            with pytest.raises(LakeBusy):
                publish_head(lake, fake_publish, wait_seconds=0.1)

    assert publish_head(lake, slow) == 1
    assert publish_head(lake, fake_publish) == 2
    assert shown(lake) == 2


def test_a_build_that_fails_leaves_the_old_catalog_and_no_rubbish(lake: Lake) -> None:
    commit(lake, staged(lake, {"one": A}))
    publish_head(lake, fake_publish)
    commit(lake, staged(lake, {"two": B}))

    def fails(root: Path, snapshot: Any, target: Path) -> None:
        target.write_bytes(b"torn")
        raise OSError(errno.ENOSPC, "No space left on device")

    with pytest.raises(DiskFull):
        publish_head(lake, fails)
    assert (shown(lake), is_behind(lake)) == (1, True)
    assert list(lake.root.glob(".tmp-*")) == []


# Runs


def test_a_run_is_live_until_it_ends(lake: Lake) -> None:
    with runs.Run(lake.runs) as run:
        run.write_manifest({"state": "running"})
        assert runs.is_live(run.folder)
        assert runs.mark_killed(lake.runs) == []
    assert not run.folder.exists()
    assert runs.mark_killed(lake.runs) == [run.run_id]
    assert [row["state"] for row in lake.head().runs] == ["killed"]


def test_the_offsets_of_parts_are_the_games_before_them(lake: Lake) -> None:
    commit(lake, staged(lake, {"one": A + B}))
    [source] = lake.head().sources
    assert source["parts"] == [{"part": 0, "n_games": 2}]
    assert lake.head().parts == [{"source_id": digest(A + B), "part": 0, "first_game_index": 0}]


def test_the_registry_has_the_columns_of_the_view_sources() -> None:
    from pipeline.store import SOURCE_PATHS, SOURCES

    view = (
        "source_id collection path container_id n_bytes extractor encoding encoding_runner_up encoding_margin n_games n_clean"
        " n_truncated n_rejected n_plies n_bytes_games n_bytes_quarantined n_bytes_filler results_version"
    )
    assert set(view.split()) <= set(SOURCES.names)
    assert SOURCE_PATHS.names == ["source_id", "collection", "path", "absolute_path", "n_bytes", "status", "removed_at"]
    assert {"game_id", "source_id"} & set(schema.PLIES.schema.names) == {"game_id"}, "removal filters such tables by game"


def age(lake: Lake, seconds: float) -> None:
    """Makes everything in the lake older."""
    then = time.time() - seconds
    for path in lake.root.rglob("*"):
        os.utime(path, (then, then))
