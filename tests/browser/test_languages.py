"""The page in another language: nothing is left in English, and nothing breaks."""

import json
from collections.abc import Callable, Iterator
from typing import Any

import pytest
from playwright.sync_api import Route, expect
from visiting import Visit

from komi.web import language

FOREIGN = """() => {
    const found = new Set();
    const left = (text) => {
        for (let before = null; text !== before;) [before, text] = [text, text.replace(/⟦[^⟦⟧]*⟧/gu, " ")];
        // the browser writes what stands before the last of a list
        text = text.replace(/(?<!\\p{L})und(?!\\p{L})/gu, "");
        return /\\p{L}{2,}/u.test(text) ? text.trim() : null;
    };
    const skipped = ".masthead, .skip, noscript, code, pre, kbd, dd, .hash, [lang]:not(html), .setup-title > small";
    const walker = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
    for (let node = walker.nextNode(); node; node = walker.nextNode()) {
        if (!node.parentElement.closest(skipped)) found.add(left(node.data));
    }
    for (const one of document.querySelectorAll("main *, dialog *")) {
        if (one.closest(skipped)) continue;
        for (const name of ["aria-label", "placeholder", "title", "alt", "aria-valuetext"]) {
            found.add(left(one.getAttribute(name) ?? ""));
        }
    }
    found.add(left(document.title.replace("komi", "")));
    found.delete(null);
    return [...found];
}"""
ALLOWED = {"hold-at:20", "pig.py", "own.py"}  # the names of a strategy, and of files


def pseudo() -> dict[str, dict[str, Any]]:
    """A language in which each text of the catalogue is the English one in brackets."""
    page, server = language.words("de").values()
    return {
        "page": {key: f"⟦{key}⟧" if isinstance(text, str) else [f"⟦{key}⟧"] * len(text) for key, text in page.items()},
        "server": {key: f"⟦{key}⟧" for key in server},
    }


@pytest.fixture
def foreigner(visit: Callable[..., Visit]) -> Iterator[Visit]:
    """Return a person who reads the page in that language."""
    person = visit(width=360, locale="de-DE")

    def answer(route: Route) -> None:
        route.fulfill(body=json.dumps(pseudo()), content_type="application/json")

    person.page.route("**/languages/de.json", answer)
    yield person
    assert person.page.evaluate("document.documentElement.scrollWidth") <= 360


def untranslated(person: Visit) -> list[str]:
    person.page.wait_for_timeout(100)
    return [text for text in person.page.evaluate(FOREIGN) if text not in ALLOWED]


def test_every_text_of_a_game_from_setup_to_review_is_in_the_catalogue(foreigner: Visit) -> None:
    page = foreigner.page
    foreigner.go()
    page.wait_for_selector(".tile")
    assert untranslated(foreigner) == []
    page.click("#settings")
    page.wait_for_selector("dialog[open]")
    assert untranslated(foreigner) == []
    page.keyboard.press("Escape")
    foreigner.begin("pig", goal=10)
    foreigner.wait()
    assert untranslated(foreigner) == []
    page.click(".rules-button")
    page.wait_for_selector("dialog[open] p")
    assert untranslated(foreigner) == []
    page.keyboard.press("Escape")
    page.click(".hint-button")
    page.wait_for_selector(".worths")
    assert untranslated(foreigner) == []
    foreigner.play_on()
    page.wait_for_selector(".mistakes")
    page.evaluate("document.querySelectorAll('details').forEach((one) => { one.open = true; })")
    assert untranslated(foreigner) == []


@pytest.mark.parametrize("place", ["new/red7", "sandbox/pig", "puzzle/pig", "statistics", "nothing"])
def test_every_text_of_a_page_is_in_the_catalogue(foreigner: Visit, place: str) -> None:
    foreigner.go(place)
    foreigner.page.wait_for_selector("h1")
    assert untranslated(foreigner) == []


def test_language_is_the_browsers_until_it_is_changed_on_the_page(visit: Callable[..., Visit]) -> None:
    person = visit(width=360, locale="de-DE")
    page = person.page
    person.go()
    expect(page.get_by_role("heading", name="Wähle ein Spiel")).to_be_visible()
    expect(page.locator("html")).to_have_attribute("lang", "de")
    page.wait_for_selector(".tile")
    parts = "[...document.querySelectorAll('.tile, .masthead, .hello')]"
    assert page.evaluate(f"{parts}.filter(one => one.scrollWidth > one.clientWidth + 1)") == []
    page.get_by_role("button", name="English").click()
    expect(page.get_by_role("heading", name="Choose a game")).to_be_visible()
    page.reload()
    expect(page.get_by_role("heading", name="Choose a game")).to_be_visible()
    page.click("#settings")
    page.get_by_label("Language").select_option("Deutsch")
    expect(page.get_by_role("heading", name="Wähle ein Spiel")).to_be_visible()
