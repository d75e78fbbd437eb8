"""The belief process of a player who does not see everything: a Markov decision process whose states are beliefs.

A belief b is the distribution over the states that fit all that the player has seen and done. After an action a chance
moves until the player chooses again, and sees o, the `view` of the state:

    b'(s') = sum over s of b(s) P(s' | s, a) / P(o | b, a)   for the states s' with the view o,

where P(o | b, a) is the sum of b(s) P(s' | s, a) over these s'. What a policy gains depends on all that was seen and
done through the belief alone (K. J. Astrom, "Optimal control of Markov processes with incomplete state information",
Journal of Mathematical Analysis and Applications 10, 1965; L. P. Kaelbling, M. L. Littman and A. R. Cassandra,
"Planning and acting in partially observable stochastic domains", Artificial Intelligence 101, 1998).

Beliefs are compared exactly. A float of the rules stands for the simplest fraction within four units in its last place:
1 / 3 and 0.85 are what they say, so that the same cards, drawn in another order, lead to the same belief.
"""

import time
from collections.abc import Iterable
from dataclasses import dataclass, field
from fractions import Fraction
from functools import lru_cache
from math import gcd, isfinite, lcm
from typing import NamedTuple

from komi.errors import GameError, SolveError, TooLargeError
from komi.game import CHANCE
from komi.progress import Progress
from komi.rules.game import Game
from komi.rules.interpreter import FAILED, Interpreter, Move
from komi.solvers.hidden.history_listing import different_actions, imperfect_recall, probability_deficit
from komi.typing import Rules, State

MAX_TRANSITIONS = 300_000  # of the states of all beliefs: some ten seconds
MAX_SECONDS = 60.0  # for a list of all beliefs
MAX_CHANCE_MOVES = 1_000  # between two choices
ACCURACY = Fraction(1, 1 << 50)  # of a probability: four units in its last place
ZERO = Fraction(0)
OVER = -1

Cloud = dict[State, tuple[Fraction, Fraction]]
"""Possible states: the probability of each, and its product with the expected reward on the way."""

Ends = list[tuple[Fraction, Fraction, Fraction]]
"""Ways in which the game ends: the probability of each, and its products with the expected reward and the payoff."""


class Belief(NamedTuple):
    """What the player knows where it chooses.

    Attributes:
        observation: what it sees.
        weights: the possible states, sorted, each with its probability as a whole number; these have no common factor.
        actions: the legal actions.
        before: the number of a belief and an action that lead here; (-1, CHANCE) at the start.
    """

    observation: State
    weights: tuple[tuple[State, int], ...]
    actions: tuple[int, ...]
    before: tuple[int, int]


class BeliefOutcome(NamedTuple):
    """What can follow an action.

    Attributes:
        probability: its probability.
        target: the number of the next belief; OVER if the game ends.
        reward: the expected reward on the way.
        payoff: the expected payoff if the game ends.
    """

    probability: Fraction
    target: int
    reward: Fraction
    payoff: Fraction = ZERO


@dataclass(frozen=True)
class BeliefProcess:
    """All beliefs that the player can come to.

    Attributes:
        first: the outcomes of what chance does before the first choice.
        beliefs: the beliefs.
        outcomes: those of each action of each belief.
        number_of: the number of the belief of each observation.
    """

    first: list[BeliefOutcome] = field(default_factory=list)
    beliefs: list[Belief] = field(default_factory=list)
    outcomes: list[list[list[BeliefOutcome]]] = field(default_factory=list)
    number_of: dict[State, int] = field(default_factory=dict)


def list_beliefs(game: Game, rules: Rules, start: State, progress: Progress) -> BeliefProcess:
    """List all beliefs, with interpreted rules.

    Raises:
        GameError: if the rules are broken, or states with the same view have different legal actions.
        SolveError: if there are too many, or the view does not determine the belief.
    """
    return BeliefListing(game, rules).run(start, progress)


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


class BeliefListing:
    """The belief process so far, and its steps from any states."""

    def __init__(self, game: Game, rules: Rules) -> None:
        self._game, self._rules = game, rules
        self._interpreter = Interpreter(game, rules)
        self._has_rewards = game.counts_rewards(rules)
        self._steps_of: dict[State, dict[int, Cloud]] = {}
        self._actions_of: dict[State, tuple[int, ...]] = {}
        self._found = BeliefProcess()
        self._transitions, self._begin = 0, time.monotonic()

    def run(self, start: State, progress: Progress) -> BeliefProcess:
        """List all beliefs that follow from the initial state."""
        found = self._found
        found.first.extend(self._outcomes({start: (Fraction(1), ZERO)}, (-1, CHANCE)))
        for number, belief in enumerate(found.beliefs):  # grows
            progress("listing beliefs", number, 0)
            total = sum(weight for _, weight in belief.weights)
            cloud: Cloud = {state: (Fraction(weight, total), ZERO) for state, weight in belief.weights}
            found.outcomes.append([self._outcomes(self.step(cloud, each), (number, each)) for each in belief.actions])
        return found

    def see(self, cloud: Cloud) -> tuple[dict[State, Cloud], Ends]:
        """Return the states by what the player sees next, after all that chance does, and how the game can end."""
        ends, seen, moves = Ends(), dict[State, Cloud](), 0
        while cloud:
            chance: Cloud = {}
            for state, (weight, reward) in cloud.items():
                if self._interpreter.is_over(state):
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
            raise different_actions(self._interpreter, view)
        return actions

    def _outcomes(self, cloud: Cloud, before: tuple[int, int]) -> list[BeliefOutcome]:
        """Return what the player sees next, after all that chance does."""
        seen, ends = self.see(cloud)
        outcomes = []
        for view, group in seen.items():
            probability, reward = _means(group.values())
            outcomes.append(BeliefOutcome(probability, self._number(view, group, before), reward))
        if ends:
            probability, reward, payoff = _means(ends)
            outcomes.append(BeliefOutcome(probability, OVER, reward, payoff))
        return outcomes

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
            moves = self._interpreter.moves(state)
            self._check_rules()
            self._steps_of[state] = {move.action: self._outcomes_of(state, move) for move in moves}
            self._check_rules()
        return self._steps_of[state]

    def _outcomes_of(self, state: State, move: Move) -> Cloud:
        """Return the next states of a move, each with its exact probability and its expected reward.

        Raises:
            GameError: if a reward is not a finite number.
            SolveError: if the probabilities sum to 1 only up to a tolerance.
        """
        if probability_deficit(move):
            label, written = self._game.label(self._rules, state, move.action), self._interpreter.write(state)
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
        if not self._has_rewards:
            return ZERO
        gained = self._interpreter.call("reward", state, action, successor)
        self._check_rules()
        if gained is FAILED or not isfinite(gained):
            label, written = self._game.label(self._rules, state, action), self._interpreter.write(state)
            raise GameError(
                f"{self._game.file.name}: the reward of {label!r} is not a finite number in {written}.", written
            )
        return Fraction(float(gained))

    def _view(self, state: State) -> State:
        """Return what the player sees.

        Raises:
            GameError: if it is not a state.
        """
        seen = self._interpreter.call("view", state)
        self._check_rules()
        if wrong := self._interpreter.state_error(seen, "'view' returns"):
            written = self._interpreter.write(state)
            raise GameError(f"{self._game.file.name}: {wrong} in {written}.", written)
        return seen

    def _number(self, view: State, group: Cloud, before: tuple[int, int]) -> int:
        """Return the number of the belief that the player has when it sees this.

        Raises:
            GameError: if possible states have different legal actions.
            TooLargeError: if another belief has this view, which keeps less than the player needs.
        """
        found, unit = self._found, lcm(*(weight.denominator for weight, _ in group.values()))
        whole = {state: int(weight * unit) for state, (weight, _) in group.items()}
        factor = gcd(*whole.values())
        weights = tuple((state, whole[state] // factor) for state in sorted(whole))
        *_, actions = (self.actions(state, view) for state in whole)
        number = found.number_of.setdefault(view, len(found.beliefs))
        if number == len(found.beliefs):
            found.beliefs.append(Belief(view, weights, actions, before))
        elif found.beliefs[number].weights != weights:
            ways = self._decisions(found.beliefs[number].before), self._decisions(before)
            raise TooLargeError(imperfect_recall(self._interpreter, view, *ways))
        return number

    def _decisions(self, before: tuple[int, int]) -> list[tuple[State, int]]:
        """Return the observations and actions on a way that ends with this belief and action."""
        decisions = []
        while before[0] >= 0:
            belief = self._found.beliefs[before[0]]
            decisions.append((belief.observation, before[1]))
            before = belief.before
        return decisions[::-1]

    def _check_rules(self) -> None:
        for problem in self._interpreter.problems.values():
            raise GameError(str(problem), problem.state)


def _add(cloud: Cloud, state: State, weight: Fraction, reward: Fraction) -> None:
    before, gained = cloud.get(state, (ZERO, ZERO))
    cloud[state] = before + weight, gained + reward


def _means(rows: Iterable[tuple[Fraction, ...]]) -> tuple[Fraction, ...]:
    """Return the sum of the first numbers, which are weights, and those of the others divided by it."""
    total, *others = (sum(column, ZERO) for column in zip(*rows, strict=True))
    return total, *(each / total for each in others)
