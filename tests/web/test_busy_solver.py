"""The solver of a real server, kept busy by jobs that never end: games under default rules are served all the same."""

import signal
import time
from collections.abc import Callable, Iterator
from contextlib import ExitStack
from typing import Any

import httpx2 as httpx
import pytest

from komi.rules import catalog

from playing import serving

pytestmark = pytest.mark.slow

HOLD = "    yield HOLD\n"
NEVER = """
    while rules.goal > 15 and state.score > 8:  # far from the default, and from the start
        pass
"""
PATIENCE = 240  # seconds
Visit = Callable[..., httpx.Client]


@pytest.fixture(scope="module")
def served(tmp_path_factory: pytest.TempPathFactory) -> Iterator[str]:
    folder = tmp_path_factory.mktemp("served")
    (folder / "endless.py").write_text(catalog.find("piglet").file.read_text().replace(HOLD, NEVER + HOLD))
    with pytest.MonkeyPatch.context() as patch, ExitStack() as started:
        patch.setenv("KOMI_RULE_SECONDS", "3600")
        options = str(folder / "endless.py"), "--host", "0.0.0.0"
        process, address = started.enter_context(serving(folder / "games.db", *options))
        api = f"http://127.0.0.1:{address.rstrip('/').rpartition(':')[2]}/api"
        with httpx.Client(base_url=api, timeout=PATIENCE) as first:
            prepare(first, goal=3)  # compiles what all the others need
        yield api
        process.send_signal(signal.SIGINT)  # it ends its jobs
        process.wait(PATIENCE)


@pytest.fixture
def visit(served: str) -> Iterator[Visit]:
    """Opens browsers at different addresses; without a cookie they are anonymous."""
    with ExitStack() as browsers:

        def open_browser(place: int, has_cookie: bool = True) -> httpx.Client:
            transport = httpx.HTTPTransport(local_address=f"127.0.0.{place}")
            browser = browsers.enter_context(httpx.Client(transport=transport, base_url=served, timeout=PATIENCE))
            if has_cookie:
                browser.get("/me")
            return browser

        yield open_browser


def keep_busy(browser: httpx.Client, goals: range, paths: tuple[str, ...] = ("/preparations", "/strengths")) -> None:
    """Request endless work under custom rules."""
    for goal in goals:
        for path in paths:
            browser.cookies.clear()
            assert browser.post(path, json={"game": "endless", "rules": {"goal": goal}}).status_code == 202


def wait_for(ask: Callable[[], httpx.Response]) -> Any:
    """Repeat a request until it has a response; a refusal says when to repeat it."""
    for _ in range(2 * PATIENCE):
        answer = ask()
        if answer.status_code == 200:
            return answer.json()
        assert answer.status_code in (202, 503), answer.text
        assert answer.status_code == 202 or 1 <= int(answer.headers["retry-after"]) <= 600
        time.sleep(0.5)
    raise AssertionError(answer.text)


def prepare(browser: httpx.Client, **rules: int) -> Any:
    response = wait_for(lambda: browser.post("/preparations", json={"game": "piglet", "rules": rules}))
    assert response["ready"], response
    return response


def test_hints_surfaces_and_strengths_of_default_rules_do_not_wait_for_odd_ones(visit: Visit) -> None:
    for place in (2, 3, 4):
        keep_busy(visit(place, has_cookie=False), range(100 + 10 * place, 108 + 10 * place))
    ann = visit(6)
    commitment = ann.post("/commitments", json={}).json()["commitment"]
    request = {"game": "piglet", "opponent": "random", "seat": "first", "commitment": commitment, "number": "0" * 32}
    game = ann.post("/games", json=request).json()
    assert wait_for(lambda: ann.get(f"/games/{game['id']}/hint"))["best"]
    assert wait_for(lambda: ann.get(f"/games/{game['id']}/surface"))["z"]
    assert wait_for(lambda: ann.post("/strengths", json={"game": "piglet"}))["ready"]


def test_class_behind_one_address_is_not_shut_out_by_one_of_them(visit: Visit) -> None:
    keep_busy(visit(7, has_cookie=False), range(200, 210))
    for pupil in [visit(7) for _ in range(30)]:
        responses = [
            pupil.post("/preparations", json={"game": "piglet", "rules": {"goal": goal}}) for goal in (11, 12, 13)
        ]
        assert {each.status_code for each in responses} <= {200, 202}
