"""Several people at one table: by a link, each before a browser of their own, or at one device."""

import re
import secrets
from collections.abc import Callable, Sequence

import httpx2 as httpx
import pytest
from finished import STORE, Json, against
from playwright.sync_api import Page, expect
from visiting import DESK, PHONE, CurrentServices, Visit, violations

from komi.play.fairness import number_hash


def set_up(person: Visit, game: str, opponent: str, **rules: object) -> None:
    person.go(f"new/{game}/" + ",".join(f"{name}={value}" for name, value in rules.items()))
    person.page.locator(f"[name=opponent][value='{opponent}']").check()


def start(person: Visit) -> None:
    person.page.get_by_role("button", name="Start").click()


def no_barriers(person: Visit) -> None:
    assert violations(person.page) == []


@pytest.mark.parametrize(("how", "width"), DESK)
def test_two_people_play_by_a_link_to_a_fair_end(visit: Callable[..., Visit], how: str, width: int) -> None:
    ann, bob, eve = visit(how, width), visit(how, width), visit(how, width)
    set_up(ann, "piglet", "@link", goal=1)
    ann.page.locator("#clock").select_option("30 minutes each, plus 20 s per turn")
    start(ann)
    link = ann.page.get_by_label("Send this link to the other player")
    expect(link).to_be_visible()
    no_barriers(ann)
    watching = ann.page.get_by_label("Link for spectators").input_value()
    eve.page.goto(watching)
    expect(eve.page.get_by_role("heading", name="The game has not begun yet")).to_be_visible()
    no_barriers(eve)
    bob.page.goto(link.input_value())
    expect(bob.page.get_by_role("button", name="Take a seat")).to_be_visible()
    no_barriers(bob)
    bob.press("button:has-text('Take a seat')")
    for person in (ann, bob):
        person.page.wait_for_selector(".table")
    for person in (ann, bob):
        expect(person.page.get_by_role("timer", name="Time left: You")).to_be_visible()
        expect(person.page.get_by_role("timer", name="Time left: Player")).to_have_text(re.compile(r"30:00|29:\d\d"))
        no_barriers(person)
    expect(eve.page.locator(".table-head")).to_contain_text("Player 1 and Player 2")
    expect(eve.page.locator(".message")).to_have_text("It is Player 1's turn.")
    expect(eve.page.locator(".actions button")).to_have_count(0)
    expect(bob.page.locator(".message")).to_have_text("Player 1 is to move.")
    for _ in range(60):
        expect(ann.page.locator(".play.over, .to-move:not([hidden])").first).to_be_attached()
        mover = next(
            (one for one in (ann, bob) if one.page.locator(".actions button:not([aria-disabled])").count()), None
        )
        if ann.page.locator(".play.over").count() and bob.page.locator(".play.over").count():
            break
        if mover is None:
            ann.page.wait_for_timeout(200)
            continue
        mover.choose(
            "hold" if "hold" in mover.offered() and mover.page.locator(".mine .risk:has-text('1')").count() else "flip"
        )
        ann.page.wait_for_timeout(100)
    for person in (ann, bob):
        expect(person.page.locator(".verdict")).to_have_text("Yes.")
        expect(person.page.locator(".confirmed")).to_contain_text("have found nothing wrong")
        expect(person.page.locator(".words")).to_have_count(0)
    messages = [person.page.locator(".message").text_content() for person in (ann, bob, eve)]
    assert "You win!" in messages
    assert sum(message.endswith("wins.") for message in messages if message) == 1  # who has lost
    expect(eve.page.locator(".message")).to_contain_text("wins!")
    ann.press(".share button")
    eve.page.goto(ann.page.get_by_label("The link").input_value())
    expect(eve.page.locator(".verdict")).to_have_text("It matches, but this browser did not see the beginning.")
    expect(eve.page.locator("#mistakes-title")).to_contain_text("decisions")


@pytest.mark.parametrize(("how", "width"), PHONE)
def test_people_at_one_device_take_turns(visit: Callable[..., Visit], how: str, width: int) -> None:
    ann = visit(how, width)
    set_up(ann, "piglet", "@device", goal=1)
    ann.page.locator("#names").fill("Ann, Bob")
    no_barriers(ann)
    start(ann)
    ann.wait()
    expect(ann.page.locator(".message")).to_have_text("Ann, your turn.")
    while ann.wait():
        ann.choose("hold" if "hold" in ann.offered() and ann.page.locator(".risk:not(:empty)").count() else "flip")
    expect(ann.page.locator(".message")).to_contain_text("wins!")
    expect(ann.page.locator(".verdict")).to_have_text("Yes.")


@pytest.mark.parametrize(("how", "width"), PHONE)
def test_hand_is_shown_only_when_the_device_has_changed_hands(
    visit: Callable[..., Visit], how: str, width: int
) -> None:
    ann = visit(how, width)
    set_up(ann, "red7", "@device")
    ann.page.locator("#names").fill("Ann, Bob")
    start(ann)
    ann.page.wait_for_selector(".curtain")
    expect(ann.page.locator(".table")).to_have_count(0)
    ann.page.get_by_role("button", name="I am Ann").click()
    ann.wait()
    hand = ann.page.locator(".own .card").all_text_contents()
    ann.press(".action")
    curtain = ann.page.locator(".curtain")
    expect(curtain).to_contain_text(re.compile("Hand the device to (Bob|Player 3)"))  # Bob is out if he has no move
    following = "Bob" if "Bob" in (curtain.text_content() or "") else "Player 3"
    ann.page.keyboard.press("Escape")
    expect(ann.page.locator(".curtain")).to_be_visible()
    expect(ann.page.locator(".own")).to_be_hidden()
    ann.page.reload()
    ann.page.wait_for_selector(".curtain")
    ann.page.get_by_role("button", name=f"I am {following}").click()
    ann.page.wait_for_selector(".own .card")
    assert set(ann.page.locator(".own .card").all_text_contents()) - set(hand)


def ended_by_resigning(visit: Callable[..., Visit], how: str, width: int) -> tuple[Visit, Visit]:
    """Return two people before a game that the second has resigned."""
    ann, bob = visit(how, width), visit(how, width)
    for person, name in ((ann, "Ann"), (bob, "Bob")):
        person.page.request.put(f"{person.address}api/me", data={"name": name})
    set_up(ann, "piglet", "@link", goal=3)
    ann.page.locator("[name=seat][value=first]").check()
    start(ann)
    link = ann.page.get_by_label("Send this link to the other player").input_value()
    bob.page.goto(link)
    bob.press("button:has-text('Take a seat')")
    resign(ann, bob)
    return ann, bob


def resign(who: Visit, other: Visit) -> None:
    for person in (who, other):
        person.page.wait_for_selector(".table")
    button = who.page.locator(".leaving button:has-text('Resign')")
    button.click()
    button.click()
    for person in (who, other):
        person.page.wait_for_selector(".rematch")


@pytest.mark.parametrize(("how", "width"), PHONE)
def test_rematch_reaches_the_friend_at_the_table(visit: Callable[..., Visit], how: str, width: int) -> None:
    ann, bob = ended_by_resigning(visit, how, width)
    ann.press("button:has-text('Rematch with seats exchanged')")
    expect(ann.page.locator(".setup-title")).to_contain_text("see your invitation there")
    expect(bob.page.locator(".rematch")).to_contain_text("Ann wants a rematch.")
    no_barriers(bob)
    bob.press("button:has-text('Accept')")
    for person in (ann, bob):
        person.page.wait_for_selector(".table:not(.over)")
    expect(ann.page.locator(".message")).to_have_text("Bob is to move.")
    bob.page.reload()
    resign(ann, bob)
    expect(ann.page.locator(".rematch")).to_contain_text("After 2 games: Bob 2 and You 0")
    for person in (ann, bob):
        expect(person.page.locator(".confirmed")).to_contain_text(
            "have found nothing wrong"
        )  # by the key of the first link


def test_three_move_one_seat_on_in_a_rematch_that_is_found_fair(visit: Callable[..., Visit]) -> None:
    people = [visit() for _ in range(3)]
    set_up(people[0], "pig", "@link", players=3, goal=2)
    start(people[0])
    link = people[0].page.get_by_label("Send this link to the others").input_value()
    for guest in people[1:]:
        guest.page.goto(link)
        guest.page.get_by_role("button", name="Take a seat").click()
    before = [play_seated(person, people) for person in people]
    ended = people[0].page.url
    people[0].press("button:has-text('Rematch, one seat on')")
    for guest in people[1:]:
        guest.press(".rematch button:has-text('Accept')")
    for person in people:
        expect(person.page).not_to_have_url(ended)
    after = [play_seated(person, people) for person in people]
    assert after == [(seat + 1) % 3 for seat in before]
    for person in people:
        expect(person.page.locator(".verdict")).to_have_text("Yes.")


def play_seated(person: Visit, people: Sequence[Visit]) -> int:
    """Wait for a person's game, play it to the end with all others, and return the person's seat."""
    expect(person.page).to_have_url(re.compile("#/game/"))
    game = person.page.url.rpartition("/")[2]
    api = f"{person.address}api/games/{game}"
    while not (view := person.page.request.get(api).json())["result"]:
        for one in people:
            seen = one.page.request.get(api).json()
            if seen["actions"] and one.wait():
                one.choose("hold" if "hold" in one.offered() and seen["state"]["turn"] > 1 else one.offered()[0])
    person.page.wait_for_selector(".play.over")
    return int(view["you"])


def test_rematch_can_be_declined_and_both_may_propose_it(visit: Callable[..., Visit]) -> None:
    ann, bob = ended_by_resigning(visit, "mouse", 1440)
    ann.press("button:has-text('Rematch with seats exchanged')")
    bob.press("button:has-text('Decline')")
    expect(ann.page.get_by_role("alert")).to_have_text("The rematch was declined, or the table was closed.")
    ann.page.go_back()
    ann.page.wait_for_selector(".rematch")
    again = "button:has-text('Rematch with seats exchanged')"
    ann.page.wait_for_selector(again)
    for person in (ann, bob):  # neither knows of the other's
        person.page.locator(again).dispatch_event("click")
    for person in (ann, bob):
        person.page.wait_for_selector(".table:not(.over)")


def test_invitation_that_was_withdrawn_is_one_sentence(visit: Callable[..., Visit]) -> None:
    ann, bob = visit(), visit()
    set_up(ann, "piglet", "@link")
    start(ann)
    link = ann.page.get_by_label("Send this link to the other player").input_value()
    bob.page.goto(link)
    expect(bob.page.get_by_role("button", name="Take a seat")).to_be_visible()
    ann.page.get_by_role("button", name="Close the table").click()
    expect(ann.page.get_by_role("heading", name="Choose a game")).to_be_visible()
    expect(bob.page.get_by_role("alert")).to_contain_text("There is no table at this address")


def test_game_begins_when_who_invited_comes_back_to_reveal_the_number(visit: Callable[..., Visit]) -> None:
    ann, bob = visit(), visit()
    set_up(ann, "piglet", "@link", goal=1)
    start(ann)
    link = ann.page.get_by_label("Send this link to the other player").input_value()
    ann.page.goto("about:blank")
    bob.page.goto(link)
    bob.page.get_by_role("button", name="Take a seat").click()
    expect(bob.page.locator(".setup-title")).to_contain_text("All seats are taken")
    ann.go()
    ann.page.get_by_role("link", name="A table with friends: open it to reveal your number").click()
    for person in (ann, bob):
        person.page.wait_for_selector(".table")
        expect(person.page.locator(".promise dt:text-is('Commitment of player 2') + dd")).to_have_count(1)


def finished(address: str, page: Page) -> tuple[Json, Json]:
    """A finished game of two people, as the guest sees it, and what the guest's page has stored of it."""
    with httpx.Client(base_url=address, timeout=60.0) as ann, httpx.Client(base_url=address, timeout=60.0) as bob:
        commitment = ann.post("/api/commitments", json={}).json()
        terms = {"game": "piglet", "rules": {"goal": 4}, "seat": "either"}
        numbers = {one: secrets.token_hex(16) for one in (ann, bob)}
        invitation = terms | {"commitment": commitment["commitment"], "number_hash": number_hash(numbers[ann])}
        table = ann.post("/api/invitations", json=invitation).raise_for_status().json()
        place = f"/api/invitations/{table['id']}"
        table = bob.post(f"{place}/join", json={"number_hash": number_hash(numbers[bob])}).raise_for_status().json()
        for one, number in numbers.items():
            one.post(f"{place}/reveal", json={"number": number}).raise_for_status()
        sent = []
        views = [bob.get(f"/api/games/{table['id']}").json()]
        while not views[-1]["result"]:
            for one in (ann, bob):
                view = one.get(f"/api/games/{table['id']}").json()
                if view["actions"]:
                    labels = [action["label"] for action in view["actions"]]
                    move = {"number": view["number"], "move": labels[-1] if view["state"]["turn"] > 1 else labels[0]}
                    one.post(f"/api/games/{table['id']}/moves", json=move).raise_for_status()
                    sent += [[move["number"], move["move"]]] if one is bob else []
            views.append(bob.get(f"/api/games/{table['id']}").json())
    kept = terms | {"number": numbers[bob], "commitment": table["id"]}
    return views[-1], page.evaluate(STORE, [views[:-1], kept, table["hash"], table["number_hashes"], sent])


def test_game_of_friends_that_was_altered_is_not_fair(visit: Callable[..., Visit], served: CurrentServices) -> None:
    page = visit().page
    page.goto(served.address)
    view, promise = finished(served.address, page)
    assert against(page, view, promise) == []
    numbers = view["fairness"]["numbers"]
    alterations: list[tuple[Json, str]] = [
        (
            {"numbers": [numbers[0], "0" * 32]},
            "The number that this browser drew is missing from the players' numbers.",
        ),
        ({"numbers": ["0" * 32, numbers[1]]}, "The number does not follow from the players' numbers."),
        ({"number": "0" * 32}, "The number does not follow from the players' numbers."),
        ({"hash": "0" * 64}, "The hash is not the one that this browser was shown before the game."),
        ({"numbers": None}, "There are not as many numbers as people at the table."),
    ]
    for altered, sentence in alterations:
        sentences = [each for _, each in against(page, view | {"fairness": view["fairness"] | altered}, promise)]
        assert sentence in sentences, altered
    seat = view | {"you": 1 - view["you"]}
    assert "The draw for the starting player does not follow from the seed." in [
        each for _, each in against(page, seat, promise)
    ]
    log = [entry | {"by": "you"} for entry in view["log"]]
    assert against(page, view | {"log": log}, promise)
    event = next(entry for entry in view["log"] if entry["kind"] == "event")
    other = next(label for label, _ in event["outcomes"] if label != event["label"])
    log = [entry | {"label": other} if entry is event else entry for entry in view["log"]]
    assert event["number"] in [step for step, _ in against(page, view | {"log": log}, promise)]


def test_resigning_cannot_be_attributed_to_who_did_not(visit: Callable[..., Visit], served: CurrentServices) -> None:
    page = visit().page
    page.goto(served.address)
    view, promise = finished(served.address, page)
    result = view["result"] | {"resigned": 0, "payoffs": [1.0, 0.0]}
    sentences = [sentence for _, sentence in against(page, view | {"result": result}, promise)]
    assert "The result does not match the resignation." in sentences
    for seat in ("0", 7, -1, True):
        result = view["result"] | {"resigned": seat, "payoffs": [1.0, 1.0]}
        sentences = [sentence for _, sentence in against(page, view | {"result": result}, promise)]
        assert "No player at the table has resigned." in sentences
