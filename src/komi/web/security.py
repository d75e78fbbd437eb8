"""What every request must be, and what every answer carries.

The server answers only to names that are its own (so that no other site can pass for it by DNS), answers its API to its
own page only, and reads small requests only. The page may load nothing from elsewhere and run no inline script.
"""

import ipaddress
import socket
from collections.abc import Iterable
from urllib.parse import urlsplit

from starlette.datastructures import Headers, MutableHeaders
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from komi.web.refusals import RefusalError, refusal

LARGEST_BODY = 16 * 1024  # bytes
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
        "manifest-src 'self'",
        "base-uri 'none'",
        "form-action 'none'",
        "frame-ancestors 'none'",
    )
)
HEADERS = {
    "content-security-policy": CONTENT_POLICY,
    "x-content-type-options": "nosniff",
    "x-frame-options": "DENY",
    "referrer-policy": "no-referrer",
    "cross-origin-opener-policy": "same-origin",
    "cross-origin-resource-policy": "same-origin",
    "permissions-policy": "camera=(), geolocation=(), microphone=(), payment=(), usb=()",
}


class Guard:
    """Middleware: refuses what does not come from this server's own page, and sets the headers of every answer.

    Args:
        app: what answers the rest.
        names: names of this server besides `localhost` and this machine's; addresses in numbers are always its own.
    """

    def __init__(self, app: ASGIApp, names: Iterable[str]) -> None:
        self._app = app
        self._names = {"localhost", socket.gethostname().lower(), *(name.lower() for name in names)}

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Pass the request on, or refuse it."""
        if scope["type"] != "http":
            await self._app(scope, receive, send)
            return

        async def with_headers(message: Message) -> None:
            if message["type"] == "http.response.start":
                headers = MutableHeaders(scope=message)
                for name, value in HEADERS.items():
                    headers[name] = value
                if scope["path"].startswith("/api"):
                    headers["cache-control"] = "no-store"
            await send(message)

        try:
            self._check(scope)
        except RefusalError as error:
            await refusal(error.status_code, error.detail)(scope, receive, with_headers)
            return
        await self._app(scope, _Bounded(receive), with_headers)

    def _check(self, scope: Scope) -> None:
        headers = Headers(scope=scope)
        host = headers.get("host", "")
        if not self._is_own(host):
            raise RefusalError(400, "This server does not answer to that host name; start it with --name to add one.")
        if headers.get("content-length", "0") != "0" and _length(headers) > LARGEST_BODY:
            raise RefusalError(413, f"A request may have {LARGEST_BODY} bytes at most.")
        if scope["path"].startswith("/api") and _is_foreign(headers):
            raise RefusalError(403, FOREIGN)
        if scope["method"] not in SAFE_METHODS:
            _check_change(headers, host)

    def _is_own(self, host: str) -> bool:
        try:
            name = urlsplit(f"//{host}").hostname or ""
        except ValueError:
            return False
        return name in self._names or _is_address(name)


class _Bounded:
    """Reads a request, and refuses it when more comes than it may have: not all say beforehand how long they are."""

    def __init__(self, receive: Receive) -> None:
        self._receive, self._read = receive, 0

    async def __call__(self) -> Message:
        message = await self._receive()
        self._read += len(message.get("body", b""))
        if self._read > LARGEST_BODY:
            raise RefusalError(413, f"A request may have {LARGEST_BODY} bytes at most.")
        return message


def _length(headers: Headers) -> int:
    text = headers["content-length"]
    if not (text.isascii() and text.isdecimal() and len(text) < 20):
        raise RefusalError(400, "The length of the request is no number.")
    return int(text)


def _check_change(headers: Headers, host: str) -> None:
    if headers.get("content-type", "").partition(";")[0].strip().lower() != "application/json":
        raise RefusalError(415, "Changes are sent as application/json.")
    origin = headers.get("origin")
    if origin is not None and _host_of(origin) != host:
        raise RefusalError(403, FOREIGN)


def _is_foreign(headers: Headers) -> bool:
    """Whether a browser says that another site's page asks; that a link was followed from there is no harm."""
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
