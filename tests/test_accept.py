"""The ratchet reads the scorers' figures and knows which way is up."""

from __future__ import annotations

import pytest

from tests.accept import SCORERS, Figure, read_figures, worse

PRINTED = {
    "cases": """
san               10 of  19
cases: 101 of 119 passed (84.9 %)
""",
    "notation": """
algebraic forms: 800.5 of 805 (99.4 %); vectors outside desc/iccf: 120 of 124
notation: 900.5 of 1607 (56.0 %), wrong readings 3
""",
    "corpora": """
sources 380, games 9000, clean 8800
corpora: lines right 40 of 90 (44.4 %), with honest ones 60.0 %, diverging 1, pgn files 173 of 174, \
files without source 0, bytes bad 2, series 17 of 17
""",
}
READ = {
    "cases": {"cases_passed": 101, "cases_pct": 84.9},
    "notation": {"algebraic_pct": 99.4, "vectors_passed": 120, "notation_pct": 56.0, "wrong_readings": 3},
    "corpora": {
        "corpora_lines_right": 40,
        "corpora_lines_diverging": 1,
        "corpora_pgn_files": 173,
        "corpora_files_without_source": 0,
        "corpora_bytes_bad": 2,
        "corpora_series": 17,
    },
}


@pytest.mark.parametrize("scorer", SCORERS)
def test_figures_are_read_from_what_a_scorer_prints(scorer: str) -> None:
    assert read_figures(PRINTED[scorer], SCORERS[scorer][1]) == READ[scorer]


def test_a_scorer_that_broke_gives_no_figure_and_that_is_worse() -> None:
    figures = SCORERS["cases"][1]
    assert read_figures("Traceback …\n", figures) == {"cases_passed": None, "cases_pct": None}
    assert worse(figures[0], None, 101)


@pytest.mark.parametrize(
    ("less_is_better", "now", "before", "expected"),
    [
        (False, 90, 91, True),
        (False, 91, 91, False),
        (False, 92, 91, False),
        (True, 1, 0, True),
        (True, 0, 0, False),
        (True, 0, None, False),
    ],
)
def test_worse_knows_which_way_is_up(less_is_better: bool, now: float, before: float | None, expected: bool) -> None:
    assert worse(Figure("x", "", less_is_better), now, before) is expected
