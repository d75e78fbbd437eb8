"""Run rules with symbols in place of totals: what holds in many states of one way out of their rolls."""

import ast
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from types import ModuleType
from typing import Any

from komi import source
from komi.game import Game
from komi.model.rolls.symbols import Form, Range, Symbol, Trail, UntraceableError
from komi.syntax import parse

TELLING = frozenset(("isinstance", "issubclass", "type", "hasattr", "getattr", "callable"))
"""Functions with which rules could treat a symbol otherwise than a number: rules that use one are not traced."""


@dataclass(frozen=True)
class Traced:
    """What was found out about a state with certain totals, and holds for all that fulfil the conditions.

    Attributes:
        ranges: the conditions: by the form of a sum of totals, in which range it is.
        found: what was asked for.
    """

    ranges: dict[Form, Range]
    found: Any


@dataclass(frozen=True)
class Sum:
    """A field of a state: a number and so many steps of each total."""

    coefficients: Form
    constant: int


@dataclass(frozen=True)
class Lead:
    """A stored state that a way out leads to.

    Attributes:
        fields: each of its fields.
        passes: how far the turn passes.
    """

    fields: tuple[Sum, ...]
    passes: int


class Tracer:
    """Runs rules with symbols.

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
        """The legal actions of a state; None if nothing can be found out."""
        return self._traced(state, lambda symbolic: [*map(_number, self._ask("legal", symbolic))])

    def leads(
        self, state: Sequence[int], row: Sequence[int], inside: Sequence[bool], action: int, outcome: int
    ) -> Traced | None:
        """The stored states that a port leads to, as `evaluate_ports` lists them; None if nothing can be found out.

        Args:
            state: the stored state.
            row: the fields of the state in its roll from which the port leads out.
            inside: bool[fields], which of these it is told by; the others are as in the stored state.
            action: which.
            outcome: which of its outcomes; -1 all.
        """

        def find(symbolic: Any) -> list[Lead]:
            fields = (int(row[i]) if there else symbolic[i] for i, there in enumerate(inside))
            return self._leads(type(symbolic)(*fields), action, outcome)

        return self._traced(state, find)

    def _traced(self, state: Sequence[int], find: Callable[[Any], Any]) -> Traced | None:
        """What is found in a state with symbols for its totals."""
        if not self._is_traceable:
            return None
        trail = Trail()
        fields: list[Any] = [int(field) for field in state]
        numbers = [fields[i] // step for i, step in zip(self._totals, self._steps, strict=True)]
        for i, symbol in zip(self._totals, trail.symbols(self._steps, numbers), strict=True):
            fields[i] = symbol
        try:
            found = find(self._game.module.State(*fields))
        except Exception:  # there is no end of what rules can do that is not done with symbols
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
        """Whether the game ends in a state; what is gained on the way must be the same whatever the totals are."""
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
    """Whether a rule file could tell symbols from numbers, and do with them what it does not do with these."""
    return any(
        (isinstance(part, ast.Name) and part.id in TELLING)
        or (isinstance(part, ast.Compare) and any(isinstance(each, ast.Is | ast.IsNot) for each in part.ops))
        or isinstance(part, ast.Try | ast.MatchClass)
        for file in source.files(module)
        for part in ast.walk(parse(file.read_bytes()))
    )


def _number(thing: Any) -> Any:
    """A number that rules yield, which must not be a symbol."""
    if isinstance(thing, Symbol):
        raise UntraceableError
    return thing
