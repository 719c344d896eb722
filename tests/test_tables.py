"""The knowledge in pipeline/tables: well formed, and true by cases from outside (a law cannot prove a letter)."""

from __future__ import annotations

import ast
import csv
import re
import unicodedata
from pathlib import Path

import chess
import pytest

from pipeline import tables

FOLDER = Path(tables.__file__).parent
ALPHABETS = {a.name: a for a in tables.alphabets()}


def cases(name: str) -> list[dict[str, str]]:
    """Rows of tests/cases/<name>.csv."""
    return list(csv.DictReader((Path(__file__).parent / "cases" / f"{name}.csv").read_text("utf-8").splitlines()))


# --- letters, against sources that know nothing of our rows -----------------------------------------------------------

PGN_STANDARD_17 = {
    "cs": "PJSVDK",
    "da": "BSLTDK",
    "nl": "OPLTDK",
    "en": "PNBRQK",
    "et": "PROVLK",
    "fi": "PRLTDK",
    "fr": "PCFTDR",
    "de": "BSLTDK",
    "hu": "GHFBVK",
    "is": "PRBHDK",
    "it": "PCATDR",
    "nb": "BSLTDK",
    "pl": "PSGWHK",
    "pt": "PCBTDR",
    "ro": "PCNTDR",
    "es": "PCATDR",
    "sv": "BSLTDK",
}


@pytest.mark.parametrize(("language", "letters"), PGN_STANDARD_17.items())
def test_letters_agree_with_the_table_of_the_pgn_standard(language: str, letters: str) -> None:
    """PGN standard, section 17: pawn, knight, bishop, rook, queen and king in 17 languages."""
    assert "".join(ALPHABETS[language].primary[piece] for piece in range(2, 7)) == letters[1:]


LINES = cases("alphabet_lines")
"""Lines of moves in the letters of an alphabet. `printed`: as the source prints them; `built`: a line of ours, spelled in the
letters that the source gives (or the first letters of the names of the men that it gives)."""


def as_english(alphabet: tables.Alphabet, written: str) -> str:
    """A plain transliteration of one move, made for this test: letter of the man first, then files, `:` and zeros."""
    english = {piece: letter for letter, piece in tables.PIECE_TYPES.items()}
    man = next((form for form in sorted(alphabet.letters, key=len, reverse=True) if written.startswith(form)), "")
    rest = "".join(alphabet.files.get(c, c) for c in written[len(man) :]).replace(":", "x").replace("0", "O")
    return (english[alphabet.letters[man]] if man else "") + rest


@pytest.mark.parametrize("case", LINES, ids=lambda case: f"{case['alphabet']}-{case['kind']}")
def test_a_line_written_abroad_reads_as_it_was_played(case: dict[str, str]) -> None:
    board, played = chess.Board(), []
    for token in case["written"].split():
        move = board.parse_san(as_english(ALPHABETS[case["alphabet"]], token))
        played.append(board.san(move))
        board.push(move)
    assert " ".join(played) == case["san"], case["source"]


def test_more_than_25_languages_have_a_line_and_ten_a_printed_one() -> None:
    languages = {kind: {ALPHABETS[c["alphabet"]].bcp47 for c in LINES if c["kind"] == kind} for kind in ("printed", "built")}
    assert len(languages["printed"] | languages["built"]) > 25
    assert len(languages["printed"]) >= 10
    assert {case["kind"] for case in LINES} == set(languages)
    assert [case["alphabet"] for case in LINES if not case["source"]] == []


@pytest.mark.parametrize(
    ("letter", "man_by_alphabet"),
    [
        ("К", {"ru": "N", "uk": "N", "bg": "N", "sr-Cyrl": "K"}),
        ("С", {"ru": "B", "uk": "B", "sr-Cyrl": "N"}),
        ("R", {"en": "R", "fr": "K", "es": "K", "fi": "N", "is": "N", "lt": "B"}),
        ("B", {"en": "B", "pt": "B", "hu": "R", "lt": "R"}),
        ("N", {"en": "N", "ro": "B"}),
        ("K", {"de": "K", "tr": "R", "eo": "B", "id": "N"}),
        ("S", {"de": "N", "pl": "N", "cs": "B"}),
        ("H", {"hu": "N", "pl": "Q", "is": "R"}),
        ("P", {"nl": "N"}),
    ],
)
def test_false_friends_mean_different_men(letter: str, man_by_alphabet: dict[str, str]) -> None:
    for name, man in man_by_alphabet.items():
        assert ALPHABETS[name].letters[letter] == tables.PIECE_TYPES[man], name


# --- laws of the alphabets --------------------------------------------------------------------------------------------


def test_every_alphabet_has_a_letter_for_each_man() -> None:
    for alphabet in tables.alphabets():
        assert sorted(alphabet.primary) == [2, 3, 4, 5, 6], alphabet.name
        assert set(alphabet.primary.values()) <= set(alphabet.letters), alphabet.name


def test_alphabets_come_first_choice_first_and_english_leads() -> None:
    assert [a.priority for a in tables.alphabets()] == sorted({a.priority for a in tables.alphabets()})
    assert [a.name for a in tables.alphabets()][:3] == ["en", "ru", "de"]
    assert ALPHABETS["ja"].priority > ALPHABETS["en"].priority + 100


def test_of_alphabets_with_equal_letters_the_historical_one_comes_last() -> None:
    for modern, old in (("en", "en-old"), ("de", "de-old"), ("fr", "fr-old"), ("ru", "ky"), ("sr-Cyrl", "mk"), ("de", "sr-Latn")):
        assert ALPHABETS[modern].priority < ALPHABETS[old].priority


def test_union_tables_and_impossible_ones_are_never_inferred() -> None:
    assert {a.name for a in tables.alphabets() if a.infer == "never"} == {"lenient-pgx", "ru-informal"}


def test_no_pawn_letter_is_read_where_p_is_the_knight() -> None:
    assert ALPHABETS["nl"].pawn_letters == ALPHABETS["lb"].pawn_letters == ()
    assert ALPHABETS["en"].pawn_letters == ("P", "p")


def test_native_files_are_eight_and_in_order() -> None:
    native = {a.name: "".join(a.files.values()) for a in tables.alphabets() if a.files}
    assert native == {"el": "abcdefgh", "he": "abcdefgh", "ar": "abcdefgh"}


def test_languages_are_well_formed_bcp_47_tags_or_figurine() -> None:
    for alphabet in tables.alphabets():
        language, *rest = alphabet.bcp47.split("-")
        assert language == "figurine" or (2 <= len(language) <= 3 and language.islower()), alphabet.bcp47
        for part in rest:
            assert (len(part) == 4 and part.istitle()) or (len(part) >= 5 and part.islower()), alphabet.bcp47


# --- signs ------------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("case", cases("signs"), ids=lambda case: case["sign"])
def test_a_sign_has_its_nag_and_names_a_side_only_if_it_does(case: dict[str, str]) -> None:
    symbol = tables.symbols()[case["sign"]]
    assert (str(symbol.nag), symbol.side or "") == (case["nag"], case["side"])


def test_signs_come_longest_first() -> None:
    lengths = [len(sign) for sign in tables.symbols()]
    assert lengths == sorted(lengths, reverse=True)


def test_letters_that_are_men_elsewhere_are_signs_only_after_a_move() -> None:
    placed = {sign: symbol.placement for sign, symbol in tables.symbols().items() if sign.isalpha() and sign.isupper()}
    placed.pop("Δ")
    assert placed == {"TN": "suffix", "N": "suffix", "D": "suffix", "O": "never", "Х": "never", "RR": "alone", "ZZ": "alone"}


@pytest.mark.parametrize("case", cases("nag_favours"), ids=lambda case: case["nag"])
def test_a_nag_favours_whom_it_speaks_well_of(case: dict[str, str]) -> None:
    assert (tables.nags()[int(case["nag"])].favours or "") == case["favours"]


def test_white_and_black_nags_are_mirror_images() -> None:
    mirror = {"w": "b", "b": "w", None: None}
    pairs = [(a, b) for a, b in zip(tables.nags()[14:140:2], tables.nags()[15:140:2], strict=True)]
    assert [b.favours for _, b in pairs] == [mirror[a.favours] for a, _ in pairs]
    assert [b.meaning for _, b in pairs] == [a.meaning.replace("White", "Black") for a, _ in pairs]


def test_there_are_256_nags_and_signs_know_them() -> None:
    assert [n.nag for n in tables.nags()] == list(range(256))
    for symbol in tables.symbols().values():
        assert symbol.kind == tables.nags()[symbol.nag].kind
        assert symbol.side in (None, tables.nags()[symbol.nag].side)


# --- results, words, look-alikes, codes -------------------------------------------------------------------------------


@pytest.mark.parametrize("case", cases("result_texts"), ids=lambda case: case["text"])
def test_a_result_in_words_names_the_right_winner(case: dict[str, str]) -> None:
    found = {(r.canonical, r.type) for r in tables.results() if r.text == case["text"]}
    assert found == {(case["canonical"], case["type"])}


def test_who_resigns_or_oversteps_loses() -> None:
    white = (
        "white",
        "бел",
        "біл",
        "weiß",
        "blanc",
        "beli ",
        "bijeli",
        "bianco",
        "wit ",
        "vit ",
        "hvid",
        "biał",
        "bílý",
        "világos",
    )
    for result in tables.results():
        if result.type in ("resignation", "time", "forfeit") and result.text.startswith(white) and "won" not in result.text:
            assert result.canonical == "0-1", result.text


def test_signs_of_decisive_advantage_are_results_only_in_tags() -> None:
    assert {r.text: r.place for r in tables.results() if r.text in ("+-", "-+", "+/-", "-/+", "=", "0-0")} == {
        "+-": "tag",
        "-+": "tag",
        "+/-": "tag",
        "-/+": "tag",
        "=": "last",
        "0-0": "no_moves",
    }


def test_result_texts_are_folded_so_that_a_folded_text_finds_them() -> None:
    for result in tables.results():
        assert result.lang == "*" or result.text == result.text.lower()
        assert not set(result.text) & set("–—−‐‑")


@pytest.mark.parametrize(
    ("kind", "texts"),
    [
        ("check", {"ch", "шах", "Schach", "ш."}),
        ("double_check", {"dbl ch", "дв. ш."}),
        ("discovered_check", {"dis ch"}),
        ("mate", {"mate", "мат", "matt", "mat"}),
        ("en_passant", {"e.p.", "ep", "п.п.", "на проходе", "i.V.", "a.p.", "е.р."}),
        ("null_move", {"--", "Z0", "@@@@", "0000", "null", "<>", "pass"}),
        ("draw_offer", {"(=)"}),
    ],
)
def test_words_beside_moves_are_known(kind: str, texts: set[str]) -> None:
    assert texts <= {w.text for w in tables.words(kind)}


@pytest.mark.parametrize(
    ("char", "context", "target"),
    [
        ("с", "file", "c"),
        ("а", "file", "a"),
        ("ç", "file", "c"),
        ("х", "capture", "x"),
        ("×", "capture", "x"),
        ("×", "mate", "#"),
        ("†", "check", "+"),
        ("‡", "mate", "#"),
        ("О", "castle", "O"),
        ("0", "castle", "O"),
        ("—", "dash", "-"),
        ("К", "piece", "K"),
        ("K", "piece", "К"),
        ("\ufe0f", "figurine", ""),
    ],
)
def test_a_look_alike_stands_for_its_twin(char: str, context: str, target: str) -> None:
    assert target in {h.target for h in tables.homoglyphs(context) if h.char == char}


def test_native_letters_are_no_look_alikes() -> None:
    """One fact, one home: native files and men stand in piece_letters.csv."""
    natives = {letter for a in tables.alphabets() for letter in a.files}
    assert not natives & {h.char for h in tables.homoglyphs("file") if h.kind == "lookalike"} - {"α", "ε"}


ACCEPTANCE_CODES = [
    "illegal_move",
    "ambiguous_san",
    "ambiguous_dialect",
    "illegal_start_position",
    "no_start_position",
    "unterminated_comment",
    "unterminated_variation",
    "mismatched_delimiter",
    "moves_after_result",
    "illegal_null_move",
    "variant_unsupported",
    "unknown_token",
    "variation_illegal",
    "result_contradicts_board",
    "bad_result_tag",
    "result_from_movetext",
    "unescaped_quote",
    "duplicate_tag",
    "tag_case",
    "unterminated_tag",
    "encoding_mixed",
    "homoglyph",
    "null_move",
    "false_check_mark",
    "false_capture_mark",
    "move_number_mismatch",
    "nag_out_of_range",
]


@pytest.mark.parametrize("code", ACCEPTANCE_CODES)
def test_codes_that_others_rely_on_exist(code: str) -> None:
    assert tables.issue_codes()[code].meaning


def test_every_code_of_the_table_stands_in_the_program() -> None:
    """Whole string literals only: a code that is put together nobody finds."""
    literals: set[str] = set()
    for path in FOLDER.parent.rglob("*.py"):
        nodes = ast.walk(ast.parse(path.read_text("utf-8")))
        literals |= {node.value for node in nodes if isinstance(node, ast.Constant) and isinstance(node.value, str)}
    for path in (Path(__file__).parents[1] / "sql").rglob("*.sql"):
        literals |= set(re.findall(r"'([^'\n]*)'", path.read_text("utf-8")))
    assert tables.issue_codes().keys() - literals == set()


def test_what_stops_a_game_is_a_fault_and_what_is_understood_a_quirk() -> None:
    faults = {c.code for c in tables.issue_codes().values() if c.severity == "fault"}
    assert {"illegal_move", "ambiguous_san", "ambiguous_dialect", "unterminated_comment", "worker_killed"} <= faults
    assert not faults & {"homoglyph", "tag_case", "false_check_mark", "null_move", "unknown_token", "no_result", "pawn_letter"}


# --- the loader -------------------------------------------------------------------------------------------------------

DECLARED = tables._Declaration(("a", "b", "source"), ("a",), ("a",), True, {"b": frozenset(("x", "y"))})


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("a,c,source\n", "tables/t.csv:1: the header is a,c,source"),
        ("a,b,source\n1,x,book\n2,x\n", "tables/t.csv:3: 2 cells under 3 headings"),
        ("a,b,source\n1,x,\n", "tables/t.csv:2: the row has no source"),
        ("a,b,source\n1,x,nowhere\n", "tables/t.csv:2: source nowhere is not in tables/sources.csv"),
        ("a,b,source\n,x,book\n", "tables/t.csv:2: the key a is empty"),
        ("a,b,source\n1,x,book\n1,y,book\n", "tables/t.csv:3: 1 stands already in line 2"),
        ("a,b,source\n2,x,book\n1,y,book\n", "tables/t.csv:3: the row belongs further up"),
        ("a,b,source\n1,z,book\n", "tables/t.csv:2: b is `z`, expected one of x, y"),
        ("a,b,source\n1\u200b,x,book\n", "tables/t.csv:2: a holds U+200B"),
        ("a,b,source\n1\u202e,x,book\n", "tables/t.csv:2: a holds U+202E"),
        ("a,b,source\ne\u0301,x,book\n", "tables/t.csv:2: `e\u0301` in a is not in Unicode form NFC"),
        ("a,b,source\n 1,x,book\n", "tables/t.csv:2: ` 1` in a begins or ends with a blank"),
    ],
)
def test_a_broken_row_is_named_by_file_and_line(text: str, message: str) -> None:
    with pytest.raises(tables.TableError) as error:
        tables.check("t", text, DECLARED, frozenset(("book",)))
    assert str(error.value).startswith(message)


@pytest.mark.parametrize(
    ("cell", "value", "message"),
    [
        ("variants", "K", "`K` is not of the form a=b"),
        ("variants", "X=Y", "no man is called X"),
        ("variants", "N=K", "K means two men"),
        ("pawn", "Q", "Q means the pawn and another man"),
        ("king", "", "a man has no letter"),
    ],
)
def test_a_broken_alphabet_is_named_by_file_and_line(cell: str, value: str, message: str) -> None:
    row = {**tables.rows("piece_letters")[0], cell: value}
    with pytest.raises(tables.TableError, match=r"tables/piece_letters\.csv:7: ") as error:
        tables._alphabet(7, row)
    assert message in str(error.value)


def test_a_table_that_does_not_exist_is_a_key_error() -> None:
    with pytest.raises(KeyError, match="no_such_table"):
        tables.rows("no_such_table")


def test_every_table_is_declared_and_passes_its_checks() -> None:
    """A new table needs a row in tables.csv: header, key, order and what it is for."""
    assert tables.names() == tuple(row["name"] for row in tables.rows("tables"))
    for name in tables.names():
        assert tables.rows(name), name


def test_every_source_is_cited() -> None:
    cited = {
        key
        for t in tables.rows("tables")
        if t["cites"] == "keys"
        for row in tables.rows(t["name"])
        for key in row["source"].split()
    }
    kinds = {"book", "docs", "none", "observation", "program", "standard", "web"}
    assert cited - kinds == {s["key"] for s in tables.rows("sources")}


def test_files_are_utf8_with_line_feeds_and_without_byte_order_mark() -> None:
    for path in FOLDER.glob("*.csv"):
        data = path.read_bytes()
        assert not data.startswith(b"\xef\xbb\xbf"), path.name
        assert b"\r" not in data, path.name
        assert data.endswith(b"\n"), path.name
        assert next(csv.reader([data.decode("utf-8").splitlines()[0]])), path.name
        assert unicodedata.is_normalized("NFC", data.decode("utf-8")), path.name
