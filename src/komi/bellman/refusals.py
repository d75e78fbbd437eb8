"""Fallback for components whose values sweeps cannot prove: exact solution, or a refusal with a reason.

The reason is a property of the component's graph, or of its values, see `rational`.
"""

from collections.abc import Iterator, Sequence
from fractions import Fraction
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from komi.bellman.equations import all_free
from komi.bellman.graph_builder import GraphBuilder, StoredValues
from komi.bellman.infinite_play import solve_infinite_play
from komi.bellman.rational import (
    InfinitePlay,
    InfinitePlayError,
    RationalValues,
    find_equilibrium,
    solve_probabilities,
    solve_rewards,
)
from komi.bellman.rational_graph import MAXIMIZER, MINIMIZER, NO_PLAYER, Graph
from komi.compiling.compiled import CompiledGame
from komi.errors import EndlessPlayError, SolveError
from komi.graph.state_sets import StateSet
from komi.rules.vocabulary import with_verb
from komi.typing import Rules, State

MAX_STATES = 10_000  # the most states of a component whose graph is analyzed
MAX_NODES = 120  # the most nodes of a component that is solved in rational arithmetic
MAX_TOTAL_NODES = 10_000  # the most nodes of all such components together
MAX_INFINITE_PLAY_EFFECT = 1e-9  # a smaller effect of the value of infinite play is part of the error bound: half of
# it is within the usual tolerance of values, to which a larger one would not be proved


Members = Sequence[int] | NDArray[np.integer[Any]]
"""The indices of a component's states."""


class RationalSolution(NamedTuple):
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
        is_policy: True if a policy chooses all actions: then it has no value where play never ends, not the game.
    """

    def __init__(self, compiled: CompiledGame, rules: Rules, states: StateSet, *, is_policy: bool = False) -> None:
        self._is_policy = is_policy
        self._game, self._rules, self._states = compiled.game, rules, states
        self._endless = compiled.game.endless_share(rules)
        self._left = MAX_TOTAL_NODES

    def solve(self, members: Members, stored: StoredValues) -> RationalSolution | SolveError:
        """Solve a component, or return an error that explains why there is no proof.

        Args:
            members: the indices of its states.
            stored: the storage layout, with the values at the component's boundary.
        """
        graph = self._build_graph(members, stored)
        if not (graph and self._can_solve(graph)):
            return self._refusal(members, graph)
        if not stored.is_probability:
            try:
                return self._solution(graph, solve_rewards(graph), 1.0)
            except InfinitePlayError as error:
                if error.reason == InfinitePlay.ROUNDED:
                    return self._refusal(members, graph)
                return self._reward_refusal(graph, error, stored.sign)
        found = solve_probabilities(graph)
        gaps = [float(high - low) for low, high in zip(found.low, found.high, strict=True)]
        if max(gaps) <= MAX_INFINITE_PLAY_EFFECT:
            return self._solution(graph, found, stored.sign, max(gaps) / 2)
        if self._endless is not None and (exact := solve_infinite_play(graph, Fraction(self._endless))):
            return self._solution(graph, exact, stored.sign)
        node = max((node for _, node in self._stored_nodes(graph)), key=gaps.__getitem__)
        return self._probability_refusal(graph, found, node)

    def solve_equilibrium(self, members: Members, stored: StoredValues) -> RationalSolution | SolveError:
        """Compute a pure multiplayer equilibrium of a component, or return an error if there is no proof of one.

        Args:
            members: the indices of the component's states.
            stored: the storage layout, with a role for each player.
        """
        graph = self._build_graph(members, stored)
        if graph and self._can_solve(graph):
            found = find_equilibrium(graph)
            if found is not None:
                return self._solution(graph, found, 1.0)
        return self.refusal(members)

    def refusal(self, members: Members) -> SolveError:
        """Return an error that explains, as far as the graph of the states shows, why there is no proof."""
        stored = StoredValues(1, False, 1.0, True, all_free(1)[None], np.zeros((0, 1)), np.zeros((0, 1), np.float32))
        return self._refusal(members, self._build_graph(members, stored))

    def lengths_refusal(self, member: int) -> SolveError:
        """Return an error that there is no proof of the expected length."""
        why = "choose smaller rules" if self._endless is None else "it may go on for ever there"
        state = self._written(self._state(member))
        return SolveError(f"no proof was found of how long {self._game.name} lasts from {state}: {why}.")

    def graph_of(self, members: Members, stored: StoredValues) -> Graph | None:
        """Return the graph of a component that is small enough to be solved in rational arithmetic, else None."""
        graph = self._build_graph(members, stored)
        return graph if graph and self._can_solve(graph) else None

    def _can_solve(self, graph: Graph) -> bool:
        """Return whether a graph is small enough, and its probabilities sum to 1 up to rounding.

        A positive result uses up part of the limit `MAX_TOTAL_NODES`.
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
        endless = graph.endless_nodes(NO_PLAYER, MAXIMIZER, MINIMIZER)
        if not endless:
            return SolveError(f"{reason}, though play cannot stay there for ever: choose smaller rules.")
        node = min(endless)
        where = "there" if graph.keys[node][0] == self._state(members[0]) else f"from {self._at(graph, node)}"
        return EndlessPlayError(
            f"{reason}: {self._who(graph, node)} can go on for ever {where}, and it may matter what that counts."
        )

    def _probability_refusal(self, graph: Graph, found: RationalValues, node: int) -> SolveError:
        scale = self._game.payoff_scale(self._rules)
        low, high = _apart(*(scale.payoff(float(values[node])) for values in (found.low, found.high)))
        if self._game.players(self._rules) == 1:
            value = with_verb(self._game.objective(self._rules))
            worth = f"where the {value} {low} if that counts as 0, and {high} if it counts as 1"
        else:
            lost, won = ("as lost", "as won") if scale.is_chance else (f"{scale.lowest:g}", f"{scale.highest:g}")
            worth = f"which is worth {low} to the player to move if that counts {lost}, and {high} if it counts {won}"
        return EndlessPlayError(
            f"the value of {self._game.name} depends on what an endless game counts: {self._who(graph, node)} can go "
            f"on for ever from {self._at(graph, node)}, {worth}.",
            is_proved=True,
        )

    def _reward_refusal(self, graph: Graph, error: InfinitePlayError, sign: float) -> SolveError:
        name, state = self._game.name, self._at(graph, error.node)
        if error.reason == InfinitePlay.NO_END and self._is_policy:
            return SolveError(f"the policy has no value in {name}: with it play never ends from {state}.")
        if error.reason == InfinitePlay.NO_END:
            return SolveError(
                f"{name} has no value: play never ends from {state}; with 'average = True' in the rule file the value "
                "is the average per action."
            )
        if error.reason == InfinitePlay.UNLIMITED:
            return SolveError(f"the value of {name} has no limit: the player can increase it without end from {state}.")
        value = f"the {with_verb(self._game.objective(self._rules))} {sign * float(error.ending_value):.6g}"
        return SolveError(
            f"the value of {name} depends on what an endless game counts: {self._who(graph, error.node)} can go on for "
            f"ever from {state}, where {value} if play must end."
        )

    def _who(self, graph: Graph, node: int) -> str:
        """Name the players who can, with positive probability, make play infinite from a node, whatever others do."""
        if node not in graph.almost_surely_ending(MAXIMIZER, MINIMIZER):
            return "play"
        seats = self._game.players(self._rules)
        if seats == 1:
            return "the player"
        if all(side for _, _, side in graph.keys):  # not from the view of one of them
            return "the two players together" if seats == 2 else "the players together"
        mover, opponent = (node not in graph.almost_surely_ending(other) for other in (MINIMIZER, MAXIMIZER))
        if mover and opponent:
            return "either player, whatever the other does,"
        if mover or opponent:
            return "the player to move" if mover else "the opponent of the player to move"
        return "the two players together"

    def _stored_nodes(self, graph: Graph) -> Iterator[tuple[int, int]]:
        """Yield the indices of stored states, and their nodes in which player A is to move."""
        for node, (state, _, is_mover) in enumerate(graph.keys):
            index = int(self._states.index_of(state))
            if is_mover and index >= 0:
                yield index, node

    def _solution(self, graph: Graph, found: RationalValues, sign: float, gap: float = 0.0) -> RationalSolution:
        values = found.values
        rows = [
            (index, graph.keys[node][1], sign * float(values[node]), found.chosen[node].number)
            for index, node in self._stored_nodes(graph)
        ]
        return RationalSolution(rows, found.bound + gap)

    def _state(self, member: int) -> Any:
        return self._game.module.State(*self._states.fields(int(member)))

    def _written(self, state: State) -> str:
        return self._game.write(self._rules, state)

    def _at(self, graph: Graph, node: int) -> str:
        return self._written(graph.keys[node][0])

    def _build_graph(self, members: Members, stored: StoredValues) -> Graph | None:
        """Create the graph of a component, with the transient states inside its rolls; None if it is too large."""
        if len(members) > MAX_STATES:
            return None
        states = [self._state(member) for member in members]
        builder = GraphBuilder(self._game, self._rules, self._states, stored, states)
        return builder.build(2 * MAX_STATES * stored.roles)


def _apart(low: float, high: float) -> tuple[str, str]:
    """Write two different numbers with as many digits as tell them apart."""
    pairs = ((f"{low:.{digits}g}", f"{high:.{digits}g}") for digits in range(6, 18))
    return next(pair for pair in pairs if pair[0] != pair[1])
