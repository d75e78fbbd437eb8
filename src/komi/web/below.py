"""A server that stands below a path of another one: `https://games.example/komi/`."""

import re

from starlette.responses import RedirectResponse
from starlette.types import ASGIApp, Receive, Scope, Send

from komi.errors import InputError

FORM = re.compile(r"(/[A-Za-z0-9._~-]+)*")


def check_root_path(path: str) -> str:
    """The path as it stands before all addresses, without a slash at its end.

    Raises:
        InputError: if it is none.
    """
    path = path.rstrip("/")
    if not FORM.fullmatch(path) or "/." in path:
        raise InputError(f"{path!r} is no path: give one such as /komi.")
    return path


class Below:
    """Middleware: takes the path off, whether the web server in front has done so already or not.

    Args:
        app: what answers, as if it stood at the top.
        root_path: the path, as `check_root_path` leaves it.
    """

    def __init__(self, app: ASGIApp, root_path: str) -> None:
        self._app, self._root_path = app, root_path

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Pass the request on."""
        path = scope.get("path", "")
        if scope["type"] == "http" and self._root_path and path == self._root_path:
            await RedirectResponse(f"{self._root_path}/", 308)(scope, receive, send)
            return
        if scope["type"] == "http" and self._root_path and path.startswith(f"{self._root_path}/"):
            scope = dict(scope) | {"path": path.removeprefix(self._root_path)}
        await self._app(scope, receive, send)
