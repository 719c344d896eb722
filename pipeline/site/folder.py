"""The folder that a site is written to: made beside its place, then renamed into it, whole or not at all."""

from __future__ import annotations

import json
import os
import re
import shutil
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path

MARKER = "notatio-site.json"
"""Names the files that were written: a folder that holds others is never replaced."""


class SiteRefused(Exception):
    """The folder must not be written or replaced; the message says why, `remedy` what to do."""

    def __init__(self, what: str, remedy: str) -> None:
        super().__init__(what)
        self.remedy = remedy


@dataclass
class SiteFolder:
    """A site as it grows. Paths are relative, with `/`."""

    root: Path
    files: set[str] = field(default_factory=set)
    n_bytes: int = 0

    def write(self, path: str, text: str) -> None:
        """Writes a text as UTF-8. A path is written once."""
        if path in self.files:
            raise ValueError(f"{path} is written twice")
        self.files.add(path)
        data = text.encode("utf-8", "replace")
        self.n_bytes += len(data)
        place = self.root / path
        place.parent.mkdir(exist_ok=True)
        place.write_bytes(data)


@contextmanager
def site_folder(out: Path, **told: object) -> Iterator[SiteFolder]:
    """A new folder that takes the place of `out` when the block ends well. `told`: what the marker says besides.

    Raises SiteRefused when something is there that no site is; OSError.
    """
    out = Path(os.path.abspath(out))
    check(out)
    if not out.parent.is_dir():
        raise SiteRefused(f"There is no folder {out.parent}", "Make it first, or name another one")
    _tidy(out)
    new, old = (out.with_name(f".{out.name}.{os.getpid()}.{name}") for name in ("new", "old"))
    new.mkdir()
    try:
        folder = SiteFolder(new)
        yield folder
        marker = {"made_by": "notatio site", **told, "files": sorted({*folder.files, MARKER})}
        folder.write(MARKER, json.dumps(marker, indent=1, ensure_ascii=False) + "\n")
        check(out)  # it may have changed meanwhile
        if out.exists():
            out.rename(old)
        try:
            new.rename(out)
        except OSError:
            if old.exists():
                old.rename(out)
            raise
    finally:
        for left in (new, old):
            shutil.rmtree(left, ignore_errors=True)


def _tidy(out: Path) -> None:
    """Removes folders that killed runs left beside `out`; a site that one had moved aside comes back if there is no other."""
    name = re.compile(rf"\.{re.escape(out.name)}\.(\d+)\.(new|old)", re.ASCII)
    for place in sorted(out.parent.iterdir()):
        left = name.fullmatch(place.name)
        if left is None or place.is_symlink() or _is_running(int(left[1])):
            continue
        if left[2] == "old" and not out.exists():
            place.rename(out)
        else:
            shutil.rmtree(place, ignore_errors=True)


def _is_running(process: int) -> bool:
    try:
        os.kill(process, 0)
    except (ProcessLookupError, OverflowError):
        return False
    except PermissionError:
        pass
    return True


def check(out: Path) -> None:
    """Raises SiteRefused unless `out` is free, an empty folder, or a site with no file that was not written with it."""
    another = "Name another folder, or move what is there"
    if out.is_symlink() or (out.exists() and not out.is_dir()):
        raise SiteRefused(f"What is at {out} is no folder", another)
    if not out.exists() or not any(out.iterdir()):
        return
    try:
        marker = json.loads((out / MARKER).read_text("utf-8"))
        own = set(marker["files"]) if marker["made_by"] == "notatio site" else set()
    except (OSError, ValueError, KeyError, TypeError):
        raise SiteRefused(f"The folder {out} is not empty, and no site of ours", another) from None
    for folder, folders, names in os.walk(out):
        links = [name for name in folders if os.path.islink(os.path.join(folder, name))]
        for name in sorted([*names, *links]):
            path = os.path.relpath(os.path.join(folder, name), out).replace(os.sep, "/")
            if path not in own:
                raise SiteRefused(
                    f"The folder {out} holds {path!r}, which was not written with the site and would be lost", another
                )
