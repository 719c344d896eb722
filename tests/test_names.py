"""Keys of names: one person in several scripts and manners has one key, and common surnames do not meet by accident."""

from __future__ import annotations

import csv
import time
import unicodedata
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from pipeline import names, tables
from pipeline.names import name_key

ONE_PERSON = """
Spassky, Boris | Спасский, Борис | Spasski, Boris | Spasskij, Boris | Boris Spassky | GM Spassky, Boris | СПАССКИЙ БОРИС
Fischer, Robert | Фишер, Роберт | Фішер, Роберт | Robert Fischer
Bogoljubenko, Efim | Bogolyubenko, Yefim | Боголюбенко, Ефим
Zaitsev, A | Zaitsew, A | Зайцев, А | Zajcev, A. | Zaytsev,A
Horvathy, Gergely | Horváthy Gergely | Gergely Horvathy
S Karthikeya | Karthikeya S | Karthikeya, S.
Brandt, Otto | BRANDT, OTTO | brandt,otto
Korchnoi, Viktor | Kortschnoj, Viktor | Корчной, Виктор | Kortchnoi,Victor | Korchnoy, Viktor | Korčnoj, Viktor
Chigorin, Mikhail | Tschigorin, Michail | Чигорин, Михаил | Чигоринъ, Михаилъ | Tchigorin, Mikhail | Čigorin, Mihail
Capablanca | Капабланка
Alekhine | Aljechin | Алехин | Алёхин | Alekhin | Alyokhin
Smyslov, Vassily | Смыслов, Василий | Smyslow, Wassili | Smyslov, Vasily | Smyslov, Vasilij
Vasiliev | Васильев | Vasilyev | Vasiljew | Vasiljev
Petrosian, Tigran | Петросян, Тигран | Petrosjan, Tigran | Petrosyan, Tigran
Tal, Mihail | Таль, Михаил | Mikhail Tal
Botvinnik | Ботвинник | Botwinnik
Gligoric | Gligorić | Глигорич | Глигорић
Ljubojevic | Ljubojević | Любоевич | Љубојевић
Karjakin, Sergey | Карякин, Сергей | Karyakin,Sergei
Karpov, Anatoly | Карпов, Анатолий | Karpow, Anatoli | Karpov, Anatolij
Bronstein, David | Бронштейн, Давид
Geller, Efim | Геллер, Ефим | Geller, Yefim
Tschechow | Chekhov | Tchekhov | Чехов | Čehov
Nepomniachtchi | Непомнящий | Nepomnyashchiy
Grischuk, Alexander | Грищук, Александр | Grishchuk, Aleksandr
Shevchenko | Шевченко | Ševčenko | Schewtschenko | Szewczenko
Shcherbakov | Щербаков | Scherbakov | Schtscherbakow
Kholmov | Холмов | Holmov | Cholmow
Polugaevsky, Lev | Полугаевский, Лев | Polugajewski, Lew
Taimanov | Тайманов | Tajmanow
Steinitz | Стейниц
Fedorov | Фёдоров | Федоров | Fyodorov
Kramnik, Vladimir | Крамник, Владимир | Kramnik, Wladimir | Kramnik, Vladimir (Влади́мир Бори́сович Кра́мник)
Topalov, Veselin | Топалов, Веселин
Parvanov | Първанов
Papaioannou, Ioannis | Παπαϊωάννου, Ιωάννης | ΠΑΠΑΪΩΆΝΝΟΥ, ΙΩΆΝΝΗΣ
Hübner, Robert | Huebner, Robert | Hubner, Robert
Żółtek, Łukasz | Zoltek, Lukasz
O'Kelly, Alberic | O’Kelly, Alberic | OKelly, Alberic
Carlsen, Magnus | Карлсен, Магнус
"""


@pytest.mark.parametrize("line", ONE_PERSON.strip().splitlines())
def test_spellings_of_one_person_have_one_key(line: str) -> None:
    keys = {written: name_key(written) for written in line.split(" | ")}
    assert len(set(keys.values())) == 1, keys


DIFFERENT = """
Li,C | Ly,C
Le,Q | Lee,Q
Cao,Y | Kao,Y
Cai,J | Chai,J
Chen,L | Cen,L
Zhu,C | Zu,C
Zhou,J | Zou,J
Zhang,Z | Zang,Z
Sun,X | Shun,X
Shi,Y | Si,Y
Shen,Y | Sen,Y
Han,A | Khan,A
Wu,W | Vu,W
Fan,M | Phan,M
Xu,J | Su,J
Xie Jun | Xie Yun
Ji,D | Yi,D
Jin,R | Yin,R
Jan,K | Ian,K
Peter Smith | Pieter Smith
Daniel Berg | Danel Berg
Eric Berg | Erich Berg
Levin,D | Levine,D
Valentin Kos | Valentine Kos
Mann,A | Man,A
Brandt, O | Brandt, Otto
Petrosian, Tigran | Petrosian, Tigran L
egor_tensin | tensin egor
Player1 | Player2
Spassky | Karpov
"""


@pytest.mark.parametrize("line", DIFFERENT.strip().splitlines())
def test_common_names_that_look_alike_stay_apart(line: str) -> None:
    one, other = line.split(" | ")
    assert name_key(one) != name_key(other), name_key(one)


@pytest.mark.parametrize(
    "written",
    [
        "?",
        "-",
        "",
        " ",
        "???",
        "NN",
        "N.N.",
        "N. N.",
        "n n",
        "BYE",
        "Bye",
        "Anonymous",
        "unknown",
        "Unknown",
        "N/A",
        "(null)",
        "Неизвестный",
        "НН",
        "Аноним",
        "spielfrei",
        "свободен",
        "Amateur",
        "...",
        "--",
    ],
)
def test_placeholders_are_nobody(written: str) -> None:
    assert name_key(written) is None


@pytest.mark.parametrize(
    "written",
    [
        "Steinitz & Zukertort",
        "A & B",
        "Morphy&Barnes",
        "A / B",
        "Schiller/Bird",
        "Chigorin and Ponce",
        "А. и Б.",
        "Ботвинник и Таль",
        "Bird, HE und Schachfreund",
        "R. Fine y F. Reinfeld",
        "Smith + Jones",
    ],
)
def test_consultation_pairs_are_no_person(written: str) -> None:
    assert name_key(written) is None


@pytest.mark.parametrize(
    ("written", "key"),
    [
        ("Петров И", "i petrov"),
        ("Петров, И.", "i petrov"),
        ("Suresh A/L Kumar", "a kumar l suresh"),
        ("Garcia y Vega", "garcia vega y"),
        ("Andersson, Ulf", "andersson ulf"),
        ("Im, Joon", "im joon"),
        ("IM, JOON", "im joon"),
        ("GM", "gm"),
        ("гроссмейстер Таль", "tal"),
        ("Dr. Tarrasch", "tarrash"),
        ("Euwe", "euwe"),
        ("ZUEGER (SUI)", "zueger"),
        ("Stockfish 16", "16 stockfish"),
    ],
)
def test_names_that_look_like_something_else_are_kept(written: str, key: str) -> None:
    assert name_key(written) == key


@pytest.mark.parametrize(
    ("written", "expected"), [("BYE", True), ("bye", True), ("spielfrei", True), ("Bye, Erik", False), ("?", False)]
)
def test_a_bye_is_told_from_a_person_of_that_name(written: str, expected: bool) -> None:
    assert names.is_bye(written) is expected


@pytest.mark.parametrize(
    ("written", "key"),
    [("Kasparov, Garry", "garri kasparov"), ("Pezzi & Diversi", "diversi pezzi"), ("?", None), ("unknown", None)],
)
def test_annotators_may_be_several(written: str, key: str | None) -> None:
    assert names.text_key(written) == key


@given(st.text(max_size=60))
def test_no_string_raises_and_a_key_is_canonical(written: str) -> None:
    key = name_key(written)
    if key is not None:
        assert key == " ".join(sorted(key.split()))
        assert key == name_key(written)
    names.text_key(written)
    names.is_bye(written)


_WORDS = st.text(st.sampled_from("abcdefghijklmnopqrstuvwxyzабвгдежзийклмнопрстуфхцчшщъыьэюя"), min_size=2, max_size=9)


@given(st.lists(_WORDS, min_size=1, max_size=3))
def test_order_case_and_commas_change_nothing(words: list[str]) -> None:
    key = name_key(" ".join(words))
    assert name_key(" ".join(reversed(words))) == key
    assert name_key(", ".join(words)) == key or any(name_key(word) is None for word in words)


@pytest.mark.parametrize("piece", ["(", "and ", "а и ", "a/", "щ", "й ", "'", " ", "x y "])
def test_a_long_name_takes_linear_time(piece: str) -> None:
    started = time.process_time()
    name_key(piece * (200_000 // len(piece)))
    assert time.process_time() - started < 2


def test_every_manner_of_a_rule_is_betrayed_by_some_mark() -> None:
    marked = {row["manner"] for row in tables.rows("name_manners")}
    needed = {row["manner"] for table in ("name_folds", "translit") for row in tables.rows(table)} - {""}
    assert needed == marked


SPELLINGS = list(csv.DictReader((Path(__file__).parent / "cases" / "name_spellings.csv").read_text("utf-8").splitlines()))


@pytest.mark.parametrize("row", SPELLINGS, ids=lambda row: row["name"])
def test_a_name_in_another_script_or_manner_has_the_same_key(row: dict[str, str]) -> None:
    assert name_key(row["name"]) == name_key(row["same_as"])


def test_every_letter_that_is_transliterated_stands_in_a_name() -> None:
    """Of the spellings above; the háček of šč is rare, so that two rows make it one sound."""
    text = " ".join(row["name"] + " " + row["same_as"] for row in SPELLINGS).lower()
    bare = "".join(c for c in unicodedata.normalize("NFKD", text) if not unicodedata.combining(c))
    letters = {row["letters"].strip("^$") for row in tables.rows("translit")}
    assert {letter for letter in letters if letter not in text and letter not in bare} == {"šč"}
