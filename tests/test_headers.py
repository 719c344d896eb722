"""Typed values of tags: what was written beside what it means."""

from __future__ import annotations

import datetime
import time
from collections.abc import Callable

import pytest
from hypothesis import given
from hypothesis import strategies as st

from pipeline import headers, tables, time_controls
from tests.support_text import one


def table(text: str) -> list[tuple[str, ...]]:
    """Lines of `a | b | …` to tuples; `·` stands for a blank at an end, `empty` for the empty string."""
    lines = [tuple(cell.strip().replace("·", " ") for cell in line.split("|")) for line in text.strip().splitlines()]
    return [("" if line[0] == "empty" else line[0], *line[1:]) for line in lines]


def known(*parts: object) -> str:
    """Parts joined by blanks, `-` for None."""
    return " ".join("-" if part is None else str(part) for part in parts)


DATES = """
²/3/1972                | 1972 3 -
????.??.??              | - - -
1983.??.??              | 1983 - -
1972.07.??              | 1972 7 -
1972.7.11               | 1972 7 11
1972.??.11              | 1972 - 11
2025-02-24              | 2025 2 24
2001/05/06              | 2001 5 6
19720711                | 1972 7 11
31.10.2000              | 2000 10 31
10/31/2000              | 2000 10 31
31/10/2000              | 2000 10 31
31-10-2000              | 2000 10 31
03.04.2001              | 2001 4 3
03/04/2001              | 2001 - -
03-04-2001              | 2001 - -
04/04/2001              | 2001 4 4
07.1972                 | 1972 7 -
Sun Jul 09 2023         | 2023 7 9
11 July 1972            | 1972 7 11
July 11, 1972           | 1972 7 11
3rd of May 1972         | 1972 5 3
July 1972               | 1972 7 -
11 июля 1972 г.         | 1972 7 11
июль 1972               | 1972 7 -
5 травня 1998           | 1998 5 5
11.VII.1972             | 1972 7 11
11-Jul-1972             | 1972 7 11
11. März 1908           | 1908 3 11
1972.07.11 20:15        | 1972 7 11
2025-02-24T10:00:00Z    | 2025 2 24
1991                    | 1991 - -
empty                   | - - -
?                       | - - -
-                       | - - -
0000.00.00              | - - -
xxxx.xx.xx              | - - -
19??.??.??              | - - -
197?                    | - - -
2021.02.30              | 2021 2 - bad
29.02.1900              | 1900 2 - bad
29.02.2000              | 2000 2 29
1972.13.05              | 1972 - - bad
1972/73                 | 1972 - - bad
11.07.72                | - - - bad
spring 1972             | 1972 - - bad
ca. 1850                | 1850 - - bad
1971 or 1972            | - - - bad
unknown                 | - - - bad
9999                    | - - - bad
"""


@pytest.mark.parametrize(("written", "expected"), table(DATES))
def test_a_date_is_known_as_far_as_it_is_written(written: str, expected: str) -> None:
    date = headers.parse_date(written)
    assert known(*date[:3], *(["bad"] if date.is_bad else [])) == expected


def test_only_a_whole_date_is_a_date() -> None:
    assert headers.parse_date("1972.07.11").whole == datetime.date(1972, 7, 11)
    assert headers.parse_date("1972.07.??").whole is None


ELOS = """
(2450)                  | 2450
(2450                   | -
2450 | 2450
·1980· | 1980
2450.0 | 2450
1850? | 1850
100 | 100
4000 | 4000
99 | -
4001 | -
0 | -
-1 | -
99999 | -
? | -
- | -
empty | -
abc | -
Elo=1850 DWZ=1900 | -
٢٤٥٠ | -
2450-1 | -
"""


@pytest.mark.parametrize(("written", "expected"), table(ELOS))
def test_a_rating_is_a_whole_number_in_range_or_unknown(written: str, expected: str) -> None:
    assert known(headers.parse_elo(written)) == expected


ROUNDS = """
1st                     | 1 -
22nd                    | 22 -
7-й тур                 | 7 -
3-я партия              | 3 -
3(2)                    | 3 2
4. Runde                | 4 -
5th round               | 5 -
1/8                     | - -
2 of 9 games            | - -
3 | 3 -
10.3 | 10 3
2.12 | 2 12
9.1 | 9 1
3.4.1 | 3 4
?.1 | - 1
05 | 5 -
(3) | 3 -
Round 3 | 3 -
R3 | 3 -
тур 5 | 5 -
·1.7· | 1 7
- | - -
? | - -
empty | - -
1/2 | - -
final | - -
9999999 | - -
"""


@pytest.mark.parametrize(("written", "expected"), table(ROUNDS))
def test_a_round_has_a_first_and_a_second_number(written: str, expected: str) -> None:
    assert known(*headers.parse_round(written)) == expected


ECO = """
B20 | B20
b20 | B20
E92a | E92
B99y | B99
A00/01 | A00
D4 | -
? | -
empty | -
A000 | -
F10 | -
999 | -
"""


@pytest.mark.parametrize(("written", "expected"), table(ECO))
def test_an_eco_code_is_a_letter_and_two_digits(written: str, expected: str) -> None:
    assert known(headers.parse_eco(written)) == expected


TIME_CONTROLS = """
? | - - -
- | - - -
empty | - - -
300 | 300 0 blitz
600 | 600 0 blitz
601 | 601 0 rapid
3599 | 3599 0 rapid
3600 | 3600 0 classical
300+3 | 300 3 blitz
600+1 | 600 1 rapid
900+10 | 900 10 rapid
1800+30 | 1800 30 classical
5400+30 | 5400 30 classical
180+0 | 180 0 blitz
179 | 179 0 bullet
120+1 | 120 1 bullet
120+2 | 120 2 blitz
60+0 | 60 0 bullet
15+0 | 15 0 bullet
0+1 | 0 1 bullet
10.931+0.109 | 11 0 bullet
*180 | 180 0 blitz
40/9000 | 9000 0 classical
40/7200:3600 | 7200 0 classical
40/7200:20/3600:900+30 | 7200 0 classical
20/600 | 600 0 rapid
1/86400 | 86400 0 correspondence
1/604800:0 | 604800 0 correspondence
90'+30" | 5400 30 classical
90'+30'' | 5400 30 classical
90m+30s | 5400 30 classical
90 min + 30 sec | 5400 30 classical
90мин+30сек | 5400 30 classical
25'+10" | 1500 10 rapid
3'+2" | 180 2 blitz
2h | 7200 0 classical
G/30 | 1800 0 rapid
G/90+30 | 5400 30 classical
90+30 | - - -
15+10 | - - -
5+3 | - - -
5 | - - -
40/120 | - - -
90 min/40 moves + 30 min | - - -
blitz | - - -
"""


@pytest.mark.parametrize(("written", "expected"), table(TIME_CONTROLS))
def test_a_time_control_gives_seconds_and_speed_or_nothing(written: str, expected: str) -> None:
    """FIDE Laws A.1 and B.1 (60 moves), PGN standard 9.6.1; a number that may be minutes gives nothing."""
    assert known(*time_controls.parse_time_control(written)) == expected


RESULTS = """
0-1 (forfeit)           | 0-1 forfeit
1-0, forfeit            | 1-0 forfeit
1-0 [walkover]          | 1-0 forfeit
1-0 time forfeit        | 1-0 time
Draw by agreement       | 1/2-1/2 agreement
1-0 (adjudicated)       | 1-0 -
+--                     | 1-0 forfeit
--+                     | 0-1 forfeit
Black won               | 0-1 -
1-0 maybe               | - -
1-0 | 1-0 -
0-1 | 0-1 -
1/2-1/2 | 1/2-1/2 -
* | * -
1–0 | 1-0 -
1—0 | 1-0 -
1:0 | 1-0 -
0:1 | 0-1 -
1 : 0 | 1-0 -
·1 - 0· | 1-0 -
½-½ | 1/2-1/2 -
½–½ | 1/2-1/2 -
½:½ | 1/2-1/2 -
0.5-0.5 | 1/2-1/2 -
0,5:0,5 | 1/2-1/2 -
1/2 | 1/2-1/2 -
½ | 1/2-1/2 -
Draw | 1/2-1/2 -
Ничья | 1/2-1/2 -
White resigns | 0-1 resignation
Чёрные сдались | 1-0 resignation
0-0 | 0-0 -
0:0 | 0-0 -
= | 1/2-1/2 -
+:- | 1-0 forfeit
+:− | 1-0 forfeit
-:+ | 0-1 forfeit
+/- | 1-0 forfeit
+- | 1-0 forfeit
-:- | 0-0 forfeit
1-0F | 1-0 forfeit
1-O | 1-0 -
1 – o | 1-0 -
1-О | 1-0 -
I-0 | 1-0 -
l-0 | 1-0 -
O-1 | 0-1 -
О-1 | 0-1 -
0-I | 0-1 -
0-l | 0-1 -
O-O | - -
O-I | - -
- | - -
– | - -
? | - -
empty | - -
N/A | - -
(null) | - -
mate | - -
abc | - -
"""


@pytest.mark.parametrize(("written", "expected"), table(RESULTS))
def test_a_result_tag_has_a_canonical_form_or_none(written: str, expected: str) -> None:
    """A lone dash is never a draw, and who was mated only the board knows (docs/rules.md §2)."""
    assert known(*headers.parse_result(written)) == expected


MOVES = "1. e4 e5 2. Nf3 Nc6 3. Bb5 a6"
PLACES = {"tag": (None, None, None), "no_moves": (None, None, "canonical"), "last": ("canonical", None, None)}
"""Place of a text in results.csv → what movetext with it says: after moves, among moves, without moves."""


@pytest.mark.parametrize("row", [row for row in tables.results() if row.place != "any"], ids=lambda row: row.text)
def test_movetext_holds_a_result_only_in_the_place_that_its_row_states(row: tables.ResultText) -> None:
    texts = (f"{MOVES} {row.text}", f"1. e4 {row.text} e5 2. Nf3", row.text)
    said = tuple(one(f'[White "A"]\n[Black "B"]\n\n{text}\n').result_movetext for text in texts)
    assert said == tuple(place and row.canonical for place in PLACES[row.place])


TERMINATIONS = """
Normal | normal
normal | normal
Time forfeit | time
Rules infraction | rules_infraction
Abandoned | abandoned
adjudication | adjudication
death | death
unterminated | unfinished
adjourned | unfinished
forfeit | forfeit
default | forfeit
неявка | forfeit
bye | bye
egor_tensin won by resignation | resignation
Anna won on time | time
Anna won by checkmate | normal
Game drawn by agreement | agreement
Game drawn by repetition | normal
Anna won - game abandoned | abandoned
mate in 4 | -
+200cp in 4 | -
empty | -
"""


@pytest.mark.parametrize(("written", "expected"), table(TERMINATIONS))
def test_a_termination_tag_names_the_ending(written: str, expected: str) -> None:
    """PGN standard 9.8.1 and what servers write; `Time forfeit` is a played game lost on time."""
    assert known(headers.parse_termination(written)) == expected


OTHERS: list[tuple[Callable[[str], object], str, object]] = [
    (headers.unplayed_words, "Both players were late; White defaulted", "forfeit"),
    (headers.unplayed_words, "Неявка белых", "forfeit"),
    (headers.unplayed_words, "Карпову засчитано поражение", "forfeit"),
    (headers.unplayed_words, "Anna has a bye", "bye"),
    (headers.unplayed_words, "goodbye", None),
    (headers.unplayed_words, "The score is lost", None),
    (headers.site_mode, "https://lichess.org/abcd1234", "online"),
    (headers.site_mode, "https://lichess.org/study/abcd1234", None),
    (headers.site_mode, "https://lichess.org/broadcast/x/y/z", None),
    (headers.site_mode, "Chess.com", "online"),
    (headers.site_mode, "chess24.com INT", "online"),
    (headers.site_mode, "Internet", "online"),
    (headers.site_mode, "Reykjavik ISL", None),
    (headers.speed_words, "FIDE World Blitz 2014", "blitz"),
    (headers.speed_words, "Rated Bullet game", "bullet"),
    (headers.speed_words, "team-tourn (rapid)", "rapid"),
    (headers.speed_words, "World Rapid & Blitz", None),
    (headers.speed_words, "Rapid City Open", None),
    (headers.speed_words, "Чемпионат Москвы по блицу", "blitz"),
    (headers.speed_words, "Linares", None),
    (headers.parse_mode, "OTB", ("otb", None)),
    (headers.parse_mode, "ics", ("online", None)),
    (headers.parse_mode, "EM", (None, "correspondence")),
    (headers.parse_mode, "?", (None, None)),
    (headers.is_program, "program", True),
    (headers.is_program, "human", False),
    (headers.parse_title, "GM", "GM"),
    (headers.parse_title, "wgm", "WGM"),
    (headers.parse_title, "Grandmaster", "GM"),
    (headers.parse_title, "BOT", None),
    (headers.parse_title, "-", None),
    (headers.parse_fide_id, " 4100018 ", "4100018"),
    (headers.parse_fide_id, "0", None),
    (headers.parse_fide_id, "000", None),
    (headers.parse_fide_id, "stockfish", None),
]


@pytest.mark.parametrize(("read", "written", "expected"), OTHERS, ids=lambda value: getattr(value, "__name__", str(value)))
def test_other_tags_say_what_their_words_say(read: Callable[[str], object], written: str, expected: object) -> None:
    assert read(written) == expected


READERS: tuple[Callable[[str], object], ...] = (
    headers.parse_date,
    headers.parse_elo,
    headers.parse_round,
    headers.parse_eco,
    headers.parse_fide_id,
    headers.parse_title,
    time_controls.parse_time_control,
    headers.parse_result,
    headers.parse_termination,
    headers.unplayed_words,
    headers.site_mode,
    headers.speed_words,
    headers.parse_mode,
    headers.is_program,
)


@pytest.mark.parametrize("read", READERS, ids=lambda read: read.__name__)
@given(written=st.one_of(st.text(max_size=30), st.text("0123456789./-?:+'\" xXgG*½٣²年", max_size=20)))
def test_no_value_raises(read: Callable[[str], object], written: str) -> None:
    read(written)


@pytest.mark.parametrize("read", READERS, ids=lambda read: read.__name__)
@pytest.mark.parametrize("piece", [" ", "1", "a", "1 ", "?", "(", "1:", "no-"])
def test_a_long_value_takes_linear_time(read: Callable[[str], object], piece: str) -> None:
    started = time.process_time()
    read(piece * (200_000 // len(piece)))
    assert time.process_time() - started < 1


FORMS = ["%Y.%m.%d", "%Y-%m-%d", "%d.%m.%Y", "%d %B %Y"]


@given(
    st.dates(datetime.date(1000, 1, 1), datetime.date(2199, 12, 31)),
    st.sampled_from(FORMS),
)
def test_a_real_date_reads_back(date: datetime.date, form: str) -> None:
    assert headers.parse_date(date.strftime(form)).whole == date
