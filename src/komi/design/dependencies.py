"""Static analysis of which rules a game's functions read.

Where only `start` reads a rule, games that differ in it alone have the same states, actions and outcomes, and one
solution holds for all of them. The analysis is conservative: every use other than a plain `rules.name`, or `rules`
passed to another function of the game's files, counts as reading every rule.
"""

import ast
from pathlib import Path
from types import FunctionType

from komi.rules import source
from komi.rules.declarations import DISPLAY, SIGNATURES, VALUES
from komi.rules.game import Game
from komi.rules.tuple_fields import flattening_of

SOLVED_PARTS = (SIGNATURES.keys() | VALUES) - DISPLAY - {"start", "limits"}
"""The parts that a solution can depend on after the initial state: all but those that show the game."""


class _UnknownReadsError(Exception):
    """The source does not show which rules are read."""


def rules_of_start(game: Game) -> frozenset[str]:
    """Return the rules that affect at most the initial state.

    Returns none if it has tuples, whose lengths it determines, or the game a `view`: whether it hides something depends
    on the states that play reaches.
    """
    if flattening_of(game.module) or game.has("view"):
        return frozenset()
    fields = frozenset(game.module.Rules._fields)
    reading = _Dependencies(game)
    try:
        for name in SOLVED_PARTS:
            part = getattr(game.module, name, None)
            if callable(part):
                reading.follow(part, 0)
    except _UnknownReadsError:
        return frozenset()
    return fields - reading.read


class _Dependencies:
    """Follows the parameter `rules` from function to function."""

    def __init__(self, game: Game) -> None:
        self.read: set[str] = set()
        self._fields = frozenset(game.module.Rules._fields)
        self._files = set(source.files(game.module))
        self._followed: set[tuple[FunctionType, str]] = set()

    def follow(self, function: object, argument: int | str) -> None:
        """Record which rules a function reads; `argument` is the index or name of its parameter for the rules."""
        if not isinstance(function, FunctionType) or Path(function.__code__.co_filename) not in self._files:
            raise _UnknownReadsError
        name = _parameter(function, argument)
        if (function, name) in self._followed:
            return
        self._followed.add((function, name))
        body = source.definition(function)
        if not isinstance(body, ast.FunctionDef):
            raise _UnknownReadsError
        own = {*function.__code__.co_freevars, *source.local_names(body)}
        recognized = set()
        for part in ast.walk(body):
            if isinstance(part, ast.Attribute) and _is_name(part.value, name) and part.attr in self._fields:
                self.read.add(part.attr)
                recognized.add(part.value)
            elif isinstance(part, ast.Call):
                recognized |= self._follow_call(part, name, function, own)
        if any(_is_name(part, name) and part not in recognized for part in ast.walk(body)):
            raise _UnknownReadsError

    def _follow_call(self, call: ast.Call, name: str, function: FunctionType, own: set[str]) -> set[ast.expr]:
        """Follow the rules into a call. Returns the arguments that pass the rules."""
        passed: list[tuple[int | str | None, ast.expr]] = [*enumerate(call.args)]
        passed += [(keyword.arg, keyword.value) for keyword in call.keywords]
        passed = [(position, value) for position, value in passed if _is_name(value, name)]
        for position, _ in passed:
            if position is None or any(isinstance(argument, ast.Starred) for argument in call.args):
                raise _UnknownReadsError
            self.follow(source.resolve(call.func, function, own), position)
        return {value for _, value in passed}


def _parameter(function: FunctionType, argument: int | str) -> str:
    code = function.__code__
    names = code.co_varnames[: code.co_argcount + code.co_kwonlyargcount]
    if isinstance(argument, str) and argument in names:
        return argument
    if isinstance(argument, int) and argument < code.co_argcount:
        return names[argument]
    raise _UnknownReadsError


def _is_name(part: ast.AST, name: str) -> bool:
    return isinstance(part, ast.Name) and part.id == name
