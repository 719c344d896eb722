"""Which files `find` gives, in which order, and what it leaves out."""

from __future__ import annotations

import os
import socket
from pathlib import Path

import pytest

from pipeline.sources import STDIN, NoSuchPath, find, members, read_member
from pipeline.sources.paths import native, reported


def paths(*given: Path | str, exclude: Path | None = None) -> list[str]:
    return [found.path for found in find([str(g) for g in given], exclude=exclude)]


def names(root: Path, *given: Path | str, exclude: Path | None = None) -> list[str]:
    return [os.path.relpath(p, root) for p in paths(*given or (root,), exclude=exclude)]


def make(root: Path, *files: str) -> Path:
    for file in files:
        path = root / file
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(file)
    return root


def test_a_folder_gives_its_files_sorted_by_the_bytes_of_their_paths(tmp_path: Path) -> None:
    make(tmp_path, "b.pgn", "a/z.pgn", "a.pgn", "a/B.pgn", "a-1.pgn", "ж.pgn", "Z.pgn")
    assert names(tmp_path) == ["Z.pgn", "a-1.pgn", "a.pgn", "a/B.pgn", "a/z.pgn", "b.pgn", "ж.pgn"]


def test_hidden_unfinished_and_the_lake_are_left_out(tmp_path: Path) -> None:
    make(tmp_path, "a.pgn", ".hidden.pgn", ".git/x.pgn", "b.part", "c.TMP", "lake/data/x.parquet", "lakes/y.pgn")
    assert names(tmp_path, exclude=tmp_path / "lake") == ["a.pgn", "lakes/y.pgn"]


def test_the_lake_is_left_out_even_when_it_is_named(tmp_path: Path) -> None:
    make(tmp_path, "lake/data/x.parquet")
    assert paths(tmp_path / "lake", tmp_path / "lake" / "data" / "x.parquet", exclude=tmp_path / "lake") == []


def test_an_unfinished_file_is_left_out_even_when_it_is_named(tmp_path: Path) -> None:
    make(tmp_path, "a.pgn.part")
    assert paths(tmp_path / "a.pgn.part") == []


def test_a_hidden_file_or_folder_that_is_named_is_meant(tmp_path: Path) -> None:
    make(tmp_path, ".secret.pgn", ".games/a.pgn")
    assert names(tmp_path, tmp_path / ".secret.pgn", tmp_path / ".games") == [".secret.pgn", ".games/a.pgn"]


def test_links_count_only_while_they_stay_inside(tmp_path: Path) -> None:
    make(tmp_path, "in/a.pgn", "out/b.pgn")
    root = tmp_path / "in"
    (root / "same.pgn").symlink_to(root / "a.pgn")
    (root / "stray.pgn").symlink_to(tmp_path / "out" / "b.pgn")
    (root / "stray").symlink_to(tmp_path / "out")
    (root / "loop").symlink_to(root)
    (root / "nowhere.pgn").symlink_to(root / "gone.pgn")
    assert names(root) == ["a.pgn", "nowhere.pgn", "same.pgn"]
    assert [f.error for f in find([str(root)])] == [None, "No such file or directory", None]


def test_a_link_that_is_named_is_followed(tmp_path: Path) -> None:
    make(tmp_path, "out/b.pgn")
    (tmp_path / "link").symlink_to(tmp_path / "out")
    assert names(tmp_path, tmp_path / "link") == ["link/b.pgn"]


def test_pipes_and_sockets_are_left_out(tmp_path: Path) -> None:
    make(tmp_path, "a.pgn")
    os.mkfifo(tmp_path / "pipe.pgn")
    with socket.socket(socket.AF_UNIX) as server:
        server.bind(str(tmp_path / "s.pgn"))
        assert names(tmp_path) == ["a.pgn"]


@pytest.mark.parametrize(
    ("pattern", "expected"),
    [
        ("*.pgn", ["a.pgn"]),
        ("**/*.pgn", ["a.pgn", "x/b.pgn", "x/y/c.pgn"]),
        ("x/**", ["x/b.pgn", "x/y/c.pgn", "x/y/d.txt"]),
        ("x/*", ["x/b.pgn", "x/y/c.pgn", "x/y/d.txt"]),  # a folder that matches is read whole, as from a shell
        ("**/[cd].*", ["x/y/c.pgn", "x/y/d.txt"]),
        ("?.pgn", ["a.pgn"]),
    ],
)
def test_patterns(tmp_path: Path, pattern: str, expected: list[str]) -> None:
    make(tmp_path, "a.pgn", "x/b.pgn", "x/y/c.pgn", "x/y/d.txt", "x/.h/e.pgn")
    assert names(tmp_path, f"{tmp_path}/{pattern}") == expected


def test_a_pattern_without_a_folder_starts_here(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    make(tmp_path, "a.pgn", "x/b.pgn")
    monkeypatch.chdir(tmp_path)
    assert paths("*.pgn") == ["a.pgn"]
    assert paths("**/*.pgn", "x") == ["a.pgn", "x/b.pgn"]


def test_a_name_with_wild_characters_that_exists_is_no_pattern(tmp_path: Path) -> None:
    make(tmp_path, "[1].pgn", "1.pgn")
    assert names(tmp_path, tmp_path / "[1].pgn") == ["[1].pgn"]


@pytest.mark.parametrize("missing", ["gone.pgn", "gone/*.pgn", "*.xyz", "**/nothing"])
def test_what_does_not_exist_is_an_error_that_names_it(tmp_path: Path, missing: str) -> None:
    make(tmp_path, "a.pgn")
    with pytest.raises(NoSuchPath) as caught:
        paths(tmp_path, f"{tmp_path}/{missing}")
    assert caught.value.path == f"{tmp_path}/{missing}"


def test_a_file_given_twice_comes_once(tmp_path: Path) -> None:
    make(tmp_path, "x/a.pgn", "x/b.pgn")
    assert names(tmp_path, tmp_path / "x" / "b.pgn", tmp_path / "x", f"{tmp_path}/x/*.pgn") == ["x/b.pgn", "x/a.pgn"]


def test_root_and_relative_path_say_what_a_file_replaces(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    make(tmp_path, "x/y/a.pgn")
    monkeypatch.chdir(tmp_path)
    found = [next(find([given])) for given in ("x", "x/y/a.pgn", "x/**/*.pgn")]
    assert [(f.root, f.relative_path, f.path) for f in found] == [
        (f"{tmp_path}/x", "y/a.pgn", "x/y/a.pgn"),
        (f"{tmp_path}/x/y", "a.pgn", "x/y/a.pgn"),
        (f"{tmp_path}/x", "y/a.pgn", "x/y/a.pgn"),
    ]
    assert {f.absolute_path for f in found} == {f"{tmp_path}/x/y/a.pgn"}


def test_standard_input_is_a_dash() -> None:
    assert [f.path for f in find([STDIN])] == ["-"]


@pytest.mark.parametrize(
    ("raw", "shown"),
    [
        (b"plain.pgn", "plain.pgn"),
        ("партия.pgn".encode(), "партия.pgn"),
        ("партия.pgn".encode("cp1251"), r"\xef\xe0\xf0\xf2\xe8\xff.pgn"),
        (rb"a\xff.pgn", r"a\x5cxff.pgn"),
        (rb"a\x5cxff.pgn", r"a\x5cx5cxff.pgn"),
        (rb"back\slash.pgn", r"back\slash.pgn"),
    ],
)
def test_any_file_name_is_shown_as_valid_text_and_found_again(raw: bytes, shown: str) -> None:
    assert reported(raw) == shown
    assert native(shown) == raw


def test_a_file_whose_name_is_no_utf8_is_read(tmp_path: Path) -> None:
    raw = os.fsencode(tmp_path) + b"/" + "партия.pgn".encode("cp1251")
    with open(raw, "wb") as file:
        file.write(b"1. e4 e5 *")
    (found,) = find([str(tmp_path)])
    (member,) = members(found)
    assert member.data == b"1. e4 e5 *"
    assert member.path.encode()  # no lone surrogates
    assert read_member(member.absolute_path) == member.data


def test_what_may_not_be_read_is_reported(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    make(tmp_path, "a.pgn", "closed/b.pgn")
    real_scandir = os.scandir

    def scandir(path: bytes) -> object:
        if path.endswith(b"closed"):
            raise PermissionError(13, "Permission denied")
        return real_scandir(path)

    monkeypatch.setattr(os, "scandir", scandir)  # the tests may run as a user who may read everything
    found = list(find([str(tmp_path)]))
    assert [(f.relative_path, f.error) for f in found] == [("a.pgn", None), ("closed", "Permission denied")]
    (member,) = members(found[1])
    assert (member.status, member.detail, member.data) == ("read_error", "Permission denied", None)
