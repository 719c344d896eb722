"""What is there to read: found files → members → content hashes → known, wanted, unreadable, gone."""

from __future__ import annotations

import codecs
import hashlib
import os
import time
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from pipeline import ids, sources, split
from pipeline.run.options import MIB, IngestOptions, Report
from pipeline.run.plan import PIECE_BYTES, Cut, Reading, Wanted, cut
from pipeline.sources import STDIN, Found, Member
from pipeline.sources.paths import native, reported
from pipeline.store import DATA, READING_OPTIONS, Row, State, lost_segments, reading_of

Place = tuple[str, str]
"""(collection, path below its root)."""
Stamp = tuple[int, int, int]
"""(size, mtime in ns, inode) of a file: when it differs the file was written to."""


@dataclass
class Discovery:
    """What a look at the input came to. Rows are of source_paths, without `removed_at`."""

    rows: list[Row] = field(default_factory=list)
    wanted: dict[str, Wanted] = field(default_factory=dict)
    known: set[str] = field(default_factory=set)
    containers: dict[str, str] = field(default_factory=dict)
    """source_id → container_id of members."""
    stamps: dict[str, tuple[str, Stamp]] = field(default_factory=dict)
    """source_id → the file (as reported) that workers read it from, and its stamp when it was hashed."""
    replaced: list[Place] = field(default_factory=list)
    """Places that a file held when it was another one (a container with other members) and holds no more."""
    gone: list[Place] = field(default_factory=list)
    """Places whose file is no more; `--prune` takes them out."""
    lost: dict[str, list[str]] = field(default_factory=dict)
    """Segment of which a data file is missing → the live sources that it held: those that are found are read again."""
    n_places: int = 0
    """Live paths of the collections that were looked at."""
    n_read_errors: int = 0
    n_deferred: int = 0
    is_complete: bool = True
    """False when the run was stopped while looking."""


def stamp_of(path: str) -> Stamp | None:
    """The stamp of a file as reported; None when it cannot be had."""
    try:
        status = os.stat(native(path))
    except OSError:
        return None
    return status.st_size, status.st_mtime_ns, status.st_ino


def reading(options: IngestOptions) -> Reading:
    """What results depend on besides bytes."""
    return Reading(options.language, options.notation, options.encoding, options.results_version)


def discover(
    options: IngestOptions, state: State, lake: Path, spool: Path | None, report: Report, stop: Callable[[], bool]
) -> Discovery:
    """Looks at all paths. Raises sources.NoSuchPath before anything else happens.

    Members that workers could not reach cheaply (of standard input, later ones of a container, large ones that can be cut) are
    written to the folder `spool`; None = a dry run, which writes nothing.
    """
    look = _Look(options, state, spool, report)
    look.note_lost(lost_segments(lake / DATA, state.segments))
    for found in sources.find(options.paths, exclude=lake):
        if stop():
            look.found.is_complete = False
            break
        look.file(found)
    look.finish()
    return look.found


class _Look:
    """One look; `found` collects what it comes to."""

    def __init__(self, options: IngestOptions, state: State, spool: Path | None, report: Report) -> None:
        self.options, self.state, self.spool, self.report = options, state, spool, report
        self.reading = reading(options)
        self.found = Discovery()
        self.now = time.time()
        self.places: dict[Place, str | None] = {}
        self.whole: set[Place] = set()
        self.lost_sources: set[str] = set()
        self.statuses: dict[str | None, str] | None = None

    def note_lost(self, segments: frozenset[str]) -> None:
        """Takes the sources of segments of which a file is missing for unread."""
        if not segments:
            return
        self.found.lost = {key: [] for key in sorted(segments)}
        for source_id, row in sorted(self.state.sources.items()):
            for key in segments.intersection(row["segments"]):
                self.found.lost[key].append(source_id)
                self.lost_sources.add(source_id)
        self.report({"event": "lost", "n_segments": len(segments), "n_sources": len(self.lost_sources)})

    def file(self, found: Found) -> None:
        """One found file and its members."""
        stamp = None if found.path == STDIN else stamp_of(found.absolute_path)
        age = self.now - stamp[1] / 1e9 if stamp else 0.0
        if stamp and self.options.settle_seconds > 0 and age < self.options.settle_seconds:
            self._defer(found)
            return
        container_id: str | None = None
        n_members, is_whole = 0, True
        for member in sources.members(found):
            if member.inner is not None and container_id is None and found.path != STDIN:
                container_id = _hash_file(found.absolute_path)
            n_members += member.inner is not None
            is_whole = is_whole and member.status in ("ok", "binary")
            self._member(member, stamp, container_id if member.inner is not None else None, n_members)
        if stamp is not None and stamp_of(found.absolute_path) != stamp:
            self._forget_changed(found)
        elif is_whole and stamp is not None:
            self.whole.add((self.options.collection or found.root, found.relative_path))

    def _defer(self, found: Found) -> None:
        place = self._place(found.root, found.relative_path, None)
        self.found.n_deferred += 1
        self.found.rows.append(_row(place, None, found.absolute_path, found.n_bytes, "deferred"))
        self.report({"event": "deferred", "path": found.path, "detail": "modified just now"})

    def _forget_changed(self, found: Found) -> None:
        """The file was written to while it was hashed: nothing that was seen of it counts."""
        changed = [row for row in self.found.rows if _is_at_or_in(row["absolute_path"], found.absolute_path)]
        self.found.rows = [row for row in self.found.rows if row not in changed]
        kept = {row["source_id"] for row in self.found.rows}
        for row in changed:
            self.places.pop((row["collection"], row["path"]), None)
            if row["source_id"] not in kept:
                self.found.wanted.pop(row["source_id"], None)
                self.found.known.discard(row["source_id"])
        self._defer(found)

    def _place(self, root: str, path: str, source_id: str | None) -> Place:
        """Where a path is kept. A container may hold two members of one name: the second is told apart by a number."""
        collection = self.options.collection or root
        place, n = (collection, path), 1
        while place in self.places and self.places[place] != source_id:
            n += 1
            place = (collection, f"{path}#{n}")
        self.places[place] = source_id
        return place

    def _member(self, member: Member, stamp: Stamp | None, container_id: str | None, nth: int) -> None:
        """Hashes a member and decides whether it has to be read."""
        source_id = _source_id(member)
        inner = f"!{member.inner}" if member.inner is not None else ""
        path = member.relative_path
        if member.root == STDIN:
            name = self.options.name or f"stdin-{(source_id or '')[:12]}"
            path = name + inner
        place = self._place(member.root, path, source_id)
        absolute = None if member.root == STDIN else member.absolute_path + inner
        is_known = source_id is not None and self._is_known(source_id, member.document)
        status = self._status_of_known(source_id) if is_known and member.document else member.status
        self.found.rows.append(_row(place, source_id, absolute, member.n_bytes, status or member.status))
        if member.status != "ok":
            self.report({"event": "warning", "path": member.path, "status": member.status, "detail": member.detail})
        if source_id is None:
            self.found.n_read_errors += 1
            return
        if container_id is not None:
            self.found.containers.setdefault(source_id, container_id)
        if is_known:
            self.found.known.add(source_id)
            return
        if source_id not in self.found.wanted:
            self.found.wanted[source_id] = self._wanted(member, source_id, stamp, nth)

    def _status_of_known(self, source_id: str | None) -> str | None:
        """What reading a document came to; None when it is not live."""
        if self.statuses is None:
            self.statuses = {row["source_id"]: row["status"] for row in self.state.paths.values() if row["removed_at"] is None}
        return self.statuses.get(source_id)

    def _is_known(self, source_id: str, document: str | None) -> bool:
        row = self.state.sources.get(source_id)
        if row is None:
            return False
        mine = (*(getattr(self.options, name) for name in READING_OPTIONS), self.options.results_version)
        theirs = reading_of(row)
        if theirs[:-1] != mine[:-1] and source_id not in self.found.wanted:
            detail = f"was read with other options ({_told(theirs)}); this reading ({_told(mine)}) replaces it"
            self.report({"event": "warning", "path": row["path"], "status": "replaced", "detail": detail})
        if document is not None and sources.extractor(document) not in (None, row.get("extractor")):
            return False  # read by another version, or not read as nothing was installed that could
        return theirs == mine and source_id not in self.lost_sources

    def _wanted(self, member: Member, source_id: str, stamp: Stamp | None, nth: int) -> Wanted:
        path, inner = member.absolute_path, member.inner
        is_large = member.status == "ok" and member.n_bytes > PIECE_BYTES and member.document is None
        if self.spool is not None and member.data is not None and (member.root == STDIN or nth > 1 or (nth and is_large)):
            path, inner = _spooled(self.spool, source_id, member.data), None
        elif stamp is not None:
            self.found.stamps[source_id] = (member.absolute_path, stamp)
        cuts: tuple[Cut, ...] = ()
        decision = None
        if is_large and inner is None and path != STDIN:
            decision = _plain_text(path, self.options.encoding)
            if decision is not None:
                cuts = cut(lambda start, end: sources.read_range(path, start, end), member.n_bytes, split.borders)
        decision = decision if cuts else None
        return Wanted(source_id, path, inner, member.n_bytes, member.status, cuts, decision, member.document)

    def finish(self) -> None:
        """Which live paths of the collections that were looked at are replaced or gone."""
        if not self.found.is_complete:
            return
        collections = {place[0] for place in self.places}
        for row in self.state.paths.values():
            place = (row["collection"], row["path"])
            if row["removed_at"] is not None or place[0] not in collections:
                continue
            self.found.n_places += 1
            if place in self.places:
                continue
            if any((place[0], file) in self.whole for file in _files_of(place[1])):
                self.found.replaced.append(place)
            elif row["absolute_path"] and not any(os.path.lexists(native(file)) for file in _files_of(row["absolute_path"])):
                self.found.gone.append(place)


def _files_of(path: str) -> Iterator[str]:
    """Paths that may be the file of a member `file!inner`, itself first (names may hold a `!`)."""
    parts = path.split("!")
    for n in range(len(parts), 0, -1):
        yield "!".join(parts[:n])


def _is_at_or_in(path: str | None, file: str) -> bool:
    return path is not None and (path == file or path.startswith(f"{file}!"))


def _row(place: Place, source_id: str | None, absolute_path: str | None, n_bytes: int, status: str) -> Row:
    return {
        "source_id": source_id,
        "collection": place[0],
        "path": place[1],
        "absolute_path": absolute_path,
        "n_bytes": n_bytes,
        "status": status,
    }


def _source_id(member: Member) -> str | None:
    """First 32 hex digits of SHA-256 of the member's bytes; None when there are none to be had."""
    if member.status == "read_error":
        return None
    if member.data is not None:
        return ids.source_id(member.data)
    return _hash_file(member.absolute_path) if member.inner is None and member.root != STDIN else None


def _hash_file(path: str) -> str | None:
    digest = hashlib.sha256()
    try:
        for piece in _pieces(path):
            digest.update(piece)
    except OSError:
        return None
    return digest.hexdigest()[:32]


def _pieces(path: str) -> Iterator[bytes]:
    with open(native(path), "rb") as file:
        while piece := file.read(MIB):
            yield piece


def _plain_text(path: str, hint: str | None) -> dict[str, Any] | None:
    """The decision for a file that is ASCII or UTF-8 throughout, as `sources.decide` would make it; else None.

    Only such files are cut: every part then has the encoding of the whole.
    """
    named = sources.check_encoding(hint) if hint is not None else None
    if named not in (None, "utf-8", "ascii"):
        return None
    decoder = codecs.getincrementaldecoder("utf-8")()
    is_ascii, head = True, b""
    try:
        for piece in _pieces(path):
            head = head or piece[:3]
            if 0 in piece:
                return None
            is_ascii = is_ascii and piece.isascii()
            decoder.decode(piece)
        decoder.decode(b"", final=True)
    except UnicodeDecodeError:
        return None
    has_mark = head == codecs.BOM_UTF8
    return sources.Decision.of_valid_utf8(is_ascii=is_ascii, has_mark=has_mark, hint=named).as_dict()


def _spooled(folder: Path, source_id: str, data: bytes) -> str:
    folder.mkdir(exist_ok=True)
    path = folder / source_id
    path.write_bytes(data)
    return reported(path)


def _told(values: tuple[str | None, ...]) -> str:
    return ", ".join(f"{name} {value}" for name, value in zip(READING_OPTIONS, values, strict=False) if value) or "none"
