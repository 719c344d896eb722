"""What people decided about who is who: rows of curation/aliases.csv → merges, splits and sides of single games."""

from __future__ import annotations

import hashlib
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from typing import Any

from pipeline.names import name_key

_FIELDS = ("decision", "name", "other", "text_id", "color", "undoes")


class BadAlias(ValueError):
    """A row of aliases.csv that cannot be applied; the text says why. `line`: where it was read from, None = unknown."""

    def __init__(self, what: str, line: int | None) -> None:
        super().__init__(what)
        self.line = line


@dataclass(slots=True)
class Decisions:
    """Decisions that are in force. Keys are name keys; `id` is the decision's."""

    merges: list[tuple[str, str, str]] = field(default_factory=list)
    """(key, other key, id)."""
    splits: list[tuple[str, str, str]] = field(default_factory=list)
    """(key, other key, id): two persons."""
    spellings: list[tuple[str, str, str]] = field(default_factory=list)
    """(name as written, person key, id): all games with that very spelling, whose key is another person's."""
    sides: list[tuple[str, str, str | None, str]] = field(default_factory=list)
    """(text_id, color, key of the person or None = one of their own, id)."""


def decision_id(row: Mapping[str, Any]) -> str:
    """Id of a decision: the first 12 hex digits of SHA-256 of what it says and when."""
    said = "\n".join(str(row.get(name) or "") for name in (*_FIELDS, "made_at"))
    return hashlib.sha256(said.encode()).hexdigest()[:12]


def checked_aliases(rows: Iterable[Mapping[str, Any]]) -> Decisions:
    """Decisions that no later row takes back. Raises BadAlias for a row that makes no sense."""
    found: dict[str, Mapping[str, Any]] = {}
    undone: set[str] = set()
    for row in rows:
        id_ = row.get("decision_id") or decision_id(row)
        if row.get("decision") == "undo":
            if row.get("undoes") not in found:
                raise BadAlias(f"undoes {row.get('undoes')!r}, which is no decision above it", row.get("line"))
            undone.add(str(row["undoes"]))
        elif row.get("decision") in ("merge", "split"):
            if id_ in found:
                raise BadAlias(f"decision_id {id_} stands here twice", row.get("line"))
            found[id_] = row
        else:
            raise BadAlias(f"decision {row.get('decision')!r} is neither merge nor split nor undo", row.get("line"))
    decisions = Decisions()
    for id_, row in found.items():
        _add(decisions, id_, row, id_ not in undone)
    return decisions


def _add(decisions: Decisions, id_: str, row: Mapping[str, Any], is_in_force: bool) -> None:
    line = row.get("line")
    other = _key(row["other"], line) if row.get("other") else None
    if row.get("text_id"):
        if row.get("color") not in ("w", "b"):
            raise BadAlias(f"color {row.get('color')!r} is neither w nor b", line)
        if is_in_force:
            decisions.sides.append((row["text_id"], row["color"], other, id_))
        return
    if not row.get("name") or other is None:
        raise BadAlias("there is neither a text_id nor both a name and an other name", line)
    key = _key(row["name"], line)
    if not is_in_force:
        return
    if row["decision"] == "merge":
        decisions.merges.append((key, other, id_))
    elif key == other:
        decisions.spellings.append((row["name"], f"{key}/{row['name']}", id_))
    else:
        decisions.splits.append((key, other, id_))


def _key(name: str, line: int | None) -> str:
    key = name_key(name)
    if key is None:
        raise BadAlias(f"{name!r} names no person", line)
    return key
