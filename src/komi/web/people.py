"""Who plays: each browser is a person, known by a cookie that only this server can have signed."""

import re
import secrets
from typing import Annotated

from fastapi import Depends
from itsdangerous import BadSignature, Signer
from starlette.datastructures import MutableHeaders
from starlette.requests import HTTPConnection, cookie_parser
from starlette.types import ASGIApp, Message, Receive, Scope, Send

COOKIE = "komi"
YEARS = 2 * 365 * 24 * 3600  # seconds that the cookie is kept
FORM = re.compile("[0-9a-f]{32}")


def new_id() -> str:
    """A name that nobody can guess."""
    return secrets.token_hex(16)


class People:
    """Middleware: says who asks, and gives a cookie to those who have none.

    A cookie that was not signed with the key counts for nothing: who sends it is a new person. Only what asks for the
    person gets a cookie, so that several first requests at once do not make several people.
    """

    def __init__(self, app: ASGIApp, key: bytes, path: str = "/") -> None:
        self._app, self._path = app, path
        self._signer = Signer(key, salt="komi person")

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Pass the request on, with the person in it."""
        if scope["type"] != "http":
            await self._app(scope, receive, send)
            return
        known = self._known(scope)
        state = scope.setdefault("state", {})
        state["person"] = known or new_id()
        state["cookie_for"] = None

        async def with_cookie(message: Message) -> None:
            if message["type"] == "http.response.start" and state["cookie_for"] not in (None, known):
                MutableHeaders(scope=message).append("set-cookie", self._cookie(scope, state["cookie_for"]))
            await send(message)

        await self._app(scope, receive, with_cookie)

    def _known(self, scope: Scope) -> str | None:
        for name, value in scope["headers"]:
            if name == b"cookie":
                try:
                    person = self._signer.unsign(cookie_parser(value.decode("latin-1"))[COOKIE]).decode()
                except (BadSignature, KeyError, UnicodeError):
                    continue
                return person if FORM.fullmatch(person) else None
        return None

    def _cookie(self, scope: Scope, person: str) -> str:
        signed = self._signer.sign(person).decode()
        secure = "; Secure" if scope["scheme"] == "https" else ""
        return f"{COOKIE}={signed}; Path={self._path}; Max-Age={YEARS}; HttpOnly; SameSite=Strict{secure}"


async def _asking(connection: HTTPConnection) -> str:
    connection.state.cookie_for = connection.state.person
    return str(connection.state.person)


def forget(connection: HTTPConnection) -> None:
    """From now on the one who asks is somebody new."""
    connection.state.cookie_for = new_id()


Person = Annotated[str, Depends(_asking)]
"""The id of the person who asks."""
