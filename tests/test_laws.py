"""Laws of the text core: what holds for any game, any text, any bytes."""
# ruff: noqa: E501  (input and expectation stand on one line)

from __future__ import annotations

import random
from collections.abc import Callable
from itertools import islice
from pathlib import Path

import chess
import pytest
from hypothesis import HealthCheck, example, given, settings
from hypothesis import strategies as st

from pipeline import tables
from pipeline.ingest import canonical
from pipeline.ingest.parts import parts
from pipeline.kernel import modes
from pipeline.lexer import Lexer
from pipeline.model import Game, Hints
from tests.support_text import LINEAR, ROSTER, Form, codes, growth, ingest, letters_of, one, san_line, sans, seconds, write_game

ALPHABETS = [alphabet for alphabet in tables.alphabets() if alphabet.infer == "yes"]
QUICK = settings(
    deadline=None, suppress_health_check=[HealthCheck.too_slow, HealthCheck.function_scoped_fixture], derandomize=True
)
HEAD = '[Event "x"]\n\n'

FORMS = st.builds(
    Form,
    kind=st.sampled_from(["short", "long", "minimal", "files"]),
    dash=st.sampled_from(["", "-", "–", "—", "−", " - "]),
    capture=st.sampled_from(["x", "×", ":", "", "end", "х", " x "]),
    promotion=st.sampled_from(["{}", "={}", "/{}", "({})", ":{}", "-{}", " = {}"]),
    castle=st.sampled_from(["O-O", "0-0", "О-О", "0–0", "0—0", "o-o", "00"]),
    check=st.sampled_from(["+", "", "†", " +", "ch"]),
    mate=st.sampled_from(["#", "++", "‡", "×", "", " mate", "+"]),
    numbers=st.sampled_from(["{}. ", "{}.", "{} ", "{}) "]),
)


def play(seed: int, n_plies: int) -> list[chess.Move]:
    """A random legal game that likes castling, promotion, captures and moves of men."""
    choose, board, moves = random.Random(seed), chess.Board(), []
    while len(moves) < n_plies and not board.is_game_over():
        legal = list(board.legal_moves)
        sharp = [m for m in legal if m.promotion or board.is_castling(m) or board.is_capture(m)]
        move = choose.choice(sharp if sharp and choose.random() < 0.4 else legal)
        moves.append(move)
        board.push(move)
    return moves


@settings(QUICK, max_examples=120)
@given(st.integers(0, 10**6), st.integers(1, 90), st.sampled_from(ALPHABETS), FORMS, st.booleans())
def test_any_game_in_any_alphabet_and_form_reads_back_or_is_truthfully_ambiguous(seed, n_plies, alphabet, form, has_hint):
    moves = play(seed, n_plies)
    text = HEAD + write_game(moves, letters_of(alphabet.primary), form) + "\n"
    game, truth = one(text, Hints(language=alphabet.name) if has_hint else None), san_line(moves)
    found = sans(game).split()
    assert found == truth[: len(found)], text
    if found != truth:
        assert {"ambiguous_dialect", "ambiguous_san"} & set(codes(game)), (text, codes(game))
        assert game.status != "clean"
    else:
        assert game.status == "clean", (text, codes(game))


@settings(QUICK, max_examples=40)
@given(st.integers(0, 10**6), st.integers(1, 90))
def test_any_game_in_coordinates_reads_back(seed, n_plies):
    moves = play(seed, n_plies)
    game = one(HEAD + write_game(moves, letters_of(dict.fromkeys(range(2, 7), "?")), Form("coordinate", castle="O-O")) + "\n")
    assert (game.status, sans(game).split()) == ("clean", san_line(moves))


PIECES = [
    "{", "}", "(", ")", "[", "]", ";", "%", "\n", "\r\n", "\n\n", " ", "\t", "\ufeff", "\x00", '"', "“", "\\", "$", "$1", "$999", "1.", "1...",
    "1. e4", "2. Nf3", "e5", "Кf6", "♘f3", "0-0", "O-O-O", "1-0", "0-1", "1/2-1/2", "½", "*", "--", "Z0", "=", "(=)", "!?", "±", "+-", "x", "×", ":",
    "e8=Q", "exd5", "ed", "e.p.", "mate", "[Event \"", "[Event \"x\"]\n", "[FEN \"8/8/8/8/8/8/8/8 w - - 0 1\"]\n", "[White \"A\"]\n", "[Result \"1-0\"]\n",
    "word", "the4", "Белые сдались", "[%clk 0:00:01]", "[%eval #-3]", "а", "ß", "\U0001f600", "\u2028", "f3R", "1234", "12345", "...", "…", "0000",
    "<b>", "</b>", "<p>", "&frac12;", "'+\n'", "\\mainline{", "White: Ke1, Pa2.", "Black: Ke8.", "Кel", "Ф61", "(1)", "II.", "—", "1)", "8/8/8/8",
    "P-K4", "Kt-KB3 ch", "5254", "gego", "FEN:", "without the rook a1", "[Illustration]", "because", ". ", ", ", "a)", "12. Bd3", "Resigns.",
]  # fmt: skip
ANY_TEXT = st.one_of(
    st.lists(st.sampled_from(PIECES), max_size=60).map(" ".join),
    st.lists(st.sampled_from(PIECES), max_size=60).map("".join),
    st.text(max_size=80),
)


@settings(QUICK, max_examples=200)
@given(ANY_TEXT)
def test_the_parts_of_any_text_cover_it_in_order_and_each_can_be_transcribed(text):
    at = 0
    for part in parts(text, [(0, len(text))], Hints()):
        assert part.start == at < part.end
        at = part.end
        if isinstance(part, Game):
            assert part.status in {"clean", "truncated", "rejected"}
            assert all(issue.start < 0 or 0 <= issue.start <= issue.end <= len(text) for issue in part.issues)
            assert all(issue.code in tables.issue_codes() for issue in part.issues)
            if part.status != "clean":
                assert any(i.is_fault or tables.issue_codes()[i.code].severity == "fault" for i in part.issues), (text, part)
    assert at == len(text)


@settings(QUICK, max_examples=200)
@given(ANY_TEXT, st.booleans())
def test_the_tokens_of_any_text_joined_are_the_text(text, is_nested):
    tokens = list(islice(Lexer(text, has_nested_comments=is_nested).tokens(), len(text) + 1))
    assert "".join(token.text for token in tokens) == text
    assert all(text[token.start : token.end] == token.text != "" for token in tokens)


@settings(QUICK, max_examples=60)
@given(
    st.one_of(
        st.binary(max_size=200),
        ANY_TEXT.map(lambda t: t.encode("utf-8", "surrogatepass")),
        ANY_TEXT.map(lambda t: t.encode("cp1251", "replace")),
    )
)
@example(b"")
@example(b"\xff\xfe1\x00.\x00 \x00e\x004\x00 \x00e\x005\x00")
def test_any_bytes_are_ingested_and_add_up(tmp_path_factory, data):
    receipt, tables_ = ingest(data, tmp_path_factory.getbasetemp())
    assert receipt["n_bytes_games"] + receipt["n_bytes_quarantined"] + receipt["n_bytes_filler"] == len(data)
    spans = tables_.rows("spans")
    assert [s["byte_start"] for s in spans] == [0, *(s["byte_end"] for s in spans[:-1])][: len(spans)]
    assert not spans or spans[-1]["byte_end"] == len(data)
    assert receipt["n_games"] == receipt["n_clean"] + receipt["n_truncated"] + receipt["n_rejected"] == len(tables_.rows("games"))


# --- linear time ----------------------------------------------------------------------------------------------------

_KNIGHTS = ["Nf3", "Nf6", "Ng1", "Ng8"]
_OTHERS = ["Nc3", "Nc6", "Nh3", "Nh6"]


def _line(n: int, write: Callable[[int], str]) -> str:
    return " ".join((f"{i // 2 + 1}. " if i % 2 == 0 else "") + write(i) for i in range(n))


ADVERSARIES: dict[str, Callable[[int], str]] = {
    "open braces": lambda n: HEAD + "1. a4 " + "{" * n,
    "nested braces": lambda n: HEAD + "1. a4 " + "{" * n + "}" * n,
    "open brackets": lambda n: HEAD + "1. a4 " + "(" * n,
    "nested variations": lambda n: HEAD + "1. a4 " + "(1. b4 " * n + ")" * n,
    "variations side by side": lambda n: HEAD + "1. a4 " + "(1. b4) " * n,
    "a variation after every ply": lambda n: HEAD + _line(n, lambda i: f"{_KNIGHTS[i % 4]} ({_OTHERS[i % 4]})"),
    "tag lines in an open comment": lambda n: "1. a4 {" + '[Event "\n' * n,
    "tag lines in a comment": lambda n: "1. a4 {" + '[Event "x"]\n' * n + "}",
    "games that open comments": lambda n: "1. a4 {" * n,
    "games that open comments, one closed": lambda n: "1. a4 {" * n + "}",
    "tagged games that open comments": lambda n: '[Event "x"]\n1. e4 { \n' * n,
    "games in comments": lambda n: "1. e4 " + "{1. e4} " * n,
    "games in line comments": lambda n: "1. e4 " + ";1. e4\n" * n,
    "games in escaped lines": lambda n: "1. e4\n" + "%1. e4\n" * n,
    "half castlings": lambda n: "1. 0- " * n,
    "first moves": lambda n: "1. e4 " * n,
    "first moves in prose": lambda n: "1. e4 word " * n,
    "signs": lambda n: "1. e4 " + "& " * n,
    "digits": lambda n: HEAD + "1" * n,
    "letters": lambda n: HEAD + "1. e4 " + "N" * n,
    "letters and dots": lambda n: HEAD + "a." * n,
    "squares": lambda n: HEAD + "a1" * n,
    "square brackets": lambda n: "[" * n,
    "square brackets after tags": lambda n: HEAD + "[" * n,
    "tags on one line": lambda n: '[a "x"]' * n,
    "different tags on one line": lambda n: "".join(f'[a{i} "x"]' for i in range(n)),
    "tags without end": lambda n: '[a "\n' * n,
    "quotes in a tag": lambda n: '[a "' + '"] ' * n + 'x"]',
    "dollars": lambda n: HEAD + "1. e4 " + "$" * n,
    "zeros and dashes": lambda n: HEAD + "1. e4 " + "0-" * n,
    "escaped lines": lambda n: HEAD + "%\n" * n,
    "results": lambda n: "1. e4 e5 " + "1-0 " * n,
    "words of a result": lambda n: HEAD + "1. e4 e5 " + "white " * n,
    "stray braces": lambda n: HEAD + "1. e4 " + "}" * n,
    "commands": lambda n: HEAD + "1. e4 {" + "[%clk " * n + "}",
    "openings in sentences": lambda n: "1. e4 e5 " + "better than 1. d4 d5 here " * n,
    "numbers in prose": lambda n: "1. e4 e5 " + "he had 2 of them. 3. Nf3 was " * n,
    "remarks in brackets": lambda n: "1. e4 e5 " + "(a good move) " * n,
    "open brackets in prose": lambda n: "1. e4 e5 so he said " + "(and " * n,
    "claims to one place": lambda n: "1. e4 e5 words of three. " + "2. Nf3 Nc6 so it was. " * n,
    "semicolons": lambda n: "1. e4 e5 " + ";" * n,
    "numbers that follow": lambda n: "".join(f"{i % 900 + 2}. e4 e5 " for i in range(n)),
    "positions": lambda n: "8/8/8/4k3/8/8/8/4K3 w - - 0 1\n" * n,
    "moves without numbers": lambda n: "e4 e5 " * n,
    "half tags of a page": lambda n: "<p>1. e4 <b" + "<" * n,
    "strings of a program": lambda n: "x = '1. e4 e5 '+\n" + "'2. Nf3 '+\n" * n,
    "blanks": lambda n: HEAD + "1. e4" + " " * n + "e5",
}


def _read(text: str) -> list[object]:
    return list(parts(text, [(0, len(text))], Hints()))


@pytest.mark.parametrize("name", ADVERSARIES)
def test_reading_takes_time_in_proportion_to_the_text(name):
    assert growth(_read, ADVERSARIES[name], least=0.05) < LINEAR


def test_a_line_of_five_megabytes_is_read_in_seconds():
    text = HEAD + "1. e4 e5 " + "{word word word word} " * 230_000
    assert len(text) > 5_000_000
    assert seconds(_read, text) < 20


# --- two lanes, one answer --------------------------------------------------------------------------------------------

COMMENTS = ["", "", "", "", " {a word}", " {[%clk 0:05:01]}", " {[%eval 0.31] good}", " {[%eval #-3]}", " {ünï} {two}"]
SIGNS = ["", "", "", "", "!", "?", "!?", " $1", " $14", "!! $16", " $146"]


def annotated(seed: int) -> str:
    """A PGN game with comments, NAGs, clocks and a few variations."""
    choose, board, out = random.Random(seed), chess.Board(), []
    for i in range(choose.randrange(0, 40)):
        legal = list(board.legal_moves)
        if not legal:
            break
        move, other = choose.choice(legal), choose.choice(legal)
        number = f"{board.fullmove_number}. " if board.turn else f"{board.fullmove_number}... " if choose.random() < 0.3 else ""
        number = "1. " if i == 0 else number
        out.append(number + board.san(move) + choose.choice(SIGNS) + choose.choice(COMMENTS))
        if choose.random() < 0.15:
            at = f"{board.fullmove_number}{'.' if board.turn else '...'} "
            out.append(f"({at}{board.san(other)}{choose.choice(SIGNS)}{choose.choice(COMMENTS)})")
        board.push(move)
    result = choose.choice(["1-0", "0-1", "1/2-1/2", "*"])
    tags = "".join(f'[{name} "{value}"]\n' for name, value in [("Event", f"E{seed}"), ("Site", "?"), ("Date", "2001.02.03"), ("Round", "1"),
                   ("White", "Alpha, A"), ("Black", "Beta, B"), ("Result", result)])  # fmt: skip
    return tags + "\n" + " ".join([*out, result]) + "\n\n"


def _same_rows(data: bytes, folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    fast, fast_tables = ingest(data, folder)
    with monkeypatch.context() as patch:
        patch.setattr(canonical, "can_answer", lambda hints: False)
        slow, slow_tables = ingest(data, folder)
    assert slow.pop("n_games_kernel") == 0 < fast.pop("n_games_kernel")
    assert fast == slow
    for name in slow_tables.tables.keys() | fast_tables.tables.keys():
        assert fast_tables.sorted_rows(name) == slow_tables.sorted_rows(name), name


@settings(QUICK, max_examples=5)
@given(st.lists(st.integers(0, 10**6), min_size=1, max_size=4, unique=True))
def test_the_kernel_and_the_explaining_lane_give_equal_rows(tmp_path_factory, seeds):
    with pytest.MonkeyPatch.context() as patch:
        _same_rows("".join(map(annotated, seeds)).encode(), tmp_path_factory.getbasetemp(), patch)


@pytest.mark.parametrize("line_end", ["\n", "\r\n"])
def test_lanes_agree_on_either_line_end(tmp_path, monkeypatch, line_end):
    _same_rows("".join(map(annotated, range(5))).replace("\n", line_end).encode(), tmp_path, monkeypatch)


@pytest.mark.skipif(modes.compiled() is None, reason="nothing compiles here")
def test_compiled_and_plain_kernels_give_equal_rows(tmp_path):
    data = "".join(map(annotated, range(30))).encode()
    (plain, plain_tables), (compiled, compiled_tables) = (ingest(data, tmp_path, mode=mode) for mode in ("plain", "compiled"))
    assert plain == compiled
    assert plain["n_games_kernel"] > 25
    for name in plain_tables.tables:
        assert plain_tables.tables[name].equals(compiled_tables.tables[name]), name


@settings(QUICK, max_examples=30)
@given(st.integers(0, 10**6), st.integers(0, 60), st.sampled_from(ALPHABETS), FORMS)
def test_canonicalising_twice_is_canonicalising_once(seed, n_plies, alphabet, form):
    first = one(
        ROSTER + write_game(play(seed, n_plies), letters_of(alphabet.primary), form) + " *", Hints(language=alphabet.name)
    )
    again = one(ROSTER + sans(first) + " *")
    assert (again.status, sans(again)) == ("clean", sans(first))
    assert all(ply.written is None for ply in again.lines[0].plies)
