"""Which markup a text is written in, by what stands in its first pages. PGN and prose are none, whatever their comments hold."""

from __future__ import annotations

import re
from functools import cache
from html.entities import html5
from itertools import islice

from pipeline.markup.html import effects

_SAMPLE = 1 << 15
"""Characters looked at: the head of a page of scripts and styles, not a book."""
_PGN = re.compile(r"^[ \t\ufeff]*\[[A-Za-z_]\w*[ \t]+\"", re.MULTILINE)
_RTF = re.compile(r"\s*\{\\rtf\d?")
_PHP = re.compile(r"<\?(?:php\b|=)")
_JSON = re.compile(
    r"[\ufeff\s]*(?:\{\s*\"(?:[^\"\\\n]|\\.){0,200}\"\s*:|\[\s*(?:\{\s*\"(?:[^\"\\\n]|\\.){0,200}\"\s*:|\"[^\"\\\n]*(?:\\.[^\"\\\n]*)*\"\s*[,\]]))"
)
_PAGE = re.compile(r"<!doctype\s+html|<html\b|<\?xml\b|<!--|<head\b|<body\b", re.IGNORECASE)
_TEX = re.compile(
    r"\\documentclass\b|\\begin\{document\}|\\(?:mainline|hidemoves|variation)\s*(?:\[[^\]\n]*\])?\{|\\(?:newgame|newchessgame|makegametitle)\b"
)
_CODE_LINE = re.compile(
    r"(?:(?:var|let|const|my|local|static|public|private|protected|final|export|import|from|return|function|def|class|if|for|while"
    r"|else|package|using|namespace|use|new|print|echo|INSERT)\b.*(?:[;{}()\[:,'\"`+=]|[\"']\s?\.|`[^`]*|\"{3}[^\"]*|'{3}[^']*)"
    r"|\$?[A-Za-z_][\w$.\[\]'\">-]*\s*[+.]?=(?![=>]).*[\"'`;({\[].*"
    r"|(?:[A-Za-z_][\w<>\[\].]*\s+){1,3}[*&]?\w+\s*=.*[;+({,\"'`]"
    r"|(?:[A-Za-z_][\w<>\[\].]*\s+){1,3}\w+\(.*\)\s*\{.*"
    r"|[A-Za-z_$][\w$.]*\(.*\)?[;{,]?)\s*"
)
_BRACKETS = re.compile(r"[{}()\[\];,]+")
_GOES_ON = re.compile(r"[\[({]?\s?[\"'#*]|//|/\*|\(?\d")
"""How lines begin that go on with a string or are comments: they say nothing."""
_QUOTED = re.compile(r"(?:[=(,:\[{+.]|return|print|echo)\s*(?:[A-Za-z@$]{0,2}\"|'|`|<<<)|^[^\S\n]*[\"']", re.MULTILINE)
_OPEN_QUOTE = re.compile(r"[=(,\[:]\s*(?:`|\"\"\"|'''|\"|'|R\"\(|<<<\s*[\"']?\w+[\"']?)\s*$")
_EMPHASIS = re.compile(r"(?<![*\w])\*\*(?=[^\s*])(?=[^*\n]{0,60}[a-h][1-8]|\d)[^*\n]{1,400}(?<=\S)\*\*(?!\*)|\b\d{1,3}\\\.")
"""Moves in strong type, or a number whose point is escaped: else it would begin a list."""
_MARKDOWN = re.compile(r"^#{1,6} \S|\[[^\]\n]{1,200}\]\([^)\s]{1,300}\)|^\|?(?:\s?:?-{3,}:?\s?\|)+", re.MULTILINE)
_TAG_CHARS = 400
"""A fragment of HTML has a tag in so many characters at least."""


def recognise(text: str) -> str | None:
    """`rtf`, `json`, `source`, `tex`, `html`, `markdown`, or None: the text is read as it is."""
    sample = text[:_SAMPLE]
    pgn = _PGN.search(sample)
    if pgn and not sample[: pgn.start()].strip("\ufeff \t\r\n"):
        return None
    if _RTF.match(sample):
        return "rtf"
    if _JSON.match(sample):
        return "json"
    before = sample[: pgn.start()] if pgn and not _known_tag().match(sample.lstrip()) else sample
    if _PHP.search(before):
        return "source"
    if _is_tex(before):
        return "tex"
    if _PAGE.search(before) or _is_fragment(before):
        return "html"
    if _is_program(before, has_pgn=pgn is not None):
        return "source"
    return "markdown" if _is_markdown(before) else None


def is_html(text: str) -> bool:
    """Whether a string holds HTML."""
    sample = text[:_SAMPLE]
    return not _PGN.match(sample.lstrip()) and bool(_PAGE.search(sample) or _is_fragment(sample))


def _is_tex(sample: str) -> bool:
    return bool(_TEX.search(sample))


@cache
def _known_tag() -> re.Pattern[str]:
    names = "|".join(sorted(map(re.escape, effects()), key=len, reverse=True))
    return re.compile(rf"<(?P<close>/?)(?:{names})(?:\s[^<>]*)?/?>", re.IGNORECASE)


def _is_fragment(sample: str) -> bool:
    """Tags that are known, one of them closed or standing alone, and not one by the way in a long text; or an entity."""
    tags = list(_known_tag().finditer(sample))
    shown = len(sample) - sum(tag.end() - tag.start() for tag in tags)
    if len(tags) > 1 and shown <= _TAG_CHARS * len(tags):
        return any(tag["close"] or tag[0].endswith("/>") or _stands_alone(tag[0]) for tag in tags)
    return any(_is_entity(entity[0]) for entity in islice(re.finditer(r"&#?\w{1,31};", sample), 20))


def _stands_alone(tag: str) -> bool:
    return bool(re.match(r"<(?:br|p|hr|li|tr|td|img)\b", tag, re.IGNORECASE))


def _is_entity(written: str) -> bool:
    return written[1] == "#" or written[1:] in html5


def _is_program(sample: str, *, has_pgn: bool) -> bool:
    """Lines of code, and strings in it. Where a tag pair begins a line, a quote must be open before it."""
    if has_pgn and not _OPEN_QUOTE.search(sample):
        return False
    if not has_pgn and not _QUOTED.search(sample):
        return False
    lines = [line.strip() for line in sample.splitlines()]
    lines = [line for line in lines if line and not _GOES_ON.match(line)]
    code = sum(1 for line in lines if _CODE_LINE.fullmatch(line))
    brackets = sum(1 for line in lines if _BRACKETS.fullmatch(line))
    return code > 0 and 2 * (code + brackets) >= len(lines)


def _is_markdown(sample: str) -> bool:
    emphasised = len(list(islice(_EMPHASIS.finditer(sample), 2)))
    return bool(emphasised and _MARKDOWN.search(sample)) or emphasised > 1 or "```" in sample
