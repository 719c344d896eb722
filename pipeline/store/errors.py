"""What can go wrong with a lake, as types: each knows the exit code of the command and what to do about it.

Bad data is never an exception (it becomes an issue or a quarantine row); these are bad disks and bad configuration.
"""

from __future__ import annotations

import errno
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from pipeline.exits import EXIT_BUG, EXIT_CONFIGURATION, EXIT_LATER, EXIT_USAGE


class LakeError(Exception):
    """A lake cannot be read or written. `remedy` says what to do."""

    exit_code = EXIT_BUG

    def __init__(self, what: str, remedy: str = "") -> None:
        super().__init__(f"{what}. {remedy}" if remedy else what)
        self.remedy = remedy


class LakeUsage(LakeError):
    """What was asked for does not exist or is not allowed: the caller has to ask differently."""

    exit_code = EXIT_USAGE


class NoLake(LakeUsage):
    """There is no lake where one was expected."""


class LakeBusy(LakeError):
    """Another process holds a lock for longer than this one waits."""

    exit_code = EXIT_LATER


class DiskFull(LakeError):
    """No space or quota is left. What was committed stays."""

    exit_code = EXIT_LATER


class StorageAway(LakeError):
    """The storage does not answer. What was committed stays."""

    exit_code = EXIT_LATER


class BadLake(LakeError):
    """The lake is damaged, or this place cannot hold one."""

    exit_code = EXIT_CONFIGURATION


class NewerFormat(BadLake):
    """A newer version wrote this lake; this one must not write it."""


class FilesGone(LakeError):
    """Staged data files vanished before they were committed; `names` lists them. They have to be written again."""

    exit_code = EXIT_LATER

    def __init__(self, names: tuple[str, ...]) -> None:
        super().__init__(f"{len(names)} staged data files are gone ({', '.join(names[:3])})", "Run the ingest again")
        self.names = names


_FULL = {errno.ENOSPC, errno.EDQUOT}
_AWAY = {
    getattr(errno, name)
    for name in ("EIO", "ESTALE", "ENOTCONN", "ENODEV", "ENXIO", "ETIMEDOUT", "EHOSTDOWN", "EREMOTEIO", "ESHUTDOWN")
    if hasattr(errno, name)
}
_DENIED = {errno.EACCES, errno.EPERM, errno.EROFS}
_FULL_TEXTS = ("No space left on device", "Disk quota exceeded", "not enough space on the disk")
_AWAY_TEXTS = ("Input/output error", "Stale file handle", "Transport endpoint is not connected")


def _chain(error: BaseException | None) -> Iterator[BaseException]:
    """The exception and everything that it was raised from."""
    seen: set[int] = set()
    while error is not None and id(error) not in seen:
        seen.add(id(error))
        yield error
        error = error.__cause__ or error.__context__


def classify_text(text: str, place: Path | str) -> LakeError | None:
    """The typed error that an engine's error text means: polars and duckdb set no errno, workers send text."""
    if any(known in text for known in _FULL_TEXTS):
        return DiskFull(f"No space left for the lake {place}", "Free some space and run the same command again")
    if any(known in text for known in _AWAY_TEXTS):
        return StorageAway(f"The storage of the lake {place} does not answer", "Run the same command again when it is back")
    return None


def classify(error: BaseException, place: Path | str) -> LakeError | None:
    """The typed error that an exception means, by errno anywhere in its chain, else by text; None = it is something else."""
    for link in _chain(error):
        if isinstance(link, LakeError):
            return link
        code = getattr(link, "errno", None)
        if code in _FULL:
            return DiskFull(f"No space left for the lake {place}", "Free some space and run the same command again")
        if code in _AWAY:
            return StorageAway(f"The storage of the lake {place} does not answer", "Run the same command again when it is back")
        if code in _DENIED and isinstance(link, OSError):
            return BadLake(f"The lake {place} cannot be written here: {link}", "Give this user the right to write there")
    return next((found for link in _chain(error) if (found := classify_text(str(link), place))), None)


@contextmanager
def typed_errors(place: Path | str) -> Iterator[None]:
    """Turns the disk's errors inside the block into typed ones; leaves others alone."""
    try:
        yield
    except LakeError:
        raise
    except Exception as error:
        known = classify(error, place)
        if known is None:
            raise
        raise known from error
