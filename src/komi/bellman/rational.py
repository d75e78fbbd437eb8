"""The exact solution of a component in rational arithmetic, for values that sweeps cannot prove, and infinite play.

The rules are run unchanged, and each probability is the fraction that its float represents, divided by the sum over its
action. A node is a state in a role, seen by one player, A, who moves there or not; A's reward is the value of the game
to A. Whether play can be infinite is then a question of graph theory: which sets of nodes a player need not leave.

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

from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction
from math import lcm
from typing import Any, NamedTuple

import numpy as np

NOBODY, MOST, LEAST = 0, 1, -1
"""Who chooses in a node: no player, the maximizer of A's value, or the minimizer."""
MAX_POLICIES = 20  # the most policies of a multiplayer game that are tried
TELLING_GAIN = 1e-9  # the largest gain from deviating that is accepted as part of the error bound
UNITS = 8  # the error of a probability or a reward, in units in the last place

ONE, NOTHING = Fraction(1), Fraction(0)


class Way(NamedTuple):
    """An action, or a uniform mixture of several.

    Attributes:
        number: of the action.
        moves: the probabilities of successor nodes in the component.
        gain: A's expected reward from the action and from leaving the component.
        terms: the sum of the absolute terms of `gain`.
        leaves: whether play can leave the component.
    """

    number: int
    moves: dict[int, Fraction]
    gain: Fraction
    terms: Fraction
    leaves: bool

    def worth(self, values: Sequence[Fraction]) -> Fraction:
        """Compute the value of the action to A."""
        return self.gain + sum((chance * values[node] for node, chance in self.moves.items()), NOTHING)


@dataclass(frozen=True)
class Graph:
    """The nodes of a component.

    Attributes:
        keys: (the state, the role, whether A is to move) of each node.
        chooses: who chooses in each: NOBODY, MOST or LEAST.
        ways: the actions of each.
        is_rounded: whether the probabilities of each action sum to 1 up to rounding.
        exits_bound: the error bound of the values at the component's boundary.
    """

    keys: list[tuple[Any, int, bool]]
    chooses: list[int]
    ways: list[list[Way]]
    is_rounded: bool
    exits_bound: float

    @property
    def error(self) -> Fraction:
        """The relative error, caused by rounding of probabilities, of winning probabilities and of reward terms."""
        unit = Fraction(UNITS, 2**52)
        return ((1 + unit) / (1 - unit)) ** (len(self.keys) + 1) - 1

    def holding(self, *who: int) -> set[int]:
        """Return the nodes in which these players can keep play for ever, whatever others do."""
        nodes = set(range(len(self.keys)))
        while True:
            left = {
                node
                for node in nodes
                if not (any if self.chooses[node] in who else all)(
                    not way.leaves and way.moves.keys() <= nodes for way in self.ways[node]
                )
            }
            if not left:
                return nodes
            nodes -= left

    def surely_ending(self, *who: int) -> set[int]:
        """Return the nodes from which these players can end play, or leave, with probability 1, whatever others do.

        It is the greatest fixed point: the nodes from which they can do so with positive probability within these
        nodes.
        """
        nodes = set(range(len(self.keys)))
        while True:
            found: set[int] = set()
            while more := {node for node in nodes - found if self._comes_nearer(node, nodes, found, *who)}:
                found |= more
            if found == nodes:
                return nodes
            nodes = found

    def _comes_nearer(self, node: int, nodes: set[int], near: set[int], *who: int) -> bool:
        """Return whether these players can stay in `nodes` and reach `near`, or leave, with positive probability."""
        return (any if self.chooses[node] in who else all)(
            way.moves.keys() <= nodes and (way.leaves or bool(way.moves.keys() & near)) for way in self.ways[node]
        )

    def complement(self) -> "Graph":
        """Create the graph in which the probabilities are those of A not winning."""
        ways = [[self._not_won(way) for way in ways] for ways in self.ways]
        return Graph(self.keys, [-who for who in self.chooses], ways, self.is_rounded, self.exits_bound)

    def held(self, ways: Sequence[Sequence[Way]]) -> "Graph":
        """Create the graph with a subset of the actions."""
        return Graph(self.keys, self.chooses, [list(each) for each in ways], self.is_rounded, self.exits_bound)

    def _not_won(self, way: Way) -> Way:
        gain = ONE - sum(way.moves.values(), NOTHING) - way.gain
        return way._replace(gain=gain, terms=gain)

    def ending(self, tight: Sequence[Sequence[Way]], player: int, goal: set[int]) -> dict[int, Way]:
        """Select actions with which a player approaches the end of play, or a goal, whatever others do.

        Args:
            tight: the actions of each node to select from.
            player: MOST or LEAST.
            goal: nodes that count as the end of play.
        """
        found: dict[int, Way] = {}
        near = set(goal)
        while True:
            more: dict[int, Way] = {}
            for node, ways in enumerate(tight):
                if node in near:
                    continue
                good = [way for way in ways if way.leaves or way.moves.keys() & near]
                if good and (self.chooses[node] == player or len(good) == len(ways)):
                    more[node] = good[0]
            if not more:
                return found
            found |= more
            near |= more.keys()


@dataclass(frozen=True)
class Exact:
    """The exact solution of a component's nodes.

    Attributes:
        low, high: the value of each to A if infinite play counts as 0, and as 1; both are the value if the objective is
            a reward.
        chosen: the action of optimal play where a player chooses, and the only one elsewhere.
        bound: the error bound.
    """

    low: list[Fraction]
    high: list[Fraction]
    chosen: list[Way]
    bound: float

    @property
    def values(self) -> list[Fraction]:
        """The value of each node to A, halfway between `low` and `high`."""
        return [(low + high) / 2 for low, high in zip(self.low, self.high, strict=True)]

    def widened(self, gap: float) -> "Exact":
        """Return the same solution with a bound increased by `gap`."""
        return Exact(self.low, self.high, self.chosen, self.bound + gap)


TRAPPED, GAINING, EVEN, ROUNDED = range(4)
"""How play can be infinite with rewards: it cannot end, a cycle has a positive reward, or zero reward, or its
cost is within rounding."""


class InfinitePlayError(Exception):
    """The total reward is unlimited, or depends on the value of infinite play.

    Attributes:
        node: one in which play can stay for ever.
        how: TRAPPED, GAINING, EVEN or ROUNDED.
    """

    def __init__(self, node: int, how: int) -> None:
        super().__init__()
        self.node, self.how = node, how


def solve_chances(graph: Graph) -> Exact:
    """Compute A's probabilities of winning."""
    low = _least(graph)
    high = [ONE - value for value in _least(graph.complement())]
    chosen = _chosen(graph, low)
    return Exact(low, high, chosen, graph.exits_bound + 2.0 * float(graph.error) + 2.0**-52)


def solve_gains(graph: Graph) -> Exact:
    """Compute A's greatest expected rewards; A is the only player who chooses.

    Raises:
        InfinitePlayError: if they are unlimited, or depend on the value of infinite play.
    """
    ends = graph.ending(graph.ways, MOST, set())
    for node in range(len(graph.keys)):
        if node not in ends:
            raise InfinitePlayError(node, TRAPPED)
    values, taken = _improved(graph, [ends[node] for node in range(len(graph.keys))], NOTHING)
    tight = _tight(graph, values)
    staying = graph.held(tight).holding(MOST)
    if staying:
        raise InfinitePlayError(min(staying), EVEN)
    error = graph.error
    most, _ = _improved(graph, taken, error)
    least = evaluate(taken, [[way.gain - error * way.terms for way in taken]])[0]
    off = max(max(a - b, b - c) for a, b, c in zip(most, values, least, strict=True))
    bound = graph.exits_bound + float(off) * (1.0 + 2.0**-20) + 2.0**-52 * (1.0 + float(max(map(abs, values))))
    return Exact(values, values, taken, bound)


def find_equilibrium(graph: Graph) -> Exact | None:
    """Compute the values of a pure policy from which no player gains by deviating; return None if none is found.

    The policy is improved in all states where the mover gains by that, simultaneously, until no mover does. The most
    that a player could gain by deviating, whatever value infinite play has, is part of the error bound.

    Args:
        graph: each node is a state as seen by a player, in role 0 if that player is to move.
    """
    ends = graph.ending(graph.ways, MOST, set())
    if len(ends) < len(graph.keys):
        return None
    places = {state: node for node, (state, role, _) in enumerate(graph.keys) if role == 0}
    policy = {state: graph.ways[node].index(ends[node]) for state, node in places.items()}
    for _ in range(MAX_POLICIES):
        taken = [ways[policy[state]] for (state, _, _), ways in zip(graph.keys, graph.ways, strict=True)]
        if graph.held([[way] for way in taken]).holding():
            return None
        values = evaluate(taken, [[way.gain for way in taken]])[0]
        better = {}
        for state, node in places.items():
            best = max(graph.ways[node], key=lambda way: way.worth(values))
            if best.worth(values) > values[node]:
                better[state] = graph.ways[node].index(best)
        if not better:
            free = [
                ways if role == 0 else [way]
                for (_, role, _), ways, way in zip(graph.keys, graph.ways, taken, strict=True)
            ]
            alone = solve_chances(graph.held(free))
            gained = max(float(most - value) for most, value in zip(alone.high, values, strict=True))
            return Exact(values, values, taken, alone.bound + gained) if gained <= TELLING_GAIN else None
        policy |= better
    return None


def evaluate(taken: Sequence[Way], gains: Sequence[Sequence[Fraction]]) -> list[list[Fraction]]:
    """Compute expected sums of rewards under a policy, from each node, by fraction-free elimination (E. H. Bareiss).

    Args:
        taken: the action in each node.
        gains: lists of rewards, one for each quantity, with one entry per node.
    """
    size = len(taken)
    rows = np.zeros((size, size + len(gains)), object)
    for i, way in enumerate(taken):
        row = {i: ONE}
        for node, chance in way.moves.items():
            row[node] = row.get(node, NOTHING) - chance
        row |= {size + k: each[i] for k, each in enumerate(gains)}
        scale = lcm(*(number.denominator for number in row.values()))
        for column, number in row.items():
            rows[i, column] = int(number * scale)
    before = 1
    for k in range(size):
        below = rows[k + 1 :]
        below[:, k + 1 :] = (below[:, k + 1 :] * rows[k, k] - np.outer(below[:, k], rows[k, k + 1 :])) // before
        before = rows[k, k]
    found: list[list[Fraction]] = []
    for k in range(len(gains)):
        values = [NOTHING] * size
        for i in reversed(range(size)):
            known = sum((rows[i, j] * values[j] for j in range(i + 1, size) if rows[i, j]), NOTHING)
            values[i] = (rows[i, size + k] - known) / Fraction(rows[i, i])
        found.append(values)
    return found


def _improved(graph: Graph, taken: list[Way], error: Fraction) -> tuple[list[Fraction], list[Way]]:
    """Compute the greatest rewards, each increased by `error` times its terms, and the policy, by policy iteration.

    Args:
        graph: the nodes.
        taken: the initial policy, which ends with probability 1.
        error: the factor of the terms.

    Raises:
        InfinitePlayError: if the rewards are unlimited.
    """
    taken = list(taken)
    while True:
        staying = graph.held([[way] for way in taken]).holding()
        if staying:
            raise InfinitePlayError(min(staying), ROUNDED if error else GAINING)
        values = evaluate(taken, [[way.gain + error * way.terms for way in taken]])[0]
        better = False
        for node, ways in enumerate(graph.ways):
            best = max(ways, key=lambda way: way.worth(values) + error * way.terms)
            if best.worth(values) + error * best.terms > values[node]:
                taken[node], better = best, True
        if not better:
            return values, taken


def _least(graph: Graph) -> list[Fraction]:
    """Compute A's probabilities of winning if infinite play counts as 0."""
    ends = graph.ending(graph.ways, MOST, set())
    taken = [ends.get(node, ways[0]) for node, ways in enumerate(graph.ways)]
    while True:
        held = [ways if graph.chooses[node] == LEAST else [taken[node]] for node, ways in enumerate(graph.ways)]
        values = _least_against(graph, held)
        better = False
        for node, ways in enumerate(graph.ways):
            if graph.chooses[node] == MOST:
                best = max(ways, key=lambda way: way.worth(values))
                if best.worth(values) > values[node]:
                    taken[node], better = best, True
        if not better:
            return values


def _least_against(graph: Graph, held: Sequence[Sequence[Way]]) -> list[Fraction]:
    """Compute the least probabilities of A winning, given A's actions."""
    lost = set(range(len(held)))
    while True:
        not_lost = {n for n in lost if not any(way.gain == 0 and way.moves.keys() <= lost for way in held[n])}
        if not not_lost:
            break
        lost -= not_lost
    nothing = Way(0, {}, NOTHING, NOTHING, True)
    open_to = [[nothing] if node in lost else ways for node, ways in enumerate(held)]
    taken = [ways[0] for ways in open_to]
    while True:
        values = evaluate(taken, [[way.gain for way in taken]])[0]
        better = False
        for node, ways in enumerate(open_to):
            if graph.chooses[node] == LEAST and len(ways) > 1:
                best = min(ways, key=lambda way: way.worth(values))
                if best.worth(values) < values[node]:
                    taken[node], better = best, True
        if not better:
            return values


def _tight(graph: Graph, values: Sequence[Fraction]) -> list[list[Way]]:
    """List the actions whose value equals that of their node."""
    return [[way for way in ways if way.worth(values) == values[node]] for node, ways in enumerate(graph.ways)]


def _chosen(graph: Graph, values: Sequence[Fraction]) -> list[Way]:
    """Choose among optimal actions those that end play, or that reach states where there is nothing left to lose."""
    tight = _tight(graph, values)
    chosen = [ways[0] for ways in tight]
    for player, nothing in ((MOST, NOTHING), (LEAST, ONE)):
        surely = graph.ending(tight, player, set())
        nearer = graph.ending(tight, player, {node for node, value in enumerate(values) if value == nothing})
        for node, way in (nearer | surely).items():
            if graph.chooses[node] == player:
                chosen[node] = way
    return chosen
