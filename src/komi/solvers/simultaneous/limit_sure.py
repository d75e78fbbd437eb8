"""Near-optimal strategies for a seat that wins with every probability below 1: limit-sure reachability.

The states of a component from which seat p wins limit-surely are the greatest fixed point over Y of the least one over
X of an operator that adds a state to X if all actions of the other seat are *covered* (L. de Alfaro, T. A. Henzinger
and O. Kupferman, Concurrent reachability games, Theor. Comput. Sci. 386, 2007, section 4). The levels of a state are
computed in turn, from 0 on:

    level k of p's actions:   safe, i.e. play stays in Y or is won, against every action that is not covered
    covered by levels to k:   the actions against which an action of p reaches X or wins with positive probability

With level 0 alone, the fixed point is the states from which p wins with probability 1: elsewhere in the component no
strategy attains the value 1 in play that ends. A near-optimal strategy takes an action of level k in a state of rank r
(the number of the iteration that adds it to X) with a probability of about

    epsilon ^ (k c(r)),    c(r) = 1 + sum over q < r of (the highest level of rank q) c(q),

which is less by a factor of epsilon than that of progress through all lower ranks. These exponents can double with each
rank (K. A. Hansen, M. Koucky and P. B. Miltersen, LICS 2009). Nothing rests on their choice: what the strategy
guarantees is computed by `rational.least_response`, in exact arithmetic, with infinite play counted as lost.
"""

from collections.abc import Container, Iterator, Sequence
from dataclasses import dataclass
from fractions import Fraction
from typing import NamedTuple

from komi.bellman import Action, Graph, least_response
from komi.solvers.simultaneous.matrix_game_sweeps import ChoiceKind

MIN_EXPONENT = 1_000  # probabilities below 2 ** -MIN_EXPONENT come near the smallest float
EPSILON_BITS = (21, 30, 40)  # epsilon = 2 ** -bits, in the order in which they are tried

Matrix = list[list[Action]]
"""What follows each action of p, against each action of the other seat; a seat without a choice has one action."""


class Rank(NamedTuple):
    """The place of a node in the fixed point.

    Attributes:
        number: the iteration that adds the node.
        levels: the level of each action of p; None for actions that p does not take.
    """

    number: int
    levels: list[int | None]


@dataclass(frozen=True)
class LimitStrategy:
    """A near-optimal strategy of the seat that wins limit-surely, and any strategy of the other seat.

    Attributes:
        mixes: of each node of the graph that the root can reach, the probabilities of its actions.
        attained: the nodes from which the seat wins with probability 1 by another strategy.
        loss: the largest probability with which the strategy does not win.
    """

    mixes: dict[int, list[float]]
    attained: set[int]
    loss: Fraction


class LimitGame:
    """The part of a component's graph that a root can reach, as matrix games of player A.

    Args:
        graph: the component, with the blind states after its open ones.
        kinds: the `ChoiceKind` of each node.
        root: a node that is not blind.
    """

    def __init__(self, graph: Graph, kinds: Sequence[int], root: int) -> None:
        self._graph, self._kinds = graph, kinds
        self._nodes = [root]
        seen = {root}
        for node in self._nodes:  # grows
            after = {each for row in self._matrix(node) for action in row for each in action.successors} - seen
            seen |= after
            self._nodes += sorted(after)
        self._matrices = {node: self._matrix(node) for node in self._nodes}
        self._ranks = self._fixed_point(0)
        if not self.is_limit_sure:
            self._ranks = self._fixed_point(len(graph.keys))

    @property
    def is_limit_sure(self) -> bool:
        """Return whether A wins from all nodes with every probability below 1."""
        return self._ranks.keys() == self._matrices.keys()

    def strategy(self, accepted: float) -> LimitStrategy | None:
        """Return a strategy with an accepted loss, or the best that floats can hold; None if they can hold none."""
        exponents = self._exponents()
        largest = max((exponent for each in exponents.values() for exponent in each if exponent), default=1)
        found = None
        for bits in EPSILON_BITS:
            if bits * largest > MIN_EXPONENT:
                return found or (
                    self._strategy(exponents, MIN_EXPONENT // largest) if largest <= MIN_EXPONENT else None
                )
            found = self._strategy(exponents, bits)
            if found.loss <= accepted:
                break
        return found

    def _strategy(self, exponents: dict[int, list[int | None]], bits: int) -> LimitStrategy:
        """Return the strategy for epsilon = 2 ** -bits."""
        shares = {node: _shares(each, bits) for node, each in exponents.items()}
        mixes = {key: mix for node in self._nodes for key, mix in self._mixes(node, shares[node])}
        attained = self._fixed_point(0).keys() if self._graph.exits_bound == 0.0 else self._matrices.keys()
        return LimitStrategy(mixes, set(attained), 1 - min(least_response([*self._responses(shares)])))

    def _matrix(self, node: int) -> Matrix:
        """Return the matrix game of a node."""
        actions, is_ours = self._graph.actions[node], self._graph.keys[node][2]
        if self._kinds[node] != ChoiceKind.OPEN:
            return [[action] for action in actions] if is_ours else [list(actions)]
        rows = [list(self._graph.actions[blind]) for action in actions for blind in action.successors]
        return rows if is_ours else [list(column) for column in zip(*rows, strict=True)]

    def _fixed_point(self, most: int) -> dict[int, Rank]:
        """Compute the greatest fixed point with levels up to `most`, and the ranks of its nodes."""
        inside = set(self._matrices)
        while True:
            ranks: dict[int, Rank] = {}
            number, more = 0, True
            while more:
                found = {
                    node: Rank(number, levels)
                    for node in inside - ranks.keys()
                    if (levels := _levels(self._matrices[node], inside, ranks.keys(), most))
                }
                ranks |= found
                number, more = number + 1, bool(found)
            if ranks.keys() == inside:
                return ranks
            inside = set(ranks)

    def _exponents(self) -> dict[int, list[int | None]]:
        """Return the exponent of epsilon of each action of A in each node."""
        factors: list[int] = []
        for number in range(1 + max(rank.number for rank in self._ranks.values())):
            factors.append(1 + sum(self._highest(lower) * factor for lower, factor in enumerate(factors[:number])))
        return {
            node: [None if level is None else level * factors[rank.number] for level in rank.levels]
            for node, rank in self._ranks.items()
        }

    def _highest(self, number: int) -> int:
        return max(level or 0 for rank in self._ranks.values() if rank.number == number for level in rank.levels)

    def _mixes(self, node: int, shares: list[float]) -> Iterator[tuple[int, list[float]]]:
        """Yield the strategies in a node, and in the blind ones after it, with the nodes."""
        columns = len(self._matrices[node][0])
        uniform, is_ours = [1.0 / columns] * columns, self._graph.keys[node][2]
        yield node, shares if is_ours else uniform
        if self._kinds[node] == ChoiceKind.OPEN:
            for action in self._graph.actions[node]:
                yield from ((blind, uniform if is_ours else shares) for blind in action.successors)

    def _responses(self, shares: dict[int, list[float]]) -> Iterator[list[Action]]:
        """Yield the actions of the other seat in each node, against the strategy of A."""
        position = {node: number for number, node in enumerate(self._nodes)}
        for node in self._nodes:
            weights = [Fraction(share) for share in shares[node]]
            total = sum(weights)
            yield [
                _mixture([weight / total for weight in weights], column, position)
                for column in zip(*self._matrices[node], strict=True)
            ]


def _levels(matrix: Matrix, inside: set[int], near: Container[int], most: int) -> list[int | None] | None:
    """Return the level of each row, at most `most`; None if rows of these levels do not cover all columns."""
    levels: list[int | None] = [None] * len(matrix)
    open_columns = set(range(len(matrix[0])))
    for level in range(most + 1):
        for number, row in enumerate(matrix):
            if levels[number] is None and all(_is_safe(row[column], inside) for column in open_columns):
                levels[number] = level
        covered = {
            column
            for column in open_columns
            if any(each is not None and _approaches(matrix[row][column], near) for row, each in enumerate(levels))
        }
        open_columns -= covered
        if not (open_columns and covered):
            break
    return None if open_columns else levels


def _is_safe(action: Action, inside: set[int]) -> bool:
    """Return whether play stays in a set of nodes, or is won."""
    return action.reward + sum(chance for node, chance in action.successors.items() if node in inside) == 1


def _approaches(action: Action, near: Container[int]) -> bool:
    """Return whether play is won, or reaches nodes, with positive probability."""
    return action.reward > 0 or any(node in near for node in action.successors)


def _shares(exponents: list[int | None], bits: int) -> list[float]:
    """Return the probabilities of actions from their exponents of 2 ** -bits; those of exponent 0 share the rest."""
    counts = {each: exponents.count(each) for each in exponents}
    shares = [0.0 if each is None else 2.0 ** (-bits * each) / counts[each] for each in exponents]
    rest = 1.0 - sum(share for share, each in zip(shares, exponents, strict=True) if each)
    return [rest / counts[0] if each == 0 else share for share, each in zip(shares, exponents, strict=True)]


def _mixture(weights: list[Fraction], column: Sequence[Action], position: dict[int, int]) -> Action:
    """Return the mixture of a column's actions, with renumbered nodes."""
    successors: dict[int, Fraction] = {}
    for weight, action in zip(weights, column, strict=True):
        for node, chance in action.successors.items():
            if weight:
                successors[position[node]] = successors.get(position[node], Fraction(0)) + weight * chance
    reward = sum((weight * action.reward for weight, action in zip(weights, column, strict=True)), Fraction(0))
    return Action(0, successors, reward, reward, reward > 0)
