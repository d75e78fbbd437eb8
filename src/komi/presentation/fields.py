"""Results as JSON: the fields of a result under their own names, and under others where JSON has another."""

import math
from collections.abc import Mapping
from dataclasses import fields, is_dataclass
from functools import singledispatch
from operator import attrgetter
from pathlib import Path
from typing import Any

from komi.rules.game import Game


def select(result: object, *names: str, **paths: str) -> dict[str, Any]:
    """Return attributes of a result by name.

    Args:
        result: the result.
        names: the attributes that keep their name.
        paths: the attributes that get another one, as `name="path.to.it"`.
    """
    return {name: attrgetter(path)(result) for name, path in (dict(zip(names, names, strict=True)) | paths).items()}


@singledispatch
def to_json(value: Any) -> Any:
    """Convert a result to objects, lists, texts and numbers.

    Dataclasses and named tuples become objects of their fields, games their name, arrays lists, and numbers that are
    not finite None. Classes with other fields in JSON are registered where they are presented.
    """
    if is_dataclass(value):
        return {field.name: to_json(getattr(value, field.name)) for field in fields(value)}
    if hasattr(value, "tolist"):  # an array or a number of numpy
        return to_json(value.tolist())
    return value


@to_json.register
def _(value: float) -> float | None:
    return float(value) if math.isfinite(value) else None


@to_json.register
def _(value: Mapping) -> dict[Any, Any]:  # type: ignore[type-arg]
    return {key: to_json(part) for key, part in value.items()}


@to_json.register(list)
@to_json.register(tuple)
def _(value: Any) -> Any:
    return to_json(value._asdict()) if hasattr(value, "_asdict") else [to_json(part) for part in value]


@to_json.register
def _(value: Path) -> str:
    return str(value)


@to_json.register
def _(value: Game) -> str:
    return value.name
