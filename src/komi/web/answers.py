"""How answers are written: once, and by the model itself."""

from typing import Any

from pydantic import BaseModel
from starlette.responses import Response

from komi.web.models import Refusal

REFUSALS: dict[int | str, dict[str, Any]] = {
    status: {"model": Refusal} for status in (400, 403, 404, 405, 409, 410, 413, 415, 422, 429, 500, 503)
}
"""What every address may answer instead, for the OpenAPI page."""


class Answer(Response):
    """A model, as JSON."""

    media_type = "application/json"


def told(model: BaseModel, status: int = 200) -> Answer:
    """The answer that says this."""
    return Answer(model.model_dump_json(), status)
