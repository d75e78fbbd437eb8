"""Symbolic execution of the rules: find the transitions that many states share, with symbols in place of totals.

The environment variable `KOMI_SYMBOLIC_EXECUTION` is read at each use: with `0` the rules run in every state instead,
with the same results; with `strict`, as in tests, a TypeError that is raised in this package counts as an error here.
"""

import ast
import os
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from types import ModuleType
from typing import Any

from komi.rules import source
from komi.rules.game import Game
from komi.syntax import parse
from komi.transient.symbolic_expressions import Form, PathCondition, Range, SymbolicExecutionError, SymbolicExpression
from komi.typing import Rules, State

TYPE_SENSITIVE = frozenset(("isinstance", "issubclass", "type", "hasattr", "getattr", "callable"))
"""Functions that could tell a symbolic expression from a number: rules that use one are not executed symbolically."""


def setting() -> str:
    """Return the value of `KOMI_SYMBOLIC_EXECUTION`; it is "1" by default."""
    return os.environ.get("KOMI_SYMBOLIC_EXECUTION", "1")


@dataclass(frozen=True)
class SymbolicResult:
    """The result of a symbolic execution, which holds for all states that satisfy the path condition.

    Attributes:
        ranges: the path condition: the range of each sum of totals, by its form.
        value: the result.
    """

    ranges: dict[Form, Range]
    value: Any


@dataclass(frozen=True)
class LinearExpression:
    """A field of a state as a symbolic expression: a constant plus multiples of the totals, in their steps."""

    coefficients: Form
    constant: int


@dataclass(frozen=True)
class SymbolicSuccessor:
    """A stored state that an exit leads to.

    Attributes:
        fields: its fields.
        passes: the number of seats by which the turn passes.
    """

    fields: tuple[LinearExpression, ...]
    passes: int


class SymbolicExecutor:
    """Executes rules symbolically.

    Args:
        game, rules: the game.
        totals: bool[fields], the totals.
    """

    def __init__(self, game: Game, rules: Rules, totals: Iterable[bool]) -> None:
        self._game, self._rules, self._seats = game, rules, game.players(rules)
        self._is_executable = not can_distinguish_symbols(game.module)
        self._totals = [i for i, is_total in enumerate(totals) if is_total]
        self._steps = [game.steps[i] for i in self._totals]

    def legal_actions(self, state: Sequence[int]) -> SymbolicResult | None:
        """Find the legal actions of a state; return None if the rules cannot be executed symbolically."""
        return self._execute(state, lambda symbolic: [*map(_concrete, self._call("legal", symbolic))])

    def successors(
        self, state: Sequence[int], source: Sequence[int], inside: Sequence[bool], action: int, outcome: int
    ) -> SymbolicResult | None:
        """Find the stored states that an exit leads to, in the order of `evaluate_exits`.

        Args:
            state: the stored state.
            source: the fields of the transient state from which the exit leaves the roll.
            inside: bool[fields], which fields to take from `source`; the others are those of the stored state.
            action: the action.
            outcome: the index of its outcome; -1 for all.

        Returns:
            The `SymbolicSuccessor` of each outcome; None if the rules cannot be executed symbolically.
        """

        def find(symbolic: Any) -> list[SymbolicSuccessor]:
            fields = (int(source[i]) if is_inside else symbolic[i] for i, is_inside in enumerate(inside))
            return self._find_successors(type(symbolic)(*fields), action, outcome)

        return self._execute(state, find)

    def _execute(self, state: Sequence[int], find: Callable[[Any], Any]) -> SymbolicResult | None:
        """Execute `find` in a state with symbolic expressions for its totals.

        Python raises a TypeError for operations that symbolic expressions do not define. Any other exception is an
        error in the rules or here.
        """
        if not self._is_executable:
            return None
        path_condition = PathCondition()
        fields: list[Any] = [int(field) for field in state]
        numbers = [fields[i] // step for i, step in zip(self._totals, self._steps, strict=True)]
        for i, symbol in zip(self._totals, path_condition.symbols(self._steps, numbers), strict=True):
            fields[i] = symbol
        try:
            value = find(self._game.module.State(*fields))
        except SymbolicExecutionError:
            return None
        except TypeError as error:
            if setting() == "strict" and _is_raised_here(error):
                raise
            return None
        return SymbolicResult(path_condition.ranges, value)

    def _find_successors(self, state: State, action: int, outcome: int) -> list[SymbolicSuccessor]:
        successors = []
        for k, (probability, after, passes) in enumerate(self._call("outcomes", state, action)):
            _concrete(probability)
            if outcome >= 0 and k != outcome:
                continue
            passed = self._reduce(_concrete(passes))
            ends = self._ends(state, action, after)
            while not ends and self._call("transient", after):
                actions = [*self._call("legal", after)]
                outcomes = [*self._call("outcomes", after, _concrete(actions[0]))]
                if len(actions) != 1 or len(outcomes) != 1:
                    raise SymbolicExecutionError("an exit leads to a choice or a chance move inside another roll")
                [(probability, further, passes)] = outcomes
                _concrete(probability)
                passed = self._reduce(passed + _concrete(passes))
                ends = self._ends(after, actions[0], further)
                after = further
            if not ends:
                successors.append(SymbolicSuccessor(tuple(map(self._linear, after)), passed))
        return successors

    def _ends(self, before: State, action: int, after: State) -> bool:
        """Return whether the game ends in a state. Rewards and payoffs must not depend on the totals."""
        if self._game.has("reward"):
            _concrete(self._call("reward", before, action, after))
        if not self._call("over", after):
            if self._game.has("possible") and not self._call("possible", after):
                raise SymbolicExecutionError("an exit leads to an impossible state")
            return False
        for payoff in self._game.payoffs(self._rules, after):
            _concrete(payoff)
        return True

    def _call(self, part: str, *arguments: Any) -> Any:
        return self._game.part(part)(self._rules, *arguments)

    def _reduce(self, passes: int) -> int:
        """Reduce a number of passes to at most one round of the table, as `list_outcomes` does."""
        while passes > self._seats:
            passes -= self._seats
        return passes

    def _linear(self, field: Any) -> LinearExpression:
        if isinstance(field, SymbolicExpression):
            return LinearExpression(field.coefficients, field.constant)
        return LinearExpression((0,) * len(self._totals), _concrete(field))


def can_distinguish_symbols(module: ModuleType) -> bool:
    """Return whether a rule file could distinguish symbolic expressions from numbers."""
    return any(
        (isinstance(part, ast.Name) and part.id in TYPE_SENSITIVE)
        or (isinstance(part, ast.Compare) and any(isinstance(each, ast.Is | ast.IsNot) for each in part.ops))
        or isinstance(part, ast.Try | ast.MatchClass)
        for file in source.files(module)
        for part in ast.walk(parse(file.read_bytes()))
    )


def _is_raised_here(error: BaseException) -> bool:
    """Return whether code of this package raised an error, and not the rules that it runs."""
    trace = error.__traceback__
    while trace and trace.tb_next:
        trace = trace.tb_next
    return trace is not None and trace.tb_frame.f_globals.get("__package__") == __package__


def _concrete(number: Any) -> Any:
    """Return a number from the rules, which must not be a symbolic expression."""
    if isinstance(number, SymbolicExpression):
        raise SymbolicExecutionError("the result depends on the totals")
    return number
