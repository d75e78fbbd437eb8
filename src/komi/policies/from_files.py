"""Policies as functions of files: those of a game's file, those in other files, and Python functions."""

import sys
from collections.abc import Callable, Collection
from pathlib import Path
from types import FunctionType, ModuleType
from typing import Any

from komi.errors import InputError
from komi.policies.callables import CallablePolicy
from komi.policies.functions import FunctionPolicy, PreferencePolicy
from komi.policies.policy import Policy
from komi.policies.python_functions import in_file, name_of, takes_rules
from komi.policies.weighted import WeightedPolicy
from komi.rules import catalog
from komi.rules.declarations import DECLARED
from komi.rules.game import Game

MIXED = "mixed"  # in a file: its functions (rules, state, action) -> weight, as a tuple
MIXES = "; a function (rules, state, action) that the file lists as 'mixed' returns the weight of an action"
LIKES = ", or takes (rules, state, action) and returns a preference for the action"


def function_policy(function: Callable[..., Any], vectorized: bool = False, observation: str = "fields") -> Policy:
    """Return the policy of a Python function.

    Args:
        function: (rules, state) -> action, in the language of rule files; it can call what they can, and is compiled.
            With a third parameter, action, it returns a preference for the action. Or any other function of two
            arguments, (observation, action_mask) -> action, as in `CallablePolicy`.
        vectorized: whether functions of the second form take many states at once.
        observation: the form of the observations that these take, "fields" or "planes".

    Raises:
        InputError: if it takes other arguments.
        GameError: if a function (rules, state) is not in the language of rule files.
    """
    if takes_rules(function):
        return by_signature(FunctionPolicy(name_of(function), in_file(function)))
    return CallablePolicy(name_of(function), function, vectorized, observation)


def game_policies(game: Game) -> dict[str, Policy]:
    """Return the policies that the game's file defines, by name."""
    functions = game.module.policies if game.has("policies") else ()
    return {function.__name__: by_signature(FunctionPolicy(function.__name__, function)) for function in functions}


def by_signature(rule: FunctionPolicy) -> Policy:
    """Convert a function that also takes an action into weights or a preference; keep other rules as they are."""
    if rule.function.__code__.co_argcount < 3:
        return rule
    is_mixed = rule.function in _mixed_functions(sys.modules[rule.function.__module__])
    return (WeightedPolicy if is_mixed else PreferencePolicy)(rule.name, rule.function)


def _mixed_functions(module: ModuleType) -> tuple[Any, ...]:
    """Return the functions that a file lists as `mixed`: they return the weights of actions."""
    listed = getattr(module, MIXED, ())
    return tuple(listed) if isinstance(listed, (tuple, list)) else ()


def is_in_file(name: str) -> bool:
    """Return whether this is the name of a policy in a separate file."""
    return ".py:" in name or name.endswith(".py")


def from_file(text: str, takes: Collection[int] = (2,)) -> FunctionPolicy:
    """Load the function that `FILE.py:NAME` names, or the only policy of the file that `FILE.py` names.

    Args:
        text: the name.
        takes: the permitted numbers of arguments.

    Raises:
        InputError: if there is no such function, or it takes another number of arguments.
        GameError: if the file cannot be run, or a function in it is not one of its arguments alone.
    """
    path, _, name = (text, "", "") if text.endswith(".py") else text.rpartition(":")
    file = Path(path)
    module = catalog.load(file)
    name = name or _only_policy(module, file, takes)
    function = getattr(module, name, None)
    if not isinstance(function, FunctionType):
        listed = " in its 'policies', which a game with a 'discount' needs" * hasattr(module, f"{DECLARED}discount")
        raise InputError(f"{file.name} has no function {name!r}{listed}.")
    code = function.__code__
    if code.co_argcount not in takes and not (code.co_argcount == 3 and function in _mixed_functions(module)):
        given = ", ".join(code.co_varnames[: code.co_argcount])
        raise InputError(
            f"{file.name}, line {code.co_firstlineno}: {name!r} takes ({given}): a policy takes (rules, state) and "
            f"returns an action's number{LIKES * (3 in takes)}{MIXES}."
        )
    return FunctionPolicy(text, function)


def _only_policy(module: ModuleType, file: Path, takes: Collection[int]) -> str:
    """Return the name of the only public function of a policy file that can be a policy."""
    names = [
        name
        for name, value in vars(module).items()
        if isinstance(value, FunctionType) and value.__module__ == module.__name__ and not name.startswith("_")
        if value.__code__.co_argcount in takes or value in _mixed_functions(module)
    ]
    if len(names) != 1:
        found = f"several policies: write one of {', '.join(f'{file}:{name}' for name in names)}"
        raise InputError(f"{file.name} has {found if names else 'no function (rules, state), which a policy is'}.")
    return names[0]
