"""Fallback for components whose values sweeps cannot prove: exact solution, or a refusal with a reason.

The reason is a property of the component's graph, or of its values, see `rational`.
"""

from collections.abc import Iterator, Sequence
from fractions import Fraction
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from komi.bellman.equations import FREE, UNIFORM, UNREACHED
from komi.bellman.rational import (
    GAINING,
    LEAST,
    MOST,
    NOBODY,
    NOTHING,
    ROUNDED,
    TRAPPED,
    Exact,
    Graph,
    InfinitePlayError,
    Way,
    find_equilibrium,
    solve_chances,
    solve_gains,
)
from komi.errors import SolveError
from komi.graph.state_sets import StateSet
from komi.rules.compiled import CompiledGame

MAX_STATES = 10_000  # the most states of a component whose graph is analyzed
MAX_NODES = 120  # the most nodes of a component that is solved in rational arithmetic
MAX_IN_ALL = 10_000  # the most nodes of all such components together
TELLING = 1e-6  # a smaller effect of the value of infinite play is part of the error bound
ROUNDING = 64 * 2.0**-52  # the largest difference between a sum of probabilities and 1 that rounding explains


Members = Sequence[int] | NDArray[np.integer[Any]]
"""The indices of a component's states."""


class StoredValues(NamedTuple):
    """The storage layout of values; see `backup.ValueBackup`.

    Attributes:
        roles: the number of roles.
        flips: whether the other of two players gets one minus the mover's value.
        sign: 1.0 to maximize, -1.0 to minimize: values are stored times this.
        is_chance: whether values are probabilities.
        policies: int16[all states, roles]; None if every player is free.
        values: float64[all states, roles].
        bounds: float32[all states, roles], their error bounds.
    """

    roles: int
    flips: bool
    sign: float
    is_chance: bool
    policies: NDArray[np.int16] | None
    values: NDArray[np.float64]
    bounds: NDArray[np.float32]


class Solved(NamedTuple):
    """The exact solution of a component.

    Attributes:
        rows: (index of the state, role, the value as it is stored, the action taken).
        bound: the error bound of the values.
    """

    rows: list[tuple[int, int, float, int]]
    bound: float


class RationalSolver:
    """The solver of components that sweeps have not proved, which explains why there is no proof if it fails.

    Args:
        compiled, rules: the game.
        states: its states; transient states can be missing.
    """

    def __init__(self, compiled: CompiledGame, rules: Any, states: StateSet) -> None:
        self._game, self._rules, self._states = compiled.game, rules, states
        self._left = MAX_IN_ALL

    def solve(self, members: Members, layout: StoredValues) -> Solved | SolveError:
        """Solve a component, or return an error that explains why there is no proof.

        Args:
            members: the indices of its states.
            layout: the storage layout, with the values at the component's boundary.
        """
        graph = self._laid_out(members, layout)
        if not (graph and self._can_solve(graph)):
            return self._refusal(members, graph)
        if not layout.is_chance:
            try:
                return self._solved(graph, solve_gains(graph), 1.0)
            except InfinitePlayError as error:
                return self._refusal(members, graph) if error.how == ROUNDED else self._refusal_of_gains(graph, error)
        exact = solve_chances(graph)
        gaps = [float(high - low) for low, high in zip(exact.low, exact.high, strict=True)]
        if max(gaps) <= TELLING:
            return self._solved(graph, exact.widened(max(gaps) / 2), layout.sign)
        node = max((node for _, node in self._stored(graph)), key=gaps.__getitem__)
        return self._refusal_of_chances(graph, exact, node)

    def solve_equilibrium(self, members: Members, layout: StoredValues) -> Solved | SolveError:
        """Compute a pure multiplayer equilibrium of a component, or return an error if there is no proof of one.

        Args:
            members: the indices of the component's states.
            layout: the storage layout, with a role for each player.
        """
        graph = self._laid_out(members, layout)
        if graph and self._can_solve(graph):
            exact = find_equilibrium(graph)
            if exact is not None:
                return self._solved(graph, exact, 1.0)
        return self.refusal(members)

    def refusal(self, members: Members) -> SolveError:
        """Return an error that explains, as far as the graph of the states shows, why there is no proof."""
        layout = StoredValues(1, False, 1.0, True, None, np.zeros((0, 1)), np.zeros((0, 1), np.float32))
        return self._refusal(members, self._laid_out(members, layout))

    def lengths_refusal(self, member: int) -> SolveError:
        """Return an error that there is no proof of the expected length."""
        state = self._written(self._state(member))
        return SolveError(f"no proof was found of how long {self._game.name} lasts from {state}: choose smaller rules.")

    def _can_solve(self, graph: Graph) -> bool:
        """Return whether a graph is small enough, and its probabilities sum to 1 up to rounding.

        A positive result uses up part of the limit `MAX_IN_ALL`.
        """
        if not graph.is_rounded or len(graph.keys) > min(MAX_NODES, self._left):
            return False
        self._left -= len(graph.keys)
        return True

    def _refusal(self, members: Members, graph: Graph | None) -> SolveError:
        state = self._written(self._state(members[0]))
        more = len(members) - 1
        around = f"{state} and {more:,} state{'s' * (more != 1)} on cycles with it" if more else state
        reason = f"no proof was found for the values of {self._game.name} in {around}"
        if graph is None:
            return SolveError(f"{reason}: choose smaller rules.")
        staying = graph.holding(NOBODY, MOST, LEAST)
        if not staying:
            return SolveError(f"{reason}, though all play comes to an end there: choose smaller rules.")
        node = min(staying)
        where = "there" if graph.keys[node][0] == self._state(members[0]) else f"from {self._at(graph, node)}"
        return SolveError(
            f"{reason}: {self._who(graph, node)} can go on for ever {where}, and it may matter what that counts."
        )

    def _refusal_of_chances(self, graph: Graph, exact: Exact, node: int) -> SolveError:
        low, high = float(exact.low[node]), float(exact.high[node])
        if self._game.players(self._rules) == 1:
            objective = self._game.objective(self._rules)
            worth = f"where the {objective} is {low:.6g} if that counts as 0, and {high:.6g} if it counts as 1"
        else:
            worth = f"which is worth {low:.6g} to the player to move if that counts as lost, and {high:.6g} if it "
            worth += "counts as won"
        return SolveError(
            f"the value of {self._game.name} depends on what an endless game counts: {self._who(graph, node)} can go "
            f"on for ever from {self._at(graph, node)}, {worth}."
        )

    def _refusal_of_gains(self, graph: Graph, error: InfinitePlayError) -> SolveError:
        name, state = self._game.name, self._at(graph, error.node)
        if error.how == TRAPPED:
            return SolveError(f"{name} has no value: play never ends from {state}.")
        if error.how == GAINING:
            return SolveError(f"the value of {name} has no limit: the player can better it for ever from {state}.")
        return SolveError(
            f"the value of {name} depends on what an endless game counts: {self._who(graph, error.node)} can go on for "
            f"ever from {state}."
        )

    def _who(self, graph: Graph, node: int) -> str:
        """Name the players who can, with positive probability, make play infinite from a node, whatever others do."""
        if node not in graph.surely_ending(MOST, LEAST):
            return "play"
        seats = self._game.players(self._rules)
        if seats == 1:
            return "the player"
        if all(side for _, _, side in graph.keys):  # not from the view of one of them
            return "the two players together" if seats == 2 else "the players together"
        mover, opponent = (node not in graph.surely_ending(other) for other in (LEAST, MOST))
        if mover and opponent:
            return "either player, whatever the other does,"
        if mover or opponent:
            return "the player to move" if mover else "the opponent of the player to move"
        return "the two players together"

    def _stored(self, graph: Graph) -> Iterator[tuple[int, int]]:
        """Yield the indices of stored states, and their nodes in which player A is to move."""
        for node, (state, _, is_mover) in enumerate(graph.keys):
            index = int(self._states.index_of(state))
            if is_mover and index >= 0:
                yield index, node

    def _solved(self, graph: Graph, exact: Exact, sign: float) -> Solved:
        values = exact.values
        rows = [
            (index, graph.keys[node][1], sign * float(values[node]), exact.chosen[node].number)
            for index, node in self._stored(graph)
        ]
        return Solved(rows, exact.bound)

    def _state(self, member: int) -> Any:
        return self._game.module.State(*self._states.fields(int(member)))

    def _written(self, state: Any) -> str:
        return self._game.write(self._rules, state)

    def _at(self, graph: Graph, node: int) -> str:
        return self._written(graph.keys[node][0])

    def _laid_out(self, members: Members, layout: StoredValues) -> Graph | None:
        """Create the graph of a component, with the transient states inside its rolls; None if it is too large."""
        if len(members) > MAX_STATES:
            return None
        sides = (True, False) if layout.flips else (True,)
        keys = [(self._state(each), role, side) for each in members for role in range(layout.roles) for side in sides]
        maker = _Maker(self._game, self._rules, self._states, frozenset(map(int, members)), layout, keys)
        for key in keys:  # the loop appends to this list
            if len(keys) > 2 * MAX_STATES * layout.roles:
                return None
            maker.add(key)
        return Graph(keys, maker.chooses, maker.ways, maker.is_rounded, maker.exits_bound)


class _Maker:
    """A builder of the nodes of a graph.

    Attributes:
        chooses, ways, is_rounded, exits_bound: as in `Graph`, for the nodes so far.
    """

    def __init__(
        self,
        game: Any,
        rules: Any,
        states: StateSet,
        members: frozenset[int],
        layout: StoredValues,
        keys: list[tuple[Any, int, bool]],
    ) -> None:
        self._game, self._rules, self._states, self._members, self._layout = game, rules, states, members, layout
        self._keys, self._node = keys, {key: node for node, key in enumerate(keys)}
        self._gains = not layout.is_chance and game.has("reward")
        self.chooses: list[int] = []
        self.ways: list[list[Way]] = []
        self.is_rounded = True
        self.exits_bound = 0.0

    def add(self, key: tuple[Any, int, bool]) -> None:
        """Add a node with its actions."""
        state, role, side = key
        layout = self._layout
        wanted = FREE
        if layout.policies is not None:
            wanted = int(layout.policies[self._states.index_of(state), role])
        numbers = [int(action) for action in self._game.part("legal")(self._rules, state)]
        if wanted not in (FREE, UNIFORM, UNREACHED):
            numbers = [wanted]
        if wanted == UNREACHED:
            ways = [Way(UNREACHED, {}, NOTHING, NOTHING, True)]
        else:
            ways = [self._way(key, number) for number in numbers]
        if wanted == UNIFORM:
            ways = [_mixed(ways)]
        likes_most = side if layout.flips or not layout.is_chance else layout.sign > 0.0
        self.chooses.append(NOBODY if len(ways) == 1 else MOST if likes_most else LEAST)
        self.ways.append(ways)

    def _way(self, key: tuple[Any, int, bool], number: int) -> Way:
        state, role, side = key
        game, rules, layout = self._game, self._rules, self._layout
        told = [each for each in game.outcomes(rules, state, number) if each[0] > 0.0]
        total = sum((Fraction(chance) for chance, _, _ in told), NOTHING)
        self.is_rounded = self.is_rounded and abs(float(total - 1)) <= ROUNDING
        moves: dict[int, Fraction] = {}
        gain = terms = NOTHING
        leaves = False
        for chance, after, passes in told:
            share = Fraction(chance) / total
            then = (role + passes) % layout.roles if layout.roles > 1 else 0
            own = side != bool(passes % 2) if layout.flips else side
            if self._gains:
                reward = Fraction(layout.sign * game.part("reward")(rules, state, number, after))
                gain += share * reward
                terms += share * abs(reward)
            node = self._node_of(after, then, own)
            if node is not None:
                moves[node] = moves.get(node, NOTHING) + share
                continue
            leaves = True
            worth = self._worth(after, then, own)
            gain += share * worth
            terms += share * abs(worth)
        return Way(number, moves, gain, terms, leaves)

    def _node_of(self, after: Any, role: int, side: bool) -> int | None:
        """Return the node of a state in the component, or inside a roll that begins there; None for other states."""
        key = (after, role, side)
        if key in self._node:
            return self._node[key]
        if self._game.part("over")(self._rules, after) or self._states.index_of(after) >= 0:
            return None
        self._node[key] = len(self._keys)
        self._keys.append(key)
        return self._node[key]

    def _worth(self, after: Any, role: int, side: bool) -> Fraction:
        """Return the value to player A of a state outside the component; rewards are multiplied by their sign."""
        layout = self._layout
        sign = 1.0 if layout.is_chance else layout.sign
        if self._game.part("over")(self._rules, after):
            payoffs = self._game.payoffs(self._rules, after)
            return Fraction(sign * payoffs[(not side) if layout.flips else -role % len(payoffs)])
        if not len(layout.values):
            return NOTHING
        index = self._states.index_of(after)
        self.exits_bound = max(self.exits_bound, float(layout.bounds[index, role]))
        worth = Fraction(float(layout.values[index, role]))
        if layout.is_chance:
            worth *= Fraction(layout.sign)
        return worth if side else 1 - worth


def _mixed(ways: Sequence[Way]) -> Way:
    """Mix all actions with equal probabilities."""
    share = Fraction(1, len(ways))
    moves: dict[int, Fraction] = {}
    for way in ways:
        for node, chance in way.moves.items():
            moves[node] = moves.get(node, NOTHING) + share * chance
    gain, terms = (share * sum(each, NOTHING) for each in ([w.gain for w in ways], [w.terms for w in ways]))
    return Way(UNIFORM, moves, gain, terms, any(way.leaves for way in ways))
