"""The languages of the page: which one is chosen, and that its catalogue has every text."""

import re
from pathlib import Path

import pytest
import translations
from babel.messages.catalog import Catalog, Message

from komi.web import language

from playing import Server

PLACES = re.compile(r"\{\d\}")


@pytest.fixture(scope="module", params=language.available()[1:])
def catalogue(request: pytest.FixtureRequest) -> Catalog:
    return language.read(request.param)


def test_every_text_in_the_source_has_a_translation(catalogue: Catalog) -> None:
    missing = []
    for context, key in translations.texts():
        message = catalogue.get(key if isinstance(key, str) else key[0], context)
        if message is None or not all(_forms(message)):
            missing.append(key)
    assert missing == [], "python scripts/translations.py brings the catalogues up to date"


def test_every_translation_is_of_a_text_in_the_source(catalogue: Catalog) -> None:
    known = {(context, key if isinstance(key, str) else key[0]) for context, key in translations.texts()}
    assert [message.id for message in catalogue if message.id and (message.context, _key(message)) not in known] == []


def test_translations_have_no_places_that_the_text_has_not(catalogue: Catalog) -> None:
    for message in catalogue:
        if message.id:
            places = set(PLACES.findall("".join(message.id)))
            assert all(set(PLACES.findall(form)) <= places for form in _forms(message)), message.id


def test_translations_keep_the_spaces_at_their_ends(catalogue: Catalog) -> None:
    for message in catalogue:
        key = _key(message)
        for form in _forms(message) if key else ():
            assert (form[0] == " ", form[-1] == " ") == (key[0] == " ", key[-1] == " "), key


def test_german_has_typographic_characters(catalogue: Catalog) -> None:
    for message in catalogue:
        if message.id and message.context is None:
            assert not any(re.search(r"\"|\.\.\.|\w'\w| - ", form) for form in _forms(message)), message.id


@pytest.mark.parametrize(
    ("cookie", "accepted", "expected"),
    [
        (None, "", "en"),
        (None, "de", "de"),
        (None, "de-AT,de;q=0.9,en;q=0.5", "de"),
        (None, "fr,en;q=0.8,de;q=0.4", "en"),
        (None, "fr;q=0.9,de;q=0.2", "de"),
        (None, "en; q=0.3, de; q=0.9", "de"),
        (None, "en,de;q=0", "en"),
        (None, "x;q=none,*;q=,,;;", "en"),
        ("de", "en", "de"),
        ("en", "de", "en"),
        ("../de", "de", "de"),
        ("xx", "en", "en"),
    ],
)
def test_chosen_language_counts_before_that_of_the_browser(cookie: str | None, accepted: str, expected: str) -> None:
    assert language.chosen(cookie, accepted) == expected


def test_page_is_in_the_requested_language_below_a_path_too(tmp_path: Path) -> None:
    with Server.running(f"sqlite:///{tmp_path / 'games.db'}", root_path="/komi") as server:
        client = server.visitor().client
        page = client.get("/komi/", headers={"accept-language": "de"})
        assert '<html lang="de">' in page.text
        assert "Einstellungen" in page.text
        assert "[[" not in page.text
        assert page.headers["vary"] == "accept-language, cookie"
        again = client.get("/", headers={"accept-language": "de", "if-none-match": page.headers["etag"]})
        assert again.status_code == 304
        assert '<html lang="en">' in client.get("/").text
        client.cookies.set(language.COOKIE, "de")
        assert '<html lang="de">' in client.get("/").text
        words = client.get("/komi/languages/de.json").json()
        assert words["page"]["Settings"] == "Einstellungen"
        assert client.get("/languages/xx.json").status_code == 404


def test_messages_read_what_a_link_leads_to_in_their_language(tmp_path: Path) -> None:
    with Server.running(f"sqlite:///{tmp_path / 'games.db'}") as server:
        ann = server.visitor()
        game = ann.play_on(ann.begin("piglet", rules={"goal": 2}))
        secret = ann.request("POST", f"/games/{game['id']}/share", json={})[1]["secret"]
        page = server.visitor().client.get(f"/shared/{secret}", headers={"accept-language": "de"}).text
        assert '<html lang="de">' in page
        assert re.search('og:title" content="Piglet: .* gegen random', page)
        assert "Schritt für Schritt" in page


def _key(message: Message) -> str:
    return message.id if isinstance(message.id, str) else message.id[0]


def _forms(message: Message) -> list[str]:
    return [message.string] if isinstance(message.string, str) else list(message.string)
