"""Bytes of sources → rows: ids, spans, sums, encodings, lost symbols, lanes."""
# ruff: noqa: E501  (input and expectation stand on one line)

from __future__ import annotations

from hashlib import sha256

import pytest

from pipeline import schema
from pipeline.ingest import canonical
from pipeline.model import Hints
from tests.support_text import ROSTER, cases, ingest, read, sans


def key(text):
    return sha256(text.encode() if isinstance(text, str) else text).hexdigest()[:32]


def bytes_by_kind(tables, data):
    return [(s["kind"], data[s["byte_start"] : s["byte_end"]]) for s in tables.rows("spans")]


def test_ids_are_the_published_formulas(tmp_path):
    data = b'\n[Event "x"]\n\n1. e4 e5 1-0\n'
    _, tables = ingest(data, tmp_path)
    (game,) = tables.rows("games")
    assert (game["source_id"], game["byte_start"], game["byte_end"]) == (key(data), 1, len(data) - 1)
    assert game["game_id"] == key(f"{key(data)}:1")
    assert game["text_id"] == key(data[1:-1])
    assert game["content_id"] == key("\ne4 e5")


def test_a_game_without_moves_has_no_content_id(tmp_path):
    _, tables = ingest(b'[Event "x"]\n\n1-0\n', tmp_path)
    (game,) = tables.rows("games")
    assert (game["content_id"], game["movetext"], game["n_plies"], game["status"]) == (None, None, 0, "clean")


def test_an_append_keeps_the_text_id(tmp_path):
    first = b'[Event "x"]\n\n1. e4 e5 1-0\n'
    before, after = (ingest(data, tmp_path)[1].rows("games")[0] for data in (first, first + b'\n[Event "y"]\n\n1. d4 *\n'))
    assert before["text_id"] == after["text_id"]
    assert before["game_id"] != after["game_id"]


def test_every_byte_is_in_one_span(tmp_path):
    data = b'Prose.\n\n[Event "x"]\n\n1. e4 e5 1-0\n\n[Event "y"]\n\n1. e4 Ke3 1-0\n\n'
    receipt, tables = ingest(data, tmp_path)
    assert bytes_by_kind(tables, data) == [
        ("heading", b"Prose."), ("blank", b"\n\n"), ("game", b'[Event "x"]\n\n1. e4 e5 1-0'), ("blank", b"\n\n"),
        ("quarantine", b'[Event "y"]\n\n1. e4 Ke3 1-0'), ("blank", b"\n\n")]  # fmt: skip
    assert (receipt["n_bytes_games"], receipt["n_bytes_quarantined"], receipt["n_bytes_filler"]) == (25, 26, 12)
    assert (receipt["n_games"], receipt["n_clean"], receipt["n_truncated"], receipt["n_rejected"]) == (2, 1, 1, 0)


def test_a_truncated_game_is_quarantined_whole_with_its_reason(tmp_path):
    data = (ROSTER + "1. e4 e5 2. Ke3 Nc6 1-0").encode()
    _, tables = ingest(data, tmp_path)
    (row,) = tables.rows("quarantine")
    assert (row["reason_code"], row["raw"], row["byte_start"], row["byte_end"]) == ("illegal_move", data, 0, len(data))


def test_the_reason_of_a_token_that_is_no_move_is_its_code(tmp_path):
    _, tables = ingest((ROSTER + "1. e4 e5 2. Zf3 Nc6 1-0").encode(), tmp_path)
    assert [row["reason_code"] for row in tables.rows("quarantine")] == ["unknown_token"]
    assert [row["severity"] for row in tables.rows("issues") if row["code"] == "unknown_token"] == ["fault"]


def test_issues_stand_at_their_bytes_line_and_column(tmp_path):
    text = ROSTER.replace("\n", "\r\n") + "1. e4 {é} e5\r\n2. Ke3 *"
    _, tables = ingest(text.encode(), tmp_path)
    (issue,) = [i for i in tables.rows("issues") if i["code"] == "illegal_move"]
    assert text.encode()[issue["byte_offset"] : issue["byte_end"]] == b"Ke3"
    assert (issue["line"], issue["column"]) == (10, 4)


@pytest.mark.parametrize("encoding", ["utf-8", "utf-8-sig", "utf-16", "utf-16-le", "cp1251", "koi8-r", "cp866"])
def test_ranges_are_original_bytes_in_any_encoding(tmp_path, encoding):
    text = '[Event "Москва, первенство страны"]\n[White "Спасский, Борис"]\n[Black "Фишер, Роберт"]\n\n1. e4 e5 2. Кf3 Кc6 3. Сb5 a6 4. Сa4 Кf6 1-0\n'
    data = text.encode(encoding)
    receipt, tables = ingest(data, tmp_path)
    (game,) = tables.rows("games")
    assert game["movetext"] == "e4 e5 Nf3 Nc6 Bb5 a6 Ba4 Nf6"
    assert data[game["byte_start"] : game["byte_end"]].decode(
        encoding.removesuffix("-sig") if encoding != "utf-16" else "utf-16-le"
    ) == text.rstrip("\n")
    assert (
        dict(game["tags"] if "tags" in game else zip(game["tag_names"], game["tag_values"], strict=True))["White"]
        == "Спасский, Борис"
    )
    assert receipt["n_bytes_games"] + receipt["n_bytes_filler"] == len(data)


# --- §3.5: sources that lost their symbols

SHORT_PAWN_LINE = "1. e4 e5 2. d4 d5 3. f3 f6 *"


def status(tmp_path, text):
    return [(game["status"], game["movetext"]) for game in ingest(text.encode(), tmp_path)[1].rows("games")]


def test_a_short_line_of_pawn_moves_is_clean_in_a_sound_source(tmp_path):
    assert status(tmp_path, SHORT_PAWN_LINE) == [("clean", "e4 e5 d4 d5 f3 f6")]


@pytest.mark.parametrize("other", ["\n\n1. e4 e5 2. ♘f3 ♘c6 *", "\n\n1. e4 e5 2. xd4 *", "\n\nThe ♔ was lost."])
def test_a_short_line_of_pawn_moves_is_never_clean_where_symbols_were_lost(tmp_path, other):
    assert status(tmp_path, SHORT_PAWN_LINE + other)[0] == ("rejected", None)
    tagged = '[Event "x"]\n[White "A"]\n[Black "B"]\n[Result "*"]\n\n' + SHORT_PAWN_LINE
    assert status(tmp_path, tagged + other)[0] == ("rejected", None)


def test_blanks_where_men_belong_are_lost_symbols(tmp_path):
    text = SHORT_PAWN_LINE + "\n\n1. e4 e5 2.  f3  c6 3.  b5 a6 4.  a4  f6 5. 0-0  e7 *"
    assert status(tmp_path, text)[0] == ("rejected", None)


def test_a_long_line_of_pawn_moves_is_believed(tmp_path):
    long = "1. a3 a6 2. b3 b6 3. c3 c6 4. d3 d6 5. e3 e6 6. f3 f6 7. g3 g6 *"
    assert status(tmp_path, long + "\n\nThe ♔ was lost.")[0][0] == "clean"


# --- lanes


def test_the_kernel_answers_canonical_games_and_leaves_the_rest(tmp_path):
    text = ROSTER + "1. e4 e5 2. Nf3 Nc6 *\n\n" + ROSTER + "1. e4 e5 2. Ke3 *\n\n"
    receipt, _ = ingest(text.encode(), tmp_path)
    assert (receipt["n_games_kernel"], receipt["n_games"]) == (1, 2)


def test_english_letters_alone_decide_only_where_alphabets_agree():
    assert canonical.language_of(0, Hints()).is_certain
    assert not canonical.language_of(0b00001, Hints()).is_certain
    assert canonical.language_of(0b11111, Hints()).languages[0] == "en"


def test_a_hint_of_another_language_keeps_the_kernel_out(tmp_path):
    assert not canonical.can_answer(Hints(language="de"))
    receipt, tables = ingest((ROSTER + "1. e4 e5 2. Ne2 *\n").encode(), tmp_path, language="ro")
    assert (receipt["n_games_kernel"], tables.rows("games")[0]["movetext"]) == (0, "e4 e5 Be2")


def test_a_broken_container_is_one_quarantined_source(tmp_path):
    receipt, tables = ingest(b"PK\x03\x04broken", tmp_path, status="container_corrupt")
    assert (receipt["n_bytes_quarantined"], [i["code"] for i in tables.rows("issues")]) == (10, ["container_corrupt"])


def test_a_binary_source_is_all_filler(tmp_path):
    receipt, tables = ingest(b"\x00\x01\x02", tmp_path, status="binary")
    assert (receipt["n_bytes_filler"], [s["kind"] for s in tables.rows("spans")]) == (3, ["binary"])


def test_poisoned_bytes_are_quarantined_unread(tmp_path):
    text = ROSTER + "1. e4 e5 *\n\n"
    data = (text * 2).encode()
    receipt, tables = ingest(data, tmp_path, poison=[[0, len(text)]])
    assert [row["reason_code"] for row in tables.rows("quarantine")] == ["worker_killed"]
    assert (receipt["n_games"], receipt["n_bytes_quarantined"]) == (1, len(text))


def test_tables_have_their_stored_schema(tmp_path):
    _, tables = ingest((ROSTER + "1. e4! {c} e5 (1... c5) *").encode(), tmp_path)
    for name, table in tables.tables.items():
        assert table.schema.names == schema.TABLES[name].schema.names
        assert (
            table.cast(schema.TABLES[name].schema).to_pylist() == table.to_pylist()
        )  # a dictionary is another way to hold strings
    assert {"games", "plies", "variations", "annotations", "spans"} <= tables.tables.keys()


def test_main_line_is_variation_zero_and_colours_follow_the_start(tmp_path):
    text = '[Event "x"]\n[FEN "4k3/4p3/8/8/8/8/4P3/4K3 b - - 0 17"]\n\n17... e5 18. e4 (18. e3 Kd7) *'
    _, tables = ingest(text.encode(), tmp_path)
    assert [(p["variation"], p["ply"], p["move_number"], p["color"], p["san"]) for p in tables.rows("plies")] == [
        (0, 1, 17, "b", "e5"), (0, 2, 18, "w", "e4"), (1, 2, 18, "w", "e3"), (1, 3, 18, "b", "Kd7")]  # fmt: skip


@pytest.mark.parametrize("table", ["broken", "broken_tagged", "games"])
def test_the_fast_lane_answers_no_broken_score_otherwise(tmp_path, table):
    for i, case in enumerate(cases(table)):
        text = ROSTER + case["text"] + "\n"
        expected = [(game.status, sans(game)) for game in read(text)]
        _, tables = ingest(text.encode(), tmp_path)
        assert [(game["status"], game["movetext"] or "") for game in tables.rows("games")] == expected, (i, case["text"])
