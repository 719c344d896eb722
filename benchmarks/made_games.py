"""Any number of distinct games that look like an archive: real moves, invented people, the same every time.

usage: made_games.py OUT [--games N] [--moves FILE.pgn]

Writes PGN files of 10,000 games. Moves are games of FILE, each again and again, each time one half-move shorter, so that no two
games have the same moves. Round robins, opens and matches follow one another in time; nobody plays in two at once. Popularity of
players follows Zipf's law with exponent ½. Shares are constants below, words and their weights made_games.csv.
"""

from __future__ import annotations

import argparse
import csv
import random
import re
from array import array
from bisect import bisect
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from datetime import date, timedelta
from itertools import accumulate, product
from pathlib import Path

ROOT = Path(__file__).parents[1]
SAMPLE = ROOT / "data" / "sample" / "match-1972.pgn"
SEED = 1886
GAMES_A_FILE = 10_000
GAMES_A_PLAYER = 1000 / 60
GAMES_AN_EVENT = 128
MIN_PLIES = 20
RATED, ANNOTATED, ENGINE, COPIED = 0.70, 0.08, 0.03, 0.01
SPELT_IN_SEVERAL_WAYS = 0.15
UNFINISHED, FORFEIT = 0.004, 0.003
N_ANNOTATORS = 200
FIRST, LAST = date(1905, 1, 3), date(2024, 12, 20)


def mixture() -> dict[str, dict[str, int]]:
    """Parts of names, towns, signs and remarks: part → text → weight (made_games.csv)."""
    found: dict[str, dict[str, int]] = {}
    with Path(__file__).with_suffix(".csv").open(encoding="utf-8", newline="") as file:
        for row in csv.DictReader(file):
            found.setdefault(row["part"], {})[row["text"]] = int(row["weight"])
    return found


MIXTURE = mixture()


def drawn(part: str, rng: random.Random) -> str:
    """A text of a part, by weight."""
    return rng.choices(tuple(MIXTURE[part]), tuple(MIXTURE[part].values()))[0]


@dataclass(frozen=True, slots=True)
class Moves:
    """A movetext with numbers and no result; `ends[i]` is the offset behind half-move i + 1."""

    text: str
    ends: array[int]


@dataclass(slots=True)
class Player:
    """Somebody with spellings of the name, the most frequent first, a rating, and the day on which the last event ends."""

    spellings: tuple[str, ...]
    elo: int
    busy_until: date = FIRST


@dataclass(frozen=True, slots=True)
class Pairing:
    """A game to be played."""

    event: str
    site: str
    day: date
    round: str
    white: Player
    black: Player
    is_rated: bool


def read_moves(path: Path) -> list[Moves]:
    """Main lines of at least MIN_PLIES half-moves from the initial position, without comments and variations."""
    found = []
    for block in re.split(r"\n(?=\[Event )", path.read_text("utf-8", "replace")):
        if "[FEN" in block or "(" in block:
            continue
        text = re.sub(r"\{[^}]*\}|\$\d+|^\[.*$|;.*$", " ", block, flags=re.MULTILINE)
        sans = [w.rstrip("!?") for w in re.sub(r"\d+\.+", " ", text).split() if w not in ("1-0", "0-1", "1/2-1/2", "*")]
        if len(sans) >= MIN_PLIES and all(re.fullmatch(r"[KQRBNa-hO][\w\-=+#]*", san) for san in sans):
            words = [f"{i // 2 + 1}. {san}" if i % 2 == 0 else san for i, san in enumerate(sans)]
            ends = accumulate(len(word) + 1 for word in words)
            found.append(Moves(" ".join(words), array("H", (end - 1 for end in ends))))
    if not found:
        raise SystemExit(f"{path}: no game of {MIN_PLIES} half-moves or more")
    return found


def players(n: int, rng: random.Random) -> list[Player]:
    """Distinct names; some written with initials, without a blank, or with a second initial."""
    names = [(stem + ending, given) for stem, ending, given in product(MIXTURE["stem"], MIXTURE["ending"], MIXTURE["given"])]
    found = []
    for family, given in rng.sample(names, min(n, len(names))):
        forms = [f"{family}, {given}"]
        if rng.random() < SPELT_IN_SEVERAL_WAYS:
            more = (f"{family},{given[0]}", f"{family}, {given[0]}.", f"{given} {family}", f"{family.upper()}, {given}")
            forms += rng.sample(more, rng.randint(1, 2))
        found.append(Player(tuple(forms), min(2850, max(1400, round(rng.gauss(2200, 190))))))
    return found


class Calendar:
    """Events in order of time with free players, by popularity."""

    def __init__(self, people: Sequence[Player], n_games: int, rng: random.Random) -> None:
        self.people, self.rng = people, rng
        self.weights = list(accumulate((rank + 1) ** -0.5 for rank in range(len(people))))
        self.n_events = max(1, round(n_games / GAMES_AN_EVENT))

    def pairings(self) -> Iterator[Pairing]:
        """Games of one event after the other, without end."""
        number = 0
        while True:
            day = FIRST + (LAST - FIRST) * min(number / self.n_events, 1)
            yield from self._event(number, day)
            number += 1

    def _event(self, number: int, day: date) -> Iterator[Pairing]:
        rng = self.rng
        kind, speed, town = drawn("kind", rng), drawn("speed", rng), drawn("town", rng) + drawn("town_ending", rng)
        title, size, n_rounds = {
            "match": (f"{town} Match {number % 97 + 1}", 2, rng.randint(4, 24)),
            "tournament": (f"{town}{speed} {day.year}", 2 * rng.randint(5, 8), 99),
            "double": (f"{town} Cup{speed} {day.year}", 2 * rng.randint(3, 4), 99),
            "open": (f"{town} Open{speed} {day.year}", 2 * rng.randint(20, 160), 9),
        }[kind]
        is_rated = rng.random() < RATED
        circle = self._free(size, day)
        for round_ in range(n_rounds if kind == "match" else min(n_rounds, (len(circle) - 1) * (1 + (kind == "double")))):
            when = day if speed else day + timedelta(round_)
            for board in range(len(circle) // 2):
                pair = circle[board], circle[-1 - board]
                white, black = pair if (round_ + board) % 2 else pair[::-1]
                white.busy_until = black.busy_until = when
                tag = f"{round_ + 1}.{board + 1}" if kind == "open" else str(round_ + 1)
                yield Pairing(title, town, when, tag, white, black, is_rated)
            circle[1:] = circle[-1:] + circle[1:-1]

    def _free(self, n: int, day: date) -> list[Player]:
        """Up to n players, by popularity, who are not playing on that day; an even number of them, two at least."""
        chosen: dict[int, Player] = {}
        for turn in range(20 * n):
            rank = min(bisect(self.weights, self.rng.random() * self.weights[-1]), len(self.people) - 1)
            if self.people[rank].busy_until < day or (turn > 19 * n and len(chosen) < 2):
                chosen.setdefault(rank, self.people[rank])
            if len(chosen) == n:
                break
        return list(chosen.values())[: len(chosen) // 2 * 2]


def result(pairing: Pairing, moves: str, rng: random.Random) -> str:
    """By Elo's expectation with a third of draws; what the board says where it ends in mate."""
    if moves.endswith("#"):
        return "1-0" if re.search(r"\d\. \S+$", moves) else "0-1"
    if rng.random() < UNFINISHED:
        return "*"
    expected = 1 / (1 + 10 ** ((pairing.black.elo - pairing.white.elo - 35) / 400))
    draws = min(expected, 1 - expected) * 0.7
    return rng.choices(("1-0", "0-1", "1/2-1/2"), (expected - draws / 2, 1 - expected - draws / 2, draws))[0]


def annotated(moves: str, rng: random.Random, has_evals: bool, has_signs: bool) -> str:
    """The movetext with signs, remarks and variations (that repeat what was played), or engine values, or both."""
    words, value, out = moves.split(), 20.0, []
    moves_at = [i for i, word in enumerate(words) if not word.endswith(".")]
    signed = set(rng.sample(moves_at, min(len(moves_at), rng.randint(2, 9)))) if has_signs else set()
    for i, word in enumerate(words):
        out.append(word)
        if word.endswith("."):
            continue
        if i in signed:
            sign = drawn("sign", rng)
            out[-1:] = [word, sign] if sign[0] == "$" else [word + sign]
        if has_evals:
            value += rng.gauss(0, 35) + (rng.choice((-180, 180)) if i in signed else 0)
            out.append(f"{{ [%eval {value / 100:.2f}] }}")
        elif i in signed and rng.random() < 0.4:
            out.append(f"{{{drawn('remark', rng)}}}")
            if rng.random() < 0.4 and words[i - 1].endswith("."):
                out.append(f"({words[i - 1]} {' '.join(words[i : i + 2])})")
    return re.sub(r"(\}|\)) ([^\d\[{(\s])", r"\1 \2", " ".join(out))


def tags(pairing: Pairing, result_: str, rng: random.Random, *, is_copy: bool) -> list[str]:
    """Tag pairs; a copy may spell names and event differently and know less."""

    def spelt(player: Player) -> str:
        usual = len(player.spellings) == 1 or (rng.random() < 0.7 and not is_copy)
        return player.spellings[0] if usual else rng.choice(player.spellings[1:])

    event = pairing.event.upper() if is_copy and rng.random() < 0.5 else pairing.event
    when = pairing.day.strftime("%Y.??.??" if is_copy and rng.random() < 0.3 else "%Y.%m.%d")
    lines = [f'[Event "{event}"]', f'[Site "{pairing.site}"]', f'[Date "{when}"]', f'[Round "{pairing.round}"]']
    lines += [f'[White "{spelt(pairing.white)}"]', f'[Black "{spelt(pairing.black)}"]', f'[Result "{result_}"]']
    if pairing.is_rated and not is_copy:
        lines += [f'[WhiteElo "{pairing.white.elo}"]', f'[BlackElo "{pairing.black.elo}"]']
    return lines


def games(n: int, moves: Sequence[Moves], seed: int = SEED) -> Iterator[str]:
    """`n` distinct games as PGN, and COPIED of them a second time, a few hundred games later."""
    rng = random.Random(seed)
    annotators = [f"{drawn('stem', rng)}{drawn('ending', rng)}, {drawn('given', rng)[0]}" for _ in range(N_ANNOTATORS)]
    people = players(max(40, round(n / GAMES_A_PLAYER)), rng)
    order = rng.sample(range(len(moves)), len(moves))
    later: list[str] = []
    for number, pairing in zip(range(n), Calendar(people, n, rng).pairings(), strict=False):
        source = moves[order[number % len(moves)]]
        n_plies = len(source.ends) - number // len(moves) % (len(source.ends) - MIN_PLIES + 1)
        line = source.text[: source.ends[n_plies - 1]]
        outcome = result(pairing, line, rng)
        head = tags(pairing, outcome, rng, is_copy=False)
        chance = rng.random()
        if chance < FORFEIT and outcome in ("1-0", "0-1"):
            head, line = [*head, '[Termination "forfeit"]'], ""
        elif rng.random() < COPIED:
            later.append("\n".join([*tags(pairing, outcome, rng, is_copy=True), "", f"{line} {outcome}\n\n"]))
        has_evals, has_signs = rng.random() < ENGINE, rng.random() < ANNOTATED
        if line and (has_evals or has_signs):
            if has_signs:
                head.append(f'[Annotator "{annotators[min(int(rng.expovariate(6) * N_ANNOTATORS), N_ANNOTATORS - 1)]}"]')
            line = annotated(line, rng, has_evals, has_signs)
        yield "\n".join([*head, "", f"{line} {outcome}\n\n"])
        if len(later) > 300:
            yield later.pop(0)
    yield from later


def write(out: Path, n: int, moves: Path) -> int:
    """Writes the files; gives their bytes. Existing files of these names are replaced."""
    out.mkdir(parents=True, exist_ok=True)
    pool, pending, number, size = read_moves(moves), [], 0, 0
    for game in games(n, pool):
        pending.append(game)
        if len(pending) == GAMES_A_FILE:
            number, size = number + 1, size + (out / f"games-{number:04}.pgn").write_text("".join(pending), "utf-8")
            pending = []
    return size + (out / f"games-{number:04}.pgn").write_text("".join(pending), "utf-8")


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("out", type=Path)
    parser.add_argument("--games", type=int, default=1_000_000)
    parser.add_argument("--moves", type=Path, default=SAMPLE)
    given = parser.parse_args()
    print(f"{write(given.out, given.games, given.moves):,} bytes in {given.out}")


if __name__ == "__main__":
    main()
