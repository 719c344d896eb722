"""Files of problem collections in YAML, as YACPDB and Olive write them: one document a problem, between lines of `---`.

Read by line, not as YAML: places in the text are needed, and files in the wild are seldom correct YAML.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from functools import cache

import chess

from pipeline import setups, tables
from pipeline.model import Issue, TagPair
from pipeline.problems.block import ProblemText, Stipulation, stipulation

_ALGEBRAIC = re.compile(r"^algebraic:", re.MULTILINE)
_BORDER = re.compile(r"^---[ \t\r]*$\n?", re.MULTILINE)
_KEY = re.compile(r"^([A-Za-z][\w-]*):", re.MULTILINE)
_SIDE = re.compile(r"\b(white|black|neutral):\s*\[([^\]]*)\]")
_MAN = re.compile(r"([KQRBSP])([a-h][1-8])")
_TAGS = {"authors": "Author", "source": "Source", "date": "Date", "distinction": "Distinction", "stipulation": "Stipulation"}


def find(text: str) -> Iterator[ProblemText]:
    """The problems of a collection, in order."""
    if not _ALGEBRAIC.search(text):
        return
    at = 0
    for border in [*_BORDER.finditer(text), None]:
        end = border.start() if border else len(text)
        if _ALGEBRAIC.search(text, at, end):
            yield _problem(text, at, end)
        at = border.end() if border else end


def _problem(text: str, start: int, end: int) -> ProblemText:
    fields = _fields(text, start, end)
    first = min((at for at, _ in fields.values()), default=start)
    start = text.rfind("\n", start, first) + 1 if text.rfind("\n", start, first) >= 0 else start
    end = start + len(text[start:end].rstrip())
    written = _plain(_value(text, fields, "stipulation"))
    asked = stipulation(written)
    placement, problem = _placement(_value(text, fields, "algebraic"))
    fairy = _fairy(text, fields)
    if asked.goal is None or fairy or problem == "variant_unsupported":
        issue = Issue("variant_unsupported", start, end, written=fairy or written, detail="not chess as played")
        return _block(text, start, end, asked, (), fields, issue)
    boards, reason = setups.boards(placement, _turns(text, fields, asked)) if not problem else ((), problem)
    issue_here = None if boards else Issue("illegal_start_position", start, end, written=placement, detail=reason)
    return _block(text, start, end, asked, boards, fields, issue_here)


def _block(
    text: str, start: int, end: int, asked: Stipulation, boards: tuple[chess.Board, ...], fields: dict[str, tuple[int, int]],
    issue: Issue | None,
) -> ProblemText:  # fmt: skip
    a, b = fields.get("solution", (end, end))
    tags = [TagPair(tag, value) for key, tag in _TAGS.items() if (value := _tag(key, _value(text, fields, key)))]
    return ProblemText(text, start, end, "olv", asked, boards, (a, min(b, end)), tuple(tags), issue)


def _fields(text: str, start: int, end: int) -> dict[str, tuple[int, int]]:
    """Key → where its value stands."""
    keys = list(_KEY.finditer(text, start, end))
    borders = [key.start() for key in keys[1:]] + [end]
    return {key[1]: (key.end(), border) for key, border in zip(keys, borders, strict=True)}


def _value(text: str, fields: dict[str, tuple[int, int]], key: str) -> str:
    a, b = fields.get(key, (0, 0))
    return text[a:b].strip()


def _plain(value: str) -> str:
    return value.strip("\"'").strip()


def _tag(key: str, value: str) -> str:
    """A value on one line; lists joined by semicolons, dates as PGN writes them (PGN standard 8.1.1.3)."""
    lines = [_plain(line.strip().removeprefix("- ")) for line in value.splitlines()]
    joined = "; ".join(line for line in lines if line)
    if key == "date" and re.fullmatch(r"\d{4}(?:-\d{2}){0,2}", joined):
        return ".".join([*joined.split("-"), "??", "??"][:3])
    return joined


def _placement(value: str) -> tuple[str, str | None]:
    """Men in Forsyth's form, and what is wrong with them: fairy men, or two men on one square."""
    board = chess.BaseBoard.empty()
    for side, men in _SIDE.findall(value):
        for written in filter(None, (man.strip() for man in men.split(","))):
            match = _MAN.fullmatch(written)
            if not match or side == "neutral":
                return "", "variant_unsupported"
            square = chess.parse_square(match[2])
            if board.piece_at(square):
                return "", "two men on one square"
            piece = chess.Piece.from_symbol("N" if match[1] == "S" else match[1])
            board.set_piece_at(square, chess.Piece(piece.piece_type, side == "white"))
    return board.board_fen(), None


def _fairy(text: str, fields: dict[str, tuple[int, int]]) -> str | None:
    """A condition that changes the rules, or twins, whose positions stand nowhere; None when there is none."""
    for key in ("options", "conditions", "twins", "fairy"):
        value = _value(text, fields, key)
        if value and (key != "options" or not all(_is_harmless(line) for line in value.splitlines())):
            return f"{key}: {' '.join(value.split())[:100]}"
    return None


def _is_harmless(option: str) -> bool:
    words = re.findall(r"[A-Za-z]+", option)
    return not words or words[0].casefold() in _options()


@cache
def _options() -> frozenset[str]:
    return frozenset(row["text"] for row in tables.rows("problem_words") if row["kind"] == "option")


def _turns(text: str, fields: dict[str, tuple[int, int]], asked: Stipulation) -> str:
    """The side to move; a study whose solution has no move 1 of White begins with Black's."""
    solution = _value(text, fields, "solution")
    if asked.kind == "study" and re.search(r"\b1\s?\.", solution) and not re.search(r"\b1\s?\.(?!\s?\.)", solution):
        return "b"
    return "w" if asked.first == chess.WHITE else "b"
