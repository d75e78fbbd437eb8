"""How often one person, and one address, may ask: a bucket of tokens for each, filled at a steady rate."""

import time
from collections import OrderedDict
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

from starlette.types import ASGIApp, Receive, Scope, Send

from komi.web.refusals import refusal

MOST_BUCKETS = 20_000  # the ones not used for longest are forgotten


@dataclass(frozen=True)
class Rate:
    """So many requests a second in the long run, so many at once."""

    a_second: float
    at_once: int


@dataclass(frozen=True)
class Limits:
    """The rates for one person and for one address, which a whole class may share."""

    person: Rate
    address: Rate


PAGE = Limits(Rate(200, 2000), Rate(2000, 20_000))  # files of the page, of which it has dozens
ANY = Limits(Rate(20, 80), Rate(600, 2000))
STARTS = Limits(Rate(2, 30), Rate(60, 500))  # games begun
SANDBOX = Limits(Rate(6, 60), Rate(100, 600))  # games told anew each time
SOLVING = Limits(Rate(2, 30), Rate(20, 200))  # what may set the solver to work


class Buckets:
    """Tokens of many, by who they are."""

    def __init__(self, clock: Callable[[], float] = time.monotonic) -> None:
        self._clock = clock
        self._left: OrderedDict[tuple[str, str], tuple[float, float]] = OrderedDict()

    def take(self, kind: str, who: str, rate: Rate) -> bool:
        """Take a token; false if there is none."""
        now = self._clock()
        left, before = self._left.pop((kind, who), (float(rate.at_once), now))
        left = min(rate.at_once, left + (now - before) * rate.a_second)
        taken = left >= 1.0
        self._left[kind, who] = (left - taken, now)
        if len(self._left) > MOST_BUCKETS:
            self._left.popitem(last=False)
        return taken


class RateLimits:
    """Middleware: refuses who asks too often."""

    def __init__(self, app: ASGIApp) -> None:
        self._app, self._buckets = app, Buckets()

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Pass the request on, or refuse it."""
        if scope["type"] != "http" or self._may(scope):
            await self._app(scope, receive, send)
            return
        response = refusal(429, "Too many requests at once; try again in a moment.")
        response.headers["retry-after"] = "1"
        await response(scope, receive, send)

    def _may(self, scope: Scope) -> bool:
        state = scope["state"]
        return all(
            self._buckets.take(f"{kind} of an address", state["address"], limits.address)
            and self._buckets.take(f"{kind} of a person", _person(state, limits), limits.person)
            for kind, limits in _asked(scope["method"], scope["path"])
        )


def _person(state: dict[str, Any], limits: Limits) -> str:
    """Return who is limited: for the solver, all people without a cookie at an address are one."""
    return str(state["address"] if limits is SOLVING and not state["has_cookie"] else state["person"])


def _asked(method: str, path: str) -> list[tuple[str, Limits]]:
    if not path.startswith("/api"):
        return [("page", PAGE)]
    asked = [("any", ANY)]
    if method == "POST" and path in ("/api/games", "/api/commitments", "/api/invitations"):
        asked.append((path, STARTS))
    elif path.startswith(("/api/sandbox", "/api/records")):
        asked.append(("sandbox", SANDBOX))
    elif (method == "POST" and path in ("/api/preparations", "/api/strengths")) or path.endswith("/surface"):
        asked.append(("solving", SOLVING))
    return asked
