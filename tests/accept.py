"""The acceptance ratchet: run the scorers of ../shared/score and the benchmark of matches, compare with acceptance.json.

usage: python tests/accept.py [--bless]
A figure that is worse than the recorded one fails, and so does one that is recorded nowhere: it could never fall.
`--bless` records the figures of this run, new ones too, and refuses to record a worse one without --allow-worse. Without
../shared/score this prints NOT RUN and succeeds.
"""

from __future__ import annotations

import argparse
import json
import os
import re
import subprocess
import sys
import sysconfig
import time
from dataclasses import dataclass
from pathlib import Path

ROOT = Path(__file__).parents[1]
SHARED = ROOT.parent / "shared"
RECORDED = Path(__file__).with_name("acceptance.json")


@dataclass(frozen=True)
class Figure:
    """A number in a scorer's output: `pattern` has one group; more is better unless `less_is_better`."""

    name: str
    pattern: str
    less_is_better: bool = False


SCORERS: dict[str, tuple[list[str], list[Figure]]] = {
    "cases": (
        ["cases.py", "../cases/dev.jsonl"],
        [Figure("cases_passed", r"^cases: (\d+) of"), Figure("cases_pct", r"^cases: .*\(([\d.]+) %\)")],
    ),
    "notation": (
        ["notation.py"],
        [
            Figure("algebraic_pct", r"^algebraic forms: .*?\(([\d.]+) %\)"),
            Figure("vectors_passed", r"vectors outside desc/iccf: (\d+) of"),
            Figure("notation_pct", r"^notation: .*?\(([\d.]+) %\)"),
            Figure("wrong_readings", r"^notation: .*wrong readings (\d+)", less_is_better=True),
        ],
    ),
    "corpora": (
        ["corpora.py"],
        [
            Figure("corpora_lines_right", r"^corpora: lines right (\d+) of"),
            Figure("corpora_lines_diverging", r"^corpora: .*diverging (\d+)", less_is_better=True),
            Figure("corpora_pgn_files", r"^corpora: .*pgn files (\d+) of"),
            Figure("corpora_files_without_source", r"^corpora: .*files without source (\d+)", less_is_better=True),
            Figure("corpora_bytes_bad", r"^corpora: .*bytes bad (\d+)", less_is_better=True),
            Figure("corpora_series", r"^corpora: .*series (\d+) of"),
        ],
    ),
    "matches": (
        [str(ROOT / "benchmarks" / "bench_matches.py")],
        [
            Figure("matches_as_they_are", r"^as they are: (\d+) of"),
            Figure("matches_printed", r"^printed: (\d+) of"),
            Figure("matches_together", r"^together: (\d+) of"),
        ],
    ),
}


def read_figures(output: str, figures: list[Figure]) -> dict[str, float | None]:
    """Turns a scorer's output into figures; None where the output has no such figure (the scorer broke)."""
    found: dict[str, float | None] = {}
    for figure in figures:
        match = re.search(figure.pattern, output, re.MULTILINE)
        found[figure.name] = float(match[1]) if match else None
    return found


def verdict(figure: Figure, now: float | None, before: float | None) -> str:
    """`WORSE` when a figure fell behind the recorded one or cannot be read, `NEW` when none is recorded, else `ok`."""
    if now is None:
        return "WORSE"
    if before is None:
        return "NEW"
    return "WORSE" if (now > before if figure.less_is_better else now < before) else "ok"


def run(arguments: list[str]) -> str:
    """Runs one scorer with the `notatio` of this interpreter, and returns what it printed."""
    script, *rest = arguments
    folder = SHARED / "score"
    command = [sys.executable, str(folder / script), *(str(folder / r) if r.startswith("..") else r for r in rest)]
    notatio = Path(sysconfig.get_path("scripts")) / "notatio"
    done = subprocess.run(command, capture_output=True, text=True, env={**os.environ, "NOTATIO": str(notatio)}, check=False)
    return done.stdout + done.stderr


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--bless", action="store_true", help="record the figures of this run")
    parser.add_argument("--allow-worse", action="store_true", help="with --bless: record worse figures too")
    parser.add_argument("-v", action="store_true", help="print what the scorers print")
    options = parser.parse_args()
    if not (SHARED / "score").is_dir():
        print("NOT RUN: acceptance: ../shared/score is not here")
        return 0
    recorded: dict[str, float] = json.loads(RECORDED.read_text("utf-8")) if RECORDED.exists() else {}
    now: dict[str, float | None] = {}
    verdicts: dict[str, str] = {}
    for name, (arguments, figures) in SCORERS.items():
        started = time.monotonic()
        output = run(arguments)
        found = read_figures(output, figures)
        now |= found
        print(f"{name} ({time.monotonic() - started:.0f} s)")
        if options.v or None in found.values():
            print(output)
        for figure in figures:
            before = recorded.get(figure.name)
            verdicts[figure.name] = verdict(figure, found[figure.name], before)
            print(f"  {verdicts[figure.name]:5} {figure.name:30} {found[figure.name]}  (recorded {before})")
    fallen = [name for name, said in verdicts.items() if said == "WORSE"]
    unrecorded = [name for name, said in verdicts.items() if said == "NEW"]
    if options.bless and (not fallen or options.allow_worse):
        RECORDED.write_text(json.dumps({k: v for k, v in now.items() if v is not None}, indent=2, sort_keys=True) + "\n", "utf-8")
        print(f"recorded in {RECORDED.relative_to(ROOT)}")
        return 0
    if fallen:
        print(f"acceptance fell: {', '.join(fallen)}")
    if unrecorded:
        print(f"not in {RECORDED.relative_to(ROOT)}: {', '.join(unrecorded)}. Record with --bless")
    return 1 if fallen or unrecorded else 0


if __name__ == "__main__":
    sys.exit(main())
