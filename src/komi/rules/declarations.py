"""Validation of the declarations of a game file against the protocol."""

from collections.abc import Callable, Iterator
from pathlib import Path
from types import FunctionType, ModuleType
from typing import Any

from komi.errors import GameError

REQUIRED = ("players", "Rules", "State", "start", "legal", "outcomes", "over", "payoff")
_FUNCTION_NAMES = (
    "start legal outcomes over payoff label fields limits possible view reward objective no_value transient symmetries"
    " pick sample event leader read write board square decisive how_to_play stage order"
    " opponents alone target beside throw turned faces keeps card filled scores"
)
FUNCTIONS = tuple(_FUNCTION_NAMES.split())
_RESERVED_NAMES = (
    "a against aim at_least b cluster counts credible deals draws file fix fresh game games horizon illegal keep"
    " max_cycles max_komi method most notice num_envs numbers opponent over per_deal policies policy prior progress"
    " reachable render_mode scores seat seconds section seed self settings size state states store target_actions"
    " tolerance total until_stderr vary vectorized weights workers x y"
)
RESERVED_NAMES = frozenset(_RESERVED_NAMES.split())
"""The parameters of komi's functions, which also accept rules as keyword arguments."""

RULE_TYPES: dict[Any, Any] = {int: int, "int": int, str: str, "str": str}  # types of rules, by their annotations


def check(module: ModuleType) -> None:
    """Check that a game file declares everything that a game must have, in the required form.

    Raises:
        GameError: if it does not.
    """
    problem = _missing_parts(module) or _invalid_parts(module) or _invalid_rules(module)
    if problem:
        raise GameError(f"{Path(str(module.__file__)).name}{problem}")


def _missing_parts(module: ModuleType) -> str:
    missing = [name for name in REQUIRED if not hasattr(module, name)]
    if not (hasattr(module, "actions") or hasattr(module, "label")):
        missing.append("actions")
    return f" does not define {' or '.join(map(repr, missing))}, which every game needs." if missing else ""


def _invalid_parts(module: ModuleType) -> str:
    for name in FUNCTIONS:
        part = getattr(module, name, None)
        if part is not None and not isinstance(part, FunctionType):
            return f": {name!r} must be a function (def {name}(rules, ...)), not {part!r}."
    actions = getattr(module, "actions", ())
    if not (isinstance(actions, tuple | list) and all(isinstance(label, str) for label in actions)):
        return (
            ": 'actions' must be a tuple of labels, the same under all rules; where they depend on the rules, "
            "define 'label(rules, state, action)' instead."
        )
    for name in ("Rules", "State"):
        if not hasattr(getattr(module, name), "_fields"):
            return f": {name} must be a NamedTuple."
    for name, form in _invalid_declarations(module):
        return f": {name!r} must be {form}, not {getattr(module, name)!r}."
    return ""


def _invalid_declarations(module: ModuleType) -> Iterator[tuple[str, str]]:
    """Yield the name and the required form of each optional declaration that has the wrong form."""
    steps = getattr(module, "steps", None)
    if steps is not None and not (_is_sequence_of(steps, _is_step) and len(steps) == len(module.State._fields)):
        yield "steps", "a whole number, 1 or more, for each field of State"
    for name in ("roll", "totals"):
        fields = getattr(module, name, ())
        if not (callable(fields) or _is_sequence_of(fields, lambda field: isinstance(field, str))):
            yield name, f"names of fields, or a function (def {name}(rules))"
    if not _is_sequence_of(
        getattr(module, "chances", ()), lambda group: _is_sequence_of(group, lambda rule: isinstance(rule, str))
    ):
        yield "chances", "groups of names of rules, such as (('heads', 'tails'),)"
    if not _is_sequence_of(getattr(module, "policies", ()), lambda policy: isinstance(policy, FunctionType)):
        yield "policies", "a tuple of functions (rules, state) -> action"


def _is_sequence_of(values: Any, is_valid: Callable[[Any], bool]) -> bool:
    return isinstance(values, tuple | list) and all(map(is_valid, values))


def _is_step(number: Any) -> bool:
    return isinstance(number, int) and not isinstance(number, bool) and number >= 1


def _invalid_rules(module: ModuleType) -> str:
    rules = module.Rules
    if len(getattr(rules, "_field_defaults", ())) < len(rules._fields):
        return ": every field of Rules needs a default."
    for name, default in rules._field_defaults.items():
        if not isinstance(default, bool | int | float | str):
            return f": rule {name!r} is {default!r}, not a number, a text, True or False."
        type_ = RULE_TYPES.get(rules.__annotations__.get(name))
        if type_ and not isinstance(default, type_):
            return f": rule {name!r} is declared {type_.__name__}, but is {default!r} by default."
        if name in RESERVED_NAMES:
            return f": no rule can be called {name!r}, which is an option of komi: rename it."
    return ""
