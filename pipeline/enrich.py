"""Turns what the lanes know of games (`schema.RAW_GAMES`) into full rows of `games`: typed tags, name keys, result, ending.

Works on columns: a tag's values are dictionary-encoded, each distinct value is read once by `headers` or `names`, and the
answers are mapped back. No Python runs per game, except for the few that get an issue. Rules: docs/rules.md §2 and §4.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
import numpy.typing as npt
import pyarrow as pa
import pyarrow.compute as pc

from pipeline import headers, names, schema, time_controls
from pipeline.model import Issue

Ints = npt.NDArray[np.int64]
Bools = npt.NDArray[np.bool_]

RESULTS = ("1-0", "0-1", "1/2-1/2", "0-0", "*")
"""Canonical results; inside this module a result is its index here, and -1 for none."""
_STAR, _NONE = 4, -1

_TAGS = (
    "event",
    "site",
    "round",
    "date",
    "utcdate",
    "white",
    "black",
    "whiteelo",
    "blackelo",
    "whitetitle",
    "blacktitle",
    "whitefideid",
    "blackfideid",
    "eco",
    "result",
    "termination",
    "timecontrol",
    "mode",
    "eventtype",
    "annotator",
    "whitetype",
    "blacktype",
)
"""Tags that are read, in lower case."""


def enrich(raw: pa.Table) -> tuple[pa.Table, list[tuple[int, Issue]]]:
    """Turns raw rows into rows of exactly `schema.GAMES`, in the same order, and (row, issue) pairs sorted by row.

    `raw` has the columns `schema.RAW_GAMES`. Tag names are matched without case, the first of a name counts.
    The same rows give the same bytes. Raises KeyError when a raw column is missing, on no value.
    """
    tags = _Tags.of(raw)
    found: dict[str, pa.Array] = {name: _plain(raw[name]) for name in schema.RAW_GAMES}
    issues: list[tuple[int, Issue]] = []
    _add_event(found, tags, issues)
    _add_players(found, tags, issues)
    results = _add_results(found, tags, issues)
    _add_termination(found, tags, results)
    _add_pace(found, tags)
    table = pa.table([found[c.name].cast(c.type) for c in schema.GAMES.columns], schema=schema.GAMES.schema)
    issues.sort(key=lambda at: (at[0], at[1].code, at[1].written or ""))
    return table, issues


def _plain(column: pa.ChunkedArray) -> pa.Array:
    return column.combine_chunks() if column.num_chunks != 1 else column.chunk(0)


# --- tags as columns --------------------------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class _Codes:
    """A column as codes into its distinct values, -1 for null."""

    codes: Ints
    values: tuple[str, ...]

    @classmethod
    def of(cls, column: pa.Array) -> _Codes:
        encoded = column.dictionary_encode()
        codes = pc.fill_null(encoded.indices, -1).to_numpy(zero_copy_only=False).astype(np.int64)
        return cls(codes, tuple(encoded.dictionary.to_pylist()))

    def map(self, read: Callable[[str], Any], kind: pa.DataType) -> pa.Array:
        """The answer of `read` for each row, null where the value is null or the answer is None."""
        return self.take([read(value) for value in self.values], kind)

    def take(self, answers: Sequence[Any], kind: pa.DataType) -> pa.Array:
        """answers[code] for each row as a column of type `kind`."""
        return pa.array([*answers, None], kind).take(pa.array(self.codes % (len(answers) + 1)))

    def test(self, answers: Iterable[bool]) -> Bools:
        """answers[code] for each row, False where the value is null."""
        return np.array([*answers, False], dtype=np.bool_)[self.codes]

    def index(self, answers: Iterable[int]) -> Ints:
        """answers[code] for each row, -1 where the value is null."""
        return np.array([*answers, _NONE], dtype=np.int64)[self.codes]


@dataclass(frozen=True, slots=True)
class _Tags:
    """The tags that are read, one string column each; null where a game lacks the tag."""

    columns: dict[str, pa.Array]

    @classmethod
    def of(cls, raw: pa.Table) -> _Tags:
        written, texts = _plain(raw["tag_names"]), _plain(raw["tag_values"])
        rows = pc.list_parent_indices(written).to_numpy(zero_copy_only=False)
        named = _Codes.of(pc.list_flatten(written))
        wanted = {name: i for i, name in enumerate(_TAGS)}
        which = named.index(wanted.get(name.strip().lower(), _NONE) for name in named.values)
        flat = pc.list_flatten(texts)
        return cls({name: _first(flat, rows, np.flatnonzero(which == i), raw.num_rows) for name, i in wanted.items()})

    def codes(self, name: str) -> _Codes:
        return _Codes.of(self.columns[name])


def _first(flat: pa.Array, rows: Ints, at: Ints, n_rows: int) -> pa.Array:
    """For each row the first of the flat values at positions `at`, which ascend; null for rows that have none."""
    owners = rows[at]
    is_first = np.ones(len(at), dtype=np.bool_)
    is_first[1:] = owners[1:] != owners[:-1]
    if len(at) == n_rows and is_first.all():
        return flat.take(pa.array(at))
    place = np.zeros(n_rows, dtype=np.int64)
    place[owners[is_first]] = at[is_first]
    is_absent = np.ones(n_rows, dtype=np.bool_)
    is_absent[owners] = False
    return flat.take(pa.array(place, mask=is_absent))


def _known(column: pa.Array) -> pa.Array:
    """The column with empty and `?` as null (PGN standard 8.1.1: `?` is unknown)."""
    bare = pc.utf8_trim_whitespace(column)
    return pc.if_else(pc.is_in(bare, value_set=pa.array(["", "?", "??", "????"])), pa.scalar(None, pa.string()), column)


def _written(column: pa.Array) -> pa.Array:
    """The column as written, with an empty value as null."""
    return pc.if_else(pc.equal(column, ""), pa.scalar(None, pa.string()), column)


def _report(issues: list[tuple[int, Issue]], code: str, column: _Codes, is_bad: Iterable[bool], detail: str) -> None:
    """An issue for each row whose value is bad."""
    for row in np.flatnonzero(column.test(is_bad)).tolist():
        value = column.values[column.codes[row]]
        issues.append((row, Issue(code, written=value, detail=detail.format(value))))


# --- event, date, players ---------------------------------------------------------------------------------------------


def _add_event(found: dict[str, pa.Array], tags: _Tags, issues: list[tuple[int, Issue]]) -> None:
    found["event"], found["site"] = _known(tags.columns["event"]), _known(tags.columns["site"])
    found["round"] = _written(tags.columns["round"])
    rounds = tags.codes("round")
    pairs = [headers.parse_round(value) for value in rounds.values]
    found["round_major"] = rounds.take([major for major, _ in pairs], schema.INT32)
    found["round_minor"] = rounds.take([minor for _, minor in pairs], schema.INT32)
    found["date_written"] = _written(tags.columns["date"])
    dates = _Codes.of(_known_dates(tags.columns["date"], tags.columns["utcdate"]))
    read = [headers.parse_date(value) for value in dates.values]
    found["year"] = dates.take([d.year for d in read], schema.INT16)
    found["month"] = dates.take([d.month for d in read], schema.INT16)
    found["day"] = dates.take([d.day for d in read], schema.INT16)
    found["date"] = dates.take([d.whole for d in read], schema.DATE)
    _report(issues, "bad_date", dates, (d.is_bad for d in read), "`{}` is no date")
    eco = tags.codes("eco")
    codes = [headers.parse_eco(value) for value in eco.values]
    found["eco_written"] = eco.take(codes, schema.STRING)
    unknown = headers.UNKNOWN
    is_bad = [code is None and value.strip() not in unknown for code, value in zip(codes, eco.values, strict=True)]
    _report(issues, "bad_eco", eco, is_bad, "`{}` is no code from A00 to E99")


def _known_dates(local: pa.Array, utc: pa.Array) -> pa.Array:
    """The Date tag, or the UTCDate tag where Date says nothing (PGN standard 9.3.2: the same date in universal time)."""
    is_silent = pc.equal(pc.utf8_trim(local, "?./- "), "")
    return pc.coalesce(pc.if_else(is_silent, pa.scalar(None, pa.string()), local), utc)


def _add_players(found: dict[str, pa.Array], tags: _Tags, issues: list[tuple[int, Issue]]) -> None:
    keys: dict[str, str | None] = {}
    for side in ("white", "black"):
        found[side] = _written(tags.columns[side])
        players = tags.codes(side)
        for name in players.values:
            if name not in keys:
                keys[name] = names.name_key(name)
        found[f"{side}_key"] = players.take([keys[name] for name in players.values], schema.STRING)
        elos = tags.codes(f"{side}elo")
        ratings = [headers.parse_elo(value) for value in elos.values]
        found[f"{side}_elo"] = elos.take(ratings, schema.INT16)
        is_bad = [elo is None and not _is_no_rating(value) for elo, value in zip(ratings, elos.values, strict=True)]
        _report(issues, "bad_elo", elos, is_bad, "`{}` is no rating from 100 to 4000")
        found[f"{side}_title"] = tags.codes(f"{side}title").map(headers.parse_title, schema.STRING)
        found[f"{side}_fide_id"] = tags.codes(f"{side}fideid").map(headers.parse_fide_id, schema.STRING)
    found["annotator"] = _written(tags.columns["annotator"])
    found["annotator_key"] = tags.codes("annotator").map(names.text_key, schema.STRING)


def _is_no_rating(value: str) -> bool:
    """True for ways to say that there is no rating: zero, nothing, `?`, `unknown`."""
    return not value.strip(" 0") or names.text_key(value) is None


# --- result and ending ------------------------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class _Results:
    """Results by row, as indices into RESULTS; `tag_says` is the ending that the form of the Result tag names, or None."""

    final: Ints
    tag_says: _Codes


def _result_index(column: pa.Array) -> Ints:
    position = pc.index_in(column, value_set=pa.array(RESULTS))
    return np.asarray(pc.fill_null(position, _NONE), dtype=np.int64)


def _add_results(found: dict[str, pa.Array], tags: _Tags, issues: list[tuple[int, Issue]]) -> _Results:
    """Board over movetext over tag; `*` and silence yield to whoever knows more (docs/rules.md §2)."""
    written = tags.codes("result")
    read = [headers.parse_result(value) for value in written.values]
    found["result_tag"] = written.take([r.result for r in read], schema.STRING)
    is_unreadable = [
        r.result is None and value.strip() not in headers.RESULT_UNKNOWN for r, value in zip(read, written.values, strict=True)
    ]
    _report(issues, "bad_result_tag", written, is_unreadable, "`{}` is no result")
    tag, movetext, board = (_result_index(found[f"result_{where}"]) for where in ("tag", "movetext", "board"))
    final = np.full(len(tag), _NONE, dtype=np.int64)
    is_conflict = np.zeros(len(tag), dtype=np.bool_)
    for voice in (board, movetext, tag):
        is_sure = (voice != _NONE) & (voice != _STAR)
        is_conflict |= is_sure & (final != _NONE) & (final != voice)
        final = np.where(is_sure & (final == _NONE), voice, final)
    is_open = (movetext == _STAR) | (tag == _STAR) | (written.codes >= 0)
    final = np.where((final == _NONE) & is_open, _STAR, final)
    found["result"] = pa.array([*RESULTS, None], schema.STRING).take(pa.array(final % (len(RESULTS) + 1)))
    found["is_result_conflict"] = pa.array(is_conflict)
    _report_results(issues, tag, movetext, board, is_conflict, written.codes < 0)
    return _Results(final, _Codes(written.codes, tuple(r.termination or "" for r in read)))


def _report_results(
    issues: list[tuple[int, Issue]], tag: Ints, movetext: Ints, board: Ints, is_conflict: Bools, has_no_tag: Bools
) -> None:
    for row in np.flatnonzero(has_no_tag & (movetext != _NONE)).tolist():
        issues.append((row, Issue("result_from_movetext", written=RESULTS[movetext[row]], detail="there is no Result tag")))
    for row in np.flatnonzero(is_conflict).tolist():
        said = [(where, RESULTS[v]) for where, v in (("movetext", movetext[row]), ("tag", tag[row])) if v not in (_NONE, _STAR)]
        if board[row] != _NONE:
            where, written = next((where, text) for where, text in said if text != RESULTS[board[row]])
            detail = f"the board says {RESULTS[board[row]]}, the {where} {written}"
            issues.append((row, Issue("result_contradicts_board", written=written, detail=detail)))
        else:
            detail = " and ".join(f"the {where} says {text}" for where, text in said)
            issues.append((row, Issue("result_conflict", written=said[-1][1], detail=detail)))


def _add_termination(found: dict[str, pa.Array], tags: _Tags, results: _Results) -> None:
    """How the game ended, by the first rule that knows; rules in order of evidence.

    A forfeit needs a tag, words or a sign such as `+:-`; a bye is a name or words. A rejected game had moves, which could
    not be read: only tags and words speak for it.
    """
    n_plies = pc.fill_null(found["n_plies"], 0).to_numpy(zero_copy_only=False)
    is_rejected = pc.fill_null(pc.equal(found["status"], "rejected"), False).to_numpy(zero_copy_only=False)
    is_empty = (n_plies == 0) & ~is_rejected
    tag, words = tags.codes("termination"), _Codes.of(found["termination_movetext"])
    tag_says = [headers.parse_termination(value) for value in tag.values]
    comment = _Codes.of(pc.if_else(pa.array(is_empty), found["comment"], pa.scalar(None, schema.STRING)))
    comment_says = [headers.unplayed_words(value) for value in comment.values]
    is_bye_name = np.zeros(len(n_plies), dtype=np.bool_)
    for side in ("white", "black"):
        players = _Codes.of(pc.if_else(pa.array(is_empty), tags.columns[side], pa.scalar(None, schema.STRING)))
        is_bye_name |= players.test(map(names.is_bye, players.values))
    is_decided = (results.final != _NONE) & (results.final != _STAR)
    is_point_given = np.isin(results.final, (0, 1, 3))

    def tag_is(word: str) -> Bools:
        return tag.test(says == word for says in tag_says)

    is_forfeit_said = comment.test(says == "forfeit" for says in comment_says) & is_point_given
    is_forfeit_word = words.test(value == "forfeit" for value in words.values)
    is_bye_said = is_bye_name | comment.test(says == "bye" for says in comment_says)
    is_nobodys = (results.final == RESULTS.index("0-0")) & ~tag_is("normal")
    is_mate = pc.is_valid(found["result_board"]).to_numpy(zero_copy_only=False)
    is_star = results.final == _STAR
    rules: list[tuple[Bools, str]] = [
        (tag_is("bye") | (is_empty & is_bye_said), "bye"),
        (tag_is("forfeit") | results.tag_says.test(v == "forfeit" for v in results.tag_says.values), "forfeit"),
        (is_empty & (is_forfeit_word | is_forfeit_said | is_nobodys), "forfeit"),
        (is_empty, "no_moves"),
        (is_forfeit_word, "rules_infraction"),
        *((tag_is(says), says) for says in sorted({s for s in tag_says if s} - {"normal", "bye", "forfeit"})),
        *((words.test(v == says for v in words.values), says) for says in headers.WORD_ENDINGS),
        *((results.tag_says.test(v == says for v in results.tag_says.values), says) for says in headers.WORD_ENDINGS),
        (is_mate | tag_is("normal"), "normal"),
        (is_star & ~is_rejected, "unfinished"),
        (is_decided & (results.final != RESULTS.index("0-0")) & ~is_rejected, "normal"),
    ]
    vocabulary = sorted({says for _, says in rules})
    chosen = np.select([where for where, _ in rules], [vocabulary.index(says) for _, says in rules], default=len(vocabulary))
    found["termination"] = pa.array([*vocabulary, None], schema.STRING).take(pa.array(chosen))


# --- time and place ---------------------------------------------------------------------------------------------------


def _add_pace(found: dict[str, pa.Array], tags: _Tags) -> None:
    """Time control, speed and mode. The time control decides the speed, then the Mode tag, then words of the event."""
    found["time_control_written"] = _written(tags.columns["timecontrol"])
    control = tags.codes("timecontrol")
    read = [time_controls.parse_time_control(value) for value in control.values]
    found["base_seconds"] = control.take([c.base_seconds for c in read], schema.INT32)
    found["increment_seconds"] = control.take([c.increment_seconds for c in read], schema.INT32)
    mode = tags.codes("mode")
    modes = [headers.parse_mode(value) for value in mode.values]
    found["speed"] = pc.coalesce(
        control.take([c.speed for c in read], schema.STRING),
        mode.take([speed for _, speed in modes], schema.STRING),
        tags.codes("eventtype").map(headers.speed_words, schema.STRING),
        tags.codes("event").map(headers.speed_words, schema.STRING),
    )
    is_engine = np.ones(len(control.codes), dtype=np.bool_)
    for side in ("white", "black"):
        kind = tags.codes(f"{side}type")
        is_engine &= kind.test(map(headers.is_program, kind.values))
    # A server writes another address for each game: what stands before the last slash says where it was played.
    place = pc.replace_substring_regex(tags.columns["site"], pattern=r"^(https?://[^/]+)/[^/]*$", replacement=r"\1")
    by_program = pa.array(np.where(is_engine, 0, 1)).cast(schema.INT32)
    found["mode"] = pc.coalesce(
        pa.array(["engine", None], schema.STRING).take(by_program),
        mode.take([name for name, _ in modes], schema.STRING),
        _Codes.of(place).map(headers.site_mode, schema.STRING),
    )
