"""Interpreted policies: plain Python in which the functions of the game interface are replaced by the game's own."""

from collections.abc import Callable
from functools import lru_cache
from types import FunctionType
from typing import Any, cast

from komi.game import Game
from komi.rules import interface


@lru_cache(256)
def interpreted(function: Callable[..., Any], game: Game) -> Callable[..., Any]:
    """Return a copy of a policy's function that calls the game's rules in place of the functions of `rules.interface`.

    Functions of `rules.interface` that the game does not define keep their default behavior.
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
    """Return the game's version of a function of `rules.interface`.

    Return None if the function is not part of `rules.interface`, or the game does not define it.
    """
    if function.__module__ != interface.__name__:
        return None
    name = "payoff" if function is interface.seat_payoff and game.is_seated else function.__name__
    return cast(FunctionType, game.part(name)) if game.has(name) else None
