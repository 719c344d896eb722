"""Every way of writing that docs/systems.md lists is read as its row says; one that is not read here names a test or a reason."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from pipeline.ingest.parts import parts
from pipeline.model import Game, Hints
from tests import systems_page
from tests.support_text import cases, codes, nags, sans

ROWS = cases("systems")
ROOT = Path(__file__).parents[1]


def games(row: dict[str, str]) -> list[Game]:
    text, hints = row["text"], Hints(row["language"] or None, row["notation"] or None)
    return [part for part in parts(text, [(0, len(text))], hints) if isinstance(part, Game)]


def said(game: Game, fact: str) -> str:
    """What a game says about a fact that a row names, in the row's words."""
    name, _, value = fact.partition(":")
    match name:
        case "notation" | "kind":
            return f"{name}:{getattr(game, name)}"
        case "lang":
            return f"lang:{game.language}"
        case "result":
            return f"result:{game.result_movetext or '*'}"
        case "end":
            return f"end:{game.termination_movetext}"
        case "fen":
            return f"fen:{(game.start_fen or '').split(' ')[0]}"
        case "codes":
            return f"codes:{','.join(codes(game))}"
        case "nags":
            return f"nags:{sum(map(len, nags(game).values()))}"
        case "nag":
            ply = int(value.split(":")[0])
            return f"nag:{ply}:{','.join(map(str, nags(game).get(ply, [])))}"
    raise ValueError(fact)


@pytest.mark.parametrize("row", [r for r in ROWS if r["text"]], ids=lambda r: f"{r['id']} {r['text'][:40]!r}")
def test_a_system_is_read_as_its_row_says(row: dict[str, str]) -> None:
    read = games(row)
    if row["status"] == "none":
        assert [sans(game) for game in read] == []
        return
    facts = row["also"].split()
    if not any(fact.startswith("codes:") for fact in facts):
        facts.append("codes:")
    assert [(game.status, sans(game)) for game in read] == [(row["status"], san) for san in row["san"].split(" | ")]
    assert [[said(game, fact) for fact in facts] for game in read] == [facts] * len(read)


@pytest.mark.parametrize("row", [r for r in ROWS if not r["text"]], ids=lambda r: r["id"])
def test_a_row_that_is_not_read_names_a_test_or_a_reason(row: dict[str, str]) -> None:
    if row["test"]:
        file, name = row["test"].split("::")
        assert re.search(rf"^def {name}\(", (ROOT / "tests" / file).read_text("utf-8"), re.MULTILINE)
    else:
        assert row["status"] == "answered"
        assert len(row["how"].split()) > 2


def test_each_system_has_rows_that_begin_with_its_name() -> None:
    ids = [row["id"] for row in ROWS]
    assert {row["id"] for row in ROWS if row["what"]} == set(ids)
    assert ids == sorted(ids, key=list(dict.fromkeys(ids)).index), "rows of one system stand together"


def test_the_page_is_made_from_the_rows() -> None:
    """Out of date? `python tests/systems_page.py --write`."""
    assert systems_page.PAGE.read_text("utf-8") == systems_page.page()
