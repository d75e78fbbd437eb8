"""Responses of the API: models as JSON, and errors as a status and one sentence, `{"error": "..."}`."""

import logging
import time
import traceback
from http import HTTPStatus
from pathlib import Path
from typing import Any

from fastapi import FastAPI, Request
from fastapi.exceptions import RequestValidationError
from pydantic import BaseModel
from sqlalchemy.exc import InterfaceError, OperationalError
from sqlalchemy.exc import TimeoutError as PoolTimeoutError
from starlette.exceptions import HTTPException
from starlette.responses import JSONResponse, Response
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from komi.errors import KomiError, RuleError, StorageError
from komi.web.models import ErrorResponse
from komi.web.validation import describe

LOG = logging.getLogger("komi.web")
UNAVAILABLE = (OperationalError, InterfaceError, PoolTimeoutError)  # the database does not respond
RETRY_DATABASE = 2  # Retry-After in seconds while the database does not respond
OUTAGE_INTERVAL = 60.0  # seconds between two lines of the log while the database does not respond
FAILED = "Something went wrong on the server; it has been logged."
SENTENCES = {
    400: "The request cannot be read.",
    404: "There is nothing at this address.",
    405: "This address does not support that method.",
}
ERROR_RESPONSES: dict[int | str, dict[str, Any]] = {
    status: {"model": ErrorResponse} for status in (400, 403, 404, 405, 409, 410, 413, 415, 422, 429, 500, 503)
}
"""The error responses of every endpoint, for the OpenAPI document."""


class ModelResponse(Response):
    """A model as a JSON response, serialized once, by pydantic itself."""

    media_type = "application/json"


def respond(model: BaseModel, status: int = 200) -> ModelResponse:
    """Create the JSON response for a model."""
    return ModelResponse(model.model_dump_json(), status)


class ApiError(HTTPException):
    """A request that the server refuses.

    Attributes:
        status_code: the HTTP status.
        detail: the reason, in a sentence for a person.
        headers: the header Retry-After, if the client should repeat the request later.
        more: further fields of the response.
    """

    def __init__(self, status: int, sentence: str, after: int | None = None, **more: Any) -> None:
        super().__init__(status, sentence, None if after is None else {"retry-after": str(after)})
        self.more = more


def error_response(status: int, sentence: str, **more: Any) -> JSONResponse:
    """Create an error response."""
    sentence = sentence.encode(errors="backslashreplace").decode()  # it can quote invalid Unicode
    return JSONResponse({"error": sentence[:1].upper() + sentence[1:], **more}, status)


def install(app: FastAPI) -> None:
    """Register handlers so that every error response has this form."""
    app.add_exception_handler(ApiError, _failure)
    app.add_exception_handler(KomiError, _failure)
    app.add_exception_handler(RequestValidationError, _validation_error)
    app.add_exception_handler(HTTPException, _http_error)


def failure(error: Exception) -> JSONResponse:
    """Create the response for a refused request, or an error of a game."""
    if isinstance(error, ApiError):
        response = error_response(error.status_code, error.detail, **error.more)
        response.headers.update(error.headers or {})
        return response
    status = 500 if isinstance(error, StorageError) else 422
    return error_response(status, error.plain_sentence if isinstance(error, RuleError) else str(error))


async def _failure(_: Request, error: Exception) -> JSONResponse:
    return failure(error)


async def _validation_error(_: Request, error: Exception) -> JSONResponse:
    assert isinstance(error, RequestValidationError)
    first = error.errors()[0]
    if first["type"] == "json_invalid":
        return error_response(400, "The request is not valid JSON.")
    return error_response(422, describe(first))


async def _http_error(_: Request, error: Exception) -> JSONResponse:
    assert isinstance(error, HTTPException)
    sentence = SENTENCES.get(error.status_code) or f"{HTTPStatus(error.status_code).phrase}."
    response = error_response(error.status_code, sentence)
    response.headers.update(error.headers or {})
    return response


class ErrorMiddleware:
    """Middleware that turns an unexpected error into one line in the log and one sentence in the response.

    While the database does not respond, the log gets a line per minute, and the responses say when to repeat.
    """

    def __init__(self, app: ASGIApp) -> None:
        self._app = app
        self._outage_logged_at = -OUTAGE_INTERVAL

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Forward the request."""
        has_started = False

        async def tracking_send(message: Message) -> None:
            nonlocal has_started
            has_started = True
            await send(message)

        try:
            await self._app(scope, receive, tracking_send)
        except Exception as error:
            if scope["type"] != "http":
                raise
            is_outage = isinstance(error, UNAVAILABLE)
            if not is_outage or self._is_due():
                LOG.error("%s %s failed: %s", scope["method"], scope["path"], _line(error))  # noqa: TRY400  no traceback
            if not has_started:
                response = _outage() if is_outage else error_response(500, FAILED)
                await response(scope, receive, send)

    def _is_due(self) -> bool:
        """Return whether the log gets a line for an outage of the database now."""
        now = time.monotonic()
        if now - self._outage_logged_at < OUTAGE_INTERVAL:
            return False
        self._outage_logged_at = now
        return True


def _outage() -> JSONResponse:
    response = error_response(503, "The database does not respond; try again in a moment.")
    response.headers["retry-after"] = str(RETRY_DATABASE)
    return response


def _line(error: Exception) -> str:
    last = traceback.extract_tb(error.__traceback__)[-1]
    message = str(error).partition("\n")[0]
    return f"{type(error).__name__}: {message} ({Path(last.filename).name}, line {last.lineno})"
