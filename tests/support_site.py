"""Reads the pages of a site as a browser would, as far as laws need it."""

from __future__ import annotations

import re
from dataclasses import dataclass, field
from html.parser import HTMLParser
from pathlib import Path

INLINE = {"a", "abbr", "span", "code"}
"""Elements between which no blank is seen."""


@dataclass
class Page(HTMLParser):
    """A page: its elements in order, where its attributes point, and its text."""

    path: Path
    elements: list[tuple[str, dict[str, str | None]]] = field(default_factory=list)
    text: str = ""

    def __post_init__(self) -> None:
        super().__init__(convert_charrefs=True)
        self.source = self.path.read_text("utf-8")
        self.feed(self.source)
        self.close()

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.elements.append((tag, dict(attrs)))
        self.text += "" if tag in INLINE else " "

    def handle_data(self, data: str) -> None:
        self.text += data

    def all(self, tag: str) -> list[dict[str, str | None]]:
        """Attributes of all elements of a name."""
        return [attributes for name, attributes in self.elements if name == tag]

    def values(self, attribute: str) -> list[str]:
        """All values of an attribute."""
        return [value for _, attributes in self.elements if (value := attributes.get(attribute)) is not None]

    def links(self) -> list[str]:
        """Everything that the page asks for or leads to."""
        return [*self.values("href"), *self.values("src"), *self.values("xlink:href"), *self.values("srcset")]

    def words(self) -> str:
        """The text with single blanks."""
        return re.sub(r"\s+", " ", self.text)


def pages(folder: Path) -> dict[str, Page]:
    """All pages by their path from the folder."""
    return {path.relative_to(folder).as_posix(): Page(path) for path in sorted(folder.rglob("*.html"))}


def content(folder: Path) -> dict[str, bytes]:
    """All files by their path from the folder."""
    return {path.relative_to(folder).as_posix(): path.read_bytes() for path in folder.rglob("*") if path.is_file()}
