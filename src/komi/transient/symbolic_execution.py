"""Symbolic execution of the rules: find the transitions that many states share, with symbols in place of totals."""

import ast
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from types import ModuleType
from typing import Any

from komi.game import Game
from komi.rules import source
from komi.syntax import parse
from komi.transient.symbolic_expressions import Form, Range, Symbol, Trail, UntraceableError

TELLING = frozenset(("isinstance", "issubclass", "type", "hasattr", "getattr", "callable"))
"""Functions that could distinguish a symbol from a number: rules that use one are not executed symbolically."""


@dataclass(frozen=True)
class Traced:
    """The result of a symbolic execution, which holds for all states that satisfy the path condition.

    Attributes:
        ranges: the path condition: the range of each sum of totals, by its form.
        found: the result.
    """

    ranges: dict[Form, Range]
    found: Any


@dataclass(frozen=True)
class Sum:
    """A field of a state as a symbolic expression: a constant plus multiples of the totals, in their steps."""

    coefficients: Form
    constant: int


@dataclass(frozen=True)
class Lead:
    """A stored state that an exit leads to.

    Attributes:
        fields: its fields.
        passes: the number of seats by which the turn passes.
    """

    fields: tuple[Sum, ...]
    passes: int


class Tracer:
    """Executes rules symbolically.

    Args:
        game, rules: the game.
        totals: bool[fields], the totals.
    """

    def __init__(self, game: Game, rules: Any, totals: Iterable[bool]) -> None:
        self._game, self._rules, self._seats = game, rules, game.players(rules)
        self._is_traceable = not tells_symbols(game.module)
        self._totals = [i for i, is_total in enumerate(totals) if is_total]
        self._steps = [game.steps[i] for i in self._totals]

    def actions(self, state: Sequence[int]) -> Traced | None:
        """Find the legal actions of a state; return None if symbolic execution fails."""
        return self._traced(state, lambda symbolic: [*map(_number, self._ask("legal", symbolic))])

    def leads(
        self, state: Sequence[int], row: Sequence[int], inside: Sequence[bool], action: int, outcome: int
    ) -> Traced | None:
        """Find the stored states that a port leads to, in the order of `evaluate_ports`; return None on failure.

        Args:
            state: the stored state.
            row: the fields of the transient state from which the port leaves the roll.
            inside: bool[fields], which fields to take from `row`; the others are those of the stored state.
            action: the action.
            outcome: the index of its outcome; -1 for all.
        """

        def find(symbolic: Any) -> list[Lead]:
            fields = (int(row[i]) if there else symbolic[i] for i, there in enumerate(inside))
            return self._leads(type(symbolic)(*fields), action, outcome)

        return self._traced(state, find)

    def _traced(self, state: Sequence[int], find: Callable[[Any], Any]) -> Traced | None:
        """Execute `find` in a state with symbols for its totals."""
        if not self._is_traceable:
            return None
        trail = Trail()
        fields: list[Any] = [int(field) for field in state]
        numbers = [fields[i] // step for i, step in zip(self._totals, self._steps, strict=True)]
        for i, symbol in zip(self._totals, trail.symbols(self._steps, numbers), strict=True):
            fields[i] = symbol
        try:
            found = find(self._game.module.State(*fields))
        except Exception:  # rules can use any operation that symbols do not support
            return None
        return Traced(trail.ranges, found)

    def _leads(self, node: Any, action: int, outcome: int) -> list[Lead]:
        found = []
        for k, (probability, after, passes) in enumerate(self._ask("outcomes", node, action)):
            _number(probability)
            if outcome >= 0 and k != outcome:
                continue
            turned = self._turned(_number(passes))
            ends = self._arrives(node, action, after)
            while not ends and self._ask("transient", after):
                [only] = self._ask("legal", after)
                [(probability, further, passes)] = self._ask("outcomes", after, _number(only))
                _number(probability)
                turned = self._turned(turned + _number(passes))
                ends = self._arrives(after, only, further)
                after = further
            if not ends:
                found.append(Lead(tuple(map(self._sum, after)), turned))
        return found

    def _arrives(self, before: Any, action: int, after: Any) -> bool:
        """Return whether the game ends in a state. Rewards and payoffs must not depend on the totals."""
        if self._game.has("reward"):
            _number(self._ask("reward", before, action, after))
        if not self._ask("over", after):
            if self._game.has("possible") and not self._ask("possible", after):
                raise UntraceableError
            return False
        for payoff in self._game.payoffs(self._rules, after):
            _number(payoff)
        return True

    def _ask(self, part: str, *arguments: Any) -> Any:
        return self._game.part(part)(self._rules, *arguments)

    def _turned(self, passes: int) -> int:
        while passes > self._seats:
            passes -= self._seats
        return passes

    def _sum(self, field: Any) -> Sum:
        if isinstance(field, Symbol):
            return Sum(field.coefficients, field.constant)
        return Sum((0,) * len(self._totals), _number(field))


def tells_symbols(module: ModuleType) -> bool:
    """Return whether a rule file could distinguish symbols from numbers."""
    return any(
        (isinstance(part, ast.Name) and part.id in TELLING)
        or (isinstance(part, ast.Compare) and any(isinstance(each, ast.Is | ast.IsNot) for each in part.ops))
        or isinstance(part, ast.Try | ast.MatchClass)
        for file in source.files(module)
        for part in ast.walk(parse(file.read_bytes()))
    )


def _number(thing: Any) -> Any:
    """Return a number yielded by rules, which must not be a symbol."""
    if isinstance(thing, Symbol):
        raise UntraceableError
    return thing
