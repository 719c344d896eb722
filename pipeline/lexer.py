"""Movetext → tokens. Knows the shapes that written moves have, no alphabet and no board.

Lossless: the tokens of a text, joined, are the text. Linear: no token looks at a character more than a bounded number
of times, and nothing recurses. What has no shape of its own is `WORD` or `UNKNOWN`; `transcribe` reports those.
"""

from __future__ import annotations

import re
from bisect import bisect_left
from collections.abc import Iterator, Mapping
from functools import cache
from typing import Final, NamedTuple

from pipeline import signs, tables
from pipeline.signs import char_class

BLANK: Final = "blank"
COMMENT: Final = "comment"
"""`{…}`, or `;` to the end of the line."""
UNTERMINATED: Final = "unterminated"
"""A comment without an end: runs to the next game border, or to the end of the text."""
ESCAPE: Final = "escape"
"""`%` in the first column: the whole line (PGN standard 6)."""
OPEN: Final = "open"
CLOSE: Final = "close"
STRAY: Final = "stray"
"""A closing brace without an opening one."""
NAG: Final = "nag"
NUMBER: Final = "number"
MOVE: Final = "move"
"""Shaped like a move in some alphabet; whether it is one is for a notation and a board to say."""
NULL_MOVE: Final = "null"
MARK: Final = "mark"
"""Check, mate or en passant standing apart from its move (`+`, `mate`, `e.p.`)."""
SYMBOL: Final = "symbol"
DRAW_OFFER: Final = "offer"
RESULT: Final = "result"
RESULT_WORDS: Final = "result_words"
PUNCTUATION: Final = "punctuation"
WORD: Final = "word"
PROSE: Final = "prose"
"""A remark among the moves, as `narrative` found it; no token of this module."""
UNKNOWN: Final = "unknown"

_LETTER = r"[^\W\d_]"
CAPITAL: Final = r"[^\W\d_a-zа-яё]"
"""A letter, but no small one of English or Russian: words begin so, men do not."""
_DASHES, _CAPTURES, _CROSSES, _COLONS = map(char_class, (signs.DASHES, signs.CAPTURES, signs.CROSSES, signs.COLONS))
_CASTLES, _CHECKS = char_class(signs.CASTLES), char_class(signs.CHECKS)
_ZEROS, _ONES = char_class(signs.RESULT_ZEROS), char_class(signs.RESULT_ONES)
_FIGURINE = rf"{char_class(signs.figurines(with_fonts=True))}{char_class(signs.SELECTORS)}?"
MAN: Final = rf"(?:{_FIGURINE}|{_LETTER}{{1,3}})"
"""What may stand for a man in some alphabet."""
_BIG_MAN = rf"(?:{_FIGURINE}|{CAPITAL}{_LETTER}{{0,2}}|[qrbn])"
_DASH = rf"\s?{_DASHES}{{1,2}}\s?"
_CASTLE_DASH = rf"\s{{0,2}}{_DASHES}{{1,2}}\s{{0,2}}"
"""The dash of castling may stand at a line end."""
_CROSS = rf"\s{_CROSSES}\s|{_CROSSES}\s?"
_CAPTURE = rf"(?:{_CROSS}|\s?(?<![1-8])(?<![a-h][a-h]){_COLONS}\s?|{_COLONS}(?!\s))"
_TAKES = rf"(?:{_CROSS}|{_COLONS}(?!\s))"
"""A capture sign between two squares: a colon before a blank closes a move (`de5: Кc6`), a cross behind one opens it."""
_PROMOTION = rf"(?:\s?[=/]\s?|:|{_DASHES})?{_BIG_MAN}(?!\w)|\s?\(\s?{_BIG_MAN}\s?\)"
_HALF = r"(?:½|1/2|0[.,]5)"
_MINUS = rf"\s?(?:{_DASHES}|:)\s?"


_FILES_AND_MAN = 3
"""Length of two files and a man, as pawns take and promote in the shortest way."""
_DIGITS = str.maketrans(signs.MISREAD_DIGITS)
_DIGIT = char_class("0123456789" + "".join(signs.MISREAD_DIGITS))
_ZERO = char_class("0" + "".join(c for c, digit in signs.MISREAD_DIGITS.items() if digit == "0"))
_DOTS = r"(?:\s?(?:\.{2,}|…)\s?,?)?"
_ODD_NUMBER = (
    rf"\(\d{{1,3}}\)[.:]?{_DOTS}(?=\s)"
    rf"|\d{{1,3}}\s?[.)]\s?{_DASHES}(?:{_DASHES}?\s?,(?=\s)|(?=\s+(?:{MAN}?[a-h]?[1-8]?[x:]?[a-h][1-8]|{_CASTLES}{_DASHES})))"
    rf"|(?<!\w)(?!{_ZERO}){_DIGIT}{{1,3}}(?:\s?[.,)]+\s?(?={MAN}?[a-h](?:[1-8x:]|[a-h](?!\w))|{_CASTLES}{_DASHES})|\s(?={MAN}?[a-h][1-8]))"
)
"""A move number in brackets, with a dash for White's move (`8. —, Nc6`), or with letters for digits and a move behind it."""
HALF_MOVE: Final = re.compile(
    rf"(?:{_FIGURINE}|{CAPITAL}{_LETTER}?)(?=.)[a-h]?[1-8]?(?:{_CAPTURES}|{_DASHES})?[a-h]?[1-8]?|[a-h]{_CAPTURES}"
)
"""The first half of a move: `Nf`, `Kx`, `Кр:`, `Ndx7`, `ex`."""
_NUMBERED_ON = re.compile(r"\S;\s*\d{1,3}\s?\.")
"""Books end a move with a semicolon, `1. e4 c5; 2. Nf3`, where PGN would have a comment."""
_NUMBERED_FURTHER_ON = re.compile(r".;(?:\s{0,20}\(?|[^\r\n]{0,200}?)(?<!\d)\d{1,3}(?:\s?[.)…]|\s)", re.DOTALL)
"""The same without tags, where no comment would hold a move number: `1 e4 c5 ; 2 Nf3`, `d4, ed; (less good is 10. c4)`."""


class Token(NamedTuple):
    """A stretch of text, `start`/`end` in characters, half-open."""

    kind: str
    start: int
    end: int
    text: str


def move_number(token: Token) -> tuple[int, bool]:
    """What a NUMBER token says: the number (0 where it has none), and whether it announces Black's move (`3...`, `3…`)."""
    digits = re.search(r"\d+", token.text.translate(_DIGITS))
    is_black = token.text.count(".") > 1 or "…" in token.text or any(c in signs.DASHES for c in token.text)
    return int(digits[0]) if digits else 0, is_black


def file_letters() -> str:
    """Every character that stands for a file somewhere: a–h, native files, look-alikes, either case."""
    return "".join(sorted(_files()))


@cache
def _grammar(other_move: str | None, has_odd_numbers: bool) -> re.Pattern[str]:
    """What is told apart at one place. `other_move` takes the place of the algebraic move, and comes before numbers."""
    file = f"[{re.escape(file_letters())}]"
    goes_on = rf"(?!{_DASHES}|[.\s]?{_CASTLES}(?!\w|{_DASHES}))"
    castle = (
        rf"{_CASTLES}(?:{_CASTLE_DASH}{_CASTLES}){{1,2}}(?=\W|_|{_CROSSES}|$)(?!/){goes_on}"
        rf"|(?<!\w)(?<!{_DASHES})(?:[OОΟ]{{2,3}}|o{{2,3}}|0{{2,3}}|0\ 0(?:\ 0)?)(?!\w){goes_on}"
    )
    squares = (
        rf"(?:{MAN}\.?)?{file}[1-8](?:{_DASH}|{_TAKES}(?:{_LETTER}{{1,2}}(?={file}[1-8]))?|){file}[1-8]"
        rf"|(?:{MAN}\.?)?{file}?[1-8]?(?:{_CAPTURE}|{_DASH}|){file}[1-8]"
    )
    pawn = (
        rf"{file}(?:[1-8]?(?:{_DASH}|{_CAPTURE})?{file})?(?:[18](?:{_PROMOTION})|[2-7]={_BIG_MAN}(?!\w))"
        rf"|{file}[1-8]?(?:{_CAPTURE})?{file}(?:{_PROMOTION})"
    )
    off_board = rf"(?:{MAN})?{file}[09](?!\w)|{_BIG_MAN}(?:{_CAPTURE})?[a-z][1-9](?!\w)"
    elsewhere = rf"[A-Z][A-Za-z]{{0,2}}\s?(?:{_DASHES}\s?[A-Z][A-Za-z]{{0,2}}\d|x\s?[A-Z][A-Za-z]{{0,2}})(?!\w)"
    forfeit = rf"\+\s?:\s?{_DASHES}|{_DASHES}\s?:\s?(?:\+|{_DASHES})"
    decided = rf"(?:{_ONES}{_MINUS}{_ZEROS}|{_ZEROS}{_MINUS}{_ONES}|{_HALF}{_MINUS}{_HALF}|1/2|½|{forfeit})"
    files = rf"{file}[1-8]?(?:{_CAPTURES}\s?)?{file}(?!\w)"
    trailing = rf"(?:{_CROSSES}(?!\s?{file}[1-8])|{_COLONS}(?!{file}[1-8])){_CHECKS}{{0,2}}"
    marks = rf"(?:\s?{_CHECKS}{{1,2}}(?!{_DASHES}|[/=]|\s?:)|{trailing})?"
    algebraic = rf"{castle}|(?<!\w)(?:{pawn}|{squares}|{files}|{off_board}|{elsewhere}|[1-8]{{4}}[1-4]?(?!\w))"
    first, move = (rf"(?P<other>{other_move})|", r"(?!)") if other_move else ("", algebraic)
    odd = rf"{_ODD_NUMBER}|" if has_odd_numbers else ""
    return re.compile(
        rf"""
          (?P<blank>[\s\ufeff\x00\x1a\xad\u200b-\u200f\u202a-\u202e\u2060-\u2064\u2066-\u2069]+)
        | (?P<symbol1>\((?:!!|\?\?|!\?|\?!|!|\?|_)\)|\[\#\]|\[\])
        | (?P<offer>\(=\))
        | (?P<mark>\(\s?e\.?\s?p\.?\s?\))
        | (?P<nag>\$\d+)
        | {first}(?P<result>\(\s?{decided}\s?\)|(?<![\w½/]){decided}F?(?![\w½/]|(?:{_DASHES}|:)\s?\d)|(?<!\*)\*(?![\w*]))
        | (?P<odd_number>{odd}(?!))
        | (?P<open>[(\[])
        | (?P<close>[)\]])
        | (?P<stray>\}})
        | (?P<number>(?!0)(?:\d{{1,5}}(?:\s*(?:\.|…|·))+|\d{{1,3}}(?:\){_DOTS}|(?![\w½/.,:]|{_DASHES}))))
        | (?P<null>(?:0000|@@@@|<>|Z0|{_DASHES}{{2}})(?![\w+]|{_DASHES}))
        | (?P<move>(?:{move}){marks})
        | (?P<dots>(?:\.|…)+)
        | (?P<word>{_LETTER}(?:[\w'’.-]*\w)?\.?)
        | (?P<sign>\S)
        """,
        re.VERBOSE,
    )


@cache
def _symbols() -> re.Pattern[str]:
    """Symbols of movetext, longest first. Letters must not run on into a word; `alone` ones stand between blanks."""
    found = (symbol for symbol in tables.symbols().values() if symbol.placement != "never")
    return re.compile("|".join(_symbol(s.symbol, is_alone=s.placement == "alone") for s in found))


def _symbol(text: str, *, is_alone: bool) -> str:
    before, after = (r"(?<!\S)", r"(?!\S)") if is_alone else ("", r"(?!\w)" if text[-1].isalnum() else "")
    return before + re.escape(text) + after


_NEXT_NUMBER = re.compile(r"\d{1,3}\s?[.)…]")
_SAME_KIND: Final = {"symbol1": SYMBOL, "other": MOVE, "odd_number": NUMBER}
_WORD_KINDS: Final = {
    "null_move": NULL_MOVE,
    "castle_short": MOVE,
    "castle_long": MOVE,
    "draw_offer": DRAW_OFFER,
    "check": MARK,
    "double_check": MARK,
    "discovered_check": MARK,
    "mate": MARK,
    "en_passant": MARK,
}


@cache
def _phrases() -> Mapping[str, tuple[tuple[str, str], ...]]:
    """First word, case-folded → (whole phrase, kind), longest first: check words, results in words, null moves."""
    found: dict[str, set[tuple[str, str]]] = {}
    for row in tables.rows("words"):
        if row["kind"] in _WORD_KINDS:
            found.setdefault(_first(row["text"]), set()).add((row["text"].casefold(), _WORD_KINDS[row["kind"]]))
    for row in tables.rows("results"):
        if any(c.isalpha() for c in row["text"]):
            found.setdefault(_first(row["text"]), set()).add((row["text"].casefold(), RESULT_WORDS))
    return {first: tuple(sorted(group, key=lambda p: (-len(p[0]), p))) for first, group in found.items()}


def _first(phrase: str) -> str:
    match = re.match(rf"{_LETTER}+", phrase.casefold())
    return match[0] if match else phrase.casefold()[:1]


class Lexer:
    """Tokens of one text. Keeps what makes it linear: where comments can end, where games surely begin."""

    def __init__(
        self,
        text: str,
        borders: list[int] | None = None,
        *,
        has_nested_comments: bool = False,
        move: str | None = None,
        has_odd_numbers: bool = False,
    ) -> None:
        """`borders`: sorted offsets where a game surely begins; an open comment never reaches beyond one.

        `move`: regular expression of a written move of a notation beside algebraic (`notations.Family.move`).
        `has_odd_numbers`: move numbers may stand in brackets, or be what OCR made of them (`(1)`, `l`, `II.`).
        """
        self.scan = _grammar(move, has_odd_numbers).match
        self.goes_on = (_NUMBERED_FURTHER_ON if has_odd_numbers else _NUMBERED_ON).match
        self.text = text
        self.borders = borders or []
        self.has_nested_comments = has_nested_comments
        self._braces: list[int] | None = None
        """Offsets of closing braces, found when the first comment is met: looking for one stays cheap however many are open."""

    def tokens(self, start: int = 0, end: int | None = None) -> Iterator[Token]:
        """Tokens from `start`; the caller may stop at any of them."""
        text, at = self.text, start
        stop = len(text) if end is None else end
        scan = self.scan
        while at < stop:
            char = text[at]
            if char == "{":
                token = self._comment(at, stop)
            elif char == ";" and at > start and self.goes_on(text, at - 1, stop):
                token = Token(PUNCTUATION, at, at + 1, "")
            elif char == ";" or (char == "%" and (at == 0 or text[at - 1] in "\r\n")):
                token = Token(COMMENT if char == ";" else ESCAPE, at, _line_end(text, at, stop), "")
            else:
                match = scan(text, at, stop)
                token = self._classify(match, at, stop) if match else Token(UNKNOWN, at, at + 1, "")
            yield Token(token.kind, at, token.end, text[at : token.end])
            at = token.end

    def _comment(self, at: int, stop: int) -> Token:
        text = self.text
        k = bisect_left(self.borders, at + 1)
        limit = min(stop, self.borders[k] if k < len(self.borders) else stop)
        if not self.has_nested_comments:
            if self._braces is None:
                self._braces = [match.start() for match in re.finditer("}", text)]
            k = bisect_left(self._braces, at)
            if k < len(self._braces) and self._braces[k] < limit:
                return Token(COMMENT, at, self._braces[k] + 1, "")
            return Token(UNTERMINATED, at, limit, "")
        depth, i = 0, at
        for match in re.compile("[{}]").finditer(text, at, limit):
            depth += 1 if match[0] == "{" else -1
            i = match.end()
            if depth == 0:
                return Token(COMMENT, at, i, "")
        return Token(UNTERMINATED, at, limit, "")

    def _classify(self, match: re.Match[str], at: int, stop: int) -> Token:
        kind, end = match.lastgroup or UNKNOWN, match.end()
        if kind in _SAME_KIND:
            return Token(_SAME_KIND[kind], at, end, "")
        if kind == "move":
            if not (_is_man(match[0]) and (end >= stop or self._may_follow_move(end, stop))):
                kind, end = WORD, _word_end(self.text, at + 1, stop)
                if any(c in "12345678" for c in self.text[at:end]):
                    return Token(MOVE, at, end, "")
            else:
                return Token(MOVE, at, end, "")
        if kind == "word":
            return self._word(at, end, stop)
        if kind in {"dots", "sign"}:
            symbol = _symbols().match(self.text, at, stop)
            if symbol:
                return Token(SYMBOL, at, symbol.end(), "")
            if match[0] in signs.CHECKS:
                return Token(MARK, at, _run_end(self.text, at, stop, signs.CHECKS), "")
            if kind == "dots" or match[0] in ",.'\"„“”«»·‘’/|~_-–—":
                return Token(PUNCTUATION, at, end, "")
            return Token(UNKNOWN, at, end, "")
        return Token(kind, at, end, "")

    def _may_follow_move(self, at: int, stop: int) -> bool:
        """Whether a move may end here: before no letter but a suffix, no digit but of the next move number (`e52. Nf3`)."""
        char = self.text[at]
        if char.isdigit():
            return bool(_NEXT_NUMBER.match(self.text, at, stop))
        return not char.isalpha() or self._is_suffix(at, stop)

    def _is_suffix(self, at: int, stop: int) -> bool:
        """A symbol or a check word may be glued to a move: `d4N`, `exd6e.p.`."""
        return bool(_symbols().match(self.text, at, stop)) or self._phrase(at, stop) is not None

    def _word(self, at: int, end: int, stop: int) -> Token:
        phrase = self._phrase(at, stop)
        if phrase:
            return phrase
        symbol = _symbols().match(self.text, at, stop)
        if symbol and (symbol.end() >= stop or not self.text[symbol.end()].isalnum()):
            return Token(SYMBOL, at, symbol.end(), "")
        return Token(WORD, at, end, "")

    def _phrase(self, at: int, stop: int) -> Token | None:
        first = re.compile(rf"{_LETTER}+").match(self.text, at, min(stop, at + 40))
        if not first:
            return None
        for phrase, kind in _phrases().get(first[0].casefold(), ()):
            end = _match_phrase(self.text, at, stop, phrase)
            if end > at and (end >= stop or not self.text[end].isalnum()):
                return Token(kind, at, end, "")
        return None


def _match_phrase(text: str, at: int, stop: int, phrase: str) -> int:
    """End of `phrase` at `at`, any run of blanks counting as one blank, or -1. Folding may lengthen a text (ß)."""
    i = at
    for part in phrase.split(" "):
        if i > at:
            while i < stop and text[i].isspace():
                i += 1
        folded = ""
        while i < stop and len(folded) < len(part):
            folded += text[i].casefold()
            i += 1
        if folded != part:
            return -1
    return i


def _is_man(move: str) -> bool:
    """A man of several letters begins with a capital (or has no case): `Крe7`, not `the4`. Files alone are neighbours."""
    letters = re.match(rf"{_LETTER}*", move)
    word = letters[0] if letters else ""
    if not any(c in "0123456789" for c in move) and word.strip(signs.CASTLES):
        if len(move) == _FILES_AND_MAN and move.islower() and move.isalpha() and "x" not in move:
            return False  # `der`, `den`
        if move.isalpha() and move.istitle():
            return False  # `De`, `Ed`
        files = [_files().get(c, "") for c in move if c not in signs.CAPTURES][:2]
        return len(files) == 2 and all(files) and abs(ord(files[0]) - ord(files[1])) == 1
    man = word[:-1].rstrip(signs.CAPTURES)
    return len(man) < 2 or not man[0].islower()


@cache
def _files() -> Mapping[str, str]:
    """Every character that stands for a file → a–h."""
    found = {c: c.lower() for c in "abcdefghABCDEFGH"}
    found |= {h.char: h.target for h in tables.homoglyphs("file") if h.kind in {"lookalike", "form"}}
    for alphabet in tables.alphabets():
        for native, plain in alphabet.files.items():
            found |= {native: plain, native.upper(): plain}
    return {c: plain.lower() for c, plain in found.items() if len(c) == 1}


def _word_end(text: str, at: int, stop: int) -> int:
    while at < stop and (text[at].isalnum() or text[at] in "'’_"):
        at += 1
    return at


def _run_end(text: str, at: int, stop: int, chars: str) -> int:
    while at < stop and text[at] in chars:
        at += 1
    return at


def _line_end(text: str, at: int, stop: int) -> int:
    for i in range(at, stop):
        if text[i] in "\r\n":
            return i
    return stop
