"""Notations beside algebraic: what a written move can mean where it stands."""
# ruff: noqa: E501  (input and expectation stand on one line)

from __future__ import annotations

import random
import re
from time import process_time

import chess
import pytest

from pipeline.notations import FAMILIES
from pipeline.resolver import State, advance
from tests.support_text import cases

CASES = cases("families")
MOVES = {name: re.compile(family.move, re.VERBOSE) for name, family in FAMILIES.items()}
OPENINGS = {name: re.compile(family.opening, re.VERBOSE) for name, family in FAMILIES.items()}


def state_after(start: str) -> State:
    """The state of a FEN, or after moves in SAN from the initial position."""
    if "/" in start:
        return State(chess.Board(start), None)
    state = State(chess.Board(), None)
    for san in start.split():
        [state] = [
            s
            for s in advance([state], FAMILIES["smith"].parse(plain(state.board.parse_san(san)), "zxx"), is_shared=True)
            if s.last.san == san
        ]
    return state


def plain(move: chess.Move) -> str:
    """From, to and the man promoted to."""
    return move.uci()[:4] + move.uci()[4:].upper()


def meanings(family: str, dialect: str, state: State, written: str) -> set[str]:
    patterns = FAMILIES[family].parse(written, dialect)
    return {s.last.san for s in advance([state], patterns, is_shared=True)} if patterns else set()


@pytest.mark.parametrize("case", CASES, ids=lambda c: f"{c['family']} {c['dialect']} {c['written']} {c['san']}")
def test_a_written_move_means_what_it_meant(case):
    expected = set(filter(None, case["san"].split(";")))
    assert meanings(case["family"], case["dialect"], state_after(case["start"]), case["written"]) == expected, case["source"]
    if expected:
        assert MOVES[case["family"]].fullmatch(case["written"])


def read(family: str, dialect: str, text: str) -> list[str]:
    """The moves of a score of moves and numbers, which must be one line of play."""
    states = [State(chess.Board(), None)]
    for match in re.finditer(rf"({FAMILIES[family].move})|\d+\.|(\S)", text, re.VERBOSE):
        assert not match[2], match
        if match[1]:
            states = advance(states, FAMILIES[family].parse(match[1], dialect), is_shared=True)
    [line] = states
    return [step.san for step in line.steps()]


@pytest.mark.parametrize(
    ("family", "dialect", "text", "san"),
    [
        ("descriptive", "en", "1. P-K4 P-K4 2. B-QB4 N-QB3 3. Q-KR5 N-KB3 4. Q-KB7#", "e4 e5 Bc4 Nc6 Qh5 Nf6 Qxf7#"),
        ("descriptive", "en", "1. P - K 4   P - K 4\n 2. B - B 4   B - B 4\n 3. Kt - K B 3   Kt - Q B 3\n 4. Castles   Kt - B\n 3", "e4 e5 Bc4 Bc5 Nf3 Nc6 O-O Nf6"),
        ("descriptive", "en", "1. P-Q4 P-Q4 2. P-QB4 PxP 3. P-K3 P-QKt4 4. P-QR4 P-QB3 5. PxP PxP 6. Q-B3", "d4 d5 c4 dxc4 e3 b5 a4 c6 axb5 cxb5 Qf3"),
        ("descriptive", "en", "1. P-K4 P-Q4 2. PxP QxP 3. Kt-QB3 Q-QR4 4. P-Q4 Kt-KB3 5. B-Q2 P-B3 6. B-QB4 B-B4", "e4 d5 exd5 Qxd5 Nc3 Qa5 d4 Nf6 Bd2 c6 Bc4 Bf5"),
        ("romance", "es", "1. P4R P4R 2. A4A C3AD 3. D5T C3A 4. DxPA mate", "e4 e5 Bc4 Nc6 Qh5 Nf6 Qxf7#"),
        ("romance", "fr", "1. P.4D P.4D 2. P.4FD P.3FD 3. C.3FD C.3FR 4. P.3R F.4FR 5. P pr PD C pr PD", "d4 d5 c4 c6 Nc3 Nf6 e3 Bf5 cxd5 Nxd5"),
        ("romance", "es", "1. P3CD P4R 2. A2C C3AD 3. P4AD C3A 4. P3R A2R 5. P3TD", "b3 e5 Bb2 Nc6 c4 Nf6 e3 Be7 a3"),
        ("numeric", "zxx", "1. 5254 5755 2. 6134 2836 3. 4185 7866 4. 8567", "e4 e5 Bc4 Nc6 Qh5 Nf6 Qxf7#"),
        ("numeric", "zxx", "1. 52 54 57 55 2. 61 34 28 36", "e4 e5 Bc4 Nc6"),
        ("numeric", "zxx", "11. 52-54 57-55", "e4 e5"),
        ("numeric", "zxx", "1.5254 5755 2.6134 2836", "e4 e5 Bc4 Nc6"),
        ("smith", "zxx", "1. e2e4 e7e5 2. f1c4 b8c6 3. d1h5 g8f6 4. h5f7p", "e4 e5 Bc4 Nc6 Qh5 Nf6 Qxf7#"),
        ("uedemann", "zxx", "1. DOGO LOHO 2. BIIG EPIK 3. OBHA PEKI 4. HALI", "e4 e5 Bc4 Nc6 Qh5 Nf6 Qxf7#"),
        ("gringmuth", "zxx", "1. gego seso 2. hado napi 3. fazo wati 4. zote", "e4 e5 Bc4 Nc6 Qh5 Nf6 Qxf7#"),
        ("gringmuth", "zxx", "gegoseso hadonapi", "e4 e5 Bc4 Nc6"),
        ("verbal", "ru", "1. пешка e2—e4 пешка e7—e5 2. конь на f3 конь на c6 3. слон на b5 пешка на a6 4. слон бьёт коня", "e4 e5 Nf3 Nc6 Bb5 a6 Bxc6"),
        ("verbal", "en", "1. pawn to king four pawn to king four 2. knight to king's bishop three knight to c6", "e4 e5 Nf3 Nc6"),
    ],
)  # fmt: skip
def test_a_score_reads_move_by_move(family, dialect, text, san):
    assert " ".join(read(family, dialect, text)) == san


POSITIONS = [
    chess.STARTING_FEN,
    "r3k2r/pPp2ppp/2n2n2/3pP3/2B1P3/8/P1PP1PpP/R3K2R w KQkq d6 0 1",
    "r3k2r/pPp2ppp/2n2n2/8/2BpPp2/8/P1PP1PpP/R3K2R b KQkq e3 0 1",
]


def numeric(board: chess.Board, move: chess.Move) -> str:
    squares = "".join(f"{chess.square_file(s) + 1}{chess.square_rank(s) + 1}" for s in (move.from_square, move.to_square))
    return squares + {None: "", 5: "1", 4: "2", 3: "3", 2: "4"}[move.promotion]


def smith(board: chess.Board, move: chess.Move) -> str:
    victim = board.piece_at(move.to_square)
    taken = "E" if board.is_en_passant(move) else victim.symbol().lower() if victim else ""
    castles = "" if not board.is_castling(move) else "c" if board.is_kingside_castling(move) else "C"
    return move.uci()[:4] + taken + castles + move.uci()[4:].upper()


def gringmuth(board: chess.Board, move: chess.Move) -> str:
    code = ""
    for where in (move.from_square, move.to_square):
        file, rank = chess.square_file(where), chess.square_rank(where)
        code += ("bcdfghkl", "mnprstwz")[rank > 3][file] + "aeiooiea"[rank]
    return code + {None: "", 5: "q", 4: "r", 3: "b", 2: "k"}[move.promotion]


@pytest.mark.parametrize(("family", "write"), [("numeric", numeric), ("smith", smith), ("gringmuth", gringmuth)])
@pytest.mark.parametrize("fen", POSITIONS)
def test_every_legal_move_reads_back(family, write, fen):
    board = chess.Board(fen)
    for move in board.legal_moves:
        written = write(board, move)
        assert MOVES[family].fullmatch(written), written
        assert meanings(family, "zxx", State(board, None), written) == {board.san(move)}, written


@pytest.mark.parametrize(
    ("family", "text"),
    [
        ("descriptive", "P-K4 P-K4"),
        ("descriptive", "Kt - K B 3, P - Q 4"),
        ("descriptive", "P to Q4"),
        ("descriptive", "P. to K's 4th"),
        ("descriptive", "KKt-B3"),
        ("romance", "P4R P4R"),
        ("romance", "C3AR C3AD"),
        ("numeric", "5254 5755"),
        ("numeric", "52-54, 57-55"),
        ("smith", "e2e4 e7e5"),
        ("uedemann", "DOGO LOHO"),
        ("gringmuth", "gego seso"),
        ("verbal", "пешка e2—e4"),
        ("verbal", "pawn to king four"),
        ("verbal", "knight to f3"),
    ],
)
def test_a_score_in_prose_is_seen_by_its_first_move(family, text):
    assert OPENINGS[family].match(text)


@pytest.mark.parametrize(
    "prose",
    [
        "Part one: P. Keres was born in 1916.",
        "K. Richter and Kt. Smith met in B-17.",
        "P-51 and F-16 are planes, P4 is a processor.",
        "5254 people came in 1858, 52-54 of them from Riga.",
        "12-14 pages, see 11-13.",
        "GOLD and DOGE rose, more to come.",
        "Пешка бьёт не так, как ходит; коня b1 сняли с доски.",
        "Der Bauer geht nach Hause, der Springer ins Wasser.",
        "The knight rode to the king, the pawn shop is closed.",
        "Le fou du roi, la dame et le petit roque.",
        "El rey y la dama, 4R por 3D.",
    ],
)
@pytest.mark.parametrize("family", FAMILIES)
def test_prose_is_no_score(family, prose):
    assert not OPENINGS[family].match(prose)


@pytest.mark.parametrize(
    ("family", "text", "first"),
    [
        ("descriptive", "BxKt P-K4", "BxKt"),
        ("descriptive", "PxP B x P", "PxP"),
        ("descriptive", "PxQ B-K2", "PxQ"),
        ("descriptive", "P-Kt 12. K-R1", "P-Kt"),
        ("descriptive", "P-Kt\n3. K-R1", "P-Kt"),
        ("descriptive", "R-K R-Q2", "R-K"),
        ("descriptive", "Castles K-R1", "Castles"),
        ("descriptive", "B-K3 +-", "B-K3"),
        ("descriptive", "P-K4 e5", "P-K4"),
        ("descriptive", "P-K4_ _P-K4_", "P-K4"),
        ("verbal", "конь на f3 конь на c6", "конь на f3"),
        ("verbal", "bishop takes e5 knight takes e5", "bishop takes e5"),
        ("descriptive", "P-K4          Kt-KB3", "P-K4"),
        ("romance", "P4A R2R", "P4A"),
        ("numeric", "5254 5755", "5254"),
    ],
)
def test_a_move_ends_where_the_next_begins(family, text, first):
    assert MOVES[family].match(text)[0].strip() == first


@pytest.mark.parametrize(
    "text", ["1-0", "0-1", "1/2-1/2", "12.", "1852", "1972", "11 52", "2400", "12 34 Oak Street", "1234-5678"]
)
def test_numbers_that_are_no_moves_are_left_alone(text):
    assert not MOVES["numeric"].match(text)


@pytest.mark.parametrize("family", FAMILIES)
def test_patterns_can_stand_in_larger_ones(family):
    assert MOVES[family].groupindex == OPENINGS[family].groupindex == {}
    assert not MOVES[family].match("")


@pytest.mark.parametrize("family", FAMILIES)
def test_no_text_breaks_a_family(family):
    rng = random.Random(20)
    pieces = "K Q R B N P Kt - x to takes ( ) / = 1 4 8 . , + # ch mate dis dbl e.p. castles sq a e5 слон бьёт на пешка T C A D 52 54 gego DOGO"
    for _ in range(3_000):
        text = "".join(rng.choice([*pieces.split(), " ", "\n"]) for _ in range(rng.randrange(1, 9)))
        for dialect in (*FAMILIES[family].dialects, "xx"):
            for pattern in FAMILIES[family].parse(text, dialect):
                assert MOVES[family].search(text), (text, pattern)


def test_a_family_reads_only_its_dialects():
    assert not any(family.parse("P-K4", "xx") or family.parse("5254", "xx") for family in FAMILIES.values())


def test_what_was_forgiven_is_said():
    parse = FAMILIES["descriptive"].parse
    assert [p.leniency for text in ("P-K4", "KR-KI", "P-Kt") for p in parse(text, "en")] == [
        (),
        ("misread_rank",),
        ("lost_rank",),
    ]


@pytest.mark.parametrize("family", FAMILIES)
@pytest.mark.parametrize(
    "part", ["K ", "P-", "P" + " " * 500, "R(", "слон ", "knight takes ", "queen's king's ", "4444", "gego", "Q ch ch ", "P\n"]
)
def test_monotonous_text_takes_no_time(family, part):
    """50,000 characters; were a family to try them in pairs it would take minutes."""
    text = part * (50_000 // len(part))
    before = process_time()
    for _ in MOVES[family].finditer(text):
        pass
    assert process_time() - before < 5
