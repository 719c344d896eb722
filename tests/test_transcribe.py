"""One written game → one game: moves, symbols, comments, variations, result, faults."""
# ruff: noqa: E501  (input and expectation stand on one line)

from __future__ import annotations

import pytest

from pipeline.model import Hints
from tests.support_text import ROSTER, SILENT_END, cases, codes, nags, one, read, sans

HEAD = '[Event "x"]\n\n'


@pytest.mark.parametrize("case", cases("games"), ids=lambda c: c["text"][:60] or "nothing")
def test_a_movetext_is_read_as_its_case_says(case):
    game = one(HEAD + case["text"] + "\n")
    written = " ".join(f"{ply}:{'+'.join(map(str, found))}" for ply, found in nags(game).items())
    assert (game.status, sans(game), ";".join(codes(game)), game.result_movetext or "", written) == (
        case["status"], case["san"], case["codes"], case["result"], case["nags"])  # fmt: skip


@pytest.mark.parametrize("head", [ROSTER, ""], ids=["tagged", "bare"])
@pytest.mark.parametrize("case", cases("broken"), ids=lambda c: c["text"][:60])
def test_a_move_in_pieces_is_no_other_move(case, head):
    game = read(head + case["text"] + "\n")[0]
    assert (game.status, sans(game)) == (case["status"], case["san"])
    found, expected = set(codes(game)), set(filter(None, case["codes"].split(";")))
    assert found == expected if head else bool(found) == bool(expected)


@pytest.mark.parametrize("case", cases("broken_tagged"), ids=lambda c: c["text"][:60])
def test_moves_that_the_numbers_miss_end_the_line(case):
    game = read(ROSTER + case["text"] + "\n")[0]
    assert (game.status, sans(game), ";".join(codes(game))) == (case["status"], case["san"], case["codes"])


@pytest.mark.parametrize(("text", "expected"), [
    ("1. e4 e5 {oops\n\n1. d4 d5 1-0\n\n1. c4 c5 {ok} 2. Nc3 1-0", ["truncated e4 e5", "clean c4 c5 Nc3"]),
    ('[Event "q"]\n1. e4 e5 {x 2. Nf3 1-0\n[Event "w"]\n1. c4 e5 {ok} 2. Nc3 1-0', ["truncated e4 e5", "clean c4 e5 Nc3"]),
    ("1. e4 e5 (1... c5 2. Nf3 1-0\n\n1. d4 d5 2. c4 e6 1-0\n\n1. c4 e5) 2. Nf3 1-0", ["truncated e4 e5", "clean d4 d5 c4 e6", "clean c4 e5 Nf3"]),
    ("1. e4 e5 2. Nf3 Nc6 1-0\n\nAnalysis: 3. Bb5 a6", ["clean e4 e5 Nf3 Nc6"]),
    ('[Event "C"]\n; a comment\n[White "A"]\n[Black "B"]\n[Result "1-0"] 1. e4 e5 1-0', ["clean e4 e5"]),
])  # fmt: skip
def test_what_is_open_ends_where_a_game_surely_begins(text, expected):
    assert [f"{game.status} {sans(game)}" for game in read(text)] == expected


def test_a_variation_too_many_is_reported(monkeypatch):
    monkeypatch.setattr("pipeline.transcription.MAX_VARIATIONS", 2)
    game = one(ROSTER + "1. e4 " + "(1. d4) " * 3 + "e5 *\n")
    assert (len(game.lines), codes(game)) == (3, ["limit_exceeded"])


def test_a_rejected_game_names_no_language():
    game = one(ROSTER + "1. Sf5 e5 *\n")
    assert (game.status, game.language, game.language_candidates, game.dialect_evidence) == ("rejected", None, (), None)


@pytest.mark.parametrize(("text", "expected"), [
    ("+:-", ("1-0", "forfeit")), ("1. e4 e5 2. Nf3 1-0F", ("1-0", "forfeit")), ("1. e4 e5 2. Nf3 1-O", ("1-0", None)),
    ("1. e4 e5 2. Nf3 l-0", ("1-0", None)), ("1. e4 e5 2. Nf3 О-1", ("0-1", None)), ("1. e4 e5 2. Nf3 =", ("1/2-1/2", "agreement")),
])  # fmt: skip
def test_results_in_signs(text, expected):
    game = one(ROSTER + text + "\n")
    assert (game.result_movetext, game.termination_movetext) == expected


def lines(text):
    return [
        (line.number, line.parent, line.first_ply, line.depth, " ".join(p.san for p in line.plies))
        for line in one(HEAD + text).lines[1:]
    ]


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("1. e4 e5 (1... c5) 2. Nf3 *", [(1, 0, 2, 1, "c5")]),
        ("1. e4 (1. d4 d5) e5 *", [(1, 0, 1, 1, "d4 d5")]),
        ("1. e4 (1. d4) (1. c4 e5) e5 *", [(1, 0, 1, 1, "d4"), (2, 0, 1, 1, "c4 e5")]),
        ("1. e4 e5 (1... c5 2. Nf3 (2. c3 d5) d6) 2. Nf3 *", [(1, 0, 2, 1, "c5 Nf3 d6"), (2, 1, 3, 2, "c3 d5")]),
        ("1. e4 e5 (c5 Nf3) Nf3 *", [(1, 0, 2, 1, "c5 Nf3")]),
        ("1. e4 e5 [1... c5 2. Nf3] 2. d4 *", [(1, 0, 2, 1, "c5 Nf3")]),
        ("1. e4 () ( ) (1.) (...) e5 *", []),
        ("1. e4 e5 (1... Nf3) 2. d4 *", []),
        ("1. e4 e5 (1... c5 2. Qh8 d6) 2. d4 *", [(1, 0, 2, 1, "c5")]),
        ("1. e4 e5 (1... c5 2. Nf3 Nc6 1-0) 2. d4 *", [(1, 0, 2, 1, "c5 Nf3 Nc6")]),
    ],
)
def test_variations_replace_the_ply_before_their_bracket(text, expected):
    assert lines(text) == expected


@pytest.mark.parametrize(
    "text",
    ["1. e4 e5 (1... Nf3) 2. d4 *", "1. e4 e5 (1... c5 2. Qh8) 2. d4 *", "(1. d4) 1. e4 e5 2. d4 *", "1. e4 e5 (2. Nf3) 2. d4 *"],
)
def test_a_fault_in_a_variation_leaves_the_main_line_clean(text):
    game = one(HEAD + text)
    assert (game.status, sans(game), codes(game)) == ("clean", "e4 e5 d4", ["variation_illegal"])


def test_three_hundred_nested_variations_are_read():
    game = one(HEAD + "1. Nf3 Nf6 " + "(1... Nc6 (1... Nh6 " * 150 + ")" * 300 + " 2. Ng1 *")
    assert (game.status, sans(game), len(game.lines)) == ("clean", "Nf3 Nf6 Ng1", 301)
    assert [line.depth for line in game.lines] == list(range(301))


def test_a_variation_of_a_game_that_is_cut_before_it_is_dropped():
    game = one(HEAD + "1. e4 e5 2. Ke3 (2. Nf3) Nc6 *")
    assert (game.status, sans(game), len(game.lines)) == ("truncated", "e4 e5", 1)


def test_comments_stand_before_and_after_their_moves():
    game = one(HEAD + "{a} 1. {b} e4 {c} {d} e5 ; e\n(1... {f} c5 {g}) 2. Nf3 *")
    main = game.lines[0].plies
    assert [(p.comment_before, p.comment) for p in main] == [("a\nb", "c\nd"), (None, "e"), (None, None)]
    assert [(p.comment_before, p.comment) for p in game.lines[1].plies] == [("f", "g")]


def test_a_comment_of_a_game_without_moves_is_the_games():
    game = one(HEAD + "{Black did not come.} 1-0")
    assert (game.status, game.comment, game.result_movetext, game.lines[0].plies) == ("clean", "Black did not come.", "1-0", ())


def test_moves_in_comments_are_no_moves():
    assert sans(one(HEAD + "1. e4 {1... c5 2. Nf3} e5 {[Event} *")) == "e4 e5"


def test_clocks_and_evaluations_are_taken_out_of_comments():
    ply = one(HEAD + "1. e4 {[%clk 1:02:03] [%eval -0.15] good [%cal Ge2e4]} e5 {[%eval #-3]} *").lines[0].plies
    assert (ply[0].clock_seconds, ply[0].eval_cp, ply[0].comment, ply[1].eval_mate, ply[1].comment) == (
        3723,
        -15,
        "good [%cal Ge2e4]",
        -3,
        None,
    )


def test_written_is_kept_where_it_is_not_canonical():
    assert [p.written for p in one(HEAD + "1. e2-e4 e5 2. Qh5 Nc6 3. Bc4 Nf6 4. Qxf7 mate *").lines[0].plies] == [
        "e2-e4", None, None, None, None, None, "Qxf7 mate"]  # fmt: skip


def test_the_side_of_a_sign_is_kept():
    found = [[(a.nag, a.glyph, a.side) for a in p.annotations] for p in one(HEAD + "1. e4 ± e5 -+ 2. Nf3 !! *").lines[0].plies]
    assert found == [[(16, "±", "w")], [(19, "-+", "b")], [(3, "!!", None)]]


def test_the_same_symbol_twice_counts_once():
    assert nags(one(HEAD + "1. e4 ! $1 ! e5 *")) == {1: [1]}


@pytest.mark.parametrize(
    ("text", "board"),
    [("1. f3 e5 2. g4 Qh4# 1-0", "0-1"), ("1. e4 e5 1-0", None), ("1. e4 e5 2. Ke3", None)],
)
def test_the_board_says_what_mate_forces(text, board):
    assert one(HEAD + text).result_board == board


def test_stalemate_is_a_draw_by_the_board():
    game = one('[FEN "7k/8/6K1/8/8/8/8/5Q2 w - - 0 1"]\n\n1. Qf7 1-0')
    assert (sans(game), game.result_board, game.result_movetext) == ("Qf7", "1/2-1/2", "1-0")


def test_a_final_equals_sign_is_no_draw_where_a_tag_speaks():
    game = one('[Result "1-0"]\n\n1. e4 e5 =')
    assert (game.result_movetext, nags(game)) == (None, {2: [10]})


@pytest.mark.parametrize(
    ("text", "result", "termination"),
    [("1. e4 e5 White resigns", "0-1", "resignation"), ("1. e4 e5 black lost on time", "1-0", "time"), ("1. e4 e5 draw agreed", "1/2-1/2", "agreement"),
     ("1. e4 e5 1-0 black resigns", "1-0", "resignation"), ("1. e4 e5 Черные сдались", "1-0", "resignation"), ("1. e4 e5 beli predaje", "0-1", "resignation")],
)  # fmt: skip
def test_words_at_the_end_say_who_won_and_how(text, result, termination):
    game = one(HEAD + text)
    assert (game.result_movetext, game.termination_movetext, sans(game)) == (result, termination, "e4 e5")


def test_the_side_that_resigns_loses_whoever_is_to_move():
    assert [one(HEAD + text).result_movetext for text in ("1. e4 Weiß gibt auf", "1. e4 e5 Weiß gibt auf")] == ["0-1", "0-1"]


def test_a_comment_behind_the_result_of_a_game_without_moves_is_its_comment():
    game = one('[White "A"]\n[Black "B"]\n[Result "1-0"]\n\n1-0 {forfeit}\n')
    assert (game.comment, game.result_movetext) == ("forfeit", "1-0")


@pytest.mark.parametrize(
    ("tags", "moves", "san"),
    [
        ('[Variant "Chess960"]\n[SetUp "1"]\n[FEN "bnrbnkrq/pppppppp/8/8/8/8/PPPPPPPP/BNRBNKRQ w GCgc - 0 1"]\n', "1. O-O", "O-O"),
        ('[Variant "Chess960"]\n[FEN "4k3/8/8/8/8/8/8/1R2K1R1 w GB - 0 1"]\n', "1. O-O-O", "O-O-O"),
        ('[Variant "Chess960"]\n[FEN "4k3/8/8/8/8/8/8/1R2K1R1 w GB - 0 1"]\n', "1. e1g1", "O-O"),
        ('[Variant "Chess960"]\n[FEN "4k3/8/8/8/8/8/8/1R2K1R1 w GB - 0 1"]\n', "1. Kxg1", "O-O"),
        ('[Variant "Chess960"]\n[FEN "4k3/8/8/8/8/8/8/1R2K1R1 w GB - 0 1"]\n', "1. Kd2", "Kd2"),
        ('[FEN "4k3/8/8/8/8/8/8/4K2R w K - 0 1"]\n', "1. e1h1", "O-O"),
        ('[FEN "4k3/8/8/8/8/8/8/4K2R w K - 0 1"]\n', "1. Kxh1", "O-O"),
    ],
)  # fmt: skip
def test_castling_in_either_chess_is_read(tags, moves, san):
    game = one(tags + "\n" + moves + " *")
    assert (sans(game), game.status) == (san, "clean"), codes(game)


def test_chess960_castling_is_stored_as_king_takes_rook():
    game = one('[Variant "Chess960"]\n[FEN "4k3/8/8/8/8/8/8/1R2K1R1 w GB - 0 1"]\n\n1. O-O *')
    assert (game.lines[0].plies[0].uci, game.variant) == ("e1g1", "chess960")


@pytest.mark.parametrize(
    ("tags", "code"),
    [('[FEN "8/8/8/8/8/8/8/8 w - - 0 1"]', "illegal_start_position"), ('[FEN "nonsense"]', "illegal_start_position"), ('[Variant "Atomic"]', "variant_unsupported"),
     ('[Variant "Chess960"]', "no_start_position")],
)  # fmt: skip
def test_a_game_without_a_possible_start_is_rejected(tags, code):
    game = one(tags + "\n\n1. e4 e5 1-0")
    assert (game.status, sans(game), codes(game), game.result_movetext) == ("rejected", "", [code], "1-0")


def test_black_may_begin():
    game = one('[FEN "4k3/4p3/8/8/8/8/4P3/4K3 b - - 0 17"]\n\n17... e5 18. e4 *')
    assert (sans(game), game.is_white_first, game.first_move_number, codes(game)) == ("e5 e4", False, 17, [])


def test_a_score_without_tags_that_begins_in_mid_game_has_no_start():
    assert all(game.status == "rejected" for game in read("16... Bb5 17. Nf3 Nc6 18. Bb5 1-0"))


def test_a_tagged_score_that_begins_in_mid_game_without_a_position_has_no_start():
    game = one(HEAD + "16. Nf3 Nc6 17. e4 e5 1-0")
    assert (game.status, codes(game)) == ("rejected", ["no_start_position"])


def test_numbers_of_four_digits_are_numbers():
    knights = ["Nf3", "Nf6", "Ng1", "Ng8"]
    game = one(HEAD + " ".join((f"{i // 2 + 1}. " if i % 2 == 0 else "") + knights[i % 4] for i in range(2300)) + " *")
    assert (game.status, len(game.lines[0].plies), codes(game)) == ("clean", 2300, [])


@pytest.mark.parametrize(
    ("text", "notation"),
    [("1. e4 e5 2. Nf3 *", "san"), ("1. e2-e4 e7-e5 2. Ng1-f3 *", "long"), ("1. e2e4 e7e5 2. g1f3 *", "coordinate"), ("*", None)],
)
def test_the_notation_is_named(text, notation):
    assert one(HEAD + text).notation == notation


def test_issues_say_where():
    text = ROSTER + "1. e4 e5 2. Ke3 *"
    issue = one(text).issues[0]
    assert (issue.code, text[issue.start : issue.end], issue.ply, issue.variation, issue.written) == (
        "illegal_move",
        "Ke3",
        3,
        0,
        "Ke3",
    )


def test_a_roster_game_is_english_by_its_standard():
    game = one(ROSTER + "1. e4 e5 2. Nf3 Nc6 *")
    assert (game.language, game.language_candidates, game.dialect_evidence) == ("en", ("en",), "roster")


def test_a_hint_of_another_notation_reads_nothing():
    assert one(HEAD + "1. e4 e5 *", Hints(notation="descriptive")).status == "rejected"


@pytest.mark.parametrize("word", ["He", "be", "ah"])
def test_short_words_are_no_pawn_captures(word):
    game = one(HEAD + f"1. e4 e5 {word} 2. Nf3 Nc6 *")
    assert (game.status, sans(game), codes(game)) == ("clean", "e4 e5 Nf3 Nc6", ["unknown_token"])


def test_moves_without_a_result_say_so():
    assert SILENT_END & {issue.code for issue in one(HEAD + "1. e4 e5").issues}
    assert not SILENT_END & {issue.code for issue in one(HEAD + "1. e4 e5 1-0").issues}
