"""Turns a written name into a key that is the same in every script, order, case and manner of romanisation.

A key joins the sorted words of a name, each folded: letters of other scripts become Latin as FIDE writes them
(`translit.csv`), accents go, and what differs between the FIDE, ISO 9, German, French, English and Polish manners is made
one (`name_folds.csv`). Equal keys say that two names may be one person; they prove nothing (docs/rules.md §6).
The folds lean to precision: where common surnames would meet (Khan and Han, Cao and Kao) two spellings stay two keys.
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from functools import cache, lru_cache

from pipeline import tables

_VOWELS = "aeiouy"
_CONSONANTS = "bcdfghjklmnpqrstvwxz"
_ACCENTS = re.compile("[\u0300-\u036f]+")
_APOSTROPHES = re.compile("['’‘ʼʹʺ`´′″]+")
_NOT_PLAIN = re.compile("[^a-z]")
_SEPARATORS = re.compile(
    r"[\x00-/:-@\[-^{-\u00a9\u00ab-\u00b4\u00b6-\u00b9\u00bb-\u00bf\u2000-\u206f\u2190-\u2bff\u2e00-\u2e7f\u3000-\u303f]+"
)
"""ASCII and Latin-1 signs but `_`, general punctuation, arrows to symbols, CJK punctuation; letters and marks are words."""
_BRACKETED = re.compile(r"\([^()]*\)|\[[^\[\]]*\]")
_HANDLE = re.compile(r"[0-9_]")


def name_key(written: str) -> str | None:
    """Turns a player's name into its key: folded words, sorted, single blanks; None when it names no single person.

    No person: placeholders (`?`, `NN`, `BYE`, `Anonymous`) and consultation pairs (`Morphy & Barnes`, `А. и Б.`).
    A pure function of the tables that raises on no string.
    """
    text = _clean(written)
    if _placeholder_kind(text) is not None or _is_several(text):
        return None
    return _key_of(_without_titles(text))


def text_key(written: str) -> str | None:
    """Turns any name, pairs included, into folded sorted words; None for placeholders. For annotators."""
    text = _clean(written)
    if _placeholder_kind(text) is not None:
        return None
    return _key_of(_without_titles(text))


def is_bye(written: str) -> bool:
    """True when the name says that there was no opponent (`BYE`, `spielfrei`, `свободен`)."""
    return _placeholder_kind(_clean(written)) == "bye"


def _decoded_again(written: str) -> str:
    """The name whose UTF-8 bytes were taken for Windows-1252, once or twice (`MÃ¼ller`), if it is one; else as written.

    No word is written so on purpose: behind a letter of the upper half would stand signs such as ¼ or ¶.
    """
    for _ in range(2):
        if written.isascii():
            break
        try:
            written = written.encode("cp1252").decode("utf-8")
        except UnicodeError:
            break
    return written


def _clean(written: str) -> str:
    """Unicode NFKC without stress marks, brackets and their content dropped when something else is left."""
    text = _ACCENTS.sub("", unicodedata.normalize("NFKC", _decoded_again(written))).strip()
    if "(" in text or "[" in text:
        outside = _BRACKETED.sub(" ", text).strip()
        if any(map(str.isalpha, outside)):
            text = outside
    return text


def _placeholder_kind(text: str) -> str | None:
    """`placeholder`, `bye` or None; a text without any letter or digit is a placeholder too."""
    known, low = _placeholders(), text.lower()
    if low in known:
        return known[low]
    bare = " ".join(_SEPARATORS.sub(" ", low.replace(".", "")).split())
    return "placeholder" if not any(map(str.isalnum, bare)) else known.get(bare)


@cache
def _placeholders() -> dict[str, str]:
    return {row["text"]: row["kind"] for row in tables.rows("placeholders")}


# --- several persons, titles ------------------------------------------------------------------------------------------


@cache
def _joiners() -> tuple[dict[str, int], dict[str, bool], re.Pattern[str]]:
    """Words that join names, with the least words on each side; signs (always) and marks that do; a pattern for the words."""
    found = tables.rows("name_joiners")
    joining = {row["text"]: int(row["min_words"]) for row in found if row["kind"] == "word"}
    pattern = re.compile(rf"(?<=[\w.,])\s+({'|'.join(map(re.escape, joining))})\s+(?=\w)")
    return joining, {row["text"]: row["kind"] == "sign" for row in found if row["kind"] != "word"}, pattern


def _is_several(text: str) -> bool:
    """True for consultation pairs. A joining word counts as the table writes it: `А. и Б.`, not the initial in `Петров И`."""
    joining, signs, pattern = _joiners()
    for sign, is_sure in signs.items():
        left, found, right = text.partition(sign)
        if found and _word_count(left) and _word_count(right) and (is_sure or _splits_names(left, right)):
            return True
    for match in pattern.finditer(text):
        needed = joining[match[1]]
        if _word_count(text[: match.start()]) >= needed <= _word_count(text[match.end() :]):
            return True
    return False


def _splits_names(left: str, right: str) -> bool:
    """False for a sign inside an abbreviation (`A/L`, `d/o`): a blank or two letters must stand on each side."""
    before, after = left[-2:], right[:2]
    return (before[-1:].isspace() and after[:1].isspace()) or (before.isalpha() and after.isalpha() and len(before + after) == 4)


def _word_count(text: str) -> int:
    return len(_SEPARATORS.sub(" ", text).split())


@cache
def _titles() -> dict[str, bool]:
    """Title in lower case to whether it counts only in capitals (IM is a title, Im a surname)."""
    return {row["text"].lower(): row["match"] == "capitals" for row in tables.rows("name_titles")}


def _without_titles(text: str) -> str:
    """Drops titles (`GM`, `Dr.`, `гроссмейстер`); a word before a comma is a surname, and the last word is never dropped."""
    known = _titles()
    parts = text.split()
    kept = [part for part in parts if not _is_title(part, known)]
    return " ".join(kept) if kept and len(kept) < len(parts) else text


def _is_title(part: str, known: dict[str, bool]) -> bool:
    word = part.rstrip(".").lower()
    return word in known and (not known[word] or part.isupper())


# --- words ------------------------------------------------------------------------------------------------------------


def _key_of(text: str) -> str | None:
    """Folds the words of a name. A manner that one word betrays holds for all: Wassili is Vasily beside Smyslow."""
    low = _APOSTROPHES.sub("", text).lower()
    words = [_to_latin(word) if _NOT_PLAIN.search(word) else word for word in _SEPARATORS.sub(" ", low).split()]
    manners = frozenset[str]().union(*map(_manners, words))
    return " ".join(sorted(filter(None, (_fold_word(word, manners) for word in words)))) or None


@lru_cache(maxsize=1 << 16)
def _to_latin(word: str) -> str:
    """Transliterates a lower-case word and drops its accents; letters that no table names stay."""
    if _HANDLE.search(word):
        return word
    rewriter = _transliteration()
    known = "".join(c if c in rewriter.letters else _ACCENTS.sub("", unicodedata.normalize("NFKD", c)) for c in word)
    return _ACCENTS.sub("", unicodedata.normalize("NFKD", rewriter.apply(known, _manners(word))))


@lru_cache(maxsize=1 << 17)
def _fold_word(word: str, manners: frozenset[str]) -> str:
    """Folds one Latin lower-case word. Handles (`egor_tensin`, `b777`) are kept: they are addresses, not spellings."""
    if not 3 <= len(word) <= 64 or _HANDLE.search(word):
        return word
    return _folds().apply(word, manners).replace("iii", "i").replace("ii", "i")


@dataclass(frozen=True, slots=True)
class _Rule:
    """Replace `text` by `key` where `pattern` fits, in words of at least `min_letters` that betray `manner` (empty: in all)."""

    text: str
    key: str
    pattern: str
    manner: str
    min_letters: int
    rank: tuple[int, ...]
    """Longer texts first, then anchored ones, those of a manner, those with neighbours."""


class _Rules:
    """The rules that hold for some words, as one pattern. Each branch begins with its letters: that is what `re` is quick at."""

    def __init__(self, held: Sequence[_Rule]) -> None:
        self._pattern = re.compile("|".join(rule.pattern for rule in held))
        by_text: dict[str, list[_Rule]] = {}
        for rule in held:
            by_text.setdefault(rule.text, []).append(rule)
        self._sole = {text: rules[0].key for text, rules in by_text.items() if len(rules) == 1}
        self._several = {
            text: [(re.compile(rule.pattern), rule.key) for rule in rules] for text, rules in by_text.items() if len(rules) > 1
        }

    def apply(self, word: str) -> str:
        return self._pattern.sub(self._key, word)

    def _key(self, match: re.Match[str]) -> str:
        text = match[0]
        if text in self._sole:
            return self._sole[text]
        return next(key for pattern, key in self._several[text] if pattern.match(match.string, match.start()))


class _Rewriter:
    """Rewrites a word in one pass from left to right; at each place the most specific rule that fits wins."""

    def __init__(self, rows: Iterable[tables.Row], column: str, key: str) -> None:
        rows = tuple(rows)
        self.letters = frozenset("".join(row[column] for row in rows)) - frozenset("^$")
        self._rules = sorted((_rule(row, row[column], row[key]) for row in rows), key=lambda rule: rule.rank)
        self._longest_minimum = max(rule.min_letters for rule in self._rules)
        self._held: dict[tuple[frozenset[str], int], _Rules] = {}

    def apply(self, word: str, manners: frozenset[str]) -> str:
        """The word rewritten by the rules that hold for its length and for `manners`."""
        n_letters = min(len(word), self._longest_minimum)
        if (manners, n_letters) not in self._held:
            held = [r for r in self._rules if r.min_letters <= n_letters and (not r.manner or r.manner in manners)]
            self._held[manners, n_letters] = _Rules(held)
        return self._held[manners, n_letters].apply(word)


def _rule(row: tables.Row, written: str, key: str) -> _Rule:
    """Reads a row: `^` and `$` anchor the text; `after` and `before` name the letters that must stand beside it."""
    after, before = row.get("after", ""), row.get("before", "").split()
    text = written.strip("^$")
    behind = ("\\A" if written.startswith("^") else "") + (_letters(after) if after else "")
    ahead = "".join(map(_letters, before)) + ("\\Z" if written.endswith("$") else "")
    literal = re.escape(text)
    pattern = literal + (f"(?<={behind}{literal})" if behind else "") + (f"(?={ahead})" if ahead else "")
    rank = (-len(text), len(text) - len(written), -bool(row.get("manner")), -len(before) - bool(after))
    return _Rule(text, key, pattern, row.get("manner", ""), int(row.get("min_letters") or 0), rank)


def _letters(cell: str) -> str:
    """`V` any vowel, `C` any consonant, else the letters themselves: as a class of one letter."""
    return f"[{_VOWELS if cell == 'V' else _CONSONANTS if cell == 'C' else re.escape(cell)}]"


@cache
def _transliteration() -> _Rewriter:
    return _Rewriter(tables.rows("translit"), "letters", "latin")


@cache
def _folds() -> _Rewriter:
    return _Rewriter(tables.rows("name_folds"), "pattern", "key")


@cache
def _marks() -> tuple[tuple[str, tuple[str, ...], tuple[str, ...]], ...]:
    """Per manner: endings that betray it, and parts that do."""
    marks: dict[str, tuple[list[str], list[str]]] = {}
    for row in tables.rows("name_manners"):
        ends, parts = marks.setdefault(row["manner"], ([], []))
        (ends if row["mark"].endswith("$") else parts).append(row["mark"].rstrip("$"))
    return tuple((manner, tuple(ends), tuple(parts)) for manner, (ends, parts) in marks.items())


@lru_cache(maxsize=1 << 10)
def _manners(word: str) -> frozenset[str]:
    """Manners of romanisation that the word's own letters betray."""
    return frozenset(
        manner
        for manner, ends, parts in _marks()
        if (word.endswith(ends) if ends else False) or any(part in word for part in parts)
    )
