"""Persons: linked by evidence, kept apart by what speaks against it, and undecided where nothing tells."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import duckdb
import pytest

from pipeline import identity
from pipeline.catalog import BadCorrection, run_audits
from pipeline.identity.likeness import likeness
from pipeline.names import name_key
from tests.support_catalog import Row, digest, game, game_id, lake, rows
from tests.support_identity import Side, labelled_lake, line, scored


@pytest.fixture(scope="module")
def labelled(tmp_path_factory: pytest.TempPathFactory) -> tuple[duckdb.DuckDBPyConnection, list[Side]]:
    return labelled_lake(tmp_path_factory.mktemp("labelled"))


def test_persons_of_title_matches_in_ten_manners_are_told(labelled: tuple[duckdb.DuckDBPyConnection, list[Side]]) -> None:
    found = scored(*labelled)
    assert found.n_true > 2000
    assert (found.wrong, found.precision) == ((), 1.0)
    assert found.recall >= 0.95, found.missed


def test_without_a_common_game_fewer_are_told_and_none_wrongly(tmp_path: Path) -> None:
    con, sides = labelled_lake(tmp_path, shares_games=False)
    found = scored(con, sides)
    con.close()
    assert found.wrong == ()
    assert found.recall >= 0.75, found.missed


def test_a_bare_surname_among_namesakes_stays_undecided(labelled: tuple[duckdb.DuckDBPyConnection, list[Side]]) -> None:
    con, sides = labelled
    query = "select evidence, confidence from game_players where game_id = ? and color = ?"
    found = [rows(con, query, [game_id(s.source, s.index), s.color])[0] for s in sides if s.is_open]
    assert len(found) == 12
    assert {evidence for evidence, _ in found} == {"undecided", "namesake"}
    assert max(confidence for _, confidence in found) < 0.8


def test_audits_find_nothing_in_the_labelled_lake(labelled: tuple[duckdb.DuckDBPyConnection, list[Side]]) -> None:
    assert run_audits(labelled[0], heavy=True) == []


# --- how alike two keys are -------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("one", "other", "expected"),
    [
        ("Spassky, B", "Spassky, Boris V", "shorter"),
        ("Спасский Б. В.", "Spassky, Boris V", "shorter"),
        ("Spassky", "Spassky, Boris", "shorter"),
        ("Lasker, Em.", "Lasker, Emanuel", "shorter"),
        ("Fischer, R", "Fischer, Bobby", "shorter"),
        ("Capablanca, J", "Капабланка, Хосе Рауль", "shorter"),
        ("Polgar, Susan", "Polgár, Zsuzsa", "compatible"),
        ("Fiodorow, Alexei", "Fedorov, Alexei", "compatible"),
        ("Fischer, Robert James", "Fischer, Robert Gems", "close"),
        ("Polgar, Judit", "Polgar, Sofia", "other"),
        ("Byrne, D", "Byrne, R", "other"),
        ("Lasker, Ed.", "Lasker, Emanuel", "other"),
        ("Karpov, Anatoly", "Kasparov, Garry", "other"),
        ("B. V.", "Boris Vasily", "other"),
    ],
)
def test_likeness_of_names(one: str, other: str, expected: str) -> None:
    found = likeness(str(name_key(one)), str(name_key(other)))
    kinds = {"shorter": found.is_shorter, "compatible": found.is_compatible, "close": found.is_close}
    assert next((kind for kind, holds in kinds.items() if holds), "other") == expected


# --- what links and what keeps apart ----------------------------------------------------------------------------------

IVAN = "Ivanov, Alexander"
FIDE = {"white_fide_id": "2000001"}


def persons(con: duckdb.DuckDBPyConnection, *names: str) -> int:
    """Number of persons who bear one of the names."""
    return int(
        rows(con, "select count(distinct player_id) from game_players where name in (select unnest(?))", [list(names)])[0][0]
    )


def claim(con: duckdb.DuckDBPyConnection, one: str, other: str) -> tuple[str, bool, str | None]:
    """Evidence, acceptance and reason of the claim about two names."""
    query = """select evidence, is_accepted, regexp_extract(reason, '^[^:]*') from person_claims
               where least(key, other_key) = ? and greatest(key, other_key) = ? order by confidence desc limit 1"""
    keys = sorted((str(name_key(one)), str(name_key(other))))
    return rows(con, query, keys)[0]


def played(white: str, black: str, seed: str, **more: Any) -> Row:
    """A game of 40 plies with real keys; equal seeds are equal moves."""
    return game(white, black, "1-0", line(seed), **{"white_key": name_key(white), "black_key": name_key(black), **more})


def listed(white: str, black: str, round_: str) -> Row:
    """A line of a tournament table: no moves."""
    keys = {"white_key": name_key(white), "black_key": name_key(black)}
    return game(white, black, "1-0", round=round_, termination="bye" if black == "BYE" else "no_moves", **keys)


@pytest.mark.parametrize(
    ("games", "n", "expected"),
    [
        # one game under two spellings
        ([[played("Smyslov, Vasily", "Keres, Paul", "1")], [played("Смыслов В.", "Керес П.", "1")]], 1, None),
        # names that are not alike need three games
        ([[played("Euwe, Max", "Keres, Paul", "1")], [played("Эйве М.", "Керес П.", "1")]], 2, None),
        (
            [
                [played("Euwe, Max", "Keres, Paul", str(i)) for i in range(3)],
                [played("Эйве М.", "Керес П.", str(i)) for i in range(3)],
            ],
            1,
            None,
        ),
        # the same moves in two years are two games
        ([[played("Zed, A", "Keres, Paul", "1", year=1930)], [played("Zeds, B", "Keres, Paul", "1", year=1950)]], 2, None),
        # an abbreviation, one event
        (
            [[played(IVAN, "Keres, Paul", "1", round="1"), played("Ivanov, A", "Tal, M", "2", round="2")]],
            1,
            ("abbreviation", True, None),
        ),
        # an abbreviation, no circle in common
        (
            [[played(IVAN, "Keres, Paul", "1"), played("Ivanov, A", "Tal, M", "2", event="Other", year=2001)]],
            2,
            ("abbreviation", False, "no event and no opponent in common"),
        ),
        # long apart
        (
            [[played(IVAN, "Keres, Paul", "1"), played("Ivanov, A", "Keres, Paul", "2", event="Other", year=1950)]],
            2,
            ("abbreviation", False, "years"),
        ),
        # they met
        (
            [[played(IVAN, "Keres, Paul", "1"), played("Ivanov, A", "Keres, Paul", "2"), played(IVAN, "Ivanov, A", "3")]],
            2,
            ("abbreviation", False, "met"),
        ),
        # both played in one round
        (
            [[played(IVAN, "Keres, Paul", "1", round="4"), played("Ivanov, A", "Tal, M", "2", round="4")]],
            2,
            ("abbreviation", False, "same_round"),
        ),
        # the same in a table without moves: byes are entries too
        (
            [[listed(IVAN, "Keres, Paul", "1"), listed("Ivanov, A", "Tal, M", "1"), listed("Ivanov, A", "Keres, Paul", "2")]],
            2,
            ("abbreviation", False, "same_round"),
        ),
        (
            [[listed(IVAN, "Keres, Paul", "1"), listed("Ivanov, A", "BYE", "1"), listed("Ivanov, A", "Keres, Paul", "2")]],
            2,
            ("abbreviation", False, "same_round"),
        ),
        # two tables of one event may be copies
        (
            [
                [listed(IVAN, "Keres, Paul", "1"), listed(IVAN, "Tal, M", "2")],
                [listed("Ivanov, A", "Keres, P", "1"), listed("Ivanov, A", "Tal, M", "2")],
            ],
            1,
            ("abbreviation", True, None),
        ),
        # both played on one day, at two places
        (
            [
                [
                    played(IVAN, "Keres, Paul", "1", month=5, day=6, event="A"),
                    played("Ivanov, A", "Tal, M", "2", month=5, day=6, event="B", site="Oslo"),
                    played("Ivanov, A", "Keres, Paul", "3", month=7, day=9),
                ]
            ],
            2,
            ("abbreviation", False, "two_places"),
        ),
        # FIDE ids
        (
            [[played(IVAN, "Keres, Paul", "1", **FIDE), played("Ivanov, A", "Tal, M", "2", white_fide_id="2000002")]],
            2,
            ("abbreviation", False, "fide_id"),
        ),
        (
            [[played(IVAN, "Keres, Paul", "1", **FIDE), played("Iwanow, Sascha", "Tal, M", "2", **FIDE, year=2011, event="B")]],
            1,
            ("fide_id", True, None),
        ),
        (
            [[played(IVAN, "Keres, Paul", "1", **FIDE), played("Petrov, A", "Tal, M", "2", **FIDE, year=2011, event="B")]],
            1,
            ("fide_id", True, None),
        ),
        (
            [[played(IVAN, "Keres, Paul", "1", **FIDE), played("Novak, Zdenek", "Tal, M", "2", **FIDE, year=2011, event="B")]],
            2,
            ("fide_id", False, "names are not alike"),
        ),
        # ratings of one year
        (
            [[played(IVAN, "Keres, Paul", "1", white_elo=2600), played("Ivanov, A", "Keres, Paul", "2", white_elo=1700)]],
            2,
            ("abbreviation", False, "ratings of one year differ by 900"),
        ),
    ],
)
def test_evidence_links_and_other_evidence_keeps_apart(
    tmp_path: Path, games: list[list[Row]], n: int, expected: tuple[str, bool, str | None] | None
) -> None:
    names = list(dict.fromkeys(row["white"] for source in games for row in source if row["white"] != "Keres, Paul"))
    with lake(tmp_path, *games) as con:
        assert persons(con, *names) == n
        if expected:
            assert claim(con, *names[:2]) == expected


def test_an_abbreviation_of_two_persons_is_told_game_by_game(tmp_path: Path) -> None:
    games = [
        played("Byrne, Donald", "Tal, M", "1", event="A", round="1"),
        played("Byrne, Robert", "Tal, M", "2", event="B", round="1"),
        played("Byrne", "Keres, Paul", "3", event="A", round="2"),
        played("Byrne", "Keres, Paul", "4", event="B", round="2"),
        played("Byrne", "Nobody, Known", "5", event="C", round="1"),
    ]
    with lake(tmp_path, games) as con:
        assert claim(con, "Byrne", "Byrne, Donald")[1:] == (False, "fits several persons")
        query = """select p.name, g.evidence from game_players as g join players as p using (player_id)
                   where game_id = ? and color = 'w'"""
        found = [rows(con, query, [game_id(0, i)])[0] for i in range(5)]
        assert found[2:] == [("Byrne, Donald", "event"), ("Byrne, Robert", "event"), ("Byrne", "undecided")]


def test_two_spellings_of_one_key_that_play_in_the_same_rounds_are_two(tmp_path: Path) -> None:
    games = [
        listed("Hansen, Victor", "Keres, Paul", "1"),
        listed("Hansen, Viktor", "Tal, M", "1"),
        listed("Tal, M", "Hansen, Victor", "2"),
        listed("Keres, Paul", "Hansen, Viktor", "2"),
        listed("Hansen, Victor", "Flor, Salo", "3"),
    ]
    assert name_key("Hansen, Victor") == name_key("Hansen, Viktor")
    with lake(tmp_path, games) as con:
        query = """select p.name, g.evidence, count(*) from game_players as g join players as p using (player_id)
                   where g.name like 'Hansen%' group by all order by all"""
        assert rows(con, query) == [("Hansen, Victor", "key", 3), ("Hansen, Viktor", "same_round", 2)]
        assert run_audits(con, heavy=True) == []


def test_two_spellings_of_one_key_in_two_tables_are_one(tmp_path: Path) -> None:
    tables = [
        [listed(name, other, r) for r, other in (("1", "Keres, Paul"), ("2", "Tal, M"))]
        for name in ("Hansen, Victor", "Hansen, Viktor")
    ]
    tables[1][0], tables[1][1] = listed("Hansen, Viktor", "Tal, M", "1"), listed("Hansen, Viktor", "Keres, Paul", "2")
    with lake(tmp_path, *tables) as con:
        assert persons(con, "Hansen, Victor", "Hansen, Viktor") == 1


# --- namesakes --------------------------------------------------------------------------------------------------------

TIGRAN = "Petrosian, Tigran"


def test_two_of_one_name_are_told_by_a_life(tmp_path: Path) -> None:
    """Tigran V. lived 1929–1984; the later one has no FIDE id here."""
    games = [played(TIGRAN, "Tal, M", str(year), year=year, event=f"E{year}") for year in (1958, 1963, 2005, 2009)]
    with lake(tmp_path, [*games, played(TIGRAN, "Tal, M", "x", year=None, event="?")]) as con:
        found = rows(con, "select player_id, evidence from game_players where color = 'w' order by game_id")
        by_game = dict(zip(rows(con, "select game_id from games order by game_id"), found, strict=True))
        one, two, three, four, five = (by_game[game_id(0, i),] for i in range(5))
        assert one[0] == two[0] != three[0] == four[0]
        assert five[1] == "undecided"
        assert five[0] not in (one[0], three[0])


def test_two_of_one_name_are_told_by_fide_ids(tmp_path: Path) -> None:
    games = [
        played("Li, Wei", "Tal, M", "1", year=2001, white_fide_id="8600001", event="A", round="1"),
        played("Li, Wei", "Tal, M", "2", year=2001, white_fide_id="8600002", event="B", round="1"),
        played("Li, Wei", "Keres, P", "3", year=2001, event="A", round="2"),
        played("Li, Wei", "Keres, P", "4", year=2001, event="Elsewhere"),
    ]
    with lake(tmp_path, games) as con:
        query = "select player_id, evidence from game_players where game_id = ? and color = 'w'"
        one, two, three, four = (rows(con, query, [game_id(0, i)])[0] for i in range(4))
        assert one[0] == three[0] != two[0]
        assert (three[1], four[1]) == ("event", "undecided")


def test_a_name_at_two_places_on_one_day_is_two(tmp_path: Path) -> None:
    games = [played("Li, Wei", "Tal, M", str(i), month=5, day=i, event="A", site="Oslo") for i in (2, 3, 4)]
    games.append(played("Li, Wei", "Keres, P", "9", month=5, day=4, event="B", site="Beijing"))
    with lake(tmp_path, games) as con:
        assert persons(con, "Li, Wei") == 2
        assert rows(con, "select evidence, count(*) from game_players where name = 'Li, Wei' group by all order by all") == [
            ("key", 3),
            ("two_places", 1),
        ]
        assert run_audits(con) == []


# --- what people decided ----------------------------------------------------------------------------------------------


def decided(tmp_path: Path, *decisions: Row) -> duckdb.DuckDBPyConnection:
    empty = dict.fromkeys(("decision_id", "name", "other", "text_id", "color", "undoes"))
    aliases = [{**empty, "because": "seen", **row} for row in decisions]
    games = [
        played("Spassky, Boris", "Tal, M", "1", event="A", year=1960),
        played("Спасский, Борис", "Tal, M", "2", event="B", year=1961),
        played("Spaski, Bela", "Tal, M", "3", event="C", year=1961),
    ]
    return lake(tmp_path, games, aliases=aliases)


BORIS, BELA, CYRILLIC = "Spassky, Boris", "Spaski, Bela", "Спасский, Борис"


def test_without_a_decision_other_names_are_other_persons(tmp_path: Path) -> None:
    with decided(tmp_path) as con:
        assert (persons(con, BORIS, CYRILLIC), persons(con, BORIS, BELA)) == (1, 2)


def test_a_merge_makes_two_names_one_person_and_undo_takes_it_back(tmp_path: Path) -> None:
    merge = {"decision_id": "a1", "decision": "merge", "name": BELA, "other": BORIS}
    with decided(tmp_path / "1", merge) as con:
        assert persons(con, BORIS, BELA) == 1
        assert claim(con, BORIS, BELA) == ("alias", True, None)
    with decided(tmp_path / "2", merge, {"decision_id": "a2", "decision": "undo", "undoes": "a1"}) as con:
        assert persons(con, BORIS, BELA) == 2


def test_a_spelling_of_one_key_can_be_split_off(tmp_path: Path) -> None:
    with decided(tmp_path, {"decision_id": "a1", "decision": "split", "name": CYRILLIC, "other": BORIS}) as con:
        assert persons(con, BORIS, CYRILLIC) == 2
        assert rows(con, "select evidence from game_players where name = ?", [CYRILLIC]) == [("alias",)]


def test_a_side_of_one_game_can_be_given_to_another_person(tmp_path: Path) -> None:
    text = digest(f"text {digest('source 0')}:0")
    split = {"decision_id": "a1", "decision": "split", "text_id": text, "color": "w"}
    with decided(tmp_path / "1", {**split, "other": BELA}) as con:
        query = "select p.name, evidence from game_players join players as p using (player_id) where game_id = ? and color = 'w'"
        query = query.replace("evidence", "game_players.evidence")
        assert rows(con, query, [game_id(0, 0)]) == [(BELA, "alias")]
    with decided(tmp_path / "2", split) as con:
        assert persons(con, BORIS, CYRILLIC, BELA) == 3


@pytest.mark.parametrize(
    ("row", "what"),
    [
        ({"decision": "marry"}, "neither merge nor split nor undo"),
        ({"decision": "merge", "name": BORIS}, "neither a text_id nor both a name and an other name"),
        ({"decision": "merge", "name": "?", "other": BORIS}, "names no person"),
        ({"decision": "split", "text_id": "x", "color": "white"}, "neither w nor b"),
        ({"decision": "undo", "undoes": "zz"}, "no decision above it"),
    ],
)
def test_a_decision_that_makes_no_sense_is_refused(tmp_path: Path, row: Row, what: str) -> None:
    with pytest.raises(BadCorrection, match=what):
        decided(tmp_path, row)


# --- laws -------------------------------------------------------------------------------------------------------------


def test_the_order_of_sources_does_not_change_persons(tmp_path: Path) -> None:
    from tests.support_identity import labelled as games_of

    sources, _ = games_of()
    some = [source[:60] for source in sources]
    found = []
    for number, order in enumerate((some, some[::-1])):
        with lake(tmp_path / str(number), *order) as con:
            query = """select distinct name, player_id, evidence, confidence from game_players
                       where evidence <> 'namesake' order by all"""
            found.append(rows(con, query))
    assert found[0] == found[1]


def test_identity_of_nothing_is_nothing(tmp_path: Path) -> None:
    assert identity.candidates({}) == []
    with lake(tmp_path, []) as con:
        assert rows(con, "from person_claims") == []


def test_names_of_no_person_make_no_claims(tmp_path: Path) -> None:
    with lake(tmp_path, [played("?", "NN", "1"), played("BYE", "Morphy & Barnes", "2")]) as con:
        assert rows(con, "select count(*) from stored.same_names") == [(0,)]


@pytest.mark.parametrize("decision", ["merge", "split"])
def test_a_decision_about_names_that_no_game_has_is_no_fault(tmp_path: Path, decision: str) -> None:
    row = {
        "decision": decision,
        "name": "Gone, Ada",
        "other": "Lost, Bob",
        "because": "x",
        "author": "y",
        "made_at": "2026-01-01",
    }
    alias = {"decision_id": "", "text_id": "", "color": "", "undoes": "", "line": 2, **row}
    with lake(tmp_path, [played(IVAN, "Keres, Paul", "1")], aliases=[alias]) as con:
        assert rows(con, "select count(*) from person_claims where evidence = 'alias'") == [(1,)]
        assert run_audits(con, heavy=True) == []
