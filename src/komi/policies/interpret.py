"""Policies run as they stand, as plain Python: the functions of the rulebook that they call are the game's own."""

from collections.abc import Callable
from functools import lru_cache
from types import FunctionType
from typing import Any, cast

from komi.compile import rulebook
from komi.game import Game


@lru_cache(256)
def interpreted(function: Callable[..., Any], game: Game) -> Callable[..., Any]:
    """A copy of a policy's function that calls the game's rules where it names functions of the rulebook.

    What the game does not say of these does as the rulebook has it.
    """
    return _copied(cast(FunctionType, function), game, {})


def _copied(function: FunctionType, game: Game, copies: dict[FunctionType, FunctionType]) -> FunctionType:
    if function not in copies:
        namespace = dict(function.__globals__)
        copy = FunctionType(
            function.__code__, namespace, function.__name__, function.__defaults__, function.__closure__
        )
        copy.__kwdefaults__ = function.__kwdefaults__
        copies[function] = copy
        for name in set(function.__code__.co_names) & namespace.keys():
            if isinstance(namespace[name], FunctionType):
                namespace[name] = _of_the_game(namespace[name], game) or _copied(namespace[name], game, copies)
    return copies[function]


def _of_the_game(function: FunctionType, game: Game) -> FunctionType | None:
    """What the game says in place of a function of the rulebook; None if it is none, or the game does not say."""
    if function.__module__ != rulebook.__name__:
        return None
    name = "payoff" if function is rulebook.seat_payoff and game.is_seated else function.__name__
    return cast(FunctionType, game.part(name)) if game.has(name) else None
