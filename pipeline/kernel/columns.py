"""Memory for the kernel's output: numpy arrays for compiled code, Python's own arrays (quicker to index) for plain code."""

from __future__ import annotations

from array import array
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cache
from typing import Any

import numpy as np

from pipeline.kernel import arrow, layout, tables
from pipeline.kernel.layout import (
    CURSORS_SIZE,
    FRAME_SIZE,
    GAME_SIZE,
    MAX_DEPTH,
    MAX_WORDS,
    PADDING,
    POSITION_SIZE,
    SAN_NUMBERS,
    UCI_NUMBERS,
    Book,
    Commands,
    Comments,
    Glyphs,
    Ints,
    Language,
    Lines,
    Notes,
    Passes,
    Plies,
    Tags,
    Written,
)
from pipeline.schema import MAX_PLIES

BYTE, INT16, UINT16, INT32, INT64, FLOAT = "B", "h", "H", "i", "q", "d"


@dataclass(frozen=True, slots=True)
class Columns:
    """Everything that `reader.read_chunks` writes to, large enough for any content of that many bytes."""

    tags: Tags
    plies: Plies
    notes: Notes
    lines: Lines
    games: Ints
    position: Ints
    stack: Ints
    cursors: Ints
    board: Ints


def allocate(n_bytes: int, n_chunks: int, is_compiled: bool) -> Columns:
    """Columns for `n_chunks` chunks of together `n_bytes`. Untouched pages of numpy arrays cost nothing.

    Bounds: a ply takes at least 2 bytes and fills at most 8 of movetext, a tag pair takes 7, a glyph 2, a command 10.
    """

    def new(code: str, size: int, value: int = 0) -> Any:
        if is_compiled:
            return np.full(size, value, dtype=np.dtype(code)) if value else _blank(code, size)
        if code == BYTE:
            return bytearray(size)
        return array(code, [value]) * size

    def scratch(size: int) -> Any:
        return np.zeros(size, np.int64) if is_compiled else [0] * size

    n_bytes += PADDING
    n_plies, n_commands = n_bytes // 2 + 1, n_bytes // 10 + 1
    return Columns(
        Tags(new(INT32, n_bytes // 7 + 2), new(BYTE, n_bytes), new(INT32, n_bytes // 7 + 2), new(BYTE, n_bytes)),
        Plies(
            new(UINT16, n_plies),
            new(UINT16, n_plies),
            new(BYTE, 8 * n_plies + 8),
            new(INT32, SAN_NUMBERS, -1),
            new(INT32, MAX_WORDS),
            new(INT64, MAX_WORDS),
            new(BYTE, MAX_WORDS),
            new(INT32, UCI_NUMBERS, -1),
            new(INT32, UCI_NUMBERS),
            new(INT32, MAX_PLIES),
        ),
        Notes(
            Written(new(INT32, n_plies), new(INT32, n_plies + 1), new(BYTE, n_bytes)),
            Glyphs(new(INT32, n_plies), new(INT16, n_plies), new(BYTE, n_plies)),
            Comments(new(INT32, n_plies), new(INT32, n_plies + 1), new(BYTE, n_bytes)),
            Commands(new(INT32, n_commands), new(BYTE, n_commands), new(FLOAT, n_commands)),
            Passes(new(INT32, n_plies), new(INT64, n_plies), new(INT64, n_plies)),
        ),
        Lines(
            new(INT32, 2 * n_plies),
            new(INT16, 2 * n_plies),
            new(INT16, 2 * n_plies),
            new(INT16, n_plies),
            new(INT16, n_plies),
            new(INT16, n_plies),
        ),
        new(INT64, GAME_SIZE * n_chunks + 1),
        scratch(POSITION_SIZE),
        scratch(FRAME_SIZE * MAX_DEPTH),
        scratch(CURSORS_SIZE),
        scratch(64),
    )


def _blank(code: str, size: int) -> arrow.Array:
    """An array whose first element (the first of the offsets) is 0 and whose rest is whatever memory held."""
    values = np.empty(size, np.dtype(code))
    values[:1] = 0
    return values


@dataclass(frozen=True, slots=True)
class Job:
    """What `reader.read_chunks` is to read."""

    buffer: bytes
    """With `layout.PADDING` bytes after the last chunk."""
    starts: arrow.Array
    ends: arrow.Array
    letters: tuple[list[int], list[int]]
    """From `tables.language`."""
    positions: Sequence[Sequence[int]]
    """Start positions (`tables.start`); the first is the initial position."""
    which: arrow.Array
    """[chunks] index of each one's start position."""
    plus_may_mate: bool
    may_pass: bool


def arguments(job: Job, out: Columns, is_compiled: bool) -> tuple[Any, ...]:
    """What `reader.read_chunks` is called with, in either mode."""

    def given(values: Sequence[int]) -> Any:
        return _given(values, is_compiled)

    out.cursors[layout.PLUS_MAY_MATE], out.cursors[layout.MAY_PASS] = int(job.plus_may_mate), int(job.may_pass)
    return (
        np.frombuffer(job.buffer, np.uint8) if is_compiled else job.buffer,
        *(column if is_compiled else column.tolist() for column in (job.starts, job.ends, job.which)),
        given([value for position in job.positions for value in position]),
        given(tables.geometry()),
        Language(given(job.letters[0]), given(job.letters[1])),
        out.tags,
        out.plies,
        out.notes,
        out.lines,
        out.games,
        out.position,
        out.stack,
        out.cursors,
        _book(is_compiled),
        out.board,
    )


def _given(values: Sequence[int], is_compiled: bool) -> Any:
    unsigned = [value & 0xFFFFFFFFFFFFFFFF for value in values]
    return np.array(unsigned, np.uint64).view(np.int64) if is_compiled else list(values)


@cache
def _book(is_compiled: bool) -> Book:
    return Book(*(_given(field, is_compiled) for field in tables.book()))


def as_array(column: Any) -> arrow.Array:
    """A column as a numpy array without copying."""
    if isinstance(column, np.ndarray):
        return column
    if isinstance(column, array):
        return np.frombuffer(column, np.dtype(column.typecode))
    return np.frombuffer(column, np.uint8)


class Filled:
    """The filled part of each of the kernel's arrays, by name, as numpy arrays."""

    def __init__(self, out: Columns) -> None:
        at = out.cursors

        def filled(column: Any, size: int) -> arrow.Array:
            return as_array(column)[:size]

        def offsets(column: Any, size: int) -> arrow.Array:
            return filled(column, size + 1)

        n, tags, plies, notes, lines = int(at[layout.N_GAMES]), out.tags, out.plies, out.notes, out.lines
        self.games = filled(out.games, n * layout.GAME_SIZE).reshape(n, layout.GAME_SIZE)
        self.tag_names = arrow.strings(offsets(tags.name_ends, at[layout.N_TAGS]), filled(tags.names, at[layout.TAG_NAMES_END]))
        self.tag_values = arrow.strings(
            offsets(tags.value_ends, at[layout.N_TAGS]), filled(tags.values, at[layout.TAG_VALUES_END])
        )
        self.movetext = filled(plies.movetext, at[layout.MOVETEXT_END])
        self.san, self.uci = filled(plies.san, at[layout.N_PLIES]), filled(plies.uci, at[layout.N_PLIES])
        self.san_words = filled(plies.san_words, at[layout.N_SAN_WORDS])
        self.san_lengths = filled(plies.san_lengths, at[layout.N_SAN_WORDS])
        self.uci_numbers = filled(plies.uci_numbers, at[layout.N_UCI_WORDS])
        self.written_row = filled(notes.written.row, at[layout.N_WRITTEN])
        self.written = arrow.strings(
            offsets(notes.written.ends, at[layout.N_WRITTEN]), filled(notes.written.text, at[layout.WRITTEN_END])
        )
        self.nag_row, self.nag = filled(notes.glyphs.row, at[layout.N_NAGS]), filled(notes.glyphs.nag, at[layout.N_NAGS])
        self.is_sign = filled(notes.glyphs.is_sign, at[layout.N_NAGS])
        self.comment_row = filled(notes.comments.row, at[layout.N_COMMENTS])
        self.comments = arrow.strings(
            offsets(notes.comments.ends, at[layout.N_COMMENTS]), filled(notes.comments.text, at[layout.COMMENTS_END])
        )
        self.command_row = filled(notes.commands.row, at[layout.N_COMMANDS])
        self.command_kind = filled(notes.commands.kind, at[layout.N_COMMANDS])
        self.command_value = filled(notes.commands.value, at[layout.N_COMMANDS])
        self.pass_row = filled(notes.passes.row, at[layout.N_PASSES])
        self.pass_start = filled(notes.passes.start, at[layout.N_PASSES])
        self.pass_end = filled(notes.passes.end, at[layout.N_PASSES])
        self.segment_row = filled(lines.segment_row, at[layout.N_SEGMENTS])
        self.segment_variation = filled(lines.segment_variation, at[layout.N_SEGMENTS])
        self.segment_ply = filled(lines.segment_ply, at[layout.N_SEGMENTS])
        self.parent = filled(lines.parent, at[layout.N_VARIATIONS])
        self.branch_ply = filled(lines.branch_ply, at[layout.N_VARIATIONS])
        self.depth = filled(lines.depth, at[layout.N_VARIATIONS])
