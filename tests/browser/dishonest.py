"""A dishonest server, in front of an unaltered page.

It answers the page's requests about one game; the real server answers all others. Without changes it is honest: a test
of an attack replaces one of its parts.
"""

import hashlib
import json
import random
from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Any

from playwright.sync_api import Page, Route, expect
from visiting import Visit

from komi.errors import InputError
from komi.play.fairness import random_seat
from komi.play.opponents import title_of
from komi.rules import catalog
from komi.web.game_settings import GameSettings
from komi.web.game_views import game_view
from komi.web.live_game import LiveGame
from komi.web.participants import Participants, combined_number

Json = dict[str, Any]
GAME_ID, SEED = "ab" * 16, bytes(range(32))
HASH = hashlib.sha256(SEED).hexdigest()
ME, FRIEND = "1" * 32, "2" * 32
FRIENDS_NUMBER = "f" * 32
READY_AT_ONCE = {"key": "0", "ready": True, "playable": True, "stage": "", "done": 1, "total": 1, "error": None}


def sha256(text: str) -> str:
    return hashlib.sha256(text.encode()).hexdigest()


@dataclass
class Server:
    """One game of a person against the computer, or with a friend.

    Attributes:
        game: its name, or the path of its file.
        rules: returns the rules of play, given those of the request.
        number: what chance is drawn with, given the person's number, or those of both.
        numbers: returns the reported numbers of several people.
        label: what happens in place of what the person has sent.
        alter_game: alters the reported game.
        alter_table: alters the reported table of friends.
        protocol: by which chance is drawn.
    """

    game: str = "piglet"
    rules: Callable[[Json], Json] = lambda rules: rules
    number: Callable[..., str] = lambda *numbers: numbers[0] if len(numbers) == 1 else combined_number(numbers)
    numbers: Callable[..., list[str] | None] = lambda *numbers: None if len(numbers) == 1 else list(numbers)
    label: Callable[[LiveGame, str], str] = lambda _live, label: label
    alter_game: Callable[[Json], None] = lambda _: None
    alter_table: Callable[[Json], None] = lambda _: None
    protocol: int | None = None
    requested: Json = field(default_factory=dict)
    live: LiveGame | None = None
    mover: random.Random = field(default_factory=lambda: random.Random(5))
    table: Json | None = None
    sent: list[list[Any]] = field(default_factory=list)

    def begin(self, requested: Json, *numbers: str) -> LiveGame:
        """Begin the requested game."""
        game = catalog.find(self.game)
        rules = game.rules(self.rules(requested["rules"]))
        number = self.number(*numbers)
        players = game.players(rules)
        by_lot = requested["seat"] == "either"
        seat = random_seat(SEED, number, players) if by_lot else {"first": 0, "second": 1 % players}[requested["seat"]]
        reported = self.numbers(*numbers)
        participants = (
            None
            if len(numbers) == 1
            else Participants(tuple(self._in_seats(ME, FRIEND, seat)), ("Player 1", "Player 2"))
        )
        more = {} if self.protocol is None else {"protocol": self.protocol}
        settings = GameSettings(
            id=GAME_ID,
            person=ME,
            game=game,
            rules=rules,
            opponent=requested.get("opponent") or "",
            seat=seat,
            is_by_lot=by_lot,
            is_test=False,
            seed=SEED,
            number=number,
            participants=participants,
            **more,
        )
        self.live, self._numbers = LiveGame(settings), reported
        self.go_on()
        return self.live

    @staticmethod
    def _in_seats(mine: str, theirs: str, seat: int) -> list[str]:
        return [mine, theirs] if seat == 0 else [theirs, mine]

    def go_on(self) -> None:
        """Let chance and the others act until the person has to move."""
        live = self.live
        while not live.table.is_over and not (
            live.table.waiting == "action" and live.table.mover == live.settings.seat
        ):
            if live.table.waiting == "event":
                self.draw()
            else:
                by = "you" if live.settings.participants else "computer"
                live.enter(self.mover.choice(list(live.table.actions)), by)

    def draw(self) -> None:
        """Draw a chance event."""
        self.live.draw()

    def move(self, label: str) -> None:
        """Take the person's action, and what follows from it."""
        number = self.live.table.number
        self.live.enter(self.label(self.live, label), "you")
        self.sent.append([number, label])
        self.go_on()

    def view(self) -> Json:
        """Return the reported game."""
        live = self.live
        view = game_view(live, live.settings.seat, title_of(live.settings.opponent) if live.settings.opponent else "")
        reported = json.loads(view.model_dump_json())
        reported["fairness"]["numbers"] = self._numbers
        self.alter_game(reported)
        return reported

    def waiting(self) -> Json:
        """Return the reported table of friends."""
        others = [] if self.table["joined"] is False else [sha256(FRIENDS_NUMBER)]
        reported = {key: self.requested[key] for key in ("game", "rules", "seat", "clock")} | {
            "id": GAME_ID,
            "players": 2,
            "hash": HASH,
            "names": ["Ann", "Bob"][: 1 + len(others)],
            "seated": True,
            "host": True,
            "begun": self.live is not None,
            "watch": "c" * 32,
            "number_hashes": [self.requested["number_hash"], *others],
            "revealed": self.live is not None,
        }
        self.alter_table(reported)
        return reported

    def answer(self, route: Route) -> None:
        """Answer the page's requests about the game; pass all others on to the real server."""
        path = route.request.url.partition("/api/")[2]
        requested = route.request.post_data_json if route.request.post_data else {}
        if path in ("commitments", "preparations", "strengths"):
            simple = {"commitment": GAME_ID, "hash": HASH} | READY_AT_ONCE | {"matches": []}
            return route.fulfill(json=simple)
        if path == "games" and route.request.method == "POST":
            self.begin(requested, requested["number"])
            return route.fulfill(json=self.view(), status=201)
        if path == "invitations" and route.request.method == "POST":
            self.requested, self.table = requested, {"joined": False}
            return route.fulfill(json=self.waiting(), status=201)
        if path == f"invitations/{GAME_ID}":
            answer = self.waiting()
            self.table["joined"] = True
            return route.fulfill(json=answer)
        if path == f"invitations/{GAME_ID}/reveal":
            self.begin(self.requested, requested["number"], FRIENDS_NUMBER)
            return route.fulfill(json=self.waiting())
        if path == f"games/{GAME_ID}/moves":
            try:
                self.move(requested["move"])
            except InputError as error:
                return route.fulfill(json={"error": str(error)}, status=422)
            return route.fulfill(json=self.view())
        if path == f"games/{GAME_ID}/resign":
            self.live.table.resign(self.live.settings.seat)
            return route.fulfill(json=self.view())
        if path == f"games/{GAME_ID}":
            return route.fulfill(json=self.view())
        if path == f"games/{GAME_ID}/news":
            return route.fulfill(json={"number": self.live.table.number, "over": self.live.table.is_over})
        if path.startswith(f"games/{GAME_ID}/"):
            return route.fulfill(json={"error": "There is no review."}, status=404)
        return route.fallback()

    def stand_before(self, person: Visit) -> "Server":
        """Answer the requests of this person's page from now on."""
        person.page.route("**/api/**", self.answer)
        return self


def set_up(person: Visit, game: str, *, seat: str = "first", opponent: str | None = None, **rules: object) -> None:
    """Choose a game and its settings on its page, and start it."""
    page = person.page
    person.go(f"new/{game}/" + ",".join(f"{name}={value}" for name, value in rules.items()))
    if opponent:
        page.locator(f"[name=opponent][value='{opponent}']").check()
    if page.locator("[name=seat]").count() and page.locator(".seats").is_visible():
        page.locator(f"[name=seat][value={seat}]").check()
    page.get_by_role("button", name="Start").click()


def verdict(page: Page) -> tuple[str, list[str]]:
    """Return the verdict, and the sentences under it."""
    answer = page.locator(".verdict")
    expect(answer).to_be_visible()
    return str(answer.text_content()).strip(), page.locator(".fairness > .found > ul > li").all_text_contents()
