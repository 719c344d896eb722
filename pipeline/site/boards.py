"""Boards as SVG in a page. The men are python-chess's; site.js moves them by the positions that the moves carry."""

from __future__ import annotations

import re
from functools import cache

import chess
import chess.svg
from markupsafe import Markup

_SQUARE = 45
"""Side of a square, the unit of python-chess's men."""
_EDGE = 18
_STYLE = re.compile(r'style="([^"]*)"')


@cache
def men() -> Markup:
    """The twelve men, to be used by their names; once in a page."""
    drawn = _STYLE.sub(_attributes, "".join(chess.svg.PIECES.values()))
    return Markup(f'<svg class="men" width="0" height="0" aria-hidden="true"><defs>{drawn}</defs></svg>')


def _attributes(style: re.Match[str]) -> str:
    """What a style says, as attributes: a page holds no style of its own."""
    said = (item.split(":", 1) for item in style[1].split(";") if ":" in item)
    return " ".join(f'{key.strip()}="{value.strip()}"' for key, value in said)


def board(place: str, squares: str, says: str) -> Markup:
    """A position, White below. `place`: first field of a FEN; `squares`: from and to of the last move; `says`: for the blind."""
    there = chess.BaseBoard(place or None)
    last = "".join(_at(squares[i : i + 2], "rect", f' width="{_SQUARE}" height="{_SQUARE}"') for i in (0, 2) if len(squares) == 4)
    used = "".join(_at(chess.square_name(square), "use", f' href="#{_man(man)}"') for square, man in there.piece_map().items())
    return Markup(
        '<svg class="board" viewBox="0 0 {0} {0}" role="img" aria-label="{1}">'
        '{2}<g class="last">{3}</g><g class="placed">{4}</g></svg>'
    ).format(8 * _SQUARE + 2 * _EDGE, says, _squares(), Markup(last), Markup(used))


def _at(square: str, element: str, attributes: str) -> str:
    index = chess.parse_square(square)
    x, y = _EDGE + _SQUARE * chess.square_file(index), _EDGE + _SQUARE * (7 - chess.square_rank(index))
    return f'<{element} x="{x}" y="{y}"{attributes}/>'


def _man(man: chess.Piece) -> str:
    return f"{chess.COLOR_NAMES[man.color]}-{chess.piece_name(man.piece_type)}"


@cache
def _squares() -> Markup:
    """The empty board with its coordinates."""
    whole = 8 * _SQUARE
    dark = "".join(
        f"M{_EDGE + _SQUARE * file} {_EDGE + _SQUARE * row}h{_SQUARE}v{_SQUARE}h-{_SQUARE}z"
        for row in range(8)
        for file in range(8)
        if (row + file) % 2
    )
    middle = [_EDGE + _SQUARE * i + _SQUARE // 2 for i in range(8)]
    named = "".join(
        f'<text x="{at}" y="{whole + 2 * _EDGE - 4}">{name}</text>' for at, name in zip(middle, "abcdefgh", strict=True)
    )
    named += "".join(f'<text x="{_EDGE // 2}" y="{at + 4}">{name}</text>' for at, name in zip(middle, "87654321", strict=True))
    light = f'<rect class="light" x="{_EDGE}" y="{_EDGE}" width="{whole}" height="{whole}"/>'
    return Markup(f'{light}<path class="dark" d="{dark}"/><g class="names">{named}</g>')
