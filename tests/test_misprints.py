"""Misprints: which move was meant, and what a game comes to when a person says so."""

from __future__ import annotations

import pytest

from pipeline.misprints import edits, suggest
from pipeline.model import Hints
from pipeline.repairs import Repair, RepairRefused, faults, only_game, read
from pipeline.split import WrittenGame

RUSSIAN = "1. e2-e4 e7-e5 2. Кg1-f3 Кb8-c6 3. Сf1-b5 a7-a6 4. Сb5-a4 Кg8-f6 5. 0-0 Сf8-e7 6. Лf1-e1 b7-b5 "
AFTER = " d7-d6 8. c2-c3 0-0 9. h2-h3 Кc6-b8 10. d2-d4 Кb8-d7 1/2-1/2"


def game(text: str) -> WrittenGame:
    written = only_game(text)
    assert written is not None
    return written


@pytest.mark.parametrize(
    ("text", "ply", "meant", "because"),
    [
        (f"{RUSSIAN}7. Сc4-b3{AFTER}", 13, "Bb3", "not on c4; or else ply 7, Сb5-a4, is Bc4"),
        (f"{RUSSIAN}7. Кa4-b3{AFTER}", 13, "Bb3", "wrong or missing man or origin"),
        (f"{RUSSIAN}7. Сb3-a4{AFTER}", 13, "Bb3", "squares swapped"),
        (f"{RUSSIAN.replace('Сb5-a4', 'Сb5-a5')}7. Сa4-b3{AFTER}", 7, "Ba4", "wrong target square"),
        ("1. e4 e5 2. Sf3 Sc6 3. Lb6 a6 4. La4 Sf6 5. 0-0 Le7", 5, "Bb5", "misprint: the bishop on f1 goes to b5, not to b6"),
        (
            "1. P-K4 P-K4 2. N-KB3 N-QB3 3. B-N5 P-QR3 4. B-R5 N-B3 5. O-O B-K2 6. R-K1 P-QN4 7. B-N3 P-Q3",
            *(7, "Ba4", "misprint: the bishop on b5 goes to a4"),
        ),
        ("1. e2-e4 e7-e5 2. Ng1-f4 Nb8-c6 3. Bf1-b5 a7-a6 4. Bb5-a4 Ng8-f6 5. Nf3xe5 d7-d6", 3, "Nf3", "wrong target square"),
    ],
)
def test_the_one_move_that_lets_the_rest_be_played_is_suggested(text: str, ply: int, meant: str, because: str) -> None:
    written = game(text)
    found = suggest(written, Hints())
    assert found is not None
    assert (found.ply, found.read_as, found.is_to_end) == (ply, meant, True)
    assert because in found.because
    repaired = read(written, Hints(), [Repair(found.ply, found.written, found.read_as, "seen")])
    plies = repaired.lines[0].plies
    assert (repaired.status, len(plies)) == ("clean", ply + found.n_plies_after)
    assert (plies[ply - 1].san, plies[ply - 1].written, plies[ply - 1].decided_by) == (meant, found.written, "repair")
    issue = next(i for i in repaired.issues if i.code == "repaired")
    assert (text[issue.start : issue.end], issue.written, issue.ply) == (found.written, found.written, ply)
    assert [p.decided_by for p in plies].count("repair") == 1


@pytest.mark.parametrize(
    ("text", "why"),
    [
        ("1. e4 e5 2. Nf3 Nc6 3. Bb5 a6 4. Ba4 Nf6 5. O-O Be7 6. Re1 b5 7. Nb3 d6 8. c3 O-O", "b3 and Bb3 are as near"),
        ("1. d4 d5 2. c4 e6 3. Sc3 Sf6 4. Lg5 Le7 5. e3 0-0 6. Sf3 Lh1", "nothing stands behind it"),
        ("1. e4 e5 2. Qd6 Nc6 3. Nf3 d6", "no move is near enough"),
        ("1. e4 e5 2. Nf3 Nc6 3. Bd3 a6 4. Ba4 Nf6 5. O-O Be7", "3. Bb5 was misprinted and is legal: the fault comes later"),
        ("1. d4 Nf6 2. c4 e6 3. Nf3 d5 4. Nd2 Be7 5. g3 O-O", "either knight, and nothing decides"),
        ("1. 5254 5755 2. 7163 2836 3. 6125 1716 4. 2515 7866 5. 5171 6857", "2514 and 2516 are as near"),
        ("1. e4 e5 2. Nf3 Nc6 3. Bb5 a6", "clean"),
        ("1. e4 e5 2. Nf3 {oops Nc6 3. Bb5", "a fault of structure"),
    ],
)
def test_where_several_or_no_moves_may_be_meant_none_is_suggested(text: str, why: str) -> None:
    assert suggest(game(text), Hints()) is None, why


def test_two_misprints_are_repaired_one_after_the_other() -> None:
    text = f"{RUSSIAN.replace('Сb5-a4', 'Сb5-a5')}7. Сa4-b3{AFTER.replace('d7-d6', 'd7-f6')}"
    first = suggest(game(text), Hints())
    assert first is not None
    assert (first.read_as, first.n_plies_after, first.is_to_end) == ("Ba4", 6, False)
    one = Repair(7, "Сb5-a5", "Ba4")
    assert next(faults(game(text), Hints())).ply == 7
    assert len(read(game(text), Hints(), [one]).lines[0].plies) == 13
    both = read(game(text), Hints(), [Repair(14, "d7-f6", "d6"), one])
    assert (both.status, [i.ply for i in both.issues if i.code == "repaired"]) == ("clean", [7, 14])


@pytest.mark.parametrize(
    ("repair", "why"),
    [
        (Repair(12, "Сc4-b3", "Bb3"), "the game ends at ply 13, not at 12"),
        (Repair(13, "Сc4-b4", "Bb3"), "at ply 13 stands Сc4-b3, not Сc4-b4"),
        (Repair(13, "Сc4-b3", "Qh5"), "Qh5 is no legal move at ply 13"),
    ],
)
def test_a_repair_that_does_not_fit_the_text_is_refused(repair: Repair, why: str) -> None:
    with pytest.raises(RepairRefused, match=why):
        read(game(f"{RUSSIAN}7. Сc4-b3{AFTER}"), Hints(), [repair])


def test_a_clean_game_takes_no_repair() -> None:
    with pytest.raises(RepairRefused):
        read(game("1. e4 e5 2. Nf3 Nc6"), Hints(), [Repair(3, "Nf3", "Nc3")])


def test_a_start_position_from_outside_of_the_text_counts_and_becomes_no_tag() -> None:
    fen = "4k3/8/8/8/8/8/4P3/R3K3 w - - 0 1"
    read_there = read(game("1. e2-e4 Ke8-e7 2. Ra1-a7 Ke7-d6"), Hints(), [], fen)
    assert (read_there.start_fen, read_there.tags, len(read_there.lines[0].plies)) == (fen, (), 4)


@pytest.mark.parametrize(
    ("a", "b", "n"), [("Bc4b3", "Ba4b3", 1), ("ab", "ba", 1), ("", "abc", 3), ("kitten", "sitting", 3), ("same", "same", 0)]
)
def test_edits_counts_changes_and_swaps(a: str, b: str, n: int) -> None:
    assert edits(a, b) == edits(b, a) == n
