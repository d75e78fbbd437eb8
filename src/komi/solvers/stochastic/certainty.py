"""Values that are exactly 0 or 1 because no other end is possible: almost sure winning, by the graph of play.

The value of a state is certain if, where the seat that gains by it plays optimally and all others choose freely, every
end that can be reached pays the same, and play ends with probability 1 since no set of states can hold it for ever
(L. de Alfaro, Formal Verification of Probabilistic Systems, 1997). Nothing depends on probabilities, except that they
are positive.
"""

from fractions import Fraction
from typing import Any

from komi.bellman import NO_PLAYER, Action, Graph
from komi.typing import State

MAX_NODES = 2_000  # states that are visited: a tenth of a second

Node = tuple[State, bool]
"""A state, and whether the player is to move for whom the value counts."""


def is_certain(solution: Any, state: State) -> bool:
    """Return whether the value of a state for one or two players is exactly 0 or 1, as far as a small graph shows it.

    Args:
        solution: a solution with an `optimal_action` in every state, whose values are probabilities.
        state: a state.
    """
    value, kind = solution.value(state), solution.kind
    end = float(round(value))
    if not kind.is_chance or end not in (0.0, 1.0) or abs(value - end) > solution.error_bound:
        return False
    return _Certainty(solution, end).holds_from((state, True))


class _Certainty:
    """The search for another end than a certain one.

    Args:
        solution: the solution.
        end: what each end must pay to the player for whom the value counts: 0 or 1.
    """

    def __init__(self, solution: Any, end: float) -> None:
        self._solution, self._game, self._rules, self._end = solution, solution.game, solution.rules, end
        self._is_opposed = solution.kind.seats == 2
        is_gain = (end == 1.0) == (solution.kind.aim == "most")
        self._gains = is_gain if self._is_opposed or is_gain else None
        """The side whose optimal play is followed: True for the player for whom the value counts; None for no side."""
        self._nodes: dict[Node, int] = {}

    def holds_from(self, root: Node) -> bool:
        """Return whether play ends with this payoff, with probability 1."""
        if self._game.part("over")(self._rules, root[0]):
            return True
        self._nodes[root] = 0
        order, rows = [root], []
        for node in order:  # grows
            row = []
            for number in self._actions(node):
                action = self._action(node, number, order)
                if action is None or len(order) > MAX_NODES:
                    return False
                row.append(action)
            rows.append(row)
        keys = [(state, 0, side) for state, side in order]
        graph = Graph(keys, [NO_PLAYER] * len(keys), rows, is_rounded=True, exits_bound=0.0)
        return not graph.endless_nodes(NO_PLAYER)

    def _actions(self, node: Node) -> list[int]:
        """Return the actions that may be taken in a node."""
        state, side = node
        if side == self._gains:
            return [self._solution.optimal_action(state)]
        return list(self._game.part("legal")(self._rules, state))

    def _action(self, node: Node, number: int, order: list[Node]) -> Action | None:
        """Return an action, and append new nodes to `order`; None if it can lead to another end."""
        state, side = node
        successors: dict[int, Fraction] = {}
        can_end = False
        for chance, after, passes in self._game.outcomes(self._rules, state, number):
            is_ours = side != bool(passes % 2) if self._is_opposed else side
            if chance <= 0.0:
                continue
            if self._game.part("over")(self._rules, after):
                share = float(self._game.shares(self._rules, after)[0])
                can_end = True
                if (share if is_ours else 1.0 - share) != self._end:
                    return None
                continue
            key = (after, is_ours)
            if key not in self._nodes:
                self._nodes[key] = len(order)
                order.append(key)
            successors[self._nodes[key]] = Fraction(chance)
        return Action(number, successors, Fraction(0), Fraction(0), can_end)
