"""Make the pictures of the web app: docs/pictures/play-*.webp.

    python scripts/play_pictures.py              # all of them
    python scripts/play_pictures.py red7 puzzle  # some of them

A server with a fixed seed and a fixed clock deals the games, so that the pictures change only if the app does.
"""

import hashlib
import shutil
import subprocess
import sys
import tempfile
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from http.client import TOO_MANY_REQUESTS
from io import BytesIO
from pathlib import Path
from typing import Any

from PIL import Image
from playwright.sync_api import Browser, BrowserContext, Page, sync_playwright

FOLDER = Path(__file__).parents[1] / "docs" / "pictures"
CHROMIUM = shutil.which("chromium") or shutil.which("chromium-browser") or shutil.which("google-chrome")
WAIT = 300_000  # milliseconds: a game may have to be solved first
POLLING = 500  # milliseconds
READY = ".actions button:not([aria-disabled])"
OVER = ".play.over"
QUALITY = 82  # of WebP
SERVE = """
import random, secrets
from datetime import UTC, date, datetime
from komi.web import commitments, records
class Clock(datetime):
    now = classmethod(lambda cls, zone=None: cls(2026, 3, 14, 15, 9, tzinfo=UTC))
records.datetime = Clock
secrets.SystemRandom = lambda: random.Random(1)
commitments.seed_of = lambda key, person, commitment: b"komi".ljust(32)
from komi.web import puzzles
puzzles.today = lambda: date(2026, 3, 14)
from komi.cli import main
main()
"""
Json = dict[str, Any]
Choice = Callable[[Json], str]


class Player:
    """A person at a browser window of `width` by `height`."""

    def __init__(self, browser: Browser, address: str, width: int, height: int, **options: Any) -> None:
        settings = options.pop("settings", "{}")
        options = {"reduced_motion": "reduce", "timezone_id": "UTC", "locale": "en-GB"} | options
        self.context: BrowserContext = browser.new_context(viewport={"width": width, "height": height}, **options)
        self.context.set_default_timeout(WAIT)
        self.context.add_init_script(f"localStorage.setItem('komi.settings', '{settings}')")
        self.page: Page = self.context.new_page()
        self.address = address

    def send(self, path: str, body: Json, method: str = "POST") -> Json:
        """Send a request to the API."""
        response = self.page.request.fetch(f"{self.address}api/{path}", method=method, data=body)
        while response.status == TOO_MANY_REQUESTS:
            self.page.wait_for_timeout(POLLING)
            response = self.page.request.fetch(f"{self.address}api/{path}", method=method, data=body)
        assert response.ok, response.text()
        return response.json()  # type: ignore[no-any-return]

    def get(self, path: str) -> Json:
        """Read from the API."""
        return self.page.request.get(f"{self.address}api/{path}").json()  # type: ignore[no-any-return]

    def prepare(self, game: str, rules: Json, opponent: str | None) -> None:
        """Wait until the game is solved."""
        state = self.send("preparations", {"game": game, "rules": rules, "opponent": opponent})
        while not (state["ready"] or state["error"]):
            self.page.wait_for_timeout(POLLING)
            state = self.get(f"preparations/{state['key']}")

    def begin(self, game: str, opponent: str, number: int, **rules: Any) -> Json:
        """Begin a game; `number` is the player's random number."""
        self.prepare(game, rules, opponent)
        commitment = self.send("commitments", {})["commitment"]
        request = {"game": game, "rules": rules, "opponent": opponent, "seat": "first"}
        return self.send("games", request | {"commitment": commitment, "number": digits(number)})

    def play(self, view: Json, choose: Choice, is_enough: Callable[[Json], bool]) -> Json:
        """Act by `choose` until a position is reached, or the game is over."""
        while view["result"] is None and not is_enough(view):
            view = self.send(f"games/{view['id']}/moves", {"number": view["number"], "move": choose(view)})
        return view

    def open(self, place: str, shown: str = ".table") -> None:
        """Open a page, and wait until `shown` is visible."""
        self.page.goto(f"{self.address}#/{place}")
        self.page.wait_for_selector(shown)
        self.page.evaluate("document.fonts.ready")


def digits(number: int) -> str:
    """Return a random number of the protocol."""
    return f"{number:032x}"


def hold_at(least: int, go_on: str) -> Choice:
    """Hold as soon as so many points are at risk."""

    def choose(view: Json) -> str:
        labels = [action["label"] for action in view["actions"]]
        return "hold" if "hold" in labels and (view["state"]["turn"] >= least or go_on not in labels) else go_on

    return choose


def at_risk(points: int, steps: int) -> Callable[[Json], bool]:
    """So many points at risk in the person's turn, after so many steps."""
    return lambda view: view["mover"] == view["you"] and view["number"] >= steps and view["state"]["turn"] >= points


def first_page(player: Player) -> bytes:
    """Show a table that waits for a friend, and a game to continue."""
    player.play(player.begin("red-light", "medium", 1), hold_at(5, "draw"), at_risk(3, 16))
    invite(player, number=1)
    player.open("", ".games")
    return player.page.screenshot()


def red_light(player: Player) -> bytes:
    """Show a game with a hint and the hold values in 3-D."""
    view = player.play(player.begin("red-light", "medium", 9, goal=30), hold_at(4, "draw"), at_risk(4, 8))
    player.open(f"game/{view['id']}")
    player.page.get_by_role("button", name="What would be best?").click()
    player.page.locator(".landscape summary").click()
    player.page.get_by_text("At risk now").wait_for()
    player.page.wait_for_selector(".worths")
    return player.page.screenshot()


def red7(player: Player) -> bytes:
    """Show a hand of cards, one of them selected."""
    player.open(f"game/{player.begin('red7', 'medium', 3, players=3)['id']}")
    player.page.locator(".own-hand button").first.click()
    return player.page.screenshot(full_page=True)


def yahtzee_two(player: Player) -> bytes:
    """Show two score cards in the middle of a game."""

    def fill(view: Json) -> str:
        """Fill the box that scores most."""
        boxes = [action for action in view["actions"] if action["scores"]]
        return str(max(boxes, key=lambda box: sum(points for _, points in box["scores"]))["label"])

    view = player.play(player.begin("yahtzee", "hard", 1, players=2), fill, lambda view: view["number"] >= 50)
    player.open(f"game/{view['id']}")
    return player.page.screenshot()


def pig_phone(player: Player) -> bytes:
    """Show a game of Pig."""
    view = player.play(player.begin("pig", "medium", 2), hold_at(15, "roll"), at_risk(7, 20))
    player.open(f"game/{view['id']}")
    return player.page.screenshot()


def german_phone(player: Player) -> bytes:
    """Show a game of Red Light."""
    view = player.play(player.begin("red-light", "medium", 2), hold_at(5, "draw"), at_risk(3, 16))
    player.open(f"game/{view['id']}")
    return player.page.screenshot()


def lights_phone(player: Player) -> bytes:
    """Show a game of Traffic Lights."""
    view = player.begin("traffic-lights", "hard", 1)
    view = player.play(view, lambda view: str(view["actions"][0]["label"]), lambda view: view["number"] >= 4)
    player.open(f"game/{view['id']}")
    return player.page.screenshot()


def invite(host: Player, number: int, **request: Any) -> Json:
    """Create a table of Pig with a free seat."""
    commitment = host.send("commitments", {})["commitment"]
    digest = hashlib.sha256(digits(number).encode()).hexdigest()
    body = {"game": "pig", "seat": "first", "commitment": commitment, "number_hash": digest}
    return host.send("invitations", body | request)


def friends(player: Player) -> bytes:
    """Show a game of two people with clocks."""
    assert player.context.browser is not None
    guest = Player(player.context.browser, player.address, 1200, 800)
    for person, name in ((player, "Ann"), (guest, "Bob")):
        person.send("me", {"name": name}, "PUT")
    table = invite(player, number=1, clock={"minutes": 10, "seconds": 5})["id"]
    guest.send(f"invitations/{table}/join", {"number_hash": hashlib.sha256(digits(2).encode()).hexdigest()})
    for person, number in ((player, 1), (guest, 2)):
        person.send(f"invitations/{table}/reveal", {"number": digits(number)})
    choose, people = hold_at(14, "roll"), (player, guest)
    view = player.get(f"games/{table}")
    while view["number"] < 50 or view["mover"] != 0:
        mover = people[view["mover"]]
        view = mover.send(f"games/{table}/moves", {"number": view["number"], "move": choose(view)})
    player.open(f"game/{table}")
    return player.page.screenshot()


def ending(player: Player) -> bytes:
    """Show a finished game, played in the browser so that the browser can check it."""
    page, choose = player.page, hold_at(5, "draw")
    player.prepare("red-light", {"goal": 25}, "medium")
    page.add_init_script("crypto.getRandomValues = (bytes) => bytes.fill(18)")
    player.open("new/red-light/goal=25", "[name=opponent]")
    page.locator("[name=opponent][value=medium]").check()
    page.locator("[name=seat][value=first]").check()
    page.get_by_role("button", name="Start").click()
    page.wait_for_selector(READY)
    game = page.url.rpartition("/")[2]
    while page.wait_for_selector(f"{READY}, {OVER}") and page.locator(OVER).count() == 0:
        page.locator(f".actions [data-label={choose(player.get(f'games/{game}'))}]").click()
    page.wait_for_selector(".mistakes")
    return player.page.screenshot(full_page=True)


def puzzle(player: Player) -> bytes:
    """Show the puzzle of the day after a wrong answer."""
    player.open("puzzle/pig", "[data-answer]")
    player.page.get_by_role("button", name="Hold").click()
    player.page.wait_for_selector(".worths")
    return player.page.screenshot(full_page=True)


def sandbox(player: Player) -> bytes:
    """Show a position with the values of its actions."""
    player.prepare("pig", {}, None)
    player.open("sandbox/pig")
    player.page.get_by_text("Set up a position").click()
    for field, value in (("score", 60), ("rival", 70), ("turn", 18)):
        player.page.locator(f"[name={field}]").fill(str(value))
    player.page.get_by_role("button", name="Set up").click()
    player.page.wait_for_selector(".worths")
    player.page.evaluate("scrollTo(0, 0)")
    return player.page.screenshot()


PHONE = {"width": 390, "height": 844, "device_scale_factor": 1.5, "has_touch": True, "is_mobile": True}
PICTURES: dict[str, tuple[Callable[[Player], bytes], dict[str, Any]]] = {
    "first-page": (first_page, {"width": 1200, "height": 1180}),
    "red-light": (red_light, {"width": 1340, "height": 1000}),
    "red7": (red7, {"width": 1280, "height": 926}),
    "yahtzee-two": (yahtzee_two, {"width": 1280, "height": 1000}),
    "pig-phone": (pig_phone, PHONE),
    "german-phone": (german_phone, PHONE | {"locale": "de-DE"}),
    "lights-phone": (
        lights_phone,
        {"width": 360, "height": 740, "settings": '{"colours": "colour-blind", "theme": "dark"}'},
    ),
    "friends": (friends, {"width": 1200, "height": 800}),
    "ending": (ending, {"width": 1200, "height": 800}),
    "puzzle": (puzzle, {"width": 1000, "height": 800}),
    "sandbox": (sandbox, {"width": 1200, "height": 800}),
}


@contextmanager
def serving(folder: str) -> Iterator[str]:
    """Run `komi serve`, and yield its address."""
    options = ["--no-open", "--no-warm", "--port", "0", "--database", f"sqlite:///{folder}/games.db"]
    server = subprocess.Popen([sys.executable, "-c", SERVE, "serve", *options], stdout=subprocess.PIPE, text=True)
    try:
        assert server.stdout is not None
        yield server.stdout.readline().split()[3]
    finally:
        server.terminate()
        server.wait()


def main() -> None:
    """Make the pictures."""
    names = sys.argv[1:] or list(PICTURES)
    with tempfile.TemporaryDirectory() as folder, serving(folder) as address, sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=CHROMIUM, args=["--no-sandbox", "--disable-gpu"])
        for name in names:
            take, options = PICTURES[name]
            file = FOLDER / f"play-{name}.webp"
            player = Player(browser, address, **options)
            Image.open(BytesIO(take(player))).save(file, quality=QUALITY, method=6)
            player.context.close()
            print(f"{file.name}: {file.stat().st_size / 1000:.0f} kB")
        browser.close()


if __name__ == "__main__":
    main()
