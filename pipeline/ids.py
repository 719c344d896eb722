"""Ids and their formulas: 32 hex digits, each a prefix of a SHA-256 of what identifies the thing (docs/rules.md §1)."""

from __future__ import annotations

from hashlib import sha256

_DIGITS = 32
_HEXADECIMAL = frozenset("0123456789abcdef")


def may_begin_id(text: str) -> bool:
    """Whether an id may begin with the text."""
    return 0 < len(text) <= _DIGITS and not set(text) - _HEXADECIMAL


def source_id(data: bytes) -> str:
    """Of a source: its bytes."""
    return sha256(data).hexdigest()[:_DIGITS]


def game_id(source: str, byte_start: int) -> str:
    """Of a game: `source_id:byte_start`."""
    return sha256(f"{source}:{byte_start}".encode()).hexdigest()[:_DIGITS]


def text_id(span: bytes | memoryview) -> str:
    """Of a written game: the bytes of its span, so that it survives appends to its source."""
    return sha256(span).hexdigest()[:_DIGITS]


def line_id(start_fen: str | None, movetext: str) -> str:
    """Of a line of moves: start position (empty = initial), line feed, canonical SAN with single blanks."""
    return sha256(f"{start_fen or ''}\n{movetext}".encode()).hexdigest()[:_DIGITS]


def issue_id(source: str, byte_offset: int | None, code: str, ordinal: int) -> str:
    """Of an issue: source, place, code, and how many of that code came before it in the source's part."""
    return sha256(f"{source}:{byte_offset}:{code}:{ordinal}".encode()).hexdigest()[:_DIGITS]


def quarantine_id(source: str, byte_start: int) -> str:
    """Of a quarantined span."""
    return sha256(f"quarantine:{source}:{byte_start}".encode()).hexdigest()[:_DIGITS]


def published_id(source: str, byte_start: int, byte_end: int) -> str:
    """Of a score that stands in a text."""
    return sha256(f"published:{source}:{byte_start}:{byte_end}".encode()).hexdigest()[:_DIGITS]
