"""TeX with a chess package → the text, and PGN of what the package plays: `\\mainline`, `\\variation`, positions, new games.

Where a document has a main line in macros, its prose between the moves is remarks on them: it stands in braces.
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Mapping
from functools import cache

from pipeline import tables
from pipeline.markup.view import View, Writer

_TOKEN = re.compile(
    r"%[^\n]*(?:\n[ \t]*)?|\\(?P<verb>verb\*?(?P<bar>[^A-Za-z\s*])[^\n]*?(?P=bar))"
    r"|\\(?P<word>[A-Za-z@]+)\*?(?:[ \t]*\n(?!\s*\n)[ \t]*|[ \t]+)?|\\(?P<sign>.)|(?P<dashes>--+)|[{}~$]",
    re.DOTALL,
)
_SQUARE = re.compile(r"(?:\{\s?\})?x?[a-h]?x?[a-h][1-8]")
"""Behind a command that is not known it may be a man's: the command's name stays, lest the move be read as a pawn's."""
_OPTION = re.compile(r"\s{0,20}\[[^\[\]]{0,2000}\]")
_OPENING = re.compile(r"\s{0,20}\{")
_LETTER = re.compile(r"\s{0,5}(?:\{\s?\\?([A-Za-z])\s?\}|\\?([A-Za-z])(?![A-Za-z]*\{))")
_KEY = re.compile(r"(?P<key>[A-Za-z]+)\s*=\s*\{?(?P<value>[^,{}\[\]]*[^,{}\[\]\s])\}?")
_ENVIRONMENT = re.compile(r"\{([A-Za-z*]+)\}")
_FI = re.compile(r"\\fi(?![A-Za-z@])")
_MAINLINE = ("mainline", "newgame", "position")


@cache
def _commands() -> Mapping[str, tuple[str, str]]:
    """Command → effect and text."""
    return {row["command"]: (row["effect"], _text(row["text"])) for row in tables.rows("tex_commands")}


def _text(cell: str) -> str:
    return chr(int(cell.removeprefix("U+"), base=16)) if cell.startswith("U+") else cell


def view(text: str) -> list[View]:
    """What a reader sees of a document or a part of one."""
    return [_Document(text).read()]


class _Document:
    def __init__(self, text: str) -> None:
        self.text = text
        self.out = Writer(text)
        self.closing = _pairs(text)
        self.endings: dict[int, str] = {}
        """Closing brace → what stands in its place."""
        self.endless: set[str] = set()
        """Environments whose end is looked for in vain from here on."""
        self.in_game = False
        self.in_remark = False
        self.moves_follow = _followed_by_moves(text)

    def read(self) -> View:
        text = self.text
        body = text.find("\\begin{document}")
        at, end = max(body, 0), text.find("\\end{document}")
        end = end if end > at else len(text)
        while at < end:
            token = _TOKEN.search(text, at, end)
            self.out.copy(at, token.start() if token else end)
            at = self._token(token) if token else end
        if self.in_remark:
            self._leave_remark(*self.out.last())
        return self.out.view()

    def _token(self, token: re.Match[str]) -> int:
        start, end, sign = token.start(), token.end(), token[0][0]
        if token["verb"] or sign in "%${":
            return end
        if sign == "}":
            after = self.endings.pop(start, "")
            self.out.put(after, start, end)
            self.in_remark = self.in_remark or after.endswith("{")
        elif sign == "~":
            self.out.put(" ", start, end)
        elif token["dashes"]:
            self.out.put("–" if end - start == 2 else "—", start, end)
        else:
            return self._command(token["word"] or token["sign"], start, end)
        return end

    def _command(self, name: str, start: int, end: int) -> int:
        effect, seen = _commands().get(name, ("blank" if name.isspace() else "", ""))
        if effect == "symbol":
            self.out.put(seen, start, end)
        elif effect == "blank":
            self.out.put(" ", start, end)
        elif effect == "accent":
            return self._accent(seen, start, end)
        elif effect in ("hidden", "first"):
            return self._past_arguments(end, 1 if effect == "first" else 9)
        elif effect == "environment":
            return self._environment(name, start, end)
        elif effect == "never":
            return self._never(end)
        elif effect == "line":
            self.out.line_break(1, start, end)
        elif effect == "paragraph":
            if name not in ("par", "paragraph"):
                self._leave_remark(start, end)
            self.out.line_break(2, start, end)
        elif effect in ("mainline", "variation", "position"):
            return self._moves(effect, start, self._past_options(end))
        elif effect == "newgame":
            return self._new_game(start, end)
        elif not effect:
            if _SQUARE.match(self.text, end):
                self.out.put(name, start, end)
            return self._past_options(end)
        return end

    def _moves(self, effect: str, start: int, end: int) -> int:
        """An argument of moves or of a position → where it begins."""
        opening = _OPENING.match(self.text, end)
        if not opening or opening.end() - 1 not in self.closing:
            return end
        inside = opening.end()
        before, after = ("", "") if effect == "mainline" else (" (", ") ")
        if effect == "position":
            if inside - 1 not in self.moves_follow:
                return self.closing[inside - 1] + 1
            self._leave_game(start, inside)
            before, after = '[FEN "', '"]\n\n'
            self.out.line_break(2, start, inside)
        elif effect == "mainline":
            self.in_game = True
        if self.in_remark:
            before, self.in_remark = "} " + before, False
        if self.in_game and effect != "position" and not self.endings:
            after += " {"
        self.out.put(before or " ", start, inside)
        self.endings[self.closing[inside - 1]] = after
        return inside

    def _new_game(self, start: int, end: int) -> int:
        self._leave_game(start, end)
        self.out.line_break(2, start, end)
        option = _OPTION.match(self.text, end)
        if not option:
            return end
        if start in self.moves_follow:
            for key in _KEY.finditer(self.text, option.start(), option.end()):
                effect, name = _commands().get("=" + key["key"].lower(), ("", ""))
                if effect == "tag":
                    self.out.put(f'[{name} "', key.start(), key.start("value"))
                    self.out.copy(*key.span("value"))
                    self.out.put('"]\n', key.end("value"), key.end("value") + 1)
            self.out.put("\n", option.end() - 1, option.end())
        return option.end()

    def _leave_remark(self, start: int, end: int) -> None:
        if self.in_remark:
            self.out.put("}", start, end)
            self.in_remark = False

    def _leave_game(self, start: int, end: int) -> None:
        self._leave_remark(start, end)
        self.in_game = False

    def _accent(self, mark: str, start: int, end: int) -> int:
        letter = _LETTER.match(self.text, end)
        if not letter:
            return end
        self.out.put(unicodedata.normalize("NFC", (letter[1] or letter[2]) + mark), start, letter.end())
        return letter.end()

    def _environment(self, name: str, start: int, end: int) -> int:
        found = _ENVIRONMENT.match(self.text, end)
        if not found:
            return end
        self.out.line_break(1, start, found.end())
        if name == "begin" and _commands().get(found[1], ("", ""))[0] == "verbatim":
            closing = -1 if found[1] in self.endless else self.text.find(f"\\end{{{found[1]}}}", found.end())
            if closing < 0:
                self.endless.add(found[1])
            else:
                self.out.copy(found.end(), closing)
                return closing
        return self._past_options(found.end())

    def _never(self, end: int) -> int:
        """Behind a condition that is never met."""
        found = None if "fi" in self.endless else _FI.search(self.text, end)
        if found is None:
            self.endless.add("fi")
        return found.end() if found else end

    def _past_options(self, at: int) -> int:
        option = _OPTION.match(self.text, at)
        return option.end() if option else at

    def _past_arguments(self, at: int, n: int) -> int:
        """Behind as many arguments as follow, at most `n`."""
        at = self._past_options(at)
        for _ in range(n):
            opening = _OPENING.match(self.text, at)
            if not opening or opening.end() - 1 not in self.closing:
                break
            at = self._past_options(self.closing[opening.end() - 1] + 1)
        return at


def _pairs(text: str) -> dict[int, int]:
    """Opening brace → its closing one."""
    found: dict[int, int] = {}
    stack: list[int] = []
    for brace in re.finditer(r"%[^\n]*|\\.|[{}]", text, re.DOTALL):
        if brace[0] == "{":
            stack.append(brace.start())
        elif brace[0] == "}" and stack:
            found[stack.pop()] = brace.start()
    return found


def _followed_by_moves(text: str) -> set[int]:
    """Where new games begin (their backslash) and positions (their brace) that the next chess command plays on from."""
    names = "|".join(sorted(name for name, (effect, _) in _commands().items() if effect in _MAINLINE))
    command = re.compile(rf"\\({names})\b(?:\s{{0,20}}\[[^\[\]]{{0,2000}}\])?\s{{0,20}}\{{?")
    found = [(match[1], match.start(), match.end() - 1) for match in command.finditer(text)]
    following = [_commands()[name][0] == "mainline" for name, _, _ in found[1:]]
    starts = zip(found, following, strict=False)
    return {at for (_, start, brace), is_followed in starts if is_followed for at in (start, brace)}
