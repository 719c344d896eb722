"""`notatio render` prints games of files and of the lake in any form."""

from __future__ import annotations

import csv
import re
from pathlib import Path

import pytest

from tests.support_cli import GAME, SAMPLE, ingest, notatio

TAGS = '[Event "Club"]\n[White "Adler, Nora"]\n[Black "Behn, Ole"]\n[Result "1-0"]\n\n'
RICH = f"{TAGS}1. e4 e5 2. Nf3!? {{best}} Nc6 (2... d6 $14) 3. Bb5 a6 1-0\n"
BAD = f"{TAGS}1. e4 e5 2. Nf3 Nc6 3. Bb6 a6 1-0\n"


@pytest.fixture
def file(tmp_path: Path) -> Path:
    """Two games."""
    path = tmp_path / "games.pgn"
    path.write_text(f"{RICH}\n{GAME}", "utf-8")
    return path


@pytest.mark.parametrize(
    ("options", "text"),
    [
        (("--to", "ru"), "1. e4 e5 2. Кf3!? {best} 2... Кc6 (2... d6 ⩲) 3. Сb5 a6 1-0\n\n1. e4 e5 2. Кf3 Кc6 3. Сb5 a6 1-0\n"),
        (("--to", "de", "--no-comments", "--no-variations", "--no-symbols"), "1. e4 e5 2. Sf3 Sc6 3. Lb5 a6 1-0\n\n" * 2),
        (("--to", "descriptive", "--style", "kt", "--no-variations"),
         "1. P-K4 P-K4 2. Kt-KB3!? {best} 2... Kt-QB3 3. B-Kt5 P-QR3 1-0\n\n1. P-K4 P-K4 2. Kt-KB3 Kt-QB3 3. B-Kt5 P-QR3 1-0\n"),
        (("--to", "numeric", "--no-comments", "--no-variations", "--no-symbols"),
         "1. 5254 5755 2. 7163 2836 3. 6125 1716 1-0\n\n" * 2),
        (("--to", "ru", "--width", "24", "--no-comments", "--no-variations"),
         "1. e4 e5 2. Кf3!? Кc6\n3. Сb5 a6 1-0\n\n1. e4 e5 2. Кf3 Кc6\n3. Сb5 a6 1-0\n"),
    ],
)  # fmt: skip
def test_games_of_a_file_are_printed_with_a_blank_line_between(options: tuple[str, ...], text: str, file: Path) -> None:
    assert notatio("render", file, *options) == (0, text.rstrip("\n") + "\n", "")


def test_pgn_is_the_form_without_a_form(file: Path) -> None:
    done = notatio("render", file)
    assert done.out.startswith('[Event "Club"]\n[Site "?"]\n[Date "????.??.??"]\n[Round "?"]\n[White "Adler, Nora"]\n')
    assert "2. Nf3 $5 {best} 2... Nc6 (2... d6 $14) 3. Bb5 a6 1-0\n\n[Event" in done.out
    assert "2. Cf3 $5" in notatio("render", file, "--language", "fr").out


def test_a_file_in_letters_that_are_named_is_read_in_them() -> None:
    done = notatio("render", "-", "--to", "san", "--from", "de", stdin=b"1. e4 e5 2. Sf3 Sc6 3. Lb5 a6 1-0\n")
    assert done == (0, "1. e4 e5 2. Nf3 Nc6 3. Bb5 a6 1-0\n", "")


def test_what_breaks_off_is_printed_as_far_as_it_is_proven(tmp_path: Path) -> None:
    (tmp_path / "f").write_text(f"{BAD}\n{GAME}", "utf-8")
    done = notatio("render", tmp_path / "f", "--to", "uk")
    assert done.code == 3
    assert done.out == "1. e4 e5 2. Кf3 Кc6 1-0\n\n1. e4 e5 2. Кf3 Кc6 3. Сb5 a6 1-0\n"
    assert re.fullmatch(r"\S+f:6:24: Bb6: no legal move fits, .*: printed up to there, 4 half-moves\n", done.err)


def test_a_rejected_game_is_told_and_not_printed(tmp_path: Path) -> None:
    (tmp_path / "f").write_text(f'[FEN "8/8/8/8/8/8/8/8 w - - 0 1"]\n{TAGS}1. e4 1-0\n', "utf-8")
    done = notatio("render", tmp_path / "f", "--to", "ru")
    assert (done.code, done.out) == (3, "")
    assert "illegal_start_position" in done.err
    assert "not printed" in done.err


def test_the_sample_is_printed_and_read_again(tmp_path: Path) -> None:
    """Through the file system and back, a long match in long Russian notation."""
    for name in ("a", "b"):
        source = SAMPLE / "match-1972.pgn" if name == "a" else tmp_path / "a"
        form = ("--to", "ru", "--style", "long-dash") if name == "a" else ("--to", "san")
        assert notatio("render", source, *form, "--out", tmp_path / name) == (0, "", "")
    plain = notatio("render", SAMPLE / "match-1972.pgn", "--to", "san", "--no-symbols", "--no-comments", "--no-variations")
    again = notatio("render", tmp_path / "a", "--to", "san", "--no-symbols", "--no-comments", "--no-variations")
    assert len(plain.out) > 1000
    games = [game for game in plain.out.split("\n\n") if game.startswith("1.")]
    assert [game.strip() for game in again.out.split("\n\n")] == [game.strip() for game in games]


def test_a_game_of_the_lake_is_printed_from_its_rows(file: Path, tmp_path: Path) -> None:
    lake = tmp_path / "lake"
    assert ingest(file, "--lake", lake).code == 0
    listed = notatio("sql", "select game_id from games order by byte_start", "--lake", lake, "--format", "csv").out.split()
    expected = notatio("render", file).out.split("\n\n[")[0]
    assert notatio("render", listed[1][:9], "--lake", lake) == (0, f"{expected}\n", "")
    done = notatio("render", listed[1], "--to", "figurine-colored", "--lake", lake)
    assert done.out == "1. e4 e5 2. ♘f3!? {best} 2... ♞c6 (2... d6 ⩲) 3. ♗b5 a6 1-0\n"


@pytest.mark.parametrize(
    ("arguments", "told"),
    [
        (("x", "--to", "rusian"), ("There is no form rusian", "Did you mean ru")),
        (("x", "--to", "ru", "--style", "colons"), ("There is no style of ru colons", "Did you mean colon")),
        (("x", "--to", "uci", "--language", "ru"), ("uci has no choice of language", "render --list")),
        ((), ("A file or a game is missing", "render games.pgn --to ru")),
        (("no-such-file.pgn",), ("There is no file or folder no-such-file.pgn", "")),
        (("--width", "-1", "x"), ("--width -1", "")),
    ],
)
def test_what_cannot_be_done_is_told_with_a_way_out(arguments: tuple[str, ...], told: tuple[str, str]) -> None:
    done = notatio("render", *arguments)
    assert (done.code, done.out) == (2, "")
    assert all(part in done.err for part in told), done.err


def test_the_list_shows_every_form_with_an_example(tmp_path: Path) -> None:
    done = notatio("render", "--list", "--out", tmp_path / "forms.csv")
    assert done.code == 0
    rows = {row["form"]: row for row in csv.DictReader((tmp_path / "forms.csv").read_text("utf-8").splitlines())}
    assert rows["ru"]["example"] == "1. e4 d5 2. exd5 Фxd5 3. Кc3"
    assert rows["numeric"]["example"] == "1. 5254 4745 2. 5445 4845 3. 2133"
    assert rows["descriptive"]["styles"].startswith("n, kt")
    assert len(rows) > 60
