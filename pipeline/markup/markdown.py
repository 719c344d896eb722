"""Markdown → the text: emphasis, links, fences, rules of tables and escapes without signs. Stars and lines of a score stay."""

from __future__ import annotations

import re

from pipeline.markup.view import View, Writer

_TOKEN = re.compile(
    r"^(?P<fence>[ ]{0,3}(?:```|~~~)[^\n]*)"
    r"|^[ ]{0,3}(?P<heading>#{1,6})[ ]"
    r"|(?P<strong>(?<![*\w])(?P<stars>\*\*\*|\*\*)(?=[^\s*])(?P<inside>[^*\n]{1,400})(?<=\S)(?P=stars)(?!\*))"
    r"|(?P<link>!?\[(?P<label>[^\[\]\n]{1,200})\]\([^()\s]{1,300}\))"
    r"|(?P<rule>^[ ]{0,3}\|?(?:\s?:?-{3,}:?\s?\|)+[ :-]*$)"
    r"|\\(?P<escaped>[\\.\-+*_#!()\[\]{}<>|`])",
    re.MULTILINE,
)


def view(text: str) -> list[View]:
    """What a reader sees of a text."""
    out, at = Writer(text), 0
    while token := _TOKEN.search(text, at):
        start, end = token.span()
        out.copy(at, start)
        at = end
        if token["strong"]:
            out.copy(*token.span("inside"))
        elif token["link"]:
            out.copy(*token.span("label"))
        elif token["escaped"]:
            out.put(token["escaped"], start, end)
    out.copy(at, len(text))
    return [out.view()]
