"""A policy of a game for one player, evaluated exactly: its objective, what it gives away, and how long it takes.

With the policy fixed the game is a Markov chain. Its values solve linear equations, component by component, with the
proof of `methods.backup.certificate`.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from komi.errors import SolveError
from komi.evaluation.measured import Measured
from komi.evaluation.reached import where_reached
from komi.kind import Kind
from komi.methods.answer import TOLERANCE, Answer
from komi.methods.backup.batch import Findings, ValueBackup
from komi.methods.backup.rows import MEASURES
from komi.methods.backup.unproved import Unproved
from komi.methods.solitaire.objective import told_value, wanted_of
from komi.model.components import back_up_components
from komi.model.survey import survey_states
from komi.policies.policy import Policy
from komi.policies.tabulate import tabulate
from komi.progress import Progress, silent
from komi.text import Text


@dataclass(frozen=True)
class Alone(Measured):
    """What a policy comes to in a game for one player.

    Attributes:
        policy: its name.
        objective: what values are: "expected points", "chance of reaching the goal".
        value: what the policy comes to.
        optimal: what optimal play comes to.
        actions: how many it takes on average.
        turns: how many it takes on average.
        error_bound: of the policy's value; that of optimal play is its answer's.
        length_error_bound: of the expected actions and turns.
    """

    policy: str
    objective: str
    value: float
    optimal: float
    actions: float
    turns: float
    error_bound: float
    length_error_bound: float

    @property
    def loss(self) -> float:
        """How far the policy is from optimal play, in the objective's unit; never negative."""
        return abs(self.optimal - self.value)

    def facts(self, policies: Sequence[str]) -> dict[str, Any]:  # noqa: ARG002
        """What `komi match` says as JSON."""
        return {
            "policy": self.policy,
            "objective": self.objective,
            "value": self.value,
            "optimal": self.optimal,
            "loss": self.loss,
            "expected_actions": self.actions,
            "expected_turns": self.turns,
            "error_bound": self.error_bound,
            "length_error_bound": self.length_error_bound,
        }

    def text(self, policies: Sequence[str], kind: Kind) -> Text:  # noqa: ARG002
        """What `komi match` says to a person."""
        values = (told_value(kind, each) for each in (self.value, self.optimal, self.loss))
        return Text(
            columns=("policy", self.objective, "optimal", "gives away", "actions", "turns"),
            rows=[(self.policy, *values, f"{self.actions:.3f}", f"{self.turns:.3f}")],
            after=[f"Proved: the error of the {self.objective} is at most {self.error_bound:.1e}."],
        )


def evaluate_alone(
    solution: Answer[Any], policy: Policy, tolerance: float = TOLERANCE, progress: Progress = silent
) -> Alone:
    """The exact value of a policy in a game for one player.

    Args:
        solution: the solved game.
        policy: the policy.
        tolerance: the largest error bound to accept; relative to the largest value where these are no probabilities.
        progress: called during long work; see `komi.progress`.

    Raises:
        GameError: if the policy takes an action that is not legal.
        SolveError: if the game may never end with it, or cannot be proved to the tolerance.
    """
    compiled, rules = solution.compiled, solution.rules
    start = solution.game.part("start")(rules)
    wanted = wanted_of(solution.kind)
    states, counts = survey_states(compiled, rules, [start], progress=progress)
    table = tabulate(policy, compiled, rules, states)

    def back_up(policies: Sequence[NDArray[np.int16]]) -> Findings:
        backup = ValueBackup(
            states.size,
            counts,
            Unproved(compiled, rules, states),
            flips=wanted.flips,
            sign=wanted.sign,
            lowest=wanted.lowest,
            highest=wanted.highest,
            policies=policies,
            measures=len(MEASURES),
            progress=progress,
        )
        back_up_components(compiled, rules, states, counts, [start], backup, views=wanted.views, progress=progress)
        return backup.findings

    found, row = where_reached(back_up, compiled, rules, states, [table]), states.index_of(start)
    error_bound = float(found.bound.max())
    if error_bound > tolerance * solution.scale:
        raise SolveError(
            f"what {policy.name} comes to is proved only to {error_bound:.1e}, not to {tolerance:.1e}: "
            "ask for a larger one."
        )
    return Alone(
        policy.name,
        solution.objective,
        wanted.sign * float(found.value[row]),
        float(solution.worth()),
        float(found.length[0, row]),
        float(found.length[1, row]) + 1.0,
        error_bound,
        float(found.length_bound.max()),
    )
