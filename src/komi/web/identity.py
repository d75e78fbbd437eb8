"""Identification of people: each browser is a person, identified by a cookie that this server has signed."""

import ipaddress
import re
import secrets
from functools import lru_cache
from typing import Annotated

from fastapi import Depends
from itsdangerous import BadSignature, Signer
from starlette.datastructures import MutableHeaders
from starlette.requests import HTTPConnection, cookie_parser
from starlette.types import ASGIApp, Message, Receive, Scope, Send

COOKIE = "komi"
COOKIE_SECONDS = 2 * 365 * 24 * 3600  # lifetime of the cookie in seconds
MAX_ADDRESSES = 10_000  # addresses
MAX_COOKIES = 2000  # headers of up to 32 KB, whose person is remembered
ID_PATTERN = re.compile("[0-9a-f]{32}")


@lru_cache(maxsize=MAX_ADDRESSES)
def network_of(address: str) -> str:
    """Return the address, or the /64 network of an IPv6 address: one customer has all of its addresses."""
    try:
        found = ipaddress.ip_address(address.partition("%")[0])
    except ValueError:
        return address
    if isinstance(found, ipaddress.IPv4Address):
        return address
    return str(found.ipv4_mapped or ipaddress.ip_network((found, 64), strict=False))


def new_id() -> str:
    """Generate a random id that cannot be guessed."""
    return secrets.token_hex(16)


class IdentityMiddleware:
    """Middleware that identifies the person, and sets the cookie of new ones.

    A cookie with an invalid signature is ignored: its sender is a new person. Only the page itself and endpoints that
    depend on `CurrentPerson` set a cookie, so that several first requests at once do not create several people.

    `address` in the state is the client's address, or the /64 network of an IPv6 address.
    """

    def __init__(self, app: ASGIApp, key: bytes, path: str = "/") -> None:
        self._app, self._path = app, path
        self._signer = Signer(key, salt="komi person")
        self._person_of = lru_cache(MAX_COOKIES)(self._read)

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Forward the request, with the person in its state."""
        if scope["type"] != "http":
            await self._app(scope, receive, send)
            return
        known = self._identify(scope)
        state = scope.setdefault("state", {})
        state["person"] = known or new_id()
        state["has_cookie"] = known is not None
        state["address"] = network_of(scope["client"][0]) if scope.get("client") else ""
        state["cookie_for"] = None

        async def send_with_cookie(message: Message) -> None:
            if message["type"] == "http.response.start" and state["cookie_for"] not in (None, known):
                MutableHeaders(scope=message).append("set-cookie", self._cookie(scope, state["cookie_for"]))
            await send(message)

        await self._app(scope, receive, send_with_cookie)

    def _identify(self, scope: Scope) -> str | None:
        cookies = (value for name, value in scope["headers"] if name == b"cookie")
        return next((person for person in map(self._person_of, cookies) if person is not None), None)

    def _read(self, header: bytes) -> str | None:
        """Return the person whose cookie a header has, if the signature is valid."""
        try:
            person = self._signer.unsign(cookie_parser(header.decode("latin-1"))[COOKIE]).decode()
        except (BadSignature, KeyError, UnicodeError):
            return None
        return person if ID_PATTERN.fullmatch(person) else None

    def _cookie(self, scope: Scope, person: str) -> str:
        signed = self._signer.sign(person).decode()
        secure = "; Secure" if scope["scheme"] == "https" else ""
        return f"{COOKIE}={signed}; Path={self._path}; Max-Age={COOKIE_SECONDS}; HttpOnly; SameSite=Strict{secure}"


def give_cookie(connection: HTTPConnection) -> None:
    """Set a cookie in the response, unless the person has one."""
    connection.state.cookie_for = connection.state.person


async def _current_person(connection: HTTPConnection) -> str:
    give_cookie(connection)
    return str(connection.state.person)


def reset_id(connection: HTTPConnection, person: str | None = None) -> None:
    """Give the browser another id in the response, so that it becomes this person, or a new one."""
    connection.state.cookie_for = person or new_id()


CurrentPerson = Annotated[str, Depends(_current_person)]
"""The id of the person who sends the request."""
