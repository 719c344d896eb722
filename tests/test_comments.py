"""Commands in comments."""

from __future__ import annotations

import pytest

from pipeline.comments import Comment, read


@pytest.mark.parametrize(
    ("written", "expected"),
    [
        ("plain", Comment("plain")),
        ("  padded \r\n two ", Comment("padded \n two")),
        ("", Comment(None)),
        ("   ", Comment(None)),
        ("[%clk 0:05:00]", Comment(None, clock_seconds=300)),
        ("[%clk 1:02:03]", Comment(None, clock_seconds=3723)),
        ("[%clk 0:00:07.5]", Comment(None, clock_seconds=7.5)),
        ("[%clk 05:30]", Comment(None, clock_seconds=330)),
        ("[%clk 59]", Comment(None, clock_seconds=59)),
        ("[%emt 0:00:08]", Comment(None, elapsed_seconds=8)),
        ("[%emt 0:\n00:08]", Comment("[%emt 0:\n00:08]")),
        ("[%eval 0.25]", Comment(None, eval_cp=25)),
        ("[%eval -1.07]", Comment(None, eval_cp=-107)),
        ("[%eval +0.29,20]", Comment(None, eval_cp=29)),
        ("[%eval 0,15]", Comment(None, eval_cp=15)),
        ("[%eval #3]", Comment(None, eval_mate=3)),
        ("[%eval #-3]", Comment(None, eval_mate=-3)),
        ("[%eval -#3]", Comment(None, eval_mate=-3)),
        ("[%clk 0:01:00] [%eval 0.1] good", Comment("good", clock_seconds=60, eval_cp=10)),
        ("good [%clk 0:01:00] move", Comment("good  move", clock_seconds=60)),
        ("[%cal Ge2e4] [%csl Ra1]", Comment("[%cal Ge2e4] [%csl Ra1]")),
        ("[%clk ?]", Comment("[%clk ?]")),
        ("[%eval book]", Comment("[%eval book]")),
        ("[%clk 0:01:00", Comment("[%clk 0:01:00")),
        ("[%clk 1][%clk 2]", Comment(None, clock_seconds=2)),
        ("[%evalx 1]", Comment("[%evalx 1]")),
    ],
)
def test_commands_are_taken_out_and_what_says_nothing_stays(written, expected):
    found = read(written)
    text = None if found.text is None else " ".join(found.text.split(" "))
    assert Comment(text, found.clock_seconds, found.elapsed_seconds, found.eval_cp, found.eval_mate) == expected
