"""curation/corrections.csv: what people type into it is applied, or refused with file, line and what to do."""

from __future__ import annotations

from pathlib import Path

import pytest

from pipeline.catalog.corrections import BadCorrection, corrected
from tests.support_cli import GAME, Done, ingest, notatio

HEADER = "text_id,field,value,because,author,made_at\n"


def test_corrections_become_columns_of_games_with_what_follows_from_them() -> None:
    rows = [{"text_id": "a", "field": "white", "value": "Brandt, Otto"}, {"text_id": "b", "field": "result", "value": "0-1"}]
    assert corrected(rows) == {
        "white": {"a": "Brandt, Otto"},
        "white_key": {"a": "brandt otto"},
        "result": {"b": "0-1"},
        "is_result_conflict": {"b": "false"},
    }


@pytest.mark.parametrize(
    ("text_id", "field", "value", "made_at", "why"),
    [
        ("t", "movetext", "e4", None, "field 'movetext' cannot be corrected; use one of annotator, base_seconds, black, b"),
        ("t", "year", "2001", None, "field 'year' cannot be corrected"),
        ("t", None, "x", None, "field None cannot be corrected"),
        (None, "white", "x", None, "there is no text_id"),
        ("t", "white_elo", "strong", None, "white_elo is a whole number below 32768; 'strong' is none"),
        ("t", "white_elo", "99999", None, "'99999' is none"),
        ("t", "date", "May 1999", None, "year is a whole number"),
        ("t", "round", "123456789012", None, "round_major is a whole number"),
        ("t", "white", "x", "yesterday", "made_at 'yesterday' is no date"),
    ],
)
def test_a_correction_that_makes_no_sense_is_refused(
    text_id: str | None, field: str | None, value: str, made_at: str | None, why: str
) -> None:
    with pytest.raises(BadCorrection) as refused:
        corrected([{"text_id": text_id, "field": field, "value": value, "made_at": made_at, "line": 7}])
    assert why in str(refused.value)
    assert refused.value.line == 7


def test_a_field_of_a_text_is_corrected_once() -> None:
    row = {"text_id": "t", "field": "white", "value": "x"}
    with pytest.raises(BadCorrection, match="white of text t is corrected twice"):
        corrected([{**row, "line": 2}, {**row, "line": 3}])


def tried(lines: bytes) -> tuple[Done, Path]:
    """How `notatio catalog` ends in a new lake, here, with these corrections; and the file."""
    Path("a.pgn").write_text(GAME, "utf-8")
    assert ingest("a.pgn", "--no-build").code == 0
    file = Path("lake/curation/corrections.csv")
    file.write_bytes(lines)
    return notatio("catalog"), file.resolve()


@pytest.mark.parametrize(
    ("lines", "line", "why"),
    [
        (f"{HEADER}t,white,Brandt,seen,me,\n\nt,colour,red,seen,me,\n".encode(), ":4", "field 'colour' cannot be corrected"),
        (f'{HEADER}t,white,"Brandt\nOtto",seen,me,\nt,white_elo,strong,seen,me,\n'.encode(), ":4", "white_elo is a whole number"),
        (f"{HEADER}t,white,Brandt, Otto,seen,me,\n".encode(), ":2", "the row has 7 fields, not 6"),
        (f'{HEADER}t,white,"Brandt"x,seen,me,\n'.encode(), ":2", "expected after"),
        (b"text_id;field;value\n", ":1", "there is no column text_id, field, value"),
        (HEADER.encode() + "t,white,Брандт,seen,me,\n".encode("cp1251"), "", "is no UTF-8"),
    ],
)
def test_a_bad_line_is_told_by_file_and_line_and_is_no_bug(
    lines: bytes, line: str, why: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    monkeypatch.delenv("NOTATIO_LAKE", raising=False)
    done, file = tried(lines)
    assert done.code == 78
    assert f"{file}{line}" in done.err
    assert why in done.err
    assert "Unexpected" not in done.err


def test_an_ingest_commits_and_says_which_line_kept_it_from_publishing(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    monkeypatch.delenv("NOTATIO_LAKE", raising=False)
    assert tried(HEADER.encode())[0].code == 0
    Path("lake/curation/corrections.csv").write_text(f"{HEADER}t,colour,red,seen,me,\n")
    Path("b.pgn").write_text(GAME.replace("Club", "Open"), "utf-8")
    done = ingest("b.pgn")
    assert done.code == 78
    assert "corrections.csv:2: field 'colour'" in done.err
    assert "then run `notatio catalog`" in done.err
    Path("lake/curation/corrections.csv").write_text(HEADER)
    assert notatio("catalog").code == 0
    assert notatio("sql", "select count(*) n from games", "--format", "csv").out.split() == ["n", "2"]
