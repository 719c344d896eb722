"""Turns the written name and site of an event into what is the same in every language (docs/rules.md §6, Events).

What a word means is a row of `event_words.csv`; words that no row knows are folded like names of persons, so that
`Лодзь` and `Łódź` meet. Equal keys say that two names may be one event; they prove nothing.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from functools import cache, lru_cache

from pipeline import names, tables

_YEAR = r"(?:1[4-9]|20)\d\d"
_SPAN = re.compile(rf"(?<!\d)({_YEAR})\s?[-/–—]\s?(\d\d\d\d|\d\d)(?!\d)")
_SINGLE = re.compile(rf"(?<!\d){_YEAR}(?!\d)")
_WORD = re.compile(r"\d+(?:-?[^\W\d_]+|[.ºª])?|[^\W\d_]+(?:'[^\W\d_]+)?\d*")
_ORDINAL = re.compile(r"\d{1,3}(?:[.ºª]|-?(\D+))")
_ROMAN = re.compile(r"[ivxl]{2,}")
_CODES = re.compile(r"[A-Z]{3}(?:[/,; ]+[A-Z]{3})*")
_COUNTRY_CODE = re.compile(r"[ ,(]+[A-Z]{3}\)?$")
_PLACES = re.compile(r"\s*[/;]\s*")
_KINDS = ("name", "form", "speed", "filler", "place", "ordinal")
_MATCH = frozenset(("match", "casual", "rated"))
"""Meanings of forms that say that two people played."""


@dataclass(frozen=True, slots=True)
class EventWording:
    """What the name and the site of an event say, free of language.

    `name_key`: sorted words that tell which event it is, sections by speed too, the place left out where something else remains;
    words such as match or tournament only if there are no others. `is_match`: it says nothing but that two people played
    (`Match`, `Casual game`). `section`: the speeds that it names (`blitz`). `site_key`: sorted words of the place, from the name
    when the site says none; None when neither does. Years as the name gives them: `Hastings 1922/23` is 1922 to 1923.
    """

    name_key: str
    site_key: str | None
    year_first: int | None
    year_last: int | None
    is_match: bool
    section: str | None


def event_wording(event: str, site: str | None) -> EventWording:
    """Reads an Event tag with the Site tag beside it. A pure function of the tables that raises on no string."""
    rest, year_first, year_last = _years(event)
    words: dict[str, set[str]] = {kind: set() for kind in _KINDS}
    for at, match in enumerate(_WORD.finditer(rest.lower())):
        word = match[0]
        if not (_is_ordinal(word) or (at == 0 and _ROMAN.fullmatch(word))):
            kind, meaning = _meaning(word)
            words[kind].update(meaning.split())
    places = _site_words(site) if site else frozenset[str]()
    named = (words["name"] - places) or words["place"] | words["name"] or words["form"]
    return EventWording(
        name_key=" ".join(sorted(named | words["speed"])) or event.strip().lower(),
        site_key=" ".join(sorted(places or words["place"])) or None,
        year_first=year_first,
        year_last=year_last,
        is_match=not (words["name"] or words["place"]) and words["form"] != set() and words["form"] <= _MATCH,
        section=" ".join(sorted(words["speed"])) or None,
    )


def _years(event: str) -> tuple[str, int | None, int | None]:
    """The name without the years in it, and the first and last of them: `1999/2000`, `1922-23`, `1960`."""
    for match in _SPAN.finditer(event):
        first, written = int(match[1]), match[2]
        last = int(written) if len(written) == 4 else first - first % 100 + int(written)
        last += 100 if last < first else 0
        if last - first == 1:
            return event[: match.start()] + " " + event[match.end() :], first, last
    found = [int(year) for year in _SINGLE.findall(event)]
    return _SINGLE.sub(" ", event), min(found, default=None), max(found, default=None)


def _is_ordinal(word: str) -> bool:
    """True for `23.`, `23rd`, `23-й`: which one of a row of events it was, which its year says too."""
    match = _ORDINAL.fullmatch(word)
    return match is not None and (match[1] is None or match[1] in _words()["ordinal"])


@lru_cache(maxsize=1 << 16)
def _meaning(word: str) -> tuple[str, str]:
    """Kind and canonical words of one lower-case word; an unknown word is a name."""
    for kind, known in _words().items():
        if word in known:
            return kind, known[word]
    return "name", names.text_key(word) or word


@cache
def _words() -> dict[str, dict[str, str]]:
    """Kind to its words and what they mean."""
    found: dict[str, dict[str, str]] = {kind: {} for kind in _KINDS}
    for row in tables.rows("event_words"):
        found[row["kind"]][row["text"]] = row["meaning"]
    return found


@lru_cache(maxsize=1 << 16)
def _site_words(site: str) -> frozenset[str]:
    """Words of the places that a site names, countries left out where a town is named: `Lodz POL`, `Lodz, Poland`."""
    text = site.strip()
    if not _CODES.fullmatch(text):
        text = _COUNTRY_CODE.sub("", text)
    towns = [part.partition(",")[0] for part in _PLACES.split(text)]
    found: set[str] = set()
    for match in _WORD.finditer(" ".join(towns).lower()):
        kind, meaning = _meaning(match[0])
        if kind != "filler":
            found.update(meaning.split())
    return frozenset(found)
