"""DOCX (ECMA-376 part 1, WordprocessingML) and ODT (OpenDocument 1.3 part 3) → text.

Paragraphs are lines. Left out: what tracked changes deleted or moved away, hidden text of a DOCX, comments, codes of fields,
numbers of lists that the program computes. Footnotes of a DOCX follow its text; those of an ODT stand before the paragraph that
they are noted in.
"""

from __future__ import annotations

import posixpath

from pipeline.sources.archives import Encrypted
from pipeline.sources.limits import Limits
from pipeline.sources.xml_text import BLANKS, Attributes, Lines, ignore, parse
from pipeline.sources.zips import ZipParts

_MOST_SPACES = 100
"""`text:s` may ask for any number of spaces in a few bytes."""


def docx_text(data: bytes, limits: Limits) -> str:
    """The text of a DOCX. Raises Damaged, Encrypted, LimitExceeded."""
    parts = ZipParts(data, limits)
    main = _main_part(parts)
    folder = posixpath.dirname(main)
    notes = [posixpath.join(folder, name) for name in ("footnotes.xml", "endnotes.xml")]
    return "".join(_docx_part(parts.read(name), name) for name in (main, *notes) if name == main or name in parts)


def _main_part(parts: ZipParts) -> str:
    """The part that holds the text: the relationships of the package name it (ECMA-376 part 2, 9.3)."""
    found: list[str] = []

    def start(tag: str, attributes: Attributes) -> None:
        if tag == "Relationship" and attributes.get("Type", "").endswith("/officeDocument"):
            found.append(attributes.get("Target", "").lstrip("/"))

    if "_rels/.rels" in parts:
        parse(parts.read("_rels/.rels"), "_rels/.rels", start, ignore, ignore)
    return found[0] if found and found[0] in parts else "word/document.xml"


_DOCX_SKIPPED = frozenset({"moveFrom", "Fallback", "del"})
"""Moved away; the second form of a drawing, whose text stands in its first form; deleted."""


_OFF = frozenset({"0", "false", "off"})
"""Values of a property that is switched off (ECMA-376 part 1, 22.9.2.7)."""
_PICTURES = frozenset({"drawing", "pict", "object"})


def _docx_part(data: bytes, name: str) -> str:
    lines = Lines()
    n_skipped = 0
    is_text = is_hidden = False

    def start(tag: str, attributes: Attributes) -> None:
        nonlocal n_skipped, is_text, is_hidden
        if n_skipped or tag in _DOCX_SKIPPED:
            n_skipped += 1
        elif tag == "t":
            is_text = True
        elif tag == "r":
            is_hidden = False
        elif tag == "vanish":  # of this run; before the first run of a paragraph, of the paragraph's mark
            is_hidden = attributes.get("val") not in _OFF
        elif tag in _PICTURES:
            lines.add_picture()
        elif tag == "p":
            lines.start_paragraph()
        elif tag == "tr":
            lines.start_row()
        elif tag == "tc":
            lines.start_cell()
        elif tag in ("br", "cr"):
            lines.add("\n")
        elif tag == "noBreakHyphen":
            lines.add("-")
        elif tag == "ptab" or (tag == "tab" and not attributes):  # a stop of a tabulator has attributes
            lines.add("\t")
        elif tag == "sym":
            lines.add(_symbol(attributes.get("char", "")))

    def end(tag: str) -> None:
        nonlocal n_skipped, is_text
        if n_skipped:
            n_skipped -= 1
        elif tag == "t":
            is_text = False
        elif tag == "p":
            lines.end_paragraph()
        elif tag == "tr":
            lines.end_row()
        elif tag == "tc":
            lines.end_cell()

    parse(data, name, start, end, lambda text: lines.add(text) if is_text and not (n_skipped or is_hidden) else None)
    return lines.text()


def _symbol(char: str) -> str:
    """A character of a symbol font, which may be shifted up by F000 hex (ECMA-376 part 1, 17.3.3.30): the unshifted one."""
    try:
        code = int(char, 16)
    except ValueError:
        return ""
    if 0xF020 <= code <= 0xF0FF:
        return bytes([code - 0xF000]).decode("cp1252", "replace")
    return chr(code) if 0x20 <= code < 0xD800 or 0xE000 <= code < 0x110000 else ""


_ODT_SKIPPED = frozenset({"tracked-changes", "annotation", "note-citation", "desc", "title", "ruby-text", "sequence-decls"})


def odt_text(data: bytes, limits: Limits) -> str:
    """The text of an ODT. Raises Damaged, Encrypted, LimitExceeded."""
    parts = ZipParts(data, limits)
    manifest = "META-INF/manifest.xml"
    if manifest in parts and b":encryption-data" in parts.read(manifest):
        raise Encrypted("needs a password")
    lines = Lines()
    n_skipped = n_paragraphs = 0

    def start(tag: str, attributes: Attributes) -> None:
        nonlocal n_skipped, n_paragraphs
        if n_skipped or tag in _ODT_SKIPPED:
            n_skipped += 1
        elif tag in ("p", "h"):
            n_paragraphs += 1
            lines.start_paragraph()
        elif tag == "table-row":
            lines.start_row()
        elif tag == "table-cell":
            lines.start_cell()
        elif tag == "s":
            count = attributes.get("c", "1")
            lines.add(" " * min(int(count) if count.isdecimal() and len(count) < 9 else 1, _MOST_SPACES))
        elif tag == "frame":
            lines.add_picture()
        elif tag == "tab":
            lines.add("\t")
        elif tag == "line-break":
            lines.add("\n")

    def end(tag: str) -> None:
        nonlocal n_skipped, n_paragraphs
        if n_skipped:
            n_skipped -= 1
        elif tag in ("p", "h"):
            n_paragraphs -= 1
            lines.end_paragraph()
        elif tag == "table-row":
            lines.end_row()
        elif tag == "table-cell":
            lines.end_cell()

    def text(piece: str) -> None:
        if n_paragraphs and not n_skipped:
            lines.add(BLANKS.sub(" ", piece))  # OpenDocument 1.3 part 3, 6.1.2: blanks collapse

    parse(parts.read("content.xml"), "content.xml", start, end, text)
    return lines.text()
