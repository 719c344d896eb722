"""Names of forms → printers: rows of forms.csv, and every alphabet of piece_letters.csv with the styles of form_styles.csv."""

from __future__ import annotations

import difflib
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from functools import cache

import chess

from pipeline import tables
from pipeline.render import algebraic, coordinate, descriptive
from pipeline.tables import Alphabet

Write = Callable[[chess.Board, chess.Move], str]
_ALGEBRAIC = ("algebraic", "colored")
_DEFAULT_STYLE = "short"
_SQUARES: Mapping[str, Write] = {
    "uci": coordinate.uci,
    "numeric": coordinate.numeric,
    "smith": coordinate.smith,
    "gringmuth": coordinate.gringmuth,
}


class UnknownForm(ValueError):
    """No form, style or alphabet has this name; `near` are names that may be meant, `known` all there are."""

    def __init__(self, kind: str, given: str, known: tuple[str, ...], near: tuple[str, ...]) -> None:
        super().__init__(f"no {kind} is called {given}")
        self.kind, self.given, self.known, self.near = kind, given, known, near


@dataclass(frozen=True, slots=True)
class Form:
    """How games are printed. `language` is the BCP 47 tag of the letters, None where there are none."""

    name: str
    printer: str
    style: str | None
    language: str | None
    write: Write
    men: frozenset[str] | None = None
    """Letters of the men in it; None where moves name no men and a letter before one could be its man."""


@cache
def forms() -> tuple[tables.Row, ...]:
    """Rows of forms.csv, and a row of the same columns for each alphabet."""
    named = tables.rows("forms")
    letters = (
        {
            "name": a.name,
            "aliases": ";".join(dict.fromkeys(t for t in (a.bcp47, a.language) if t.casefold() != a.name)),
            "printer": "algebraic",
            "alphabet": a.name,
            "style": _DEFAULT_STYLE,
            "meaning": f"Algebraic notation in letters: {a.language}",
            "source": a.source,
        }
        for a in tables.alphabets()
        if a.infer != "never"
    )
    return (*named, *letters)


def styles_of(printer: str) -> Mapping[str, str]:
    """Styles that a printer has, with what they mean; the PGN standard leaves no choice."""
    if printer in _ALGEBRAIC:
        return {style.name: style.meaning for style in algebraic.styles().values()}
    if printer == "descriptive":
        return {style.name: style.meaning for style in descriptive.styles().values()}
    return {}


def form_named(name: str, style: str | None = None, language: str | None = None) -> Form:
    """The form of a name, alias, BCP 47 tag or language. Raises UnknownForm.

    `language`: other letters for the men than the form's own, for the forms that have an alphabet.
    """
    row = _named().get(name.strip().casefold())
    if row is None:
        raise _unknown("form", name, tuple(row["name"] for row in forms()), tuple(_named()))
    known = styles_of(row["printer"])
    if style is not None and style not in known:
        raise _unknown(f"style of {row['name']}", style, tuple(known), tuple(known))
    chosen = style or row["style"] or None
    if row["printer"] == "descriptive":
        words = descriptive.styles()[chosen or "n"]
        return Form(row["name"], row["printer"], chosen, None, descriptive.printer(words), frozenset(words.men.values()))
    if not row["alphabet"]:
        if language is not None:
            raise _unknown(f"language of {row['name']}", language, (), ())
        return Form(row["name"], row["printer"], None, None, _SQUARES[row["printer"]])
    letters = _alphabet(language or row["alphabet"])
    write = algebraic.printer(letters, algebraic.styles()[chosen or _DEFAULT_STYLE], is_colored=row["printer"] == "colored")
    return Form(row["name"], row["printer"], chosen, letters.bcp47, write, frozenset(letters.letters))


@cache
def _named() -> Mapping[str, tables.Row]:
    """Every name, case-folded: names before aliases; a language without its script means the first that has it."""
    found: dict[str, tables.Row] = {row["name"].casefold(): row for row in forms()}
    for row in forms():
        for alias in filter(None, row["aliases"].split(";")):
            found.setdefault(alias.casefold(), row)
    for row in forms():
        if row["alphabet"]:
            found.setdefault(row["name"].split("-")[0].casefold(), row)
    return found


def _alphabet(name: str) -> Alphabet:
    row = _named().get(name.strip().casefold())
    if row is None or not row["alphabet"]:
        known = tuple(row["name"] for row in forms() if row["alphabet"])
        raise _unknown("language", name, known, tuple(key for key, row in _named().items() if row["alphabet"]))
    return next(a for a in tables.alphabets() if a.name == row["alphabet"])


def _unknown(kind: str, given: str, known: tuple[str, ...], keys: tuple[str, ...]) -> UnknownForm:
    near = difflib.get_close_matches(given.strip().casefold(), keys, 3, 0.6)
    names = (_named()[key]["name"] if key in _named() else key for key in near)
    return UnknownForm(kind, given, known, tuple(dict.fromkeys(names)))
