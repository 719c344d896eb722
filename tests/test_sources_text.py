"""Characters ↔ bytes ↔ lines."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from pipeline.sources import Decision, Text, decode
from pipeline.sources.text import utf8_runs


def text_of(data: bytes, encoding: str = "utf-8") -> Text:
    return decode(data, Decision(encoding, kind="hint"))


@pytest.mark.parametrize(
    ("encoding", "expected"),
    [
        ("utf-8", [0, 1, 3, 6, 10, 11]),
        ("utf-16-le", [0, 2, 4, 6, 10, 12]),
        ("utf-32-be", [0, 4, 8, 12, 16, 20]),
    ],
)
def test_characters_of_one_to_four_bytes(encoding: str, expected: list[int]) -> None:
    text = text_of("eж♘😀4".encode(encoding), encoding)
    assert text.byte_offsets(range(6)).tolist() == expected
    assert [text.byte_offset(i) for i in range(6)] == expected
    assert text.char_offsets(expected).tolist() == [0, 1, 2, 3, 4, 5]


def test_a_byte_inside_a_character_belongs_to_it() -> None:
    text = text_of("eж♘😀4".encode())
    assert text.char_offsets(range(12)).tolist() == [0, 1, 1, 2, 2, 2, 3, 3, 3, 3, 4, 5]
    assert text.utf8_to_byte(range(12)).tolist() == list(range(12))  # these bytes are the original ones


def test_offsets_come_back_in_the_order_asked() -> None:
    text = text_of("жeж".encode())
    assert text.byte_offsets([3, 0, 2, 2]).tolist() == [5, 0, 3, 3]
    assert text.byte_offsets([]).tolist() == []


@pytest.mark.parametrize("outside", [-1, 4])
def test_an_offset_outside_of_the_text_is_an_error(outside: int) -> None:
    with pytest.raises(IndexError):
        text_of(b"e4 ").byte_offset(outside)


def test_utf8_of_a_code_page_maps_back_to_its_bytes() -> None:
    text = text_of("Кf3 Кc6".encode("cp1251"), "cp1251")
    assert text.utf8() == "Кf3 Кc6".encode()
    assert text.utf8_to_byte([0, 1, 2, 3, 4, 5, 6, 7, 8, 9]).tolist() == [0, 0, 1, 2, 3, 4, 4, 5, 6, 7]


def test_utf8_of_utf8_and_ascii_is_the_data_itself() -> None:
    for data in (b"1. e4 e5", "1. Кf3".encode()):
        assert text_of(data).utf8() is data
    assert decode(b"\xef\xbb\xbfe4", Decision("utf-8", kind="bom")).utf8_to_byte([0, 2]).tolist() == [3, 5]


def test_the_map_is_small_where_characters_are_equally_wide() -> None:
    russian = text_of(("Белые начинают и выигрывают " * 1000).encode())
    assert len(russian._runs[0]) < 9000  # 28,000 characters in 4,000 words
    assert len(text_of(b"1. e4 e5 " * 1000)._runs[0]) == 2


def test_runs_are_found_across_the_borders_of_scanned_blocks(monkeypatch: pytest.MonkeyPatch) -> None:
    data = "1. Кf3 ♘ 😀😀 Кc6 жжж".encode()
    whole = [a.tolist() for a in utf8_runs(data, 0, len(data))]
    for size in range(1, 12):
        monkeypatch.setattr("pipeline.sources.text._SCAN_BYTES", size)
        assert [a.tolist() for a in utf8_runs(data, 0, len(data))] == whole


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("ab\ncd", [(1, 1), (1, 2), (1, 3), (2, 1), (2, 2), (2, 3)]),
        ("a\rb", [(1, 1), (1, 2), (2, 1), (2, 2)]),
        ("a\r\nb", [(1, 1), (1, 2), (1, 3), (2, 1), (2, 2)]),
        ("\n\r\n\r", [(1, 1), (2, 1), (2, 2), (3, 1), (4, 1)]),
        ("ж♘", [(1, 1), (1, 2), (1, 3)]),
        ("a\x0b\x0c\x85\u2028b", [(1, i) for i in range(1, 8)]),  # other line ends of Unicode are none here
    ],
)
def test_lines_end_with_cr_lf_or_both(text: str, expected: list[tuple[int, int]]) -> None:
    read = text_of(text.encode())
    assert [read.line_column(i) for i in range(len(text) + 1)] == expected


@settings(max_examples=200)
@given(
    st.text(alphabet=st.characters(exclude_categories=["Cs"]), max_size=60), st.sampled_from(["utf-8", "utf-16-le", "utf-16-be"])
)
def test_offsets_are_those_of_encoding_each_character(text: str, encoding: str) -> None:
    read = text_of(text.encode(encoding), encoding)
    expected = np.cumsum([0] + [len(c.encode(encoding)) for c in text]).tolist()
    if text[:1] != "\ufeff":
        assert read.byte_offsets(range(len(text) + 1)).tolist() == expected
