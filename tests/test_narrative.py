"""Scores told among prose, as books and pages print them: text and moves side by side in tests/cases/prose.csv."""

from __future__ import annotations

import pytest

from pipeline.ingest.parts import parts
from pipeline.model import Game, Hints
from tests.support_text import cases, codes, sans


def games(text: str) -> list[Game]:
    return [part for part in parts(text, [(0, len(text))], Hints()) if isinstance(part, Game)]


@pytest.mark.parametrize("case", cases("prose"), ids=lambda c: c["text"][:50])
def test_a_score_among_prose_is_read_as_meant(case):
    game = games(case["text"] + "\n")[0]
    assert (game.status, sans(game)) == (case["status"], case["san"])
    assert sorted(set(codes(game))) == case["codes"].split()


PROSE = (
    "In the year 1 a man came to town. 1. Go home. 2. Stay there. He bought 12 eggs (3 a penny) and sold 5 to 7 of them.",
    "7. Of bread. 8. Of e4 numbers. 9. Of d5 tables. Chapter 1. A. Smith and b. Jones met at 4. They had 1 d. each.",
    "8 of them left. 1 a4 sheet, 2 b5 envelopes. 1. Bb. Aa. Section e 4 of act 5; see 1 Kings 5 and d 4. Room 1 e5.",
    "Dans le chapitre 1 de ce livre, 2 hommes et 3 femmes. Article 1. Le présent code. 2. Les lois.",
)


@pytest.mark.parametrize("text", PROSE, ids=range(len(PROSE)))
def test_prose_holds_no_game(text):
    assert games(text + "\n\n" + text) == []


def test_remarks_become_comments_of_the_move_before_them():
    game = games("1. e4 e5 2. Nf3 Nc6 Knights before bishops, they say. 3. Bb5 a6 *\n")[0]
    assert game.lines[0].plies[3].comment == "Knights before bishops, they say."


def test_several_games_of_a_page_are_found_with_their_remarks():
    text = (
        "Game 1. White: A. Black: B.\n\n1. e4 e5 2. Nf3 Nc6 The old way.\n\n3. Bb5 a6 4. Ba4 Nf6. Draw agreed.\n\n"
        "Game 2. White: C. Black: D.\n\n1. d4 d5 2. c4 e6 3. Nc3 Nf6 Black resigns.\n"
    )
    found = games(text)
    assert [sans(game) for game in found] == ["e4 e5 Nf3 Nc6 Bb5 a6 Ba4 Nf6", "d4 d5 c4 e6 Nc3 Nf6"]
    assert [game.result_movetext for game in found] == ["1/2-1/2", "1-0"]
