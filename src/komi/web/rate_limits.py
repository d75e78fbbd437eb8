"""Rate limits per person and per address, as token buckets."""

import time
from collections import OrderedDict
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

from starlette.types import ASGIApp, Receive, Scope, Send

from komi.web.responses import error_response

MAX_BUCKETS = 20_000  # the least recently used ones are dropped


@dataclass(frozen=True)
class Rate:
    """A rate limit: requests per second in the long run, and the size of a burst."""

    a_second: float
    at_once: int


@dataclass(frozen=True)
class Limits:
    """The rates of one person and of one address, which a whole class may share."""

    person: Rate
    address: Rate


PAGE = Limits(Rate(200, 2000), Rate(2000, 20_000))  # files of the page; there are dozens
ANY = Limits(Rate(20, 80), Rate(600, 2000))
STARTS = Limits(Rate(2, 30), Rate(60, 500))  # games begun
SANDBOX = Limits(Rate(6, 60), Rate(100, 600))  # each request replays the game
LISTS = Limits(Rate(2, 30), Rate(40, 400))  # each reads all games of a person
EXPORTS = Limits(Rate(0.2, 10), Rate(4, 60))  # each reads all moves of a person
PREVIEWS = Limits(Rate(1, 10), Rate(2, 30))  # each draws a picture
CODES = Limits(Rate(0.2, 20), Rate(1, 100))  # codes of devices created and tried: nobody guesses one; passwords
ROOMS = Limits(Rate(0.5, 20), Rate(10, 600))  # rooms opened and entered, by a whole class at once
PHRASES = Limits(Rate(0.2, 5), Rate(10, 100))  # said at tables
SOLVING = Limits(Rate(2, 30), Rate(20, 200))  # requests that may start the solver
COSTLY = (SANDBOX, PREVIEWS, SOLVING)


class Buckets:
    """The token buckets, by kind and holder."""

    def __init__(self, clock: Callable[[], float] = time.monotonic) -> None:
        self._clock = clock
        self._tokens: OrderedDict[tuple[str, str], tuple[float, float]] = OrderedDict()

    def take(self, kind: str, who: str, rate: Rate) -> bool:
        """Take a token. Return False if the bucket is empty."""
        now = self._clock()
        tokens, before = self._tokens.pop((kind, who), (float(rate.at_once), now))
        tokens = min(rate.at_once, tokens + (now - before) * rate.a_second)
        taken = tokens >= 1.0
        self._tokens[kind, who] = (tokens - taken, now)
        if len(self._tokens) > MAX_BUCKETS:
            self._tokens.popitem(last=False)
        return taken


class RateLimitMiddleware:
    """Middleware that refuses requests above the rate limits."""

    def __init__(self, app: ASGIApp) -> None:
        self._app, self._buckets = app, Buckets()

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Forward the request, or refuse it."""
        if scope["type"] != "http" or self._may(scope):
            await self._app(scope, receive, send)
            return
        response = error_response(429, "Too many requests at once; try again in a moment.")
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
    """Return the holder of a person's bucket: of costly requests, people without a cookie at an address share one."""
    return str(state["address"] if limits in COSTLY and not state["has_cookie"] else state["person"])


def _asked(method: str, path: str) -> list[tuple[str, Limits]]:
    if not path.startswith("/api"):
        return [("page", PAGE), *([("previews", PREVIEWS)] if path.startswith("/shared/") else [])]
    limited = [("any", ANY)]
    if method == "POST" and path in ("/api/games", "/api/commitments", "/api/invitations"):
        limited.append((path, STARTS))
    elif (method == "POST" and path.startswith("/api/devices")) or (
        method != "GET" and path.startswith("/api/account")
    ):
        limited.append(("codes", CODES))
    elif method == "POST" and path.startswith("/api/rooms"):
        limited.append(("rooms", ROOMS))
    elif method == "GET" and path in ("/api/games", "/api/statistics"):
        limited.append(("lists", LISTS))
    elif path.startswith("/api/export"):
        limited.append(("exports", EXPORTS))
    elif path.endswith("/phrases"):
        limited.append(("phrases", PHRASES))
    elif path.startswith(("/api/sandbox", "/api/records")) or path.endswith(("/board", "/board.csv", "/review")):
        limited.append(("sandbox", SANDBOX))
    elif (method == "POST" and path in ("/api/preparations", "/api/strengths", "/api/rungs")) or (
        path.startswith("/api/puzzles/") or path.endswith(("/surface", "/estimates", "/excitement"))
    ):
        limited.append(("solving", SOLVING))
        if path.endswith(".png"):
            limited.append(("previews", PREVIEWS))
    return limited
