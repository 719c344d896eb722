"""What a commit does to a lake, as a function of values: (state, change) → new state. No file is touched here.

The rules of docs/lake.md in one place: one reading of a source is live; a changed file replaces its former source; a source
lives as long as a live path leads to it.
"""

from __future__ import annotations

import hashlib
from collections.abc import Callable, Collection, Mapping, Sequence
from dataclasses import dataclass, field

from pipeline.store.files import FileRef
from pipeline.store.registry import PathKey, Row, path_key, reading_of

Files = dict[str, FileRef]
"""Table → its file in one segment; tables without rows have none."""
Without = Callable[[Files, frozenset[str]], Files]
"""(files of a segment, sources) → files without those sources (`removal.without`)."""


@dataclass(frozen=True)
class State:
    """What a snapshot says is live: data by segment (the output of one shard), sources by id, paths by key."""

    segments: dict[str, Files] = field(default_factory=dict)
    sources: dict[str, Row] = field(default_factory=dict)
    paths: dict[PathKey, Row] = field(default_factory=dict)


@dataclass(frozen=True)
class Staged:
    """A segment that is written but not live yet, and all sources that its files hold."""

    files: Files
    sources: frozenset[str]


@dataclass(frozen=True)
class Change:
    """What a run wants to be true. `sources` are whole readings: every part is in `segments`.

    `paths` are rows of source_paths to be live; `gone` are (collection, path) whose file is no more; `forget` are sources
    to take out wherever they are.
    """

    segments: Mapping[str, Staged] = field(default_factory=dict)
    sources: Mapping[str, Row] = field(default_factory=dict)
    paths: Sequence[Row] = ()
    gone: Collection[tuple[str, str]] = ()
    forget: Collection[str] = ()


@dataclass(frozen=True)
class Applied:
    """The state after a change. `taken`: sources that were live already, read alike; ours were not needed.

    `missing`: sources that a path row names but that are not live (any more): they have to be read.
    `outgoing`: sources that left. `changed` is False when the change was true already.
    """

    state: State
    added: frozenset[str]
    taken: frozenset[str]
    missing: frozenset[str]
    outgoing: frozenset[str]
    changed: bool


def segment_key(files: Mapping[str, FileRef]) -> str:
    """Name of a segment: 32 hex digits of the hash of its files' names."""
    names = "\n".join(sorted(reference.name for reference in files.values()))
    return hashlib.sha256(names.encode()).hexdigest()[:32]


def apply(old: State, change: Change, now: str, without: Without, lost: Collection[str] = ()) -> Applied:
    """The state after `change`. `now` (ISO 8601, UTC) dates removals.

    `lost`: segments of which a file is missing. What was read of them again takes their place, when it is all of them or
    the rest leaves: there is nothing to take a part out of.
    """
    readable = (old.sources.keys() | change.sources.keys()) - set(change.forget)
    paths, missing = _apply_paths(old.paths, change, readable, now)
    referenced = {row["source_id"] for row in paths.values() if row["removed_at"] is None}

    renewed = _renewed(old, change.sources, referenced, frozenset(lost)) if lost else frozenset()
    live = (s for s, row in change.sources.items() if s in old.sources and _is_same_reading(old.sources[s], row))
    taken = frozenset(s for s in live if s not in renewed)
    incoming = {s: row for s, row in change.sources.items() if s not in taken and s not in change.forget and s in referenced}
    outgoing = frozenset(s for s in old.sources if s in incoming or s not in referenced)
    segments, sources = _take_out(old, outgoing, without)
    _bring_in(segments, sources, change, incoming, without)
    _name_first_path(sources, paths)
    new = State(segments, sources, paths)
    changed = bool(incoming or outgoing) or paths != old.paths
    return Applied(new, frozenset(incoming), taken, missing, outgoing - incoming.keys(), changed)


def _renewed(old: State, sources: Collection[str], referenced: Collection[str], lost: frozenset[str]) -> frozenset[str]:
    """Live sources that are read again because their segments are lost, and can be replaced."""
    held = {s: lost.intersection(row["segments"]) for s, row in old.sources.items()}
    stuck = {key for s, keys in held.items() if s in referenced and s not in sources for key in keys}
    return frozenset(s for s, keys in held.items() if s in sources and keys and not keys & stuck)


def _is_same_reading(one: Row, other: Row) -> bool:
    return reading_of(one) == reading_of(other) and one.get("extractor") == other.get("extractor")


def _apply_paths(
    old: Mapping[PathKey, Row], change: Change, readable: Collection[str], now: str
) -> tuple[dict[PathKey, Row], frozenset[str]]:
    """Path rows after the change, and the sources that they miss."""
    paths = dict(old)
    live: dict[tuple[str, str], list[PathKey]] = {}
    for key, row in old.items():
        if row["removed_at"] is None:
            live.setdefault(key[:2], []).append(key)
    missing = set()

    def close(keys: list[PathKey]) -> None:
        for key in keys:
            if key[2]:
                paths[key] = {**paths[key], "removed_at": now}
            else:
                del paths[key]

    for row in change.paths:
        place, source_id = (row["collection"], row["path"]), row["source_id"]
        there = live.get(place, [])
        if source_id is None and any(key[2] for key in there):
            for key in there:  # unreadable today: what was read before stays live
                paths[key] = {**paths[key], "status": row["status"]}
            continue
        if source_id is not None and source_id not in readable:
            missing.add(source_id)
            continue
        close([key for key in there if key[2] != (source_id or "")])
        paths[path_key(row)] = {**row, "removed_at": None}
        live[place] = [path_key(row)]
    for place in change.gone:
        close(live.pop(place, []))
    forgotten = set(change.forget)
    for key in [key for keys in live.values() for key in keys if key[2] in forgotten]:
        close([key])
    return paths, frozenset(missing)


def _take_out(old: State, outgoing: Collection[str], without: Without) -> tuple[dict[str, Files], dict[str, Row]]:
    """Segments and sources without `outgoing`; segments that others share are rewritten without them."""
    sources = {s: row for s, row in old.sources.items() if s not in outgoing}
    touched = {key for s in outgoing for key in old.sources[s]["segments"]}
    if not touched:
        return dict(old.segments), sources
    holders: dict[str, set[str]] = {key: set() for key in touched}
    for s, row in old.sources.items():
        for key in touched.intersection(row["segments"]):
            holders[key].add(s)
    segments = {key: files for key, files in old.segments.items() if key not in touched}
    renamed: dict[str, str] = {}
    for key in sorted(touched):
        if holders[key] - set(outgoing):
            files = without(old.segments[key], frozenset(holders[key] & set(outgoing)))
            renamed[key] = segment_key(files)
            segments[renamed[key]] = files
    for s, row in sources.items():
        if touched.intersection(row["segments"]):
            sources[s] = {**row, "segments": [renamed.get(key, key) for key in row["segments"]]}
    return segments, sources


def _bring_in(
    segments: dict[str, Files], sources: dict[str, Row], change: Change, incoming: Mapping[str, Row], without: Without
) -> None:
    """Adds the incoming sources; a staged segment that also holds sources that are not wanted is rewritten without them."""
    renamed: dict[str, str] = {}
    for key, staged in change.segments.items():
        unwanted = frozenset(staged.sources - incoming.keys())
        if unwanted == staged.sources:
            continue
        kept = without(staged.files, unwanted) if unwanted else staged.files
        renamed[key] = segment_key(kept)
        segments[renamed[key]] = kept
    for s, row in incoming.items():
        sources[s] = {**row, "segments": [renamed[key] for key in row["segments"]]}


def _name_first_path(sources: dict[str, Row], paths: Mapping[PathKey, Row]) -> None:
    """Gives each source the collection and path that sort first among its live ones."""
    first: dict[str, PathKey] = {}
    for key, row in paths.items():
        if row["removed_at"] is None and key[2] and key[:2] < first.get(key[2], ("\U0010ffff", "", ""))[:2]:
            first[key[2]] = key
    for s, row in sources.items():
        collection, path, _ = first[s]
        if (row.get("collection"), row.get("path")) != (collection, path):
            sources[s] = {**row, "collection": collection, "path": path}
