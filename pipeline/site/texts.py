"""Values of the lake as text of a page. Everything comes from score files and may be hostile, endless, or in any script."""

from __future__ import annotations

import math
import re
import unicodedata
from collections import Counter
from datetime import date
from decimal import Decimal
from functools import cache
from typing import Any

from markupsafe import Markup, escape

from pipeline import tables

MOST_CHARS = 20_000
"""Of one text on a page."""
MOST_NAME_CHARS = 160
"""Of a text in a cell, a heading or a link."""
_LETTERS_LOOKED_AT = 200
_FORBIDDEN = re.compile(
    "[\x00-\x08\x0b\x0c\x0e-\x1f\x7f-\x9f\u061c\u200e\u200f\u202a-\u202e\u2066-\u2069\ufeff\ud800-\udfff\ufdd0-\ufdef"
    + "".join(chr(plane << 16 | end) for plane in range(17) for end in (0xFFFE, 0xFFFF))
    + "]"
)
"""What HTML may not hold (controls, surrogates, noncharacters), and signs that reorder the text around them."""
_LINE_END = re.compile("\r\n?")
_EMPTY_LINE = re.compile(r"\n[^\S\n]*\n")
_UNBROKEN = re.compile(r"((?<!\S)(?:\d{1,3}(?:\.{1,3}|…) ?\S{1,12}|(?=\S{0,14}[\dO])\S{1,14}[-–/:]\S{1,14})(?!\S))")
"""Parts of a comment that stay on one line: `12. Nf3`, `Ra1-a5`, `O-O`, `1/2-1/2`."""
_ID = re.compile("[0-9a-f]{8,64}")
DEFAULT_LANGUAGE = "en"
"""The pages' own."""


def clean(text: str, most: int = MOST_CHARS) -> str:
    """Text that a page may hold: forbidden characters become U+FFFD; what is beyond `most` characters is left out and counted."""
    cut = text[:most]
    shown = _FORBIDDEN.sub("\ufffd", _LINE_END.sub("\n", cut))
    return shown if len(text) <= most else f"{shown}… ({len(text):,} characters in all)"


def name(text: str | None, most: int = MOST_NAME_CHARS) -> str:
    """A short text on one line, `?` when it is unknown."""
    if not text or not text.strip():
        return "?"
    line = " ".join(clean(text[: most + 1]).split())
    return line if len(line) <= most else f"{line[: most - 1]}…"


def marked(text: str | None, hint: str | None = None, most: int = MOST_CHARS) -> Markup:
    """The text as HTML, with its language where that is known not to be the page's. `hint`: the language of its game."""
    shown = clean(text or "", most)
    language = language_of(shown, hint)
    if language is None:
        return escape(shown)
    return Markup('<span lang="{}" dir="auto">{}</span>').format(language, shown)


def paragraphs(text: str | None, hint: str | None = None) -> list[Markup]:
    """A comment as paragraphs. Ends of lines are those of the source's columns, an empty line parts paragraphs.

    Moves with their numbers, results and castling are not broken at the end of a line.
    """
    return [_together(" ".join(part.split()), hint) for part in _EMPTY_LINE.split(clean(text or "")) if part.strip()]


def _together(text: str, hint: str | None) -> Markup:
    language = language_of(text, hint)
    shown = Markup("").join(
        Markup('<span class="together">{}</span>').format(part) if i % 2 else escape(part)
        for i, part in enumerate(_UNBROKEN.split(text))
    )
    return shown if language is None else Markup('<span lang="{}" dir="auto">{}</span>').format(language, shown)


def language_of(text: str, hint: str | None) -> str | None:
    """BCP 47 tag of a text by its script: the hint's where that language is written so, else `und-Cyrl`, …; None = unmarked."""
    script = _script(text)
    if script is None:
        return None
    if hint is not None and _scripts_of_languages().get(hint) == script:
        return None if hint == DEFAULT_LANGUAGE else hint
    code = _scripts().get(script)
    return f"und-{code}" if code else None


def _script(text: str) -> str | None:
    """The script of most letters, as the Unicode names of its letters begin; None without letters."""
    letters = [char for char in text[:_LETTERS_LOOKED_AT] if char.isalpha()]
    names = Counter(unicodedata.name(char, "").partition(" ")[0].casefold() for char in letters)
    return max(names, key=lambda script: (names[script], script), default=None)


@cache
def _scripts() -> dict[str, str]:
    """Scripts other than Latin, by the first word of the names of their letters → ISO 15924 code."""
    return {row["name"]: row["code"] for row in tables.rows("scripts")}


@cache
def _scripts_of_languages() -> dict[str, str]:
    return {row["bcp47"]: row["script"].casefold() for row in reversed(tables.rows("piece_letters")) if row["bcp47"]}


def number(value: Any, column: str = "") -> str:
    """A number for readers: `51,316`, `8½`, `87.7`; years without separators; nothing for null."""
    if value is None:
        return ""
    if isinstance(value, Decimal):
        return points(value)
    if isinstance(value, float):
        return f"{value:,.2f}".rstrip("0").rstrip(".") if math.isfinite(value) else ""
    return str(value) if column.startswith("year") else f"{value:,}"


def points(value: Decimal | None) -> str:
    """`8½`; other fractions with their decimals."""
    if value is None:
        return ""
    whole, fraction = divmod(abs(value), 1)
    sign = "−" if value < 0 else ""
    if fraction == Decimal("0.5"):
        return f"{sign}{int(whole) or ''}½"
    return f"{sign}{int(whole):,}" if not fraction else f"{value.normalize():f}"


def plain(value: Any) -> str:
    """Any other value as a text: lists by commas, truth as yes and no."""
    if value is None:
        return ""
    if isinstance(value, bool):
        return "yes" if value else "no"
    if isinstance(value, list | tuple):
        return ", ".join(plain(item) for item in value)
    if isinstance(value, bytes):
        return value.decode("utf-8", "backslashreplace")
    if isinstance(value, date):
        return value.isoformat()
    return str(value)


def file_name(key: str) -> str:
    """An id as the name of a file. Ids are hexadecimal; what is not is written in its bytes."""
    return key if _ID.fullmatch(key) else key.encode("utf-8", "replace").hex()[:200]


def counted(n: int, noun: str, plural: str = "") -> str:
    """`1 game`, `2,000 games`."""
    return f"{n:,} {noun if n == 1 else plural or noun + 's'}"


def years(first: int | None, last: int | None) -> str:
    """`1956–1972`, `1972`, or nothing."""
    return "–".join(str(year) for year in dict.fromkeys((first, last)) if year is not None)
