"""Moves in endgames against real tables of three men: Nunn's signs, the 50-move rule, and what cannot be looked up."""

from __future__ import annotations

import csv
import io
import shutil
from collections.abc import Iterator
from pathlib import Path

import chess
import pytest

from pipeline.endgames import Agreement, BadTable, NoTables, Tables, Verdict, verdicts
from tests.support_cli import Done, ingest, notatio

SYZYGY = Path(__file__).parent / "syzygy"
"""KPvK, KQvK, KRvK: both kinds of files."""


@pytest.fixture(scope="module")
def tables() -> Iterator[Tables]:
    with Tables([SYZYGY]) as opened:
        yield opened


def one(tables: Tables, fen: str, move: str) -> Verdict:
    (verdict,) = verdicts(fen, "standard", [move], tables, 3)
    return verdict


@pytest.mark.parametrize(
    ("fen", "move", "before", "after", "sign"),
    [
        # King and pawn: the opposition and the square in front decide.
        ("8/8/8/3k4/8/3K4/3P4/8 w - - 0 1", "Kc3", 0, 0, ""),
        ("8/8/3k4/8/3K4/3P4/8/8 b - - 0 1", "Ke6", -1, -1, ""),
        ("4k3/8/4K3/4P3/8/8/8/8 w - - 0 1", "Kd6", 1, 1, ""),
        ("3k4/8/3K4/3P4/8/8/8/8 b - - 0 1", "Kc8", -1, -1, ""),
        ("8/8/8/8/2k5/8/3KP3/8 w - - 0 1", "Ke3", 1, 1, "!"),
        ("8/8/8/8/2k5/8/3KP3/8 w - - 0 1", "e4", 1, 0, "?"),
        # Two moves hold behind the pawn, one beside it.
        ("4k3/8/8/3KP3/8/8/8/8 b - - 0 1", "Kd7", 0, 0, ""),
        ("8/3k4/8/3KP3/8/8/8/8 b - - 0 1", "Ke7", 0, 0, "!"),
        ("8/3k4/8/3KP3/8/8/8/8 b - - 0 1", "Kc7", 0, -1, "?"),
        # A pawn that is promoted or is lost; stalemate; mate.
        ("8/P7/8/8/8/8/k7/7K w - - 0 1", "a8=Q+", 1, 1, ""),
        ("8/P7/8/8/8/8/k7/7K w - - 0 1", "a8=N", 1, 0, "?"),
        ("7k/8/6QK/8/8/8/8/8 w - - 0 1", "Qg7#", 1, 1, ""),
        ("7k/8/6Q1/6K1/8/8/8/8 w - - 0 1", "Kh6", 1, 0, "?"),
        ("8/8/8/8/8/8/1kR5/3K4 b - - 0 1", "Kb3", -1, -1, ""),
        ("8/8/8/8/8/1k6/2R5/4K3 b - - 0 1", "Kxc2", 0, 0, "!"),
        ("8/8/8/8/8/1k6/2R5/4K3 b - - 0 1", "Ka3", 0, -1, "?"),
        # The only legal move is no only move.
        ("8/8/8/8/8/1K6/2R5/k7 b - - 0 1", "Kb1", -1, -1, ""),
    ],
)
def test_the_convention(tables: Tables, fen: str, move: str, before: int, after: int, sign: str) -> None:
    verdict = one(tables, fen, move)
    assert (verdict.before, verdict.after, verdict.sign) == (before, after, sign)


def test_what_is_told_of_a_move(tables: Tables) -> None:
    fen = "8/8/8/8/2k5/8/3KP3/8 w - - 7 41"
    expected = Verdict(1, "w", 41, "e4", fen, n_men=3, before=1, after=0, n_legal=7, n_keeping=1)
    assert one(tables, fen, "e4") == expected


def test_a_main_line_is_judged_from_where_few_men_are_left(tables: Tables) -> None:
    """Four men before the first move; a null move and moves before are not judged; ply and number go on."""
    fen = "8/8/8/2n1k3/8/8/3KP3/8 w - - 0 60"
    moves = ["Kd1", "Kf5", "e4+", "Nxe4", "Ke1", "Kf4"]
    assert [v.ply for v in verdicts(fen, "standard", moves, tables, 3)] == [5, 6]
    pawn = "8/8/8/1k6/8/8/4P3/4K3 w - - 0 60"
    found = [(v.ply, v.move_number, v.color) for v in verdicts(pawn, "standard", ["Kd2", "--", "Kd3"], tables, 3)]
    assert found == [(1, 60, "w"), (3, 61, "w")]


@pytest.mark.parametrize(
    ("clock", "n_half_moves", "after"),
    [(False, 0, 1), (False, 99, 1), (True, 0, 1), (True, 60, 1), (True, 95, 0)],
)
def test_the_rule_of_fifty_moves_counts_when_asked(clock: bool, n_half_moves: int, after: int) -> None:
    """Queen against king: mate takes 10 moves at most, but not in three."""
    with Tables([SYZYGY], is_clock_counted=clock) as opened:
        assert one(opened, f"8/8/8/8/8/3k4/8/K1Q5 w - - {n_half_moves} 90", "Qd1+").after == after


def test_mate_counts_before_the_rule_of_fifty_moves() -> None:
    """FIDE Laws 9.6.2: mate with the last move takes precedence. Qg7, Qh7 and Qe8 mate."""
    with Tables([SYZYGY], is_clock_counted=True) as opened:
        mate = one(opened, "7k/8/6QK/8/8/8/8/8 w - - 99 120", "Qg7#")
        other = one(opened, "7k/8/6QK/8/8/8/8/8 w - - 99 120", "Qg5")
    assert (mate.before, mate.after, mate.n_keeping) == (1, 1, 3)
    assert (other.after, other.sign) == (0, "?")


@pytest.mark.parametrize(
    ("files", "fen", "move", "clock", "missing"),
    [
        (["KPvK.rtbw"], "8/P7/8/8/8/8/k7/7K w - - 0 1", "a8=Q+", False, {"KQvK.rtbw": 1}),
        (["KPvK.rtbw"], "8/8/8/8/2k5/8/3KP3/8 w - - 0 1", "e4", False, {}),
        (["KPvK.rtbw"], "8/8/8/8/8/1k6/2R5/4K3 b - - 0 1", "Kxc2", False, {"KRvK.rtbw": 1}),
        (["KPvK.rtbw"], "8/8/8/8/8/1K6/2r5/4k3 w - - 0 1", "Kxc2", False, {"KRvK.rtbw": 1}),
        (["KQvK.rtbw"], "8/8/8/8/8/3k4/8/K1Q5 w - - 9 90", "Qd1+", True, {"KQvK.rtbz": 1}),
        (["KQvK.rtbw", "KRvK.rtbw"], "8/8/8/8/1r6/3k4/8/K1Q5 w - - 0 1", "Qd1+", False, {"KQvKR.rtbw": 1}),
    ],
)
def test_a_missing_table_is_named(
    tmp_path: Path, files: list[str], fen: str, move: str, clock: bool, missing: dict[str, int]
) -> None:
    for file in files:
        shutil.copy(SYZYGY / file, tmp_path)
    with Tables([tmp_path], is_clock_counted=clock) as opened:
        judged = list(verdicts(fen, "standard", [move], opened, 4))
        assert opened.missing == missing
        assert len(judged) == 1 - len(missing)


def test_positions_with_castling_are_left_out_and_counted() -> None:
    with Tables([SYZYGY]) as opened:
        assert list(verdicts("4k3/8/8/8/8/8/8/R3K3 w Q - 0 1", "standard", ["O-O-O", "Ke7"], opened, 3)) != []
        assert (opened.n_castling, opened.missing) == (1, {})


def test_a_folder_without_tables_and_files_that_are_none(tmp_path: Path) -> None:
    with pytest.raises(NoTables), Tables([tmp_path]):
        pass
    whole = (SYZYGY / "KQvK.rtbw").read_bytes()
    for content, message in ((whole[:100], "KQvK.rtbw is no Syzygy table: its end is missing"), (b"<html>", "it does not begin")):
        (tmp_path / "KQvK.rtbw").write_bytes(content)
        with pytest.raises(BadTable, match=message), Tables([tmp_path]):
            pass


def test_a_table_that_is_damaged_inside_is_named(tmp_path: Path) -> None:
    """Its head and its end are there, and nothing between."""
    whole = (SYZYGY / "KPvK.rtbw").read_bytes()
    (tmp_path / "KPvK.rtbw").write_bytes(whole[:16] + whole[-64:])
    with Tables([tmp_path]) as opened, pytest.raises(BadTable, match=r"KPvK\.rtbw or one that it leads to is no"):
        opened.result(chess.Board("8/8/8/8/3k4/8/2P5/K7 w - - 0 1"))


def test_kappa_of_signs_counted_by_hand() -> None:
    """Ten half-moves: `!` agreed twice, `?` once, nothing five times; `!` missed once, one `?` too many. 8 of 10; by chance
    (3·2 + 1·2 + 6·6) / 100 = 0.44.
    """
    agreement = Agreement()
    agreement.cells.update({("!", "!"): 2, ("?", "?"): 1, ("", ""): 5, ("!", ""): 1, ("", "?"): 1})
    assert (agreement.n(), agreement.observed, agreement.expected) == (10, 0.8, 0.44)
    assert agreement.kappa == pytest.approx((0.8 - 0.44) / 0.56)


PGN = """[Event "Lesson"]
[White "Adler, Nora"]
[Black "Behn, Ole"]
[Result "1/2-1/2"]
[Annotator "Tom"]
[SetUp "1"]
[FEN "8/8/8/8/2k5/8/3KP3/8 w - - 0 1"]

1. e4? Kd4 2. Ke2 Kxe4! 1/2-1/2

[Event "Bare"]
[White "Adler, Nora"]
[Black "Behn, Ole"]
[Result "1-0"]
[SetUp "1"]
[FEN "8/8/8/8/2k5/8/3KP3/8 w - - 0 1"]

1. Ke3 Kd5 2. Kf4 1-0
"""


@pytest.fixture(scope="module")
def lake(tmp_path_factory: pytest.TempPathFactory) -> Path:
    root = tmp_path_factory.mktemp("endgames")
    (root / "games.pgn").write_text(PGN)
    assert ingest(root / "games.pgn", "--lake", root / "lake").code == 0
    return root / "lake"


def table(done: Done) -> list[dict[str, str]]:
    return list(csv.DictReader(io.StringIO(done.out)))


def test_the_command_lists_signs_of_both_and_with_all_every_move(lake: Path) -> None:
    done = notatio("endgames", "--tablebase", SYZYGY, "--lake", lake, "--all")
    columns = ("white", "ply", "san", "result", "result_after", "nunn", "annotator", "sign", "agrees")
    found = sorted(tuple(row[c] for c in columns) for row in table(done))
    assert (done.code, done.err) == (0, "7 half-moves of 2 games with at most 3 men\n")
    assert found == [
        ("Adler, Nora", "1", "Ke3", "win", "win", "!", "", "", ""),
        ("Adler, Nora", "1", "e4", "win", "draw", "?", "Tom", "?", "true"),
        ("Adler, Nora", "2", "Kd4", "draw", "draw", "", "Tom", "", "true"),
        ("Adler, Nora", "2", "Kd5", "loss", "loss", "", "", "", ""),
        ("Adler, Nora", "3", "Ke2", "draw", "draw", "", "Tom", "", "true"),
        ("Adler, Nora", "3", "Kf4", "win", "win", "", "", "", ""),
        ("Adler, Nora", "4", "Kxe4", "draw", "draw", "", "Tom", "!", "false"),
    ]
    signs = table(notatio("endgames", "--tablebase", SYZYGY, "--lake", lake))
    assert sorted(row["san"] for row in signs) == ["Ke3", "Kxe4", "e4"]


def test_the_summary_compares_each_annotator(lake: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Tom: 4 half-moves, `?` agreed, `!` not computed: 3 of 4; by chance (1·1 + 3·2) / 16."""
    monkeypatch.setenv("NOTATIO_TABLEBASE", str(SYZYGY))
    (row,) = table(notatio("endgames", "--lake", lake, "--summary", "--clock"))
    kappa = (0.75 - 7 / 16) / (1 - 7 / 16)
    assert row == {
        "annotator": "Tom",
        "annotator_key": "tom",
        "n_games": "1",
        "n_plies": "4",
        "n_only": "0",
        "n_only_signs": "1",
        "n_only_both": "0",
        "n_mistakes": "1",
        "n_mistake_signs": "1",
        "n_mistakes_both": "1",
        "observed": "0.75",
        "expected": "0.4375",
        "kappa": str(round(kappa, 4)),
    }


def test_the_command_says_what_is_missing(lake: Path, tmp_path: Path) -> None:
    none = notatio("endgames", "--lake", lake)
    assert (none.code, "NOTATIO_TABLEBASE" in none.err) == (2, True)
    away = notatio("endgames", "--lake", lake, "--tablebase", tmp_path / "away")
    assert (away.code, f"There is no folder {tmp_path / 'away'}" in away.err) == (2, True)
    empty = notatio("endgames", "--lake", lake, "--tablebase", tmp_path)
    assert (empty.code, "There is no table (*.rtbw)" in empty.err) == (2, True)
    shutil.copy(SYZYGY / "KRvK.rtbw", tmp_path)
    missing = notatio("endgames", "--lake", lake, "--tablebase", tmp_path)
    assert (missing.code, table(missing)) == (3, [])
    assert "warning: KPvK.rtbw is missing: 7 positions could not be looked up" in missing.err
    (tmp_path / "KPvK.rtbw").write_bytes(b"nothing")
    broken = notatio("endgames", "--lake", lake, "--tablebase", tmp_path)
    assert (broken.code, "KPvK.rtbw is no Syzygy table" in broken.err) == (78, True)
