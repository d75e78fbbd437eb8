"""Error responses: each is a status and one sentence, `{"error": "..."}`."""

import logging
import traceback
from http import HTTPStatus
from pathlib import Path
from typing import Any

from fastapi import FastAPI, Request
from fastapi.exceptions import RequestValidationError
from starlette.exceptions import HTTPException
from starlette.responses import JSONResponse
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from komi.errors import KomiError, RuleError, StorageError
from komi.web.wrong_fields import sentence

LOG = logging.getLogger("komi.web")
SENTENCES = {
    400: "The request cannot be read.",
    404: "There is nothing at this address.",
    405: "This address does not answer to that method.",
}


class RefusalError(HTTPException):
    """A request is refused.

    Attributes:
        status_code: the HTTP status.
        detail: the reason, in a sentence for a person.
        headers: the header Retry-After, if the client should repeat the request later.
        more: further fields of the response.
    """

    def __init__(self, status: int, sentence: str, after: int | None = None, **more: Any) -> None:
        super().__init__(status, sentence, None if after is None else {"retry-after": str(after)})
        self.more = more


def refusal(status: int, told: str, **more: Any) -> JSONResponse:
    """Create an error response."""
    told = told.encode(errors="backslashreplace").decode()  # it may quote invalid Unicode
    return JSONResponse({"error": told[:1].upper() + told[1:], **more}, status)


def install(app: FastAPI) -> None:
    """Register handlers so that every error response has this form."""
    app.add_exception_handler(RefusalError, _refused)
    app.add_exception_handler(KomiError, _komi_error)
    app.add_exception_handler(RequestValidationError, _invalid)
    app.add_exception_handler(HTTPException, _http)


async def _refused(_: Request, error: Exception) -> JSONResponse:
    assert isinstance(error, RefusalError)
    response = refusal(error.status_code, error.detail, **error.more)
    response.headers.update(error.headers or {})
    return response


async def _komi_error(_: Request, error: Exception) -> JSONResponse:
    return refusal(
        500 if isinstance(error, StorageError) else 422,
        error.plain_sentence if isinstance(error, RuleError) else str(error),
    )


async def _invalid(_: Request, error: Exception) -> JSONResponse:
    assert isinstance(error, RequestValidationError)
    first = error.errors()[0]
    if first["type"] == "json_invalid":
        return refusal(400, "The request is no JSON.")
    return refusal(422, sentence(first))


async def _http(_: Request, error: Exception) -> JSONResponse:
    assert isinstance(error, HTTPException)
    sentence = SENTENCES.get(error.status_code) or f"{HTTPStatus(error.status_code).phrase}."
    response = refusal(error.status_code, sentence)
    response.headers.update(error.headers or {})
    return response


class NoTraceback:
    """Middleware that turns an unexpected error into one line in the log and one sentence in the response."""

    def __init__(self, app: ASGIApp) -> None:
        self._app = app

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Forward the request."""
        begun = False

        async def watched(message: Message) -> None:
            nonlocal begun
            begun = True
            await send(message)

        try:
            await self._app(scope, receive, watched)
        except Exception as error:
            if scope["type"] != "http":
                raise
            LOG.error("%s %s failed: %s", scope["method"], scope["path"], _line(error))  # noqa: TRY400  no traceback
            if not begun:
                sentence = "Something went wrong on the server; it has been logged."
                await refusal(500, sentence)(scope, receive, send)


def _line(error: Exception) -> str:
    last = traceback.extract_tb(error.__traceback__)[-1]
    message = str(error).partition("\n")[0]
    return f"{type(error).__name__}: {message} ({Path(last.filename).name}, line {last.lineno})"
