"""The value of the start of a game for one player whose beliefs are too many to list, or not determined by its view.

The player remembers all that it has seen and done, whether `view` keeps it or not, as in `belief_solver`.
`belief_model` lists the states, and `point_based` bounds the value, with a policy that attains it.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from komi.arrays import F64, I16, I64
from komi.compiling.compiled import CompiledGame
from komi.compiling.packing import Layout
from komi.errors import InputError
from komi.game import CHANCE
from komi.graph import limits
from komi.graph.state_sets import StateSet
from komi.progress import Progress, silent
from komi.proof.audit import ListedPlay
from komi.rules.game import Game
from komi.rules.kind import kind_of
from komi.solvers.hidden.belief_model import list_model
from komi.solvers.hidden.belief_solver import refusal
from komi.solvers.hidden.point_based import Controller, search_bounds
from komi.solvers.solution import TOLERANCE, ActionValue, AnyState, ImpreciseError
from komi.solvers.solver import Solver
from komi.solvers.start_solution import StartSolution
from komi.solvers.stochastic.optimal_values import objective_of
from komi.typing import Rules, State

ADVICE_TOLERANCE = 2e-5  # between bounds


@dataclass(frozen=True)
class PointBasedValues:
    """The value of the start.

    Attributes:
        states: the initial state.
        values: float64[1], the middle between the bounds.
        choices: int16[1], the first action of a policy that attains the value within the error bound; -1 for chance.
        error_bound: a bound on the error of the value.
        backups: the number of beliefs that were searched; one that is searched again counts again.
        observations: int64[observations, fields], what the player can see.
        actions, ends, seen, after: a `Controller` that attains the value within the error bound.
    """

    states: StateSet
    values: F64
    choices: I16
    error_bound: float
    backups: int
    observations: I64
    actions: I16
    ends: I64
    seen: I64
    after: I64


class PointBasedSolution(StartSolution[PointBasedValues]):
    """The value of the start of a game for one player with hidden information whose beliefs are not listed."""

    @property
    def states(self) -> int:
        """The number of beliefs that were searched; one that is searched again counts again."""
        return self.data.backups

    @property
    def error_bound(self) -> float:
        """A bound on the error of the value."""
        return self.kind.payoffs.bound(self.data.error_bound)

    @property
    def scale(self) -> float:
        """The scale of the error bound: that of expected rewards is relative to the value."""
        return max(1.0, float(abs(self.data.values[0]))) if self.kind.rewards else self.kind.payoffs.width

    @property
    def bounds(self) -> tuple[float, float]:
        """Two numbers that the value is between."""
        value, error = self.value(), self.error_bound
        return float(np.nextafter(value - error, -np.inf)), float(np.nextafter(value + error, np.inf))

    @property
    def only_start(self) -> str:
        """The sentence that refuses what needs the values of all beliefs."""
        return _only_start(self.game)

    @property
    def controller(self) -> Controller:
        """A policy that attains the value within the error bound."""
        data = self.data
        return Controller(*map(np.asarray, (data.actions, data.ends, data.seen, data.after)))

    def check_bound(self) -> None:
        """Verify that the error bound of the value is within the tolerance.

        Raises:
            ImpreciseError: if it is not; the message says whether a longer search can help.
        """
        limit = limits.max_beliefs()
        more = f", and KOMI_MAX_VISITED={2 * max(limit, 1)} searches twice as long" if self.states >= limit else ""
        try:
            super().check_bound()
        except ImpreciseError as error:
            raise ImpreciseError(f"{str(error).removesuffix('.')}{more}.") from None

    def value(self, state: AnyState | None = None) -> float:
        """Return the value of the initial state.

        Raises:
            InputError: for another state.
        """
        self.include([self.read(state)])
        return float(self.kind.payoffs.payoff(float(self.data.values[0])))

    def actions(self, state: AnyState | None = None) -> dict[str, float]:
        """Return the action that begins best play, with its value.

        Raises:
            InputError: for another state than the initial one.
        """
        value, read = self.value(state), self.read(state)
        chosen = self.optimal_action(read)
        labels = self.game.labels(self.rules, read)
        return {label: value for label, action in labels.items() if action == chosen}

    def advise(self, decisions: Sequence[tuple[State, int]], seen: State) -> ActionValue:
        """Return the best action in the belief of a player, with its value.

        The value is right to 1e-5, relative to values above 1, or as near as the limit of beliefs allows.

        Args:
            decisions: what the player saw and did so far.
            seen: what it sees now.
        """
        sign = objective_of(self.kind).sign
        model = list_model(self.game, self.rules, self.read(None), sign, silent)
        number_of = {each: number for number, each in enumerate(model.observations)}
        belief = dict(model.first)
        for before, action in decisions:
            group = model.groups[number_of[before]]
            after = belief[number_of[before]] @ model.steps[action, group]
            after /= after.sum()  # a long history is too improbable for a float
            belief = {number: after[group] for number, group in enumerate(model.groups)}
        number = number_of[seen]
        weights = belief[number] / belief[number].sum()
        asked = model._replace(first=[(number, weights)], gained=0.0)
        found = search_bounds(asked, ADVICE_TOLERANCE, limits.max_beliefs(), silent)
        action = int(found.controller.actions[found.controller.after[0]])
        value = self.kind.payoffs.payoff(sign * (found.lower + found.upper) / 2)
        return ActionValue(self.game.label(self.rules, seen, action), value)

    def bellman_violation(self, state: State, moves: Sequence[Any]) -> tuple[Any, Any] | None:  # noqa: ARG002
        """Return None: the values of the next states are not known."""
        return None

    def have_equal_values(self, state: State, other: State) -> bool:
        """Return whether two states have the same value."""
        return self.value(state) == self.value(other)

    def audit(self, play: ListedPlay) -> bool:  # noqa: ARG002
        """Return False: an audit has no proof for infinitely many beliefs."""
        return False


def _only_start(game: Game) -> str:
    return (
        f"the beliefs of the player of {game.name} are not listed: 'komi solve' computes the value of the start alone."
    )


def find_values(
    compiled: CompiledGame,
    rules: Rules,
    roots: Sequence[Any],
    known: PointBasedValues | None = None,
    progress: Progress = silent,
    tolerance: float = TOLERANCE,
) -> PointBasedValues:
    """Bound the value of the initial state.

    Raises:
        GameError: if the rules are broken.
        InputError: for another state.
        SolveError: if there are too many states, or play may go on for ever.
    """
    game = compiled.game
    if known is not None:
        raise InputError(_only_start(game))
    sign = objective_of(kind_of(game, rules)).sign
    model = list_model(game, rules, roots[0], sign, progress)
    found = search_bounds(model, 1.5 * tolerance, limits.max_beliefs(), progress)
    middle = sign * (found.lower + found.upper) / 2
    error = float(np.nextafter((found.upper - found.lower) / 2, np.inf)) + float(np.spacing(abs(middle)))
    fields = np.array([roots[0]], np.int64)
    states = StateSet.of_fields(Layout.around(fields, game.steps), fields)
    controller = found.controller
    action = CHANCE if game.is_chance(rules, roots[0]) else controller.actions[controller.after[0]]
    return PointBasedValues(
        states,
        np.array([middle]),
        np.array([action], np.int16),
        error,
        found.backups,
        np.array(model.observations, np.int64).reshape(-1, len(roots[0])),
        *controller,
    )


POINT_BASED = Solver(
    "point-based",
    PointBasedValues,
    PointBasedSolution,
    range(1, 2),
    refusal,
    find_values,
    lists_states=False,
    has_policy=True,
    is_anytime=True,
)
"""Partially observable Markov decision processes that end, with any number of beliefs (Smith and Simmons 2004)."""
