"""The blocks of README.md that are made from the tables, the SQL files and the commands.

usage: python tests/readme_blocks.py [--write]
Without --write, says whether README.md is up to date (exit code 1 when it is not).
"""

from __future__ import annotations

import re
import sys
import textwrap
from collections.abc import Iterator, Sequence
from pathlib import Path

ROOT = Path(__file__).resolve().parents[1]
README = ROOT / "README.md"
_BLOCK = re.compile(r"(<!-- made: (\w+) -->\n).*?(<!-- end -->)", re.DOTALL)
MEN = {"K": 6, "Q": 5, "R": 4, "B": 3, "N": 2}


def table(heads: Sequence[str], rows: Iterator[Sequence[str]]) -> str:
    lines = [heads, ["---"] * len(heads), *rows]
    return "".join("| " + " | ".join(cell.replace("|", "\\|") for cell in line) + " |\n" for line in lines)


def alphabets() -> str:
    """Alphabets by language, with the letters of the men."""
    from pipeline import tables

    def rows() -> Iterator[Sequence[str]]:
        for a in sorted(tables.alphabets(), key=lambda a: (a.language.casefold(), a.priority)):
            if a.infer != "never":
                men = " ".join(a.primary[piece] for piece in MEN.values())
                yield a.language, f"`{a.name}`", men, "yes" if a.infer == "yes" else "with `--language`"

    return table(("language", "`--language`", " ".join(MEN), "found by itself"), rows())


def notations() -> str:
    """Notations that are read, each with a score."""
    from pipeline import tables

    rows = (row for row in tables.rows("notations") if not row["meaning"].startswith("the same"))
    return table(("`--notation`", "", "example"), ((f"`{r['name']}`", r["meaning"], f"`{r['example']}`") for r in rows))


CONTAINERS = {"gz": "gzip", "bz2": "bzip2", "xz": "xz", "lzma": "lzma", "zst": "zstd", "zip": "zip", "tar": "tar", "7z": "7z"}
DOCUMENTS = {
    "docx": "Word (DOCX)",
    "odt": "OpenDocument (ODT)",
    "epub": "EPUB",
    "pdf": "PDF with a text layer (extra `documents`)",
}
MARKUP = {
    "html": "HTML and XML",
    "json": "JSON",
    "source": "strings in JavaScript, PHP, Java, C, Python, SQL",
    "tex": "TeX (skak, xskak)",
    "rtf": "RTF",
    "markdown": "Markdown",
}


def formats() -> str:
    """What may hold scores. A format of the program that has no words here is a KeyError."""
    from pipeline import markup
    from pipeline.sources import documents
    from pipeline.sources.code_pages import code_pages
    from pipeline.sources.streams import STREAM_KINDS

    def words(names: dict[str, str], kinds: Sequence[str]) -> str:
        return ", ".join(names[kind] for kind in kinds)

    pages = sorted({page.encoding for page in code_pages()})
    return table(
        ("", "what is read"),
        iter((
            ("files", "plain text and PGN"),
            ("compressed files and archives, one in another", words(CONTAINERS, (*STREAM_KINDS, "zip", "tar", "7z"))),
            ("documents", words(DOCUMENTS, documents.KINDS)),
            ("markup and programs", words(MARKUP, markup.FORMATS)),
            ("encodings found by themselves", ", ".join(["UTF-8", "UTF-16", "UTF-32", *pages])),
        )),
    )  # fmt: skip


def forms() -> str:
    """Forms to print, beside every alphabet, and their styles."""
    from pipeline import tables
    from pipeline.render.forms import styles_of

    def rows() -> Iterator[Sequence[str]]:
        for row in tables.rows("forms"):
            styles = " ".join(f"`{style}`" for style in styles_of(row["printer"]))
            yield f"`{row['name']}`", row["meaning"], styles
        styles = " ".join(f"`{style}`" for style in styles_of("algebraic"))
        yield "`ru`, `de`, `fr`, …", "Algebraic in the letters of any alphabet below", styles

    return table(("`--to`", "", "`--style`"), rows())


def issues() -> str:
    """Issue codes, faults first. One whose remedy is a command that is not there yet is not given yet either."""
    from pipeline import tables

    codes = sorted(tables.issue_codes().values(), key=lambda c: (c.severity, c.code))
    known = [c for c in codes if all(command in top_commands() for command in re.findall(r"`notatio (\w+)", c.remedy))]
    return table(("code", "", "meaning", "what to do"), ((f"`{c.code}`", c.severity, c.meaning, c.remedy) for c in known))


def reports() -> str:
    """Reports and their purposes."""
    from pipeline import catalog

    def rows() -> Iterator[Sequence[str]]:
        for r in catalog.reports():
            parameters = "".join(f" -p {p.name}=…" for p in r.parameters if p.default is None)
            yield f"`{r.name}{parameters}`", r.purpose

    return table(("report", "answers"), rows())


def views() -> str:
    """Views and tables that are no reports, with their purposes."""
    from pipeline import catalog

    files = sorted((f for f in catalog.load_sql().values() if f.kind in ("staging", "models")), key=lambda f: f.name)
    steps: dict[str, list[str]] = {}
    for file in files:
        if of := file.keys.get("step_of"):
            steps.setdefault(of, []).append(f"`{file.name}`")
    shown = ((f"`{f.name}`", f.purpose) for f in files if "step_of" not in f.keys)
    told = "; ".join(f"of `{of}` {', '.join(names)}" for of, names in sorted(steps.items()))
    steps_told = textwrap.fill(f"Steps on the way to them can be looked at too: {told}.", 130, break_on_hyphens=False)
    return f"{table(('view', 'a row is'), shown).strip()}\n\n{steps_told}\n"


def top_commands() -> set[str]:
    import typer.main

    from pipeline.cli import app

    return set(typer.main.get_command(app).commands)  # type: ignore[attr-defined]


def commands() -> str:
    """Commands with the first line of their help."""
    import typer.main

    from pipeline.cli import app

    def rows() -> Iterator[Sequence[str]]:
        todo = [("notatio", typer.main.get_command(app))]
        while todo:
            path, command = todo.pop(0)
            inner = getattr(command, "commands", None)
            if inner is None:
                yield f"`{path}`", (command.help or "").strip().splitlines()[0]
            else:
                todo[:0] = [(f"{path} {name}", sub) for name, sub in inner.items()]

    return table(("command", "does"), rows())


BLOCKS = {f.__name__: f for f in (commands, alphabets, notations, formats, forms, issues, reports, views)}


def rewritten(text: str) -> str:
    """The text with each block as it should be."""
    return _BLOCK.sub(lambda m: f"{m[1]}\n{BLOCKS[m[2]]()}\n{m[3]}", text)


def main() -> int:
    before = README.read_text("utf-8")
    after = rewritten(before)
    if "--write" in sys.argv[1:]:
        README.write_text(after, "utf-8")
    elif after != before:
        print("README.md is out of date: python tests/readme_blocks.py --write")
        return 1
    return 0


if __name__ == "__main__":
    sys.path.insert(0, str(ROOT))
    sys.exit(main())
