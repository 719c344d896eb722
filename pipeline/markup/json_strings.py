"""JSON → its strings, each for itself: the values that read as text, their escapes decoded. Keys and names are left out."""

from __future__ import annotations

import re

from pipeline.markup import literals
from pipeline.markup.literals import Piece
from pipeline.markup.source import TEXT
from pipeline.markup.view import View, Writer

_VALUE = re.compile(r'"(?P<inside>[^"\\]*(?:\\.[^"\\]*)*)"(?P<key>\s*:)?', re.DOTALL)


def view(text: str) -> list[View]:
    """Views of the strings of a JSON text (RFC 8259), in order."""
    found = []
    for value in _VALUE.finditer(text):
        if value["key"] is None and TEXT.search(value["inside"].replace("\\n", "\n")):
            out = Writer(text)
            literals.write(out, Piece("text", value.start("inside"), value.end("inside"), "\\"))
            found.append(out.view())
    return found
