"""A match of two policies, evaluated exactly: who wins how often from which seat, and how long it takes.

With both policies fixed the game is a Markov chain whose states are a state of the game and the policy to
move. Its values solve linear equations, component by component, with the proof of `methods.backup.certificate`.
"""

from collections.abc import Sequence
from dataclasses import asdict, astuple, dataclass, replace
from typing import Any

import numpy as np
from numpy.typing import NDArray

from komi.errors import SolveError
from komi.evaluation.duels import check_duel
from komi.evaluation.measured import Measured
from komi.evaluation.reached import where_reached
from komi.kind import Kind
from komi.methods.answer import TOLERANCE, Answer
from komi.methods.backup.batch import Findings, ValueBackup
from komi.methods.backup.length_range import length_ranges
from komi.methods.backup.rows import FREE, MEASURES
from komi.methods.backup.swept_lengths import find_swept_lengths
from komi.methods.backup.unproved import Unproved
from komi.model import limits
from komi.model.components import back_up_components
from komi.model.survey import survey_states
from komi.policies.policy import Policy
from komi.policies.tabulate import tabulate
from komi.progress import Progress, silent
from komi.text import Text, between, percent


@dataclass(frozen=True)
class Seat:
    """One policy's game from one seat: its probability of winning, and how long the game lasts on average.

    Attributes:
        wins: the probability.
        actions, turns: of both players.
        chance_moves: moves that chance makes where nobody chooses, such as a throw before a move; not what chance adds
            to an action. None if they were not counted.
    """

    wins: float
    actions: float
    turns: float
    chance_moves: float | None = None


@dataclass(frozen=True)
class Match(Measured):
    """What policy A does against policy B.

    Attributes:
        first: A moves first.
        second: B moves first.
        error_bound: of the probabilities.
        length_error_bound: of the expected actions, turns and moves of chance.
        expected_actions_range: of optimal play against itself the least and the greatest expected actions, where
            actions that are worth the same make it longer or shorter; None if it is one number, if play is another, and
            where states are solved stage by stage, for there the first of such actions is taken.
    """

    first: Seat
    second: Seat
    error_bound: float
    length_error_bound: float
    expected_actions_range: tuple[float, float] | None = None

    @property
    def average(self) -> float:
        """A's probability of winning if the seat is drawn by lot."""
        return (self.first.wins + self.second.wins) / 2

    @property
    def expected_actions(self) -> float:
        """Actions of both players, the last one counted, if the seat is drawn by lot."""
        return (self.first.actions + self.second.actions) / 2

    @property
    def expected_turns(self) -> float:
        """Turns of both players, the last one counted, if the seat is drawn by lot."""
        return (self.first.turns + self.second.turns) / 2

    @property
    def expected_chance_moves(self) -> float | None:
        """Moves that chance makes where nobody chooses, if the seat is drawn by lot; None if they were not counted."""
        if self.first.chance_moves is None or self.second.chance_moves is None:
            return None
        return (self.first.chance_moves + self.second.chance_moves) / 2

    def facts(self, policies: Sequence[str]) -> dict[str, Any]:
        """What `komi match` says as JSON."""
        a, b = policies
        return {
            "a": a,
            "b": b,
            "first": self.first.wins,
            "second": self.second.wins,
            "average": self.average,
            "expected_actions": self.expected_actions,
            "expected_actions_range": self.expected_actions_range,
            "expected_turns": self.expected_turns,
            "expected_chance_moves": self.expected_chance_moves,
            "error_bound": self.error_bound,
            "length_error_bound": self.length_error_bound,
            "seats": {"first": asdict(self.first), "second": asdict(self.second)},
        }

    def text(self, policies: Sequence[str], kind: Kind) -> Text:  # noqa: ARG002
        """What `komi match` says to a person."""
        a, b = policies
        of_chance = ["moves of chance"] if self.expected_chance_moves else []
        average = (self.average, self.expected_actions, self.expected_turns, self.expected_chance_moves)
        rows = [
            (name, percent(wins), *(f"{length:.3f}" for length in lengths[: 2 + len(of_chance)]))
            for name, wins, *lengths in (
                ("moving first", *astuple(self.first)),
                ("moving second", *astuple(self.second)),
                ("on average", *average),
            )
        ]
        after = [f"Proved: no probability is off by more than {self.error_bound:.1e}."]
        if self.expected_actions_range is not None:
            spread = between(*self.expected_actions_range)
            after.append(f"Some actions are worth the same: which are taken decides the length, {spread} actions.")
        return Text(columns=(f"{a} against {b}", f"{a} wins", "actions", "turns", *of_chance), rows=rows, after=after)


def match(
    solution: Answer[Any], a: Policy, b: Policy, tolerance: float = TOLERANCE, progress: Progress = silent
) -> Match:
    """The exact strength of policy A against policy B.

    Raises:
        GameError: if a policy takes an action that is not legal.
        SolveError: if the game between them may never end, or cannot be proved to the tolerance.
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
    values = solution.values.values[solution.values.states.indices_of(states)]
    (length_range,) = length_ranges(
        solution.compiled, solution.rules, states, counts, [start], values, tables[0], progress
    )
    return replace(result, expected_actions_range=length_range)


def best_response(
    solution: Answer[Any], policy: Policy, tolerance: float = TOLERANCE, progress: Progress = silent
) -> Match:
    """What the best player against this policy, who knows it, does against it: its exact worst case."""
    check_duel(solution)
    states, counts = _reachable(solution, progress)
    table = tabulate(policy, solution.compiled, solution.rules, states)
    return _played(solution, states, counts, (np.full_like(table, FREE), table), tolerance, progress)


def _is_swept(solution: Answer[Any]) -> bool:
    """Whether there are so many states before a roll that they are solved stage by stage."""
    return solution.kind.transient and solution.game.has("stage") and solution.record.states.size > limits.MOST_LISTED


def _of_optimal(solution: Answer[Any], progress: Progress) -> Match:
    """Optimal play against itself, where states are solved stage by stage."""
    start = solution.game.part("start")(solution.rules)
    found = find_swept_lengths(solution.compiled, solution.rules, start, solution.record, progress)
    actions, turns, chance_moves = map(float, found.lengths)
    wins = solution.value(start)
    first, second = (Seat(each, actions, turns + 1.0, chance_moves) for each in (wins, 1.0 - wins))
    return Match(first, second, solution.error_bound, found.bound)


def _reachable(solution: Answer[Any], progress: Progress) -> Any:
    start = solution.game.part("start")(solution.rules)
    return survey_states(solution.compiled, solution.rules, [start], progress=progress)


def _played(
    solution: Answer[Any],
    states: Any,
    counts: Any,
    policies: tuple[NDArray[np.int16], ...],
    tolerance: float,
    progress: Progress,
) -> Match:
    start = solution.game.part("start")(solution.rules)
    compiled, rules = solution.compiled, solution.rules

    def back_up(policies: Sequence[NDArray[np.int16]]) -> Findings:
        backup = ValueBackup(
            states.size,
            counts,
            Unproved(compiled, rules, states),
            policies=policies,
            measures=len(MEASURES),
            progress=progress,
        )
        back_up_components(compiled, rules, states, counts, [start], backup, progress=progress)
        return backup.findings

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
