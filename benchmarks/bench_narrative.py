"""How scores told among prose are read: games written with remarks of many kinds, and the share of each outcome.

usage: bench_narrative.py [FILE.pgn] [--texts N] [--seed N] [--kind NAME] [--show OUTCOME]

Each text holds one to three games of FILE in one notation, way to number, layout, and mostly one kind of remark. Games that are
read are compared with what was written: `right` = the whole game, clean; `short` = clean and a beginning of it; `cut` = truncated
where all moves are the game's; `none` = not found; `wrong` = any other move in a clean game or before the fault of a truncated
one. Openings that a remark quotes may be found as games of their own. Nothing may be wrong: the exit status is 3 if something is.
"""

from __future__ import annotations

import argparse
import html
import random
import sys
import textwrap
from collections import Counter, defaultdict
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path

import chess
import chess.pgn

from pipeline import tables
from pipeline.ingest.parts import parts
from pipeline.model import Game, Hints
from pipeline.render import algebraic, descriptive

SAMPLE = Path(__file__).parents[1] / "data" / "sample" / "match-1972.pgn"
OUTCOMES = ("right", "short", "cut", "none", "wrong")
Write = Callable[[chess.Board, chess.Move], str]

WORDS = {
    "en": "the move is quite good here and Black must answer with care as his king stands in the centre and White has time",
    "de": "der Zug ist hier recht gut und Schwarz muss sorgsam antworten weil sein König in der Mitte steht und Weiß Zeit hat",
    "ru": "этот ход здесь весьма хорош и чёрные должны отвечать осторожно так как их король стоит в центре доски",
    "fr": "le coup est assez bon ici et les Noirs doivent répondre avec soin car leur roi reste au centre de la position",
}
ENDINGS = {
    "en": ("White resigns.", "Black resigned.", "Draw agreed.", "1-0", "0-1", "1/2-1/2"),
    "de": ("Aufgegeben.", "Schwarz gab auf.", "Remis.", "1-0", "1:0", "½:½"),
    "ru": ("Белые сдались.", "Чёрные сдались.", "Ничья.", "1-0", "0:1", "½:½"),
    "fr": ("Les Blancs abandonnent.", "Abandon.", "Nulle.", "1-0", "0-1", "½-½"),
}
HEADINGS = {
    "en": ("Game {n}", "Game No. {n}. Sicilian", "{n}. Smith - Jones, London 1883", "CHAPTER {n}", "White: Smith. Black: Jones."),
    "de": ("Partie {n}", "{n}. Partie, Wien 1882", "Nr. {n}. Weiß: Meier. Schwarz: Huber."),
    "ru": ("Партия {n}", "№ {n}. Иванов - Петров, Москва 1935", "Партия № {n}"),
    "fr": ("Partie {n}", "{n}e partie", "Blancs: Dupont. Noirs: Durand."),
}
REMARKS: Mapping[str, Sequence[str]] = {
    "words": (" {sent}", " {sent} {sent}", "\n\n{sent} {sent}\n\n", " ({sent})", ", {words},"),
    "brackets": (" ({line})", " ({sent} {line})", " [{line}]", " ({words} ({line}) {words})", " (or {line}; {words})",
        " ({one}!)"),
    "line told": (" Better was {line}.", " After {line} the game is even. {sent}", " If {line}, then all is well.",
        " {sent} Not {line}?"),
    "line of a sentence": (" {one} was possible.", " {one} {words}.", " {bare} also came into question. {sent}",
        " Stronger is {bare}!"),
    "line of a paragraph": (
        "\n\n{bare} was better.\n\n", "\n\nOr {line} with play. {sent}\n\n", "\n\n{sent} Bad is {line}. {sent}\n\n",
        "\n\n{line} was played in another game. {sent}\n\n", "\n\n{line}\n\n{sent}\n\n", "\n\n{one} {words}.\n\n",
    ),
    "threat": (
        " White threatens {threat}.", " Now {threat} is threatened. {sent}", " {threat} is the threat.",
        "\n\n{threat} is threatened.\n\n",
        " {sent} Threatening {threat}.", " (threatens {threat})", " {sent} The threat: {threat}.", " with the idea {threat}.",
    ),
    "played": (
        " After {played} White stands well. {sent}", " {played} is the best. {sent}", "\n\n{played} {words}.\n\n",
        "\n\n{played}! {sent}\n\n", " ({played} {words})", " {sent} The idea of {played} is {threat}. {sent}",
    ),
    "quoted": (
        " as in {opening}.", " {sent} Compare the opening {opening}. {sent}", " ({opening} is another game.)",
        "\n\n{sent} It reminds of {opening}, {words}.\n\n", " The order {opening} is good too. {sent}",
    ),
    "abbreviations": (
        " {sent} e.g. {line}. {sent}", " {sent} z.B. {line}. {sent}", " {sent}, напр. {line}. {sent}",
        " {sent} p.ex. {line}. {sent}",
        " Mr. Smith, cf. No. 7, thinks {line} better. {sent}",
    ),
    "quotes": (' "{sent}" says he, "{line}." {sent}', " „{line}“ {words}. {sent}", " «{sent} {line}». {sent}",
        ' "{one}!" {words}.'),
    "lists": (
        " {sent} a) {line} b) {line}. {sent}", "\n\nA) {line}\n\nB) {line}\n\n{sent}\n\n", " Or (a) {line}; (b) {line}; {sent}",
        "\n\n1) {sent}\n2) {sent}\n\n", " I. {line}; II. {line}. {sent}",
    ),
    "pages": ("\n\n{n}\n\n", "\n\n[Illustration]\n\n", "\n\n{n} {words}\n\n", "\n\n[Illustration: {sent}]\n\n",
        "\n\n[Pg {n}]\n\n{sent}\n\n"),
    "semicolons": (" ; {line}; {sent}", "; {words} ; {sent}", " {sent} Also {line}; or {line}; {words}. {sent}"),
    "unclosed": (" ({sent} {line} {sent}", " ({line}", " [{sent}", " {line}) {sent}", " ({sent} ({line}) {sent}"),
    "glued": (" - {line}", ": {line}. {sent}", " - {words} - ", " {sent}\n{line}\n{sent}\n", " {line}", " {sent} {line}",
        "\n{line}\n"),
}  # fmt: skip
"""Kind → what a remark may be. `line`, `one`, `bare`: another move and more in the place of the one played, one such move, one
without a number; `threat`: moves that may follow; `played`: the move itself again."""
CLOSINGS = (
    "{sent} It could have gone on {threat}. {sent}", "since {threat} would follow.", "{threat} {words}.",
    "\n\nIf {threat}, {words}.\n\n",
    "For if {threat}, {words}. {sent}", "in view of {threat}.",
)  # fmt: skip
"""What stands behind the result of some games."""
QUOTED = ("1. d4 d5 2. c4", "1. e4 c5", "1. e4 e5 2. f4 d5 3. exd5", "1. c4", "1. f4 e5 2. e4")
NUMBERS = ("{n}.", "{n}.", "{n}.", "{n})", "({n})", "{n}")
PLACEHOLDERS = ("{n}...", "{n}. ...", "{n}. ........", "{n}.…", "{n}.. ")
LAYOUTS = ("running", "move a line", "wrapped", "columns", "html", "hyphenated")
SLIPS = {"l": "1", "1": "l", "O": "0", "0": "O", "3": "З", "б": "6", "6": "б"}
NOTATIONS = (
    "en",
    "de",
    "ru",
    "fr",
    "figurine",
    "long-dash",
    "colon",
    "colon-end",
    "minimal",
    "files",
    "kt",
    "kt spaced",
    "scanned",
)


@dataclass
class Text:
    """What is written, and what was meant: the games and the openings that remarks quote, each as SAN."""

    kind: str
    notation: str
    layout: str
    language: str = "en"
    text: str = ""
    games: list[list[str]] = field(default_factory=list)
    quoted: set[str] = field(default_factory=set)


class Author:
    """Writes one text, by the random numbers of one seed."""

    def __init__(self, rng: random.Random, kind: str) -> None:
        self.rng = rng
        self.out = Text(kind, rng.choice(NOTATIONS), rng.choice(LAYOUTS))
        name = self.out.notation
        self.out.language = name if name in WORDS else "ru" if name in {"colon", "colon-end"} else rng.choice(list(WORDS))
        self.write = writer(rng, name, self.out.language)
        self.number = rng.choice(NUMBERS)
        self.placeholder = rng.choice(PLACEHOLDERS) if self.number == "{n}." else self.number + " ..."
        self.share = rng.choice([0.1, 0.25])

    def told(self, games: Sequence[Sequence[chess.Move]]) -> Text:
        """The text of some games."""
        pages = [self._game(moves, n) for n, moves in enumerate(games, 1)]
        self.out.text = laid_out("\n\n".join(pages), self.out.layout, self.rng) + "\n"
        return self.out

    def _game(self, moves: Sequence[chess.Move], n: int) -> str:
        heading = self.rng.choice(HEADINGS[self.out.language]).format(n=n)
        board, written, is_fresh, truth = chess.Board(), "", True, []
        for move in moves:
            truth.append(board.san(move))
            text = self._numbered(board, move, is_needed=is_fresh)
            written += ("\n" if board.turn and self.out.layout == "move a line" else " ") + text
            before = board.copy()
            board.push(move)
            is_fresh = False
            if self.rng.random() < self.share and move != moves[-1] and self.out.layout != "columns":
                template = self._template()
                written += self._filled(template, before, move, board)
                is_fresh = not template.startswith((" (", " [")) or self.rng.random() < 0.5
        if self.rng.random() < 0.8:
            written = written.rstrip() + " " + self.rng.choice(ENDINGS[self.out.language])
            if self.rng.random() < 0.3 and any(board.legal_moves):
                written += " " + self._filled(self.rng.choice(CLOSINGS), board, None, board)
        self.out.games.append(truth)
        if self.out.layout == "columns":
            written = self._columns(moves)
        return f"{heading}\n\n{written.strip()}"

    def _columns(self, moves: Sequence[chess.Move]) -> str:
        board, rows = chess.Board(), ["     White          Black"]
        for move in moves:
            text = self.write(board, move)
            if board.turn:
                rows.append(f"{self.number.format(n=board.fullmove_number):>4} {text:<15}")
            else:
                rows[-1] += text
            board.push(move)
            if self.rng.random() < self.share / 2 and move != moves[-1]:
                if board.turn:
                    rows.append("\n" + self._filled("{sent} {sent}\n", board, None, board))
                else:
                    rows[-1] += "..."
                    rows.append("\n" + self._filled("{sent} {sent}\n", board, None, board))
                    rows.append(f"{self.number.format(n=board.fullmove_number):>4} ...{'':<12}")
        return "\n".join(rows)

    def _numbered(self, board: chess.Board, move: chess.Move, *, is_needed: bool) -> str:
        text = self.write(board, move)
        form = self.number if board.turn else self.placeholder if is_needed else ""
        return f"{form.format(n=board.fullmove_number)} {text}".strip()

    def _template(self) -> str:
        kinds = [self.out.kind] if self.out.kind != "mixed" and self.rng.random() < 0.8 else list(REMARKS)
        return self.rng.choice(REMARKS[self.rng.choice(kinds)])

    def _filled(self, template: str, before: chess.Board, move: chess.Move | None, after: chess.Board) -> str:
        """A template with its fields in words and moves, each occurrence anew."""
        fill: dict[str, Callable[[], str]] = {
            "sent": lambda: self._words().capitalize() + ".",
            "words": self._words,
            "line": lambda: self._line(before, move, self.rng.randint(1, 5)),
            "one": lambda: self._line(before, move, 1),
            "bare": lambda: (
                self._line(before, move, 1).split(" ", self._line(before, move, 1).count(" ") and 1)[-1].lstrip(". …")
            ),
            "threat": lambda: self._line(after, None, self.rng.randint(1, 3)),
            "played": lambda: self._numbered(before, move, is_needed=True) if move else "",
            "opening": self._opening,
            "n": lambda: str(self.rng.randint(2, 300)),
        }
        for name, make in fill.items():
            while "{" + name + "}" in template:
                template = template.replace("{" + name + "}", make(), 1)
        return template

    def _words(self) -> str:
        words = WORDS[self.out.language].split()
        return " ".join(self.rng.sample(words, self.rng.randint(3, 12)))

    def _opening(self) -> str:
        quoted = self.rng.choice(QUOTED)
        self.out.quoted.add(" ".join(token for token in quoted.split() if token[-1] != "."))
        return quoted

    def _line(self, board: chess.Board, played: chess.Move | None, n: int) -> str:
        """Moves that were not played, from a board; the first is not `played`."""
        board, told = board.copy(), []
        for i in range(n):
            moves = [move for move in board.legal_moves if i or move != played]
            if not moves:
                break
            move = self.rng.choice(moves)
            told.append(self._numbered(board, move, is_needed=i == 0))
            board.push(move)
        return " ".join(told)


def writer(rng: random.Random, notation: str, language: str) -> Write:
    """How moves are written in a notation."""
    alphabets = {alphabet.name: alphabet for alphabet in tables.alphabets()}
    if notation.startswith("kt"):
        tight = descriptive.printer(descriptive.styles()["kt"])
        return (lambda b, m: tight(b, m).replace("-", " - ").replace("x", " x ")) if "spaced" in notation else tight
    if notation in algebraic.styles():
        return algebraic.printer(alphabets[language], algebraic.styles()[notation])
    name = "fig" if notation == "figurine" else language
    plain = algebraic.printer(alphabets[name], algebraic.styles()["san"])
    if notation != "scanned":
        return plain

    def slipped(board: chess.Board, move: chess.Move) -> str:
        text = plain(board, move)
        i = rng.randrange(len(text))
        return text[:i] + SLIPS.get(text[i], text[i]) + text[i + 1 :] if rng.random() < 0.1 else text

    return slipped


def laid_out(text: str, layout: str, rng: random.Random) -> str:
    """A text on its page."""
    if layout == "html":
        return "<html><body>" + "\n".join(f"<p>{html.escape(part)}</p>" for part in text.split("\n\n")) + "</body></html>"
    if layout in {"wrapped", "hyphenated"}:
        width = rng.choice([45, 60, 66, 75])
        filled = "\n\n".join(textwrap.fill(part, width, break_on_hyphens=layout == "hyphenated") for part in text.split("\n\n"))
        return filled if layout == "wrapped" else hyphenated(filled, rng)
    return text


def hyphenated(text: str, rng: random.Random) -> str:
    """Some last words of lines are broken with a hyphen."""
    lines = text.split("\n")
    for i, line in enumerate(lines[:-1]):
        words = lines[i + 1].split(" ")
        if line and words[0].isalpha() and len(words[0]) > 5 and rng.random() < 0.5:
            lines[i], lines[i + 1] = f"{line} {words[0][:3]}-", " ".join([words[0][3:], *words[1:]])
    return "\n".join(lines)


def outcomes(written: Text) -> list[str]:
    """The outcome of each game of a text, and `wrong` for each that was read and not written."""
    read = [part for part in parts(written.text, [(0, len(written.text))], Hints()) if isinstance(part, Game)]
    found: dict[int, str] = {}
    wrong = []
    for game in read:
        moves = [ply.san for ply in game.lines[0].plies]
        if not moves or any(quote.startswith(" ".join(moves)) for quote in written.quoted):
            continue
        fits = [k for k, truth in enumerate(written.games) if k not in found and truth[: len(moves)] == moves]
        if not fits:
            wrong.append("wrong")
        elif game.status != "clean":
            found[fits[0]] = "cut"
        else:
            found[fits[0]] = "right" if len(moves) == len(written.games[fits[0]]) else "short"
    return [found.get(k, "none") for k in range(len(written.games))][: len(written.games) - len(wrong)] + wrong


def main() -> int:
    """Write and read texts, print the figures."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("file", nargs="?", type=Path, default=SAMPLE)
    parser.add_argument("--texts", type=int, default=300)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--kind", choices=(*REMARKS, "mixed"), help="only texts of this kind of remark")
    parser.add_argument("--show", choices=OUTCOMES, action="append", default=[], help="print texts with this outcome")
    options = parser.parse_args()
    pool = games(options.file)
    counts: dict[str, Counter[str]] = defaultdict(Counter)
    for k in range(options.texts):
        rng = random.Random(f"{options.seed}:{k}")
        kinds = [*REMARKS, "mixed"]
        chosen = [rng.choice(pool)[: rng.randint(16, 60)] for _ in range(rng.choice([1, 1, 1, 2, 3]))]
        written = Author(rng, options.kind or kinds[k % len(kinds)]).told(chosen)
        for outcome in (reached := outcomes(written)):
            for row in ("all", f"remark: {written.kind}", f"layout: {written.layout}", f"notation: {written.notation}"):
                counts[row][outcome] += 1
        if set(options.show) & set(reached):
            show(f"---- {k} {written.kind}, {written.layout}, {written.notation}: {reached}\n{written.text}")
    show(f"{'':30}{'games':>7}" + "".join(f"{name:>8}" for name in OUTCOMES))
    for row, count in sorted(counts.items()):
        n = count.total()
        show(f"{row:30}{n:7}" + "".join(f"{count[name] / n:8.1%}" for name in OUTCOMES[:-1]) + f"{count['wrong']:8}")
    return 3 if counts["all"]["wrong"] else 0


def games(path: Path) -> list[list[chess.Move]]:
    """Main lines of the first games of a file."""
    found: list[list[chess.Move]] = []
    with path.open(encoding="utf-8", errors="replace") as file:
        while len(found) < 400 and (game := chess.pgn.read_game(file)) is not None:
            moves = list(game.mainline_moves())
            if len(moves) >= 20:
                found.append(moves)
    return found


def show(line: str) -> None:
    """One line of the result."""
    sys.stdout.write(line + "\n")


if __name__ == "__main__":
    sys.exit(main())
