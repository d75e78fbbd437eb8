"""Engine functions that are inlined into the kernels that call them, as rules are: a call per step is too expensive."""

from collections.abc import Callable
from typing import TypeVar, cast

Template = TypeVar("Template", bound=Callable[..., object])

_INLINED: set[Callable[..., object]] = set()


def inlined(template: Template) -> Template:
    """Mark an engine function to be inlined into its callers."""
    _INLINED.add(template)
    return template


def is_inlined(function: object) -> bool:
    """Return whether an engine function is marked to be inlined."""
    return cast(Callable[..., object], function) in _INLINED
