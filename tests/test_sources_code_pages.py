"""The tables that code pages are told apart by, and what they say about real files where these are at hand."""

from __future__ import annotations

import csv
import unicodedata
from pathlib import Path

import numpy as np
import pytest

from pipeline.sources import decide, decode, find, members
from pipeline.sources import scoring as weighing
from pipeline.sources.code_pages import _rows, code_pages, pair_model

SHARED = Path(__file__).parents[1].parent / "shared" / "corpora"
LETTERS = {  # of each alphabet beyond a–z, from the orthographies
    "ru": "абвгдеёжзийклмнопрстуфхцчшщъыьэюя",
    "uk": "абвгґдеєжзиіїйклмнопрстуфхцчшщьюя",
    "bg": "абвгдежзийклмнопрстуфхцчшщъьюя",
    "sr-Cyrl": "абвгдђежзијклљмнњопрстћуфхцчџш",
    "pl": "ąćęłńóśźż",
    "cs": "áčďéěíňóřšťúůýž",
    "hu": "áéíóöőúüű",
    "de": "äöüß",
    "es": "áéíñóúü",
    "tr": "çğıöşü",
}


def test_each_code_page_stands_for_256_characters_and_is_named_once() -> None:
    names = [page.encoding for page in code_pages()]
    assert len(names) == len(set(names))
    assert all(len(page.characters) == 256 and page.characters[:128].isascii() for page in code_pages())


def test_pairs_are_shares_of_ten_thousand_in_falling_order() -> None:
    for row in _rows("letter_pairs.csv"):
        where = f"{row['language']} {row['letter']}"
        pairs = [(pair[0], int(pair[1:])) for pair in row["followers_per_10000"].split()]
        assert pairs == sorted(pairs, key=lambda pair: (-pair[1], pair[0])), where
        assert len({letter for letter, _ in pairs}) == len(pairs), where
        assert 0 < sum(n for _, n in pairs) <= 10_050, where  # each is rounded
        assert unicodedata.is_normalized("NFC", row["letter"] + row["followers_per_10000"]), where
        assert row["source"], where


@pytest.mark.parametrize("language", LETTERS)
def test_each_letter_of_an_alphabet_is_known(language: str) -> None:
    known = {row["letter"] for row in _rows("letter_pairs.csv") if row["language"] == language}
    assert set(LETTERS[language]) <= known


def test_likelihoods_are_logs_of_probabilities() -> None:
    for table in pair_model().tables.values():
        assert np.isfinite(table).all()
        assert table.max() <= 0.3  # the floors add a little


@pytest.mark.parametrize(
    ("word", "right", "wrong"),
    [
        ("Каспаров", "cp1251", ("koi8-r", "iso8859-5", "mac-cyrillic", "cp866", "cp1252", "cp1250")),
        ("Каспаров", "koi8-r", ("cp1251", "iso8859-5", "mac-cyrillic", "cp866", "cp1252", "cp1250")),
        ("Częstochowa Łódź", "cp1250", ("cp1252", "cp1251", "cp852", "mac-roman")),
        ("Großmeister für München", "cp850", ("cp1252", "cp1250", "cp866", "mac-roman")),
        ("Muñoz, José Raúl", "cp1252", ("cp1251", "koi8-r", "cp850", "mac-roman")),
    ],
)
def test_a_word_is_likelier_in_its_own_code_page(word: str, right: str, wrong: tuple[str, ...]) -> None:
    likelihood = {score.encoding: score.log_likelihood for score in weighing.scores(word.encode(right))}
    assert all(likelihood[right] > likelihood[other] + 2 for other in wrong)


def test_a_name_that_is_repeated_says_hardly_more_than_once() -> None:
    once, often = (weighing.scores(b"Jos\xe9 " * n) for n in (8, 800))
    assert often[0].encoding == once[0].encoding == "cp1252"
    assert abs(often[0].log_likelihood) < 10 * abs(once[0].log_likelihood)


def test_a_sample_is_bounded_and_covers_the_whole_file() -> None:
    sampler = weighing.Sampler()
    for i in range(3000):
        sampler.add(f"Ж{i:04d} ".encode("cp1251") * 40 + b"ascii " * 100)
    sample = sampler.sample().decode("cp1251")
    assert len(sample) <= 1.1 * weighing.SAMPLE_BYTES
    numbers = sorted({int(word[1:]) for word in sample.split() if len(word) == 5})
    assert numbers[0] < 100
    assert numbers[-1] > 2900
    assert "ascii" not in sample


@pytest.mark.skipif(not SHARED.exists(), reason="the shared corpora are not beside the repository")
def test_real_files_are_read_in_the_encoding_that_their_index_names() -> None:
    ours = {
        "CP1251": "cp1251",
        "CP1250": "cp1250",
        "ISO-8859-1": "cp1252",
        "UTF-8": "utf-8",
        "UTF-8-BOM": "utf-8",
        "ASCII": "ascii",
    }
    with open(SHARED / "INDEX.tsv", encoding="utf-8") as index:
        named = {row["path"]: row["encoding"].split("/")[0] for row in csv.DictReader(index, delimiter="\t")}
    n_checked = 0
    for found in find([str(SHARED / "files")]):
        expected = ours.get(named.get(f"files/{found.relative_path}", ""))
        for member in members(found):
            if member.data is None or member.inner is not None or expected is None or not member.data:
                continue
            decision = decide(member.data)
            assert decision.encoding == expected, found.relative_path
            text = decode(member.data, decision)
            assert text.byte_offset(len(text.text)) == len(member.data)
            n_checked += 1
    assert n_checked > 300
