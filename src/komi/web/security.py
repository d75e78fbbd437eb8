"""Checks of every request, and security headers of every response.

The server responds only to its own host names (which prevents DNS rebinding), only to API requests from its own page,
and only to small requests. The page may not load resources from other hosts or run inline scripts.
"""

import ipaddress
import socket
from collections.abc import Iterable
from functools import cache, lru_cache
from urllib.parse import urlsplit

from starlette.datastructures import Headers
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from komi.web.responses import ApiError, error_response

MAX_BODY = 16 * 1024  # bytes
FOREIGN = "This server answers its own page only."
SAFE_METHODS = {"GET", "HEAD", "OPTIONS"}
CONTENT_POLICY = "; ".join(
    (
        "default-src 'none'",
        "script-src 'self'",
        "style-src 'self'",
        "img-src 'self' data:",
        "font-src 'self'",
        "connect-src 'self'",
        "worker-src 'self'",
        "manifest-src 'self'",
        "base-uri 'none'",
        "form-action 'none'",
        "frame-ancestors 'none'",
    )
)
REPLAY_WORKER = "/replay-worker.js"
REPLAY_POLICY = "default-src 'none'; script-src 'self' blob:; worker-src 'none'"
"""The policy of the worker that runs translated rules, from the text that the page has checked: it imports nothing."""
HEADERS = {
    "content-security-policy": CONTENT_POLICY,
    "x-content-type-options": "nosniff",
    "x-frame-options": "DENY",
    "referrer-policy": "no-referrer",
    "cross-origin-opener-policy": "same-origin",
    "cross-origin-resource-policy": "same-origin",
    "permissions-policy": "camera=(), geolocation=(), microphone=(), payment=(), usb=()",
}
MAX_HOSTS = 1000  # host names whose check is remembered


class SecurityMiddleware:
    """Middleware that refuses requests from other sites' pages, and sets the security headers of all responses.

    Args:
        app: the wrapped application.
        names: host names besides `localhost` and this machine's; numeric IP addresses are always accepted.
    """

    def __init__(self, app: ASGIApp, names: Iterable[str]) -> None:
        self._app = app
        self._names = {"localhost", socket.gethostname().lower(), *(name.lower() for name in names)}
        self._is_own = lru_cache(MAX_HOSTS)(self._find_own)

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Forward the request, or refuse it."""
        if scope["type"] != "http":
            await self._app(scope, receive, send)
            return

        async def with_headers(message: Message) -> None:
            if message["type"] == "http.response.start":
                is_worker, is_api = scope["path"].endswith(REPLAY_WORKER), scope["path"].startswith("/api")
                added = _raw_headers(is_worker=is_worker, is_api=is_api)
                replaced = {name for name, _ in added}
                kept = [header for header in message["headers"] if header[0].lower() not in replaced]
                message["headers"] = [*kept, *added]
            await send(message)

        try:
            self._check(scope)
        except ApiError as error:
            await error_response(error.status_code, error.detail)(scope, receive, with_headers)
            return
        await self._app(scope, _Bounded(receive), with_headers)

    def _check(self, scope: Scope) -> None:
        headers = Headers(scope=scope)
        host = headers.get("host", "")
        if not self._is_own(host):
            raise ApiError(400, "This server does not accept that host name; start it with --name to add one.")
        if headers.get("content-length", "0") != "0" and _length(headers) > MAX_BODY:
            raise ApiError(413, f"A request may have at most {MAX_BODY} bytes.")
        if scope["path"].startswith("/api") and _is_foreign(headers):
            raise ApiError(403, FOREIGN)
        if scope["method"] not in SAFE_METHODS:
            _check_change(headers, host)

    def _find_own(self, host: str) -> bool:
        """Return whether this is a name of the server."""
        try:
            name = urlsplit(f"//{host}").hostname or ""
        except ValueError:
            return False
        return name in self._names or _is_address(name)


@cache
def _raw_headers(*, is_worker: bool, is_api: bool) -> list[tuple[bytes, bytes]]:
    """Return the headers that are added to a response, as they are sent."""
    headers = HEADERS | ({"content-security-policy": REPLAY_POLICY} if is_worker else {})
    headers |= {"cache-control": "no-store"} if is_api else {}
    return [(name.encode(), value.encode()) for name, value in headers.items()]


class _Bounded:
    """Reads a request body, and refuses it above the size limit: not every request has a Content-Length."""

    def __init__(self, receive: Receive) -> None:
        self._receive, self._read = receive, 0

    async def __call__(self) -> Message:
        message = await self._receive()
        self._read += len(message.get("body", b""))
        if self._read > MAX_BODY:
            raise ApiError(413, f"A request may have at most {MAX_BODY} bytes.")
        return message


def _length(headers: Headers) -> int:
    text = headers["content-length"]
    if not (text.isascii() and text.isdecimal() and len(text) < 20):
        raise ApiError(400, "The Content-Length of the request is not a number.")
    return int(text)


def _check_change(headers: Headers, host: str) -> None:
    if headers.get("content-type", "").partition(";")[0].strip().lower() != "application/json":
        raise ApiError(415, "Send changes as application/json.")
    origin = headers.get("origin")
    if origin is not None and _host_of(origin) != host:
        raise ApiError(403, FOREIGN)


def _is_foreign(headers: Headers) -> bool:
    """Return whether another site's page sends the request. Following a link from there is allowed."""
    is_link = headers.get("sec-fetch-mode") == "navigate" and headers.get("sec-fetch-dest") == "document"
    return headers.get("sec-fetch-site", "same-origin") not in ("same-origin", "none") and not is_link


def _host_of(origin: str) -> str | None:
    try:
        return urlsplit(origin).netloc or None
    except ValueError:
        return None


def _is_address(name: str) -> bool:
    try:
        ipaddress.ip_address(name)
    except ValueError:
        return False
    return True
