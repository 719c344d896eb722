"""docs/systems.md, made from tests/cases/systems.csv: what is written how, how it is read, and the test that proves it.

usage: python tests/systems_page.py [--write]
Without --write, says whether docs/systems.md is up to date (exit code 1 when it is not).
"""

from __future__ import annotations

import csv
import sys
from collections.abc import Iterator, Sequence
from itertools import groupby
from pathlib import Path

ROOT = Path(__file__).resolve().parents[1]
PAGE = ROOT / "docs" / "systems.md"
ROWS = ROOT / "tests" / "cases" / "systems.csv"
SECTIONS = {
    "SYS": "Notations",
    "TOK": "Parts of a move",
    "PCE": "Names of the men",
    "RUL": "Rules of the notations",
    "ANN": "Symbols of annotators",
    "RES": "Results",
    "POS": "Positions",
    "TRP": "Traps and errors of print",
    "AMB": "Forms that need the board, or the whole game",
    "HIS": "Background",
}
HEAD = """# How each system of writing is read

Made from `tests/cases/systems.csv` by `python tests/systems_page.py --write`. Each row is a way of writing, a part of a move, or
a trap. An example is read by `tests/test_systems.py`, which compares moves, status, symbols, result and issues with the row;
where another test fits better, it is named; where there is nothing to read, the reason is given.
"""


def page() -> str:
    """The text of docs/systems.md."""
    rows = list(csv.DictReader(ROWS.read_text("utf-8").splitlines()))
    return "".join([HEAD, *(section(title, [r for r in rows if r["id"][:3] == key]) for key, title in SECTIONS.items())])


def section(title: str, rows: Sequence[dict[str, str]]) -> str:
    lines = [f"\n## {title}\n", "| | what | how it is read | proven by |", "| --- | --- | --- | --- |"]
    for key, group in groupby(rows, key=lambda row: row["id"]):
        several = list(group)
        what = "; ".join(row["what"] for row in several if row["what"])
        how = "; ".join(row["how"] for row in several if row["how"])
        proofs = "<br>".join(dict.fromkeys(proof(row) for row in several))
        lines.append("| " + " | ".join(cell.replace("|", "\\|") for cell in (key, what, how, proofs)) + " |")
    return "\n".join(lines) + "\n"


def proof(row: dict[str, str]) -> str:
    """The example with what comes out, the test, or that the row is answered."""
    if row["test"]:
        return f"`{row['test'].replace('::', '` `')}`"
    return "".join(_example(row)) if row["text"] else "answered"


def _example(row: dict[str, str]) -> Iterator[str]:
    yield f"`{row['text'].replace(chr(92) + 'n', ' ⏎ ')}`"
    if row["status"] == "none":
        yield " → no game"
    elif row["status"] != "clean":
        kept = f"`{row['san']}`" if row["san"] else "nothing"
        yield f" → {row['status']}, {kept} kept"
    if row["notation"]:
        yield f" with `--notation {row['notation']}`"
    if row["also"]:
        yield f" ({', '.join(row['also'].split())})"


def main() -> int:
    if "--write" in sys.argv[1:]:
        PAGE.write_text(page(), "utf-8")
    elif PAGE.read_text("utf-8") != page():
        print("docs/systems.md is out of date: python tests/systems_page.py --write")
        return 1
    return 0


if __name__ == "__main__":
    sys.exit(main())
