"""Python functions as policies: (rules, state), in the language of rule files, or (observation, action_mask).

The source of a function (rules, state) becomes a policy file in a folder of the cache, so that it is compiled, checked,
simulated and sent to other processes like any other; see `rules.extracted_source` for what it can use from outside.
"""

import inspect
from collections.abc import Callable
from pathlib import Path
from types import FunctionType
from typing import Any

from komi.errors import GameError, InputError
from komi.rules import derived, loading
from komi.rules.extracted_source import namespace_of, outside, source_of

FORMS = (
    "a policy is a function (rules, state), as in rule files, or (observation, action_mask), with the arrays of "
    "komi.gymnasium; both return the number of an action"
)
ROLES = (["rules", "state"], ["rules", "state", "action"])  # the parameters of functions in rule files


def name_of(function: Callable[..., Any]) -> str:
    """Return the name under which results mention a function."""
    return str(getattr(function, "__name__", type(function).__name__))


def takes_rules(function: Callable[..., Any]) -> bool:
    """Return whether a function is one of (rules, state), as in rule files, by the name of its first parameter.

    Raises:
        InputError: if it takes neither (rules, state) nor two arguments.
    """
    if not callable(function):
        raise InputError(f"a policy is a name, a Policy or a function, not {function!r}.")
    try:
        signature = inspect.signature(function, follow_wrapped=False)
    except (TypeError, ValueError):  # a function of C, which does not tell
        return False
    names = list(signature.parameters)
    if names[:1] == ["rules"]:
        if [*names[:1], "state", *names[2:]] not in ROLES or not isinstance(function, FunctionType):
            raise _wrong_form(function, signature)
        return True
    try:
        signature.bind(None, None)
    except TypeError:
        raise _wrong_form(function, signature) from None
    return False


def in_file(function: Callable[..., Any]) -> FunctionType:
    """Return a function (rules, state) as that of a rule file or policy file; one from elsewhere is written into one.

    Raises:
        GameError: if its source is not available, or is not in the language of rule files.
        StorageError: if the file cannot be written.
    """
    assert isinstance(function, FunctionType)
    if str(function.__module__).startswith((loading.FROM_FILE, loading.BUILT_IN)):
        return function
    name = function.__name__ if function.__name__.isidentifier() else "policy"
    body = source_of(function, name)
    if body is None:
        raise GameError(f"policy {function.__name__}: komi finds no source of this function. Define it in a file.")
    used = outside(f"policy {function.__name__}", str(function.__module__), namespace_of(function), body)
    file, text = f"{name}.py", "\n".join([*used, body, ""])
    written = getattr(loading.load(derived.write("policy", {Path(file): text.encode()}) / file), name)
    assert isinstance(written, FunctionType)
    return written


def _wrong_form(function: Callable[..., Any], signature: inspect.Signature) -> InputError:
    plain = [each.replace(annotation=inspect.Parameter.empty) for each in signature.parameters.values()]
    given = ", ".join(map(str, plain))
    what = "" if isinstance(function, FunctionType) else "is an object that "
    return InputError(f"policy {name_of(function)} {what}takes ({given}): {FORMS}.")
