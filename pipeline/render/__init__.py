"""Canonical game → text: any game in any of the forms of tables/forms.csv and the alphabets of tables/piece_letters.csv.

A printer turns `(board, move)` into text that fits exactly that one legal move when it is read back.
"""

from dataclasses import replace

from pipeline.model import Game
from pipeline.render.forms import Form, UnknownForm, form_named, forms, styles_of
from pipeline.render.pgn import pgn, tagged
from pipeline.render.score import Layout, movetext, score
from pipeline.render.stored import game_of

__all__ = ["Form", "Layout", "UnknownForm", "form_named", "forms", "game_of", "pgn", "render", "score", "styles_of"]


def render(game: Game, form: Form, layout: Layout) -> str:
    """The whole text of a game in a form, without a line end behind it."""
    layout = replace(layout, men=form.men)
    if form.printer == "pgn":
        return pgn(game, form.write, layout)
    return tagged(game, movetext(game, form.write, layout)) if layout.has_tags else score(game, form.write, layout)
