"""Policies at a table of three and more seats, evaluated exactly: how often each seat wins, and what one could gain.

With all policies fixed the game is a Markov chain whose states are a state of the game and the seat to move. What one
seat gets is worked out at a time: role r of the backup is the seat r places after it, so that one run holds for every
turn of the same circle of policies. With that seat free, and all others bound, the same run is a one-player problem:
the exact best response.
"""

from collections.abc import Sequence
from dataclasses import asdict, dataclass
from itertools import permutations
from statistics import fmean
from typing import Any

import numpy as np
from numpy.typing import NDArray

from komi.errors import SolveError
from komi.evaluation.measured import Measured
from komi.kind import Kind
from komi.methods.answer import TOLERANCE, Answer
from komi.methods.backup.batch import Findings, ValueBackup
from komi.methods.backup.rows import FREE, MEASURES
from komi.methods.backup.unproved import Unproved
from komi.model.components import back_up_components
from komi.model.survey import survey_states
from komi.policies.policy import Policy
from komi.policies.tabulate import tabulate
from komi.progress import Progress, silent
from komi.text import Text, percent


@dataclass(frozen=True)
class Seating:
    """Policies in their seats, the first to move first.

    Attributes:
        policies: their names, one a seat.
        values: each seat's chance of winning, a shared win counting its share.
        actions, turns: of all seats together, on average.
    """

    policies: tuple[str, ...]
    values: tuple[float, ...]
    actions: float
    turns: float


@dataclass(frozen=True)
class SeatedMatch(Measured):
    """What policies come to at a table of three and more seats.

    Attributes:
        seatings: every order in which they can sit, the one asked for first.
        error_bound: of the chances of winning.
        length_error_bound: of the expected actions and turns.
    """

    seatings: tuple[Seating, ...]
    error_bound: float
    length_error_bound: float

    @property
    def values(self) -> tuple[float, ...]:
        """Each seat's chance of winning, in the order asked for."""
        return self.seatings[0].values

    @property
    def average(self) -> dict[str, float]:
        """By policy, the chance of winning of a seat that plays it, if all orders are equally likely."""
        return {
            name: fmean(
                value
                for seating in self.seatings
                for policy, value in zip(seating.policies, seating.values, strict=True)
                if policy == name
            )
            for name in dict.fromkeys(self.seatings[0].policies)
        }

    def facts(self, policies: Sequence[str]) -> dict[str, Any]:
        """What `komi match` says as JSON."""
        first = self.seatings[0]
        return {
            "policies": list(policies),
            "values": self.values,
            "average": self.average,
            "seatings": [asdict(seating) for seating in self.seatings],
            "expected_actions": first.actions,
            "expected_turns": first.turns,
            "error_bound": self.error_bound,
            "length_error_bound": self.length_error_bound,
        }

    def text(self, policies: Sequence[str], kind: Kind) -> Text:  # noqa: ARG002
        """What `komi match` says to a person: the order asked for, and what each policy wins in all orders."""
        first = self.seatings[0]
        after = []
        if len(self.seatings) > 1:
            shares = ", ".join(f"{name} {percent(value)}" for name, value in self.average.items())
            after.append(f"Seats drawn by lot, each player of a policy wins: {shares}.")
        after.append(f"{first.actions:.3f} actions and {first.turns:.3f} turns of all seats together.")
        after.append(f"Proved: no probability is off by more than {self.error_bound:.1e}.")
        rows = [
            (str(seat), name, percent(value))
            for seat, (name, value) in enumerate(zip(policies, self.values, strict=True), 1)
        ]
        return Text(columns=("seat", "policy", "wins"), rows=rows, after=after)


def match_seats(
    solution: Answer[Any], policies: Sequence[Policy], tolerance: float = TOLERANCE, progress: Progress = silent
) -> SeatedMatch:
    """How often each seat wins, in every order in which these policies can sit.

    Args:
        solution: the solved game, of three or more seats.
        policies: one a seat, the first to move first.
        tolerance: the largest error bound to accept.
        progress: called during long work; see `komi.progress`.

    Raises:
        GameError: if a policy takes an action that is not legal.
        SolveError: if the game between them may never end, or cannot be proved to the tolerance.
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
    solution: Answer[Any], policies: Sequence[Policy], tolerance: float = TOLERANCE, progress: Progress = silent
) -> tuple[float, ...]:
    """What each seat could win by playing otherwise alone, all others keeping to these policies: exactly.

    Raises:
        SolveError: if it cannot be proved to the tolerance.
    """
    table = _Table(solution, policies, progress)
    names = tuple(policy.name for policy in policies)
    seats = len(names)
    found = tuple(table.worth(table.follow(("", *_from(names, seat)[1:])), -seat % seats) for seat in range(seats))
    table.check(tolerance)
    return found


def _from(order: tuple[str, ...], seat: int) -> tuple[str, ...]:
    """The circle of policies as it looks from a seat."""
    return order[seat:] + order[:seat]


class _Table:
    """The chains of all circles of some policies, each found once.

    Attributes:
        error_bound, length_error_bound: of all that was found so far.
    """

    def __init__(self, solution: Answer[Any], policies: Sequence[Policy], progress: Progress) -> None:
        compiled, rules = solution.compiled, solution.rules
        self._solution, self._progress = solution, progress
        self._start = solution.game.part("start")(rules)
        self._states, self._counts = survey_states(compiled, rules, [self._start], progress=progress)
        self._actions: dict[str, NDArray[np.int16]] = {
            policy.name: tabulate(policy, compiled, rules, self._states) for policy in policies
        }
        self._actions[""] = np.full(self._states.size, FREE, np.int16)
        self._row = self._states.index_of(self._start) * len(policies)
        self._found: dict[tuple[str, ...], tuple[NDArray[np.float64], NDArray[np.float64]]] = {}
        self.error_bound = self.length_error_bound = 0.0

    def follow(self, circle: tuple[str, ...]) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
        """What the first seat of a circle gets, and the lengths, at the start, by the role that moves first."""
        if circle not in self._found:
            found = self._backed_up(circle)
            self.error_bound = max(self.error_bound, float(found.bound.max()))
            self.length_error_bound = max(self.length_error_bound, float(found.length_bound.max()))
            rows = slice(self._row, self._row + len(circle))
            self._found[circle] = found.value[rows].copy(), found.length[:, rows].copy()
        return self._found[circle]

    def worth(self, run: tuple[NDArray[np.float64], NDArray[np.float64]], role: int) -> float:
        """What the run's first seat gets if so many seats after it move first."""
        return float(run[0][role])

    def length(self, run: tuple[NDArray[np.float64], NDArray[np.float64]]) -> tuple[float, float]:
        """(actions, turns) if the run's first seat moves first."""
        return float(run[1][0, 0]), float(run[1][1, 0]) + 1.0

    def check(self, tolerance: float) -> None:
        """See that all that was found is proved to the tolerance."""
        if self.error_bound > tolerance:
            raise SolveError(
                f"the match is proved only to {self.error_bound:.1e}, not to {tolerance:.1e}: ask for a larger one."
            )

    def _backed_up(self, circle: tuple[str, ...]) -> Findings:
        compiled, rules = self._solution.compiled, self._solution.rules
        backup = ValueBackup(
            self._states.size,
            self._counts,
            Unproved(compiled, rules, self._states),
            flips=False,
            policies=tuple(self._actions[name] for name in circle),
            measures=len(MEASURES),
            progress=self._progress,
        )
        back_up_components(
            compiled,
            rules,
            self._states,
            self._counts,
            [self._start],
            backup,
            views=len(circle),
            progress=self._progress,
        )
        return backup.findings
