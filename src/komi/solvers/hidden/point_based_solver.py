"""The value of the start of a game for one player whose beliefs are too many to list, or who has to remember more.

The player remembers all that it has seen and done, whether `view` keeps it or not, and no policy is stored. The states
are listed with interpreted rules; `point_based` bounds the value.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction
from itertools import chain
from typing import Any

import numpy as np

from komi.arrays import F64, I16
from komi.compiling.compiled import CompiledGame
from komi.compiling.packing import Layout
from komi.errors import InputError, SolveError, TooLargeError
from komi.graph.state_sets import StateSet
from komi.progress import Progress, silent
from komi.proof.audit import ListedPlay
from komi.rules.game import Game
from komi.rules.kind import kind_of
from komi.solvers.hidden.belief_solver import refusal
from komi.solvers.hidden.beliefs import BeliefListing, Cloud, Ends
from komi.solvers.hidden.point_based import BeliefModel, search_bounds
from komi.solvers.solution import TOLERANCE, AnyState, OptimalPlay, Solution
from komi.solvers.solver import Solver
from komi.solvers.stochastic.optimal_values import objective_of
from komi.typing import Rules, State

MAX_ENTRIES = 4_000_000  # actions times states times states
ZERO = Fraction(0)


@dataclass(frozen=True)
class PointBasedValues:
    """The value of the start.

    Attributes:
        states: the initial state.
        values: float64[1], the middle between the bounds.
        choices: int16[1], the first action of a policy that attains the value within the error bound; -1 for chance.
        error_bound: a bound on the error of the value.
        points: the number of beliefs that were searched.
    """

    states: StateSet
    values: F64
    choices: I16
    error_bound: float
    points: int


class PointBasedSolution(Solution[PointBasedValues]):
    """The value of the start of a game for one player with hidden information whose beliefs are not listed."""

    @property
    def states(self) -> int:
        """The number of beliefs that were searched."""
        return self.data.points

    @property
    def is_fully_stored(self) -> bool:
        """False: only the start has a value."""
        return False

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
    def optimal_play(self) -> OptimalPlay:
        """Not available: only the start has a value.

        Raises:
            TooLargeError: always.
        """
        raise TooLargeError(_only_start(self.game))

    @property
    def stored_play(self) -> OptimalPlay:
        """The value of the start."""
        return OptimalPlay(self.data.states, self.data.values, self.data.choices)

    @property
    def all_states(self) -> StateSet:
        """Not available: only the start has a value.

        Raises:
            TooLargeError: always.
        """
        return self.optimal_play.states

    def check_listable(self) -> None:
        """Check that all beliefs can be listed.

        Raises:
            TooLargeError: always.
        """
        raise TooLargeError(_only_start(self.game))

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
) -> PointBasedValues:
    """Bound the value of the initial state.

    Raises:
        GameError: if the rules are broken.
        InputError: for another state.
        SolveError: if there are too many states, or the game can go on for certain after an action.
    """
    game = compiled.game
    if known is not None:
        raise InputError(_only_start(game))
    sign = objective_of(kind_of(game, rules)).sign
    found = search_bounds(_list_model(game, rules, roots[0], sign, progress), 1.5 * TOLERANCE, progress)
    middle = sign * (found.lower + found.upper) / 2
    error = float(np.nextafter((found.upper - found.lower) / 2, np.inf)) + float(np.spacing(abs(middle)))
    fields = np.array([roots[0]], np.int64)
    states = StateSet.of_fields(Layout.around(fields, game.steps), fields)
    action = -1 if game.is_chance(rules, roots[0]) else found.action
    return PointBasedValues(states, np.array([middle]), np.array([action], np.int16), error, found.points)


def _list_model(game: Game, rules: Rules, start: State, sign: float, progress: Progress) -> BeliefModel:
    """List the states in which the player chooses, with what follows each action.

    Raises:
        GameError: if the rules are broken.
        SolveError: if there are too many, or after an action the game goes on for certain.
    """
    listing = BeliefListing(game, rules)
    seen, ends = listing.see({start: (Fraction(1), ZERO)})
    first, gained = dict(seen), _gained(seen, ends)
    number_of: dict[State, int] = {}
    view_of = list[State]()
    rows = list[tuple[int, int, Fraction, dict[int, Fraction]]]()
    remaining, most = ZERO, 1

    def number(state: State, view: State) -> int:
        if state not in number_of:
            number_of[state] = len(view_of)
            view_of.append(view)
        return number_of[state]

    for view, group in seen.items():
        for state in group:
            number(state, view)
    for index, state in enumerate(number_of_list := list(number_of)):  # grows
        progress("listing states", index, 0)
        actions = listing.actions(state, view_of[index])
        most = max(most, *(action + 1 for action in actions))
        if most * len(number_of) ** 2 > MAX_ENTRIES:
            raise SolveError("a search of beliefs takes too much memory")
        for action in actions:
            seen, ends = listing.see(listing.step({state: (Fraction(1), ZERO)}, action))
            after = {number(each, view): weight for view, group in seen.items() for each, (weight, _) in group.items()}
            number_of_list.extend(list(number_of)[len(number_of_list) :])
            remaining = max(remaining, sum(after.values(), ZERO))
            if remaining >= 1:
                written = f"{game.label(rules, state, action)!r} in {game.write(rules, state)}"
                raise SolveError(
                    f"a search of beliefs needs a game that can end after each action, such as one with a 'discount', "
                    f"and after {written} it goes on"
                )
            rows.append((index, action, _gained(seen, ends), after))
    size = len(number_of)
    rewards, steps = np.zeros((most, size)), np.zeros((most, size, size))
    for index, action, reward, after in rows:
        rewards[action, index] = sign * float(reward)
        steps[action, index, list(after)] = [float(each) for each in after.values()]
    views = list(dict.fromkeys(view_of))
    groups = [np.array([i for i, each in enumerate(view_of) if each == view], np.int64) for view in views]
    legal = [list(listing.actions(number_of_list[group[0]], view)) for group, view in zip(groups, views, strict=True)]
    begins = [
        (each, np.array([float(first[view].get(number_of_list[i], (ZERO, ZERO))[0]) for i in groups[each]]))
        for each, view in enumerate(views)
        if view in first
    ]
    bound = float(np.nextafter(float(remaining), 1.0))
    return BeliefModel(rewards, steps, groups, legal, begins, sign * float(gained), bound)


def _gained(seen: dict[State, Cloud], ends: Ends) -> Fraction:
    """Return the expected reward on the way to what the player sees next, with what is paid if the game ends."""
    rewards = (reward for group in seen.values() for _, reward in group.values())
    return sum(chain(rewards, (reward + payoff for _, reward, payoff in ends)), ZERO)


POINT_BASED = Solver(
    "point-based", PointBasedValues, PointBasedSolution, range(1, 2), refusal, find_values, lists_states=False
)
"""Partially observable Markov decision processes that can end after each action, with any number of beliefs."""
