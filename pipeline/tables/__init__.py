"""What varies by language, sign or code is a row of a CSV file here; this module checks and hands out the rows.

`tables.csv` declares each table: header, key, order, allowed values, and whether `source` cites keys of `sources.csv`.
A table that is not declared there is still read, with the checks that need no declaration.
A broken row raises `TableError` with file and line: it is a fault of the program, never of the input.
"""

from __future__ import annotations

import csv
import unicodedata
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from functools import cache
from importlib.resources import files
from types import MappingProxyType

Row = Mapping[str, str]

PIECE_TYPES: Mapping[str, int] = MappingProxyType({"N": 2, "B": 3, "R": 4, "Q": 5, "K": 6})
"""English letter (PGN standard 8.2.3.2) to python-chess piece type."""

MEN: Mapping[str, int] = MappingProxyType({**PIECE_TYPES, "P": 1})
"""The same with the pawn, as lists of men and descriptive notation need it."""

NAMES_OF_MEN: Mapping[str, int] = MappingProxyType({"king": 6, "queen": 5, "rook": 4, "bishop": 3, "knight": 2, "pawn": 1})
"""Men as columns and kinds of the tables name them, to python-chess piece type."""


class TableError(ValueError):
    """A table breaks its declaration; the message is `tables/<name>.csv:<line>: <what is wrong>`."""

    def __init__(self, table: str, line: int, what: str) -> None:
        super().__init__(f"tables/{table}.csv:{line}: {what}")


@dataclass(frozen=True, slots=True)
class Alphabet:
    """How one language (or figurine set) writes the men.

    `letters` maps every letter or longer form, variants too, to a python-chess piece type (2 knight … 6 king): match the
    longest first (`Кр` before `К`). `primary` is the form to print. `pawn_letters` are for the lenient round only
    (FIDE C.4). `files` holds native file letters and is empty where files are a–h.
    """

    name: str
    bcp47: str
    language: str
    script: str
    letters: Mapping[str, int] = field(hash=False)
    primary: Mapping[int, str] = field(hash=False)
    pawn_letters: tuple[str, ...]
    infer: str
    priority: int
    files: Mapping[str, str] = field(hash=False)
    source: str


@dataclass(frozen=True, slots=True)
class Symbol:
    """A sign of annotators. `side` is the side that the sign itself names (`±` w, `∓` b), None when it names none.

    `placement`: `any` = after a move, glued or not; `alone` = only between blanks; `suffix` = glued to the end of a move or
    alone after one (`d4N`, `Nf6 D`), where it is no man; `never` = not in movetext (castling, capture or mate there).
    """

    symbol: str
    nag: int
    kind: str
    side: str | None
    placement: str
    source: str


@dataclass(frozen=True, slots=True)
class Nag:
    """A numeric annotation glyph (PGN standard 10; 140 and up: Informant, SCID, ChessBase).

    `side` is the side that the number names; `favours` whom it speaks for: `w`, `b`, `mover`, `opponent` or None.
    A favour of `w` or `b` counts only where the annotation names its side: `⊙` is NAG 22, but does not name White.
    """

    nag: int
    symbol: str
    kind: str
    favours: str | None
    side: str | None
    meaning: str


@dataclass(frozen=True, slots=True)
class Homoglyph:
    """`char` (one or more characters) stands for `target` where `context` is expected; an empty target drops it.

    `kind`: `sign` = an ordinary way to write it, `form` = a width or digit form, `lookalike` = a letter of another script,
    `ocr` = only when the literal reading fails.
    """

    char: str
    target: str
    context: str
    kind: str
    source: str


@dataclass(frozen=True, slots=True)
class ResultText:
    """A way to write a result. `text` is in lower case, with `-` for every dash; compare after the same folding.

    `canonical`: a PGN result, `0-0`, or `side_to_move_loses` / `mover_wins`, which need the board; `mate` and `stalemate`
    count only when the board agrees. `type` `decision` says nothing of how it came about: `0-0` may be a forfeit or not.
    `place` is where movetext may hold it, a Result tag may hold all: `any`; `tag` = nowhere in movetext; `last` = only as the
    very last token when nothing contradicts; `no_moves` = only where no move is written.
    """

    lang: str
    text: str
    canonical: str
    type: str
    place: str
    source: str


@dataclass(frozen=True, slots=True)
class Word:
    """A word beside or inside a move; `lang` is `*` where it belongs to no language."""

    lang: str
    kind: str
    text: str
    source: str


@dataclass(frozen=True, slots=True)
class IssueCode:
    """`severity`: `quirk` (understood) or `fault` (something could not be read). `remedy` says what to do."""

    code: str
    severity: str
    meaning: str
    remedy: str


@dataclass(frozen=True, slots=True)
class _Declaration:
    columns: tuple[str, ...]
    key: tuple[str, ...]
    order: tuple[str, ...]
    """Columns that the rows are sorted by; `#name` compares as a number. Empty: order means nothing or is free."""
    cites_keys: bool
    allowed: Mapping[str, frozenset[str]]


@cache
def rows(name: str) -> tuple[Row, ...]:
    """All rows of `<name>.csv`, in file order, checked. Raises `TableError`, or `KeyError` when there is no such table."""
    return tuple(row for _, row in _checked(name))


@cache
def names() -> tuple[str, ...]:
    """Names of all tables, sorted."""
    return tuple(sorted(p.name.removesuffix(".csv") for p in files(__package__).iterdir() if p.name.endswith(".csv")))


@cache
def alphabets() -> tuple[Alphabet, ...]:
    """All alphabets, first choice first (docs/rules.md §3: the first survivor by priority names the language)."""
    found = tuple(_alphabet(line, row) for line, row in _checked("piece_letters"))
    return tuple(sorted(found, key=lambda a: a.priority))


@cache
def alphabet(name: str | None) -> Alphabet | None:
    """The alphabet of a name; None when none is called so, as no dialect of another notation is."""
    return next((a for a in alphabets() if a.name == name), None)


@cache
def symbols() -> Mapping[str, Symbol]:
    """Sign to `Symbol`, longest first: the first that matches is the right one."""
    found = [
        Symbol(r["symbol"], int(r["nag"]), r["kind"], r["side"] or None, r["placement"], r["source"]) for r in rows("symbols")
    ]
    return MappingProxyType({s.symbol: s for s in sorted(found, key=lambda s: (-len(s.symbol), s.symbol))})


@cache
def nags() -> tuple[Nag, ...]:
    """NAGs 0 to 255; the index is the number."""
    return tuple(
        Nag(int(r["nag"]), r["symbol"], r["kind"], r["favours"] or None, r["side"] or None, r["meaning"]) for r in rows("nags")
    )


@cache
def homoglyphs(context: str | None = None) -> tuple[Homoglyph, ...]:
    """Characters that stand for others: all, or those of one context."""
    found = (
        Homoglyph(_character(r["char"]), _character(r["target"]), r["context"], r["kind"], r["source"])
        for r in rows("homoglyphs")
    )
    return tuple(h for h in found if context in (None, h.context))


@cache
def results() -> tuple[ResultText, ...]:
    """Ways to write a result, in every language."""
    return tuple(ResultText(r["lang"], r["text"], r["canonical"], r["type"], r["place"], r["source"]) for r in rows("results"))


@cache
def words(kind: str | None = None) -> tuple[Word, ...]:
    """Words of all kinds, or of one kind, in every language."""
    return tuple(Word(r["lang"], r["kind"], r["text"], r["source"]) for r in rows("words") if kind in (None, r["kind"]))


@cache
def issue_codes() -> Mapping[str, IssueCode]:
    """Issue code to its severity, meaning and remedy."""
    return MappingProxyType(
        {r["code"]: IssueCode(r["code"], r["severity"], r["meaning"], r["what_to_do"]) for r in rows("issues")}
    )


def _character(cell: str) -> str:
    """`U+200B` to the character it names; anything else to itself."""
    return chr(int(cell.removeprefix("U+"), base=16)) if cell.startswith("U+") and len(cell) > 2 else cell


def _alphabet(line: int, row: Row) -> Alphabet:
    primary = {piece: row[name] for name, piece in NAMES_OF_MEN.items() if name != "pawn"}
    letters: dict[str, int] = {}
    forms = [(letter, piece) for piece, letter in primary.items()]
    for man, letter in _pairs("piece_letters", line, row["variants"]):
        if man not in PIECE_TYPES:
            raise TableError("piece_letters", line, f"variant {man}={letter}: no man is called {man}, use one of K Q R B N")
        forms.append((letter, PIECE_TYPES[man]))
    for letter, piece in forms:
        if not letter:
            raise TableError("piece_letters", line, "a man has no letter")
        if letters.setdefault(letter, piece) != piece:
            raise TableError("piece_letters", line, f"{letter} means two men")
    pawns = tuple(filter(None, row["pawn"].split(";")))
    for pawn in pawns:
        if pawn in letters:
            raise TableError("piece_letters", line, f"{pawn} means the pawn and another man")
    return Alphabet(
        name=row["name"],
        bcp47=row["bcp47"],
        language=row["language"],
        script=row["script"],
        letters=MappingProxyType(letters),
        primary=MappingProxyType(primary),
        pawn_letters=pawns,
        infer=row["infer"],
        priority=int(row["priority"]),
        files=MappingProxyType(dict(_pairs("piece_letters", line, row["files"]))),
        source=row["source"],
    )


def _pairs(table: str, line: int, cell: str) -> Iterator[tuple[str, str]]:
    """`K=КР;N=Kn` to its pairs."""
    for pair in filter(None, cell.split(";")):
        left, equals, right = pair.partition("=")
        if not (left and equals and right):
            raise TableError(table, line, f"`{pair}` is not of the form a=b")
        yield left, right


# --- reading and checking ---------------------------------------------------------------------------------------------


@cache
def _checked(name: str) -> tuple[tuple[int, Row], ...]:
    """Line number and row of each record of a table that passed every check."""
    path = files(__package__) / f"{name}.csv"
    if not path.is_file():
        raise KeyError(f"there is no table {name}.csv in pipeline/tables")
    text = path.read_text("utf-8")
    declared = _SELF if name == "tables" else _declarations().get(name)
    return check(name, text, declared, _source_keys() if declared and declared.cites_keys and name != "sources" else None)


def check(
    name: str, text: str, declared: _Declaration | None, source_keys: frozenset[str] | None = None
) -> tuple[tuple[int, Row], ...]:
    """Turns CSV text into numbered rows; raises `TableError` at the first row that breaks the declaration."""
    reader = csv.reader(text.splitlines(), strict=True)
    header = tuple(next(reader, ()))
    expected = declared.columns if declared else header
    if header != expected or len(set(header)) != len(header) or not all(header):
        raise TableError(name, 1, f"the header is {','.join(header)}, expected {','.join(expected)} with distinct names")
    if "source" not in header:
        raise TableError(name, 1, "there is no column `source`: each row says where it comes from")
    found: list[tuple[int, Row]] = []
    for record in reader:
        line = reader.line_num
        if len(record) != len(header):
            raise TableError(name, line, f"{len(record)} cells under {len(header)} headings")
        row = dict(zip(header, record, strict=True))
        _check_row(name, line, row, declared, source_keys)
        found.append((line, MappingProxyType(row)))
    _check_keys(name, found, declared.key if declared else header)
    if declared and declared.order:
        _check_order(name, found, declared.order)
    return tuple(found)


def _check_row(name: str, line: int, row: Row, declared: _Declaration | None, source_keys: frozenset[str] | None) -> None:
    for column, cell in row.items():
        if cell.isascii() and cell.isprintable() and cell == cell.strip():
            continue
        if cell != unicodedata.normalize("NFC", cell):
            raise TableError(name, line, f"`{cell}` in {column} is not in Unicode form NFC")
        for char in cell:
            if _is_invisible(char):
                raise TableError(name, line, f"{column} holds U+{ord(char):04X}, which nobody can see: write its code point")
        if cell != cell.strip():
            raise TableError(name, line, f"`{cell}` in {column} begins or ends with a blank")
    if not row["source"]:
        raise TableError(name, line, "the row has no source")
    if source_keys is not None:
        for key in row["source"].split(" "):
            if key not in source_keys:
                raise TableError(name, line, f"source {key} is not in tables/sources.csv")
    for column, values in (declared.allowed if declared else {}).items():
        if row[column] not in values:
            raise TableError(name, line, f"{column} is `{row[column]}`, expected one of {', '.join(sorted(values))}")


def _is_invisible(char: str) -> bool:
    """True for controls, format and bidi characters, blanks other than the ordinary one, and variation selectors."""
    return char != " " and (
        unicodedata.category(char) in ("Cc", "Cf", "Cs", "Co", "Zs", "Zl", "Zp") or "\ufe00" <= char <= "\ufe0f"
    )


def _check_keys(name: str, found: Iterable[tuple[int, Row]], key: tuple[str, ...]) -> None:
    first: dict[tuple[str, ...], int] = {}
    for line, row in found:
        value = tuple(row[column] for column in key)
        if not value[0]:
            raise TableError(name, line, f"the key {key[0]} is empty")
        if value in first:
            raise TableError(name, line, f"{' '.join(value)} stands already in line {first[value]}")
        first[value] = line


def _check_order(name: str, found: Iterable[tuple[int, Row]], order: tuple[str, ...]) -> None:
    before: tuple[int | str, ...] | None = None
    for line, row in found:
        try:
            now = tuple(int(row[column[1:]]) if column.startswith("#") else row[column] for column in order)
        except ValueError:
            raise TableError(name, line, f"{' '.join(order)} must be whole numbers") from None
        if before is not None and now < before:
            raise TableError(name, line, f"the row belongs further up: rows are sorted by {' '.join(order)}")
        before = now


_SELF = _Declaration(
    columns=("name", "columns", "key", "order", "cites", "allowed", "purpose", "source"),
    key=("name",),
    order=("name",),
    cites_keys=False,
    allowed=MappingProxyType({"cites": frozenset(("keys", "text"))}),
)


@cache
def _declarations() -> Mapping[str, _Declaration]:
    found = {}
    for line, row in _checked("tables"):
        allowed = {
            column: frozenset(values.split(","))
            for column, equals, values in (part.partition("=") for part in filter(None, row["allowed"].split(";")))
        }
        columns = tuple(row["columns"].split())
        for column in (*row["key"].split(), *(c.removeprefix("#") for c in row["order"].split()), *allowed):
            if column not in columns:
                raise TableError("tables", line, f"{row['name']} has no column {column}")
        found[row["name"]] = _Declaration(
            columns, tuple(row["key"].split()), tuple(row["order"].split()), row["cites"] == "keys", MappingProxyType(allowed)
        )
    return MappingProxyType(found)


@cache
def _source_keys() -> frozenset[str]:
    return frozenset(row["key"] for row in rows("sources"))
