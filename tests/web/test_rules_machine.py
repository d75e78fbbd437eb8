"""Whatever is sent, the server's game is the one that the rules allow: it plays beside the rules themselves."""

import random
import tempfile
from pathlib import Path
from typing import Any
from unittest.mock import patch

import pytest
from hypothesis import HealthCheck, settings
from hypothesis import strategies as st
from hypothesis.stateful import RuleBasedStateMachine, initialize, invariant, precondition, rule

from komi.rules import catalog

from playing import Server

GAMES = {
    "red-light": {"goal": 12, "red": 2, "green": 5},
    "pig": {"goal": 30},
    "two-dice-pig": {"goal": 40},
    "fowl-play": {"goal": 10, "wolves": 2, "chickens": 6},
    "traffic-lights": {},
}
TRIES = ("hold", "roll", "draw", "green", "red", "1", "a1", "chicken", "", "x" * 200)


class Playing(RuleBasedStateMachine):
    """A person with two tabs who tries everything, and a server that restarts now and then."""

    def __init__(self) -> None:
        super().__init__()
        self.folder = tempfile.TemporaryDirectory()
        self.address = f"sqlite:///{Path(self.folder.name) / 'games.db'}"
        self.cookies: Any = None
        self.patches = [  # the same examples make the same games
            patch("komi.web.commitments.seed_of", lambda *_: bytes(32)),
            patch("komi.web.game_service.secrets.SystemRandom", lambda: random.Random(0)),
        ]
        for each in self.patches:
            each.start()
        self.start()

    def start(self) -> None:
        self.running = Server.running(self.address)
        self.server = self.running.__enter__()
        self.ann = self.server.visitor(self.cookies)

    def teardown(self) -> None:
        self.running.__exit__(None, None, None)
        self.folder.cleanup()
        for each in self.patches:
            each.stop()

    @initialize(name=st.sampled_from(sorted(GAMES)), seat=st.sampled_from(["first", "second"]), by_hand=st.booleans())
    def begin(self, name: str, seat: str, by_hand: bool) -> None:
        self.game = catalog.find(name)
        self.rules = self.game.rules(GAMES[name])
        mode = "test" if by_hand else "normal"
        self.view = self.ann.begin(name, rules=GAMES[name], seat=seat, mode=mode)
        self.cookies = self.ann.client.cookies
        self.made: list[tuple[int, str]] = []

    @precondition(lambda self: self.view["waiting"])
    @rule(choice=st.integers(0, 20))
    def move(self, choice: int) -> None:
        offered = self.view["actions"] or self.view["events"]
        label = offered[choice % len(offered)]["label"]
        self.made.append((self.view["number"], label))
        self.view = self.ann.moved(self.view, label)

    @precondition(lambda self: self.made)
    @rule(which=st.integers(0, 100))
    def send_again(self, which: int) -> None:
        number, label = self.made[which % len(self.made)]
        assert self.ann.move(self.view, label, number) == (200, self.view)

    @rule(label=st.sampled_from(TRIES), ahead=st.integers(-3, 3))
    def try_anything(self, label: str, ahead: int) -> None:
        number = self.view["number"] + ahead
        offered = {each["label"] for each in self.view["actions"] + self.view["events"]}
        is_next = ahead == 0 and label in offered
        is_again = (number, label) in self.made
        status, answer = self.ann.move(self.view, label, number)
        if is_next:
            self.made.append((number, label))
            self.view = answer
        elif is_again:
            assert answer == self.view
        else:
            assert status in (409, 422)
        assert (status == 200) == (is_next or is_again)

    @rule()
    def look_from_another_tab(self) -> None:
        assert self.server.visitor(self.cookies).get(f"/games/{self.view['id']}") == self.view

    @rule()
    def restart(self) -> None:
        self.running.__exit__(None, None, None)
        self.start()

    @invariant()
    def log_is_one_that_the_rules_allow(self) -> None:
        """Follow the log by the rules alone, from the start."""
        state, seat, pending = self.game.part("start")(self.rules), 0, None
        for entry in self.view["log"]:
            assert entry["seat"] == seat
            action = self.game.labels(self.rules, state)[entry["label"]] if pending is None else pending
            outcomes = list(self.game.outcomes(self.rules, state, action))
            after = entry["state"]
            came = {
                (state, passes)
                for _, state, passes in outcomes
                if self.game.shown(self.rules, state) == after and (seat + passes) % 2 == entry["observer"]
            }
            is_waiting = (
                entry["kind"] == "action" and entry["state"] == self.game.shown(self.rules, state) and len(outcomes) > 1
            )
            if is_waiting:
                pending = action
                continue
            assert len(came) == 1, entry
            state, passes = came.pop()
            seat, pending = (seat + passes) % 2, None
        assert self.view["number"] == len(self.view["log"])
        if self.game.part("over")(self.rules, state):
            assert self.view["waiting"] is None
        elif self.view["result"] is None:
            assert self.view["mover"] == seat
            if self.view["waiting"] == "action":
                assert seat == self.view["you"]
                assert [each["label"] for each in self.view["actions"]] == list(self.game.labels(self.rules, state))


TestPlaying = pytest.mark.slow(Playing.TestCase)
TestPlaying.settings = settings(
    max_examples=6, stateful_step_count=25, suppress_health_check=list(HealthCheck), derandomize=True
)
