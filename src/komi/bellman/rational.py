"""The exact solution of a component in rational arithmetic, for values that sweeps cannot prove, and infinite play.

Nodes and actions are those of `rational_graph`.

**Probabilities.** With infinite play counted as 0 the least values are computed by strategy iteration (A. J. Hoffman
and R. M. Karp, Management Sci. 12(5), 1966): the best response of one player, by policy iteration after the removal of
the nodes in which it can hold the other at 0, alternates with a better policy of the other, until there is none.
Counted as 1 it is the same game with the values of A and of the opponent exchanged. If both agree, that is the value.

**Rewards.** Policy iteration starts from a policy that ends with probability 1 (R. A. Howard, 1960): a better one that
need not end has an unlimited reward. If optimal actions can stay in a set of nodes, the value of infinite play matters.

**Bound.** The reward of a policy is a quotient of sums of products of at most n probabilities, without those of
self-loops, for n nodes (the Markov chain tree theorem; C. A. O'Cinneide, Numer. Math. 65, 1993). So if each is accurate
to a factor of 1 +- e, probabilities of results are accurate to a factor of ((1 + e) / (1 - e))^n, however long play
lasts, and so are all terms of the reward; and with them the values of optimal play, whatever value infinite play has.
"""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from enum import Enum, auto
from fractions import Fraction
from math import lcm

import numpy as np

from komi.bellman.rational_graph import MAXIMIZER, MINIMIZER, ONE, ZERO, Action, Graph

MAX_POLICIES = 20  # the most policies of a multiplayer game that are tried
MAX_EQUILIBRIUM_GAIN = 1e-9  # the largest gain from deviating that is accepted as part of the error bound


@dataclass(frozen=True)
class RationalValues:
    """The exact solution of a component's nodes.

    Attributes:
        low, high: the value of each to A if infinite play counts as 0, and as 1; both are the value if the objective is
            a reward.
        chosen: the action of optimal play where a player chooses, and the only one elsewhere.
        bound: the error bound.
    """

    low: list[Fraction]
    high: list[Fraction]
    chosen: list[Action]
    bound: float

    @property
    def values(self) -> list[Fraction]:
        """The value of each node to A, halfway between `low` and `high`."""
        return [(low + high) / 2 for low, high in zip(self.low, self.high, strict=True)]


class InfinitePlay(Enum):
    """The kinds of infinite play with rewards."""

    NO_END = auto()  # play cannot end
    UNLIMITED = auto()  # a cycle has a positive reward
    UNDETERMINED = auto()  # a cycle has zero reward
    ROUNDED = auto()  # the cost of a cycle is within rounding


class InfinitePlayError(Exception):
    """The total reward is unlimited, or depends on the value of infinite play.

    Attributes:
        node: one in which play can stay for ever.
        reason: the kind of infinite play.
        ending_value: A's greatest expected reward there if play must end; known if `reason` is UNDETERMINED.
    """

    def __init__(self, node: int, reason: InfinitePlay, ending_value: Fraction = ZERO) -> None:
        super().__init__()
        self.node, self.reason, self.ending_value = node, reason, ending_value


def solve_probabilities(graph: Graph) -> RationalValues:
    """Compute A's probabilities of winning."""
    low = _least_probabilities(graph)
    high = [ONE - value for value in _least_probabilities(graph.complement())]
    return RationalValues(low, high, _optimal_actions(graph, low), error_bound(graph))


def error_bound(graph: Graph) -> float:
    """Return the error bound of probabilities of winning, whatever infinite play counts."""
    return graph.exits_bound + 2.0 * float(graph.error) + 2.0**-52


def solve_rewards(graph: Graph) -> RationalValues:
    """Compute A's greatest expected rewards; A is the only player who chooses.

    Raises:
        InfinitePlayError: if they are unlimited, or depend on the value of infinite play.
    """
    nodes, ending = range(len(graph.keys)), graph.ending_actions(MAXIMIZER)
    for node in nodes:
        if node not in ending:
            raise InfinitePlayError(node, InfinitePlay.NO_END)
    values, taken = _greatest_rewards(graph, [ending[node] for node in nodes], ZERO)
    endless = graph.restrict(_tied_actions(graph, values)).endless_nodes(MAXIMIZER)
    if endless:
        node = min(endless)
        raise InfinitePlayError(node, InfinitePlay.UNDETERMINED, values[node])
    error = graph.error
    most, _ = _greatest_rewards(graph, taken, error)
    least = evaluate(taken, [action.reward - error * action.terms for action in taken])
    off = max(max(a - b, b - c) for a, b, c in zip(most, values, least, strict=True))
    bound = graph.exits_bound + float(off) * (1.0 + 2.0**-20) + 2.0**-52 * (1.0 + float(max(map(abs, values))))
    return RationalValues(values, values, taken, bound)


def find_equilibrium(graph: Graph) -> RationalValues | None:
    """Compute the values of a pure policy from which no player gains by deviating; return None if none is found.

    The policy is improved in all states where the mover gains by that, simultaneously, until no mover does. The most
    that a player could gain by deviating, whatever value infinite play has, is part of the error bound.

    Args:
        graph: each node is a state as seen by a player, in role 0 if that player is to move.
    """
    ending = graph.ending_actions(MAXIMIZER)
    if len(ending) < len(graph.keys):
        return None
    mover_nodes = {state: node for node, (state, role, _) in enumerate(graph.keys) if role == 0}
    policy = {state: graph.actions[node].index(ending[node]) for state, node in mover_nodes.items()}
    for _ in range(MAX_POLICIES):
        taken = [actions[policy[state]] for (state, _, _), actions in zip(graph.keys, graph.actions, strict=True)]
        if graph.restrict([[action] for action in taken]).endless_nodes():
            return None
        values = evaluate(taken, [action.reward for action in taken])
        better = {}
        for state, node in mover_nodes.items():
            best = max(graph.actions[node], key=lambda action: action.value(values))
            if best.value(values) > values[node]:
                better[state] = graph.actions[node].index(best)
        if not better:
            free = [
                actions if role == 0 else [action]
                for (_, role, _), actions, action in zip(graph.keys, graph.actions, taken, strict=True)
            ]
            deviating = solve_probabilities(graph.restrict(free))
            gain = max(float(most - value) for most, value in zip(deviating.high, values, strict=True))
            if gain > MAX_EQUILIBRIUM_GAIN:
                return None
            return RationalValues(values, values, taken, deviating.bound + gain)
        policy |= better
    return None


def evaluate(taken: Sequence[Action], rewards: Sequence[Fraction]) -> list[Fraction]:
    """Compute expected sums of rewards under a policy, from each node, by fraction-free elimination (E. H. Bareiss).

    Args:
        taken: the action in each node.
        rewards: the reward in each node.
    """
    size = len(taken)
    rows = np.zeros((size, size + 1), object)
    for i, action in enumerate(taken):
        row = {i: ONE}
        for node, chance in action.successors.items():
            row[node] = row.get(node, ZERO) - chance
        row[size] = rewards[i]
        scale = lcm(*(number.denominator for number in row.values()))
        for column, number in row.items():
            rows[i, column] = int(number * scale)
    before = 1
    for k in range(size):
        below = rows[k + 1 :]
        below[:, k + 1 :] = (below[:, k + 1 :] * rows[k, k] - np.outer(below[:, k], rows[k, k + 1 :])) // before
        before = rows[k, k]
    values = [ZERO] * size
    for i in reversed(range(size)):
        known = sum((rows[i, j] * values[j] for j in range(i + 1, size) if rows[i, j]), ZERO)
        values[i] = (rows[i, size] - known) / Fraction(rows[i, i])
    return values


def iterate_policies(
    actions: Sequence[Sequence[Action]],
    taken: list[Action],
    evaluate_policy: Callable[[list[Action]], list[Fraction]],
    player: int,
    error: Fraction = ZERO,
) -> list[Fraction]:
    """Improve a policy until no action is better; return its values.

    Args:
        actions: those among which the player can choose in each node, if any.
        taken: the initial policy; improved in place.
        evaluate_policy: computes the values of a policy.
        player: MAXIMIZER or MINIMIZER.
        error: the terms of each reward are added, multiplied by this.
    """
    while True:
        values = evaluate_policy(taken)
        is_optimal = True
        for node, choices in enumerate(actions):
            if len(choices) < 2:
                continue
            best = max(choices, key=lambda action: player * (action.value(values) + error * action.terms))
            if player * (best.value(values) + error * best.terms - values[node]) > 0:
                taken[node], is_optimal = best, False
        if is_optimal:
            return values


def _greatest_rewards(graph: Graph, first: list[Action], error: Fraction) -> tuple[list[Fraction], list[Action]]:
    """Compute the greatest rewards, each increased by `error` times its terms, and the policy.

    Args:
        graph: the nodes.
        first: the initial policy, which ends with probability 1.
        error: the factor of the terms.

    Raises:
        InfinitePlayError: if the rewards are unlimited.
    """

    def evaluate_ending(taken: list[Action]) -> list[Fraction]:
        endless = graph.restrict([[action] for action in taken]).endless_nodes()
        if endless:
            raise InfinitePlayError(min(endless), InfinitePlay.ROUNDED if error else InfinitePlay.UNLIMITED)
        return evaluate(taken, [action.reward + error * action.terms for action in taken])

    taken = list(first)
    return iterate_policies(graph.actions, taken, evaluate_ending, MAXIMIZER, error), taken


def _least_probabilities(graph: Graph) -> list[Fraction]:
    """Compute A's probabilities of winning if infinite play counts as 0."""
    ending = graph.ending_actions(MAXIMIZER)
    taken = [ending.get(node, actions[0]) for node, actions in enumerate(graph.actions)]

    def evaluate_response(taken: list[Action]) -> list[Fraction]:
        return least_response(
            [
                actions if chooser == MINIMIZER else [action]
                for chooser, actions, action in zip(graph.choosers, graph.actions, taken, strict=True)
            ]
        )

    choices = [
        actions if chooser == MAXIMIZER else [] for chooser, actions in zip(graph.choosers, graph.actions, strict=True)
    ]
    return iterate_policies(choices, taken, evaluate_response, MAXIMIZER)


def least_response(actions: Sequence[Sequence[Action]]) -> list[Fraction]:
    """Compute the least probabilities of A winning, given A's actions; infinite play counts as 0."""
    lost = set(range(len(actions)))
    while True:
        not_lost = {
            node for node in lost if not any(a.reward == 0 and a.successors.keys() <= lost for a in actions[node])
        }
        if not not_lost:
            break
        lost -= not_lost
    losing = Action(0, {}, ZERO, ZERO, True)
    choices = [[losing] if node in lost else each for node, each in enumerate(actions)]
    taken = [each[0] for each in choices]
    return iterate_policies(
        choices, taken, lambda taken: evaluate(taken, [action.reward for action in taken]), MINIMIZER
    )


def _tied_actions(graph: Graph, values: Sequence[Fraction]) -> list[list[Action]]:
    """List the actions whose value equals that of their node."""
    return [
        [action for action in actions if action.value(values) == values[node]]
        for node, actions in enumerate(graph.actions)
    ]


def _optimal_actions(graph: Graph, values: Sequence[Fraction]) -> list[Action]:
    """Choose among optimal actions those that end play, or that reach states where there is nothing left to lose."""
    tied = graph.restrict(_tied_actions(graph, values))
    chosen = [actions[0] for actions in tied.actions]
    for player, worst in ((MAXIMIZER, ZERO), (MINIMIZER, ONE)):
        surely = tied.ending_actions(player)
        nearer = tied.ending_actions(player, {node for node, value in enumerate(values) if value == worst})
        for node, action in (nearer | surely).items():
            if graph.choosers[node] == player:
                chosen[node] = action
    return chosen
