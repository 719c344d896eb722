"""Texts in markup and program code, as their reader sees them, every character traced back to the text that was given.

The formats are known by their content. Each is a module of its own that knows no chess but what its format says of it.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Final

from pipeline.markup import html, json_strings, markdown, recognise, rtf, source, tex
from pipeline.markup.view import View

_DEPTH = 3
"""Markup in markup that is read: JSON in a script of a page in a string of a program."""


def views(text: str) -> list[View]:
    """What a reader sees of a text, disjoint and in order. Empty: the text is plain, or PGN, and is read as it is."""
    return _read(text, recognise.recognise(text), _DEPTH)


def _read(text: str, form: str | None, depth: int) -> list[View]:
    if form is None or not depth:
        return []
    found = _FORMS[form](text, depth)
    return [view for view in found if view.text and not view.text.isspace()]


def _html(text: str, depth: int) -> list[View]:
    return [html.view(text, lambda script: _script(script, depth - 1))]


def _script(text: str, depth: int) -> list[View]:
    """Strings of a script that look like scores: all else in it is no text."""
    form = "json" if recognise.recognise(text) == "json" else "source"
    return [view for view in _read(text, form, depth) if source.SCORE.search(view.text)]


def _source(text: str, depth: int) -> list[View]:
    found = source.view(text)
    if not any(source.SCORE.search(view.text) for view in found):
        return []
    is_html = recognise.is_html("\n".join(view.text for view in found))
    return [inner for view in found for inner in _inside(view, depth - 1, is_html=is_html)]


def _json(text: str, depth: int) -> list[View]:
    found = json_strings.view(text)
    return [inner for view in found for inner in _inside(view, depth - 1, is_html=recognise.is_html(view.text))]


def _inside(view: View, depth: int, *, is_html: bool) -> list[View]:
    """A string, or what a reader sees of the markup that it holds."""
    form = "json" if recognise.recognise(view.text) == "json" else "html" if is_html else None
    return [inner.through(view) for inner in _read(view.text, form, depth)] or [view]


_FORMS: Final[Mapping[str, Callable[[str, int], list[View]]]] = {
    "html": _html,
    "json": _json,
    "source": _source,
    "tex": lambda text, _: tex.view(text),
    "rtf": lambda text, _: rtf.view(text),
    "markdown": lambda text, _: markdown.view(text),
}

FORMATS: Final = tuple(_FORMS)
"""Names of the formats that are known."""

__all__ = ["FORMATS", "View", "views"]
