"""Policies by name for a seat at any game, solved or not."""

import sys
from collections.abc import Mapping
from typing import Any

from komi.errors import InputError, SolveError
from komi.game import Game
from komi.policies import named
from komi.policies.functions import Preference, Rule
from komi.policies.policy import Policy
from komi.policies.uniform import Uniform
from komi.rules import determinism
from komi.solvers.solve import solve

MAX_OPPONENTS = 3  # that a game's file can list


def find(text: str, game: Game, settings: Mapping[str, Any]) -> Policy:
    """Return the policy with this name: `random`, one that the game's file defines, or one that `named.find` knows.

    Only the last kind solves the game.

    Raises:
        InputError: for an unknown name, or one that needs a solution where there is none.
    """
    if text == Uniform.name:
        return Uniform()
    known = own(game)
    if text in known:
        return known[text]
    if ".py:" in text:
        return _by_arguments(named.from_file(text, takes=(2, 3)))
    if text.partition(":")[0] not in {name.partition(":")[0] for name in named.NAMES}:
        raise InputError(f"{game.name} has no policy {text!r}: there are {', '.join([*known, *named.NAMES])}.")
    try:
        solution = solve(game, **settings)
    except SolveError as error:
        raise InputError(f"policy {text} needs the game solved: {error}") from None
    return named.find(text, solution)


def own(game: Game) -> dict[str, Policy]:
    """Return the policies that the game's file defines, by name.

    Raises:
        GameError: if one is not a pure function of its arguments.
    """
    functions = game.module.policies if game.has("policies") else ()
    for function in functions:
        determinism.check(sys.modules[function.__module__], [function.__name__])
    return {function.__name__: _by_arguments(Rule(function.__name__, function)) for function in functions}


def _by_arguments(rule: Rule) -> Policy:
    """Convert a function that also takes an action into a preference; keep other rules as they are."""
    arguments = rule.function.__code__.co_argcount
    return Preference(rule.name, rule.function) if arguments == 3 else rule
