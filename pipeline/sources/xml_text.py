"""XML of office programs and e-books → lines of text: paragraphs are lines, cells of a table row stand between tabs.

Nothing is fetched and no entity is expanded: a document that declares entities of its own is refused (they make XML bombs).
Time is linear and what is kept is text only, so a document takes no more memory than its XML.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from xml.parsers import expat

from pipeline.sources.archives import Damaged
from pipeline.sources.limits import LimitExceeded

BLANKS = re.compile(r"[ \t\r\n]+")
"""White space of XML, which formats for reading take for one blank."""
_SQUARE = re.compile(r"x?[a-h]?x?[a-h][1-8]")
_UNKNOWN_MAN = "\ufffc"
"""Stands for a picture just before a square: a man that nobody names. The move must not be read as a pawn's."""
Start = Callable[[str, "Attributes"], None]
"""Called with the local name of an element that begins: `p` of `w:p`."""
Attributes = dict[str, str]
"""Attributes of an element by their local names."""


def parse(data: bytes, name: str, start: Start, end: Callable[[str], None], text: Callable[[str], None],
          entity: Callable[[str], None] | None = None) -> None:  # fmt: skip
    """Calls back for each element, piece of text, and (with `entity`) name of an entity that only a DTD elsewhere knows.

    `name` is the part's, for errors. Raises Damaged.
    """
    parser = expat.ParserCreate(namespace_separator=" ")
    parser.buffer_text = True
    parser.StartElementHandler = lambda tag, attributes: start(_local(tag), {_local(k): v for k, v in attributes.items()})
    parser.EndElementHandler = lambda tag: end(_local(tag))
    parser.CharacterDataHandler = text

    def refuse(entity_name: str, *_: object) -> None:
        raise Damaged(f"{name}: declares the entity {entity_name[:40]}, which no document needs")

    parser.EntityDeclHandler = refuse
    if entity is not None:
        parser.UseForeignDTD(True)
        parser.SkippedEntityHandler = lambda entity_name, is_parameter: None if is_parameter else entity(entity_name)
    try:
        parser.Parse(data, True)
    except (expat.ExpatError, ValueError, LookupError) as error:  # the latter: an encoding that is not known
        raise Damaged(f"{name}: {error}") from error


def ignore(_: str) -> None:
    """For what a caller of `parse` does not want to know."""


def _local(tag: str) -> str:
    return tag.rpartition(" ")[2]


MOST_CELLS = 64
"""Word itself nests tables 63 deep at most."""


class Lines:
    """Gathers text as lines. Paragraphs and tables may stand inside one another, as text boxes and nested tables do."""

    def __init__(self) -> None:
        self._paragraphs: list[list[str]] = [[]]
        """Open paragraphs, innermost last; the first of a document or cell is for text outside of paragraphs."""
        self._blocks: list[list[str]] = [[]]
        """Lines of the document and of the open cells, innermost last."""
        self._rows: list[list[list[str]]] = []
        """Cells of the open rows, innermost last."""
        self._is_behind_picture = False

    def add(self, text: str) -> None:
        """Adds to the innermost open paragraph."""
        if text and self._is_behind_picture:
            self._is_behind_picture = False
            if _SQUARE.match(text):
                self._paragraphs[-1].append(_UNKNOWN_MAN)
        self._paragraphs[-1].append(text)

    def add_picture(self) -> None:
        """A picture stands here, of a man maybe."""
        self._is_behind_picture = True

    def start_paragraph(self) -> None:
        """What follows is another paragraph, maybe inside an open one."""
        self._is_behind_picture = False
        self._paragraphs.append([])

    def end_paragraph(self) -> None:
        """The innermost paragraph becomes lines."""
        self._is_behind_picture = False
        self._blocks[-1].extend("".join(self._paragraphs.pop()).split("\n"))

    def end_line(self) -> None:
        """What was added since the last line is a line, unless blank: for formats in which any element may end one."""
        self._is_behind_picture = False
        line = "".join(self._paragraphs[-1]).strip(" ")
        self._paragraphs[-1].clear()
        if line:
            self._blocks[-1].extend(line.split("\n"))

    def start_row(self) -> None:
        """A row of a table begins."""
        self._rows.append([])

    def start_cell(self) -> None:
        """A cell begins. Raises LimitExceeded: each level hands its lines on, so that time is linear for a fixed depth only."""
        if len(self._blocks) > MOST_CELLS:
            raise LimitExceeded(f"tables inside {MOST_CELLS} tables")
        self._blocks.append([])
        self._paragraphs.append([])

    def end_cell(self) -> None:
        """A cell ends."""
        self.end_line()
        self._paragraphs.pop()
        lines = [line for line in self._blocks.pop() if line.strip()]
        if self._rows:
            self._rows[-1].append(lines)
        else:
            self._blocks[-1].extend(lines)

    def end_row(self) -> None:
        """A row of single lines is one line; else its cells stand one after the other, as columns of a page do."""
        cells = self._rows.pop()
        if all(len(cell) <= 1 for cell in cells):
            self._blocks[-1].append("\t".join("".join(cell) for cell in cells))
            return
        for cell in cells:
            self._blocks[-1].extend(cell)
            self._blocks[-1].append("")

    def text(self) -> str:
        """All lines."""
        self.end_line()
        return "".join(f"{line}\n" for line in self._blocks[0])
