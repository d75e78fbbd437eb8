"""People at a real browser, before the page that a real `komi serve` shows."""

import os
import secrets
import signal
import subprocess
import sys
from collections.abc import Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, Literal

from playwright.sync_api import BrowserContext, Page, expect

from slowly import slowly

How = Literal["mouse", "touch", "keyboard"]

AXE = Path(__file__).with_name("axe") / "axe.min.js"
READY = ".actions button:not([aria-disabled]), .board .square:not([aria-disabled])"
OVER = ".play.over"
WIDTHS = [("touch", 360), ("mouse", 1440)]
PHONE = [WIDTHS[0], *slowly(WIDTHS[1])]
"""For what does not depend on the width; `make test-slow` tries the other one."""
DESK = [WIDTHS[1], *slowly(WIDTHS[0])]
MAX_STEPS = 400
PATIENCE = 240_000  # milliseconds, for whatever a page waits for: compiling takes a while, and so does a busy machine
POLLING = 250  # milliseconds

expect.set_options(timeout=PATIENCE)


def violations(page: Page, within: str = "html", rules: Sequence[str] = ()) -> list[Any]:
    """Return the violations that axe finds in a page: the id of each rule, and where it is broken."""
    page.evaluate(AXE.read_text())
    options = {"runOnly": list(rules)} if rules else {}
    found = page.evaluate("([within, options]) => axe.run(within, options)", [within, options])
    return [(each["id"], [node["target"] for node in each["nodes"]][:3]) for each in found["violations"]]


def wait_until(page: Page, expression: str) -> None:
    """Wait until an expression is true; the page's policy forbids `wait_for_function` to evaluate it again."""
    for _ in range(PATIENCE // POLLING):
        if page.evaluate(expression):
            return
        page.wait_for_timeout(POLLING)
    raise AssertionError(f"{expression} was never true")


@dataclass
class CurrentServices:
    """A `komi serve` process, which can restart at the same port with the same games."""

    database: Path
    cache: Path
    own_game: Path
    more: Sequence[Path] = ()
    port: int = 0
    process: Any = None

    @property
    def address(self) -> str:
        return f"http://127.0.0.1:{self.port}/"

    def start(self) -> None:
        command = [
            sys.executable,
            "-c",
            "from komi.cli import main; main()",
            "serve",
            "--no-open",
            "--no-warm",
            *map(str, (self.own_game, *self.more)),
        ]
        self.process = subprocess.Popen(
            [*command, "--port", str(self.port), "--database", f"sqlite:///{self.database}"],
            stdout=subprocess.PIPE,
            text=True,
            env=os.environ | {"KOMI_CACHE_DIR": str(self.cache)},
        )
        self.port = int(self.process.stdout.readline().split()[3].rstrip("/").rpartition(":")[2])

    def stop(self, how: signal.Signals = signal.SIGKILL) -> None:
        self.process.send_signal(how)
        self.process.communicate()


@dataclass
class Visit:
    """One person at one browser window."""

    context: BrowserContext
    page: Page
    address: str
    how: How = "mouse"
    troubles: list[str] = field(default_factory=list)

    def go(self, place: str = "") -> None:
        """Open a page of the site; `place` is the part after #/."""
        self.page.goto(f"{self.address}#/{place}")

    def prepare(self, game: str, rules: dict[str, object]) -> None:
        """Wait until the game is solved: some opponents begin before, when there are no hints yet."""
        preparation = self.page.request.post(
            f"{self.address}api/preparations", data={"game": game, "rules": rules}
        ).json()
        for _ in range(PATIENCE // POLLING):
            answer = self.page.request.get(f"{self.address}api/preparations/{preparation['key']}").json()
            if answer["ready"] or answer["error"]:
                return
            self.page.wait_for_timeout(POLLING)
        raise AssertionError(f"{game} is not solved")

    def begin(
        self,
        game: str,
        opponent: str = "easy",
        seat: str = "first",
        mode: str = "normal",
        **rules: object,
    ) -> None:
        """Choose a game and its settings on its page, and start it."""
        page = self.page
        self.prepare(game, rules)
        self.go(f"new/{game}/" + ",".join(f"{name}={value}" for name, value in rules.items()))
        page.locator(f"[name=opponent][value='{opponent}']").check()
        if page.locator("[name=mode][type=radio]").count():
            page.locator(f"[name=mode][value={mode}]").check()
        page.locator(f"[name=seat][value={seat}]").check()
        page.get_by_role("button", name="Start").click()
        page.wait_for_selector(".table")

    def begin_with_choice(self, game: str) -> None:
        """Begin games until one gives a choice: who cannot lead with the first cards of Red7 is out at once."""
        self.begin(game)
        while not self.wait():
            self.begin(game)

    def begin_at(
        self, game: str, against: str | list[str] | None, mode: str, labels: Sequence[str] = (), **rules: object
    ) -> None:
        """Start a game by the API and play some actions and events; a list names people at one device."""
        api = f"{self.address}api"
        who = {"names": against} if isinstance(against, list) else {"opponent": against, "seat": "first"}
        body: dict[str, object] = {"game": game, **who, "mode": mode, "rules": rules}
        if mode == "normal":
            commitment = self.page.request.post(f"{api}/commitments", data={}).json()["commitment"]
            body |= {"commitment": commitment, "number": secrets.token_hex(16)}
        view = self.page.request.post(f"{api}/games", data=body).json()
        for label in labels:
            move = {"number": view["number"], "move": label}
            view = self.page.request.post(f"{api}/games/{view['id']}/moves", data=move).json()
            assert "id" in view, view
        self.go(f"game/{view['id']}")
        self.page.wait_for_selector(".table")

    def wait(self) -> bool:
        """Wait until it is this person's turn; return False if the game is over."""
        self.page.wait_for_selector(f"{READY}, {OVER}")
        return self.page.locator(OVER).count() == 0

    def choose(self, label: str) -> None:
        """Choose an action, or in Test Mode an event, by its label in the rules."""
        self.press(f".actions [data-label='{label}']")

    def press(self, selector: str) -> None:
        """Press a button with the mouse, a finger or keys."""
        button = self.page.locator(selector).first
        if self.how == "mouse":
            button.click()
        elif self.how == "touch":
            button.tap()
        elif key := button.get_attribute("data-key"):
            self.page.keyboard.press(key)
        else:
            self.tab_to(selector)
            self.page.keyboard.press("Enter")

    def tab_to(self, selector: str) -> None:
        """Move the focus by keys: with Tab, and on a board along its rows with the arrows."""
        keys = ["Tab"]
        for _ in range(80):
            if self.page.evaluate("selector => document.activeElement.matches(selector)", selector):
                return
            if self.page.evaluate("document.activeElement.matches('.board .square')"):
                keys = keys[1:] or ["ArrowRight", "ArrowRight", "ArrowDown", "ArrowLeft", "ArrowLeft", "ArrowDown"]
            self.page.keyboard.press(keys[0])
        raise AssertionError(f"no key leads to {selector}")

    def offered(self) -> list[str]:
        """Return the labels of the buttons under the table."""
        buttons = self.page.locator(".actions button").all()
        return [label for button in buttons if (label := button.get_attribute("data-label"))]

    def step(self, went_on: int) -> bool:
        """Make one choice: continue twice, then hold; any square of a board. Return whether the game continued."""
        labels = self.offered()
        if not labels:
            self.press(".board .square:not([aria-disabled])")
            return True
        others = [label for label in labels if label != "hold"]
        holds = "hold" in labels and (went_on >= 2 or not others)
        self.choose("hold" if holds else others[went_on % len(others)])
        return not holds

    def play_on(self) -> None:
        """Play to the end."""
        went_on = 0
        for _ in range(MAX_STEPS):
            if not self.wait():
                return
            went_on = went_on + 1 if self.step(went_on) else 0
        raise AssertionError("the game does not end")
