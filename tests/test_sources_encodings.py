"""Which encoding bytes are in, and that decoding loses none of them."""

from __future__ import annotations

import json
from itertools import pairwise
from pathlib import Path

import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st

from pipeline.sources import Decision, Text, UnknownEncoding, check_encoding, decide, decide_file, decode
from pipeline.sources.code_pages import code_pages

MOVES = {
    "ru": "1. e4 e5 2. Кf3 Кc6 3. Сb5 a6 4. Сa4 Кf6 5. 0-0 Сe7 6. Лe1 b5 7. Сb3 d6 8. c3 0-0 9. h3 Фd7 10. Крh2",
    "uk": "1. e4 e5 2. Кf3 Кc6 3. Сb5 a6 4. Сa4 Кf6 5. 0-0 Сe7 6. Тe1 b5 7. Сb3 d6 8. c3 0-0 9. h3 Фd7 10. Крh2",
    "bg": "1. e4 e5 2. Кf3 Кc6 3. Оb5 a6 4. Оa4 Кf6 5. 0-0 Оe7 6. Тe1 b5 7. Оb3 d6 8. c3 0-0 9. h3 Дd7 10. Цh2",
    "sr": "1. e4 e5 2. Сf3 Сc6 3. Лb5 a6 4. Лa4 Сf6 5. 0-0 Лe7 6. Тe1 b5 7. Лb3 d6 8. c3 0-0 9. h3 Дd7 10. Кh2",
}
SAN = "1. e4 e5 2. Nf3 Nc6 3. Bb5 a6 1-0"
TEXTS = {  # White, Black, event, site, comment
    "Russian": "Алехин, Александр|Капабланка, Хосе|Матч на первенство мира|Буэнос-Айрес|Лучше было рокировать.",
    "Ukrainian": "Іванчук, Василь|Ейнгорн, В'ячеслав|Чемпіонат України|Чернігів|Краще було відступити турою.",
    "Bulgarian": "Топалов, Веселин|Георгиев, Кирил|Държавно първенство|Велико Търново|Белите имат предимство.",
    "Serbian": "Глигорић, Светозар|Ђурић, Стефан|Првенство Југославије|Врњачка Бања|Боље је било рокирати.",
    "Polish": "Wojtaszek, Radosław|Świercz, Dariusz|Mistrzostwa Polski|Łódź|Lepsze było odejście gońcem.",
    "Czech": "Láznička, Viktor|Štoček, Jiří|Mistrovství republiky|Luhačovice|Černý měl ustoupit střelcem.",
    "Hungarian": "Szabó, László|Hölzl, Győző|Magyar bajnokság|Székesfehérvár|Erős támadás, döntő előny.",
    "German": "Hübner, Robert|Sämisch, Fritz|Länderkampf|Düsseldorf|Weiß steht schön, für Schwarz wäre Läufer besser.",
    "French": "Édouard, Romain|Bacrot, Étienne|Championnat de France|Nîmes|Une erreur décisive, où était le cavalier ?",
    "Spanish": "Núñez, Íñigo|Muñoz, Andrés|Campeonato de España|Málaga|Todavía así la posición es difícil.",
    "Swedish": "Åkesson, Ralf|Hellström, Göran|Lagmästerskap|Västerås|Svart hotar, bättre är löpare.",
    "Turkish": "Yılmaz, Mustafa|Şanal, Vahap|Türkiye Şampiyonası|Eskişehir|Güçlü hamle, beyaz üstün değil.",
}
PAGES = {
    "Russian": "cp1251 koi8-r cp866 iso8859-5 mac-cyrillic",
    "Ukrainian": "cp1251 koi8-u mac-cyrillic",
    "Bulgarian": "cp1251 koi8-r cp866 iso8859-5 mac-cyrillic",
    "Serbian": "cp1251 iso8859-5 mac-cyrillic",
    "Polish": "cp1250 iso8859-2 cp852",
    "Czech": "cp1250 iso8859-2 cp852",
    "Hungarian": "cp1250 iso8859-2 cp852",
    "German": "cp1252 cp850 cp437 mac-roman",
    "French": "cp1252 cp850 mac-roman",
    "Spanish": "cp1252 cp850 mac-roman",
    "Swedish": "cp1252 cp850 cp437 mac-roman",
    "Turkish": "cp1254",
}
UNICODE = ["utf-8", "utf-8-sig", "utf-16", "utf-16-le", "utf-16-be", "utf-32", "utf-32-le", "utf-32-be"]


def game(white: str, black: str = "?", event: str = "?", site: str = "?", comment: str = "", moves: str = SAN) -> str:
    head = f'[Event "{event}"]\n[Site "{site}"]\n[White "{white}"]\n[Black "{black}"]\n\n'
    return head + (f"{{{comment}}} " if comment else "") + moves + "\n"


def read(data: bytes, hint: str | None = None) -> Text:
    text = decode(data, decide(data, hint))
    check_laws(text)
    return text


def check_laws(text: Text) -> None:
    """What holds for any bytes and any decision."""
    n = len(text.text)
    offsets = text.byte_offsets(range(n + 1)).tolist()
    assert offsets[-1] == text.byte_offset(n) == len(text.data)
    assert [text.byte_offset(i) for i in range(n)] == offsets[:-1]
    assert all(a < b for a, b in pairwise(offsets))
    assert 0 <= offsets[0] <= 4
    assert text.char_offsets(offsets).tolist() == list(range(n + 1)) if n else True
    utf8 = text.utf8()
    assert utf8.decode() == text.text
    starts = [0]
    for c in text.text:
        starts.append(starts[-1] + len(c.encode()))
    assert text.utf8_to_byte(starts).tolist() == offsets
    for i, piece in enumerate(text.pieces):
        following = text.pieces[i + 1 :]
        end_char, end_byte = (following[0].start_char, following[0].start_byte) if following else (n, len(text.data))
        part, original = text.text[piece.start_char : end_char], text.data[piece.start_byte : end_byte]
        assert offsets[piece.start_char] == piece.start_byte
        if "\ufffd" not in part:
            assert part.encode(piece.encoding) == original


@pytest.mark.parametrize(("language", "page"), [(lang, page) for lang in PAGES for page in PAGES[lang].split()])
def test_a_game_with_names_and_a_comment_in_each_code_page(language: str, page: str) -> None:
    text = game(*TEXTS[language].split("|"))
    assert read(text.encode(page)).text == text


@pytest.mark.parametrize("language", TEXTS)
@pytest.mark.parametrize("encoding", UNICODE)
def test_a_game_in_each_unicode_form(language: str, encoding: str) -> None:
    text = game(*TEXTS[language].split("|"))
    assert read(text.encode(encoding)).text == text


@pytest.mark.parametrize("page", ["cp1251", "koi8-r", "cp866", "iso8859-5", "mac-cyrillic", *UNICODE])
@pytest.mark.parametrize("language", MOVES)
@pytest.mark.parametrize("n_tokens", [6, 9, 30])
def test_moves_alone_tell_the_code_page(language: str, page: str, n_tokens: int) -> None:
    text = " ".join(MOVES[language].split()[:n_tokens])
    assert read(text.encode(page)).text == text


def test_the_example_of_the_books() -> None:
    assert read("1. e4 e5 2. Кf3 Кc6 3. Сb5".encode("koi8-r")).text == "1. e4 e5 2. Кf3 Кc6 3. Сb5"
    assert read("1. е4 е5 2. Кf3 Кс6 3. С:с6 bс 4. К:е5 Фd4".encode("cp866")).text.endswith("С:с6 bс 4. К:е5 Фd4")


@pytest.mark.parametrize(
    ("text", "page"),
    [
        ("1. e2–e4 e7–e5 2. Sg1–f3", "cp1252"),  # dashes between squares
        ("1. e4 0–1", "cp1252"),
        ("1. e4 e5 2. f4 e5×f4", "cp1252"),
        ("1. e4! (1. d4²) 1... e5³ 2. Nf3°", "cp1252"),  # signs of old chess fonts
        ("1. e4 e5 2. ¤f3 ¤c6 3. ¥b5 a6 4. ¥a4", "cp1252"),  # figurines of a chess font
        ("1. e2—e4 e7—e5 2. Кg1—f3 Кb8—c6 3. Сf1—b5", "cp1251"),
        ("Кp:f7 Сf1—c4 Крg8–h8", "cp1251"),  # a Latin p after the К
        ("Лхd8 Кхe5", "cp866"),  # the letter ха for the sign ×
        ("Д:f7 Цg1 Оc4", "cp866"),
        ("Şg8 Şh8 Vd1", "cp1254"),
        ("nell’attacco dell’alfiere, più l’azione", "cp1252"),
    ],
)
def test_signs_and_letters_in_moves(text: str, page: str) -> None:
    assert read(text.encode(page)).text == text


@pytest.mark.parametrize("page", ["cp1252", "cp1254"])
def test_dash_and_half_in_movetext_are_western(page: str) -> None:
    data = b'[Result "\xbd\x96\xbd"]\n\n1. e4 e5 2. Nf3 Nc6 3. Bc4 Bc5 4. 0\x960 Nf6 \xbd\x96\xbd\n'
    assert read(data).text == data.decode(page)
    assert decide(data).encoding == "cp1252"


@pytest.mark.parametrize("name", ["Hélbich, Ján", "Nuñez, Íñigo", "Müller", "Réti, Richard", "José Raúl", "Weiß, Max", "Blübaum"])
def test_a_single_western_name_is_enough(name: str) -> None:
    assert read(game(name).encode("latin-1")).text == game(name)


def test_a_multiplication_sign_in_each_move_is_no_russian_word() -> None:
    text = "José Raúl\n\n" + "P × P  Kt × P ch  " * 500
    assert read(text.encode("cp1252")).text == text


def test_latin_1_is_called_cp1252_as_the_two_agree_on_letters() -> None:
    assert decide(game("Müller").encode("latin-1")).encoding == "cp1252"
    assert check_encoding("latin-1") == check_encoding("ISO-8859-1") == "cp1252"


def test_a_byte_order_mark_is_no_text_but_it_is_counted() -> None:
    text = read(b"\xef\xbb\xbf" + "1. e4 {ё}".encode())
    assert (text.text, text.byte_offset(0), text.encoding, text.decision.kind) == ("1. e4 {ё}", 3, "utf-8", "bom")


@pytest.mark.parametrize("mark", [b"\xef\xbb\xbf", b"\xff\xfe", b"\xfe\xff", b"\xff\xfe\0\0", b"\0\0\xfe\xff"])
def test_nothing_but_a_byte_order_mark(mark: bytes) -> None:
    text = read(mark)
    assert (text.text, text.byte_offset(0)) == ("", len(mark))


FIRST = game("Müller, Jörg")
SECOND = game("Sahín, Nuri")


def test_one_game_in_utf8_and_one_in_cp1252() -> None:
    text = read((FIRST + "\n").encode() + SECOND.encode("cp1252"))
    assert text.text == FIRST + "\n" + SECOND
    assert text.segments == ((0, "utf-8"), (len(FIRST) + 1, "cp1252"))
    assert text.encoding_at(5) == "utf-8"
    assert text.encoding_at(len(FIRST) + 30) == "cp1252"
    assert text.decision.kind == "mixed"


def test_one_game_in_utf8_and_one_in_cp1251_in_either_order() -> None:
    russian = game(*TEXTS["Russian"].split("|"), MOVES["ru"])
    for first, second in (("utf-8", "cp1251"), ("cp1251", "utf-8")):
        text = read((russian + "\n").encode(first) + russian.encode(second))
        assert text.text == russian + "\n" + russian
        assert [encoding for _, encoding in text.segments] == [first, second]


def test_movetext_without_tags_is_cut_at_blank_lines() -> None:
    text = read("1. e4 e5 2. Кf3 — план".encode() + b"\n\n" + "1. d4 d5 2. Кf3 Кf6 план".encode("cp1251"))
    assert text.text == "1. e4 e5 2. Кf3 — план\n\n1. d4 d5 2. Кf3 Кf6 план"


def test_russian_and_western_games_in_two_code_pages_of_one_file() -> None:
    russian = game(*TEXTS["Russian"].split("|"), MOVES["ru"]) + "\n"
    german = game(*TEXTS["German"].split("|")) + "\n"
    text = read(russian.encode("cp1251") * 3 + german.encode("cp1252") + russian.encode("cp1251"))
    assert text.text == russian * 3 + german + russian
    assert text.decision.legacies == ("cp1251", "cp1252")


def test_a_stray_byte_in_utf8_costs_only_itself() -> None:
    one = '[White "Łódź, Jörg"]\n\n1. e4 {na'.encode() + b"\xef" + "ve} e5 {für} *\n\n".encode()
    text = read(one + FIRST.encode())
    assert text.text == '[White "Łódź, Jörg"]\n\n1. e4 {naïve} e5 {für} *\n\n' + FIRST
    assert [encoding for _, encoding in text.segments] == ["utf-8", "cp1252", "utf-8"]


def test_utf8_cut_off_inside_a_character_ends_with_a_replacement() -> None:
    data = ("1. e4 {план, " + "ж" * 20).encode()[:-1]
    text = read(data)
    assert text.text == "1. e4 {план, " + "ж" * 19 + "\ufffd"
    assert text.decision.encoding == "utf-8"


def test_double_encoded_names_are_left_as_they_are() -> None:
    assert read(game("MÃ¼ller, JÃ¶rg").encode()).text == game("MÃ¼ller, JÃ¶rg")


def test_nul_and_dos_end_mark_stay_in_the_text_and_in_the_count() -> None:
    data = b"1. e4 e5 1-0\n\x1a\0\0\0"
    assert read(data).text == "1. e4 e5 1-0\n\x1a\0\0\0"
    assert decide(data).encoding == "ascii"


def test_bytes_that_a_code_page_does_not_define_are_replaced_one_by_one() -> None:
    data = "Карпов, Анатолий; Каспаров, Гарри".encode("cp1251") + b"\x98\x98"
    assert read(data).text == "Карпов, Анатолий; Каспаров, Гарри\ufffd\ufffd"


@pytest.mark.parametrize(
    ("data", "expected"),
    [
        (b"\xff\xfea\x00\x00\xd8b\x00", "a\ufffdb"),  # a lone high surrogate
        (b"\xff\xfea\x00\x00\xdc", "a\ufffd"),  # a lone low one
        (b"\xff\xfea\x00b", "a\ufffd"),  # half a unit
        (b"\xff\xfea\x00\x3d\xd8\x00\xde", "a\U0001f600"),
        (b"\xff\xfe\0\0a\0\0\0\xff\xff\xff\xffb\0\0\0\0", "a\ufffdb\ufffd"),
    ],
)
def test_broken_utf16_and_utf32_are_replaced_and_mapped(data: bytes, expected: str) -> None:
    assert read(data).text == expected


def test_a_hint_decides_over_the_letters_but_not_over_a_byte_order_mark() -> None:
    data = game(*TEXTS["Russian"].split("|")).encode("cp1251")
    assert read(data, "koi8-r").text == data.decode("koi8-r")
    assert decide(data, "Windows-1251") == Decision("cp1251", kind="hint")
    assert decide(b"\xef\xbb\xbfe4", "cp1251").encoding == "utf-8"


@pytest.mark.parametrize("hint", [None, "utf-8", "ascii"])
@pytest.mark.parametrize(("data", "is_ascii"), [(b"1. e4 e5", True), ("Réti".encode(), False)])
def test_a_decision_for_valid_utf8_is_the_one_that_looking_at_it_gives(data: bytes, is_ascii: bool, hint: str | None) -> None:
    assert Decision.of_valid_utf8(is_ascii=is_ascii, hint=hint) == decide(data, hint)
    assert Decision.of_valid_utf8(is_ascii=is_ascii, has_mark=True, hint=hint) == decide(b"\xef\xbb\xbf" + data, hint)


@pytest.mark.parametrize("hint", ["gb18030", "gbk", "big5", "shift_jis", "euc_jp", "euc_kr"])
def test_east_asian_pages_are_read_on_a_hint(hint: str) -> None:
    assert read("1. e4 車f3".encode(hint) + b"\x81", hint).text == "1. e4 車f3\ufffd"
    read(b"\x80\x80\x00\x81\xff\xa1", hint)


@pytest.mark.parametrize("name", ["klingon", "rot13", "base64", "utf-7", "hex", "cp037", "idna", "unicode_escape", "", "a\0b"])
def test_an_encoding_that_is_none_is_refused(name: str) -> None:
    with pytest.raises(UnknownEncoding, match=r"use for example utf-8, cp1251"):
        decide(b"e4", name)


@pytest.mark.parametrize("page", [page.encoding for page in code_pages()])
def test_each_code_page_can_be_asked_for_by_its_name(page: str) -> None:
    assert check_encoding(page) == page


def test_a_doubtful_decision_names_the_readings_that_remain() -> None:
    text = read("1. e4 {Woźniak} e5".encode("iso8859-2"))
    assert text.decision.margin is not None
    assert text.decision.margin < 7
    assert "Woźniak" in {
        w for a in (text.decision, *text.alternatives) for w in decode(text.data, a).text.split("{")[1].split("}")
    }
    assert text.decision.runner_up not in (None, text.encoding)


def test_a_safe_decision_names_none() -> None:
    assert read(game(*TEXTS["Russian"].split("|"), MOVES["ru"]).encode("cp1251")).alternatives == ()


def test_readings_that_give_the_same_text_are_no_rivals() -> None:
    decision = decide("1. e4 e5 2. Кf3 Кc6 3. Сb5".encode("koi8-r"))  # koi8-u has the same letters
    assert decision.encoding == "koi8-r"
    assert "koi8-u" not in (decision.runner_up, *decision.alternatives)


def test_a_decision_travels_as_json() -> None:
    decision = decide((FIRST + "\n").encode() + "{Woźniak}".encode("iso8859-2"))
    assert Decision.from_dict(json.loads(json.dumps(decision.as_dict()))) == decision


def test_a_part_of_a_file_is_read_as_the_whole_is() -> None:
    russian = (game(*TEXTS["Russian"].split("|"), MOVES["ru"]) + "\n").encode("cp1251")
    german = (game(*TEXTS["German"].split("|")) + "\n").encode()
    data = russian * 2 + german * 2
    decision = decide(data)
    parts = [decode(part, decision).text for part in (russian, russian, german, german)]
    assert "".join(parts) == decode(data, decision).text


def test_a_file_is_decided_as_its_bytes_are(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    russian = (game(*TEXTS["Russian"].split("|"), MOVES["ru"]) + "\n").encode("cp1251")
    data = b"".join(SECOND.encode("ascii", "ignore") + b"\n" for _ in range(300)) + russian * 3
    (tmp_path / "x.pgn").write_bytes(data)
    whole = decide(data)
    monkeypatch.setattr("pipeline.sources.segments.SCAN_BYTES", 1000)
    assert decide_file(str(tmp_path / "x.pgn")) == decide(data) == whole
    assert whole.encoding == "cp1251"


def test_binary_data_is_decoded_byte_by_byte() -> None:
    data = bytes(range(256)) * 3
    text = read(data)
    assert (text.encoding, len(text.text)) == ("binary", len(data))


_BITS = [
    b'\n\n[Event "', b"\r\n\r\n", b"\n\n", b" 1. e4 ", b"\xef\xbb\xbf", b"\0", b"\xff\xfe", "Кf3 ".encode(), "♘f3".encode()[:2],
    "für ".encode(), "Кf3".encode("cp1251"), "Müller".encode("latin-1"),
]  # fmt: skip
_CHESS_BYTES = st.lists(st.one_of(st.binary(max_size=8), st.sampled_from(_BITS)), max_size=30).map(b"".join)
_PAGES = [page.encoding for page in code_pages()]
_HINTS = [*_PAGES, "utf-8", "utf-16-le", "utf-32-be", "ascii", "gbk", "shift_jis"]


@settings(max_examples=300, deadline=None)
@given(_CHESS_BYTES)
@example(b"")
@example(b"\xff\xfe\x00")
@example(b"\x00\xd8" * 9)
def test_any_bytes_are_decoded_without_loss(data: bytes) -> None:
    read(data)


@settings(max_examples=100, deadline=None)
@given(_CHESS_BYTES, st.sampled_from(_HINTS))
def test_any_bytes_are_decoded_without_loss_with_any_hint(data: bytes, hint: str) -> None:
    text = read(data, hint)
    if text.decision.kind == "hint" and hint in _PAGES:
        assert len(text.text) == len(data)


@settings(max_examples=100, deadline=None)
@given(st.binary(min_size=1, max_size=200))
def test_alternatives_are_decoded_without_loss(data: bytes) -> None:
    for alternative in decode(data, decide(data)).alternatives:
        check_laws(decode(data, alternative))
