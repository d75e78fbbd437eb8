"""Validation of the declarations of a game file against the protocol."""

from collections.abc import Callable, Iterator, Mapping
from functools import lru_cache
from inspect import signature
from pathlib import Path
from types import CodeType, FunctionType, ModuleType
from typing import Any

from komi.errors import GameError
from komi.typing import Rules

REQUIRED = ("players", "Rules", "State", "start", "legal", "outcomes", "over", "payoff")
_SIGNATURES = """
start(rules) legal(rules,state) outcomes(rules,state,action) over(rules,state) payoff(rules,state) fields(rules)
reward(rules,state,action,after) objective(rules) limits(rules) no_value(rules) alone(rules) label(rules,state,action)
possible(rules,state) transient(rules,state) symmetries(rules,state) stage(rules,state) order(rules,state)
pick(rules,state,uniform) sample(rules,state,action,uniform) view(rules,state) turned(rules,state)
event(rules,state,action,after) leader(rules,state) read(rules,text) write(rules,state) how_to_play(rules)
opponents(rules) board(rules,state) square(rules,state,action) target(rules,state,action) beside(rules,state)
decisive(rules,state) throw(rules,state) faces(rules,state) keeps(rules,state,action) card(rules) filled(rules,state)
scores(rules,state,action) revealed(rules,state,action,after) deal(rules,view,*uniforms)
open_actions(rules,state,action) table(rules,state) laid(rules,event) domains(rules)
action_numbers(rules)
"""
SIGNATURES = {
    name: tuple(parameters.rstrip(")").split(","))
    for name, _, parameters in (part.partition("(") for part in _SIGNATURES.split())
}
"""The parameters of each function of the protocol; `*` marks that as many as it declares take this place, 1 or more."""
_VALUES = (
    "players payoff_range endless aim average discount action_count chances steps open_actions roll totals elements"
)
VALUES = frozenset(_VALUES.split())
"""The parts of the protocol that are values; some of them can be functions, of the rules if nothing else is said."""
_DISPLAY = (
    "event leader elements read write how_to_play policies opponents board square target beside decisive throw faces"
    " keeps card filled scores table laid domains action_numbers"
)
DISPLAY = frozenset(_DISPLAY.split())
"""The parts that only show a game, name policies, or serve networks: no solution depends on them."""
OF_RULES = ("rules",)  # the parameters of a function that can take the place of a value
_OPTIONS = (
    "a against aim at_least audit b budget cluster comeback_at counts credible dark deals decided_at device draws file"
    " fix fresh game games horizon illegal keep max_cycles max_komi max_stored method most notice num_envs numbers"
    " observation opponent over pace per_deal policies policy prior progress reachable render_mode scores seat seconds"
    " section seed self settings size state states step store target_actions targets tolerance total until_stderr vary"
    " vectorized weights workers x y zero_sum"
)
OPTIONS = frozenset(_OPTIONS.split())
"""The parameters of komi's functions, which also accept rules as keyword arguments."""

DECLARED = "declared_"
"""What the names of a rule file with a `discount` begin with in the generated one (`rules.discount`)."""

RULE_TYPES: dict[Any, Any] = {int: int, "int": int, str: str, "str": str}  # types of rules, by their annotations


@lru_cache(256)
def without_helpers(module: ModuleType) -> ModuleType:
    """Return a rule file's module without the helpers that share their names with optional parts of the protocol.

    Such a helper does not have the form of the part, and other functions of the file use it: so a file stays valid when
    the protocol gets a part of that name. The module itself is returned if it has none.
    """
    optional = (SIGNATURES.keys() | VALUES) - set(REQUIRED)
    misfits = [name for name in sorted(optional & vars(module).keys()) if not _has_form(module, name)]
    helpers = [name for name in misfits if _is_used(module, name)]
    if not helpers:
        return module
    copy = ModuleType(module.__name__, module.__doc__)
    vars(copy).update({name: value for name, value in vars(module).items() if name not in helpers})
    return copy


def _has_form(module: ModuleType, name: str) -> bool:
    part = getattr(module, name)
    if (callable(part) or name not in VALUES) and not _takes(part, name):
        return False
    return all(name != other for other, _ in _invalid_declarations(module))


def _is_used(module: ModuleType, name: str) -> bool:
    """Return whether another function of the file reads a name."""
    functions = [value for key, value in vars(module).items() if isinstance(value, FunctionType) and key != name]
    return any(name in _names_in(function.__code__) for function in functions)


def _names_in(code: CodeType) -> set[str]:
    inner = [_names_in(constant) for constant in code.co_consts if isinstance(constant, CodeType)]
    return set(code.co_names).union(*inner)


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
    for name in (name for name in SIGNATURES if name not in VALUES):
        if getattr(module, name, None) is not None and not _takes(getattr(module, name), name):
            return _wrong(module, name, f"{'a function ' * (name in REQUIRED)}`{name}({', '.join(SIGNATURES[name])})`")
    actions = getattr(module, "actions", ())
    if not (isinstance(actions, tuple | list) and all(isinstance(label, str) for label in actions)):
        return (
            ": 'actions' must be a tuple of labels, the same under all rules; where they depend on the rules, "
            "define 'label(rules, state, action)' instead."
        )
    for name in ("Rules", "State"):
        class_ = getattr(module, name)
        if not hasattr(class_, "_fields"):
            return f": {name} must be a NamedTuple."
        for field, value in vars(class_).items():
            if isinstance(value, bool | int | float | str | tuple) and not field.startswith("_"):
                return f": {field!r} of {name} has no type: write '{field}: {type(value).__name__} = {value!r}'."
    for name, form in _invalid_declarations(module):
        return _wrong(module, name, form)
    return ""


def _wrong(module: ModuleType, name: str, form: str) -> str:
    """Describe a part that does not have its form, and is not a helper: no function of the file uses it."""
    part = getattr(module, name)
    is_function = isinstance(part, FunctionType) or (name in SIGNATURES and name not in VALUES)
    if name in REQUIRED or not is_function:
        given = f"`{name}{signature(part)}`" if isinstance(part, FunctionType) else repr(part)
        return f": {name!r} must be {form}, not {given}."
    line = f", line {part.__code__.co_firstlineno}" if getattr(part, "__module__", "") == module.__name__ else ""
    what = "function" if callable(part) else "value"
    return f"{line}: {name!r} is a part of the protocol: {form}; give your {what} another name."


def _takes(part: Any, name: str) -> bool:
    """Return whether a part is a function that can be called with the arguments of this part of the protocol."""
    if not isinstance(part, FunctionType):
        return False
    given = list(signature(part).parameters)
    if given[:1] == ["state"] or "rules" in given[1:]:  # the right number of arguments, but of a helper
        return False
    counts = {len(parameters_of(part, name)), 3 if name == "payoff" else 0}
    return any(_can_bind(part, count) for count in counts if count)


def parameters_of(function: FunctionType, name: str) -> tuple[str, ...]:
    """Return the parameters of a function of the protocol; in the place of `*uniforms` those that it declares."""
    parameters = SIGNATURES.get(name, OF_RULES)
    if not parameters[-1].startswith("*"):
        return parameters
    declared = function.__code__.co_varnames[: function.__code__.co_argcount]
    return (*parameters[:-1], *(declared[len(parameters) - 1 :] or parameters[-1:]))


def _can_bind(function: FunctionType, arguments: int) -> bool:
    try:
        signature(function).bind(*range(arguments))
    except TypeError:
        return False
    return True


def _invalid_declarations(module: ModuleType) -> Iterator[tuple[str, str]]:
    """Yield the name and the required form of each optional declaration that has the wrong form."""
    steps = getattr(module, "steps", None)
    if steps is not None and not (_is_sequence_of(steps, _is_step) and len(steps) == len(module.State._fields)):
        yield "steps", "a whole number, 1 or more, for each field of State"
    for name in ("roll", "totals"):
        fields = getattr(module, name, ())
        if not (_takes(fields, name) or _is_sequence_of(fields, lambda field: isinstance(field, str))):
            yield name, f"names of fields, or a function `{name}(rules)`"
    elements = getattr(module, "elements", {})
    if not (_takes(elements, "elements") or isinstance(elements, Mapping)):
        yield "elements", "a dict of names for the bits of fields, or a function `elements(rules)`"
    for name in ("players", "aim", "average", "discount", "action_count", "payoff_range", "endless", "open_actions"):
        value = getattr(module, name, 1)
        if callable(value) and not _takes(value, name):
            yield name, f"a value, or a function `{name}({', '.join(SIGNATURES.get(name, OF_RULES))})`"
    if not _is_sequence_of(
        getattr(module, "chances", ()), lambda group: _is_sequence_of(group, lambda rule: isinstance(rule, str))
    ):
        yield "chances", "groups of names of rules, such as (('heads', 'tails'),)"
    if not _is_sequence_of(getattr(module, "policies", ()), lambda policy: isinstance(policy, FunctionType)):
        yield "policies", "a tuple of functions (rules, state) -> action"
    elif len({policy.__name__ for policy in getattr(module, "policies", ())}) < len(getattr(module, "policies", ())):
        yield "policies", "a tuple of functions with different names"


def _is_sequence_of(values: Any, is_valid: Callable[[Any], bool]) -> bool:
    return isinstance(values, tuple | list) and all(map(is_valid, values))


def keywords(rules: Rules | Mapping[str, Any]) -> dict[str, Any]:
    """Return rules as keyword arguments; those that are named like an option of komi end in an underscore."""
    named = rules if isinstance(rules, Mapping) else rules._asdict()
    return {f"{name}_" if name in OPTIONS else name: value for name, value in named.items()}


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
    return ""
