"""PDF → its text layer, page by page, in the order in which the page was set: columns come one after the other.

pypdf does it, an optional extra: plain Python, so that a bad file raises where a native library could take the process along.
"""

from __future__ import annotations

import io
import logging

from pipeline.sources.archives import Damaged, Encrypted
from pipeline.sources.limits import LimitExceeded, Limits

Fault = tuple[int, str]
"""(character of the text, what is wrong there)."""


def pdf_text(data: bytes, limits: Limits) -> tuple[str, list[Fault]]:
    """The text of a PDF and the pages that could not be read. Raises ImportError without pypdf, Damaged, Encrypted,
    LimitExceeded."""
    import pypdf  # an extra, and slow to load

    logging.getLogger("pypdf").setLevel(logging.CRITICAL)  # it tells on stderr what it forgives
    try:
        reader = pypdf.PdfReader(io.BytesIO(data))
        if reader.is_encrypted and not _opens_without_password(reader):
            raise Encrypted("needs a password")
        n_pages = len(reader.pages)
    except (Encrypted, MemoryError):
        raise
    except Exception as error:
        raise Damaged(_told(error)) from error
    if n_pages > limits.n_pages:
        raise LimitExceeded(f"more than {limits.n_pages:,} pages")
    pages: list[str] = []
    faults: list[Fault] = []
    n_chars = 0
    for number in range(n_pages):
        try:
            text = reader.pages[number].extract_text()
        except MemoryError:
            raise
        except Exception as error:  # noqa: BLE001 - whatever a broken page makes it raise
            faults.append((n_chars, f"page {number + 1}: {_told(error)}"))
            continue
        pages.append(text + "\n")
        n_chars += len(text) + 1
        if n_chars > limits.member_bytes:
            raise LimitExceeded(f"more than {limits.member_bytes:,} characters of text")
    if faults and not pages:
        raise Damaged(faults[0][1])
    return "".join(pages), faults


def _opens_without_password(reader: object) -> bool:
    """True when only changes are forbidden: such files have an empty user password (ISO 32000-1, 7.6.3.1)."""
    import pypdf
    from pypdf.errors import DependencyError

    assert isinstance(reader, pypdf.PdfReader)
    try:
        return bool(reader.decrypt(""))
    except DependencyError as error:
        raise Encrypted(f"encrypted, and {_told(error)}") from error


def _told(error: Exception) -> str:
    """An exception in one short line."""
    return " ".join(f"{error}".split())[:200] or type(error).__name__
