"""Programs that hold scores in their strings: one view for each string, however many literals it is written in."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass, field

from pipeline.markup import literals
from pipeline.markup.literals import Piece
from pipeline.markup.view import View, Writer

_JOINS = re.compile(r"\s*[+.\\]?\s*")
"""Code between two literals that are one string."""
_JOINS_VALUE = re.compile(r"\s*[+.][^,;]*[+.]\s*")
"""Code between two literals of one string with a value between them, its arguments in brackets left out."""
_ARGUMENTS = re.compile(r"\([^()]*\)")
_GROWS = re.compile(r"(?<![\w$])([\w$]+)\s*[+.]=\s*$")
_SET = re.compile(r"(?<![\w$])([\w$]+)\s*[+.]?=\s*$")
_PAGE = "<page>"
"""Stands for the variable of the text around PHP's code, which goes on behind it."""
TEXT = re.compile(r"\S\s+\S|^\s*[<&]|\d\s?\.\S|^\s*(?:1-0|0-1|1/2-1/2|½-½)\s*$")
"""What reads as text: words, markup, a numbered move, a result. All else is a name, a key or a selector."""
SCORE = re.compile(r"(?<!\d)1\s?\.\s?(?:…|\.\.)?\s?\S|\[\w+\s+\\?\"|[-x:][a-h][1-8]")
"""What a string with a score is likely to hold: a first move, a tag pair, a move of two squares."""


@dataclass(slots=True)
class _String:
    """A string: its literals, the comments before it, the variable that it was given to."""

    parts: list[Piece]
    comments: list[Piece] = field(default_factory=list)
    variable: str = ""
    code: str = ""
    """Code between this and the string before it."""


def view(text: str) -> list[View]:
    """Views of the strings, in order, those left out that are no text; a comment stands as lines before its string."""
    return [_written(text, string) for string in _strings(text)]


def _strings(text: str) -> list[_String]:
    found: list[_String] = []
    comments: list[Piece] = []
    code = ""
    for string in _concatenated(text):
        code, comments = code + string.code, comments + string.comments
        if not TEXT.search(_joined(text, string.parts)):
            code += "''"
            continue
        before = found[-1] if found else None
        grows = _GROWS.search(code)
        is_page = string.parts[0].kind == "page"
        if before and (_has_value(code) or (grows and grows[1] == before.variable) or (is_page and before.variable == _PAGE)):
            before.parts += string.parts
        else:
            given = _SET.search(code)
            found.append(_String(string.parts, comments, _PAGE if is_page else given[1] if given else "", code))
        code, comments = "", []
    return found


def _has_value(code: str) -> bool:
    return bool(_JOINS_VALUE.fullmatch(_ARGUMENTS.sub("", code)))


def _concatenated(text: str) -> list[_String]:
    """Literals that stand side by side or are joined by a sign, as one."""
    found: list[_String] = []
    comments: list[Piece] = []
    code = ""
    for piece in literals.pieces(text):
        if piece.kind == "code":
            code += text[piece.start : piece.end]
        elif piece.kind == "comment":
            comments.append(piece)
        else:
            if found and piece.kind == found[-1].parts[0].kind and _JOINS.fullmatch(code):
                found[-1].parts.append(piece)
            else:
                found.append(_String([piece], comments, code=code))
            code, comments = "", []
    return found


def _joined(text: str, parts: Sequence[Piece]) -> str:
    """What is written in literals, not decoded."""
    return "".join(text[part.start : part.end] for part in parts)


def _written(text: str, string: _String) -> View:
    out = Writer(text)
    for comment in string.comments:
        for start, end in literals.comment_lines(text, comment):
            out.copy(start, end)
            out.line_break(1, end, end + 1)
    first, before = True, 0
    for part in string.parts:
        if first and string.comments:
            out.line_break(2, part.start - 1, part.start)
        elif not first and not _JOINS.fullmatch(text[before + 1 : part.start - 1]):
            out.put(" ", before, part.start)
        literals.write(out, part)
        first, before = False, part.end
    return out.view()
