"""The spans of a source's part: every byte in exactly one, in order."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Any

import numpy as np
import pyarrow as pa

from pipeline import schema

Array = np.ndarray[Any, Any]

KINDS = ("game", "quarantine", "blank", "prose", "heading", "markup", "binary")
"""Kinds of span that are written; `game` is a clean game, all but `quarantine` are filler."""
_CODE = {kind: code for code, kind in enumerate(KINDS)}


@dataclass(slots=True)
class Spans:
    """Gathers spans of one part as arrays; `finish` sorts them, fills what is left as blank and joins neighbours."""

    starts: list[Array] = field(default_factory=list)
    ends: list[Array] = field(default_factory=list)
    kinds: list[Array] = field(default_factory=list)

    def add(self, start: int, end: int, kind: str) -> None:
        """One span; empty ones are left out."""
        if end > start:
            self.add_many(np.array([start]), np.array([end]), kind)

    def add_many(self, starts: Array, ends: Array, kind: str) -> None:
        """Spans of one kind."""
        self.starts.append(np.asarray(starts, np.int64))
        self.ends.append(np.asarray(ends, np.int64))
        self.kinds.append(np.full(len(starts), _CODE[kind], np.int8))

    def finish(
        self, source_id: str, start: int, end: int, is_blank: Callable[[int, int], bool]
    ) -> tuple[pa.Table, dict[str, int]]:
        """The spans of [start, end) as `schema.SPANS`, and bytes by class: games, quarantined, filler.

        Bytes between spans are `blank`, which `is_blank(start, end)` must confirm: nothing is filler for want of a claim.
        ValueError when it does not, or when spans overlap or reach outside: a fault of the program.
        """
        starts, ends, kinds = (
            np.concatenate([*parts, np.array([], parts[0].dtype if parts else np.int64)])
            for parts in (self.starts, self.ends, self.kinds)
        )
        order = np.argsort(starts, kind="stable")
        starts, ends, kinds = starts[order].astype(np.int64), ends[order].astype(np.int64), kinds[order].astype(np.int8)
        edges_from, edges_to = np.concatenate([[start], ends]), np.concatenate([starts, [end]])
        if (edges_to < edges_from).any():
            raise ValueError(f"spans of {source_id} overlap or reach outside of [{start}, {end})")
        gaps = edges_to > edges_from
        for gap_start, gap_end in zip(edges_from[gaps].tolist(), edges_to[gaps].tolist(), strict=True):
            if not is_blank(gap_start, gap_end):
                raise ValueError(f"bytes {gap_start} to {gap_end} of {source_id} belong to no span")
        starts, ends = np.concatenate([starts, edges_from[gaps]]), np.concatenate([ends, edges_to[gaps]])
        kinds = np.concatenate([kinds, np.full(int(gaps.sum()), _CODE["blank"], np.int8)])
        order = np.argsort(starts, kind="stable")
        starts, ends, kinds = starts[order], ends[order], kinds[order]
        is_joined = np.zeros(len(kinds), np.bool_)
        is_joined[1:] = (kinds[1:] == kinds[:-1]) & (kinds[1:] >= _CODE["blank"])
        starts, kinds = starts[~is_joined], kinds[~is_joined]
        ends = np.append(starts[1:], end) if len(starts) else ends
        sizes = {kind: int((ends - starts)[kinds == code].sum()) for code, kind in enumerate(KINDS)}
        table = pa.table(
            [
                pa.repeat(pa.scalar(source_id, pa.string()), len(starts)),
                pa.array(starts), pa.array(ends), pa.array(KINDS).take(pa.array(kinds)),
            ],
            schema=schema.SPANS.schema,
        )  # fmt: skip
        filler = sum(size for kind, size in sizes.items() if kind not in {"game", "quarantine"})
        return table, {"n_bytes_games": sizes["game"], "n_bytes_quarantined": sizes["quarantine"], "n_bytes_filler": filler}
