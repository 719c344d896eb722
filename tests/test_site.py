"""`notatio site`: pages that hold together, say what the lake says, ask for nothing outside, and survive hostile text."""

from __future__ import annotations

import json
import os
import re
import shutil
import subprocess
import sys
from collections import Counter
from decimal import Decimal
from pathlib import Path
from urllib.parse import unquote, urlsplit

import pytest

pytest.importorskip("altair", reason="the extra `site` is not installed")

from pipeline import catalog
from pipeline.site import Limits, SiteRefused, charts, texts, write_site
from pipeline.site.folder import MARKER, site_folder
from tests.support_cli import SAMPLE, notatio
from tests.support_site import Page, content, pages

HOSTILE = """\
[Event "<script>alert(1)</script>"]
[Site "\u202etxet\u202c \x07"]
[Date "2020.01.01"]
[Round "1"]
[White "O'Neil, <b onclick=x>\\"Al\\""]
[Black "javascript:alert(2)"]
[Result "1-0"]
[http://evil.example/ "//evil.example/x.js"]

1. e4 {</p><img src=x onerror=alert(3)> & &amp; %} e5 (1... c5 {in a <i>variation</i>} (1... d5 2. exd5 Qxd5) 2. Nf3)
2. Nf3 $1 $16 Nc6 3. Bb5 a6 1-0

[Event "<script>alert(1)</script>"]
[Date "2020.01.02"]
[Round "2"]
[White "javascript:alert(2)"]
[Black "O'Neil, <b onclick=x>\\"Al\\""]
[Result "1/2-1/2"]

1. d4 d5 {LONG} 2. c4 1/2-1/2

[Event "<script>alert(1)</script>"]
[Date "2020.01.03"]
[Round "3"]
[White "O'Neil, <b onclick=x>\\"Al\\""]
[Black "javascript:alert(2)"]
[Result "0-1"]

1. e4 e5 2. Nf3 Nc6 3. Bb6 </pre><script>alert(4)</script> 0-1
"""
LONG = "x" * 1_000_000
CUP = "\n".join(
    f'[Event "Cup of Four"]\n[Date "2019.05.0{round_}"]\n[Round "{round_}"]\n[White "{white}"]\n[Black "{black}"]\n'
    f'[Result "{result}"]\n\n1. {moves} {result}\n'
    for round_, white, black, result, moves in (
        (1, "Adams, A", "Cohn, C", "1-0", "e4 e5 2. Nf3 Nc6 3. Bb5 a6"),
        (1, "Dahl, D", "Berg, B", "0-1", "d4 d5 2. c4 e6 3. Nc3 Nf6"),
        (2, "Adams, A", "Berg, B", "1/2-1/2", "c4 e5 2. g3 Nf6 3. Bg2 d5"),
        (2, "Cohn, C", "Dahl, D", "0-1", "Nf3 d5 2. g3 c5 3. Bg2 Nc6"),
        (3, "Dahl, D", "Adams, A", "1-0", "e4 c5 2. Nf3 d6 3. d4 cxd4"),
        (3, "Berg, B", "Cohn, C", "0-1", "f4 d5 2. Nf3 g6 3. e3 Bg7"),
    )
)
"""Berg and Adams have equal points; Berg is ahead by Sonneborn-Berger."""


@pytest.fixture(scope="module")
def sources(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The sample beside games that attack the page; one is replaced and one removed after it was read."""
    folder = tmp_path_factory.mktemp("sources")
    shutil.copytree(SAMPLE, folder / "sample")
    (folder / "hostile.pgn").write_text(HOSTILE.replace("LONG", LONG), "utf-8")
    (folder / "cup.pgn").write_text(CUP, "utf-8")
    (folder / "changed.pgn").write_text('[White "Changed"]\n\n1. g3 g6 2. Bg2 *\n', "utf-8")
    (folder / "gone.pgn").write_text('[White "Gone"]\n\n1. b3 b6 2. Bb2 *\n', "utf-8")
    return folder


@pytest.fixture(scope="module")
def lake(sources: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    place = tmp_path_factory.mktemp("site") / "lake"
    assert notatio("ingest", sources, "--lake", place, "--workers", 1).code == 0
    (sources / "changed.pgn").write_text('[White "Changed"]\n\n1. h3 g6 2. Bg2 *\n', "utf-8")
    (sources / "gone.pgn").unlink()
    return place


@pytest.fixture(scope="module")
def site(lake: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    out = tmp_path_factory.mktemp("pages") / "site"
    done = notatio("site", out, "--lake", lake)
    assert done.code == 0, done.err
    assert done.out == f"{out / 'index.html'}\n"
    return out


@pytest.fixture(scope="module")
def all_pages(site: Path) -> dict[str, Page]:
    return pages(site)


def asked(lake: Path, query: str) -> list[dict[str, str]]:
    done = notatio("sql", query, "--lake", lake, "--format", "json")
    assert done.code == 0, done.err
    found: list[dict[str, str]] = json.loads(done.out)
    return found


def game_page(lake: Path, all_pages: dict[str, Page], test: str) -> Page:
    """The page of the first game that a test of SQL fits."""
    (row,) = asked(
        lake, f"select game_id from games join sources using (source_id) where {test} order by path, byte_start limit 1"
    )
    return all_pages[f"games/{row['game_id']}.html"]


# Laws of all pages


def test_every_link_leads_to_a_file_of_the_site_and_every_fragment_to_an_element(site: Path, all_pages: dict[str, Page]) -> None:
    broken = []
    for path, page in all_pages.items():
        for link in page.links():
            parts = urlsplit(link)
            if link == "data:,":  # no icon
                continue
            place = (site / path).parent / unquote(parts.path) if parts.path else site / path
            relative = os.path.relpath(place, site)
            target = all_pages.get(relative)
            is_inside = not parts.scheme and not parts.netloc and not relative.startswith("..") and place.is_file()
            has_fragment = not parts.fragment or target is None or parts.fragment in target.values("id")
            broken += [] if is_inside and has_fragment else [(path, link)]
    assert broken == []


def test_nothing_is_asked_of_an_outside_address(site: Path) -> None:
    for name, data in content(site).items():
        if name.endswith((".css", ".js")):
            outside = re.findall(rb"(?:https?:)?//[\w.-]+\.\w+[^\s\"']*|url\(|@import|fetch\(|XMLHttpRequest|import\(", data)
            assert [found for found in outside if found != b"http://www.w3.org/2000/svg"] == []


def test_only_the_sites_own_program_runs(all_pages: dict[str, Page]) -> None:
    for path, page in all_pages.items():
        root = "../" * path.count("/")
        assert page.all("script") == [{"src": f"{root}site.js", "defer": None}]
        assert page.source.count("<script") == 1
        assert [name for _, attributes in page.elements for name in attributes if name.startswith("on") or name == "style"] == []
        assert not [link for link in page.links() if link.lower().startswith("javascript:")]


def test_every_page_has_a_language_a_title_one_heading_and_one_main_part(all_pages: dict[str, Page]) -> None:
    for page in all_pages.values():
        assert page.all("html") == [{"lang": "en"}]
        assert page.source.partition("</head>")[0].count("<title>") == 1
        assert [len(page.all(tag)) for tag in ("h1", "main")] == [1, 1]
        assert {"name": "viewport", "content": "width=device-width, initial-scale=1"} in page.all("meta")


def test_ids_are_unique_in_a_page(all_pages: dict[str, Page]) -> None:
    for page in all_pages.values():
        assert [key for key, n in Counter(page.values("id")).items() if n > 1] == []


def test_pictures_say_what_they_show(all_pages: dict[str, Page]) -> None:
    shown = [svg for page in all_pages.values() for svg in page.all("svg") if svg.get("aria-hidden") != "true"]
    assert len(shown) > 80
    assert [svg for svg in shown if svg.get("role") != "img" or not svg.get("aria-label")] == []


def test_no_page_holds_what_html_forbids_or_what_turns_text_around(all_pages: dict[str, Page]) -> None:
    for page in all_pages.values():
        assert re.findall("[\x00-\x08\x0b\x0c\x0e-\x1f\x7f-\x9f\u200e\u200f\u202a-\u202e\u2066-\u2069\ufeff]", page.source) == []


def test_every_page_is_reached_from_the_start(all_pages: dict[str, Page]) -> None:
    seen, todo = set(), ["index.html"]
    while todo:
        path = todo.pop()
        if path not in seen:
            seen.add(path)
            links = [link.partition("#")[0] for link in all_pages[path].links() if link.partition("#")[0].endswith(".html")]
            todo += [os.path.normpath(os.path.join(os.path.dirname(path), link)) for link in links]
    assert set(all_pages) - seen == set()


# What the pages say


def test_the_start_page_says_how_healthy_the_corpus_is(lake: Path, all_pages: dict[str, Page]) -> None:
    words = all_pages["index.html"].words()
    for row in asked(lake, "from corpus_health"):
        assert row["measure"] in words
        assert f"{row['n']:,}" in words


def test_a_match_is_drawn_with_a_point_for_each_game_that_leads_to_it(lake: Path, all_pages: dict[str, Page]) -> None:
    (event,) = asked(lake, "select event_id from events where event = 'World Championship Match' and n_games = 21")
    page = all_pages[f"events/{event['event_id']}.html"]
    (chart,) = [svg for svg in page.all("svg") if svg.get("class") == "chart wide"]
    assert chart["aria-label"] == "Running score: Fischer, Robert – Spassky, Boris 12½:8½"
    tips = re.findall(r"<title>(Game [^<]*)</title>", page.source)
    assert tips[:2] + tips[-1:] == ["Game 1: 0, 0:1", "Game 2: -, 0:2", "Game 21: 1, 12½:8½"]
    in_chart = page.source.partition('class="chart wide"')[2].partition("</svg>")[0]
    assert len(re.findall(r'<a href="\.\./games/[0-9a-f]{32}\.html"', in_chart)) == 21


def test_a_crosstable_is_drawn_with_its_players_by_points(lake: Path, all_pages: dict[str, Page]) -> None:
    (event,) = asked(lake, "select event_id from events where event = 'World Championship Match' and n_games = 21")
    words = all_pages[f"events/{event['event_id']}.html"].words()
    assert re.search(
        r"Crosstable \(match, classical[^)]*\) player 1 2 3 .* 21 points Fischer, Robert 0 - 1 ½ .* 12½ Spassky", words
    )


def test_final_table_and_crosstable_have_one_order_and_charts_of_pairs_come_last(lake: Path, all_pages: dict[str, Page]) -> None:
    (event,) = asked(lake, "select event_id from events where event = 'Cup of Four'")
    page = all_pages[f"events/{event['event_id']}.html"]
    words = page.words()
    final, _, rest = words.partition("Final table (")[2].partition("Crosstable (")
    crosstable = rest.partition("Games, copies counted once")[0]
    for shown in (final, crosstable):
        assert re.findall(r"(\d) (Adams|Berg|Cohn|Dahl), ", shown) == [
            ("1", "Dahl"),
            ("2", "Berg"),
            ("3", "Adams"),
            ("4", "Cohn"),
        ]
    assert "Results as they stand, by no regulations (rules: none)." in final
    assert "<svg" not in page.source.partition("<details>")[0]


def test_the_page_of_a_person_has_results_spellings_and_games(lake: Path, all_pages: dict[str, Page]) -> None:
    (player,) = asked(lake, "select player_id from players where name = 'Fischer, Robert'")
    page = all_pages[f"players/{player['player_id']}.html"]
    assert "Spassky, Boris 12½:8½ +7−3=11 21" in page.words()
    assert "Фишер, Роберт" in page.words()
    assert "1972" in page.words()


def test_a_game_shows_its_last_position_and_each_move_with_the_position_after_it(lake: Path, all_pages: dict[str, Page]) -> None:
    page = game_page(lake, all_pages, "event = 'World Championship Match' and round = '6' and games.n_plies = 81")
    moves = {attributes["id"]: attributes for attributes in page.all("a") if attributes.get("class") == "move"}
    assert moves["m0-1"]["data-place"] == "rnbqkbnr/pppppppp/8/8/2P5/8/PP1PPPPP/RNBQKBNR"
    assert moves["m0-81"]["data-place"] == "4q2k/2r1r3/4PR1p/p1p5/P1Bp1Q1P/1P6/6P1/6K1"
    assert moves["m0-81"]["data-squares"] == "e4f4"
    assert len([name for name in page.values("href") if name.startswith("#white-")]) == 9
    assert "The position after 41. Qf4" in page.words()


def test_variations_show_the_positions_that_they_lead_to(lake: Path, all_pages: dict[str, Page]) -> None:
    page = game_page(lake, all_pages, "path like '%hostile.pgn'")
    places = {attributes["id"]: attributes["data-place"] for attributes in page.all("a") if attributes.get("class") == "move"}
    assert places["m1-2"] == "rnbqkbnr/pp1ppppp/8/2p5/4P3/8/PPPP1PPP/RNBQKBNR"
    assert places["m2-4"] == "rnb1kbnr/ppp1pppp/8/3q4/8/8/PPPP1PPP/RNBQKBNR"
    assert places["m1-3"] == "rnbqkbnr/pp1ppppp/8/2p5/4P3/5N2/PPPP1PPP/RNBQKB1R"


@pytest.mark.parametrize(
    ("test", "said"),
    [
        ("path like '%match-1972-club.zip!%'", "[Event"),  # in a container
        ("sources.encoding = 'cp866'", "Фишер"),
        ("path like '%faults.pgn' and status = 'truncated'", "1. e4"),  # kept in quarantine
        ("path like '%changed.pgn'", "changed.pgn has changed since it was read."),
        ("path like '%gone.pgn'", "gone.pgn is not there any more."),
    ],
)
def test_a_game_stands_beside_its_source_text_or_the_page_says_why_not(
    test: str, said: str, lake: Path, all_pages: dict[str, Page]
) -> None:
    shown = game_page(lake, all_pages, test).words().partition("As it stands in the source")[2]
    assert said in shown.partition("How it was read")[0]


def test_other_readings_are_listed_with_the_first_difference(lake: Path, all_pages: dict[str, Page]) -> None:
    page = game_page(lake, all_pages, "path like '%faults.pgn' and status = 'truncated' and movetext like '% c3 O-O'")
    readings = page.words().partition("Variant readings")[2]
    assert re.search(r"newspaper-1972\.txt \d+ clean 111 9\. h3 –", readings)
    assert "match-1972.pgn" not in readings  # the same moves, of other players


def test_quarantine_shows_each_place_with_its_reason_and_raw_text(lake: Path, all_pages: dict[str, Page]) -> None:
    words = all_pages["quarantine.html"].words()
    for row in asked(lake, "select reason_code from quarantine"):
        assert row["reason_code"] in words
    assert "3. Bb6 </pre><script>alert(4)</script> 0-1" in words


def test_every_report_of_the_catalog_has_its_table(all_pages: dict[str, Page]) -> None:
    for report in catalog.reports():
        needs = [p for p in report.parameters if p.default is None]
        assert (f"reports/{report.name}.html" in all_pages) == (not needs)
        assert report.name in all_pages["reports/index.html"].words()


def test_outcomes_are_drawn_with_their_intervals(all_pages: dict[str, Page]) -> None:
    page = all_pages["outcomes.html"]
    (chart,) = [svg for svg in page.all("svg") if svg.get("class") == "chart wide"]
    assert chart["aria-label"] == "Score of the side that a sign favours, with 95 % intervals"
    assert re.search(r"<title>\$1 good move !: the mover scored [\d.]+ % \([\d.]+ to [\d.]+\), n = \d+", page.source)


def test_a_chart_carries_tooltips_and_links_and_none_of_vegas_own_marks() -> None:
    games = [
        {"number": 1, "lead": -1.0, "tip": "Game 1: <b>\x00", "href": "../games/1.html"},
        {"number": 2, "lead": 0.5, "tip": "Game 2: <b>\x00", "href": "../games/2.html"},
    ]
    drawn = str(charts.running_score(games, '<i>"A"', 'A & "B"'))
    assert drawn.startswith("<svg ")
    assert 'aria-label="A &amp; &quot;B&quot;"' in drawn
    assert re.findall("<title>([^<]*)</title>", drawn) == 2 * ["Game 1: &lt;b&gt;\ufffd", "Game 2: &lt;b&gt;\ufffd"]
    assert re.findall('href="([^"]*)"', drawn) == 2 * ["../games/1.html", "../games/2.html"]
    assert "&lt;i&gt;" in drawn
    assert set(re.findall(r"#[0-9a-f]{3,6}", drawn)) <= {charts.INK, charts.GRID, charts.FIRST, charts.SECOND}
    assert "vega" not in drawn
    assert "class=" not in re.sub('class="chart (wide|narrow)"', "", drawn)


def test_intervals_and_columns_are_drawn_to_their_values() -> None:
    drawn = str(charts.intervals([{"label": "a", "value": 50.0, "low": 25.0, "high": 75.0, "tip": "half"}], "per cent", "t"))
    assert drawn.count("<title>half</title>") == 2 * 2  # the span and its point, wide and narrow
    one_year = str(charts.columns([{"year": 1972, "value": 20, "tip": "1972: 20 games"}], "Year", "Games", "t"))
    assert "<title>1972: 20 games</title>" in one_year


@pytest.mark.parametrize(
    ("low", "high", "most", "shown"),
    [
        (0, 5, 8, [0, 1, 2, 3, 4, 5]),
        (-1.5, 0.5, 8, [-2, -1, 0, 1]),
        (0, 48, 9, [0, 10, 20, 30, 40, 50]),
        (0, 0, 8, [0]),
        (1972, 2021, 6, [1970, 1980, 1990, 2000, 2010, 2020, 2030]),
    ],
)
def test_ticks_are_whole_numbers_around_all_values(low: float, high: float, most: int, shown: list[int]) -> None:
    assert charts.ticks(low, high, most) == shown


def test_a_running_score_begins_at_nought_before_the_first_game() -> None:
    games = [{"number": 1, "lead": 1.0, "tip": "", "href": None}, {"number": 2, "lead": 1.5, "tip": "", "href": None}]
    wide = str(charts.running_score(games, "A", "t")).partition("</svg>")[0]
    assert re.findall(r">(\d)</text>", wide) == ["0", "1", "2", "0", "1", "2"]  # games, then leads
    line = re.search(r'd="M[\d.]+,([\d.]+)L[\d.]+,([\d.]+)L[\d.]+,([\d.]+)"', wide)
    assert line is not None
    low, one, two = (float(y) for y in line.groups())
    assert low - two == 1.5 * (low - one) > 0


@pytest.mark.parametrize(
    ("comment", "shown"),
    [
        ("joined\nlines\r\nof  text", ["joined lines of text"]),
        ("one\n \n\ntwo", ["one", "two"]),
        ("\n\n", []),
        ("better 12. Nf3 held", ['better <span class="together">12. Nf3</span> held']),
        ("well-known 1/2-1/2", ['well-known <span class="together">1/2-1/2</span>']),
        ("after O-O", ['after <span class="together">O-O</span>']),
        ("12. <b>", ['<span class="together">12. &lt;b&gt;</span>']),
    ],
)
def test_a_comment_is_running_text_in_paragraphs(comment: str, shown: list[str]) -> None:
    assert texts.paragraphs(comment) == shown


def test_a_game_names_its_annotator_once_and_keeps_numbers_with_their_moves(lake: Path, all_pages: dict[str, Page]) -> None:
    page = game_page(lake, all_pages, "annotator is not null and year = 1851")
    assert page.source.count("<dt>Annotator</dt>") == 1
    first = page.source.partition('<span class="ply">')[2].partition("</a>")[0]
    assert re.sub("<[^>]*>", "", first) == "1. e4"


def test_events_are_listed_by_year_and_headings_are_words(all_pages: dict[str, Page]) -> None:
    years = re.findall(r'<td class="n" data-n="(\d{4})">', all_pages["events/index.html"].source)
    assert len(years) > 3
    assert years == sorted(years)
    headings = {heading for page in all_pages.values() for heading in re.findall(r"<th [^>]*>([^<]*)</th>", page.source)}
    assert {heading for heading in headings if re.search(r"_|\bpct\b|^n .", heading)} == set()


def test_games_without_a_notation_are_said_to_be_unread(all_pages: dict[str, Page]) -> None:
    assert "none read none read" in all_pages["index.html"].words().partition("How the games are written")[2]


def test_wide_crosstables_keep_names_and_points(tmp_path: Path) -> None:
    head = '[Event "Long Match"]\n[Date "2001.01.01"]\n[White "Abel, A"]\n[Black "Bell, B"]\n[Result "1-0"]\n'
    files = "abcdefgh"
    lines = ((files[i % 8], files[i // 8 % 8], "cf"[i // 64]) for i in range(1, 121))
    games = (
        f'{head}[Round "{i}"]\n\n1. {white}3 {black}6 2. {white}4 {black}5 3. N{knight}3 1-0\n'
        for i, (white, black, knight) in enumerate(lines, 1)
    )
    (tmp_path / "long.pgn").write_text("\n".join(games), "utf-8")
    assert notatio("ingest", tmp_path / "long.pgn", "--lake", tmp_path / "lake", "--workers", 1).code == 0
    assert notatio("site", tmp_path / "out", "--lake", tmp_path / "lake").code == 0
    (words,) = (page.words() for path, page in pages(tmp_path / "out").items() if re.match("events/[0-9a-f]", path))
    assert re.search(r"Too wide for a page\. All: notatio report crosstable \S+ \S+ player points Abel, A \d+ Bell, B", words)


# Hostile text


def test_hostile_text_is_shown_as_it_stands(lake: Path, all_pages: dict[str, Page]) -> None:
    page = game_page(lake, all_pages, "path like '%hostile.pgn'")
    for said in ('O\'Neil, <b onclick=x>"Al"', "<script>alert(1)</script>", "</p><img src=x onerror=alert(3)> & &amp; %"):
        assert said in page.words()
    assert "\ufffdtxet\ufffd" in page.words()
    assert page.all("img") == page.all("b") == page.all("i") == []


def test_an_endless_comment_is_cut_and_counted(lake: Path, all_pages: dict[str, Page]) -> None:
    page = game_page(lake, all_pages, "path like '%hostile.pgn' and round = '2'")
    assert "x… (1,000,000 characters in all)" in page.words()
    assert len(page.source) < 200_000


@pytest.mark.parametrize(
    ("text", "hint", "language"),
    [
        ("Ладья здесь только мешает.", "ru", "ru"),
        ("Тура тут заважає", "uk", "uk"),
        ("Фишер, Роберт", None, "und-Cyrl"),
        ("Фишер, Роберт", "de", "und-Cyrl"),
        ("Σκακιστική", None, "und-Grek"),
        ("שחמט", "en", "und-Hebr"),
        ("Der Turm stört nur", "de", "de"),
        ("a plain remark", "en", None),
        ("a plain remark", "ru", None),
        ("1-0 ±", "ru", None),
    ],
)
def test_text_carries_its_language_where_it_is_not_the_pages(text: str, hint: str | None, language: str | None) -> None:
    assert texts.language_of(text, hint) == language


@pytest.mark.parametrize(
    ("value", "shown"),
    [
        ("0.0", "0"),
        ("0.5", "½"),
        ("8.5", "8½"),
        ("-1.5", "−1½"),
        ("-2.0", "−2"),
        ("1234.0", "1,234"),
        ("2.25", "2.25"),
    ],
)
def test_points_are_printed_with_halves(value: str, shown: str) -> None:
    assert texts.points(Decimal(value)) == shown


# The folder


def test_the_same_lake_gives_the_same_bytes_and_replaces_the_older_site(site: Path, lake: Path, tmp_path: Path) -> None:
    again = tmp_path / "site"
    again.mkdir()
    for _ in range(2):  # into an empty folder, then in place of a site
        assert notatio("site", again, "--lake", lake).code == 0
        assert content(again) == content(site)
    assert [path.name for path in tmp_path.iterdir()] == ["site"]


def test_the_marker_names_every_file(site: Path) -> None:
    assert set(json.loads((site / MARKER).read_text("utf-8"))["files"]) == set(content(site))


def foreign_folder(out: Path) -> str:
    out.mkdir()
    (out / "thesis.txt").write_text("mine")
    return "no site of ours"


def foreign_file_in_a_site(out: Path) -> str:
    out.mkdir()
    (out / MARKER).write_text(json.dumps({"made_by": "notatio site", "files": [MARKER]}))
    (out / "games").mkdir()
    (out / "games" / "notes.txt").write_text("mine")
    return "'games/notes.txt', which was not written with the site"


def plain_file(out: Path) -> str:
    out.write_text("mine")
    return "is no folder"


@pytest.mark.parametrize("make", [foreign_folder, foreign_file_in_a_site, plain_file])
def test_what_is_no_site_is_never_replaced(make: object, lake: Path, tmp_path: Path) -> None:
    out = tmp_path / "out"
    said = make(out)  # type: ignore[operator]
    before = content(tmp_path)
    done = notatio("site", out, "--lake", lake)
    assert (done.code, content(tmp_path)) == (2, before)
    assert said in done.err


def test_a_site_does_not_go_into_its_lake(lake: Path) -> None:
    assert notatio("site", lake / "pages", "--lake", lake).code == 2
    assert not (lake / "pages").exists()


def test_work_that_fails_leaves_the_older_site_and_nothing_else(site: Path, lake: Path, tmp_path: Path) -> None:
    broken = tmp_path / "lake"
    shutil.copytree(lake, broken)
    for file in (broken / "data").glob("plies-*.parquet"):
        file.unlink()
    out = tmp_path / "out"
    shutil.copytree(site, out)
    before = content(out)
    assert notatio("site", out, "--lake", broken).code == 75
    assert content(out) == before
    assert sorted(path.name for path in tmp_path.iterdir()) == ["lake", "out"]


# Small and large lakes


def test_a_lake_without_games_has_a_site(tmp_path: Path) -> None:
    (tmp_path / "note.txt").write_text("No chess here.\n", "utf-8")
    assert notatio("ingest", tmp_path / "note.txt", "--lake", tmp_path / "lake", "--workers", 1).code == 0
    assert notatio("site", tmp_path / "out", "--lake", tmp_path / "lake").code == 0
    words = {path: page.words() for path, page in pages(tmp_path / "out").items()}
    assert "games 0" in words["index.html"]
    assert "Nothing is in quarantine." in words["quarantine.html"]


def test_limits_are_kept_and_said(lake: Path, tmp_path: Path) -> None:
    with catalog_of(lake) as connection:
        written = write_site(connection, tmp_path / "out", Limits(games=3, players=2, events=1, rows=4))
    found = pages(tmp_path / "out")
    n_all = asked(lake, "select count(*) as n from games")[0]["n"]
    assert (written.n_games, written.n_games_left_out) == (3, n_all - 3)
    assert len([path for path in found if re.match(r"games/[0-9a-f]{32}", path)]) == 3
    assert f"3 of {n_all} games have a page" in found["games/index.html"].words()
    assert "The 2 persons with most games, of " in found["players/index.html"].words()
    assert "1 of " in found["events/index.html"].words()
    assert "The first 4 of " in found["reports/annotation_symbols.html"].words()
    for page in found.values():  # what has no page is named without a link
        assert [link for link in page.links() if link.startswith("../games/") and not (page.path.parent / link).is_file()] == []


def catalog_of(lake: Path):  # type: ignore[no-untyped-def]
    return catalog.connect(lake)


def test_what_killed_runs_left_is_taken_away(tmp_path: Path) -> None:
    gone = subprocess.Popen([sys.executable, "-c", ""])
    gone.wait()
    out, left, moved = tmp_path / "out", tmp_path / f".out.{gone.pid}.new", tmp_path / f".out.{gone.pid}.old"
    running, other = tmp_path / f".out.{os.getppid()}.new", tmp_path / f".output.{gone.pid}.new"
    for folder in (left, moved, running, other):
        folder.mkdir()
    (moved / MARKER).write_text(json.dumps({"made_by": "notatio site", "files": [MARKER]}))
    with pytest.raises(KeyboardInterrupt), site_folder(out):
        raise KeyboardInterrupt
    assert (out / MARKER).is_file()
    assert sorted(path.name for path in tmp_path.iterdir()) == sorted([out.name, running.name, other.name])


def test_a_refusal_names_a_folder_as_it_is_written(lake: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    foreign_folder(Path("pages"))
    assert "The folder pages is not empty" in notatio("site", "pages", "--lake", lake).err.replace(f"{tmp_path}/", "")


def test_a_refusal_says_what_to_do(lake: Path, tmp_path: Path) -> None:
    with catalog_of(lake) as connection, pytest.raises(SiteRefused, match="There is no folder") as refused:
        write_site(connection, tmp_path / "none" / "out")
    assert refused.value.remedy == "Make it first, or name another one"
