"""A component in fractions: whether its play can be endless, and its values, where sweeps have found no proof of them.

The rules are run as they stand, and each probability is the fraction that its float is, divided by the sum of all of
its action. A node is a state in a role, seen by one player, A, who moves there or not; A gains what the game is worth
to A. Whether play can be endless is then a question of the graph: of the sets of nodes that a player need not leave.

**Chances.** With an endless game counted as 0 the least values are those of strategy iteration (A. J. Hoffman and R. M.
Karp, Management Sci. 12(5), 1966): the best response of the one, found by policy iteration once the nodes are set
aside from which it can keep the other at 0, and a better policy of the other, in turn, until none is better. Counted
as 1 it is the same game with what A gains and what A does not exchanged. Where both countings agree that is the value.

**Gains.** Policy iteration from a policy that surely ends (R. A. Howard, 1960): a better one that need not end gains
for ever. If no set of nodes is left only at a cost, what an endless game counts matters.

**Bound.** What a policy gains is a quotient of sums of products of at most n probabilities, those of a node to
itself left out, for n nodes (the Markov chain tree theorem; C. A. O'Cinneide, Numer. Math. 65, 1993). So if each is
right to a factor of 1 +- e, chances are right to a factor of ((1 + e) / (1 - e))^n, however long play lasts, and so are
all terms of what is gained; and with them the values of best play, whatever an endless game counts.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction
from math import lcm
from typing import Any, NamedTuple

import numpy as np

NOBODY, MOST, LEAST = 0, 1, -1
"""Who chooses in a node: nobody, who wants the most for A, or who wants the least."""
MOST_POLICIES = 20  # of several seats, tried one after the other
TELLING_GAIN = 1e-9  # what a seat may gain by leaving an equilibrium, as part of the bound
UNITS = 8  # in the last place that a probability or a reward can be off by

ONE, NOTHING = Fraction(1), Fraction(0)


class Way(NamedTuple):
    """An action, or several of them at random.

    Attributes:
        number: of the action.
        moves: the probabilities of the nodes of the component that follow.
        gain: what A gains at once, or where play leaves the component.
        terms: the same, all terms without their signs.
        leaves: whether play can leave the component.
    """

    number: int
    moves: dict[int, Fraction]
    gain: Fraction
    terms: Fraction
    leaves: bool

    def worth(self, values: Sequence[Fraction]) -> Fraction:
        """What it is worth to A."""
        return self.gain + sum((chance * values[node] for node, chance in self.moves.items()), NOTHING)


@dataclass(frozen=True)
class Graph:
    """The nodes of a component.

    Attributes:
        keys: of each node: (the state, the role, whether A is to move).
        chooses: who chooses in each: NOBODY, MOST or LEAST.
        ways: the ways on from each.
        is_rounded: whether the probabilities of each action add up to 1 but for rounding.
        exits_bound: how far off the values are that it leads to.
    """

    keys: list[tuple[Any, int, bool]]
    chooses: list[int]
    ways: list[list[Way]]
    is_rounded: bool
    exits_bound: float

    @property
    def error(self) -> Fraction:
        """The share of a chance, or of all terms of a gain, that rounding of probabilities can change."""
        unit = Fraction(UNITS, 2**52)
        return ((1 + unit) / (1 - unit)) ** (len(self.keys) + 1) - 1

    def holding(self, *who: int) -> set[int]:
        """The nodes in which these players can make play stay for ever, whatever others do."""
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
        """The nodes from which these players can bring play to its end, or out, with probability 1, whatever others do.

        Those from which they can with some probability, within the nodes from which they can so, and so on.
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
        """Whether these players can have play stay in some nodes and come to those that are near, or out."""
        return (any if self.chooses[node] in who else all)(
            way.moves.keys() <= nodes and (way.leaves or bool(way.moves.keys() & near)) for way in self.ways[node]
        )

    def complement(self) -> "Graph":
        """The same for chances that A does not win."""
        ways = [[self._not_won(way) for way in ways] for ways in self.ways]
        return Graph(self.keys, [-who for who in self.chooses], ways, self.is_rounded, self.exits_bound)

    def held(self, ways: Sequence[Sequence[Way]]) -> "Graph":
        """The same with only some of the ways."""
        return Graph(self.keys, self.chooses, [list(each) for each in ways], self.is_rounded, self.exits_bound)

    def _not_won(self, way: Way) -> Way:
        gain = ONE - sum(way.moves.values(), NOTHING) - way.gain
        return way._replace(gain=gain, terms=gain)

    def ending(self, tight: Sequence[Sequence[Way]], player: int, goal: set[int]) -> dict[int, Way]:
        """Of some ways those by which a player comes nearer to the end of play, or to a goal, whatever others do."""
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
    """What was found of a component's nodes.

    Attributes:
        low, high: what each is worth to A if an endless game counts as 0, and as 1; both the value of games without
            such limits.
        chosen: the way that best play takes where somebody chooses, and the only one elsewhere.
        bound: how far off that can be.
    """

    low: list[Fraction]
    high: list[Fraction]
    chosen: list[Way]
    bound: float

    @property
    def values(self) -> list[Fraction]:
        """What each node is worth to A, halfway between both countings."""
        return [(low + high) / 2 for low, high in zip(self.low, self.high, strict=True)]

    def widened(self, gap: float) -> "Exact":
        """The same with a bound that is larger by so much."""
        return Exact(self.low, self.high, self.chosen, self.bound + gap)


TRAPPED, GAINING, EVEN, ROUNDED = range(4)
"""How play can be endless where gains count: it cannot end at all, it gains something in each round, or nothing, or it
costs less than what rounding can change."""


class EndlessError(Exception):
    """What is gained has no limit, or depends on what an endless game counts.

    Attributes:
        node: one in which play can stay for ever.
        how: TRAPPED, GAINING, EVEN or ROUNDED.
    """

    def __init__(self, node: int, how: int) -> None:
        super().__init__()
        self.node, self.how = node, how


def solve_chances(graph: Graph) -> Exact:
    """The chances of A."""
    low = _least(graph)
    high = [ONE - value for value in _least(graph.complement())]
    chosen = _chosen(graph, low)
    return Exact(low, high, chosen, graph.exits_bound + 2.0 * float(graph.error) + 2.0**-52)


def solve_gains(graph: Graph) -> Exact:
    """What A gains, who chooses as somebody who wants the most does.

    Raises:
        EndlessError: if there is no limit, or it depends on what an endless game counts.
    """
    ends = graph.ending(graph.ways, MOST, set())
    for node in range(len(graph.keys)):
        if node not in ends:
            raise EndlessError(node, TRAPPED)
    values, taken = _improved(graph, [ends[node] for node in range(len(graph.keys))], NOTHING)
    tight = _tight(graph, values)
    staying = graph.held(tight).holding(MOST)
    if staying:
        raise EndlessError(min(staying), EVEN)
    error = graph.error
    most, _ = _improved(graph, taken, error)
    least = evaluate(taken, [[way.gain - error * way.terms for way in taken]])[0]
    off = max(max(a - b, b - c) for a, b, c in zip(most, values, least, strict=True))
    bound = graph.exits_bound + float(off) * (1.0 + 2.0**-20) + 2.0**-52 * (1.0 + float(max(map(abs, values))))
    return Exact(values, values, taken, bound)


def find_equilibrium(graph: Graph) -> Exact | None:
    """What each seat gets where all play by one policy that none gains by leaving; None if none is found.

    The policy is improved where its mover gains by that, in all states at once, until nobody does. What a seat could
    gain by leaving it, whatever an endless game counts, is part of the bound.

    Args:
        graph: each node a state as a seat sees it, in role 0 where the seat is to move.
    """
    ends = graph.ending(graph.ways, MOST, set())
    if len(ends) < len(graph.keys):
        return None
    places = {state: node for node, (state, role, _) in enumerate(graph.keys) if role == 0}
    policy = {state: graph.ways[node].index(ends[node]) for state, node in places.items()}
    for _ in range(MOST_POLICIES):
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
    """The sums of some gains of each way taken, from each node on: by elimination in whole numbers (E. H. Bareiss)."""
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
    """The most that is gained, every gain larger by a share of its terms, and the ways taken; from a policy that ends.

    Raises:
        EndlessError: if there is no most.
    """
    taken = list(taken)
    while True:
        staying = graph.held([[way] for way in taken]).holding()
        if staying:
            raise EndlessError(min(staying), ROUNDED if error else GAINING)
        values = evaluate(taken, [[way.gain + error * way.terms for way in taken]])[0]
        better = False
        for node, ways in enumerate(graph.ways):
            best = max(ways, key=lambda way: way.worth(values) + error * way.terms)
            if best.worth(values) + error * best.terms > values[node]:
                taken[node], better = best, True
        if not better:
            return values, taken


def _least(graph: Graph) -> list[Fraction]:
    """The chances of A if an endless game counts as 0."""
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
    """The least chances of A, whose own ways are held."""
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
    """The ways that are worth what their node is."""
    return [[way for way in ways if way.worth(values) == values[node]] for node, ways in enumerate(graph.ways)]


def _chosen(graph: Graph, values: Sequence[Fraction]) -> list[Way]:
    """Of the best ways those that end, or that come to where nothing more is to be lost."""
    tight = _tight(graph, values)
    chosen = [ways[0] for ways in tight]
    for player, nothing in ((MOST, NOTHING), (LEAST, ONE)):
        surely = graph.ending(tight, player, set())
        nearer = graph.ending(tight, player, {node for node, value in enumerate(values) if value == nothing})
        for node, way in (nearer | surely).items():
            if graph.chooses[node] == player:
                chosen[node] = way
    return chosen
