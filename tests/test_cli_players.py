"""`notatio players`: who is who, decided by people, applied at once and taken back."""

from __future__ import annotations

import csv
import io
from pathlib import Path

import pytest

from tests.support_cli import Done, ingest, notatio

GAMES = """[Event "A"]\n[Date "1960.05.01"]\n[Round "1"]\n[White "Spassky, Boris V"]\n[Black "Tal, Mihail"]\n[Result "1-0"]

1. e4 e5 2. Nf3 Nc6 3. Bb5 a6 1-0

[Event "A"]\n[Date "1960.05.02"]\n[Round "2"]\n[White "Спасский Б. В."]\n[Black "Keres, Paul"]\n[Result "1/2-1/2"]

1. d4 d5 2. c4 e6 1/2-1/2

[Event "B"]\n[Date "1971.05.02"]\n[Round "2"]\n[White "Spaski, Bela"]\n[Black "Keres, Paul"]\n[Result "1/2-1/2"]

1. c4 e5 2. Nc3 Nf6 1/2-1/2
"""
BORIS, CYRILLIC, BELA = "Spassky, Boris V", "Спасский Б. В.", "Spaski, Bela"
WHY = ("--because", "seen", "--author", "A. Editor")


@pytest.fixture(autouse=True)
def _lake(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv("NOTATIO_LAKE", raising=False)
    monkeypatch.chdir(tmp_path)
    Path("games.pgn").write_text(GAMES, "utf-8")
    assert ingest("games.pgn").code == 0


def asked(*arguments: object) -> list[dict[str, str]]:
    done = notatio(*arguments, "--format", "csv")
    assert done.code == 0, done.err
    return list(csv.DictReader(io.StringIO(done.out)))


def person_of(name: str) -> str:
    return asked("sql", f"select distinct player_id from game_players where name = '{name}'")[0]["player_id"]


def decided(done: Done) -> str:
    """Id of the decision that a command wrote."""
    assert done.code == 0, done.err
    return done.err.split("decision ")[1].split()[0]


def test_show_tells_spellings_games_opponents_and_claims() -> None:
    done = notatio("players", "show", "boris")
    assert done.code == 0
    for part in (
        BORIS,
        CYRILLIC,
        "2 games, 1960",
        "Keres, Paul  1",
        "b spasski v is boris spasski v: abbreviation 0.85",
        "events in common",
    ):
        assert part in done.out, done.out
    assert notatio("players", "show", person_of(BORIS)[:8]).out == done.out
    rows = asked("players", "show", CYRILLIC)
    assert [(row["written"], row["n_games"], row["evidence"]) for row in rows] == [
        (BORIS, "1", "key"),
        (CYRILLIC, "1", "abbreviation"),
    ]
    claims = asked("players", "show", BORIS, "--claims")
    assert [(row["key"], row["other_key"], row["outcome"]) for row in claims] == [("b spasski v", "boris spasski v", "accepted")]


def test_a_merge_is_a_row_that_undo_takes_back() -> None:
    assert person_of(BORIS) != person_of(BELA)
    id_ = decided(notatio("players", "merge", "Bela", "Boris", *WHY))
    assert person_of(BORIS) == person_of(BELA) == person_of(CYRILLIC)
    (row,) = asked("sql", "from aliases")
    assert (row["decision"], row["name"], row["other"], row["because"], row["author"]) == (
        "merge",
        BELA,
        BORIS,
        "seen",
        "A. Editor",
    )
    assert "nothing to do" in notatio("players", "merge", "Bela", "Boris", *WHY).err
    decided(notatio("players", "undo", id_[:5], *WHY))
    assert person_of(BORIS) != person_of(BELA)
    assert "undone already" in notatio("players", "undo", id_, *WHY).err
    assert len(Path("lake/curation/aliases.csv").read_text("utf-8").splitlines()) == 3
    assert notatio("verify", "--heavy").code == 0


def test_a_spelling_is_split_off_and_stays_so() -> None:
    assert person_of(BORIS) == person_of(CYRILLIC)
    decided(notatio("players", "split", CYRILLIC, *WHY))
    assert person_of(BORIS) != person_of(CYRILLIC)
    assert notatio("build").code == 0
    assert person_of(BORIS) != person_of(CYRILLIC)


def test_one_side_of_a_game_is_given_to_somebody_else() -> None:
    (game,) = asked("sql", f"select game_id from games where white = '{CYRILLIC}'")
    decided(notatio("players", "split", "boris", "--game", game["game_id"][:10], "--as", BELA, *WHY))
    assert person_of(CYRILLIC) == person_of(BELA) != person_of(BORIS)
    assert asked("sql", f"select evidence from game_players where name = '{CYRILLIC}'") == [{"evidence": "alias"}]


@pytest.mark.parametrize(
    ("arguments", "told"),
    [
        (("merge", "Bela", "Boris"), "--because"),
        (("merge", "Spa", "Boris", *WHY), "fits 2 persons"),
        (("merge", "Nobody", "Boris", *WHY), "Nobody is called"),
        (("split", "Spassky, Boris", *WHY), "is written nowhere"),
        (("split", BELA, *WHY), "the only spelling"),
        (("split", BELA, "--as", BORIS, *WHY), "--game"),
        (("split", BELA, "--game", "0000000000", *WHY), "0000000000"),
        (("undo", "zz", *WHY), "No decision"),
    ],
)
def test_what_cannot_be_decided_is_told_and_changes_nothing(arguments: tuple[str, ...], told: str) -> None:
    done = notatio("players", *arguments)
    assert (done.code, told in done.err) == (2, True), done.err
    assert not Path("lake/curation/aliases.csv").exists()


def test_a_line_written_by_hand_counts_and_a_bad_one_is_named() -> None:
    file = Path("lake/curation/aliases.csv")
    head = "decision_id,decision,name,other,text_id,color,undoes,because,author,made_at\n"
    file.write_text(f'{head},merge,"{BELA}","{BORIS}",,,,seen,me,2026-01-31\n', "utf-8")
    assert notatio("build").code == 0
    assert person_of(BORIS) == person_of(BELA)
    for row, why in (
        (",marry,a,b,,,,seen,me,", "neither merge"),
        (f',merge,"{BELA}","{BORIS}",,,,seen,me,soon', "'soon' is no date"),
    ):
        file.write_text(f"{head}{row}\n", "utf-8")
        done = notatio("build")
        assert (done.code, "aliases.csv:2" in done.err, why in done.err) == (78, True, True), done.err


def test_a_command_that_was_killed_before_the_catalog_was_built_is_given_again() -> None:
    file, before = Path("lake/curation/aliases.csv"), Path("lake/catalog.duckdb").read_bytes()
    first = decided(notatio("players", "merge", BORIS, BELA, *WHY))
    Path("lake/catalog.duckdb").unlink()
    Path("lake/catalog.duckdb").write_bytes(before)
    assert decided(notatio("players", "merge", BORIS, BELA, *WHY)) == first
    assert person_of(BORIS) == person_of(BELA)
    shown, before = file.read_text("utf-8"), Path("lake/catalog.duckdb").read_bytes()
    assert notatio("players", "undo", first, *WHY).code == 0
    Path("lake/catalog.duckdb").unlink()
    Path("lake/catalog.duckdb").write_bytes(before)
    assert notatio("players", "undo", first, *WHY).code == 0
    assert person_of(BORIS) != person_of(BELA)
    assert len(file.read_text("utf-8").splitlines()) == len(shown.splitlines()) + 1
