"""`notatio quarantine`: from a game that breaks to a decision, to the build that applies it, and back."""

from __future__ import annotations

import csv
import io
from pathlib import Path

import pytest

from tests.support_cli import GAME, Done, ingest, notatio

SCORE = (
    "1. e2-e4 e7-e5 2. Кg1-f3 Кb8-c6 3. Сf1-b5 a7-a6 4. Сb5-a4 Кg8-f6\n5. 0-0 Сf8-e7 6. Лf1-e1 b7-b5 7. Сc4-b3! d7-d6"
    " {сильно} 8. c2-c3 0-0\n9. h2-h3 Кc6-b8 (9... Кc6-a5 10. Сb3-c2) 10. d2-d4 Кb8-d7 1/2-1/2\n"
)
TEXT = f"Партия из старой книги, с опечаткой.\n\n{SCORE}\nКонец.\n"
AUDITED = "select status, games.n_plies, n_clean, n_truncated from games join sources using (source_id) where language = 'ru'"


@pytest.fixture(autouse=True)
def _here(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv("NOTATIO_LAKE", raising=False)
    monkeypatch.chdir(tmp_path)


def asked(*arguments: object) -> list[dict[str, str]]:
    done = notatio(*arguments, "--format", "csv")
    assert done.code == 0, done.err
    return list(csv.DictReader(io.StringIO(done.out)))


def sql(query: str) -> list[list[str]]:
    return [list(row.values()) for row in asked("sql", query)]


def lake(*texts: str) -> str:
    """A lake with these texts; the id of its first range in quarantine."""
    for i, text in enumerate(texts):
        Path(f"{i}.txt").write_bytes(text.encode("cp1251") if i == 0 and not text.isascii() else text.encode())
    assert ingest(*(f"{i}.txt" for i in range(len(texts)))).code == 0
    return asked("quarantine", "list")[0]["id"]


def accept(*arguments: object) -> Done:
    return notatio("quarantine", "accept", *arguments, "--author", "A. Editor")


def test_a_misprint_is_listed_shown_suggested_accepted_built_and_undone() -> None:
    id_ = lake(TEXT, GAME)
    before = sql("select * from games order by game_id"), sql("from spans order by all"), sql("from issues order by all")
    (listed,) = asked("quarantine", "list")
    assert listed["place"] == "4:34"
    assert (listed["source"], listed["code"], listed["written"], listed["plies_kept"]) == (
        "0.txt",
        "illegal_move",
        "Сc4-b3",
        "12",
    )
    assert asked("quarantine", "list", "--reason", "ambiguous_san") == []

    shown = notatio("quarantine", "show", id_[:10]).out
    assert "▸Сc4-b3◂! d7-d6" in shown
    assert "4  ♗ · · · ♙ · · ·" in shown
    assert "suggest  ply 13, Сc4-b3, is Bb3: wrong origin square" in shown

    (suggested,) = asked("quarantine", "suggest", "--all")
    assert (suggested["ply"], suggested["read_as"], suggested["n_plies_after"]) == ("13", "Bb3", "7")
    assert not Path("lake/curation/repairs.csv").exists(), "a suggestion writes nothing"

    assert accept(id_).code == 0
    assert sql("select status from games where language = 'ru'") == [["truncated"]], "not before the build"
    written = Path("lake/curation/repairs.csv").read_bytes()
    again = accept(id_)
    assert (again.code, Path("lake/curation/repairs.csv").read_bytes()) == (0, written)
    assert "nothing to do" in again.err
    assert written.decode().splitlines()[1].startswith(f"{suggested['text_id']},13,Сc4-b3,Bb3,")

    data = sorted(Path("lake/data").iterdir())
    assert notatio("build").code == 0
    assert sql(AUDITED) == [["clean", "20", "1", "0"]]
    assert sql("select ply, san, written, nags from plies where decided_by = 'repair'") == [["13", "Bb3", "Сc4-b3", "[1]"]]
    assert sql("select san, comment from plies where ply = 14 and variation = 0") == [["d6", "сильно"]]
    assert sql("select parent_variation, branch_ply from variations") == [["0", "18"]]
    assert sql("select nag from annotations") == [["1"]]
    assert sql("select state, reason_code from quarantine") == [["resolved", "illegal_move"]]
    issues = sql(
        """select code, severity, line || ':' || "column", written from issues where variation = 0 and game_id is not null"""
    )
    assert issues == [["repaired", "quirk", "4:34", "Сc4-b3"]]
    n_bytes = len(SCORE.rstrip("\n").encode("cp1251"))
    query = "select n_bytes_games, n_bytes_quarantined from sources where path = '0.txt'"
    assert sql(query) == [[str(n_bytes), "0"]]
    assert sql("select count(*) from mainline join games using (game_id) where language = 'ru'") == [["20"]]
    assert notatio("verify", "--heavy").code == 0
    assert sorted(Path("lake/data").iterdir()) == data, "data files stay as they are"
    assert asked("quarantine", "list") == []
    assert [(row["place"], row["state"]) for row in asked("quarantine", "list", "--all")] == [("4:34", "resolved")]

    after = sql("from games order by game_id"), sql("from plies order by all"), sql("from issues order by all")
    assert (accept(id_).code, notatio("build").code, ingest("0.txt", "1.txt").code) == (0, 0, 0)
    assert Path("lake/curation/repairs.csv").read_bytes() == written
    assert (sql("from games order by game_id"), sql("from plies order by all"), sql("from issues order by all")) == after

    Path("lake/curation/repairs.csv").write_bytes(written.splitlines(keepends=True)[0])
    assert notatio("build").code == 0
    assert (
        sql("select * from games order by game_id"),
        sql("from spans order by all"),
        sql("from issues order by all"),
    ) == before
    assert notatio("verify", "--heavy").code == 0


def test_any_ingest_that_publishes_applies_what_was_accepted() -> None:
    id_ = lake(TEXT)
    assert accept(id_).code == 0
    Path("b.pgn").write_text(GAME, "utf-8")
    assert ingest("b.pgn").code == 0
    assert sql(AUDITED) == [["clean", "20", "1", "0"]]


def test_a_person_may_say_what_no_suggestion_says_but_has_to_say_why() -> None:
    id_ = lake("1. e4 e5 2. Nf3 Nc6 3. Bb5 a6 4. Ba4 Nf6 5. O-O Be7 6. Re1 b5 7. Nb3 d6 8. c3 O-O 1-0\n")
    assert asked("quarantine", "suggest", id_) == []
    none = accept(id_)
    assert (none.code, "There is no suggestion" in none.err, "--as SAN" in none.err) == (2, True, True)
    assert "Say why" in accept(id_, "--as", "Bb3").err
    wrong = accept(id_, "--as", "Qh5", "--because", "seen")
    assert (wrong.code, "Qh5 is no legal move at ply 13, where Nb3 stands" in wrong.err) == (2, True)
    assert not Path("lake/curation/repairs.csv").exists()
    assert accept(id_, "--as", "Bb3", "--because", 'the book, "p. 7"').code == 0
    other = accept(id_, "--as", "b3", "--because", "no")
    assert (other.code, "repairs.csv" in other.err or "hold" in other.err) == (2, True)
    assert notatio("build").code == 0
    assert sql("select status, san from games join plies using (game_id) where decided_by = 'repair'") == [["clean", "Bb3"]]
    assert sql("select because, author from repairs") == [['the book, "p. 7"', "A. Editor"]]


def test_a_repair_of_one_of_two_misprints_keeps_more_and_the_rest_stays_open() -> None:
    id_ = lake(TEXT.replace("Кb8-d7", "Кb8-d8"))
    assert accept(id_, "--as", "Bb3", "--because", "seen").code == 0
    assert notatio("build").code == 0
    assert sql(AUDITED) == [["truncated", "19", "0", "1"]]
    assert sql("select state, reason_code, detail from quarantine") == [
        ["open", "illegal_move", "no legal move fits, after 19 proven plies"]
    ]
    (listed,) = asked("quarantine", "list")
    assert (listed["id"], listed["written"], listed["plies_kept"]) == (id_, "Кb8-d8", "19")
    assert notatio("verify", "--heavy").code == 0
    assert accept(id_, "--as", "Nbd7", "--because", "seen").code == 0
    assert notatio("build").code == 0
    assert sql(AUDITED) == [["clean", "20", "1", "0"]]
    assert notatio("verify", "--heavy").code == 0


def test_what_is_no_game_leaves_the_games_but_not_the_quarantine() -> None:
    id_ = lake("1. e4 e5 2. Qd6 Nc6 3. Nf3 d6\n", GAME)
    assert "--because" in notatio("quarantine", "tombstone", id_).err
    assert notatio("quarantine", "tombstone", id_, "--because", "a table", "--author", "me").code == 0
    assert notatio("build").code == 0
    assert sql("select count(*) from games") == [["1"]]
    assert sql("select state, game_id is null from quarantine") == [["tombstone", "true"]]
    assert sql("select n_games, n_truncated, n_rejected, n_plies from sources where path = '0.txt'") == [["0", "0", "0", "0"]]
    assert sql("select because, author from tombstones") == [["a table", "me"]]
    assert notatio("verify", "--heavy").code == 0
    (text_id,) = sql("select text_id from quarantine")[0]
    Path("lake/curation/repairs.csv").write_text(f"text_id,ply,written,read_as,because,author,made_at\n{text_id},3,Qd6,d4,x,,\n")
    assert (notatio("build").err.count("warning"), asked("quarantine", "replay")) == (0, []), "a tombstone has the last word"
    Path("lake/curation/repairs.csv").unlink()
    Path("lake/curation/tombstones.csv").unlink()
    assert notatio("build").code == 0
    assert sql("select count(*) from games") == [["2"]]


def test_a_row_that_holds_no_more_is_told_and_changes_nothing() -> None:
    id_ = lake(TEXT)
    (text_id,) = sql("select text_id from quarantine")[0]
    file = Path("lake/curation/repairs.csv")
    file.write_text(f"text_id,ply,written,read_as,because,author,made_at\n{text_id},9,Сc4-b3,Bb3,seen,me,\n", "utf-8")
    built = notatio("build")
    assert (built.code, "does not hold: the game ends at ply 13, not at 9" in built.err) == (0, True)
    assert sql("select status from games") == [["truncated"]]
    replayed = notatio("quarantine", "replay", "--format", "csv")
    assert (replayed.code, "not at 9" in replayed.out) == (3, True)
    assert "cannot" not in notatio("quarantine", "show", id_).err


@pytest.mark.parametrize(
    ("name", "row", "why"),
    [
        ("repairs", "t,0,Сc4-b3,Bb3,seen,me,", "ply is the number of a half-move"),
        ("repairs", ",3,Сc4-b3,Bb3,seen,me,", "there is no text_id"),
        ("repairs", "t,3,Сc4-b3,,seen,me,", "there is no read_as"),
        ("repairs", "t,3,Сc4-b3,Bb3,seen,me,yesterday", "made_at 'yesterday' is no date"),
        ("tombstones", ",seen,me,", "there is no text_id"),
    ],
)
def test_a_bad_line_is_told_by_file_and_line(name: str, row: str, why: str) -> None:
    lake(TEXT)
    head = {"repairs": "text_id,ply,written,read_as,because,author,made_at", "tombstones": "text_id,because,author,made_at"}
    Path(f"lake/curation/{name}.csv").write_text(f"{head[name]}\n{row}\n", "utf-8")
    done = notatio("build")
    assert (done.code, f"{name}.csv:2" in done.err, why in done.err) == (78, True, True)


def test_ids_that_mean_nothing_or_several_are_told() -> None:
    lake("1. e4 e5 2. Qd6 Nc6 3. Nf3 d6\n", "1. e4 e5 2. Qd5 Nc6 3. Nf3 d6\n")
    assert "is no id" in notatio("quarantine", "show", "xyz").err
    assert "Nothing in quarantine" in notatio("quarantine", "show", "0" * 32).err
    digits = [id_ for id_ in "0123456789abcdef" if "Several ids" in notatio("quarantine", "show", id_).err]
    assert notatio("quarantine", "suggest").code == 2
    assert digits == [] or notatio("quarantine", "show", digits[0]).code == 2
