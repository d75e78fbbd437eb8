"""Clouds: the states that are possible to a player, with exact probabilities, and what follows from them.

A float of the rules stands for the simplest fraction within four units in its last place: 1 / 3 and 0.85 are what they
say, so that the same cards, drawn in another order, lead to the same probabilities.
"""

import time
from fractions import Fraction
from functools import lru_cache
from math import isfinite

from komi.errors import GameError, SolveError, TooLargeError
from komi.game import CHANCE
from komi.rules.game import Game
from komi.rules.interpreter import FAILED, Interpreter, Move
from komi.rules.kind import unexpected_reward
from komi.solvers.hidden.recall import different_actions, probability_deficit
from komi.typing import Rules, State

MAX_TRANSITIONS = 300_000  # of the states of all clouds: some ten seconds
MAX_SECONDS = 60.0  # for all of them
MAX_CHANCE_MOVES = 1_000  # between two choices
ACCURACY = Fraction(1, 1 << 50)  # of a probability: four units in its last place
ZERO = Fraction(0)

Cloud = dict[State, tuple[Fraction, Fraction]]
"""Possible states: the probability of each, and its product with the expected reward on the way."""

Ends = list[tuple[Fraction, Fraction, Fraction]]
"""Ways in which the game ends: the probability of each, and its products with the expected reward and the payoff."""


@lru_cache(1 << 16)
def exact(probability: float) -> Fraction:
    """Return the simplest fraction within four units in the last place of a probability: 1/3 for 1 / 3."""
    return _simplest(Fraction(probability) * (1 - ACCURACY), Fraction(probability) * (1 + ACCURACY))


def _simplest(low: Fraction, high: Fraction) -> Fraction:
    """Return the fraction with the least denominator in an interval of numbers that are not negative."""
    whole = -(-low.numerator // low.denominator)
    if whole <= high:
        return Fraction(whole)
    return whole - 1 + 1 / _simplest(1 / (high - whole + 1), 1 / (low - whole + 1))


class CloudSteps:
    """The steps of possible states, with interpreted rules.

    Attributes:
        interpreter: the interpreter of the rules.
    """

    def __init__(self, game: Game, rules: Rules) -> None:
        self._game, self._rules = game, rules
        self.interpreter = Interpreter(game, rules)
        self._steps_of: dict[State, dict[int, Cloud]] = {}
        self._actions_of: dict[State, tuple[int, ...]] = {}
        self._transitions, self._begin = 0, time.monotonic()

    def see(self, cloud: Cloud) -> tuple[dict[State, Cloud], Ends]:
        """Return the states by what the player sees next, after all that chance does, and how the game can end."""
        ends, seen, moves = Ends(), dict[State, Cloud](), 0
        while cloud:
            chance: Cloud = {}
            for state, (weight, reward) in cloud.items():
                if self.interpreter.is_over(state):
                    ends.append((weight, reward, weight * Fraction(self._game.shares(self._rules, state)[0])))
                elif CHANCE in self._steps(state):
                    chance[state] = weight, reward
                else:
                    _add(seen.setdefault(self._view(state), {}), state, weight, reward)
            cloud = self.step(chance, CHANCE)
            moves += 1
            if moves > MAX_CHANCE_MOVES:
                raise SolveError(
                    f"chance can move more than {MAX_CHANCE_MOVES:,} times between two choices of {self._game.name}: "
                    "with hidden information, only games in which it moves less often are solved."
                )
        return seen, ends

    def actions(self, state: State, view: State) -> tuple[int, ...]:
        """Return the legal actions in a state with a view.

        Raises:
            GameError: if another state with this view has others.
        """
        actions = tuple(self._steps(state))
        if self._actions_of.setdefault(view, actions) != actions:
            raise different_actions(self.interpreter, view)
        return actions

    def step(self, cloud: Cloud, action: int) -> Cloud:
        """Return the states after an action, or after a move of chance.

        Raises:
            TooLargeError: if there are too many transitions in all, or listing them takes too long.
        """
        after: Cloud = {}
        for state, (weight, reward) in cloud.items():
            steps = self._steps(state)[action]
            self._transitions += len(steps)
            for successor, (probability, gained) in steps.items():
                share = weight * probability
                _add(after, successor, share, reward * probability + share * gained)
        if self._transitions > MAX_TRANSITIONS:
            raise TooLargeError(
                f"the beliefs of the player of {self._game.name}, which has a 'view', have more than "
                f"{MAX_TRANSITIONS:,} transitions: too many to solve; shorter games and smaller rules have fewer, and "
                "`komi simulate` and `komi play` support all."
            )
        if time.monotonic() - self._begin > MAX_SECONDS:
            raise TooLargeError(
                f"listing the beliefs of the player of {self._game.name}, which has a 'view', takes more than "
                f"{MAX_SECONDS:.0f} seconds: choose smaller rules; `komi simulate` and `komi play` support these."
            )
        return after

    def _steps(self, state: State) -> dict[int, Cloud]:
        """Return the states after each action, with their probabilities and rewards."""
        if state not in self._steps_of:
            moves = self.interpreter.moves(state)
            self._check_rules()
            self._steps_of[state] = {move.action: self._outcomes_of(state, move) for move in moves}
            self._check_rules()
        return self._steps_of[state]

    def _outcomes_of(self, state: State, move: Move) -> Cloud:
        """Return the next states of a move, each with its exact probability and its expected reward.

        Raises:
            GameError: if a reward is not a finite number, or not 0 where the objective is a probability.
            SolveError: if the probabilities sum to 1 only up to a tolerance.
        """
        if probability_deficit(move):
            label, written = self._game.label(self._rules, state, move.action), self.interpreter.write(state)
            raise SolveError(
                f"the probabilities of {label!r} in {written} sum to 1 with an error above rounding: with hidden "
                "information they must sum to 1."
            )
        after: Cloud = {}
        total = sum((exact(probability) for probability, _, _ in move.outcomes), ZERO)
        for probability, successor, _ in move.outcomes:
            if probability > 0.0:
                share = exact(probability) / total
                _add(after, successor, share, share * self._reward(state, move.action, successor))
        return {each: (share, gained / share) for each, (share, gained) in after.items()}

    def _reward(self, state: State, action: int, successor: State) -> Fraction:
        if not self._game.has("reward"):
            return ZERO
        gained = self.interpreter.call("reward", state, action, successor)
        self._check_rules()
        if gained is FAILED or not isfinite(gained):
            label, written = self._game.label(self._rules, state, action), self.interpreter.write(state)
            raise GameError(
                f"{self._game.file.name}: the reward of {label!r} is not a finite number in {written}.", written
            )
        if gained != 0.0 and not self._game.counts_rewards(self._rules):
            written = self.interpreter.write(state)
            raise GameError(
                f"{unexpected_reward(self._game, self._rules, state, action, gained)} in {written}.", written
            )
        return Fraction(float(gained))

    def _view(self, state: State) -> State:
        """Return what the player sees.

        Raises:
            GameError: if it is not a state.
        """
        seen = self.interpreter.call("view", state)
        self._check_rules()
        if wrong := self.interpreter.state_error(seen, "'view' returns"):
            written = self.interpreter.write(state)
            raise GameError(f"{self._game.file.name}: {wrong} in {written}.", written)
        return seen

    def _check_rules(self) -> None:
        for problem in self.interpreter.problems.values():
            raise GameError(str(problem), problem.state)


def _add(cloud: Cloud, state: State, weight: Fraction, reward: Fraction) -> None:
    before, gained = cloud.get(state, (ZERO, ZERO))
    cloud[state] = before + weight, gained + reward
