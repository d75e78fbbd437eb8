"""Support for a URL path prefix, as behind a reverse proxy: `https://games.example/komi/`."""

import re

from starlette.responses import RedirectResponse
from starlette.types import ASGIApp, Receive, Scope, Send

from komi.errors import InputError

FORM = re.compile(r"(/[A-Za-z0-9._~-]+)*")


def check_root_path(path: str) -> str:
    """Validate a URL path prefix, and return it without a trailing slash.

    Raises:
        InputError: if it is not a valid path.
    """
    path = path.rstrip("/")
    if not FORM.fullmatch(path) or "/." in path:
        raise InputError(f"{path!r} is not a path: give one such as /komi.")
    return path


class RootPathMiddleware:
    """Middleware that strips the path prefix, whether or not the reverse proxy has stripped it already.

    Args:
        app: the wrapped application, which sees paths without the prefix.
        root_path: the prefix, as returned by `check_root_path`.
    """

    def __init__(self, app: ASGIApp, root_path: str) -> None:
        self._app, self._root_path = app, root_path

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Forward the request with the prefix stripped."""
        path = scope.get("path", "")
        if scope["type"] == "http" and self._root_path and path == self._root_path:
            await RedirectResponse(f"{self._root_path}/", 308)(scope, receive, send)
            return
        if scope["type"] == "http" and self._root_path and path.startswith(f"{self._root_path}/"):
            scope = dict(scope) | {"path": path.removeprefix(self._root_path)}
        await self._app(scope, receive, send)
