"""What the rules declare to lie on the table is drawn, said and pressed; for hidden things there are backs."""

from collections.abc import Callable, Iterator
from pathlib import Path

import pytest
from playwright.sync_api import Page, expect
from test_for_everybody import check
from test_page_file import begin, open_page  # noqa: F401  a fixture
from visiting import CurrentServices, How, Visit

from komi.rules import catalog

from slowly import slowly

EXAMPLES = Path(__file__).parents[2] / "examples"
FILES = ["cant_stop", "blackjack", "kuhn_poker", "kuhn_poker_three", "leduc_poker", "liars_dice", "battleship",
         "love_letter"]  # fmt: skip
ALONE = ("pig-solitaire", "think", "blackjack")
TABLES = ["leduc-poker", "skunk", *slowly("hog", "pass-the-pigs", "pig-solitaire", "think", "cant-stop", "blackjack"),
          *slowly("kuhn-poker", "kuhn-poker-three", "liars-dice", "battleship", "love-letter")]  # fmt: skip
BUTTON = ".face-items button[data-label='{}']"


@pytest.fixture(scope="module")
def served(tmp_path_factory: pytest.TempPathFactory, shared_cache: Path) -> Iterator[CurrentServices]:
    """A server that offers the games in `examples` with a table."""
    folder = tmp_path_factory.mktemp("tables")
    own_game = folder / "own.py"
    own_game.write_text(catalog.find("pig").file.read_text())
    more = [EXAMPLES / f"{name}.py" for name in FILES]
    server = CurrentServices(folder / "games.db", shared_cache, own_game, more)
    server.start()
    yield server
    server.stop()


def begun(person: Visit, game: str, **rules: object) -> Page:
    """Start a game and make one move by a button."""
    person.begin_at(game, None if game in ALONE else "random", "normal", **rules)
    person.page.wait_for_selector(".actions button:not([aria-disabled]), .face-items button, .play.over")
    return person.page


@pytest.mark.parametrize("locale", ["en-GB", *slowly("de-DE")])
@pytest.mark.parametrize("game", TABLES)
def test_table_is_drawn_for_everybody(visit: Callable[..., Visit], game: str, locale: str) -> None:
    page = begun(visit("mouse", 1440, locale=locale), game, **({"players": 2} if game == "cant-stop" else {}))
    expect(page.locator(".zone .item").first).to_be_visible()
    expect(page.locator(".facts")).to_have_count(0)
    check(page)


@pytest.mark.parametrize("locale", ["en-GB", "de-DE"])
def test_hidden_card_is_a_back_and_called_so(visit: Callable[..., Visit], locale: str) -> None:
    page = begun(visit("touch", 390, locale=locale), "leduc-poker")
    words = {"en-GB": ("a card, face down", "the card "), "de-DE": ("eine verdeckte Karte", "die Karte ")}[locale]
    backs = page.locator(".zone:not(.mine) .item-card")
    expect(backs).to_have_count(2)  # the opponent's, and that on the table
    for back in backs.all():
        expect(back).to_have_text("")
        expect(back).to_have_accessible_name(words[0])
    own = page.locator(".zone.mine .item-card")
    assert own.text_content() in ("1", "2", "3")
    assert str(own.get_attribute("aria-label")).startswith(words[1])


@pytest.mark.parametrize(("how", "width"), [("keyboard", 1440), *slowly(("touch", 390), ("mouse", 1440))])
def test_ships_are_hidden_and_shot_at_by_squares(visit: Callable[..., Visit], how: How, width: int) -> None:
    person = visit(how, width)
    page = begun(person, "battleship")
    expect(page.locator(".actions button")).to_have_count(0)
    person.press(BUTTON.format("hide from a1 across"))
    person.press(BUTTON.format("shoot at b2"))
    expect(page.locator(".zone.mine .item-square svg")).not_to_have_count(0)  # of the own ship
    page.wait_for_selector(BUTTON.format("shoot at a1"))
    expect(page.locator(BUTTON.format("shoot at b2"))).to_have_count(0)
    assert page.locator(".zone:not(.mine) .item-square").nth(4).get_attribute("aria-label") in (
        "b2: miss",
        "b2: red: hit",
    )
    if how == "keyboard":
        assert page.evaluate("document.activeElement.matches('.face-items button')"), "the focus stays on the table"


def test_cards_that_are_drawn_lie_on_the_table(visit: Callable[..., Visit]) -> None:
    person = visit()
    person.begin_at("blackjack", None, "test", ["you: 10", "you: 4", "the dealer: 6", "hit", "you: 2"])
    group = person.page.get_by_role("group", name="Your hand")
    expect(group.locator(".item-card")).to_have_text(["10", "4", "2"])
    expect(group.locator(".item-counter")).to_have_accessible_name("16 points")
    expect(person.page.get_by_role("group", name="Dealer").locator(".item-card")).to_have_text(["6"])


def test_hint_marks_the_thing_to_take(visit: Callable[..., Visit]) -> None:
    person = visit()
    page = person.page
    person.prepare("hog", {"goal": 12})
    begun(person, "hog", goal=12)
    page.get_by_role("button", name="What would be best?").click()
    expect(page.locator(".face-items button.advised").first).to_have_accessible_name("Roll 4: 4 dice, the hint")


def test_page_in_one_file_draws_the_table(open_page: Callable[..., Page]) -> None:  # noqa: F811
    page = open_page(str(EXAMPLES / "kuhn_poker.py"))
    begin(page)
    expect(page.locator(".zone.mine .item-card")).not_to_have_text("")
    expect(page.locator(".zone:not(.mine) .item-card")).to_have_accessible_name("a card, face down")


def test_red7_says_what_each_odd_card_does(visit: Callable[..., Visit]) -> None:
    person = visit("touch", 390)
    person.begin_at("red7", "random", "normal", players=2, actions=True, must_act=False)
    page = person.page
    acts = page.get_by_role("list", name="What odd cards do").get_by_role("listitem")
    expect(acts).to_have_count(4)
    expect(acts.nth(1)).to_have_text("3: draw a card.")
    words = "players 2 · odd cards act when played · not: an odd card must act if it can"
    expect(page.locator(".rule-words")).to_have_text(words)
    check(page)
