"""The sample data: its truth replays, the match adds up, and the pipeline reads exactly that truth from every file.

`golden/sample.csv` is the truth, one row a distinct game (`?` and `??` as in PGN, movetext canonical SAN). `FILES` says
what each file of `data/sample` holds: match games by number, the others by White's surname.
"""

from __future__ import annotations

import csv
import io
import subprocess
import sys
import zipfile
from collections import Counter
from collections.abc import Iterator
from pathlib import Path
from typing import Any, NamedTuple

import chess
import chess.pgn
import duckdb
import pytest

from pipeline.names import name_key

TESTS = Path(__file__).parent
SAMPLE = TESTS.parent / "data" / "sample"
ZIP = "match-1972-club.zip!"
MATCH = "World Championship Match"
FISCHER, SPASSKY = "Fischer, Robert", "Spassky, Boris"


class File(NamedTuple):
    """What one file holds: its encoding (a Python codec), the language of its men and its games, in order."""

    encoding: str
    language: str | None
    games: str


FILES = {
    "match-1972.pgn": File("ascii", "en", "2 3 8 10 21"),
    "match-1972-ru-long.txt": File("cp1251", "ru", "1 3 4 5 6"),
    "match-1972-ru-short.txt": File("utf-8", "ru", "7 8 9 10 Anderssen Réti"),
    "match-1972-uk.txt": File("utf-8", "uk", "11 12 13 Byrne"),
    "match-1972-encyclopaedia.txt": File("koi8-r", "ru", "14 15 18"),
    "match-1972-de.txt": File("cp1252", "de", "16 17 6 Gundersen"),
    "match-1972-fr.pgn": File("utf-8-sig", "fr", "18 5 Morphy"),
    "match-1972-figurines.txt": File("utf-16", "figurine", "19 11 21"),
    "match-1972-fide-long.txt": File("ascii", "en", "20 13"),
    ZIP + "white.pgn": File("ascii", "en", "7 9 15"),
    ZIP + "DOS.TXT": File("cp866", "ru", "12 14"),
    ZIP + "coordinates.txt": File("ascii", None, "4 16"),
    "newspaper-1972.txt": File("utf-8", "ru", "1 10 21"),
    "annotated-berg.pgn": File("utf-8", "en", "Anderssen Morphy Réti Byrne 6"),
    "annotated-koval.txt": File("utf-8", "ru", "6 11 13 Morphy"),
    "README.md": File("utf-8", None, ""),
}

SPELLINGS = {
    FISCHER: ("Fischer, Robert", "Фишер, Роберт", "Фішер, Роберт"),
    SPASSKY: ("Spassky, Boris", "Спасский, Борис"),
    "Réti, Richard": ("Réti, Richard", "Reti, Richard"),
}

# Round of faults.pgn, status, proven plies, issue code; None = not laid down here.
FAULTS: tuple[tuple[int, str | None, int | None, str], ...] = (
    (1, "truncated", 16, "illegal_move"),
    (2, "truncated", 10, "ambiguous_san"),
    (3, "truncated", 6, "unterminated_comment"),
    (4, "truncated", 4, "unterminated_variation"),
    (5, "clean", 4, "result_contradicts_board"),
    (6, "clean", 6, "result_conflict"),
    (7, "clean", 6, "unescaped_quote"),
    (8, "clean", 6, "unterminated_tag"),
    (9, "clean", 6, "duplicate_tag"),
    (10, "clean", 6, "tag_case"),
    (11, None, 6, "moves_after_result"),
    (12, "clean", 8, "unknown_token"),
    (13, "rejected", 0, "illegal_start_position"),
    (14, "rejected", 0, "no_start_position"),
    (15, "clean", 6, "no_result"),
    (16, "clean", 6, "result_from_movetext"),
    (17, "clean", 6, "bad_result_tag"),
    (18, None, None, "mismatched_delimiter"),
    (19, "clean", 8, "variation_illegal"),
    (20, "truncated", 5, "illegal_null_move"),
    (21, "clean", 6, "null_move"),
    (22, "clean", 8, "homoglyph"),
    (23, "clean", 8, "false_check_mark"),
    (24, "clean", 8, "false_capture_mark"),
    (25, "clean", 8, "move_number_mismatch"),
    (26, "clean", 6, "nag_out_of_range"),
    (27, "rejected", None, "variant_unsupported"),
    (28, "truncated", 2, "ambiguous_dialect"),
    (29, "clean", 8, "encoding_mixed"),
)

# Game 6 of the match by both annotators: ply of the main line and its numeric glyphs.
BERG_6 = "1:5 27:5 32:6 33:14 35:1 39:1 40:2 41:16 47:36 51:1 55:40 61:1,18 65:23 74:8 75:1"
KOVAL_6 = "27:1,14 28:6 32:2 35:1 36:2 39:3,16 41:36 45:26 51:1,40 52:7 61:18 65:1,22 75:1"


class Game(NamedTuple):
    """A row of the truth."""

    white: str
    black: str
    event: str
    date: str
    round: str
    result: str
    movetext: str

    @property
    def key(self) -> str:
        """Name of the game in FILES."""
        return self.round if self.event == MATCH else self.white.split(",")[0]


def read_truth() -> dict[str, Game]:
    with (TESTS / "golden" / "sample.csv").open(encoding="utf-8", newline="") as file:
        games = [Game(**row) for row in csv.DictReader(file)]
    return {game.key: game for game in games}


TRUTH = read_truth()


def raw(path: str) -> bytes:
    """The bytes of a file or of a member (`archive.zip!member`) of the sample."""
    name, _, member = path.partition("!")
    if not member:
        return (SAMPLE / name).read_bytes()
    with zipfile.ZipFile(SAMPLE / name) as archive:
        return archive.read(member)


def expected(path: str) -> list[tuple[str, str]]:
    """Movetext and result of each game of a file, in order."""
    return [(TRUTH[key].movetext, TRUTH[key].result) for key in FILES[path].games.split()]


def score(games: list[Game]) -> tuple[int, int, int]:
    """Fischer's wins, losses and draws."""
    fates = Counter("=" if g.result == "1/2-1/2" else "+" if (g.result == "1-0") == (g.white == FISCHER) else "-" for g in games)
    return fates["+"], fates["-"], fates["="]


# --- the truth and the files, without the pipeline


@pytest.mark.parametrize("key", TRUTH)
def test_every_move_of_the_truth_is_legal_and_canonical(key: str) -> None:
    board = chess.Board()
    for san in TRUTH[key].movetext.split():
        move = board.parse_san(san)
        assert board.san(move) == san
        board.push(move)
    if board.is_checkmate():
        assert board.result() == TRUTH[key].result


def test_the_match_adds_up_to_the_published_score() -> None:
    match = [TRUTH[str(number)] for number in range(1, 22)]
    assert [(g.white, g.black) for g in match] == [(SPASSKY, FISCHER) if n % 2 else (FISCHER, SPASSKY) for n in range(1, 22)]
    wins, losses, draws = score(match)
    assert (wins, losses, draws) == (7, 3, 11)
    assert (wins + draws / 2, losses + draws / 2) == (12.5, 8.5)
    assert [g.key for g in match if not g.movetext] == ["2"]
    assert score([g for g in match if g.movetext]) == (7, 2, 11)
    assert sorted({g.date for g in match}) == [g.date for g in match]


def test_each_game_of_the_truth_stands_in_a_file_and_most_in_several() -> None:
    copies = Counter(key for file in FILES.values() for key in file.games.split())
    assert set(copies) == set(TRUTH)
    assert copies["2"] == 1, "a game without moves cannot be recognised as a copy"
    assert sum(n > 1 for key, n in copies.items() if key.isdigit()) >= 10


def test_the_list_of_files_is_the_folder() -> None:
    listed = {path.partition("!")[0] for path in FILES} | {"faults.pgn"}
    assert {path.name for path in SAMPLE.iterdir() if not path.name.startswith(".")} == listed


@pytest.mark.parametrize("path", FILES)
def test_the_bytes_are_in_the_encoding_that_the_list_states(path: str) -> None:
    data, encoding = raw(path), FILES[path].encoding
    text = data.decode(encoding)
    assert "\ufffd" not in text
    assert "\ufeff" not in text
    if encoding in ("cp1251", "koi8-r", "cp866", "cp1252", "utf-16"):
        with pytest.raises(UnicodeDecodeError):
            data.decode("utf-8")
    else:
        assert b"\r" not in data


@pytest.mark.parametrize("path", ["match-1972.pgn", "annotated-berg.pgn", ZIP + "white.pgn"])
def test_python_chess_reads_the_plain_pgn_files_alike(path: str) -> None:
    file, games = io.StringIO(raw(path).decode("utf-8")), []
    while (game := chess.pgn.read_game(file)) is not None:
        board, moves = game.board(), []
        for move in game.mainline_moves():
            moves.append(board.san(move))
            board.push(move)
        games.append((" ".join(moves), game.headers["Result"]))
        assert not game.errors
    assert games == expected(path)


@pytest.mark.parametrize("name", SPELLINGS)
def test_the_spellings_of_a_player_have_one_key(name: str) -> None:
    assert {name_key(spelling) for spelling in SPELLINGS[name]} == {name_key(name)}


# --- the sample through the pipeline


@pytest.fixture(scope="module")
def lake(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Any]:
    """A read-only connection to the catalog of a lake that holds the sample."""
    where = tmp_path_factory.mktemp("sample") / "lake"
    command = [sys.executable, "-m", "pipeline", "ingest", str(SAMPLE), "--lake", str(where), "--workers", "1"]
    run = subprocess.run(command, capture_output=True, text=True, cwd=TESTS.parent, check=False)
    assert run.returncode == 0, run.stderr
    connection = duckdb.connect(str(where / "catalog.duckdb"), read_only=True)
    yield connection
    connection.close()


def in_file(path: str) -> str:
    """Condition that a row of `sources s` is this file or member."""
    return f"(s.path = '{path}' OR s.path LIKE '%/{path}')"


@pytest.mark.parametrize("path", FILES)
def test_the_pipeline_reads_the_truth_and_nothing_else_from(path: str, lake: Any) -> None:
    rows = lake.execute(
        f"""SELECT g.status, coalesce(g.movetext, ''), g.result FROM games g JOIN sources s USING (source_id)
            WHERE {in_file(path)} ORDER BY g.game_index"""
    ).fetchall()
    assert rows == [("clean", *game) for game in expected(path)]


@pytest.mark.parametrize("path", FILES)
def test_the_pipeline_decides_the_encoding_of(path: str, lake: Any) -> None:
    [(encoding,)] = lake.execute(f"SELECT s.encoding FROM sources s WHERE {in_file(path)}").fetchall()
    assert raw(path).decode(encoding).lstrip("\ufeff") == raw(path).decode(FILES[path].encoding)


@pytest.mark.parametrize("path", [path for path, file in FILES.items() if file.language])
def test_the_pipeline_names_the_language_of(path: str, lake: Any) -> None:
    rows = lake.execute(
        f"""SELECT g.language, g.language_candidates FROM games g JOIN sources s USING (source_id)
            WHERE {in_file(path)} AND g.n_plies > 0"""
    ).fetchall()
    assert rows
    assert all(FILES[path].language in [language, *(candidates or [])] for language, candidates in rows), rows


def test_copies_in_different_dress_count_once(lake: Any) -> None:
    rows = lake.execute(
        """SELECT coalesce(g.movetext, ''), g.result FROM games_distinct g JOIN sources s USING (source_id)
           WHERE s.path NOT LIKE '%faults.pgn'"""
    ).fetchall()
    assert sorted(rows) == sorted((g.movetext, g.result) for g in TRUTH.values())


def test_the_match_is_won_twelve_and_a_half_to_eight_and_a_half(lake: Any) -> None:
    rows = lake.execute(
        """SELECT p.points, p.is_played FROM player_games p JOIN games g USING (game_id)
           WHERE p.is_scored AND [g.white_key, g.black_key] = CASE p.color WHEN 'w' THEN [$1, $2] ELSE [$2, $1] END""",
        [name_key(FISCHER), name_key(SPASSKY)],
    ).fetchall()
    every = Counter(float(points) for points, _ in rows)
    played = Counter(float(points) for points, is_played in rows if is_played)
    assert (every[1.0], every[0.0], every[0.5]) == (7, 3, 11)
    assert (played[1.0], played[0.0], played[0.5]) == (7, 2, 11)


@pytest.mark.parametrize("signs", [("+7−3=11", "12½:8½"), ("+3−7=11", "8½:12½")])
def test_series_results_show_the_match_from_both_sides(signs: tuple[str, str], lake: Any) -> None:
    rows = lake.execute("FROM series_results").fetchall()
    assert [row for row in rows if set(signs) <= set(row)]


def test_the_match_is_one_event(lake: Any) -> None:
    """An event is name, site and year as written, so every file must write them alike."""
    rows = lake.execute("SELECT event, site, kind, n_games FROM events WHERE year = 1972").fetchall()
    assert rows == [(MATCH, "Reykjavik", "match", 21)]
    rows = lake.execute("SELECT player, cells, points, total_n FROM crosstable($1)", [MATCH]).fetchall()
    assert [(player, len(cells), float(points), n) for player, cells, points, n in rows] == [
        (FISCHER, 21, 12.5, 21),
        (SPASSKY, 21, 8.5, 21),
    ]


def glyphs_of_game_six(lake: Any, path: str) -> str:
    rows = lake.execute(
        f"""SELECT p.ply, p.nags FROM plies p JOIN games g USING (game_id) JOIN sources s USING (source_id)
            WHERE {in_file(path)} AND g.round = '6' AND p.variation = 0 AND len(p.nags) > 0 ORDER BY p.ply"""
    ).fetchall()
    return " ".join(f"{ply}:{','.join(map(str, sorted(nags)))}" for ply, nags in rows)


@pytest.mark.parametrize(("path", "glyphs"), [("annotated-berg.pgn", BERG_6), ("annotated-koval.txt", KOVAL_6)])
def test_both_annotators_of_one_game_keep_their_symbols(path: str, glyphs: str, lake: Any) -> None:
    assert glyphs_of_game_six(lake, path) == glyphs


def test_symbols_of_both_annotators_count(lake: Any) -> None:
    rows = lake.execute("SELECT annotator_key, count(*) FROM symbols WHERE annotator_key IS NOT NULL GROUP BY ALL").fetchall()
    assert len(rows) == 2
    assert all(n > 20 for _, n in rows), rows


@pytest.mark.parametrize(("round_", "status", "n_plies", "code"), FAULTS)
def test_each_small_fault_is_named(round_: int, status: str | None, n_plies: int | None, code: str, lake: Any) -> None:
    file = f"JOIN sources s USING (source_id) WHERE {in_file('faults.pgn')}"
    [(game_id, got_status, got_plies)] = lake.execute(
        f"SELECT g.game_id, g.status, g.n_plies FROM games g {file} AND g.round = '{round_}'"
    ).fetchall()
    of_the_file = code == "encoding_mixed"  # may be said of the file instead of the game
    codes = lake.execute(
        f"SELECT i.code FROM issues i {file} AND (i.game_id = $1 OR ($2 AND i.game_id IS NULL))", [game_id, of_the_file]
    ).fetchall()
    assert (code,) in codes
    assert status in (None, got_status)
    assert n_plies in (None, got_plies)
