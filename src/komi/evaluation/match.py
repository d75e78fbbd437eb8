"""Exact evaluation of a match of two policies: winning probabilities from each seat, and expected game length.

With both policies fixed the game is a Markov chain whose states are pairs of a game state and the policy to move.
Its values solve linear equations, component by component, and are proved by `bellman.certificate`.
"""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Any

import numpy as np

from komi.arrays import I16
from komi.bellman import FREE, MEASURES, RationalSolver, RoleValues, ValueBackup, length_ranges
from komi.errors import SolveError
from komi.evaluation.duels import check_duel
from komi.evaluation.reached import where_reached
from komi.graph import limits
from komi.graph.components import solve_components
from komi.graph.reachability import find_reachable
from komi.graph.sources import GameTransitions
from komi.policies.policy import Policy
from komi.policies.tabulate import tabulate
from komi.progress import Progress, silent
from komi.solvers.solution import TOLERANCE, Solution
from komi.transient import find_staged_lengths


@dataclass(frozen=True)
class Seat:
    """A policy's results from one seat: its probability of winning, and the expected length of the game.

    Attributes:
        wins: the probability of winning.
        actions, turns: expected numbers for both players together.
        chance_moves: expected number of separate chance nodes, such as a roll before a move; random outcomes of
            actions are not counted. None if they were not counted.
    """

    wins: float
    actions: float
    turns: float
    chance_moves: float | None = None


@dataclass(frozen=True)
class Match:
    """The result of policy A against policy B.

    Attributes:
        first: A's results when it moves first.
        second: A's results when it moves second.
        error_bound: error bound of the probabilities.
        length_error_bound: error bound of the expected actions, turns and chance moves.
        expected_actions_range: for optimal play against itself, the least and the greatest expected number of actions
            over all choices between actions of equal value. None if both are equal, if play is not optimal, or with
            staged value iteration, which takes the first of such actions.
    """

    first: Seat
    second: Seat
    error_bound: float
    length_error_bound: float
    expected_actions_range: tuple[float, float] | None = None

    @property
    def average(self) -> float:
        """A's probability of winning, averaged over both seats."""
        return (self.first.wins + self.second.wins) / 2

    @property
    def expected_actions(self) -> float:
        """The expected number of actions of both players, the last one included, averaged over both seats."""
        return (self.first.actions + self.second.actions) / 2

    @property
    def expected_turns(self) -> float:
        """The expected number of turns of both players, the last one included, averaged over both seats."""
        return (self.first.turns + self.second.turns) / 2

    @property
    def expected_chance_moves(self) -> float | None:
        """The expected number of separate chance moves, averaged over both seats; None if they were not counted."""
        if self.first.chance_moves is None or self.second.chance_moves is None:
            return None
        return (self.first.chance_moves + self.second.chance_moves) / 2


def match(
    solution: Solution[Any], a: Policy, b: Policy, tolerance: float = TOLERANCE, progress: Progress = silent
) -> Match:
    """Compute the exact strength of policy A against policy B.

    Raises:
        GameError: if a policy takes an action that is not legal.
        SolveError: if play between them may never end, or the result cannot be proved to the tolerance.
    """
    check_duel(solution)
    if a is b and a.name == "optimal" and _is_swept(solution):
        return _of_optimal(solution, progress)
    states, counts = _reachable(solution, progress)
    tables = [tabulate(policy, solution.compiled, solution.rules, states) for policy in ([a] if a is b else [a, b])]
    result = _played(solution, states, counts, tuple(tables), tolerance, progress)
    if a is not b or a.name != "optimal":
        return result
    start = solution.game.part("start")(solution.rules)
    values = solution.arrays.values[solution.arrays.states.indices_of(states)]
    (length_range,) = length_ranges(
        solution.compiled, solution.rules, states, counts, [start], values, tables[0], progress
    )
    return replace(result, expected_actions_range=length_range)


def best_response(
    solution: Solution[Any], policy: Policy, tolerance: float = TOLERANCE, progress: Progress = silent
) -> Match:
    """Compute the exact result of the best response to a policy: the policy's worst case."""
    check_duel(solution)
    states, counts = _reachable(solution, progress)
    table = tabulate(policy, solution.compiled, solution.rules, states)
    return _played(solution, states, counts, (np.full_like(table, FREE), table), tolerance, progress)


def _is_swept(solution: Solution[Any]) -> bool:
    """Return whether the game has so many states before a roll that it is solved by staged value iteration."""
    return solution.kind.transient and solution.game.has("stage") and solution.data.states.size > limits.MAX_LISTED


def _of_optimal(solution: Solution[Any], progress: Progress) -> Match:
    """Compute the result of optimal play against itself in a game solved by staged value iteration."""
    start = solution.game.part("start")(solution.rules)
    data = solution.data
    found = find_staged_lengths(
        solution.compiled, solution.rules, start, data.states, data.values, data.max_outcomes, progress
    )
    actions, turns, chance_moves = map(float, found.lengths)
    wins = solution.value(start)
    first, second = (Seat(each, actions, turns + 1.0, chance_moves) for each in (wins, 1.0 - wins))
    return Match(first, second, solution.error_bound, found.bound)


def _reachable(solution: Solution[Any], progress: Progress) -> Any:
    start = solution.game.part("start")(solution.rules)
    return find_reachable(GameTransitions(solution.compiled, solution.rules), [start], progress=progress)


def _played(
    solution: Solution[Any],
    states: Any,
    counts: Any,
    policies: tuple[I16, ...],
    tolerance: float,
    progress: Progress,
) -> Match:
    start = solution.game.part("start")(solution.rules)
    compiled, rules = solution.compiled, solution.rules

    def back_up(policies: Sequence[I16]) -> RoleValues:
        backup = ValueBackup(
            states.size,
            counts,
            RationalSolver(compiled, rules, states),
            policies=policies,
            measures=len(MEASURES),
            progress=progress,
        )
        solve_components(GameTransitions(compiled, rules), states, counts, [start], backup, progress=progress)
        return backup.results

    found = where_reached(back_up, compiled, rules, states, policies)
    error_bound = float(found.bound.max())
    if error_bound > tolerance:
        raise SolveError(
            f"the match is proved only to {error_bound:.1e}, not to {tolerance:.1e}: ask for a larger one."
        )
    roles = len(policies)
    row = states.index_of(start) * roles
    other = row + roles - 1
    actions, turns, chance_moves = found.length
    return Match(
        Seat(float(found.value[row]), float(actions[row]), float(turns[row]) + 1.0, float(chance_moves[row])),
        Seat(
            1.0 - float(found.value[other]),
            float(actions[other]),
            float(turns[other]) + 1.0,
            float(chance_moves[other]),
        ),
        error_bound,
        float(found.length_bound.max()),
    )
