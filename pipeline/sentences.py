"""Sentences among tokens of prose: does one begin behind these, does one end among them? Rules: docs/rules.md §2.1.

`behind`, everywhere: what stands between the last token that is a score's and the token at hand, in order.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import cache

from pipeline import lexer, tables
from pipeline.collect import BLANK_LINE, MOVES, ODD
from pipeline.lexer import Token

SENTENCE_ENDS = frozenset(".!?…:")
LIST_CHARS = 4
"""So long is a letter or number of a list: `(a)`, `II.`; brackets that are closed are one token."""
_QUOTES = frozenset("\"'“”„«»’‘›‹")
_LINE_TOKENS = 60
"""More tokens than a line has."""


def opens(behind: Sequence[Token]) -> bool:
    """Whether the token at hand opens a sentence or a paragraph, or stands behind moves or brackets."""
    if behind and behind[-1].text[-1] in _QUOTES:
        return False  # `"12. Nf3!" he said`
    before = [t for t in behind[-_LINE_TOKENS:] if t.kind != lexer.BLANK or BLANK_LINE.search(t.text)]
    while before and before[-1].kind == lexer.PUNCTUATION and before[-1].text[-1] in _QUOTES:
        before.pop()
    last = before[-1] if before else None
    if last is None or last.kind == lexer.BLANK:
        return True
    if last.kind in ODD:
        is_listed = len(last.text) <= LIST_CHARS and last.text.isupper() and (len(before) < 2 or before[-2].kind != lexer.WORD)
        return last.text[-1] in SENTENCE_ENDS and last.text.casefold() not in _abbreviations() and not is_listed
    if last.kind == lexer.PUNCTUATION:
        return last.text[-1] in SENTENCE_ENDS
    return last.kind != lexer.CLOSE and (last.kind != lexer.PROSE or len(last.text) > LIST_CHARS)


def begins_line(behind: Sequence[Token]) -> bool:
    """Whether the token at hand is the first of its line."""
    return bool(behind) and ("\n" in behind[-1].text or "\r" in behind[-1].text)


def begins_paragraph(behind: Sequence[Token]) -> bool:
    """Whether a blank line stands before the token at hand."""
    return bool(behind) and bool(BLANK_LINE.search(behind[-1].text))


def is_behind_move(behind: Sequence[Token]) -> bool:
    """Whether a move stands before the token at hand, in its paragraph."""
    last = next((t for t in reversed(behind) if t.kind != lexer.BLANK or BLANK_LINE.search(t.text)), None)
    return last is not None and last.kind in MOVES


def is_announced(behind: Sequence[Token]) -> bool:
    """Whether a colon stands before the token at hand."""
    last = next((t for t in reversed(behind) if t.kind != lexer.BLANK), None)
    return last is not None and last.text[-1] == ":"


def ends_sentence(token: Token) -> bool:
    """Whether a sentence or a paragraph ends with a token."""
    is_end = token.text[-1] in SENTENCE_ENDS and token.kind in {lexer.WORD, lexer.PUNCTUATION, lexer.SYMBOL}
    return is_end or bool(BLANK_LINE.search(token.text))


def has_end(tokens: Sequence[Token]) -> bool:
    """Whether a sentence or a paragraph ends among tokens."""
    return any(map(ends_sentence, tokens))


@cache
def _abbreviations() -> frozenset[str]:
    """Words with a full stop that ends no sentence: `e.g.`, `z.B.`, `напр.`."""
    return frozenset(word.text.casefold() for word in tables.words("abbreviation"))


def is_wide(behind: Sequence[Token]) -> bool:
    """Whether a gap as between columns stands before the token at hand, on its line."""
    gap = behind[-1].text if behind else ""
    return gap.isspace() and (len(gap) > 1 or gap == "\t") and "\n" not in gap and "\r" not in gap
