"""Policies by name."""

import importlib.util
import re
import sys
from collections.abc import Callable
from pathlib import Path
from types import FunctionType
from typing import Any

from komi.agents import races
from komi.agents.policy import Policy, Rule, Table, Uniform
from komi.agents.tabulate import max_score
from komi.errors import GameError, InputError
from komi.solver.solution import Solution

NAMES = ("optimal", "max-score", "hold-at:N", "keep-pace", "cautious:N", "random", "FILE.py:NAME")


def find(text: str, solution: Solution) -> Policy:
    """The policy of that name for a solved game.

    Names: `optimal`; `max-score`, which expects the most points of each turn; `hold-at:N`, which holds with N
    points at risk or at the goal; `keep-pace`, the published rule for Pig; `cautious:N`, which goes on only
    while the points to be gained are more than N times those to be lost, on average; `random`; and
    `FILE.py:NAME`, a function (rules, state) -> action, compiled like the rules.

    Raises:
        InputError: for an unknown name, or one that does not fit the game.
    """
    if ".py:" in text:
        return _from_file(text)
    name, _, number = text.partition(":")
    if name not in _MAKERS or bool(number) != (name in ("hold-at", "cautious")):
        raise InputError(f"there is no policy {text!r}: there are {', '.join(NAMES)}.")
    if number and not re.fullmatch(r"\d{1,6}", number):
        raise InputError(f"the N of {name}:N must be a whole number from 0 on, not {number!r}.")
    return _MAKERS[name](text, solution, int(number or 0))


def _optimal(name: str, solution: Solution, number: int) -> Policy:
    return Table(name, solution.values.states, solution.values.choices)


def _max_score(name: str, solution: Solution, number: int) -> Policy:
    _check_fields(name, solution, "score", "rival")
    return max_score(solution.compiled, solution.rules, solution.values.states)


def _random(name: str, solution: Solution, number: int) -> Policy:
    return Uniform()


def _rule(function: Any, numbered: bool) -> Callable[[str, Solution, int], Policy]:
    def make(name: str, solution: Solution, number: int) -> Policy:
        _check_fields(name, solution, "score", "rival", "turn")
        actions = getattr(solution.game.module, "actions", ())
        if "hold" not in actions or not hasattr(solution.rules, "goal"):
            raise InputError(
                f"policy {name} is for races with a goal in which one can hold: {solution.game.name} is none."
            )
        hold = actions.index("hold")
        return Rule(name, function, (hold, number) if numbered else (hold,))

    return make


_MAKERS: dict[str, Callable[[str, Solution, int], Policy]] = {
    "optimal": _optimal,
    "max-score": _max_score,
    "hold-at": _rule(races.hold_at, numbered=True),
    "keep-pace": _rule(races.keep_pace, numbered=False),
    "cautious": _rule(races.cautious, numbered=True),
    "random": _random,
}


def _check_fields(name: str, solution: Solution, *fields: str) -> None:
    missing = [field for field in fields if field not in solution.game.module.State._fields]
    if missing:
        raise InputError(f"policy {name} needs states with a {missing[0]!r}: {solution.game.name} has none.")


def _from_file(text: str) -> Rule:
    file, _, name = text.rpartition(":")
    path = Path(file).resolve()
    if not path.is_file():
        raise InputError(f"there is no file {file}.")
    specification = importlib.util.spec_from_file_location(f"policies_in_{path.stem}", path)
    assert specification is not None and specification.loader is not None
    module = importlib.util.module_from_spec(specification)
    sys.modules[module.__name__] = module
    try:
        specification.loader.exec_module(module)
    except SyntaxError as error:
        raise GameError(f"{path.name}, line {error.lineno}: {error.msg}.") from None
    except Exception as error:
        raise GameError(f"{path.name}: {type(error).__name__}: {error}.") from None
    function = getattr(module, name, None)
    if not isinstance(function, FunctionType):
        raise InputError(f"{path.name} has no function {name!r}.")
    return Rule(text, function)


__all__ = ["NAMES", "Policy", "Table", "find"]
