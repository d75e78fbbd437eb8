"""Exact evaluation of policies in multiplayer games: each seat's probability of winning, and the best responses.

With all policies fixed the game is a Markov chain whose states are pairs of a game state and the seat to move. One run
computes the expected payoff of one seat: role r of the backup is the seat r places after it, so that one run holds for
every rotation of the same circle of policies. With that seat free, and all others fixed, the same run is a
single-player problem: the exact best response.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import permutations
from statistics import fmean
from typing import Any

import numpy as np

from komi.arrays import F64, I16
from komi.bellman import FREE, MEASURES, WIN_PROBABILITY, RationalSolver, RoleValues, ValueBackup
from komi.errors import SolveError
from komi.graph.components import solve_components
from komi.graph.reachability import find_reachable
from komi.graph.sources import GameTransitions
from komi.policies.policy import Policy
from komi.policies.tabulate import tabulate
from komi.progress import Progress, silent
from komi.solvers.solution import TOLERANCE, Solution


@dataclass(frozen=True)
class Seating:
    """An assignment of policies to seats, the first to move first, with its results.

    Attributes:
        policies: their names, one per seat.
        values: each seat's probability of winning; a shared win counts as a fraction.
        actions, turns: expected numbers for all seats together.
    """

    policies: tuple[str, ...]
    values: tuple[float, ...]
    actions: float
    turns: float


@dataclass(frozen=True)
class SeatedMatch:
    """The result of a match of three or more seats.

    Attributes:
        seatings: every order of the policies around the table, the requested one first.
        error_bound: error bound of the probabilities of winning.
        length_error_bound: error bound of the expected actions and turns.
    """

    seatings: tuple[Seating, ...]
    error_bound: float
    length_error_bound: float

    @property
    def values(self) -> tuple[float, ...]:
        """Each seat's probability of winning, in the requested order."""
        return self.seatings[0].values

    @property
    def average(self) -> dict[str, float]:
        """The probability of winning of a seat that plays each policy, by name, averaged over all orders."""
        return {
            name: fmean(
                value
                for seating in self.seatings
                for policy, value in zip(seating.policies, seating.values, strict=True)
                if policy == name
            )
            for name in dict.fromkeys(self.seatings[0].policies)
        }


def match_seats(
    solution: Solution[Any], policies: Sequence[Policy], tolerance: float = TOLERANCE, progress: Progress = silent
) -> SeatedMatch:
    """Compute how often each seat wins, for every order of these policies around the table.

    Args:
        solution: the solved game, of three or more seats.
        policies: one per seat, the first to move first.
        tolerance: the largest error bound to accept.
        progress: progress callback, called during long work; see `komi.progress`.

    Raises:
        GameError: if a policy takes an action that is not legal.
        SolveError: if play between them may never end, or the result cannot be proved to the tolerance.
    """
    table = _Table(solution, policies, progress)
    seats = len(policies)
    seatings = []
    for order in dict.fromkeys(permutations([policy.name for policy in policies])):
        runs = [table.follow(_from(order, seat)) for seat in range(seats)]
        values = tuple(table.worth(run, -seat % seats) for seat, run in enumerate(runs))
        seatings.append(Seating(order, values, *table.length(runs[0])))
    table.check(tolerance)
    return SeatedMatch(tuple(seatings), table.error_bound, table.length_error_bound)


def best_responses(
    solution: Solution[Any], policies: Sequence[Policy], tolerance: float = TOLERANCE, progress: Progress = silent
) -> tuple[float, ...]:
    """Compute the value of each seat's best response while all other seats keep to these policies.

    Raises:
        SolveError: if the values cannot be proved to the tolerance.
    """
    table = _Table(solution, policies, progress)
    names = tuple(policy.name for policy in policies)
    seats = len(names)
    found = tuple(table.worth(table.follow(("", *_from(names, seat)[1:])), -seat % seats) for seat in range(seats))
    table.check(tolerance)
    return found


def _from(order: tuple[str, ...], seat: int) -> tuple[str, ...]:
    """Rotate the circle of policies so that it starts at a seat."""
    return order[seat:] + order[:seat]


class _Table:
    """The Markov chains of all circles of some policies; each is evaluated once.

    Attributes:
        error_bound, length_error_bound: the largest error bounds of all evaluations so far.
    """

    def __init__(self, solution: Solution[Any], policies: Sequence[Policy], progress: Progress) -> None:
        compiled, rules = solution.compiled, solution.rules
        self._solution, self._progress = solution, progress
        self._start = solution.game.part("start")(rules)
        self._states, self._counts = find_reachable(GameTransitions(compiled, rules), [self._start], progress=progress)
        self._actions: dict[str, I16] = {
            policy.name: tabulate(policy, compiled, rules, self._states) for policy in policies
        }
        self._actions[""] = np.full(self._states.size, FREE, np.int16)
        self._row = self._states.index_of(self._start) * len(policies)
        self._found: dict[tuple[str, ...], tuple[F64, F64]] = {}
        self.error_bound = self.length_error_bound = 0.0

    def follow(self, circle: tuple[str, ...]) -> tuple[F64, F64]:
        """Compute the first seat's expected payoff and the lengths, from the start, by the role that moves first."""
        if circle not in self._found:
            found = self._backed_up(circle)
            self.error_bound = max(self.error_bound, float(found.bound.max()))
            self.length_error_bound = max(self.length_error_bound, float(found.length_bound.max()))
            rows = slice(self._row, self._row + len(circle))
            self._found[circle] = found.value[rows].copy(), found.length[:, rows].copy()
        return self._found[circle]

    def worth(self, run: tuple[F64, F64], role: int) -> float:
        """Return the expected payoff of the run's first seat if the seat `role` places after it moves first."""
        return float(run[0][role])

    def length(self, run: tuple[F64, F64]) -> tuple[float, float]:
        """Return (actions, turns) if the run's first seat moves first."""
        return float(run[1][0, 0]), float(run[1][1, 0]) + 1.0

    def check(self, tolerance: float) -> None:
        """Check that all evaluations are proved to the tolerance."""
        if self.error_bound > tolerance:
            raise SolveError(
                f"the match is proved only to {self.error_bound:.1e}, not to {tolerance:.1e}: ask for a larger one."
            )

    def _backed_up(self, circle: tuple[str, ...]) -> RoleValues:
        compiled, rules = self._solution.compiled, self._solution.rules
        backup = ValueBackup(
            self._states.size,
            self._counts,
            RationalSolver(compiled, rules, self._states),
            WIN_PROBABILITY._replace(is_zero_sum=False),
            policies=tuple(self._actions[name] for name in circle),
            measures=len(MEASURES),
            progress=self._progress,
        )
        solve_components(
            GameTransitions(compiled, rules),
            self._states,
            self._counts,
            [self._start],
            backup,
            gain_columns=len(circle),
            progress=self._progress,
        )
        return backup.results
