"""File names as text: every name that a disk can hold gets a readable, valid, reversible form.

A name on disk is bytes. Bytes that are no UTF-8 are written `\\xNN`; a backslash that would be taken for such an
escape is written `\\x5c`. So each reported path is valid Unicode (JSON, Arrow and SQL can hold it) and still opens
the file that it came from.
"""

from __future__ import annotations

import os
import re

_ESCAPE = re.compile(rb"\\x([0-9a-f]{2})")
_AMBIGUOUS = re.compile(r"\\(?=x[0-9a-f]{2})")


def reported(path: str | bytes | os.PathLike[str]) -> str:
    """The path as valid Unicode; `native` gives the path back."""
    raw = os.fsencode(path)
    try:
        text = raw.decode("utf-8")
    except UnicodeDecodeError:
        text = _AMBIGUOUS.sub(r"\\x5c", raw.decode("utf-8", "surrogateescape"))
        return "".join(f"\\x{ord(c) - 0xDC00:02x}" if "\udc80" <= c <= "\udcff" else c for c in text)
    return _AMBIGUOUS.sub(r"\\x5c", text) if "\\x" in text else text


def native(path: str) -> bytes:
    """The bytes on disk of a path that `reported` made."""
    raw = path.encode("utf-8", "surrogateescape")
    return _ESCAPE.sub(lambda m: bytes([int(m[1], 16)]), raw) if b"\\x" in raw else raw
