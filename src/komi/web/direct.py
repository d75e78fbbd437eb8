"""The direct way to the endpoints that a game calls again and again: its moves, its state, and its news.

FastAPI resolves dependencies and parses a body within a quarter of a millisecond, more than the referee takes for most
moves. A request of one of these endpoints that is valid is answered here; all others go to FastAPI, which says why they
are not valid.
"""

import re
from collections.abc import Sequence
from functools import partial

from fastapi.routing import APIRoute
from pydantic import ValidationError
from starlette.concurrency import run_in_threadpool
from starlette.responses import Response
from starlette.routing import BaseRoute
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from komi.errors import KomiError
from komi.web.queued_job import Requester
from komi.web.responses import ApiError, failure
from komi.web.services import Services

GAME_PATH = re.compile(r"/api/games/([0-9a-f]{32})(/[a-z]+)?")
PARAMETERS = {"id", "body", "requester", "services", "return"}


class DirectMiddleware:
    """Middleware that answers valid requests of endpoints that take a game's id, the requester, and perhaps a body.

    Args:
        app: the wrapped application, which answers all other requests.
        services: the components that handle requests.
        routes: the routes of games.
    """

    def __init__(self, app: ASGIApp, services: Services, routes: Sequence[BaseRoute]) -> None:
        self._app, self._services = app, services
        self._routes = {
            (method, route.path.partition("{id}")[2]): route
            for route in routes
            if isinstance(route, APIRoute)
            and "id" in (names := route.endpoint.__annotations__)
            and set(names) <= PARAMETERS
            for method in route.methods or ()
        }

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Answer the request, or pass it on."""
        found = GAME_PATH.fullmatch(scope["path"]) if scope["type"] == "http" and not scope["query_string"] else None
        route = self._routes.get((scope["method"], found[2] or "")) if found else None
        if found is None or route is None:
            await self._app(scope, receive, send)
            return
        state, arguments = scope["state"], {}
        model = route.endpoint.__annotations__.get("body")
        try:
            if model is not None:
                body = await _read(receive)
                arguments["body"] = model.model_validate_json(body)
        except ValidationError:
            await self._app(scope, _replay(body, receive), send)
            return
        except ApiError as error:
            await failure(error)(scope, receive, send)
            return
        scope["route"] = route
        requester = Requester(state["person"], state["address"], state["has_cookie"])
        given = partial(route.endpoint, id=found[1], requester=requester, services=self._services, **arguments)
        try:
            response: Response = await run_in_threadpool(given)
        except (ApiError, KomiError) as error:
            response = failure(error)
        await response(scope, receive, send)


async def _read(receive: Receive) -> bytes:
    """Read the body of a request."""
    body = b""
    while True:
        message = await receive()
        body += bytes(message.get("body", b""))
        if not message.get("more_body", False):
            return body


def _replay(body: bytes, receive: Receive) -> Receive:
    """Return a channel that yields the body that has been read, and then what follows it."""
    messages: list[Message] = [{"type": "http.request", "body": body, "more_body": False}]

    async def replayed() -> Message:
        return messages.pop() if messages else await receive()

    return replayed
