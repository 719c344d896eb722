"""What a file is, by its first bytes: a container that can be opened, a binary format, or text."""

from __future__ import annotations

import re
import tarfile
from dataclasses import dataclass

import numpy as np

_CONTAINERS: tuple[tuple[bytes, str], ...] = (
    (rb"\x1f\x8b\x08", "gz"),  # RFC 1952
    (rb"BZh[1-9](?:1AY&SY|\x17\x72\x45\x38\x50\x90)", "bz2"),
    (rb"\xfd7zXZ\x00", "xz"),
    (rb"\x28\xb5\x2f\xfd|[\x50-\x5f]\x2a\x4d\x18", "zst"),  # RFC 8878: a frame, a skippable frame
    (rb"PK(?:\x03\x04|\x05\x06|\x07\x08PK)", "zip"),
    (rb"7z\xbc\xaf\x27\x1c", "7z"),
)
_CONTAINER_PATTERNS = tuple((re.compile(mark, re.DOTALL), kind) for mark, kind in _CONTAINERS)
_CONTAINER_ENDINGS = (".gz", ".tgz", ".bz2", ".tbz2", ".xz", ".txz", ".zst", ".zip", ".tar", ".7z", ".lzma")

_OLE = b"\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1"
_ENCRYPTED_PACKAGE = "EncryptedPackage".encode("utf-16-le")
"""Name of the stream that holds an encrypted OOXML document ([MS-OFFCRYPTO] 2.3.4.4)."""
_BINARIES: tuple[tuple[bytes, str], ...] = (
    (b"%PDF-", "PDF document"),
    (b"\x89PNG", "image"),
    (b"\xff\xd8\xff", "image"),
    (b"GIF8", "image"),
    (b"Rar!\x1a\x07", "rar archive, which is not opened"),
    (b"MSCF\0", "cab archive, which is not opened"),
    (b"LZIP\x01", "lzip file, which is not opened"),
    (b"\x04\x22\x4d\x18", "lz4 file, which is not opened"),
    (b"\x1f\x9d", "compress (.Z) file, which is not opened"),
    (_OLE, "Office document of 1997–2003"),
    (b"SQLite format 3\0", "SQLite database"),
    (b"PAR1", "Parquet file"),
    (b"Scid.si\0", "Scid database index"),
    (b"\x7fELF", "program"),
)

TRAILING_FILL = b"\0\x1a"
"""What DOS programs and power losses leave at the end of a text file."""
_CONTROL_SHARE = 0.02
_CONTROLS = np.zeros(256, dtype=bool)
_CONTROLS[[c for c in range(32) if c not in b"\t\n\v\f\r\x1a\x1b"]] = True
_CONTROLS[0x7F] = True
CHECKED_BYTES = 1 << 20


@dataclass(frozen=True, slots=True)
class BinaryReason:
    """Why a file is no text. `is_broken_container`: its name says container, its bytes do not. `is_encrypted`: a document of an
    office program with a password."""

    detail: str
    is_broken_container: bool = False
    is_encrypted: bool = False


def container_kind(head: bytes, name: str) -> str | None:
    """gz, bz2, xz, zst, lzma, zip, 7z or tar by the first bytes (at least 512); None = no container.

    Only lzma has no mark of its own: its name decides.
    """
    for pattern, kind in _CONTAINER_PATTERNS:
        if pattern.match(head):
            return kind
    if is_tar(head):
        return "tar"
    if head.startswith(b"\x5d\0\0") and name.lower().endswith((".lzma", ".tlz")):
        return "lzma"
    return None


def is_tar(head: bytes) -> bool:
    """True when the first block is a tar header: its checksum fits (POSIX.1-1988), which no text does."""
    if len(head) < 512 or not head[0]:
        return False
    try:
        tarfile.TarInfo.frombuf(head[:512], "utf-8", "surrogateescape")
    except (tarfile.TarError, ValueError):
        return False
    return True


def binary_reason(data: bytes, name: str = "") -> BinaryReason | None:
    """Why the bytes are no text; None = they are text, in whatever encoding. Looks at the first and last MiB."""
    for mark, detail in _BINARIES:
        if data.startswith(mark):
            if mark == _OLE and _ENCRYPTED_PACKAGE in data:
                return BinaryReason("Office document with a password", is_encrypted=True)
            return BinaryReason(detail)
    if wide_encoding(data) is not None:
        return None
    size = len(data)
    text = data if size <= 2 * CHECKED_BYTES else data[:CHECKED_BYTES] + data[-CHECKED_BYTES:]
    text = text.rstrip(TRAILING_FILL)
    n_controls = int(np.count_nonzero(_CONTROLS[np.frombuffer(text, dtype=np.uint8)]))
    if n_controls <= 2 + _CONTROL_SHARE * len(text):
        if not text and size and not data.strip(TRAILING_FILL):
            return BinaryReason("nothing but fill bytes")
        return None
    if name.lower().endswith(_CONTAINER_ENDINGS):
        return BinaryReason("named like a container, but it does not begin like one", is_broken_container=True)
    return BinaryReason("control characters")


_BOMS = (
    (b"\xff\xfe\0\0", "utf-32-le"),
    (b"\0\0\xfe\xff", "utf-32-be"),
    (b"\xff\xfe", "utf-16-le"),
    (b"\xfe\xff", "utf-16-be"),
    (b"\xef\xbb\xbf", "utf-8"),
)


def byte_order_mark(data: bytes) -> tuple[str, int] | None:
    """(encoding, length of the mark) when the bytes begin with a byte order mark (Unicode standard, 23.8)."""
    for mark, encoding in _BOMS:
        if data.startswith(mark):
            return encoding, len(mark)
    return None


def wide_encoding(data: bytes) -> str | None:
    """utf-16-le/be or utf-32-le/be when a byte order mark or the places of the NULs say so, else None.

    Chess text in any language is full of ASCII (digits, files, blanks), whose high bytes are 0 in these encodings.
    """
    mark = byte_order_mark(data)
    if mark is not None:
        return None if mark[0] == "utf-8" else mark[0]
    sample = np.frombuffer(data[:_WIDE_SAMPLE_BYTES], dtype=np.uint8)
    sample = sample[: len(sample) - len(sample) % 4]
    if len(sample) < 4 or sample.all():
        return None
    zeros = (sample.reshape(-1, 4) == 0).mean(axis=0)
    if zeros[2:].min() > 0.98 and zeros[0] < 0.1:
        return "utf-32-le"
    if zeros[:2].min() > 0.98 and zeros[3] < 0.1:
        return "utf-32-be"
    for first, encoding in ((0, "utf-16-le"), (1, "utf-16-be")):
        low, high = sample[first::2], sample[1 - first :: 2]
        is_ascii = high == 0
        n_blank = np.count_nonzero(is_ascii & ((low == 0x20) | (low == 0x0A) | (low == 0x0D)))
        n_odd = np.count_nonzero(_CONTROLS[low[is_ascii]]) + np.count_nonzero(~_USUAL_ROWS[high])
        if is_ascii.mean() >= _LEAST_ASCII and n_blank >= _LEAST_BLANK * len(low) and n_odd <= _CONTROL_SHARE * len(low):
            return encoding
    return None


_WIDE_SAMPLE_BYTES = 1 << 14
_LEAST_ASCII = 0.1
"""Share of ASCII in UTF-16 text of any script: blanks, digits, squares."""
_LEAST_BLANK = 0.01
_USUAL_ROWS = np.zeros(256, dtype=bool)
"""High bytes of alphabets, punctuation, arrows, chess symbols."""
_USUAL_ROWS[[*range(0x07), 0x1E, *range(0x20, 0x24), 0x25, 0x26, 0x27, 0x29, 0x2B, 0xFE]] = True
