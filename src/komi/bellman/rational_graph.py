"""The graph of a component in rational arithmetic, and the sets of nodes in which players can keep play or end it.

Each probability is the fraction that its float represents, divided by the sum over its action. A node is a state in a
role, seen by one player, A, who moves there or not; A's reward is the value of the game to A. Whether play can be
infinite is then a question of graph theory: which sets of nodes a player need not leave (L. de Alfaro, Formal
Verification of Probabilistic Systems, 1997).
"""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from fractions import Fraction
from typing import Any, NamedTuple

NO_PLAYER, MAXIMIZER, MINIMIZER = 0, 1, -1
"""The player who chooses in a node: no player, the maximizer of A's value, or the minimizer."""
UNITS = 8  # the error of a probability or a reward, in units in the last place

ONE, ZERO = Fraction(1), Fraction(0)


class Action(NamedTuple):
    """An action, or a uniform mixture of several.

    Attributes:
        number: of the action.
        successors: the probabilities of successor nodes in the component.
        reward: A's expected reward from the action and from leaving the component.
        terms: the sum of the absolute terms of `reward`.
        can_leave: whether play can leave the component.
    """

    number: int
    successors: dict[int, Fraction]
    reward: Fraction
    terms: Fraction
    can_leave: bool

    def value(self, values: Sequence[Fraction]) -> Fraction:
        """Compute the value of the action to A."""
        return self.reward + sum((chance * values[node] for node, chance in self.successors.items()), ZERO)

    def complement(self) -> "Action":
        """Return the action with the probability that A does not win."""
        reward = ONE - sum(self.successors.values(), ZERO) - self.reward
        return self._replace(reward=reward, terms=reward)


@dataclass(frozen=True)
class Graph:
    """The nodes of a component.

    Attributes:
        keys: (the state, the role, whether A is to move) of each node.
        choosers: who chooses in each: NO_PLAYER, MAXIMIZER or MINIMIZER.
        actions: the actions of each.
        is_rounded: whether the probabilities of each action sum to 1 up to rounding.
        exits_bound: the error bound of the values at the component's boundary.
    """

    keys: list[tuple[Any, int, bool]]
    choosers: list[int]
    actions: Sequence[Sequence[Action]]
    is_rounded: bool
    exits_bound: float

    @property
    def error(self) -> Fraction:
        """The relative error, caused by rounding of probabilities, of winning probabilities and of reward terms."""
        unit = Fraction(UNITS, 2**52)
        return ((1 + unit) / (1 - unit)) ** (len(self.keys) + 1) - 1

    def complement(self) -> "Graph":
        """Create the graph in which the probabilities are those of A not winning."""
        actions = [[action.complement() for action in actions] for actions in self.actions]
        return replace(self, choosers=[-chooser for chooser in self.choosers], actions=actions)

    def restrict(self, actions: Sequence[Sequence[Action]]) -> "Graph":
        """Create the graph with a subset of the actions."""
        return replace(self, actions=actions)

    def endless_nodes(self, *players: int) -> set[int]:
        """Return the nodes in which these players can keep play for ever, whatever others do."""
        nodes = set(range(len(self.keys)))
        while True:
            leaving = {
                node
                for node in nodes
                if not (any if self.choosers[node] in players else all)(
                    not action.can_leave and action.successors.keys() <= nodes for action in self.actions[node]
                )
            }
            if not leaving:
                return nodes
            nodes -= leaving

    def almost_surely_ending(self, *players: int) -> set[int]:
        """Return the nodes from which these players can end play, or leave, with probability 1, whatever others do.

        It is the greatest fixed point: the nodes from which they can do so with positive probability within these
        nodes.
        """
        nodes = set(range(len(self.keys)))
        while True:
            found: set[int] = set()
            while more := {node for node in nodes - found if self._can_approach(node, nodes, found, *players)}:
                found |= more
            if found == nodes:
                return nodes
            nodes = found

    def _can_approach(self, node: int, nodes: set[int], near: set[int], *players: int) -> bool:
        """Return whether these players can stay in `nodes` and reach `near`, or leave, with positive probability."""
        return (any if self.choosers[node] in players else all)(
            action.successors.keys() <= nodes and (action.can_leave or bool(action.successors.keys() & near))
            for action in self.actions[node]
        )

    def ending_actions(self, player: int, goal: set[int] | None = None) -> dict[int, Action]:
        """Select actions with which a player approaches the end of play, or a goal, whatever others do.

        Args:
            player: MAXIMIZER or MINIMIZER.
            goal: nodes that count as the end of play.
        """
        found: dict[int, Action] = {}
        near = goal or set()
        while True:
            more: dict[int, Action] = {}
            for node, actions in enumerate(self.actions):
                if node in near:
                    continue
                good = [action for action in actions if action.can_leave or action.successors.keys() & near]
                if good and (self.choosers[node] == player or len(good) == len(actions)):
                    more[node] = good[0]
            if not more:
                return found
            found |= more
            near = near | more.keys()
