"""`notatio check` finds what ingest would not read, says where, and writes nothing."""

from __future__ import annotations

import gzip
from pathlib import Path

import pytest

from pipeline import tables
from pipeline.dialects import NOTATIONS
from pipeline.notations import FAMILIES
from tests.support_cli import notatio

ROOT = Path(__file__).parents[1]
ROSTER = '[Event "Club"]\n[White "Adler, Nora"]\n[Black "Behn, Ole"]\n[Result "1-0"]\n\n'
"""Moves begin in line 6."""
GOOD = f"{ROSTER}1. e4 e5 2. Nf3 Nc6 3. Bb5 a6 1-0\n"
BAD = f"{ROSTER}1. e4 e5 2. Nf3 Nc6 3. Bb6 a6 1-0\n"


@pytest.mark.parametrize(
    ("text", "lines"),
    [
        (GOOD, []),
        (BAD, ["f:6:24: Bb6: no legal move fits, after 4 proven plies (illegal_move)"]),
        (
            f"{ROSTER}1. d4 d5 2. Nf3 Nf6 3. e3 e6\n4. Bd3 c5 5. c3 Nc6 6. Nd2 1-0\n",
            ["f:7:24: Nd2: several legal moves fit and no later move decides, after 10 proven plies (ambiguous_san)"],
        ),
        (
            "1. e4 e5 2. Nf3 {lost in print\nthe rest",
            ["f:1:17: {lost in print…: the comment has no closing brace (unterminated_comment)"],
        ),
        (
            f'[FEN "8/8/8/8/8/8/8/8 w - - 0 1"]\n{ROSTER}1. e4 1-0\n\n{BAD}',
            [
                "f:1:1: 8/8/8/8/8/8/8/8 w - - 0 1: no white king, no black king, empty (illegal_start_position)",
                "f:14:24: Bb6: no legal move fits, after 4 proven plies (illegal_move)",
            ],
        ),
        ("Nothing but prose stands here.\n", []),
        ("", []),
    ],
)
def test_each_fault_is_a_line_with_place_token_reason_and_code(text: str, lines: list[str], tmp_path: Path) -> None:
    (tmp_path / "f").write_text(text, "utf-8")
    done = notatio("check", tmp_path / "f")
    assert [line.removeprefix(f"{tmp_path}/") for line in done.out.splitlines()] == lines
    assert done.code == (3 if lines else 0)


def test_a_game_that_was_cut_by_an_odd_token_has_a_line_too(tmp_path: Path) -> None:
    """`Sf3` is no Russian move: as a token it is a quirk elsewhere, here it ends the game."""
    (tmp_path / "f").write_text("1. e4 e5 2. Sf3 Sc6 3. Lb5 a6 1-0\n", "utf-8")
    assert notatio("check", tmp_path / "f").code == 0
    done = notatio("check", tmp_path / "f", "--language", "ru")
    assert done.code == 3
    assert ":1:13: Sf3: " in done.out


def test_files_without_problems_are_said_to_be_ok_on_stderr(tmp_path: Path) -> None:
    (tmp_path / "a.pgn").write_text(GOOD, "utf-8")
    done = notatio("check", tmp_path / "a.pgn")
    assert (done.out, done.err) == ("", f"{tmp_path}/a.pgn: ok, 1 game\n")


@pytest.mark.parametrize(
    ("data", "told"),
    [
        (b"milk\neggs\n", "no games found"),
        (b"", "no games found"),
        (b"PAR1\0\0", "binary: Parquet file, not read"),
        (b"Rar!\x1a\x07\0", "binary: rar archive, which is not opened"),
        (bytes(range(256)), "binary: control characters, not read"),
    ],
)
def test_a_file_without_games_is_not_said_to_be_ok(data: bytes, told: str, tmp_path: Path) -> None:
    (tmp_path / "f").write_bytes(data)
    assert notatio("check", tmp_path / "f") == (0, "", f"{tmp_path}/f: {told}\n")


def test_one_game_and_one_fault_are_singular(tmp_path: Path) -> None:
    (tmp_path / "f").write_text(BAD, "utf-8")
    assert notatio("check", tmp_path / "f").err == f"{tmp_path}/f: 1 game (1 truncated), 1 fault\n"


def test_quirks_are_counted_always_and_listed_when_asked(tmp_path: Path) -> None:
    (tmp_path / "f").write_text(f"{ROSTER}1. e4 e5 3. Nf3 Nc6 1-0\n", "utf-8")
    silent, telling = notatio("check", tmp_path / "f"), notatio("check", tmp_path / "f", "--quirks")
    assert (silent.code, silent.out) == (0, "")
    assert "1 quirk" in silent.err
    assert (telling.code, telling.out.count("(move_number_mismatch)")) == (0, 1)


def test_columns_are_characters_and_lines_are_those_of_the_file(tmp_path: Path) -> None:
    (tmp_path / "f").write_bytes("Партия\r\n\r\n1. e4 e5 2. Кf3 Кc6 3. Сb6 1-0\r\n".encode("cp1251"))
    done = notatio("check", tmp_path / "f", "--encoding", "cp1251", "--language", "ru")
    assert done.out.startswith(f"{tmp_path}/f:3:24: Сb6: ")


def test_stdin_is_read(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    done = notatio("check", "-", stdin=BAD.encode())
    assert (done.code, done.out) == (3, "-:6:24: Bb6: no legal move fits, after 4 proven plies (illegal_move)\n")
    assert list(tmp_path.iterdir()) == []


def test_members_of_archives_are_named_and_broken_archives_are_findings(tmp_path: Path) -> None:
    packed = gzip.compress(BAD.encode())
    (tmp_path / "a.pgn.gz").write_bytes(packed)
    (tmp_path / "broken.pgn.gz").write_bytes(packed[:-12])
    done = notatio("check", tmp_path)
    first, second = done.out.splitlines()
    assert first.startswith(f"{tmp_path}/a.pgn.gz!a.pgn:6:24: Bb6: ")
    assert second.startswith(f"{tmp_path}/broken.pgn.gz: ")
    assert second.endswith("(container_corrupt)")
    assert done.code == 3


def test_check_finds_what_ingest_finds(tmp_path: Path) -> None:
    """The same codes at the same places: both read with one function."""
    sample = ROOT / "data" / "sample" / "faults.pgn"
    checked = notatio("check", sample, "--quirks").out.splitlines()
    assert notatio("ingest", sample, "--lake", tmp_path / "lake").code == 0
    query = 'select line, "column", code from issues where line is not null order by all'
    stored = notatio("sql", query, "--lake", tmp_path / "lake").out.splitlines()[1:]
    places = [line.removeprefix(f"{sample}:").split(": ")[0].split(":") for line in checked]
    codes = [line.rsplit("(", 1)[1].rstrip(")") for line in checked]
    found = [[*place, code] for place, code in zip(places, codes, strict=True)]
    assert sorted(",".join(place) for place in found if len(place) == 3) == sorted(stored)


def test_text_of_a_file_cannot_steer_the_terminal(tmp_path: Path) -> None:
    (tmp_path / "f").write_text(f"{ROSTER}1. e4 e5 2. Nf3\x1b[31m Nc6 3. Bb6\x07 1-0\n", "utf-8")
    done = notatio("check", tmp_path / "f", "--quirks")
    assert "\x1b" not in done.out + done.err
    assert "\x07" not in done.out + done.err


@pytest.mark.parametrize(
    ("arguments", "told"),
    [
        (("nothere.pgn",), "nothere.pgn"),
        ((), "PATH"),
        ((".", "--language", "rus"), "ru (Russian)"),
        ((".", "--language", "german"), "de (German)"),
        ((".", "--notation", "morse"), "algebraic"),
        ((".", "--encoding", "ebcdic-none"), "cp1251"),
    ],
)
def test_wrong_usage_exits_with_2_and_says_what_there_is(
    arguments: tuple[str, ...], told: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    done = notatio("check", *arguments)
    assert done.code == 2
    assert done.err.startswith("error: ")
    assert told in done.err


@pytest.mark.parametrize("language", ["ru", "RU", "sr", "sr-Cyrl", "fig", "de-old"])
def test_languages_may_be_named_by_tag_or_alphabet(language: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    assert notatio("check", ".", "--language", language).code == 0


@pytest.mark.parametrize(
    ("notation", "text", "code"),
    [
        ("descriptive", "1. P-K4 P-K4 2. Kt-KB3 Kt-QB3 *", 0),
        ("descriptive", "1. P4R P4R 2. C3AR C3AD *", 0),
        ("numeric", "1. 5254 5755 2. 7163 2836 *", 0),
        ("numeric", "1. e4 e5 2. Nf3 Nc6 *", 3),
        ("stenography", "1. e4 e5 2. Nf3 Nc6 *", 0),
        ("stenography", "1. e4 e5 2. N Nc6 *", 3),
    ],
)
def test_a_hinted_notation_is_the_only_one_that_is_read(notation: str, text: str, code: int, tmp_path: Path) -> None:
    (tmp_path / "f").write_text(f'[Event "E"]\n\n{text}\n', "utf-8")
    done = notatio("check", tmp_path / "f", "--notation", notation)
    assert done.code == code, done.out
    assert ("(no_grammar)" in done.out) == (notation == "stenography" and code != 0)


@pytest.mark.parametrize("row", tables.rows("notations"), ids=lambda row: row["name"])
def test_each_notation_may_be_named_and_reads_its_example(row: tables.Row, tmp_path: Path) -> None:
    (tmp_path / "f").write_text(row["example"] + "\n", "utf-8")
    done = notatio("check", tmp_path / "f", "--notation", row["name"].upper())
    assert (done.code, "warning" in done.err) == (0, False)


def test_every_notation_that_is_read_may_be_named() -> None:
    names = {row["name"] for row in tables.rows("notations")}
    assert {family.notation for family in FAMILIES.values()} | {name for name in NOTATIONS if name} <= names
