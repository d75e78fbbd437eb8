"""What goes wrong on the way: reloads, restarts, two windows, a lost network. No move is lost, none made twice."""

from collections.abc import Callable

from playwright.sync_api import Route, expect
from visiting import CurrentServices, Visit


def in_mid_turn(person: Visit) -> None:
    """Start a turn with one point at risk in Test Mode, where the person chooses the chance events."""
    person.begin("piglet", mode="test")
    for label in ("flip", "heads"):
        person.wait()
        person.choose(label)
    expect(person.page.locator(".mine .risk")).to_have_text("1 at risk")
    person.wait()


def test_reload_in_mid_turn_comes_back_to_it(visit: Callable[..., Visit]) -> None:
    person = visit()
    in_mid_turn(person)
    person.choose("flip")
    person.page.wait_for_selector(".event")
    person.page.reload()
    person.page.wait_for_selector(".event")
    expect(person.page.locator(".mine .risk")).to_have_text("1 at risk")
    person.choose("heads")
    expect(person.page.locator(".mine .risk")).to_have_text("2 at risk")


def test_first_page_offers_a_game_begun(visit: Callable[..., Visit]) -> None:
    person = visit()
    in_mid_turn(person)
    person.go()
    person.page.get_by_role("link", name="Piglet against Easy").click()
    expect(person.page.locator(".mine .risk")).to_have_text("1 at risk")


def test_move_waits_for_a_server_that_is_restarted(visit: Callable[..., Visit], served: CurrentServices) -> None:
    person = visit()
    in_mid_turn(person)
    served.stop()
    person.choose("flip")
    expect(person.page.locator(".table .notice")).to_contain_text("Your move is saved")
    served.start()
    person.page.wait_for_selector(".event")
    expect(person.page.locator(".table .notice")).to_be_hidden()
    person.choose("heads")
    expect(person.page.locator(".mine .risk")).to_have_text("2 at risk")


def test_move_waits_for_a_lost_network(visit: Callable[..., Visit]) -> None:
    person = visit()
    in_mid_turn(person)
    person.context.set_offline(True)
    person.choose("hold")
    expect(person.page.locator(".table .notice")).to_contain_text("The server cannot be reached.")
    person.context.set_offline(False)
    expect(person.page.locator(".mine .score")).to_have_text("1")
    expect(person.page.locator(".table .notice")).to_be_hidden()


def test_answer_that_got_lost_is_requested_again(visit: Callable[..., Visit]) -> None:
    person = visit()
    in_mid_turn(person)
    lost = []

    def lose_first(route: Route) -> None:
        if lost:
            route.continue_()
        else:
            lost.append(route.fetch().status)  # the server has made the move, the page hears nothing
            route.abort()

    person.page.route("**/moves", lose_first)
    person.choose("hold")
    expect(person.page.locator(".mine .score")).to_have_text("1")
    assert lost == [200]


def test_move_of_a_browser_that_is_behind_is_refused_with_the_game_as_it_stands(visit: Callable[..., Visit]) -> None:
    person = visit()
    in_mid_turn(person)
    other = visit()  # the same person, at another browser, which does not get the first one's moves
    other.context.add_cookies(person.context.cookies())
    other.page.goto(person.page.url)
    other.page.wait_for_selector(".table")
    other.wait()
    person.choose("hold")
    expect(person.page.locator(".mine .score")).to_have_text("1")
    other.choose("flip")
    expect(other.page.locator(".table .notice")).not_to_be_empty()
    expect(other.page.locator(".mine .score")).to_have_text("1")


def test_unknown_game_is_one_sentence(visit: Callable[..., Visit]) -> None:
    person = visit()
    person.go(f"game/{'0' * 32}")
    expect(person.page.get_by_role("alert")).not_to_be_empty()
    person.page.get_by_role("link", name="To the games").click()
    expect(person.page.get_by_role("heading", name="Choose a game")).to_be_visible()
