"""Paths as given on the command line → files, in a fixed order.

Left out on purpose: the lake itself, hidden files and folders below a given folder, unfinished files (`*.part`, `*.tmp`),
links that lead out of the given folder, linked folders (their files are found where they are) and whatever is no regular
file (sockets, pipes, devices). What cannot be read is reported, not skipped: `Found.error` says why.
"""

from __future__ import annotations

import fnmatch
import os
import re
import stat
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path

from pipeline.sources.paths import reported

STDIN = "-"
UNFINISHED = (b".part", b".tmp")
"""Endings of files that a download or a copy has not finished yet."""
_WILD = re.compile(r"[*?\[]")


class NoSuchPath(Exception):
    """A path that was asked for does not exist, or a pattern matches nothing. `path` is valid Unicode."""

    def __init__(self, path: str) -> None:
        super().__init__(f"no such file or folder: {path}")
        self.path = path


@dataclass(frozen=True, slots=True)
class Found:
    """A file to read. Paths are valid Unicode (`paths.reported`); `-` is standard input.

    `relative_path` is below `root`, the absolute path of the folder that was given (or that holds the given file):
    together they say which former version of the file this one replaces.
    """

    path: str
    absolute_path: str
    root: str
    relative_path: str
    n_bytes: int = 0
    error: str | None = None
    """Why the file or folder cannot be read; None = it can."""


def find(paths: Sequence[str], *, exclude: Path | None = None) -> Iterator[Found]:
    """The files that `paths` name: files, folders, patterns (`**` = any folders), `-`; each file once.

    Arguments in the order given, below a folder sorted by the bytes of the path. `exclude` (the lake) and all below it
    is left out. Raises NoSuchPath before the first file when one of the arguments does not exist or matches nothing.
    """
    seen: set[str] = set()
    excluded = os.path.realpath(os.fsencode(exclude)) if exclude is not None else None
    walks = []
    for path in paths:
        given, matches = _plan(path)
        if matches is not None and next(_walk(given, excluded, matches), None) is None:
            raise NoSuchPath(reported(path))
        walks.append(_walk(given, excluded, matches) if path != STDIN else iter((Found(STDIN, STDIN, STDIN, STDIN),)))
    for walk in walks:
        for found in walk:
            if found.absolute_path not in seen:
                seen.add(found.absolute_path)
                yield found


def _plan(path: str) -> tuple[bytes, re.Pattern[bytes] | None]:
    """The file or folder to start from and, for a pattern, what must match. Raises NoSuchPath."""
    raw = os.fsencode(path)
    if path == STDIN or os.path.lexists(raw):
        if path != STDIN and not os.path.exists(raw):
            raise NoSuchPath(reported(path))  # a link to nowhere
        return raw, None
    if not _WILD.search(path):
        raise NoSuchPath(reported(path))
    parts = raw.split(b"/")
    n_fixed = next(i for i, part in enumerate(parts) if _WILD.search(os.fsdecode(part)))
    start = b"/".join(parts[:n_fixed]) or (b"/" if raw.startswith(b"/") else b".")
    if not os.path.isdir(start):
        raise NoSuchPath(reported(path))
    return start, _pattern(parts[n_fixed:])


def _pattern(parts: list[bytes]) -> re.Pattern[bytes]:
    """Matches a path below the start when the pattern matches it or a folder above it, as a shell and a walk would."""
    pieces = []
    for i, part in enumerate(parts):
        if part == b"**":
            pieces.append("(?:[^/]+/)*" if i < len(parts) - 1 else ".+")
        elif part:
            one = fnmatch.translate(os.fsdecode(part))
            one = one.removeprefix("(?s:").removesuffix(r")\Z").removesuffix(r")\z").replace(".*", "[^/]*")
            pieces.append(one + ("/" if i < len(parts) - 1 else ""))
    return re.compile(os.fsencode("".join(pieces)) + rb"(?:/.*)?\Z", re.DOTALL)


def _walk(start: bytes, excluded: bytes | None, matches: re.Pattern[bytes] | None) -> Iterator[Found]:
    """The files at or below `start`. A missing right becomes a `Found` with `error`."""
    start = start.rstrip(b"/") or b"/"
    is_here = start == b"." and matches is not None  # `*.pgn` gives `a.pgn`, as in a shell
    absolute = os.path.abspath(start)
    if not os.path.isdir(start):
        folder = os.path.dirname(absolute)
        if not start.lower().endswith(UNFINISHED) and not _is_within(os.path.realpath(start), excluded):
            found = _file(start, folder, os.path.basename(absolute))
            if found is not None:
                yield found
        return
    real_root = os.path.realpath(start)
    # Folders still to list, last first: (path as given, path below the root). Names are compared with a slash after
    # folders, which is the order of whole paths.
    todo: list[tuple[bytes, bytes, bool]] = [(start, b"", True)]
    while todo:
        path, below, is_folder = todo.pop()
        if not is_folder:
            if matches is None or matches.match(below):
                found = _file(below if is_here else path, absolute, below)
                if found is not None:
                    yield found
            continue
        if _is_within(os.path.realpath(path), excluded):
            continue
        try:
            with os.scandir(path) as listing:
                entries = list(listing)
        except OSError as error:
            if matches is None or not below or matches.match(below):
                yield _unreadable(path, absolute, below, error)
            continue
        todo.extend(sorted(_entries(entries, below, real_root), key=_path_order, reverse=True))


def _path_order(item: tuple[bytes, bytes, bool]) -> bytes:
    return item[0] + b"/" if item[2] else item[0]


def _entries(entries: list[os.DirEntry[bytes]], below: bytes, real_root: bytes) -> Iterator[tuple[bytes, bytes, bool]]:
    """What of a folder's entries is worth a look: no hidden, unfinished or straying ones."""
    for entry in entries:
        name = entry.name
        if name.startswith(b".") or name.lower().endswith(UNFINISHED):
            continue
        try:
            is_folder = entry.is_dir(follow_symlinks=False)
            if entry.is_symlink() and (os.path.isdir(entry.path) or not _is_within(os.path.realpath(entry.path), real_root)):
                continue
        except OSError:
            is_folder = False  # reported when the file is looked at
        yield entry.path, (below + b"/" if below else b"") + name, is_folder


def _file(path: bytes, root: bytes, below: bytes) -> Found | None:
    """The regular file at `path`; None for sockets, pipes and devices."""
    try:
        status = os.stat(path)
    except OSError as error:
        return _unreadable(path, root, below, error)
    if not stat.S_ISREG(status.st_mode):
        return None
    return Found(reported(path), reported(os.path.abspath(path)), reported(root), reported(below), status.st_size)


def _unreadable(path: bytes, root: bytes, below: bytes, error: OSError) -> Found:
    why = error.strerror or type(error).__name__
    return Found(reported(path), reported(os.path.abspath(path)), reported(root), reported(below or b"."), 0, why)


def _is_within(path: bytes, folder: bytes | None) -> bool:
    return folder is not None and (path == folder or path.startswith(folder.rstrip(b"/") + b"/"))
