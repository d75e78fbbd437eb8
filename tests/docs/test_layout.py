"""The pages of the documentation fit on phones and desktops, and can be searched without a server."""

import shutil
import subprocess
import sys
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
