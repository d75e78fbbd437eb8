"""Whether what a game file declares has the form that the protocol asks for."""

from pathlib import Path
from types import FunctionType, ModuleType
from typing import Any

from komi.errors import GameError

REQUIRED = ("players", "Rules", "State", "start", "legal", "outcomes", "over", "payoff")
_FUNCTIONS = (
    "start legal outcomes over payoff label fields limits possible view reward objective no_value transient symmetries"
    " pick sample event leader read write board square decisive how_to_play stage order"
    " opponents alone target beside throw turned faces keeps card filled scores"
)
FUNCTIONS = tuple(_FUNCTIONS.split())
_OPTIONS = (
    "a against aim at_least b cluster counts credible deals draws file fresh game games keep max_komi most notice"
    " numbers over per_deal policies policy prior progress reachable scores seconds section seed self size state states"
    " store target_actions tolerance total until_stderr vary weights workers x y"
)
OPTIONS = frozenset(_OPTIONS.split())
"""The options of komi's functions, which take rules by name beside them."""

KINDS: dict[Any, Any] = {int: int, "int": int, str: str, "str": str}  # of rules, by how they are annotated


def check(module: ModuleType) -> None:
    """See that a game file has all that a game must have, each in its form.

    Raises:
        GameError: if not.
    """
    problem = _missing(module) or _malformed(module) or _malformed_rules(module)
    if problem:
        raise GameError(f"{Path(str(module.__file__)).name}{problem}")


def _missing(module: ModuleType) -> str:
    missing = [name for name in REQUIRED if not hasattr(module, name)]
    if not (hasattr(module, "actions") or hasattr(module, "label")):
        missing.append("actions")
    return f" does not say {' or '.join(map(repr, missing))}, which every game must." if missing else ""


def _malformed(module: ModuleType) -> str:
    for name in FUNCTIONS:
        part = getattr(module, name, None)
        if part is not None and not isinstance(part, FunctionType):
            return f": {name!r} must be a function (def {name}(rules, ...)), not {part!r}."
    actions = getattr(module, "actions", ())
    if not (isinstance(actions, tuple | list) and all(isinstance(label, str) for label in actions)):
        return (
            ": 'actions' must be a tuple of labels, the same under all rules; where they depend on the rules, "
            "say 'label(rules, state, action)' instead."
        )
    for name in ("Rules", "State"):
        if not hasattr(getattr(module, name), "_fields"):
            return f": {name} must be a NamedTuple."
    return ""


def _malformed_rules(module: ModuleType) -> str:
    rules = module.Rules
    if len(getattr(rules, "_field_defaults", ())) < len(rules._fields):
        return ": every field of Rules needs a default."
    for name, default in rules._field_defaults.items():
        if not isinstance(default, bool | int | float | str):
            return f": rule {name!r} is {default!r}, not a number, a word, true or false."
        kind = KINDS.get(rules.__annotations__.get(name))
        if kind and not isinstance(default, kind):
            return f": rule {name!r} is declared {kind.__name__}, but is {default!r} by default."
        if name in OPTIONS:
            return f": no rule can be called {name!r}, which is an option of komi: rename it."
    return ""
