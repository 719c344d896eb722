"""Do published match scores come out, and still when every game is there four times, in other letters and names?

usage: bench_matches.py [FOLDER] [--forms FORM …] [--keep DIR]

FOLDER holds PGN files of matches and, in the folder above it or two above, `series_results.tsv` with the columns path, playerA,
playerB and `published(+A-B=)`. Default: ../shared/corpora/files/series_matches. Three lakes are made: the files as they are;
the same with each file printed once more in Russian, in German and in figurines, under names as people write them there
(tests/cases/match_names.csv) and the event in that language; and the printed ones alone. In each lake every match must have the
published score in `series_results`, one event, and as many clusters of copies as the file has games.
Exit status 1 if a match differs. Without FOLDER this prints NOT RUN and succeeds.
"""

from __future__ import annotations

import argparse
import csv
import re
import subprocess
import sys
import tempfile
import time
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

import pipeline

HERE = Path(__file__).parent
FOLDER = HERE.parents[1] / "shared" / "corpora" / "files" / "series_matches"
NAMES = HERE.parent / "tests" / "cases" / "match_names.csv"
FORMS = ("ru", "de", "figurine")
EVENTS = {"ru": "Матч на первенство мира", "de": "Weltmeisterschaft", "figurine": "Чемпионат мира"}
NAME_TAG = re.compile(r'^\[(White|Black) "(.*)"\]$', re.MULTILINE)
EVENT_TAG = re.compile(r'^\[Event ".*"\]$', re.MULTILINE)
SCORE = re.compile(r"\+(\d+)-(\d+)=(\d+)")
GAMES = """
    select g.source_id, d.cluster_id
    from duplicates as d join games as g using (game_id) join source_paths as p using (source_id)
    where p.path like '%' || $stem || '%'
"""
SERIES = f"""
    select min(p.name) as player, count(*) filter (points = 1) as wins, count(*) filter (points = 0) as losses,
           count(*) filter (points = 0.5) as draws, count(distinct pg.event_id) as n_events, count(*) as n
    from player_games as pg join players as p using (player_id)
    where pg.cluster_id in (select cluster_id from ({GAMES})) group by player_id, opponent_id
"""


@dataclass(frozen=True, slots=True)
class Match:
    """A file, its players and what is published of it. `score` is (wins, losses, draws) of `player`."""

    path: Path
    player: str
    score: tuple[int, ...]


def matches(folder: Path) -> list[Match]:
    """The rows of series_results.tsv that publish the score of two players."""
    table = next(p / "series_results.tsv" for p in folder.parents if (p / "series_results.tsv").exists())
    found = []
    with table.open(encoding="utf-8", newline="") as lines:
        for row in csv.DictReader(lines, delimiter="\t", quoting=csv.QUOTE_NONE):
            if score := SCORE.match(row["published(+A-B=)"]):
                found.append(Match(folder / Path(row["path"]).name, row["playerA"], tuple(map(int, score.groups()))))
    return found


def printed(path: Path, form: str, names: dict[str, dict[str, str]]) -> str:
    """A file's games in `form`, with the names and the event as they are written with it. Raises KeyError for a new name."""
    text = notatio("render", str(path), "--to", form, "--tags", "--no-comments")
    text = NAME_TAG.sub(lambda tag: f'[{tag[1]} "{names[tag[2]][form]}"]', text)
    return EVENT_TAG.sub(f'[Event "{EVENTS[form]}"]', text)


def notatio(*arguments: str) -> str:
    """What the command prints; its log when it fails ends this."""
    run = subprocess.run([sys.executable, "-m", "pipeline", *arguments], capture_output=True, text=True, check=False)
    if run.returncode not in (0, 3):
        raise SystemExit(f"notatio {' '.join(arguments)}: exit {run.returncode}\n{run.stderr}")
    return run.stdout


def check(lake: pipeline.LakeFrames, match: Match) -> list[str]:
    """What is wrong with a match: nothing, or a line for each difference."""
    games = lake.query(GAMES, stem=match.path.stem)
    series = lake.query(SERIES, stem=match.path.stem)
    n_games = sum(match.score)
    wrong = []
    if (n_clusters := games["cluster_id"].n_unique()) != n_games:
        wrong.append(f"{n_clusters} games for {n_games}")
    scores = {(row["wins"], row["losses"], row["draws"]): row for row in series.iter_rows(named=True)}
    w, lost, d = match.score
    if len(series) != 2 or scores.keys() != {(w, lost, d), (lost, w, d)}:
        wrong.append(f"+{w}-{lost}={d} is published, computed: " + ", ".join(f"{v['player']} {k}" for k, v in scores.items()))
    if (n_events := series["n_events"].max()) != 1:
        wrong.append(f"{n_events} events")
    return wrong


def main(arguments: Sequence[str] | None = None) -> int:
    """Makes the lakes, prints a line for each match that is wrong and one for each lake."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("folder", nargs="?", type=Path, default=FOLDER)
    parser.add_argument("--forms", nargs="+", default=FORMS, choices=FORMS)
    parser.add_argument("--keep", type=Path, help="folder for files and lakes, kept")
    options = parser.parse_args(arguments)
    if not options.folder.is_dir():
        print(f"NOT RUN: there is no {options.folder}")
        return 0
    with NAMES.open(encoding="utf-8", newline="") as lines:
        names = {row["pgn"]: row for row in csv.DictReader(lines)}
    wanted = matches(options.folder)
    with tempfile.TemporaryDirectory() as scratch:
        work = options.keep or Path(scratch)
        (work / "printed").mkdir(parents=True, exist_ok=True)
        for form in options.forms:
            for path in sorted(options.folder.glob("*.pgn")):
                (work / "printed" / f"{path.stem}.{form}.txt").write_text(printed(path, form, names), encoding="utf-8")
        inputs = {
            "as they are": [options.folder],
            "printed": [work / "printed"],
            "together": [options.folder, work / "printed"],
        }
        n_wrong = 0
        for title, paths in inputs.items():
            lake, start = work / f"lake-{title.replace(' ', '-')}", time.perf_counter()
            notatio("ingest", *map(str, paths), "--lake", str(lake))
            frames = pipeline.open_lake(lake)
            found = {match.path.stem: check(frames, match) for match in wanted}
            for stem, wrong in found.items():
                for line in wrong:
                    print(f"{title}: {stem}: {line}")
            bad = sum(map(bool, found.values()))
            n_wrong += bad
            print(f"{title}: {len(wanted) - bad} of {len(wanted)} matches right, {time.perf_counter() - start:.1f} s")
    return 1 if n_wrong else 0


if __name__ == "__main__":
    raise SystemExit(main())
