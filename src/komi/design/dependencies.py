"""Which rules a game's functions read, found from their source.

Where only `start` reads a rule, games that differ in it alone have the same states, actions and outcomes, and
one solution holds for all of them. The reading errs on one side only: whatever is not plainly `rules.name`, or
`rules` handed to another function of the game's files, counts as reading every rule.
"""

import ast
from collections.abc import Iterator
from pathlib import Path
from types import CodeType, FunctionType, ModuleType
from typing import Any

from komi import catalog
from komi.game import Game

BEGINNING = frozenset({"start", "limits"})
"""What decides where a game begins, and nothing after that."""
SOLVED = frozenset(
    {"players", "legal", "outcomes", "over", "payoff", "possible", "view", "reward", "transient", "symmetries"}
)
"""What a solution depends on from there on."""


class _AnythingReadError(Exception):
    """The source does not show which rules are read."""


def rules_of_start(game: Game) -> frozenset[str]:
    """The rules that decide at most where the game begins."""
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
    """Follows `rules` from function to function."""

    def __init__(self, game: Game) -> None:
        self.read: set[str] = set()
        self._fields = frozenset(game.module.Rules._fields)
        self._files = set(catalog.sources(game.module))
        self._followed: set[tuple[FunctionType, str]] = set()

    def follow(self, function: Any, argument: int | str) -> None:
        """Note what a function reads of the rules that it gets as the argument of this place or name."""
        if not isinstance(function, FunctionType) or Path(function.__code__.co_filename) not in self._files:
            raise _AnythingReadError
        name = _parameter(function, argument)
        if (function, name) in self._followed:
            return
        self._followed.add((function, name))
        body = _definition(function)
        bound = {*function.__code__.co_freevars, *_bound(body)}
        understood = set()
        for part in ast.walk(body):
            if isinstance(part, ast.Attribute) and _is_name(part.value, name) and part.attr in self._fields:
                self.read.add(part.attr)
                understood.add(part.value)
            elif isinstance(part, ast.Call):
                understood |= self._follow_call(part, name, function, bound)
        if any(_is_name(part, name) and part not in understood for part in ast.walk(body)):
            raise _AnythingReadError

    def _follow_call(self, call: ast.Call, name: str, function: FunctionType, bound: set[str]) -> set[ast.expr]:
        """Follow the rules into a call. Returns the arguments that they are."""
        handed: list[tuple[int | str | None, ast.expr]] = [*enumerate(call.args)]
        handed += [(keyword.arg, keyword.value) for keyword in call.keywords]
        handed = [(place, value) for place, value in handed if _is_name(value, name)]
        for place, _ in handed:
            if place is None or any(isinstance(argument, ast.Starred) for argument in call.args):
                raise _AnythingReadError
            self.follow(_called(call.func, function, bound), place)
        return {value for _, value in handed}


def _called(expression: ast.expr, function: FunctionType, bound: set[str]) -> Any:
    """The global, or the module's member, that the expression names."""
    if isinstance(expression, ast.Name) and expression.id not in bound:
        return function.__globals__.get(expression.id)
    if isinstance(expression, ast.Attribute):
        module = _called(expression.value, function, bound)
        if isinstance(module, ModuleType):
            return vars(module).get(expression.attr)
    raise _AnythingReadError


def _parameter(function: FunctionType, argument: int | str) -> str:
    code = function.__code__
    names = code.co_varnames[: code.co_argcount + code.co_kwonlyargcount]
    if isinstance(argument, str) and argument in names:
        return argument
    if isinstance(argument, int) and argument < code.co_argcount:
        return names[argument]
    raise _AnythingReadError


def _definition(function: FunctionType) -> ast.FunctionDef:
    """The source of a function: found only where compiling it gives the very code that was loaded."""
    code = function.__code__
    try:
        tree = ast.parse(Path(code.co_filename).read_bytes())
        same = code in _codes(compile(tree, code.co_filename, "exec", dont_inherit=True))
    except (OSError, SyntaxError, ValueError):
        same = False
    for part in ast.walk(tree) if same else ():
        if isinstance(part, ast.FunctionDef) and (part.name, _first_line(part)) == (code.co_name, code.co_firstlineno):
            return part
    raise _AnythingReadError


def _first_line(definition: ast.FunctionDef) -> int:
    return min([definition.lineno, *(decorator.lineno for decorator in definition.decorator_list)])


def _codes(code: CodeType) -> Iterator[CodeType]:
    yield code
    for constant in code.co_consts:
        if isinstance(constant, CodeType):
            yield from _codes(constant)


def _bound(definition: ast.FunctionDef) -> Iterator[str]:
    """Every name that the function, or one inside it, gives a meaning of its own."""
    for part in ast.walk(definition):
        if isinstance(part, ast.Name) and not isinstance(part.ctx, ast.Load):
            yield part.id
        elif isinstance(part, ast.arg):
            yield part.arg
        elif isinstance(part, ast.FunctionDef | ast.ClassDef) and part is not definition:
            yield part.name
        elif isinstance(part, ast.alias):
            yield (part.asname or part.name).partition(".")[0]


def _is_name(part: ast.AST, name: str) -> bool:
    return isinstance(part, ast.Name) and part.id == name
