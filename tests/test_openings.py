"""Openings by position, in both lanes; keys of positions; the opening tree, whatever the way it was built."""

from __future__ import annotations

import csv
import random
from collections import Counter
from pathlib import Path
from typing import Any

import chess
import chess.polyglot
import duckdb
import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from pipeline import bulk, opening_tree, tables
from pipeline.catalog import connect, publish, tree
from pipeline.eco import opening_of_line
from pipeline.tables.openings import Opening, openings
from tests.support_catalog import build, game
from tests.support_cli import notatio

CASES = list(csv.DictReader((Path(__file__).parent / "cases" / "openings.csv").read_text("utf-8").splitlines()))
LAW = settings(deadline=None, derandomize=True, max_examples=25)


def uci(moves: str) -> list[str]:
    """SAN to UCI, by python-chess."""
    board = chess.Board()
    return [board.push_san(san).uci() for san in moves.split()]


def random_line(seed: int, n_plies: int) -> str:
    """SAN of random legal moves; captures, promotions and castling are preferred, so that keys see all of them."""
    chance, board, played = random.Random(seed), chess.Board(), []
    for _ in range(n_plies):
        legal = sorted(board.legal_moves, key=lambda move: move.uci())
        if not legal:
            break
        rare = [m for m in legal if m.promotion or board.is_capture(m) or board.is_castling(m) or board.is_en_passant(m)]
        move = chance.choice(rare if rare and chance.random() < 0.3 else legal)
        played.append(board.san(move))
        board.push(move)
    return " ".join(played)


def reference_keys(moves: str) -> list[int]:
    """Key before each move, by python-chess."""
    board, found = chess.Board(), []
    for san in moves.split():
        found.append(opening_tree.signed(chess.polyglot.zobrist_hash(board)))
        board.push_san(san)
    return found


# --- the table --------------------------------------------------------------------------------------------------------


def test_every_named_line_is_legal_and_has_the_key_of_its_position() -> None:
    for opening in openings():
        board = chess.Board()
        for san in opening.moves.split():
            move = board.parse_san(san)
            assert board.san(move) == san, opening
            board.push(move)
        assert chess.polyglot.zobrist_hash(board) == opening.key, opening


def test_all_500_codes_have_a_name() -> None:
    assert {opening.eco for opening in openings()} == {f"{letter}{n:02}" for letter in "ABCDE" for n in range(100)}


def test_every_named_line_leads_to_its_own_name() -> None:
    chosen: list[Opening] = random.Random(7).sample(openings(), 400)
    assert [opening_of_line(uci(opening.moves)) for opening in chosen] == chosen


# --- the opening of a game --------------------------------------------------------------------------------------------


@pytest.mark.parametrize("case", CASES, ids=lambda case: case["moves"][-30:])
def test_a_game_has_the_name_of_its_last_named_position(case: dict[str, str]) -> None:
    opening = opening_of_line(uci(case["moves"]))
    assert opening is not None
    assert (opening.eco, opening.name) == (case["eco"], case["opening"])


def test_transposed_orders_of_moves_have_one_opening() -> None:
    orders = ("d4 Nf6 c4 e6 Nf3 d5 Nc3", "Nf3 d5 d4 Nf6 c4 e6 Nc3", "c4 e6 Nc3 d5 d4 Nf6 Nf3", "c4 e6 d4 Nf6 Nf3 d5 Nc3")
    assert len({opening_of_line(uci(moves)) for moves in orders}) == 1


GAMES = [
    f'[Event "E"]\n[Site "?"]\n[Date "?"]\n[Round "{k}"]\n[White "A{k}"]\n[Black "B{k}"]\n[Result "1-0"]\n\n{moves} 1-0\n'
    for k, moves in enumerate([case["moves"] for case in CASES] + [random_line(seed, 60) for seed in range(40)])
]
ODD = """\
[White "Set"]
[Black "Up"]
[FEN "rnbqkbnr/pppppppp/8/8/4P3/8/PPPP1PPP/RNBQKBNR b KQkq - 0 1"]
[SetUp "1"]
[Result "*"]

1... e5 2. Nf3 *

[White "No"]
[Black "Moves"]
[Result "1-0"]

1-0

[White "Broken"]
[Black "Off"]
[Result "1-0"]

1. e4 c5 2. Nf4 Nc6 3. d4 1-0
"""


def test_both_lanes_give_the_same_opening(tmp_path: Path) -> None:
    """The fast lane reads plain games; a space before each full stop of a number sends the same games through the slow one."""
    found = []
    texts = {"fast": "\n".join(GAMES), "slow": "\n".join(text.replace('"]\n\n', '"]\n\n1 . ') for text in GAMES)}
    for name, text in texts.items():
        (tmp_path / f"{name}.pgn").write_text(text, "utf-8")
        assert notatio("ingest", tmp_path / f"{name}.pgn", "--lake", tmp_path / name, "--workers", 1).code == 0
        with connect(tmp_path / name) as con:
            query = "select white, movetext, eco, opening from games where status = 'clean' order by white"
            found.append(con.execute(query).fetchall())
    assert found[0] == found[1]
    assert len(found[0]) == len(GAMES)
    assert {row[1:3] for row in found[0]} >= {(case["moves"], case["eco"]) for case in CASES}


def test_only_moves_from_the_initial_position_have_an_opening(tmp_path: Path) -> None:
    (tmp_path / "odd.pgn").write_text(ODD, "utf-8")
    assert notatio("ingest", tmp_path / "odd.pgn", "--lake", tmp_path / "lake", "--workers", 1).code == 0
    with connect(tmp_path / "lake") as con:
        found = dict(con.execute("select white, eco from games").fetchall())
    assert found == {"Set": None, "No": None, "Broken": "B20"}


@pytest.mark.parametrize("mode", ["plain", "compiled"])
def test_compiled_and_plain_code_name_the_same_openings(mode: Any) -> None:
    buffer = "".join(GAMES).encode()
    ends = np.cumsum([0, *(len(text.encode()) for text in GAMES)])
    english = tables.alphabet("en")
    assert english is not None
    answer = bulk.read(buffer, np.stack([ends[:-1], ends[1:]], 1), english, mode)
    assert answer.answered.all()
    expected = [opening_of_line(uci(text or "")) for text in answer.games["movetext"].to_pylist()]
    assert answer.games["eco"].to_pylist() == [opening.eco if opening else None for opening in expected]
    assert answer.games["opening"].to_pylist() == [opening.name if opening else None for opening in expected]


# --- keys -------------------------------------------------------------------------------------------------------------


@LAW
@given(st.integers(0, 10_000))
def test_keys_are_those_of_python_chess(seed: int) -> None:
    moves = random_line(seed, 150)
    assert opening_tree.steps([moves], 150)["position_id"].to_pylist() == list(dict.fromkeys(reference_keys(moves)))


@LAW
@given(st.permutations(["e4", "d3", "Nf3", "g3"]), st.permutations(["e6", "d6", "Nf6", "b6"]))
def test_moves_in_another_order_lead_to_the_same_key(white: list[str], black: list[str]) -> None:
    moves = " ".join(san for pair in zip(white, black, strict=True) for san in pair)
    usual = reference_keys("e4 e6 d3 d6 Nf3 Nf6 g3 b6 a3")[-1]
    assert opening_tree.steps([f"{moves} a3"])["position_id"].to_pylist()[-1] == usual


@pytest.mark.parametrize(
    ("moves", "others", "is_same"),
    [
        ("Nf3 Nf6 e4 h6", "e4 Nf6 Nf3 h6", True),
        ("e3 a6 e4 a5 Nf3 d5", "e4 a5 Nf3 d5", True),
        ("e4 a6 e5 Nf6 Nf3 Ng8 Ng1 d5", "e4 d5 e5 a6 Nf3 Nf6 Ng1 Ng8", False),
        ("e4 a6 Nf3 Nf6 Ng1 Ng8 Nf3 d5", "e4 d5 Nf3 a6 Ng1 Nf6 Nf3 Ng8", True),
        ("Nf3 Nf6 Rg1 Ng8 Rh1 Nf6", "Nf3 Nf6", False),
    ],
)
def test_positions_are_one_when_the_same_moves_are_possible(moves: str, others: str, is_same: bool) -> None:
    """En passant counts where a pawn can take, not where none can; castling rights count."""
    boards = []
    for line in (moves, others):
        board = chess.Board()
        for san in line.split():
            board.push_san(san)
        boards.append(board)
    assert boards[0].board_fen() == boards[1].board_fen()
    assert boards[0].turn == boards[1].turn
    assert (opening_tree.position_id(boards[0]) == opening_tree.position_id(boards[1])) == is_same


@pytest.fixture(scope="module")
def con(tmp_path_factory: pytest.TempPathFactory) -> duckdb.DuckDBPyConnection:
    root = tmp_path_factory.mktemp("tree")
    publish(root, build(root, GAMES_BY_HAND), root / "catalog.duckdb")
    return connect(root)


GAMES_BY_HAND = [
    game(
        f"White {k}", f"Black {k}", random.Random(k).choice(["1-0", "0-1", "1/2-1/2", "*"]), random_line(k % 50, 12 + k % 40),
        year=1900 + k % 7 if k % 5 else None, white_elo=2000 + k if k % 3 else None, black_elo=2100, round=str(k),
    )
    for k in range(120)
]  # fmt: skip


@LAW
@given(seed=st.integers(0, 500), n_plies=st.integers(0, 80))
def test_sql_computes_the_same_key_from_a_fen(con: duckdb.DuckDBPyConnection, seed: int, n_plies: int) -> None:
    board = chess.Board()
    for san in random_line(seed, n_plies).split():
        board.push_san(san)
    expected = opening_tree.signed(chess.polyglot.zobrist_hash(board))
    assert con.execute("select position_key(?)", [board.fen(en_passant="fen")]).fetchall() == [(expected,)]


# --- the tree ---------------------------------------------------------------------------------------------------------


def by_hand(games: list[dict[str, Any]]) -> dict[tuple[int, str], list[Any]]:
    """(position, move) → games, by result and with years, by python-chess."""
    found: dict[tuple[int, str], list[Any]] = {}
    for row in games:
        if row["result"] == "*":
            continue
        played = row["movetext"].split()[: opening_tree.DEPTH]
        for key, san in zip(reference_keys(" ".join(played)), played, strict=True):
            counts = found.setdefault((key, san), [Counter(), set()])
            counts[0][row["result"]] += 1
            counts[1] |= {row["year"]} - {None}
    return found


def rows(con: duckdb.DuckDBPyConnection) -> list[tuple[Any, ...]]:
    return con.execute("from opening_moves order by position_id, san").fetchall()


def test_the_tree_counts_every_move_of_every_game_that_counts(con: duckdb.DuckDBPyConnection) -> None:
    expected = sorted(
        (key, san, n.total(), n["1-0"], n["1/2-1/2"], n["0-1"], min(years, default=None), max(years, default=None))
        for (key, san), (n, years) in by_hand(GAMES_BY_HAND).items()
    )
    columns = "position_id, san, n, n_white, n_draws, n_black, year_first, year_last"
    assert con.execute(f"select {columns} from opening_moves order by 1, 2").fetchall() == expected


def test_a_game_counts_once_in_a_position_that_it_comes_back_to() -> None:
    found = opening_tree.steps(["Nf3 Nf6 Ng1 Ng8 e4 e5", "Nf3 Nf6 Ng1 Ng8 Nf3 Nf6 e4", "e4 e5 Ke3", "e4"])
    moves: dict[int, list[str]] = {}
    for line, san in zip(found["line"].to_pylist(), found["san"].to_pylist(), strict=True):
        moves.setdefault(line, []).append(san)
    assert moves == {0: ["Nf3", "Nf6", "Ng1", "Ng8", "e5"], 1: ["Nf3", "Nf6", "Ng1", "Ng8"], 2: ["e4", "e5"], 3: ["e4"]}


def test_the_moves_of_a_position_are_shown_with_shares_and_scores(con: duckdb.DuckDBPyConnection) -> None:
    found = con.execute("select san, n, n_pct, score_pct, n_white, n_draws from opening_tree()").fetchall()
    assert sum(row[1] for row in found) == sum(row["result"] != "*" for row in GAMES_BY_HAND)
    assert sum(row[2] for row in found) == pytest.approx(100, abs=0.2)
    for _, n, _, score, n_white, n_draws in found:
        assert score == pytest.approx(100 * (n_white + n_draws / 2) / n, abs=0.01)
    assert [row[1] for row in found] == sorted((row[1] for row in found), reverse=True)


@pytest.mark.parametrize("many", [0, 20_000])
def test_a_tree_that_is_carried_over_equals_one_from_nothing(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, many: int) -> None:
    """Games come, change and go; `many` decides whether more than an eighth is kept beside the base or summed into a new one."""
    monkeypatch.setattr(tree, "ADDED_FREE", many)
    changed = [{**row, "result": "0-1", "year": 1999} for row in GAMES_BY_HAND[:9]]
    grown, kept = tmp_path / "grown", []
    grown.mkdir()
    for number, games in enumerate((GAMES_BY_HAND[:80], GAMES_BY_HAND, [*changed, *GAMES_BY_HAND[9:]], GAMES_BY_HAND[:40])):
        fresh = tmp_path / f"fresh {number}"
        fresh.mkdir()
        publish(fresh, build(fresh, games), fresh / "catalog.duckdb")
        publish(grown, build(grown, games), grown / "next.duckdb")
        (grown / "next.duckdb").replace(grown / "catalog.duckdb")
        with connect(grown) as con, connect(fresh) as other:
            assert rows(con) == rows(other), number
            [[n_kept]] = con.execute("select count(*) from stored.opening_added").fetchall()
            kept.append(n_kept > 0)
    assert kept == ([False, True, True, False] if many else [False] * 4)


def test_a_damaged_catalog_before_is_no_hindrance(tmp_path: Path) -> None:
    data = build(tmp_path, GAMES_BY_HAND)
    (tmp_path / "catalog.duckdb").write_bytes(b"no catalog" * 5000)
    publish(tmp_path, data, tmp_path / "next.duckdb")
    (tmp_path / "next.duckdb").replace(tmp_path / "catalog.duckdb")
    with connect(tmp_path) as found:
        assert rows(found)


def test_names_of_openings_and_the_tree_meet_by_position(con: duckdb.DuckDBPyConnection) -> None:
    board = chess.Board()
    board.push_san("e4")
    board.push_san("c5")
    found = con.execute("select position_id, position_key(?) from opening_names where moves = 'e4 c5'", [board.fen()]).fetchall()
    assert found == [(opening_tree.position_id(board),) * 2]


# --- the command ------------------------------------------------------------------------------------------------------


@pytest.fixture(scope="module")
def lake(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("openings")
    (folder / "games.pgn").write_text("\n".join(GAMES), "utf-8")
    assert notatio("ingest", folder / "games.pgn", "--lake", folder / "lake", "--workers", 1).code == 0
    return folder / "lake"


@pytest.mark.parametrize(
    "way",
    [
        ("e4", "c5"),
        ("1. e4 c5",),
        ("--fen", "rnbqkbnr/pp1ppppp/8/2p5/4P3/8/PPPP1PPP/RNBQKBNR w KQkq -"),
        ("rnbqkbnr/pp1ppppp/8/2p5/4P3/8/PPPP1PPP/RNBQKBNR w KQkq - 0 2",),
        ("rnbqkbnr/pp1ppppp/8/2p5/4P3/8/PPPP1PPP/RNBQKBNR", "w", "KQkq", "-", "0", "2"),
        ("rnbqkbnr/pppppppp/8/8/4P3/8/PPPP1PPP/RNBQKBNR b KQkq - 0 1", "c5"),
    ],
)
def test_the_command_lists_moves_with_names(lake: Path, way: tuple[str, ...]) -> None:
    done = notatio("openings", *way, "--lake", lake)
    assert done.code == 0
    first = next(csv.DictReader(done.out.splitlines()))
    assert (first["san"], first["n"], first["eco"]) == ("Nf3", "2", "B27")
    assert "B20 Sicilian Defense: " in done.err


@pytest.mark.parametrize(
    ("given_", "message"),
    [
        (("e4", "Ke3"), "'Ke3' is no legal move in"),
        (("rnbqkbnr/8 b",), "error: 'rnbqkbnr/8' is no legal move in"),
        (("8/8/8/8/8/8/8/8 w - -",), "'8/8/8/8/8/8/8/8 w - -' is no position that a game can have"),
        (("--fen", "8/8 w"), "'8/8 w' is no position"),
        (("--fen", "8/8/8/8/8/8/8/8 w - -"), "game can have"),
    ],
)
def test_what_is_no_move_and_no_position_is_told(lake: Path, given_: tuple[str, ...], message: str) -> None:
    done = notatio("openings", *given_, "--lake", lake)
    assert done.code == 2
    assert message in done.err


@pytest.mark.parametrize("written", ["Nf3", "g1f3", "Кf3", "Sf3", "♘f3", "Cf3", "1. Ng1-f3"])
def test_moves_are_read_in_any_letters(written: str, lake: Path) -> None:
    done = notatio("openings", "e4", "c5", written, "--lake", lake, "--board")
    assert done.code == 0, done.err
    assert "3  · · · · · ♘ · ·\n" in done.out
    assert ("is read as Nf3" in done.err) == (written not in {"Nf3", "g1f3", "1. Ng1-f3"})
    assert "   a b c d e f g h   Black to move\n" in done.out
