"""Bulk reading: what is answered and how, what is refused, and that python-chess reads every answered game the same way."""

from __future__ import annotations

import io
import random
import re
from hashlib import sha256
from types import SimpleNamespace
from typing import Any

import chess
import chess.pgn
import numpy as np
import pyarrow as pa
import pytest

from pipeline import bulk, schema
from pipeline.kernel import modes

ENGLISH = SimpleNamespace(letters={"N": 2, "B": 3, "R": 4, "Q": 5, "K": 6})
GERMAN = SimpleNamespace(letters={"S": 2, "L": 3, "T": 4, "D": 5, "K": 6})
RUSSIAN = SimpleNamespace(letters={"К": 2, "С": 3, "Л": 4, "Ф": 5, "Кр": 6})
FIGURINE = SimpleNamespace(letters=dict(zip("♘♗♖♕♔♞♝♜♛♚", (2, 3, 4, 5, 6) * 2, strict=True)))
HEAD = '[Event "E"]\n[White "A"]\n\n'


ALL: dict[str, bool] = {"plus_may_mate": True, "may_pass": True, "may_set_up": True}


def read(texts: list[str | bytes], alphabet: Any = ENGLISH, mode: modes.Mode = "plain", **options: Any) -> bulk.Bulk:
    """Reads texts that stand one after another in a buffer."""
    raw = [text if isinstance(text, bytes) else text.encode() for text in texts]
    ends = np.cumsum([len(text) for text in raw], dtype=np.int64)
    starts = ends - [len(text) for text in raw]
    return bulk.read(b"".join(raw), np.stack([starts, ends], axis=1), alphabet, mode, **options)


def everything(answer: bulk.Bulk, select: np.ndarray[Any, Any] | None = None) -> dict[str, list[dict[str, Any]]]:
    """All tables of the selected games as Python rows; the id of a game is its ordinal among the answered ones."""
    chosen = np.ones(answer.games.num_rows, np.bool_) if select is None else select
    ids = pa.array([str(k) for k in np.flatnonzero(chosen)], pa.string())
    tables = {
        "plies": answer.plies(chosen, ids),
        "variations": answer.variations(chosen, ids),
        "annotations": answer.annotations(chosen, ids, {18: "w", 19: "b"}),
    }
    for name, table in tables.items():
        table.validate(full=True)
        assert table.schema == schema.TABLES[name].schema
    answer.games.validate(full=True)
    assert answer.plies(chosen, ids, is_encoded=True).cast(schema.PLIES.schema) == tables["plies"]
    return {"games": answer.games.filter(pa.array(chosen)).to_pylist()} | {name: t.to_pylist() for name, t in tables.items()}


def plies(movetext: str, alphabet: Any = ENGLISH) -> list[dict[str, Any]]:
    """Plies of one game, without what is null."""
    answer = read([HEAD + movetext], alphabet)
    assert answer.answered.all(), movetext
    return [{k: v for k, v in row.items() if v is not None} for row in everything(answer)["plies"]]


SANS = [
    ("1. e4 e5 2. Nf3 *", "e4 e5 Nf3"),
    ("1.e4 e5 2.Nf3*", None),
    ("1.e4 e5 2.Nf3 *", "e4 e5 Nf3"),
    ("e4 e5 Nf3 Nc6 1/2-1/2", "e4 e5 Nf3 Nc6"),
    ("1. e4 1... e5 2. Nf3 2. ... Nc6 1-0", "e4 e5 Nf3 Nc6"),
    ("1. e2e4 e7-e5 2. Ng1f3 Nb8-c6 3. Bf1b5 *", "e4 e5 Nf3 Nc6 Bb5"),
    ("1. e4 d5 2. e4xd5 Qd8:d5 3. Nb1c3 Qd5xg2 *", "e4 d5 exd5 Qxd5 Nc3 Qxg2"),
    ("1. e4 d5 2. ed5 Qd5 *", "e4 d5 exd5 Qxd5"),
    ("1. e4 d5 2. e5 f5 3. ef6 *", "e4 d5 e5 f5 exf6"),
    ("1. e4 d5 2. e5 f5 3. e5f6 *", "e4 d5 e5 f5 exf6"),
    ("1. Nf3 d5 2. g3 e5 3. Bg2 Nf6 4. 0-0 *", "Nf3 d5 g3 e5 Bg2 Nf6 O-O"),
    ("1. f3 e5 2. g4 Qh4 0-1", "f3 e5 g4 Qh4#"),
    ("1. f3 e5 2. g4 Qh4# 0-1", "f3 e5 g4 Qh4#"),
    ("1. e4 f5 2. Qh5 *", "e4 f5 Qh5+"),
    ("1. d3 d6 2. Nbd2 *", "d3 d6 Nd2"),
    ("1. a4 b5 2. axb5 a6 3. bxa6 Nc6 4. a7 Nb8 5. axb8=N *", "a4 b5 axb5 a6 bxa6 Nc6 a7 Nb8 axb8=N"),
    ("1. a4 b5 2. ab5 a6 3. ba6 Nc6 4. a7 Nb8 5. ab8Q *", "a4 b5 axb5 a6 bxa6 Nc6 a7 Nb8 axb8=Q"),
    ("1. a4 b5 2. ab5 a6 3. ba6 Nc6 4. a7 Nb8 5. a7:b8(R) *", "a4 b5 axb5 a6 bxa6 Nc6 a7 Nb8 axb8=R"),
    ("1. a4 b5 2. ab5 a6 3. ba6 Nc6 4. a7 Nb8 5. a7xb8/B *", "a4 b5 axb5 a6 bxa6 Nc6 a7 Nb8 axb8=B"),
]


@pytest.mark.parametrize(("movetext", "expected"), SANS)
def test_moves_in_all_algebraic_forms_become_canonical_san(movetext: str, expected: str | None) -> None:
    answer = read([HEAD + movetext])
    assert answer.games["movetext"].to_pylist() == ([] if expected is None else [expected])


def test_a_ply_keeps_what_was_written_only_where_it_differs() -> None:
    rows = plies("1. e4 d5 2. e4xd5! Qd5 *")
    assert [(row["ply"], row["move_number"], row["color"], row["san"], row["uci"], row.get("written")) for row in rows] == [
        (1, 1, "w", "e4", "e2e4", None),
        (2, 1, "b", "d5", "d7d5", None),
        (3, 2, "w", "exd5", "e4d5", "e4xd5"),
        (4, 2, "b", "Qxd5", "d8d5", "Qd5"),
    ]


REFUSED = [
    ("1. e4 e5", "no result"),
    ("1. e4 e5 1-0 *", "text after the result"),
    ("1. e4 e5 1-0 {won}", "a comment after the result"),
    ("1. e4 1-0 e5 1-0", "moves after the result"),
    ("1. e5 *", "an illegal move"),
    ("1. Nd2 *", "an own man in the way"),
    ("1. d3 d6 2. Nd2 a6 3. Ngf3 b6 4. Nd4 c6 5. N2b3 d5 6. Nd2 a5 7. Nf3 *", "two knights go there"),
    ("1. Nxf3 *", "a capture mark where nothing is taken"),
    ("1. e4 d5 2. e4-d5 *", "a dash where something is taken"),
    ("1. e4 d5 2. d5 *", "a pawn's capture without its file"),
    ("1. ee4 *", "a file that says nothing"),
    ("1. 2e4 *", "a pawn's rank alone"),
    ("1. e4 d5 2. ed *", "a target without rank"),
    ("1. e4+ *", "a check mark without check"),
    ("1. e4# *", "a mate mark without mate"),
    ("1. e4 f5 2. Qh5# *", "a mate mark at a check"),
    ("1. e4 f5 2. Qh5++ *", "a double mark"),
    ("1. f3 e5 2. g4 Qh4+ 0-1", "a check mark at a mate"),
    ("1. a4 b5 2. axb5 a6 3. bxa6 Nc6 4. a7 Nb8 5. axb8 *", "a promotion without a man"),
    ("1. a4 b5 2. axb5 a6 3. bxa6 Nc6 4. a7 Nb8 5. axb8=K *", "a promotion to a king"),
    ("1. a4 b5 2. axb5 a6 3. bxa6 Nc6 4. a7 Nb8 5. axb8(Q *", "an open bracket"),
    ("1. e4=Q *", "a promotion on the fourth rank"),
    ("1. Nf3=Q *", "a knight's promotion"),
    ("1. e4 e5 2. O-O *", "castling with men between"),
    ("1. Nf3 d5 2. g3 e5 3. Bg2 Nf6 4. Kg1 *", "castling as a king's move"),
    ("1. Nf3 d5 2. g3 e5 3. Bg2 Nf6 4. O-0 *", "a mixed castling"),
    ("2. e4 e5 *", "a wrong number"),
    ("1. e4 2. e5 *", "a wrong number for Black"),
    ("1. e4 1. e5 *", "White's dots for Black"),
    ("1... e4 *", "Black's dots for White"),
    ("1.. e4 *", "two dots"),
    ("1 e4 e5 *", "no dot"),
    ("1. 1. e4 *", "a number twice"),
    ("01. e4 *", "a leading zero"),
    ("1. e4 e5 2. *", "a number without a move"),
    ("1. e4 -- *", "a null move"),
    ("1. e4 e5 ; text\n*", "a line comment"),
    ("1. e4 e5\n% text\n*", "an escaped line"),
    ("1. e4 e5 <x> *", "a reserved sign"),
    ("1. e4 e5 N *", "a letter alone"),
    ("1. e4 e.p. e5 *", "an unknown token"),
    ("1. e4 e5 [%clk 0:00:01] *", "a command outside of a comment"),
    ("$1 1. e4 *", "a glyph before the first move"),
    ("1. $1 e4 *", "a glyph between number and move"),
    ("1. e4 $0 *", "glyph 0"),
    ("1. e4 $256 *", "glyph 256"),
    ("1. e4 $01 *", "a glyph with a leading zero"),
    ("1. e4 $ *", "a glyph without number"),
    ("1. e4!!! *", "three signs"),
    ("1. e4 {a {b} c} *", "nested braces"),
    ("1. e4 {a *", "an open comment"),
    ("{a} *", "a comment without a move"),
    ("1. e4 {a\rb} *", "a lone carriage return in a comment"),
    ("1. e4\re5 *", "a lone carriage return"),
    ("1. e4 {\x07} *", "a control character"),
    ("1. e4 {\x85} *", "a C1 control character"),
    ("1. e4 {\n% x} *", "an escaped line in a comment"),
    ("1. e4 (1. d4 *", "an open variation"),
    ("1. e4 1. d4) *", "a closing bracket alone"),
    ("(1. d4) 1. e4 *", "a variation before the first move"),
    ("1. e4 () *", "a variation without moves"),
    ("1. e4 ({a}) *", "a variation without moves, with a comment"),
    ("1. e4 (1. d4 *) *", "a result in a variation"),
    ("1. e4 (1. e5) *", "an illegal variation"),
    ("1. e4 (1. d4) $1 *", "a glyph after a variation"),
    ("1. e4 (1. d4) {[%clk 0:00:01]} *", "a command after a variation"),
    ("1. e4 {[%clk 0:00:01]} {[%clk 0:00:01]} *", "two clocks"),
    ("1. e4 {[%eval 0.1] [%eval #1]} *", "two evaluations"),
    ("{[%clk 0:00:01]} 1. e4 *", "a clock before the first move"),
    *((f"1. e4 {{{command}}} *", f"{command} has another form") for command in (
        "[%clk 0:00]", "[%clk 0:60:00]", "[%clk 0:00:60]", "[%clk 0:0:00]", "[%clk  0:00:00]", "[%clk 0:00:00 ]",
        "[%clk 0:00:00.]", "[%clk -0:00:01]", "[%clk]", "[%CLK 0:00:01]", "[%cLk 0:00:01]", "[%Emt 0:00:01]",
        "[%emt 12]", "[%clk 0:00:01", "[%eval]",
        "[%eval x]", "[%eval .5]", "[%eval 1.]", "[%eval 1.2,]", "[%eval #]", "[%eval #0]", "[%eval # 1]", "[%eval +-1]",
        "[%eval #1.5]", "[%Eval 1]", "[%eval 123456]", "[% clk 0:00:01]",
    )),
]  # fmt: skip


@pytest.mark.parametrize(("movetext", "why"), REFUSED, ids=[why for _, why in REFUSED])
def test_what_is_not_canonical_is_refused(movetext: str, why: str) -> None:
    sound = HEAD + "1. e4 *\n\n"
    answer = read([sound, HEAD + movetext, sound])
    assert answer.answered.tolist() == [True, False, True]
    assert [row["san"] for row in everything(answer)["plies"]] == ["e4", "e4"]


HEADS = [
    ('[Event "E"]\n1. e4 *', True),
    ('\n \n[Event "E"]\r\n\r\n1. e4 *', True),
    ('[Event ""] \t\n\n1. e4 *', True),
    ('[Event "Ё — ♘ 😀"]\n\n1. e4 *', True),
    ("1. e4 *", False),
    ('[Event "E"]\n\n[White "A"]\n\n1. e4 *', False),
    ('[Event "E"]\n[EVENT "F"]\n\n1. e4 *', False),
    ('[Event "a\\"b"]\n\n1. e4 *', False),
    ('[Event "a"b"]\n\n1. e4 *', False),
    ('[Event "E"] x\n\n1. e4 *', False),
    ('[Event  "E"]\n\n1. e4 *', False),
    ('[Event"E"]\n\n1. e4 *', False),
    ('[ "E"]\n\n1. e4 *', False),
    ('[Event-A "E"]\n\n1. e4 *', False),
    ('[Event "E"]\n[A1_ "x"]\n\n1. e4 *', True),
    ('[Event "E"]\n[1A "x"]\n\n1. e4 *', False),
    ('[Event "E"]\n[_A "x"]\n\n1. e4 *', False),
    ('[Event "E\n"]\n\n1. e4 *', False),
    ('[Event "a\tb"]\n\n1. e4 *', False),
    ('[Event "a\x80b"]\n\n1. e4 *', False),
    ('[Event "E"]\n [White "A"]\n\n1. e4 *', False),
    ('[Event "E"]\r[White "A"]\n\n1. e4 *', False),
    ('[Event "E"][White "A"]\n\n1. e4 *', False),
    ('[Event "E"]\n[FEN "8/8/8/8/8/8/8/8 w - - 0 1"]\n\n1. e4 *', False),
    ('[Event "E"]\n[setup "1"]\n\n1. e4 *', False),
    ('[Event "E"]\n[VARIANT "standard"]\n\n1. e4 *', False),
    ("".join(f'[T{k} "v"]\n' for k in range(64)) + "1. e4 *", True),
    ("".join(f'[T{k} "v"]\n' for k in range(65)) + "1. e4 *", False),
]


@pytest.mark.parametrize(("text", "is_answered"), HEADS)
def test_tag_sections_are_answered_when_they_are_canonical(text: str, is_answered: bool) -> None:
    assert read([text]).answered.tolist() == [is_answered]


@pytest.mark.parametrize("written", ["ff", "c0 80", "c3", "e0 9f bf", "ed a0 80", "f4 90 80 80", "f0 8f bf bf", "e2 82", "80"])
def test_malformed_utf8_is_refused(written: str) -> None:
    raw = bytes.fromhex(written)
    tag, comment = b'[Event "' + raw + b'"]\n\n1. e4 *', HEAD.encode() + b"1. e4 {" + raw + b"} *"
    assert read([tag, comment]).answered.tolist() == [False, False]


@pytest.mark.parametrize("text", ["é", "ж", "♘", "\uffff", "😀", "\U0010ffff", "\ud7ff", "\ue000", "\u00a0"])
def test_characters_of_every_length_are_kept(text: str) -> None:
    answer = read([f'[Event "{text}"]\n\n1. e4 {{{text}}} *'])
    assert answer.games["tag_values"].to_pylist() == [[text]]
    assert everything(answer)["plies"][0]["comment"] == text


def test_a_game_carries_its_place_tags_and_results() -> None:
    first = '\n[Event "E"]\n[Site ""]\n\n1. f3 e5 2. g4 Qh4# 0-1'
    second = '\n\n[Event "F"]\n\n1/2-1/2\n'
    answer = read([first, "junk", second])
    expected = {"chunk": 0, "start": 1, "end": 47, "tag_names": ["Event", "Site"], "tag_values": ["E", ""], "n_plies": 4,
                "n_variations": 0, "n_written": 0, "letters": 8, "is_strict": True, "is_mate_as_check": False,
                "result_movetext": "0-1", "result_board": "0-1", "movetext": "f3 e5 g4 Qh4#",
                "start_fen": None, "first_move_number": 1, "is_white_first": True,
                "eco": "A00", "opening": "Barnes Opening: Fool's Mate"}  # fmt: skip
    assert first[1:] == (first + "junk" + second)[1:47]
    assert answer.games.to_pylist() == [
        expected,
        {**expected, "chunk": 2, "start": 53, "end": 73, "tag_names": ["Event"], "tag_values": ["F"], "n_plies": 0, "letters": 0,
         "result_movetext": "1/2-1/2", "result_board": None, "movetext": None, "eco": None, "opening": None},
    ]  # fmt: skip


@pytest.mark.parametrize(
    ("movetext", "letters", "is_strict"),
    [
        ("1. e4 d5 2. exd5 *", 0, True),
        ("1. e4 d5 2. ed5 *", 0, False),
        ("1. e4! f5 2. Qh5+?! $1 *", 8, True),
        ("1. e4 f5 2. Qh5 *", 8, False),
        ("1. Nf3 Nf6 2. g3 g6 3. Bg2 *", 3, True),
        ("1. Nf3 Nf6 2. g3 g6 3. Bg2 Bg7 4. 0-0 *", 3, False),
        ("1. e4 e5 2. Ke2 Ke7 3. Nf3 (3. Qe1) *", 16 + 8 + 1, True),
        ("1. e4 e5 (1... e7e5) *", 0, True),
        ("1. a4 b5 2. axb5 a6 3. bxa6 Rxa6 *", 4, True),
    ],
)
def test_letters_and_strictness_of_a_game_are_told(movetext: str, letters: int, is_strict: bool) -> None:
    game = read([HEAD + movetext]).games.to_pylist()[0]
    assert (game["letters"], game["is_strict"]) == (letters, is_strict)


def test_a_mate_that_is_marked_as_check_is_answered_only_on_request() -> None:
    text = HEAD + "1. f3 e5 2. g4 Qh4+ 0-1"
    assert not read([text]).answered[0]
    answer = read([text, HEAD + "1. e4 *"], plus_may_mate=True)
    assert answer.games["is_mate_as_check"].to_pylist() == [True, False]
    assert everything(answer)["plies"][3]["written"] == "Qh4+"


COMMENTS = [
    ("1. e4 { a } *", [("e4", None, "a")]),
    ("1. e4 {a}{b} {} { } {c} *", [("e4", None, "a\nb\nc")]),
    ("{x} 1. {y} e4 *", [("e4", "x\ny", None)]),
    ("1. e4 {a\r\n b\t} *", [("e4", None, "a\n b")]),
    ("1. e4 {[%csl Ra1] [%x] [y] %z} *", [("e4", None, "[%csl Ra1] [%x] [y] %z")]),
    ("1. e4 {a [%clk 0:00:01] b} *", [("e4", None, "a  b")]),
    ("1. e4 {[%clk 0:00:01]} *", [("e4", None, None)]),
    ("1. e4 {(;$5 1-0 e5} e5 *", [("e4", None, "(;$5 1-0 e5"), ("e5", None, None)]),
    ("1. e4 {a} ({p} 1. d4 {q}) {b} e5 {c} *", [("e4", None, "a\nb"), ("e5", None, "c"), ("d4", "p", "q")]),
    ("1. e4 (1. d4) (1. c4 {q} c5) {b} {c} *", [("e4", None, "b\nc"), ("d4", None, None), ("c4", None, "q"), ("c5", None, None)]),
]


@pytest.mark.parametrize(("movetext", "expected"), COMMENTS)
def test_comments_join_the_ply_before_them(movetext: str, expected: list[tuple[str, str | None, str | None]]) -> None:
    assert [(row["san"], row.get("comment_before"), row.get("comment")) for row in plies(movetext)] == expected


COMMANDS = [
    ("[%clk 0:05:00]", {"clock_seconds": 300.0}),
    ("[%clk 12:34:56.789]", {"clock_seconds": 45296.789}),
    ("[%clk 0:00:00.1]", {"clock_seconds": 0.1}),
    ("[%emt 0:00:07.05]", {"elapsed_seconds": 7.05}),
    ("[%eval 0.17]", {"eval_cp": 17}),
    ("[%eval -1.5]", {"eval_cp": -150}),
    ("[%eval +3]", {"eval_cp": 300}),
    ("[%eval 0.005]", {"eval_cp": 1}),
    ("[%eval -0.005]", {"eval_cp": -1}),
    ("[%eval 0.00499]", {"eval_cp": 0}),
    ("[%eval -0.0]", {"eval_cp": 0}),
    ("[%eval 1.23,20]", {"eval_cp": 123}),
    ("[%eval #3]", {"eval_mate": 3}),
    ("[%eval #-12,7]", {"eval_mate": -12}),
    ("[%eval #+1]", {"eval_mate": 1}),
    (
        "[%eval 0.2] [%clk 1:00:00][%emt 0:00:01] ok",
        {"eval_cp": 20, "clock_seconds": 3600.0, "elapsed_seconds": 1.0, "comment": "ok"},
    ),
]


@pytest.mark.parametrize(("comment", "expected"), COMMANDS)
def test_commands_become_numbers(comment: str, expected: dict[str, object]) -> None:
    row = plies(f"1. e4 {{ {comment} }} e5 *")[0]
    assert {k: v for k, v in row.items() if k.startswith(("clock", "elapsed", "eval", "comment"))} == expected


def test_glyphs_of_a_ply_are_a_set_in_order_with_the_first_way_they_were_written() -> None:
    tables = everything(read([HEAD + "1. e4!? $18 $5 $5 ! e5 $19$4 {x} ?? 2. Nf3?! *"]))
    assert [row["nags"] for row in tables["plies"]] == [[1, 5, 18], [4, 19], [6]]
    assert [(row["ply"], row["mover_color"], row["nag"], row["glyph"], row["side"]) for row in tables["annotations"]] == [
        (1, "w", 1, "!", None),
        (1, "w", 5, "!?", None),
        (1, "w", 18, "$18", "w"),
        (2, "b", 4, "$4", None),
        (2, "b", 19, "$19", "b"),
        (3, "w", 6, "?!", None),
    ]


def line_id(moves: str) -> str:
    return sha256(f"\n{moves}".encode()).hexdigest()[:32]


def test_variations_are_numbered_by_their_opening_bracket_and_lines_are_told_apart() -> None:
    tables = everything(
        read([HEAD + "*", HEAD + "1. e4 e5! (1... c5 $5 2. Nf3 (2. c3!) (2. b4? cxb4) d6) 2. f4 exf4 (2... d5$6) *"])
    )
    assert [(row["variation"], row["ply"], row["move_number"], row["color"], row["san"]) for row in tables["plies"]] == [
        *((0, 1, 1, "w", "e4"), (0, 2, 1, "b", "e5"), (0, 3, 2, "w", "f4"), (0, 4, 2, "b", "exf4")),
        *((1, 2, 1, "b", "c5"), (1, 3, 2, "w", "Nf3"), (1, 4, 2, "b", "d6")),
        *((2, 3, 2, "w", "c3"), (3, 3, 2, "w", "b4"), (3, 4, 2, "b", "cxb4"), (4, 4, 2, "b", "d5")),
    ]
    columns = ("game_id", "variation", "parent_variation", "branch_ply", "depth")
    assert [tuple(row[c] for c in columns) for row in tables["variations"]] == [
        ("1", 1, 0, 2, 1), ("1", 2, 1, 3, 2), ("1", 3, 1, 3, 2), ("1", 4, 0, 4, 1),
    ]  # fmt: skip
    assert [(row["variation"], row["ply"], row["glyph"], row["line_id"]) for row in tables["annotations"]] == [
        (0, 2, "!", line_id("e4 e5")),
        (1, 2, "$5", line_id("e4 c5")),
        (2, 3, "!", line_id("e4 c5 c3")),
        (3, 3, "?", line_id("e4 c5 b4")),
        (4, 4, "$6", line_id("e4 e5 f4 d5")),
    ]
    assert tables["games"][1]["movetext"] == "e4 e5 f4 exf4"
    assert [game["n_plies"] for game in tables["games"]] == [0, 4]


@pytest.mark.parametrize(
    ("movetext", "is_answered"),
    [
        ("1. e4 (1. -- e5 2. Z0) e5 *", True),
        ("1. -- e5 *", False),
        ("1. e4 f5 2. Qh5+ g6 (2... --) *", False),
        ("1. e4 (1. -) e5 *", False),
        ("1. e4 (1. Z1) e5 *", False),
    ],
)
def test_null_moves_are_read_on_request_in_variations_and_out_of_check(movetext: str, is_answered: bool) -> None:
    assert read([HEAD + movetext], may_pass=True).answered.tolist() == [is_answered]
    assert not read([HEAD + movetext]).answered[0]


def test_null_moves_are_told_with_their_place() -> None:
    text = HEAD + "1. e4 e5 (1... Z0 2. d4 -- 3. d5! e5 4. dxe6) (1... -- 2. Nc3?) 2. Nf3 *"
    answer = read([HEAD + "*", text], may_pass=True)
    tables = everything(answer)
    assert [(row["variation"], row["ply"], row["color"], row["san"], row["uci"], row["written"]) for row in tables["plies"]][
        3:
    ] == [
        (1, 2, "b", "--", "0000", "Z0"),
        (1, 3, "w", "d4", "d2d4", None),
        (1, 4, "b", "--", "0000", None),
        (1, 5, "w", "d5", "d4d5", None),
        (1, 6, "b", "e5", "e7e5", None),
        (1, 7, "w", "dxe6", "d5e6", None),
        (2, 2, "b", "--", "0000", None),
        (2, 3, "w", "Nc3", "b1c3", None),
    ]
    at = [len(HEAD) + 1 + place for place in (len(HEAD) + 15, len(HEAD) + 24, len(HEAD) + 52)]
    buffer = HEAD + "*" + text
    assert [buffer[k : k + 2] for k in at] == ["Z0", "--", "--"]
    assert answer.null_moves(np.array([False, True])).to_pylist() == [
        {"game": 0, "variation": variation, "ply": ply, "start": start, "end": start + 2}
        for (variation, ply), start in zip(((1, 2), (1, 4), (2, 2)), at, strict=True)
    ]
    assert [row["line_id"] for row in tables["annotations"]] == [line_id("e4 -- d4 -- d5"), line_id("e4 -- Nc3")]


ENDGAME = "4k3/P7/8/8/8/8/8/4K2R b K - 3 41"


def with_start(fen: str, tags: str = '[SetUp "1"]\n') -> str:
    return f'[Event "E"]\n{tags}[FEN "{fen}"]\n\n'


def test_a_game_from_a_position_of_its_own_is_read_on_request() -> None:
    texts = [HEAD + "1. e4! *", with_start(ENDGAME) + "41... Kd7 42. O-O Kc7 43. a8=Q! (43. -- Kb7 44. a8=N$6) *"]
    assert read(texts).answered.tolist() == [True, False]
    answer = read(texts, may_set_up=True, may_pass=True)
    tables = everything(answer)
    columns = ("start_fen", "first_move_number", "is_white_first", "movetext")
    assert [tuple(row[c] for c in columns) for row in tables["games"]] == [
        (None, 1, True, "e4"), (ENDGAME, 41, False, "Kd7 O-O Kc7 a8=Q"),
    ]  # fmt: skip
    assert [(row["variation"], row["ply"], row["move_number"], row["color"], row["san"]) for row in tables["plies"]] == [
        (0, 1, 1, "w", "e4"),
        *((0, 1, 41, "b", "Kd7"), (0, 2, 42, "w", "O-O"), (0, 3, 42, "b", "Kc7"), (0, 4, 43, "w", "a8=Q")),
        *((1, 4, 43, "w", "--"), (1, 5, 43, "b", "Kb7"), (1, 6, 44, "w", "a8=N")),
    ]
    assert [(row["mover_color"], row["line_id"]) for row in tables["annotations"]] == [
        ("w", line_id("e4")),
        ("w", sha256(f"{ENDGAME}\nKd7 O-O Kc7 a8=Q".encode()).hexdigest()[:32]),
        ("w", sha256(f"{ENDGAME}\nKd7 O-O Kc7 -- Kb7 a8=N".encode()).hexdigest()[:32]),
    ]
    alone = everything(answer, np.array([False, True]))
    assert alone["plies"] == [row for row in tables["plies"] if row["game_id"] == "1"]


SETUPS = [
    (with_start(chess.STARTING_FEN) + "1. e4 e5 *", True, "the initial position"),
    (with_start(ENDGAME, "") + "41... Kd7 *", True, "no SetUp tag"),
    (with_start(ENDGAME) + "1... Kd7 *", False, "numbers that start anew"),
    (with_start(ENDGAME) + "41. Kd7 *", False, "White's number for Black's move"),
    (with_start(ENDGAME) + "*", False, "no moves"),
    (with_start(ENDGAME, '[SetUp "0"]\n') + "41... Kd7 *", False, "SetUp 0"),
    (with_start(ENDGAME, '[Variant "Standard"]\n') + "41... Kd7 *", False, "a variant"),
    (with_start("4k3/8/8/8/8/8/8/8 w - - 0 1") + "1. e4 *", False, "no king"),
    (with_start("nonsense") + "1. e4 *", False, "no position"),
    (with_start("4k3/8/8/8/8/8/8/R1K5 w A - 0 1") + "1. O-O-O *", False, "Chess960 rights"),
    (with_start("4k3/8/8/8/8/8/8/4K3 w KQ - 0 1") + "1. Kd1 *", True, "rights without rooks, which are dropped"),
    (with_start("4k3/8/8/8/8/8/8/4K3 w - - 0 1").replace("FEN", "Fen") + "1. Kd1 *", False, "a tag in odd case"),
    (f'[Event "E"]\n\n1. e4 {{\n[FEN "{chess.STARTING_FEN}"]\n}} *', False, "a tag in a comment"),
    (f'[Event "E"]\n [FEN "{ENDGAME}"]\n\n1. e4 {{\n[FEN "{chess.STARTING_FEN}"]\n}} *', False, "two of them"),
]


@pytest.mark.parametrize(("text", "is_answered", "why"), SETUPS, ids=[why for _, _, why in SETUPS])
def test_only_sound_start_positions_are_taken(text: str, is_answered: bool, why: str) -> None:
    assert read([HEAD + "1. e4 *\n\n", text], may_set_up=True).answered.tolist() == [True, is_answered]


def test_variations_may_be_64_deep_and_no_deeper() -> None:
    for depth, is_answered in ((64, True), (65, False)):
        assert read([HEAD + "1. e4 " + "(1. d4 " * depth + ")" * depth + " *"]).answered.tolist() == [is_answered]


def test_a_game_longer_than_ply_numbers_reach_is_refused() -> None:
    shuffle = "Nf3 Nf6 Ng1 Ng8 "
    for n, is_answered in ((8_191, True), (8_192, False)):
        assert read([HEAD + shuffle * n + "*"]).answered.tolist() == [is_answered]


def test_chunks_outside_of_the_buffer_are_a_bug_of_the_caller() -> None:
    for chunk in ((-1, 5), (0, 6), (4, 3)):
        with pytest.raises(ValueError, match="5 bytes"):
            bulk.read(b"[Even", np.array([chunk]), ENGLISH, "plain")
    assert bulk.read(b"", np.zeros((0, 2), np.int64), ENGLISH, "plain").games.schema == bulk.GAMES


def test_bytes_after_a_chunk_never_count() -> None:
    text = (HEAD + "1. e4 {a} e5 1/2-1/2").encode()
    for end in range(len(text)):
        assert not bulk.read(text, np.array([[0, end]]), ENGLISH, "plain").answered[0], text[:end]
    assert bulk.read(text + b"-1", np.array([[0, len(text)]]), ENGLISH, "plain").answered[0]


def random_game(seed: int, max_plies: int = 120) -> list[tuple[chess.Board, chess.Move]]:
    """Positions and moves of a random game that likes checks, promotions, castling and captures en passant."""
    choose, board, played = random.Random(seed), chess.Board(), []
    while not board.is_game_over() and len(played) < max_plies:
        legal = list(board.legal_moves)
        sharp = [m for m in legal if m.promotion or board.is_castling(m) or board.is_en_passant(m) or board.gives_check(m)]
        move = choose.choice(sharp if sharp and choose.random() < 0.4 else legal)
        played.append((board.copy(stack=False), move))
        board.push(move)
    return played


def short(board: chess.Board, move: chess.Move, letters: dict[int, str], choose: random.Random) -> str:
    """SAN in some alphabet, at times without its marks."""
    san = board.san(move)
    if choose.random() < 0.2:
        san = san.rstrip("+#").replace("x", choose.choice(("", ":")))
    return re.sub("[NBRQK]", lambda found: letters["PNBRQK".index(found.group()) + 1], san)


def long(board: chess.Board, move: chess.Move, letters: dict[int, str], choose: random.Random) -> str:
    """Long algebraic notation in some alphabet."""
    if board.is_castling(move):
        return "0-0" if chess.square_file(move.to_square) == 6 else "0-0-0"
    letter = letters.get(board.piece_type_at(move.from_square) or 0, "")
    mark = choose.choice(("x", ":", "")) if board.is_capture(move) else choose.choice(("-", ""))
    promoted = letters[move.promotion] if move.promotion else ""
    form = choose.choice(("={}", "{}", "({})", "/{}")) if promoted else "{}"
    return letter + chess.square_name(move.from_square) + mark + chess.square_name(move.to_square) + form.format(promoted)


def written(seed: int, alphabet: Any, spell: Any) -> str:
    """A random game with numbers, signs and comments, as somebody might write it."""
    choose = random.Random(seed)
    letters = {piece: letter for letter, piece in alphabet.letters.items()}
    tokens = []
    for k, (board, move) in enumerate(random_game(seed)):
        number = f"{k // 2 + 1}." if k % 2 == 0 else choose.choice(("", "", f"{k // 2 + 1}..."))
        tokens.append(number + choose.choice(("", " ")) * bool(number) + spell(board, move, letters, choose))
        tokens.append(choose.choice(("", "", "", "!", "$3", "{ö}", "{[%clk 0:01:00]}")))
    return HEAD + choose.choice((" ", "\n")).join(filter(None, tokens)) + " *\n\n"


@pytest.mark.parametrize("spell", [short, long])
@pytest.mark.parametrize("alphabet", [ENGLISH, GERMAN, RUSSIAN, FIGURINE], ids=["English", "German", "Russian", "figurines"])
def test_random_games_in_any_alphabet_are_read_as_they_were_played(alphabet: Any, spell: Any) -> None:
    seeds = range(15)
    answer = read([written(seed, alphabet, spell) for seed in seeds], alphabet)
    assert answer.answered.all()
    expected = [[(board.san(move), move.uci()) for board, move in random_game(seed)] for seed in seeds]
    games: list[list[tuple[str, str]]] = [[] for _ in seeds]
    for row in everything(answer)["plies"]:
        games[int(row["game_id"])].append((row["san"], row["uci"]))
    assert games == expected


def test_games_that_are_left_out_leave_the_others_as_they_are() -> None:
    texts = [written(seed, ENGLISH, short) for seed in range(6)]
    texts[2:2] = [HEAD + "1. e4 {a} (1. d4! {b} d5) {c} e5 (1... c5$2 (1... e6)) 2. f4 *", HEAD + "*"]
    for chosen in (texts, [t for t in texts if "(" not in t]):
        answer = read(chosen)
        whole = everything(answer)
        for select in (np.arange(len(chosen)) % 2 == 0, np.arange(len(chosen)) % 3 == 2, np.zeros(len(chosen), np.bool_)):
            kept = {str(k) for k in np.flatnonzero(select)}
            part = everything(answer, select)
            for name in ("plies", "variations", "annotations"):
                assert part[name] == [row for row in whole[name] if row["game_id"] in kept]


def reference(text: str) -> tuple[dict[int, list[str]], list[str]]:
    """The lines that python-chess reads, numbered by opening bracket, and its errors."""
    game = chess.pgn.read_game(io.StringIO(re.sub(r"(?<=[NBRQKa-h1-8]):(?=[a-h])", "x", text)))
    assert game is not None
    lines: dict[int, list[str]] = {0: []}

    def walk(node: chess.pgn.ChildNode | None, variation: int) -> None:
        while node is not None:
            assert node.parent is not None
            lines[variation].append(node.parent.board().san(node.move))
            if node.parent.variations[0] is node:
                for other in node.parent.variations[1:]:
                    number = len(lines)
                    lines[number] = []
                    walk(other, number)
            node = node.variations[0] if node.variations else None

    walk(game.next(), 0)
    return lines, [str(error) for error in game.errors]


NOISE = [bytes([c]) for c in b'abcdefgh12345678NBRQKOx=+#{}()!?$-0.* ;[%]"\\\n\r\t/:\x00\xff\xd0\xe2']
NOISE += [word.encode() for word in ("[%clk 0:00:01]", " 1-0 ", "O-O", "e.p.", "...", "К", "{a}", "(1. e4)", "$5")]


def mutated(n: int, seed: int = 1) -> list[bytes]:
    """Sound games with a few random edits each."""
    choose = random.Random(seed)
    sound = [written(seed, ENGLISH, short).encode()[:600].rsplit(b" ", 1)[0] + b" *\n\n" for seed in range(20)]
    sound += 15 * [
        HEAD.encode() + b"1. e4 {a} (1. d4 {b} d5 (1... Nf6 2. c4)) e5 {c [%eval 0.3]} 2. Nf3 $1 (2. f4!) Nc6 1/2-1/2\n\n"
    ]
    texts = []
    for _ in range(n):
        text = choose.choice(sound)
        for _ in range(choose.randrange(1, 4)):
            at = choose.randrange(len(text))
            text = (
                text[:at] + choose.choice((choose.choice(NOISE), b"", text[at - 3 : at + 9])) + text[at + choose.randrange(3) :]
            )
        texts.append(text)
    return texts


def test_whatever_stands_in_a_damaged_game_an_answer_is_what_python_chess_reads() -> None:
    texts = mutated(1500)
    answer = read(texts)
    lines: dict[str, dict[int, list[str]]] = {str(k): {0: []} for k in range(answer.games.num_rows)}
    for row in everything(answer)["plies"]:
        lines[row["game_id"]].setdefault(row["variation"], []).append(row["san"])
    n_compared = 0
    for k, chunk in enumerate(np.flatnonzero(answer.answered)):
        text = texts[chunk].decode().replace("\r\n", "\n")
        # python-chess ends a game at a blank line.
        head, movetext = text.rstrip().split("\n\n", 1) if "\n\n" in text.rstrip() else (text, "")
        expected, errors = reference(head + "\n\n" + re.sub(r"\n\s*\n", "\n", movetext.strip()))
        assert (lines[str(k)], errors) == (expected, []), text
        n_compared += 1
    assert 100 < n_compared < 1000


@pytest.fixture(scope="module")
def compiled() -> None:
    if modes.compiled() is None:
        pytest.skip("numba cannot compile here")


def test_compiled_and_plain_code_give_the_same_tables(compiled: None) -> None:
    for alphabet in (ENGLISH, RUSSIAN):
        texts = [*mutated(700, 2), *(written(seed, alphabet, long) for seed in range(10)), *(HEAD + text for text, _ in REFUSED)]
        texts += [text for text, _, _ in SETUPS]
        plain, fast = read(texts, alphabet, "plain", **ALL), read(texts, alphabet, "compiled", **ALL)
        assert plain.answered.tolist() == fast.answered.tolist()
        assert plain.games == fast.games
        assert everything(plain) == everything(fast)
        assert 10 <= plain.answered.sum() < len(texts) - 10
