"""Canonical game → PGN in export format (PGN standard 8.1 and 8.2)."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import replace

from pipeline.model import Game
from pipeline.render.score import Layout, Write, known_result, movetext

_ROSTER = {"Event": "?", "Site": "?", "Date": "????.??.??", "Round": "?", "White": "?", "Black": "?", "Result": "*"}
"""The seven tag roster in its order, with what stands for the unknown (PGN standard 8.1.1)."""
_NAME = re.compile(r"[A-Za-z0-9][A-Za-z0-9_]*")
_START = ("SetUp", "FEN")


def pgn(game: Game, write: Write, layout: Layout) -> str:
    """Tags, an empty line, movetext."""
    return tagged(game, movetext(game, write, replace(layout, is_pgn=True)))


def tagged(game: Game, moves: str) -> str:
    """Moves in any form under the tag pairs of the game."""
    return "\n".join([*_tags(game), "", moves])


def _tags(game: Game) -> Iterator[str]:
    """The roster, then the others by name in ASCII order; the first of several of one name."""
    given: dict[str, str] = {}
    roster = {name.casefold(): name for name in (*_ROSTER, *_START)}
    for pair in game.tags:
        if _NAME.fullmatch(pair.name):
            given.setdefault(roster.get(pair.name.casefold(), pair.name), pair.value)
    for name in _START:
        given.pop(name, None)
    given["Result"] = known_result(game)
    if game.start_fen:
        given |= {"SetUp": "1", "FEN": game.start_fen}
    if game.variant != "standard" and not any(name.casefold() == "variant" for name in given):
        given["Variant"] = game.variant
    for name, unknown in _ROSTER.items():
        yield _tag(name, given.pop(name, "") or unknown)
    for name in sorted(given):
        yield _tag(name, given[name])


def _tag(name: str, value: str) -> str:
    """A tag pair; in a value `\\` and `"` are escaped (PGN standard 7), line ends are blanks."""
    escaped = " ".join(value.split()).replace("\\", "\\\\").replace('"', '\\"')
    return f'[{name} "{escaped}"]'
