"""Static analysis of which rules a game's functions read.

Where only `start` reads a rule, games that differ in it alone have the same states, actions and outcomes, and one
solution holds for all of them. The analysis is conservative: every use other than a plain `rules.name`, or `rules`
passed to another function of the game's files, counts as reading every rule.
"""

import ast
from pathlib import Path
from types import FunctionType
from typing import Any

from komi.game import Game
from komi.rules import source

BEGINNING = frozenset({"start", "limits"})
"""The functions that determine the initial state, and nothing after it."""
SOLVED = frozenset(
    {"players", "legal", "outcomes", "over", "payoff", "possible", "view", "reward", "transient", "symmetries"}
)
"""The functions that a solution depends on after the initial state."""


class _AnythingReadError(Exception):
    """The source does not show which rules are read."""


def rules_of_start(game: Game) -> frozenset[str]:
    """Return the rules that affect at most the initial state."""
    fields = frozenset(game.module.Rules._fields)
    reading = _Dependencies(game)
    try:
        for name in SOLVED:
            part = getattr(game.module, name, None)
            if callable(part):
                reading.follow(part, 0)
    except _AnythingReadError:
        return frozenset()
    return fields - reading.read


class _Dependencies:
    """Follows the parameter `rules` from function to function."""

    def __init__(self, game: Game) -> None:
        self.read: set[str] = set()
        self._fields = frozenset(game.module.Rules._fields)
        self._files = set(source.files(game.module))
        self._followed: set[tuple[FunctionType, str]] = set()

    def follow(self, function: Any, argument: int | str) -> None:
        """Record which rules a function reads; `argument` is the index or name of its parameter for the rules."""
        if not isinstance(function, FunctionType) or Path(function.__code__.co_filename) not in self._files:
            raise _AnythingReadError
        name = _parameter(function, argument)
        if (function, name) in self._followed:
            return
        self._followed.add((function, name))
        body = source.definition(function)
        if not isinstance(body, ast.FunctionDef):
            raise _AnythingReadError
        own = {*function.__code__.co_freevars, *source.local_names(body)}
        understood = set()
        for part in ast.walk(body):
            if isinstance(part, ast.Attribute) and _is_name(part.value, name) and part.attr in self._fields:
                self.read.add(part.attr)
                understood.add(part.value)
            elif isinstance(part, ast.Call):
                understood |= self._follow_call(part, name, function, own)
        if any(_is_name(part, name) and part not in understood for part in ast.walk(body)):
            raise _AnythingReadError

    def _follow_call(self, call: ast.Call, name: str, function: FunctionType, own: set[str]) -> set[ast.expr]:
        """Follow the rules into a call. Returns the arguments that pass the rules."""
        handed: list[tuple[int | str | None, ast.expr]] = [*enumerate(call.args)]
        handed += [(keyword.arg, keyword.value) for keyword in call.keywords]
        handed = [(place, value) for place, value in handed if _is_name(value, name)]
        for place, _ in handed:
            if place is None or any(isinstance(argument, ast.Starred) for argument in call.args):
                raise _AnythingReadError
            self.follow(source.resolve(call.func, function, own), place)
        return {value for _, value in handed}


def _parameter(function: FunctionType, argument: int | str) -> str:
    code = function.__code__
    names = code.co_varnames[: code.co_argcount + code.co_kwonlyargcount]
    if isinstance(argument, str) and argument in names:
        return argument
    if isinstance(argument, int) and argument < code.co_argcount:
        return names[argument]
    raise _AnythingReadError


def _is_name(part: ast.AST, name: str) -> bool:
    return isinstance(part, ast.Name) and part.id == name
