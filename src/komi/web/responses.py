"""Responses of the API: each model is serialized once, by pydantic itself."""

from typing import Any

from pydantic import BaseModel
from starlette.responses import Response

from komi.web.models import Refusal

REFUSALS: dict[int | str, dict[str, Any]] = {
    status: {"model": Refusal} for status in (400, 403, 404, 405, 409, 410, 413, 415, 422, 429, 500, 503)
}
"""The error responses of every endpoint, for the OpenAPI document."""


class ModelResponse(Response):
    """A model as a JSON response."""

    media_type = "application/json"


def told(model: BaseModel, status: int = 200) -> ModelResponse:
    """Create the JSON response for a model."""
    return ModelResponse(model.model_dump_json(), status)
