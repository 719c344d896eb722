"""Symbols in reports: rates and their intervals, phases, what signs come true as, how annotators agree, what the engine said."""

from __future__ import annotations

import random
from pathlib import Path
from typing import Any

import chess
import duckdb
import pytest

from tests.support_catalog import ADLER, BRANDT, COLE, ENGLISH, ITALIAN, QUEENS, SICILIAN, game, lake, rows


@pytest.fixture(scope="module")
def empty(tmp_path_factory: pytest.TempPathFactory) -> duckdb.DuckDBPyConnection:
    return lake(tmp_path_factory.mktemp("lake"))


@pytest.mark.parametrize(
    ("k", "n", "low", "high"),
    [  # R. G. Newcombe, Statistics in Medicine 17 (1998) 857–872, table I, method 3
        (81, 263, 0.2553, 0.3662),
        (15, 148, 0.0624, 0.1605),
        (0, 20, 0.0, 0.1611),
        (1, 29, 0.0061, 0.1718),
    ],
)
def test_wilsons_interval_is_the_published_one(empty: duckdb.DuckDBPyConnection, k: int, n: int, low: float, high: float) -> None:
    assert rows(empty, f"select round(wilson_low({k}, {n}), 4), round(wilson_high({k}, {n}), 4)") == [(low, high)]
    other = f"select round(wilson_low({n - k}, {n}), 4), round(wilson_high({n - k}, {n}), 4)"
    assert rows(empty, other) == [(pytest.approx(1 - high), pytest.approx(1 - low))]


@pytest.mark.parametrize(
    ("k", "low", "high"),
    [  # F. Garwood, Biometrika 28 (1936): exact limits
        (0, 0.0, 3.69),
        (1, 0.03, 5.57),
        (5, 1.62, 11.67),
        (10, 4.80, 18.39),
        (20, 12.22, 30.89),
        (100, 81.36, 121.63),
    ],
)
def test_the_interval_of_a_count_is_near_the_exact_one(empty: duckdb.DuckDBPyConnection, k: int, low: float, high: float) -> None:
    found = rows(empty, f"select poisson_low({k}), poisson_high({k})")
    assert found == [(pytest.approx(low, abs=0.025), pytest.approx(high, abs=0.03))]


def test_intervals_of_nothing_and_of_another_probability(empty: duckdb.DuckDBPyConnection) -> None:
    assert rows(empty, "select wilson_low(0, 0), wilson_high(0, 0), poisson_low(null)") == [(None, None, None)]
    narrow = "select wilson_low(5, 10, 1.645) > wilson_low(5, 10), poisson_high(5, z := 1.645) < poisson_high(5)"
    assert rows(empty, narrow) == [(True, True)]


SIX = "e4 e5 Nf3 Nc6 Bc4 Bc5"


def test_rates_are_counted_over_annotated_games_each_in_its_part(tmp_path: Path) -> None:
    """`!` once in 6 plies of 1951 (A00, stated), twice in 4 of an unknown year (B20, by position); a bare game is no basis."""
    games = [
        game(
            ADLER,
            BRANDT,
            "1-0",
            ITALIAN,
            year=1951,
            eco_written="A00",
            eco=None,
            annotator="Tom",
            annotator_key="tom",
            nags={1: [1]},
        ),
        game(ADLER, COLE, "1-0", SICILIAN, year=None, eco="B20", eco_written="C00", nags={2: [1], 4: [1, 16]}),
        game(COLE, BRANDT, "1-0", QUEENS, year=1951),
    ]
    rate = "n, n_games, per_1000_plies, per_1000_plies_low, per_1000_plies_high, n_plies_annotated"
    with lake(tmp_path, games) as con:
        whole = rows(con, f"select {rate} from annotation_symbols where nag = 1")
        assert whole == [(3, 2, 300.0, pytest.approx(60, abs=1), pytest.approx(877, abs=1), 10)]  # Garwood: 0.62 to 8.77 in 10
        assert rows(con, "select year, nag, n, n_games, n_plies_annotated from annotation_by_year") == [
            (1951, 1, 1, 1, 6),
            (None, 1, 2, 1, 4),
            (None, 16, 1, 1, 4),
        ]
        assert rows(con, "select eco_letter, eco, nag, n, n_plies_annotated from annotation_by_opening") == [
            ("A", "A00", 1, 1, 6),
            ("B", "B20", 1, 2, 4),
            ("B", "B20", 16, 1, 4),
        ]
        columns = "annotator, nag, n, n_white, n_black, per_1000_white, per_1000_black, n_plies_annotated"
        assert rows(con, f"select {columns} from annotation_by_annotator") == [
            (None, 1, 2, 0, 2, 0.0, 1000.0, 4),
            ("Tom", 1, 1, 1, 0, 333.33, 0.0, 6),
            (None, 16, 1, 0, 1, 0.0, 500.0, 4),
        ]
        assert rows(con, "select annotator, n_games, n_plies from annotators") == [("Tom", 1, 6)]


def _random_game(seed: int, board: chess.Board) -> tuple[str, list[int]]:
    """A random game that takes and promotes when it can, and the number of men but kings and pawns before each half-move."""
    chance = random.Random(seed)
    moves, officers = [], []
    while not board.is_game_over() and len(moves) < 160:
        legal = sorted(board.legal_moves, key=str)
        sharp = [move for move in legal if board.is_capture(move) or move.promotion or board.is_en_passant(move)]
        move = chance.choice(sharp if sharp and chance.random() < 0.4 else legal)
        officers.append(chess.popcount(board.occupied & ~board.kings & ~board.pawns))
        moves.append(board.san(move))
        board.push(move)
    return " ".join(moves), officers


STARTS = [
    *[(None, "standard")] * 20,
    *[("rnbq1rk1/ppp1bppp/4pn2/3p4/2PP4/2N2N2/PP2PPPP/R1BQKB1R w KQ - 4 5", "standard")] * 5,
    *[("4k3/2pppp2/8/8/3PPP2/8/8/4K2R w K - 0 1", "standard")] * 5,
    *[("nrbbqnkr/pppppppp/8/8/8/8/PPPPPPPP/NRBBQNKR w KQkq - 0 1", "chess960")] * 5,
]


def test_a_game_is_divided_as_the_board_says(tmp_path: Path) -> None:
    """En passant, promotions, castling and recaptures among them: the men on the board are python-chess's."""
    games, expected, kinds = [], [], set()
    for seed, (fen, variant) in enumerate(STARTS):
        board = chess.Board(fen or chess.STARTING_FEN, chess960=variant == "chess960")
        moves, officers = _random_game(seed, board)
        before = next((i for i, n in enumerate(officers) if n <= 6), len(officers))
        opening = min(22, before) if fen is None or variant == "chess960" else 0
        expected.append((opening, before - opening, len(officers) - before))
        games.append(game(ADLER, BRANDT, "*", moves, round=str(seed), start_fen=fen, variant=variant, nags={1: [1]}))
        kinds |= {n > 0 for n in expected[-1][1:]} | {kind for kind in ("=Q", "O-O", "dxe6", "exd6") if kind in moves}
    assert {True, False, "=Q"} <= kinds
    with lake(tmp_path, games) as con:
        columns = "n_plies_opening, n_plies_middlegame, n_plies_endgame"
        sql = f"select {columns} from annotated_games join games using (game_id) order by game_index"
        assert rows(con, sql) == expected


@pytest.mark.parametrize(
    ("fen", "moves", "n_before"),
    [
        # Seven men but kings and pawns: a knight left d6, then a pawn passes it and is taken there: no man is gone.
        ("k7/3p4/8/4P3/4n3/8/QRRBBN2/K7 b - - 0 1", "Nd6 Qb1 Nc4 Qa2 d5 exd6 Nxd6 Qb1", 8),
        ("k7/8/8/8/4n3/8/QRRBBN2/K7 b - - 0 1", "Nxf2 Qb1", 1),
        ("k7/4P3/8/8/4n3/8/QRRBB3/K7 w - - 0 1", "e8=Q+ Ka7", 0),
    ],
)
def test_the_endgame_begins_behind_the_move_that_leaves_six_men(tmp_path: Path, fen: str, moves: str, n_before: int) -> None:
    one = game(ADLER, BRANDT, "*", moves, start_fen=fen, is_white_first=" w " in fen, nags={1: [1]})
    with lake(tmp_path, [one]) as con:
        sql = "select n_plies_opening + n_plies_middlegame, n_plies_endgame from annotated_games"
        assert rows(con, sql) == [(n_before, len(moves.split()) - n_before)]


def test_symbols_are_counted_by_the_phase_of_the_position_before_the_move(tmp_path: Path) -> None:
    """Endgame from the first move on: the capture that begins it belongs to the phase before."""
    games = [
        game(
            ADLER, BRANDT, "*", "Nxf2 Qb1", start_fen="k7/8/8/8/4n3/8/QRRBBN2/K7 b - - 0 1", is_white_first=False, nags={1: [1]}
        ),
        game(ADLER, BRANDT, "*", ITALIAN, nags={1: [1], 2: [1]}),
        game(ADLER, COLE, "*", "Kb2 Kb7", start_fen="k7/8/8/8/8/8/8/K7 w - - 0 1", nags={2: [1, 10]}),
    ]
    with lake(tmp_path, games) as con:
        assert rows(con, "select phase, nag, n, n_games, n_plies_annotated from annotation_by_phase") == [
            ("opening", 1, 2, 1, 6),
            ("middlegame", 1, 1, 1, 1),
            ("endgame", 1, 1, 1, 3),
            ("endgame", 10, 1, 1, 3),
        ]


def test_what_signs_come_true_as_by_the_side_that_they_favour(tmp_path: Path) -> None:
    """`±` by White: won, drawn, lost, not scored. `?` of Black in the first. `⊙` (no side) after White's move in the third."""
    elo: dict[str, Any] = {"white_elo": 2450, "black_elo": 2300}
    games = [
        game(ADLER, BRANDT, "1-0", ITALIAN, year=1969, nags={2: [2, 16], 4: [16]}, **elo),
        game(ADLER, BRANDT, "1/2-1/2", QUEENS, year=1970, nags={2: [16]}, **elo),
        game(ADLER, BRANDT, "0-1", SICILIAN, year=1979, nags={2: [16], 3: [22]}),
        game(ADLER, BRANDT, "*", ENGLISH, nags={2: [16]}),
    ]
    sql = "select symbol, favours, n, n_games, score, n_wins, n_draws, n_losses from symbol_outcomes"
    with lake(tmp_path, games) as con:
        assert rows(con, sql) == [
            ("±", "w", 4, 3, 0.625, 2, 1, 1),
            ("?", "opponent", 1, 1, 1.0, 1, 0, 0),
            ("⊙", "mover", 1, 1, 0.0, 0, 0, 1),
        ]
        interval = "select score_low, score_high, round(wilson_low(0.625 * 3, 3), 4), round(wilson_high(0.625 * 3, 3), 4)"
        low, high, expected_low, expected_high = rows(con, f"{interval} from symbol_outcomes where nag = 16")[0]
        assert (low, high) == (expected_low, expected_high)
        assert rows(con, "select elo_band, n, score from symbol_outcomes_by_elo where nag = 16") == [
            (2200, 3, pytest.approx(0.8333)),
            (None, 1, 0.0),
        ]
        assert rows(con, "select decade, n, score from symbol_outcomes_by_period where nag = 16") == [
            (1960, 2, 1.0),
            (1970, 2, 0.25),
        ]


def _by(annotator: str | None, nags: dict[int, list[int]], **more: Any) -> dict[str, Any]:
    key = annotator and annotator.lower()
    return game(ADLER, BRANDT, "1-0", f"{ITALIAN} c3 Nf6 d4 exd4", annotator=annotator, annotator_key=key, nags=nags, **more)


def test_two_annotators_agree_as_cohens_kappa_says(tmp_path: Path) -> None:
    """Ten plies. Moves: `!` of both at 1, `?` against `??` at 3, one alone at 5 and at 7, nothing at six: 7 of 10 agree; by
    chance 1 · 2 + 7 · 7 = 51 of 100. Positions: both judge 2 (`±` both) and 4 (`=` against `∞`): 1 of 2; by chance 1 of 4.
    """
    copies = [
        _by("Tom", {1: [1], 2: [16], 3: [2], 4: [10], 5: [5], 6: [14]}),
        _by("Una", {1: [1], 2: [16], 3: [4], 4: [13], 7: [1], 8: [16]}),
        _by("Una", {1: [1], 7: [1, 6]}),
        _by(None, {9: [1]}),
    ]
    alone = [game(ADLER, COLE, "1-0", ENGLISH, annotator="Tom", annotator_key="tom", nags={1: [3]})]
    columns = """annotator, other, about, n_plies, n_games, n_signs, n_other_signs, n_both_signs, n_same_signs,
        observed, expected, kappa, kappa_low, kappa_high"""
    with lake(tmp_path, *([copy] for copy in copies), alone) as con:
        assert rows(con, f"select {columns} from annotator_agreement") == [
            ("Tom", "Una", "move", 10, 1, 3, 3, 2, 1, 0.7, 0.51, 0.3878, -0.1919, 0.9674),
            ("Tom", "Una", "position", 2, 1, 2, 2, 2, 1, 0.5, 0.25, 0.3333, -0.5906, 1.0),
        ]


def test_annotators_who_say_the_same_and_nothing_else_have_no_kappa(tmp_path: Path) -> None:
    """`=` of both is the only class of positions; moves are not signed at all."""
    with lake(tmp_path, [_by("Tom", {2: [10]})], [_by("Una", {2: [10]})], [_by("Vera", {3: [40]})]) as con:
        sql = "select annotator, other, about, n_plies, observed, expected, kappa from annotator_agreement"
        assert rows(con, sql) == [
            ("Tom", "Una", "move", 10, 1.0, 1.0, None),
            ("Tom", "Vera", "move", 10, 1.0, 1.0, None),
            ("Una", "Vera", "move", 10, 1.0, 1.0, None),
            ("Tom", "Una", "position", 1, 1.0, 1.0, None),
        ]


def test_what_the_engine_said_where_signs_stand(tmp_path: Path) -> None:
    """White's view: 20, 400, mated in 2, the same, 30, 380. Black drops 380 at 2, White 1,400 at 3 (a mate is 1,000), nobody
    at 4, White wins 1,030 back at 5, Black drops 350 at 6, which nobody marked. The evaluations stand in the spare copy.
    """
    evals = {1: 20, 2: 400, 3: "#-2", 4: "#-2", 5: 30, 6: 380}
    whole = [_by("Tom", {2: [2], 3: [4, 10]}, comments={1: "a", 2: "b"})]
    with lake(tmp_path, whole, [_by("Tom", {}, evals=evals)], [game(ADLER, COLE, "1-0", ENGLISH, evals={1: 0, 2: 900})]) as con:
        sql = """select symbol, n, n_games, lower_drop_cp, median_drop_cp, upper_drop_cp, n_big, big_pct, of_big_pct, n_big_all
                 from eval_at_signs"""
        assert rows(con, sql) == [
            ("?", 1, 1, 380, 380, 380, 1, 100, 33.33, 3),
            ("??", 1, 1, 1400, 1400, 1400, 1, 100, 33.33, 3),
            (None, 3, 1, -515, 0, 175, 1, 33.33, 33.33, 3),
        ]


@pytest.mark.parametrize(
    ("value", "color", "drop"),
    [
        *((1500, "w", -1000), ("#5", "w", -1000), ("#0", "w", -1000), (-1500, "w", 1000), ("#-1", "w", 1000)),
        *(("#0", "b", -1000), (-1500, "b", -1000), ("#3", "b", 1000), (7, "b", 7)),
    ],
)
def test_evaluations_are_cut_and_mates_count_as_much(tmp_path: Path, value: int | str, color: str, drop: int) -> None:
    """From an even position; `#0` is mate on the board, given by the mover."""
    ply = 3 if color == "w" else 2
    with lake(tmp_path, [_by("Tom", {1: [1]}, evals={ply - 1: 0, ply: value})]) as con:
        assert rows(con, "select ply, mover_color, drop_cp from evaluated_moves") == [(ply, color, drop)]


def test_a_lake_without_symbols_has_empty_reports(empty: duckdb.DuckDBPyConnection) -> None:
    for name in ("annotation_by_phase", "symbol_outcomes", "annotator_agreement", "eval_at_signs", "annotators"):
        assert rows(empty, f"from {name}") == []
