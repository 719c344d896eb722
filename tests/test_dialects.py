"""Which alphabet wrote a main line (docs/rules.md §3, rule by rule)."""

from __future__ import annotations

import chess
import pytest

from pipeline import tables
from pipeline.dialects import LEAD_PLIES, WrittenMove, contest, hypotheses
from pipeline.model import Hints
from tests.support_text import ROSTER, codes, one, sans

HEAD = '[Event "x"]\n\n'


def read(moves, *, is_roster=False, hints=None, board=None):
    return contest([WrittenMove(text) for text in moves.split()], board or chess.Board(), hints or Hints(), is_roster=is_roster)


def line(reading):
    return " ".join(step.san for step in reading.steps)


# --- §3.1 hypotheses


def test_only_alphabets_that_may_be_inferred_are_tried_without_a_hint():
    assert {a.infer for a in hypotheses(Hints())} == {"yes"}
    assert [a.priority for a in hypotheses(Hints())] == sorted(a.priority for a in hypotheses(Hints()))


def test_a_hint_restricts_and_opens_the_hint_only_tables_but_never_the_unions():
    assert [a.name for a in hypotheses(Hints(language="de"))] == ["de", "de-old"]
    assert [a.name for a in hypotheses(Hints(language="cy"))] == ["cy"]
    assert [a.name for a in hypotheses(Hints(language="DE-OLD"))] == ["de-old"]
    assert hypotheses(Hints(language="mul")) == hypotheses(Hints(language="ru-informal")) == ()
    assert hypotheses(Hints(language="no such")) == ()


def test_a_hint_of_a_notation_that_is_not_algebraic_leaves_nothing():
    assert hypotheses(Hints(notation="descriptive")) == ()
    assert hypotheses(Hints(notation="san")) == hypotheses(Hints())


def test_a_hint_decides_what_would_be_ambiguous():
    text = HEAD + "1. e4 e5 2. Re2 *"
    assert one(text).status == "truncated"
    assert [sans(one(text, Hints(language=name))) for name in ("fr", "fi", "lt")] == ["e4 e5 Ke2", "e4 e5 Ne2", "e4 e5 Be2"]


def test_a_hint_is_not_trusted_over_the_board():
    game = one(HEAD + "1. e4 e5 2. Sf3 Sc6 *", Hints(language="fr"))
    assert (game.status, sans(game)) == ("truncated", "e4 e5")


# --- §3.2 the same moves are one answer


def test_survivors_with_the_same_moves_are_one_answer_and_all_are_listed():
    reading = read("e4 e5 Сc4 Кc6 Фh5 Кf6 Фxf7#")
    assert (line(reading), reading.evidence) == ("e4 e5 Bc4 Nc6 Qh5 Nf6 Qxf7#", "same_moves")
    assert reading.alphabet is not None
    assert (reading.alphabet.name, reading.languages[:2]) == ("ru", ("ru", "uk"))


def test_one_survivor_is_unique():
    reading = read("e4 e5 Сc4 Кc6 Фh5 Кf6 Фxf7# ".replace("Фh5", "Дh5").replace("Фxf7#", "Дxf7#").replace("Сc4", "Оc4"))
    assert (line(reading), reading.evidence, reading.languages) == ("e4 e5 Bc4 Nc6 Qh5 Nf6 Qxf7#", "unique", ("bg",))


@pytest.mark.parametrize(
    ("moves", "kept", "meant"),
    [
        ("e4 c5 Sd3", "e4 c5", "German"),  # a bishop in Czech; in German a knight that cannot go there
        ("e4 c5 Ff3 d6 d4", "e4 c5", "French"),  # a queen in Russian typed in Latin
        ("e4 c5 Hf3 Hb6 d4", "e4 c5", "Hungarian"),  # queens in Polish, which is hardly more common
        ("e2-e4 c7-c5 Hd1-f3 d7-d6", "e4 c5", "Hungarian"),  # from g1, where its knight stands
        ("e4 d6 d4 Cf5", "e4 d6 d4", "Spanish"),  # a bishop in Russian, if the letter is a look-alike
        ("e4 c5 Rf3 d6 d4 cd4: Rd4: Rf6 Rc3 a6 Lf3", "e4 c5 Nf3 d6 d4 cxd4 Nxd4 Nf6 Nc3 a6", "Finnish"),
    ],
)
def test_a_sole_survivor_is_doubted_where_an_alphabet_as_common_needs_one_misprint_only(moves, kept, meant):
    reading = read(moves)
    assert (line(reading), reading.code) == (kept, "ambiguous_dialect")
    assert reading.detail is not None
    assert reading.detail.startswith(f"read as {meant}, ")


@pytest.mark.parametrize(
    ("moves", "language"),
    [
        ("e4 e5 Sf3 Sc6 Lb5", "de"),  # Czech, where Sf3 would be a misprint, is rarer
        ("e4 e6 Sc4 d5 Sb3", "cs"),  # two moves that German cannot read
        ("e4 c5 Sg1f3", "de"),
        ("Jf3 d5", "cs"),  # no alphabet as common has the letter
    ],
)
def test_few_letters_are_enough_where_no_other_alphabet_is_near(moves, language):
    reading = read(moves)
    assert (reading.code, reading.languages[0]) == (None, language)


@pytest.mark.parametrize("moves", ["e4 e6 d4 d5 cA3", "b3 d5 Fb2 F5f d3 e6 Hd2", "e4 e5 Sf3 Sf6 d4 Sxe4 Ld3 d5 Sxe5 Sd65f"])
def test_swapped_letters_are_not_forgiven_twice(moves):
    assert read(moves).code == "illegal_move"


def test_the_rook_tells_russian_from_ukrainian():
    moves = "e4 e5 Кf3 Кc6 Сb5 a6 0-0 Кf6 {}e1"
    assert read(moves.format("Л")).languages[:1] == ("ru",)
    assert read(moves.format("Т")).languages == ("uk",)


def test_no_letter_seen_means_that_every_alphabet_reads_it():
    assert len(read("e4 e5 d4 exd4").languages) > 30


# --- §3.3 survivors that differ

AMBIGUOUS = "e4 e5 Ne2 Ne7"
"""English and Romanian (N = nebun, the bishop)."""


def test_readings_that_differ_leave_their_common_prefix():
    reading = read(AMBIGUOUS)
    assert (line(reading), reading.code, reading.at) == ("e4 e5", "ambiguous_dialect", 2)
    assert {"en", "ro"} <= set(reading.candidates)


def test_a_roster_game_in_strict_san_is_english_by_its_standard():
    reading = read(AMBIGUOUS, is_roster=True)
    assert (line(reading), reading.evidence, reading.languages) == ("e4 e5 Ne2 Ne7", "roster", ("en",))


@pytest.mark.parametrize("missing", ["Event", "White", "Black", "Result"])
def test_the_rule_of_the_roster_needs_each_of_its_tags(missing):
    text = "\n".join(row for row in ROSTER.splitlines() if not row.startswith(f"[{missing} "))
    game = one(text + "\n\n1. e4 e5 2. Ne2 Ne7 *")
    assert (game.status, codes(game)) == ("truncated", ["ambiguous_dialect"])


@pytest.mark.parametrize("moves", ["e4 f5 Ne2 f4 Nf4", "e4 f5 Qh5 g6 Ne2", "e4 e5 Ne2+ Ne7", "e2e4 e5 Ne2 Ne7", "e4 e5 Nge2 Ne7"])
def test_a_roster_game_whose_english_is_not_strict_owes_the_contest(moves):
    assert read(moves, is_roster=True).evidence != "roster"


def test_hungarian_that_reads_as_polish_is_ambiguous():
    """AMB-10: H is the Hungarian knight and the Polish queen."""
    board = chess.Board("rnbqkbnr/pp3ppp/4p3/2ppP3/3P4/5N2/PPP2PPP/RNBQKB1R b KQkq - 0 4")
    assert read("Hd7", board=board).code == "ambiguous_dialect"


# --- §3.4 the lenient round


@pytest.mark.parametrize(
    ("moves", "san", "code"),
    [
        ("1. Pe4 Pe5 2. Nf3 Nc6 3. Bb5 *", "e4 e5 Nf3 Nc6 Bb5", "pawn_letter"),
        ("1. E4 E5 2. NF3 NC6 3. BB5 *", "e4 e5 Nf3 Nc6 Bb5", "upper_case_file"),
        ("1. е4 е5 2. Nf3 Nс6 3. Bb5 *", "e4 e5 Nf3 Nc6 Bb5", "homoglyph"),
        ("1. e4 e5 2. Kf3 Kc6 3. Cb5 a6 4. Ca4 Кf6 5. 0-0 Сe7 6. Лe1 *", "e4 e5 Nf3 Nc6 Bb5 a6 Ba4 Nf6 O-O Be7 Re1", "homoglyph"),
        (
            "1. e4 e5 2. Кf3 кc6 3. Сb5 a6 4. Сa4 Кf6 5. 0-0 Сe7 6. Лe1 *",
            "e4 e5 Nf3 Nc6 Bb5 a6 Ba4 Nf6 O-O Be7 Re1",
            "lower_case_man",
        ),
    ],
)
def test_each_leniency_that_was_needed_is_reported(moves, san, code):
    game = one(HEAD + moves)
    assert (game.status, sans(game), codes(game)) == ("clean", san, [code])


def test_leniency_is_not_tried_where_a_strict_reading_survives():
    assert codes(one(HEAD + "1. e4 e5 2. Nf3 Nc6 *")) == []
    assert sans(one(HEAD + "1. e4 e5 2. Pf3 Pc6 3. Ld3 *")) == "e4 e5 Nf3 Nc6 Bd3"


def test_a_reading_that_leads_by_six_plies_keeps_its_prefix():
    game = one(HEAD + "1. Nf3 Nf6 2. g3 g6 3. Bg2 Bg7 4. O-O O-O 5. d3 d6 6. Nbd2 Ke8 *")
    assert (game.status, sans(game), codes(game), game.language) == (
        "truncated", "Nf3 Nf6 g3 g6 Bg2 Bg7 O-O O-O d3 d6 Nbd2", ["illegal_move"], "en")  # fmt: skip


def test_a_short_lead_leaves_the_common_prefix():
    assert LEAD_PLIES == 6
    reading = read("e4 e5 Nf3 Nc6 Nd6")
    assert (line(reading), reading.code) == ("e4 e5", "ambiguous_dialect")
    assert reading.detail == "read as English, Nd6 at ply 5 fits no legal move"


def test_an_alphabet_that_lacks_a_letter_of_the_line_is_no_rival():
    reading = read("e4 e5 Nf3 Nc6 Bb5 a6 Ba5")
    assert (line(reading), reading.code, reading.at) == ("e4 e5 Nf3 Nc6 Bb5 a6", "illegal_move", 6)


def test_where_every_alphabet_dies_alike_the_move_is_illegal_and_not_ambiguous():
    reading = read("e4 e5 d4 e3")
    assert (line(reading), reading.code, reading.at) == ("e4 e5 d4", "illegal_move", 3)


def test_a_roster_game_keeps_its_english_prefix_with_right_marks():
    reading = read("e4 e5 Nf3 Nc6 Ke3", is_roster=True)
    assert (line(reading), reading.code, reading.at) == ("e4 e5 Nf3 Nc6", "illegal_move", 4)


def test_coloured_figurines_of_both_kinds_are_one_alphabet():
    reading = read("e4 e5 ♘f3 ♞c6 ♝b5 ♘f6")
    assert (line(reading), reading.languages) == ("e4 e5 Nf3 Nc6 Bb5 Nf6", ("figurine",))


# --- §3.6 and §3.7


def test_marks_choose_neither_alphabet_nor_move():
    assert read("d4 d5 Nf3 Nf6 e3 e6 Nd2+").code == "ambiguous_san"


def test_a_later_move_decides_what_an_earlier_one_left_open():
    game = one(HEAD + "1. d4 d5 2. Nf3 Nf6 3. e3 e6 4. Nd2 Nc6 5. Nb1 *")
    assert (sans(game), [p.decided_by for p in game.lines[0].plies][6]) == ("d4 d5 Nf3 Nf6 e3 e6 Nbd2 Nc6 Nb1", "continuation")


def test_several_readings_at_the_end_are_ambiguous_at_the_first_undecided_move():
    reading = read("d4 d5 Nf3 Nf6 e3 e6 Nd2 Nc6 a3")
    assert (line(reading), reading.code, reading.at, set(reading.candidates)) == (
        "d4 d5 Nf3 Nf6 e3 e6",
        "ambiguous_san",
        6,
        {"Nbd2", "Nfd2"},
    )


def test_two_captures_by_files_wait_for_a_later_move():
    board = chess.Board("4k3/8/3p4/3pP3/4P3/8/8/4K3 w - - 0 1")
    assert read("ed", board=board).code == "ambiguous_san"
    assert line(read("ed Kd7 e5", board=board)) == "exd6 Kd7 e5"
    assert line(read("ed Kd7 e6", board=board)) == "exd5 Kd7 e6+"


def test_a_promotion_without_a_man_waits_for_a_later_move():
    board = chess.Board("8/4P3/8/8/8/k7/8/4K3 w - - 0 1")
    assert set(read("e8", board=board).candidates) == {"e8=Q", "e8=R", "e8=B", "e8=N"}
    assert line(read("e8 Ka2 Nc7", board=board)) == "e8=N Ka2 Nc7"
    assert line(read("e8 Ka2 Qe6", board=board)) == "e8=Q Ka2 Qe6+"
    assert read("e8 Ka2 Kd2", board=board).code == "ambiguous_san"


def test_a_pass_is_a_move_of_any_alphabet():
    assert line(contest([WrittenMove("e4"), WrittenMove("--", True)], chess.Board(), Hints(), is_roster=False)) == "e4 --"


def test_an_empty_line_has_no_alphabet():
    reading = read("")
    assert (reading.steps, reading.alphabets, reading.code) == ((), (), None)


def test_the_board_that_is_given_stays_as_it_is():
    board = chess.Board()
    read("e4 e5 Nf3", board=board)
    assert board == chess.Board()


def test_priorities_are_distinct():
    found = [a.priority for a in tables.alphabets()]
    assert len(set(found)) == len(found)


def test_a_text_with_too_many_open_readings_says_that_it_hit_the_bound():
    pawns = '[SetUp "1"]\n[FEN "8/PPPP4/8/8/6k1/8/8/K7 w - - 0 1"]\n\n'
    three = one(pawns + "1. a8 Kg3 2. b8 Kg4 3. c8 Kf3 *\n")
    four = one(pawns + "1. a8 Kg3 2. b8 Kg4 3. c8 Kf3 4. d8 Kf2 *\n")
    assert (codes(three), codes(four)) == (["ambiguous_san"], ["ambiguous_san", "states_limit"])
    assert [issue.candidates for issue in four.issues if issue.candidates] == [("a8=R", "a8=N")]
