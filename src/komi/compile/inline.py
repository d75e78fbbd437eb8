"""Engine functions that are put into the kernels that call them, as rules are: a call for each step costs too much."""

from collections.abc import Callable
from typing import TypeVar, cast

Template = TypeVar("Template", bound=Callable[..., object])

_INLINED: set[Callable[..., object]] = set()


def inlined(template: Template) -> Template:
    """Mark an engine function as one to be put into those that call it."""
    _INLINED.add(template)
    return template


def is_inlined(function: object) -> bool:
    """Whether an engine function is marked so."""
    return cast(Callable[..., object], function) in _INLINED
