"""The ratchet reads the scorers' figures and knows which way is up."""

from __future__ import annotations

import json
import sys
from pathlib import Path

import pytest

from tests import accept
from tests.accept import SCORERS, Figure, read_figures, verdict

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
    "matches": """
as they are: 17 of 17 matches right, 68.5 s
printed: 16 of 17 matches right, 61.4 s
together: wch03_1890: 20 games for 19
together: 15 of 17 matches right, 44.3 s
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
    "matches": {"matches_as_they_are": 17, "matches_printed": 16, "matches_together": 15},
}


@pytest.mark.parametrize("scorer", SCORERS)
def test_figures_are_read_from_what_a_scorer_prints(scorer: str) -> None:
    assert read_figures(PRINTED[scorer], SCORERS[scorer][1]) == READ[scorer]


def test_a_scorer_that_broke_gives_no_figure_and_that_is_worse() -> None:
    figures = SCORERS["cases"][1]
    assert read_figures("Traceback …\n", figures) == {"cases_passed": None, "cases_pct": None}
    assert verdict(figures[0], None, 101) == verdict(figures[0], None, None) == "WORSE"


@pytest.mark.parametrize(
    ("less_is_better", "now", "before", "expected"),
    [
        (False, 90, 91, "WORSE"),
        (False, 91, 91, "ok"),
        (False, 92, 91, "ok"),
        (True, 1, 0, "WORSE"),
        (True, 0, 0, "ok"),
        (True, 0, None, "NEW"),
    ],
)
def test_the_verdict_knows_which_way_is_up(less_is_better: bool, now: float, before: float | None, expected: str) -> None:
    assert verdict(Figure("x", "", less_is_better), now, before) == expected


@pytest.mark.parametrize(
    ("recorded", "arguments", "code", "after"),
    [
        (None, [], 1, None),
        ({"n": 5}, [], 0, {"n": 5}),
        ({"n": 6}, [], 1, {"n": 6}),
        ({"m": 5}, [], 1, {"m": 5}),
        (None, ["--bless"], 0, {"n": 5}),
        ({"n": 6}, ["--bless"], 1, {"n": 6}),
        ({"n": 6}, ["--bless", "--allow-worse"], 0, {"n": 5}),
    ],
)
def test_a_figure_that_nobody_recorded_fails_until_it_is_blessed(
    recorded: dict[str, int] | None,
    arguments: list[str],
    code: int,
    after: dict[str, int] | None,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    (tmp_path / "score").mkdir()
    file = tmp_path / "acceptance.json"
    if recorded is not None:
        file.write_text(json.dumps(recorded))
    monkeypatch.setattr(accept, "SHARED", tmp_path)
    monkeypatch.setattr(accept, "ROOT", tmp_path)
    monkeypatch.setattr(accept, "RECORDED", file)
    monkeypatch.setattr(accept, "SCORERS", {"x": (["x.py"], [Figure("n", r"n: (\d+)")])})
    monkeypatch.setattr(accept, "run", lambda arguments: "n: 5\n")
    monkeypatch.setattr(sys, "argv", ["accept.py", *arguments])
    assert accept.main() == code
    assert (json.loads(file.read_text()) if file.exists() else None) == after
