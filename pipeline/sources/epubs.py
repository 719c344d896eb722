"""EPUB (W3C EPUB 3.3, IDPF 2.0.1) → text: its chapters in the order of the spine, without markup.

Blocks are lines, cells of a table row stand between tabs. A picture with a text of one character, as books print figurines, is
that character. A chapter that is no XML, against the rule, loses its tags and keeps the rest.
"""

from __future__ import annotations

import html
import posixpath
import re
from functools import cache
from urllib.parse import unquote

from pipeline import tables
from pipeline.sources.archives import Damaged, Encrypted
from pipeline.sources.limits import LimitExceeded, Limits
from pipeline.sources.xml_text import BLANKS, Attributes, Lines, ignore, parse
from pipeline.sources.zips import ZipParts

_CONTAINER, _ENCRYPTION = "META-INF/container.xml", "META-INF/encryption.xml"
_TAG = re.compile(rb"<[^<>]*>")


@cache
def _skipped() -> frozenset[str]:
    """Elements whose text is not shown, or is struck out, or stands above other text."""
    return frozenset(row["name"] for row in tables.rows("html_tags") if row["effect"] == "hidden") | {"head", "rp", "rt"}


@cache
def _blocks() -> frozenset[str]:
    """Elements of XHTML that begin and end a line; rows of tables are put together here."""
    return frozenset(row["name"] for row in tables.rows("html_tags") if row["effect"] in {"line", "paragraph"}) - {"tr"}


def epub_text(data: bytes, limits: Limits) -> str:
    """The text of an EPUB. Raises Damaged, Encrypted, LimitExceeded."""
    parts = ZipParts(data, limits)
    package = _attribute(parts, _CONTAINER, "rootfile", "full-path")
    if not package:
        raise Damaged(f"{_CONTAINER} names no package document")
    locked = set(_attribute(parts, _ENCRYPTION, "CipherReference", "URI")) if _ENCRYPTION in parts else set()
    chapters, n_chars = [], 0
    for name in _spine(parts, package[0]):
        if name in locked:
            raise Encrypted(f"{name} is encrypted")
        text = _chapter(parts.read(name), name)
        n_chars += len(text)
        if n_chars > limits.total_bytes:
            raise LimitExceeded(f"more than {limits.total_bytes:,} characters of text")
        chapters.append(text)
    return "\n".join(chapters)


def _attribute(parts: ZipParts, part: str, element: str, attribute: str) -> list[str]:
    """Values of an attribute of all elements of a name."""
    found: list[str] = []

    def start(tag: str, attributes: Attributes) -> None:
        if tag == element and attribute in attributes:
            found.append(unquote(attributes[attribute]))

    parse(parts.read(part), part, start, ignore, ignore)
    return found


def _spine(parts: ZipParts, package: str) -> list[str]:
    """Names of the XHTML parts in reading order, each once."""
    items: dict[str, str] = {}
    order: list[str] = []

    def start(tag: str, attributes: Attributes) -> None:
        if tag == "item" and "html" in attributes.get("media-type", "html"):
            items[attributes.get("id", "")] = attributes.get("href", "")
        elif tag == "itemref":
            order.append(attributes.get("idref", ""))

    parse(parts.read(package), package, start, ignore, ignore)
    folder = posixpath.dirname(package)
    hrefs = (items[item].partition("#")[0] for item in order if item in items)
    return list(dict.fromkeys(posixpath.normpath(posixpath.join(folder, unquote(href))) for href in hrefs))


def _chapter(data: bytes, name: str) -> str:
    try:
        return _xhtml_text(data, name)
    except Damaged:
        return html.unescape(_TAG.sub(b"\n", data).decode("utf-8", "replace"))


def _xhtml_text(data: bytes, name: str) -> str:
    lines = Lines()
    n_skipped = n_pre = 0

    def start(tag: str, attributes: Attributes) -> None:
        nonlocal n_skipped, n_pre
        n_pre += tag == "pre"
        if n_skipped or tag in _skipped():
            n_skipped += 1
        elif tag in _blocks():
            lines.end_line()
        elif tag == "tr":
            lines.end_line()
            lines.start_row()
        elif tag in ("td", "th"):
            lines.start_cell()
        elif tag == "br":
            lines.end_line()
        elif tag == "img" and len(attributes.get("alt", "")) == 1:
            lines.add(attributes["alt"])
        elif tag in ("img", "image", "svg"):
            lines.add_picture()

    def end(tag: str) -> None:
        nonlocal n_skipped, n_pre
        n_pre -= tag == "pre"
        if n_skipped:
            n_skipped -= 1
        elif tag in _blocks():
            lines.end_line()
        elif tag == "tr":
            lines.end_row()
        elif tag in ("td", "th"):
            lines.end_cell()

    def text(piece: str) -> None:
        if not n_skipped:
            lines.add(piece if n_pre else BLANKS.sub(" ", piece))

    def entity(entity_name: str) -> None:
        text(html.unescape(f"&{entity_name};"))

    parse(data, name, start, end, text, entity)
    return lines.text()
