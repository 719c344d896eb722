"""Templates → pages. All that templates print is escaped and cleaned here, in one place."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import jinja2
from markupsafe import Markup

from pipeline.site import grid, texts
from pipeline.site.folder import SiteFolder

_HERE = Path(__file__).parent
ASSETS = ("site.css", "site.js")


@dataclass(frozen=True, slots=True)
class Chapter:
    """An entry of the navigation."""

    href: str
    title: str
    says: str
    """What is there, in a sentence."""


class Pages:
    """Writes pages into a folder. `chapters`: the navigation of every page; those that are not written are left out."""

    def __init__(self, folder: SiteFolder, chapters: Sequence[Chapter], **told: Any) -> None:
        self.folder = folder
        self._environment = jinja2.Environment(
            loader=jinja2.FileSystemLoader(_HERE / "templates"),
            autoescape=True,
            undefined=jinja2.StrictUndefined,
            finalize=_finalized,
            trim_blocks=True,
            lstrip_blocks=True,
            keep_trailing_newline=True,
        )
        self._environment.globals |= {"chapters": chapters, "n_chars": texts.MOST_CHARS, **told}
        self._environment.filters |= {
            "cell": grid.html,
            "sort_key": grid.sort_key,
            "name": texts.name,
            "marked": texts.marked,
            "paragraphs": texts.paragraphs,
            "number": texts.number,
        }

    def write(self, path: str, template: str, title: str, **values: Any) -> None:
        """Writes a page from templates/<template>.html. `title` is plain text."""
        root = "../" * path.count("/")
        page = self._environment.get_template(f"{template}.html").render(path=path, root=root, title=title, **values)
        self.folder.write(path, page)

    def write_assets(self) -> None:
        """Writes what all pages share."""
        for name in ASSETS:
            self.folder.write(name, (_HERE / "assets" / name).read_text("utf-8"))


def _finalized(value: Any) -> Any:
    """What `{{ … }}` prints: text without what HTML may not hold; nothing for None."""
    if value is None:
        return ""
    return texts.clean(value) if isinstance(value, str) and not isinstance(value, Markup) else value
