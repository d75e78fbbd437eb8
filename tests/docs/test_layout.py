"""The pages of the documentation fit on phones and desktops, and can be searched without a server."""

import shutil
import subprocess
import sys
from html.parser import HTMLParser
from pathlib import Path
from typing import Any

import pytest

PROJECT = Path(__file__).parents[2]
TOO_WIDE = """() => [document.scrollingElement, ...document.querySelectorAll(".md-content table")]
    .filter((each) => each.tagName === "HTML"
        ? each.scrollWidth > innerWidth
        : (each.closest(".md-typeset__scrollwrap") ?? each).getBoundingClientRect().right > innerWidth)
    .map((each) => each.textContent.slice(0, 80))"""
SCROLLING = """() => [...document.querySelectorAll(".md-typeset__scrollwrap")]
    .filter((each) => each.scrollWidth > each.clientWidth).map((each) => each.textContent.slice(0, 80))"""


@pytest.fixture(scope="module")
def site(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Build the site from a copy of its sources."""
    copy = tmp_path_factory.mktemp("project")
    for name in ("docs", "src"):
        shutil.copytree(PROJECT / name, copy / name, ignore=shutil.ignore_patterns("__pycache__"))
    for name in ("mkdocs.yml", "CHANGELOG.md", "CITATION.cff", "CONTRIBUTING.md", "README.md"):
        shutil.copy(PROJECT / name, copy)
    subprocess.run([Path(sys.executable).with_name("zensical"), "build"], cwd=copy, check=True, capture_output=True)
    return copy / "site"


@pytest.mark.slow
@pytest.mark.parametrize("width", [390, 1280])
def test_no_page_is_wider_than_the_window(browser: Any, site: Path, width: int) -> None:
    page = browser.new_page(viewport={"width": width, "height": 800})
    too_wide = {}
    for file in [*sorted(site.glob("*.html")), site / "learn" / "index.html", site / "learn" / "pig.html"]:
        page.goto(file.as_uri())
        too_wide[str(file.relative_to(site))] = page.evaluate(TOO_WIDE)
    page.close()
    assert {name: found for name, found in too_wide.items() if found} == {}


BROKEN = """() => [...document.querySelectorAll(".md-content td:first-child > code:only-child")]
    .filter((each) => each.getClientRects().length > Math.max(2, each.textContent.split(" ").length + 1))
    .map((each) => each.textContent)"""


@pytest.mark.parametrize("name", ["getting-started", "shelf", "command-line", "learning", "protocol"])
def test_what_a_row_is_about_breaks_into_few_lines_on_a_phone(browser: Any, site: Path, name: str) -> None:
    page = browser.new_page(viewport={"width": 390, "height": 844})
    page.goto((site / f"{name}.html").as_uri())
    assert page.evaluate(BROKEN) == []
    page.close()


class _Links(HTMLParser):
    """The names and the local links of a page."""

    def __init__(self, page: Path) -> None:
        super().__init__()
        self.names: set[str | None] = {""}
        self.links: list[str] = []
        self.feed(page.read_text())

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.names |= {value for name, value in attrs if name == "id"}
        self.links += [value for name, value in attrs if name in ("href", "src") and value and ":" not in value]


def test_no_link_is_dead(site: Path) -> None:
    pages = {page: _Links(page) for page in site.rglob("*.html") if page.name != "404.html"}
    dead = set()
    for page, parsed in pages.items():
        for link in parsed.links:
            path, _, name = link.partition("#")
            target = (page.parent / path).resolve() if path else page
            if target.parent == site / "games":  # written by scripts/game_pages.py, and tested in test_pages
                continue
            if not target.exists() or (target in pages and name not in pages[target].names):
                dead.add(f"{page.relative_to(site)}: {link}")
    assert dead == set()


@pytest.mark.parametrize("name", ["published-numbers", "play", "command-line", "ten-thousand"])
def test_tables_need_no_scrolling_on_a_desktop(browser: Any, site: Path, name: str) -> None:
    page = browser.new_page(viewport={"width": 1280, "height": 800})
    page.goto((site / f"{name}.html").as_uri())
    page.locator(".md-typeset__scrollwrap").first.wait_for()
    assert page.evaluate(SCROLLING) == []
    page.close()


def test_search_works_from_the_file_system_and_without_a_network(browser: Any, site: Path) -> None:
    page = browser.new_page()
    requested = []
    page.on("request", lambda request: requested.append(request.url))
    for patience in range(1, 10):  # a script cannot see the list of results; Enter opens the first of them
        page.goto((site / "index.html").as_uri())
        page.keyboard.press("Control+k")
        page.locator("input:focus").wait_for()
        page.keyboard.type("Cleve")
        page.wait_for_timeout(500 * patience)
        page.keyboard.press("Enter")
        page.wait_for_timeout(500)
        if "fairness.html" in page.url:
            break
    assert "fairness.html" in page.url
    assert [url for url in requested if not url.startswith(("file:", "data:", "about:", "blob:"))] == []
    page.close()
