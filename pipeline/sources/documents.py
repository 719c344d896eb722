"""A document (DOCX, ODT, EPUB, PDF) → the text that stands for it: byte ranges of its source are counted in that text.

Recognised by content. Formats that are known but not read (ChessBase, Scid) are answered here too, with what to do about them.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from importlib import metadata
from typing import Literal

from pipeline.sources.archives import Damaged, Encrypted
from pipeline.sources.epubs import epub_text
from pipeline.sources.limits import DOCUMENT_LIMITS, LimitExceeded, Limits
from pipeline.sources.office import docx_text, odt_text
from pipeline.sources.pdfs import Fault, pdf_text

DocumentStatus = Literal["ok", "container_corrupt", "container_encrypted", "limit_exceeded", "binary"]

_OWN = {"docx": docx_text, "odt": odt_text, "epub": epub_text}
KINDS = (*_OWN, "pdf")
"""Documents whose text is read."""
_OWN_VERSION = 2
"""Raised when one of our own extractors gives other text than before: sources that the former one read are then read again."""
_UNREAD: tuple[tuple[bytes, str, str, str], ...] = (
    (rb"\0\0[\x24\x2c]\0\x2e\x01", "", "ChessBase database", "it is not read: export it from ChessBase as PGN"),
    (rb"\x08\0", ".cbv", "ChessBase archive", "it is not read: export it from ChessBase as PGN"),
    (rb"Scid\.s[iu]\0", "", "Scid database index", "it is not read: export it from Scid as PGN"),
)
"""(first bytes, ending of the name where those are weak, what it is, what to do). CBH: the size of its header, 36 or 44, and of
its records, 46 (Morphy, docs/games.md)."""
_UNREAD_PATTERNS = tuple((re.compile(mark, re.DOTALL), ending, what, remedy) for mark, ending, what, remedy in _UNREAD)
_WEAKEST = ".cbv"
"""A name that every row is open for: the real one was looked at when the file was recognised."""
_PDF = b"%PDF-"
_PDF_PACKAGE = "pypdf"
_CONTROLS = dict.fromkeys((*range(9), 11, *range(14, 32), 127), " ") | {12: "\n", 13: "\n"}
_MISSING = "its text is read by an optional part: pip install 'notatio[documents]', then ingest again"


@dataclass(frozen=True, slots=True)
class Extracted:
    """What became of a document. `text` (UTF-8) is None unless `status` is `ok`."""

    status: DocumentStatus
    text: bytes | None = None
    extractor: str | None = None
    """Name and version of what read it, or tried to; None when nothing here can."""
    code: str | None = None
    """Issue code when `status` does not say all."""
    detail: str | None = None
    faults: tuple[Fault, ...] = ()
    """What is missing from the text: (character, what)."""


def document_kind(head: bytes, name: str) -> str | None:
    """`pdf`, or `unread` for a known format that is not read; None = neither. Documents in zips: `zips.zip_document`."""
    if head.startswith(_PDF):
        return "pdf"
    return "unread" if _unread(head, name) else None


def document_detail(head: bytes, name: str) -> str | None:
    """What a file of a known format that is not read is, and what to do about it."""
    found = _unread(head, name)
    return f"{found[0]}; {found[1]}" if found else None


def _unread(head: bytes, name: str) -> tuple[str, str] | None:
    for pattern, ending, what, remedy in _UNREAD_PATTERNS:
        if pattern.match(head) and name.lower().endswith(ending):
            return what, remedy
    return None


def extractor(kind: str) -> str | None:
    """Name and version of what reads documents of a kind here; None when it is not installed or does not exist."""
    if kind in _OWN:
        return f"notatio-{kind} {_OWN_VERSION}"
    if kind != "pdf":
        return None
    try:
        return f"{_PDF_PACKAGE} {metadata.version(_PDF_PACKAGE)}"
    except metadata.PackageNotFoundError:
        return None


def extract(kind: str, data: bytes, *, limits: Limits = DOCUMENT_LIMITS) -> Extracted:
    """The text of a document of a kind. Never raises for bad input."""
    name = extractor(kind)
    if kind == "unread":
        return Extracted("binary", code="format_unsupported", detail=document_detail(data, _WEAKEST))
    if name is None:
        return Extracted("binary", code="extractor_missing", detail=f"{kind.upper()} document; {_MISSING}")
    try:
        text, faults = (_OWN[kind](data, limits), []) if kind in _OWN else pdf_text(data, limits)
    except Encrypted as error:
        return Extracted("container_encrypted", extractor=name, detail=str(error))
    except LimitExceeded as error:
        return Extracted("limit_exceeded", extractor=name, detail=str(error))
    except Damaged as error:
        return Extracted("container_corrupt", extractor=name, detail=str(error))
    text = text.translate(_CONTROLS)
    code = None if text.strip() else "no_text"
    return Extracted("ok", text.encode("utf-8", "replace"), name, code, faults=tuple(faults))
