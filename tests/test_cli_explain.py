"""`check --explain` and `show --explain`: how a game was read, and what stands on the board where something is wrong."""

from __future__ import annotations

from pathlib import Path

import chess
import pytest

from pipeline.catalog import first_difference
from pipeline.cli.boards import diagram, marked
from pipeline.dialects import WrittenMove
from pipeline.evidence import evidence
from pipeline.model import Hints
from tests.support_cli import ingest, notatio

RUSSIAN = "1. e2-e4 e7-e5 2. Кg1-f3 Кb8-c6 3. Сf1-b5 a7-a6 4. Сb5-a4 Кg8-f6 5. 0-0 Сf8-e7 6. Лf1-e1 b7-b5 "
BROKEN = f"{RUSSIAN}7. Сc4-b3 d7-d6 8. c2-c3 0-0 1/2-1/2\n"
WHOLE = f"{RUSSIAN}7. Сa4-b3 d7-d6 8. c2-c3 0-0 1/2-1/2\n"
MEANT = "wrong origin square: the bishop stands on a4, not on c4; or else ply 7, Сb5-a4, is Bc4"
VARIATIONS = (
    '[Event "x"]\n[White "Adler"]\n[Black "Behn"]\n[Result "1-0"]\n\n'
    "1. e4 e5 2. Nf3 (2. Nc3 Nc6 (2... Nf6 3. Qd7) 3. Qa8) Nc6 3. Bb5 a6 {[x]} 4. Ba4+ Nf6 1-0\n"
)


@pytest.fixture(autouse=True)
def _here(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv("NOTATIO_LAKE", raising=False)
    monkeypatch.chdir(tmp_path)


def test_check_keeps_one_line_a_problem_and_explains_when_asked() -> None:
    Path("a.txt").write_text(BROKEN, "utf-8")
    line = "a.txt:1:99: Сc4-b3: no legal move fits, after 12 proven plies (illegal_move)\n"
    assert notatio("check", "a.txt").out == line
    done = notatio("check", "a.txt", "--explain")
    assert done.code == 3
    assert done.out.splitlines() == [
        line.rstrip("\n"),
        "    letters    Russian (ru), alike in be; by the longest reading",
        "    notation   long",
        "    runner-up  Ukrainian (uk): 10 half-moves; at ply 11 it cannot read Лf1-e1",
        *done.out.splitlines()[4:5],
        "    8  ♜ · ♝ ♛ ♚ · · ♜",
        "    7  · · ♟ ♟ ♝ ♟ ♟ ♟",
        "    6  ♟ · ♞ · · ♞ · ·",
        "    5  · ♟ · · ♟ · · ·",
        "    4  ♗ · · · ♙ · · ·",
        "    3  · · · · · ♘ · ·",
        "    2  ♙ ♙ ♙ ♙ · ♙ ♙ ♙",
        "    1  ♖ ♘ ♗ ♕ ♖ · ♔ ·",
        "       a b c d e f g h   White to move",
        "    legal      Bb3, Bxb5, Nc3, b3, c3, c4, Na3, Nd4, Nh4, Re3, a3, b4, … (25 in all)",
        f"    meant      Bb3? {MEANT}; then 3 more are proven",
    ]
    assert done.out.splitlines()[4].startswith("    evidence   ply 3 Кg1-f3 (against ")


def test_a_fault_in_a_variation_has_the_board_of_its_own_line() -> None:
    Path("a.pgn").write_text(VARIATIONS, "utf-8")
    out = notatio("check", "a.pgn", "--explain", "--quirks").out
    assert out.count("letters    English (en)") == 1, "a game is explained once"
    first, second = out.split("(variation_illegal)")[1:3]
    boards = [part.split("legal")[0] for part in (first, second)]
    for san, board in (("3. Qa8: after Nc3 Nc6", boards[1]), ("3. Qd7: after Nc3 Nf6", boards[0])):
        moves = chess.Board()
        for move in ("e4", "e5", *san.split("after ")[1].split()):
            moves.push_san(move)
        assert "\n".join(f"    {line}" for line in diagram(moves)) in board, san
    assert "false_check_mark" in out


def test_what_concerns_no_half_move_has_no_board() -> None:
    Path("a.txt").write_text(WHOLE, "utf-8")
    out = notatio("check", "a.txt", "--explain", "--quirks").out
    assert "result_from_movetext" in out
    assert "to move" not in out
    assert notatio("check", "a.txt", "--explain").out == ""


def test_show_explains_and_sets_variant_readings_side_by_side() -> None:
    for name, text in (("a", BROKEN), ("b", WHOLE), ("c", "1. d4 d5 2. c4 e6 1-0\n")):
        Path(f"{name}.txt").write_text(text, "utf-8")
    assert ingest("a.txt", "b.txt", "c.txt").code == 0
    found = notatio("sql", "select game_id from games join sources using (source_id) order by path", "--format", "csv")
    a, b, c = found.out.split()[1:]
    shown = notatio("show", a, "--explain").out
    assert "runner-up  Ukrainian (uk): 10 half-moves; at ply 11 it cannot read Лf1-e1" in shown
    assert "    legal      Bb3, Bxb5" in shown
    plain = notatio("show", a).out
    assert "legal  " not in plain
    assert [line.split() for line in plain.split("variant readings\n")[1].splitlines()[2:]] == [
        [b[:12], "b.txt", "game", "1", "clean", "16", "7.", "Сa4-b3", "Сc4-b3"]
    ]
    assert f"{a[:12]}  a.txt   game 1  truncated" in notatio("show", b).out
    assert "variant readings" not in notatio("show", c).out


def test_scores_of_one_round_that_begin_alike_are_readings_of_one_game() -> None:
    head = '[Event "Cup"]\n[White "Adler, Nora"]\n[Black "Behn, Ole"]\n[Date "1990.??.??"]\n[Round "{}"]\n[Result "1-0"]\n\n'
    moves = "1. e4 e5 2. Nf3 Nc6 3. Bb5 a6 4. Ba4 Nf6 5. {} Be7 1-0\n"
    another_year, no_round = head.replace("1990", "1991"), head.replace('[Round "{}"]\n', "")
    for i, (tags, n, move) in enumerate(
        [(head, 1, "O-O"), (head, 1, "d3"), (head, 2, "Qe2"), (another_year, 1, "Nc3"), (no_round, 0, "c3")]
    ):
        Path(f"{i}.pgn").write_text(tags.format(n) + moves.format(move), "utf-8")
    assert ingest(*(f"{i}.pgn" for i in range(5))).code == 0
    first = notatio("sql", "select game_id from games where movetext like '%O-O%'", "--format", "csv").out.split()[1]
    lines = [line.split() for line in notatio("show", first).out.split("variant readings\n")[1].splitlines()[2:]]
    assert [(line[1], line[6:]) for line in lines] == [("1.pgn", ["5.", "d3", "O-O"])]


@pytest.mark.parametrize(
    ("one", "other", "ply"),
    [("e4 e5", "e4 e5", None), ("e4 e5", "e4 c5", 2), ("e4", "e4 e5", 2), (None, "e4", 1), (None, None, None)],
)
def test_the_first_difference_of_two_lines(one: str | None, other: str | None, ply: int | None) -> None:
    assert first_difference(one, other) == ply


def test_the_evidence_is_where_rivals_part() -> None:
    line = [WrittenMove(text) for text in ("e4", "e5", "Ke2", "Ke7", "Nf3")]
    told = evidence(line, chess.Board(), ["e4", "e5", "Ke2", "Ke7"], {"en"}, Hints())
    assert told.runner_up is not None
    best = told.runner_up
    assert (best.alphabet.bcp47, best.n_plies, best.ply, best.written, best.reads_as) == ("ru", 4, 3, "Ke2", "Ne2")
    assert [(ply, written) for ply, written, _ in told.plies] == [(3, "Ke2")]
    assert evidence([], chess.Board(), [], {"en"}, Hints()).runner_up is None


def test_the_lines_around_a_place_are_shown_and_the_place_is_marked() -> None:
    text = "".join(f"line {i}\n" for i in range(9))
    at = text.index("4")
    assert list(marked(text, at, at + 1)) == [*(f"line {i}" for i in (1, 2, 3)), "line ▸4◂", *(f"line {i}" for i in (5, 6, 7))]
    assert list(marked("Kx", 0, 2)) == ["▸Kx◂"]
